/* cmd_show.c: msprof show, query and check: the reports of jobs as tables in the terminal, or as CSV or JSON. The
 * reports are those of the folder with the name of the command. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/say.h"
#include "insight/advise.h"
#include "job_run.h"
#include "printer.h"
#include "process.h"
#include "terminal.h"

enum { TOP_ON_TERMINAL = 50 };

/* The titles of all columns, once each, as ", A, B, "; and the title nearest to that of --sort. */
struct titles {
	struct suggestion near;
	char text[1800];
	size_t used;
};

/* The state of a command that prints tables. */
struct print {
	struct printer printer;
	const char *kind; /* the folder of its reports */
	bool may_write;   /* import data that is not parsed yet */
	struct titles titles;
};

static void add_title(void *user, const char *title)
{
	struct titles *t = user;
	char item[SUGGESTION_MAX + 4], bare[SUGGESTION_MAX];
	int len = snprintf(item, sizeof(item), ", %s, ", title);

	if (len >= (int)sizeof(item) || strstr(t->text, item) || t->used + (size_t)len >= sizeof(t->text))
		return;
	t->used += (size_t)snprintf(t->text + t->used, sizeof(t->text) - t->used, "%s", t->used ? item + 2 : item);
	/* titles are found without their units, too */
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(title, "("), title);
	suggest_offer(&t->near, bare);
}

/* Refuse a column that no table has before anything is printed. */
static int check_column(
    const struct mp_reports *reports, struct mp_db *db, const char *name, struct titles *titles, struct mp_error *err)
{
	bool has = false;

	*titles = (struct titles){.near = {.word = name}};
	for (size_t i = 0; !has && i < reports->count; i++)
		if (mp_report_has_column(&reports->items[i], db, name, &has, add_title, titles, err))
			return -1;
	if (has) {
		titles->used = 0;
		return 0;
	}
	return titles->near.best[0] ? mp_fail(err, "column '%s' not found; did you mean '%s'?", name, titles->near.best)
				    : mp_fail(err, "column '%s' not found", name);
}

static int check_columns(const struct mp_reports *reports, struct mp_db *db, const struct mp_section_options *section,
    struct titles *titles, struct mp_error *err)
{
	char name[SUGGESTION_MAX];

	if (section->sort && check_column(reports, db, section->sort, titles, err))
		return -1;
	for (const char *list = section->columns; list; list = *list ? list : NULL) {
		list += mp_report_next_name(name, sizeof(name), list);
		if (check_column(reports, db, name, titles, err))
			return -1;
	}
	return 0;
}

/* Print the titles of CSV: the columns of the first job's table are those of all jobs. */
static int begin_sheet(struct printer *f, const struct mp_reports *reports, struct mp_db *db,
    struct mp_section_options section, struct mp_error *err)
{
	section.titles_only = true;
	for (size_t i = 0; i < reports->count; i++)
		if (mp_report_show(&reports->items[i], db, &section, f->writer, err))
			return -1;
	return mp_sheet_begin(f->sheet, err);
}

static bool is_vendor(const struct options *o)
{
	return options_has(o, OPTION_STYLE) && strcmp(o->values[OPTION_STYLE], "vendor") == 0;
}

/* Whether the user asks for more than the first screen. */
static bool is_chosen(const struct options *o)
{
	return options_has(o, OPTION_TABLE) || options_has(o, OPTION_EACH) || options_has(o, OPTION_MODEL_ID) ||
	       options_has(o, OPTION_PICTURE) || options_has(o, OPTION_ITERATION_ID);
}

/* Some reports read what the whole job was summed up to; the verdict sums that up. */
static int make_facts(struct mp_advice *advice, bool with_verdict, const struct mp_reports *reports, struct mp_db *db,
    const char *family, struct mp_error *err)
{
	if (with_verdict)
		return mp_advise(advice, db, family, NULL, err);
	for (size_t i = 0; i < reports->count; i++)
		if (reports->items[i].facts)
			return mp_advise_facts(db, family, err);
	return 0;
}

/* Whether one screen of a terminal is wanted. */
static bool is_first_screen(const struct print *p, const struct options *o)
{
	return p->printer.table && term_output().tty && !is_vendor(o) && !is_chosen(o) && !options_has(o, OPTION_TOP) &&
	       !options_has(o, OPTION_SORT) && !options_has(o, OPTION_COLUMNS);
}

/* The most rows of a table; 0: all. */
static int64_t top_of(const struct mp_report *report, const struct print *p, const struct options *o)
{
	if (options_has(o, OPTION_TOP))
		return options_number(o, OPTION_TOP);
	if (!p->printer.table || !term_output().tty)
		return 0;
	return report->table.top && !is_vendor(o) && !is_chosen(o) ? report->table.top : TOP_ON_TERMINAL;
}

