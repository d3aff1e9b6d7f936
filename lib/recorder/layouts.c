/* layouts.c: reads the layouts of the records that a recorder writes, for each format when it is first asked for. */
#include <pthread.h>
#include <string.h>

#include "base/schema.h"
#include "raw/layout.h"
#include "recorder/session.h"

/* The layouts of the records of each format, read once and constant afterwards. */
static struct {
	pthread_once_t once;
	int status;
	struct mp_error err;
	struct mp_layouts set;
} forms[] = {[MP_FORMAT_JOB] = {.once = PTHREAD_ONCE_INIT}, [MP_FORMAT_PROF] = {.once = PTHREAD_ONCE_INIT}};

static bool is_record(const char *path, enum mp_session_format format)
{
	bool is_of_boards = strncmp(path, "records/svp", 11) == 0;

	return strncmp(path, "records/", 8) == 0 && is_of_boards == (format == MP_FORMAT_JOB);
}

static void load(enum mp_session_format format)
{
	struct mp_layouts *set = &forms[format].set;
	int status = 0;

	for (const struct mp_schema_file *f = mp_schema_files; !status && f->path; f++)
		if (is_record(f->path, format))
			status = mp_layouts_parse(set, f->path, f->text, &forms[format].err);
	forms[format].status = status || mp_layouts_finish(set, &forms[format].err) ? -1 : 0;
}

static void load_job(void)
{
	load(MP_FORMAT_JOB);
}

static void load_prof(void)
{
	load(MP_FORMAT_PROF);
}

const struct mp_layouts *mp_session_layouts(enum mp_session_format format, struct mp_error *err)
{
	pthread_once(&forms[format].once, format == MP_FORMAT_JOB ? load_job : load_prof);
	if (!forms[format].status)
		return &forms[format].set;
	mp_error_set(err, "%s", forms[format].err.text);
	return NULL;
}
