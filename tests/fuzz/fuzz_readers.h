/*
 * fuzz_readers.h: everything that reads the database of a job.
 *
 * One execution of a fuzzer has one reader, which two bytes of the input choose: all of them would take a hundred times
 * as long. Where there is no fuzzer (replay.c), each input has all readers.
 */
#ifndef MP_TESTS_FUZZ_READERS_H
#define MP_TESTS_FUZZ_READERS_H

#include "fuzz_job.h"

#include "base/json.h"
#include "base/out.h"
#include "compare/side.h"
#include "import/db_export.h"
#include "import/job_db.h"
#include "insight/advise.h"
#include "page/page.h"
#include "report/formats.h"
#include "report/timeline.h"
#include "trace/trace.h"

enum { CHECKED_MAX = 4 << 20, REPORT_FAMILIES = 6, READER_ALL = -1 };

/* The reports of these folders; then the readers that have no folder. */
enum reader {
	TIMELINE,
	SUMMARY,
	STACKS,
	SHOW,
	CHECKS,
	QUERY,
	FOLDERS,
	TRACE = FOLDERS,
	ADVICE,
	AGGREGATE,
	PAGE,
	SIDE,
	EXPORT,
	READERS
};

/* What an input chooses. */
struct choice {
	enum reader reader;
	int number; /* of the report, modulo how many there are; READER_ALL */
	enum mp_style style;
};

static inline struct choice choice_of(const uint8_t bytes[2])
{
	return (struct choice){
	    (enum reader)((bytes[0] >> 1) % READERS), bytes[1], bytes[0] & 1 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT};
}

/* An open database, and what is known of it. */
struct reading {
	const struct mp_job *job;
	struct mp_db *db;
	char family[16];
	struct choice choice;
};

/* A reader that fails says why. Rows may contradict each other, but each of them has a place in our own tables. */
static void check_told(const struct mp_error *err)
{
	CHECK(err->text[0]);
	CHECK(!strstr(err->text, "cannot store"));
	CHECK(!strstr(err->text, "NOT NULL constraint failed"));
}

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
static void show_report(const struct mp_report *r, const struct reading *from, bool json)
{
	struct mp_section_options options = {.style = from->choice.style, .top = 100};
	struct mp_error err = {.text = ""};
	struct paper *p = begin_paper();
	int status = json ? mp_report_show(r, from->db, &options, as_json(p, true), &err)
			  : show_csv(r, from->db, options, p, &err);

	if (!status && json)
		mp_json_finish(&p->json);
	if (status)
		check_told(&err);
	end_paper(p, status, json);
}

static int write_one(
    const struct mp_report *r, const struct reading *from, const struct mp_query *each, struct mp_error *err)
{
	const enum reader reader = from->choice.reader;
	const enum mp_style style = from->choice.style;
	struct mp_section_options options = {.style = style};
	struct mp_timeline_stats stats;
	struct mp_team team;
	struct paper *p = begin_paper();
	int status;

	mp_team_begin(&team, from->db, 1);
	if (reader == SUMMARY)
		status = mp_report_section(r, from->db, each, &options, as_json(p, false), err);
	else if (reader == STACKS)
		status = mp_stacks_write(r, from->db, each, style, p->out, NULL, &stats, err);
	else if (strcmp(r->output.form, "array") == 0)
		status = mp_events_write(r, &team, each, style, p->out, NULL, &stats, err);
	else
		status = mp_timeline_write(r, &team, each, style, p->out, NULL, &stats, err);
	if (!status && reader == SUMMARY)
		mp_json_finish(&p->json);
	mp_team_end(&team);
	end_paper(p, status, reader != STACKS);
	return status;
}

/* Like an export: one file for each row of @each. */
static void export_report(const struct mp_report *r, const struct reading *from)
{
	struct mp_error err = {.text = ""};
	struct mp_query *each;
	char name[512];
	int status, files = 0;

	if (mp_report_query(&each, from->db, &r->each, "", "", from->choice.style, &err)) {
		check_told(&err);
		return;
	}
	while ((status = mp_query_next(each, &err)) == 1 && files++ < 8)
		if (mp_report_name(name, sizeof(name), r->output.file, each, &err) || write_one(r, from, each, &err)) {
			status = -1;
			break;
		}
	mp_query_close(each);
	if (status < 0)
		check_told(&err);
}

/* The reports of a folder, parsed once for each family that a database may claim. */
static const struct mp_reports *reports_of(const char *folder, const struct reading *from)
{
	static struct {
		const char *folder;
		char family[16];
		enum mp_style style;
		struct mp_reports reports;
	} kept[2 * REPORT_FAMILIES * (FOLDERS + 1)];
	const size_t most = sizeof(kept) / sizeof(kept[0]);
	struct mp_error err;
	size_t i = 0;

	while (i < most && kept[i].folder &&
	       (kept[i].folder != folder || kept[i].style != from->choice.style ||
		   strcmp(kept[i].family, from->family) != 0))
		i++;
	if (i == most)
		mp_reports_free(&kept[--i].reports);
	else if (kept[i].folder)
		return &kept[i].reports;
	kept[i].folder = folder;
	kept[i].style = from->choice.style;
	memcpy(kept[i].family, from->family, sizeof(kept[i].family));
	CHECK(mp_reports_load(&kept[i].reports, folder, from->family, from->choice.style, &err) == 0);
	return &kept[i].reports;
}

