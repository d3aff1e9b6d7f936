/*
 * schema.h: the text files of schema/, embedded in the binary at build time.
 */
#ifndef MP_BASE_SCHEMA_H
#define MP_BASE_SCHEMA_H

#include <stdint.h>

struct mp_schema_file {
	const char *path; /* below schema/: "records/svp.rec" */
	const char *text;
};

/* In order of path; ends with a NULL path. */
extern const struct mp_schema_file mp_schema_files[];

/* A hash of the files below sql/: a database made with others does not fit. */
uint64_t mp_schema_fingerprint(void);

/* The text of one file, or NULL. */
const char *mp_schema_text(const char *path);

#endif
