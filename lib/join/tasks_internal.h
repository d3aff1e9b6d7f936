/*
 * tasks_internal.h: types and functions that the files of the joins share. Functions return 0, or -1 with the error,
 * unless they say otherwise. All of it runs on the thread of the import.
 */
#ifndef MP_JOIN_TASKS_INTERNAL_H
#define MP_JOIN_TASKS_INTERNAL_H

#include "base/map.h"
#include "base/vec.h"
#include "join/feed.h"
#include "base/wide.h"
#include "join/tasks.h"
#include "store/sink.h"

#define MP_NO_CONTEXT INT64_C(4294967295)

/* The stream of a run whose log does not say it, until its launch does. */
#define MP_NO_STREAM 65535

/* A run of a device: a start and an end in its log. */
struct mp_run {
	int64_t start_ns, end_ns;
	uint32_t stream_id, task_id; /* as recorded: see mp_task_ids */
	int64_t context_id;
	int16_t type;         /* negative: unknown */
	bool plain;           /* the numbers need no mp_task_ids */
	bool is_open, is_end; /* while a log is read: no other half came yet; an end alone */
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

/* A log of starts and ends, and the columns that the joins read. */
struct mp_log {
	struct mp_feed feed;
	struct mp_feed_columns columns;
};

/* Opens the logs of tasks and of sub-tasks. Close their feeds, also after an error. */
int mp_logs_open(struct mp_log logs[2], struct mp_load *load, const struct mp_joins *joins, struct mp_error *err);

/* Reads the logs of a device. A start or an end alone goes to `unpaired`. `open` and `ends` are empty maps. Free the
 * runs with mp_big_free(&runs->items). */
int mp_runs_read(struct mp_runs *runs, struct mp_log logs[2], struct mp_map *open, struct mp_map *ends,
    int64_t device_id, struct mp_error *err);

/* Places of records that joined nothing. */
struct mp_places {
	int64_t *items;
	size_t count;
};

/* Sums over the calls of one level, type and thread. Calls that end before they start do not count. */
struct mp_call_sum {
	int64_t level, type, thread_id, count, total_ns, shortest_ns, longest_ns,
	    first_ns;    /* first_ns: the first start */
	mp_wide squares; /* of the durations in ns */
};

enum { MP_CALLS_RECENT = 64 };

/* A sum that was found recently. */
struct mp_recent_call {
	bool is_there;
	int64_t key[3], index;
};

/* The calls as they are loaded. */
struct mp_calls {
	int64_t count;
	bool unsorted;               /* not in order of start */
	int64_t last[MP_CALL_COUNT]; /* the call before */
	struct mp_map *kinds;        /* level, type, thread -> index + 1 of the sum */
	struct mp_call_sum *sums;
	size_t sum_count;
	const struct mp_layout *layout; /* of the columns */
	signed char columns[MP_CALL_COUNT];
	struct mp_recent_call recent[MP_CALLS_RECENT];
};

enum { MP_SEEN_FIELDS = 11, MP_SEEN_RECENT = 64 };

/* The kinds of tasks: each combination of their types and names once. */
struct mp_seen {
	struct mp_map *map;
	struct mp_query *insert;        /* into temp.task_seen */
	struct mp_feed_columns columns; /* of the operator: task type, name and type */
	struct mp_map *streams;         /* device, stream */
	struct mp_recent_stream {
		bool is_there;
		int64_t parts[2];
	} recent[MP_SEEN_RECENT]; /* streams seen recently, by the last bits of their numbers */
};

/* Stretches of time in which a device computes, in order. */
struct mp_stretch {
	struct mp_sink rows; /* of overlap */
	bool is_open;
	int64_t start_ns, end_ns, free_ns;
	bool has_others; /* tasks that bound the free time, without computing */
	int64_t begin_ns, last_ns;
};

enum { MP_TASK_KINDS = 512 };

/* What the type of a launch says of its task: bits of the map "host_rule". */
enum {
	MP_RULE_IN_NODE = 1, /* an operator if its call of a node has one */
	MP_RULE_ALONE = 2,   /* without a node an operator by itself, if its kernel has a name */
	MP_RULE_BUSY = 4,    /* does not bound the free time of a device */
	MP_RULE_CONTEXT = 8, /* without a node its context 0 is the operator */
	MP_RULE_COPY = 16    /* copies memory */
};

/* A record of the current task. */
struct mp_part_of_task {
	bool is_there;
	struct mp_feed_record record;
	int64_t counted[2]; /* of counters: start and duration, */
	bool uncounted[2];  /* and whether they are NULL */
};

enum mp_task_part { MP_TASK_LAUNCH, MP_TASK_INFO, MP_TASK_AIC, MP_TASK_AIV, MP_TASK_PART_COUNT };

/* A task, and what was found of it. */
struct mp_task_now {
	int64_t device_id, stream_id, task_id, batch_id, mhz;
	const struct mp_run *run; /* NULL: a launch without a run */
	bool has_mhz;
	bool has_node, has_call; /* the launch is in a call of a node; in any call */
	int64_t node_id, call;   /* the call of a node; that, or the innermost call around the launch */
	int64_t rule;            /* of its type: MP_RULE_... */
	bool is_op, has_wait;
	int64_t wait_ns, before_ns; /* of an operator: since the end of the operator before, which began at before_ns */
	struct mp_part_of_task parts[MP_TASK_PART_COUNT];
};

/* What the joins find by numbers, or by times: each is a map of SQL of its name, too. */
struct mp_task_maps {
	struct mp_map *launch, *aic, *aiv, *node, *outer, *host_rule, *batch, *frequency, *open, *ends, *flip;
};

struct mp_tasks {
	struct mp_joiner joiner;
	struct mp_joins joins;
	struct mp_load *load;
	struct mp_task_now now;
	struct mp_task_maps maps;
	int device; /* index in the devices of the job; at their count: launches without a run */
	struct mp_runs runs;
	int32_t next_run;
	struct mp_log logs[2];
	struct mp_feed track, info, pmu; /* pmu: of the device */
	struct mp_feed_columns track_columns, place_columns, launch_columns, pmu_columns,
	    counted_columns;     /* place: time and thread; launch: type and kernel; counted: start and duration */
	bool has_flips, counted; /* counted: the map holds all launches */
	int64_t counters_found, counters_before; /* those of runs; those of them that end before their run begins */
	bool level0;                             /* nodes are not described */
	bool expanded;                           /* numbers of streams have 15 bits */
	int64_t whole;                           /* then the types of tasks whose numbers are as recorded, as bits */
	int64_t flip_type;                       /* the task_type of flips, which launch nothing */
	struct mp_places left;                   /* launches without a run, in order */
	size_t next_left;
	struct mp_places flips, odd_infos;
	struct mp_stretch stretch;
	struct mp_seen seen;
	struct mp_calls calls;
	struct mp_task_rows *rows; /* of temp.joined_task */
	bool has_last;             /* an operator ran before, on this device or one before it */
	int64_t last_start_ns, last_end_ns;
	struct mp_recent_rule {
		bool is_there;
		int64_t type, rule;
	} recent_rule;
};

/* Joins the next task. Returns 1 for a task, 0 at the end, -1 on error. At the end records that joined nothing are in
 * their tables. */
int mp_tasks_next(struct mp_tasks *tasks, struct mp_error *err);

/* Makes temp.joined_task, whose rows the tasks are. */
int mp_task_rows_create(struct mp_tasks *tasks, struct mp_error *err);
void mp_task_rows_free(struct mp_tasks *tasks);

/* Reads from the database before the first task. */
int mp_tasks_begin(struct mp_tasks *tasks, struct mp_error *err);

/* open: prepares the table `overlap`. add: the current run, which computes or, with `bounds`, ends or begins free time.
 * end: the device has no more runs. */
int mp_stretch_open(struct mp_stretch *stretch, struct mp_load *load, struct mp_error *err);
int mp_stretch_add(struct mp_stretch *stretch, const struct mp_tasks *tasks, bool bounds, struct mp_error *err);
int mp_stretch_end(struct mp_stretch *stretch, int64_t device_id, struct mp_error *err);

/* add: notes the kind of the current task. */
int mp_seen_open(struct mp_seen *seen, struct mp_tasks *tasks, struct mp_error *err);
void mp_seen_close(struct mp_seen *seen);
int mp_seen_add(struct mp_seen *seen, struct mp_tasks *tasks, struct mp_error *err);

/* Prepares the sums over calls. see: adds a call (struct mp_joiner). */
int mp_calls_open(struct mp_calls *calls, struct mp_db *db, struct mp_error *err);
int mp_calls_see(struct mp_joiner *joiner, const struct mp_layout *layout, const int64_t *values, struct mp_error *err);

/* Adds a place; clear forgets all. */
int mp_places_add(struct mp_places *places, int64_t place, struct mp_error *err);
void mp_places_clear(struct mp_places *places);

/* add_all: adds the values of all lists of a map. sort: by place. */
int mp_places_add_all(struct mp_places *places, struct mp_map *map, struct mp_error *err);
void mp_places_sort(struct mp_places *places);

/* Inserts the records at the places into the table of their feed, and clears the places. */
int mp_places_insert(struct mp_places *places, struct mp_feed *feed, struct mp_error *err);

/* Stream and task as recorded may have exchanged bits: bits 12 and 13 of the stream say which. Stores the true numbers.
 */
void mp_task_ids(bool expanded, int64_t stream, int64_t task, int64_t *stream_id, int64_t *task_id);

/* Reads the operators of all calls. */
int mp_task_read_infos(struct mp_tasks *tasks, struct mp_error *err);

/* Reads the next launch; key: device, stream, task, batch. Keeps flips for their table. Returns 1, 0 at the end, -1 on
 * error. */
int mp_task_next_launch(struct mp_tasks *tasks, int64_t *place, int64_t key[4], struct mp_error *err);

/* Stores device, stream, task and batch of a launch. Without a batch the task's number is the only one of its device.
 */
void mp_task_launch_key(const int64_t *track, const bool *nulls, int64_t key[4]);

/* Reads all launches into the map, with the batches that the flips of the host count. */
int mp_task_read_launches(struct mp_tasks *tasks, struct mp_error *err);

/* Finds a part of the current run, and reads on as far as needed. Find the launch before the operator. */
int mp_task_find_launch(struct mp_tasks *tasks, struct mp_error *err);
int mp_task_find_info(struct mp_tasks *tasks, struct mp_error *err);
int mp_task_find_counters(struct mp_tasks *tasks, enum mp_task_part part, struct mp_error *err);

/* Decides whether the current task, whose launch and operator are known, is an operator; how long the device waited. */
void mp_task_find_op(struct mp_tasks *tasks);

/* Reads the counters of the first file of the device ahead. Most tasks have one kind of counters; to know that takes
 * all. */
int mp_task_read_counters(struct mp_tasks *tasks, struct mp_error *err);

/* The frequency of the device when the counters of the current task end, or when the run begins. */
void mp_task_find_frequency(struct mp_tasks *tasks);

/* Moves counters without a task to their table. */
int mp_task_end_counters(struct mp_tasks *tasks, struct mp_error *err);

#endif
