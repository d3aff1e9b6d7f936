/*
 * counted.c: the shapes of a few records behind a long header. Their bytes tell no period, but a table that has a row
 * of each record tells how many there are: header and records together are the size of the file.
 */
#include "learn/hunt.h"

enum { RECORD_MIN = 16, RECORDS_MIN = 3, RECORDS_MAX = 64 };

/* How many records a file has, by a table with moments, which lacks none; 0: not known. */
static size_t count_of(const struct mp_hunt *h, const struct mp_raw_part *part)
{
	for (size_t v = 0; v < h->views.count; v++) {
		const struct mp_view *view = &h->views.items[v];
		size_t files = 0;

		if (view->columns[MP_MEANS_START] < 0 || !mp_view_is_of(view, part))
			continue;
		for (size_t i = 0; i < h->raw.part_count; i++)
			files += mp_view_is_of(view, &h->raw.parts[i]);
		return view->count % files ? 0 : view->count / files;
	}
	return 0;
}

/* The header that leaves so many records of a size in each file; SIZE_MAX when not found. */
static size_t header_of(const struct mp_hunt *h, size_t record)
{
	size_t header = SIZE_MAX;

	for (size_t i = 0; i < h->raw.part_count; i++) {
		const struct mp_raw_part *part = &h->raw.parts[i];
		size_t count = count_of(h, part), left;

		if (part->cut || count < RECORDS_MIN || count > RECORDS_MAX || count * record > part->size)
			return SIZE_MAX;
		left = part->size - count * record;
		if (left > MP_HEADER_MAX || (header != SIZE_MAX && left != header))
			return SIZE_MAX;
		header = left;
	}
	return header;
}

int mp_hunt_counted(struct mp_hunt *h)
{
	int found = 0;

	if (h->limit < h->cost + MP_COST_EARLIER)
		h->limit = h->cost + MP_COST_EARLIER;
	for (size_t record = RECORD_MIN; record <= MP_RECORD_SIZE_MAX && !found; record++) {
		struct mp_shape shape = {.record = record, .phase = header_of(h, record)};

		for (int big = 0; big < 2 && shape.phase != SIZE_MAX && !found; big++) {
			shape.big_endian = big;
			found = mp_hunt_shape(h, &shape, false);
		}
	}
	return found;
}
