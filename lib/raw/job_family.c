/*
 * job_family.c: the names of families; finds the family of a JOB directory, the soc of one of the SS928 family, and the
 * process that recorded a job.
 */
#include "raw/job_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "raw/job.h"
#include "raw/layout.h"

static const char *const names[MP_FAMILY_LAYOUTS] = {
    [MP_FAMILY_SVP] = "svp",
    [MP_FAMILY_ASCEND910] = "ascend910",
    [MP_FAMILY_ASCEND2022] = "ascend2022",
    [MP_FAMILY_PROF] = "prof",
    [MP_FAMILY_PYTORCH] = "pytorch",
};

const char *mp_family_name(enum mp_family family)
{
	return names[family];
}

bool mp_family_named(const char *name, size_t len, enum mp_family *family)
{
	for (int i = 0; i < MP_FAMILY_LAYOUTS; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0) {
			*family = (enum mp_family)i;
			return true;
		}
	return false;
}

/* The families of JOB directories with numbered slices. When two know equally many files, the first wins. */
static const enum mp_family sliced[] = {MP_FAMILY_ASCEND910, MP_FAMILY_ASCEND2022};

static bool has_slice(const char *name)
{
	for (const char *at = strstr(name, ".slice_"); at; at = strstr(at + 1, ".slice_"))
		if (at[7] >= '0' && at[7] <= '9')
			return true;
	return false;
}

size_t mp_job_known_files(const struct mp_job *job, const struct mp_layouts *layouts, enum mp_family family)
{
	struct mp_identity id;
	size_t count = 0;

	for (size_t i = 0; i < job->file_count; i++)
		count +=
		    mp_job_name_layout(layouts, family, job->files[i].name, strlen(job->files[i].name), &id) != NULL;
	return count;
}

enum mp_family mp_job_find_family(const struct mp_job *job, const struct mp_layouts *layouts, bool ascend)
{
	enum mp_family best = MP_FAMILY_ASCEND2022;
	bool sliced_names = false;
	size_t most = 0;

	for (size_t i = 0; i < job->file_count && !sliced_names; i++)
		sliced_names = has_slice(job->files[i].name);
	if (!ascend && !sliced_names)
		return MP_FAMILY_SVP;
	for (size_t i = 0; i < sizeof(sliced) / sizeof(sliced[0]); i++) {
		size_t count = mp_job_known_files(job, layouts, sliced[i]);

		if (count > most) {
			most = count;
			best = sliced[i];
		}
	}
	/* info.json alone looks otherwise */
	if (!most && !sliced_names && mp_job_known_files(job, layouts, MP_FAMILY_SVP))
		return MP_FAMILY_SVP;
	return best;
}

/* Returns whether an object of DeviceInfo, or the whole text, has the key. */
static bool has_key(const cJSON *object, const char *key)
{
	const cJSON *info = mp_json_member(object, "DeviceInfo"), *at;

	if (mp_json_member(object, key))
		return true;
	for (at = info ? info->child : NULL; at; at = at->next)
		if (mp_json_member(at, key))
			return true;
	return false;
}

static bool meets(const struct mp_soc *soc, const cJSON *object)
{
	for (int i = 0; i < soc->when_count; i++)
		if (has_key(object, soc->whens[i].key) != soc->whens[i].has)
			return false;
	return true;
}

/* How many names of the job the layouts of a soc know, and no others do. */
static size_t names_of(const struct mp_job *job, const struct mp_layouts *layouts, int soc)
{
	struct mp_identity id;
	size_t count = 0;

	for (size_t i = 0; i < job->file_count; i++)
		for (size_t k = 0; k < layouts->count; k++) {
			const struct mp_layout *l = layouts->items[k];

			if (l->family == job->family && l->socs != UINT32_MAX && l->socs >> soc & 1 &&
			    mp_layout_names(l, job->files[i].name, strlen(job->files[i].name), &id)) {
				count++;
				break;
			}
		}
	return count;
}

static int by_names(const struct mp_job *job, const struct mp_layouts *layouts)
{
	size_t most = 0;
	int best = layouts->soc_count - 1;

	for (int i = layouts->soc_count - 1; i >= 0; i--) {
		size_t count = names_of(job, layouts, i);

		if (count > most) {
			most = count;
			best = i;
		}
	}
	return best;
}

void mp_job_find_soc(struct mp_job *job, const struct mp_layouts *layouts)
{
	const cJSON *object = NULL;
	int soc = -1;

	if (!layouts->soc_count)
		return;
	for (int i = 0; i < job->device_count && !object; i++)
		object = job->devices[i].info_tree;
	for (int i = 0; object && i < layouts->soc_count && soc < 0; i++)
		if (meets(&layouts->socs[i], object))
			soc = i;
	job->soc = &layouts->socs[soc >= 0 ? soc : by_names(job, layouts)];
}

/*
 * The information file of the host; without one that of the first device, or what the recorder says beside it where the
 * form of that file has no place for it.
 */
static const cJSON *info_of(const struct mp_job *job)
{
	const struct mp_job_control *c = mp_job_control(job, -1, "info.json");

	if (c)
		return c->tree;
	if (job->device_count && job->devices[0].recorder_tree)
		return job->devices[0].recorder_tree;
	return job->device_count ? job->devices[0].info_tree : NULL;
}

static bool is_identity(const char *text)
{
	return text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

bool mp_job_process(const struct mp_job *job, struct mp_job_process *process)
{
	const cJSON *info = info_of(job), *pid = mp_json_member(info, "pid");
	const char *identity = cJSON_GetStringValue(mp_json_member(info, "process"));

	if (!is_identity(identity) || !pid || !pid->valuestring)
		return false;
	snprintf(process->identity, sizeof(process->identity), "%s", identity);
	process->pid = strtoll(pid->valuestring, NULL, 10); /* a text in a PROF directory */
	return process->pid > 0;
}
