/* cmd_advise.c: msprof advise. Where the time of a job went, and what to do about it. */
#include <string.h>

#include "insight/advise.h"
#include "job_run.h"
#include "printer.h"

struct advise {
	struct printer printer;
	bool json, first;
	int worst; /* the highest rank of --fail-on that was found; 0: none */
};

static bool is_json(const struct options *o)
{
	return options_has(o, OPTION_FORMAT) && strcmp(o->values[OPTION_FORMAT], "json") == 0;
}

/* A rule that no family has is an error of the command line. */
static int check_rule(const struct command *command, const struct options *o)
{
	struct suggestion near = {.word = o->values[OPTION_FINDING]};
	struct mp_reports rules;
	struct mp_error err;
	bool known = !near.word;

	if (mp_rules_load(&rules, NULL, &err))
		return message_failure(&err);
	for (size_t i = 0; i < rules.count && near.word; i++) {
		char name[64];

		mp_rule_name(&rules.items[i], name);
		known = known || strcmp(name, near.word) == 0;
		suggest_offer(&near, name);
	}
	mp_reports_free(&rules);
	if (known)
		return EXIT_OK;
	if (near.best[0])
		message_error("rule '%s' not found; did you mean '%s'?", near.word, near.best);
	else
		message_error("rule '%s' not found; --list lists them", near.word);
	return options_usage(command);
}

static void begin_object(struct advise *a)
{
	mp_out_text(a->printer.out, a->first ? "\n" : ",\n");
	a->first = false;
}

/* In JSON a job that fails is an object with its error. */
static void fail(struct job_run *s, const char *name)
{
	struct advise *a = s->user;
	const char *error = message_last_error();

	if (!a->json)
		return;
	begin_object(a);
	mp_out_text(a->printer.out, "{\"job\": ");
	if (name)
		mp_json_string(a->printer.out, name, strlen(name));
	else
		mp_out_text(a->printer.out, "null");
	mp_out_text(a->printer.out, ", \"error\": ");
	mp_json_string(a->printer.out, error, strlen(error));
	mp_out_text(a->printer.out, "}");
}

static int write_advice(
    struct advise *a, const struct mp_advice *advice, struct mp_db *db, const struct mp_job *job, struct mp_error *err)
{
	struct printer *p = &a->printer;

	if (a->json) {
		begin_object(a);
		return mp_advice_write_json(advice, db, job->name, p->out, err);
	}
	return p->sheet ? mp_advice_write_rows(advice, job->name, &p->csv.writer, err)
			: mp_advice_write(advice, db, p->writer, err);
}

/* Note the highest severity that --fail-on asks for. */
static int check_severity(
    struct advise *a, const struct options *o, struct mp_db *db, const struct mp_advice *advice, struct mp_error *err)
{
	int64_t limit = 0;

	if (options_has(o, OPTION_FAIL_ON) && mp_severity_rank(db, o->values[OPTION_FAIL_ON], &limit, err))
		return -1;
	for (size_t i = 0; i < advice->finding_count; i++)
		if (advice->findings[i].rank && advice->findings[i].rank <= limit &&
		    (!a->worst || advice->findings[i].rank < a->worst))
			a->worst = advice->findings[i].rank;
	return 0;
}

static int write_job(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	struct advise *a = s->user;
	struct mp_advice advice = {.finding_count = 0};
	struct facts facts;
	int status;

	printer_job(&a->printer, job->path, s->found.several);
	status = job_run_choose(s, job, db, err) || job_run_facts(s, db, &facts, err) ||
		 job_run_check_model(s, db, facts.family, err) ||
		 mp_advise(&advice, db, facts.family, s->options->values[OPTION_FINDING], err) ||
		 check_severity(a, s->options, db, &advice, err) || write_advice(a, &advice, db, job, err);
	mp_advice_free(&advice);
	return printer_job_end(&a->printer, status, &s->stop, err);
}

static int advise_job(struct job_run *s, const struct mp_job *job)
{
	return job_run_use(s, job, job_run_database(s, job, true), write_job);
}

static int list_rules(const struct options *o)
{
	struct mp_reports rules;
	struct printer printer;
	struct mp_error err, full;
	int status;

	if (mp_rules_load(&rules, NULL, &err) || printer_open(&printer, o, "rules", &err))
		return message_failure(&err);
	status = printer_speak(&printer, MP_TITLES_SAID, &err) ||
		 mp_rules_write(&rules, printer.sheet ? &printer.csv.writer : printer.writer, &err);
	if (printer_close(&printer, &full) || status) {
		message_error("%s", status ? err.text : full.text);
		status = -1;
	}
	mp_reports_free(&rules);
	return status ? EXIT_FAILED : EXIT_OK;
}

static int run_advise(const struct command *command, const struct options *o)
{
	struct advise a = {.json = is_json(o), .first = true};
	struct job_run s = {.options = o, .user = &a, .refused = fail};
	struct mp_error err;
	int status;

	if (options_has(o, OPTION_LIST))
		return list_rules(o);
	status = check_rule(command, o);
	if (status)
		return status;
	if (printer_open(&a.printer, o, NULL, &err) || printer_speak(&a.printer, MP_TITLES_SAID, &err))
		return message_failure(&err);
	if (a.json)
		mp_out_text(a.printer.out, "{\"schema\": \"msprof.advise/1\", \"jobs\": [");
	status = job_run_all(&s, advise_job);
	if (a.json)
		mp_out_text(a.printer.out, "\n]}\n");
	if (printer_close(&a.printer, &err) && !s.stop)
		status = message_failure(&err);
	return a.worst && status != EXIT_FAILED ? EXIT_FOUND : status;
}

const struct command command_advise = {
    .name = "advise",
    .summary = "tell where the time went, and what to do about it",
    .usages = {"[-dir] JOB [OPTION]...", "--list [OPTION]..."},
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, OPTIONS_FORMAT, TAKES(FINDING), TAKES(LIST), TAKES(FAIL_ON), TAKES(MODEL_ID), TAKES(LANG)},
    .run = run_advise,
};
