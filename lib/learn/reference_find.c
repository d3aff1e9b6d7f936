/* reference_find.c: finds the files of references, and reads each by its extension, in order of name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/door.h"
#include "learn/reference_internal.h"

enum { PATH_SIZE = 4096 };

static bool ends_with(const char *name, const char *extension)
{
	const char *dot = strrchr(name, '.');

	return dot && strcasecmp(dot, extension) == 0;
}

static bool is_table(const void *user, const char *name)
{
	(void)user;
	return ends_with(name, ".csv") || ends_with(name, ".tsv") || ends_with(name, ".json");
}

/* Read `size` bytes of a file, and the cells in them. */
static int read_text(struct mp_reading *r, int fd, const char *path, size_t size, struct mp_error *err)
{
	char *text = r->table.text = malloc(size + 1);
	ssize_t n;

	if (!text)
		return mp_fail_memory(err, "references");
	n = mp_file_read(fd, text, size, 0);
	if (n < (ssize_t)size)
		return n < 0 ? mp_fail_errno(err, "cannot read it") : mp_fail(err, "it became shorter");
	text[size] = '\0';
	r->byte_count += size;
	if (mp_recode(r, &size, err))
		return -1;
	if (memchr(r->table.text, '\0', size))
		return mp_fail(err, "it has NUL bytes: it is not a text");
	return ends_with(path, ".json") ? mp_json_read(r, size, err)
					: mp_csv_read(r, size, ends_with(path, ".tsv"), err);
}

static int read_file(struct mp_reading *r, int dirfd, const char *name, struct mp_error *err)
{
	struct stat st;
	int fd = mp_dir_open_file(dirfd, name, &st), status;

	if (fd < 0)
		return errno == ELOOP    ? mp_fail(err, "it is a link, which is not followed")
		       : errno == EINVAL ? mp_fail(err, "it is not a regular file")
					 : mp_fail_errno(err, "cannot open it");
	if (st.st_size > (off_t)(MP_REFERENCE_SIZE_MAX - r->byte_count))
		status = mp_fail(err, "the tables have more than %d MiB", MP_REFERENCE_SIZE_MAX >> 20);
	else
		status = read_text(r, fd, name, (size_t)st.st_size, err);
	close(fd); /* read only: nothing to lose */
	return status;
}

/* Read a reference, or refuse it: then it leaves nothing behind. A job's files are named as they lie below the job. */
static int take_file(
    struct mp_reading *r, int dirfd, const char *name, const char *path, bool is_named, struct mp_error *err)
{
	const char *label = path + r->label_at;
	struct mp_error why = {.text = ""};
	struct stat st;

	if (r->file_count++ >= MP_REFERENCE_FILES)
		mp_error_set(&why, "there are more than %d files", MP_REFERENCE_FILES);
	else if (!is_named && (mp_dir_look(dirfd, name, &st) || !S_ISREG(st.st_mode)))
		mp_error_set(&why, "it is not a regular file");
	else if (!is_named && mp_made_here(&r->made, dirfd, name)) {
		mp_error_set(&why, "msprof export made it; name it with --from if another tool did");
		r->refs->own_count++;
	} else if (read_file(r, dirfd, name, &why) == 0 && mp_reading_keep(r, label, is_named, &why) == 0)
		return 0;
	mp_table_free(&r->table);
	if (why.kind == MP_ERROR_MEMORY)
		return mp_fail_because(err, &why, "%s", why.text);
	return why.text[0] ? mp_references_refuse(r->refs, err, "'%s' is not a reference: %s", label, why.text) : 0;
}

