/* export_choice.c: what the user chooses of a job: --from, --to, --device, models and iterations, layers. Times count
 * from the first event of a clock, which the schema tells. */
#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

enum { REPORTS_MAX = 65536 };

static int64_t time_of(const struct options *o, enum option_id id, int64_t otherwise)
{
	int64_t ns;

	return options_has(o, id) && option_read_time(o->values[id], &ns) ? ns : otherwise;
}

bool export_limits_check(const struct options *o)
{
	if (time_of(o, OPTION_FROM_TIME, 0) <= time_of(o, OPTION_TO_TIME, INT64_MAX))
		return true;
	message_error("--to %s is before --from %s", o->values[OPTION_TO_TIME], o->values[OPTION_FROM_TIME]);
	return false;
}

/* first_ns + ns; the end of all time where that is later. */
static int64_t later(int64_t first_ns, int64_t ns)
{
	int64_t sum;

	return __builtin_add_overflow(first_ns, ns, &sum) ? INT64_MAX : sum;
}

/* For each clock, a row of the report: the name of the clock and its first event, or NULL. */
static int want_times(struct mp_db *db, const struct options *o, struct mp_query *clocks, struct mp_error *err)
{
	int status;

	while ((status = mp_query_next(clocks, err)) == 1) {
		struct mp_value clock = mp_query_value(clocks, 0), first = mp_query_value(clocks, 1);
		int64_t from_ns = INT64_MIN;

		if (clock.type != MP_TEXT || first.type != MP_INT)
			continue;
		if (options_has(o, OPTION_FROM_TIME))
			from_ns = later(first.i, time_of(o, OPTION_FROM_TIME, 0));
		if (mp_db_want_time(
			db, clock.text, from_ns, later(first.i, time_of(o, OPTION_TO_TIME, INT64_MAX)), err))
			return -1;
	}
	return status;
}

static int limit_time(struct mp_db *db, const struct options *o, const char *family, struct mp_error *err)
{
	struct mp_reports reports;
	struct mp_query *clocks;
	int status = 0;

	if (mp_reports_load(&reports, "first", family, MP_STYLE_DEFAULT, err))
		return -1;
	for (size_t i = 0; !status && i < reports.count; i++) {
		status = mp_report_query(&clocks, db, &reports.items[i].each, "", "", MP_STYLE_DEFAULT, err);
		if (!status)
			status = want_times(db, o, clocks, err);
		mp_query_close(clocks);
	}
	mp_reports_free(&reports);
	return status;
}

static int limit_devices(struct mp_db *db, const struct option_list *devices, struct mp_error *err)
{
	char sql[128];

	for (size_t i = 0; i < devices->count; i++) {
		int64_t id = 0, there;

		option_read_number(devices->items[i], strlen(devices->items[i]), &id);
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM device WHERE device_id = %lld", (long long)id);
		if (mp_db_number(db, sql, 0, &there, err))
			return -1;
		if (!there)
			return mp_fail(err, "device %lld not found: 'msprof query' lists the devices", (long long)id);
		if (mp_db_want_device(db, id, err))
			return -1;
	}
	return 0;
}

/* Models and inferences of SS928 data: its files of tasks tell both, those of calls the model. */
static int limit_models(struct mp_db *db, const struct options *o, struct mp_error *err)
{
	bool has_model = options_has(o, OPTION_MODEL_ID), has_picture = options_has(o, OPTION_PICTURE);
	long long model = options_number(o, OPTION_MODEL_ID);
	long long picture = options_number(o, has_picture ? OPTION_PICTURE : OPTION_ITERATION_ID);
	char sql[160], of_model[64] = "";
	int64_t there = 1;

	if (has_model) {
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM source WHERE model_id = %lld", model);
		snprintf(of_model, sizeof(of_model), " of model %lld", model);
		if (mp_db_number(db, sql, 0, &there, err))
			return -1;
		if (!there)
			return mp_fail(err, "model %lld not found: 'msprof query' lists the models", model);
		mp_db_want_choice(db, MP_LIMIT_MODEL);
	}
	if (!has_picture && !options_has(o, OPTION_ITERATION_ID))
		return 0;
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM source WHERE current_pic = %lld AND (%d OR model_id = %lld)",
	    picture, !has_model, model);
	if (mp_db_number(db, sql, 0, &there, err))
		return -1;
	if (!there)
		return mp_fail(
		    err, "inference %lld%s not found: 'msprof show --each' prints all inferences", picture, of_model);
	mp_db_want_choice(db, MP_LIMIT_STEP);
	return 0;
}

/*
 * Tell the reports of an open database what is wanted, after job_run_choose. chooses_models: also the model and the
 * inference; reports of Ascend data choose iterations themselves. Error: a device, model or inference that the job does
 * not have. 0, or -1 with err.
 */
