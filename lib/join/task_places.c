/* task_places.c: places of records that join nothing, and their way into tables. */
#include <stdlib.h>

#include "join/tasks_internal.h"

int mp_places_add(struct mp_places *p, int64_t place, struct mp_error *err)
{
	if (p->count == p->room) {
		size_t room = p->room ? 2 * p->room : 256;
		int64_t *more = realloc(p->items, room * sizeof(*more));

		if (!more)
			return mp_fail_memory(err, "records that join nothing");
		p->items = more;
		p->room = room;
	}
	p->items[p->count++] = place;
	return 0;
}

void mp_places_clear(struct mp_places *p)
{
	free(p->items);
	*p = (struct mp_places){NULL, 0, 0};
}

static int by_place(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

void mp_places_sort(struct mp_places *p)
{
	if (p->count)
		qsort(p->items, p->count, sizeof(p->items[0]), by_place);
}

static int insert(struct mp_places *p, struct mp_feed *feed, struct mp_error *err)
{
	struct mp_value values[MP_FEED_COLUMN_MAX];
	const struct mp_value *places[MP_FEED_COLUMN_MAX];
	const char *names[MP_FEED_COLUMN_MAX];
	struct mp_feed_record record;
	struct mp_sink sink;
	int status = 0;

	for (int c = 0; c < feed->columns.count; c++) {
		names[c] = feed->columns.items[c].name;
		places[c] = &values[c];
	}
	if (mp_sink_open(&sink, feed->load->db, NULL, feed->table, names, feed->columns.count, err))
		return -1;
	for (size_t i = 0; !status && i < p->count; i++) {
		status = mp_feed_get(feed, p->items[i], &record, err);
		for (int c = 0; !status && c < feed->columns.count; c++)
			values[c] = mp_feed_kept(feed, &record, c);
		if (!status)
			status = mp_sink_put(&sink, places, err);
	}
	mp_sink_close(&sink);
	mp_places_clear(p);
	return status;
}

struct collected {
	struct mp_places *places;
	struct mp_error *err;
};

static bool collect(void *user, int64_t place)
{
	struct collected *c = user;

	return mp_places_add(c->places, place, c->err) == 0;
}

int mp_places_insert(struct mp_places *p, struct mp_feed *feed, struct mp_error *err)
{
	mp_places_sort(p);
	return p->count ? insert(p, feed, err) : 0;
}

int mp_places_add_all(struct mp_places *places, struct mp_map *map, struct mp_error *err)
{
	struct collected c = {places, err};

	return mp_map_each(map, collect, &c) ? 0 : -1;
}
