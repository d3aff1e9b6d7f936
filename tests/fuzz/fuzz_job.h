/*
 * fuzz_job.h: whole jobs for fuzz targets: files packed into one input, and all outputs of msprof for a job.
 *
 * A packed job is a list of files. Each file is a byte with the length of its name, the name below the job, two bytes
 * of size (low byte first), and its bytes. pack.py packs a directory. Names that lead out of the job are skipped. The
 * job is in a directory that is removed with the process.
 */
#ifndef MP_TESTS_FUZZ_JOB_H
#define MP_TESTS_FUZZ_JOB_H

#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/json_check.h"
#include "base/out.h"
#include "insight/advise.h"
#include "raw/job.h"
#include "report/csv.h"
#include "report/events.h"
#include "report/json.h"
#include "report/sheet.h"
#include "report/timeline.h"
#include "import/db_export.h"
#include "import/import.h"
#include "import/job_db.h"

const char *__asan_default_options(void);

/* Freed memory is watched only for a while, so that a job does not need new pages for everything. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16:malloc_context_size=8:max_malloc_fill_size=0";
}

static char job_base[256], job_path[300]; /* below $TMPDIR; JOBFUZZ in it */

static void remove_below(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_below(fd, entry->d_name);
	if (dir)
		closedir(dir);
	unlinkat(dirfd, name, dir ? AT_REMOVEDIR : 0);
}

static void remove_base(void)
{
	remove_below(AT_FDCWD, job_base);
}

static void make_base(void)
{
	const char *place = getenv("TMPDIR");

	if (job_base[0])
		return;
	snprintf(job_base, sizeof(job_base), "%.200s/msprof-fuzz.XXXXXX", place && *place ? place : "/tmp");
	CHECK(mkdtemp(job_base));
	snprintf(job_path, sizeof(job_path), "%s/JOBFUZZ", job_base);
	atexit(remove_base);
}

/* Names of at most three parts; no part begins with a dot. */
static bool is_name(const char *name)
{
	int parts = 1;

	for (const char *c = name; *c; c++) {
		if (*c == '/' && ++parts > 3)
			return false;
		if (*c == '/' && (c == name || !c[1] || c[1] == '/'))
			return false;
		if (*c == '.' && (c == name || c[-1] == '/'))
			return false;
	}
	return *name != '\0';
}

