/*
 * reference_find.c: finds the files of references, and reads each by its extension, in order of name. Meanings of
 * titles, and of names of files, are in schema/learn/titles.txt.
 */
#include "learn/learn_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/door.h"
#include "base/schema.h"
#include "raw/job_info.h"

enum { TITLE_SIZE = 48 };

static const char *const meanings[MP_MEANS_COUNT] = {"nothing", "task_id", "layer_id", "layer_name", "layer_type",
    "ori_name", "time", "time_ratio", "mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld",
    "ddr_read_bytes", "ddr_write_bytes", "ddr_total", "memory_bound"};

static const struct {
	const char *name;
	enum mp_meaning of; /* the first meaning that may have the unit */
	int64_t unit;
} units[] = {{"ns", MP_MEANS_TIME, 1}, {"us", MP_MEANS_TIME, 1000}, {"\xce\xbcs", MP_MEANS_TIME, 1000},
    {"\xc2\xb5s", MP_MEANS_TIME, 1000}, {"ms", MP_MEANS_TIME, 1000000}, {"byte", MP_MEANS_DDR_READ, 1},
    {"bytes", MP_MEANS_DDR_READ, 1}, {"b", MP_MEANS_DDR_READ, 1}, {"kb", MP_MEANS_DDR_READ, 1000},
    {"mb", MP_MEANS_DDR_READ, 1000000}, {"%", MP_MEANS_NOTHING, 1}, {"", MP_MEANS_NOTHING, 1}};

const char *mp_meaning_name(enum mp_meaning meaning)
{
	return meanings[meaning];
}

/* The unit of that name, if a meaning may have it; else 0. */
static int64_t unit_of(enum mp_meaning m, const char *name)
{
	enum mp_meaning of = m >= MP_MEANS_DDR_READ && m <= MP_MEANS_DDR_TOTAL ? MP_MEANS_DDR_READ
			     : m == MP_MEANS_TIME                              ? m
									       : MP_MEANS_NOTHING;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].of == of && strcmp(units[i].name, name) == 0)
			return units[i].unit;
	return 0;
}

/* Copy a title without blanks, underscores and case. Returns false when nothing is left, or too much. */
static bool fold(char folded[TITLE_SIZE], const char *title, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		char c = title[i];

		if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '_')
			continue;
		if (len - i >= 3 &&
		    (memcmp(title + i, "\xef\xbc\x88", 3) == 0 || memcmp(title + i, "\xef\xbc\x89", 3) == 0)) {
			c = title[i + 2] == '\x88' ? '(' : ')'; /* the parentheses of Chinese texts */
			i += 2;
		}
		if (used + 1 == TITLE_SIZE)
			return false;
		folded[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	folded[used] = '\0';
	return used > 0;
}

/* Whether a line "MEANING [UNIT]: TITLE, TITLE, ..." has a folded title. Sets meaning and unit of the column. */
static bool has_title(const char *line, const char *folded, struct mp_table_column *column)
{
	char meaning[32], unit[8] = "", title[TITLE_SIZE];
	int at = 0;

	if (sscanf(line, "%31[a-z_]: %n", meaning, &at) < 1 ||
	    (!at && sscanf(line, "%31[a-z_] %7[a-z]: %n", meaning, unit, &at) < 2) || !at)
		return false;
	for (line += at; *line && *line != '\n'; line += strcspn(line, ",\n"), line += *line == ',') {
		if (!fold(title, line, strcspn(line, ",\n")) || strcmp(title, folded) != 0)
			continue;
		for (int m = 1; m < MP_MEANS_COUNT; m++)
			if (strcmp(meanings[m], meaning) == 0)
				column->meaning = (enum mp_meaning)m;
		column->unit = unit_of(column->meaning, unit);
		return true;
	}
	return false;
}

static bool find(const char *folded, struct mp_table_column *column)
{
	const char *line = mp_schema_text("learn/titles.txt");

	for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (has_title(line, folded, column))
			return true;
	return false;
}

/* A title, or one with a unit in parentheses behind it. */
static void find_meaning(struct mp_table_column *column)
{
	char folded[TITLE_SIZE], *open;

	*column = (struct mp_table_column){.title = column->title, .unit = 1};
	if (!fold(folded, column->title, strlen(column->title)) || find(folded, column))
		return;
	open = strrchr(folded, '(');
	if (!open || folded[strlen(folded) - 1] != ')')
		return;
	folded[strlen(folded) - 1] = '\0';
	*open = '\0';
	if (find(folded, column))
		column->unit = unit_of(column->meaning, open + 1);
	if (!column->unit)
		*column = (struct mp_table_column){.title = column->title, .unit = 1};
}

