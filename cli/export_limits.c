/* export_limits.c: --from, --to, --device, and the model and inference of SS928 data. Times count from the first event
 * of a clock, which the schema tells. */
#include "export_limits.h"

#include <stdio.h>
#include <string.h>

#include "report/report.h"

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

int export_limits(
    struct mp_db *db, const struct options *o, const char *family, bool chooses_models, struct mp_error *err)
{
	if ((options_has(o, OPTION_FROM_TIME) || options_has(o, OPTION_TO_TIME)) && limit_time(db, o, family, err))
		return -1;
	if (chooses_models && limit_models(db, o, err))
		return -1;
	return limit_devices(db, &o->devices, err);
}
