/* schema.h: the text files of schema/, embedded in the binary at build time. All texts are constant; any thread. */
#ifndef MP_BASE_SCHEMA_H
#define MP_BASE_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct mp_schema_file {
	const char *path; /* below schema/: "records/svp.rec" */
	const char *text;
};

/* All files in order of path; behind them is an entry with a NULL path. */
extern const struct mp_schema_file mp_schema_files[];
extern const size_t mp_schema_file_count;

/* The texts of a static program, which gzip made small; all 0 elsewhere. */
struct mp_schema_pack {
	const unsigned char *packed;
	size_t packed_size;
	char *texts; /* where mp_schema_files expects them */
	size_t size;
};
extern const struct mp_schema_pack mp_schema_pack;

/* A hash of the files below a folder, or "" for all. A database with another hash of "sql/" was made by another schema.
 */
uint64_t mp_schema_fingerprint(const char *folder);

/* Begins the text of an error with "schema/PATH:LINE: ". Returns -1. */
int mp_schema_locate(const char *path, int line, struct mp_error *err);

/* Returns the text of one file, or NULL when there is no such file. */
const char *mp_schema_text(const char *path);

/*
 * Unpack the schema, if it is packed: once, before anything else uses it. Returns 0, or -1 with err. In deflate.c,
 * since it needs zlib.
 */
int mp_schema_unpack(struct mp_error *err);

#endif
