/* job_database.c: imports jobs, opens their databases, and tells reports what the user chooses. */
#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/schema.h"
#include "import/db_export.h"
#include "import/import.h"
#include "import/job_db.h"
#include "job_run.h"
#include "process.h"
#include "terminal.h"

/* Print assumptions and missing data, once, after an import. */
static int print_notes(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT kind, coalesce(file || ': ', '') || text"
				  " FROM note, temp.choice WHERE kind NOT IN ('odd', 'export', 'counters') LIMIT 20";
	const struct options *o = s->options;
	/* of several jobs each note says which one it is about */
	const char *quote = s->found.several ? "'" : "", *of = s->found.several ? job->path : "",
		   *colon = s->found.several ? "': " : "";
	struct mp_query *q;
	int status;

	if (job_run_choose(s, job, db, err) || mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value kind = mp_text_of(mp_query_value(q, 0)), text = mp_text_of(mp_query_value(q, 1));

		if (s->tells.assumed && strncmp(kind.text, "assumed", kind.len) == 0)
			continue;
		if (strncmp(kind.text, "assumed", kind.len) == 0)
			message_info(o, "%s%s%sassumed: %.*s", quote, of, colon, (int)text.len, text.text);
		else
			message_warning("%s%s%s%.*s", quote, of, colon, (int)text.len, text.text);
	}
	mp_query_close(q);
	s->said.notes = true;
	return status;
}

static struct mp_import_options import_options(struct job_run *s, const struct mp_job *job, struct progress *p)
{
	struct mp_import_options o = {.frequency_mhz = job_run_frequency(s),
	    .plain = s->plain,
	    .tool_version = MSPROF_VERSION,
	    .wait = job_run_wait(s),
	    .part = interrupt_removes};

	if (progress_begin(p, options_has(s->options, OPTION_QUIET), "importing", job->name)) {
		o.progress = progress_update;
		o.progress_user = p;
	}
	return o;
}

/* Import the job, and open its database; 1 with `only_first` where another msprof has imported it meanwhile. */
static int import_job(struct job_run *s, const struct mp_job *job, bool only_first, struct mp_db **db)
{
	struct progress progress;
	struct mp_import_options o = import_options(s, job, &progress);
	struct mp_error err;
	int64_t raw_bytes = 0;
	int status;

	*db = NULL;
	o.opened = db;
	o.only_first = only_first;
	job_run_log(job, "Start analyzing data in \"%s\" ...", job->name);
	for (size_t i = 0; i < job->file_count; i++)
		raw_bytes += job->files[i].size;
	budget_database_begin(raw_bytes);
	status = mp_import(job, &s->layouts, &o, &err);
	budget_database_end();
	progress_end(&progress);
	if (status == 1 && only_first)
		return 1;
	if (!status)
		status = print_notes(s, job, *db, &err);
	if (status) {
		message_failure(&err);
		mp_db_close(*db);
		*db = NULL;
	}
	job_run_log(job, status ? "Analyzing data failed: %s" : "Analyzing data done%s", status ? err.text : "");
	return status;
}

struct mp_db *job_run_import(struct job_run *s, const struct mp_job *job)
{
	struct mp_db *db;

	import_job(s, job, false, &db);
	return db;
}

static struct mp_db *private_database(struct job_run *s, const struct mp_job *job)
{
	struct progress progress;
	struct mp_import_options o = import_options(s, job, &progress);
	struct mp_error err;
	struct mp_db *db;
	int status = mp_import_private(&db, job, &s->layouts, &o, &err);

	progress_end(&progress);
	if (status) {
		message_failure(&err);
		return NULL;
	}
	return db;
}

/* A database with data whose raw files are gone is replaced only by an explicit import. */
static bool keeps_more(struct mp_db *db, const struct mp_job *job)
{
	struct mp_error err;
	int64_t gone;

	if (mp_job_db_gone(db, job, &gone, &err)) {
		message_warning("%s", err.text);
		return true;
	}
	if (gone)
		message_warning(
		    "'%s': the raw files have changed, but %lld parsed files are gone: the parsed data is kept; "
		    "'msprof import' parses the remaining files",
		    job->path, (long long)gone);
	return gone > 0;
}

