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

struct collect_plan {
	const struct options *options;
	char **words; /* of -m; NULL for --resume */
	struct mp_acl_pair overrides[8];
	int timeout_s;
	int progress_fd; /* receives lines of progress, an empty line to remove them; -1: stderr */
	int prompt_lock; /* a file whose lock permits a question on the terminal; -1: no other process asks */
};

/* Collect on one board and, with --all, parse the jobs. ini NULL: this machine. Returns the exit status. */
int collect_board(const struct collect_plan *plan, const char *ini, const char *output);

/* The same on several boards, a process for each; each line of output begins with the address of its board. */
int collect_boards(const struct collect_plan *plan, const struct option_list *inis, const char *output);

/* The worse of two exit statuses: 4 before 5 before a signal before 1 before 3 before 0. */
int collect_worse(int a, int b);

/* The callbacks that ask the user; without a terminal they refuse. */
struct mp_board_ask collect_ask(const struct collect_plan *plan);

/* The state of the output of a collection on stdout and stderr. */
struct collect_display {
	const struct collect_plan *plan;
	const struct options *options;
	int progress_fd, width;
	bool terminal, shown;
	int64_t begun_ms, last_ms, first_done;
	char what[320];
};

/* The callbacks that print messages, output and progress; `display` must outlive them. */
struct mp_collect_events collect_callbacks(struct collect_display *display, const struct collect_plan *plan);

#endif
