/* schema.c: finds an embedded file. The table itself is generated from schema/. */
#include "base/schema.h"

#include <stddef.h>
#include <string.h>

const char *mp_schema_text(const char *path)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strcmp(f->path, path) == 0)
			return f->text;
	return NULL;
}
