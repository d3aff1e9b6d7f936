/* feed.c: walks the files of a table, and goes back to where a record was. Knows no table. */
#include "join/feed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/vec.h"

enum {
	PROGRESS_EVERY = 1 << 16,
	OFFSET_BITS = 40,
	CUT = 1 << 22 /* in place of a pass: the record is a copy in cuts */
};

static int read_columns(struct mp_feed *feed, struct mp_error *err)
{
	struct mp_db *db = feed->load->db;
	int status = mp_row_columns_read(&feed->columns, db->handle, "main", feed->table);

	if (status == SQLITE_TOOBIG || feed->columns.count > MP_FEED_COLUMN_MAX)
		return mp_fail(err, "table '%s': too many columns, or one with a long name", feed->table);
	return status ? mp_db_fail(db, err, "cannot query") : 0;
}

int mp_feed_open(struct mp_feed *feed, struct mp_load *load, const char *table, int64_t device_id, struct mp_error *err)
{
	*feed = (struct mp_feed){
	    .load = load, .table = table, .device_id = device_id, .slice = {.fd = -1}, .look_pass = -1, .look_fd = -1};
	if (read_columns(feed, err))
		return -1;
	for (; feed->all.count < feed->columns.count; feed->all.count++)
		feed->all.of_table[feed->all.count] = (signed char)feed->all.count;
	return 0;
}

static void close_look(struct mp_feed *feed)
{
	if (feed->look_pass < 0)
		return;
	close(feed->look_fd); /* read only: nothing to lose */
	feed->look_pass = feed->look_fd = -1;
}

static void let_go(struct mp_feed *feed)
{
	mp_slice_close(&feed->slice);
	while (feed->done_count)
		mp_slice_close(&feed->done[--feed->done_count]);
	close_look(feed);
	free(feed->passes);
	free(feed->cuts);
	free(feed->cut_bytes);
	mp_big_free(&feed->order.items);
}

void mp_feed_close(struct mp_feed *feed)
{
	if (!feed->load) /* it was never opened */
		return;
	let_go(feed);
	*feed = (struct mp_feed){.slice = {.fd = -1}, .look_pass = -1, .look_fd = -1};
}

void mp_feed_turn(struct mp_feed *feed, int64_t device_id)
{
	let_go(feed);
	feed->device_id = device_id;
	feed->next_file = feed->cut_count = feed->cut_used = feed->look_used = 0;
	feed->passes = NULL;
	feed->cuts = NULL;
	feed->cut_bytes = NULL;
	feed->pass_count = 0;
	feed->records = feed->order.count = feed->order.next = 0;
	feed->order.known = feed->order.is_other = false;
	feed->order.layout = NULL;
	feed->order.last = 0;
	feed->sequence = (struct mp_sequence){.known = false};
}

/* The layout after `at` in its ring that fills the feed's table; from the first on when `at` is NULL. */
static const struct mp_layout *next_layout(
    const struct mp_feed *feed, const struct mp_job_file *f, const struct mp_layout *at)
{
	const struct mp_layout *l = at ? at->peer : f->layout;

	if (at && l == f->layout)
		return NULL;
	do {
		if (strcmp(l->table, feed->table) == 0)
			return l;
		l = l->peer;
	} while (l != f->layout);
	return NULL;
}

const struct mp_layout *mp_feed_layout(const struct mp_feed *feed, const struct mp_job_file *file)
{
	return file->state == MP_FILE_RAW && file->identity.device_id == feed->device_id ? next_layout(feed, file, NULL)
											 : NULL;
}

static int begin_pass(
    struct mp_feed *feed, const struct mp_job_file *f, const struct mp_layout *l, struct mp_error *err)
{
	if (feed->pass_count == CUT - 1 || !mp_vec_room(feed->passes, (size_t)feed->pass_count, 1))
		return mp_fail_memory(err, "the files of a table");
	feed->passes[feed->pass_count++] = (struct mp_feed_pass){f, l};
	if (mp_slice_begin(feed->load, &feed->slice, f, l, &feed->sequence, err))
		return -1;
	if (feed->slice.reader)
		mp_reader_count(
		    feed->slice.reader, false); /* values are asked for as they are needed: any number of times */
	return 0;
}

/* To the next file, or the next layout of the same: that, or NULL. */
static const struct mp_layout *find_pass(struct mp_feed *feed)
{
	const struct mp_job *job = feed->load->job;
	const struct mp_feed_pass *at = feed->pass_count ? &feed->passes[feed->pass_count - 1] : NULL;

	for (; feed->next_file < job->file_count; feed->next_file++) {
		const struct mp_job_file *f = &job->files[feed->next_file];
		const struct mp_layout *l;

		if (f->state != MP_FILE_RAW || f->identity.device_id != feed->device_id)
			continue;
		l = next_layout(feed, f, at && at->file == f ? at->layout : NULL);
		while (l && l != f->layout && feed->load->peer_bytes[feed->next_file] == 0)
			l = next_layout(feed, f, l);
		if (l)
			return l;
	}
	return NULL;
}

