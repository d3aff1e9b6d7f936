/* reference_find.c: finds the files of references below directories, and reads each by its extension. */
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
#include "learn/memory.h"
#include "learn/reference_internal.h"

enum { DEPTH_MAX = 3 };

enum format { FORMAT_NONE, FORMAT_CSV, FORMAT_TSV, FORMAT_JSON, FORMAT_SQLITE };

static enum format format_of(const char *name)
{
	static const struct {
		const char *extension;
		enum format format;
	} formats[] = {{".csv", FORMAT_CSV}, {".tsv", FORMAT_TSV}, {".json", FORMAT_JSON}, {".db", FORMAT_SQLITE},
	    {".sqlite", FORMAT_SQLITE}};
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcasecmp(dot, formats[i].extension) == 0)
			return formats[i].format;
	return FORMAT_NONE;
}

/* Read `size` bytes of a file. The text gets a NUL behind them; the caller frees it. */
static int read_bytes(struct mp_reading *r, int fd, size_t size, char **text, struct mp_error *err)
{
	size_t at = 0;

	*text = mp_learn_malloc(size + 1);
	if (!*text)
		return mp_reading_no_memory(r, err);
	while (at < size) {
		ssize_t n = pread(fd, *text + at, size - at, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? mp_fail_errno(err, "cannot read it") : mp_fail(err, "it became shorter");
		at += (size_t)n;
	}
	(*text)[size] = '\0';
	return 0;
}

/* Read a file of text. */
static int read_text(struct mp_reading *r, int fd, size_t size, enum format format, struct mp_error *err)
{
	char *text = NULL;
	int status = read_bytes(r, fd, size, &text, err);

	if (!status && format == FORMAT_JSON)
		status = mp_json_read(r, text, size, err);
	else if (!status)
		status = mp_csv_read(r, text, size, format == FORMAT_TSV, err);
	free(text);
	return status;
}

static int read_file(struct mp_reading *r, int dirfd, const char *name, enum format format, struct mp_error *err)
{
	int fd = mp_fd_keep(openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
	struct stat st;
	int status = 0;

	if (fd < 0)
		return mp_fail_errno(err, "cannot open it");
	if (fstat(fd, &st))
		status = mp_fail_errno(err, "cannot read it");
	else if (!S_ISREG(st.st_mode))
		status = mp_fail(err, "it is not a regular file");
	else if (st.st_size > MP_REFERENCE_FILE_MAX)
		status = mp_fail(err, "it has more than %d MiB", MP_REFERENCE_FILE_MAX >> 20);
	else if (format != FORMAT_SQLITE)
		status = read_text(r, fd, (size_t)st.st_size, format, err);
	close(fd); /* read only: nothing to lose */
	return status || format != FORMAT_SQLITE ? status : mp_sqlite_read(r, dirfd, name, err);
}

/* Returns whether a table of the job was written after our database, as our exports are: the board's tool came before.
 */
static bool is_later(const struct mp_reading *r, int dirfd, const char *name)
{
	struct stat st;

	if (!r->has_own || strcmp(name, "msprof.db") == 0 || fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return false;
	return st.st_mtim.tv_sec != r->own_time.tv_sec ? st.st_mtim.tv_sec > r->own_time.tv_sec
						       : st.st_mtim.tv_nsec >= r->own_time.tv_nsec;
}

/* Read a reference, or refuse it: then it leaves nothing behind. */
static int take_file(struct mp_reading *r, int dirfd, const char *name, const char *label, struct mp_error *err)
{
	struct mp_texts_mark mark = mp_texts_mark(r->texts);
	size_t cells = r->cell_count;
	struct mp_error why = {""};

	if (r->file_count++ >= MP_REFERENCE_FILES) {
		if (r->file_count > MP_REFERENCE_FILES + 1)
			return 0;
		return mp_reading_refuse(r, err, "there are more than %d files: '%s' and later ones are not read",
		    MP_REFERENCE_FILES, label);
	}
	if (is_later(r, dirfd, name))
		return mp_reading_refuse(r, err,
		    "'%s' is not a reference: it is newer than msprof.db, as our own exports are; use --from if it is not ours",
		    label);
	r->file = label;
	if (read_file(r, dirfd, name, format_of(name), &why) == 0)
		return mp_tables_finish(r, err);
	if (r->no_memory) {
		*err = why;
		return -1;
	}
	mp_tables_drop(r);
	mp_texts_return(r->texts, mark);
	r->cell_count = cells;
	if (strstr(why.text, label)) /* as in errors of databases */
		return mp_reading_refuse(r, err, "%s", why.text);
	return mp_reading_refuse(r, err, "'%s' is not a reference: %s", label, why.text);
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int compare_entries(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

struct names {
	char **items;
	size_t count, room;
};

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->items[i]);
	free(names->items);
}

static bool add_name(struct names *names, const char *name)
{
	if (names->count == names->room) {
		size_t room = names->room ? 2 * names->room : 64;
		char **more = mp_learn_realloc(names->items, room * sizeof(*more));

		if (!more)
			return false;
		names->items = more;
		names->room = room;
	}
	names->items[names->count] = strdup(name);
	return names->items[names->count] && ++names->count;
}

/* List a directory in order of name, and close it. */
static int list_directory(struct mp_reading *r, int fd, const char *label, struct names *names, struct mp_error *err)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	int status = 0;

	if (!dir) {
		status = errno == ENOMEM ? mp_reading_no_memory(r, err) : mp_fail_errno(err, "cannot list '%s'", label);
		close(fd); /* read only: nothing to lose */
		return status;
	}
	errno = 0;
	while (!status && (entry = readdir(dir))) {
		if (is_entry(entry) && !add_name(names, entry->d_name))
			status = mp_reading_no_memory(r, err);
		errno = 0;
	}
	if (!status && errno)
		status = mp_fail_errno(err, "cannot list '%s'", label);
	closedir(dir);
	if (names->count)
		qsort(names->items, names->count, sizeof(*names->items), compare_entries);
	return status;
}

static int take_directory(
    struct mp_reading *r, int dirfd, const char *name, const char *label, int depth, struct mp_error *err);

/* Take a file with a known extension, or a directory that is not too deep. Links and all others are passed over. */
static int take_entry(
    struct mp_reading *r, int dirfd, const char *name, const char *above, int depth, struct mp_error *err)
{
	size_t size = strlen(above) + strlen(name) + 2;
	char *label;
	struct stat st;
	int status = 0;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW)) {
		if (errno == ENOENT)
			return 0; /* it is gone */
		return mp_reading_refuse(r, err, "cannot look at '%s/%s': %s", above, name, strerror(errno));
	}
	label = mp_learn_malloc(size);
	if (!label)
		return mp_reading_no_memory(r, err);
	snprintf(label, size, "%s%s%s", above, above[0] && above[strlen(above) - 1] == '/' ? "" : "/", name);
	if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX)
		status = take_directory(r, dirfd, name, label, depth + 1, err);
	else if (S_ISREG(st.st_mode) && format_of(name) != FORMAT_NONE)
		status = take_file(r, dirfd, name, label, err);
	free(label);
	return status;
}

