/* tasks.c: the order of tasks: device after device, then what did not run. Knows how PROF jobs are joined, no byte of a
 * record. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/db.h"
#include "join/tasks_internal.h"

/* Returns the part of the joins that the records of a layout are, or -1. */
static int part_of(const struct mp_joiner *joiner, const struct mp_layout *layout)
{
	return mp_joins_find(&((const struct mp_tasks *)joiner)->joins, layout);
}

static bool takes(const struct mp_joiner *joiner, const struct mp_layout *layout)
{
	int part = part_of(joiner, layout);

	return part >= 0 && part != MP_JOIN_CALLS;
}

static int accept_file(
    const struct mp_joiner *joiner, const struct mp_layout *layout, int64_t device_id, struct mp_error *err)
{
	bool of_device = ((const struct mp_tasks *)joiner)->joins.tables[part_of(joiner, layout)].of_device;

	if (layout->kind != MP_RECORD_BINARY)
		return mp_fail(err, "%s: layout '%s': records of the table '%s' must be binary", layout->origin,
		    layout->name, layout->table);
	if (of_device != (device_id >= 0))
		return mp_fail(err, "%s: layout '%s': file names of the table '%s' must%s have a device_id",
		    layout->origin, layout->name, layout->table, of_device ? "" : " not");
	return 0;
}

static bool looks(const struct mp_joiner *joiner, const struct mp_layout *layout)
{
	return part_of(joiner, layout) == MP_JOIN_CALLS;
}

struct mp_joiner *mp_tasks_joiner(struct mp_tasks *t)
{
	return &t->joiner;
}

static int find_flip_type(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, t->load->db, "SELECT hash FROM name WHERE name = 'FLIP_TASK'", NULL, 0, err);

	t->has_flips = status == 1;
	if (t->has_flips)
		t->flip_type = mp_query_int(q, 0);
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

static int begin_device(struct mp_tasks *t, struct mp_error *err)
{
	t->now.device_id = t->load->job->devices[t->device].device_id;
	t->next_run = 0;
	mp_feed_turn(&t->pmu, t->now.device_id);
	if ((t->device == 0 && mp_task_read_infos(t, err)) || mp_task_read_counters(t, err))
		return -1;
	return mp_runs_read(&t->runs, t->logs, t->maps.open, t->maps.ends, t->now.device_id, err);
}

static int end_device(struct mp_tasks *t, struct mp_error *err)
{
	mp_big_free(&t->runs.items);
	t->runs.count = 0;
	return mp_stretch_end(&t->stretch, t->now.device_id, err) || mp_task_end_counters(t, err) ? -1 : 0;
}

static int set_run(struct mp_tasks *t, struct mp_error *err)
{
	int64_t batch;

	t->now.run = mp_run_at(&t->runs, t->next_run);
	t->next_run++;
	t->now.stream_id = t->now.run->stream_id;
	t->now.task_id = t->now.run->task_id;
	if (t->now.run->type >= 0 && t->now.run->type < 63 && t->whole >> t->now.run->type & 1)
		t->now.stream_id &= 32767;
	else if (!t->now.run->plain)
		mp_task_ids(
		    t->expanded, t->now.run->stream_id, t->now.run->task_id, &t->now.stream_id, &t->now.task_id);
	t->now.batch_id = mp_map_within(t->maps.batch, (int64_t)((uint64_t)t->now.device_id << 32) | t->now.stream_id,
			      t->now.run->start_ns, &batch, NULL)
			      ? batch
			      : 0;
	if (mp_task_find_launch(t, err) || mp_task_find_info(t, err))
		return -1;
	mp_task_find_op(t);
	if (mp_stretch_add(&t->stretch, t, !(t->now.rule & MP_RULE_BUSY), err) ||
	    mp_task_find_counters(t, MP_TASK_AIC, err) || mp_task_find_counters(t, MP_TASK_AIV, err))
		return -1;
	mp_task_find_frequency(t);
	return 0;
}

