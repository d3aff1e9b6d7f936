/* place.c: directories of results, identified by device and inode. */
#include "recorder/place.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "recorder/lock.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

enum { SPACE_LEAST_MB = 20 };

static int open_directory(struct mp_result_place *p, const char *dir, struct mp_error *err)
{
	struct statvfs space;
	struct stat st;
	uint64_t mb;

	p->fd = mp_fd_hold(open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	if (p->fd < 0 || fstat(p->fd, &st)) {
		mp_error_set_errno(err, "cannot open the output directory '%s'", dir);
		return MSPROF_INVALID_FILE;
	}
	if (faccessat(p->fd, ".", W_OK | X_OK, AT_EACCESS)) {
		mp_error_set_errno(err, "cannot write to the output directory '%s'", dir);
		return MSPROF_INVALID_FILE;
	}
	p->dev = st.st_dev;
	p->ino = st.st_ino;
	if (fstatvfs(p->fd, &space))
		return MSPROF_OK;
	mb = (uint64_t)space.f_bavail * space.f_frsize / (1024 * 1024);
	if (mb >= SPACE_LEAST_MB)
		return MSPROF_OK;
	mp_error_set(err,
	    "Insufficient disk space. Reason: The remaining disk space of %s is %lluMB, which is less than %dMB.", dir,
	    (unsigned long long)mb, SPACE_LEAST_MB);
	return MSPROF_STORAGE_OVER_LIMIT;
}

static void discard(struct mp_result_place *p)
{
	mp_fd_drop(p->lock);
	mp_fd_drop(p->fd);
	free(p);
}

/* Add a place to the list, or return the one that is there already; *place is then not needed. Call with the lock. */
static struct mp_result_place *enlist(struct mp_result_place *place)
{
	struct mp_result_place *p = mp_recorder.places;

	while (p && (p->dev != place->dev || p->ino != place->ino))
		p = p->next;
	if (p) {
		discard(place);
	} else {
		if (!mp_recorder.places)
			mp_wall_read(&mp_recorder.wall);
		p = place;
		p->next = mp_recorder.places;
		mp_recorder.places = p;
	}
	p->uses++;
	return p;
}

int mp_place_open(struct mp_result_place **place, const char *dir, bool locked, struct mp_error *err)
{
	struct mp_result_place *p = calloc(1, sizeof(*p));
	int code;

	*place = NULL;
	if (!p) {
		mp_error_set_memory(err, "a recording");
		return MSPROF_BAD_ALLOC;
	}
	p->fd = p->lock = -1;
	code = open_directory(p, dir, err);
	if (code) {
		discard(p);
		return code;
	}
	pthread_mutex_lock(&mp_recorder.lock);
	p = enlist(p);
	if (locked && p->lock < 0)
		code = mp_lock_directory(p->fd, dir, &p->lock, err);
	if (code)
		mp_place_close(p);
	else
		*place = p;
	pthread_mutex_unlock(&mp_recorder.lock);
	return code;
}

void mp_place_close(struct mp_result_place *place)
{
	struct mp_result_place **at = &mp_recorder.places;

	if (!place || --place->uses)
		return;
	while (*at != place)
		at = &(*at)->next;
	*at = place->next;
	discard(place);
}
