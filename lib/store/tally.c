/* tally.c: a hash table of groups that spills into a temporary table. Knows no report. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "store/connection.h"

enum { GROUPS_MAX = 1 << 14, ARENA_SIZE = 4 << 20, KEYS_MAX = 8, KEY_SIZE_MAX = 1 << 16 };

enum { COUNT, TOTAL, LONGEST, SHORTEST, ALSO_TOTAL, KEY, SQUARES = KEY + KEYS_MAX, COLUMNS };

struct group {
	size_t key; /* offset in the arena */
	size_t key_size;
	int64_t count, total, longest, shortest, also_total;
	double squares;
};

struct tally {
	struct mp_db *db;
	int key_count;
	bool has_also;
	struct mp_query *insert;
	size_t used; /* of the arena */
	size_t group_count;
	struct mp_index index; /* of the groups */
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

static void decode_key(const char *key, struct mp_value *values, int key_count)
{
	for (int i = 0; i < key_count; i++) {
		memcpy(&values[i], key, sizeof(values[i]));
		key += sizeof(values[i]);
		if (values[i].type != MP_TEXT)
			continue;
		values[i].text = key;
		key += values[i].len;
	}
}

/* Write all groups into the table, and empty the hash table. */
static int spill(struct tally *t, struct mp_error *err)
{
	for (size_t i = 0; i < t->group_count; i++) {
		const struct group *g = &t->groups[i];
		struct mp_value cells[COLUMNS] = {[COUNT] = mp_int(g->count),
		    [TOTAL] = mp_int(g->total),
		    [LONGEST] = mp_int(g->longest),
		    [SHORTEST] = mp_int(g->shortest),
		    [ALSO_TOTAL] = mp_int(g->also_total),
		    [SQUARES] = mp_real(g->squares)};

		decode_key(t->arena + g->key, cells + KEY, t->key_count);
		if (mp_query_put(t->insert, cells, COLUMNS, err))
			return -1;
	}
	t->group_count = 0;
	t->used = 0;
	mp_index_clear(&t->index);
	return 0;
}

/* The key of a search. */
struct wanted_group {
	const struct tally *tally;
	const char *key;
	size_t size;
};

static bool same_group(const void *key, uint32_t item)
{
	const struct wanted_group *w = key;
	const struct group *g = &w->tally->groups[item];

	return g->key_size == w->size && memcmp(w->tally->arena + g->key, w->key, w->size) == 0;
}

/* Returns the group of a key, which is encoded at the end of the arena; adds a group for a new key. NULL: no memory. */
static struct group *find_group(struct tally *t, const char *key, size_t size)
{
	const struct wanted_group wanted = {t, key, size};
	uint32_t *place = mp_index_find(&t->index, t->group_count, mp_hash_bytes(key, size), same_group, &wanted);
	struct group *g;

	if (!place || *place)
		return place ? &t->groups[*place - 1] : NULL;
	g = &t->groups[t->group_count++];
	*place = (uint32_t)t->group_count;
	*g = (struct group){.key = t->used, .key_size = size, .longest = INT64_MIN, .shortest = INT64_MAX};
	t->used += size;
	return g;
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
	if (!g)
		return mp_fail_memory(err, "a tally");
	value = mp_int_of(values[t->key_count]);
	g->count++;
	g->total = add(g->total, value);
	g->longest = value > g->longest ? value : g->longest;
	g->shortest = value < g->shortest ? value : g->shortest;
	g->squares += (double)value * (double)value;
	if (t->has_also)
		g->also_total = add(g->also_total, mp_int_of(values[t->key_count + 1]));
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
	return mp_db_run(t->db, "DELETE FROM temp.tally", err) ||
		       mp_query_open(&t->insert, t->db, insert, sizeof(insert) - 1, err)
		   ? -1
		   : 0;
}

int mp_tally(struct mp_db *db, struct mp_query *rows, struct mp_error *err)
{
	struct tally *t = malloc(sizeof(*t)); /* megabytes, of which a small job uses few */
	int status;

	if (!t)
		return mp_fail_memory(err, "a tally");
	memset(t, 0, offsetof(struct tally, groups));
	t->db = db;
	status = prepare(t, rows, err);
	while (!status && (status = mp_query_next(rows, err)) == 1)
		status = add_row(t, rows, err);
	if (!status)
		status = spill(t, err);
	mp_query_close(t->insert);
	mp_index_free(&t->index);
	free(t);
	return status;
}