static void write_job_file(int jobfd, char *name, const uint8_t *bytes, size_t size)
{
	int fd;

	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdirat(jobfd, name, 0700);
		*slash = '/';
	}
	fd = openat(jobfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return; /* a file has the name of the directory */
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

/* Unpack the job anew. */
static void unpack_job(const uint8_t *data, size_t size)
{
	int jobfd;

	make_base();
	remove_below(AT_FDCWD, job_path);
	CHECK(mkdir(job_path, 0700) == 0);
	jobfd = open(job_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(jobfd >= 0);
	for (size_t at = 0; at < size;) {
		char name[256];
		size_t len = data[at++], bytes;

		if (size - at < len + 2)
			break;
		memcpy(name, data + at, len);
		name[len] = '\0';
		at += len;
		bytes = data[at] | (size_t)data[at + 1] << 8;
		at += 2;
		bytes = bytes < size - at ? bytes : size - at;
		if (is_name(name))
			write_job_file(jobfd, name, data + at, bytes);
		at += bytes;
	}
	close(jobfd);
}

/* ---------------------------------------------------------------- everything that reads a database */

enum { CHECKED_MAX = 4 << 20 };

/* The output is one JSON value, unless it is too long to check. */
static void check_json(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text;

	if (size < 0 || size > CHECKED_MAX)
		return;
	text = malloc((size_t)size + 8);
	CHECK(text);
	memcpy(text, "{\"a\":", 5);
	CHECK(pread(fd, text + 5, (size_t)size, 0) == size);
	text[size + 5] = '}';
	CHECK(mp_json_is_object(text, (size_t)size + 6));
	free(text);
}

/* Keeps one file or document in memory. */
struct paper {
	int fd;
	struct mp_out *out;
	struct mp_csv csv;
	struct mp_sheet sheet;
	struct mp_json json;
};

/* Reuse the buffer: a new buffer for each report would take longer than the report. */
static struct paper *begin_paper(void)
{
	static struct paper p = {.fd = -1};
	struct mp_error err;

	if (p.fd < 0) {
		p.fd = memory_file("", 0);
		CHECK(mp_out_fd(&p.out, p.fd, "memory", &err) == 0);
	}
	return &p;
}

static void end_paper(struct paper *p, int status, bool is_json)
{
	struct mp_error err;

	CHECK(mp_out_flush(p->out, &err) == 0);
	if (!status && is_json)
		check_json(p->fd);
	CHECK(ftruncate(p->fd, 0) == 0 && lseek(p->fd, 0, SEEK_SET) == 0);
}

static struct mp_writer *as_json(struct paper *p, bool sections)
{
	mp_json_init(&p->json, p->out, sections);
	return &p->json.writer;
}

/* All sections of a report in one table: first the titles, then the rows. */
static int show_csv(const struct mp_report *r, struct mp_db *db, struct mp_section_options options, struct paper *p,
    struct mp_error *err)
{
	int status;

	mp_csv_init(&p->csv, p->out, false);
	mp_sheet_init(&p->sheet, &p->csv.writer);
	options.titles_only = true;
	status = mp_report_show(r, db, &options, &p->sheet.writer, err) || mp_sheet_begin(&p->sheet, err) ? -1 : 0;
	options.titles_only = false;
	if (!status)
		status = mp_report_show(r, db, &options, &p->sheet.writer, err);
	mp_sheet_free(&p->sheet);
	return status;
}

/* Like the command line: all sections in one document. */
static void show_report(const struct mp_report *r, struct mp_db *db, enum mp_style style, bool json)
{
	struct mp_section_options options = {.style = style, .top = 100};
	struct mp_error err = {""};
	struct paper *p = begin_paper();
	int status = json ? mp_report_show(r, db, &options, as_json(p, true), &err) : show_csv(r, db, options, p, &err);

	if (!status && json)
		mp_json_finish(&p->json);
	CHECK(!status || err.text[0]);
	end_paper(p, status, json);
}

static int write_one(const struct mp_report *r, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    bool timeline, struct mp_error *err)
{
	struct mp_section_options options = {.style = style};
	struct mp_timeline_stats stats;
	struct mp_team team;
	struct paper *p = begin_paper();
	int status;

	mp_team_begin(&team, db, 1);
	if (!timeline)
		status = mp_report_section(r, db, each, &options, as_json(p, false), err);
	else if (strcmp(r->form, "array") == 0)
		status = mp_events_write(r, &team, each, style, p->out, NULL, &stats, err);
	else
		status = mp_timeline_write(r, &team, each, style, p->out, NULL, &stats, err);
	if (!status && !timeline)
		mp_json_finish(&p->json);
	mp_team_end(&team);
	end_paper(p, status, true);
	return status;
}

/* Like an export: one file for each row of @each. */
static void export_report(const struct mp_report *r, struct mp_db *db, enum mp_style style, bool timeline)
{
	struct mp_error err = {""};
	struct mp_query *each;
	char name[512];
	int status, files = 0;

	if (mp_report_query(&each, db, &r->each, "", "", style, &err))
		status = -1;
	else {
		while ((status = mp_query_next(each, &err)) == 1 && files++ < 8)
			if (mp_report_name(name, sizeof(name), r->file, each, &err) ||
			    write_one(r, db, each, style, timeline, &err)) {
				status = -1;
				break;
			}
		mp_query_close(each);
	}
	CHECK(status >= 0 || err.text[0]);
}

static bool has_facts(const struct mp_reports *reports)
{
	for (size_t i = 0; i < reports->count; i++)
		if (reports->items[i].facts)
			return true;
	return false;
}

/* Run every report of the job's family, of all kinds. */
static void read_all(const struct mp_job *job, struct mp_db *db, enum mp_style style)
{
	static const char *const kinds[] = {"timeline", "summary", "show", "check", "query"};
	struct mp_choice choice = {.job = job->name,
	    .model_id = -1,
	    .iteration_id = 1,
	    .iteration_count = 1,
	    .step = -1,
	    .each_step = true,
	    .grouping = "layer"};
	struct mp_error err = {""};
	struct mp_reports reports;
	char family[16], text[512];

	if (mp_job_db_loss(db, text, sizeof(text), &err) ||
	    mp_job_db_meta(db, "family", family, sizeof(family), &err) || mp_db_choose(db, &choice, &err))
		return;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		CHECK(mp_reports_load(&reports, kinds[i], family, style, &err) == 0);
		if (has_facts(&reports) && mp_advise_facts(db, family, &err)) {
			CHECK(err.text[0]);
			mp_reports_free(&reports);
			continue;
		}
		for (size_t k = 0; k < reports.count; k++)
			if (i < 2)
				export_report(&reports.items[k], db, style, i == 0);
			else
				show_report(&reports.items[k], db, style, style == MP_STYLE_VENDOR);
		mp_reports_free(&reports);
	}
}

/* Open the job's database like every command, and read it in one style. */
static void read_database(const struct mp_job *job, enum mp_style style)
{
	struct mp_error err = {""};
	struct mp_db *db;
	int64_t gone;
	bool fresh;

	if (mp_job_db_open(&db, job, 0, &err)) {
		CHECK(err.text[0]);
		return;
	}
	if (mp_job_db_fresh(db, job, embedded_layouts(), 0, &fresh, &err) == 0 &&
	    mp_job_db_gone(db, job, &gone, &err) == 0)
		read_all(job, db, style);
	if (mp_db_can_export(job->family))
		mp_db_export(db, job, "export.db", &(struct mp_db_export_options){0}, &err);
	mp_db_close(db);
}

#endif