/* Returns 1; 0 when not found. */
static int next_pass(struct mp_feed *feed, struct mp_error *err)
{
	const struct mp_layout *l = find_pass(feed);

	if (!l)
		return 0;
	return begin_pass(feed, &feed->load->job->files[feed->next_file], l, err) ? -1 : 1;
}

/* Account for the file; its reader stays to decode what was kept. */
static int end_pass(struct mp_feed *feed, struct mp_error *err)
{
	int i = 0;

	if (mp_slice_end(feed->load, &feed->slice, -1, err))
		return -1;
	while (i < feed->done_count && feed->done[i].layout != feed->slice.layout)
		i++;
	if (i == MP_FEED_LAYOUT_MAX)
		return mp_fail(err, "more than %d layouts fill the table '%s'", MP_FEED_LAYOUT_MAX, feed->table);
	if (i == feed->done_count)
		feed->done_count++;
	else
		mp_slice_close(&feed->done[i]);
	feed->done[i] = feed->slice;
	feed->slice = (struct mp_slice){.fd = -1};
	return 0;
}

/* A record across two slices is in no file as it is; one behind a hole of a TiB is too far for a place. */
static int keep_cut(struct mp_feed *feed, const unsigned char *bytes, int64_t *place, struct mp_error *err)
{
	size_t size = feed->slice.layout->size;

	if (!mp_vec_room(feed->cuts, feed->cut_count, 1) || !mp_vec_room(feed->cut_bytes, feed->cut_used, size))
		return mp_fail_memory(err, "records across slices");
	memcpy(feed->cut_bytes + feed->cut_used, bytes, size);
	feed->cuts[feed->cut_count] = (struct mp_feed_cut){feed->cut_used, feed->pass_count - 1};
	feed->cut_used += size;
	*place = (int64_t)CUT << OFFSET_BITS | (int64_t)feed->cut_count++;
	return 1;
}

/* Of the file that is being read. */
static int next_here(struct mp_feed *feed, int64_t *place, struct mp_error *err)
{
	const unsigned char *bytes;

	if (!feed->slice.reader || !mp_reader_next(feed->slice.reader))
		return 0;
	mp_reader_check(feed->slice.reader);
	if (++feed->records % PROGRESS_EVERY == 0)
		mp_slice_progress(feed->load, &feed->slice);
	bytes = mp_reader_bytes(feed->slice.reader, place);
	if (*place < 0 || *place >> OFFSET_BITS)
		return keep_cut(feed, bytes, place, err);
	*place |= (int64_t)(feed->pass_count - 1) << OFFSET_BITS;
	return 1;
}

int mp_feed_read(struct mp_feed *feed, int64_t *place, struct mp_error *err)
{
	int status = next_here(feed, place, err);

	while (!status) {
		if (feed->slice.reader && end_pass(feed, err))
			return -1;
		if (feed->slice.file) /* it cannot be read */
			mp_slice_close(&feed->slice);
		status = next_pass(feed, err);
		if (status != 1)
			return status;
		status = next_here(feed, place, err);
	}
	return status;
}

int mp_feed_next(struct mp_feed *feed, int64_t *place, struct mp_error *err)
{
	struct mp_feed_sorting *o = &feed->order;
	int status;

	if (!o->known && mp_feed_put_in_order(feed, err))
		return -1;
	if (!o->is_other) {
		status = next_here(feed, place, err);
		return status ? status : mp_feed_read(feed, place, err);
	}
	if (o->next == o->count)
		return 0;
	*place = o->next++;
	return mp_feed_get(feed, *place, &o->current, err) ? -1 : 1;
}

/* Whether the first file can be read; if not, that is told when its turn comes. */
static bool can_begin(struct mp_feed *feed)
{
	int fd = find_pass(feed) ? mp_job_open_file(feed->load->job, &feed->load->job->files[feed->next_file]) : -1;

	if (fd >= 0)
		close(fd); /* read only: nothing to lose */
	return fd >= 0;
}

int mp_feed_ahead(struct mp_feed *feed, int64_t *place, struct mp_error *err)
{
	int status = 1;

	if (feed->order.is_other)
		return mp_feed_next(feed, place, err);
	if (!feed->pass_count)
		status = can_begin(feed) ? next_pass(feed, err) : 0;
	if (status != 1)
		return status;
	feed->order.known = true;
	status = next_here(feed, place, err);
	if (status < 0 || mp_feed_goes_on(feed, !status))
		return status;
	feed->load->bytes_done -= feed->slice.told;
	mp_feed_turn(feed, feed->device_id);
	return mp_feed_sort(feed, err) ? -1 : MP_FEED_AGAIN;
}

struct mp_feed_columns mp_feed_choose(
    const struct mp_feed *feed, const struct mp_join_table *part, int first, int count)
{
	struct mp_feed_columns columns = {.count = count};

	for (int i = 0; i < count; i++)
		columns.of_table[i] = (signed char)mp_row_columns_find(&feed->columns, part->columns[first + i]);
	return columns;
}