static int limit(
    struct mp_db *db, const struct options *o, const char *family, bool chooses_models, struct mp_error *err)
{
	if ((options_has(o, OPTION_FROM_TIME) || options_has(o, OPTION_TO_TIME)) && limit_time(db, o, family, err))
		return -1;
	if (chooses_models && limit_models(db, o, err))
		return -1;
	return limit_devices(db, &o->devices, err);
}

bool export_has_choice(const struct options *o)
{
	return options_has(o, OPTION_MODEL_ID) || options_has(o, OPTION_ITERATION_ID) ||
	       options_has(o, OPTION_ITERATION_COUNT) || options_has(o, OPTION_PICTURE);
}

/* Timelines of SS928 data can have one model and one inference alone; its tables have all. */
static bool chooses_models(const struct export *e)
{
	return e->job->family == MP_FAMILY_SVP && e->kind->is_trace;
}

int export_check_choice(const struct export *e, struct mp_error *err)
{
	const struct options *o = e->session->options;
	char model[64] = "";

	if (!export_has_choice(o) || chooses_models(e))
		return 0;
	if (options_has(o, OPTION_MODEL_ID))
		snprintf(model, sizeof(model), " of model %lld", (long long)options_number(o, OPTION_MODEL_ID));
	return mp_fail(err, "iteration %lld%s not found: 'msprof query' lists the iterations",
	    (long long)options_number(o, OPTION_ITERATION_ID), model);
}

/* Warn where the first of the chosen iterations began in what was aged away, and name one that is whole. A model -1 is
 * any. */
static int tell_aged(const struct export *e, int64_t model, int64_t chosen, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT model_id, coalesce(min(number) FILTER (WHERE is_whole AND number > ?1), -1) FROM step_left WHERE ?2 IN (-1, model_id)"
	    " GROUP BY model_id HAVING count(*) FILTER (WHERE number = ?1 AND NOT is_whole) > 0";
	struct mp_query *q;
	int status = mp_query_ask(&q, e->db, sql, MP_VALUES(mp_int(chosen), mp_int(model)), err);

	for (; status == 1; status = mp_query_next(q, err)) {
		long long of = mp_query_int(q, 0), whole = mp_query_int(q, 1);
		char other[96] = "no later one is";

		if (whole >= 0)
			snprintf(other, sizeof(other), "--model-id %lld --iteration-id %lld is", of, whole);
		message_warning("'%s': early data was aged away: iteration %lld of model %lld is not whole; %s",
		    e->job->path, (long long)chosen, of, other);
	}
	mp_query_close(q);
	return status;
}

/* Data of 2022 has files for each iteration: print that only the first was exported, where there are more. */
static int tell_rest(const struct export *e, struct mp_error *err)
{
	int64_t iterations = 0;

	if (e->job->family == MP_FAMILY_ASCEND2022 &&
	    mp_db_number(e->db, "SELECT max(iteration) FROM step", 0, &iterations, err))
		return -1;
	if (iterations > 1)
		message_info(e->session->options,
		    "'%s': iteration 1 of %lld is exported; --iteration-id and --iteration-count choose others, 'msprof query' lists them",
		    e->job->path, (long long)iterations);
	return iterations ? tell_aged(e, -1, 1, err) : 0;
}

/* Write which iterations there are: the text of a query with one row, or "". */
static int tell_there(char *text, size_t size, struct mp_db *db, const char *sql, int64_t model, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_int(model)), err);
	struct mp_value v = status == 1 ? mp_text_of(mp_query_value(q, 0)) : mp_text("", 0);

	snprintf(text, size, "%.*s", (int)v.len, v.text);
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

/* Refuse a model, or iterations, that a PROF directory does not have, and say what it has. */
static int refuse_missing(struct mp_db *db, const struct options *o, struct mp_error *err)
{
	static const char models[] =
	    "SELECT group_concat(model_id, ', ') FROM (SELECT DISTINCT model_id FROM step WHERE ? IS NOT NULL ORDER BY 1 LIMIT 20)";
	static const char iterations[] =
	    "SELECT coalesce(min(index_id) || iif(max(index_id) > min(index_id), ' to ' || max(index_id), ''), 'none') FROM step WHERE ?1 IN (-1, model_id)";
	long long model = options_number(o, OPTION_MODEL_ID), first = options_number(o, OPTION_ITERATION_ID);
	long long count = options_number(o, OPTION_ITERATION_COUNT);
	char sql[192], there[256], of_model[64] = "", last[32] = "";
	int64_t found;

	snprintf(sql, sizeof(sql), "SELECT EXISTS (SELECT 1 FROM step WHERE %lld IN (-1, model_id))", model);
	if (mp_db_number(db, sql, 0, &found, err) || tell_there(there, sizeof(there), db, models, model, err))
		return -1;
	if (!found)
		return mp_fail(err, "model %lld not found: models with iterations are %s", model, there);
	snprintf(sql, sizeof(sql),
	    "SELECT count(DISTINCT index_id) FROM step WHERE %lld IN (-1, model_id) AND index_id - %lld BETWEEN 0 AND %lld",
	    model, first, count - 1);
	if (mp_db_number(db, sql, 0, &found, err) || tell_there(there, sizeof(there), db, iterations, model, err))
		return -1;
	if (found >= count)
		return 0;
	if (model >= 0)
		snprintf(of_model, sizeof(of_model), " of model %lld", model);
	if (count > 1)
		snprintf(last, sizeof(last), " to %lld", first + count - 1);
	return mp_fail(err, "iteration %lld%s%s not found: iterations are %s ('msprof query' lists them)", first, last,
	    of_model, there);
}

