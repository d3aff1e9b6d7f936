/*
 * status_lines.h: several lines at the bottom of a terminal that change in place, below what is printed in between.
 *
 * Who prints something calls status_lines_hide first. A caller without a terminal gets no lines. No memory; texts are
 * the caller's and are shown as far as the screen is wide.
 */
#ifndef MSPROF_STATUS_LINES_H
#define MSPROF_STATUS_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct status_lines {
	bool active;  /* stderr is a terminal */
	size_t shown; /* the cursor is at the end of the last one */
};

/* Find out whether there is a terminal. */
struct status_lines status_lines_begin(void);

/* Take them away. */
void status_lines_hide(struct status_lines *lines);

/* Show these instead of what was shown, as many as a small screen has room for; empty ones are left out. */
void status_lines_show(struct status_lines *lines, const char *const *texts, size_t count);

#endif
