/*
 * acl_json_internal.h: shared by the parts of acl_json: the tables of keys, and a file while it is checked.
 *
 * struct mp_acl owns all texts; mp_acl_json_free frees it. The tables are constant. One thread at a time.
 */
#ifndef MP_CONFIG_ACL_JSON_INTERNAL_H
#define MP_CONFIG_ACL_JSON_INTERNAL_H

#include "base/json.h"
#include "config/acl_json.h"

enum mp_acl_kind {
	MP_ACL_WORD,      /* one of `words` */
	MP_ACL_WORDS,     /* several of `words`, separated by commas */
	MP_ACL_NUMBER,    /* `least` to `most`, as a string or a number */
	MP_ACL_MEGABYTES, /* `least` to `most`, followed by "MB" */
	MP_ACL_TEXT,      /* a text of `least` to `most` bytes */
	MP_ACL_PATH,      /* Ascend: a few characters are forbidden */
	MP_ACL_PLAIN_PATH /* board: only a few characters are allowed */
};

struct mp_acl_key {
	const char *name;  /* the spelling that libraries read */
	const char *other; /* another spelling of the same key, or NULL */
	const char *guide; /* the guide's spelling, which no library reads, but which is written, too; or NULL */
	enum mp_acl_kind kind;
	bool may_be_empty;
	const char *words; /* separated by blanks */
	int64_t least, most;
	const char *absent;  /* the value of a key that is not in the file; NULL: not set */
	const char *bad;     /* the value that a bad value counts as; NULL: not set */
	const char *collect; /* the value that collect writes for a key that is not in the file */
	const char *effect;  /* the effect of a bad value; NULL: a bad value is an error */
};

enum { MP_ACL_KEYS_MAX = 32 };

struct mp_acl_table {
	const struct mp_acl_key *keys;
	int count;
};

/* The keys of "profiler" and of "dump". */
struct mp_acl_table mp_acl_profiler_table(enum mp_acl_profile profile);
struct mp_acl_table mp_acl_dump_table(void);

/* The index of a key, in any spelling, in a table; -1 when not found. */
int mp_acl_find_key(struct mp_acl_table table, const char *name);

/* Check a value of a key. Returns 0, or -1 with the reason, which does not quote the value. */
int mp_acl_check_value(const struct mp_acl_key *key, const char *text, struct mp_error *reason);

/*
 * The text of a JSON value: a string's own text, or a number's text in `text`. NULL with the reason when the key does
 * not accept the type.
 */
const char *mp_acl_item_text(const struct mp_acl_key *key, const cJSON *item, char text[32], struct mp_error *reason);

/* A whole file. The struct mp_acl_json of users is the member `face`. */
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

/* Check the whole file and take its settings. Returns 0, or -1 only when out of memory. */
int mp_acl_check_file(struct mp_acl *a, struct mp_error *err);

/* Returns 0, or -1 with the first error of the file. */
int mp_acl_refuse_errors(const struct mp_acl_json *file, struct mp_error *err);

/* Set the value of a key; NULL for not set. Returns 0, or -1 when out of memory. */
int mp_acl_set(struct mp_acl *a, int key, const char *value, enum mp_acl_origin origin, struct mp_error *err);

/* Whether a key is a switch that is on, and has no effect because of a bad value elsewhere. */
bool mp_acl_is_stopped(const struct mp_acl *a, int key);

/* Fill face.settings from the values. */
void mp_acl_settle(struct mp_acl *a);

#endif
