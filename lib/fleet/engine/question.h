/*
 * question.h: a ready question of schema/fleet/ask while it is asked, for the files that do it.
 *
 * Functions that return int give 0, or -1 with err.
 */
#ifndef MP_FLEET_QUESTION_H
#define MP_FLEET_QUESTION_H

#include "fleet/engine/engine.h"
#include "fleet/wire.h"

enum { MP_QUESTION_SQL_SIZE = 32 << 10 };

struct mp_question {
	const struct mp_engine *engine;
	void *connection;
	const char *text;     /* of the file */
	const char *given;    /* "PARAMETER=VALUE\n…" */
	int64_t from_s, to_s; /* the range of time, in s since 1970 */
	int out;              /* where frames go */
	int64_t bytes_max;    /* of the answer */
	int columns;
	int digits[MP_ANSWER_COLUMNS]; /* of numbers behind the point; -1: as the engine gives them */
	char sql[MP_QUESTION_SQL_SIZE];
	char frame[MP_WIRE_SIZE_MAX];
};

/* What follows "-- @KEY NAME" in the text of a question; NULL: it has no such line. */
const char *mp_question_line(const struct mp_question *q, const char *key, const char *name, size_t len);

/* Write `text`, SQL with places, with their values into q->sql. */
int mp_question_build(struct mp_question *q, const char *text, size_t len, struct mp_error *err);

/* Ask q->sql, and give the answer as frames; without rows a sentence, which says for which values. */
int mp_question_answer(struct mp_question *q, struct mp_error *err);

/* Write "no row for NAME=VALUE, NAME=VALUE": those that nobody gave bound an answer, too. Returns its size. */
size_t mp_question_values(const struct mp_question *q, char *dst, size_t size);

#endif
