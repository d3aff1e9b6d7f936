/*
 * family.h: the generations of profiling data. A job belongs to one; layouts, tables and
 * reports say which they are for. docs/FORMAT.md tells how the family of a job is found.
 */
#ifndef MP_RAW_FAMILY_H
#define MP_RAW_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

enum mp_family {
	MP_FAMILY_SVP,        /* SS928 */
	MP_FAMILY_ASCEND910,  /* JOB directories before 2022 */
	MP_FAMILY_ASCEND2022, /* JOB directories since */
	MP_FAMILY_PROF,       /* PROF directories: host/ and device_N/ */
	MP_FAMILY_COUNT
};

/* "svp", "ascend910", "ascend2022", "prof": the word of layouts and reports, and the folder below schema/sql. */
const char *mp_family_name(enum mp_family family);

/* The family of that name (len bytes); false when there is none. */
bool mp_family_named(const char *name, size_t len, enum mp_family *family);

#endif
