/*
 * budget.h: what a conversation with a board may cost: bytes, lines, time, and the lowest rate.
 *
 * A pipe (pipe.h) takes each byte that it reads, and all time that it waits, from its budget. Each kind of conversation
 * has a row of limits in budget.c. Only time in which this side waits for the board counts: a slow disk here, or a
 * stopped process, is no fault of the board. The patience of the board (board.h) stretches and shrinks all times.
 * The struct owns nothing; `board` and `what` are borrowed for messages.
 */
#ifndef MP_BOARD_BUDGET_H
#define MP_BOARD_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mp_budget_kind {
	MP_BUDGET_SCRIPT,   /* a short script and its answer */
	MP_BUDGET_GUARD,    /* one question to the guard and its answer */
	MP_BUDGET_LISTING,  /* of a directory, and the sums of its files */
	MP_BUDGET_TRANSFER, /* of files, in either direction */
	MP_BUDGET_PROGRAM   /* the user's program: may run for ever, and print anything */
};

/* What the answers of a board may hold. */
enum {
	MP_BUDGET_ENTRIES = 1000000,      /* of a listing */
	MP_BUDGET_TREE_BYTES = 256 << 20, /* memory of a listing */
	MP_BUDGET_JOBS = 1000,            /* JOBs that one command fetches or removes */
	MP_BUDGET_JOBS_FAILED = 10        /* JOBs in a row that cannot be fetched */
};

struct mp_budget {
	enum mp_budget_kind kind;
	const char *board, *what; /* "list 'DIR'": the words after "cannot" */
	int patience_percent;
	int64_t bytes_max; /* of the kind, unless the caller knows better */
	bool computes;     /* the board may compute for long before it answers: no lowest rate */
	int64_t bytes, lines;
	int64_t waited_ms, silent_ms;    /* altogether; since the last byte in either direction */
	int64_t window_ms, window_bytes; /* of the rate */
};

void mp_budget_begin(
    struct mp_budget *budget, enum mp_budget_kind kind, const char *board, const char *what, int patience_percent);

/* Take bytes that were read; bytes that were written; time that was waited. Returns -1 when the budget is exceeded. */
int mp_budget_take(struct mp_budget *budget, const void *bytes, size_t size, struct mp_error *err);
void mp_budget_sent(struct mp_budget *budget, size_t size);
int mp_budget_wait(struct mp_budget *budget, int64_t ms, struct mp_error *err);

#endif
