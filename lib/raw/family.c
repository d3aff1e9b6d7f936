/* family.c: the names of families. */
#include "raw/family.h"

#include <string.h>

static const char *const names[MP_FAMILY_COUNT] = {
    [MP_FAMILY_SVP] = "svp",
    [MP_FAMILY_ASCEND910] = "ascend910",
    [MP_FAMILY_ASCEND2022] = "ascend2022",
    [MP_FAMILY_PROF] = "prof",
};

const char *mp_family_name(enum mp_family family)
{
	return names[family];
}

bool mp_family_named(const char *name, size_t len, enum mp_family *family)
{
	for (int i = 0; i < MP_FAMILY_COUNT; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0) {
			*family = (enum mp_family)i;
			return true;
		}
	return false;
}
