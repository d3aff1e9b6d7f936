/* text_set.c: a hash table of texts. */
#include "base/text_set.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/slots.h"

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

static bool grow(struct mp_text_set *t)
{
	size_t room = t->room ? 2 * t->room : 64, slot_count = 4 * room;
	char **items = realloc(t->items, room * sizeof(*items));
	uint32_t *slots;

	if (!items)
		return false;
	t->items = items;
	slots = calloc(slot_count, sizeof(*slots));
	if (!slots)
		return false;
	free(t->slots);
	t->slots = slots;
	t->slot_count = slot_count;
	t->room = room;
	for (size_t i = 0; i < t->count; i++) {
		const struct wanted w = {t, items[i], strlen(items[i])};

		*mp_slot_find(slots, slot_count, mp_hash_bytes(w.text, w.len), same, &w) = (uint32_t)i + 1;
	}
	return true;
}

int64_t mp_text_set_add(struct mp_text_set *t, const char *text, size_t len)
{
	const struct wanted w = {t, text, strnlen(text, len)};
	uint32_t *slot;

	if (t->count == t->room && !grow(t))
		return -1;
	slot = mp_slot_find(t->slots, t->slot_count, mp_hash_bytes(w.text, w.len), same, &w);
	if (!*slot) {
		t->items[t->count] = strndup(w.text, w.len);
		if (!t->items[t->count])
			return -1;
		*slot = (uint32_t)++t->count;
	}
	return *slot - 1;
}

void mp_text_set_free(struct mp_text_set *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->items[i]);
	free(t->items);
	free(t->slots);
	*t = (struct mp_text_set){.count = 0};
}
