/*
 * job_shared.c: shared files in order of part, layout, device, batch and number of pictures. A job may have as many of
 * them as markers, so each marker finds its file by halves.
 */
#include "raw/job_shared.h"

#include <stdint.h>
#include <stdlib.h>

#include "raw/job_info.h"

/* Returns whether several inferences share a file: its name lacks the model that other names of its layout have. */
static bool is_shared(const struct mp_job_file *f)
{
	return f->state == MP_FILE_RAW && f->identity.device_id >= 0 && !f->identity.model[0] &&
	       mp_layout_names_model(f->layout);
}

/* What the name of a file says, and a marker says, too; -1 where the name does not. */
struct facts {
	int part;
	uintptr_t layout;
	int64_t device_id, batch, input_pic_num;
};

static struct facts facts_of(int part, const struct mp_layout *l, const struct mp_identity *id)
{
	return (struct facts){part, (uintptr_t)l, id->device_id, id->batch < 0 ? -1 : id->batch,
	    id->input_pic_num < 0 ? -1 : id->input_pic_num};
}

#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

static int compare(const struct facts *a, const struct facts *b)
{
	const int orders[] = {ORDER(a->part, b->part), ORDER(a->layout, b->layout), ORDER(a->device_id, b->device_id),
	    ORDER(a->batch, b->batch), ORDER(a->input_pic_num, b->input_pic_num)};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i])
			return orders[i];
	return 0;
}

static int compare_files(const void *a, const void *b)
{
	const struct mp_job_file *const *x = a, *const *y = b;
	const struct facts f = facts_of((*x)->part, (*x)->layout, &(*x)->identity),
			   g = facts_of((*y)->part, (*y)->layout, &(*y)->identity);
	int order = compare(&f, &g);

	return order ? order : ORDER(*x, *y);
}

int mp_shared_list(struct mp_shared_files *shared, struct mp_job *job, struct mp_error *err)
{
	*shared = (struct mp_shared_files){NULL, 0};
	for (size_t i = 0; i < job->file_count; i++)
		shared->count += is_shared(&job->files[i]);
	if (!shared->count)
		return 0;
	shared->files = malloc(shared->count * sizeof(struct mp_job_file *));
	if (!shared->files)
		return mp_fail_memory(err, "shared files");
	shared->count = 0;
	for (size_t i = 0; i < job->file_count; i++)
		if (is_shared(&job->files[i]))
			shared->files[shared->count++] = &job->files[i];
	qsort(shared->files, shared->count, sizeof(struct mp_job_file *), compare_files);
	return 0;
}

void mp_shared_free(struct mp_shared_files *shared)
{
	free(shared->files);
}

/* The first file with these facts, or NULL. */
static struct mp_job_file *find(const struct mp_shared_files *shared, const struct facts *wanted)
{
	size_t low = 0, high = shared->count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct mp_job_file *f = shared->files[mid];
		const struct facts at = facts_of(f->part, f->layout, &f->identity);

		if (compare(&at, wanted) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < shared->count) {
		struct mp_job_file *f = shared->files[low];
		const struct facts at = facts_of(f->part, f->layout, &f->identity);

		if (compare(&at, wanted) == 0)
			return f;
	}
	return NULL;
}

struct mp_job_file *mp_shared_find(
    const struct mp_shared_files *shared, int part, const struct mp_layout *l, const struct mp_identity *id)
{
	struct mp_job_file *first = NULL;

	/* the name of a file may lack the batch, the number of pictures, or both */
	for (int lacks = 0; lacks < 4; lacks++) {
		struct facts wanted = facts_of(part, l, id);
		struct mp_job_file *f;

		if (lacks & 1)
			wanted.batch = -1;
		if (lacks & 2)
			wanted.input_pic_num = -1;
		f = find(shared, &wanted);
		if (f && (!first || f < first))
			first = f;
	}
	return first;
}
