/* samples.c: files of samples beside the results of a program. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"

enum { NAME_SIZE = 40 };

struct samples {
	int dirfd;
	struct mp_host_samples *source;
	FILE *files[MP_SAMPLE_KINDS]; /* NULL: not requested */
};

static const char *name_of(int kind, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%s.slice_0", mp_sample_names[kind]);
	return name;
}

static int close_files(struct samples *s, struct mp_error *err)
{
	char name[NAME_SIZE];
	int status = 0;

	for (int i = 0; i < MP_SAMPLE_KINDS; i++) {
		bool bad;

		if (!s->files[i])
			continue;
		bad = ferror(s->files[i]);
		if (fclose(s->files[i]))
			bad = true;
		s->files[i] = NULL;
		if (bad && !status)
			status = mp_fail_errno(err, "cannot write '%s'", name_of(i, name));
	}
	return status;
}

static FILE *create(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static void put(void *state, enum mp_host_sample kind, const char *line, size_t len)
{
	struct samples *s = state;

	fwrite(line, 1, len, s->files[kind]); /* an error is found after the sample */
}

static void discard(struct samples *s)
{
	close_files(s, &(struct mp_error){0});
	mp_samples_free(s->source);
	free(s);
}

int samples_open(struct samples **samples, int dirfd, struct mp_samples_request *request, struct mp_error *err)
{
	struct samples *s;
	char name[NAME_SIZE];

	*samples = NULL;
	if (!request->hz[MP_SAMPLE_CPU] && !request->hz[MP_SAMPLE_MEMORY] && !request->hz[MP_SAMPLE_PROCESS])
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return mp_fail_memory(err, "samples");
	s->dirfd = dirfd;
	request->put = put;
	request->state = s;
	s->source = mp_samples_new(request);
	if (!s->source) {
		discard(s);
		return mp_fail_memory(err, "samples");
	}
	for (int i = 0; i < MP_SAMPLE_KINDS; i++) {
		if (!request->hz[i])
			continue;
		s->files[i] = create(dirfd, name_of(i, name));
		if (!s->files[i]) {
			mp_fail_errno(err, "cannot create '%s'", name);
			discard(s);
			return -1;
		}
	}
	*samples = s;
	return 0;
}

int samples_take(struct samples *s, int64_t *wait_ns, struct mp_error *err)
{
	*wait_ns = s->source ? mp_samples_take(s->source) : INT64_MAX;
	for (int i = 0; i < MP_SAMPLE_KINDS; i++)
		if (s->files[i] && ferror(s->files[i])) {
			mp_samples_free(s->source);
			s->source = NULL;
			return close_files(s, err);
		}
	return 0;
}

/* Write the marker "filesize:N" of a complete file. */
static int mark(int dirfd, const char *name, struct mp_error *err)
{
	char marker[64];
	struct stat st;
	FILE *file;
	bool bad;

	if (mp_dir_look(dirfd, name, &st))
		return errno == ENOENT ? 0 : mp_fail_errno(err, "cannot inspect '%s'", name);
	snprintf(marker, sizeof(marker), "%s.done", name);
	file = create(dirfd, marker);
	bad = !file || fprintf(file, "filesize:%lld\n", (long long)st.st_size) < 0;
	if (file && fclose(file))
		bad = true;
	return bad ? mp_fail_errno(err, "cannot write '%s'", marker) : 0;
}

int samples_close(struct samples *s, struct mp_error *err)
{
	char name[NAME_SIZE];
	int status;

	if (!s)
		return 0;
	status = close_files(s, err);
	for (int i = 0; !status && i < MP_SAMPLE_KINDS; i++)
		status = mark(s->dirfd, name_of(i, name), err);
	discard(s);
	return status;
}

/* Move the files that exist to another directory; to -1: remove them. */
static int move_files(int from, int to)
{
	char name[NAME_SIZE], marker[NAME_SIZE + 8];
	const char *const both[] = {name, marker};

	for (int i = 0; i < 2 * MP_SAMPLE_KINDS; i++) {
		snprintf(marker, sizeof(marker), "%s.done", name_of(i / 2, name));
		if ((to < 0 ? unlinkat(from, both[i % 2], 0) : renameat(from, both[i % 2], to, both[i % 2])) &&
		    errno != ENOENT)
			return -1;
	}
	return 0;
}

int samples_move(int from, int to, struct mp_error *err)
{
	return move_files(from, to) ? mp_fail_errno(err, "cannot move the samples") : 0;
}

void samples_remove(int dirfd)
{
	move_files(dirfd, -1); /* a remaining file keeps its directory from being removed, which is reported */
}
