/* index.c: open addressing with the hashes beside the items, so that growing asks for no item. */
#include "base/index.h"

#include <stdlib.h>

#include "base/vec.h"

enum { LEAST = 16 };

bool mp_index_grow(struct mp_index *x, size_t count)
{
	struct mp_index grown = {.room = x->room ? x->room : LEAST};

	if (count >= UINT32_MAX) /* numbers of items have 32 bits */
		return false;
	while (2 * (uint64_t)count >= grown.room)
		grown.room *= 2;
	if (grown.room == x->room)
		return true;
	grown.slots = calloc(grown.room, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (size_t i = 0; i < x->room; i++) {
		size_t at = x->slots[i].hash;

		while (x->slots[i].item && grown.slots[at & (grown.room - 1)].item)
			at++;
		if (x->slots[i].item)
			grown.slots[at & (grown.room - 1)] = x->slots[i];
	}
	free(x->slots);
	*x = grown;
	return true;
}

void mp_index_clear(struct mp_index *x)
{
	if (x->room)
		memset(x->slots, 0, x->room * sizeof(*x->slots));
}

void mp_index_free(struct mp_index *x)
{
	free(x->slots);
	*x = (struct mp_index){.room = 0};
}

struct wanted {
	const struct mp_text_set *texts;
	const char *text;
	size_t len;
};

static bool same(const void *key, uint32_t number)
{
	const struct wanted *w = key;
	const char *text = w->texts->items[number];

	return strncmp(text, w->text, w->len) == 0 && !text[w->len];
}

int64_t mp_text_set_add(struct mp_text_set *t, const char *text, size_t len)
{
	const struct wanted w = {t, text, strnlen(text, len)};
	uint32_t *place = mp_index_find(&t->index, t->count, mp_hash_bytes(w.text, w.len), same, &w);

	if (!place || (!*place && !mp_vec_room(t->items, t->count, 1)))
		return -1;
	if (!*place) {
		t->items[t->count] = strndup(w.text, w.len);
		if (!t->items[t->count])
			return -1;
		*place = (uint32_t)++t->count;
	}
	return *place - 1;
}

void mp_text_set_free(struct mp_text_set *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i]);
	free(t->items);
	mp_index_free(&t->index);
	*t = (struct mp_text_set){.count = 0};
}
