/*
 * reader_shape.c: layouts whose rows are not simply records. Counts of a clock that wraps are continued, and two
 * records become one row. The row is made as bytes: the record, its continued counts, and both again for the start of a
 * pair. The plans decode these bytes like a record.
 */
#include <stdlib.h>
#include <sys/random.h>

#include "raw/reader_internal.h"

enum { OPEN_MAX = 65536, OPEN_BYTES_MAX = 64 * 1024 * 1024, BUCKETS = 65536, NONE = 0xffffffff };

/* A start that waits for its end: its bytes are in `kept`. It is in the list of its bucket, and in the list by age. */
struct waiting {
	uint32_t bucket;
	uint32_t next, before; /* in the bucket: the latest comes first */
	uint32_t newer, older; /* `newer` also links the free places */
};

struct mp_shaper {
	struct mp_field fields[MP_FIELD_MAX];
	size_t half; /* bytes of a record with its continued counts */
	unsigned char *row;
	bool clock_known;
	uint64_t clock; /* the latest count */
	uint64_t seed;
	uint32_t *buckets; /* BUCKETS places; of paired layouts */
	struct waiting *waiting;
	unsigned char *kept;
	uint32_t room, room_max, used;
	uint32_t free, oldest, newest;
	struct mp_plan none[1 + MP_COLUMN_MAX]; /* the plans of rows that lack something: all slow */
};

void mp_shaper_free(struct mp_shaper *shaper)
{
	if (!shaper)
		return;
	free(shaper->row);
	free(shaper->buckets);
	free(shaper->waiting);
	free(shaper->kept);
	free(shaper);
}

/* Starts and continued counts are other bytes than those in the record. */
static void place_fields(struct mp_shaper *s, const struct mp_layout *l)
{
	for (int i = 0; i < l->field_count; i++) {
		const struct mp_field *f = &l->fields[i];
		const char *name = f->of_start ? f->name + 6 : f->name;

		s->fields[i] = *f;
		for (int k = 0; k < l->wrap_count; k++) {
			if (strcmp(l->fields[l->wraps[k]].name, name) != 0)
				continue;
			s->fields[i].offset = l->size + 8 * (size_t)k;
			s->fields[i].width = 8;
			s->fields[i].shift = 0;
			s->fields[i].mask = UINT64_MAX;
		}
		if (f->of_start)
			s->fields[i].offset += s->half;
	}
}

int mp_reader_shape(struct mp_reader *r, struct mp_error *err)
{
	const struct mp_layout *l = r->layout;
	struct mp_shaper *s;

	r->fields = l->fields;
	r->shape_size = l->size;
	if (!l->wrap_count && !l->paired)
		return 0;
	r->shaper = s = calloc(1, sizeof(*s));
	if (!s)
		return mp_fail_memory(err, "a reader");
	s->half = l->size + 8 * (size_t)l->wrap_count;
	s->row = calloc(2, s->half);
	s->buckets = l->paired ? malloc(BUCKETS * sizeof(*s->buckets)) : NULL;
	if (!s->row || (l->paired && !s->buckets))
		return mp_fail_memory(err, "a reader");
	for (int i = 0; l->paired && i < BUCKETS; i++)
		s->buckets[i] = NONE;
	s->free = s->oldest = s->newest = NONE;
	s->room_max = OPEN_BYTES_MAX / s->half < OPEN_MAX ? (uint32_t)(OPEN_BYTES_MAX / s->half) : OPEN_MAX;
	if (l->paired && getrandom(&s->seed, sizeof(s->seed), GRND_NONBLOCK) != sizeof(s->seed))
		s->seed = (uint64_t)(uintptr_t)s; /* the address differs in each run, too */
	place_fields(s, l);
	r->fields = s->fields;
	r->shape_size = l->paired ? 2 * s->half : s->half;
	return 0;
}

static void store_count(unsigned char *to, uint64_t count, bool big_endian)
{
	count = big_endian ? htobe64(count) : htole64(count);
	memcpy(to, &count, 8);
}

