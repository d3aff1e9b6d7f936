/* aggregate.c: runs the scripts of schema/aggregate. Knows no table. */
#include "aggregate/aggregate.h"

#include <stdio.h>

#include "base/schema.h"
#include "insight/advise.h"
#include "store/sql_script.h"

/* A family may have no script of its own. */
static int run(struct mp_db *db, const char *name, struct mp_error *err)
{
	char path[64];
	const char *text;

	snprintf(path, sizeof(path), "aggregate/%s.sql", name);
	text = mp_schema_text(path);
	return text ? mp_script_run(db, path, text, err) : 0;
}

int mp_aggregate_open(struct mp_db *db, struct mp_error *err)
{
	return run(db, "tables", err);
}

int mp_aggregate_fill(struct mp_db *db, const char *family, struct mp_error *err)
{
	return mp_advise_facts(db, family, err) || run(db, "any", err) || run(db, family, err) ? -1 : 0;
}
