/* job_family.c: finds the family of a JOB directory by the names of its files. */
#include <string.h>

#include "raw/job_info.h"

/* The families of JOB directories with numbered slices. When two know equally many files, the first wins. */
static const enum mp_family sliced[] = {MP_FAMILY_ASCEND910, MP_FAMILY_ASCEND2022};

static bool has_slice(const char *name)
{
	for (const char *at = strstr(name, ".slice_"); at; at = strstr(at + 1, ".slice_"))
		if (at[7] >= '0' && at[7] <= '9')
			return true;
	return false;
}

static size_t known_files(const struct mp_job *job, const struct mp_layouts *layouts, enum mp_family family)
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
	size_t most = 0;

	for (size_t i = 0; i < job->file_count && !ascend; i++)
		ascend = has_slice(job->files[i].name);
	if (!ascend)
		return MP_FAMILY_SVP;
	for (size_t i = 0; i < sizeof(sliced) / sizeof(sliced[0]); i++) {
		size_t count = known_files(job, layouts, sliced[i]);

		if (count > most) {
			most = count;
			best = sliced[i];
		}
	}
	return best;
}
