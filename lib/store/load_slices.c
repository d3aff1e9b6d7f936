/* load_slices.c: the slices of a stream follow each other: where the records of one go on in the next. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "store/load.h"

/* The slice of the same stream with that number: its name differs in its last digits only. */
static const struct mp_job_file *find_slice(const struct mp_load *load, const struct mp_job_file *f, int64_t number)
{
	const struct mp_job *job = load->job;
	size_t len = strlen(f->name);
	char name[512];

	while (len && f->name[len - 1] >= '0' && f->name[len - 1] <= '9')
		len--;
	if (f->identity.slice < 0 || number < 0 ||
	    snprintf(name, sizeof(name), "%.*s%lld", (int)len, f->name, (long long)number) >= (int)sizeof(name))
		return NULL;
	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].part == f->part && job->files[i].state == MP_FILE_RAW && strcmp(job->files[i].name, name) == 0)
			return &job->files[i];
	return NULL;
}

/* Slices before this one were aged away, and nothing in the bytes tells where a record begins: the total size does. */
static int64_t aged_head(const struct mp_load *load, const struct mp_job_file *f)
{
	int64_t total = 0;

	if (f->layout->kind != MP_RECORD_BINARY || f->layout->match_count || f->identity.slice <= 0 ||
	    find_slice(load, f, f->identity.slice - 1))
		return 0;
	for (const struct mp_job_file *at = f; at; at = find_slice(load, at, at->identity.slice + 1))
		total += at->size;
	return total % (int64_t)f->layout->size;
}

/* Whether the end of the file may cut a record. */
static bool may_cut(const struct mp_job_file *f, int64_t head)
{
	if (f->layout->kind == MP_RECORD_BINARY)
		return (f->size - head) % (int64_t)f->layout->size != 0;
	return f->layout->kind == MP_RECORD_TEXT;
}

int mp_load_join(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err)
{
	int64_t head = load->heads[file - load->job->files];
	const struct mp_job_file *next;

	load->joint = (struct mp_joint){.head = head, .next_fd = -1};
	if (!head) {
		load->joint.head = aged_head(load, file);
		load->joint.head_lost = true;
	}
	if (!may_cut(file, load->joint.head))
		return 0;
	next = find_slice(load, file, file->identity.slice + 1);
	if (!next || next < file)
		return 0;
	load->joint.next_fd = mp_job_open_file(load->job, next);
	if (load->joint.next_fd < 0 && mp_is_machine_failure(errno))
		return mp_fail_errno(err, "cannot open '%s/%s'", load->job->path, next->name);
	return 0;
}

void mp_load_part(struct mp_load *load, const struct mp_job_file *file)
{
	const struct mp_job_file *next;

	if (load->joint.next_fd < 0)
		return;
	close(load->joint.next_fd); /* read only: nothing to lose */
	load->joint.next_fd = -1;
	next = find_slice(load, file, file->identity.slice + 1);
	if (next)
		load->heads[next - load->job->files] = load->joint.next_head;
}
