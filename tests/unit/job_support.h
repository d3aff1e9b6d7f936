/* job_support.h: a JOB directory that a test fills and opens. */
#ifndef MP_TESTS_JOB_SUPPORT_H
#define MP_TESTS_JOB_SUPPORT_H

#include "support.h"

#include "raw/job.h"

/* info.json.0 of the three chips, as their library writes it */
#define INFO_SS928 "{\"DeviceInfo\": [{\"aic_frequency\": \"700\"}]}"
#define INFO_DV500 "{\"DeviceInfo\": [{\"aic_frequency\": \"700\"},{\"magic_num\": \"6A6A\"}]}"
#define INFO_CV610                                                                                                     \
	"{\"DeviceInfo\": [{\"aic_frequency\": \"700\"},{\"soc_version\": \"V200\"},{\"aicore_type\": \"0\"}]}"

struct job_test {
	struct mp_layouts layouts;
	struct mp_job *job;
	struct mp_error err;
	char *dir;  /* the job */
	char *data; /* DIR/data */
};

static inline int job_setup(void **state)
{
	struct job_test *t = calloc(1, sizeof(*t));

	load_embedded(&t->layouts);
	t->dir = temp_dir();
	t->data = strdup(below(t->dir, "data"));
	if (mkdir(t->data, 0700))
		return -1;
	write_text(t->dir, "info.json.0", INFO_SS928);
	*state = t;
	return 0;
}

static inline int job_teardown(void **state)
{
	struct job_test *t = *state;

	mp_job_close(t->job);
	mp_layouts_free(&t->layouts);
	remove_dir(t->dir);
	free(t->data);
	free(t);
	return 0;
}

static inline void job_open(struct job_test *t)
{
	mp_job_close(t->job);
	t->job = NULL;
	assert_ok(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err);
}

static inline void add_raw(struct job_test *t, const char *name)
{
	write_text(t->data, name, "");
}

static inline const struct mp_job_file *file_named(const struct job_test *t, const char *name)
{
	for (size_t i = 0; i < t->job->file_count; i++)
		if (strcmp(t->job->files[i].name, name) == 0)
			return &t->job->files[i];
	fail_msg("no file '%s'", name);
	return NULL;
}

#endif
