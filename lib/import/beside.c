/*
 * beside.c: finds the tables and traces that another tool left beside the data, and has each compared with what this
 * import would export. What comes out proves the data, what differs contradicts it. Our own exports prove nothing.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/made.h"
#include "import/import_internal.h"

/* LEAST: so many rows of cards, or more, may contradict. */
enum { STAMP = 14, ICACHE_DOTS = 6, LEAST = 16 };

/* A directory with files of another tool. */
struct place {
	struct mp_beside b;
	struct mp_beside_sums *sums;
	struct mp_made made; /* our own exports */
	const char *kind;    /* of reports: "summary", "timeline" */
	const char *ending;
	struct mp_dir_names names;
	bool *seen; /* by name */
};

/* Where the files of a family lie. Cards have them with a stamp of the time, in one directory. */
static const char *directory_of(enum mp_family family, const char *kind)
{
	return family == MP_FAMILY_PROF ? "mindstudio_profiler_output" : kind;
}

static bool is_of_traces(const struct place *p)
{
	return strcmp(p->kind, "timeline") == 0;
}

static bool is_theirs(const void *user, const char *name)
{
	struct place *p = *(struct place *const *)user;
	const size_t len = strlen(name), ending = strlen(p->ending);

	return len > ending && strcmp(name + len - ending, p->ending) == 0 &&
	       mp_made_elsewhere(&p->made, p->b.dirfd, name);
}

