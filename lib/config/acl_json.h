/*
 * acl_json.h: the file that a program passes to svp_acl_init or aclInit to turn profiling on.
 *
 * Read it, judge every key of it, tell the settings that result, and write it anew with other settings. A file that
 * cannot be read, or is not a JSON object, is an error of the call. What is wrong inside it is a list of findings: for
 * boards (MP_ACL_SVP) a bad value is a warning, since it only switches a feature off; for Ascend it is an error. What
 * nobody can mean, such as profiling and dump in one file, is an error in both. Both spellings of a key (aacpu and
 * aicpu, aac_metrics and aic_metrics) are accepted.
 *
 * The caller owns what the functions return by pointer, and frees it with mp_acl_json_free; all texts in it live as
 * long, settings until the next merge. Findings are safe to show. One thread at a time for each file.
 */
#ifndef MP_CONFIG_ACL_JSON_H
#define MP_CONFIG_ACL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mp_acl_profile { MP_ACL_SVP, MP_ACL_ASCEND };

enum mp_acl_severity { MP_ACL_WARNING, MP_ACL_ERROR };

enum { MP_ACL_SIZE_MAX = 1024 * 1024, MP_ACL_OUTPUT_MAX = 1024, MP_ACL_FINDINGS_MAX = 64 };

struct mp_acl_finding {
	enum mp_acl_severity severity;
	char key[96];     /* "profiler.interval"; long ones are cut */
	char value[160];  /* as the file has it, cut; "" when has_value is false */
	char reason[256]; /* a sentence, lower case, no full stop */
	bool has_value;
};

/* What a recorder needs to know, with defaults filled in. */
struct mp_acl_settings {
	bool on;            /* "switch" */
	const char *output; /* NULL: the directory of the program */
	bool aacpu;
	const char *aac_metrics; /* NULL: not collected */
	int64_t interval;        /* 0 and 1: every inference */
	bool acl_api;            /* "ascendcl" of Ascend */
};

struct mp_acl_json {
	enum mp_acl_profile profile;
	struct mp_acl_settings settings;
	struct mp_acl_finding findings[MP_ACL_FINDINGS_MAX];
	size_t finding_count;    /* kept; errors are kept rather than warnings */
	size_t errors, warnings; /* all of them; it is valid when there are no errors */
	bool has_profiler, has_dump;
};

/* Read a file of at most 1 MiB. */
int mp_acl_json_read(struct mp_acl_json **file, const char *path, enum mp_acl_profile profile, struct mp_error *err);

/* The same from memory; "{}" where there is no file. `label` is what errors call it. */
int mp_acl_json_parse(struct mp_acl_json **file, enum mp_acl_profile profile, const char *label, const char *text,
    size_t len, struct mp_error *err);

/* NULL is fine. */
void mp_acl_json_free(struct mp_acl_json *file);

/* "KEY 'VALUE': reason" */
void mp_acl_finding_text(const struct mp_acl_finding *finding, char *text, size_t size);

enum mp_acl_origin {
	MP_ACL_DEFAULT, /* the file does not say */
	MP_ACL_FILE,
	MP_ACL_BAD_VALUE, /* the file says something that counts as this */
	MP_ACL_CALLER     /* set by mp_acl_json_merge */
};

struct mp_acl_item {
	const char *key;   /* the profile's spelling */
	const char *value; /* NULL: not set */
	enum mp_acl_origin origin;
};

/* The at'th setting of the profile's table, in the guide's order; false after the last one. */
bool mp_acl_json_item(const struct mp_acl_json *file, size_t at, struct mp_acl_item *item);

/* The same for the settings of a dump, and its models; false at once for a file without one. */
bool mp_acl_json_dump_item(const struct mp_acl_json *file, size_t at, struct mp_acl_item *item);

/* The value of a key of the table in either spelling, defaults filled in; NULL when it is not set. */
const char *mp_acl_json_value(const struct mp_acl_json *file, const char *key);

struct mp_acl_pair {
	const char *key, *value;
};

/*
 * What collect writes: its defaults (profiling on, all data), below what the file says, below `overrides` (ends with a
 * NULL key). `output` is the default of that key, or NULL. Refused for a file with errors, one with a dump, and for an
 * override that the table does not allow; then the settings are as before.
 */
int mp_acl_json_merge(
    struct mp_acl_json *file, const char *output, const struct mp_acl_pair *overrides, struct mp_error *err);

/*
 * The file as JSON, the guide's keys first and in its order, values as strings (numbers of Ascend stay numbers).
 * Members that are not ours are kept as they were written. *text is the caller's to free. Holds no control characters
 * but line ends and tabs.
 */
int mp_acl_json_text(const struct mp_acl_json *file, char **text, struct mp_error *err);

/* An Ascend acl.json that turns one of the two on. */
enum mp_acl_purpose { MP_ACL_PROFILER, MP_ACL_DUMP };

struct mp_acl_request {
	enum mp_acl_purpose purpose;
	const char *dir;           /* gets acl.json */
	const char *results;       /* the directory in it for what is collected; NULL: itself */
	const char *const *models; /* names of the models to dump; ends with NULL */
};

/*
 * Make DIR/acl.json and the directories that are missing; a file of that name is replaced. Refused where the settings
 * would not be allowed: then nothing is written, and the earlier file stays.
 */
int mp_acl_json_make(struct mp_acl_json **file, const struct mp_acl_request *request, struct mp_error *err);

/*
 * Whether a path keeps to what the guide allows: letters, digits and '_' between '/', with "./" and "../" at the
 * beginning. -1 with the first character that does not. Empty is fine.
 */
int mp_acl_path_check(const char *path, struct mp_error *err);

#endif
