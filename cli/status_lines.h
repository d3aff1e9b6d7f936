/*
 * status_lines.h: lines at the bottom of a terminal that change in place, below other output.
 *
 * Call status_lines_hide before other output. Without a terminal no line is shown. Nothing is allocated; texts belong
 * to the caller and are cut at the width of the screen.
 */
#ifndef MSPROF_STATUS_LINES_H
#define MSPROF_STATUS_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct status_lines {
	bool active;  /* stderr is a terminal */
	size_t shown; /* number of lines; the cursor is at the end of the last */
};

/* Start; the lines are active if stderr is a terminal. */
struct status_lines status_lines_begin(void);

/* Remove the lines. */
void status_lines_hide(struct status_lines *lines);

/* Replace the lines by these, as many as fit a small screen; empty texts are skipped. */
void status_lines_show(struct status_lines *lines, const char *const *texts, size_t count);

#endif
