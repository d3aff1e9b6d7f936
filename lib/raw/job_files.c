/* job_files.c: lists data/ and finds the layout of each file by name. Opens no raw file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/text.h"
#include "base/vec.h"
#include "raw/job_info.h"

/* A larger number is none of a board. Within it, sums and neighbours of numbers in names do not wrap. */
#define NUMBER_MAX ((int64_t)UINT32_MAX)

static bool set_identity(struct mp_identity *id, const struct mp_piece *piece, const struct mp_capture *c)
{
	const struct {
		const char *name;
		int64_t *value;
	} numbers[] = {{"device_id", &id->device_id}, {"stream_id", &id->stream_id}, {"model_id", &id->model_id},
	    {"batch", &id->batch}, {"input_pic_num", &id->input_pic_num}, {"current_pic", &id->current_pic},
	    {"slice", &id->slice}};

	if (!piece->len)
		return true;
	if (piece->kind == MP_PIECE_TEXT) {
		snprintf(id->model, sizeof(id->model), "%.*s", (int)c->len, c->text);
		return true;
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (strlen(numbers[i].name) == piece->len && memcmp(numbers[i].name, piece->text, piece->len) == 0)
			return mp_capture_int(c, numbers[i].value) && *numbers[i].value >= 0 &&
			       *numbers[i].value <= NUMBER_MAX;
	return true;
}

bool mp_layout_names(const struct mp_layout *l, const char *name, size_t len, struct mp_identity *id)
{
	struct mp_capture captures[MP_PIECE_MAX];

	for (int i = 0; i < l->file_count; i++) {
		const struct mp_pattern *p = &l->files[i];
		bool good = true;

		if (!mp_pattern_match(p, name, len, captures))
			continue;
		*id = MP_NO_IDENTITY;
		for (int k = 0; k < p->piece_count && good; k++)
			if (p->pieces[k].kind != MP_PIECE_LITERAL)
				good = set_identity(id, &p->pieces[k], &captures[k]);
		if (good && id->device_id <= INT32_MAX)
			return true;
	}
	*id = MP_NO_IDENTITY;
	return false;
}

const struct mp_layout *mp_job_name_layout(
    const struct mp_layouts *layouts, enum mp_family family, const char *name, size_t len, struct mp_identity *id)
{
	for (size_t i = 0; i < layouts->count; i++)
		if (layouts->items[i]->family == family && !layouts->items[i]->beside &&
		    mp_layout_names(layouts->items[i], name, len, id))
			return layouts->items[i];
	return NULL;
}

const struct mp_layout *mp_job_find_layout(const struct mp_layouts *layouts, struct mp_job *job, int part,
    const char *name, size_t len, struct mp_identity *id)
{
	unsigned chip = mp_job_chip(job, part);

	for (size_t i = 0; i < layouts->count; i++) {
		const struct mp_layout *l = layouts->items[i];

		if (l->family != job->family || l->beside || !(l->chips >> chip & 1) ||
		    (job->soc && !(l->socs >> (job->soc - layouts->socs) & 1)) || !mp_layout_names(l, name, len, id))
			continue;
		if (id->device_id < 0) /* a name without a number: its directory tells the device */
			id->device_id = job->parts[part].device_id;
		if (mp_job_meets(
			job, job->parts[part].device_id >= 0 ? job->parts[part].device_id : id->device_id, &l->when))
			return l;
	}
	*id = MP_NO_IDENTITY;
	return NULL;
}

static int add_file(struct mp_job *job, int part, const char *name, struct mp_error *err)
{
	struct mp_job_file *f;
	struct stat st;

	if (!mp_vec_room(job->files, job->file_count, 1))
		return mp_fail_memory(err, "the list of files");
	f = &job->files[job->file_count];
	memset(f, 0, sizeof(*f));
	f->name = strdup(name);
	if (!f->name)
		return mp_fail_memory(err, "the list of files");
	job->file_count++;
	f->part = part;
	f->state = MP_FILE_UNKNOWN;
	f->identity = MP_NO_IDENTITY;
	if (mp_dir_look(job->parts[part].datafd, name, &st)) {
		if (mp_is_machine_failure(errno))
			return mp_fail_errno(err, "cannot read '%s' below '%s'", name, job->path);
		f->state = MP_FILE_UNREADABLE;
		f->remark = strerror(errno);
		return 0;
	}
	f->size = st.st_size;
	f->mtime_ns = mp_mtime_ns(&st);
	if (!S_ISREG(st.st_mode)) {
		f->state = MP_FILE_UNREADABLE;
		f->size = 0;
		f->remark = S_ISLNK(st.st_mode)   ? "a link is not followed"
			    : S_ISDIR(st.st_mode) ? "a directory"
						  : "not a regular file";
	}
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct mp_job_file *x = a, *y = b;

	return x->part != y->part ? (x->part < y->part ? -1 : 1) : strcmp(x->name, y->name);
}

/* Whether a file of a job with raw files in it belongs to the data: its other files do not. */
static bool is_of_flat(const void *layouts, const char *name)
{
	const char *end = mp_job_is_marker(name) ? strrchr(name, '.') : NULL;
	size_t len = end ? (size_t)(end - name) : strlen(name);
	struct mp_identity id;

	return mp_job_name_layout(layouts, MP_FAMILY_ASCEND910, name, len, &id) ||
	       mp_job_name_layout(layouts, MP_FAMILY_ASCEND2022, name, len, &id);
}

static int list_part(struct mp_job *job, int part, const struct mp_layouts *layouts, struct mp_error *err)
{
	char label[4096];
	struct mp_dir_names names;
	int status;

	snprintf(
	    label, sizeof(label), "%s%s%s/data", job->path, *job->parts[part].name ? "/" : "", job->parts[part].name);
	status = mp_dir_list(&names, job->parts[part].datafd, job->is_flat ? is_of_flat : NULL, layouts, label, err);
	for (size_t i = 0; !status && i < names.count; i++)
		status = add_file(job, part, names.items[i], err);
	mp_dir_names_free(&names);
	return status;
}

int mp_job_list_files(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; !status && i < job->part_count; i++)
		if (job->parts[i].datafd >= 0)
			status = list_part(job, i, layouts, err);
	if (!status && job->file_count)
		qsort(job->files, job->file_count, sizeof(job->files[0]), by_name);
	return status;
}