static bool can_import(const struct mp_job *job)
{
	bool raw = false;

	for (size_t i = 0; i < job->file_count; i++)
		raw = raw || job->files[i].state == MP_FILE_RAW;
	return raw && !mp_dir_is_link(job->database.dirfd, "sqlite");
}

/* Open the existing database: 1 if it is usable, 0 if an import is needed, -1 with the error printed. */
static int use_existing(struct job_run *s, const struct mp_job *job, bool may_write, struct mp_db **db)
{
	struct mp_error err;
	bool fresh = false;

	*db = NULL;
	if (!mp_job_db_exists(job))
		return 0;
	if (mp_job_db_open(db, job, s->plain, &err) ||
	    mp_job_db_fresh(*db, job, &s->layouts, job_run_frequency(s), &fresh, &err)) {
		mp_db_close(*db);
		*db = NULL;
		if (!mp_job_db_exists(job))
			return 0; /* another msprof has removed it */
		if (!may_write && !job->missing) {
			message_warning("%s; the raw data is parsed for this run", err.text);
			return 0;
		}
		message_error(
		    can_import(job) ? "%s ('msprof import -dir %s' makes a new database)" : "%s", err.text, job->path);
		return -1;
	}
	if (fresh || keeps_more(*db, job)) {
		if (mp_job_db_is_other(*db))
			message_info(s->options,
			    "'%s/sqlite/msprof.db' was made by another version of msprof: tables that it lacks are empty",
			    job->path);
		return 1;
	}
	mp_db_close(*db);
	*db = NULL;
	return 0;
}

struct mp_db *job_run_database(struct job_run *s, const struct mp_job *job, bool may_write)
{
	struct mp_db *db;
	int status;

	do { /* another msprof may have imported meanwhile */
		if (use_existing(s, job, may_write, &db))
			return db;
		if (!may_write)
			return private_database(s, job);
		if (!job_output_is_writable(job)) {
			message_warning("'%s' is read-only: its data is parsed for this run only", job->path);
			return private_database(s, job);
		}
		status = import_job(s, job, true, &db);
	} while (status > 0);
	return db;
}

int job_run_compat(struct job_run *s, const struct mp_job *job, struct mp_error *err)
{
	const char *wanted = s->options->values[OPTION_COMPAT_DB];
	const char *why = job->family != MP_FAMILY_PROF           ? "only PROF directories have such databases"
			  : options_has(s->options, OPTION_CLEAR) ? "--clear removes the database that they must fit"
								  : NULL;
	const struct mp_wait wait = job_run_wait(s);
	struct mp_db_compat done;
	struct mp_db *db;
	int64_t bytes;
	int status;

	if (!wanted || s->said.compat || !mp_job_db_exists(job))
		return 0;
	s->said.compat = true;
	if (why) {
		if (!wanted[0]) /* the user asked */
			message_warning("'%s': --compat-db has no effect: %s", job->path, why);
		return 0;
	}
	if (mp_job_db_open(&db, job, s->plain, err)) /* that of the command may have what the user chose alone */
		return -1;
	status = mp_db_size(db, &bytes, err);
	budget_database_begin(status ? 0 : bytes);
	status = status || mp_db_compat(db, job, &wait, interrupt_removes, &done, err) ? -1 : 0;
	budget_database_end();
	mp_db_close(db);
	if (!status && done.written)
		message_info(s->options, "wrote %lld database%s for other tools into directories 'sqlite' of '%s'",
		    (long long)done.written, done.written == 1 ? "" : "s", job->exports.path);
	if (!status && done.kept)
		message_warning("'%s': %lld database%s of another tool stay%s in directories 'sqlite'",
		    job->exports.path, (long long)done.kept, done.kept == 1 ? "" : "s", done.kept == 1 ? "s" : "");
	return status;
}

