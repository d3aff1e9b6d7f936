/*
 * record.c: the record of a running collection, a file beside the results. --resume needs it after a cut during the
 * run, when no JOB has a journal yet. The record contains no secrets:
 *
 *     msprof-collect 1
 *     host root@10.0.0.2:22
 *     guard 4711
 *     place /root/msprof/app
 *     program /root/msprof/app/out
 *     output /root/msprof/app/out/profiling
 *     mount /srv/profiling
 *     left 2
 *     listed 45826 /root/msprof/app
 *     earlier /root/msprof/app/JOBOLDER
 *     known 45826 131 1700000000 /root/msprof/app/out/profiling/JOBOLD
 *     end
 *
 * The line `mount` is present when the output is on a mount that ends with the collection, `left` when runs are still
 * to be made. `listed` are the places of the list of earlier JOBs; `known` is an earlier JOB with device, inode and
 * time, `earlier` one without. Texts are written like those of a journal (transfer.h).
 */
#include "board/collection/collect_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/out.h"

#define RECORD ".msprof.collect"

enum { LINE_SIZE = 3 * MP_REMOTE_PATH + 80 };

static void write_line(struct mp_out *out, const char *key, const char *text)
{
	mp_out_text(out, key);
	mp_out_char(out, ' ');
	mp_journal_escape(out, text);
	mp_out_char(out, '\n');
}

static void write_earlier(struct mp_out *out, const struct mp_remote_jobs *earlier)
{
	char key[80];

	for (size_t i = 0; i < earlier->place_count; i++) {
		snprintf(key, sizeof(key), "listed %llu", (unsigned long long)earlier->places[i].device);
		write_line(out, key, earlier->places[i].path);
	}
	for (size_t i = 0; i < earlier->count; i++) {
		const struct mp_remote_job *job = &earlier->items[i];

		snprintf(key, sizeof(key), "known %llu %llu %lld", (unsigned long long)job->device,
		    (unsigned long long)job->inode, (long long)job->mtime_s);
		write_line(out, job->inode ? key : "earlier", job->path);
	}
}

int mp_collect_record_write(struct mp_collect *c, struct mp_error *err)
{
	struct mp_out *out;

	if (mp_out_create(&out, c->options->outfd, RECORD, RECORD, err))
		return -1;
	mp_out_text(out, "msprof-collect 1\n");
	write_line(out, "host", mp_board_name(c->board));
	mp_out_text(out, "guard ");
	mp_out_int(out, c->guard_id);
	mp_out_char(out, '\n');
	write_line(out, "place", c->real);
	write_line(out, "program", c->run_dir);
	write_line(out, "output", c->job_dir);
	if (c->mount.ours)
		write_line(out, "mount", c->mount_path);
	if (c->runs_left) {
		mp_out_text(out, "left ");
		mp_out_int(out, c->runs_left);
		mp_out_char(out, '\n');
	}
	write_earlier(out, &c->earlier);
	mp_out_text(out, "end\n");
	return mp_out_commit(out, err);
}

void mp_collect_record_remove(struct mp_collect *c)
{
	unlinkat(c->options->outfd, RECORD, 0);
}

/* A number of at most so many digits. */
static int take_number(int64_t *number, const char *text, size_t most)
{
	size_t len = strlen(text);

	if (!len || len > most || strspn(text, "0123456789") != len)
		return -1;
	*number = strtoll(text, NULL, 10);
	return 0;
}

static int take_mount(struct mp_collect *c, const char *path)
{
	if (path[0] != '/' || c->mount_path)
		return -1;
	c->mount_path = strdup(path);
	return c->mount_path ? 0 : -1;
}

/* numbers: device, inode and time; all 0 when unknown */
static int take_earlier(struct mp_collect *c, const char *path, const int64_t *numbers)
{
	const struct mp_remote_job job = {
	    .device = (uint64_t)numbers[0], .inode = (uint64_t)numbers[1], .mtime_s = numbers[2]};
	struct mp_error ignored;

	return path && path[0] == '/' ? mp_remote_jobs_add(&c->earlier, &job, path, &ignored) : -1;
}

static int take_listed(struct mp_collect *c, const char *text)
{
	int64_t device;
	const char *path = mp_remote_numbers(text, &device, 1);
	struct mp_error ignored;

	return path && path[0] == '/' ? mp_remote_jobs_add_place(&c->earlier, path, (uint64_t)device, &ignored) : -1;
}

/* Take a line. Returns 1 for the last line, 0 for others, -1 for an invalid line. */
static int take_line(struct mp_collect *c, char *line, int number, bool *other_host)
{
	const struct {
		const char *key;
		char *to;
	} places[] = {{"place ", c->real}, {"program ", c->run_dir}, {"output ", c->job_dir}};
	int64_t n[3] = {0};

	if (number == 1)
		return strcmp(line, "msprof-collect 1") == 0 ? 0 : -1;
	if (strcmp(line, "end") == 0)
		return 1;
	if (mp_journal_unescape(line))
		return -1;
	if (strncmp(line, "host ", 5) == 0) {
		*other_host = strcmp(line + 5, mp_board_name(c->board)) != 0;
		return 0;
	}
	if (strncmp(line, "guard ", 6) == 0)
		return take_number(&c->guard_id, line + 6, 18);
	if (strncmp(line, "mount ", 6) == 0)
		return take_mount(c, line + 6);
	if (strncmp(line, "left ", 5) == 0) {
		if (take_number(n, line + 5, 6))
			return -1;
		c->runs_left = (int)n[0];
		return 0;
	}
	if (strncmp(line, "earlier ", 8) == 0)
		return take_earlier(c, line + 8, n);
	if (strncmp(line, "known ", 6) == 0)
		return take_earlier(c, mp_remote_numbers(line + 6, n, 3), n);
	if (strncmp(line, "listed ", 7) == 0)
		return take_listed(c, line + 7);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		size_t len = strlen(places[i].key);

		if (strncmp(line, places[i].key, len) != 0)
			continue;
		if (strlen(line + len) >= MP_REMOTE_PATH || (line[len] && line[len] != '/'))
			return -1;
		strcpy(places[i].to, line + len);
		return 0;
	}
	return -1;
}

static int parse(struct mp_collect *c, FILE *in, struct mp_error *err)
{
	bool other_host = false;
	char line[LINE_SIZE];
	int number = 0, state = 0;

	while (!state && fgets(line, sizeof(line), in)) {
		size_t len = strlen(line);

		number++;
		if (!len || line[len - 1] != '\n')
			break;
		line[len - 1] = '\0';
		state = take_line(c, line, number, &other_host);
	}
	if (state != 1 || !c->real[0] || !c->run_dir[0])
		return mp_fail(err, "'%s' line %d: not the record of a collection", RECORD, number);
	return other_host ? 1 : 0;
}

int mp_collect_record_read(struct mp_collect *c, struct mp_error *err)
{
	int fd = openat(c->options->outfd, RECORD, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), status;
	FILE *in;

	if (fd < 0)
		return errno == ENOENT ? 1 : mp_fail_errno(err, "cannot open '%s'", RECORD);
	in = fdopen(fd, "r");
	if (!in) {
		close(fd);
		return mp_fail_memory(err, "a record");
	}
	status = parse(c, in, err);
	fclose(in);
	return status;
}
