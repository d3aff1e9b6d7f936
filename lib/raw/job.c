/*
 * job.c: lists data/, recognises each file by the patterns of the layouts and
 * settles whose data it is. Opens no raw file.
 */
#include "raw/job.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/text.h"
#include "raw/job_info.h"

enum { COUNTER_MHZ_ASSUMED = 100 };

static const char *const marker_suffixes[] = {".done", ".complete"};

static bool ends_with(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n > s && strcmp(name + n - s, suffix) == 0;
}

static bool is_marker(const char *name)
{
	return ends_with(name, marker_suffixes[0]) || ends_with(name, marker_suffixes[1]);
}

static bool has_slice(const char *name)
{
	for (const char *at = strstr(name, ".slice_"); at; at = strstr(at + 1, ".slice_"))
		if (at[7] >= '0' && at[7] <= '9')
			return true;
	return false;
}

static bool set_identity(struct mp_identity *id, const struct mp_piece *piece, const struct mp_capture *c)
{
	const struct {
		const char *name;
		int64_t *value;
	} numbers[] = {{"device_id", &id->device_id}, {"model_id", &id->model_id}, {"batch", &id->batch},
	    {"input_pic_num", &id->input_pic_num}, {"current_pic", &id->current_pic}, {"slice", &id->slice}};

	if (!piece->len)
		return true;
	if (piece->kind == MP_PIECE_TEXT) {
		snprintf(id->model, sizeof(id->model), "%.*s", (int)c->len, c->text);
		return true;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strlen(numbers[i].name) == piece->len && memcmp(numbers[i].name, piece->text, piece->len) == 0)
			return mp_capture_int(c, numbers[i].value) && *numbers[i].value >= 0;
	return true;
}

/* Take `name` (len bytes) apart by the patterns of a layout. */
static bool recognise(const struct mp_layout *l, const char *name, size_t len, struct mp_identity *id)
{
	struct mp_capture captures[MP_PIECE_MAX];

	for (int i = 0; i < l->file_count; i++) {
		const struct mp_pattern *p = &l->files[i];
		bool good = true;

		if (!mp_pattern_match(p, name, len, captures))
			continue;
		*id = (struct mp_identity){-1, -1, -1, -1, -1, -1, ""};
		for (int k = 0; k < p->piece_count && good; k++)
			if (p->pieces[k].kind != MP_PIECE_LITERAL)
				good = set_identity(id, &p->pieces[k], &captures[k]);
		if (good && id->device_id <= INT32_MAX)
			return true;
	}
	*id = (struct mp_identity){-1, -1, -1, -1, -1, -1, ""};
	return false;
}

static const struct mp_layout *find_layout(
    const struct mp_job *job, const struct mp_layouts *layouts, const char *name, size_t len, struct mp_identity *id)
{
	for (size_t i = 0; i < layouts->count; i++)
		if (layouts->items[i]->family == job->family && recognise(layouts->items[i], name, len, id))
			return layouts->items[i];
	return NULL;
}

static int add_file(struct mp_job *job, const char *name, struct mp_error *err)
{
	struct mp_job_file *f;
	struct stat st;

	if ((job->file_count & (job->file_count + 1)) == 0) { /* 0, 1, 3, 7, ...: double */
		size_t room = 2 * (job->file_count + 1);

		f = realloc(job->files, room * sizeof(*f));
		if (!f)
			return mp_fail_memory(err, "the list of files");
		job->files = f;
	}
	f = &job->files[job->file_count];
	memset(f, 0, sizeof(*f));
	f->name = strdup(name);
	if (!f->name)
		return mp_fail_memory(err, "the list of files");
	job->file_count++;
	f->marker_size = -1;
	f->state = MP_FILE_UNKNOWN;
	f->identity = (struct mp_identity){-1, -1, -1, -1, -1, -1, ""};
	if (fstatat(job->datafd, name, &st, AT_SYMLINK_NOFOLLOW)) {
		if (mp_is_machine_failure(errno))
			return mp_fail_errno(err, "cannot read '%s/data/%s'", job->path, name);
		f->state = MP_FILE_UNREADABLE;
		f->remark = strerror(errno);
		return 0;
	}
	f->size = st.st_size;
	f->mtime_ns = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	if (!S_ISREG(st.st_mode)) {
		f->state = MP_FILE_UNREADABLE;
		f->size = 0;
		f->remark = S_ISLNK(st.st_mode)	 ? "a link is not followed"
			    : S_ISDIR(st.st_mode) ? "a directory"
						  : "not a regular file";
	}
	return 0;
}