/*
 * Warn about a choice of iterations for data without iterations. Where 2022 marked some, but not the begin of any, its
 * tool refuses the choice, and so do we; that of PROF directories refuses what is not there.
 */
static int tell_choice(const struct export *e, struct mp_error *err)
{
	const struct options *o = e->session->options;
	bool is_2022 = e->job->family == MP_FAMILY_ASCEND2022;
	int64_t steps = 0, marks = 0;

	if (e->kind->is_whole)
		return 0;
	if (!export_has_choice(o))
		return tell_rest(e, err);
	if (chooses_models(e)) {
		if (options_has(o, OPTION_ITERATION_COUNT))
			message_warning(
			    "'%s': --iteration-count has no effect: --picture chooses one inference", e->job->path);
		return 0;
	}
	if (options_has(o, OPTION_PICTURE))
		return mp_fail(
		    err, "--picture chooses an inference of SS928 data: --iteration-id chooses an iteration");
	if ((is_2022 || e->job->family == MP_FAMILY_PROF) &&
	    mp_db_number(e->db, "SELECT count(*) FROM step", 0, &steps, err))
		return -1;
	if (is_2022 && mp_db_number(e->db, "SELECT count(*) FROM ts_step WHERE tag_id < 10000", 0, &marks, err))
		return -1;
	if (!steps && marks)
		return mp_fail(err,
		    "no iteration can be chosen: %lld marks of iterations, but none with a begin and an end:"
		    " without --model-id and --iteration-... the data is exported whole",
		    (long long)marks);
	if (e->job->family == MP_FAMILY_PROF && !steps)
		return mp_fail(err,
		    "no iteration can be chosen: this data has no iterations: without --model-id and --iteration-... it is exported whole");
	if (e->job->family == MP_FAMILY_PROF && refuse_missing(e->db, o, err))
		return -1;
	if (!steps)
		message_warning("'%s': --model-id and --iteration-... have no effect: %s", e->job->path,
		    e->job->family == MP_FAMILY_SVP ? "each model and inference has tables of its own"
						    : "this data has no iterations and is exported whole");
	return steps ? tell_aged(e, options_number(o, OPTION_MODEL_ID), options_number(o, OPTION_ITERATION_ID), err)
		     : 0;
}

/* Read a file of less than REPORTS_MAX bytes into `text`. */
static int read_reports(const char *path, char *text, struct mp_error *err)
{
	FILE *f = fopen(path, "re");
	size_t len;
	int status;

	if (!f)
		return mp_fail_errno(err, "cannot open '%s'", path);
	len = fread(text, 1, REPORTS_MAX - 1, f);
	status = ferror(f) ? mp_fail_errno(err, "cannot read '%s'", path)
		 : len == REPORTS_MAX - 1 || memchr(text, '\0', len)
		     ? mp_fail(err, "'%s' is not JSON of less than 64 KiB", path)
		     : 0;
	fclose(f); /* read only: nothing to lose */
	text[len] = '\0';
	return status;
}

/* Switch off the layers that the file of --reports names. */
static int take_reports(struct export *e, struct mp_error *err)
{
	const char *path = e->session->options->values[OPTION_REPORTS];
	struct mp_error why;
	char *text;
	int status;

	if (!path)
		return 0;
	text = malloc(REPORTS_MAX);
	if (!text)
		return mp_fail_memory(err, "the file of --reports");
	status = read_reports(path, text, err);
	if (!status && mp_db_unwanted(e->db, text, &why))
		status = mp_fail_because(err, &why, "'%s': %s", path, why.text);
	free(text);
	if (status)
		return -1;
	if (e->job->family != MP_FAMILY_PROF && e->kind->is_trace)
		message_warning(
		    "'%s': --reports has no effect: only the timeline of a PROF directory has layers", e->job->path);
	return 0;
}

int export_choose(struct export *e, struct mp_error *err)
{
	const struct options *o = e->session->options;

	return tell_choice(e, err) || job_run_choose(e->session, e->job, e->db, err) ||
		       limit(e->db, o, e->facts.family, chooses_models(e), err) || take_reports(e, err)
		   ? -1
		   : 0;
}
