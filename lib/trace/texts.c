/* texts.c: a hash index over texts that lie one after the other, and a cache by address before it. */
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

#include "base/slots.h"

enum { BYTES_MAX = 4 << 20, ITEMS_MAX = 1 << 17 };

struct text {
	const struct mp_trace_texts *texts;
	const char *text;
	size_t len;
};

static size_t begin_of(const struct mp_trace_texts *t, uint32_t item)
{
	return item ? t->ends[item - 1] : 0;
}

static inline bool is_item(const struct mp_trace_texts *t, uint32_t item, const char *text, size_t len)
{
	size_t from = begin_of(t, item);

	return t->ends[item] - from == len && (!len || memcmp(t->bytes + from, text, len) == 0);
}

static bool same_text(const void *key, uint32_t item)
{
	const struct text *k = key;

	return is_item(k->texts, item, k->text, k->len);
}

/* Make room for one more text, with half of the slots free. */
static bool grow(struct mp_trace_texts *t, size_t len)
{
	if (!t->slots || t->count == t->item_room) {
		size_t room = t->item_room ? 2 * t->item_room : 256;
		size_t *ends = realloc(t->ends, room * sizeof(*ends));
		uint32_t *slots;

		if (!ends)
			return false;
		t->ends = ends;
		slots = calloc(2 * room, sizeof(*slots));
		if (!slots)
			return false;
		free(t->slots);
		t->slots = slots;
		t->slot_count = 2 * room;
		t->item_room = room;
		for (uint32_t i = 0; i < t->count; i++) {
			const struct text key = {t, t->bytes + begin_of(t, i), t->ends[i] - begin_of(t, i)};

			*mp_slot_find(slots, t->slot_count, mp_hash_bytes(key.text, key.len), same_text, &key) = i + 1;
		}
	}
	if (len > t->room - t->used) {
		size_t room = 2 * (t->used + len);
		char *bytes = realloc(t->bytes, room);

		if (!bytes)
			return false;
		t->bytes = bytes;
		t->room = room;
	}
	return true;
}

static uint32_t find(struct mp_trace_texts *t, const struct mp_value *v, bool *is_new)
{
	const struct text key = {t, v->text, v->len};
	uint64_t hash = mp_hash_bytes(v->text, v->len);
	uint32_t *slot, number = t->slots ? *mp_slot_find(t->slots, t->slot_count, hash, same_text, &key) : 0;

	if (number)
		return number;
	if (t->count == ITEMS_MAX || v->len > BYTES_MAX - t->used || !grow(t, v->len))
		return 0;
	slot = mp_slot_find(t->slots, t->slot_count, hash, same_text, &key);
	if (v->len)
		memcpy(t->bytes + t->used, v->text, v->len);
	t->used += v->len;
	t->ends[t->count++] = t->used;
	*slot = t->count;
	*is_new = true;
	return t->count;
}

/* Returns whether the text that is cached at `at` is that of v. */
static bool is_cached(const struct mp_trace_texts *t, size_t at, const struct mp_value *v)
{
	uint32_t number = t->cache[at].number;

	return t->cache[at].text == v->text &&
	       (t->cache[at].stays || (number && is_item(t, number - 1, v->text, v->len)));
}

/* Texts often come in the order in which they came first: then the next one lies beside the last one. */
static bool is_next(const struct mp_trace_texts *t, const struct mp_value *v)
{
	return t->last < t->count && is_item(t, t->last, v->text, v->len);
}

uint32_t mp_trace_texts_number(struct mp_trace_texts *t, const struct mp_value *v, bool *is_new)
{
	size_t at;

	*is_new = false;
	if (is_next(t, v))
		return ++t->last;
	at = mp_hash_mix(0, (uint64_t)(uintptr_t)v->text) % MP_TRACE_TEXTS_CACHE;
	if (is_cached(t, at, v))
		return t->last = t->cache[at].number;
	t->last = find(t, v, is_new);
	t->cache[at].text = v->text;
	t->cache[at].number = t->last;
	t->cache[at].stays = v->marks & MP_MARK_STAYS;
	return t->last;
}

void mp_trace_texts_move_on(struct mp_trace_texts *t)
{
	memset(t->cache, 0, sizeof(t->cache));
}

void mp_trace_texts_free(struct mp_trace_texts *t)
{
	free(t->bytes);
	free(t->ends);
	free(t->slots);
	memset(t, 0, sizeof(*t));
}
