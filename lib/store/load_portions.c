/* load_portions.c: what .done markers say of raw files: the portions of a file, their starts, and further facts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/load.h"

enum { KEY_MAX = 63, KEYS_MAX = 16, DIGITS_MAX = 18 };

/* Returns whether several inferences share a file. */
static bool is_shared(const struct mp_job_file *f)
{
	for (size_t i = 0; i < f->marker_count; i++)
		if (f->markers[i].identity.model[0] && !f->identity.model[0])
			return true;
	return false;
}

/* The bytes that the markers of a file tell, at most INT64_MAX; -1 when one of them tells nothing. */
static int64_t bytes_told(const struct mp_job_file *f)
{
	int64_t all = 0;

	for (size_t i = 0; i < f->marker_count; i++) {
		if (f->markers[i].bytes < 0)
			return -1;
		if (__builtin_add_overflow(all, f->markers[i].bytes, &all))
			all = INT64_MAX;
	}
	return f->marker_count ? all : -1;
}

/* Portions lie one behind the other; what no marker describes is a portion of its own. */
static size_t fill(struct mp_portion *portions, const struct mp_job *job, const struct mp_job_file *f)
{
	int64_t told = bytes_told(f), at = 0;
	bool shared = is_shared(f);
	size_t count = 0;

	if (!shared && told >= 0 && told < f->size) /* a later inference wrote the marker again */
		portions[count++] = (struct mp_portion){
		    .end = at = f->size - told, .start_ns = job->earliest_ns, .identity = f->identity};
	for (size_t i = 0; i < f->marker_count; i++) {
		const struct mp_marker *m = &f->markers[i];

		at = m->bytes >= 0 && m->bytes < f->size - at ? at + m->bytes : f->size;
		portions[count++] = (struct mp_portion){
		    .end = at, .start_ns = m->start_ns >= 0 ? m->start_ns : job->earliest_ns, .identity = m->identity};
	}
	if (at < f->size)
		portions[count++] =
		    (struct mp_portion){.end = f->size, .start_ns = job->earliest_ns, .identity = f->identity};
	return count;
}

int mp_load_divide(struct mp_load *load, struct mp_slice *slice, struct mp_error *err)
{
	const struct mp_job_file *f = slice->file;

	if (!slice->layout->done_bytes[0] && !slice->layout->agrees_count)
		return 0;
	slice->portions = calloc(f->marker_count + 2, sizeof(*slice->portions));
	if (!slice->portions)
		return mp_fail_memory(err, "the portions of a file");
	slice->portion_count = fill(slice->portions, load->job, f);
	if (!slice->portion_count)
		slice->portions[slice->portion_count++] = (struct mp_portion){.identity = f->identity};
	mp_reader_divide(slice->reader, slice->portions, slice->portion_count);
	return 0;
}

static int put(struct mp_query *q, const char *key, const char *value, struct mp_error *err)
{
	size_t digits = strspn(value, "0123456789");
	bool is_number = digits && !value[digits] && digits <= DIGITS_MAX;

	return mp_query_put(
	    q, MP_VALUES(mp_string(key), is_number ? mp_int(strtoll(value, NULL, 10)) : mp_string(value)), err);
}

/* The lines KEY:VALUE of a marker become rows of the last source. */
static int put_marker(struct mp_load *load, const struct mp_marker *m, struct mp_error *err)
{
	char key[KEY_MAX + 1], value[MP_MARKER_SIZE + 1];
	int count = 0;

	for (const char *at = m->text; at && *at && count < KEYS_MAX; count++) {
		size_t len = strcspn(at, "\n"), head = strcspn(at, ":\n");

		if (head < len && head && head <= KEY_MAX) {
			memcpy(key, at, head);
			key[head] = '\0';
			memcpy(value, at + head + 1, len - head - 1);
			value[len - head - 1] = '\0';
			if (mp_utf8_valid(at, len) && put(load->insert_marker, key, value, err))
				return -1;
		}
		at += len + (at[len] == '\n');
	}
	return 0;
}

/* The marker that describes a portion, or NULL. */
static const struct mp_marker *marker_of(const struct mp_slice *s, size_t portion)
{
	size_t before =
	    !is_shared(s->file) && s->portion_count > s->file->marker_count; /* bytes in front of the marker's */

	return portion >= before && portion - before < s->file->marker_count ? &s->file->markers[portion - before]
									     : NULL;
}

int mp_load_portions(struct mp_load *load, const struct mp_slice *slice, int64_t first_row, struct mp_error *err)
{
	const struct mp_tally *t = mp_reader_tally(slice->reader);

	if (!slice->portions)
		return mp_load_source(load, slice->file, slice->layout, t, NULL, first_row, err);
	for (size_t i = 0; i < slice->portion_count; i++) {
		const struct mp_marker *m = marker_of(slice, i);

		if (mp_load_source(load, slice->file, slice->layout, t, &slice->portions[i], first_row, err) ||
		    (m && put_marker(load, m, err)))
			return -1;
		first_row += slice->portions[i].records;
	}
	return 0;
}

/* Records without a start count from the earliest moment that is known. */
static int note_starts(struct mp_load *load, const char *file, const struct mp_job_file *f, struct mp_error *err)
{
	int64_t described = bytes_told(f);
	size_t unknown = f->marker_count ? described >= 0 && described < f->size : f->size > 0;
	char text[160];

	if (f->layout->kind != MP_RECORD_BINARY || !mp_layout_begin(f->layout))
		return 0;
	for (size_t i = 0; i < f->marker_count; i++)
		unknown += f->markers[i].start_ns < 0;
	if (!unknown)
		return 0;
	snprintf(text, sizeof(text), "%zu %s no .done marker that tells %s start: %s times count from %s", unknown,
	    unknown == 1 ? "inference has" : "inferences have", unknown == 1 ? "its" : "their",
	    unknown == 1 ? "its" : "their",
	    load->job->earliest_ns ? "the earliest start that another marker tells" : "0");
	return mp_load_note(load, "assumed", file, text, err);
}

int mp_load_markers(struct mp_load *load, const struct mp_job_file *f, struct mp_error *err)
{
	int64_t told = bytes_told(f);
	size_t odd = 0;
	char file[512], text[160];

	mp_job_file_path(load->job, f, file);
	if (note_starts(load, file, f, err))
		return -1;
	/* a slice of a stream may end within a record */
	for (size_t i = 0; f->layout->kind == MP_RECORD_BINARY && f->identity.slice < 0 && i < f->marker_count; i++)
		odd += f->markers[i].bytes > 0 && f->markers[i].bytes % (int64_t)f->layout->size != 0;
	snprintf(text, sizeof(text), "%zu of its .done markers tell bytes that are no whole records", odd);
	if (odd && mp_load_note(load, "odd", file, text, err))
		return -1;
	if (told < 0 || told == f->size)
		return 0;
	snprintf(text, sizeof(text), "%s %lld bytes, the file has %lld",
	    f->marker_count > 1 ? "its .done markers say" : "its .done marker says", (long long)told,
	    (long long)f->size);
	return mp_load_note(load, f->size < told ? "missing" : "odd", file, text, err);
}
