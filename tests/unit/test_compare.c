/* test_compare.c: a database with the schema of a family is recognised, and no other database. */
#include "support.h"

#include <sqlite3.h>

#include "base/schema.h"
#include "store/connection.h"

static struct mp_error err;

/* A database like after an import of that family, without rows. */
static struct mp_db *make(enum mp_family family)
{
	char path[MP_SCRIPT_PATH], sql[128];
	struct mp_db *db;

	assert_ok(mp_db_connect(&db, -1, "", &err), &err);
	assert_ok(mp_db_make(db, family, MP_STEPS_TABLES, &err), &err);
	for (int i = 0; i < MP_STEP_SCRIPTS; i++)
		if (mp_schema_script(path, family, "views", i))
			assert_ok(mp_db_run(db, mp_schema_script(path, family, "views", i), &err), &err);
	snprintf(sql, sizeof(sql), "INSERT INTO meta VALUES('family', '%s')", mp_family_name(family));
	assert_ok(mp_db_run(db, sql, &err), &err);
	return db;
}

static bool is_foreign(struct mp_db *db)
{
	assert_ok(mp_db_compare_schema(db, &err), &err);
	return db->foreign;
}

static void test_own(void **state)
{
	(void)state;
	for (int family = 0; family < MP_FAMILY_COUNT; family++) {
		struct mp_db *db = make((enum mp_family)family);

		if (is_foreign(db))
			fail_msg("the schema of %s is not known again", mp_family_name((enum mp_family)family));
		mp_db_close(db);
	}
}

/* Expressions compare texts by bytes, whatever a column declares: so no column may declare a collation. */
static void test_no_collation(void **state)
{
	int64_t count;

	(void)state;
	for (int family = 0; family < MP_FAMILY_COUNT; family++) {
		struct mp_db *db = make((enum mp_family)family);

		assert_ok(
		    mp_db_number(db, "SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%COLLATE%'", -1, &count, &err),
		    &err);
		if (count)
			fail_msg("the schema of %s has a collation", mp_family_name((enum mp_family)family));
		mp_db_close(db);
	}
}

static void test_foreign(void **state)
{
	static const char *const changes[] = {"CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM note; END",
	    "CREATE TABLE more(a)", "CREATE VIEW more AS SELECT 1 AS a", "CREATE INDEX more ON meta(value)",
	    "DROP VIEW tasks", "DROP TABLE note", "DROP VIEW tasks; CREATE VIEW tasks AS SELECT 1 AS a",
	    "DROP TABLE note; CREATE TABLE note(kind TEXT, file TEXT, text TEXT, more)",
	    "UPDATE meta SET value = 'ascend910' WHERE key = 'family'",
	    "CREATE VIRTUAL TABLE temp.x USING fts3(a); CREATE VIRTUAL TABLE more USING fts3(a)",
	    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET name = 'tasks2' WHERE name = 'tasks'",
	    "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'tasks'",
	    "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema VALUES('table', 'x', 'x', 0, NULL)",
	    "PRAGMA writable_schema=ON; INSERT INTO sqlite_schema SELECT * FROM sqlite_schema WHERE name = 'tasks'"};

	(void)state;
	for (size_t i = 0; i < COUNT(changes); i++) {
		struct mp_db *db = make(MP_FAMILY_PROF);

		if (mp_db_run(db, changes[i], &err))
			fail_msg("%s: %s", changes[i], err.text);
		if (!is_foreign(db))
			fail_msg("not seen: %s", changes[i]);
		mp_db_close(db);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_own),
	    cmocka_unit_test(test_no_collation),
	    cmocka_unit_test(test_foreign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
