/* cmd_cluster.c: msprof cluster. The ranks of a training side by side. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "cluster/cluster.h"
#include "export.h"
#include "job_run.h"
#include "launch.h"
#include "printer.h"
#include "process.h"
#include "terminal.h"

enum { TOP_ON_TERMINAL = 50, HOSTS_SIZE_MAX = 1 << 20 };

/* Put all aggregates into the cluster. A rank that cannot be read is an error; the others count. */
static int add_files(struct mp_db *cluster, struct ranks *r, size_t *added)
{
	int status = EXIT_OK;

	for (size_t i = 0; i < r->count; i++) {
		struct mp_error err;
		size_t len;
		char *text;

		if (ranks_read(r, &r->items[i], &text, &len, &err) ||
		    (text && mp_cluster_add(cluster, r->items[i].path, text, len, &err))) {
			status = message_failure(&err);
		} else if (text) {
			r->items[i].doc = (int64_t)++ * added;
		} /* else its error was printed */
		free(text);
	}
	return status;
}

static int print_json(struct mp_db *cluster, const struct mp_reports *reports, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options section = {.style = MP_STYLE_DEFAULT};
	struct mp_rows_json json;
	int status = 0;

	mp_rows_json_init(&json, out, true);
	mp_out_text(out, "{\"schema\": \"msprof.cluster/1\"");
	for (size_t i = 0; !status && i < reports->count; i++)
		status = mp_report_show(&reports->items[i], cluster, &section, &json.writer, err);
	mp_out_text(out, "}\n");
	return status;
}

static int print_rows(struct mp_db *cluster, const struct options *o, const struct mp_reports *reports,
    struct printer *f, struct mp_error *err)
{
	const bool tty = term_output().tty;
	struct mp_section_options section = {.style = MP_STYLE_DEFAULT, .titles_only = true};
	int status = 0;

	for (size_t i = 0; !status && printer_wants_titles(f) && i < reports->count; i++)
		status = mp_report_show(&reports->items[i], cluster, &section, f->writer, err) ||
			 mp_sheet_begin(f->sheet, err);
	section.titles_only = false;
	section.only_rows = f->table && !options_has(o, OPTION_TABLE); /* a note names the others */
	for (size_t i = 0; !status && i < reports->count; i++) {
		section.top = options_has(o, OPTION_TOP)                ? options_number(o, OPTION_TOP)
			      : f->table && reports->items[i].table.top ? reports->items[i].table.top
			      : tty                                     ? TOP_ON_TERMINAL
									: 0;
		status = mp_report_show(&reports->items[i], cluster, &section, f->writer, err);
		printer_note(f, o, "cluster");
	}
	return status;
}

static int print_cluster(struct mp_db *cluster, const struct options *o)
{
	struct mp_reports reports = {.count = 0};
	struct mp_error err, full;
	struct printer printer;
	int status;

	if (printer_open(&printer, o, NULL, &err))
		return message_failure(&err);
	status = printer_speak(&printer, MP_TITLES_NAMED, &err) ||
		 mp_reports_load(&reports, "cluster", NULL, MP_STYLE_DEFAULT, &err) ||
		 table_choice_apply(&reports, o->values[OPTION_TABLE], &err);
	if (!status && printer.writer == &printer.json.writer)
		status = print_json(cluster, &reports, printer.out, &err);
	else if (!status)
		status = print_rows(cluster, o, &reports, &printer, &err);
	mp_reports_free(&reports);
	if (printer_close(&printer, &full) && !status) {
		err = full;
		status = -1;
	}
	if (!status)
		return EXIT_OK;
	return message_failure(&err);
}

/* Say what is in doubt. Returns the exit status. */
static int tell_doubt(struct mp_db *cluster, const struct options *o)
{
	char doubt[1024];
	struct mp_error err;

	if (mp_cluster_doubt(cluster, doubt, sizeof(doubt), &err))
		return message_error("%s", err.text);
	if (!doubt[0])
		return EXIT_OK;
	if (options_has(o, OPTION_STRICT))
		return message_error("%s", doubt);
	message_warning("%s", doubt);
	return EXIT_DAMAGED;
}

/* Read the file of --hosts. */
static int read_hosts(struct mp_db *cluster, const char *path, struct mp_error *err)
{
	struct stat st;
	int fd = mp_named_file(path, &st), status;
	char *text = NULL;

	if (fd < 0)
		return mp_file_refuse(path, err);
	if (st.st_size > HOSTS_SIZE_MAX)
		status = mp_fail(err, "'%s' is larger than %d MiB", path, HOSTS_SIZE_MAX >> 20);
	else if (!(text = calloc(1, (size_t)st.st_size + 1)))
		status = mp_fail_memory(err, "the file of --hosts");
	else if (mp_file_read(fd, text, (size_t)st.st_size, 0) != st.st_size)
		status = mp_fail(err, "cannot read '%s'", path);
	else
		status = mp_cluster_racks(cluster, text, path, err);
	free(text);
	close(fd); /* read only: no error matters */
	return status;
}

