/* query.c: divides a query into expressions and the statement of columns that SQLite runs in its place. */
#include "expr/engine.h"
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

/* The division of a statement. */
struct plan {
	struct mp_expr_query *q;
	struct mp_range text;
	struct mp_select select;
	struct mp_expr_source source;
	bool stays[MP_EXPR_TERM_MAX]; /* terms that an earlier try left to SQLite */
	bool no_scan;                 /* an earlier try left the rows to SQLite */
	bool any;                     /* a term is more than a column */
};

/* Cut AS and a name from the end of a term. Returns the name; len 0: no name was found. */
static struct mp_token cut_alias(struct mp_range *term)
{
	struct mp_token before = {MP_TOKEN_END, NULL, 0}, none = before, t = before, next;
	struct mp_range text = *term;

	while ((next = mp_token_next(&text)).kind != MP_TOKEN_END) {
		before = t;
		t = next;
	}
	if (!mp_token_is(&before, "AS"))
		return none;
	term->end = before.text;
	return t;
}

/* Returns the name of a term that is a column, with or without the name of a table; len 0: the term is no column. */
static struct mp_token bare_name(struct mp_range term)
{
	struct mp_token t = mp_token_next(&term), none = {MP_TOKEN_END, NULL, 0}, next = mp_token_next(&term);

	if (mp_token_is(&next, ".")) {
		t = mp_token_next(&term);
		next = mp_token_next(&term);
	}
	return next.kind == MP_TOKEN_END && (t.kind == MP_TOKEN_NAME || t.kind == MP_TOKEN_QUOTED) ? t : none;
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
		struct mp_token title = cut_alias(&term);
		int node = mp_expr_parse(p->q, term, NULL, true);

		if (!title.len)
			title = bare_name(term);
		/* any column may refer to a term without a known name */
		if (s->count == MP_EXPR_TERM_MAX || (node < 0 && !title.len))
			return false;
		s->titles[s->count] = title;
		s->nodes[s->count++] = node;
	}
	return true;
}

/* Returns the node of a term that SQLite computes, or -1 when there is no room. */
static int add_whole(struct mp_expr_query *q, struct mp_range text)
{
	if (q->column_count == MP_EXPR_COLUMN_MAX)
		return -1;
	q->columns[q->column_count] = (struct mp_expr_column){.text = text, .whole = true};
	return mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_COLUMN, .number = q->column_count++}, NULL, 0);
}

/* Returns whether this program may compute a term: SQLite does not need its title for ORDER BY. */
static bool is_free(const struct plan *p, struct mp_range term, const char *title)
{
	struct mp_token name;

	if (!title || !mp_select_orders_by(&p->select, title))
		return title; /* NULL: memory is short */
	name = bare_name(term);
	return name.len && mp_token_is_name(&name, title, strlen(title));
}

/* Parse all terms into nodes or columns. Returns false when the statement must stay whole. */
static bool parse_terms(struct plan *p)
{
	struct mp_expr_query *q = p->q;
	struct mp_range list = p->select.list, term;
	bool sorted = p->select.order.at || p->select.limited; /* SQLite may number rows before it sorts them */
	int count = 0;

	p->any = false;
	while (mp_select_term(&list, &term)) {
		struct mp_range own = term; /* without its alias */
		int node;

		if (count == q->term_count)
			return false;
		cut_alias(&own);
		node = p->stays[count] ? -1 : mp_expr_parse(q, own, p->source.count ? &p->source : NULL, false);
		if (node >= 0 && sorted && q->nodes[node].numbered)
			node = -1;
		if (node < 0)
			node = add_whole(q, term);
		else if (!is_free(p, own, sqlite3_column_name(q->whole, count)))
			return false;
		if (node < 0)
			return false;
		p->any |= q->nodes[node].op != MP_EXPR_COLUMN;
		q->terms[count++] = node;
	}
	return count == q->term_count;
}

