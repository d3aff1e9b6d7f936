/* expr_query.c: divides a query into expressions and the statement of columns that SQLite runs in its place. */
#include "fast/expr_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The division of a statement. */
struct plan {
	struct mp_expr_query *c;
	struct mp_range text;
	struct mp_select select;
	struct mp_expr_source source;
	bool stays[MP_EXPR_TERM_MAX]; /* terms that an earlier try left to SQLite */
	bool no_scan;                 /* an earlier try left the rows to SQLite */
	bool any;                     /* a term is more than a column */
};

/* Parse the rest of a term: nothing, or [AS] alias. Returns false for other text. */
static bool take_alias(struct mp_range rest, struct mp_token *alias)
{
	struct mp_token t = mp_token_next(&rest), end;

	*alias = (struct mp_token){MP_TOKEN_END, NULL, 0};
	if (t.kind == MP_TOKEN_END)
		return true;
	if (mp_token_is(&t, "AS"))
		t = mp_token_next(&rest);
	end = mp_token_next(&rest);
	*alias = t;
	return (t.kind == MP_TOKEN_NAME || t.kind == MP_TOKEN_QUOTED || t.kind == MP_TOKEN_STRING) &&
	       end.kind == MP_TOKEN_END;
}

/* Returns the name of a term that is a column, with or without the name of a table; else END. */
static struct mp_token bare_name(struct mp_range term)
{
	struct mp_token t = mp_token_next(&term), none = {MP_TOKEN_END, NULL, 0}, next;
	struct mp_range rest = term;

	next = mp_token_next(&rest);
	if (mp_token_is(&next, ".")) {
		t = mp_token_next(&rest);
		term = rest;
	}
	return (t.kind == MP_TOKEN_NAME || t.kind == MP_TOKEN_QUOTED) && take_alias(term, &next) ? t : none;
}

/* Find the name after the last AS of a term that is not understood. */
static bool find_alias(struct mp_range term, struct mp_token *alias)
{
	struct mp_token before = mp_token_next(&term), t = before, next;

	while ((next = mp_token_next(&term)).kind != MP_TOKEN_END) {
		before = t;
		t = next;
	}
	*alias = t;
	return mp_token_is(&before, "AS");
}

/* Parse the terms of the query in FROM. Returns false when a name is unknown. */
static bool parse_source(struct plan *p)
{
	struct mp_range list = p->select.source, term;
	struct mp_expr_source *s = &p->source;

	s->count = 0;
	s->name = p->select.alias.len ? p->select.alias.text : "";
	s->len = p->select.alias.len;
	while (list.at && mp_select_term(&list, &term)) {
		struct mp_range rest = term;
		struct mp_token alias;
		int node = mp_expr_parse(p->c, &rest, NULL, true);

		if (s->count == MP_EXPR_TERM_MAX)
			return false;
		if (node < 0 || !take_alias(rest, &alias)) {
			node = -1;
			if (!find_alias(term, &alias)) /* any column may refer to a term without a known name */
				return false;
		}
		if (!alias.len)
			alias = bare_name(term);
		s->titles[s->count] = alias;
		s->nodes[s->count++] = node;
	}
	return true;
}

static int add_column(struct mp_expr_query *c, struct mp_range text)
{
	if (c->column_count == MP_EXPR_COLUMN_MAX)
		return -1;
	c->columns[c->column_count] = (struct mp_expr_column){text.at, (size_t)(text.end - text.at), false, -1};
	return c->column_count++;
}

/* Returns whether this program may compute a term: SQLite does not need its title for ORDER BY. */
static bool is_free(const struct plan *p, struct mp_range term, const char *title)
{
	struct mp_token name;

	if (!mp_select_orders_by(&p->select, title))
		return true;
	name = bare_name(term);
	return name.len && mp_token_is_name(&name, title, strlen(title));
}

/* Parse all terms into nodes or columns. Returns false when the statement must stay whole. */
static bool parse_terms(struct plan *p)
{
	struct mp_expr_query *c = p->c;
	struct mp_range list = p->select.list, term;
	bool any = false;
	int count = 0;

	while (mp_select_term(&list, &term)) {
		struct mp_expr_term *t = &c->terms[count];
		struct mp_range rest = term;
		struct mp_token alias;

		if (count == c->term_count)
			return false;
		t->node = p->stays[count] ? -1 : mp_expr_parse(c, &rest, p->source.count ? &p->source : NULL, false);
		if (t->node >= 0 && !take_alias(rest, &alias))
			t->node = -1;
		if (t->node >= 0 && !is_free(p, term, t->title))
			return false;
		if (t->node >= 0 && c->nodes[t->node].op != MP_EXPR_COLUMN)
			any = true;
		t->column = t->node < 0 ? add_column(c, term) : 0;
		if (t->column < 0)
			return false;
		count++;
	}
	p->any = any;
	return count == c->term_count;
}

