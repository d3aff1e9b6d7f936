/*
 * acl_json.h: the file that a program passes to svp_acl_init or aclInit to turn profiling on.
 *
 * The functions read the file, check each key, give the resulting settings, and write the file with other settings. A
 * file that cannot be read, or is not a JSON object, is an error of the call. Problems inside the file become a list of
 * findings. For boards (MP_ACL_SVP) a bad value is a warning, because a board only switches the feature off; for Ascend
 * a bad value is an error. Contradictions, such as profiling and dump in one file, are errors for both.
 *
 * The libraries of boards read "aicpu" and "aic_metrics"; the guide of boards calls them "aacpu" and "aac_metrics",
 * which no library reads. Here either spelling sets a value, the libraries' first, and a board's file is written with
 * both.
 *
 * The caller owns each struct mp_acl_json and frees it with mp_acl_json_free. All its texts live as long as the struct;
 * settings live until the next merge. Texts of findings are safe to show. Functions that return int give 0, or -1 with
 * err. One thread at a time for each file.
 */
#ifndef MP_CONFIG_ACL_JSON_H
#define MP_CONFIG_ACL_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum mp_acl_profile { MP_ACL_SVP, MP_ACL_ASCEND };

/* In ascending order. */
enum mp_acl_severity {
	MP_ACL_WARNING,
	MP_ACL_REFUSED, /* the libraries of boards fail because of it; a merge mends it */
	MP_ACL_ERROR
};

enum { MP_ACL_SIZE_MAX = 1024 * 1024, MP_ACL_OUTPUT_MAX = 1024, MP_ACL_FINDINGS_MAX = 64 };

struct mp_acl_finding {
	enum mp_acl_severity severity;
	char key[96];     /* "profiler.interval"; cut when long */
	char value[160];  /* as in the file, cut when long; "" when has_value is false */
	char reason[256]; /* a sentence, lower case, no full stop */
	bool has_value;
};

/* The settings that a recorder needs. */
struct mp_acl_settings {
	bool on;            /* "switch"; false where a board's "interval" is bad */
	const char *output; /* NULL: the directory of the program */
	int64_t interval;
	bool calls; /* "acl_api", or "ascendcl" of Ascend: on unless the file turns them off */
};

struct mp_acl_json {
	enum mp_acl_profile profile;
	struct mp_acl_settings settings;
	struct mp_acl_finding findings[MP_ACL_FINDINGS_MAX];
	size_t finding_count;    /* findings kept; errors have precedence over warnings */
	size_t errors, warnings; /* all findings; a file without errors is valid; what is refused is an error */
	bool has_profiler, has_dump;
};

/* Read a file of at most 1 MiB. */
int mp_acl_json_read(struct mp_acl_json **file, const char *path, enum mp_acl_profile profile, struct mp_error *err);

/* Parse a text like a file; pass "{}" when there is no file. `label` is the name of the text in errors. */
int mp_acl_json_parse(struct mp_acl_json **file, enum mp_acl_profile profile, const char *label, const char *text,
    size_t len, struct mp_error *err);

/* Free a file and its texts. NULL is allowed. */
void mp_acl_json_free(struct mp_acl_json *file);

/*
 * Add findings about the file as it is: why profiling stays off; and of what the libraries of boards make of it: keys
 * that none reads, a missing output, nothing to collect. Call it once. It adds nothing to a file with contradictions.
 */
void mp_acl_json_judge(struct mp_acl_json *file);

/* Write "KEY 'VALUE': reason" into text. */
void mp_acl_finding_text(const struct mp_acl_finding *finding, char *text, size_t size);

enum mp_acl_origin {
	MP_ACL_DEFAULT, /* the file does not contain the key */
	MP_ACL_FILE,
	MP_ACL_GUIDE,     /* the file has the guide's spelling alone, which no library of a board reads */
	MP_ACL_BAD_VALUE, /* the file's value is invalid and counts as the shown value */
	MP_ACL_CALLER     /* set by mp_acl_json_merge */
};

struct mp_acl_item {
	const char *key;   /* the spelling that libraries read */
	const char *value; /* NULL: not set */
	enum mp_acl_origin origin;
};

/* Get setting number `at` of the profile's table, in the guide's order. Returns false after the last setting. */
bool mp_acl_json_item(const struct mp_acl_json *file, size_t at, struct mp_acl_item *item);

/*
 * Get setting number `at` of a dump, then its models. Returns false after the last one, and always for a file without a
 * dump.
 */
bool mp_acl_json_dump_item(const struct mp_acl_json *file, size_t at, struct mp_acl_item *item);

/* The value of a key of the table, in either spelling, or the libraries' default; NULL when not set. */
const char *mp_acl_json_value(const struct mp_acl_json *file, const char *key);

struct mp_acl_pair {
	const char *key, *value;
};

/*
 * Set what collect writes: its defaults (profiling on, all data), then the settings of the file, then `overrides`. A
 * NULL key ends the overrides. `output` is the default of that key, or NULL. Errors: a file with errors but those of
 * MP_ACL_REFUSED, a file with a dump, an override that the table does not allow. After an error the settings are
 * unchanged.
 */
int mp_acl_json_merge(
    struct mp_acl_json *file, const char *output, const struct mp_acl_pair *overrides, struct mp_error *err);

/*
 * Write the file as JSON: the table's keys first, in its order, in both spellings for a board, with values as strings;
 * numbers of Ascend stay numbers. Other members are copied as written. The text has no control characters but line ends
 * and tabs. The caller frees *text.
 */
int mp_acl_json_text(const struct mp_acl_json *file, char **text, struct mp_error *err);

/* Which part of an Ascend acl.json is turned on. */
enum mp_acl_purpose { MP_ACL_PROFILER, MP_ACL_DUMP };

struct mp_acl_request {
	enum mp_acl_purpose purpose;
	const char *dir;           /* the directory that receives acl.json */
	const char *results;       /* the directory below `dir` for results; NULL: `dir` itself */
	const char *const *models; /* names of the models to dump; ends with NULL */
};

/*
 * Write DIR/acl.json for Ascend and make missing directories; an earlier file is replaced. Settings that are not
 * allowed are an error: then nothing is written, and an earlier file stays. *file receives the new file.
 */
int mp_acl_json_make(struct mp_acl_json **file, const struct mp_acl_request *request, struct mp_error *err);

/*
 * Check a path against the guide: letters, digits and '_' between '/', with "./" and "../" at the beginning; an empty
 * path is valid. Returns 0, or -1 with err naming the first invalid character.
 */
int mp_acl_path_check(const char *path, struct mp_error *err);

#endif