/* Whether a report has a table for this data: rows, or the reason for an empty one. -1 with err. */
static int has_table(const struct mp_report *report, struct mp_db *db, enum mp_style style, struct mp_error *err)
{
	struct mp_query *each;
	int status;

	if (report->why.text)
		return 1;
	if (mp_report_query(&each, db, &report->each, "", "", style, err))
		return -1;
	status = mp_query_next(each, err);
	mp_query_close(each);
	return status;
}

/* Name the tables that the first screen leaves out. */
static int name_further(
    struct print *p, const struct mp_reports *reports, struct mp_db *db, enum mp_style style, struct mp_error *err)
{
	struct mp_writer *w = p->printer.writer;
	char names[512];
	const struct mp_section s = {.title = "Further tables", .heading = names};
	size_t used = 0;
	int has = 0;

	for (size_t i = 0; i < reports->count && has >= 0; i++) {
		has = reports->items[i].table.later ? has_table(&reports->items[i], db, style, err) : 0;
		if (has > 0 && used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used ? ", " : "",
			    mp_report_title(&reports->items[i], style));
	}
	if (used && used < sizeof(names))
		snprintf(
		    names + used, sizeof(names) - used, "\n    %s", mp_say_word("--table NAME prints one, --each all"));
	return has < 0 || (used && (w->section(w, &s, err) || w->end(w, 0, err))) ? -1 : 0;
}

/* Print the rows of the SELECT of --sql. Those that --top leaves out are not counted: that may take for ever. */
static int write_select(
    struct print *p, const struct options *o, const char *job, struct mp_db *db, struct mp_error *err)
{
	static const char *const keys[] = {"job"};
	const struct mp_value name = mp_string(job);
	const int64_t top = options_has(o, OPTION_TOP) ? options_number(o, OPTION_TOP)
			    : term_output().tty        ? TOP_ON_TERMINAL
						       : 0;
	struct mp_section section = {.title = "SQL", .heading = "", .key_names = keys, .keys = &name, .key_count = 1};
	struct mp_writer *w = p->printer.writer;
	struct mp_report_row row;
	struct mp_query *q;
	int64_t rows = 0;
	int status;

	if (mp_query_open_select(&q, db, o->values[OPTION_SQL], err))
		return -1;
	status = mp_report_row(&row, q, err);
	section.titles = row.titles;
	section.column_count = row.count;
	if (!status && printer_wants_titles(&p->printer))
		status = w->section(w, &section, err) || w->end(w, 0, err) || mp_sheet_begin(p->printer.sheet, err);
	if (!status)
		status = w->section(w, &section, err);
	while (!status && (status = mp_query_next(q, err)) == 1) {
		if (top && rows++ == top) {
			if (term_output().tty)
				message_info(o, "more rows follow: --top 0 prints all");
			status = 0;
			break;
		}
		status = mp_report_row(&row, q, err) || w->row(w, row.values, err) ? -1 : 0;
	}
	mp_query_close(q);
	return status || w->end(w, 0, err) ? -1 : 0;
}

/* What a user asks for may have no end, and SQLite sorts it in files: these have one. */
static int write_limited(
    struct print *p, const struct options *o, const char *job, struct mp_db *db, struct mp_error *err)
{
	int64_t bytes;
	int status = mp_db_size(db, &bytes, err);

	if (status)
		return -1;
	budget_database_begin(bytes);
	status = write_select(p, o, job, db, err);
	budget_database_end();
	return status;
}

static int write_tables(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const struct options *o = s->options;
	struct print *p = s->user;
	const bool is_all = options_has(o, OPTION_COLUMNS) && strcmp(o->values[OPTION_COLUMNS], "all") == 0;
	struct mp_section_options section = {.job = job->name,
	    .sort = o->values[OPTION_SORT],
	    .columns = is_all ? NULL : o->values[OPTION_COLUMNS],
	    .all = is_all,
	    .anyway = options_has(o, OPTION_ANYWAY)};
	struct mp_reports reports;
	struct mp_advice advice = {.finding_count = 0};
	/* the tables begin with what `advise` says of the job */
	const bool has_verdict =
	    strcmp(p->kind, "show") == 0 && p->printer.table && !is_vendor(o) && !options_has(o, OPTION_TABLE);
	const bool first = is_first_screen(p, o);
	struct facts facts;
	int status;

	if (job_run_choose(s, job, db, err))
		return -1;
	if (options_has(o, OPTION_SQL))
		return write_limited(p, o, job->name, db, err);
	if (job_run_facts(s, db, &facts, err) || job_run_check_model(s, db, facts.family, err) ||
	    mp_reports_load(&reports, p->kind, facts.family, is_vendor(o) ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT, err))
		return -1;
	section.style = facts.style;
	status = table_choice_apply(&reports, o->values[OPTION_TABLE], err) ||
		 make_facts(&advice, has_verdict, &reports, db, facts.family, err) ||
		 check_columns(&reports, db, &section, &p->titles, err) ||
		 mp_verdict_write(&advice, p->printer.writer, err);
	mp_advice_free(&advice);
	if (!status && printer_wants_titles(&p->printer))
		status = begin_sheet(&p->printer, &reports, db, section, err);
	for (size_t i = 0; !status && i < reports.count; i++) {
		if (first && reports.items[i].table.later)
			continue;
		if (p->printer.table)
			table_shorten(p->printer.table, first && reports.items[i].table.top > 0);
		section.top = top_of(&reports.items[i], p, o);
		status = mp_report_show(&reports.items[i], db, &section, p->printer.writer, err);
		printer_note(&p->printer, o, job->path);
	}
	if (!status && first)
		status = name_further(p, &reports, db, facts.style, err);
	mp_reports_free(&reports);
	return status;
}

