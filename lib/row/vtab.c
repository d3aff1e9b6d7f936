/* vtab.c: what SQLite asks of a virtual table. Knows no module. */
#include "row/vtab.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ARGUMENT = 3 /* xCreate gets module, database and table before */ };

struct registered {
	const struct mp_vtab_module *module;
	const void *about;
	struct mp_maps *maps;
};

static int free_table(struct mp_vtab *t, bool gone)
{
	if (t->module->drop)
		t->module->drop(t, gone);
	sqlite3_free(t->columns);
	free(t);
	return SQLITE_OK;
}

static int disconnect(sqlite3_vtab *base)
{
	return free_table((struct mp_vtab *)base, false);
}

static int destroy(sqlite3_vtab *base)
{
	return free_table((struct mp_vtab *)base, true);
}

/* Set the columns of a table. Returns an SQLite code. */
static int declare(sqlite3 *handle, struct mp_vtab *t)
{
	const char *columns = t->columns ? t->columns : t->module->columns;
	char *sql = columns ? sqlite3_mprintf("CREATE TABLE x(%s)", columns) : NULL;
	int status = sql ? sqlite3_declare_vtab(handle, sql) : SQLITE_NOMEM;

	sqlite3_free(sql);
	if (!status && !t->module->make)
		status = sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);
	return status;
}

static int prepare(struct mp_vtab_content *c, const char *sql, size_t len, struct mp_error *err)
{
	if (c->count == MP_VTAB_QUERIES_MAX)
		return mp_fail(err, "too many queries (at most %d)", MP_VTAB_QUERIES_MAX);
	if (sqlite3_prepare_v2(c->handle, sql, (int)len, &c->queries[c->count], NULL) || !c->queries[c->count])
		return mp_fail(err, "%s", sqlite3_errmsg(c->handle));
	c->count++;
	return 0;
}

/* Each argument is a query in parentheses. */
static int open_all(struct mp_vtab_content *c, int count, const char *const *arguments, struct mp_error *err)
{
	for (int i = 0; i < count; i++) {
		const char *open = arguments[i] + strspn(arguments[i], " \t\n"), *close = strrchr(open, ')');

		if (*open != '(' || !close)
			return mp_fail(err, "invalid queries: separate queries by commas, each in parentheses");
		if (prepare(c, open + 1, (size_t)(close - open - 1), err))
			return -1;
	}
	return 0;
}

/* The arguments are one query, split by SQLite at the commas. */
static int open_one(struct mp_vtab_content *c, int count, const char *const *arguments, struct mp_error *err)
{
	sqlite3_str *text = sqlite3_str_new(c->handle);
	char *sql;
	int status;

	for (int i = 0; i < count; i++)
		sqlite3_str_appendf(text, "%s%s", i ? ", " : "", arguments[i]);
	sql = sqlite3_str_finish(text);
	if (!sql)
		return mp_fail_memory(err, "a query");
	status = prepare(c, sql, strlen(sql), err);
	sqlite3_free(sql);
	return status;
}

int mp_vtab_next(struct mp_vtab_content *c, int query, struct mp_error *err)
{
	int status = sqlite3_step(c->queries[query]);

	if (status == SQLITE_ROW || status == SQLITE_DONE)
		return status == SQLITE_ROW;
	return mp_fail_kind(err, mp_sqlite_kind(status), "%s", sqlite3_errmsg(c->handle));
}

/* Let the module make its part of the table. */
static int make_content(
    struct mp_vtab *t, struct mp_vtab_content *c, int count, const char *const *arguments, struct mp_error *err)
{
	int status = 0;

	if (count > 0)
		status = arguments[0][strspn(arguments[0], " \t\n")] == '(' ? open_all(c, count, arguments, err)
									    : open_one(c, count, arguments, err);
	if (!status)
		status = t->module->make(t, c, err);
	for (int i = 0; i < c->count; i++)
		sqlite3_finalize(c->queries[i]); /* repeats the error of the last step */
	return status;
}

static int make(sqlite3 *handle, const struct registered *r, int argc, const char *const *argv, bool is_new,
    sqlite3_vtab **base, char **message)
{
	struct mp_vtab *t = calloc(1, r->module->table_size);
	struct mp_vtab_content content = {.handle = handle, .module = argv[0], .name = argv[2], .is_new = is_new};
	struct mp_error err;
	int status;

	if (!t)
		return SQLITE_NOMEM;
	t->module = r->module;
	t->about = r->about;
	t->maps = r->maps;
	t->first_key = r->module->first_key;
	t->key_count = r->module->key_count;
	if (r->module->make && make_content(t, &content, argc - FIRST_ARGUMENT, argv + FIRST_ARGUMENT, &err)) {
		*message = sqlite3_mprintf("%s", err.text);
		status = mp_sqlite_code(&err);
	} else {
		status = declare(handle, t);
	}
	if (status)
		free_table(t, false);
	else
		*base = &t->base;
	return status;
}