static bool mark(const struct mp_expr_query *q, const struct mp_expr *expr, void *user)
{
	bool *used = user;

	(void)q;
	if (expr->op == MP_EXPR_COLUMN)
		used[expr->number] = true;
	return false; /* go on */
}

/* Drop columns that no term needs: of terms of the query in FROM, and of terms that were not understood. */
static void drop_columns(struct mp_expr_query *q)
{
	bool used[MP_EXPR_COLUMN_MAX] = {false};
	int number[MP_EXPR_COLUMN_MAX] = {0}, count = 0;

	for (int i = 0; q->scan && i < q->scan->node_count; i++)
		mp_expr_any(q, q->scan->nodes[i], mark, used);
	for (int i = 0; i < q->term_count; i++)
		mp_expr_any(q, q->terms[i], mark, used);
	for (int i = 0; i < q->column_count; i++) {
		number[i] = count;
		if (used[i])
			q->columns[count++] = q->columns[i];
	}
	q->column_count = count;
	for (int i = 0; i < q->node_count; i++)
		if (q->nodes[i].op == MP_EXPR_COLUMN && used[q->nodes[i].number]) {
			q->nodes[i].number = number[q->nodes[i].number];
			q->columns[q->nodes[i].number].node = i;
		}
}

/* Put the columns of the statement: its SELECT list, or the end of the SELECT list of the query in FROM. */
static void put_columns(sqlite3_str *text, const struct plan *p, bool inner)
{
	const struct mp_expr_source *source = &p->source;
	const char *sign = inner ? ",\n" : " ";

	for (int i = 0; i < p->q->column_count; i++) {
		const struct mp_expr_column *column = &p->q->columns[i];
		int len = (int)(column->text.end - column->text.at);

		if (inner && !column->inner)
			continue;
		if (inner)
			sqlite3_str_appendf(text, "%s%.*s AS mp_c%d", sign, len, column->text.at, i);
		else if (column->inner)
			sqlite3_str_appendf(
			    text, "%s%.*s%smp_c%d", sign, (int)source->len, source->name, source->len ? "." : "", i);
		else
			sqlite3_str_appendf(text, "%s%.*s", sign, len, column->text.at);
		sign = ",\n";
	}
	sqlite3_str_appendall(text, "\n");
}

/* Returns the statement with the columns in place of the SELECT list, or NULL when memory is short. */
static char *rewrite(const struct plan *p)
{
	struct mp_range list = p->select.list, source = p->select.source;
	sqlite3_str *text = sqlite3_str_new(NULL);

	if (source.at && source.at < list.at) {
		sqlite3_str_append(text, p->text.at, (int)(source.end - p->text.at));
		put_columns(text, p, true);
		sqlite3_str_append(text, source.end, (int)(list.at - source.end));
	} else {
		sqlite3_str_append(text, p->text.at, (int)(list.at - p->text.at));
	}
	put_columns(text, p, false);
	if (source.at && source.at > list.at) {
		sqlite3_str_append(text, list.end, (int)(source.end - list.end));
		put_columns(text, p, true);
		list.end = source.end;
	}
	sqlite3_str_append(text, list.end, (int)(p->text.end - list.end));
	return sqlite3_str_finish(text);
}

static void forget_nodes(struct mp_expr_query *q)
{
	mp_expr_forget(q, 0, 0);
	q->column_count = 0;
	q->literals_used = 0;
}

/* Parse the statement into nodes. Returns 1, 0 when all stays SQLite's, -1 on error. */
static int parse(struct plan *p, struct mp_error *err)
{
	struct mp_expr_query *q = p->q;

	forget_nodes(q);
	if (!parse_source(p)) {
		forget_nodes(q);
		p->source.count = 0;
		p->select.source.at = NULL;
	}
	if (!parse_terms(p))
		return 0;
	if (!p->no_scan && mp_expr_scan_open(q, &p->select, &p->source, err))
		return -1;
	drop_columns(q);
	return q->column_count > 0 && (p->any || q->scan);
}

