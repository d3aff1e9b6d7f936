/*
 * db_schema.c: runs the scripts of schema/sql that make and complete a database, and compares the schema of a database
 * with that of this build. SQLite stores the text of each CREATE statement unchanged, so the texts of schema/sql are
 * compared with these texts. Also keeps what the user chooses of a database.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/schema.h"
#include "base/text.h"
#include "store/connection.h"
#include "store/sql_token.h"

const char *mp_schema_script(char path[MP_SCRIPT_PATH], enum mp_family family, const char *step, int i)
{
	const bool samples = family == MP_FAMILY_ASCEND2022 || family == MP_FAMILY_PROF;
	const char *const folders[MP_STEP_SCRIPTS] = {"", "samples/", mp_family_name(family)};

	snprintf(path, MP_SCRIPT_PATH, "sql/%s%s%s.sql", folders[i], i == 2 ? "/" : "", step);
	return i == 1 && !samples ? NULL : mp_schema_text(path);
}

/* Run the scripts of steps, the script of the family first or last. */
static int run_steps(
    struct mp_db *db, enum mp_family family, const char *const *steps, bool family_first, struct mp_error *err)
{
	char path[MP_SCRIPT_PATH];

	for (; *steps; steps++)
		for (int i = 0; i < MP_STEP_SCRIPTS; i++) {
			const char *text =
			    mp_schema_script(path, family, *steps, family_first ? MP_STEP_SCRIPTS - 1 - i : i);

			if (text && mp_script_run(db, path, text, err))
				return -1;
		}
	return 0;
}

int mp_db_make(struct mp_db *db, enum mp_family family, const char *const *steps, struct mp_error *err)
{
	return run_steps(db, family, steps, false, err);
}

int mp_db_derive(struct mp_db *db, enum mp_family family, const char *const *steps, struct mp_error *err)
{
	return run_steps(db, family, steps, true, err);
}

enum { OBJECTS_MAX = 512 };

/* A CREATE statement, and the name of its table, view, index or trigger. */
struct object {
	struct mp_range text;
	struct mp_token name;
};

struct objects {
	struct object items[OBJECTS_MAX];
	int count;
};

/* Take a statement from the range, and add a CREATE statement to the objects. Returns false on unknown SQL. */
static bool take_statement(struct objects *o, struct mp_range *range)
{
	struct mp_token first = mp_token_next(range), t = first, before = first, name = {MP_TOKEN_END, NULL, 0};

	for (int i = 0; t.kind != MP_TOKEN_END && !mp_token_is(&t, ";"); i++) {
		if (t.kind == MP_TOKEN_UNKNOWN && !t.len)
			return false;
		if (i == 2 || mp_token_is(&before, "INDEX")) /* CREATE TABLE name, CREATE UNIQUE INDEX name */
			name = t;
		before = t;
		t = mp_token_next(range);
	}
	if (!mp_token_is(&first, "CREATE"))
		return true;
	if (o->count == OBJECTS_MAX)
		return false;
	o->items[o->count++] = (struct object){{first.text, before.text + before.len}, name};
	return true;
}

/* Collect the objects that this program makes for a family. */
static bool find_objects(struct objects *o, enum mp_family family)
{
	static const char *const steps[] = {"tables", "rates", "records", "views"};
	char path[MP_SCRIPT_PATH];

	for (int k = 0; k < MP_STEP_SCRIPTS * (int)(sizeof(steps) / sizeof(steps[0])); k++) {
		const char *text = mp_schema_script(path, family, steps[k / MP_STEP_SCRIPTS], k % MP_STEP_SCRIPTS);
		struct mp_range range = {text, text ? text + strlen(text) : NULL};

		while (range.at < range.end)
			if (!take_statement(o, &range))
				return false;
	}
	return true;
}

/* Remove the object with this name and text, so that each matches once. Returns false when not found. */
static bool take_object(struct objects *o, struct mp_value name, struct mp_value text)
{
	for (int i = 0; i < o->count; i++) {
		const struct object *own = &o->items[i];

		if ((size_t)(own->text.end - own->text.at) != text.len ||
		    memcmp(own->text.at, text.text, text.len) != 0)
			continue;
		if (own->name.len != name.len || memcmp(own->name.text, name.text, name.len) != 0)
			return false;
		o->items[i] = o->items[--o->count];
		return true;
	}
	return false;
}

/*
 * Returns 1 when the database has exactly our objects, 0 when not, -1 on error. Indices that SQLite itself makes for
 * keys have no text.
 */
static int is_own(struct mp_db *db, struct objects *o, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT name, sql, sql IS NULL AND type = 'index' AND name LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\' FROM main.sqlite_schema";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value name = mp_query_value(q, 0), text = mp_query_value(q, 1);

		if (mp_query_int(q, 2))
			continue;
		if (name.type != MP_TEXT || text.type != MP_TEXT || !take_object(o, name, text)) {
			mp_query_close(q);
			return 0;
		}
	}
	mp_query_close(q);
	return status < 0 ? -1 : !o->count;
}

/* Only a plain table is queried: a view or virtual table could run code. */
enum mp_family mp_db_family(struct mp_db *db)
{
	static const char is_plain[] =
	    "SELECT 1 FROM main.sqlite_schema WHERE name = 'meta' AND type = 'table' AND rootpage > 0";
	static const char sql[] = "SELECT value FROM main.meta WHERE key = 'family'";
	enum mp_family family = MP_FAMILY_SVP;
	struct mp_error unused;
	struct mp_query *q;
	int64_t plain;