/* Returns whether the tables of boards have such names. */
static bool is_of_board(const char *name)
{
	static const char *const kinds[] = {"op_summary_", "op_statistic_", "acl_statistic_", "task_time_", "acl_"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
			return true;
	return false;
}

/* So much of our name is that of theirs: their digits of the icache, or the stamp of the time, may be others. */
static size_t common_length(const struct place *p, const char *name)
{
	size_t len = strlen(name), dots = 0;

	if (p->b.family == MP_FAMILY_PROF)
		return (size_t)(strrchr(name, '_') ? strrchr(name, '_') + 1 - name : 0);
	if (p->b.family == MP_FAMILY_SVP)
		for (len = 0; name[len] && dots < ICACHE_DOTS; len++)
			dots += name[len] == '.';
	return len;
}

static bool is_rest(const struct place *p, const char *rest, bool is_cut)
{
	size_t digits = 0;

	if (p->b.family == MP_FAMILY_PROF) {
		while (isdigit((unsigned char)rest[digits]))
			digits++;
		return digits == STAMP && strcmp(rest + digits, p->ending) == 0;
	}
	return is_cut || strcmp(rest, p->ending) == 0;
}

/* The file that the name of an export stands for; of several stamps the latest, which stands for all. -1: not found */
static int find_file(const struct place *p, const char *name)
{
	const size_t len = common_length(p, name);
	int found = -1;

	for (size_t i = 0; i < p->names.count; i++) {
		if (p->seen[i] || strncmp(p->names.items[i], name, len) != 0 ||
		    !is_rest(p, p->names.items[i] + len, len < strlen(name)))
			continue;
		if (p->b.family != MP_FAMILY_PROF)
			return (int)i;
		if (found >= 0)
			p->seen[found] = true;
		found = (int)i;
	}
	return found;
}

static int compare_report(struct place *p, const struct mp_report *report, struct mp_error *err)
{
	int (*const compare)(const struct mp_beside *, struct mp_beside_sums *, bool *, struct mp_error *) =
	    is_of_traces(p) ? mp_beside_trace : mp_beside_table;
	struct mp_query *each;
	char name[512];
	int status;

	if (mp_report_query(&each, p->b.db, &report->each, "", "", p->b.style, err))
		return -1;
	p->b.report = report;
	p->b.each = each;
	while ((status = mp_query_next(each, err)) == 1) {
		int found;
		bool fits;

		if (mp_report_name(name, sizeof(name), report->output.file, each, err)) {
			status = -1;
			break;
		}
		found = find_file(p, name);
		if (found < 0)
			continue;
		p->b.name = p->names.items[found];
		if (compare(&p->b, p->sums, &fits, err)) {
			status = -1;
			break;
		}
		p->seen[found] = p->seen[found] || fits;
	}
	mp_query_close(each);
	return status;
}

/* Compare all files with the reports of a style; the titles of tables tell the style. */
static int compare_style(struct place *p, enum mp_style style, struct mp_error *err)
{
	struct mp_reports reports;

	if (mp_reports_load(&reports, p->kind, mp_family_name(p->b.family), style, err))
		return -1;
	p->b.style = style;
	for (size_t i = 0; i < reports.count; i++)
		if (reports.items[i].needs[0] && compare_report(p, &reports.items[i], err)) {
			mp_reports_free(&reports);
			return -1;
		}
	mp_reports_free(&reports);
	return 0;
}

static int put_check(struct mp_db *db, const char *name, const char *about, const char *weight, const char *says,
    int64_t checked, int64_t failed, const char *file, const char *found, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO data_check VALUES(:name, :about, :weight, :says, :checked, :failed, nullif(:file, ''), nullif(:found, ''))";

	return mp_db_put(db, sql,
	    MP_VALUES(mp_string(name), mp_string(about), mp_string(weight), mp_string(says), mp_int(checked),
		mp_int(failed), mp_string(file), mp_string(found)),
	    err);
}

/*
 * What tables say of each kind of data, and the rows that they lack. Of cards a few odd rows are the rule, and rows
 * that one side lacks: more than half must differ, or must be there.
 */
static int put_sums(struct mp_db *db, const struct mp_beside_sums *sums, enum mp_family family, struct mp_error *err)
{
	const bool is_board = family == MP_FAMILY_SVP;

	for (int i = 0; i < MP_BESIDE_KINDS; i++) {
		const struct mp_beside_tally *t = &sums->tallies[i];
		const bool contradicts = is_board ? t->differ > 0 : t->cells >= LEAST && t->differ * 2 > t->cells;

		if ((!t->cells && !t->differ) || (!is_board && (sums->ours - sums->absent) * 2 < sums->theirs))
			continue;
		if (put_check(db, "vendor_tables", t->about, contradicts ? "contradiction" : "proof",
			"the vendor's tables beside the data come out", t->cells,
			sums->cut && !t->differ ? 1 : t->differ, t->file, t->found, err))
			return -1;
	}
	if (sums->cut && put_check(db, "vendor_cut", "tasks", "doubt",
			     "the rows of the vendor's tables are found in 10 million steps", 1, 1, NULL,
			     "the vendor's tables have too many rows to be compared", err))
		return -1;
	return is_board && sums->ours
		   ? put_check(db, "vendor_rows", "tasks", "doubt", "the vendor's tables have all rows", sums->ours,
			 sums->absent, NULL, NULL, err)
		   : 0;
}

/* Files of a board that have the names of such, and are of no inference of the job, or have another form. */
static int put_strangers(const struct place *p, struct mp_error *err)
{
	int64_t checked = 0, failed = 0;
	const char *first = NULL;
	char says[96];

	for (size_t i = 0; p->b.family == MP_FAMILY_SVP && i < p->names.count; i++) {
		if (!is_of_board(p->names.items[i]))
			continue;
		checked++;
		failed += !p->seen[i];
		first = first || p->seen[i] ? first : p->names.items[i];
	}
	snprintf(says, sizeof(says), "%s below %s are of inferences and calls of this job",
	    is_of_traces(p) ? "traces" : "tables", p->b.label);
	return checked
		   ? put_check(p->b.db, "vendor_strangers", "tasks", "doubt", says, checked, failed, first, NULL, err)
		   : 0;
}

static int compare_place(struct place *p, struct mp_error *err)
{
	int status = mp_made_read(&p->made, p->b.dirfd, err) ||
			     mp_dir_list(&p->names, p->b.dirfd, is_theirs, &p, p->b.label, err)
			 ? -1
			 : 0;

	p->seen = calloc(p->names.count + 1, sizeof(*p->seen));
	if (!status && !p->seen)
		status = mp_fail_memory(err, "tables");
	if (!status && p->names.count && is_of_traces(p))
		status = mp_script_run_file(p->b.db, "beside/events.sql", err);
	if (!status && p->names.count)
		status = compare_style(p, MP_STYLE_VENDOR, err) || compare_style(p, MP_STYLE_DEFAULT, err) ||
				 (is_of_traces(p) && mp_script_run_file(p->b.db, "beside/end.sql", err)) ||
				 put_strangers(p, err)
			     ? -1
			     : 0;
	free(p->seen);
	mp_dir_names_free(&p->names);
	mp_made_free(&p->made);
	return status;
}

/* Compare the files of a kind, where there are any. What cannot be read proves nothing. */
static int compare_kind(struct mp_db *db, const struct mp_job *job, struct mp_beside_sums *sums, const char *kind,
    const char *ending, struct mp_error *err)
{
	const bool is_database = strcmp(ending, ".db") == 0;
	const char *label = is_database ? "." : directory_of(job->family, kind);
	struct place p = {
	    .b = {.db = db, .family = job->family, .label = label}, .sums = sums, .kind = kind, .ending = ending};
	int status;

	if (mp_dir_type(job->dirfd, label, label, err) != S_IFDIR)
		return 0;
	p.b.dirfd = mp_dir_open(job->dirfd, label, label, err);
	if (p.b.dirfd < 0)
		return 0;
	status = compare_place(&p, err);
	close(p.b.dirfd); /* only read */
	return status;
}

static bool is_other_database(const void *user, const char *name)
{
	const size_t len = strlen(name);
	struct stat st;

	return name[0] != '.' && strcmp(name, "msprof.db") != 0 && len > 3 && strcmp(name + len - 3, ".db") == 0 &&
	       mp_dir_look(*(const int *)user, name, &st) == 0 && S_ISREG(st.st_mode);
}

/* Name databases of another tool beside ours: nobody has published their tables for boards. */
static int name_databases(struct mp_db *db, const struct mp_job *job, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO note(kind, file, text) VALUES('odd', 'sqlite/' || :name,"
	    " 'not compared: unknown tables' || CASE WHEN :more THEN '; nor ' || :more || ' more databases there' ELSE '' END)";
	struct mp_dir_names names = {NULL, 0};
	int fd, status;

	if (mp_dir_type(job->dirfd, "sqlite", "sqlite", err) != S_IFDIR)
		return 0;
	fd = mp_dir_open(job->dirfd, "sqlite", "sqlite", err);
	if (fd < 0)
		return 0;
	status = mp_dir_list(&names, fd, is_other_database, &fd, "sqlite", err);
	if (!status && names.count)
		status =
		    mp_db_put(db, sql, MP_VALUES(mp_string(names.items[0]), mp_int((int64_t)names.count - 1)), err);
	mp_dir_names_free(&names);
	close(fd); /* only read */
	return status;
}

int mp_beside_compare(struct mp_db *db, const struct mp_job *job, struct mp_error *err)
{
	struct mp_beside_sums sums = {.tallies = {{.about = "tasks"}, {.about = "counters"}, {.about = "calls"}}};

	return compare_kind(db, job, &sums, "summary", ".csv", err) || put_sums(db, &sums, job->family, err) ||
		       compare_kind(db, job, &sums, "timeline", ".json", err) ||
		       (job->family == MP_FAMILY_PROF && compare_kind(db, job, &sums, "timeline", ".db", err)) ||
		       name_databases(db, job, err)
		   ? -1
		   : 0;
}
