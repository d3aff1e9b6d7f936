/* cmd_diff.c: msprof diff. What changed between two sides: jobs, a database or a baseline. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "compare/diff_write.h"
#include "compare/side.h"
#include "import/job_db.h"
#include "job_run.h"
#include "printer.h"
#include "process.h"

/* Host and devices of a PROF directory are jobs of their own, but of one run: they share all but the last name. */
static bool is_same_run(const char *path, const char *before)
{
	const char *slash = strrchr(path, '/'), *old = strrchr(before, '/');

	if (!slash || !old || slash - path != old - before || strncmp(path, before, (size_t)(slash - path)) != 0)
		return false;
	return strncmp(slash + 1, "device_", 7) == 0 &&
	       (strcmp(old + 1, "host") == 0 || strncmp(old + 1, "device_", 7) == 0);
}

static int begin(struct mp_side *side, const struct job_run *s, struct mp_error *err)
{
	size_t runs = 1;

	for (size_t i = 1; i < s->found.count; i++)
		runs += !is_same_run(s->found.paths[i], s->found.paths[i - 1]);
	return mp_side_begin(side, runs, err);
}

/* The run of a job: those before it that are of runs of their own. */
static int run_of(const struct job_run *s, const char *path)
{
	int run = 0;

	for (size_t i = 1; i < s->found.count && strcmp(s->found.paths[i - 1], path) != 0; i++)
		run += !is_same_run(s->found.paths[i], s->found.paths[i - 1]);
	return run;
}

static int64_t steps_of(const struct mp_side *side)
{
	int64_t steps = 0;

	for (size_t i = 0; i < side->group_count; i++)
		steps += mp_group_steps(&side->groups[i]);
	return steps;
}

/* Say which of several jobs gave no steps: fewer samples are compared than the user sees jobs. */
static void tell_empty(const struct job_run *s, const char *path)
{
	size_t parts = 0;

	for (size_t i = 0; i < s->found.count; i++) {
		const char *other = s->found.paths[i];

		parts += strcmp(path, other) == 0 || is_same_run(path, other) || is_same_run(other, path);
	}
	if (s->found.several && parts == 1)
		message_warning("'%s' is no sample: it has no step with a task of a device", path);
}

static int add_database(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	struct mp_side *side = s->user;
	const int64_t before = steps_of(side);
	struct facts facts;

	side->run = run_of(s, job->path);
	if (job_run_facts(s, db, &facts, err) || mp_side_read(side, db, facts.family, err))
		return -1;
	if (steps_of(side) == before)
		tell_empty(s, job->path);
	return 0;
}

static int add_job(struct job_run *s, const struct mp_job *job)
{
	const struct mp_side *side = s->user;
	struct mp_error err;

	if (!side->runs && begin(s->user, s, &err)) {
		s->stop = true;
		return message_failure_of(s->options->values[OPTION_DIR], &err);
	}
	return job_run_use(s, job, job_run_database(s, job, true), add_database);
}

static int read_jobs(struct mp_side *side, const struct options *options, const char *path)
{
	struct options of_side = *options;
	struct job_run s = {.options = &of_side, .user = side, .tells.of_path = true};

	of_side.values[OPTION_DIR] = path;
	return job_run_all(&s, add_job);
}

static int read_database(struct mp_side *side, const char *path, struct mp_error *err)
{
	char family[16];
	struct mp_db *db;
	unsigned plain;
	int status;

	if (plain_mode_read(&plain, err) || mp_side_begin(side, 1, err) || mp_job_db_open_path(&db, path, plain, err))
		return -1;
	status = mp_job_db_meta(db, "family", family, sizeof(family), err) || mp_side_read(side, db, family, err);
	mp_db_close(db);
	return status ? -1 : 0;
}

/* Whether the file begins like one of SQLite. */
static bool is_database(const char *path)
{
	static const char magic[] = "SQLite format 3";
	char begins[sizeof(magic)];
	int fd = mp_named_file(path, NULL);
	ssize_t got;

	if (fd < 0)
		return false; /* the error is that of a baseline */
	got = mp_file_read(fd, begins, sizeof(begins), 0);
	close(fd); /* only read */
	return got == (ssize_t)sizeof(begins) && memcmp(begins, magic, sizeof(magic)) == 0;
}

