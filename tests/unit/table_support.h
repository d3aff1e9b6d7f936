/* table_support.h: a table that prints into a temporary file, and what its output looks like. */
#ifndef TABLE_SUPPORT_H
#define TABLE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wchar.h>

#include <cmocka.h>

#include "base/text.h"
#include "table.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

/* A table that prints into a temporary file, and its output. */
struct fixture {
	FILE *file;
	struct mp_out *out;
	struct text_table *table;
	struct mp_writer *w;
	struct mp_error err;
	char *text;
};

static void fixture_close(struct fixture *f)
{
	table_free(f->table);
	mp_out_abort(f->out);
	if (f->file)
		fclose(f->file);
	free(f->text);
	memset(f, 0, sizeof(*f));
}

static void fixture_open_on(struct fixture *f, FILE *file, int width, bool colour)
{
	struct table_options opt = {.width = width, .colour = colour};

	fixture_close(f);
	f->file = file;
	assert_non_null(f->file);
	assert_int_equal(mp_out_fd(&f->out, fileno(f->file), "test", &f->err), 0);
	assert_int_equal(table_create(&f->table, f->out, &opt, &f->err), 0);
	f->w = table_writer(f->table);
}

static void fixture_open(struct fixture *f, int width, bool colour)
{
	fixture_open_on(f, tmpfile(), width, colour);
}

/* All output since fixture_open. */
static const char *fixture_text(struct fixture *f)
{
	off_t size;

	assert_int_equal(mp_out_flush(f->out, &f->err), 0);
	size = lseek(fileno(f->file), 0, SEEK_END);
	assert_true(size >= 0);
	f->text = calloc(1, (size_t)size + 1);
	assert_non_null(f->text);
	assert_int_equal(pread(fileno(f->file), f->text, (size_t)size, 0), size);
	return f->text;
}

static int setup(void **state)
{
	*state = calloc(1, sizeof(struct fixture));
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	fixture_close(*state);
	free(*state);
	return 0;
}

static struct mp_value null(void)
{
	return (struct mp_value){.type = MP_NULL};
}

static struct mp_value num(int64_t i)
{
	return (struct mp_value){.type = MP_INT, .i = i};
}

static struct mp_value real(double d)
{
	return (struct mp_value){.type = MP_REAL, .d = d};
}

static struct mp_value text(const char *s)
{
	return mp_string(s);
}

static void section_begin(
    struct fixture *f, const char *title, const char *heading, const char *const *titles, int count)
{
	struct mp_section s = {.title = title, .heading = heading, .titles = titles, .column_count = count};

	assert_int_equal(f->w->section(f->w, &s, &f->err), 0);
}

static void row(struct fixture *f, const struct mp_value *cells)
{
	assert_int_equal(f->w->row(f->w, cells, &f->err), 0);
}

static void end(struct fixture *f, int64_t omitted)
{
	assert_int_equal(f->w->end(f->w, omitted, &f->err), 0);
}

/* Open, print one section with the rows in `cells`, one after the other, and finish. */
static const char *fixture_grid(
    struct fixture *f, int width, const char *const *titles, int count, const struct mp_value *cells, int row_count)
{
	fixture_open(f, width, false);
	section_begin(f, "", "", titles, count);
	for (int i = 0; i < row_count; i++)
		row(f, cells + i * count);
	end(f, 0);
	return fixture_text(f);
}

/* The columns that `len` bytes take on a terminal; fails on characters that no terminal may see. Only here a locale
 * is set, for the C library: tables are made without one. */
static int columns_of(const char *s, size_t len)
{
	int width = 0;

	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	for (size_t i = 0; i < len;) {
		int32_t cp;

		i += mp_utf8_next(s + i, len - i, &cp);
		assert_false(mp_is_control(cp));
		width += wcwidth((wchar_t)cp);
	}
	assert_non_null(setlocale(LC_CTYPE, "C"));
	return width;
}

/* The widest line of a text; the lines of a grid must be equally wide. */
static int widest_line(const char *s)
{
	int widest = 0;
	int grid = 0;

	for (; *s; s += strcspn(s, "\n") + 1) {
		int width = columns_of(s, strcspn(s, "\n"));

		if (strncmp(s, "╒", strlen("╒")) == 0)
			grid = width;
		if (grid)
			assert_int_equal(width, grid);
		if (strncmp(s, "╘", strlen("╘")) == 0)
			grid = 0;
		widest = width > widest ? width : widest;
	}
	return widest;
}

static int occurrences(const char *s, const char *what)
{
	int count = 0;

	for (; (s = strstr(s, what)); s += strlen(what))
		count++;
	return count;
}

#endif
