/* budget.c: the table of all limits of conversations with a board, and what is left of them. */
#include "board/connection/board.h"
#include "board/connection/budget.h"

#include <string.h>

/* One wait is shorter than this; more is time in which this process was stopped. */
enum { WAIT_MAX_MS = 1000, MIB = 1 << 20 };

/*
 * The answer to a short script is a list of JOBs at most. Within a transfer the caller adds the listed sizes to
 * bytes_max. The lowest rates let a link of 2 KB/s pass that also carries a program's output; a listing by sftp over a
 * slow link has few bytes for each round trip.
 */
static const struct {
	int64_t bytes, lines; /* 0: any number */
	int silent_s, all_s;  /* 0: for ever */
	int rate, rate_s;     /* at least `rate` bytes a second, measured over rate_s; 0: any */
} limits[] = {
    [MP_BUDGET_SCRIPT] = {8 * MIB, 200000, 0, 120, 0, 0},
    [MP_BUDGET_GUARD] = {4096, 16, 0, 60, 0, 0},
    [MP_BUDGET_LISTING] = {1024 * MIB, 8000000, 600, 6 * 3600, 16, 120},
    [MP_BUDGET_TRANSFER] = {256 * MIB, 0, 60, 0, 256, 60},
    [MP_BUDGET_PROGRAM] = {0, 0, 0, 0, 0, 0},
};

void mp_budget_begin(
    struct mp_budget *budget, enum mp_budget_kind kind, const char *board, const char *what, int patience_percent)
{
	*budget = (struct mp_budget){.kind = kind,
	    .board = board,
	    .what = what,
	    .patience_percent = patience_percent,
	    .bytes_max = limits[kind].bytes};
}

static void count_lines(struct mp_budget *budget, const char *at, size_t size)
{
	const char *end = at + size;

	while (at < end && (at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		budget->lines++;
		at++;
	}
}

int mp_budget_take(struct mp_budget *budget, const void *bytes, size_t size, struct mp_error *err)
{
	int64_t lines = limits[budget->kind].lines;

	budget->silent_ms = 0;
	budget->window_bytes += (int64_t)size;
	budget->bytes += (int64_t)size;
	if (budget->bytes_max && budget->bytes > budget->bytes_max)
		return mp_fail_board(err, "cannot %s: it sends more than %lld bytes; look at what prints there",
		    budget->board, budget->what, (long long)budget->bytes_max);
	if (!lines)
		return 0;
	count_lines(budget, bytes, size);
	if (budget->lines <= lines)
		return 0;
	return mp_fail_board(err, "cannot %s: it sends more than %lld lines; look at what prints there", budget->board,
	    budget->what, (long long)lines);
}

void mp_budget_sent(struct mp_budget *budget, size_t size)
{
	budget->silent_ms = 0;
	budget->window_bytes += (int64_t)size;
}

/* Whether ms are more than a time of the table, which may be 0. */
static bool exceeds(const struct mp_budget *budget, int64_t ms, int limit_s)
{
	return limit_s && ms >= (int64_t)limit_s * 10 * budget->patience_percent;
}

static int seconds(const struct mp_budget *budget, int limit_s)
{
	return (int)((int64_t)limit_s * budget->patience_percent / 100);
}

#define ADVICE "; for a slow board set MSPROF_BOARD_PATIENCE to more than %d"

int mp_budget_wait(struct mp_budget *budget, int64_t ms, struct mp_error *err)
{
	enum mp_budget_kind kind = budget->kind;
	int percent = budget->patience_percent;
	bool slow;

	if (ms > WAIT_MAX_MS)
		ms = WAIT_MAX_MS;
	budget->waited_ms += ms;
	budget->silent_ms += ms;
	budget->window_ms += ms;
	if (exceeds(budget, budget->silent_ms, limits[kind].silent_s))
		return mp_fail_board(err, "no data moved for %d s, cannot %s" ADVICE, budget->board,
		    seconds(budget, limits[kind].silent_s), budget->what, percent);
	if (exceeds(budget, budget->waited_ms, limits[kind].all_s))
		return mp_fail_board(err, "cannot %s within %d s" ADVICE, budget->board, budget->what,
		    seconds(budget, limits[kind].all_s), percent);
	if (!exceeds(budget, budget->window_ms, limits[kind].rate_s))
		return 0;
	slow = !budget->computes && budget->window_bytes * 1000 < budget->window_ms * limits[kind].rate;
	budget->window_ms = budget->window_bytes = 0;
	if (!slow)
		return 0;
	return mp_fail_board(err, "cannot %s: fewer than %d bytes a second moved for %d s" ADVICE, budget->board,
	    budget->what, limits[kind].rate, seconds(budget, limits[kind].rate_s), percent);
}
