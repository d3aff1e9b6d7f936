/*
 * load_slices.c: opens and closes slices, and stores what the reader counted. A record that the end of a slice cuts is
 * completed from the next slice.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "store/load.h"

static bool is_file(const struct mp_job_file *f, int part, const char *name)
{
	return f->part == part && f->state == MP_FILE_RAW && strcmp(f->name, name) == 0;
}

/* Find the slice of the same stream with this number. The names differ only in the last digits. */
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
	/* slices are loaded in the order of their numbers, so the neighbour is nearly always right */
	for (const struct mp_job_file *near = f - (f > job->files);
	     near <= f + 1 && near < job->files + job->file_count; near++)
		if (is_file(near, f->part, name))
			return near;
	for (size_t i = 0; i < job->file_count; i++)
		if (is_file(&job->files[i], f->part, name))
			return &job->files[i];
	return NULL;
}

/* Returns the bytes of a cut record at the head when aging removed earlier slices: the rest of the total size. */
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

/* Returns whether the end of the file may cut a record. */
static bool may_cut(const struct mp_job_file *f, int64_t head)
{
	if (f->layout->kind == MP_RECORD_BINARY)
		return (f->size - head) % (int64_t)f->layout->size != 0;
	return f->layout->kind == MP_RECORD_TEXT;
}

static int join(struct mp_load *load, const struct mp_job_file *file, struct mp_joint *joint, struct mp_error *err)
{
	int64_t head = load->heads[file - load->job->files];
	const struct mp_job_file *next;

	*joint = (struct mp_joint){.head = head, .next_fd = -1};
	if (!head) {
		joint->head = aged_head(load, file);
		joint->head_lost = true;
	}
	if (!may_cut(file, joint->head))
		return 0;
	next = find_slice(load, file, file->identity.slice + 1);
	if (!next || next < file)
		return 0;
	joint->next_fd = mp_job_open_file(load->job, next);
	if (joint->next_fd < 0 && mp_is_machine_failure(errno))
		return mp_fail_errno(err, "cannot open '%s/%s'", load->job->path, next->name);
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

	*slice = (struct mp_slice){
	    .file = file, .layout = layout, .is_peer = layout != file->layout, .joint = {.next_fd = -1}};
	slice->fd = mp_job_open_file(load->job, file);
	if (slice->fd < 0 && (mp_is_machine_failure(errno) || slice->is_peer))
		return mp_fail_errno(err, "cannot open '%s/%s'", load->job->path, file->name);
	if (slice->fd < 0)
		return note_unreadable(load, file, strerror(errno), err);
	if (join(load, file, &slice->joint, err))
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

static int note_count(struct mp_load *load, const char *file, int64_t count, const char *what, struct mp_error *err)
{
	char text[160];

	if (!count)
		return 0;
	snprintf(text, sizeof(text), "%lld %s", (long long)count, what);
	return mp_load_note(load, "odd", file, text, err);
}

/* Store the damage, gaps and notes of a file that was read. */
static int put_tally(struct mp_load *load, const struct mp_job_file *f, const struct mp_layout *l,
    const struct mp_tally *t, bool is_peer, struct mp_error *err)
{
	char file[512];

	mp_job_file_path(load->job, f, file);
	if (mp_load_see_rules(load, f, l, t, err) ||
	    note_count(load, file, t->odd_padding, "records whose padding is not zero", err) ||
	    note_count(load, file, t->negative, "records end before they start", err) ||
	    note_count(load, file, t->out_of_range, "numbers too large; stored as the largest", err) ||
	    note_count(load, file, t->unmapped, "numbers that no map of the layout has", err) ||
	    note_count(load, file, t->disagree, "records differ from what the name or the .done marker says", err) ||
	    note_count(load, file, t->bad_text, "texts are not UTF-8; their bytes stand as \\xNN", err))
		return -1;
	for (int i = 0; i < t->damage_count; i++)
		if (mp_load_damage(load, file, t->damage[i].offset, t->damage[i].bytes, t->damage[i].reason, err))
			return -1;
	for (int64_t i = 0; i < t->gap_count && i < MP_DAMAGE_MAX; i++)
		if (mp_load_gap(load, file, &t->gaps[i], err))
			return -1;
	return is_peer ? 0 : mp_load_markers(load, f, err);
}

int mp_slice_end(struct mp_load *load, struct mp_slice *s, int64_t first_row, struct mp_error *err)
{
	const struct mp_tally *t = mp_reader_tally(s->reader);
	size_t at = (size_t)(s->file - load->job->files);
	const struct mp_job_file *next;

	if (account(load, s, t, err))
		return -1;
	if ((!s->is_peer || t->records) &&
	    (mp_load_portions(load, s, first_row, err) || put_tally(load, s->file, s->layout, t, s->is_peer, err)))
		return -1;
	load->whole[at] = t->records && !t->damaged_bytes;
	if (!s->is_peer) {
		load->peer_bytes[at] = t->peer_bytes;
		load->bytes_done += s->file->size - s->told;
	}
	next = s->joint.next_fd < 0 ? NULL : find_slice(load, s->file, s->file->identity.slice + 1);
	if (next)
		load->heads[next - load->job->files] = s->joint.next_head;
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
	if (slice->joint.next_fd >= 0 && slice->file)
		close(slice->joint.next_fd);
	*slice = (struct mp_slice){.fd = -1, .joint = {.next_fd = -1}};
}
