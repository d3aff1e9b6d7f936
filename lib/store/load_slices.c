/*
 * load_slices.c: opens and closes slices. A record that the end of a slice cuts is completed from the next slices. Also
 * knows the files whose calls another file has, too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "store/load.h"

/* A name of a slice among the files of a job. */
struct slice_name {
	const struct mp_job *job;
	int part;
	const char *name;
};

static bool is_file(const struct mp_job_file *f, int part, const char *name)
{
	return f->part == part && f->state == MP_FILE_RAW && strcmp(f->name, name) == 0;
}

static bool has_name(const void *key, uint32_t item)
{
	const struct slice_name *k = key;

	return is_file(&k->job->files[item], k->part, k->name);
}

/* The place of a name in the index of slices, see mp_index_find. */
static uint32_t *find_name(struct mp_load *load, int part, const char *name)
{
	const struct slice_name key = {load->job, part, name};

	return mp_index_find(&load->slices, load->slices_count,
	    mp_hash_mix(mp_hash_bytes(name, strlen(name)), (uint64_t)part), has_name, &key);
}

int mp_load_index_slices(struct mp_load *load, struct mp_error *err)
{
	for (size_t i = 0; i < load->job->file_count; i++) {
		const struct mp_job_file *f = &load->job->files[i];
		uint32_t *place;

		if (f->identity.slice < 0 || f->state != MP_FILE_RAW)
			continue;
		place = find_name(load, f->part, f->name);
		if (!place)
			return mp_fail_memory(err, "the slices of a job");
		load->slices_count += !*place;
		*place = (uint32_t)i + 1;
	}
	return 0;
}

const struct mp_job_file *mp_load_find_slice(struct mp_load *load, const struct mp_job_file *f, int64_t number)
{
	const struct mp_job *job = load->job;
	size_t len = strlen(f->name);
	char name[512];
	const uint32_t *place;

	while (len && f->name[len - 1] >= '0' && f->name[len - 1] <= '9')
		len--;
	if (f->identity.slice < 0 || number < 0 ||
	    snprintf(name, sizeof(name), "%.*s%lld", (int)len, f->name, (long long)number) >= (int)sizeof(name))
		return NULL;
	/* slices are loaded in the order of their numbers, so the neighbour is nearly always right */
	for (const struct mp_job_file *near = f - (f > job->files);
	     near <= f + 1 && near < job->files + job->file_count; near++)
		if (is_file(near, f->part, name))
			return near;
	place = find_name(load, f->part, name);
	return place && *place ? &job->files[*place - 1] : NULL;
}

/* Returns the bytes of a cut record at the head when aging removed earlier slices: the rest of the total size. */
static int64_t aged_head(struct mp_load *load, const struct mp_job_file *f)
{
	int64_t total = 0;

	if (f->layout->kind != MP_RECORD_BINARY || f->layout->match_count || f->identity.slice <= 0 ||
	    mp_load_find_slice(load, f, f->identity.slice - 1))
		return 0;
	for (const struct mp_job_file *at = f; at; at = mp_load_find_slice(load, at, at->identity.slice + 1))
		total += at->size;
	return total % (int64_t)f->layout->size;
}

/* Returns whether the end of the file may cut a record. */
static bool may_cut(const struct mp_job_file *f, int64_t head)
{
	if (head >= f->size)
		return false;
	if (f->layout->kind == MP_RECORD_BINARY)
		return (f->size - head) % (int64_t)f->layout->size != 0;
	return f->layout->kind == MP_RECORD_TEXT;
}

static int join(struct mp_load *load, struct mp_slice *slice, struct mp_error *err)
{
	const struct mp_job_file *file = slice->file;
	int64_t head = load->heads[file - load->job->files];
	size_t most = slice->layout->kind == MP_RECORD_BINARY ? 2 * slice->layout->size : MP_JOINT_BYTES;

	slice->joint = (struct mp_joint){.head = head};
	if (!head) {
		slice->joint.head = aged_head(load, file);
		slice->joint.head_lost = true;
	}
	if (mp_load_ahead(
		load, file, may_cut(file, slice->joint.head) ? most : 0, &slice->next, &slice->joint.next_size, err))
		return -1;
	slice->joint.next = slice->next;
	return 0;
}

static int note_unreadable(struct mp_load *load, const struct mp_job_file *file, const char *why, struct mp_error *err)
{
	struct mp_job_file f = *file;
	char label[512];

	mp_job_file_path(load->job, &f, label);
	f.state = MP_FILE_UNREADABLE;
	f.remark = why;
	load->peer_bytes[file - load->job->files] = 0;
	return mp_load_note(load, "missing", label, why, err) || mp_load_source(load, &f, f.layout, NULL, NULL, -1, err)
		   ? -1
		   : 0;
}

int mp_slice_begin(struct mp_load *load, struct mp_slice *slice, const struct mp_job_file *file,
    const struct mp_layout *layout, struct mp_sequence *sequence, struct mp_error *err)
{
	struct mp_error why;

	*slice = (struct mp_slice){.file = file, .layout = layout, .is_peer = layout != file->layout};
	slice->fd = mp_job_open_file(load->job, file);
	if (slice->fd < 0 && (mp_is_machine_failure(errno) || slice->is_peer))
		return mp_fail_errno(err, "cannot open '%s/%s'", load->job->path, file->name);
	if (slice->fd < 0)
		return note_unreadable(load, file, strerror(errno), err);
	if (join(load, slice, err))
		return -1;
	if (mp_reader_open(&slice->reader, slice->fd, layout, mp_job_clock(load->job, file), sequence, &why))
		return mp_fail_because(err, &why, "'%s/%s': %s", load->job->path, file->name, why.text);
	if (slice->is_peer)
		mp_reader_be_peer(slice->reader);
	mp_reader_join(slice->reader, &slice->joint);
	return mp_load_divide(load, slice, err);
}

