/*
 * sequences.h: the same kinds of tasks one after the other, again and again.
 *
 * Tasks are in runs: a run is what one stream did without a task that must stay alone. A sequence is 2 to
 * MP_SEQUENCE_MAX tasks of a run. A sequence that repeats a shorter one is not a sequence. The one with the largest
 * saving is found first; its tasks belong to no other. All results are allocated; free with mp_sequences_free. One
 * thread.
 */
#ifndef MP_INSIGHT_SEQUENCES_H
#define MP_INSIGHT_SEQUENCES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MP_SEQUENCE_MAX = 10, MP_SEQUENCES_FOUND = 10 };

struct mp_sequence_task {
	int64_t kind, start_ns, end_ns;
	uint32_t row, run;
};

struct mp_op_sequence {
	size_t first; /* the first task of its first occurrence */
	int length;
	int64_t times;
	int64_t span_ns;   /* from the start of the first task to the end of the last one, of all occurrences */
	int64_t saving_ns; /* without the longest task of each */
};

struct mp_sequences {
	struct mp_op_sequence items[MP_SEQUENCES_FOUND];
	int count;
	int *number; /* of each task: the number of its sequence from 1; negative where an occurrence begins; 0: none */
};

/* Find sequences that occur at least `least` times. Returns false when out of memory. */
bool mp_sequences_find(struct mp_sequences *s, const struct mp_sequence_task *tasks, size_t count, int64_t least);
void mp_sequences_free(struct mp_sequences *s);

#endif
