/*
 * facts.h: what the advice is made of, as temporary tables: operators, steps, where their time went, gaps.
 *
 * schema/insight/facts/FAMILY.sql says which tasks there are, calls/FAMILY.sql which calls, sequence/FAMILY.sql among
 * which tasks sequences are sought. docs/INSIGHT.md describes their queries and the tables operator, window,
 * window_time, gap, gap_reason, sequence, sequence_part and sequence_run, which this module fills. Nothing is kept
 * between calls. Functions return 0, or -1 with err.
 */
#ifndef MP_INSIGHT_FACTS_H
#define MP_INSIGHT_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/report.h"
#include "store/db.h"

/* Read all tasks, sweep each track, and make the tables; `calls`: those of the host, or NULL. */
int mp_facts_collect(
    struct mp_db *db, const struct mp_report *tasks, const struct mp_report *calls, struct mp_error *err);

/* Find the sequences of the last steps. */
int mp_facts_sequences(struct mp_db *db, const struct mp_report *report, struct mp_error *err);

/*
 * The same kinds of tasks one after the other, again and again.
 *
 * Tasks are in runs: a run is what one stream did without a task that must stay alone. A sequence is 2 to
 * MP_SEQUENCE_MAX tasks of a run. A sequence that repeats a shorter one is not a sequence. The one with the largest
 * saving is found first; its tasks belong to no other. All results are allocated; free with mp_sequences_free. One
 * thread.
 */

enum { MP_SEQUENCE_MAX = 10, MP_SEQUENCES_FOUND = 10, MP_KNOWN_FOUND = 16 };

struct mp_sequence_task {
	int64_t kind, start_ns, end_ns;
	uint32_t row, run;
};

/* That a kind may stand at this place of a known sequence. */
struct mp_known {
	int64_t sequence, place, kind;
};

struct mp_op_sequence {
	size_t first;  /* the first task of its first occurrence */
	int64_t known; /* which known sequence it is; 0: none */
	int length;
	int64_t times;
	int64_t span_ns;   /* from the start of the first task to the end of the last one, of all occurrences */
	int64_t saving_ns; /* without the longest task of each */
};

struct mp_sequences {
	struct mp_op_sequence items[MP_KNOWN_FOUND + MP_SEQUENCES_FOUND]; /* known ones first */
	int count;
	int *number; /* of each task: the number of its sequence from 1; negative where an occurrence begins; 0: none */
};

/* Known sequences, sorted by their number and place. */
struct mp_known_list {
	const struct mp_known *items;
	size_t count;
};

/* Find known sequences, and others that occur at least `least` times. Returns false when out of memory. */
bool mp_sequences_find(struct mp_sequences *s, const struct mp_sequence_task *tasks, size_t count, int64_t least,
    struct mp_known_list known);
void mp_sequences_free(struct mp_sequences *s);

#endif
