/*
 * proof_sums.c: compares statistics of tasks and calls.
 *
 * A table adds up exact times, or times that it has rounded to its decimals before; and it distinguishes types alone,
 * or all that identifies its rows. The table keeps the way under which most of its cells are equal.
 */
#include "learn/proof_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "learn/memory.h"

enum { ROUNDED_TIMES = MP_ROUNDINGS, EXACT_TIMES = 0, WAYS = 1 + ROUNDED_TIMES };

struct group {
	uint64_t key;
	const char *name; /* a type of layers, or a name of calls; not NUL-terminated */
	size_t name_len;
	const struct mp_proof_item *first;
	int64_t count, longest, shortest;
	__int128 sums[WAYS]; /* of exact times; of times rounded to the table's decimals, by rounding */
	size_t rank;         /* in order of name, stream and kind */
	bool has_row;
};

struct sums {
	struct group total;
	const struct mp_reference *ref;
	const struct mp_proof_items *items;
	struct mp_written *written;
	struct group *groups; /* in order of key */
	size_t count, room;
	size_t *match; /* the group of each row, or SIZE_MAX */
	int64_t unit;  /* of the column of sums */
	int decimals, name_column, way;
	bool by_ids, by_kind; /* whether rows are told apart by streams or threads, and by kinds */
};

static const struct mp_expected no_rule = {.kind = MP_EXPECT_NO_RULE};

const char *mp_proof_kind_name(int64_t kind)
{
	static const char *const names[] = {"op", "model", "runtime", "others", "msproftx"};

	return kind >= 1 && kind <= 5 ? names[kind - 1] : NULL;
}

/* One of a time's parts is num / den ns. */
static void parts(const struct sums *s, int64_t *num, int64_t *den)
{
	*num = s->items->has_cycles ? 1000 : 1;
	*den = s->items->has_cycles ? s->items->rate : 1;
}

static uint64_t mix(uint64_t hash, int64_t number)
{
	return (hash ^ (uint64_t)number) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
}

static bool has(const struct sums *s, enum mp_meaning meaning)
{
	return mp_reference_column(s->ref, meaning) >= 0;
}

static uint64_t key_of(const struct sums *s, const char *name, size_t len, const struct mp_proof_item *item)
{
	uint64_t key = mp_proof_hash(0, name, len);
	bool calls = s->items->are_calls;

	if (calls && s->by_ids && has(s, MP_MEANS_PID))
		key = mix(key, item->id);
	if (s->by_ids && has(s, calls ? MP_MEANS_TID : MP_MEANS_STREAM_ID))
		key = mix(key, item->stream);
	if (s->by_kind && has(s, calls ? MP_MEANS_KIND : MP_MEANS_TASK_TYPE))
		key = mix(key, item->kind);
	return key;
}

static struct mp_cell cell_of(const struct sums *s, size_t row, enum mp_meaning meaning)
{
	int column = mp_reference_column(s->ref, meaning);

	if (column < 0)
		return (struct mp_cell){.text = ""};
	return *mp_reference_cell(s->ref, row, column);
}

static int64_t id_of(struct mp_cell cell)
{
	return cell.is_number ? cell.value / (int64_t)mp_proof_power(cell.decimals) : MP_PROOF_MISSING;
}

static int64_t kind_of(const struct sums *s, struct mp_cell cell)
{
	size_t len = strlen(cell.text);

	if (!s->items->are_calls)
		return len >= 3 && strcasecmp(cell.text + len - 3, "CPU") == 0;
	for (int64_t kind = 1; kind <= 5; kind++) {
		if (strcasecmp(cell.text, mp_proof_kind_name(kind)) == 0)
			return kind;
	}
	return id_of(cell);
}

static uint64_t row_key(const struct sums *s, size_t row)
{
	bool calls = s->items->are_calls;
	const char *name = mp_reference_cell(s->ref, row, s->name_column)->text;
	struct mp_proof_item item = {.id = id_of(cell_of(s, row, MP_MEANS_PID)),
	    .stream = id_of(cell_of(s, row, calls ? MP_MEANS_TID : MP_MEANS_STREAM_ID)),
	    .kind = kind_of(s, cell_of(s, row, calls ? MP_MEANS_KIND : MP_MEANS_TASK_TYPE))};

	if (mp_proof_is_empty(name))
		name = "N/A";
	return key_of(s, name, strlen(name), &item);
}

