/*
 * fuzz_items.c: any bytes as a file of items, or as a model file. The first byte selects the layout; the rest is the
 * file. Records are checked by a walk of this program's own, and every byte must be accounted for.
 */
#include "fuzz.h"

#include "base/text.h"
#include "raw/reader.h"

/* Narrow and wide tags, all forms, and a model file with its numbers elsewhere. */
static const char more[] =
    "items t.narrow v1 verified\nfile \"a\"\ntable t\ntag u8 form 5..7 u8 u16 u32 u64 u8[] u16[] u32[]\n"
    "each 1\nitem a number 2\nitem b text 3\nitem c text 3\nitem d number 3\n"
    "items t.wide v1 verified\nfile \"b\"\ntable t\ntag u64 form 63..63 u8[]\neach 1\nitem a text 2\n"
    "items t.model v1 verified\ntable t\nmodel begin u32 @4 + u32 @0\nmatch u8 @8 bits 0..1 == 1\n"
    "tag u16 form 14..15 u8 u8[]\neach 1\nitem a number 2\nitem b text 3\n";

enum { LAYOUTS = 6 };

static const struct mp_layout *layout_of(unsigned choice)
{
	static const char *const names[LAYOUTS] = {
	    "svp.layer_info", "svp.net_info", "svp.model_layers", "t.narrow", "t.wide", "t.model"};
	static struct mp_layouts set;
	const struct mp_layouts *embedded = embedded_layouts();
	struct mp_error err;

	if (!set.count)
		CHECK(mp_layouts_parse(&set, "more", more, &err) == 0);
	for (size_t i = 0; i < set.count; i++)
		if (strcmp(set.items[i]->name, names[choice % LAYOUTS]) == 0)
			return set.items[i];
	for (size_t i = 0; i < embedded->count; i++)
		if (strcmp(embedded->items[i]->name, names[choice % LAYOUTS]) == 0)
			return embedded->items[i];
	abort();
}

static uint64_t number_at(const uint8_t *p, size_t width)
{
	uint64_t v = 0;

	while (width--)
		v = v << 8 | p[width];
	return v;
}

/* The number of items that fill these bytes to the last one; -1: they do not. */
static int64_t count_items(const struct mp_layout *l, const uint8_t *p, size_t size)
{
	int64_t count = 0;

	while (size) {
		uint64_t form, len;
		size_t head;

		if (size < l->tag_width)
			return -1;
		form = number_at(p, l->tag_width) >> l->form_shift;
		if (!form || form > (uint64_t)l->form_count)
			return -1;
		head = l->tag_width + (l->forms[form - 1].is_bytes ? l->forms[form - 1].width : 0);
		if (size < head)
			return -1;
		len =
		    head == l->tag_width ? l->forms[form - 1].width : number_at(p + l->tag_width, head - l->tag_width);
		if (len > size - head)
			return -1;
		p += head + len;
		size -= head + (size_t)len;
		count++;
	}
	return count;
}

static void check_record(const struct mp_layout *l, struct mp_reader *r, const uint8_t *file, size_t size)
{
	int64_t end;
	const unsigned char *bytes = mp_reader_bytes(r, &end);
	size_t len;

	/* the value of the record lies where the reader says */
	CHECK(end >= 0 && end <= (int64_t)size);
	for (len = size - (size_t)end; count_items(l, bytes, len) < 0; len--)
		CHECK(len > 0);
	CHECK(memcmp(bytes, file + end, len < 64 ? len : 64) == 0);
	for (int i = 0; i < l->column_count; i++) {
		struct mp_value v = mp_reader_value(r, i);

		CHECK(v.type == MP_NULL || (v.type == MP_TEXT) == l->columns[i].is_text);
		CHECK(v.type != MP_TEXT || (v.len > 0 && mp_utf8_valid(v.text, v.len)));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct mp_clock clock = {.core_mhz = 0};
	const struct mp_layout *l;
	struct mp_error err;
	struct mp_reader *r;
	const struct mp_tally *t;
	int64_t records = 0, sum = 0, end = 0;
	int fd;

	if (size < 1)
		return -1;
	l = layout_of(data[0]);
	fd = memory_file(data + 1, size - 1);
	CHECK(mp_reader_open(&r, fd, l, &clock, NULL, &err) == 0);
	for (; mp_reader_next(r); records++)
		check_record(l, r, data + 1, size - 1);
	t = mp_reader_tally(r);
	CHECK(t->records == records && t->size == (int64_t)size - 1);
	CHECK(t->size == t->record_bytes + t->blank_bytes + t->damaged_bytes);
	for (int i = 0; i < t->damage_count; i++) {
		CHECK(t->damage[i].bytes > 0 && t->damage[i].offset >= end && t->damage[i].reason[0]);
		end = t->damage[i].offset + t->damage[i].bytes;
		sum += t->damage[i].bytes;
	}
	CHECK(sum == t->damaged_bytes && end <= t->size);
	/* a file of whole items is no damage, unless a record in it is none */
	if (!l->is_model && !records && count_items(l, data + 1, size - 1) < 0)
		CHECK(t->damaged_bytes > 0);
	CHECK(!mp_reader_next(r));
	mp_reader_close(r);
	close(fd);
	return 0;
}
