/* framework.c: loads the files of a front end into temporary tables. Knows no record: layouts and scripts do. */
#include "import/framework.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/json.h"
#include "base/map.h"
#include "join/rules.h"
#include "raw/job_info.h"
#include "raw/reader.h"
#include "store/sink.h"

enum { SETTINGS_MAX = 1 << 20, LABEL_SIZE = 4096 };

static const char directory[] = "FRAMEWORK";

struct framework {
	struct mp_db *db;
	const struct mp_layouts *layouts;
	const char *label;
	bool seen[MP_LAYOUT_MAX];      /* layouts that have their file */
	struct mp_map *texts;          /* of the file that is read: their numbers */
	int64_t text_count;            /* of all files */
	struct mp_row_columns columns; /* of the table that is filled */
	struct mp_query *put_text;
};

static int tell_loss(struct framework *f, const char *name, const char *text, struct mp_error *err)
{
	return mp_db_put(
	    f->db, "INSERT INTO temp.framework_loss VALUES(?, ?)", MP_VALUES(mp_string(name), mp_string(text)), err);
}

/* Tell what of a file is no record. */
static int account(struct framework *f, const char *name, const struct mp_tally *t, struct mp_error *err)
{
	const int64_t lost = t->damaged_bytes + t->blank_bytes;
	char text[256];

	if (!lost)
		return 0;
	snprintf(text, sizeof(text), "%lld of %lld bytes are no records%s%s", (long long)lost, (long long)t->size,
	    t->damage_count ? ": " : "", t->damage_count ? t->damage[0].reason : ": items of another kind");
	return tell_loss(f, name, text, err);
}

/*
 * Put the number of a text in its place: equal texts of a column have one number, and numbers ascend by the first
 * appearance. The rows of temp.framework_text have the texts.
 */
static int number_text(
    struct framework *f, const struct mp_layout *l, int column, struct mp_value *v, struct mp_error *err)
{
	const int64_t parts[] = {column, mp_map_text(f->texts, v->text, v->len)};
	bool is_new;
	int64_t *number = mp_map_number(f->texts, &(struct mp_key){parts, 2}, &is_new);

	if (!number)
		return mp_fail_memory(err, "texts");
	if (is_new) {
		*number = ++f->text_count;
		if (mp_query_put(f->put_text,
			MP_VALUES(mp_int(f->text_count), mp_string(l->table), mp_string(l->columns[column].name), *v),
			err))
			return -1;
	}
	*v = mp_int(*number);
	return 0;
}

/* Returns whether the texts of a column become numbers: its table has integers there. */
static bool is_numbered(const struct framework *f, const struct mp_column *c)
{
	const int at = mp_row_columns_find(&f->columns, c->name);

	return c->is_text && at >= 0 && f->columns.items[at].declared == MP_DECLARED_INTEGER;
}

static int put_records(struct framework *f, struct mp_reader *reader, const struct mp_layout *l, struct mp_sink *sink,
    struct mp_error *err)
{
	struct mp_value values[MP_COLUMN_MAX];
	const struct mp_value *row[MP_COLUMN_MAX];
	bool numbered[MP_COLUMN_MAX];

	for (int i = 0; i < l->column_count; i++) {
		row[i] = &values[i];
		numbered[i] = is_numbered(f, &l->columns[i]);
	}
	while (mp_reader_next(reader)) {
		mp_reader_row(reader, values);
		for (int i = 0; i < l->column_count; i++)
			if (numbered[i] && values[i].type == MP_TEXT && number_text(f, l, i, &values[i], err))
				return -1;
		if (mp_sink_put(sink, row, err))
			return -1;
	}
	return 0;
}

static int load_records(struct framework *f, const char *name, int fd, const struct mp_layout *l, struct mp_error *err)
{
	static const struct mp_clock no_clock = {.core_mhz = 0};
	const char *columns[MP_COLUMN_MAX];
	struct mp_sink sink = {.count = 0};
	struct mp_reader *reader;
	int status;

	for (int i = 0; i < l->column_count; i++)
		columns[i] = l->columns[i].name;
	mp_map_clear(f->texts);
	if (mp_row_columns_read(&f->columns, f->db->handle, "temp", l->table))
		return mp_db_fail(f->db, err, "cannot query");
	if (mp_reader_open(&reader, fd, l, &no_clock, NULL, err))
		return -1;
	status = mp_sink_open(&sink, f->db, NULL, l->table, columns, l->column_count, err);
	if (!status)
		status =
		    put_records(f, reader, l, &sink, err) || account(f, name, mp_reader_tally(reader), err) ? -1 : 0;
	mp_sink_close(&sink);
	mp_reader_close(reader);
	return status;
}