/* Print the cluster, and plan its trace. Returns the exit status. */
static int tell(struct mp_db *cluster, const struct options *o, const struct ranks *r, const struct cluster_trace *t)
{
	int status = job_run_worse(print_cluster(cluster, o), tell_doubt(cluster, o));
	struct mp_error err;

	if (options_has(o, OPTION_TRACE) && cluster_trace_plan(t, cluster, r, o, &err))
		status = message_failure(&err);
	return status;
}

static int compare(const struct options *o, struct ranks *r, const struct cluster_trace *t, int status)
{
	struct mp_db *cluster;
	struct mp_error err;
	size_t added = 0;

	if (mp_cluster_open(&cluster, &err))
		return message_failure(&err);
	status = job_run_worse(status, add_files(cluster, r, &added));
	if (!added) {
		status = message_error("'%s' has no rank: neither a PROF directory nor a file of 'msprof aggregate'",
		    o->values[OPTION_DIR]);
	} else if ((options_has(o, OPTION_HOSTS) && read_hosts(cluster, o->values[OPTION_HOSTS], &err)) ||
		   mp_cluster_join(cluster, &err)) {
		status = message_failure(&err);
	} else {
		status = job_run_worse(status, tell(cluster, o, r, t));
	}
	mp_db_close(cluster);
	return status;
}

/* Aggregates come from anywhere: a process that is confined reads them. */
static int compare_confined(const struct options *o, struct ranks *r, const struct cluster_trace *t, int status)
{
	struct workers worker = {.count = 0};
	struct mp_error err;
	int started = workers_start(&worker);

	if (started < 0)
		return EXIT_FAILED;
	if (started == 0) {
		if (confine(o, &err)) {
			message_failure(&err);
			_exit(EXIT_FAILED);
		}
		status = compare(o, r, t, status);
		_exit(fflush(stdout) ? EXIT_FAILED : status);
	}
	return workers_wait(&worker, NULL, NULL);
}

/* Compare the ranks that were found, and write their trace. */
static int run_found(struct ranks *ranks, const struct options *o, int at_a_time)
{
	struct cluster_trace trace = {-1, -1};
	struct mp_error err;
	int status = ranks_aggregate(ranks, o, at_a_time);

	if (interrupt_count())
		return status;
	if (options_has(o, OPTION_TRACE) && cluster_trace_open(&trace, &err)) {
		status = message_failure(&err);
	} else {
		status = compare_confined(o, ranks, &trace, status);
		if (options_has(o, OPTION_TRACE) && status != EXIT_FAILED && !interrupt_count())
			status = job_run_worse(status, cluster_trace_write(&trace, ranks, o, at_a_time));
	}
	cluster_trace_close(&trace);
	return status;
}

static int run_cluster(const struct command *command, const struct options *o)
{
	int64_t workers =
	    options_has(o, OPTION_WORKERS) ? options_number(o, OPTION_WORKERS) : sysconf(_SC_NPROCESSORS_ONLN);
	int status = table_choice_check(command, "cluster", o);
	struct mp_error err;
	struct ranks ranks;

	if (status)
		return status;
	if (!export_limits_check(o))
		return options_usage(command);
	if (!options_has(o, OPTION_TRACE) &&
	    (o->devices.count || options_has(o, OPTION_FROM_TIME) || options_has(o, OPTION_TO_TIME)))
		return message_usage(command, "--rank, --from and --to choose what --trace writes");
	interrupt_watch(); /* the processes end with this one */
	if (ranks_find(&ranks, o->values[OPTION_DIR], &err)) {
		status = message_failure(&err);
	} else {
		status = run_found(&ranks, o, workers > WORKERS_MAX ? WORKERS_MAX : (int)workers);
	}
	ranks_free(&ranks);
	return interrupt_count() ? interrupt_status() : status;
}

const struct command command_cluster = {
    .name = "cluster",
    .summary = "compare the ranks of a training: late ones, slow links",
    .usages = {"[-dir] TOP [OPTION]..."},
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_PROF, OPTIONS_FORMAT, TAKES(TABLE), TAKES(TOP), TAKES(WORKERS), TAKES(HOSTS), TAKES(TRACE),
	TAKES(RANK), TAKES(FROM_TIME), TAKES(TO_TIME), TAKES(LANG)},
    .run = run_cluster,
};
