/* import_job.c: stores the facts of a job: rows of meta, device, control and source, and notes about assumptions. */
#include "import/import_internal.h"

#include <stdio.h>

#include "base/schema.h"

static int set_meta(struct mp_db *db, const char *key, const char *value, struct mp_error *err)
{
	return mp_db_put(
	    db, "INSERT OR REPLACE INTO meta VALUES(?, ?)", MP_VALUES(mp_string(key), mp_string(value)), err);
}

/* The parts of a cycle that the layouts of a table count. */
static int fill_parts(struct mp_load *load, struct mp_error *err)
{
	char key[MP_NAME_SIZE + 8], number[32];

	for (size_t i = 0; i < load->layouts->count; i++) {
		const struct mp_layout *l = load->layouts->items[i];
		const struct mp_soc *soc = load->job->soc;

		if (l->family != load->job->family || l->parts == 1 ||
		    (soc && !(l->socs >> (soc - load->layouts->socs) & 1)))
			continue;
		snprintf(key, sizeof(key), "parts.%s", l->table);
		snprintf(number, sizeof(number), "%llu", (unsigned long long)l->parts);
		if (set_meta(load->db, key, number, err))
			return -1;
	}
	return 0;
}

/* The columns whose places a layout in use assumes. */
static int fill_assumed(struct mp_load *load, struct mp_error *err)
{
	char names[MP_COLUMN_MAX * MP_NAME_SIZE] = "";
	size_t used = 0;

	for (size_t i = 0; !used && i < load->job->file_count; i++) {
		const struct mp_job_file *f = &load->job->files[i];

		for (int c = 0; f->state == MP_FILE_RAW && f->size && c < f->layout->column_count; c++)
			if (f->layout->columns[c].assumed)
				used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", used ? "," : "",
				    f->layout->columns[c].name);
	}
	return used ? set_meta(load->db, "assumed_columns", names, err) : 0;
}

/* What layouts say about numbers of texts, in their order. */
static int fill_series(struct mp_load *load, const struct mp_layout *l, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO text_series(layout, place, text, title, use, kind) VALUES(?, ?, ?, ?, ?, ?)";

	for (int i = 0; i < l->series_count; i++) {
		const struct mp_layout_series *s = &l->series[i];

		if (mp_db_put(load->db, sql,
			MP_VALUES(mp_string(l->name), mp_int(i), mp_string(s->text), mp_string(s->title),
			    mp_string(s->use), mp_string(s->kind)),
			err))
			return -1;
	}
	return 0;
}

static int fill_texts(struct mp_load *load, struct mp_error *err)
{
	for (size_t i = 0; i < load->layouts->count; i++)
		if (load->layouts->items[i]->family == load->job->family &&
		    fill_series(load, load->layouts->items[i], err))
			return -1;
	return 0;
}

static int fill_meta(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err)
{
	char number[32];

	snprintf(number, sizeof(number), "%016llx", (unsigned long long)load->layouts->fingerprint);
	if (set_meta(load->db, "layouts", number, err))
		return -1;
	snprintf(number, sizeof(number), "%016llx", (unsigned long long)mp_db_made_by());
	if (set_meta(load->db, "schema", number, err))
		return -1;
	snprintf(number, sizeof(number), "%lld", (long long)options->frequency_mhz);
	if (set_meta(load->db, "frequency_option", number, err) || fill_parts(load, err) || fill_assumed(load, err))
		return -1;
	return set_meta(load->db, "msprof", options->tool_version, err) ||
		       set_meta(load->db, "family", mp_family_name(load->job->family), err)
		   ? -1
		   : 0;
}

static bool uses_ticks(const struct mp_load *load, int64_t device_id)
{
	for (size_t i = 0; i < load->job->file_count; i++) {
		const struct mp_job_file *f = &load->job->files[i];

		if (f->state != MP_FILE_RAW || f->identity.device_id != device_id)
			continue;
		for (int c = 0; c < f->layout->column_count; c++)
			if (f->size && mp_column_needs_core(&f->layout->columns[c]))
				return true;
	}
	return false;
}

/* Check the frequency. An info file without a frequency is an error; a broken file is damage, and times are unknown. */
static int check_frequency(struct mp_load *load, const struct mp_device *d, struct mp_error *err)
{
	if (d->clock.core_mhz || !uses_ticks(load, d->device_id))
		return 0;
	if (!d->info.name[0]) {
		char file[32];

		snprintf(file, sizeof(file), "info.json.%lld", (long long)d->device_id);
		return mp_load_note(load, "missing", file,
		    "not found: times of tasks are unknown; give the frequency with --frequency MHZ", err);
	}
	if (!d->info.damage)
		return mp_fail(err,
		    "'%s/info.json.%lld': invalid 'aic_frequency' (a whole number as a text, 1 to 1000000 MHz); correct the file or give "
		    "--frequency MHZ",
		    load->job->path, (long long)d->device_id);
	return mp_load_note(load, "missing", d->info.name,
	    "no 'aic_frequency': times of device tasks are unknown; give it with --frequency MHZ", err);
}

static int load_info_source(struct mp_load *load, int64_t device_id, const struct mp_info_file *f, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO source(file, size, mtime_ns, state, device_id, record_bytes, damaged_bytes, remark)"
	    " VALUES(?, ?, ?, 'info', nullif(?, -1), ?, ?, ?)";
	bool bad = f->damage != NULL;

	if (!f->name[0])
		return 0;
	if (bad && mp_load_damage(load, f->name, 0, f->size, f->damage, err))
		return -1;
	return mp_db_put(load->db, sql,
	    MP_VALUES(mp_string(f->name), mp_int(f->size), mp_int(f->mtime_ns), mp_int(device_id),
		mp_int(bad ? 0 : f->size), mp_int(bad ? f->size : 0), mp_string(f->damage)),
	    err);
}

