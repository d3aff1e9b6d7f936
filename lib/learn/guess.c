/*
 * guess.c: tries all places where the counters may begin. In each record no unit works longer than the task lasts, nor
 * more than it is busy; tasks with layers of matrices use the Mac unit, those that only prepare the input do not; the
 * first task loads data; and no task moves more bytes than the memory can.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/learn_internal.h"

/* What is known of a record's task. */
struct known {
	size_t record;
	uint64_t ticks;
	bool is_first, is_matrix, is_input;
};

/* Whether a counter may have this value in a record: in tenths of a cycle, or bytes. */
static bool may_be(const struct known *k, int counter, uint64_t value)
{
	if (mp_is_bytes(counter))
		return value <= k->ticks * 100 * MP_BYTES_A_CYCLE;
	if (value > k->ticks * 1000)
		return false;
	if (counter == MP_MAC_BUSY || counter == MP_MAC_PPEN)
		return value ? !k->is_input : !k->is_matrix;
	return value || counter != MP_DLD || !k->is_first;
}

static struct known know(
    const struct mp_records *r, const struct mp_inference *inference, size_t record, struct mp_work *work)
{
	struct known k = {.record = record, .ticks = r->words.ticks[record], .is_first = record == inference->first};
	const struct mp_layer *layers;
	size_t count = mp_records_layers(r, inference, record, &layers);

	k.is_input = count > 0;
	for (size_t i = 0; i < count && mp_work_take(work, 1); i++) {
		k.is_matrix |= layers[i].is_matrix;
		k.is_input &= layers[i].is_input;
	}
	return k;
}

struct guesser {
	const struct mp_records *records;
	struct known *known; /* the records of all inferences */
	size_t count;
	struct mp_work *work;
};

/* Whether the counters from `first` to `last` may lie behind each other from an offset on. */
static bool may_lie(const struct guesser *g, unsigned at, unsigned width, int first, int last)
{
	const struct mp_words *words = &g->records->words;
	struct mp_place p[MP_COUNTERS];
	bool any[MP_COUNTERS] = {false};

	for (int c = first; c <= last; c++, at += width) {
		p[c] = (struct mp_place){.offset = (uint16_t)at, .width = (uint8_t)width, .scale = 1};
		if (!mp_place_is_possible(words, &p[c]))
			return false;
	}
	for (size_t i = 0; i < g->count; i++) {
		uint64_t v[MP_COUNTERS] = {0};

		if (!mp_work_take(g->work, first == last ? 1 : MP_COUNTERS))
			return false;
		for (int c = first; c <= last; c++) {
			v[c] = mp_place_value(words, &p[c], c, g->known[i].record);
			if (!may_be(&g->known[i], c, v[c]))
				return false;
			any[c] |= v[c] > 0;
		}
		if (first < last && (v[MP_MAC_PPEN] > v[MP_MAC_BUSY] || v[MP_VEC_PPEN] > v[MP_VEC_BUSY]))
			return false;
	}
	return first == last ? any[first] : any[MP_VEC_BUSY] && any[MP_DLD] && any[MP_DDR_READ];
}

/* Try all places for all counters together; returns whether there is one. */
static bool guess_all(const struct guesser *g, struct mp_finding findings[MP_COUNTERS])
{
	const struct mp_words *words = &g->records->words;
	bool found = false;

	for (unsigned n = 0, width = 4; n < 3; width = ++n == 1 ? 8 : 2)
		for (unsigned at = (unsigned)words->low; at < words->low + words->span; at += width) {
			if (!may_lie(g, at, width, 0, MP_COUNTERS - 1))
				continue;
			for (int c = 0; c < MP_COUNTERS; c++) {
				struct mp_place p = {
				    (uint16_t)(at + (unsigned)c * width), (uint8_t)width, false, 1, 0, 0};

				if (found)
					mp_others_add(&findings[c].rivals, &p);
				else
					findings[c].place = p;
			}
			found = true;
		}
	return found;
}

int mp_guess_places(
    struct mp_finding findings[MP_COUNTERS], const struct mp_records *r, struct mp_work *work, struct mp_error *err)
{
	const struct mp_words *words = &r->words;
	struct guesser g = {.records = r, .known = calloc(words->count + 1, sizeof(*g.known)), .work = work};
	bool found;

	if (!g.known)
		return mp_fail_memory(err, "records");
	memset(findings, 0, MP_COUNTERS * sizeof(*findings));
	mp_work_share(work, 0, 1);
	for (size_t n = 0; n < r->inference_count; n++)
		for (size_t i = 0; i < r->inferences[n].count && g.count < words->count; i++)
			g.known[g.count++] = know(r, &r->inferences[n], r->inferences[n].first + i, work);
	found = guess_all(&g, findings);
	for (int c = 0; c < MP_COUNTERS; c++) {
		for (size_t at = words->low; !found && at < words->low + words->span; at += 4)
			if (may_lie(&g, (unsigned)at, 4, c, c))
				mp_others_add(&findings[c].rivals, &(struct mp_place){(uint16_t)at, 4, false, 1, 0, 0});
		findings[c].not_searched = work->ended;
	}
	free(g.known);
	return 0;
}