/* All devices are done: what was launched and did not run, in the order of its time. */
static int find_left(struct mp_tasks *t, struct mp_error *err)
{
	int64_t place, key[4];
	int status = mp_places_add_all(&t->left, t->maps.launch, err) ? -1 : 1;

	while (status == 1 && (status = mp_task_next_launch(t, &place, key, err)) == 1)
		if (mp_places_add(&t->left, place, err))
			status = -1;
	mp_map_clear(t->maps.launch);
	mp_places_sort(&t->left);
	return status;
}

static int set_left(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_part_of_task *launch = &t->now.parts[MP_TASK_LAUNCH];
	int64_t track[MP_LAUNCH_COUNT];
	bool nulls[MP_LAUNCH_COUNT];

	if (mp_feed_get(&t->track, t->left.items[t->next_left++], &launch->record, err))
		return -1;
	t->now.run = NULL;
	t->now.has_mhz = false;
	launch->is_there = true;
	t->now.parts[MP_TASK_AIC].is_there = t->now.parts[MP_TASK_AIV].is_there = false;
	mp_feed_kept_numbers(&t->track, &launch->record, &t->track_columns, track, nulls);
	t->now.device_id = track[MP_LAUNCH_DEVICE];
	t->now.stream_id = track[MP_LAUNCH_STREAM];
	t->now.task_id = track[MP_LAUNCH_TASK];
	t->now.batch_id = track[MP_LAUNCH_BATCH];
	if (mp_task_find_info(t, err))
		return -1;
	mp_task_find_op(t);
	return 0;
}

static bool collect_unused(void *user, int64_t mark)
{
	struct mp_tasks *t = user;
	struct mp_error err;

	return mark < 0 || mp_places_add(&t->odd_infos, mark - 1, &err) == 0;
}

/* What joined nothing is kept as it is. */
static int finish(struct mp_tasks *t, struct mp_error *err)
{
	if (!mp_map_each_mark(t->maps.node, collect_unused, t))
		return mp_fail_memory(err, "operators without tasks");
	return mp_places_insert(&t->flips, &t->track, err) || mp_places_insert(&t->odd_infos, &t->info, err) ? -1 : 0;
}

static int next_task(struct mp_tasks *t, struct mp_error *err)
{
	if (t->device < 0 && !t->load->job->device_count && mp_task_read_infos(t, err))
		return -1;
	while (t->device < t->load->job->device_count) {
		if (t->device >= 0 && t->next_run < t->runs.count)
			return set_run(t, err) ? -1 : 1;
		if (t->device >= 0 && end_device(t, err))
			return -1;
		t->device++;
		if (t->device < t->load->job->device_count ? begin_device(t, err) : find_left(t, err))
			return -1;
	}
	if (t->next_left < t->left.count)
		return set_left(t, err) ? -1 : 1;
	return finish(t, err);
}

int mp_tasks_next(struct mp_tasks *t, struct mp_error *err)
{
	int status = next_task(t, err);

	return status == 1 && mp_seen_add(&t->seen, t, err) ? -1 : status;
}

static int find_level(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, t->load->db, "SELECT level0, expanded, whole FROM temp.task_given", NULL, 0, err);

	t->level0 = status == 1 && mp_query_int(q, 0);
	t->expanded = status == 1 && mp_query_int(q, 1);
	t->whole = t->expanded ? mp_query_int(q, 2) : 0;
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

int mp_tasks_begin(struct mp_tasks *t, struct mp_error *err)
{
	return find_flip_type(t, err) || find_level(t, err) || mp_stretch_open(&t->stretch, t->load, err) ? -1 : 0;
}

static int open_feed(struct mp_tasks *t, struct mp_feed *feed, enum mp_join part, struct mp_error *err)
{
	return mp_feed_open(feed, t->load, t->joins.tables[part].records, -1, err);
}

