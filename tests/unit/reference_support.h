/* reference_support.h: shared by the tests of references: a directory, what was read of it, and its cells. */
#ifndef MP_TESTS_REFERENCE_SUPPORT_H
#define MP_TESTS_REFERENCE_SUPPORT_H

#include "support.h"

#include "learn/learn_internal.h"

struct refs_test {
	char *dir;
	struct mp_references refs;
	struct mp_error err;
};

static inline int setup(void **state)
{
	struct refs_test *t = calloc(1, sizeof(*t));

	t->dir = temp_dir();
	*state = t;
	return 0;
}

static inline int teardown(void **state)
{
	struct refs_test *t = *state;

	mp_references_free(&t->refs);
	remove_dir(t->dir);
	free(t);
	return 0;
}

/* Read a path. */
static inline void read_from(struct refs_test *t, const char *path)
{
	mp_references_free(&t->refs);
	assert_ok(mp_references_read(&t->refs, NULL, &path, 1, &t->err), &t->err);
}

/* Read a file with this text. */
static inline void read_as(struct refs_test *t, const char *name, const char *text)
{
	write_text(t->dir, name, text);
	read_from(t, below(t->dir, name));
	unlink(below(t->dir, name));
}

/* The only table. */
static inline const struct mp_table *the_table(const struct refs_test *t)
{
	if (t->refs.refused_count)
		fail_msg("%s", t->refs.refused[0]);
	assert_int_equal(t->refs.count, 1);
	return &t->refs.items[0];
}

static inline void assert_number(const struct mp_table *table, int64_t row, enum mp_meaning meaning, int64_t value)
{
	int64_t number;

	assert_true(mp_table_number(table, row, meaning, &number));
	assert_int_equal(number, value);
}

static inline void assert_text(const struct mp_table *table, int64_t row, enum mp_meaning meaning, const char *text)
{
	assert_true(table->column_of[meaning] >= 0 && row < table->row_count);
	assert_string_equal(mp_table_cell(table, row, meaning), text);
}

/* Nothing is read, and one sentence has these parts. */
static inline void assert_no_reference(const struct refs_test *t, const char *name, const char *reason)
{
	assert_int_equal(t->refs.count, 0);
	assert_int_equal(t->refs.refused_count, 1);
	if (!strstr(t->refs.refused[0], name) || !strstr(t->refs.refused[0], reason))
		fail_msg("\"%s\" does not say \"%s\" and \"%s\"", t->refs.refused[0], name, reason);
}

#endif
