/* reference.c: reads all references of a job, in order of name. Knows no format of files. */
#include "learn/reference.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/schema.h"
#include "learn/reference_internal.h"

void mp_references_free(struct mp_references *refs)
{
	for (size_t i = 0; i < refs->count; i++) {
		free(refs->items[i].columns);
		free(refs->items[i].cells);
	}
	for (size_t i = 0; i < refs->refused_count; i++)
		free(refs->refused[i]);
	free(refs->items);
	free(refs->refused);
	mp_texts_free(refs->memory);
	memset(refs, 0, sizeof(*refs));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct mp_reference *)a)->name, ((const struct mp_reference *)b)->name);
}

/* Read what lies in the usual places of a job. */
static int read_job(struct mp_reading *r, const struct mp_job *job, struct mp_error *err)
{
	static const char *const places[] = {"sqlite", "summary", "timeline"};
	struct stat own;

	if (fstatat(job->dirfd, "sqlite/msprof.db", &own, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(own.st_mode)) {
		r->has_own = true;
		r->own_time = own.st_mtim;
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (faccessat(job->dirfd, places[i], F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
		    mp_reading_below(r, job->dirfd, places[i], err))
			return -1;
	return 0;
}

static int read_all(
    struct mp_reading *r, const struct mp_job *job, const char *const *from, size_t from_count, struct mp_error *err)
{
	static const char path[] = "learn/titles.txt";

	r->texts = mp_texts_create();
	r->refs->memory = r->texts;
	if (!r->texts)
		return mp_reading_no_memory(r, err);
	if (mp_titles_parse(&r->titles, path, mp_schema_text(path), err))
		return -1;
	if (!from_count)
		return read_job(r, job, err);
	for (size_t i = 0; i < from_count; i++)
		if (mp_reading_path(r, from[i], err))
			return -1;
	return 0;
}

int mp_references_read(struct mp_references *refs, const struct mp_job *job, const char *const *from, size_t from_count,
    struct mp_error *err)
{
	struct mp_reading r = {.refs = refs};
	int status;

	memset(refs, 0, sizeof(*refs));
	status = read_all(&r, job, from, from_count, err);
	mp_tables_drop(&r);
	mp_titles_free(&r.titles);
	if (status)
		mp_references_free(refs);
	else if (refs->count)
		qsort(refs->items, refs->count, sizeof(*refs->items), compare_names);
	return status;
}
