/* declared.c: prepares and steps the queries in the declaration of a virtual table. Knows no module. */
#include "store/declared.h"

#include <string.h>

enum { FIRST_ARGUMENT = 3 /* xCreate gets module, database and table before */ };

static int prepare(struct mp_declared *d, const char *sql, size_t len, struct mp_error *err)
{
	if (d->count == MP_DECLARED_MAX)
		return mp_fail(err, "too many queries (at most %d)", MP_DECLARED_MAX);
	if (sqlite3_prepare_v2(d->handle, sql, (int)len, &d->queries[d->count], NULL) || !d->queries[d->count])
		return mp_fail(err, "%s", sqlite3_errmsg(d->handle));
	d->count++;
	return 0;
}

/* Each argument is a query in parentheses. */
static int open_all(struct mp_declared *d, int count, const char *const *arguments, struct mp_error *err)
{
	for (int i = 0; i < count; i++) {
		const char *open = arguments[i] + strspn(arguments[i], " \t\n"), *close = strrchr(open, ')');

		if (*open != '(' || !close)
			return mp_fail(err, "invalid queries: separate queries by commas, each in parentheses");
		if (prepare(d, open + 1, (size_t)(close - open - 1), err))
			return -1;
	}
	return 0;
}

/* The arguments are one query, split by SQLite at the commas. */
static int open_one(struct mp_declared *d, int count, const char *const *arguments, struct mp_error *err)
{
	sqlite3_str *text = sqlite3_str_new(d->handle);
	char *sql;
	int status;

	for (int i = 0; i < count; i++)
		sqlite3_str_appendf(text, "%s%s", i ? ", " : "", arguments[i]);
	sql = sqlite3_str_finish(text);
	if (!sql)
		return mp_fail_memory(err, "a query");
	status = prepare(d, sql, strlen(sql), err);
	sqlite3_free(sql);
	return status;
}

int mp_declared_open(struct mp_declared *d, sqlite3 *handle, int argc, const char *const *argv, struct mp_error *err)
{
	const char *const *arguments = argv + FIRST_ARGUMENT;
	int count = argc - FIRST_ARGUMENT;

	*d = (struct mp_declared){.handle = handle};
	if (count <= 0)
		return 0;
	return arguments[0][strspn(arguments[0], " \t\n")] == '(' ? open_all(d, count, arguments, err)
								  : open_one(d, count, arguments, err);
}

void mp_declared_close(struct mp_declared *d)
{
	for (int i = 0; i < d->count; i++)
		sqlite3_finalize(d->queries[i]); /* repeats the error of the last step */
	d->count = 0;
}

int mp_declared_next(struct mp_declared *d, int query, struct mp_error *err)
{
	switch (sqlite3_step(d->queries[query])) {
	case SQLITE_ROW:
		return 1;
	case SQLITE_DONE:
		return 0;
	default:
		return mp_fail(err, "%s", sqlite3_errmsg(d->handle));
	}
}