static void add_time(const struct sums *s, struct group *group, const struct mp_proof_item *item)
{
	int64_t time = s->items->has_cycles ? item->cycles : item->dur_ns, num, den;

	if (group->count == 0) {
		group->longest = time;
		group->shortest = time;
		group->first = item;
	}
	group->count++;
	group->longest = time > group->longest ? time : group->longest;
	group->shortest = time < group->shortest ? time : group->shortest;
	parts(s, &num, &den);
	group->sums[EXACT_TIMES] += time;
	for (int r = 0; r < MP_ROUNDINGS; r++)
		group->sums[1 + r] +=
		    mp_proof_round((__int128)time * num * mp_proof_power(s->decimals), (__int128)den * s->unit, r);
}

static int compare_keys(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int compare_names(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	int order = memcmp(x->name, y->name, x->name_len < y->name_len ? x->name_len : y->name_len);

	if (order)
		return order;
	if (x->name_len != y->name_len)
		return x->name_len < y->name_len ? -1 : 1;
	if (x->first->stream != y->first->stream)
		return x->first->stream < y->first->stream ? -1 : 1;
	return x->first->kind < y->first->kind ? -1 : x->first->kind > y->first->kind;
}

/* An open hash of the groups: places of groups + 1, at most half full. */
struct places {
	size_t *at, size;
};

static size_t *place_of(const struct sums *s, const struct places *p, uint64_t key)
{
	size_t i = (size_t)(key >> 7) & (p->size - 1);

	while (p->at[i] && s->groups[p->at[i] - 1].key != key)
		i = (i + 1) & (p->size - 1);
	return &p->at[i];
}

static int grow(struct sums *s, struct places *p, struct mp_error *err)
{
	size_t room = s->room ? s->room * 2 : 64;
	struct group *groups = mp_learn_realloc(s->groups, room * sizeof(*groups));

	if (groups)
		s->groups = groups;
	free(p->at);
	p->size = room * 2;
	p->at = mp_learn_calloc(p->size, sizeof(*p->at));
	if (!groups || !p->at)
		return mp_fail_memory(err, "the proof");
	s->room = room;
	for (size_t i = 0; i < s->count; i++)
		*place_of(s, p, s->groups[i].key) = i + 1;
	return 0;
}

static int add_item(struct sums *s, struct places *p, const char *name, size_t len, const struct mp_proof_item *item,
    struct mp_error *err)
{
	uint64_t key = key_of(s, name, len, item);
	size_t *place;

	if (s->count == s->room && grow(s, p, err))
		return -1;
	place = place_of(s, p, key);
	if (!*place) {
		s->groups[s->count] = (struct group){.key = key, .name = name, .name_len = len};
		*place = ++s->count;
	}
	add_time(s, &s->groups[*place - 1], item);
	add_time(s, &s->total, item);
	return 0;
}

/* A task counts for each of its layers, with its whole time. */
static int add_items(struct sums *s, struct mp_error *err)
{
	enum mp_meaning what = s->items->are_calls ? MP_MEANS_CALL_NAME : MP_MEANS_LAYER_TYPE;
	struct places places = {0};
	int status = 0;

	for (size_t i = 0; i < s->items->count && status == 0; i++) {
		const struct mp_proof_item *item = &s->items->at[i];
		const char *list = mp_proof_word(s->items, item, what), *name;
		size_t len;

		if ((s->items->are_calls && item->kind == 5) ||
		    (s->items->has_cycles ? item->cycles : item->dur_ns) == MP_PROOF_MISSING)
			continue; /* marks and ranges are not calls */
		if (!list)
			list = "N/A";
		if (s->items->are_calls)
			status = add_item(s, &places, list, strlen(list), item, err);
		else
			while (status == 0 && (name = mp_proof_item_of_list(&list, &len)))
				status = add_item(s, &places, name, len, item, err);
	}
	free(places.at);
	return status;
}

static void match_rows(struct sums *s)
{
	if (s->count)
		qsort(s->groups, s->count, sizeof(*s->groups), compare_names);
	for (size_t i = 0; i < s->count; i++)
		s->groups[i].rank = i;
	if (s->count)
		qsort(s->groups, s->count, sizeof(*s->groups), compare_keys);
	for (size_t row = 0; row < s->ref->row_count; row++) {
		struct group key = {.key = row_key(s, row)}, *found;

		found = s->count ? bsearch(&key, s->groups, s->count, sizeof(key), compare_keys) : NULL;
		s->match[row] = found ? (size_t)(found - s->groups) : SIZE_MAX;
		if (found)
			found->has_row = true;
	}
}

static struct mp_expected amount(__int128 num, __int128 den)
{
	if (den == 0)
		return (struct mp_expected){.kind = MP_EXPECT_NO_QUOTIENT};
	return (struct mp_expected){MP_EXPECT_AMOUNT, {num, num, den}, NULL};
}

/* A sum or mean of times in units of a column. */
static struct mp_expected sum_of(const struct sums *s, __int128 sum, __int128 count, int64_t unit)
{
	int64_t num, den;

	if (s->way != EXACT_TIMES)
		return amount(sum * s->unit, mp_proof_power(s->decimals) * unit * count);
	parts(s, &num, &den);
	return amount(sum * num, (__int128)den * unit * count);
}

static struct mp_expected one_time(const struct sums *s, int64_t time, int64_t unit)
{
	int64_t num, den;

	parts(s, &num, &den);
	return amount((__int128)time * num, (__int128)den * unit);
}

/* Rows are numbered from 0 or 1, as they are or in order of name. */
static struct mp_expected row_number(const struct group *group, size_t row, int variant)
{
	size_t number = (variant & 1 ? group->rank : row) + (variant & 2 ? 1 : 0);

	return amount((__int128)number, 1);
}

static struct mp_expected expected_group(
    const struct sums *s, const struct group *group, size_t row, int column, int variant)
{
	const struct mp_reference_column *col = &s->ref->columns[column];

	if (col->meaning == MP_MEANS_TASK_ID)
		return row_number(group, row, variant);
	if (variant)
		return no_rule;
	switch (col->meaning) {
	case MP_MEANS_COUNT:
		return amount(group->count, 1);
	case MP_MEANS_SUM:
	case MP_MEANS_TIME:
		return sum_of(s, group->sums[s->way], 1, col->unit);
	case MP_MEANS_AVERAGE:
		return sum_of(s, group->sums[s->way], group->count, col->unit);
	case MP_MEANS_MINIMUM:
		return one_time(s, group->shortest, col->unit);
	case MP_MEANS_MAXIMUM:
		return one_time(s, group->longest, col->unit);
	case MP_MEANS_TIME_SHARE:
		return amount(group->sums[s->way] * 100, s->total.sums[s->way]);
	case MP_MEANS_PID:
		return amount(group->first->id, 1);
	case MP_MEANS_TID:
	case MP_MEANS_STREAM_ID:
		return amount(group->first->stream, 1);
	default:
		return no_rule;
	}
}

static bool is_compared(const struct sums *s, int column)
{
	enum mp_meaning meaning = s->ref->columns[column].meaning;

	if (column == s->name_column || meaning == MP_MEANS_TIME_SHARE || meaning == MP_MEANS_TIME ||
	    meaning >= MP_MEANS_COUNT)
		return true;
	if (s->items->are_calls)
		return meaning == MP_MEANS_PID || meaning == MP_MEANS_TID || meaning == MP_MEANS_KIND;
	return meaning == MP_MEANS_TASK_ID || meaning == MP_MEANS_STREAM_ID || meaning == MP_MEANS_TASK_TYPE;
}

static bool is_number(enum mp_meaning meaning)
{
	return meaning == MP_MEANS_TIME || meaning == MP_MEANS_TIME_SHARE || meaning >= MP_MEANS_COUNT;
}

static unsigned cell_rules(const struct mp_proof_table *table, size_t row, int column)
{
	const struct sums *s = table->user;
	const struct mp_cell *cell = mp_proof_cell(s->ref, row, column);
	enum mp_meaning meaning = s->ref->columns[column].meaning;
	const struct group *group = &s->total;
	unsigned rules = 0;

	if (!is_compared(s, column))
		return MP_NOT_COMPARED;
	if (row == s->ref->row_count) {
		if (!is_number(meaning) || strcmp(cell->text, "-") == 0 || !*cell->text || s->total.count == 0)
			return MP_NOT_COMPARED;
	} else {
		if (s->match[row] == SIZE_MAX)
			return 0;
		group = &s->groups[s->match[row]];
		if (column == s->name_column) /* the key was found by it */
			return MP_ALL_RULES;
		if (meaning == MP_MEANS_KIND || meaning == MP_MEANS_TASK_TYPE)
			return kind_of(s, *cell) == group->first->kind ? MP_ALL_RULES : 0;
	}
	for (int variant = 0; variant < MP_VARIANTS; variant++) {
		struct mp_expected e = expected_group(s, group, row, column, variant);

		if (e.kind != MP_EXPECT_NO_RULE)
			rules |= mp_proof_rules(cell, s->written[column], &e, variant);
	}
	return rules;
}

static struct mp_expected cell_expected(const struct mp_proof_table *table, size_t row, int column, int variant)
{
	const struct sums *s = table->user;

	if (row == s->ref->row_count)
		return expected_group(s, &s->total, row, column, variant);
	return s->match[row] == SIZE_MAX ? no_rule : expected_group(s, &s->groups[s->match[row]], row, column, variant);
}

/* Group by all that identifies rows, or by less; then try each way to add up. */
static int compare_groups(struct sums *s, struct mp_proof_line *best, struct mp_error *err)
{
	struct mp_proof_table table = {s->ref, s->written, s, cell_rules, cell_expected};

	s->count = 0;
	s->room = 0;
	free(s->groups);
	s->groups = NULL;
	s->total = (struct group){.name = "", .name_len = 0};
	if (add_items(s, err))
		return -1;
	match_rows(s);
	for (s->way = 0; s->way < WAYS; s->way++) {
		struct mp_proof_line line = *best;

		mp_proof_count(&table, &line);
		if (best->cells == 0 || line.equal > best->equal)
			*best = line;
	}
	return 0;
}

static int name_column(const struct mp_reference *ref)
{
	static const enum mp_meaning of_tasks[] = {MP_MEANS_LAYER_TYPE, MP_MEANS_LAYER_NAME, MP_MEANS_EVENT_NAME},
				     of_calls[] = {MP_MEANS_CALL_NAME, MP_MEANS_EVENT_NAME, MP_MEANS_LAYER_NAME};
	const enum mp_meaning *names = ref->kind == MP_TABLE_CALL_SUMS ? of_calls : of_tasks;
	int column = -1;

	for (int i = 0; i < 3 && column < 0; i++)
		column = mp_reference_column(ref, names[i]);
	return column;
}

/* Count the groups of the records that have no row: each is a difference, since an export has a row of each. */
static void count_lacking(const struct sums *s, struct mp_proof_line *line)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct group *g = &s->groups[i];

		if (g->has_row)
			continue;
		line->cells++;
		if (!line->first[0])
			snprintf(line->first, sizeof(line->first), "the table lacks '%.*s', which the records have",
			    g->name_len < 64 ? (int)g->name_len : 64, g->name);
	}
}