int job_run_facts(struct job_run *s, struct mp_db *db, struct facts *facts, struct mp_error *err)
{
	const char *style = s->options->values[OPTION_STYLE];
	char value[16];

	if (mp_job_db_meta(db, "family", facts->family, sizeof(facts->family), err) ||
	    mp_job_db_meta(db, "inference", value, sizeof(value), err))
		return -1;
	if (!style) /* Ascend data has the names and titles of its generation */
		style = strcmp(facts->family, mp_family_name(MP_FAMILY_SVP)) == 0 ? "guide" : "vendor";
	facts->style = strcmp(style, "vendor") == 0 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT;
	facts->inference = strcmp(value, "0") != 0;
	return 0;
}

int job_run_choose(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const struct options *o = s->options;
	char dir[DIR_WORD_MAX];
	const bool chosen = options_has(o, OPTION_MODEL_ID) || options_has(o, OPTION_ITERATION_ID) ||
			    options_has(o, OPTION_ITERATION_COUNT) || options_has(o, OPTION_PICTURE);
	const bool every = s->wants.every_iteration && !options_has(o, OPTION_ITERATION_ID);
	const char *style = o->values[OPTION_STYLE], *format = o->values[OPTION_FORMAT];
	const struct mp_choice choice = {.job = job->name,
	    .label = job->label[0] ? job->label : NULL,
	    .dir = dir_word(dir, job->path),
	    .model_id = options_number(o, OPTION_MODEL_ID),
	    .iteration_id = every ? 0 : options_number(o, OPTION_ITERATION_ID),
	    .iteration_count = every ? INT64_MAX : options_number(o, OPTION_ITERATION_COUNT),
	    .chosen = chosen,
	    .step = options_has(o, OPTION_PICTURE)        ? options_number(o, OPTION_PICTURE)
		    : options_has(o, OPTION_ITERATION_ID) ? options_number(o, OPTION_ITERATION_ID)
							  : -1,
	    .each_step = chosen || options_has(o, OPTION_EACH) || options_has(o, OPTION_FILES) ||
			 options_has(o, OPTION_TABLE) || (format && strcmp(format, "table") != 0) ||
			 (style && strcmp(style, "vendor") == 0),
	    .grouping = options_has(o, OPTION_BY) ? o->values[OPTION_BY] : option_row(OPTION_BY)->standard};

	return mp_db_choose(db, &choice, err);
}

/* Add "NAME (ID), " or "ID, " to a list, as long as there is room. */
static void add_model(char *list, size_t size, const struct mp_query *q)
{
	const struct mp_value name = mp_query_value(q, 1);
	const size_t used = strlen(list);
	char item[160];
	int len = name.type == MP_TEXT
		      ? snprintf(item, sizeof(item), "%s%.*s (%lld)", used ? ", " : "", (int)name.len, name.text,
			    (long long)mp_query_int(q, 0))
		      : snprintf(item, sizeof(item), "%s%lld", used ? ", " : "", (long long)mp_query_int(q, 0));

	if (len < (int)sizeof(item) && used + (size_t)len < size)
		memcpy(list + used, item, (size_t)len + 1);
}

int job_run_check_model(struct job_run *s, struct mp_db *db, const char *family, struct mp_error *err)
{
	const int64_t wanted = options_number(s->options, OPTION_MODEL_ID);
	char path[64], models[400] = "";
	bool found = false;
	struct mp_query *q;
	const char *sql;
	int status;

	snprintf(path, sizeof(path), "insight/scripts/%s_models.sql", family);
	sql = mp_schema_text(path);
	if (!options_has(s->options, OPTION_MODEL_ID) || !sql)
		return 0; /* data before 2022 tells no models */
	if (mp_query_open(&q, db, sql, strlen(sql), err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		found = found || mp_query_int(q, 0) == wanted;
		add_model(models, sizeof(models), q);
	}
	mp_query_close(q);
	if (status || found)
		return status;
	return mp_fail(err, "model %lld not found; %s%s", (long long)wanted,
	    models[0] ? "models: " : "this data names none", models);
}