/* The order of launches, operators and counters. */
static void want_orders(struct mp_tasks *t)
{
	static const signed char launches[] = {MP_LAUNCH_TIME, -1, MP_LAUNCH_DEVICE, MP_LAUNCH_STREAM, MP_LAUNCH_BATCH,
	    MP_LAUNCH_TASK},
				 operators[] = {MP_OPERATOR_TIME, -1, MP_OPERATOR_THREAD},
				 counters[] = {MP_COUNTERS_START, -1, MP_COUNTERS_STREAM, MP_COUNTERS_TASK,
				     MP_COUNTERS_CONTEXT, MP_COUNTERS_TYPE, MP_COUNTERS_FFTS, MP_COUNTERS_SUBTASK};

	mp_feed_want_order(&t->track, &t->joins.tables[MP_JOIN_LAUNCHES], launches, sizeof(launches));
	mp_feed_want_order(&t->info, &t->joins.tables[MP_JOIN_OPERATORS], operators, sizeof(operators));
	mp_feed_want_order(&t->pmu, &t->joins.tables[MP_JOIN_COUNTERS], counters, sizeof(counters));
}

static void choose_columns(struct mp_tasks *t)
{
	const struct mp_join_table *launches = &t->joins.tables[MP_JOIN_LAUNCHES];

	t->track_columns = mp_feed_choose(&t->track, launches, 0, MP_LAUNCH_THREAD);
	t->place_columns = mp_feed_choose(&t->track, launches, MP_LAUNCH_TIME, 2);
	t->launch_columns = mp_feed_choose(&t->track, launches, MP_LAUNCH_TYPE, 1);
	t->launch_columns.of_table[t->launch_columns.count++] =
	    mp_feed_choose(&t->track, launches, MP_LAUNCH_KERNEL, 1).of_table[0];
	t->pmu_columns = mp_feed_choose(&t->pmu, &t->joins.tables[MP_JOIN_COUNTERS], 0, MP_COUNTERS_START);
	t->counted_columns = mp_feed_choose(&t->pmu, &t->joins.tables[MP_JOIN_COUNTERS], MP_COUNTERS_START, 2);
}

static int read_parts(struct mp_tasks *t, struct mp_error *err)
{
	return mp_script_run_file(t->load->db, "sql/prof/joins.sql", err) || mp_joins_read(&t->joins, t->load->db, err)
		   ? -1
		   : 0;
}

/* All maps that the joins use. */
static int find_maps(struct mp_tasks *t, struct mp_maps *maps, struct mp_error *err)
{
	const struct {
		const char *name;
		struct mp_map **map;
	} all[] = {{"launch", &t->maps.launch}, {"aic", &t->maps.aic}, {"aiv", &t->maps.aiv}, {"node", &t->maps.node},
	    {"outer", &t->maps.outer}, {"host_rule", &t->maps.host_rule}, {"batch", &t->maps.batch},
	    {"frequency", &t->maps.frequency}, {"open", &t->maps.open}, {"ends", &t->maps.ends},
	    {"flip", &t->maps.flip}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		*all[i].map = mp_maps_find(maps, all[i].name);
		if (!*all[i].map)
			return mp_fail(err, "too many maps");
	}
	return 0;
}

static int open_tasks(struct mp_tasks *t, struct mp_load *load, struct mp_error *err)
{
	t->joiner = (struct mp_joiner){takes, accept_file, looks, mp_calls_see};
	t->load = load;
	t->device = -1;
	if (find_maps(t, load->db->maps, err))
		return -1;
	if (read_parts(t, err) || mp_calls_open(&t->calls, load->db, err) ||
	    open_feed(t, &t->track, MP_JOIN_LAUNCHES, err) || open_feed(t, &t->info, MP_JOIN_OPERATORS, err) ||
	    open_feed(t, &t->pmu, MP_JOIN_COUNTERS, err) || mp_logs_open(t->logs, load, &t->joins, err))
		return -1;
	choose_columns(t);
	want_orders(t);
	return mp_seen_open(&t->seen, t, err) || mp_task_rows_create(t, err) ? -1 : 0;
}

int mp_tasks_create(struct mp_tasks **tasks, struct mp_load *load, struct mp_error *err)
{
	*tasks = calloc(1, sizeof(**tasks));
	if (!*tasks)
		return mp_fail_memory(err, "the tasks of a job");
	return open_tasks(*tasks, load, err);
}