int mp_proof_compare_sums(struct mp_proof_line *line, const struct mp_reference *ref,
    const struct mp_proof_items *items, struct mp_error *err)
{
	struct sums s = {.ref = ref, .items = items, .name_column = name_column(ref), .unit = 1};
	int sum_column = mp_reference_column(ref, MP_MEANS_SUM), status = 0;

	if (sum_column < 0)
		sum_column = mp_reference_column(ref, MP_MEANS_TIME);
	if (s.name_column < 0) {
		line->unknown = (size_t)ref->column_count;
		return 0;
	}
	s.written = mp_proof_written(ref, err);
	s.match = mp_learn_malloc((ref->row_count + 1) * sizeof(*s.match));
	if (!s.written || !s.match) {
		status = s.written ? mp_fail_memory(err, "the proof") : -1;
	} else {
		s.unit = sum_column < 0 ? 1000 : ref->columns[sum_column].unit;
		s.decimals = sum_column < 0 ? 0 : s.written[sum_column].decimals;
	}
	for (int less = 0; status == 0 && less < 3 && (less == 0 || line->equal < line->cells); less++) {
		s.by_ids = less == 0;
		s.by_kind = less < 2;
		status = compare_groups(&s, line, err);
	}
	if (status == 0 && line->equal > 0)
		count_lacking(&s, line);
	free(s.groups);
	free(s.match);
	free(s.written);
	return status;
}
