/*
 * budget.h: limits the memory that a command uses, the size of the files that it writes, and its wait for a board.
 *
 * A process has one budget. The kernel enforces the limit of memory (RLIMIT_DATA) for all libraries: an allocation
 * beyond the limit fails.
 */
#ifndef MSPROF_BUDGET_H
#define MSPROF_BUDGET_H

#include <stdint.h>

#include "base/error.h"

/* What a command may use, unless the variables say otherwise; the size of outputs depends on that of their input. */
enum { BUDGET_MEMORY_MIB = 2048, BUDGET_BY_INPUT = -1 };

/* Set the limits of MSPROF_MAX_MEMORY and MSPROF_MAX_OUTPUT, or these; -1: a variable is invalid. */
int budget_begin(int64_t memory_mib, int64_t output_mib, struct mp_error *err);

/* How long to wait for a board, of MSPROF_BOARD_PATIENCE; 100 otherwise. -1: the variable is invalid. */
int budget_patience(int *percent, struct mp_error *err);

/* Restore the limit of memory that held before; may be called in a child after a fork. */
void budget_end(void);

/* Limit the size of all files to budget_output(from_bytes) until budget_database_end(); the kernel enforces it
 * (RLIMIT_FSIZE). */
void budget_database_begin(int64_t from_bytes);
void budget_database_end(void);

/* The maximum size in bytes of a file made from `from_bytes` of input. */
int64_t budget_output(int64_t from_bytes);

/* Advice to append to the message of an error that the budget caused; "" for all other errors. */
const char *budget_advice(enum mp_error_kind kind);

#endif