/* The layout of a file that belongs beside data/, or NULL. */
static const struct mp_layout *find_beside(const struct mp_layouts *layouts, const struct mp_job *job, const char *name)
{
	struct mp_identity id;

	for (size_t i = 0; i < layouts->count; i++) {
		const struct mp_layout *l = layouts->items[i];

		if (l->beside && l->family == job->family && mp_layout_names(l, name, strlen(name), &id))
			return l;
	}
	return NULL;
}

/* Add a file that belongs beside data/, or a raw file that does not belong there, if the name is that of one. */
static int add_beside(
    struct mp_job *job, int part, const char *name, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_identity id;
	const struct mp_layout *at_home = find_beside(layouts, job, name);
	const struct mp_layout *l = at_home ? at_home : mp_job_find_layout(layouts, job, part, name, strlen(name), &id);
	struct mp_job_file *f;
	struct stat st;

	if (!l || mp_dir_look(job->parts[part].dirfd, name, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (add_file(job, part, name, err))
		return -1;
	f = &job->files[job->file_count - 1];
	f->is_beside = true;
	f->state = at_home ? MP_FILE_RAW : MP_FILE_UNREADABLE;
	f->layout = l;
	f->size = st.st_size;
	f->mtime_ns = mp_mtime_ns(&st);
	f->remark = at_home ? NULL : "not read: it lies beside data/; move it into data/";
	return 0;
}

int mp_job_list_beside(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; !status && !job->is_flat && i < job->part_count; i++) {
		struct mp_dir_names names = {NULL, 0};

		if (job->parts[i].datafd >= 0)
			status = mp_dir_list(&names, job->parts[i].dirfd, NULL, NULL, job->path, err);
		for (size_t k = 0; !status && k < names.count; k++)
			status = add_beside(job, i, names.items[k], layouts, err);
		mp_dir_names_free(&names);
	}
	return status;
}

/* The layout of model files. */
static const struct mp_layout *find_model_layout(const struct mp_layouts *layouts, const struct mp_job *job)
{
	for (size_t i = 0; i < layouts->count; i++)
		if (layouts->items[i]->is_model && layouts->items[i]->family == job->family)
			return layouts->items[i];
	return NULL;
}

int mp_job_add_model(struct mp_job *job, const struct mp_layouts *layouts, const char *path, struct mp_error *err)
{
	const struct mp_layout *l = find_model_layout(layouts, job);
	struct mp_job_file *f;
	struct stat st;
	int fd;

	if (!l)
		return mp_fail(
		    err, "'%s': jobs of the family %s need no model file", path, mp_family_name(job->family));
	if (strlen(path) > 500)
		return mp_fail(err, "path too long: '%s'", path);
	fd = mp_named_file(path, &st);
	if (fd < 0)
		return mp_file_refuse(path, err);
	close(fd); /* opened to see that it can be */
	if (add_file(job, 0, path, err))
		return -1;
	f = &job->files[job->file_count - 1];
	f->is_model = true;
	f->layout = l;
	f->state = MP_FILE_RAW;
	f->remark = NULL;
	f->size = st.st_size;
	f->mtime_ns = mp_mtime_ns(&st);
	return 0;
}

void mp_job_classify(struct mp_job *job, const struct mp_layouts *layouts)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];

		if (f->state == MP_FILE_UNREADABLE && f->remark && !mp_job_is_marker(f->name))
			f->layout = mp_job_find_layout(layouts, job, f->part, f->name, strlen(f->name), &f->identity);
		if (f->state != MP_FILE_UNKNOWN)
			continue;
		if (mp_has_control(f->name, strlen(f->name))) {
			f->remark = "control characters in the name";
			continue;
		}
		if (mp_job_is_marker(f->name)) {
			f->state = MP_FILE_MARKER;
			continue;
		}
		f->layout = mp_job_find_layout(layouts, job, f->part, f->name, strlen(f->name), &f->identity);
		if (f->layout)
			f->state = MP_FILE_RAW;
	}
}

int mp_job_open_file(const struct mp_job *job, const struct mp_job_file *file)
{
	const struct mp_part *part = &job->parts[file->part];

	return file->is_model ? mp_named_file(file->name, NULL)
			      : mp_dir_open_file(file->is_beside ? part->dirfd : part->datafd, file->name, NULL);
}

void mp_job_file_path(const struct mp_job *job, const struct mp_job_file *file, char path[512])
{
	const char *part = job->parts[file->part].name;

	if (file->is_model)
		snprintf(path, 512, "%.511s", file->name);
	else
		snprintf(path, 512, "%s%s%s%s", part, *part ? "/" : "", file->is_beside ? "" : "data/", file->name);
}
