/* acljson.h: what judging and making an acl.json share. */
#ifndef MSPROF_ACLJSON_H
#define MSPROF_ACLJSON_H

#include "command.h"
#include "config/acl_json.h"

/* Judge a file, print what is wrong with it and the settings that result; the exit status. */
int acljson_judge(const char *path, enum mp_acl_profile profile, const struct options *options);

/* Print its settings as --format says, nothing with -q; the exit status. */
int acljson_print(const struct mp_acl_json *file, const struct options *options);

#endif