/* Returns whether all terms and conditions give SQLite's results. Other terms stay SQLite's in the next try. */
static bool check(struct plan *p)
{
	struct mp_expr_query *q = p->q;
	bool good = true;

	for (int i = 0; i < q->term_count; i++)
		if (!mp_expr_check(q, q->terms[i], false)) {
			p->stays[i] = true;
			good = false;
		}
	for (int i = 0; q->scan && i < q->scan->node_count; i++)
		p->no_scan |= !mp_expr_check(q, q->scan->nodes[i], true);
	p->no_scan |= q->scan && !mp_expr_scan_settle(q);
	return good && !(p->no_scan && q->scan);
}

/* Prepare the statement of columns. Returns 1, 0 when all stays SQLite's, -1 on error. */
static int try_plan(struct plan *p, struct mp_error *err)
{
	struct mp_expr_query *q = p->q;
	int status = parse(p, err);
	char *text;

	if (status != 1)
		return status;
	text = rewrite(p);
	if (!text)
		return mp_fail_memory(err, "a query");
	status = sqlite3_prepare_v2(q->db->handle, text, -1, &q->statement, NULL);
	sqlite3_free(text);
	/* SQLITE_ERROR may come from the rewriting; other codes cannot */
	if (status && (status & 0xff) != SQLITE_ERROR)
		return mp_db_fail(q->db, err, "cannot query");
	if (status || !q->statement)
		return 0;
	if (check(p))
		return 1;
	sqlite3_finalize(q->statement);
	q->statement = NULL;
	mp_expr_scan_close(q);
	return try_plan(p, err); /* with fewer expressions */
}

static void close_rows(struct mp_engine_rows *rows)
{
	struct mp_expr_query *q = (struct mp_expr_query *)rows;

	sqlite3_finalize(q->statement); /* repeats the error of the last step */
	mp_expr_scan_close(q);
	for (int i = 0; i <= MP_EXPR_PARAMETER_MAX; i++)
		free(q->texts[i]);
	for (int i = 0; i < MP_EXPR_CONVERSIONS; i++)
		mp_query_close(q->conversions[i]);
	mp_expr_clear(&q->scratch);
	mp_expr_clear(&q->kept);
	mp_index_free(&q->index);
	free(q->literals);
	free(q);
}

/* The engine (store/connection.h). */
static int open_rows(struct mp_engine_rows **rows, struct mp_db *db, sqlite3_stmt *whole, struct mp_error *err)
{
	const char *sql = sqlite3_sql(whole), *end = sql + strlen(sql);
	struct mp_expr_query *q = malloc(sizeof(*q));
	struct plan *p = calloc(1, sizeof(*p)); /* large for a stack */
	int status = 0;

	*rows = NULL;
	if (!q || !p) {
		free(q);
		free(p);
		return mp_fail_memory(err, "a query");
	}
	memset(q, 0, offsetof(struct mp_expr_query, nodes));
	p->q = q;
	p->text = (struct mp_range){sql, end};
	q->db = db;
	q->whole = whole;
	q->term_count = sqlite3_column_count(whole);
	q->literals = malloc((size_t)(end - sql) + 1);
	if (!q->literals)
		status = mp_fail_memory(err, "a query");
	else if (q->term_count <= MP_EXPR_TERM_MAX && mp_select_find(p->text, &p->select))
		status = try_plan(p, err);
	free(p);
	if (status != 1) {
		close_rows(&q->rows);
		return status;
	}
	q->rows = (struct mp_engine_rows){.base = {mp_expr_next, q->results},
	    .source = q->scan ? q->scan->tables[q->scan->scanned].source : NULL,
	    .alone = q->scan != NULL,
	    .bind = mp_expr_bind,
	    .rewind = mp_expr_rewind,
	    .close = close_rows};
	*rows = &q->rows;
	return 0;
}

void mp_expr_attach(struct mp_db *db, unsigned plain)
{
	db->plain = plain;
	db->engine = plain & MP_PLAIN_EXPRESSIONS ? NULL : open_rows;
}
