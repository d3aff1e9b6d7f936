/* stream.c: begins a new slice when the last slice is full. Knows nothing about the content of records. */
#include "recorder/data_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "recorder/table.h"

void mp_stream_init(struct mp_stream *stream, int dirfd, const char *prefix)
{
	memset(stream, 0, sizeof(*stream));
	stream->dirfd = dirfd;
	stream->prefix = prefix;
	stream->slice.fd = -1;
}

void mp_stream_name(const struct mp_stream *stream, unsigned number, const char *suffix, char name[MP_DATA_NAME])
{
	snprintf(name, MP_DATA_NAME, "%s.slice_%u%s", stream->prefix, number, suffix);
}

void mp_stream_stop(struct mp_stream *stream)
{
	if (!stream->open)
		return;
	mp_data_file_close(&stream->slice);
	stream->lost += stream->slice.lost;
	if (!stream->failure)
		stream->failure = stream->slice.failure;
	stream->bytes += stream->slice.size;
	stream->open = false;
	stream->marked = false;
}

int mp_stream_finish(struct mp_stream *stream, struct mp_error *err)
{
	char lines[100];

	mp_stream_stop(stream);
	if (!stream->count || stream->marked)
		return 0;
	snprintf(lines, sizeof(lines), "starttime:%llu\nendtime  :%llu\n", (unsigned long long)stream->begin_ns,
	    (unsigned long long)stream->end_ns);
	if (mp_data_file_mark(&stream->slice, stream->dirfd, lines, err))
		return -1;
	stream->marked = true;
	return 0;
}

static bool has_prefix(const void *prefix, const char *name)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Returns one more than the highest number of a slice; when the directory cannot be listed, it may have any. */
static unsigned slices_end(const struct mp_stream *stream)
{
	char before[MP_DATA_NAME];
	struct mp_dir_names names;
	struct mp_error ignored;
	unsigned end = 0;

	snprintf(before, sizeof(before), "%s.slice_", stream->prefix);
	if (mp_dir_list(&names, stream->dirfd, has_prefix, before, "the data", &ignored))
		end = UINT_MAX;
	for (size_t i = 0; i < names.count && end < UINT_MAX; i++) {
		unsigned long number = strtoul(names.items[i] + strlen(before), NULL, 10);

		if (number >= end)
			end = number < UINT_MAX ? (unsigned)number + 1 : UINT_MAX;
	}
	mp_dir_names_free(&names);
	return end;
}

int mp_stream_continue(struct mp_stream *stream, size_t size, struct mp_error *err)
{
	char name[MP_DATA_NAME];
	struct mp_data_file last;
	struct stat st;

	/* a storage limit may have removed the first slices */
	for (unsigned i = 0, end = slices_end(stream), missing = 0; i < end && missing < 4096; i++) {
		mp_stream_name(stream, i, "", name);
		if (mp_dir_look(stream->dirfd, name, &st))
			missing++;
		else
			stream->count = i + 1;
	}
	stream->marked = true; /* the ended process wrote the markers, or did not */
	if (!stream->count)
		return 0;
	mp_stream_name(stream, stream->count - 1, "", name);
	if (mp_data_file_append(&last, stream->dirfd, name, size, err))
		return -1;
	mp_data_file_close(&last);
	return 0;
}

static int begin_slice(struct mp_stream *stream)
{
	char name[MP_DATA_NAME];
	struct mp_error err;

	if (mp_stream_finish(stream, &err) && !stream->failure)
		stream->failure = ENOSPC; /* a missing marker is not a loss, but is reported */
	mp_stream_name(stream, stream->count, "", name);
	if (mp_data_file_create(&stream->slice, stream->dirfd, name, &err)) {
		if (!stream->failure)
			stream->failure = errno;
		stream->marked = true; /* the previous slice has its marker */
		return -1;
	}
	stream->count++;
	stream->open = true;
	stream->begin_ns = UINT64_MAX;
	stream->end_ns = 0;
	return 0;
}

char *mp_stream_room(struct mp_stream *stream, size_t size, uint64_t begin_ns, uint64_t end_ns)
{
	int64_t used = stream->slice.size + (int64_t)stream->slice.used;

	if ((!stream->open || used + (int64_t)size > MP_SLICE_SIZE) && begin_slice(stream)) {
		stream->lost++;
		return NULL;
	}
	if (begin_ns < stream->begin_ns)
		stream->begin_ns = begin_ns;
	if (end_ns > stream->end_ns)
		stream->end_ns = end_ns;
	return mp_data_file_room(&stream->slice, size);
}

void mp_stream_added(struct mp_stream *stream, size_t size)
{
	mp_data_file_added(&stream->slice, size);
}

void mp_stream_flush(struct mp_stream *stream)
{
	if (!stream->open)
		return;
	mp_data_file_flush(&stream->slice);
	if (!stream->failure)
		stream->failure = stream->slice.failure;
}

int64_t mp_stream_size(const struct mp_stream *stream)
{
	return stream->bytes + (stream->open ? stream->slice.size : 0);
}

bool mp_stream_drop_oldest(struct mp_stream *stream)
{
	char name[MP_DATA_NAME];
	struct stat st;

	if (stream->oldest + stream->open >= stream->count)
		return false;
	mp_stream_name(stream, stream->oldest, "", name);
	if (mp_dir_look(mp_fd_use(stream->dirfd), name, &st) == 0)
		stream->bytes -= st.st_size;
	unlinkat(mp_fd_use(stream->dirfd), name, 0);
	mp_stream_name(stream, stream->oldest, ".done", name);
	unlinkat(mp_fd_use(stream->dirfd), name, 0);
	stream->oldest++;
	return true;
}

uint64_t mp_stream_lost(const struct mp_stream *stream)
{
	return stream->lost + (stream->open ? stream->slice.lost : 0);
}
