/* compare_internal.h: the parts of a comparison, and what the readers of its sides share. */
#ifndef MP_COMPARE_INTERNAL_H
#define MP_COMPARE_INTERNAL_H

#include "compare/diff.h"
#include "compare/side.h"
#include "report/report.h"

/* How samples of a group become those of a test. */
struct mp_units {
	int of[MP_SAMPLES_MAX]; /* the unit of each sample */
	int64_t steps[MP_SAMPLES_MAX];
	int count;
};

/* A group on both sides, with the samples and the test that they allow. */
struct mp_pairing {
	const struct mp_group *base, *new;
	struct mp_units base_units, new_units;
	struct mp_ranks ranks;
	enum mp_sample_unit unit;
	int64_t base_steps, new_steps;
	const struct mp_noise *noise;
};

/* Choose jobs as samples where there are enough for a test, else steps, else neither. */
int mp_pairing_make(struct mp_pairing *p, const struct mp_group *base, const struct mp_group *new,
    const struct mp_noise *noise, struct mp_error *err);

/* Compare the times of steps, or the 95th percentiles of runs. */
int mp_pairing_total(const struct mp_pairing *p, struct mp_total *total, struct mp_error *err);
int mp_pairing_p95(const struct mp_pairing *p, struct mp_total *p95, struct mp_error *err);

/* Make the rows of a group, whose total is known. */
int mp_rows_make(struct mp_group_diff *g, const struct mp_pairing *p, struct mp_error *err);

/* The verdict about a change; small ones of many rows need more. */
enum mp_verdict mp_verdict_of(
    const struct mp_change *change, const struct mp_noise *noise, double total_ns, size_t rows);

/* The items of each row on one side, as lists; MP_NO_ITEM ends one. */
struct mp_row_items {
	const struct mp_group *group;
	const struct mp_units *units;
	uint32_t *first, *next; /* by row, by item */
	int64_t steps;
};

#define MP_NO_ITEM UINT32_MAX

/* The time of a row in each unit, as the mean of its steps. */
void mp_row_samples(struct mp_samples *samples, const struct mp_row_items *items, size_t row);

/* Find what most operators have in common, and judge each row against it. The rows have their changes, and the places
 * of the matching. */
int mp_common_find(struct mp_group_diff *g, const struct mp_pairing *p, const struct mp_row_items *base,
    const struct mp_row_items *new, struct mp_error *err);

/* Compare the facts, and compute the score. */
int mp_facts_compare(struct mp_diff *diff, struct mp_error *err);

/* What the readers of tasks and of calls share. */

/* A job that is being read. */
struct mp_side_reading {
	struct mp_side *side;
	struct mp_db *db;
	struct mp_reports lists;
	const struct mp_report *tasks, *names, *calls, *facts; /* of its family */
};

/* A copy that ends at the first NUL, with U+FFFD for each invalid byte, as a baseline has it. NULL: out of memory. */
char *mp_reading_text(const char *text, size_t len);

/* The name of an operator (@each of names) or of a call (@rows) with these keys; texts of the item are valid until the
 * query moves. 0, or -1 with err. */
int mp_reading_name(struct mp_query *names, const int64_t *keys, struct mp_side_item *item, struct mp_error *err);

/* Read all tasks into the groups of the side. */
int mp_read_tasks(struct mp_side_reading *r, struct mp_error *err);

/* Read all calls; after the tasks. */
int mp_read_calls(struct mp_side_reading *r, struct mp_error *err);

#endif
