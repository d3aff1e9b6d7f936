/* tally.c: a hash table of groups that spills into a temporary table. Knows no report. */
#include "store/tally.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "store/connection.h"

enum {
	SLOTS = 1 << 15,
	GROUPS_MAX = SLOTS / 2,
	ARENA_SIZE = 4 << 20,
	KEYS_MAX = 8,
	NUMBERS = 5,
	KEY_SIZE_MAX = 1 << 16
};

struct group {
	uint64_t hash;
	size_t key; /* offset in the arena */
	size_t key_size;
	int64_t count, total, longest, shortest, also_total;
	double squares;
};

struct tally {
	struct mp_db *db;
	int key_count;
	bool has_also;
	sqlite3_stmt *insert;
	size_t used; /* of the arena */
	int group_count;
	uint32_t slots[SLOTS]; /* of groups */
	struct group groups[GROUPS_MAX];
	char arena[ARENA_SIZE];
};

static int64_t add(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* Encode a key as bytes: its cells, each with its text behind it. Returns the size; 0: too long. */
static size_t encode_key(char *dst, size_t room, const struct mp_value *values, int key_count)
{
	size_t at = 0;

	for (int i = 0; i < key_count; i++) {
		struct mp_value v = {.i = values[i].i, .type = values[i].type}; /* marks do not count */
		size_t len = v.type == MP_TEXT ? values[i].len : 0;

		if (room - at < len + sizeof(v))
			return 0;
		if (v.type == MP_TEXT) {
			v.len = values[i].len;
			v.i = 0;
		}
		memcpy(dst + at, &v, sizeof(v));
		if (len)
			memcpy(dst + at + sizeof(v), values[i].text, len);
		at += sizeof(v) + len;
	}
	return at;
}

static int bind_key(struct tally *t, const char *key)
{
	int status = 0;

	for (int i = 0; i < t->key_count && !status; i++) {
		struct mp_value v;

		memcpy(&v, key, sizeof(v));
		key += sizeof(v);
		if (v.type == MP_TEXT)
			v.text = key;
		status = mp_bind(t->insert, NUMBERS + i + 1, v);
		key += v.type == MP_TEXT ? v.len : 0;
	}
	return status;
}

/* Write all groups into the table, and empty the hash table. */
static int spill(struct tally *t, struct mp_error *err)
{
	for (int i = 0; i < t->group_count; i++) {
		const struct group *g = &t->groups[i];
		const int64_t numbers[NUMBERS] = {g->count, g->total, g->longest, g->shortest, g->also_total};
		int status = bind_key(t, t->arena + g->key);

		for (int k = 0; k < NUMBERS && !status; k++)
			status = sqlite3_bind_int64(t->insert, k + 1, numbers[k]);
		if (!status)
			status = sqlite3_bind_double(t->insert, NUMBERS + KEYS_MAX + 1, g->squares);
		if (status || sqlite3_step(t->insert) != SQLITE_DONE || sqlite3_reset(t->insert))
			return mp_db_fail(t->db, err, "cannot sum up");
	}
	t->group_count = 0;
	t->used = 0;
	memset(t->slots, 0, sizeof(t->slots));
	return 0;
}

/* The key of a search. */
struct wanted_group {
	const struct tally *tally;
	const char *key;
	size_t size;
	uint64_t hash;
};

static bool same_group(const void *key, uint32_t item)
{
	const struct wanted_group *w = key;
	const struct group *g = &w->tally->groups[item];

	return g->hash == w->hash && g->key_size == w->size && memcmp(w->tally->arena + g->key, w->key, w->size) == 0;
}

/* Returns the group of a key, which is encoded at the end of the arena; adds a group for a new key. */
static struct group *find_group(struct tally *t, const char *key, size_t size)
{
	const struct wanted_group wanted = {t, key, size, mp_hash_bytes(key, size)};
	uint32_t *slot = mp_slot_find(t->slots, SLOTS, wanted.hash, same_group, &wanted);
	struct group *g;

	if (*slot)
		return &t->groups[*slot - 1];
	g = &t->groups[t->group_count++];
	*slot = (uint32_t)t->group_count;
	*g = (struct group){
	    .hash = wanted.hash, .key = t->used, .key_size = size, .longest = INT64_MIN, .shortest = INT64_MAX};
	t->used += size;
	return g;
}

/* Returns an integer; 0 for other types. */
static int64_t number_of(const struct mp_value *v)
{
	return v->type == MP_INT ? v->i : 0;
}

static int add_row(struct tally *t, const struct mp_query *rows, struct mp_error *err)
{
	struct mp_value values[KEYS_MAX + 2];
	struct group *g;
	int64_t value;
	size_t size;

	mp_query_row(rows, values, t->key_count + 1 + t->has_also);
	if ((t->group_count == GROUPS_MAX || ARENA_SIZE - t->used < KEY_SIZE_MAX) && spill(t, err))
		return -1;
	size = encode_key(t->arena + t->used, KEY_SIZE_MAX, values, t->key_count);
	if (!size)
		return mp_fail(err, "cannot sum up: a key is longer than %d bytes", KEY_SIZE_MAX);
	g = find_group(t, t->arena + t->used, size);
	value = number_of(&values[t->key_count]);
	g->count++;
	g->total = add(g->total, value);
	g->longest = value > g->longest ? value : g->longest;
	g->shortest = value < g->shortest ? value : g->shortest;
	g->squares += (double)value * (double)value;
	if (t->has_also)
		g->also_total = add(g->also_total, number_of(&values[t->key_count + 1]));
	return 0;
}

static int prepare(struct tally *t, const struct mp_query *rows, struct mp_error *err)
{
	static const char insert[] = "INSERT INTO temp.tally VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
	int columns = mp_query_column_count(rows);

	t->has_also = strcmp(mp_query_title(rows, columns - 1), "also") == 0;
	t->key_count = columns - 1 - t->has_also;
	if (t->key_count < 1 || t->key_count > KEYS_MAX)
		return mp_fail(err, "cannot sum up by %d keys (1 to %d)", t->key_count, KEYS_MAX);
	if (mp_db_run(t->db, "DELETE FROM temp.tally", err))
		return -1;
	if (sqlite3_prepare_v2(t->db->handle, insert, -1, &t->insert, NULL))
		return mp_db_fail(t->db, err, "cannot sum up");
	return 0;
}

int mp_tally(struct mp_db *db, struct mp_query *rows, struct mp_error *err)
{
	struct tally *t = calloc(1, sizeof(*t));
	int status;

	if (!t)
		return mp_fail_memory(err, "a tally");
	t->db = db;
	status = prepare(t, rows, err);
	while (!status && (status = mp_query_next(rows, err)) == 1)
		status = add_row(t, rows, err);
	if (!status)
		status = spill(t, err);
	sqlite3_finalize(t->insert); /* repeats an error that is already reported */
	free(t);
	return status;
}
