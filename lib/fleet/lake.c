/* lake.c: the rows of a job wait beside their places, and get their names when it is complete. */
#define _GNU_SOURCE /* memmem */
#include "fleet/lake.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "base/packer.h"
#include "base/schema.h"

#define PART_END ".part"
#define EMPTY_PART ".empty" PART_END

enum { NAME_SIZE = 64, HEAD_SIZE = 128, DAY_S = 86400 };

static const char *const table_names[] = {
    "job", "step", "operator", "communication", "link", "job_label", "task", "word"};
enum { TABLE_COUNT = sizeof(table_names) / sizeof(table_names[0]) };

struct lake_table {
	const char *name; /* of table_names */
	int dirfd, fd;    /* its day, and the file; -1: no row came */
	struct mp_out *out;
};

struct mp_lake {
	int dirfd;
	/* "JOB-LOAD.ndjson.gz", and what it is called as long as it waits: engines skip names that begin with a dot */
	char file[NAME_SIZE], part[NAME_SIZE];
	struct mp_wire_job job;
	struct lake_table tables[TABLE_COUNT]; /* that of jobs is the first */
	struct lake_table *current;
	char day[16];
};

static void close_if(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Remove what waits of this job. */
static void drop(struct mp_lake *l)
{
	for (struct lake_table *t = l->tables; t < l->tables + TABLE_COUNT; t++) {
		mp_out_abort(t->out);
		if (t->fd >= 0)
			mp_part_discard(t->dirfd, t->fd, l->part);
		close_if(&t->dirfd);
		t->fd = -1;
		t->out = NULL;
	}
	l->current = NULL;
}

static int begin_job(struct mp_lake *l, const void *bytes, size_t size, struct mp_error *err)
{
	if (size != sizeof(l->job))
		return mp_fail(err, "a job cannot be read");
	memcpy(&l->job, bytes, size);
	snprintf(l->file, sizeof(l->file), "%" PRId64 "-%" PRId64 ".ndjson.gz", l->job.job, l->job.load);
	snprintf(l->part, sizeof(l->part), ".%" PRId64 "-%" PRId64 PART_END, l->job.job, l->job.load);
	snprintf(l->day, sizeof(l->day), "1970-01-01");
	return 0;
}

/* "TABLE\nCOLUMNS" */
static int begin_table(struct mp_lake *l, const char *bytes, size_t size, struct mp_error *err)
{
	const char *end = memchr(bytes, '\n', size);
	size_t len = end ? (size_t)(end - bytes) : size;

	for (l->current = l->tables; l->current < l->tables + TABLE_COUNT; l->current++)
		if (strlen(l->current->name) == len && memcmp(l->current->name, bytes, len) == 0)
			return 0;
	return mp_fail(err, "an unknown table '%.*s'", (int)len, bytes);
}

/* The day of a job from its row: a key is never within a text, because its quotes would be escaped there. */
static void read_day(struct mp_lake *l, const char *row, size_t size)
{
	static const char key[] = "\"started_ns\":";
	const char *at = memmem(row, size, key, strlen(key));
	char number[24] = "";
	time_t begun_s;
	struct tm when;

	if (at) /* the row has no NUL at its end */
		snprintf(
		    number, sizeof(number), "%.*s", (int)((size_t)(row + size - at) - strlen(key)), at + strlen(key));
	begun_s = (time_t)(strtoll(number, NULL, 10) / 1000000000);

	if (begun_s > 0 && begun_s < (int64_t)253402300800 && gmtime_r(&begun_s, &when)) /* before the year 10000 */
		strftime(l->day, sizeof(l->day), "%Y-%m-%d", &when);
}

/* Open TABLE/day=DAY. */
static int open_day(const struct mp_lake *l, const char *table, struct mp_error *err)
{
	char name[32];
	int dirfd = mp_dir_make(l->dirfd, table, table, err), daydir = -1;

	snprintf(name, sizeof(name), "day=%s", l->day);
	if (dirfd >= 0)
		daydir = mp_dir_make(dirfd, name, name, err);
	close_if(&dirfd);
	return daydir;
}

static int open_file(struct mp_lake *l, struct lake_table *t, struct mp_error *err)
{
	t->dirfd = open_day(l, t->name, err);
	if (t->dirfd >= 0)
		t->fd = mp_part_create(t->dirfd, l->part, l->file, err);
	return t->fd < 0 || mp_out_fd(&t->out, t->fd, l->file, err) ? -1 : mp_gzip_out(t->out, 1, err);
}

static int take_rows(struct mp_lake *l, const char *bytes, size_t size, struct mp_error *err)
{
	if (!l->current || l->current == l->tables + TABLE_COUNT)
		return mp_fail(err, "rows without a table");
	if (l->current == l->tables)
		read_day(l, bytes, size);
	if (!l->current->out && open_file(l, l->current, err))
		return -1;
	mp_out_write(l->current->out, bytes, size);
	return mp_out_error(l->current->out, err);
}

/* A name that begins so. */
static bool begins(const void *user, const char *name)
{
	return strncmp(name, user, strlen(user)) == 0;
}

/* Remove the files of earlier loads of the job. */
static int remove_earlier(const struct mp_lake *l, int daydir, const char *table, struct mp_error *err)
{
	struct mp_dir_names names = {.count = 0};
	char begin[NAME_SIZE];
	int status;

	snprintf(begin, sizeof(begin), "%" PRId64 "-", l->job.job);
	status = mp_dir_list(&names, daydir, begins, begin, table, err);
	for (size_t i = 0; i < names.count && !status; i++)
		if (strcmp(names.items[i], l->file) < 0 && unlinkat(daydir, names.items[i], 0))
			status = mp_fail_errno(err, "cannot remove '%s' of '%s'", names.items[i], table);
	mp_dir_names_free(&names);
	return status;
}

/* All files of the load are whole before the first gets its name, and that of the job gets it last. */
static int end_job(struct mp_lake *l, struct mp_error *err)
{
	int status = l->tables[0].out ? 0 : mp_fail(err, "a job without a row");

	for (struct lake_table *t = l->tables; t < l->tables + TABLE_COUNT && !status; t++)
		if (t->out) {
			status = mp_out_commit(t->out, err);
			t->out = NULL;
		}
	for (struct lake_table *t = l->tables + TABLE_COUNT; t-- > l->tables && !status;)
		if (t->fd >= 0) {
			status = mp_part_publish(t->dirfd, t->fd, l->part, l->file, true, l->file, err);
			t->fd = -1;
		}
	for (struct lake_table *t = l->tables; t < l->tables + TABLE_COUNT && !status; t++) {
		int daydir = open_day(l, t->name, err);

		status = daydir < 0 || remove_earlier(l, daydir, t->name, err) ? -1 : 0;
		close_if(&daydir);
	}
	drop(l);
	return status;
}

int mp_lake_take(struct mp_lake *l, enum mp_wire_kind kind, const void *bytes, size_t size, struct mp_error *err)
{
	switch (kind) {
	case MP_WIRE_JOB:
		return begin_job(l, bytes, size, err);
	case MP_WIRE_TABLE:
	case MP_WIRE_BULK:
		return begin_table(l, bytes, size, err);
	case MP_WIRE_DATA:
		return take_rows(l, bytes, size, err);
	case MP_WIRE_END:
		return end_job(l, err);
	default:
		drop(l);
		return 0;
	}
}

void mp_lake_free(struct mp_lake *l)
{
	if (!l)
		return;
	drop(l);
	close_if(&l->dirfd);
	free(l);
}

int mp_lake_open(struct mp_lake **lake, const char *path, struct mp_error *err)
{
	struct mp_lake *l = calloc(1, sizeof(*l));

	*lake = NULL;
	if (!l)
		return mp_fail_memory(err, "rows");
	for (size_t i = 0; i < TABLE_COUNT; i++)
		l->tables[i] = (struct lake_table){.name = table_names[i], .dirfd = -1, .fd = -1};
	l->dirfd = mp_named_dir(path, err);
	if (l->dirfd < 0 || mp_dir_is_missing(l->dirfd, "duckdb.sql")) {
		if (l->dirfd >= 0)
			mp_error_set(
			    err, "'%s' has no tables of msprof: 'msprof publish --to URL --init' makes them", path);
		mp_lake_free(l);
		return -1;
	}
	*lake = l;
	return 0;
}

/* Another's file under the name of a text stays. Ours begins with what it is for. */
static int refuse_foreign(int dirfd, const char *path, const struct mp_schema_file *f, struct mp_error *err)
{
	const char *name = strrchr(f->path, '/') + 1;
	const size_t len = strcspn(f->text, ":");
	char head[HEAD_SIZE];
	bool is_ours;
	int fd;

	if (mp_dir_is_missing(dirfd, name))
		return 0;
	fd = mp_dir_open_file(dirfd, name, NULL);
	is_ours = fd >= 0 && len <= sizeof(head) && mp_file_read(fd, head, len, 0) == (ssize_t)len &&
		  memcmp(head, f->text, len) == 0;
	if (fd >= 0)
		close(fd); /* only read */
	return is_ours ? 0
		       : mp_fail(err, "'%s/%s' is not of msprof and stays: give the tables a directory of their own",
			     path, name);
}

/* Write a text of the schema, {dir} being the path. */
static int write_text(int dirfd, const char *path, const struct mp_schema_file *f, struct mp_error *err)
{
	const char *name = strrchr(f->path, '/') + 1, *text = f->text;
	struct mp_out *out;

	if (mp_out_create(&out, dirfd, name, name, err))
		return -1;
	for (const char *place; (place = strstr(text, "{dir}")) != NULL; text = place + strlen("{dir}")) {
		mp_out_write(out, text, (size_t)(place - text));
		for (const char *c = path; *c; c++) {
			mp_out_char(out, *c);
			if (*c == '\'')
				mp_out_char(out, '\'');
		}
	}
	mp_out_text(out, text);
	return mp_out_commit(out, err);
}

/* An engine refuses a table without a file: each has one without a row. */
static int make_table(const struct mp_lake *l, const char *name, struct mp_error *err)
{
	int daydir = open_day(l, name, err), fd;

	if (daydir < 0)
		return -1;
	fd = mp_part_create(daydir, EMPTY_PART, name, err);
	fd = fd < 0 ? -1 : mp_part_publish(daydir, fd, EMPTY_PART, "empty.ndjson", true, name, err);
	close(daydir);
	return fd;
}

/* What waits for its name. */
static bool waits(const void *unused, const char *name)
{
	const size_t len = strlen(name), end = strlen(PART_END);

	(void)unused;
	return *name == '.' && len > end && strcmp(name + len - end, PART_END) == 0;
}

/* Remove what waits for more than a day: its load was cut. */
static int sweep(int daydir, const char *table, struct mp_error *err)
{
	struct mp_dir_names names = {.count = 0};
	int status = mp_dir_list(&names, daydir, waits, NULL, table, err);

	for (size_t i = 0; i < names.count && !status; i++) {
		struct stat st;

		if (mp_dir_look(daydir, names.items[i], &st) == 0 && st.st_mtime < time(NULL) - DAY_S &&
		    unlinkat(daydir, names.items[i], 0))
			status = mp_fail_errno(err, "cannot remove '%s' of '%s'", names.items[i], table);
	}
	mp_dir_names_free(&names);
	return status;
}

static int sweep_table(const struct mp_lake *l, const char *table, struct mp_error *err)
{
	struct mp_dir_names days = {.count = 0};
	int dirfd = mp_dir_open(l->dirfd, table, table, err);
	int status = dirfd < 0 || mp_dir_list(&days, dirfd, begins, "day=", table, err) ? -1 : 0;

	for (size_t i = 0; i < days.count && !status; i++) {
		int daydir = mp_dir_open(dirfd, days.items[i], days.items[i], err);

		status = daydir < 0 || sweep(daydir, table, err) ? -1 : 0;
		close_if(&daydir);
	}
	mp_dir_names_free(&days);
	close_if(&dirfd);
	return status;
}

int mp_lake_prepare(const char *path, struct mp_error *err)
{
	static const char folder[] = "fleet/lake/";
	struct mp_lake l = {.day = "1970-01-01"};
	int status = 0;

	if (mkdir(path, 0750) && errno != EEXIST)
		return mp_fail_errno(err, "cannot make '%s'", path);
	l.dirfd = mp_named_dir(path, err);
	if (l.dirfd < 0)
		return -1;
	for (const struct mp_schema_file *f = mp_schema_files; f->path && !status; f++)
		if (strncmp(f->path, folder, strlen(folder)) == 0)
			status = refuse_foreign(l.dirfd, path, f, err);
	for (size_t i = 0; i < TABLE_COUNT && !status; i++)
		status = make_table(&l, table_names[i], err) || sweep_table(&l, table_names[i], err) ? -1 : 0;
	for (const struct mp_schema_file *f = mp_schema_files; f->path && !status; f++)
		if (strncmp(f->path, folder, strlen(folder)) == 0)
			status = write_text(l.dirfd, path, f, err);
	close(l.dirfd);
	return status;
}
