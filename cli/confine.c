/* confine.c: lists the places that the sandbox allows: the job, layouts, and what SQLite and the C library open. */
#include "confine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/sandbox.h"

enum { PLACES_MAX = 24 + OPTION_LIST_MAX };

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

/* Directories around a job. */
struct around {
	char above[PATH_MAX], host[PATH_MAX + 8];
};

/* A device or host directory of a PROF directory is read together with the host directory; false: another directory. */
static bool find_siblings(const char *dir, struct around *around)
{
	char *slash = realpath(dir, around->above) ? strrchr(around->above, '/') : NULL;

	if (!slash || slash == around->above ||
	    (strcmp(slash + 1, "host") != 0 && strncmp(slash + 1, "device_", 7) != 0))
		return false;
	*slash = '\0';
	snprintf(around->host, sizeof(around->host), "%s/host", around->above);
	return true;
}

/* Add the places of jobs, of a database or of a baseline; returns the number of places. */
static size_t add_data(struct mp_place *places, size_t count, const char *path, struct around *around)
{
	struct stat st;

	if (stat(path, &st) == 0 && !S_ISDIR(st.st_mode)) {
		places[count++] = (struct mp_place){path, MP_REACH_FILE};
		return count;
	}
	places[count++] = (struct mp_place){path, MP_REACH_WRITE};
	if (find_siblings(path, around)) {
		places[count++] = (struct mp_place){around->above, MP_REACH_LIST};
		places[count++] = (struct mp_place){around->host, MP_REACH_READ};
	}
	return count;
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

/* The directory for layouts, or the nearest one above it that exists: missing ones are made there. */
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

void confine(const struct options *options, const char *dir)
{
	static bool entered; /* by this process */
	struct mp_place places[PLACES_MAX] = {{NULL, MP_REACH_TEMPORARY}, {"/dev/urandom", MP_REACH_FILE}};
	static struct around around[1 + 2]; /* a process is confined once; the stack is small */
	static char output[PATH_MAX], files[3][PATH_MAX];
	const char *to =
	    options->values[OPTION_OUTPUT] ? options->values[OPTION_OUTPUT] : options->values[OPTION_ELSEWHERE];
	size_t count = 2;

	if (entered)
		return;
	places[0].path = temporary(to ? nearest(to, output) : dir);
	if (dir)
		count = add_data(places, count, dir, &around[0]);
	for (size_t i = 0; i < options->sides.count; i++)
		count = add_data(places, count, options->sides.items[i], &around[1 + i]);
	if (options_has(options, OPTION_SAVE))
		places[count++] =
		    (struct mp_place){directory_of(options->values[OPTION_SAVE], files[0]), MP_REACH_WRITE};
	if (options_has(options, OPTION_JUNIT))
		places[count++] =
		    (struct mp_place){directory_of(options->values[OPTION_JUNIT], files[1]), MP_REACH_WRITE};
	if (options_has(options, OPTION_PAGE))
		places[count++] =
		    (struct mp_place){directory_of(options->values[OPTION_PAGE], files[2]), MP_REACH_WRITE};
	if (options_has(options, OPTION_AGGREGATE))
		places[count++] =
		    (struct mp_place){directory_of(options->values[OPTION_AGGREGATE], files[2]), MP_REACH_WRITE};
	if (options_has(options, OPTION_MODEL_FILE))
		places[count++] = (struct mp_place){options->values[OPTION_MODEL_FILE], MP_REACH_FILE};
	if (options_has(options, OPTION_LAYOUTS))
		places[count++] = (struct mp_place){options->values[OPTION_LAYOUTS], MP_REACH_READ};
	if (options_has(options, OPTION_REPORTS))
		places[count++] = (struct mp_place){options->values[OPTION_REPORTS], MP_REACH_FILE};
	if (to)
		places[count++] = (struct mp_place){nearest(to, output), MP_REACH_WRITE};
	for (size_t i = 0; i < options->froms.count; i++)
		places[count++] = (struct mp_place){options->froms.items[i], MP_REACH_READ};
	tzset(); /* the time zone is a file */
	mp_sandbox_enter(places, count, 0);
	entered = true;
}
