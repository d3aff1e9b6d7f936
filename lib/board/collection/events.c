/*
 * events.c: notes, errors and progress for the caller of a collection, and questions to the caller: consent, stop.
 * Every other file of this folder calls this file; this file calls no other.
 */
#include "board/collection/collect_internal.h"

#include <stdarg.h>
#include <stdio.h>

void mp_collect_say(struct mp_collect *c, enum mp_collect_note kind, const char *fmt, ...)
{
	char text[2 * MP_REMOTE_PATH];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	c->events->note(c->events->user, kind, text);
}

void mp_collect_tell_rest(struct mp_collect *c)
{
	mp_collect_say(c, MP_COLLECT_INFO, "msprof collect --resume '%s' fetches the rest", c->options->output);
}

int mp_collect_interrupts(const struct mp_collect *c)
{
	return c->events->interrupts(c->events->user);
}

void mp_collect_blame(struct mp_collect *c, unsigned outcome, const struct mp_error *err)
{
	bool lost = c->board && mp_board_is_broken(c->board);

	/* after the first message that the connection broke, all other errors only follow from it */
	if (c->outcome & MP_COLLECT_LOST)
		return;
	if (lost)
		outcome = MP_COLLECT_LOST;
	else if (mp_collect_interrupts(c) > c->interrupts_max)
		outcome = MP_COLLECT_INTERRUPTED;
	c->outcome |= outcome;
	c->events->failed(c->events->user, err);
}

static bool is_late(const struct mp_collect *c)
{
	return c->options->timeout_s > 0 && mp_board_now_ms() - c->started_ms >= (int64_t)c->options->timeout_s * 1000;
}

bool mp_collect_should_stop(const struct mp_collect *c)
{
	return mp_collect_interrupts(c) > 0 || is_late(c);
}

int mp_collect_agree(struct mp_collect *c, const char *why, const char *way_out, struct mp_error *err)
{
	char question[MP_REMOTE_PATH + 256];

	if (c->options->project)
		return 0;
	snprintf(question, sizeof(question), "%s. Continue anyway? (yes/no) ", why);
	if (c->events->consent && c->events->consent(c->events->user, question))
		return 0;
	c->disagreed = true;
	return mp_fail(err, "%s: %s", why, way_out);
}

void mp_collect_transfer_begin(struct mp_collect *c, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(c->what, sizeof(c->what), fmt, args);
	va_end(args);
}

void mp_collect_transfer_end(struct mp_collect *c)
{
	if (c->events->progress)
		c->events->progress(c->events->user, c->what, -1, 0, 0);
	c->what[0] = '\0';
}