/* The count with these low bits that is nearest to the latest one. A count is never below 0. */
static uint64_t continued(struct mp_shaper *s, uint64_t bits, uint64_t mask)
{
	uint64_t ahead = (bits - s->clock) & mask, back = (s->clock - bits) & mask;

	if (!s->clock_known)
		s->clock = bits;
	else if (ahead <= back || back > s->clock)
		s->clock += ahead;
	else
		s->clock -= back;
	s->clock_known = true;
	return s->clock;
}

/* Put the current record with its continued counts into the first half of the row. */
static void begin_row(struct mp_reader *r)
{
	const struct mp_layout *l = r->layout;
	struct mp_shaper *s = r->shaper;

	memcpy(s->row, r->record, l->size);
	for (int i = 0; i < l->wrap_count; i++) {
		const struct mp_field *f = &l->fields[l->wraps[i]];
		uint64_t bits = mp_load(s->row + f->offset, f->width, l->big_endian) >> f->shift & f->mask;

		store_count(s->row + l->size + 8 * (size_t)i, continued(s, bits, f->mask), l->big_endian);
	}
}

static uint64_t key_part(const struct mp_layout *l, int i, const unsigned char *record)
{
	const struct mp_field *f = &l->fields[l->keys[i]];

	return mp_load(record + f->offset, f->width, l->big_endian) >> f->shift & f->mask;
}

static uint32_t bucket_of(const struct mp_reader *r, const unsigned char *record)
{
	uint64_t hash = r->shaper->seed;

	for (int i = 0; i < r->layout->key_count; i++) {
		hash = (hash ^ key_part(r->layout, i, record)) * UINT64_C(0x9E3779B97F4A7C15);
		hash = (hash ^ hash >> 32) * (r->shaper->seed | 1);
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash % BUCKETS);
}

static bool same_key(const struct mp_layout *l, const unsigned char *a, const unsigned char *b)
{
	for (int i = 0; i < l->key_count; i++)
		if (key_part(l, i, a) != key_part(l, i, b))
			return false;
	return true;
}

static unsigned char *kept_at(const struct mp_shaper *s, uint32_t place)
{
	return s->kept + place * s->half;
}

static void forget(struct mp_shaper *s, uint32_t place)
{
	struct waiting *w = &s->waiting[place];

	*(w->before == NONE ? &s->buckets[w->bucket] : &s->waiting[w->before].next) = w->next;
	if (w->next != NONE)
		s->waiting[w->next].before = w->before;
	*(w->older == NONE ? &s->oldest : &s->waiting[w->older].newer) = w->newer;
	*(w->newer == NONE ? &s->newest : &s->waiting[w->newer].older) = w->older;
	w->newer = s->free;
	s->free = place;
}

/* A free place; NONE when all are used, or memory ends. */
static uint32_t find_place(struct mp_shaper *s)
{
	uint32_t place = s->free, room = s->room ? 2 * s->room : 64;
	unsigned char *kept;
	struct waiting *waiting;

	if (place != NONE) {
		s->free = s->waiting[place].newer;
		return place;
	}
	if (s->used < s->room)
		return s->used++;
	room = room < s->room_max ? room : s->room_max;
	if (room == s->room)
		return NONE;
	kept = realloc(s->kept, room * s->half);
	if (kept)
		s->kept = kept;
	waiting = realloc(s->waiting, room * sizeof(*waiting));
	if (waiting)
		s->waiting = waiting;
	if (!kept || !waiting)
		return NONE;
	s->room = room;
	return s->used++;
}

/* Make the row of the start in the first half of the row, which has no end. */
static void give_open(struct mp_reader *r)
{
	struct mp_shaper *s = r->shaper;

	memcpy(s->row + s->half, s->row, s->half);
	r->record = s->row;
	r->lack = MP_LACKS_END;
	r->plan_now = s->none;
	r->tally.open_starts++;
	r->tally.records++;
}

