/* schema.c: finds an embedded file. The build generates the table from schema/. */
#include "base/schema.h"

#include <stddef.h>
#include <string.h>

#include "base/index.h"

const char *mp_schema_text(const char *path)
{
	size_t low = 0, high = mp_schema_file_count;

	while (low < high) {
		const size_t middle = (low + high) / 2;
		const int order = strcmp(mp_schema_files[middle].path, path);

		if (order == 0)
			return mp_schema_files[middle].text;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

uint64_t mp_schema_fingerprint(const char *folder)
{
	uint64_t hash = 0;

	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, folder, strlen(folder)) == 0)
			hash = mp_fnv(hash, f->text, strlen(f->text));
	return hash;
}

int mp_schema_locate(const char *path, int line, struct mp_error *err)
{
	const struct mp_error reason = *err;

	return mp_fail_because(err, &reason, "schema/%s:%d: %s", path, line, reason.text);
}