static void mark(const struct mp_expr_query *c, int node, bool *used)
{
	const struct mp_expr *expr = &c->nodes[node];

	if (expr->op == MP_EXPR_COLUMN)
		used[expr->number] = true;
	for (int i = 0; i < expr->count; i++)
		mark(c, c->children[expr->first + i], used);
}

/* Drop columns that no term needs: of terms of the query in FROM, and of terms that were not understood. */
static void drop_columns(struct mp_expr_query *c)
{
	bool used[MP_EXPR_COLUMN_MAX] = {false};
	int number[MP_EXPR_COLUMN_MAX] = {0}, count = 0, nodes;
	const int *needed;

	nodes = c->scan ? mp_expr_scan_nodes(c->scan, &needed) : 0;
	for (int i = 0; i < nodes; i++)
		mark(c, needed[i], used);
	for (int i = 0; i < c->term_count; i++)
		if (c->terms[i].node < 0)
			used[c->terms[i].column] = true;
		else
			mark(c, c->terms[i].node, used);
	for (int i = 0; i < c->column_count; i++) {
		number[i] = count;
		if (used[i])
			c->columns[count++] = c->columns[i];
	}
	c->column_count = count;
	for (int i = 0; i < c->term_count; i++)
		c->terms[i].column = number[c->terms[i].column];
	for (int i = 0; i < c->node_count; i++)
		if (c->nodes[i].op == MP_EXPR_COLUMN && used[c->nodes[i].number]) {
			c->nodes[i].number = number[c->nodes[i].number];
			c->columns[c->nodes[i].number].node = i;
		}
}

static void put(char **at, const char *text, size_t len)
{
	memcpy(*at, text, len);
	*at += len;
}

/* Put the columns of the statement: its SELECT list, or the end of the SELECT list of the query in FROM. */
static void put_columns(char **at, const struct plan *p, bool inner)
{
	const struct mp_expr_query *c = p->c;
	const char *sign = inner ? ",\n" : " ";

	for (int i = 0; i < c->column_count; i++) {
		const struct mp_expr_column *column = &c->columns[i];

		if (inner && !column->inner)
			continue;
		*at = stpcpy(*at, sign);
		if (column->inner && !inner) {
			put(at, p->source.name, p->source.len);
			*at += sprintf(*at, "%smp_c%d", p->source.len ? "." : "", i);
		} else {
			put(at, column->text, column->len);
		}
		if (inner)
			*at += sprintf(*at, " AS mp_c%d", i);
		sign = ",\n";
	}
	*at = stpcpy(*at, "\n");
}

/* Returns the statement with the columns in place of the SELECT list, or NULL when memory is short. */
static char *rewrite(const struct plan *p)
{
	struct mp_range list = p->select.list, source = p->select.source;
	size_t size = (size_t)(p->text.end - p->text.at) + 16;
	char *text, *at;

	for (int i = 0; i < p->c->column_count; i++)
		size += 2 * (p->c->columns[i].len + p->source.len + 48);
	text = at = malloc(size);
	if (!text)
		return NULL;
	if (source.at && source.at < list.at) {
		put(&at, p->text.at, (size_t)(source.end - p->text.at));
		put_columns(&at, p, true);
		put(&at, source.end, (size_t)(list.at - source.end));
	} else {
		put(&at, p->text.at, (size_t)(list.at - p->text.at));
	}
	put_columns(&at, p, false);
	if (source.at && source.at > list.at) {
		put(&at, list.end, (size_t)(source.end - list.end));
		put_columns(&at, p, true);
		list.end = source.end;
	}
	put(&at, list.end, (size_t)(p->text.end - list.end));
	*at = '\0';
	return text;
}

static void forget_nodes(struct mp_expr_query *c)
{
	c->node_count = c->child_count = c->column_count = c->parameter_count = 0;
	c->literals_used = 0;
	memset(c->slots, 0, sizeof(c->slots));
}

