/* cmd_show.c: msprof show and msprof check. Reports as tables in the terminal, or as CSV or JSON on stdout. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "report/csv.h"
#include "report/json.h"
#include "session.h"
#include "table.h"
#include "term.h"

enum { TOP_ON_TERMINAL = 50 };

/* The writer that --format asks for, on stdout. */
struct face {
	struct mp_out *out;
	struct table *table;
	struct mp_csv csv;
	struct mp_json json;
	struct mp_writer *writer;
};

static int open_face(struct face *f, const struct options *o, struct mp_error *err)
{
	const char *format = options_has(o, OPTION_FORMAT) ? o->values[OPTION_FORMAT] : "table";
	struct term term = term_inspect(STDOUT_FILENO);
	struct table_options table = {.width = term.width, .colour = term.colour};

	memset(f, 0, sizeof(*f));
	if (mp_out_fd(&f->out, STDOUT_FILENO, "standard output", err))
		return -1;
	if (strcmp(format, "csv") == 0) {
		mp_csv_init(&f->csv, f->out, false, true);
		f->writer = &f->csv.writer;
	} else if (strcmp(format, "json") == 0) {
		mp_json_init(&f->json, f->out, true);
		f->writer = &f->json.writer;
	} else {
		if (table_create(&f->table, f->out, &table, err))
			return -1;
		f->writer = table_writer(f->table);
	}
	return 0;
}

static int close_face(struct face *f, int status, struct mp_error *err)
{
	struct mp_error second;

	if (!status && f->writer == &f->json.writer)
		mp_json_finish(&f->json);
	/* what was printed before a failure still reaches the reader, but the first error is the one to report */
	if (f->out && mp_out_flush(f->out, status ? &second : err))
		status = -1;
	table_free(f->table);
	mp_out_abort(f->out);
	return status;
}

/* A column that no table has is an error before anything is printed. */
static int check_sort(const struct mp_reports *reports, struct mp_db *db, const char *sort, struct mp_error *err)
{
	bool has = false;

	for (size_t i = 0; sort && !has && i < reports->count; i++)
		if (mp_report_has_column(&reports->items[i], db, sort, &has, err))
			return -1;
	return sort && !has ? mp_fail(err, "--sort: no table has a column '%s'", sort) : 0;
}

static int write_tables(struct session *s, const struct mp_job *job, struct mp_db *db, const char *kind,
    struct mp_writer *w, struct mp_error *err)
{
	const struct options *o = s->options;
	struct mp_section_options section = {.job = s->several ? job->name : NULL, .sort = o->values[OPTION_SORT], .top = o->top};
	struct mp_reports reports;
	struct facts facts;
	int status;

	if (section.top < 0)
		section.top = term_inspect(STDOUT_FILENO).tty ? TOP_ON_TERMINAL : 0;
	if (session_choose(s, job, db, err) || session_facts(s, db, &facts, err) ||
	    mp_reports_load(&reports, kind, facts.family, facts.style, err))
		return -1;
	section.style = facts.style;
	status = check_sort(&reports, db, section.sort, err);
	for (size_t i = 0; !status && i < reports.count; i++)
		status = mp_report_show(&reports.items[i], db, &section, w, err);
	mp_reports_free(&reports);
	return status;
}

static void print_job_name(struct mp_out *out, const struct mp_job *job)
{
	char name[1024];
	size_t len = mp_sanitise(name, sizeof(name), job->path, strlen(job->path));

	mp_out_text(out, "Job : ");
	mp_out_write(out, name, len);
	mp_out_text(out, "\n\n");
}

static int print_job(struct session *s, const struct mp_job *job, const char *kind, bool may_write)
{
	struct mp_db *db = session_database(s, job, may_write);
	struct mp_error err;
	struct face face;
	int status;

	if (!db)
		return EXIT_FAILED;
	status = open_face(&face, s->options, &err);
	if (!status && s->several && face.table)
		print_job_name(face.out, job);
	if (!status)
		status = write_tables(s, job, db, kind, face.writer, &err);
	status = close_face(&face, status, &err);
	if (status) {
		message_error("%s", err.text);
		status = EXIT_FAILED;
	} else {
		status = session_verdict(s, job, db);
	}
	mp_db_close(db);
	return status;
}

/* The vendor's show leaves these directories behind, and scripts rely on it. A PROF directory has none. */
static void make_directories(const struct mp_job *job)
{
	struct mp_error err;
	int fd = job->family == MP_FAMILY_PROF ? -1 : mp_dir_make(job->dirfd, "timeline", "timeline", &err);

	if (fd >= 0)
		close(fd);
	session_log(job, "Show \"%s\"", job->name);
}

static int show_job(struct session *s, const struct mp_job *job)
{
	int status = print_job(s, job, "show", true);

	if (status != EXIT_FAILED && faccessat(job->dirfd, ".", W_OK, 0) == 0)
		make_directories(job);
	return status;
}

static int check_job(struct session *s, const struct mp_job *job)
{
	return print_job(s, job, "check", false);
}

int command_show(const struct command *command, const struct options *options)
{
	(void)command;
	return session_each(options, show_job);
}

static int query_job(struct session *s, const struct mp_job *job)
{
	return print_job(s, job, "query", true);
}

int command_query(const struct command *command, const struct options *options)
{
	(void)command;
	return session_each(options, query_job);
}

int command_check(const struct command *command, const struct options *options)
{
	(void)command;
	return session_each(options, check_job);
}
