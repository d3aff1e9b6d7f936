/* jobdir.c: directories, file names, markers and the texts of a job. */
#include "jobdir.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_SIZE = 512 };

static const char *const kinds[] = {
    [GEN_AICORE] = "aicore", [GEN_AICPU] = "aicpu", [GEN_API] = "acl_api", [GEN_HOST_API] = "msprof_api"};

void gen_name_clean(char *model)
{
	for (; *model; model++)
		if (*model == '.' || *model == '/' || *model == ' ')
			*model = '_';
}

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

/* The name that tells the whole identity. */
static int full_name(char *name, size_t size, const struct gen_job *job, enum gen_kind kind,
    const struct gen_identity *id, struct mp_error *err)
{
	char stream[16] = "", inference[48] = "";
	int len;

	if (kind == GEN_LAYER_INFO || kind == GEN_NET_INFO) {
		len = snprintf(
		    name, size, "%s.%d.%s.info", id->model, id->model_id, kind == GEN_NET_INFO ? "net" : "layer");
	} else {
		if (kind == GEN_AICORE || kind == GEN_AICPU) {
			if (!job->soc->shared)
				snprintf(stream, sizeof(stream), ".%d", id->stream_id);
			snprintf(
			    inference, sizeof(inference), ".%d.%d.%d", id->batch, id->input_pic_num, id->current_pic);
		}
		len = snprintf(name, size, "%s.%d.%s%s.%d%s", kinds[kind], id->device_id, id->model, stream,
		    id->model_id, inference);
	}
	return len < 0 || (size_t)len >= size ? mp_fail(err, "model name too long: '%s'", id->model) : 0;
}

int gen_file_open(struct gen_file *f, const struct gen_job *job, enum gen_kind kind, const struct gen_identity *id,
    struct mp_error *err)
{
	if (kind == GEN_AICORE && job->soc->shared)
		snprintf(f->name, sizeof(f->name), "aicore.%d.%d.%d", id->device_id, id->batch, id->input_pic_num);
	else if (full_name(f->name, sizeof(f->name), job, kind, id, err))
		return -1;
	return gen_out_create(&f->out, job->datafd, f->name, err);
}

/* A small file that is written at once. */
static int write_text(int dirfd, const char *name, const char *text, struct mp_error *err)
{
	int fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	size_t len = strlen(text);
	ssize_t got;

	if (fd < 0)
		return mp_fail_errno(err, "cannot create '%s'", name);
	got = write(fd, text, len);
	if (close(fd) || got < 0)
		return mp_fail_errno(err, "cannot write '%s'", name);
	return (size_t)got == len ? 0 : mp_fail(err, "cannot write the whole of '%s'", name);
}

int gen_file_close(struct gen_file *f, const struct gen_job *job, struct mp_error *err)
{
	char marker[GEN_NAME_SIZE + 16];

	if (gen_out_close(&f->out, f->name, err))
		return -1;
	snprintf(marker, sizeof(marker), "%s.complete", f->name);
	return job->complete ? write_text(job->datafd, marker, "", err) : 0;
}

int gen_marker_write(const struct gen_job *job, enum gen_kind kind, const struct gen_identity *id,
    const struct gen_marker *m, struct mp_error *err)
{
	char name[GEN_NAME_SIZE], text[TEXT_SIZE];
	int len;

	if (!job->done)
		return 0;
	if (full_name(name, sizeof(name) - strlen(".done"), job, kind, id, err))
		return -1;
	strcat(name, ".done");
	if (kind == GEN_HOST_API) {
		snprintf(text, sizeof(text), "filesize:%llu\n", (unsigned long long)m->bytes);
		return write_text(job->datafd, name, text, err);
	}
	len = snprintf(text, sizeof(text), "file_len:%llu\nstart_time:%llu\nend_time:%llu\n",
	    (unsigned long long)m->bytes, (unsigned long long)m->begin_us, (unsigned long long)m->end_us);
	if (kind == GEN_HOST_API) /* the recorder tells the size alone */
		snprintf(text, sizeof(text), "filesize:%llu\n", (unsigned long long)m->bytes);
	else if (kind == GEN_AICORE)
		snprintf(text + len, sizeof(text) - (size_t)len, "cache_hit:%llu\ncache_mis:%llu\n",
		    (unsigned long long)m->cache_hit, (unsigned long long)m->cache_mis);
	else if (kind != GEN_AICPU)
		snprintf(text + len, sizeof(text) - (size_t)len, "pid:%lu\ntid:%lu\n", (unsigned long)m->pid,
		    (unsigned long)m->tid);
	return write_text(job->datafd, name, text, err);
}

int gen_info_write(const struct gen_job *job, int device_id, int frequency_mhz, struct mp_error *err)
{
	char name[32], text[TEXT_SIZE];

	snprintf(name, sizeof(name), "info.json.%d", device_id);
	if (frequency_mhz)
		snprintf(text, sizeof(text), "{\"DeviceInfo\": [{\"aic_frequency\": \"%d\"}%s]}", frequency_mhz,
		    job->soc->info);
	else
		snprintf(text, sizeof(text), "{\"DeviceInfo\": []}");
	return write_text(job->dirfd, name, text, err);
}

int gen_recorder_write(
    const struct gen_job *job, int device_id, uint32_t pid, uint64_t realtime_ns, struct mp_error *err)
{
	const unsigned long long up_ns = 125000000000; /* the machine has been up for two minutes */
	char name[32], text[TEXT_SIZE];

	snprintf(name, sizeof(name), "recorder.json.%d", device_id);
	snprintf(text, sizeof(text),
	    "{\"device\": %d, \"collector\": \"host\", \"soc\": \"%s\", \"pid\": %lu, \"clock_realtime_ns\": %llu, "
	    "\"clock_monotonic_ns\": %llu, \"lost\": 0, \"aged\": 0}\n",
	    device_id, job->soc->name, (unsigned long)pid, (unsigned long long)realtime_ns, up_ns);
	return write_text(job->datafd, name, text, err);
}
