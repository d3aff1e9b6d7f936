/*
 * feed_order.c: records whose files are not in the order of their times. A quick look at the times alone tells whether
 * that is so; it may err on this side. Then all records are read once, and their times and places are sorted in an
 * array that may lie in a file.
 */
#define _GNU_SOURCE /* SEEK_DATA */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "join/feed.h"

enum { TIME, FIRST, APART /* of the columns */ };
enum { WALK_SIZE = 64 << 10 };

struct item {
	int64_t time_ns, apart, place;
};

/* A stream of bytes that is looked at, slice after slice. */
struct walk {
	const struct mp_layout *layout;
	size_t time_at, have; /* have: bytes of a record that the last slice did not end */
	uint64_t last;
	unsigned char *bytes; /* WALK_SIZE, and a record before them */
};

void mp_feed_want_order(struct mp_feed *feed, const struct mp_join_table *part, const signed char *columns, int count)
{
	feed->order = (struct mp_feed_sorting){.columns.count = count};
	for (int i = 0; i < count; i++)
		feed->order.columns.of_table[i] =
		    columns[i] < 0 ? -1 : mp_feed_choose(feed, part, columns[i], 1).of_table[0];
}

static bool are_in_order(struct walk *w, const unsigned char *bytes, size_t count)
{
	for (; count--; bytes += w->layout->size) {
		uint64_t time;

		memcpy(&time, bytes + w->time_at, sizeof(time));
		if (le64toh(time) < w->last)
			return false;
		w->last = le64toh(time);
	}
	return true;
}

/*
 * Holes have no records, but the rest of one that began before. Returns the offset of the first record at or behind
 * `offset` that has data, -1 for none.
 */
static int64_t skip_hole(const struct walk *w, int fd, int64_t offset)
{
	off_t data = w->have ? (off_t)offset : lseek(fd, (off_t)offset, SEEK_DATA);

	if (data < 0)
		return errno == ENXIO ? -1 : offset; /* a file that cannot be asked is read whole */
	data -= data % (off_t)w->layout->size;
	return data > offset ? data : offset;
}

static bool is_in_order(struct walk *w, int fd)
{
	int64_t offset = 0;

	while ((offset = skip_hole(w, fd, offset)) >= 0) {
		const ssize_t n = mp_file_read(fd, w->bytes + w->have, WALK_SIZE, (off_t)offset);
		size_t used;

		if (n <= 0)
			break;
		offset += n;
		w->have += (size_t)n;
		used = w->have - w->have % w->layout->size;
		if (!are_in_order(w, w->bytes, w->have / w->layout->size))
			return false;
		w->have -= used;
		memmove(w->bytes, w->bytes + used, w->have);
	}
	return true; /* what cannot be read is told when it is read */
}

/* Where the layout has the time of a record, as 8 bytes. Returns whether there is such a place. */
static bool find_time(const struct mp_feed *feed, struct walk *w)
{
	const struct mp_layout *l = w->layout;
	int column = mp_layout_column(l, feed->columns.items[feed->order.columns.of_table[TIME]].name);
	const struct mp_field *f = column < 0 ? NULL : &l->fields[l->columns[column].from];

	if (!f || l->columns[column].kind != MP_COLUMN_TIME || f->width != 8 || ~f->mask || l->big_endian)
		return false;
	w->time_at = f->offset;
	return true;
}

/* Returns whether the times of all files ascend, as far as the bytes tell. Files without times are in order. */
static bool files_are_in_order(const struct mp_feed *feed, size_t from, uint64_t last)
{
	const struct mp_job *job = feed->load->job;
	struct walk walk = {.last = last, .bytes = malloc(WALK_SIZE + MP_RECORD_SIZE_MAX)}, *w = &walk;
	bool ascend = w->bytes; /* without memory the records are sorted */

	for (size_t i = from; ascend && i < job->file_count; i++) {
		const struct mp_layout *l = mp_feed_layout(feed, &job->files[i]);
		int fd;

		if (!l)
			continue;
		if (w->layout != l || job->files[i].identity.slice <= 0)
			w->have = 0;
		w->layout = l;
		if (!find_time(feed, w) || (fd = mp_job_open_file(job, &job->files[i])) < 0)
			continue;
		ascend = is_in_order(w, fd);
		close(fd); /* read only: nothing to lose */
	}
	free(w->bytes);
	return ascend;
}