/* Read the tables in a directory, in order of name; and in the directory of tables of a job. */
static int take_directory(struct mp_reading *r, int dirfd, const char *path, struct mp_error *err)
{
	char below[PATH_SIZE];
	struct mp_dir_names names;
	struct mp_error why;
	int status = mp_dir_list(&names, dirfd, is_table, NULL, path, &why), summary;
	struct stat st;

	if (status)
		status = mp_references_refuse(r->refs, err, "%s", why.text);
	mp_made_free(&r->made);
	if (!status)
		status = mp_made_read(&r->made, dirfd, err);
	for (size_t i = 0; !status && i < names.count; i++) {
		snprintf(below, sizeof(below), "%s/%s", path, names.items[i]);
		status = take_file(r, dirfd, names.items[i], below, false, err);
	}
	mp_dir_names_free(&names);
	if (status || mp_dir_look(dirfd, "summary", &st) || !S_ISDIR(st.st_mode))
		return status;
	snprintf(below, sizeof(below), "%s/summary", path);
	summary = mp_dir_open(dirfd, "summary", below, &why);
	if (summary < 0)
		return mp_references_refuse(r->refs, err, "%s", why.text);
	status = take_directory(r, summary, below, err);
	close(summary); /* read only: nothing to lose */
	return status;
}

/* Read the table NAME, or those of that directory, and refuse others. */
static int take(struct mp_reading *r, int dirfd, const char *name, const char *path, struct mp_error *err)
{
	size_t before = r->file_count;
	struct mp_error why;
	struct stat st;
	int fd, status;

	if (mp_dir_look(dirfd, name, &st))
		return r->label_at && errno == ENOENT
			   ? 0 /* a job without tables */
			   : mp_references_refuse(r->refs, err, "cannot open '%s': %s", path, strerror(errno));
	if (strlen(path) > PATH_SIZE - 512)
		return mp_references_refuse(r->refs, err, "'%s' is too long a path", path);
	if (S_ISDIR(st.st_mode)) {
		fd = mp_dir_open(dirfd, name, path, &why);
		if (fd < 0)
			return mp_references_refuse(r->refs, err, "%s", why.text);
		status = take_directory(r, fd, path, err);
		close(fd); /* read only: nothing to lose */
		return status || r->label_at || r->file_count > before
			   ? status
			   : mp_references_refuse(r->refs, err, "'%s' has no .csv, .tsv or .json file", path);
	}
	if (!ends_with(path, ".csv") && !ends_with(path, ".tsv") && !ends_with(path, ".json") &&
	    !ends_with(path, ".txt"))
		return mp_references_refuse(
		    r->refs, err, "'%s' is not a reference: it is not .csv, .tsv, .json or .txt", path);
	return take_file(r, dirfd, name, path, true, err);
}

void mp_references_free(struct mp_references *refs)
{
	for (size_t i = 0; i < refs->count; i++)
		mp_table_free(&refs->items[i]);
	for (size_t i = 0; i < refs->refused_count; i++)
		free(refs->refused[i]);
	free(refs->items);
	free(refs->refused);
	memset(refs, 0, sizeof(*refs));
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct mp_table *)a)->name, ((const struct mp_table *)b)->name);
}

int mp_references_read(struct mp_references *refs, const struct mp_job *job, const char *const *from, size_t from_count,
    struct mp_error *err)
{
	struct mp_reading r = {.refs = refs, .gbk = iconv_open("UTF-8", "GB18030")};
	char tables[PATH_SIZE];
	int status = 0;

	memset(refs, 0, sizeof(*refs));
	for (size_t i = 0; i < from_count && !status; i++)
		status = take(&r, AT_FDCWD, from[i], from[i], err);
	if (!from_count) {
		snprintf(tables, sizeof(tables), "%s/summary", job->path);
		r.label_at = strlen(job->path) + 1;
		status = take(&r, job->dirfd, "summary", tables, err);
	}
	mp_table_free(&r.table);
	mp_made_free(&r.made);
	if (r.gbk != (iconv_t)-1)
		iconv_close(r.gbk); /* nothing is pending in it */
	if (status)
		mp_references_free(refs);
	else if (refs->count)
		qsort(refs->items, refs->count, sizeof(*refs->items), compare_names);
	return status;
}
