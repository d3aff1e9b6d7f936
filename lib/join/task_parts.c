/* task_parts.c: what of the host and the counters belongs to a run, and what joins nothing. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "join/tasks_internal.h"

int mp_places_add(struct mp_places *p, int64_t place, struct mp_error *err)
{
	if (!mp_vec_room(p->items, p->count, 1))
		return mp_fail_memory(err, "records that join nothing");
	p->items[p->count++] = place;
	return 0;
}

void mp_places_clear(struct mp_places *p)
{
	free(p->items);
	*p = (struct mp_places){NULL, 0};
}

static int by_place(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void mp_places_sort(struct mp_places *p)
{
	if (p->count)
		qsort(p->items, p->count, sizeof(p->items[0]), by_place);
}

static int insert(struct mp_places *p, struct mp_feed *feed, struct mp_error *err)
{
	struct mp_value values[MP_FEED_COLUMN_MAX];
	const struct mp_value *places[MP_FEED_COLUMN_MAX];
	const char *names[MP_FEED_COLUMN_MAX];
	struct mp_feed_record record;
	struct mp_sink sink;
	int status = 0;

	for (int c = 0; c < feed->columns.count; c++) {
		names[c] = feed->columns.items[c].name;
		places[c] = &values[c];
	}
	if (mp_sink_open(&sink, feed->load->db, NULL, feed->table, names, feed->columns.count, err))
		return -1;
	for (size_t i = 0; !status && i < p->count; i++) {
		status = mp_feed_get(feed, p->items[i], &record, err);
		for (int c = 0; !status && c < feed->columns.count; c++)
			values[c] = mp_feed_kept(feed, &record, c);
		if (!status)
			status = mp_sink_put(&sink, places, err);
	}
	mp_sink_close(&sink);
	mp_places_clear(p);
	return status;
}

struct collected {
	struct mp_places *places;
	struct mp_error *err;
};

static bool collect(void *user, int64_t place)
{
	struct collected *c = user;

	return mp_places_add(c->places, place, c->err) == 0;
}

int mp_places_insert(struct mp_places *p, struct mp_feed *feed, struct mp_error *err)
{
	mp_places_sort(p);
	return p->count ? insert(p, feed, err) : 0;
}

int mp_places_add_all(struct mp_places *places, struct mp_map *map, struct mp_error *err)
{
	struct collected c = {places, err};

	return mp_map_each(map, collect, &c) ? 0 : -1;
}

void mp_task_ids(bool expanded, int64_t stream, int64_t task, int64_t *stream_id, int64_t *task_id)
{
	if (expanded) {
		*stream_id = (stream & 32768 ? task : stream) & 32767;
		*task_id = stream & 32768 ? (task & 32768) | (stream & 32767) : task;
		return;
	}
	*stream_id = stream & 4096 || !(stream & 8192) ? stream & 2047 : task & 2047;
	*task_id = stream & 4096   ? (task & 8191) | (stream & 57344)
		   : stream & 8192 ? (stream & 4095) | (task & 61440)
				   : task;
}

/* The first one that was said during a call counts. */
int mp_task_read_infos(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_feed_columns columns =
	    mp_feed_choose(&t->info, &t->joins.tables[MP_JOIN_OPERATORS], MP_OPERATOR_THREAD, 2);
	int64_t place, said[2], call, *mark;
	bool nulls[2];
	int status;

	while ((status = mp_feed_next(&t->info, &place, err)) == 1) {
		mp_feed_numbers(&t->info, &columns, said, nulls);
		if (mp_map_within(t->maps.node, said[0], said[1], &call, &mark) && !*mark)
			*mark = place + 1;
		else if (mp_places_add(&t->odd_infos, place, err))
			return -1;
	}
	return status;
}

int mp_task_find_info(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_part_of_task *launch = &t->now.parts[MP_TASK_LAUNCH], *info = &t->now.parts[MP_TASK_INFO];
	int64_t launched[2], *mark; /* time and thread */
	bool nulls[2];

	info->is_there = t->now.has_node = t->now.has_call = false;
	if (!launch->is_there)
		return 0;
	mp_feed_kept_numbers(&t->track, &launch->record, &t->place_columns, launched, nulls);
	t->now.has_node = mp_map_within(t->maps.node, launched[1], launched[0], &t->now.node_id, &mark);
	t->now.call = t->now.node_id;
	t->now.has_call = t->now.has_node || mp_map_within(t->maps.outer, launched[1], launched[0], &t->now.call, NULL);
	if (!t->now.has_node || !*mark)
		return 0;
	*mark = *mark < 0 ? *mark : -*mark;
	info->is_there = true;
	return mp_feed_get(&t->info, -*mark - 1, &info->record, err);
}

