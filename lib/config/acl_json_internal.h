/* acl_json_internal.h: what the parts of acl_json share: the tables of keys, and a file that is being judged. */
#ifndef MP_CONFIG_ACL_JSON_INTERNAL_H
#define MP_CONFIG_ACL_JSON_INTERNAL_H

#include "config/acl_json.h"

#include <cjson/cJSON.h>

enum mp_acl_kind {
	MP_ACL_WORD,      /* one of `words` */
	MP_ACL_WORDS,     /* some of `words`, commas between them */
	MP_ACL_NUMBER,    /* from least to most, as a string or as a number */
	MP_ACL_MEGABYTES, /* the same with "MB" behind it */
	MP_ACL_TEXT,      /* a length from least to most */
	MP_ACL_PATH,      /* of Ascend: a few characters are forbidden */
	MP_ACL_PLAIN_PATH /* of a board: few characters are allowed */
};

struct mp_acl_key {
	const char *name, *other; /* the profile's spelling, and the other one or NULL */
	enum mp_acl_kind kind;
	bool may_be_empty;
	const char *words; /* blanks between them */
	int64_t least, most;
	const char *absent;  /* the value when the file does not say; NULL: none */
	const char *bad;     /* what a bad value amounts to; NULL: none */
	const char *collect; /* what collect writes when the file does not say */
	const char *effect;  /* of a bad value; NULL where that is an error */
};

enum { MP_ACL_KEYS_MAX = 32 };

struct mp_acl_table {
	const struct mp_acl_key *keys;
	int count;
};

/* The keys of "profiler" and of "dump". */
struct mp_acl_table mp_acl_profiler_table(enum mp_acl_profile profile);
struct mp_acl_table mp_acl_dump_table(void);

/* The place of a key, in either spelling, in a table; -1 when it is not there. */
int mp_acl_find_key(struct mp_acl_table table, const char *name);

/* Whether the text is a value of the key; -1 with the reason, which does not quote it. */
int mp_acl_check_value(const struct mp_acl_key *key, const char *text, struct mp_error *reason);

/*
 * The text of a JSON value in `text` or, where it is a string, its own; NULL with the reason when the key does not
 * take that type.
 */
const char *mp_acl_item_text(const struct mp_acl_key *key, const cJSON *item, char text[32], struct mp_error *reason);

/* The whole of a file. A struct mp_acl_json that users hold points at `face`. */
struct mp_acl {
	struct mp_acl_json face;
	struct mp_acl_table table;
	char *text; /* of the file, NUL-terminated */
	cJSON *root;
	char *values[MP_ACL_KEYS_MAX];
	enum mp_acl_origin origins[MP_ACL_KEYS_MAX];
};

static inline enum mp_acl_severity mp_acl_usual(const struct mp_acl *a)
{
	return a->face.profile == MP_ACL_SVP ? MP_ACL_WARNING : MP_ACL_ERROR;
}

/* Note something about a key ("dump.dump_list[2]"); value may be NULL. */
void mp_acl_note(struct mp_acl *a, enum mp_acl_severity severity, const char *key, const cJSON *value, const char *fmt,
    ...) MP_PRINTF(5, 6);

/* Note that a key of `object` is not in the table, with the one that it looks like. */
void mp_acl_note_unknown(
    struct mp_acl *a, enum mp_acl_severity severity, const char *object, struct mp_acl_table table, const cJSON *value);

/* Judge the whole file and take its settings. -1 for want of memory only. */
int mp_acl_check_file(struct mp_acl *a, struct mp_error *err);

/* -1 with the first error that was found in the file. */
int mp_acl_refuse_errors(const struct mp_acl_json *file, struct mp_error *err);

/* Judge the value of "dump". */
void mp_acl_check_dump(struct mp_acl *a, const cJSON *dump);

/* Give a key a value, or none (NULL). */
int mp_acl_set(struct mp_acl *a, int key, const char *value, enum mp_acl_origin origin, struct mp_error *err);

/* Fill in face.settings from the values. */
void mp_acl_settle(struct mp_acl *a);

#endif