static int create(sqlite3 *handle, void *user, int argc, const char *const *argv, sqlite3_vtab **base, char **message)
{
	return make(handle, user, argc, argv, true, base, message);
}

static int connect(sqlite3 *handle, void *user, int argc, const char *const *argv, sqlite3_vtab **base, char **message)
{
	return make(handle, user, argc, argv, false, base, message);
}

/* Refuse a plan that does not give all keys. With all of them there are few rows. */
static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	const struct mp_vtab *t = (struct mp_vtab *)base;
	unsigned found = 0;

	for (int i = 0; i < info->nConstraint; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];
		int key = c->iColumn - t->first_key;

		if (!c->usable || c->op != SQLITE_INDEX_CONSTRAINT_EQ || key < 0 || key >= t->key_count ||
		    found & 1u << key)
			continue;
		info->aConstraintUsage[i].argvIndex = key + 1;
		info->aConstraintUsage[i].omit = 1;
		found |= 1u << key;
	}
	info->estimatedRows = t->rows_to_come ? t->rows_to_come : 25;
	info->estimatedCost = (double)info->estimatedRows;
	if (t->rows_to_come == 1) {
		info->estimatedCost = 2;
		info->idxFlags = SQLITE_INDEX_SCAN_UNIQUE;
	}
	/* rowids ascend */
	info->orderByConsumed = info->nOrderBy == 1 && info->aOrderBy[0].iColumn < 0 && !info->aOrderBy[0].desc;
	return found == (1u << t->key_count) - 1 ? SQLITE_OK : SQLITE_CONSTRAINT;
}

static int open_rows(sqlite3_vtab *base, sqlite3_vtab_cursor **cursor)
{
	struct mp_vtab_rows *rows = calloc(1, ((struct mp_vtab *)base)->module->rows_size);

	if (!rows)
		return SQLITE_NOMEM;
	*cursor = &rows->base;
	return SQLITE_OK;
}

static int close_rows(sqlite3_vtab_cursor *cursor)
{
	struct mp_vtab_rows *rows = (struct mp_vtab_rows *)cursor;

	if (mp_vtab_of(rows)->module->end)
		mp_vtab_of(rows)->module->end(rows);
	free(rows);
	return SQLITE_OK;
}

static int fail(struct mp_vtab_rows *rows, const struct mp_error *err)
{
	sqlite3_vtab *base = rows->base.pVtab;

	sqlite3_free(base->zErrMsg);
	base->zErrMsg = sqlite3_mprintf("%s", err->text);
	rows->status = 0;
	return mp_sqlite_code(err);
}

static int next(sqlite3_vtab_cursor *cursor)
{
	struct mp_vtab_rows *rows = (struct mp_vtab_rows *)cursor;
	struct mp_error err;

	rows->number++;
	rows->status = mp_vtab_of(rows)->module->next(rows, &err);
	return rows->status < 0 ? fail(rows, &err) : SQLITE_OK;
}

static int filter(sqlite3_vtab_cursor *cursor, int plan, const char *plan_text, int argc, sqlite3_value **args)
{
	struct mp_vtab_rows *rows = (struct mp_vtab_rows *)cursor;
	const struct mp_vtab_module *module = mp_vtab_of(rows)->module;
	struct mp_error err;

	(void)plan, (void)plan_text, (void)argc; /* there are all keys */
	rows->number = -1;
	if (module->begin && module->begin(rows, args, &err))
		return fail(rows, &err);
	return next(cursor);
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
	return !((struct mp_vtab_rows *)cursor)->status;
}

static int column(sqlite3_vtab_cursor *cursor, sqlite3_context *context, int index)
{
	mp_result(context, ((struct mp_vtab_rows *)cursor)->values[index]);
	return SQLITE_OK;
}

static int row_id(sqlite3_vtab_cursor *cursor, sqlite3_int64 *id)
{
	*id = ((struct mp_vtab_rows *)cursor)->number + 1;
	return SQLITE_OK;
}

/* With xCreate, CREATE VIRTUAL TABLE makes tables; without, the module is a table itself. */
#define MODULE(create)                                                                                                 \
	{                                                                                                              \
		.xCreate = (create), .xConnect = connect, .xBestIndex = best_index, .xDisconnect = disconnect,         \
		.xDestroy = destroy, .xOpen = open_rows, .xClose = close_rows, .xFilter = filter, .xNext = next,       \
		.xEof = is_over, .xColumn = column, .xRowid = row_id                                                   \
	}

int mp_vtab_register(
    sqlite3 *handle, const char *name, const struct mp_vtab_module *module, const void *about, struct mp_maps *maps)
{
	static const sqlite3_module made = MODULE(create), called = MODULE(NULL);
	struct registered *r = malloc(sizeof(*r));

	if (!r)
		return SQLITE_NOMEM;
	*r = (struct registered){module, about, maps};
	/* frees r after an error, too */
	return sqlite3_create_module_v2(handle, name, module->make ? &made : &called, r, free);
}
