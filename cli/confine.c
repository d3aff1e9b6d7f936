/* confine.c: lists the places that the sandbox allows: those of options, and what SQLite and the C library open. And
 * reads the umask, which decides who can read the files of other programs in a job. */
#include "process.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/sandbox.h"
#include "command.h"
#include "raw/job.h"

enum { PLACES_MAX = 3 * (OPTION_COUNT + 2) + OPTION_LIST_MAX };

/* The places to allow, and their paths, which this owns: a process is confined once, and the stack is small. */
static struct {
	struct mp_sandbox_place items[PLACES_MAX];
	size_t count;
	bool failed;
} places;

/*
 * The directory of temporary files. A board with a root that is read-only has none: then `beside`, where the results
 * go, is made the first of the list.
 */
static const char *temporary(const char *beside)
{
	const char *dir = mp_dir_temporary();

	if (dir)
		return dir;
	if (beside && setenv("SQLITE_TMPDIR", beside, 1) == 0)
		return beside;
	return ".";
}

/* Allow a place, whose path is copied. */
static void allow(const char *path, enum mp_reach reach)
{
	char *copy = places.count < PLACES_MAX ? strdup(path) : NULL;

	if (copy)
		places.items[places.count++] = (struct mp_sandbox_place){copy, reach};
	else
		places.failed = true;
}

/* What the recorder wrote beside a JOB, where a recovery writes, too. */
static void allow_beside(const char *job, const char *name)
{
	char path[PATH_MAX + sizeof(MP_JOB_BESIDE)];
	struct stat st;

	snprintf(path, sizeof(path), "%.*s" MP_JOB_BESIDE "%s", (int)(name - job), job, name);
	if (lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
		allow(path, MP_REACH_WRITE);
}

/* A device or host directory of a PROF directory is read together with the host directory. */
static void allow_siblings(const char *dir)
{
	char path[PATH_MAX + 8];
	char *slash = realpath(dir, path) ? strrchr(path, '/') : NULL;

	if (slash && strncmp(slash + 1, "JOB", 3) == 0)
		allow_beside(path, slash + 1);
	if (!slash || slash == path || (strcmp(slash + 1, "host") != 0 && strncmp(slash + 1, "device_", 7) != 0))
		return;
	*slash = '\0';
	allow(path, MP_REACH_LIST);
	snprintf(slash, sizeof(path) - (size_t)(slash - path), "/host");
	allow(path, MP_REACH_READ);
}

/* The directory of a file that is written. */
static const char *directory_of(const char *file, char path[PATH_MAX])
{
	char *slash;

	snprintf(path, PATH_MAX, "%s", file);
	slash = strrchr(path, '/');
	if (!slash)
		return ".";
	slash[slash == path] = '\0';
	return path;
}

/* A directory, or the nearest one above it that exists: missing ones are made there. */
static const char *nearest(const char *dir, char path[PATH_MAX])
{
	struct stat st;

	snprintf(path, PATH_MAX, "%s", dir);
	while (stat(path, &st) != 0) {
		char *slash = strrchr(path, '/');

		if (!slash || slash == path)
			return slash ? "/" : ".";
		*slash = '\0';
	}
	return path;
}

/* Allow what is done with a path. */
static void allow_use(const char *path, enum path_use use)
{
	char buffer[PATH_MAX];
	struct stat st;

	switch (use) {
	case PATH_READ:
		allow(path, MP_REACH_READ);
		break;
	case PATH_DATA:
		allow(path, stat(path, &st) == 0 && S_ISDIR(st.st_mode) ? MP_REACH_WRITE : MP_REACH_READ);
		allow_siblings(path);
		break;
	case PATH_WRITE_FILE:
		allow(directory_of(path, buffer), MP_REACH_WRITE);
		break;
	case PATH_WRITE_BELOW:
		allow(nearest(path, buffer), MP_REACH_WRITE);
		break;
	case PATH_BEFORE:
		break;
	}
}

/* Allow the places that options name, and those of words that are no options. */
static void allow_options(const struct options *options)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_row *row = option_row(id);
		const struct option_list *list = options_list(options, id);

		if (row->type != VALUE_FILE && row->type != VALUE_DIRECTORY)
			continue;
		for (size_t i = 0; list && i < list->count; i++)
			allow_use(list->items[i], row->use);
		if (!list && options->values[id])
			allow_use(options->values[id], row->use);
	}
	for (size_t i = 0; i < options->sides.count; i++)
		allow_use(options->sides.items[i], PATH_DATA);
}

static int enter(const struct options *options, unsigned may, struct mp_error *err)
{
	static pid_t entered; /* the process that did */
	const char *to =
	    options->values[OPTION_OUTPUT] ? options->values[OPTION_OUTPUT] : options->values[OPTION_ELSEWHERE];
	char output[PATH_MAX];
	const char *scratch;
	int status;

	if (entered == getpid())
		return 0;
	scratch = temporary(to ? nearest(to, output) : options->values[OPTION_DIR]);
	allow(scratch, MP_REACH_TEMPORARY);
	allow("/dev/urandom", MP_REACH_READ);
	allow_options(options);
	tzset(); /* the time zone is a file */
	status =
	    places.failed ? mp_fail_memory(err, "the sandbox") : mp_sandbox_enter(places.items, places.count, may, err);
	while (places.count)
		free((char *)places.items[--places.count].path);
	if (status >= 0)
		entered = getpid();
	return status < 0 ? -1 : 0;
}

int confine(const struct options *options, struct mp_error *err)
{
	return enter(options, 0, err);
}

int confine_server(const struct options *options, struct mp_error *err)
{
	return enter(options, MP_MAY_SIGNAL, err);
}

static mode_t read_umask(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return mask;
}

static bool is_careful(mode_t mask)
{
	return (mask & 0027) == 0027;
}

int umask_check(const struct options *o)
{
	mode_t mask = read_umask();

	if (is_careful(mask) || !options_has(o, OPTION_STRICT))
		return 0;
	return message_error("umask %04o is too open: run 'umask 0027' first", (unsigned)mask);
}

void umask_warn(const struct options *o)
{
	static bool warned; /* by this process: collect imports several jobs */
	mode_t mask = read_umask();

	if (warned || is_careful(mask) || options_has(o, OPTION_QUIET) || options_has(o, OPTION_DRY_RUN))
		return;
	warned = true;
	message_warning("umask %04o lets other users read the files of other programs in the job; to prevent that, run "
			"'umask 0027' first (files of msprof are always private)",
	    (unsigned)mask);
}
