/* sequences.c: counts all sequences of a length in a hash table, then takes them by their savings. Knows no table. */
#include "insight/sequences.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "insight/sweep.h"

enum { CANDIDATES = 64, LENGTHS = MP_SEQUENCE_MAX - 1 };

/* A sequence with its occurrences that do not overlap. */
struct counted {
	struct mp_sequence s;
	size_t next; /* the next occurrence begins here or later */
};

struct finder {
	const struct mp_sequence_task *tasks;
	size_t count;
	struct counted *counted; /* of one length */
	size_t counted_count;
	struct mp_index index; /* of counted */
	struct mp_sequence candidates[CANDIDATES * LENGTHS];
	size_t candidate_count;
};

struct wanted {
	const struct finder *f;
	size_t first;
	int length;
};

static bool equal(const struct finder *f, size_t a, size_t b, int length)
{
	for (int i = 0; i < length; i++)
		if (f->tasks[a + (size_t)i].kind != f->tasks[b + (size_t)i].kind)
			return false;
	return true;
}

static bool same(const void *key, uint32_t item)
{
	const struct wanted *w = key;

	return equal(w->f, w->first, w->f->counted[item].s.first, w->length);
}

static bool is_within_run(const struct finder *f, size_t first, int length)
{
	size_t last = first + (size_t)length - 1;

	return last < f->count && f->tasks[first].run == f->tasks[last].run;
}

/* AB in ABAB, and A in AA: the shortest sequence that repeats counts. One task alone is not a sequence. */
static bool repeats(const struct finder *f, size_t first, int length)
{
	for (int period = 1; 2 * period <= length; period++)
		if (equal(f, first, first + (size_t)period, length - period))
			return true;
	return false;
}

static void add_times(struct mp_sequence *s, const struct finder *f, size_t at)
{
	int64_t end_ns = f->tasks[at].end_ns, longest_ns = 0, span_ns;

	for (size_t i = at; i < at + (size_t)s->length; i++) {
		const struct mp_sequence_task *t = &f->tasks[i];
		int64_t ns = mp_span_ns(t->start_ns, t->end_ns);

		if (t->end_ns > end_ns)
			end_ns = t->end_ns;
		if (ns > longest_ns)
			longest_ns = ns;
	}
	span_ns = mp_span_ns(f->tasks[at].start_ns, end_ns);
	s->times++;
	s->span_ns = mp_add_ns(s->span_ns, span_ns);
	s->saving_ns = mp_add_ns(s->saving_ns, span_ns - longest_ns);
}

static int largest_first(const void *a, const void *b)
{
	const struct mp_sequence *x = a, *y = b;

	if (x->saving_ns != y->saving_ns)
		return x->saving_ns > y->saving_ns ? -1 : 1;
	if (x->length != y->length)
		return y->length - x->length;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int largest_counted_first(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	return largest_first(&x->s, &y->s);
}

/* Returns false when memory is short. */
static bool count_length(struct finder *f, int length, int64_t least)
{
	mp_index_clear(&f->index);
	f->counted_count = 0;
	for (size_t i = 0; i < f->count; i++) {
		const struct wanted w = {f, i, length};
		struct counted *c;
		uint64_t hash = 0;
		uint32_t *place;

		if (!is_within_run(f, i, length) || repeats(f, i, length))
			continue;
		for (int k = 0; k < length; k++)
			hash = mp_hash_mix(hash, (uint64_t)f->tasks[i + (size_t)k].kind);
		place = mp_index_find(&f->index, f->counted_count, hash, same, &w);
		if (!place)
			return false;
		if (!*place) {
			f->counted[f->counted_count] = (struct counted){.s = {.first = i, .length = length}};
			*place = (uint32_t)++f->counted_count;
		}
		c = &f->counted[*place - 1];
		if (i < c->next)
			continue;
		add_times(&c->s, f, i);
		c->next = i + (size_t)length;
	}
	qsort(f->counted, f->counted_count, sizeof(*f->counted), largest_counted_first);
	for (size_t i = 0, taken = 0; i < f->counted_count && taken < CANDIDATES; i++)
		if (f->counted[i].s.times >= least) {
			f->candidates[f->candidate_count++] = f->counted[i].s;
			taken++;
		}
	return true;
}

/* The occurrences of a candidate whose tasks are in no sequence yet; kept if there are enough. */
static void take(struct mp_sequences *s, const struct finder *f, const struct mp_sequence *candidate, int64_t least)
{
	struct mp_sequence found = {.first = f->count, .length = candidate->length};
	int number = s->count + 1;

	for (size_t i = 0; i < f->count; i++) {
		bool is_free = is_within_run(f, i, found.length) && equal(f, i, candidate->first, found.length);

		for (int k = 0; k < found.length && is_free; k++)
			is_free = s->number[i + (size_t)k] == 0;
		if (!is_free)
			continue;
		for (int k = 0; k < found.length; k++)
			s->number[i + (size_t)k] = k ? number : -number;
		if (found.first == f->count)
			found.first = i;
		add_times(&found, f, i);
	}
	if (found.times >= least) {
		s->items[s->count++] = found;
		return;
	}
	for (size_t i = 0; i < f->count; i++)
		if (s->number[i] == number || s->number[i] == -number)
			s->number[i] = 0;
}

bool mp_sequences_find(struct mp_sequences *s, const struct mp_sequence_task *tasks, size_t count, int64_t least)
{
	struct finder *f = calloc(1, sizeof(*f));
	bool ok;

	memset(s, 0, sizeof(*s));
	s->number = calloc(count + 1, sizeof(*s->number));
	if (f) {
		*f = (struct finder){.tasks = tasks, .count = count};
		f->counted = calloc(count + 1, sizeof(*f->counted));
	}
	ok = f && s->number && f->counted;
	for (int length = MP_SEQUENCE_MAX; ok && length >= 2; length--)
		ok = count_length(f, length, least);
	if (ok && f->candidate_count)
		qsort(f->candidates, f->candidate_count, sizeof(f->candidates[0]), largest_first);
	for (size_t i = 0; ok && i < f->candidate_count && s->count < MP_SEQUENCES_FOUND; i++)
		take(s, f, &f->candidates[i], least);
	if (f) {
		free(f->counted);
		mp_index_free(&f->index);
	}
	free(f);
	return ok;
}

void mp_sequences_free(struct mp_sequences *s)
{
	free(s->number);
	memset(s, 0, sizeof(*s));
}
