/* reference_find.c: finds the files of references, and reads each by its extension, in order of name. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "learn/reference_internal.h"

enum { PATH_SIZE = 4096 };

static bool ends_with(const char *name, const char *extension)
{
	const char *dot = strrchr(name, '.');

	return dot && strcasecmp(dot, extension) == 0;
}

static int is_table(const struct dirent *entry)
{
	const char *name = entry->d_name;

	return ends_with(name, ".csv") || ends_with(name, ".tsv") || ends_with(name, ".json");
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Read `size` bytes of a file, and the cells in them. */
static int read_text(struct mp_reading *r, int fd, const char *path, size_t size, struct mp_error *err)
{
	char *text = r->table.text = malloc(size + 1);
	size_t at = 0;

	if (!text)
		return mp_reading_no_memory(r, err);
	while (at < size) {
		ssize_t n = pread(fd, text + at, size - at, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? mp_fail_errno(err, "cannot read it") : mp_fail(err, "it became shorter");
		at += (size_t)n;
	}
	text[size] = '\0';
	r->byte_count += size;
	if (memchr(text, '\0', size))
		return mp_fail(err, "it has NUL bytes: it is not a text");
	return ends_with(path, ".json") ? mp_json_read(r, size, err)
					: mp_csv_read(r, size, ends_with(path, ".tsv"), err);
}

static int read_file(struct mp_reading *r, const char *path, struct mp_error *err)
{
	int fd = mp_fd_keep(open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)), status;
	struct stat st;

	if (fd < 0)
		return errno == ELOOP ? mp_fail(err, "it is a link, which is not followed")
				      : mp_fail_errno(err, "cannot open it");
	if (fstat(fd, &st))
		status = mp_fail_errno(err, "cannot read it");
	else if (!S_ISREG(st.st_mode))
		status = mp_fail(err, "it is not a regular file");
	else if (st.st_size > (off_t)(MP_REFERENCE_SIZE_MAX - r->byte_count))
		status = mp_fail(err, "the tables have more than %d MiB", MP_REFERENCE_SIZE_MAX >> 20);
	else
		status = read_text(r, fd, path, (size_t)st.st_size, err);
	close(fd); /* read only: nothing to lose */
	return status;
}

/*
 * Returns whether a table in the directory of a job is newer than the job's database, as our exports are: the board's
 * tool came before.
 */
static bool is_ours(const char *path)
{
	struct stat st, own;
	char database[PATH_SIZE];

	snprintf(database, sizeof(database), "%.*s/../sqlite/msprof.db", (int)(strrchr(path, '/') - path), path);
	if (lstat(database, &own) || !S_ISREG(own.st_mode) || lstat(path, &st))
		return false;
	return st.st_mtim.tv_sec != own.st_mtim.tv_sec ? st.st_mtim.tv_sec > own.st_mtim.tv_sec
						       : st.st_mtim.tv_nsec >= own.st_mtim.tv_nsec;
}

/* Read a reference, or refuse it: then it leaves nothing behind. A job's files are named as they lie below the job. */
static int take_file(struct mp_reading *r, const char *path, bool is_named, struct mp_error *err)
{
	const char *label = path + r->label_at;
	struct mp_error why = {""};
	struct stat st;

	if (r->file_count++ >= MP_REFERENCE_FILES)
		mp_error_set(&why, "there are more than %d files", MP_REFERENCE_FILES);
	else if (!is_named && (lstat(path, &st) || !S_ISREG(st.st_mode)))
		mp_error_set(&why, "it is not a regular file");
	else if (!is_named && is_ours(path)) {
		mp_error_set(
		    &why, "it is newer than msprof.db, as our own exports are; name it with --from if it is not ours");
		r->refs->own_count++;
	} else if (read_file(r, path, &why) == 0 && mp_reading_keep(r, label, is_named, &why) == 0)
		return 0;
	mp_table_free(&r->table);
	if (r->no_memory)
		return mp_fail(err, "%s", why.text);
	return why.text[0] ? mp_references_refuse(r->refs, err, "'%s' is not a reference: %s", label, why.text) : 0;
}

/* Read the tables in a directory, in order of name; and in the directory of tables of a job. */
static int take_directory(struct mp_reading *r, const char *path, struct mp_error *err)
{
	struct dirent **entries;
	struct stat st;
	char below[PATH_SIZE];
	int count = scandir(path, &entries, is_table, compare_entries), status = 0;

	if (count < 0)
		return errno == ENOMEM
			   ? mp_reading_no_memory(r, err)
			   : mp_references_refuse(r->refs, err, "cannot list '%s': %s", path, strerror(errno));
	for (int i = 0; i < count; i++) {
		snprintf(below, sizeof(below), "%s/%s", path, entries[i]->d_name);
		if (!status)
			status = take_file(r, below, false, err);
		free(entries[i]);
	}
	free(entries);
	snprintf(below, sizeof(below), "%s/summary", path);
	return status || lstat(below, &st) || !S_ISDIR(st.st_mode) ? status : take_directory(r, below, err);
}

/* Read the table `path`, or those of that directory, and refuse others. */
static int take(struct mp_reading *r, const char *path, struct mp_error *err)
{
	size_t before = r->file_count;
	struct stat st;

	if (lstat(path, &st))
		return r->label_at && errno == ENOENT
			   ? 0 /* a job without tables */
			   : mp_references_refuse(r->refs, err, "cannot open '%s': %s", path, strerror(errno));
	if (strlen(path) > PATH_SIZE - 512)
		return mp_references_refuse(r->refs, err, "'%s' is too long a path", path);
	if (S_ISDIR(st.st_mode)) {
		if (take_directory(r, path, err))
			return -1;
		return r->label_at || r->file_count > before
			   ? 0
			   : mp_references_refuse(r->refs, err, "'%s' has no .csv, .tsv or .json file", path);
	}
	if (!ends_with(path, ".csv") && !ends_with(path, ".tsv") && !ends_with(path, ".json"))
		return mp_references_refuse(
		    r->refs, err, "'%s' is not a reference: it is not .csv, .tsv or .json", path);
	return take_file(r, path, true, err);
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
	struct mp_reading r = {.refs = refs};
	char tables[PATH_SIZE];
	int status = 0;

	memset(refs, 0, sizeof(*refs));
	for (size_t i = 0; i < from_count && !status; i++)
		status = take(&r, from[i], err);
	if (!from_count) {
		snprintf(tables, sizeof(tables), "%s/summary", job->path);
		r.label_at = strlen(job->path) + 1;
		status = take(&r, tables, err);
	}
	mp_table_free(&r.table);
	if (status)
		mp_references_free(refs);
	else if (refs->count)
		qsort(refs->items, refs->count, sizeof(*refs->items), compare_names);
	return status;
}
