/* tasks_internal.h: what the files that join tasks share. */
#ifndef MP_STORE_TASKS_INTERNAL_H
#define MP_STORE_TASKS_INTERNAL_H

#include "base/big.h"
#include "prof/feed.h"
#include "prof/joins.h"
#include "base/map.h"
#include "base/pump.h"
#include "store/sink.h"
#include "prof/tasks.h"

#define MP_NO_CONTEXT INT64_C(4294967295)

/* A run as the log has it. */
struct mp_run {
	int64_t start_ns, end_ns;
	uint32_t stream_id, task_id; /* as recorded: some of their bits may have changed places */
	int64_t context_id;
	int16_t type;  /* negative: not known */
	bool plain;    /* no bits of the numbers have changed places */
	int32_t order; /* of the ends; -1: still open */
};

/* The runs of one device, in order of start and end. */
struct mp_runs {
	struct mp_big items; /* struct mp_run */
	int32_t count;
};

static inline struct mp_run *mp_run_at(struct mp_runs *runs, int32_t index)
{
	mp_big_touch(&runs->items);
	return (struct mp_run *)runs->items.at + index;
}

/* A log of starts and ends, and what is asked of it. */
struct mp_log {
	struct mp_feed feed;
	struct mp_feed_columns columns;
};

/* Those of tasks and of sub-tasks. Close their feeds, whether that worked or not. */
int mp_logs_open(struct mp_log logs[2], struct mp_load *load, const struct mp_joins *joins, struct mp_error *err);

/* Read the logs of a device; what has no other half goes to `unpaired`. `open` is an empty map. Free with
 * mp_big_free(&runs->items). */
int mp_runs_read(
    struct mp_runs *runs, struct mp_log logs[2], struct mp_map *open, int64_t device_id, struct mp_error *err);

/* Places of records that joined nothing. */
struct mp_places {
	int64_t *items;
	size_t count, room;
};

/* The calls of one level, type and thread; those that end before they start are in no sum. */
struct mp_call_sum {
	int64_t level, type, thread_id, count, total_ns, shortest_ns, longest_ns;
	double squares; /* of the durations in ns */
};

enum { MP_CALLS_RECENT = 64 };

/* A sum that was found not long ago. */
struct mp_recent_call {
	bool is_there;
	int64_t key[3], index;
};

/* What is seen of the calls while they are loaded. */
struct mp_calls {
	int64_t count;
	bool unsorted; /* they do not come in order of start */
	int64_t last_ns;
	struct mp_map *kinds; /* level, type, thread -> index + 1 of the sum */
	struct mp_call_sum *sums;
	size_t sum_count, sum_room;
	const struct mp_layout *layout; /* of the columns */
	signed char columns[MP_CALL_COUNT];
	struct mp_recent_call recent[MP_CALLS_RECENT];
};

enum { MP_SEEN_FIELDS = 9, MP_SEEN_RECENT = 64 };

/* What tasks are like: each combination once. */
struct mp_seen {
	struct mp_map *map;
	struct mp_query *insert;        /* into temp.task_seen */
	struct mp_feed_columns columns; /* of the operator: its task type, name and type */
	struct mp_map *streams;         /* device, stream */
	struct mp_recent_stream {
		bool is_there;
		int64_t parts[2];
	} recent[MP_SEEN_RECENT];   /* streams that were there, by the last bits of their numbers */
	unsigned char *connections; /* a bit for each call: a task that ran is connected with it */
	int64_t connection_count;
};

/* Stretches that are not in their table yet. */
struct mp_stretches {
	struct mp_stretch_row {
		int64_t device_id, start_ns, end_ns, free_ns;
	} * items;
	size_t count, room;
};

/* Stretches of time in which a device computes, one after the other. */
struct mp_stretch {
	unsigned char computes[64]; /* a bit for each device type: it is of a task that computes */
	struct mp_sink rows;        /* of overlap */
	struct mp_stretches *out;   /* where those go that are over */
	bool is_open;
	int64_t start_ns, end_ns, free_ns;
};

enum { MP_TASK_KINDS = 512 };

/* A record that belongs to the current task, if there is one. */
struct mp_part_of_task {
	bool is_there;
	struct mp_feed_record record;
};

enum mp_task_part { MP_TASK_LAUNCH, MP_TASK_INFO, MP_TASK_AIC, MP_TASK_AIV, MP_TASK_PART_COUNT };

/* A column of tasks: of the task itself (part -1), or of the feed of a part. */
struct mp_task_column {
	signed char part;
	signed char index;
};

enum { MP_TASK_OWN_COUNT = 12 };
extern const char *const mp_task_own_names[MP_TASK_OWN_COUNT];

/* Columns that are asked for together. */
struct mp_task_columns {
	int own_count;
	signed char own[MP_TASK_OWN_COUNT];
	struct mp_feed_columns parts[MP_TASK_PART_COUNT];
};

