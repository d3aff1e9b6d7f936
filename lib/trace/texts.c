/* texts.c: a hash index over texts that lie one after the other, and a cache by address before it. */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

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

static uint32_t find(struct mp_trace_texts *t, const struct mp_value *v, bool *is_new)
{
	const struct text key = {t, v->text, v->len};
	uint32_t *place = mp_index_find(&t->index, t->count, mp_hash_bytes(v->text, v->len), same_text, &key);

	if (!place || *place)
		return place ? *place : 0;
	if (t->count == ITEMS_MAX || v->len > BYTES_MAX - t->used || !mp_vec_room(t->ends, t->count, 1) ||
	    !mp_vec_room(t->bytes, t->used, v->len))
		return 0;
	if (v->len)
		memcpy(t->bytes + t->used, v->text, v->len);
	t->used += v->len;
	t->ends[t->count++] = t->used;
	*place = t->count;
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
	mp_index_free(&t->index);
	memset(t, 0, sizeof(*t));
}

/* Keys of curves as texts, so that one index serves all. */

enum { NAME_MAX_BYTES = 400 };

uint32_t *mp_trace_curves_find(struct mp_trace_curves *c, uint32_t process, int column, const struct mp_value *name)
{
	char key[sizeof(process) + sizeof(column) + NAME_MAX_BYTES];
	const size_t head = sizeof(process) + sizeof(column);
	size_t len = name->len <= NAME_MAX_BYTES ? name->len : mp_cut(name->text, NAME_MAX_BYTES);
	struct mp_value text;
	bool is_new;
	uint32_t number;

	memcpy(key, &process, sizeof(process));
	memcpy(key + sizeof(process), &column, sizeof(column));
	memcpy(key + head, name->text, len);
	text = mp_text(key, head + len);
	number = mp_trace_texts_number(&c->keys, &text, &is_new);
	if (!number)
		return NULL;
	while (c->count < number) {
		if (!mp_vec_room(c->tracks, c->count, 1))
			return NULL;
		c->tracks[c->count++] = 0;
	}
	return &c->tracks[number - 1];
}

void mp_trace_curves_free(struct mp_trace_curves *c)
{
	mp_trace_texts_free(&c->keys);
	free(c->tracks);
	memset(c, 0, sizeof(*c));
}