/* Load a file, unless another one has the records of its layout already. */
static int load_file(struct framework *f, int dirfd, const char *name, struct mp_error *err)
{
	struct mp_identity id;
	const struct mp_layout *l = mp_job_name_layout(f->layouts, MP_FAMILY_PYTORCH, name, strlen(name), &id);
	size_t at = 0;
	int fd, status;

	if (!l)
		return tell_loss(f, name, "is of another program, or another version of it", err);
	while (f->layouts->items[at] != l)
		at++;
	if (f->seen[at])
		return tell_loss(f, name, "left out: another file has records of this kind", err);
	fd = mp_dir_open_file(dirfd, name, NULL);
	if (fd < 0)
		return tell_loss(f, name, "cannot be read, or is no regular file", err);
	f->seen[at] = true;
	status = mp_db_put(f->db, "INSERT INTO temp.framework_file VALUES(?, ?)",
		     MP_VALUES(mp_string(name), mp_string(l->name)), err) ||
			 load_records(f, name, fd, l, err)
		     ? -1
		     : 0;
	close(fd); /* read only: nothing to lose */
	return status;
}

static int load_files(struct framework *f, int dirfd, struct mp_error *err)
{
	struct mp_dir_names names;
	int status = mp_dir_list(&names, dirfd, NULL, NULL, directory, err);

	for (size_t i = 0; !status && i < names.count; i++)
		status = load_file(f, dirfd, names.items[i], err);
	mp_dir_names_free(&names);
	return status;
}

static bool is_settings(const void *user, const char *name)
{
	const char *number = name + strlen("profiler_info");

	(void)user;
	if (strncmp(name, "profiler_info", strlen("profiler_info")) != 0)
		return false;
	return strcmp(number + (*number == '_' ? 1 + strspn(number + 1, "0123456789") : 0), ".json") == 0;
}

/* Keep a file of JSON as a text. */
static int keep_json(struct framework *f, int dirfd, const char *name, struct mp_error *err)
{
	char *text = malloc(SETTINGS_MAX);
	int fd = text ? mp_dir_open_file(dirfd, name, NULL) : -1;
	ssize_t n = fd < 0 ? -1 : mp_file_read(fd, text, SETTINGS_MAX, 0);
	int status;

	if (fd >= 0)
		close(fd); /* read only: nothing to lose */
	if (!text)
		return mp_fail_memory(err, "the settings of the profiler");
	if (n < 0 || n == SETTINGS_MAX || !mp_json_is_object(text, (size_t)n))
		status = tell_loss(f, name, "is no JSON object of less than 1 MiB: not used", err);
	else
		status = mp_db_put(f->db, "INSERT INTO temp.framework_setting VALUES(?, ?)",
		    MP_VALUES(mp_string(name), mp_text(text, (size_t)n)), err);
	free(text);
	return status;
}

static int load_settings(struct framework *f, int dirfd, struct mp_error *err)
{
	struct mp_dir_names names;
	int status = mp_dir_list(&names, dirfd, is_settings, NULL, f->label, err);

	for (size_t i = 0; !status && i < names.count && i < 1; i++)
		status = keep_json(f, dirfd, names.items[i], err);
	if (!status && !names.count)
		status = tell_loss(f, "profiler_info.json", "not found: the settings are unknown", err);
	mp_dir_names_free(&names);
	return status;
}

/* What the program said of itself, which may be nothing. */
static int load_metadata(struct framework *f, int dirfd, struct mp_error *err)
{
	static const char name[] = "profiler_metadata.json";
	const int type = mp_dir_type(dirfd, name, f->label, err);

	return type > 0 ? keep_json(f, dirfd, name, err) : type;
}

/* Load FRAMEWORK, which a job of devices alone lacks. */
static int load_directory(struct framework *f, int dirfd, struct mp_error *err)
{
	char label[LABEL_SIZE];
	int fd, status, type;

	snprintf(label, sizeof(label), "%s/%s", f->label, directory);
	type = mp_dir_type(dirfd, directory, label, err);
	if (type != S_IFDIR)
		return type < 0 ? -1 : 0;
	fd = mp_dir_open(dirfd, directory, label, err);
	if (fd < 0)
		return -1;
	status = load_files(f, fd, err);
	close(fd); /* only listed */
	return status;
}

/* Load all files; texts become rows of temp.framework_text. */
static int load_all(struct framework *f, int dirfd, struct mp_error *err)
{
	static const char put[] = "INSERT INTO temp.framework_text VALUES(?, ?, ?, ?)";
	int status;

	f->texts = mp_maps_find(f->db->maps, "framework_text");
	if (!f->texts)
		return mp_fail_memory(err, "texts");
	if (mp_query_open(&f->put_text, f->db, put, sizeof(put) - 1, err))
		return -1;
	status = mp_db_run(f->db, "BEGIN;", err) || load_settings(f, dirfd, err) || load_metadata(f, dirfd, err) ||
			 load_directory(f, dirfd, err) || mp_db_run(f->db, "COMMIT;", err)
		     ? -1
		     : 0;
	mp_map_clear(f->texts);
	mp_query_close(f->put_text);
	return status;
}

int mp_framework_load(
    struct mp_db *db, int dirfd, const char *label, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct framework *f = calloc(1, sizeof(*f));
	int status;

	if (!f)
		return mp_fail_memory(err, "a framework");
	*f = (struct framework){.db = db, .layouts = layouts, .label = label};
	status = mp_rules_register(db, err) || mp_script_run_file(db, "pytorch/tables.sql", err) ||
			 load_all(f, dirfd, err) || mp_script_run_file(db, "pytorch/joins.sql", err)
		     ? -1
		     : 0;
	free(f);
	return status;
}