static void map_columns(const struct mp_feed *feed, struct mp_feed_columns *columns, const struct mp_layout *l)
{
	for (int i = 0; i < columns->count; i++) {
		signed char column = columns->of_table[i];

		columns->of_layout[i] =
		    column < 0 ? -1 : (signed char)mp_layout_column(l, feed->columns.items[column].name);
	}
	columns->layout = l;
}

void mp_feed_numbers(struct mp_feed *feed, struct mp_feed_columns *columns, int64_t *values, bool *nulls)
{
	if (feed->order.is_other) {
		mp_feed_kept_numbers(feed, &feed->order.current, columns, values, nulls);
		return;
	}
	if (columns->layout != feed->slice.layout)
		map_columns(feed, columns, feed->slice.layout);
	mp_reader_numbers(feed->slice.reader, columns->of_layout, columns->count, values, nulls);
}

void mp_feed_keep(const struct mp_feed *feed, struct mp_feed_record *record)
{
	int64_t unused;

	if (feed->order.is_other) {
		*record = feed->order.current;
		return;
	}
	record->layout = feed->slice.layout;
	memcpy(record->bytes, mp_reader_bytes(feed->slice.reader, &unused), record->layout->size);
}

static int look_at(struct mp_feed *feed, int32_t pass, struct mp_error *err)
{
	const struct mp_job_file *f = feed->passes[pass].file;

	close_look(feed);
	feed->look_fd = mp_job_open_file(feed->load->job, f);
	if (feed->look_fd < 0)
		return mp_fail_errno(err, "cannot open '%s/%s' again", feed->load->job->path, f->name);
	feed->look_pass = pass;
	feed->look_used = 0;
	return 0;
}

/* Read the piece of the file that has the record at `offset`. */
static int read_piece(struct mp_feed *feed, int64_t offset, struct mp_error *err)
{
	const int64_t start = offset - offset % MP_FEED_LOOK_SIZE;
	const ssize_t n = mp_file_read(feed->look_fd, feed->look, sizeof(feed->look), (off_t)start);

	feed->look_start = start;
	feed->look_used = n < 0 ? 0 : (size_t)n;
	return n < 0 ? mp_fail_errno(err, "cannot read '%s/%s' again", feed->load->job->path,
			   feed->passes[feed->look_pass].file->name)
		     : 0;
}

int mp_feed_get(struct mp_feed *feed, int64_t place, struct mp_feed_record *record, struct mp_error *err)
{
	const int64_t recorded = feed->order.is_other ? mp_feed_recorded(feed, place) : place;
	int32_t pass = (int32_t)(recorded >> OFFSET_BITS);
	int64_t offset = recorded & (((int64_t)1 << OFFSET_BITS) - 1);
	size_t size;

	if (pass == CUT) {
		record->layout = feed->passes[feed->cuts[offset].pass].layout;
		memcpy(record->bytes, feed->cut_bytes + feed->cuts[offset].at, record->layout->size);
		return 0;
	}
	if (feed->look_pass != pass && look_at(feed, pass, err))
		return -1;
	record->layout = feed->passes[pass].layout;
	size = record->layout->size;
	if ((offset < feed->look_start || offset + (int64_t)size > feed->look_start + (int64_t)feed->look_used) &&
	    read_piece(feed, offset, err))
		return -1;
	if (offset + (int64_t)size > feed->look_start + (int64_t)feed->look_used)
		return mp_fail(err, "'%s/%s' became shorter while it was read", feed->load->job->path,
		    feed->passes[pass].file->name);
	memcpy(record->bytes, feed->look + (offset - feed->look_start), size);
	return 0;
}

/* A reader of the record's layout, at the record. */
static struct mp_reader *look(struct mp_feed *feed, const struct mp_feed_record *record)
{
	struct mp_reader *reader = feed->slice.reader; /* all files of a feed have one clock */
	int i = 0;

	if (!reader || feed->slice.layout != record->layout) {
		while (feed->done[i].layout != record->layout) /* its file was read */
			i++;
		reader = feed->done[i].reader;
	}
	mp_reader_look(reader, record->bytes);
	return reader;
}

struct mp_value mp_feed_kept(struct mp_feed *feed, const struct mp_feed_record *record, int column)
{
	if (feed->all.layout != record->layout)
		map_columns(feed, &feed->all, record->layout);
	if (feed->all.of_layout[column] < 0)
		return (struct mp_value){.type = MP_NULL};
	return mp_reader_value(look(feed, record), feed->all.of_layout[column]);
}

void mp_feed_kept_numbers(struct mp_feed *feed, const struct mp_feed_record *record, struct mp_feed_columns *columns,
    int64_t *values, bool *nulls)
{
	if (columns->layout != record->layout)
		map_columns(feed, columns, record->layout);
	mp_reader_numbers(look(feed, record), columns->of_layout, columns->count, values, nulls);
}