int diff_side_read(struct mp_side *side, const struct options *options, const char *path)
{
	struct mp_error err;
	struct stat st;

	*side = (struct mp_side){.runs = 0};
	if (stat(path, &st) != 0 || S_ISDIR(st.st_mode))
		return read_jobs(side, options, path);
	if (is_database(path) ? read_database(side, path, &err) : mp_baseline_read(side, path, &err))
		return message_failure(&err);
	return EXIT_OK;
}

/* Other tools write JUnit's XML, too. */
#define JUNIT_BEGIN "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name=\"msprof diff\""

static int write_baseline(const char *path, const struct mp_side *side, struct mp_error *err)
{
	struct whole_file file;

	if (whole_file_open(&file, path, "{\"schema\": \"msprof.baseline/", err))
		return -1;
	mp_out_limit(file.out, MP_BASELINE_MAX);
	mp_baseline_write(side, file.out);
	return whole_file_close(&file, 0, err);
}

static int save(const struct command *command, const struct options *o)
{
	const char *dir = o->values[OPTION_DIR] ? o->values[OPTION_DIR] : o->sides.items[0];
	struct mp_side side;
	struct mp_error err;
	int status;

	if (!dir || o->sides.count > (o->values[OPTION_DIR] ? 0 : 1))
		return message_usage(command, "--save needs one directory: 'msprof diff --save FILE -dir JOB'");
	if (o->conditions.count || options_has(o, OPTION_INCONCLUSIVE) || options_has(o, OPTION_JUNIT))
		return message_usage(command,
		    "--save compares nothing: it cannot be combined with --fail-if, --inconclusive or --junit");
	status = diff_side_read(&side, o, dir);
	if (status != EXIT_FAILED && mp_baseline_check(&side, &err)) {
		status = message_failure_of(dir, &err);
	} else if (status != EXIT_FAILED && write_baseline(o->values[OPTION_SAVE], &side, &err)) {
		status = message_failure(&err);
	}
	mp_side_free(&side);
	return status;
}

static enum mp_undecided undecided_of(const struct options *o)
{
	const char *word = o->values[OPTION_INCONCLUSIVE];

	if (!word)
		return MP_UNDECIDED_ERROR;
	return strcmp(word, "pass") == 0 ? MP_UNDECIDED_PASSES : MP_UNDECIDED_FAILS;
}

/* Offer the name of a row, and its layers. */
static void offer_row(struct suggestion *near, const struct mp_diff_row *row)
{
	char layer[SUGGESTION_MAX];

	suggest_offer(near, row->name ? row->name : row->base_name);
	for (const char *at = row->layers; at; at = strchr(at, MP_LIST_SEPARATOR)) {
		at += *at == MP_LIST_SEPARATOR;
		snprintf(layer, sizeof(layer), "%.*s", (int)strcspn(at, "\x1f"), at);
		suggest_offer(near, layer);
	}
}

/* Print why a condition has no result, with the nearest name of an operator or a call. */
static void refuse_gate(const struct mp_gate *g, const struct mp_diff *diff, const struct mp_error *why)
{
	const struct mp_group_diff *groups = g->kind == MP_GATE_CALL ? &diff->calls : diff->groups;
	const size_t count = g->kind == MP_GATE_CALL ? 1 : diff->group_count;
	char word[SUGGESTION_MAX];
	struct suggestion near = {.word = word};

	snprintf(word, sizeof(word), "%.*s", (int)g->name_len, g->name);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < groups[i].row_count; k++) {
			const struct mp_diff_row *row = &groups[i].rows[k];

			if (row->kind == MP_ITEM_OPERATOR || row->kind == MP_ITEM_CALL)
				offer_row(&near, row);
		}
	if (near.best[0])
		message_error("%s; did you mean '%s'?", why->text, near.best);
	else
		message_failure(why);
}

static int judge(struct mp_gates *gates, const struct options *o, const struct mp_diff *diff)
{
	enum mp_undecided undecided = undecided_of(o);
	struct mp_error err;
	int status = EXIT_OK;

	for (size_t i = 0; i < gates->count; i++) {
		struct mp_gate *g = &gates->items[i];

		if (mp_gate_judge(g, diff, &err)) {
			refuse_gate(g, diff, &err);
			return EXIT_FAILED;
		}
		if (g->result == MP_GATE_HOLDS || (g->result == MP_GATE_UNDECIDED && undecided == MP_UNDECIDED_FAILS))
			status = EXIT_FOUND;
		else if (g->result == MP_GATE_UNDECIDED && undecided == MP_UNDECIDED_ERROR && status == EXIT_OK)
			status = EXIT_UNDECIDED;
	}
	return status;
}