/* The identity in the name of a table, by the lines "name PATTERN". */
static int identify(struct mp_reading *r, struct mp_error *err)
{
	struct mp_layout *names = calloc(1, sizeof(*names));
	const char *line = mp_schema_text("learn/titles.txt"), *slash = strrchr(r->table.name, '/');
	const char *name = slash ? slash + 1 : r->table.name, *dot = strrchr(name, '.');
	int status = 0;

	if (!names)
		return mp_fail_memory(err, "references");
	for (; *line && !status; line += strcspn(line, "\n"), line += *line == '\n')
		if (strncmp(line, "name ", 5) == 0 && names->file_count < MP_FILE_PATTERN_MAX)
			status = mp_pattern_parse(
			    &names->files[names->file_count++], line + 5, strcspn(line + 5, "\n"), true, err);
	if (!status)
		mp_layout_names(names, name, dot ? (size_t)(dot - name) : strlen(name), &r->table.identity);
	free(names);
	return status;
}

int mp_titles_apply(struct mp_reading *r, struct mp_error *err)
{
	struct mp_table *t = &r->table;

	for (int m = 0; m < MP_MEANS_COUNT; m++)
		t->column_of[m] = -1;
	for (int i = t->column_count - 1; i >= 0; i--) { /* of several columns with one meaning the first counts */
		find_meaning(&t->columns[i]);
		t->column_of[t->columns[i].meaning] = i;
	}
	t->column_of[MP_MEANS_NOTHING] = -1;
	return identify(r, err);
}

enum { PATH_SIZE = 4096 };

static bool ends_with(const char *name, const char *extension)
{
	const char *dot = strrchr(name, '.');

	return dot && strcasecmp(dot, extension) == 0;
}

static bool is_table(const void *user, const char *name)
{
	(void)user;
	return ends_with(name, ".csv") || ends_with(name, ".tsv") || ends_with(name, ".json");
}

/* Read `size` bytes of a file, and the cells in them. */
static int read_text(struct mp_reading *r, int fd, const char *path, size_t size, struct mp_error *err)
{
	char *text = r->table.text = malloc(size + 1);
	ssize_t n;

	if (!text)
		return mp_fail_memory(err, "references");
	n = mp_file_read(fd, text, size, 0);
	if (n < (ssize_t)size)
		return n < 0 ? mp_fail_errno(err, "cannot read it") : mp_fail(err, "it became shorter");
	text[size] = '\0';
	r->byte_count += size;
	if (mp_recode(r, &size, err))
		return -1;
	if (memchr(r->table.text, '\0', size))
		return mp_fail(err, "it has NUL bytes: it is not a text");
	return ends_with(path, ".json") ? mp_json_read(r, size, err)
					: mp_csv_read(r, size, ends_with(path, ".tsv"), err);
}

static int read_file(struct mp_reading *r, int dirfd, const char *name, struct mp_error *err)
{
	struct stat st;
	int fd = mp_dir_open_file(dirfd, name, &st), status;

	if (fd < 0)
		return errno == ELOOP    ? mp_fail(err, "it is a link, which is not followed")
		       : errno == EINVAL ? mp_fail(err, "it is not a regular file")
					 : mp_fail_errno(err, "cannot open it");
	if (st.st_size > (off_t)(MP_REFERENCE_SIZE_MAX - r->byte_count))
		status = mp_fail(err, "the tables have more than %d MiB", MP_REFERENCE_SIZE_MAX >> 20);
	else
		status = read_text(r, fd, name, (size_t)st.st_size, err);
	close(fd); /* read only: nothing to lose */
	return status;
}

/* Read a reference, or refuse it: then it leaves nothing behind. A job's files are named as they lie below the job. */
static int take_file(
    struct mp_reading *r, int dirfd, const char *name, const char *path, bool is_named, struct mp_error *err)
{
	const char *label = path + r->label_at;
	struct mp_error why = {.text = ""};
	struct stat st;

	if (r->file_count++ >= MP_REFERENCE_FILES)
		mp_error_set(&why, "there are more than %d files", MP_REFERENCE_FILES);
	else if (!is_named && (mp_dir_look(dirfd, name, &st) || !S_ISREG(st.st_mode)))
		mp_error_set(&why, "it is not a regular file");
	else if (!is_named && !mp_made_elsewhere(&r->made, dirfd, name)) {
		mp_error_set(&why, "msprof export made it; name it with --from if another tool did");
		r->refs->own_count++;
	} else if (read_file(r, dirfd, name, &why) == 0 && mp_reading_keep(r, label, is_named, &why) == 0)
		return 0;
	mp_table_free(&r->table);
	if (why.kind == MP_ERROR_MEMORY)
		return mp_fail_because(err, &why, "%s", why.text);
	return why.text[0] ? mp_references_refuse(r->refs, err, "'%s' is not a reference: %s", label, why.text) : 0;
}