static int list_files(struct mp_job *job, struct mp_error *err)
{
	int fd = openat(job->datafd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int status = 0;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return mp_fail_errno(err, "cannot list '%s/data'", job->path);
	}
	while (!status && (errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			status = add_file(job, entry->d_name, err);
	if (!status && errno)
		status = mp_fail_errno(err, "cannot list '%s/data'", job->path);
	closedir(dir);
	return status;
}

/* "filesize:896", or -1 */
static int64_t marker_says(const struct mp_job *job, const struct mp_job_file *marker)
{
	char text[64] = "";
	int fd = mp_job_open_file(job, marker);
	ssize_t n;
	long long size = -1;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd); /* read only: nothing to lose */
	if (n <= 0 || sscanf(text, "filesize:%18lld", &size) != 1)
		return -1;
	return size;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct mp_job_file *)a)->name, ((const struct mp_job_file *)b)->name);
}

static struct mp_job_file *find_file(struct mp_job *job, const char *name, size_t len)
{
	size_t low = 0, high = job->file_count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const char *at = job->files[mid].name;
		int order = strncmp(at, name, len);

		if (order == 0 && at[len] == '\0')
			return &job->files[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

static void classify(struct mp_job *job, const struct mp_layouts *layouts)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];

		if (f->state == MP_FILE_UNREADABLE && f->remark && !is_marker(f->name))
			f->layout = find_layout(job, layouts, f->name, strlen(f->name), &f->identity);
		if (f->state != MP_FILE_UNKNOWN)
			continue;
		if (mp_has_control(f->name, strlen(f->name))) {
			f->remark = "control characters in the name";
			continue;
		}
		if (is_marker(f->name)) {
			f->state = MP_FILE_MARKER;
			continue;
		}
		f->layout = find_layout(job, layouts, f->name, strlen(f->name), &f->identity);
		if (f->layout)
			f->state = MP_FILE_RAW;
	}
}

/* Files are in order of name here. */
static void pair_markers(struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *marker = &job->files[i];
		size_t len = strlen(marker->name);
		struct mp_job_file *f;

		if (marker->state != MP_FILE_MARKER || !ends_with(marker->name, ".done"))
			continue;
		f = find_file(job, marker->name, len - strlen(".done"));
		if (f) {
			f->has_done = true;
			f->marker_size = marker_says(job, marker);
		}
	}
}

static bool names_model(const struct mp_layout *l)
{
	for (int i = 0; i < l->file_count; i++)
		for (int k = 0; k < l->files[i].piece_count; k++)
			if (l->files[i].pieces[k].kind == MP_PIECE_TEXT && l->files[i].pieces[k].len) /* {model} */
				return true;
	return false;
}

/* Whether a short-named file waits for its identity: other names of its layout tell the model. */
static bool is_short(const struct mp_job_file *f)
{
	return f->state == MP_FILE_RAW && f->identity.device_id >= 0 && !f->identity.model[0] && names_model(f->layout);
}

/* A .done marker whose raw file is not there: what that file would have been. */
static void find_orphans(struct mp_job *job, const struct mp_layouts *layouts)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];
		size_t len = strlen(f->name);

		if (f->state == MP_FILE_MARKER && ends_with(f->name, ".done") && !find_file(job, f->name, len - 5))
			f->layout = find_layout(job, layouts, f->name, len - 5, &f->identity);
	}
}

