/* load_rows.c: what an import says of files: their rows in source, damage, sequence_gap and note. */
#include "store/load.h"

int mp_load_note(struct mp_load *load, const char *kind, const char *file, const char *text, struct mp_error *err)
{
	return mp_query_put(load->insert_note, MP_VALUES(mp_string(kind), mp_string(file), mp_string(text)), err);
}

int mp_load_damage(
    struct mp_load *load, const char *file, int64_t offset, int64_t bytes, const char *reason, struct mp_error *err)
{
	return mp_query_put(
	    load->insert_damage, MP_VALUES(mp_string(file), mp_int(offset), mp_int(bytes), mp_string(reason)), err);
}

int mp_load_gap(struct mp_load *load, const char *file, const struct mp_gap *gap, struct mp_error *err)
{
	return mp_query_put(load->insert_gap,
	    MP_VALUES(
		mp_string(file), mp_int(gap->offset), mp_int((int64_t)gap->expected), mp_int((int64_t)gap->found)),
	    err);
}

/* A number, or NULL for -1. */
static struct mp_value number(int64_t value)
{
	return value < 0 ? mp_null() : mp_int(value);
}

int mp_load_source(struct mp_load *load, const struct mp_job_file *f, const struct mp_layout *l,
    const struct mp_tally *t, const struct mp_portion *portion, int64_t first_row, struct mp_error *err)
{
	static const char *const states[] = {"raw", "marker", "unknown", "unreadable"};
	char file[512];
	const struct mp_identity *id = portion ? &portion->identity : &f->identity;
	const struct mp_portion whole = {.records = t ? t->records : 0,
	    .record_bytes = t ? t->record_bytes : 0,
	    .blank_bytes = t ? t->blank_bytes : 0,
	    .damaged_bytes = t ? t->damaged_bytes : 0};
	const struct mp_portion *a = portion ? portion : &whole;
	bool none = !t || first_row < 0;

	mp_job_file_path(load->job, f, file);
	return mp_query_put(load->insert_source,
	    MP_VALUES(mp_string(file), mp_int(t && t->size ? t->size : f->size), mp_int(f->mtime_ns),
		mp_string(f->is_model ? "model" : states[f->state]), mp_string(l ? l->name : NULL),
		number(l ? l->version : -1), number(l ? (int64_t)l->verified : -1), mp_string(l ? l->table : NULL),
		number(id->device_id), mp_string(id->model[0] ? id->model : NULL), number(id->stream_id),
		number(id->model_id), number(id->batch), number(id->input_pic_num), number(id->current_pic),
		number(id->slice), mp_int(a->records), mp_int(a->record_bytes), mp_int(a->blank_bytes),
		mp_int(a->damaged_bytes), mp_int(t && a == &whole ? t->gap_count : 0), mp_int(f->has_done),
		number(none ? -1 : first_row), number(none ? -1 : first_row + a->records - 1), mp_string(f->remark)),
	    err);
}
