/* question_answer.c: gives the answer to a question as frames: numbers with the digits that the question declares,
 * whatever the engine. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fleet/engine/question.h"

enum { CELL_SIZE = 64, ROUNDED_MAX = 1000000000 };

static int put_cell(struct mp_question *q, size_t *used, const char *cell, uint32_t size, struct mp_error *err)
{
	const uint32_t head = cell ? size : MP_WIRE_NULL;

	if (!cell)
		size = 0;
	if (sizeof(head) + size > sizeof(q->frame) - *used)
		return mp_fail(err, "a row of the answer is too long");
	memcpy(q->frame + *used, &head, sizeof(head));
	if (size)
		memcpy(q->frame + *used + sizeof(head), cell, size);
	*used += sizeof(head) + size;
	return 0;
}

static int give_titles(void *user, const char *const *titles, int count, struct mp_error *err)
{
	struct mp_question *q = user;
	size_t used = 0;

	for (int i = 0; i < count; i++) {
		const char *digits = titles[i][0] ? mp_question_line(q, "digits", titles[i], strlen(titles[i])) : NULL;

		q->digits[i] = digits ? atoi(digits) : -1;
		if (put_cell(q, &used, titles[i], (uint32_t)strlen(titles[i]), err))
			return -1;
	}
	return mp_wire_write(q->out, MP_WIRE_TITLES, q->frame, used, err);
}

static int give_numbers(void *user, const char *kinds, int count, struct mp_error *err)
{
	struct mp_question *q = user;
	char told[MP_ANSWER_COLUMNS];

	for (int i = 0; i < count; i++)
		told[i] = kinds[i] && q->digits[i] >= 0 ? MP_ANSWER_REAL : kinds[i];
	return mp_wire_write(q->out, MP_WIRE_NUMBERS, told, (size_t)count, err);
}

/*
 * Round a number. Engines divide in doubles or in decimals, and differ in the last of 16 digits: so a number within
 * a ten thousandth of the last digit below the middle goes up in both. NULL: it is no number, or too large.
 */
static const char *round_cell(char text[CELL_SIZE], const char *cell, uint32_t size, int digits)
{
	double number, slack = 0.00005;
	char *end;

	if (!size || size >= CELL_SIZE)
		return NULL;
	memcpy(text, cell, size);
	text[size] = '\0';
	number = strtod(text, &end);
	if (*end || !isfinite(number) || fabs(number) > ROUNDED_MAX)
		return NULL;
	for (int i = 0; i < digits; i++)
		slack /= 10;
	slack += fabs(number) * 1e-15;
	snprintf(text, CELL_SIZE, "%.*f", digits, number + copysign(slack, number));
	return strspn(text, "-0.") == strlen(text) && *text == '-' ? text + 1 : text;
}

static int give_row(void *user, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err)
{
	struct mp_question *q = user;
	size_t used = 0;

	for (int i = 0; i < count; i++) {
		char text[CELL_SIZE];
		const char *rounded =
		    cells[i] && q->digits[i] >= 0 ? round_cell(text, cells[i], sizes[i], q->digits[i]) : NULL;

		if (put_cell(
			q, &used, rounded ? rounded : cells[i], rounded ? (uint32_t)strlen(rounded) : sizes[i], err))
			return -1;
	}
	return mp_wire_write(q->out, MP_WIRE_ROW, q->frame, used, err);
}

/* What the jobs are that the range leaves out: three numbers. */
struct left_out {
	int64_t numbers[3]; /* jobs in the range, all jobs, the begin of the newest */
};

static int skip_titles(void *user, const char *const *titles, int count, struct mp_error *err)
{
	(void)user;
	(void)titles;
	return count == 3 ? 0 : mp_fail(err, "the jobs outside of the range cannot be read");
}

static int skip_numbers(void *user, const char *kinds, int count, struct mp_error *err)
{
	(void)user;
	(void)kinds;
	(void)count;
	(void)err;
	return 0;
}

static int take_left_out(void *user, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err)
{
	struct left_out *l = user;

	(void)sizes;
	(void)err;
	for (int i = 0; i < count; i++)
		l->numbers[i] = cells[i] ? strtoll(cells[i], NULL, 10) : 0;
	return 0;
}

/* Whether the range leaves out all jobs that the question is about: where there are some, say when the newest began. */
static int find_left_out(struct mp_question *q, char *dst, size_t size, struct mp_error *err)
{
	static const char before[] =
	    "SELECT coalesce(sum(CASE WHEN {chosen} THEN 1 ELSE 0 END), 0) AS inside, count(*) AS "
	    "jobs, max(started_ns) AS newest FROM job WHERE started_ns IS NOT NULL AND {labels} AND (";
	const char *condition = mp_question_line(q, "older", "", 0);
	char text[1024], day[32] = "";
	struct left_out left = {{0}};
	struct mp_answer answer = {.user = &left,
	    .titles = skip_titles,
	    .numbers = skip_numbers,
	    .row = take_left_out,
	    .bytes_max = sizeof(text)};
	struct tm when;
	time_t begun_s;

	*dst = '\0';
	if (!mp_question_line(q, "range", "", 0))
		return 0;
	snprintf(text, sizeof(text), "%s%.*s)", before, condition ? (int)strcspn(condition, "\n") : 5,
	    condition ? condition : "1 = 1");
	if (mp_question_build(q, text, strlen(text), err) || q->engine->ask(q->connection, q->sql, &answer, err))
		return -1;
	begun_s = (time_t)(left.numbers[2] / 1000000000);
	if (left.numbers[0] || !left.numbers[1] || !gmtime_r(&begun_s, &when))
		return 0;
	strftime(day, sizeof(day), "%Y-%m-%d", &when);
	snprintf(dst, size, "; %" PRId64 " job%s began outside of this time, the newest on %s: --set from=%s",
	    left.numbers[1], left.numbers[1] == 1 ? "" : "s", day, day);
	return 0;
}

/* An answer without rows says for which values. */
static int give_absent(struct mp_question *q, struct mp_error *err)
{
	char text[4096], outside[256];
	size_t used = mp_question_values(q, text, sizeof(text));

	if (find_left_out(q, outside, sizeof(outside), err))
		return -1;
	if (!used || used >= sizeof(text) - sizeof(outside) - 32)
		return 0;
	used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", *outside ? outside : "; --set changes this");
	return mp_wire_write(q->out, MP_WIRE_ABSENT, text, used, err);
}

int mp_question_answer(struct mp_question *q, struct mp_error *err)
{
	struct mp_answer answer = {
	    .user = q, .titles = give_titles, .numbers = give_numbers, .row = give_row, .bytes_max = q->bytes_max};

	return q->engine->ask(q->connection, q->sql, &answer, err) || (!answer.rows && give_absent(q, err)) ? -1 : 0;
}
