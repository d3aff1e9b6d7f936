/* keys.c: lists the numbers of records by which rows may be found, for all kinds of records at once. */
#include <stdlib.h>

#include "learn/hunt.h"
#include "learn/memory.h"

/* Returns which views have most of their rows at a number of these units, as bits. */
static uint32_t views_of(struct mp_hunt *h, const struct mp_units *units, struct mp_key *key)
{
	uint32_t views = 0;

	for (size_t v = 0; v < h->views.count; v++) {
		struct mp_view *view = &h->views.items[v];

		if (view->columns[key->meaning] < 0)
			continue;
		h->cost += MP_COST_KEY;
		key->least = view->count * 3 / 5;
		if (mp_view_map(view, &h->raw, units, key) > 1 && mp_hunt_mapped(view) * 5 >= view->count * 3)
			views |= UINT32_C(1) << v;
	}
	return views;
}

static int add(struct mp_hunt *h, const struct mp_key *key, uint32_t views)
{
	if (h->key_count == h->key_room) {
		size_t room = h->key_room ? 2 * h->key_room : 64;
		struct mp_hunt_key *keys = mp_learn_realloc(h->keys, room * sizeof(*keys));

		if (!keys)
			return mp_fail_memory(h->err, "keys");
		h->keys = keys;
		h->key_room = room;
	}
	h->keys[h->key_count++] = (struct mp_hunt_key){.key = *key, .views = views};
	return 0;
}

/* List the places of a number times `scale`. */
static int list_places(struct mp_hunt *h, const struct mp_units *units, enum mp_meaning meaning, unsigned scale)
{
	for (unsigned at = 0; at < units->record && h->cost <= h->limit; at++)
		for (int type = MP_TYPE_U64; type >= (int)MP_TYPE_U8; type--) {
			struct mp_key key = {.meaning = meaning, .place = {at, (enum mp_type)type}, .scale = scale};
			uint32_t views;

			if (at + mp_type_width(key.place.type) > units->record || !mp_units_tell(units, key.place))
				continue;
			views = views_of(h, units, &key);
			if (views && add(h, &key, views))
				return -1;
		}
	return 0;
}

int mp_hunt_list_keys(struct mp_hunt *h, const struct mp_units *all)
{
	static const unsigned scales[] = {1, 8, 16, 32, 64, 1000, 1024};
	static const enum mp_meaning bytes[] = {MP_MEANS_READ, MP_MEANS_TOTAL, MP_MEANS_WRITE};

	h->key_count = 0;
	if (mp_hunt_has_ids(h))
		return list_places(h, all, MP_MEANS_TASK_ID, 1);
	for (size_t m = 0; m < sizeof(bytes) / sizeof(bytes[0]); m++)
		for (size_t k = 0; k < sizeof(scales) / sizeof(scales[0]); k++)
			if (list_places(h, all, bytes[m], scales[k]))
				return -1;
	return 0;
}