/* Make the row of the oldest start. */
static bool give_oldest(struct mp_reader *r)
{
	struct mp_shaper *s = r->shaper;

	if (s->oldest == NONE)
		return false;
	memcpy(s->row, kept_at(s, s->oldest), s->half);
	forget(s, s->oldest);
	give_open(r);
	return true;
}

static void keep(struct mp_reader *r, const unsigned char *half, uint32_t place)
{
	struct mp_shaper *s = r->shaper;
	struct waiting *w = &s->waiting[place];

	memcpy(kept_at(s, place), half, s->half);
	*w = (struct waiting){.bucket = bucket_of(r, half), .before = NONE, .newer = NONE, .older = s->newest};
	w->next = s->buckets[w->bucket];
	if (w->next != NONE)
		s->waiting[w->next].before = place;
	s->buckets[w->bucket] = place;
	*(s->newest == NONE ? &s->oldest : &s->waiting[s->newest].newer) = place;
	s->newest = place;
}

/* A start makes no row yet, but the row of the oldest start when there is no place for another one. */
static bool take_start(struct mp_reader *r)
{
	struct mp_shaper *s = r->shaper;
	uint32_t place = find_place(s);
	unsigned char half[MP_RECORD_SIZE_MAX + 8 * MP_FIELD_MAX];
	bool gives = false;

	r->tally.records--;
	memcpy(half, s->row, s->half);
	if (place == NONE) {
		gives = give_oldest(r);
		place = gives ? find_place(s) : NONE;
	}
	if (place != NONE) {
		keep(r, half, place);
		return gives;
	}
	give_open(r); /* no memory for a single start */
	return true;
}

static void take_end(struct mp_reader *r)
{
	struct mp_shaper *s = r->shaper;
	uint32_t place = s->buckets[bucket_of(r, s->row)];

	while (place != NONE && !same_key(r->layout, kept_at(s, place), s->row))
		place = s->waiting[place].next;
	if (place == NONE) {
		r->lack = MP_LACKS_START;
		r->plan_now = s->none;
		r->tally.lone_ends++;
		return;
	}
	memcpy(s->row + s->half, kept_at(s, place), s->half);
	forget(s, place);
}

bool mp_shaper_row(struct mp_reader *r)
{
	const struct mp_match *m = &r->layout->start;

	begin_row(r);
	r->record = r->shaper->row;
	r->lack = MP_LACKS_NOTHING;
	r->plan_now = r->plans;
	if (!r->layout->paired)
		return true;
	if ((mp_load(r->record + m->offset, m->width, r->layout->big_endian) >> m->shift & m->mask) == m->value)
		return take_start(r);
	take_end(r);
	return true;
}

bool mp_shaper_rest(struct mp_reader *r)
{
	return r->layout->paired && give_oldest(r);
}

static bool is_key(const struct mp_layout *l, int field)
{
	for (int i = 0; i < l->key_count; i++)
		if (l->keys[i] == field)
			return true;
	return false;
}

/* A start without an end has the key and its own fields; an end without a start has all but those of the start. */
static bool lacks_field(const struct mp_reader *r, int field)
{
	bool of_start = r->layout->fields[field].of_start;

	return r->lack == MP_LACKS_START ? of_start : !of_start && !is_key(r->layout, field);
}

bool mp_shaper_is_null(const struct mp_reader *r, int column)
{
	const struct mp_column *c = &r->layout->columns[column];
	bool has_to = c->kind == MP_COLUMN_DURATION || c->kind == MP_COLUMN_CYCLES || c->kind == MP_COLUMN_VALUE;

	if (c->kind == MP_COLUMN_SHARE) {
		const struct mp_column *duration = mp_layout_duration(r->layout);

		if (lacks_field(r, duration->from) || lacks_field(r, duration->to))
			return true;
	}
	return lacks_field(r, c->from) || (has_to && lacks_field(r, c->to));
}