/* Read the tables in a directory, in order of name; and in the directory of tables of a job. */
static int take_directory(struct mp_reading *r, int dirfd, const char *path, struct mp_error *err)
{
	char below[PATH_SIZE];
	struct mp_dir_names names;
	struct mp_error why;
	int status = mp_dir_list(&names, dirfd, is_table, NULL, path, &why), summary;
	struct stat st;

	if (status)
		status = mp_references_refuse(r->refs, err, "%s", why.text);
	mp_made_free(&r->made);
	if (!status)
		status = mp_made_read(&r->made, dirfd, err);
	for (size_t i = 0; !status && i < names.count; i++) {
		snprintf(below, sizeof(below), "%s/%s", path, names.items[i]);
		status = take_file(r, dirfd, names.items[i], below, false, err);
	}
	mp_dir_names_free(&names);
	if (status || mp_dir_look(dirfd, "summary", &st) || !S_ISDIR(st.st_mode))
		return status;
	snprintf(below, sizeof(below), "%s/summary", path);
	summary = mp_dir_open(dirfd, "summary", below, &why);
	if (summary < 0)
		return mp_references_refuse(r->refs, err, "%s", why.text);
	status = take_directory(r, summary, below, err);
	close(summary); /* read only: nothing to lose */
	return status;
}

/* Read the table NAME, or those of that directory, and refuse others. */
static int take(struct mp_reading *r, int dirfd, const char *name, const char *path, struct mp_error *err)
{
	size_t before = r->file_count;
	struct mp_error why;
	struct stat st;
	int fd, status;

	if (mp_dir_look(dirfd, name, &st))
		return r->label_at && errno == ENOENT
			   ? 0 /* a job without tables */
			   : mp_references_refuse(r->refs, err, "cannot open '%s': %s", path, strerror(errno));
	if (strlen(path) > PATH_SIZE - 512)
		return mp_references_refuse(r->refs, err, "'%s' is too long a path", path);
	if (S_ISDIR(st.st_mode)) {
		fd = mp_dir_open(dirfd, name, path, &why);
		if (fd < 0)
			return mp_references_refuse(r->refs, err, "%s", why.text);
		status = take_directory(r, fd, path, err);
		close(fd); /* read only: nothing to lose */
		return status || r->label_at || r->file_count > before
			   ? status
			   : mp_references_refuse(r->refs, err, "'%s' has no .csv, .tsv or .json file", path);
	}
	if (!ends_with(path, ".csv") && !ends_with(path, ".tsv") && !ends_with(path, ".json") &&
	    !ends_with(path, ".txt"))
		return mp_references_refuse(
		    r->refs, err, "'%s' is not a reference: it is not .csv, .tsv, .json or .txt", path);
	return take_file(r, dirfd, name, path, true, err);
}

void mp_references_free(struct mp_references *refs)
{
	for (size_t i = 0; i < refs->count; i++)
		mp_table_free(&refs->items[i]);
	for (size_t i = 0; i < refs->refused_count; i++)
		free(refs->refused[i]);
	free(refs->items);
	free(refs->refused);
	memset(refs, 0, sizeof(*refs));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct mp_table *)a)->name, ((const struct mp_table *)b)->name);
}

int mp_references_read(struct mp_references *refs, const struct mp_job *job, const char *const *from, size_t from_count,
    struct mp_error *err)
{
	struct mp_reading r = {.refs = refs, .gbk = iconv_open("UTF-8", "GB18030")};
	char tables[PATH_SIZE];
	int status = 0;

	memset(refs, 0, sizeof(*refs));
	for (size_t i = 0; i < from_count && !status; i++)
		status = take(&r, AT_FDCWD, from[i], from[i], err);
	if (!from_count) {
		snprintf(tables, sizeof(tables), "%s/summary", job->path);
		r.label_at = strlen(job->path) + 1;
		status = take(&r, job->dirfd, "summary", tables, err);
	}
	mp_table_free(&r.table);
	mp_made_free(&r.made);
	if (r.gbk != (iconv_t)-1)
		iconv_close(r.gbk); /* nothing is pending in it */
	if (status)
		mp_references_free(refs);
	else if (refs->count)
		qsort(refs->items, refs->count, sizeof(*refs->items), compare_names);
	return status;
}