void mp_task_launch_key(const int64_t *track, const bool *nulls, int64_t key[4])
{
	memcpy(key, &track[MP_LAUNCH_DEVICE], 4 * sizeof(key[0]));
	if (nulls[MP_LAUNCH_BATCH])
		key[1] = MP_NO_STREAM;
}

int mp_task_next_launch(struct mp_tasks *t, int64_t *place, int64_t key[4], struct mp_error *err)
{
	int64_t track[MP_LAUNCH_COUNT];
	bool nulls[MP_LAUNCH_COUNT];
	int status;

	while ((status = mp_feed_next(&t->track, place, err)) == 1) {
		mp_feed_numbers(&t->track, &t->track_columns, track, nulls);
		if (!t->has_flips || track[MP_LAUNCH_TYPE] != t->flip_type) {
			mp_task_launch_key(track, nulls, key);
			return 1;
		}
		if (mp_places_add(&t->flips, *place, err))
			return -1;
	}
	return status;
}

static int find_launch(struct mp_tasks *t, struct mp_error *err)
{
	const int64_t wanted[4] = {t->now.device_id, t->now.stream_id, t->now.task_id, t->now.batch_id};
	struct mp_part_of_task *launch = &t->now.parts[MP_TASK_LAUNCH];
	int64_t place, key[4];
	int status;

	launch->is_there = false;
	if (t->now.run->context_id != MP_NO_CONTEXT) /* a sub-task: it is of the launch of its task, see relate.sql */
		return 0;
	if (t->has_flips && !t->counted && mp_task_read_launches(t, err))
		return -1;
	t->counted = t->has_flips;
	launch->is_there = mp_map_take(t->maps.launch, &(struct mp_key){wanted, 4}, &place);
	if (launch->is_there)
		return mp_feed_get(&t->track, place, &launch->record, err);
	while ((status = mp_task_next_launch(t, &place, key, err)) == 1) {
		launch->is_there = memcmp(key, wanted, sizeof(wanted)) == 0;
		if (launch->is_there) {
			mp_feed_keep(&t->track, &launch->record);
			return 0;
		}
		if (!mp_map_put(t->maps.launch, &(struct mp_key){key, 4}, place))
			return mp_fail_memory(err, "launches");
	}
	return status;
}

int mp_task_find_launch(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_part_of_task *launch = &t->now.parts[MP_TASK_LAUNCH];
	int64_t track[MP_LAUNCH_COUNT];
	bool nulls[MP_LAUNCH_COUNT];

	if (find_launch(t, err))
		return -1;
	if (launch->is_there && t->now.stream_id == MP_NO_STREAM) {
		mp_feed_kept_numbers(&t->track, &launch->record, &t->track_columns, track, nulls);
		t->now.stream_id = track[MP_LAUNCH_STREAM];
	}
	return 0;
}

/* Counters that their feed gave: whose they are. */
static void read_counters(struct mp_tasks *t, int64_t key[3], bool *is_vector)
{
	int64_t pmu[MP_COUNTERS_COUNT], ffts, subtask;
	bool nulls[MP_COUNTERS_COUNT];

	mp_feed_numbers(&t->pmu, &t->pmu_columns, pmu, nulls);
	ffts = pmu[MP_COUNTERS_FFTS];
	subtask = pmu[MP_COUNTERS_SUBTASK];
	*is_vector = ffts == 4 ? subtask == 1 || subtask == 7 : ffts == 1 || pmu[MP_COUNTERS_TYPE] == 2;
	mp_task_ids(t->expanded, pmu[MP_COUNTERS_STREAM], pmu[MP_COUNTERS_TASK], &key[0], &key[1]);
	key[2] = ffts == 4 ? pmu[MP_COUNTERS_CONTEXT] : MP_NO_CONTEXT;
}

