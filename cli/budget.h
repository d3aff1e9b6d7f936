/*
 * budget.h: how much memory a command may take for files of others, and how much it may write. One process, one budget.
 * The kernel keeps that of memory (RLIMIT_DATA), so it holds for every library, and what asks for more is told that
 * there is no memory.
 */
#ifndef MSPROF_BUDGET_H
#define MSPROF_BUDGET_H

#include <stdint.h>

#include "base/error.h"

/* From now on: MSPROF_MAX_MEMORY and MSPROF_MAX_OUTPUT, or defaults. -1: a variable is wrong. */
int budget_begin(struct mp_error *err);

/* As it was before. */
void budget_end(void);

/* Until budget_database_end() no file becomes larger than budget_output(from_bytes); the kernel keeps it
 * (RLIMIT_FSIZE). */
void budget_database_begin(int64_t from_bytes);
void budget_database_end(void);

/* The most bytes of a file that is made from so many. */
int64_t budget_output(int64_t from_bytes);

/* What to do about an error, as the end of its message; "" if the budget has no part in it. */
const char *budget_advice(const char *error);

#endif