/* The one orphan marker that names a model of the layout and device of f; *count tells how many there are. */
static struct mp_job_file *find_marker_of(struct mp_job *job, const struct mp_job_file *f, int *count)
{
	struct mp_job_file *found = NULL;

	*count = 0;
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *marker = &job->files[i];

		if (marker->state != MP_FILE_MARKER || marker->layout != f->layout || !marker->identity.model[0] ||
		    marker->identity.device_id != f->identity.device_id)
			continue;
		++*count;
		found = marker;
	}
	return found;
}

/*
 * A short-named file takes the identity of the one .done marker of its layout and
 * device that no raw file bears. More than one of either: all are in doubt.
 */
static void settle_short_names(struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i], *marker;
		int orphans, rivals = 0;

		if (!is_short(f))
			continue;
		for (size_t k = 0; k < job->file_count; k++)
			rivals += job->files[k].layout == f->layout && is_short(&job->files[k]) &&
				  job->files[k].identity.device_id == f->identity.device_id;
		marker = find_marker_of(job, f, &orphans);
		if (marker && orphans == 1 && rivals == 1) {
			f->identity = marker->identity;
			f->has_done = true;
			f->marker_size = marker_says(job, marker);
			marker->remark = "names the data of a short-named file";
			continue;
		}
		f->doubtful = true;
		f->remark = orphans ? "several files or markers could belong together: the model is in doubt"
				    : "no .done marker tells which model this is";
	}
}

/* A marker whose raw file is gone speaks of lost data. What it would have been is its own business no more. */
static void judge_orphans(struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];

		if (f->state != MP_FILE_MARKER || !f->layout)
			continue;
		if (!f->remark) {
			f->doubtful = true;
			f->remark = "its raw file is missing";
		}
		f->layout = NULL;
		f->identity = (struct mp_identity){-1, -1, -1, -1, -1, -1, ""};
	}
}

#define ORDER(a, b)                                                                                                    \
	do {                                                                                                           \
		if ((a) != (b))                                                                                        \
			return (a) < (b) ? -1 : 1;                                                                     \
	} while (0)

static int by_load_order(const void *a, const void *b)
{
	const struct mp_job_file *x = a, *y = b;
	int order;

	ORDER(x->layout == NULL, y->layout == NULL);
	if (x->layout) {
		order = strcmp(x->layout->table, y->layout->table);
		if (order)
			return order;
		ORDER(x->identity.device_id, y->identity.device_id);
		order = strcmp(x->identity.model, y->identity.model);
		if (order)
			return order;
		ORDER(x->identity.model_id, y->identity.model_id);
		ORDER(x->identity.batch, y->identity.batch);
		ORDER(x->identity.input_pic_num, y->identity.input_pic_num);
		ORDER(x->identity.current_pic, y->identity.current_pic);
		ORDER(x->identity.slice, y->identity.slice);
	}
	return strcmp(x->name, y->name);
}

static int add_devices(struct mp_job *job, int64_t frequency_mhz, struct mp_error *err)
{
	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].layout && job->files[i].identity.device_id >= 0 &&
		    !mp_job_add_device(job, job->files[i].identity.device_id, err))
			return -1;
	for (int i = 0; i < job->device_count; i++) {
		struct mp_device *d = &job->devices[i];

		d->clock.core_mhz = frequency_mhz > 0 ? frequency_mhz : d->file_mhz;
		if (job->family == MP_FAMILY_ASCEND && !d->clock.counter_mhz) {
			d->clock.counter_mhz = COUNTER_MHZ_ASSUMED;
			d->clock_assumed = true;
		}
	}
	return 0;
}

