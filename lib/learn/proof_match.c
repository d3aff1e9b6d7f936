/*
 * proof_match.c: finds the task or call that each row of a table shows.
 *
 * Items of one key, such as a task id, are in order of their start. A row takes the next item of its key whose cells
 * are all equal; if that is not the next one, items of about the row's time are tried. Rows left over take the item
 * with the most equal cells. The number of trials is bounded by the number of rows.
 */
#include "learn/proof_internal.h"

#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"

enum { TRIALS = 256, LAST_TRIALS = 16, TRIALS_A_ROW = 32 };

struct search {
	const struct mp_matcher *m;
	enum mp_meaning key; /* MP_MEANS_NOTHING: all items have one key */
	int key_column, time_column;
	size_t *next;    /* of the first item of a key: the first of the key that may be unused */
	size_t *by_time; /* the items in order of key and duration */
	size_t *match;
	size_t trials; /* how many are left */
};

static uint64_t number_key(int64_t number)
{
	return (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

/* A key of a text that does not depend on the separators of lists. */
static uint64_t text_key(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (text && *text) {
		size_t len = strcspn(text, ",;|+\n []\"'()");

		if (len)
			hash = mp_proof_hash(hash, text, len);
		text += len + (text[len] != '\0');
	}
	return hash;
}

static int64_t duration(const struct mp_proof_items *items, const struct mp_proof_item *item)
{
	return items->has_cycles ? item->cycles : item->dur_ns;
}

static int compare_starts(const void *a, const void *b)
{
	const struct mp_proof_item *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->dur_ns != y->dur_ns)
		return x->dur_ns < y->dur_ns ? -1 : 1;
	return x->cycles < y->cycles ? -1 : x->cycles > y->cycles;
}

/* An item with what it is sorted by. */
struct timed {
	uint64_t key;
	int64_t duration;
	size_t index;
};

static int compare_times(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	if (x->duration != y->duration)
		return x->duration < y->duration ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static bool column_is_whole(const struct mp_reference *ref, int column)
{
	for (size_t row = 0; row < ref->row_count; row++) {
		if (mp_proof_is_cut(mp_reference_cell(ref, row, column)->text))
			return false;
	}
	return true;
}

static void choose_key(struct search *s)
{
	static const enum mp_meaning of_tasks[] = {MP_MEANS_TASK_ID, MP_MEANS_LAYER_ID, MP_MEANS_LAYER_NAME,
	    MP_MEANS_ORI_NAME},
				     of_calls[] = {MP_MEANS_CALL_NAME, MP_MEANS_EVENT_NAME, MP_MEANS_LAYER_NAME,
					 MP_MEANS_CALL_NAME};
	const enum mp_meaning *keys = s->m->items->are_calls ? of_calls : of_tasks;

	s->key = MP_MEANS_NOTHING;
	for (int i = 0; i < 4 && s->key == MP_MEANS_NOTHING; i++) {
		s->key_column = mp_reference_column(s->m->ref, keys[i]);
		if (s->key_column >= 0 && column_is_whole(s->m->ref, s->key_column))
			s->key = keys[i];
	}
}

static void set_keys(const struct search *s)
{
	struct mp_proof_items *items = s->m->items;

	for (size_t i = 0; i < items->count; i++) {
		struct mp_proof_item *item = &items->at[i];

		if (s->key == MP_MEANS_NOTHING)
			item->key = 0;
		else if (s->key == MP_MEANS_TASK_ID)
			item->key = number_key(item->id);
		else
			item->key = text_key(mp_proof_word(items, item, s->key));
		item->used = false;
	}
	if (items->count)
		qsort(items->at, items->count, sizeof(*items->at), compare_starts);
}

static uint64_t row_key(const struct search *s, size_t row)
{
	const struct mp_cell *cell;

	if (s->key == MP_MEANS_NOTHING)
		return 0;
	cell = mp_reference_cell(s->m->ref, row, s->key_column);
	if (s->key != MP_MEANS_TASK_ID)
		return text_key(mp_proof_is_empty(cell->text) ? NULL : cell->text);
	return cell->is_number ? number_key(cell->value / (int64_t)mp_proof_power(cell->decimals)) : 0;
}

static int make_index(struct search *s, struct mp_error *err)
{
	const struct mp_proof_items *items = s->m->items;
	struct timed *timed = mp_learn_malloc((items->count + 1) * sizeof(*timed));

	s->next = mp_learn_malloc((items->count + 1) * sizeof(*s->next));
	s->by_time = mp_learn_malloc((items->count + 1) * sizeof(*s->by_time));
	s->match = mp_learn_malloc((s->m->ref->row_count + 1) * sizeof(*s->match));
	if (!timed || !s->next || !s->by_time || !s->match) {
		free(timed);
		return mp_fail_memory(err, "the proof");
	}
	for (size_t i = 0; i < items->count; i++) {
		s->next[i] = i;
		timed[i] = (struct timed){items->at[i].key, duration(items, &items->at[i]), i};
	}
	if (items->count)
		qsort(timed, items->count, sizeof(*timed), compare_times);
	for (size_t i = 0; i < items->count; i++)
		s->by_time[i] = timed[i].index;
	free(timed);
	return 0;
}

/* The range of items with a key. */
static size_t find_key(const struct mp_proof_items *items, uint64_t key, bool behind)
{
	size_t low = 0, high = items->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (items->at[mid].key < key || (behind && items->at[mid].key == key))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Whether an item lasts less than the cell says, by more than the cell's last digit. */
static bool is_shorter(const struct search *s, const struct mp_proof_item *item, size_t row, int ulps)
{
	const struct mp_cell *cell = mp_reference_cell(s->m->ref, row, s->time_column);
	struct mp_expected e = mp_proof_duration(s->m->items, item, s->m->ref->columns[s->time_column].unit, 0);
	__int128 power = mp_proof_power(cell->decimals);

	if (e.kind != MP_EXPECT_AMOUNT)
		return true;
	return e.amount.high * power < ((__int128)cell->value + ulps) * e.amount.den;
}

/* The first place in by_time, between from and to, whose item lasts about as long as the row says, or longer. */
static size_t find_time(const struct search *s, size_t from, size_t to, size_t row)
{
	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if (is_shorter(s, &s->m->items->at[s->by_time[mid]], row, -1))
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/* Among unused items, the first with all cells equal, or (`all` unset) the one with the most equal cells. */
static size_t try_items(struct search *s, size_t row, size_t from, size_t to, bool all)
{
	const struct mp_matcher *m = s->m;
	const struct mp_cell *time = s->time_column < 0 ? NULL : mp_reference_cell(m->ref, row, s->time_column);
	bool timed = time && time->is_number;
	size_t best = SIZE_MAX, most = 0, limit = all ? TRIALS : LAST_TRIALS;

	for (size_t at = timed ? find_time(s, from, to, row) : from; at < to && limit && s->trials; at++) {
		size_t i = timed ? s->by_time[at] : at, score;

		if (timed && !is_shorter(s, &m->items->at[i], row, 2))
			break;
		limit--;
		s->trials--;
		if (m->items->at[i].used)
			continue;
		score = m->score(m->user, row, &m->items->at[i], all);
		if (all && score == m->full)
			return i;
		if (!all && (best == SIZE_MAX || score > most)) {
			best = i;
			most = score;
		}
	}
	return best;
}

static size_t next_unused(struct search *s, size_t from, size_t to)
{
	while (s->next[from] < to && s->m->items->at[s->next[from]].used)
		s->next[from]++;
	return s->next[from];
}

/* `last`: take the best item instead of an equal one. */
static size_t find_item(struct search *s, size_t row, bool last)
{
	const struct mp_matcher *m = s->m;
	uint64_t key = row_key(s, row);
	size_t from = find_key(m->items, key, false), to = find_key(m->items, key, true), next, found;

	if (from == to)
		return SIZE_MAX;
	next = next_unused(s, from, to);
	if (next == to)
		return SIZE_MAX;
	if (!last && m->score(m->user, row, &m->items->at[next], true) == m->full)
		return next;
	found = try_items(s, row, s->time_column < 0 ? next : from, to, !last);
	return last && found == SIZE_MAX ? next : found;
}

int mp_proof_match(size_t **match, const struct mp_matcher *matcher, struct mp_error *err)
{
	struct search s = {.m = matcher, .trials = TRIALS_A_ROW * matcher->ref->row_count + 4096};

	*match = NULL;
	s.time_column = mp_reference_column(matcher->ref, MP_MEANS_TIME);
	choose_key(&s);
	set_keys(&s);
	if (make_index(&s, err)) {
		free(s.next);
		free(s.by_time);
		free(s.match);
		return -1;
	}
	for (int last = 0; last < 2; last++) {
		for (size_t row = 0; row < matcher->ref->row_count; row++) {
			if (last && s.match[row] != SIZE_MAX)
				continue;
			s.match[row] = find_item(&s, row, last);
			if (s.match[row] != SIZE_MAX)
				matcher->items->at[s.match[row]].used = true;
		}
		s.trials = TRIALS_A_ROW * matcher->ref->row_count + 4096;
	}
	free(s.next);
	free(s.by_time);
	*match = s.match;
	return 0;
}
