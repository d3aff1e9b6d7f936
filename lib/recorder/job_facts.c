/* job_facts.c: the control files of a JOB. What info.json.N tells of a soc is in the layouts. */
#include "recorder/job_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_parse.h"
#include "base/out.h"
#include "recorder/data_file.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

enum { WIDTH = 20, FACTS_MAX = 64 * 1024 };
#define NUMBERS "%-*llu, \"aged\": %-*llu"

void mp_job_info_name(int device, char name[MP_FACTS_NAME])
{
	snprintf(name, MP_FACTS_NAME, "info.json.%d", device);
}

void mp_job_recorder_name(int device, char name[MP_FACTS_NAME])
{
	snprintf(name, MP_FACTS_NAME, "recorder.json.%d", device);
}

static int write_info(int dirfd, int device, const struct mp_soc *soc, struct mp_error *err)
{
	char name[MP_FACTS_NAME];
	struct mp_out *out;

	mp_job_info_name(device, name);
	if (mp_out_create(&out, mp_fd_use(dirfd), name, name, err))
		return -1;
	mp_out_text(out, "{\"DeviceInfo\": [");
	for (int i = 0; i < soc->tell_count; i++) {
		char member[2 * MP_NAME_SIZE + 16];

		snprintf(
		    member, sizeof(member), "%s{\"%s\": \"%s\"}", i ? "," : "", soc->tells[i].key, soc->tells[i].value);
		mp_out_text(out, member);
	}
	mp_out_text(out, "]}");
	return mp_out_commit(out, err);
}

static int write_recorder(struct mp_job_facts *f, int datafd, int device, const struct mp_soc *soc,
    const struct mp_wall *wall, const char *members, struct mp_error *err)
{
	char name[MP_FACTS_NAME], text[512];
	struct mp_out *out;
	int at;

	mp_job_recorder_name(device, name);
	if (mp_out_create(&out, mp_fd_use(datafd), name, name, err))
		return -1;
	at = snprintf(text, sizeof(text),
	    "{\"device\": %d, \"collector\": \"host\", \"soc\": \"%s\", \"pid\": %d, \"process\": \"%016llx\", "
	    "\"clock_realtime_ns\": %llu, \"clock_monotonic_ns\": %llu, \"lost\": ",
	    device, soc->name, (int)getpid(), (unsigned long long)mp_process_identity(),
	    (unsigned long long)wall->realtime_ns, (unsigned long long)wall->monotonic_ns);
	f->lost_at = at;
	snprintf(text + at, sizeof(text) - (size_t)at, NUMBERS, WIDTH, 0ULL, WIDTH, 0ULL);
	mp_out_text(out, text);
	mp_out_text(out, members[0] ? ", " : "");
	mp_out_text(out, members);
	mp_out_text(out, "}\n");
	if (mp_out_commit(out, err))
		return -1;
	f->fd = mp_fd_hold(openat(mp_fd_use(datafd), name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
	return f->fd < 0 ? mp_fail_errno(err, "cannot open '%s'", name) : 0;
}

int mp_job_facts_write(struct mp_job_facts *facts, int dirfd, int datafd, int device, const struct mp_soc *soc,
    const struct mp_wall *wall, const char *members, struct mp_error *err)
{
	*facts = (struct mp_job_facts){.fd = -1};
	if (write_recorder(facts, datafd, device, soc, wall, members, err))
		return -1;
	return write_info(dirfd, device, soc, err);
}

void mp_job_facts_tell(struct mp_job_facts *f, uint64_t lost, uint64_t aged)
{
	char text[128];
	int len;

	if (f->fd < 0 || (lost == f->lost && aged == f->aged))
		return;
	len = snprintf(text, sizeof(text), NUMBERS, WIDTH, (unsigned long long)lost, WIDTH, (unsigned long long)aged);
	if (pwrite(mp_fd_use(f->fd), text, (size_t)len, f->lost_at) != len)
		return; /* try again at the next time */
	f->lost = lost;
	f->aged = aged;
}

void mp_job_facts_close(struct mp_job_facts *facts)
{
	mp_fd_drop(facts->fd); /* the numbers were told at once */
	facts->fd = -1;
}

void mp_job_facts_remove(int dirfd, int datafd, int device)
{
	char name[MP_FACTS_NAME];

	mp_job_info_name(device, name);
	unlinkat(mp_fd_use(dirfd), name, 0);
	mp_job_recorder_name(device, name);
	unlinkat(mp_fd_use(datafd), name, 0);
}

/* The whole file, NUL-terminated; the caller frees the text. */
static char *read_text(int datafd, const char *name, size_t *size, struct mp_error *err)
{
	struct stat st;
	int fd = mp_data_file_reopen(datafd, name, O_RDONLY, &st, err);
	char *text = NULL;
	ssize_t n;

	if (fd < 0)
		return NULL;
	if (st.st_size > FACTS_MAX) {
		mp_error_set(err, "'%s' is too large", name);
	} else if (!(text = malloc((size_t)st.st_size + 1))) {
		mp_error_set_memory(err, name);
	} else if ((n = pread(fd, text, (size_t)st.st_size, 0)) != (ssize_t)st.st_size) {
		mp_error_set_errno(err, "cannot read '%s'", name);
		free(text);
		text = NULL;
	} else {
		text[n] = '\0';
		*size = (size_t)n;
	}
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	return text;
}

/* A time of a clock, or 0. */
static uint64_t time_of(const cJSON *object, const char *key)
{
	int64_t ns;

	return mp_json_integer(mp_json_member(object, key), &ns) && ns > 0 ? (uint64_t)ns : 0;
}

int mp_job_facts_read(int datafd, int device, struct mp_wall *wall, char soc[MP_NAME_SIZE], struct mp_error *err)
{
	cJSON *object;
	char name[MP_FACTS_NAME], *text;
	const char *fault = NULL, *name_of_soc;
	size_t size = 0;

	mp_job_recorder_name(device, name);
	text = read_text(datafd, name, &size, err);
	if (!text)
		return -1;
	object = mp_json_parse(text, size, &fault);
	wall->realtime_ns = time_of(object, "clock_realtime_ns");
	wall->monotonic_ns = time_of(object, "clock_monotonic_ns");
	name_of_soc = cJSON_GetStringValue(mp_json_member(object, "soc"));
	snprintf(soc, MP_NAME_SIZE, "%.31s", name_of_soc ? name_of_soc : "");
	cJSON_Delete(object);
	free(text);
	if (wall->realtime_ns && wall->monotonic_ns)
		return 0;
	return mp_fail(err, "'%s' does not tell the clocks of the recording", name);
}