static int print_diff(const struct mp_diff *diff, const struct mp_gates *gates, const struct options *o)
{
	int64_t top = options_number(o, OPTION_TOP);
	struct printer p;
	struct mp_error err, full;
	int status = 0;

	if (printer_open(&p, o, NULL, &err))
		return message_failure(&err);
	if (printer_speak(&p, MP_TITLES_SAID, &err))
		status = -1;
	else if (p.writer == &p.json.writer) {
		status = mp_diff_write_json(diff, gates, o->sides.items[0], o->sides.items[1], p.out, &err);
	} else if (p.sheet) {
		status = mp_diff_write_rows(diff, &p.csv.writer, &err);
	} else {
		status = mp_diff_write(diff, gates, top, p.writer, &err);
	}
	if (printer_close(&p, &full) && !status) {
		err = full;
		status = -1;
	}
	if (status)
		message_failure(&err);
	return status ? EXIT_FAILED : EXIT_OK;
}

static int compare(const struct options *o, const struct mp_side sides[2], struct mp_gates *gates, int damage)
{
	struct mp_diff diff;
	struct mp_error err;
	int status = EXIT_FAILED;

	if (mp_diff_make(&diff, &sides[0], &sides[1], &err)) {
		message_failure(&err);
	} else {
		status = judge(gates, o, &diff);
		if (status != EXIT_FAILED && print_diff(&diff, gates, o))
			status = EXIT_FAILED;
	}
	mp_diff_free(&diff);
	/* a condition that holds or is not decided counts more than damage, and less than a failure */
	return status == EXIT_OK ? damage : status;
}

/* Where diff failed, the conditions are errors: a CI system that finds the file of an earlier run would trust it. */
static int write_junit(const struct options *o, const struct mp_gates *gates, int status)
{
	struct whole_file file;
	struct mp_error err;

	if (!options_has(o, OPTION_JUNIT))
		return status;
	if (!whole_file_open(&file, o->values[OPTION_JUNIT], JUNIT_BEGIN, &err)) {
		mp_gates_write_junit(
		    gates, undecided_of(o), status == EXIT_FAILED ? message_last_error() : NULL, file.out);
		if (!whole_file_close(&file, 0, &err))
			return status;
	}
	return message_failure(&err);
}

static int check(const struct command *command, const struct options *o, struct mp_gates *gates)
{
	struct mp_error err;

	if (o->sides.count != 2 || options_has(o, OPTION_DIR))
		return message_usage(command, "diff compares two: 'msprof diff BASE NEW'");
	if (options_has(o, OPTION_JUNIT) && !o->conditions.count)
		return message_usage(command, "--junit needs a condition: --fail-if 'total > 5%%'");
	for (; gates->count < o->conditions.count; gates->count++)
		if (mp_gate_parse(&gates->items[gates->count], o->conditions.items[gates->count], &err))
			return message_usage(command, "%s", err.text);
	return EXIT_OK;
}

static int run_diff(const struct command *command, const struct options *o)
{
	struct mp_gate items[OPTION_LIST_MAX];
	struct mp_gates gates = {.items = items};
	struct mp_side sides[2] = {{.runs = 0}, {.runs = 0}};
	int status;

	if (options_has(o, OPTION_SAVE))
		return save(command, o);
	status = check(command, o, &gates);
	if (status)
		return status;
	for (int i = 0; i < 2 && status != EXIT_FAILED; i++)
		status = job_run_worse(status, diff_side_read(&sides[i], o, o->sides.items[i]));
	if (status != EXIT_FAILED)
		status = compare(o, sides, &gates, status);
	mp_side_free(&sides[0]);
	mp_side_free(&sides[1]);
	return write_junit(o, &gates, status);
}

const struct command command_diff = {
    .name = "diff",
    .summary = "tell what changed between two collections, beyond noise",
    .usages = {"BASE NEW [OPTION]...", "--save FILE [-dir] JOB [OPTION]..."},
    .formats = "table csv json markdown",
    .needs = NEEDS_SIDES,
    .confined = true,
    .options = {OPTIONS_JOB, OPTIONS_FORMAT, TAKES(TOP), TAKES(SAVE), TAKES(FAIL_IF), TAKES(INCONCLUSIVE), TAKES(JUNIT),
	TAKES(LANG)},
    .run = run_diff,
};
