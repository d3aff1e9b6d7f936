/* prof_continue.c: continues the PROF directory of an ended process. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "recorder/prof_writer_internal.h"
#include "recorder/table.h"

/* The last records of the slices of a stream. */
static int read_seen(struct mp_prof_writer *w, enum stream stream, int64_t most, struct mp_error *err)
{
	size_t size = w->encoders[stream].layout->size;
	char name[MP_DATA_NAME];
	struct stat st;

	w->seen[stream].size = size;
	for (unsigned i = w->streams[stream].count; i-- && most > 0;) {
		int64_t count;

		mp_stream_name(&w->streams[stream], i, "", name);
		if (fstatat(w->datafd, name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		count = mp_record_set_add(
		    &w->seen[stream], w->datafd, name, st.st_size - st.st_size % (int64_t)size, most, err);
		if (count < 0)
			return -1;
		most -= count;
	}
	return 0;
}

enum { LINES_MOST = 64 * 1024 * 1024 }; /* of a dictionary; that of a process has 10 MB at most */

/* Append the lines of a slice to a text. */
static int add_lines(char **text, size_t *size, int dirfd, const char *name, struct mp_error *err)
{
	struct stat st;
	char *more;
	ssize_t n;
	int fd;

	if (mp_dir_is_missing(dirfd, name))
		return 0;
	fd = mp_data_file_reopen(dirfd, name, O_RDONLY, &st, err);
	if (fd < 0)
		return -1;
	more = st.st_size <= LINES_MOST - (off_t)*size ? realloc(*text, *size + (size_t)st.st_size + 1) : NULL;
	n = more ? pread(fd, more + *size, (size_t)st.st_size, 0) : -1;
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	if (!more)
		return mp_fail_memory(err, name);
	*text = more;
	*size += n > 0 ? (size_t)n : 0;
	more[*size] = '\0';
	return n == st.st_size ? 0 : mp_fail(err, "cannot read '%s'", name);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Split a text into sorted lines. */
static int sort_lines(struct mp_prof_lines *lines)
{
	size_t count = 0;

	for (const char *at = lines->text; (at = strchr(at, '\n')) != NULL; at++)
		count++;
	lines->sorted = calloc(count + 1, sizeof(*lines->sorted));
	if (!lines->sorted)
		return -1;
	for (char *at = lines->text, *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		lines->sorted[lines->count++] = at;
		*end = '\0';
	}
	qsort(lines->sorted, lines->count, sizeof(*lines->sorted), compare_lines);
	return 0;
}

bool mp_prof_has_line(const struct mp_prof_lines *lines, const char *line)
{
	return lines->count && bsearch(&line, lines->sorted, lines->count, sizeof(*lines->sorted), compare_lines);
}

/* Read a dictionary, so that no line comes twice. */
static int read_lines(struct mp_prof_writer *w, enum stream stream, struct mp_error *err)
{
	struct mp_prof_lines *lines = &w->lines[stream];
	char name[MP_DATA_NAME];
	size_t size = 0;

	lines->text = strdup("");
	if (!lines->text)
		return mp_fail_memory(err, "a PROF directory");
	for (unsigned i = 0; i < w->streams[stream].count; i++) {
		mp_stream_name(&w->streams[stream], i, "", name);
		if (add_lines(&lines->text, &size, w->datafd, name, err))
			return -1;
	}
	return sort_lines(lines) ? mp_fail_memory(err, "a dictionary") : 0;
}

static int continue_streams(struct mp_prof_writer *w, int64_t events, struct mp_error *err)
{
	w->seen = calloc(RECORDS, sizeof(*w->seen));
	if (!w->seen)
		return mp_fail_memory(err, "a PROF directory");
	mp_prof_streams_init(w);
	for (int i = 0; i < RECORDS; i++)
		if (mp_stream_continue(&w->streams[i], w->encoders[i].layout->size, err) ||
		    read_seen(w, (enum stream)i, (i == STAMPS ? SEGMENTS_MAX : 1) * events, err))
			return -1;
	for (int i = RECORDS; i < STREAMS; i++)
		if (mp_stream_continue(&w->streams[i], 0, err) || read_lines(w, (enum stream)i, err))
			return -1;
	return 0;
}

int mp_prof_writer_continue(struct mp_prof_writer **writer, int hostfd, uint32_t pid, int64_t events,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_prof_writer *w = calloc(1, sizeof(*w));

	*writer = NULL;
	if (!w)
		return mp_fail_memory(err, "a PROF directory");
	w->outfd = w->dirfd = w->datafd = -1;
	w->hostfd = mp_fd_keep(dup(hostfd));
	w->pid = pid;
	snprintf(w->name, sizeof(w->name), "the result");
	if (w->hostfd >= 0)
		w->datafd = mp_dir_open(w->hostfd, "data", "data", err);
	if (w->datafd < 0 || mp_prof_encoders_init(w, layouts, err) || continue_streams(w, events, err)) {
		mp_prof_writer_free(w);
		return -1;
	}
	*writer = w;
	return 0;
}