static int keep_counters(struct mp_tasks *t, const int64_t key[3], bool is_vector, int64_t place, struct mp_error *err)
{
	if (!mp_map_put(is_vector ? t->maps.aiv : t->maps.aic, &(struct mp_key){key, 3}, place))
		return mp_fail_memory(err, "counters");
	return 0;
}

int mp_task_read_counters(struct mp_tasks *t, struct mp_error *err)
{
	int64_t place, key[3];
	bool is_vector;
	int status;

	while ((status = mp_feed_ahead(&t->pmu, &place, err)) > 0) {
		if (status == MP_FEED_AGAIN) {
			mp_map_clear(t->maps.aic);
			mp_map_clear(t->maps.aiv);
			continue;
		}
		read_counters(t, key, &is_vector);
		if (keep_counters(t, key, is_vector, place, err))
			return -1;
	}
	return status;
}

/* Counters that begin after the end of a run are those of a later run with the same numbers. */
static bool begin_later(struct mp_tasks *t, struct mp_part_of_task *counters)
{
	mp_feed_kept_numbers(&t->pmu, &counters->record, &t->counted_columns, counters->counted, counters->uncounted);
	return !counters->uncounted[0] && counters->counted[0] > t->now.run->end_ns;
}

int mp_task_find_counters(struct mp_tasks *t, enum mp_task_part part, struct mp_error *err)
{
	const int64_t wanted[3] = {t->now.stream_id, t->now.task_id, t->now.run->context_id};
	struct mp_map *map = part == MP_TASK_AIV ? t->maps.aiv : t->maps.aic;
	struct mp_part_of_task *counters = &t->now.parts[part];
	int64_t place, key[3];
	bool is_vector;
	int status;

	counters->is_there = false;
	if (mp_map_peek(map, &(struct mp_key){wanted, 3}, &place)) {
		if (mp_feed_get(&t->pmu, place, &counters->record, err))
			return -1;
		counters->is_there = !begin_later(t, counters);
		if (counters->is_there)
			mp_map_take(map, &(struct mp_key){wanted, 3}, &place);
		return 0;
	}
	while ((status = mp_feed_next(&t->pmu, &place, err)) == 1) {
		bool is_wanted;

		read_counters(t, key, &is_vector);
		is_wanted = is_vector == (part == MP_TASK_AIV) && memcmp(key, wanted, sizeof(wanted)) == 0;
		if (is_wanted) {
			mp_feed_keep(&t->pmu, &counters->record);
			counters->is_there = !begin_later(t, counters);
		}
		if (counters->is_there)
			return 0;
		if (keep_counters(t, key, is_vector, place, err))
			return -1;
		if (is_wanted)
			return 0;
	}
	return status;
}

void mp_task_find_frequency(struct mp_tasks *t)
{
	const struct mp_part_of_task *counters =
	    &t->now.parts[t->now.parts[MP_TASK_AIC].is_there ? MP_TASK_AIC : MP_TASK_AIV];
	int64_t at_ns = t->now.run->start_ns;

	if (counters->is_there) {
		if (counters->uncounted[0] || counters->uncounted[1] ||
		    __builtin_add_overflow(counters->counted[0], counters->counted[1], &at_ns))
			at_ns = t->now.run->start_ns;
		t->counters_found++;
		t->counters_before += at_ns < t->now.run->start_ns;
	}
	t->now.has_mhz = mp_map_within(t->maps.frequency, t->now.device_id, at_ns, &t->now.mhz, NULL);
}

int mp_task_end_counters(struct mp_tasks *t, struct mp_error *err)
{
	struct mp_places left = {NULL, 0};
	int64_t place;
	int status = mp_places_add_all(&left, t->maps.aic, err) || mp_places_add_all(&left, t->maps.aiv, err) ? -1 : 1;

	while (status == 1 && (status = mp_feed_next(&t->pmu, &place, err)) == 1)
		if (mp_places_add(&left, place, err))
			status = -1;
	if (!status)
		status = mp_places_insert(&left, &t->pmu, err);
	mp_places_clear(&left);
	mp_map_clear(t->maps.aic);
	mp_map_clear(t->maps.aiv);
	mp_feed_turn(&t->pmu, t->now.device_id);
	return status;
}
