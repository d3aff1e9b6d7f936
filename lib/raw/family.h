/*
 * family.h: the families (generations) of profiling data. A job belongs to one family; each layout, table and report
 * names its families. docs/FORMAT.md tells how the family of a job is found. Constant names; any thread.
 */
#ifndef MP_RAW_FAMILY_H
#define MP_RAW_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

enum mp_family {
	MP_FAMILY_SVP,        /* SS928 */
	MP_FAMILY_ASCEND910,  /* JOB directories before 2022 */
	MP_FAMILY_ASCEND2022, /* JOB directories since 2022 */
	MP_FAMILY_PROF,       /* PROF directories: host/ and device_N/ */
	MP_FAMILY_COUNT
};

/* The name of a family in layouts, reports and folders below schema/sql: "svp", "ascend910", "ascend2022", "prof". */
const char *mp_family_name(enum mp_family family);

/* Find the family of a name of `len` bytes. Returns false when not found. */
bool mp_family_named(const char *name, size_t len, enum mp_family *family);

#endif
