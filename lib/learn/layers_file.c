/* layers_file.c: reads the lines of layer.info and net.info. A file is JSON when most of its lines are objects. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_check.h"
#include "base/text.h"
#include "learn/layers_internal.h"
#include "learn/memory.h"

void mp_file_set_free(struct mp_file_set *set)
{
	for (size_t i = 0; i < set->line_count; i++)
		mp_json_tree_free(set->lines[i].object);
	for (int i = 0; i < set->file_count; i++)
		free(set->bytes[i]);
	free(set->lines);
	mp_arena_free(&set->texts);
	*set = (struct mp_file_set){.file_count = 0};
}

/* Read a file up to `most` bytes. Without a file nothing can be learned of its layout. */
static int read_bytes(
    struct mp_file_set *set, int index, const struct mp_job *job, size_t most, size_t *len, struct mp_error *err)
{
	const struct mp_job_file *file = set->files[index];
	size_t size = file->size < 0 ? 0 : (uint64_t)file->size < most ? (size_t)file->size : most;
	int fd = mp_job_open_file(job, file);
	ssize_t n = 1;

	*len = 0;
	if (fd < 0)
		return mp_fail_errno(err, "cannot read '%s'", file->name);
	set->bytes[index] = mp_learn_malloc(size + 1);
	while (set->bytes[index] && *len < size && n) {
		n = read(fd, set->bytes[index] + *len, size - *len);
		if (n < 0 && errno != EINTR)
			break;
		*len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		mp_fail_errno(err, "cannot read '%s'", file->name);
	close(fd); /* only read */
	if (!set->bytes[index])
		return mp_fail_memory(err, "a file");
	if (n < 0)
		return -1;
	set->bytes[index][*len] = '\0';
	return 0;
}

static size_t count_nodes(const struct mp_json_node *node)
{
	size_t count = 0;

	for (; node; node = node->next)
		count += 1 + (node->child ? count_nodes(node->child) : 0);
	return count;
}

static int add_line(struct mp_file_set *set, int file, const char *text, size_t len, struct mp_error *err)
{
	struct mp_set_line *line;
	const char *fault;

	if (set->line_count == set->line_room) {
		size_t room = set->line_room ? 2 * set->line_room : 256;
		struct mp_set_line *lines = mp_learn_realloc(set->lines, room * sizeof(*lines));

		if (!lines)
			return mp_fail_memory(err, "lines");
		set->lines = lines;
		set->line_room = room;
	}
	line = &set->lines[set->line_count++];
	*line = (struct mp_set_line){.text = text, .len = len, .file = file};
	if (!mp_utf8_valid(text, len) || !mp_json_is_object(text, len))
		return 0;
	line->object = mp_json_tree(text, len, &fault);
	if (!line->object && !fault)
		return mp_fail_memory(err, "lines");
	set->nodes += line->object ? count_nodes(line->object->child) + 1 : 0;
	return 0;
}

static bool is_blank(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (s[i] != ' ' && s[i] != '\t' && s[i] != '\r')
			return false;
	return true;
}

static int split_lines(struct mp_file_set *set, int file, size_t size, struct mp_error *err)
{
	char *at = set->bytes[file], *end = at + size;

	while (at < end && set->nodes < MP_SET_NODE_MAX && set->line_count < MP_SET_ROW_MAX) {
		char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
		size_t len = (size_t)(stop - at);

		*stop = '\0';
		if (len > MP_SET_LINE_MAX)
			snprintf(set->damage, sizeof(set->damage),
			    "a line of '%.150s' is longer than 64 KiB, which layouts do not read",
			    set->files[file]->name);
		else if (!is_blank(at, len) && add_line(set, file, at, len, err))
			return -1;
		if (newline)
			*newline = '\n';
		at = stop + 1;
	}
	return 0;
}

/* Returns whether a file is one JSON object over many lines: no layout reads these lines. */
static bool is_whole(struct mp_file_set *set, int file, size_t size)
{
	if (set->is_json || !set->bytes[file] || !mp_json_is_object(set->bytes[file], size))
		return false;
	if (!set->damage[0])
		snprintf(set->damage, sizeof(set->damage),
		    "'%.150s' is one JSON object over many lines, which layouts do not read", set->files[file]->name);
	return true;
}

/* Keep the lines of the kind that most lines have, and end texts where lines end. */
static void settle(struct mp_file_set *set, const size_t *sizes)
{
	size_t objects = 0, kept = 0;
	bool whole = false;

	for (size_t i = 0; i < set->line_count; i++)
		objects += set->lines[i].object != NULL;
	set->is_json = 2 * objects > set->line_count;
	for (int i = 0; i < set->file_count; i++)
		whole = is_whole(set, i, sizes[i]) || whole;
	for (size_t i = 0; i < set->line_count; i++) {
		struct mp_set_line line = set->lines[i];

		if (!whole && set->is_json == (line.object != NULL)) {
			set->bytes[line.file][line.text - set->bytes[line.file] + (ptrdiff_t)line.len] = '\0';
			set->lines[kept++] = line;
		} else {
			mp_json_tree_free(line.object);
		}
	}
	set->line_count = kept;
}

int mp_file_set_read_one(struct mp_file_set *set, const struct mp_job *job, const struct mp_job_file *file, size_t most,
    struct mp_error *err)
{
	size_t size;

	*set = (struct mp_file_set){.files = {file}, .file_count = 1};
	if (read_bytes(set, 0, job, most, &size, err) || split_lines(set, 0, size, err))
		return -1;
	settle(set, &size);
	return 0;
}

int mp_file_set_read(struct mp_file_set *set, const struct mp_job *job, const char *layout, struct mp_error *err)
{
	size_t left = MP_SET_BYTES_MAX, sizes[MP_SET_FILE_MAX] = {0};

	*set = (struct mp_file_set){.file_count = 0};
	for (size_t i = 0; i < job->file_count && set->file_count < MP_SET_FILE_MAX; i++) {
		const struct mp_job_file *f = &job->files[i];
		int n = set->file_count;

		if (f->state != MP_FILE_RAW || f->is_beside || strcmp(f->layout->name, layout) != 0)
			continue;
		set->files[n] = f;
		set->file_count++;
		if (read_bytes(set, n, job, left, &sizes[n], err) || split_lines(set, n, sizes[n], err))
			return -1;
		left -= sizes[n];
	}
	settle(set, sizes);
	return 0;
}
