/*
 * fuzz_reference.c: any bytes as a reference. The first byte chooses CSV, JSON or SQLite. A file is read or refused
 * with a sentence; what is read keeps the limits, and each number has the digits of its text.
 */
#include "fuzz.h"

#include <fcntl.h>

#include "learn/reference_internal.h"

static const char *const extensions[] = {"csv", "json", "db", "tsv"};

enum { FORMATS = sizeof(extensions) / sizeof(extensions[0]) };

static char paths[FORMATS][300];

static void remove_files(void)
{
	for (size_t i = 0; i < FORMATS; i++)
		unlink(paths[i]);
}

/* Write the file of a format anew. */
static const char *put(size_t format, const uint8_t *data, size_t size)
{
	int fd;

	if (!paths[0][0]) {
		char base[256];

		temp_path(base, sizeof(base), "fuzz-reference.XXXXXX");
		fd = mkstemp(base);
		CHECK(fd >= 0);
		close(fd);
		unlink(base);
		for (size_t i = 0; i < FORMATS; i++)
			snprintf(paths[i], sizeof(paths[i]), "%s.%s", base, extensions[i]);
		CHECK(atexit(remove_files) == 0);
	}
	fd = open(paths[format], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
	return paths[format];
}

static void check_cell(const struct mp_cell *cell)
{
	unsigned char decimals;
	int64_t value;

	CHECK(cell->text);
	CHECK(cell->is_number == mp_decimal_read(cell->text, strlen(cell->text), &value, &decimals));
	CHECK(!cell->is_number || (cell->value == value && cell->decimals == decimals && decimals <= 9));
}

static void check_table(const struct mp_reference *ref, const char *path)
{
	size_t rows = ref->row_count + (ref->total ? 1 : 0);

	CHECK(strncmp(ref->name, path, strlen(path)) == 0);
	CHECK(ref->column_count >= 1 && ref->column_count <= MP_REFERENCE_COLUMN_MAX);
	CHECK(rows * (size_t)ref->column_count <= MP_REFERENCE_CELL_MAX);
	CHECK(!ref->total || ref->total == ref->cells + ref->row_count * (size_t)ref->column_count);
	for (int i = 0; i < ref->column_count; i++) {
		CHECK(ref->columns[i].title && ref->columns[i].unit >= 1);
		CHECK(ref->columns[i].meaning < MP_MEANS_COUNT_OF);
		for (size_t row = 0; row < rows; row++) {
			const struct mp_cell *cell = mp_reference_cell(ref, row, i);

			check_cell(cell);
			CHECK(!cell->is_number || mp_cell_decimals(cell) <= ref->columns[i].decimals);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_references refs;
	struct mp_error err = {""};
	const char *path;

	if (size < 1)
		return -1;
	path = put(data[0] % FORMATS, data + 1, size - 1);
	CHECK(mp_references_read(&refs, NULL, &path, 1, &err) == 0);
	CHECK(refs.count || refs.refused_count == 1);
	for (size_t i = 0; i < refs.count; i++)
		check_table(&refs.items[i], path);
	for (size_t i = 0; i < refs.refused_count; i++)
		CHECK(strstr(refs.refused[i], path));
	mp_references_free(&refs);
	return 0;
}