static int print_job(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	struct print *p = s->user;

	printer_job(&p->printer, job->path, s->found.several);
	return printer_job_end(&p->printer, write_tables(s, job, db, err), &s->stop, err);
}

static int print_tables_job(struct job_run *s, const struct mp_job *job)
{
	const struct print *p = s->user;

	return job_run_use(s, job, job_run_database(s, job, p->may_write), print_job);
}

static void print_refused(struct job_run *s, const char *name)
{
	struct print *p = s->user;

	printer_fail(&p->printer, name);
	if (p->titles.used && !s->stop)
		message_info(s->options, "columns: %.*s, or 'time'", (int)p->titles.used - 4, p->titles.text + 2);
	p->titles.used = 0;
}

/* Run `work`, which calls print_tables_job, on every job; `may_write`: import data that is not parsed yet. */
static int print_tables(const struct command *command, const struct options *o, bool may_write,
    int (*work)(struct job_run *s, const struct mp_job *job))
{
	const char *kind = command->name;
	struct print p = {.kind = kind, .may_write = may_write};
	const bool is_whole = strcmp(kind, "show") == 0 || strcmp(kind, "check") == 0;
	struct job_run s = {.options = o,
	    .user = &p,
	    .refused = print_refused,
	    .wants.every_iteration = true,
	    .tells.assumed = is_whole && !options_has(o, OPTION_TABLE),
	    .tells.where = strcmp(kind, "check") == 0};
	struct mp_error err;
	int status = options_has(o, OPTION_SQL) ? EXIT_OK : table_choice_check(command, kind, o);

	if (status)
		return status;
	if (printer_open(&p.printer, o, kind, &err) ||
	    printer_speak(&p.printer, strcmp(kind, "check") == 0 ? MP_TITLES_NAMED : MP_TITLES_KEPT, &err))
		return message_failure(&err);
	status = job_run_all(&s, work);
	if (printer_close(&p.printer, &err) && !s.stop)
		status = message_failure(&err);
	return status;
}

/* Create the directories that the vendor's show creates: scripts rely on them. A PROF directory gets no such directory.
 */
static void make_directories(const struct mp_job *job)
{
	struct mp_error err;
	int fd = job->family == MP_FAMILY_PROF ? -1 : mp_dir_make(job->dirfd, "timeline", "timeline", &err);

	if (fd >= 0)
		close(fd);
	job_run_log(job, "Show \"%s\"", job->name);
}

static int show_job(struct job_run *s, const struct mp_job *job)
{
	int status = print_tables_job(s, job);

	if (status != EXIT_FAILED && faccessat(job->dirfd, ".", W_OK, 0) == 0)
		make_directories(job);
	return status;
}

static int run_show(const struct command *command, const struct options *options)
{
	return print_tables(command, options, true, show_job);
}

const struct command command_show = {
    .name = "show",
    .summary = "print tables in the terminal",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, OPTIONS_FORMAT, TAKES(TABLE), TAKES(STYLE), TAKES(TOP), TAKES(SORT), TAKES(BY),
	TAKES(COLUMNS), TAKES(MODEL_ID), TAKES(PICTURE), TAKES(ITERATION_ID), TAKES(EACH), TAKES(ANYWAY), TAKES(LANG)},
    .run = run_show,
};

static int run_query(const struct command *command, const struct options *options)
{
	return print_tables(command, options, true, print_tables_job);
}

const struct command command_query = {
    .name = "query",
    .summary = "list devices, models and iterations",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, OPTIONS_FORMAT, TAKES(TABLE), TAKES(SQL), TAKES(TOP)},
    .run = run_query,
};

static int run_check(const struct command *command, const struct options *options)
{
	return print_tables(command, options, false, print_tables_job);
}

const struct command command_check = {
    .name = "check",
    .summary = "report what a job contains, and what is damaged or missing",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {TAKES(DIR), OPTIONS_REPORT, OPTIONS_FORMAT, TAKES(TABLE), TAKES(TOP), TAKES(FILES), TAKES(LANG)},
    .run = run_check,
};