static int take_directory(
    struct mp_reading *r, int dirfd, const char *name, const char *label, int depth, struct mp_error *err)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), status = 0, listed;
	struct names names = {NULL, 0, 0};
	struct mp_error why = {""};

	if (fd < 0)
		return mp_reading_refuse(r, err, "cannot open '%s': %s", label, strerror(errno));
	listed = mp_fd_keep(fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
	if (listed < 0)
		status = mp_reading_refuse(r, err, "cannot open '%s': %s", label, strerror(errno));
	else if (list_directory(r, listed, label, &names, &why))
		status = r->no_memory ? mp_fail(err, "%s", why.text) : mp_reading_refuse(r, err, "%s", why.text);
	for (size_t i = 0; !status && i < names.count; i++)
		status = take_entry(r, fd, names.items[i], label, depth, err);
	free_names(&names);
	close(fd); /* read only: nothing to lose */
	return status;
}

int mp_reading_below(struct mp_reading *r, int dirfd, const char *name, struct mp_error *err)
{
	return take_directory(r, dirfd, name, name, 1, err);
}

int mp_reading_path(struct mp_reading *r, const char *path, struct mp_error *err)
{
	struct stat st;

	if (lstat(path, &st))
		return mp_reading_refuse(r, err, "cannot open '%s': %s", path, strerror(errno));
	if (S_ISLNK(st.st_mode))
		return mp_reading_refuse(r, err, "'%s' is a link: it is not followed", path);
	if (S_ISDIR(st.st_mode))
		return mp_reading_below(r, AT_FDCWD, path, err);
	if (format_of(path) == FORMAT_NONE)
		return mp_reading_refuse(
		    r, err, "'%s' is not a reference: it is not .csv, .tsv, .json, .db or .sqlite", path);
	return take_file(r, AT_FDCWD, path, path, err);
}