void mp_tasks_free(struct mp_tasks *t)
{
	if (!t)
		return;
	mp_task_rows_free(t);
	mp_feed_close(&t->track);
	mp_feed_close(&t->info);
	mp_feed_close(&t->pmu);
	mp_feed_close(&t->logs[0].feed);
	mp_feed_close(&t->logs[1].feed);
	mp_places_clear(&t->left);
	mp_places_clear(&t->flips);
	mp_places_clear(&t->odd_infos);
	mp_big_free(&t->runs.items);
	mp_sink_close(&t->stretch.rows);
	free(t->calls.sums);
	mp_seen_close(&t->seen);
	free(t);
}

/* ---- which records are joined: schema/sql/prof/joins.sql ---- */

#define FILE_NAME "schema/sql/prof/joins.sql"

static const struct {
	const char *name;
	int columns;
} known[MP_JOIN_COUNT] = {{"runs", MP_LOG_CONTEXT}, {"sub-runs", MP_LOG_COUNT}, {"launches", MP_LAUNCH_COUNT},
    {"operators", MP_OPERATOR_COUNT}, {"counters", MP_COUNTERS_COUNT}, {"calls", MP_CALL_COUNT}};

/* Splits the list of columns. */
static int read_part_columns(struct mp_join_table *t, const char *name, struct mp_value list, struct mp_error *err)
{
	const char *at = list.text, *end = list.text + list.len;

	t->count = 0;
	while (at < end) {
		const char *blank = memchr(at, ' ', (size_t)(end - at));
		size_t len = (size_t)((blank ? blank : end) - at);

		if (t->count == MP_JOIN_COLUMN_MAX || !len || len >= MP_NAME_SIZE)
			return mp_fail(err, FILE_NAME ": part '%s': invalid list of columns", name);
		memcpy(t->columns[t->count], at, len);
		t->columns[t->count++][len] = '\0';
		at += len + (blank != NULL);
	}
	return 0;
}

/* Reads a row of the parts. */
static int take_part(struct mp_join_table *t, const char *name, int columns, struct mp_query *q, struct mp_error *err)
{
	struct mp_value records = mp_query_value(q, 0);

	if (records.type != MP_TEXT || records.len >= MP_NAME_SIZE || mp_query_value(q, 1).type != MP_INT ||
	    mp_query_value(q, 2).type != MP_TEXT)
		return mp_fail(err, FILE_NAME ": part '%s': invalid table, of_device or columns", name);
	snprintf(t->records, sizeof(t->records), "%.*s", (int)records.len, records.text);
	t->of_device = mp_query_int(q, 1) != 0;
	if (read_part_columns(t, name, mp_query_value(q, 2), err))
		return -1;
	if (t->count != columns)
		return mp_fail(err, FILE_NAME ": part '%s' has %d columns, not %d", name, t->count, columns);
	return 0;
}

static int read_part(struct mp_join_table *t, const char *name, int columns, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT records, of_device, columns FROM temp.joined WHERE part = ?";
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(name)), err);

	if (status == 1)
		status = take_part(t, name, columns, q, err);
	else if (!status)
		status = mp_fail(err, FILE_NAME ": part '%s' not found", name);
	mp_query_close(q);
	return status;
}

static int check_columns(const struct mp_join_table *t, struct mp_db *db, struct mp_error *err)
{
	struct mp_row_columns columns;

	if (mp_row_columns_read(&columns, db->handle, "main", t->records))
		return mp_db_fail(db, err, "cannot query");
	for (int i = 0; i < t->count; i++)
		if (strcmp(t->columns[i], "-") != 0 && mp_row_columns_find(&columns, t->columns[i]) < 0)
			return mp_fail(err, FILE_NAME ": column '%s.%s' not found", t->records, t->columns[i]);
	return 0;
}

int mp_joins_read(struct mp_joins *joins, struct mp_db *db, struct mp_error *err)
{
	for (int i = 0; i < MP_JOIN_COUNT; i++)
		if (read_part(&joins->tables[i], known[i].name, known[i].columns, db, err) ||
		    check_columns(&joins->tables[i], db, err))
			return -1;
	return 0;
}

int mp_joins_find(const struct mp_joins *joins, const struct mp_layout *layout)
{
	for (int i = 0; layout->family == MP_FAMILY_PROF && i < MP_JOIN_COUNT; i++)
		if (strcmp(layout->table, joins->tables[i].records) == 0)
			return i;
	return -1;
}
