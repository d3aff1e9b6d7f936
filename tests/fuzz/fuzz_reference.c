/*
 * fuzz_reference.c: any bytes as a reference. The first byte chooses CSV, JSON or TSV. A file is read or refused with a
 * sentence; what is read keeps the limits. Its rows are matched with records, and places of counters are searched.
 */
#include "fuzz.h"

#include <fcntl.h>

#include "learn/learn_internal.h"
#include "learn/records.h"

static const char *const extensions[] = {"csv", "json", "tsv"};

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

static void check_table(const struct mp_table *t)
{
	CHECK(t->column_count >= 2 && t->column_count <= MP_REFERENCE_COLUMN_MAX);
	CHECK(
	    (size_t)t->row_count * (size_t)t->column_count == t->cell_count && t->cell_count <= MP_REFERENCE_CELL_MAX);
	CHECK(t->total >= MP_NO_ROW && t->total < t->row_count);
	for (int i = 0; i < t->column_count; i++)
		CHECK(t->columns[i].title && t->columns[i].unit >= 1 && t->columns[i].decimals <= MP_DECIMALS_MAX);
	for (int m = 0; m < MP_MEANS_COUNT; m++)
		for (int64_t row = 0; row < t->row_count; row++) {
			const char *cell = mp_table_cell(t, row, (enum mp_meaning)m);
			int64_t value;
			int decimals;

			CHECK(strlen(cell) < MP_REFERENCE_SIZE_MAX);
			CHECK(!mp_table_number(t, row, (enum mp_meaning)m, &value) ||
			      mp_decimal_read(cell, &value, &decimals));
		}
}

enum { RECORDS = 24, SPAN = 64 };

/* Records of a job, whose words are any numbers. */
static void make_records(struct mp_records *r)
{
	memset(r, 0, sizeof(*r));
	r->words = (struct mp_learn_words){.low = 8, .span = SPAN, .count = RECORDS};
	r->words.bytes = calloc(RECORDS, SPAN);
	r->words.hardware = calloc(8 + SPAN, 1);
	r->words.ticks = calloc(RECORDS, sizeof(*r->words.ticks));
	r->tasks = calloc(RECORDS, sizeof(*r->tasks));
	r->inferences = calloc(1, sizeof(*r->inferences));
	CHECK(r->words.bytes && r->words.hardware && r->words.ticks && r->tasks && r->inferences);
	memset(r->words.hardware + 8, 1, SPAN);
	for (size_t i = 0; i < RECORDS; i++) {
		r->tasks[i].task_id = (uint32_t)i;
		r->words.ticks[i] = (uint32_t)(i * i * 700);
		for (size_t k = 0; k < SPAN; k++)
			r->words.bytes[i * SPAN + k] = (unsigned char)(k % 4 < 3 ? (i * 31 + k * 7) >> (k % 3) : 0);
	}
	r->inferences[0] = (struct mp_inference){.core_mhz = 700, .count = RECORDS, .ticks = 3026800};
	r->inferences[0].identity.device_id = -1;
	r->inference_count = 1;
}

/* Whatever the tables say, rows are of records at most once, and no two counters have one place. */
static void check_search(const struct mp_references *refs)
{
	struct mp_candidates lists[MP_COUNTERS];
	struct mp_learn_finding findings[MP_COUNTERS];
	struct mp_records records;
	struct mp_row_match match;
	struct mp_work work = {.progress = NULL};
	struct mp_error err;

	make_records(&records);
	mp_work_begin(&work, 100000); /* few, so that searches end early, too */
	CHECK(mp_match_rows(&match, refs, &records, &work, &err) == 0);
	memset(lists, 0, sizeof(lists));
	for (size_t i = 0; i < match.rows.count; i++)
		CHECK(match.rows.items[i].first + match.rows.items[i].count <= RECORDS);
	for (int c = 0; c < MP_COUNTERS; c++)
		CHECK(mp_search(&lists[c], &records.words, &match.rows, c,
			  c == MP_DDR_WRITE ? &lists[MP_DDR_READ] : NULL, &work, &err) == 0);
	mp_choose(findings, lists, &records.words, &match.rows, &work);
	for (int c = 0; c < MP_COUNTERS; c++) {
		CHECK(findings[c].fits <= findings[c].rows);
		for (int d = 0; d < c; d++)
			CHECK(!mp_places_overlap(&findings[c].place, &findings[d].place));
		free(lists[c].items);
	}
	mp_row_match_free(&match);
	mp_records_free(&records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_references refs;
	struct mp_error err = {.text = ""};
	const char *path;

	if (size < 1)
		return -1;
	path = put(data[0] % FORMATS, data + 1, size - 1);
	CHECK(mp_references_read(&refs, NULL, &path, 1, &err) == 0);
	CHECK(refs.count + refs.refused_count == 1);
	for (size_t i = 0; i < refs.count; i++)
		check_table(&refs.items[i]);
	for (size_t i = 0; i < refs.refused_count; i++)
		CHECK(strstr(refs.refused[i], path));
	check_search(&refs);
	mp_references_free(&refs);
	return 0;
}
