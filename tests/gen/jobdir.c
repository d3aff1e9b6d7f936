/*
 * jobdir.c: directories, file names, markers and the JSON files of a job. Knows the names of files; the layouts define
 * the records.
 */
#include "jobdir.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_SIZE = 1024 * 1024 };

int gen_job_create(struct gen_job *job, const char *path, struct mp_error *err)
{
	job->dirfd = job->datafd = -1;
	if (mkdir(path, 0750))
		return mp_fail_errno(err, "cannot make '%s'", path);
	job->dirfd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (job->dirfd < 0)
		return mp_fail_errno(err, "cannot open '%s'", path);
	if (mkdirat(job->dirfd, "data", 0750))
		return mp_fail_errno(err, "cannot make '%s/data'", path);
	job->datafd = openat(job->dirfd, "data", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (job->datafd < 0)
		return mp_fail_errno(err, "cannot open '%s/data'", path);
	return 0;
}

void gen_job_close(struct gen_job *job)
{
	if (job->datafd >= 0)
		close(job->datafd);
	if (job->dirfd >= 0)
		close(job->dirfd);
}

static int create(FILE **stream, int dirfd, const char *name, struct mp_error *err)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);

	*stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (!*stream) {
		mp_fail_errno(err, "cannot create '%s'", name);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return 0;
}

static int finish(FILE *stream, const char *name, struct mp_error *err)
{
	bool failed = ferror(stream) != 0;

	/* Not "||", because the stream must be closed in any case. */
	if (fclose(stream) || failed)
		return mp_fail_errno(err, "cannot write '%s'", name);
	return 0;
}

static int open_data(struct gen_file *f, struct gen_job *job, struct mp_error *err)
{
	f->job = job;
	if (create(&f->stream, job->datafd, f->name, err))
		return -1;
	setvbuf(f->stream, NULL, _IOFBF, BUFFER_SIZE);
	return 0;
}

int gen_raw_open(
    struct gen_file *f, struct gen_job *job, enum gen_kind kind, const struct gen_identity *id, struct mp_error *err)
{
	static const char *const prefixes[][2] = {{"aicore", "AAcore"}, {"aicpu", "aacpu"}, {"acl_api", "AclModule"}};
	const char *prefix = prefixes[kind][job->guide_names];
	size_t size = sizeof(f->name);
	int len = snprintf(f->done_name, size, "%s.%d.%s.%d", prefix, id->device_id, id->model, id->model_id);

	if (kind != GEN_API && len > 0 && (size_t)len < size)
		len += snprintf(
		    f->done_name + len, size - (size_t)len, ".%d.%d.%d", id->batch, id->input_pic_num, id->current_pic);
	if (len < 0 || (size_t)len >= size)
		return mp_fail(err, "model name too long: '%s'", id->model);
	memcpy(f->name, f->done_name, size);
	if (kind == GEN_AICORE && job->short_names)
		snprintf(f->name, size, "%s.%d.1.1", prefix, id->device_id);
	return open_data(f, job, err);
}

int gen_info_open(
    struct gen_file *f, struct gen_job *job, const char *what, const struct gen_identity *id, struct mp_error *err)
{
	int len = snprintf(f->name, sizeof(f->name), "%s.%d.%s.info", id->model, id->model_id, what);

	f->done_name[0] = '\0';
	if (len < 0 || (size_t)len >= sizeof(f->name))
		return mp_fail(err, "model name too long: '%s'", id->model);
	return open_data(f, job, err);
}

/* The board writes the size into .done; the parser's marker is empty. */
static int write_marker(struct gen_job *job, const char *name, const char *suffix, long long size, struct mp_error *err)
{
	char marker[GEN_NAME_SIZE + 16];
	FILE *stream;

	snprintf(marker, sizeof(marker), "%s%s", name, suffix);
	if (create(&stream, job->datafd, marker, err))
		return -1;
	if (size >= 0)
		fprintf(stream, "filesize:%lld\n", size);
	return finish(stream, marker, err);
}

int gen_file_close(struct gen_file *f, struct mp_error *err)
{
	off_t size = ftello(f->stream);
	struct gen_job *job = f->job;

	if (finish(f->stream, f->name, err))
		return -1;
	if (job->done && f->done_name[0] && write_marker(job, f->done_name, ".done", (long long)size, err))
		return -1;
	return job->complete ? write_marker(job, f->name, ".complete", -1, err) : 0;
}

/* A JSON string. Bytes from 0x80 are UTF-8 already. */
static void put_string(FILE *stream, const char *s)
{
	putc('"', stream);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			putc('\\', stream);
		if ((unsigned char)*s < 0x20)
			fprintf(stream, "\\u%04x", (unsigned)*s);
		else
			putc(*s, stream);
	}
	putc('"', stream);
}

int gen_write_net(struct gen_job *job, const struct gen_identity *id, struct mp_error *err)
{
	struct gen_file f;

	if (gen_info_open(&f, job, "net", id, err))
		return -1;
	fputs("{\"model\":", f.stream);
	put_string(f.stream, id->model);
	fprintf(f.stream, ",\"model_id\":%d,\"batch\":%d,\"input_pic_num\":%d}\n", id->model_id, id->batch,
	    id->input_pic_num);
	return gen_file_close(&f, err);
}

int gen_write_device(struct gen_job *job, int device_id, int frequency_mhz, int64_t monotonic_ns, const char *collector,
    struct mp_error *err)
{
	const long long realtime_ns = 1700000000000000000; /* any value that a double represents exactly */
	char name[32];
	FILE *stream;

	snprintf(name, sizeof(name), "info.json.%d", device_id);
	if (create(&stream, job->dirfd, name, err))
		return -1;
	fprintf(stream, "{\"version\":1,\"device\":%d,\"frequency\":%d", device_id, frequency_mhz);
	fprintf(
	    stream, ",\"clock_realtime_ns\":%lld,\"clock_monotonic_ns\":%lld", realtime_ns, (long long)monotonic_ns);
	if (collector) {
		fputs(",\"collector\":", stream);
		put_string(stream, collector);
	}
	fputs("}\n", stream);
	return finish(stream, name, err);
}

void gen_task_begin(FILE *stream, uint32_t task_id, uint32_t stream_id)
{
	fprintf(stream, "{\"task\":%lu,\"stream\":%lu,\"layers\":[", (unsigned long)task_id, (unsigned long)stream_id);
}

void gen_task_layer(
    FILE *stream, bool first, const char *id, const char *name, const char *type, const char *const *ori, int ori_count)
{
	fprintf(stream, "%s{\"id\":%s", first ? "" : ",", id);
	if (*name) {
		fputs(",\"name\":", stream);
		put_string(stream, name);
	}
	if (*type) {
		fputs(",\"type\":", stream);
		put_string(stream, type);
	}
	fputs(",\"ori\":[", stream);
	for (int i = 0; i < ori_count; i++) {
		if (i)
			putc(',', stream);
		put_string(stream, ori[i]);
	}
	fputs("]}", stream);
}

void gen_task_end(FILE *stream)
{
	fputs("]}\n", stream);
}
