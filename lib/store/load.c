/* load.c: opens a load, and loads raw files into their tables. What it says of files is written by load_rows.c. */
#include "store/load.h"
#include "store/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char insert_source[] =
    "INSERT INTO source(file, size, mtime_ns, state, layout, layout_version, verified, target, device_id, model,"
    " stream_id, model_id, batch, input_pic_num, current_pic, slice, records, record_bytes, blank_bytes, damaged_bytes,"
    " gaps, has_done, first_row, last_row, remark)"
    " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

static const char *const inserts[MP_LOAD_INSERTS] = {[MP_LOAD_SOURCE] = insert_source,
    [MP_LOAD_DAMAGE] = "INSERT INTO damage VALUES(?, ?, ?, ?)",
    [MP_LOAD_GAP] = "INSERT INTO sequence_gap VALUES(?, ?, ?, ?)",
    [MP_LOAD_NOTE] = "INSERT INTO note VALUES(?, ?, ?)",
    [MP_LOAD_MARKER] = "INSERT INTO marker_value SELECT max(id), ?, ? FROM source"};

/* Check that the table of a layout has all columns of the layout. `known` has a line TABLE.COLUMN for each column. */
static int check_layout(const struct mp_layout *l, const char *known, struct mp_error *err)
{
	char line[2 * MP_NAME_SIZE + 8];

	for (int i = 0; i < l->column_count; i++) {
		const char *name = l->columns[i].name;

		if (snprintf(line, sizeof(line), "\n%s.%s\n", l->table, name) >= (int)sizeof(line) ||
		    !strstr(known, line))
			return mp_fail(err, "%s: layout '%s': table of records '%s' with column '%s' not found",
			    l->origin, l->name, l->table, name);
	}
	return 0;
}

static int check_layouts(struct mp_load *load, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT group_concat(char(10) || r.name || '.' || i.name || char(10), '') FROM record_table r, pragma_table_info(r.name) i";
	struct mp_query *q;
	int status = mp_query_ask(&q, load->db, sql, NULL, 0, err) == 1 ? 0 : -1;

	for (size_t i = 0; !status && i < load->layouts->count; i++)
		if (load->layouts->items[i]->family == load->job->family)
			status = check_layout(load->layouts->items[i], mp_query_text(q, 0), err);
	mp_query_close(q);
	return status;
}

int mp_load_open(struct mp_load *load, struct mp_error *err)
{
	load->heads = calloc(load->job->file_count + 1, sizeof(*load->heads));
	load->peer_bytes = malloc((load->job->file_count + 1) * sizeof(*load->peer_bytes));
	load->ahead = calloc(load->job->file_count + 1, sizeof(struct mp_ahead *));
	if (!load->heads || !load->peer_bytes || !load->ahead)
		return mp_fail_memory(err, "the slices of a job");
	if (mp_load_index_slices(load, err))
		return -1;
	for (size_t i = 0; i < load->job->file_count; i++)
		load->peer_bytes[i] = -1;
	if (mp_db_make(load->db, load->job->family, MP_STEPS_TABLES, err) || check_layouts(load, err))
		return -1;
	for (int i = 0; i < MP_LOAD_INSERTS; i++)
		if (mp_query_open(&load->inserts[i], load->db, inserts[i], strlen(inserts[i]), err))
			return -1;
	return 0;
}

void mp_load_close(struct mp_load *load)
{
	/* what failed before is forgotten by the next statement */
	if ((sqlite3_errcode(load->db->handle) & 0xff) == SQLITE_FULL)
		load->db->full = true;
	for (int i = 0; i < MP_LOAD_INSERTS; i++)
		mp_query_close(load->inserts[i]);
	free(load->rules);
	free(load->orders);
	free(load->heads);
	free(load->peer_bytes);
	mp_load_ahead_free(load);
	mp_index_free(&load->slices);
	mp_index_free(&load->calls);
	mp_bulks_close(load->bulks);
}

/* Returns the state of a stream's record numbers. The slices of a stream are loaded one after the other. */
static struct mp_sequence *sequence_of(struct mp_load *load, const struct mp_job_file *f, const struct mp_layout *l)
{
	if (load->sequence_layout != l || load->sequence_device != f->identity.device_id) {
		load->sequence_layout = l;
		load->sequence_device = f->identity.device_id;
		load->sequence.known = false;
	}
	return &load->sequence;
}

/* Returns the rowid of the last row of a table. */
static int count_rows(
    struct mp_load *load, const char *table, const struct mp_sink *sink, int64_t *rows, struct mp_error *err)
{
	char sql[128];

	if (sink->bulk) {
		*rows = sink->bulk->rows;
		return 0;
	}
	snprintf(sql, sizeof(sql), "SELECT max(rowid) FROM \"%s\"", table);
	return mp_db_number(load->db, sql, 0, rows, err);
}

static int load_records(
    struct mp_load *load, const struct mp_job_file *f, const struct mp_layout *l, struct mp_error *err)
{
	struct mp_slice slice = {.fd = -1};
	struct mp_sink sink;
	int64_t first_row;
	int status;

	if (mp_load_open_sink(load, l, &sink, err))
		return -1;
	status = count_rows(load, l->table, &sink, &first_row, err);
	if (!status)
		status = mp_slice_begin(load, &slice, f, l, sequence_of(load, f, l), err);
	if (!status && slice.reader)
		status = mp_load_records(load, &slice, &sink, err) || mp_slice_end(load, &slice, first_row + 1, err);
	mp_slice_close(&slice);
	mp_sink_close(&sink);
	return status ? -1 : 0;
}

static int load_raw(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err)
{
	const int64_t *peer_bytes = &load->peer_bytes[file - load->job->files];
	const struct mp_layout *l = file->layout;

	do {
		bool joined = load->joiner && load->joiner->takes(load->joiner, l);

		if (joined ? load->joiner->accept(load->joiner, l, file->identity.device_id, err)
			   : (l == file->layout || *peer_bytes) && load_records(load, file, l, err))
			return -1;
		l = l->peer;
	} while (l != file->layout);
	return 0;
}

/* A file beside it has all of its calls: the file gets a row in `source` alone. */
static int pass_over(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err)
{
	const struct mp_portion all = {.identity = file->identity, .blank_bytes = file->size};
	struct mp_job_file f = *file;

	f.remark = "not loaded: a file beside it has the same calls";
	load->bytes_done += file->size;
	return mp_load_source(load, &f, f.layout, NULL, &all, -1, err);
}

int mp_load_file(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err)
{
	const struct mp_layout *l = file->layout;
	struct mp_error why;
	char label[512];
	bool covered;

	mp_job_file_path(load->job, file, label);
	if (file->doubtful && mp_load_note(load, "missing", label, file->remark, err))
		return -1;
	if (file->state != MP_FILE_RAW) {
		if (file->state == MP_FILE_UNREADABLE && l && mp_load_note(load, "missing", label, file->remark, err))
			return -1;
		return mp_load_source(load, file, l, NULL, NULL, -1, err);
	}
	if (mp_load_is_covered(load, file, &covered, err))
		return -1;
	if (covered)
		return pass_over(load, file, err);
	if (!load_raw(load, file, &why))
		return 0;
	if (why.kind == MP_ERROR_MEMORY) /* name the file that needs so much memory */
		return mp_fail_because(err, &why, "cannot import '%s/%s': %s", load->job->path, label, why.text);
	*err = why;
	return -1;
}
