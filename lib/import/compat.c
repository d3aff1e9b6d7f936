/* compat.c: writes the databases that other tools look for beside the raw data of a PROF directory: a table for each
 * report. Knows no table of theirs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/index.h"
#include "base/out.h"
#include "import/db_export.h"
#include "import/import_internal.h"
#include "store/connection.h"

enum { APPLICATION = 0x6d737072, VERSION_AT = 60, APPLICATION_AT = 68 }; /* of SQLite's header */

/* The databases of a part. */
struct part_databases {
	struct mp_db *db;
	const struct mp_part *part;
	const struct mp_wait *wait;
	void (*tell_part)(int dirfd, const char *name);
	struct mp_reports reports; /* those of a database follow each other */
	const char *file;          /* the current database, without its ending */
	int dirfd;
	char label[4096]; /* of its directory */
	unsigned stamp;   /* of the database that they are made of */
	struct mp_db_compat *done;
};

/* Make the table of a report for a row of its `each`. */
static int make_table(
    struct mp_db *db, const struct mp_report *report, const struct mp_query *each, struct mp_error *err)
{
	struct table {
		struct mp_report report;
		struct mp_report_row row;
	} *t = calloc(1, sizeof(*t));
	struct mp_query *q = NULL;
	char *columns = NULL, create[128];
	int status = 0;

	if (!t)
		return mp_fail_memory(err, "a table");
	t->report = *report;
	snprintf(create, sizeof(create), "CREATE TABLE out.\"%s\" AS ", report->title);
	if (report->table.columns.text)
		status = mp_report_add_columns(&t->report, &columns, db, each, MP_STYLE_DEFAULT, err);
	status = status || mp_report_query(&q, db, &t->report.rows, create, "", MP_STYLE_DEFAULT, err) ||
			 mp_report_row(&t->row, each, err) || mp_report_bind(q, &t->row, err) ||
			 mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	free(columns);
	free(t);
	return status;
}

/* Make the tables of the current database. */
static int make_tables(struct mp_db *db, const struct mp_new_db *new, int fd, const char *label, struct mp_error *err)
{
	const struct part_databases *p = new->user;
	int status = 0;

	(void)fd, (void)label;
	for (size_t i = 0; !status && i < p->reports.count; i++) {
		const struct mp_report *report = &p->reports.items[i];
		struct mp_query *each;

		if (strcmp(report->output.file, p->file) != 0)
			continue;
		if (mp_report_query(&each, db, &report->each, "", "", MP_STYLE_DEFAULT, err))
			return -1;
		while (!status && (status = mp_query_next(each, err)) == 1)
			status = p->part->device_id < 0 || mp_query_int(each, 0) == p->part->device_id
				     ? make_table(db, report, each, err)
				     : 0;
		mp_query_close(each);
	}
	return status;
}

