/* db_schema.c: runs the scripts of schema/sql that make and complete a database. */
#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "store/connection.h"
#include "store/sql_script.h"

/* Run a script. Most steps have a script for some families only. */
static int run_text(struct mp_db *db, const char *path, struct mp_error *err)
{
	const char *text = mp_schema_text(path);

	return text ? mp_script_run(db, path, text, err) : 0;
}

void mp_schema_step(struct mp_schema_step *s, enum mp_family family, const char *step)
{
	bool samples = family == MP_FAMILY_ASCEND2022 || family == MP_FAMILY_PROF;

	s->count = 0;
	snprintf(s->paths[s->count++], sizeof(s->paths[0]), "sql/%s.sql", step);
	if (samples)
		snprintf(s->paths[s->count++], sizeof(s->paths[0]), "sql/samples/%s.sql", step);
	snprintf(s->paths[s->count++], sizeof(s->paths[0]), "sql/%s/%s.sql", mp_family_name(family), step);
}

/* Run the scripts of a step, the script of the family first or last. */
static int run_step(struct mp_db *db, enum mp_family family, const char *step, bool family_first, struct mp_error *err)
{
	struct mp_schema_step s;

	mp_schema_step(&s, family, step);
	for (int i = 0; i < s.count; i++)
		if (run_text(db, s.paths[family_first ? s.count - 1 - i : i], err))
			return -1;
	return 0;
}

int mp_db_make_tables(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	return run_step(db, family, "tables", false, err) || run_step(db, family, "kinds", false, err) ? -1 : 0;
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

int mp_db_make_older(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	return run_step(db, family, "older_tables", false, err);
}

int mp_db_fill_older(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	return run_step(db, family, "older", false, err);
}

int mp_db_make_views(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	return run_step(db, family, "sums", false, err) || run_step(db, family, "views", false, err) ? -1 : 0;
}

int mp_db_finish(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	static const char *const steps[] = {
	    "relate", "communication", "aicpu", "overlap", "operators", "notes", "board", NULL};

	return run_steps(db, family, steps, err) || mp_db_make_views(db, family, err) ? -1 : 0;
}

int mp_db_check(struct mp_db *db, enum mp_family family, struct mp_error *err)
{
	static const char *const steps[] = {"checks", NULL};

	return run_steps(db, family, steps, err);
}
