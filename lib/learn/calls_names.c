/* calls_names.c: the names of calls in references, and where these texts are in raw files. */
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

static int by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool is_of_calls(const struct mp_reference *ref)
{
	return ref->kind == MP_TABLE_CALLS || ref->kind == MP_TABLE_CALL_SUMS;
}

static int name_column(const struct mp_reference *ref)
{
	int column = mp_reference_column(ref, MP_MEANS_CALL_NAME);

	return column >= 0 ? column : mp_reference_column(ref, MP_MEANS_EVENT_NAME);
}

int mp_call_names_read(struct mp_call_names *names, const struct mp_references *refs, struct mp_error *err)
{
	size_t rows = 0, count = 0;

	*names = (struct mp_call_names){.count = 0};
	for (size_t i = 0; i < refs->count; i++)
		rows += is_of_calls(&refs->items[i]) ? refs->items[i].row_count : 0;
	names->items = mp_learn_malloc((rows + 1) * sizeof(*names->items));
	if (!names->items)
		return mp_fail_memory(err, "names of calls");
	for (size_t i = 0; i < refs->count; i++) {
		const struct mp_reference *ref = &refs->items[i];
		int column = is_of_calls(ref) ? name_column(ref) : -1;

		for (size_t row = 0; column >= 0 && row < ref->row_count; row++) {
			const char *text = mp_reference_cell(ref, row, column)->text;
			size_t len = strlen(text);

			if (len == 0 || len > MP_CALL_NAME_MAX)
				continue;
			names->items[count++] = text;
			names->longest = len > names->longest ? len : names->longest;
		}
	}
	qsort(names->items, count, sizeof(*names->items), by_text);
	for (size_t i = 0; i < count; i++)
		if (names->count == 0 || strcmp(names->items[names->count - 1], names->items[i]) != 0)
			names->items[names->count++] = names->items[i];
	return 0;
}

void mp_call_names_free(struct mp_call_names *names)
{
	free(names->items);
	*names = (struct mp_call_names){.count = 0};
}

uint32_t mp_call_name_find(const struct mp_call_names *names, const char *text, size_t len)
{
	size_t low = 0, high = names->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(names->items[middle], text, len);

		if (order == 0 && names->items[middle][len] == '\0')
			return (uint32_t)middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return MP_NO_NAME;
}

int mp_call_spots_add(struct mp_call_spots *spots, struct mp_call_spot spot, struct mp_error *err)
{
	if (spots->count == spots->room) {
		size_t room = spots->room ? 2 * spots->room : 256;
		struct mp_call_spot *more = mp_learn_realloc(spots->items, room * sizeof(*more));

		if (!more)
			return mp_fail_memory(err, "records");
		spots->items = more;
		spots->room = room;
	}
	spots->items[spots->count++] = spot;
	return 0;
}

void mp_call_spots_free(struct mp_call_spots *spots)
{
	free(spots->items);
	*spots = (struct mp_call_spots){.count = 0};
}

/* The name at some bytes; the longest one when there is no NUL behind it. */
static uint32_t name_at(const struct mp_call_names *names, const char *at, size_t left, bool open)
{
	size_t most = left < MP_CALL_NAME_MAX + 1 ? left : MP_CALL_NAME_MAX + 1;
	const char *nul = memchr(at, '\0', most);

	if (nul || !open)
		return nul ? mp_call_name_find(names, at, (size_t)(nul - at)) : MP_NO_NAME;
	for (size_t len = names->longest < left ? names->longest : left; len > 1; len--) {
		uint32_t name = mp_call_name_find(names, at, len);

		if (name != MP_NO_NAME)
			return name;
	}
	return MP_NO_NAME;
}

int mp_call_spots_of_texts(struct mp_call_spots *spots, const struct mp_raw *raw, const struct mp_call_names *names,
    bool open, struct mp_error *err)
{
	bool first[256] = {false};

	for (size_t i = 0; i < names->count; i++)
		first[(unsigned char)names->items[i][0]] = true;
	for (size_t p = 0; p < raw->part_count; p++) {
		const unsigned char *bytes = raw->bytes + raw->parts[p].begin;
		size_t size = raw->parts[p].size;

		for (size_t at = 0; at < size; at++) {
			uint32_t name =
			    first[bytes[at]] ? name_at(names, (const char *)bytes + at, size - at, open) : MP_NO_NAME;

			if (name == MP_NO_NAME)
				continue;
			if (mp_call_spots_add(spots, (struct mp_call_spot){(uint32_t)p, name, at}, err))
				return -1;
			/* a name within a name is no name */
			at += strlen(names->items[name]);
		}
	}
	return 0;
}
