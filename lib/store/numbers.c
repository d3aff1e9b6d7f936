/*
 * numbers.c: table-valued functions:
 *   numbers(count)  the column `value` counts from 0 to count - 1
 *   words(text)     the words of a line, and the numbers in them
 *
 * Blanks and the characters ,;|()[] are between words. A word may be NAME=REST or NAME:REST; a NAME that ends its word
 * names the number of the next one. A number has digits, perhaps a point, and perhaps a unit of letters or %.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "row/vtab.h"
#include "store/connection.h"

enum { VALUE, COUNT };

static int begin_numbers(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err)
{
	(void)err;
	rows->values[COUNT] = mp_int(sqlite3_value_int64(keys[0]));
	return 0;
}

static int next_number(struct mp_vtab_rows *rows, struct mp_error *err)
{
	(void)err;
	rows->values[VALUE] = mp_int(rows->number);
	return rows->number < rows->values[COUNT].i;
}

enum { WORD, PLACE, NAME, NUMBER, UNIT, TEXT };

struct span {
	const char *text;
	size_t len;
};

struct word_rows {
	struct mp_vtab_rows base;
	char *text; /* owned */
	const char *rest;
	struct span name;
	struct span pending; /* the name of the next number */
	struct span before;  /* the last word, or of NAME= the name */
};

static struct span span_of(const char *from, const char *to)
{
	return (struct span){from, (size_t)(to - from)};
}

static bool is_between(char c)
{
	return strchr(" \t\r\n\v\f,;|()[]", c) != NULL; /* the end of the text, too */
}

/* Read a number with its unit: all of the word from `s` on. */
static void take_number(struct word_rows *w, const char *s, const char *end)
{
	const char *digits = s + (s < end && (*s == '-' || *s == '+')), *at = digits, *unit;
	struct mp_value *values = w->base.values;
	bool is_whole;

	while (at < end && isdigit((unsigned char)*at))
		at++;
	is_whole = at == end || *at != '.';
	if (!is_whole)
		for (at++; at < end && isdigit((unsigned char)*at);)
			at++;
	if (digits == end || !isdigit((unsigned char)*digits) || at - digits > 18)
		return;
	unit = at;
	for (; at < end; at++)
		if (!isalpha((unsigned char)*at) && *at != '%')
			return;
	values[NAME] = mp_text(w->name.text, w->name.len);
	values[NUMBER] = is_whole ? mp_int(strtoll(s, NULL, 10)) : mp_real(strtod(s, NULL));
	values[UNIT] = mp_text(unit, (size_t)(end - unit));
}

static int next_word(struct mp_vtab_rows *rows, struct mp_error *err)
{
	struct word_rows *w = (struct word_rows *)rows;
	const char *s = w->rest, *end, *sign;

	(void)err;
	while (*s && is_between(*s))
		s++;
	if (!*s)
		return 0;
	for (end = s; !is_between(*end);)
		end++;
	for (sign = s; sign < end && *sign != '=' && *sign != ':';)
		sign++;
	w->rest = end;
	w->name = w->pending;
	w->pending = (struct span){NULL, 0};
	rows->values[WORD] = mp_text(s, (size_t)(end - s));
	rows->values[PLACE] = mp_int(rows->number);
	rows->values[NAME] = rows->values[NUMBER] = rows->values[UNIT] = mp_null();
	if (sign == end) {
		take_number(w, s, end);
	} else if (sign + 1 < end) {
		w->name = sign > s ? span_of(s, sign) : w->name;
		take_number(w, sign + 1, end);
	} else {
		w->pending = sign > s ? span_of(s, sign) : w->before;
	}
	w->before = sign > s ? span_of(s, sign) : (struct span){NULL, 0};
	return 1;
}

static int begin_words(struct mp_vtab_rows *rows, sqlite3_value **keys, struct mp_error *err)
{
	struct word_rows *w = (struct word_rows *)rows;
	const char *text = (const char *)sqlite3_value_text(keys[0]);

	free(w->text);
	w->text = strdup(text ? text : "");
	w->rest = w->text;
	w->pending = w->before = (struct span){NULL, 0};
	return w->text ? 0 : mp_fail_memory(err, "words");
}

static void end_words(struct mp_vtab_rows *rows)
{
	free(((struct word_rows *)rows)->text);
}

int mp_numbers_register(sqlite3 *handle)
{
	static const struct mp_vtab_module numbers = {.table_size = sizeof(struct mp_vtab),
	    .rows_size = sizeof(struct mp_vtab_rows),
	    .columns = "value INTEGER, count INTEGER HIDDEN",
	    .first_key = COUNT,
	    .key_count = 1,
	    .begin = begin_numbers,
	    .next = next_number};
	static const struct mp_vtab_module words = {.table_size = sizeof(struct mp_vtab),
	    .rows_size = sizeof(struct word_rows),
	    .columns = "word TEXT, place INTEGER, name TEXT, number, unit TEXT, text TEXT HIDDEN",
	    .first_key = TEXT,
	    .key_count = 1,
	    .begin = begin_words,
	    .next = next_word,
	    .end = end_words};
	int status = mp_vtab_register(handle, "numbers", &numbers, NULL, NULL);

	return status ? status : mp_vtab_register(handle, "words", &words, NULL, NULL);
}