	if (mp_db_number(db, is_plain, 0, &plain, &unused) || !plain)
		return family;
	if (mp_query_ask(&q, db, sql, NULL, 0, &unused) == 1)
		for (int i = 0; i < MP_FAMILY_COUNT; i++)
			if (strcmp(mp_family_name((enum mp_family)i), mp_query_text(q, 0)) == 0)
				family = (enum mp_family)i;
	mp_query_close(q);
	return family;
}

/* Views and triggers run unchanged, so only those of this program may run. */
int mp_db_compare_schema(struct mp_db *db, struct mp_error *err)
{
	struct objects *ours = malloc(sizeof(*ours));
	int own;

	if (!ours)
		return mp_fail_memory(err, "a schema");
	ours->count = 0;
	own = find_objects(ours, mp_db_family(db))
		  ? is_own(db, ours, err)
		  : mp_fail(err, "schema/sql: cannot compare: too many or unknown statements");
	free(ours);
	db->foreign = own != 1;
	return own < 0 ? -1 : 0;
}

int mp_db_once(struct mp_db *db, const char *text, struct mp_error *err)
{
	const int len = (int)strcspn(text, "\n");
	sqlite3_str *sql;

	for (int i = 0; i < db->once_count; i++)
		if (db->once[i] == text)
			return 0;
	if (db->once_count == MP_ONCE_MAX)
		return mp_fail(err, "more than %d parts are made once", MP_ONCE_MAX);
	sql = sqlite3_str_new(db->handle);
	sqlite3_str_appendf(sql, "CREATE TEMP TABLE %.*s AS %s SELECT * FROM %.*s", len, text, text + len, len, text);
	if (mp_db_run_built(db, sql, err))
		return -1;
	db->once[db->once_count++] = text;
	return 0;
}

/* Drop what was made of an earlier choice. */
static int forget_once(struct mp_db *db, struct mp_error *err)
{
	while (db->once_count) {
		const char *text = db->once[db->once_count - 1];
		sqlite3_str *sql = sqlite3_str_new(db->handle);

		sqlite3_str_appendf(sql, "DROP TABLE temp.%.*s", (int)strcspn(text, "\n"), text);
		if (mp_db_run_built(db, sql, err))
			return -1;
		db->once_count--;
	}
	return 0;
}

int mp_db_choose(struct mp_db *db, const struct mp_choice *choice, struct mp_error *err)
{
	static const char sql[] =
	    "UPDATE temp.choice SET job = ?, label = ?, dir = ?, model_id = nullif(?, -1), iteration_id = ?,"
	    " iteration_count = ?, chosen = ?, step = nullif(?, -1), each_step = ?, grouping = ?";

	if (forget_once(db, err) ||
	    mp_db_put(db, sql,
		MP_VALUES(mp_string(choice->job), mp_string(choice->label), mp_string(choice->dir),
		    mp_int(choice->model_id), mp_int(choice->iteration_id), mp_int(choice->iteration_count),
		    mp_int(choice->chosen), mp_int(choice->step), mp_int(choice->each_step),
		    mp_string(choice->grouping)),
		err))
		return -1;
	if (!choice->chosen || mp_db_family(db) != MP_FAMILY_PROF)
		return 0;
	db->narrowed = true;
	return mp_db_derive(db, MP_FAMILY_PROF, MP_STEPS("chosen", "busy"), err);
}

int mp_db_want_time(struct mp_db *db, const char *clock, int64_t from_ns, int64_t to_ns, struct mp_error *err)
{
	db->limits |= MP_LIMIT_TIME;
	return mp_db_put(db, "INSERT INTO temp.time_range VALUES(?, ?, ?)",
	    MP_VALUES(mp_string(clock), mp_int(from_ns), mp_int(to_ns)), err);
}

int mp_db_want_device(struct mp_db *db, int64_t device_id, struct mp_error *err)
{
	db->limits |= MP_LIMIT_DEVICES;
	return mp_db_put(db, "INSERT OR IGNORE INTO temp.wanted_device VALUES(?)", MP_VALUES(mp_int(device_id)), err);
}

void mp_db_want_choice(struct mp_db *db, enum mp_limit limit)
{
	db->limits |= limit;
}

unsigned mp_db_limits(const struct mp_db *db)
{
	return db->limits;
}

int mp_db_unwanted(struct mp_db *db, const char *json, struct mp_error *err)
{
	static const char check[] = "SELECT count(*) FILTER (WHERE j.type IN ('true', 'false')) = count(*)"
				    " FROM json_each(?1, '$.json_process') j"
				    " WHERE json_type(?1, '$.json_process') = 'object' HAVING count(*)";
	static const char sql[] =
	    "INSERT OR IGNORE INTO temp.unwanted SELECT key FROM json_each(?, '$.json_process') WHERE type = 'false'";
	struct mp_query *q;
	int status;

	if (!mp_utf8_valid(json, strlen(json)) || !mp_json_is_object(json, strlen(json)))
		return mp_fail(err, "not a JSON object");
	status = mp_query_ask(&q, db, check, MP_VALUES(mp_string(json)), err);
	if (status >= 0 && (status == 0 || mp_query_int(q, 0) != 1))
		status = mp_fail(err, "invalid 'json_process' (an object whose members are true or false)");
	mp_query_close(q);
	return status < 0 || forget_once(db, err) ? -1 : mp_db_put(db, sql, MP_VALUES(mp_string(json)), err);
}
