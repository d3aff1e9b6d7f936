/* import.c: the order of an import, and the database file that appears whole or not at all. */
#include "store/import.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/schema.h"
#include "store/load.h"
#include "store/map.h"
#include "store/tasks.h"

#define PART_NAME ".msprof.db.part"

static int set_meta(struct mp_db *db, const char *key, const char *value, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO meta VALUES(:key, :value)";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "key", key, err) || mp_query_bind_text(q, "value", value, err) ||
			 mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
}

static int fill_meta(struct mp_load *load, struct mp_error *err)
{
	char number[32];

	snprintf(number, sizeof(number), "%016llx", (unsigned long long)load->layouts->fingerprint);
	if (set_meta(load->db, "layouts", number, err))
		return -1;
	snprintf(number, sizeof(number), "%016llx", (unsigned long long)mp_schema_fingerprint());
	if (set_meta(load->db, "schema", number, err))
		return -1;
	snprintf(number, sizeof(number), "%lld", (long long)load->options->frequency_mhz);
	if (set_meta(load->db, "frequency_option", number, err))
		return -1;
	return set_meta(load->db, "msprof", load->options->tool_version, err) ||
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
			if ((f->layout->columns[c].kind == MP_COLUMN_TIME ||
				f->layout->columns[c].kind == MP_COLUMN_DURATION) &&
			    f->layout->columns[c].unit == MP_UNIT_TICK100)
				return true;
	}
	return false;
}

/* A readable info file without a frequency is an error of the job; a broken one is damage, and times stay unknown. */
static int check_frequency(struct mp_load *load, const struct mp_device *d, struct mp_error *err)
{
	if (d->clock.core_mhz || !uses_ticks(load, d->device_id))
		return 0;
	if (!d->info.name[0])
		return mp_fail(err,
		    "'%s/info.json.%lld' is missing: it tells the 'frequency' of device %lld; or give --frequency MHZ",
		    load->job->path, (long long)d->device_id, (long long)d->device_id);
	if (!d->info.damage)
		return mp_fail(err,
		    "'%s/info.json.%lld': no whole number 'frequency' (MHz) between 1 and 1000000; give it there or with "
		    "--frequency MHZ",
		    load->job->path, (long long)d->device_id);
	return mp_load_note(load, "missing", d->info.name,
	    "no 'frequency': times of device tasks are unknown; give it with --frequency MHZ", err);
}

