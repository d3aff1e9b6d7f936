/* layouts.c: loads the embedded record layouts, and those of --layouts. */
#include "layouts.h"

#include <string.h>

#include "base/schema.h"

int layouts_load(struct mp_layouts *layouts, const char *dir, struct mp_error *err)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 && mp_layouts_parse(layouts, f->path + 8, f->text, err))
			return -1;
	if (dir && mp_layouts_read(layouts, dir, err))
		return -1;
	return mp_layouts_finish(layouts, err);
}