static unsigned number_at(const unsigned char *bytes)
{
	return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

/* What there is of a name: nothing, an older database of ours, one that is up to date, or what is not ours. */
enum found { FOUND_NOTHING, FOUND_OLD, FOUND_SAME, FOUND_OTHER };

static enum found look_at(const struct part_databases *p, const char *name)
{
	unsigned char head[APPLICATION_AT + 4];
	int fd;

	if (mp_dir_is_missing(p->dirfd, name))
		return FOUND_NOTHING;
	fd = mp_dir_open_file(p->dirfd, name, NULL);
	if (fd < 0)
		return FOUND_OTHER;
	if (mp_file_read(fd, head, sizeof(head), 0) != (ssize_t)sizeof(head))
		memset(head, 0, sizeof(head));
	close(fd); /* nothing was written with it */
	if (number_at(head + APPLICATION_AT) != APPLICATION)
		return FOUND_OTHER;
	return p->stamp && number_at(head + VERSION_AT) == p->stamp ? FOUND_SAME : FOUND_OLD;
}

/* Write the current database, unless it is there. */
static int write_one(struct part_databases *p, struct mp_error *err)
{
	char name[272];
	const struct mp_new_db new = {.dirfd = p->dirfd,
	    .dir = p->label,
	    .part = MP_OUT_PART,
	    .name = name,
	    .stamp = p->stamp,
	    .or_nothing = true,
	    .fill = make_tables,
	    .user = p};
	enum found found;
	int status;

	snprintf(name, sizeof(name), "%s.db", p->file);
	found = look_at(p, name);
	p->done->kept += found == FOUND_OTHER;
	if (found == FOUND_OTHER || found == FOUND_SAME)
		return 0;
	status = mp_new_db_write(p->db, &new, err);
	p->done->written += status > 0;
	if (status == 0 && found == FOUND_OLD && unlinkat(p->dirfd, name, 0))
		return mp_fail_errno(err, "cannot remove '%s/%s'", p->label, name);
	return status < 0 ? -1 : 0;
}

/* Write data/all_file.complete. */
static int mark_complete(const struct part_databases *p, const struct mp_job *job, struct mp_error *err)
{
	static const char name[] = "all_file.complete";
	const struct mp_part *part = p->part;
	char label[4096];
	int fd, status;

	if (part->datafd < 0 || job->exports.dirfd != job->dirfd || !mp_dir_is_missing(part->datafd, name))
		return 0;
	snprintf(label, sizeof(label), "%s/%s/data/%s", job->path, part->name, name);
	fd = mp_part_create(part->datafd, MP_OUT_PART, label, err);
	p->tell_part(part->datafd, MP_OUT_PART);
	status = fd < 0 ? -1 : mp_part_publish(part->datafd, fd, MP_OUT_PART, name, false, label, err);
	p->tell_part(-1, MP_OUT_PART);
	return status;
}

/* Open and lock the directory of the databases of a part, where the exports go. */
static int open_directory(struct part_databases *p, const struct mp_job *job, struct mp_error *err)
{
	int above = job->exports.dirfd;

	snprintf(p->label, sizeof(p->label), "%s/%s", job->exports.path, p->part->name);
	if (p->part->name[0])
		above = mp_dir_make(job->exports.dirfd, p->part->name, p->label, err);
	if (above < 0)
		return -1;
	snprintf(
	    p->label, sizeof(p->label), "%s/%s%ssqlite", job->exports.path, p->part->name, p->part->name[0] ? "/" : "");
	p->dirfd = mp_dir_make(above, "sqlite", p->label, err);
	if (above != job->exports.dirfd)
		close(above); /* nothing was written with it */
	if (p->dirfd < 0)
		return -1;
	if (mp_dir_lock(p->dirfd, MP_OUT_PART, "exporting", p->label, p->wait, err) >= 0)
		return 0;
	close(p->dirfd);
	return -1;
}

static int write_part(struct part_databases *p, const struct mp_job *job, struct mp_error *err)
{
	int status;

	if (mp_reports_load(&p->reports, p->part->device_id < 0 ? "compat/prof/host" : "compat/prof/device", "prof",
		MP_STYLE_DEFAULT, err) ||
	    open_directory(p, job, err)) {
		mp_reports_free(&p->reports);
		return -1;
	}
	p->file = "";
	p->tell_part(p->dirfd, MP_OUT_PART);
	status = 0;
	for (size_t i = 0; !status && i < p->reports.count; i++) {
		const char *file = p->reports.items[i].output.file;

		if (strcmp(file, p->file) == 0)
			continue;
		p->file = file;
		status = write_one(p, err);
	}
	p->tell_part(-1, MP_OUT_PART);
	close(p->dirfd); /* its files are complete */
	mp_reports_free(&p->reports);
	return status ? -1 : mark_complete(p, job, err);
}

/* A number of the file that the databases are made of, or 0. */
static unsigned stamp_of(const struct mp_db *db)
{
	struct stat st;
	char text[96];

	if (db->fd < 0 || fstat(db->fd, &st))
		return 0;
	snprintf(text, sizeof(text), "%lld %lld %ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
	    st.st_mtim.tv_nsec);
	return mp_fnv_32(MP_FNV_32, text, strlen(text)) >> 1 | 1;
}

int mp_db_compat(struct mp_db *db, const struct mp_job *job, const struct mp_wait *wait,
    void (*part)(int dirfd, const char *name), struct mp_db_compat *done, struct mp_error *err)
{
	*done = (struct mp_db_compat){0};
	for (int i = 0; i < job->part_count; i++) {
		struct part_databases p = {.db = db,
		    .part = &job->parts[i],
		    .wait = wait,
		    .tell_part = part,
		    .stamp = stamp_of(db),
		    .done = done};

		if (strchr(p.part->name, '/')) /* the host beside a device that the user named */
			continue;
		if (write_part(&p, job, err))
			return -1;
	}
	return 0;
}
