/*
 * text_words.c: the table-valued function words(text): the words of a line, and the numbers in them.
 *
 * Blanks and the characters ,;|()[] are between words. A word may be NAME=REST or NAME:REST; a NAME that ends its word
 * names the number of the next one. A number has digits, perhaps a point, and perhaps a unit of letters or %.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "store/connection.h"

enum { WORD, PLACE, NAME, NUMBER, UNIT, TEXT };

struct span {
	const char *text;
	int len;
};

struct word_cursor {
	sqlite3_vtab_cursor base;
	char *text; /* owned */
	const char *rest;
	int64_t place;
	struct span word, name, unit;
	struct span pending; /* the name of the next number */
	struct span before;  /* the last word, or of NAME= the name */
	bool is_over, is_number, is_whole;
	int64_t whole;
	double real;
};

static int connect(sqlite3 *handle, void *user, int argc, const char *const *argv, sqlite3_vtab **table, char **message)
{
	int status = sqlite3_declare_vtab(
	    handle, "CREATE TABLE x(word TEXT, place INTEGER, name TEXT, number, unit TEXT, text TEXT HIDDEN)");

	(void)user, (void)argc, (void)argv, (void)message;
	if (!status)
		status = sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);
	if (status)
		return status;
	*table = calloc(1, sizeof(**table));
	return *table ? SQLITE_OK : SQLITE_NOMEM;
}

static int disconnect(sqlite3_vtab *table)
{
	free(table);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	(void)table;
	info->estimatedCost = 25;
	info->estimatedRows = 10;
	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];

		if (c->usable && c->iColumn == TEXT && c->op == SQLITE_INDEX_CONSTRAINT_EQ) {
			info->aConstraintUsage[i].argvIndex = 1;
			info->aConstraintUsage[i].omit = 1;
			return SQLITE_OK;
		}
	}
	return SQLITE_CONSTRAINT;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct word_cursor *c = calloc(1, sizeof(*c));

	(void)table;
	if (!c)
		return SQLITE_NOMEM;
	*cursor = &c->base;
	return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
	free(((struct word_cursor *)cursor)->text);
	free(cursor);
	return SQLITE_OK;
}

static bool is_between(char c)
{
	return strchr(" \t\r\n\v\f,;|()[]", c) != NULL; /* the end of the text, too */
}

/* Read a number with its unit: all of the word from `s` on. */
static void take_number(struct word_cursor *c, const char *s, const char *end)
{
	const char *digits = s + (s < end && (*s == '-' || *s == '+'));
	const char *at = digits;
	char *after;

	while (at < end && isdigit((unsigned char)*at))
		at++;
	c->is_whole = at == end || *at != '.';
	if (!c->is_whole)
		for (at++; at < end && isdigit((unsigned char)*at);)
			at++;
	if (digits == end || !isdigit((unsigned char)*digits) || at - digits > 18)
		return;
	c->unit = (struct span){at, (int)(end - at)};
	for (; at < end; at++)
		if (!isalpha((unsigned char)*at) && *at != '%')
			return;
	c->is_number = true;
	c->whole = strtoll(s, NULL, 10);
	c->real = strtod(s, &after);
}

static int next(sqlite3_vtab_cursor *cursor)
{
	struct word_cursor *c = (struct word_cursor *)cursor;
	const char *s = c->rest, *end, *sign;

	while (*s && is_between(*s))
		s++;
	c->is_over = !*s;
	if (c->is_over)
		return SQLITE_OK;
	for (end = s; !is_between(*end);)
		end++;
	for (sign = s; sign < end && *sign != '=' && *sign != ':';)
		sign++;
	c->place++;
	c->rest = end;
	c->word = (struct span){s, (int)(end - s)};
	c->name = c->pending;
	c->pending = (struct span){NULL, 0};
	c->is_number = false;
	if (sign == end) {
		take_number(c, s, end);
	} else if (sign + 1 < end) {
		c->name = sign > s ? (struct span){s, (int)(sign - s)} : c->name;
		take_number(c, sign + 1, end);
	} else {
		c->pending = sign > s ? (struct span){s, (int)(sign - s)} : c->before;
	}
	c->before = sign > s ? (struct span){s, (int)(sign - s)} : (struct span){NULL, 0};
	return SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int plan, const char *plan_text, int argc, sqlite3_value **args)
{
	struct word_cursor *c = (struct word_cursor *)cursor;
	const unsigned char *text = argc ? sqlite3_value_text(args[0]) : NULL;

	(void)plan, (void)plan_text;
	free(c->text);
	c->text = strdup(text ? (const char *)text : "");
	if (!c->text)
		return SQLITE_NOMEM;
	c->rest = c->text;
	c->place = -1;
	c->pending = c->before = (struct span){NULL, 0};
	return next(cursor);
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
	return ((struct word_cursor *)cursor)->is_over;
}

static void give_span(sqlite3_context *context, struct span span)
{
	if (span.text)
		sqlite3_result_text(context, span.text, span.len, SQLITE_TRANSIENT);
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	const struct word_cursor *c = (struct word_cursor *)cursor;

	if (index == WORD)
		give_span(context, c->word);
	else if (index == PLACE)
		sqlite3_result_int64(context, c->place);
	else if (index == NAME && c->is_number)
		give_span(context, c->name);
	else if (index == NUMBER && c->is_number && c->is_whole)
		sqlite3_result_int64(context, c->whole);
	else if (index == NUMBER && c->is_number)
		sqlite3_result_double(context, c->real);
	else if (index == UNIT && c->is_number)
		give_span(context, c->unit);
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = ((struct word_cursor *)cursor)->place;
	return SQLITE_OK;
}

int mp_text_words_register(sqlite3 *handle)
{
	static const sqlite3_module module = {.xConnect = connect,
	    .xBestIndex = best_index,
	    .xDisconnect = disconnect,
	    .xOpen = open_cursor,
	    .xClose = close_cursor,
	    .xFilter = filter,
	    .xNext = next,
	    .xEof = is_over,
	    .xColumn = column,
	    .xRowid = row_id};

	return sqlite3_create_module(handle, "words", &module, NULL);
}