static void read_folder(const struct reading *from)
{
	static const char *const folders[] = {"timeline", "summary", "stacks", "show", "check", "query"};
	const struct choice c = from->choice;
	const struct mp_reports *reports = reports_of(folders[c.reader], from);
	bool facts = false;

	for (size_t i = 0; i < reports->count; i++) {
		struct mp_error err = {.text = ""};

		if (c.number != READER_ALL && (size_t)c.number % reports->count != i)
			continue;
		if (reports->items[i].facts && !facts && mp_advise_facts(from->db, from->family, &err)) {
			check_told(&err);
			return;
		}
		facts = facts || reports->items[i].facts;
		if (c.reader < SHOW)
			export_report(&reports->items[i], from);
		else
			show_report(&reports->items[i], from, c.style == MP_STYLE_VENDOR);
	}
}

static int read_trace(const struct reading *from, struct paper *p, struct mp_error *err)
{
	const struct mp_trace_options options = {.style = MP_STYLE_DEFAULT,
	    .format = from->choice.style == MP_STYLE_VENDOR ? MP_TRACE_PERFETTO : MP_TRACE_JSON,
	    .dirfd = -1};
	struct mp_timeline_stats stats;
	struct reading plain = *from;

	plain.choice.style = MP_STYLE_DEFAULT;
	return mp_trace_write(reports_of("trace", &plain), from->db, &options, p->out, &stats, err);
}

static int read_advice(const struct reading *from, struct mp_error *err)
{
	struct mp_advice advice;
	int status = mp_advise(&advice, from->db, from->family, NULL, err);

	mp_advice_free(&advice);
	return status;
}

static int read_side(const struct reading *from, struct mp_error *err)
{
	struct mp_side side;
	int status = mp_side_begin(&side, 1, err) || mp_side_read(&side, from->db, from->family, err) ? -1 : 0;

	mp_side_free(&side);
	return status;
}

static void read_by(const struct reading *from)
{
	const struct mp_page page = {
	    .db = from->db, .family = from->family, .job = from->job->name, .version = "fuzz", .dirfd = -1};
	struct paper *p = begin_paper();
	struct mp_error err = {.text = ""};
	int status = 0;

	switch (from->choice.reader) {
	case TRACE:
		status = read_trace(from, p, &err);
		break;
	case ADVICE:
		status = read_advice(from, &err);
		break;
	case AGGREGATE:
		status = mp_aggregate_open(from->db, &err) || mp_aggregate_fill(from->db, from->family, &err) ? -1 : 0;
		break;
	case PAGE:
		status = mp_page_write(&page, p->out, &err);
		break;
	case SIDE:
		status = read_side(from, &err);
		break;
	case EXPORT:
		if (mp_db_can_export(from->job->family))
			status =
			    mp_db_export(from->db, from->job, "export.db", &(struct mp_db_export_options){0}, &err);
		break;
	default:
		read_folder(from);
	}
	if (status)
		check_told(&err);
	end_paper(p, status, false);
}

/* Read an open database like every command. */
static void read_open(const struct mp_job *job, struct mp_db *db, struct choice choice)
{
	struct mp_choice wanted = {.job = job->name,
	    .model_id = -1,
	    .iteration_id = 1,
	    .iteration_count = 1,
	    .step = -1,
	    .each_step = true,
	    .grouping = "layer"};
	struct reading from = {.job = job, .db = db, .choice = choice};
	struct mp_error err = {.text = ""};
	char text[512];
	int64_t gone;
	bool fresh;

	if (mp_job_db_fresh(db, job, embedded_layouts(), 0, &fresh, &err) || mp_job_db_gone(db, job, &gone, &err) ||
	    mp_job_db_loss(db, text, sizeof(text), &err) ||
	    mp_job_db_meta(db, "family", from.family, sizeof(from.family), &err) || mp_db_choose(db, &wanted, &err))
		check_told(&err);
	else
		read_by(&from);
}

/* Open the job's database, and read it by the reader that two bytes choose; without a fuzzer by all, one after the
 * other. */
static void read_database(const struct mp_job *job, const uint8_t bytes[2])
{
	for (int i = 0; i < (is_replay() ? 2 * READERS : 1); i++) {
		struct choice all = {(enum reader)(i / 2), READER_ALL, i % 2 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT};
		struct mp_error err = {.text = ""};
		struct mp_db *db;

		if (mp_job_db_open(&db, job, 0, &err)) {
			check_told(&err);
			return;
		}
		read_open(job, db, is_replay() ? all : choice_of(bytes));
		mp_db_close(db);
	}
}

#endif
