/* select.c: finds the SELECT list of a statement, and the query in FROM whose terms can be used. */
#include "expr/expr.h"

#include <string.h>

static bool is_any(const struct mp_token *t, const char *const *words)
{
	for (; *words; words++)
		if (mp_token_is(t, *words))
			return true;
	return false;
}

/* Take the text up to the matching ')'. *inside receives the text between. */
static bool take_parentheses(struct mp_range *range, struct mp_range *inside)
{
	int depth = 1;

	inside->at = range->at;
	while (depth) {
		struct mp_token t = mp_token_next(range);

		if (t.kind == MP_TOKEN_END || t.kind == MP_TOKEN_UNKNOWN)
			return false;
		depth += mp_token_is(&t, "(") - mp_token_is(&t, ")");
		inside->end = t.text;
	}
	return true;
}

/* End the last clause at the beginning of the next clause. */
static void end_clauses(struct mp_select *s, const char *end, const char *at)
{
	struct mp_range *clauses[] = {&s->from, &s->where, &s->order};

	for (int i = 0; i < 3; i++)
		if (clauses[i]->end == end)
			clauses[i]->end = at;
}

/* Find the parts of a SELECT without grouping, without compound parts, and without * in its list. */
static bool find_parts(struct mp_range text, struct mp_select *s)
{
	static const char *const refused[] = {
	    "DISTINCT", "ALL", "GROUP", "HAVING", "WINDOW", "UNION", "EXCEPT", "INTERSECT", "VALUES", ";", NULL};
	static const char *const ends[] = {"WHERE", "ORDER", "LIMIT", NULL};
	struct mp_token before = mp_token_next(&text), t;
	struct mp_range inside;

	memset(s, 0, sizeof(*s));
	if (!mp_token_is(&before, "SELECT"))
		return false;
	s->list.at = text.at;
	while ((t = mp_token_next(&text)).kind != MP_TOKEN_END) {
		if (t.kind == MP_TOKEN_UNKNOWN || is_any(&t, refused))
			return false;
		if (!s->list.end && mp_token_is(&t, "*") &&
		    (mp_token_is(&before, "SELECT") || mp_token_is(&before, ",") || mp_token_is(&before, ".")))
			return false;
		if (mp_token_is(&t, "(") && !take_parentheses(&text, &inside))
			return false;
		if (!s->list.end && mp_token_is(&t, "FROM")) {
			s->list.end = t.text;
			s->from = text;
		} else if (s->list.end && is_any(&t, ends)) {
			end_clauses(s, text.end, t.text);
			if (mp_token_is(&t, "WHERE"))
				s->where = text;
			else if (mp_token_is(&t, "ORDER"))
				s->order = text;
			else
				s->limited = true;
		}
		before = t;
	}
	return s->list.end != NULL;
}

/* Parse WITH name AS (...), ... and count the names. *body receives the text of `name`; *text begins at SELECT then. */
static bool find_common(struct mp_range *text, const struct mp_token *name, struct mp_range *body, int *count)
{
	struct mp_range at = *text, inside;
	struct mp_token t = mp_token_next(&at), own;
	bool plain;

	*count = 0;
	if (!mp_token_is(&t, "WITH"))
		return true;
	do {
		own = mp_token_next(&at);
		t = mp_token_next(&at);
		plain = mp_token_is(&t, "AS");
		if (mp_token_is(&t, "(")) {
			if (!take_parentheses(&at, &inside))
				return false;
			t = mp_token_next(&at);
		}
		if (!mp_token_is(&t, "AS"))
			return false; /* or RECURSIVE */
		for (t = mp_token_next(&at); mp_token_is(&t, "NOT") || mp_token_is(&t, "MATERIALIZED");
		     t = mp_token_next(&at))
			plain = false;
		if (!mp_token_is(&t, "(") || !take_parentheses(&at, &inside))
			return false;
		if (plain && name && own.kind == MP_TOKEN_NAME && mp_token_is_name(name, own.text, own.len))
			*body = inside;
		*text = at;
		t = mp_token_next(&at);
		++*count;
	} while (mp_token_is(&t, ","));
	return true;
}