/* Parse the statement into nodes. Returns 1, 0 when all stays SQLite's, -1 on error. */
static int parse(struct plan *p, struct mp_error *err)
{
	struct mp_expr_query *c = p->c;

	forget_nodes(c);
	if (!parse_source(p)) {
		forget_nodes(c);
		p->source.count = 0;
		p->select.source.at = NULL;
	}
	if (!parse_terms(p))
		return 0;
	if (!p->no_scan && mp_expr_scan_open(&c->scan, c, &p->select, &p->source, err))
		return -1;
	drop_columns(c);
	return c->column_count > 0 && (p->any || c->scan);
}

/* Returns whether all terms and conditions give SQLite's results. Other terms stay SQLite's in the next try. */
static bool check(struct plan *p)
{
	struct mp_expr_query *c = p->c;
	bool good = true;
	const int *nodes;
	int count = c->scan ? mp_expr_scan_nodes(c->scan, &nodes) : 0;

	for (int i = 0; i < c->term_count; i++)
		if (c->terms[i].node >= 0 && !mp_expr_check(c, c->terms[i].node, false)) {
			p->stays[i] = true;
			good = false;
		}
	for (int i = 0; i < count; i++)
		p->no_scan |= !mp_expr_check(c, nodes[i], true);
	p->no_scan |= c->scan && !mp_expr_scan_settle(c->scan, c);
	return good && !(p->no_scan && c->scan);
}

/* Prepare the statement of columns. Returns 1, 0 when all stays SQLite's, -1 on error. */
static int try_plan(struct plan *p, struct mp_error *err)
{
	struct mp_expr_query *c = p->c;
	int status = parse(p, err);
	char *text;

	if (status != 1)
		return status;
	text = rewrite(p);
	if (!text)
		return mp_fail_memory(err, "a query");
	status = sqlite3_prepare_v2(c->db->handle, text, -1, &c->statement, NULL);
	free(text);
	if (status &&
	    (status & 0xff) != SQLITE_ERROR) /* SQLITE_ERROR may come from the rewriting, other codes cannot */
		return mp_db_fail(c->db, err, "cannot query");
	if (status || !c->statement)
		return 0;
	if (check(p))
		return 1;
	sqlite3_finalize(c->statement);
	c->statement = NULL;
	mp_expr_scan_close(c->scan);
	c->scan = NULL;
	return try_plan(p, err); /* with fewer expressions */
}

static int take_titles(struct mp_expr_query *c, sqlite3_stmt *whole, struct mp_error *err)
{
	for (int i = 0; i < c->term_count; i++) {
		const char *title = sqlite3_column_name(whole, i);

		c->terms[i].title = title ? strdup(title) : NULL;
		if (!c->terms[i].title)
			return mp_fail_memory(err, "a query");
	}
	return 0;
}

static int make(struct mp_expr_query *c, sqlite3_stmt *whole, struct mp_error *err)
{
	struct plan *p = calloc(1, sizeof(*p));
	int status = -1;

	if (!p)
		return mp_fail_memory(err, "a query");
	p->c = c;
	p->text = (struct mp_range){c->text, c->text + strlen(c->text)};
	if (!mp_select_find(p->text, &p->select))
		status = 0;
	else if (take_titles(c, whole, err) == 0)
		status = try_plan(p, err);
	free(p);
	return status;
}

int mp_expr_query_open(struct mp_expr_query **query, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err)
{
	const char *sql = sqlite3_sql(whole);
	struct mp_expr_query *c;
	int status;

	*query = NULL;
	if (!sql || sqlite3_column_count(whole) > MP_EXPR_TERM_MAX)
		return 0;
	c = calloc(1, sizeof(*c));
	if (!c)
		return mp_fail_memory(err, "a query");
	c->db = db;
	c->term_count = sqlite3_column_count(whole);
	c->text = strdup(sql);
	c->literals = malloc(strlen(sql) + 1);
	status = c->text && c->literals ? make(c, whole, err) : mp_fail_memory(err, "a query");
	if (status == 1)
		*query = c;
	else
		mp_expr_query_close(c);
	return status < 0 ? -1 : 0;
}

void mp_expr_query_close(struct mp_expr_query *c)
{
	if (!c)
		return;
	sqlite3_finalize(c->statement); /* repeats the error of the last step */
	for (int i = 0; i < c->term_count; i++)
		free(c->terms[i].title);
	mp_expr_scan_close(c->scan);
	mp_expr_query_unbind(c);
	for (int i = 0; i < MP_EXPR_CONVERSIONS; i++)
		mp_query_close(c->conversions[i]);
	mp_expr_clear(&c->scratch);
	mp_expr_clear(&c->kept);
	free(c->literals);
	free(c->text);
	free(c);
}
