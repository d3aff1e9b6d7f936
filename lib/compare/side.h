/*
 * side.h: one side of a comparison: the steps, operators and calls of any number of jobs, as samples.
 *
 * A job is a run. Its steps are joined to at most a few samples of consecutive steps, so that memory and a baseline
 * file stay small; with many runs each is one sample. The times of a sample are sums, and exact: those of all items of
 * a group add up to the time of its steps. Operators of different runs with the same name and shape are one item; the
 * n-th of a name in one run is the n-th in another. A side owns everything; free with mp_side_free, after an error,
 * too. Functions return 0, or -1 with err, unless stated. One thread.
 */
#ifndef MP_COMPARE_SIDE_H
#define MP_COMPARE_SIDE_H

#include "base/error.h"
#include "base/index.h"
#include "base/out.h"
#include "compare/noise.h"
#include "store/db.h"

enum { MP_BLOCKS = 16 }; /* samples of a side, unless it has more runs */

enum mp_item_kind {
	MP_ITEM_OPERATOR,
	MP_ITEM_IDLE,    /* no task runs */
	MP_ITEM_OVERLAP, /* what tasks that run at the same time count twice, negative */
	MP_ITEM_CALL,
	MP_ITEM_KINDS
};

extern const char *const mp_item_kinds[MP_ITEM_KINDS];

struct mp_side_item {
	char *name;   /* the original layers, or the operator, or the call */
	char *detail; /* shapes, or the role of the thread that calls; NULL: unknown */
	char *layers; /* separated by MP_LIST_SEPARATOR; NULL: the name is all that is known */
	enum mp_item_kind kind;
	int64_t calls; /* in all steps */
	int nth;       /* from 0: among the items of this name */
	int run, next; /* while runs are read: the run that counts, and how many it has of this name */
};

struct mp_sample {
	int run;
	int64_t steps, total_ns;
};

struct mp_side_run {
	int64_t steps, p95_ns;
};

/* Steps of one kind: of a model on a device, of a device; or all calls. */
struct mp_group {
	char *title, *what;
	struct mp_sample *samples;
	int sample_count;
	struct mp_side_run *runs;
	int run_count, last_run;    /* last_run: the run of the side that was added last */
	struct mp_side_item *items; /* in the order of their first task */
	int64_t *sums;              /* `width` for each item: its time in each sample */
	size_t item_count;
	int width;
	struct mp_index index; /* of items */
};

/* What two sides should have in common. */
struct mp_fact {
	char *name, *value;
};

struct mp_side {
	char family[16];
	struct mp_group *groups;
	size_t group_count;
	struct mp_group calls;
	struct mp_fact *facts;
	size_t fact_count;
	int runs, blocks, width;
	int run; /* that is being read, from 0 */
};

/* Begin a side of `runs` jobs, at most MP_SAMPLES_MAX. */
int mp_side_begin(struct mp_side *side, size_t runs, struct mp_error *err);
void mp_side_free(struct mp_side *side);

/* Begin a group with no samples. */
int mp_group_begin(struct mp_group *group, const char *title, const char *what, int width, struct mp_error *err);

/* The group with this title, made when new; NULL with err. Groups move when one is added. */
struct mp_group *mp_side_group(struct mp_side *side, const char *title, const char *what, struct mp_error *err);

/* The next item of the name in a run, made when new; *at is its place. Texts may be NULL but the name; they are copied.
 */
int mp_group_item(struct mp_group *group, int run, const struct mp_side_item *like, size_t *at, struct mp_error *err);

/* The one item of a name in all runs. */
int mp_group_same(struct mp_group *group, const struct mp_side_item *like, size_t *at, struct mp_error *err);

/* Add a fact; different values of several runs are joined. */
int mp_side_fact(struct mp_side *side, const char *name, const char *value, struct mp_error *err);

/* The value of a fact, or NULL. */
const char *mp_side_find(const struct mp_side *side, const char *name);

/* All steps, and the time of an item in all of them. */
int64_t mp_group_steps(const struct mp_group *group);
int64_t mp_group_time(const struct mp_group *group, size_t item);

/* The time of the mean step, cut to whole nanoseconds; and of an item in it, such that the items add up to the step. */
int64_t mp_mean_ns(int64_t time_ns, int64_t steps);

/* Adds a job to a side, from the tables of its database. docs/INSIGHT.md describes schema/insight/samples.
 */

/* Add the steps, operators, calls and facts of an open database to the current run, which may have several parts: host
 * and devices. A job without steps adds no sample. Returns 0, or -1 with err. */
int mp_side_read(struct mp_side *side, struct mp_db *db, const char *family, struct mp_error *err);

/*
 * A side as a small text file, JSON of the schema msprof.baseline/1.
 *
 * The same side gives the same bytes. A file is foreign: every number and text is checked before it counts. Functions
 * return 0, or -1 with err. One thread.
 */

enum { MP_BASELINE_MAX = 8 << 20 }; /* bytes of a file */

#define MP_BASELINE_NS_MAX ((int64_t)1 << 50) /* 13 days: sums of 64 samples stay exact, too */

/* Whether a baseline can hold the side: it has a step, and no time is too long. */
int mp_baseline_check(const struct mp_side *side, struct mp_error *err);

/* Write a side that passed the check; the mp_out keeps its errors. */
void mp_baseline_write(const struct mp_side *side, struct mp_out *out);

/* Read a file into a new side, which must be freed, after an error, too. */
int mp_baseline_read(struct mp_side *side, const char *path, struct mp_error *err);

/* The same for a text. `label` is the file in errors. */
int mp_baseline_parse(struct mp_side *side, const char *text, size_t len, const char *label, struct mp_error *err);

#endif
