/* raw.c: reads the raw files of one layout into memory, as many bytes as a search needs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "learn/memory.h"
#include "learn/search.h"

enum { TEXT_LOOK = 64 * 1024 }; /* bytes of a file that tell whether it is text */

/* Read at most `size` bytes of a file: *have is how many. Without a file nothing can be learned of its layout. */
static int read_file(const struct mp_job *job, const struct mp_job_file *file, unsigned char *to, size_t size,
    size_t *have, struct mp_error *err)
{
	int fd = mp_job_open_file(job, file);
	ssize_t n = 1;

	*have = 0;
	while (fd >= 0 && *have < size && n) {
		n = pread(fd, to + *have, size - *have, (off_t)*have);
		if (n < 0 && errno != EINTR)
			break;
		*have += n > 0 ? (size_t)n : 0;
	}
	if (fd < 0 || n < 0)
		mp_fail_errno(err, "cannot read '%s'", file->name);
	if (fd >= 0)
		close(fd); /* only read */
	return fd < 0 || n < 0 ? -1 : 0;
}

static bool is_of(const struct mp_job_file *file, const char *layout)
{
	return file->state == MP_FILE_RAW && file->layout && strcmp(file->layout->name, layout) == 0 && file->size > 0;
}

int mp_raw_read(struct mp_raw *raw, const struct mp_job *job, const char *layout, struct mp_error *err)
{
	size_t files = 0, room = 0;

	memset(raw, 0, sizeof(*raw));
	for (size_t i = 0; i < job->file_count; i++)
		if (is_of(&job->files[i], layout)) {
			size_t left = MP_RAW_BYTES_MAX - room;

			files++;
			room += (uint64_t)job->files[i].size < left ? (size_t)job->files[i].size : left;
		}
	if (!files)
		return 0;
	raw->parts = mp_learn_calloc(files, sizeof(*raw->parts));
	raw->bytes = mp_learn_malloc(room + 8);
	if (!raw->parts || !raw->bytes) {
		mp_raw_free(raw);
		return mp_fail_memory(err, "raw files");
	}
	for (size_t i = 0; i < job->file_count && raw->size < room; i++) {
		const struct mp_job_file *file = &job->files[i];
		struct mp_raw_part *part = &raw->parts[raw->part_count];
		size_t left = room - raw->size;

		if (!is_of(file, layout))
			continue;
		part->file = file;
		part->core_mhz = mp_job_clock(job, file)->core_mhz;
		part->begin = raw->size;
		if (read_file(job, file, raw->bytes + raw->size,
			(uint64_t)file->size < left ? (size_t)file->size : left, &part->size, err)) {
			mp_raw_free(raw);
			return -1;
		}
		part->cut = (uint64_t)part->size < (uint64_t)file->size;
		raw->size += part->size;
		raw->part_count += part->size > 0;
	}
	return 0;
}

void mp_raw_free(struct mp_raw *raw)
{
	free(raw->bytes);
	free(raw->parts);
	memset(raw, 0, sizeof(*raw));
}

static bool is_text(const unsigned char *bytes, size_t size)
{
	bool has_line = false;

	for (size_t i = 0; i < size; i++) {
		if (bytes[i] < ' ' ? !memchr("\t\r\n", bytes[i], 3) : bytes[i] == 0x7f)
			return false;
		has_line |= bytes[i] == '\n';
	}
	return has_line;
}

bool mp_raw_is_text(const struct mp_raw *raw)
{
	for (size_t i = 0; i < raw->part_count; i++) {
		const struct mp_raw_part *part = &raw->parts[i];

		if (!is_text(raw->bytes + part->begin, part->size < TEXT_LOOK ? part->size : TEXT_LOOK))
			return false;
	}
	return raw->part_count > 0;
}
