/* load_rows.c: what an import says of files: their rows in source, damage, sequence_gap and note. */
#include "store/load.h"

static int run_insert(struct mp_query *q, struct mp_error *err)
{
	int status = mp_query_next(q, err);

	mp_query_rewind(q);
	return status;
}

int mp_load_note(struct mp_load *load, const char *kind, const char *file, const char *text, struct mp_error *err)
{
	struct mp_query *q = load->insert_note;

	return mp_query_bind_text(q, "kind", kind, err) || mp_query_bind_text(q, "file", file, err) ||
		       mp_query_bind_text(q, "text", text, err) || run_insert(q, err)
		   ? -1
		   : 0;
}

int mp_load_damage(
    struct mp_load *load, const char *file, int64_t offset, int64_t bytes, const char *reason, struct mp_error *err)
{
	struct mp_query *q = load->insert_damage;

	return mp_query_bind_text(q, "file", file, err) || mp_query_bind_int(q, "offset", offset, err) ||
		       mp_query_bind_int(q, "bytes", bytes, err) || mp_query_bind_text(q, "reason", reason, err) ||
		       run_insert(q, err)
		   ? -1
		   : 0;
}

int mp_load_gap(struct mp_load *load, const char *file, const struct mp_gap *gap, struct mp_error *err)
{
	struct mp_query *q = load->insert_gap;

	return mp_query_bind_text(q, "file", file, err) || mp_query_bind_int(q, "offset", gap->offset, err) ||
		       mp_query_bind_int(q, "expected", (int64_t)gap->expected, err) ||
		       mp_query_bind_int(q, "found", (int64_t)gap->found, err) || run_insert(q, err)
		   ? -1
		   : 0;
}

static int bind_number(struct mp_query *q, const char *name, int64_t value, struct mp_error *err)
{
	return value < 0 ? mp_query_bind_text(q, name, NULL, err) : mp_query_bind_int(q, name, value, err);
}

int mp_load_source(struct mp_load *load, const struct mp_job_file *f, const struct mp_layout *l,
    const struct mp_tally *t, const struct mp_portion *portion, int64_t first_row, struct mp_error *err)
{
	static const char *const states[] = {"raw", "marker", "unknown", "unreadable"};
	struct mp_query *q = load->insert_source;
	char file[512];
	const struct mp_identity *id = portion ? &portion->identity : &f->identity;
	const struct mp_portion whole = {.records = t ? t->records : 0,
	    .record_bytes = t ? t->record_bytes : 0,
	    .blank_bytes = t ? t->blank_bytes : 0,
	    .damaged_bytes = t ? t->damaged_bytes : 0};
	const struct mp_portion *a = portion ? portion : &whole;
	bool none = !t || first_row < 0;

	mp_job_file_path(load->job, f, file);
	if (mp_query_bind_text(q, "file", file, err) ||
	    mp_query_bind_int(q, "size", t && t->size ? t->size : f->size, err) ||
	    mp_query_bind_int(q, "mtime_ns", f->mtime_ns, err) ||
	    mp_query_bind_text(q, "state", f->is_model ? "model" : states[f->state], err) ||
	    mp_query_bind_text(q, "layout", l ? l->name : NULL, err) ||
	    bind_number(q, "layout_version", l ? l->version : -1, err) ||
	    bind_number(q, "verified", l ? (int64_t)l->verified : -1, err) ||
	    mp_query_bind_text(q, "target", l ? l->table : NULL, err) ||
	    bind_number(q, "device_id", id->device_id, err) ||
	    mp_query_bind_text(q, "model", id->model[0] ? id->model : NULL, err) ||
	    bind_number(q, "stream_id", id->stream_id, err) || bind_number(q, "model_id", id->model_id, err) ||
	    bind_number(q, "batch", id->batch, err) || bind_number(q, "input_pic_num", id->input_pic_num, err) ||
	    bind_number(q, "current_pic", id->current_pic, err) || bind_number(q, "slice", id->slice, err) ||
	    mp_query_bind_int(q, "records", a->records, err) ||
	    mp_query_bind_int(q, "record_bytes", a->record_bytes, err) ||
	    mp_query_bind_int(q, "blank_bytes", a->blank_bytes, err) ||
	    mp_query_bind_int(q, "damaged_bytes", a->damaged_bytes, err) ||
	    mp_query_bind_int(q, "gaps", t && a == &whole ? t->gap_count : 0, err) ||
	    mp_query_bind_int(q, "has_done", f->has_done, err) ||
	    bind_number(q, "first_row", none ? -1 : first_row, err) ||
	    bind_number(q, "last_row", none ? -1 : first_row + a->records - 1, err) ||
	    mp_query_bind_text(q, "remark", f->remark, err) || run_insert(q, err))
		return -1;
	return 0;
}