static int load_info_source(struct mp_load *load, int64_t device_id, const struct mp_info_file *f, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO source(file, size, mtime_ns, state, device_id, record_bytes, damaged_bytes,"
	    " remark) VALUES(:file, :size, :mtime_ns, 'info', nullif(:device_id, -1), :good, :bad, :remark)";
	struct mp_query *q;
	bool bad = f->damage != NULL;
	int status;

	if (!f->name[0])
		return 0;
	if (bad && mp_load_damage(load, f->name, 0, f->size, f->damage, err))
		return -1;
	if (mp_query_open(&q, load->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "file", f->name, err) || mp_query_bind_int(q, "size", f->size, err) ||
			 mp_query_bind_int(q, "mtime_ns", f->mtime_ns, err) ||
			 mp_query_bind_int(q, "device_id", device_id, err) ||
			 mp_query_bind_int(q, "good", bad ? 0 : f->size, err) ||
			 mp_query_bind_int(q, "bad", bad ? f->size : 0, err) ||
			 mp_query_bind_text(q, "remark", f->damage, err) || mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
}

static int note_assumptions(struct mp_load *load, const struct mp_device *d, struct mp_error *err)
{
	char text[256];

	if (load->options->frequency_mhz && load->job->controls) {
		snprintf(text, sizeof(text),
		    "device %lld: the core frequency of %lld MHz is that of --frequency, whatever info.json says",
		    (long long)d->device_id, (long long)load->options->frequency_mhz);
		if (mp_load_note(load, "assumed", NULL, text, err))
			return -1;
	} else if (load->options->frequency_mhz && d->clock.core_mhz != d->file_mhz) {
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

static int load_device(struct mp_load *load, const struct mp_device *d, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO device VALUES(:device_id, nullif(:frequency, 0), nullif(:counter, 0), nullif(:realtime, -1),"
	    " nullif(:monotonic, -1), json_extract(:info, '$.collector'),"
	    " CASE json_type(:info, '$.lost') WHEN 'integer' THEN json_extract(:info, '$.lost') END, :info)";
	struct mp_query *q;
	int status;

	if (check_frequency(load, d, err) || note_assumptions(load, d, err))
		return -1;
	if (!load->job->controls && (load_info_source(load, d->device_id, &d->info, err) ||
					load_info_source(load, d->device_id, &d->host_start, err)))
		return -1;
	if (mp_query_open(&q, load->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_int(q, "device_id", d->device_id, err) ||
			 mp_query_bind_int(q, "frequency", d->clock.core_mhz, err) ||
			 mp_query_bind_int(q, "counter", d->clock.counter_mhz, err) ||
			 mp_query_bind_int(q, "realtime", d->realtime_ns, err) ||
			 mp_query_bind_int(q, "monotonic", d->monotonic_ns, err) ||
			 mp_query_bind_text(q, "info", d->info_text, err) || mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
}

static int load_control(struct mp_load *load, const struct mp_job_control *c, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO control VALUES(:file, nullif(:device_id, -1), :name, :text)";
	struct mp_query *q;
	int status;

	if (load_info_source(load, c->device_id, &c->file, err))
		return -1;
	if (mp_query_open(&q, load->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "file", c->file.name, err) ||
			 mp_query_bind_int(q, "device_id", c->device_id, err) ||
			 mp_query_bind_text(q, "name", c->name, err) || mp_query_bind_text(q, "text", c->text, err) ||
			 mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
}

static int load_all(struct mp_load *load, struct mp_error *err)
{
	for (size_t i = 0; i < load->job->file_count; i++)
		if (load->job->files[i].state == MP_FILE_RAW)
			load->bytes_total += load->job->files[i].size;
	if (mp_load_open(load, err) || fill_meta(load, err))
		return -1;
	for (int i = 0; i < load->job->device_count; i++)
		if (load_device(load, &load->job->devices[i], err))
			return -1;
	for (int i = 0; i < load->job->control_count; i++)
		if (load_control(load, &load->job->controls[i], err))
			return -1;
	for (size_t i = 0; i < load->job->file_count; i++)
		if (mp_load_file(load, &load->job->files[i], err))
			return -1;
	if (load->tasks && mp_tasks_seen(load->tasks, err))
		return -1;
	if (load->bulks && mp_bulks_attach(load->bulks, err))
		return -1;
	if (mp_db_join(load->db, load->job->family, err) || (load->tasks && mp_tasks_store(load->tasks, err)))
		return -1;
	return mp_db_finish(load->db, load->job->family, err);
}

/* Fill an empty database; fd, dirfd: of its file and that one's directory, or -1. A failure leaves it useless: the
 * caller throws it away. */
static int build(struct mp_db *db, int dirfd, int fd, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err)
{
	struct mp_load load = {
	    .db = db, .job = job, .layouts = layouts, .options = options, .sequence_device = -1, .dirfd = dirfd};
	char version[96];
	int status;

	if (job->missing)
		return mp_fail(err, "'%s' has no %s: cannot import", job->path, job->missing);
	mp_maps_lie_in(db->maps, dirfd);
	snprintf(version, sizeof(version), "PRAGMA application_id=0x6d737072; PRAGMA user_version=%d; COMMIT;",
	    MP_SCHEMA_VERSION);
	status = mp_db_run(db,
	    "PRAGMA page_size=16384; PRAGMA cache_size=-4000; PRAGMA temp.cache_size=-2000; PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA auto_vacuum=NONE; PRAGMA main.locking_mode=NORMAL; BEGIN;",
	    err);
	if (!status && fd >= 0)
		status = mp_bulks_open(&load.bulks, db, fd, err);
	if (!status)
		status = load_all(&load, err);
	mp_load_close(&load);
	return status ? -1 : mp_db_run(db, version, err);
}

int mp_import_private(struct mp_db **db, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err)
{
	if (mp_db_connect(db, -1, "", err))
		return -1;
	if (build(*db, -1, -1, job, layouts, options, err)) {
		mp_db_close(*db);
		*db = NULL;
		return -1;
	}
	return 0;
}

/* A new part file in a locked directory: one that is there is what a killed import left behind. */
static int create_part(int dirfd, const char *label, struct mp_error *err)
{
	/* and what other programs that open the new database would take for its journals */
	static const char *const in_the_way[] = {PART_NAME, "msprof.db-journal", "msprof.db-wal", "msprof.db-shm"};
	int fd;

	for (size_t i = 0; i < sizeof(in_the_way) / sizeof(in_the_way[0]); i++)
		if (unlinkat(dirfd, in_the_way[i], 0) && errno != ENOENT)
			return mp_fail_errno(err, "cannot remove '%s/%s'", label, in_the_way[i]);
	fd = openat(dirfd, PART_NAME, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (fd < 0)
		return mp_fail_errno(err, "cannot create '%s/%s'", label, PART_NAME);
	if (fchmod(fd, 0640) == 0) /* whatever the umask */
		return fd;
	mp_fail_errno(err, "cannot set the mode of '%s/%s'", label, PART_NAME);
	close(fd);
	unlinkat(dirfd, PART_NAME, 0);
	return -1;
}

static int build_part(const char *path, int dirfd, int fd, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_import_options *options, struct mp_error *err)
{
	struct mp_db *db;
	int status;

	if (mp_db_connect(&db, fd, path, err))
		return -1;
	status = build(db, dirfd, fd, job, layouts, options, err);
	if (status && (db->full || (sqlite3_errcode(db->handle) & 0xff) == SQLITE_FULL)) {
		int64_t need = 0;

		for (size_t i = 0; i < job->file_count; i++)
			need += job->files[i].size;
		mp_fail(err, "no space left for '%s': about %lld MiB are needed; what was there is untouched", path,
		    (long long)(need >> 20) + 1);
	}
	if (sqlite3_close(db->handle) && !status)
		status = mp_db_fail(db, err, "cannot close");
	else
		db->handle = NULL;
	mp_db_close(db);
	return status;
}

/* Make the part file, and rename it when it is whole. */
static int replace(int dirfd, const char *label, const char *path, const struct mp_job *job,
    const struct mp_layouts *layouts, const struct mp_import_options *options, struct mp_error *err)
{
	int fd = create_part(dirfd, label, err), status;

	if (fd < 0)
		return -1;
	status = build_part(path, dirfd, fd, job, layouts, options, err);
	if (!status && fsync(fd))
		status = mp_fail_errno(err, "cannot write '%s'", path);
	if (!status && renameat(dirfd, PART_NAME, dirfd, "msprof.db"))
		status = mp_fail_errno(err, "cannot rename '%s'", path);
	if (status)
		unlinkat(dirfd, PART_NAME, 0);
	else if (fsync(dirfd))
		status = mp_fail_errno(err, "cannot write '%s'", label);
	close(fd); /* synced above */
	return status;
}

int mp_import(const struct mp_job *job, const struct mp_layouts *layouts, const struct mp_import_options *options,
    struct mp_error *err)
{
	char label[4096], path[4096];
	int dirfd, status;

	if (snprintf(label, sizeof(label), "%s/sqlite", job->path) >= (int)sizeof(label) ||
	    snprintf(path, sizeof(path), "%s/sqlite/%s", job->real_path, PART_NAME) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", job->path);
	dirfd = mp_dir_make(job->dirfd, "sqlite", label, err);
	if (dirfd < 0)
		return -1;
	status = mp_dir_lock(dirfd, PART_NAME, "importing", label, &options->wait, err);
	if (status == 0 || (status == 1 && !options->only_first)) {
		if (options->part)
			options->part(dirfd, PART_NAME);
		status = replace(dirfd, label, path, job, layouts, options, err);
		if (options->part)
			options->part(-1, PART_NAME);
	}
	close(dirfd);
	return status;
}
