/* load_covered.c: files whose calls another file has, too. They are found by device and model among as many others. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "store/load.h"

struct wanted {
	const struct mp_load *load;
	const char *layout;
	const struct mp_identity *id;
};

static uint64_t hash_of(const char *layout, const struct mp_identity *id)
{
	uint64_t hash = mp_hash_bytes(layout, strlen(layout));

	hash = mp_hash_mix(hash, mp_hash_bytes(id->model, strlen(id->model)));
	hash = mp_hash_mix(mp_hash_mix(hash, (uint64_t)id->device_id), (uint64_t)id->model_id);
	return hash ^ hash >> 32;
}

static bool no_item(const void *key, uint32_t item)
{
	(void)key;
	(void)item;
	return false;
}

static bool has_the_calls(const void *key, uint32_t item)
{
	const struct wanted *w = key;
	const struct mp_job_file *f = &w->load->job->files[item];

	return w->load->whole[item] && strcmp(f->layout->name, w->layout) == 0 &&
	       f->identity.device_id == w->id->device_id && f->identity.model_id == w->id->model_id &&
	       strcmp(f->identity.model, w->id->model) == 0;
}

/* Returns whether files of a layout tell more than those of another one. */
static bool covers(const struct mp_layouts *layouts, const struct mp_layout *l)
{
	for (size_t i = 0; i < layouts->count; i++)
		if (strcmp(layouts->items[i]->covered_by, l->name) == 0)
			return true;
	return false;
}

static int index_files(struct mp_load *load, struct mp_error *err)
{
	const struct mp_layout *covering = NULL, *other = NULL; /* those of the files before */
	size_t count = 2;

	while (count < 2 * load->job->file_count)
		count *= 2;
	load->by_call = calloc(count, sizeof(*load->by_call));
	if (!load->by_call)
		return mp_fail_memory(err, "the files of a job");
	load->by_call_count = count;
	for (size_t i = 0; i < load->job->file_count; i++) {
		const struct mp_job_file *f = &load->job->files[i];

		if (!f->layout || f->layout == other)
			continue;
		if (f->layout != covering && !covers(load->layouts, f->layout)) {
			other = f->layout;
			continue;
		}
		covering = f->layout;
		*mp_slot_find(load->by_call, count, hash_of(covering->name, &f->identity), no_item, NULL) =
		    (uint32_t)i + 1;
	}
	return 0;
}

int mp_load_is_covered(struct mp_load *load, const struct mp_job_file *file, bool *covered, struct mp_error *err)
{
	const struct wanted w = {load, file->layout->covered_by, &file->identity};

	*covered = false;
	if (!w.layout[0])
		return 0;
	if (!load->by_call && index_files(load, err))
		return -1;
	*covered = *mp_slot_find(load->by_call, load->by_call_count, hash_of(w.layout, w.id), has_the_calls, &w) != 0;
	return 0;
}

int mp_load_covered(struct mp_load *load, const struct mp_job_file *file, struct mp_error *err)
{
	const struct mp_portion all = {.identity = file->identity, .blank_bytes = file->size};
	struct mp_job_file f = *file;

	f.remark = "not loaded: a file beside it has the same calls";
	load->bytes_done += file->size;
	return mp_load_source(load, &f, f.layout, NULL, &all, -1, err);
}
