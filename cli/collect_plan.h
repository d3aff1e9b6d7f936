/*
 * collect_plan.h: the plan that msprof collect makes from its options, and the parts that carry it out.
 *
 * A plan borrows from the options and owns its words, which cmd_collect.c frees. Functions print their errors.
 */
#ifndef MSPROF_COLLECT_PLAN_H
#define MSPROF_COLLECT_PLAN_H

#include "board/connection/board.h"
#include "board/collection/collect.h"
#include "command.h"
#include "progress.h"

struct collect_plan {
	const struct options *options;
	char **words; /* of -m; NULL for --resume */
	struct mp_acl_pair overrides[8];
	int timeout_s;
	int progress_fd; /* where progress goes, a line each, an empty one to take it away; -1: stderr */
	int prompt_lock; /* a file: one question at a time on the terminal; -1: nobody else asks */
};

/* Collect on one board and, with --all, parse. ini is NULL for this machine. The exit status. */
int collect_board(const struct collect_plan *plan, const char *ini, const char *output);

/* The same on several, a process each; their lines carry the address of the board. */
int collect_boards(const struct collect_plan *plan, const struct option_list *inis, const char *output);

/* The worse of two exit statuses: 4 before 5 before a signal before 1 before 3 before 0. */
int collect_worse(int a, int b);

/* Read an ini, warn of one that others can read (an error with --strict). */
int collect_read_ini(const struct collect_plan *plan, struct mp_board_config *config, const char *ini);

/* Open a directory for results, made when it is not there, and lock it; -1 with the error printed. *lock is closed by
 * the caller. */
int collect_open_output(const char *path, int *lock);

/* How the user is asked; only where there is a terminal. */
struct mp_board_ask collect_ask(const struct collect_plan *plan);

/* Whether the user says yes; false without a terminal. */
bool collect_consent(const struct collect_plan *plan, const char *question);

/* What a collection tells, on stdout and stderr. */
struct collect_display {
	const struct collect_plan *plan;
	const struct options *options;
	int progress_fd, width;
	bool terminal, shown;
	int64_t begun_ms, last_ms, first_done;
	char what[320];
};

struct mp_collect_events collect_callbacks(struct collect_display *voice, const struct collect_plan *plan);

#endif