/* Count how often the text has this name, except before a dot. */
static int count_name(struct mp_range text, const struct mp_token *name)
{
	int count = 0;
	struct mp_token t = mp_token_next(&text), next;

	for (; t.kind != MP_TOKEN_END; t = next) {
		next = mp_token_next(&text);
		count += mp_token_is_name(&t, name->text, name->len) && !mp_token_is(&next, ".");
	}
	return count;
}

struct mp_token mp_select_alias(struct mp_range *text, struct mp_token *t)
{
	static const char *const words[] = {
	    "JOIN", "INNER", "LEFT", "CROSS", "NATURAL", "ON", "USING", "RIGHT", "FULL", "INDEXED", "NOT", NULL};
	struct mp_token alias = {MP_TOKEN_END, NULL, 0};

	if (mp_token_is(t, "AS"))
		*t = mp_token_next(text);
	if ((t->kind == MP_TOKEN_NAME && !is_any(t, words)) || t->kind == MP_TOKEN_QUOTED) {
		alias = *t;
		*t = mp_token_next(text);
	}
	return alias;
}

/* Returns whether no join after a table can make its columns NULL. */
static bool keeps_columns(struct mp_range from)
{
	static const char *const refused[] = {"RIGHT", "FULL", NULL};
	struct mp_range inside;
	struct mp_token t;

	while ((t = mp_token_next(&from)).kind != MP_TOKEN_END)
		if (t.kind == MP_TOKEN_UNKNOWN || is_any(&t, refused) ||
		    (mp_token_is(&t, "(") && !take_parentheses(&from, &inside)))
			return false;
	return true;
}

/* Find the query in FROM: in parentheses, or as a common table expression that is used once. */
static void find_source(struct mp_range text, struct mp_select *s)
{
	struct mp_range from = s->from, body = {NULL, NULL};
	struct mp_token t = mp_token_next(&from), alias;
	struct mp_select inner;

	s->alias = (struct mp_token){MP_TOKEN_END, NULL, 0};
	if (mp_token_is(&t, "(")) {
		if (!take_parentheses(&from, &body))
			return;
	} else if (t.kind == MP_TOKEN_NAME && count_name(text, &t) == 2) {
		if (!find_common(&text, &t, &body, &s->commons))
			return;
		s->alias = t;
	}
	if (body.at && keeps_columns(from) && find_parts(body, &inner)) {
		t = mp_token_next(&from);
		alias = mp_select_alias(&from, &t);
		if (alias.len)
			s->alias = alias;
		s->source = inner.list;
		s->source_from = inner.from;
		s->source_where = inner.where;
		s->limited |= inner.limited || inner.order.at;
	}
}

bool mp_select_find(struct mp_range text, struct mp_select *s)
{
	struct mp_range main = text;
	int commons;

	if (!find_common(&main, NULL, NULL, &commons) || !find_parts(main, s))
		return false;
	s->commons = commons;
	find_source(text, s);
	return true;
}

bool mp_select_term(struct mp_range *list, struct mp_range *term)
{
	struct mp_range inside;
	struct mp_token t;

	*term = *list;
	if (list->at >= list->end)
		return false;
	while ((t = mp_token_next(list)).kind != MP_TOKEN_END) {
		if (mp_token_is(&t, ",")) {
			term->end = t.text;
			return true;
		}
		if (mp_token_is(&t, "(") && !take_parentheses(list, &inside))
			return false;
	}
	return true;
}

bool mp_select_orders_by(const struct mp_select *s, const char *title)
{
	struct mp_range order = s->order;
	struct mp_token before = {MP_TOKEN_END, NULL, 0}, t = before;

	while (order.at && (t = mp_token_next(&order)).kind != MP_TOKEN_END) {
		if (t.kind == MP_TOKEN_INT && (mp_token_is(&before, "BY") || mp_token_is(&before, ",")))
			return true;
		if (!mp_token_is(&before, ".") && mp_token_is_name(&t, title, strlen(title)))
			return true;
		before = t;
	}
	return false;
}
