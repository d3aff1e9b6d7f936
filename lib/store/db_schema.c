/* db_schema.c: the texts of schema/sql that make, complete and recognise a database. */
#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "store/db_internal.h"

/* Not every place has every text. */
static int run_text(struct mp_db *db, const char *path, struct mp_error *err)
{
	const char *text = mp_schema_text(path);

	return text ? mp_db_run(db, text, err) : 0;
}

/* The texts of all families, those of the families that have samples of the same kinds, and those of the family. */
static int run_step(struct mp_db *db, enum mp_family family, const char *step, bool family_first, struct mp_error *err)
{
	char paths[3][64];
	bool samples = family == MP_FAMILY_ASCEND2022 || family == MP_FAMILY_PROF;

	snprintf(paths[0], sizeof(paths[0]), "sql/%s.sql", step);
	snprintf(paths[1], sizeof(paths[1]), "sql/samples/%s.sql", step);
	snprintf(paths[2], sizeof(paths[2]), "sql/%s/%s.sql", mp_family_name(family), step);
	for (int i = 0; i < 3; i++)
		if ((i != 1 || samples) && run_text(db, paths[family_first ? 2 - i : i], err))
			return -1;
	return 0;
}

int mp_db_make_tables(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	return run_step(db, family, "tables", false, err);
}

static int run_steps(struct mp_db *db, enum mp_family family, const char *const *steps, struct mp_error *err)
{
	for (; *steps; steps++)
		if (run_step(db, family, *steps, true, err))
			return -1;
	return 0;
}

int mp_db_join(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	static const char *const steps[] = {"words", "finish", NULL};

	return run_steps(db, family, steps, err);
}

int mp_db_finish(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	static const char *const steps[] = {"relate", "communication", "notes", NULL};

	return run_steps(db, family, steps, err) || run_step(db, family, "views", false, err) ? -1 : 0;
}

/* The text of a database's schema, to be freed with sqlite3_free; NULL when it cannot be read. */
static char *schema_of(struct mp_db *db)
{
	static const char sql[] = "SELECT group_concat(type || name || tbl_name || coalesce(sql, ''), char(10))"
				  " FROM (SELECT * FROM main.sqlite_schema ORDER BY type, name)";
	sqlite3_stmt *s;
	char *text = NULL;

	if (sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
		text = sqlite3_mprintf("%s", sqlite3_column_text(s, 0));
	sqlite3_finalize(s);
	return text;
}

/* The schema that this program gives a database of the family; NULL with err. */
static char *own_schema(enum mp_family family, struct mp_error *err)
{
	struct mp_db *own;
	char *text = NULL;

	if (mp_db_connect(&own, ":memory:", ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL, err))
		return NULL;
	if (mp_db_make_tables(own, family, err) == 0 && run_step(own, family, "views", false, err) == 0) {
		text = schema_of(own);
		if (!text)
			mp_db_error(own, err, "cannot read");
	}
	mp_db_close(own);
	return text;
}

/* The family that the database says it is of; any when it says nothing. What is no plain table is not asked. */
static enum mp_family claimed_family(struct mp_db *db)
{
	static const char is_plain[] = "SELECT 1 FROM main.sqlite_schema WHERE name = 'meta' AND type = 'table' AND rootpage > 0";
	static const char sql[] = "SELECT value FROM main.meta WHERE key = 'family'";
	enum mp_family family = MP_FAMILY_SVP;
	struct mp_error unused;
	sqlite3_stmt *s;
	int64_t plain;

	if (mp_db_number(db, is_plain, 0, &plain, &unused) || !plain)
		return family;
	if (sqlite3_prepare_v2(db->handle, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0))
		for (int i = 0; i < MP_FAMILY_COUNT; i++)
			if (strcmp((const char *)sqlite3_column_text(s, 0), mp_family_name((enum mp_family)i)) == 0)
				family = (enum mp_family)i;
	sqlite3_finalize(s);
	return family;
}

/* Views and triggers run as they are: only those of this program may. */
int mp_db_compare_schema(struct mp_db *db, struct mp_error *err)
{
	char *theirs = schema_of(db), *ours;

	if (!theirs)
		return mp_db_fail(db, err, "cannot read");
	ours = own_schema(claimed_family(db), err);
	db->foreign = !ours || strcmp(ours, theirs) != 0;
	sqlite3_free(ours);
	sqlite3_free(theirs);
	return ours ? 0 : -1;
}