/* Something that a JOB directory must have is not there: fine only where all was parsed before. */
static int require(struct mp_job *job, const char *what, struct mp_error *err)
{
	if (!job->missing)
		job->missing = what;
	if (faccessat(job->dirfd, "sqlite/msprof.db", F_OK, 0) == 0)
		return 0;
	if (faccessat(job->dirfd, "host", F_OK, 0) == 0 || faccessat(job->dirfd, "device_0", F_OK, 0) == 0)
		return mp_fail(err, "'%s' is a PROF directory, which this version does not read", job->path);
	return mp_fail(err, "'%s' has no %s, which every JOB directory has", job->path, what);
}

static int open_directories(struct mp_job *job, struct mp_error *err)
{
	struct stat st;

	job->dirfd = open(job->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (job->dirfd < 0)
		return mp_fail_errno(err, "cannot open '%s'", job->path);
	job->datafd = openat(job->dirfd, "data", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (job->datafd < 0 && errno == ENOENT)
		return require(job, "directory 'data'", err);
	if (job->datafd < 0 && fstatat(job->dirfd, "data", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode))
		return mp_fail(err, "'%s/data' is a link: it is not followed", job->path);
	if (job->datafd < 0)
		return mp_fail_errno(err, "cannot open '%s/data'", job->path);
	return 0;
}

static int fill_job(struct mp_job *job, const struct mp_layouts *layouts, int64_t frequency_mhz, struct mp_error *err)
{
	bool ascend = false;
	int status;

	if (open_directories(job, err) || mp_job_read_info(job, &ascend, err) ||
	    (job->datafd >= 0 && list_files(job, err)))
		return -1;
	for (size_t i = 0; i < job->file_count; i++)
		ascend = ascend || has_slice(job->files[i].name);
	job->family = ascend ? MP_FAMILY_ASCEND : MP_FAMILY_SVP;
	if (!ascend && faccessat(job->dirfd, "info.json.0", F_OK, AT_SYMLINK_NOFOLLOW) &&
	    require(job, "file 'info.json.0'", err))
		return -1;
	if (job->file_count)
		qsort(job->files, job->file_count, sizeof(job->files[0]), by_name);
	classify(job, layouts);
	pair_markers(job);
	find_orphans(job, layouts);
	settle_short_names(job);
	judge_orphans(job);
	status = add_devices(job, frequency_mhz, err);
	if (job->file_count)
		qsort(job->files, job->file_count, sizeof(job->files[0]), by_load_order);
	return status;
}

int mp_job_open(struct mp_job **job, const char *path, const struct mp_layouts *layouts, int64_t frequency_mhz,
    struct mp_error *err)
{
	struct mp_job *j = calloc(1, sizeof(*j));

	*job = NULL;
	if (!j)
		return mp_fail_memory(err, "a job");
	j->dirfd = j->datafd = -1;
	j->path = strdup(path);
	j->real_path = realpath(path, NULL);
	if (!j->path)
		mp_fail_memory(err, "a job");
	else if (!j->real_path)
		mp_fail_errno(err, "cannot open '%s'", path);
	else
		j->name = strrchr(j->real_path, '/') + 1;
	if (!j->path || !j->real_path || fill_job(j, layouts, frequency_mhz, err)) {
		mp_job_close(j);
		return -1;
	}
	*job = j;
	return 0;
}

void mp_job_close(struct mp_job *job)
{
	if (!job)
		return;
	for (size_t i = 0; i < job->file_count; i++)
		free(job->files[i].name);
	for (int i = 0; i < job->device_count; i++)
		free(job->devices[i].info_text);
	if (job->dirfd >= 0)
		close(job->dirfd);
	if (job->datafd >= 0)
		close(job->datafd);
	free(job->files);
	free(job->path);
	free(job->real_path);
	free(job);
}

int mp_job_open_file(const struct mp_job *job, const struct mp_job_file *file)
{
	struct stat st;
	int fd = openat(job->datafd, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

const struct mp_device *mp_job_device(const struct mp_job *job, int64_t device_id)
{
	for (int i = 0; i < job->device_count; i++)
		if (job->devices[i].device_id == device_id)
			return &job->devices[i];
	return NULL;
}