/* Check that all bytes are accounted for. A second reading for a peer layout was checked the first time. */
static int account(struct mp_load *load, const struct mp_slice *s, const struct mp_tally *t, struct mp_error *err)
{
	char file[512];

	mp_job_file_path(load->job, s->file, file);
	if (t->read_errno) { /* an earlier database is worth more than a part of the file */
		errno = t->read_errno;
		return mp_fail_errno(err, "cannot read '%s/%s'", load->job->path, file);
	}
	if (!s->is_peer && t->size != t->record_bytes + t->blank_bytes + t->damaged_bytes + t->peer_bytes)
		return mp_fail(err, "'%s': %lld bytes are not accounted for", file,
		    (long long)(t->size - t->record_bytes - t->blank_bytes - t->damaged_bytes - t->peer_bytes));
	return 0;
}

void mp_slice_progress(struct mp_load *load, struct mp_slice *s)
{
	const struct mp_tally *t = mp_reader_tally(s->reader);
	int64_t bytes = s->is_peer ? 0 : t->record_bytes + t->blank_bytes + t->damaged_bytes + t->peer_bytes;

	load->bytes_done += bytes - s->told;
	s->told = bytes;
	if (load->progress)
		load->progress(load->progress_user, load->bytes_done, load->bytes_total);
}

/* What the files have in common of which one has the calls of the others. */
struct same_calls {
	const struct mp_job *job;
	const char *layout;
	const struct mp_identity *id;
};

static bool has_the_calls(const void *key, uint32_t item)
{
	const struct same_calls *k = key;
	const struct mp_job_file *f = &k->job->files[item];

	return strcmp(f->layout->name, k->layout) == 0 && f->identity.device_id == k->id->device_id &&
	       f->identity.model_id == k->id->model_id && strcmp(f->identity.model, k->id->model) == 0;
}

/* The place of the file of a layout that has the calls of an identity, see mp_index_find. */
static uint32_t *find_calls(struct mp_load *load, const char *layout, const struct mp_identity *id)
{
	const struct same_calls key = {load->job, layout, id};
	uint64_t hash = mp_hash_mix(mp_hash_bytes(layout, strlen(layout)), mp_hash_bytes(id->model, strlen(id->model)));

	hash = mp_hash_mix(mp_hash_mix(hash, (uint64_t)id->device_id), (uint64_t)id->model_id);
	return mp_index_find(&load->calls, load->calls_count, hash, has_the_calls, &key);
}

/* Remember a file that was read whole, if others may have the same calls. */
static int keep_calls(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err)
{
	bool covers = false;
	uint32_t *place;

	for (size_t i = 0; i < load->layouts->count && !covers; i++)
		covers = strcmp(load->layouts->items[i]->covered_by, file->layout->name) == 0;
	if (!covers)
		return 0;
	place = find_calls(load, file->layout->name, &file->identity);
	if (!place)
		return mp_fail_memory(err, "the files of a job");
	load->calls_count += !*place;
	*place = (uint32_t)(file - load->job->files) + 1;
	return 0;
}

int mp_load_is_covered(struct mp_load *load, const struct mp_job_file *file, bool *covered, struct mp_error *err)
{
	const char *by = file->layout->covered_by;
	const uint32_t *place = by[0] ? find_calls(load, by, &file->identity) : NULL;

	*covered = place && *place;
	return by[0] && !place ? mp_fail_memory(err, "the files of a job") : 0;
}

int mp_slice_end(struct mp_load *load, struct mp_slice *s, int64_t first_row, struct mp_error *err)
{
	const struct mp_tally *t = mp_reader_tally(s->reader);
	size_t at = (size_t)(s->file - load->job->files);
	const struct mp_job_file *next = NULL;

	if (account(load, s, t, err))
		return -1;
	if ((!s->is_peer || t->records) && mp_load_account(load, s, first_row, err))
		return -1;
	if (!s->is_peer) {
		if (t->records && !t->damaged_bytes && keep_calls(load, s->file, err))
			return -1;
		load->peer_bytes[at] = t->peer_bytes;
		load->bytes_done += s->file->size - s->told;
	}
	for (int64_t left = s->joint.next_head; left > 0; left -= next->size) {
		next = mp_load_find_slice(load, next ? next : s->file, (next ? next : s->file)->identity.slice + 1);
		if (!next)
			break; /* it went away meanwhile */
		load->heads[next - load->job->files] = left < next->size ? left : next->size;
	}
	return 0;
}

void mp_slice_close(struct mp_slice *slice)
{
	mp_reader_close(slice->reader);
	slice->reader = NULL;
	free(slice->portions);
	slice->portions = NULL;
	if (slice->fd >= 0 && slice->file)
		close(slice->fd); /* read only: nothing to lose */
	free(slice->next);
	*slice = (struct mp_slice){.fd = -1};
}