struct mp_tasks {
	struct mp_joins joins;
	struct mp_load *load;
	int device; /* index in the job's devices; their count: what was launched and did not run */
	struct mp_runs runs;
	int32_t next_run;
	struct mp_log logs[2];
	struct mp_feed track, info, pmu;                                   /* pmu: of the device */
	struct mp_feed_columns track_columns, launch_columns, pmu_columns; /* launch: time and thread */
	struct mp_map *launch, *aic, *aiv, *node, *batch, *frequency, *open, *flip;
	bool has_flips, counted; /* counted: all launches are in the map */
	int64_t flip_type;       /* what task_type says of records that launch nothing */
	struct mp_places left;   /* what was launched and did not run, in order */
	size_t next_left;
	struct mp_places flips, odd_infos;
	struct mp_stretch stretch;
	struct mp_stretches stretches[MP_PUMP_BATCHES];
	struct mp_task_columns used; /* those that are asked for */
	struct mp_seen seen;
	struct mp_calls calls;
	struct mp_task_rows *rows; /* of temp.joined_task */
	/* the current task */
	int64_t device_id, stream_id, task_id, batch_id, call, wait_ns, mhz;
	const struct mp_run *run; /* NULL: it did not run */
	bool has_call, has_wait, has_mhz;
	bool is_first;       /* of those that ran in its call */
	int64_t last_end_ns; /* of the run before on the device */
	struct mp_part_of_task parts[MP_TASK_PART_COUNT];
};

/* The next task: 1; 0: all were given, and what joined nothing is in its tables; -1: error. */
int mp_tasks_next(struct mp_tasks *tasks, struct mp_error *err);

/* `used`: those of tasks, then those of each part in turn; each once. */
struct mp_task_columns mp_tasks_choose(const struct mp_task_column *used, int count);

/* The numbers of the current task, in that order; what is no number is NULL. */
void mp_tasks_values(struct mp_tasks *tasks, struct mp_task_columns *columns, int64_t *values, bool *nulls);

/* Begin to join: the first task is made by the pump of the load. `used` as above. */
int mp_tasks_pump(struct mp_tasks *tasks, const struct mp_task_column *used, int count, struct mp_error *err);

int mp_task_table_create(struct mp_tasks *tasks, struct mp_error *err);
/* Joins all tasks now, for SQL that no engine computes. Returns -1 on error. */
int mp_task_table_store(struct mp_tasks *tasks, struct mp_error *err);
void mp_task_table_free(struct mp_tasks *tasks);

/* Before the first task: what must be read from the database. */
int mp_tasks_begin(struct mp_tasks *tasks, struct mp_error *err);

/* The feed that a part's columns are of. */
struct mp_feed *mp_tasks_feed(struct mp_tasks *tasks, enum mp_task_part part);

/* The next run of a device; `end` closes its last stretch. `insert` empties the list. */
int mp_stretch_open(struct mp_stretch *stretch, struct mp_load *load, struct mp_error *err);
int mp_stretch_add(struct mp_stretch *stretch, int64_t device_id, const struct mp_run *run, struct mp_error *err);
int mp_stretches_insert(struct mp_stretches *stretches, struct mp_stretch *stretch, struct mp_error *err);
int mp_stretch_end(struct mp_stretch *stretch, int64_t device_id, struct mp_error *err);

/* Note what the current task is like, and whether it is the first of its call. */
int mp_seen_open(struct mp_seen *seen, struct mp_tasks *tasks, struct mp_error *err);
void mp_seen_close(struct mp_seen *seen);
int mp_seen_add(struct mp_seen *seen, struct mp_tasks *tasks, struct mp_error *err);

int mp_calls_open(struct mp_calls *calls, struct mp_db *db, struct mp_error *err);

int mp_places_add(struct mp_places *places, int64_t place, struct mp_error *err);
void mp_places_clear(struct mp_places *places);

/* In order, and with those that the lists of a map hold. */
int mp_places_add_all(struct mp_places *places, struct mp_map *map, struct mp_error *err);
void mp_places_sort(struct mp_places *places);

/* Records as they are, into the table of their feed; clears the places. */
int mp_places_insert(struct mp_places *places, struct mp_feed *feed, struct mp_error *err);

/* The numbers of a stream and a task share bits: bits 12 and 13 of the stream say how. */
void mp_task_ids(int64_t stream, int64_t task, int64_t *stream_id, int64_t *task_id);

/* Read the operators of all calls. */
int mp_task_read_infos(struct mp_tasks *tasks, struct mp_error *err);

/* The next launch of the host, and its device, stream, task and batch: 1; 0: no more; -1: error. Flips are put aside.
 */
int mp_task_next_launch(struct mp_tasks *tasks, int64_t *place, int64_t key[4], struct mp_error *err);

/* Read all launches into the map, of the batches that the host's flips count. */
int mp_task_read_launches(struct mp_tasks *tasks, struct mp_error *err);

/* Set a part of the current run; as much is read as that needs. The operator comes after the launch. */
int mp_task_find_launch(struct mp_tasks *tasks, struct mp_error *err);
int mp_task_find_info(struct mp_tasks *tasks, struct mp_error *err);
int mp_task_find_counters(struct mp_tasks *tasks, enum mp_task_part part, struct mp_error *err);

/* Keep the counters of the first file of the device: nearly always a task has one kind of them, and all must be read to
 * know that. */
int mp_task_read_counters(struct mp_tasks *tasks, struct mp_error *err);

/* Counters that belong to no task go to their table; the feed of counters is closed. */
int mp_task_end_counters(struct mp_tasks *tasks, struct mp_error *err);

#endif
