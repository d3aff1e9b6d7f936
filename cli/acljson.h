/* acljson.h: checks an acl.json and prints its settings. Functions print their errors and return the exit status. */
#ifndef MSPROF_ACLJSON_H
#define MSPROF_ACLJSON_H

#include "command.h"
#include "config/acl_json.h"

/* Check a file: print its mistakes and the settings that result. */
int acljson_check(const char *path, enum mp_acl_profile profile, const struct options *options);

/* Print the settings of a file in the format of --format; nothing with -q. */
int acljson_print(const struct mp_acl_json *file, const struct options *options);

#endif