static int note_assumptions(
    struct mp_load *load, const struct mp_import_options *options, const struct mp_device *d, struct mp_error *err)
{
	char text[256];

	if (options->frequency_mhz && load->job->controls) {
		snprintf(text, sizeof(text),
		    "device %lld: the core frequency of %lld MHz is that of --frequency, whatever info.json says",
		    (long long)d->device_id, (long long)options->frequency_mhz);
		if (mp_load_note(load, "assumed", NULL, text, err))
			return -1;
	} else if (options->frequency_mhz && d->clock.core_mhz != d->file_mhz) {
		snprintf(text, sizeof(text),
		    "the core frequency of %lld MHz is that of --frequency; the file says %lld (0: no frequency)",
		    (long long)d->clock.core_mhz, (long long)d->file_mhz);
		if (mp_load_note(load, "assumed", d->info.name, text, err))
			return -1;
	}
	if (load->job->family == MP_FAMILY_SVP || load->job->family == MP_FAMILY_PROF)
		return 0;
	if (d->clock_assumed) {
		snprintf(text, sizeof(text),
		    "info.json.%lld %s: the device number is that of the file names, the system counter is taken to run at "
		    "%lld MHz",
		    (long long)d->device_id, d->info.name[0] ? "has no hwts_frequency" : "is missing",
		    (long long)d->clock.counter_mhz);
		if (mp_load_note(load, "assumed", NULL, text, err))
			return -1;
	}
	if (d->aligned)
		return 0;
	snprintf(text, sizeof(text),
	    "times of device %lld are its counter in ns, a clock of its own: they are not aligned with the host",
	    (long long)d->device_id);
	return mp_load_note(load, "assumed", NULL, text, err);
}

/* Without a usable info file the names of files tell the soc, if any does. */
static int note_soc(struct mp_load *load, struct mp_error *err)
{
	const struct mp_soc *soc = load->job->soc;
	char text[160];

	if (!soc)
		return 0;
	for (int i = 0; i < load->job->device_count; i++)
		if (load->job->devices[i].info_text)
			return 0;
	snprintf(text, sizeof(text),
	    "no info.json.N tells the chip: records are read as those of %s, by the names of files", soc->title);
	return mp_load_note(load, "assumed", NULL, text, err);
}

/* What the recorder says of its job cannot be read. */
static int note_recorder(struct mp_load *load, const struct mp_device *d, struct mp_error *err)
{
	char file[80], text[160];

	if (!d->recorder.damage)
		return 0;
	snprintf(file, sizeof(file), "data/%s", d->recorder.name);
	snprintf(text, sizeof(text), "%s: what the recorder lost is unknown", d->recorder.damage);
	return mp_load_note(load, "missing", file, text, err);
}

static int load_device(
    struct mp_load *load, const struct mp_import_options *options, const struct mp_device *d, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO device(device_id, frequency_mhz, counter_mhz, counter_hz, counter_at,"
	    " host_realtime_ns, host_monotonic_ns, collector, lost,"
	    " info, soc) VALUES(?1, nullif(?2, 0), nullif(?3, 0), nullif(?4, 0), ?5, nullif(?6, -1), nullif(?7, -1), json_extract(?8, '$.collector'),"
	    " CASE json_type(?8, '$.lost') WHEN 'integer' THEN json_extract(?8, '$.lost') END, ?9, ?10)";
	const struct mp_soc *soc = load->job->soc;
	/* the recorder writes these facts into the info file where the form of that file is its own */
	const char *recorder = d->recorder_text || load->job->family == MP_FAMILY_SVP ? d->recorder_text : d->info_text;

	if (check_frequency(load, d, err) || note_assumptions(load, options, d, err) || note_recorder(load, d, err))
		return -1;
	if (!load->job->controls && (load_info_source(load, d->device_id, &d->info, err) ||
					load_info_source(load, d->device_id, &d->host_start, err)))
		return -1;
	return mp_db_put(load->db, sql,
	    MP_VALUES(mp_int(d->device_id), mp_int(d->clock.core_mhz), mp_int(d->clock.counter_mhz),
		mp_int(d->clock.counter.hz), d->aligned ? mp_int((int64_t)d->clock.counter.count) : mp_null(),
		mp_int(d->realtime_ns), mp_int(d->monotonic_ns), mp_string(recorder), mp_string(d->info_text),
		mp_string(soc && d->info_text ? soc->title : NULL)),
	    err);
}

static int load_control(struct mp_load *load, const struct mp_job_control *c, struct mp_error *err)
{
	return load_info_source(load, c->device_id, &c->file, err) ||
		       mp_db_put(load->db, "INSERT INTO control VALUES(?, nullif(?, -1), ?, ?)",
			   MP_VALUES(
			       mp_string(c->file.name), mp_int(c->device_id), mp_string(c->name), mp_string(c->text)),
			   err)
		   ? -1
		   : 0;
}

int mp_import_job(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err)
{
	if (fill_meta(load, options, err) || fill_texts(load, err) || note_soc(load, err))
		return -1;
	for (int i = 0; i < load->job->device_count; i++)
		if (load_device(load, options, &load->job->devices[i], err))
			return -1;
	for (int i = 0; i < load->job->control_count; i++)
		if (load_control(load, &load->job->controls[i], err))
			return -1;
	return 0;
}
