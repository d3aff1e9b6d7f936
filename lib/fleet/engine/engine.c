/* engine.c: the versions of the tables: schema/fleet/ENGINE/N.sql brings a database from
 * version N - 1 to N. */
#include "fleet/engine/engine.h"

#include <stdio.h>

#include "base/schema.h"

const struct mp_engine *mp_engine_of(enum mp_fleet_engine engine)
{
	return engine == MP_FLEET_POSTGRESQL ? &mp_engine_postgresql : &mp_engine_clickhouse;
}

static const char *text_of(const struct mp_engine *engine, int64_t version)
{
	char path[64];

	snprintf(path, sizeof(path), "fleet/%s/%lld.sql", engine->name, (long long)version);
	return mp_schema_text(path);
}

int64_t mp_engine_version_known(const struct mp_engine *engine)
{
	int64_t version = 0;

	while (text_of(engine, version + 1))
		version++;
	return version;
}

/* The version that the server has, which may be any server. */
static int read_version(const struct mp_engine *engine, void *connection, int64_t *found, struct mp_error *err)
{
	if (engine->version(connection, found, err))
		return -1;
	return *found < 0 ? mp_fail(err, "the tables have no version: is it another server?") : 0;
}

static int refuse_newer(int64_t found, int64_t known, const char *where, struct mp_error *err)
{
	return mp_fail(err, "%s: the tables have version %lld, and this msprof knows %lld: use a newer msprof", where,
	    (long long)found, (long long)known);
}

int mp_engine_prepare(const struct mp_engine *engine, void *connection, struct mp_error *err)
{
	int64_t known = mp_engine_version_known(engine), found;

	if (read_version(engine, connection, &found, err))
		return -1;
	if (found > known)
		return refuse_newer(found, known, engine->name, err);
	while (found < known)
		if (engine->script(connection, text_of(engine, ++found), err))
			return -1;
	return engine->sweep(connection, err);
}

int mp_engine_check(const struct mp_engine *engine, void *connection, const char *where, struct mp_error *err)
{
	int64_t known = mp_engine_version_known(engine), found;

	if (read_version(engine, connection, &found, err))
		return -1;
	if (found > known)
		return refuse_newer(found, known, where, err);
	if (found < known)
		return mp_fail(err, "%s: %s: 'msprof publish --to URL --init' makes the tables", where,
		    found ? "the tables are of an older msprof" : "the database has no tables of msprof");
	return 0;
}