bool mp_feed_goes_on(struct mp_feed *feed, bool ended)
{
	struct mp_feed_sorting *o = &feed->order;
	int64_t unused;
	uint64_t last = o->last;

	if (!o->columns.count)
		return true;
	if (ended)
		return files_are_in_order(feed, feed->next_file + 1, last);
	if (o->layout != feed->slice.layout) {
		struct walk w = {.layout = o->layout = feed->slice.layout};

		o->has_time = find_time(feed, &w);
		o->time_at = w.time_at;
	}
	if (!o->has_time)
		return true;
	memcpy(&o->last, mp_reader_bytes(feed->slice.reader, &unused) + o->time_at, sizeof(o->last));
	o->last = le64toh(o->last);
	return o->last >= last;
}

static struct item *item_at(struct mp_feed *feed, int64_t index)
{
	mp_big_touch(&feed->order.items);
	return (struct item *)feed->order.items.at + index;
}

int64_t mp_feed_recorded(struct mp_feed *feed, int64_t place)
{
	return item_at(feed, place)->place;
}

static int by_time(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->apart != y->apart)
		return x->apart < y->apart ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Up to four numbers of 16 bits keep their order; more of them are mixed. */
static int64_t apart_of(const int64_t *values, int count)
{
	uint64_t all = 0;

	for (int i = APART; i < count; i++)
		all = (all << 16 | all >> 48) ^ (uint64_t)values[i];
	return (int64_t)(all & INT64_MAX >> 1) | (values[FIRST] ? 0 : INT64_C(1) << 62);
}

static int read_items(struct mp_feed *feed, struct mp_error *err)
{
	struct mp_feed_sorting *o = &feed->order;
	int64_t values[MP_FEED_COLUMN_MAX], place;
	bool nulls[MP_FEED_COLUMN_MAX];
	int status;

	while ((status = mp_feed_read(feed, &place, err)) == 1) {
		if ((size_t)(o->count + 1) * sizeof(struct item) > o->items.room &&
		    !mp_big_grow(&o->items, feed->load->dirfd))
			return mp_fail_memory(err, "the order of records");
		mp_feed_numbers(feed, &o->columns, values, nulls);
		*item_at(feed, o->count++) = (struct item){values[TIME], apart_of(values, o->columns.count), place};
	}
	return status;
}

/* Counts the records that follow another one which differs from it, and which nothing tells them apart from. */
static int count_ambiguous(struct mp_feed *feed, int64_t *count, struct mp_error *err)
{
	struct mp_feed_record a, b;

	*count = 0;
	for (int64_t i = 1; i < feed->order.count; i++) {
		const struct item before = *item_at(feed, i - 1), item = *item_at(feed, i);

		if (before.time_ns != item.time_ns || before.apart != item.apart)
			continue;
		if (mp_feed_get(feed, i - 1, &a, err) || mp_feed_get(feed, i, &b, err))
			return -1;
		*count += a.layout != b.layout || memcmp(a.bytes, b.bytes, a.layout->size) != 0;
	}
	return 0;
}

int mp_feed_sort(struct mp_feed *feed, struct mp_error *err)
{
	struct mp_feed_sorting *o = &feed->order;
	int64_t ambiguous;

	o->known = true;
	if (read_items(feed, err))
		return -1;
	if (!mp_big_sort(&o->items, (size_t)o->count, sizeof(struct item), by_time, feed->load->dirfd))
		return mp_fail_memory(err, "the order of records");
	o->is_other = true;
	if (count_ambiguous(feed, &ambiguous, err))
		return -1;
	return ambiguous ? mp_db_put(feed->load->db, "INSERT INTO temp.ambiguous VALUES(?, ?)",
			       MP_VALUES(mp_string(feed->table), mp_int(ambiguous)), err)
			 : 0;
}

int mp_feed_put_in_order(struct mp_feed *feed, struct mp_error *err)
{
	feed->order.known = true;
	return !feed->order.columns.count || files_are_in_order(feed, 0, 0) ? 0 : mp_feed_sort(feed, err);
}
