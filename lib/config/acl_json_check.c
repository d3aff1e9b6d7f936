/* acl_json_check.c: checks acl.json key by key and records findings; the tables define which values are valid. */
#include "config/acl_json_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

/* The slot for the next finding; NULL when the finding is not kept. */
static struct mp_acl_finding *next_slot(struct mp_acl_json *f, enum mp_acl_severity severity)
{
	struct mp_acl_finding *last = &f->findings[MP_ACL_FINDINGS_MAX - 1];

	if (f->finding_count < MP_ACL_FINDINGS_MAX)
		return &f->findings[f->finding_count++];
	return severity > last->severity ? last : NULL;
}

/* Show a value so that people recognise it; objects and arrays are not written out. */
static void show_value(char *dst, size_t size, const cJSON *value)
{
	const char *text = value->valuestring; /* the digits of a number */

	if (cJSON_IsArray(value))
		text = "[...]";
	else if (cJSON_IsObject(value))
		text = "{...}";
	else if (cJSON_IsBool(value))
		text = cJSON_IsTrue(value) ? "true" : "false";
	else if (cJSON_IsNull(value))
		text = "null";
	mp_sanitise(dst, size, text, strlen(text));
}

void mp_acl_note(
    struct mp_acl *a, enum mp_acl_severity severity, const char *key, const cJSON *value, const char *fmt, ...)
{
	struct mp_acl_finding *f = next_slot(&a->face, severity);
	char reason[sizeof(f->reason)];
	va_list args;

	++*(severity == MP_ACL_WARNING ? &a->face.warnings : &a->face.errors);
	if (!f)
		return;
	memset(f, 0, sizeof(*f));
	f->severity = severity;
	mp_sanitise(f->key, sizeof(f->key), key, strlen(key));
	f->has_value = value != NULL;
	if (value)
		show_value(f->value, sizeof(f->value), value);
	va_start(args, fmt);
	vsnprintf(reason, sizeof(reason), fmt, args);
	va_end(args);
	mp_sanitise(f->reason, sizeof(f->reason), reason, strlen(reason));
}

void mp_acl_note_unknown(
    struct mp_acl *a, enum mp_acl_severity severity, const char *object, struct mp_acl_table table, const cJSON *value)
{
	const char *like = NULL;
	char key[128];

	for (int i = 0; i < table.count; i++)
		if (strcasecmp(table.keys[i].name, value->string) == 0)
			like = table.keys[i].name;
	snprintf(key, sizeof(key), "%s.%.100s", object, value->string);
	if (like)
		mp_acl_note(a, severity, key, value, "unknown key; did you mean '%s'", like);
	else
		mp_acl_note(a, severity, key, value, "unknown key");
}

void mp_acl_finding_text(const struct mp_acl_finding *f, char *text, size_t size)
{
	if (f->has_value)
		snprintf(text, size, "%s '%s': %s", f->key, f->value, f->reason);
	else
		snprintf(text, size, "%s: %s", f->key, f->reason);
}

/* Take the value of a member of "profiler", which is of key number `at`, in the spelling `origin` tells. */
static int take_value(struct mp_acl *a, int at, enum mp_acl_origin origin, const cJSON *item, struct mp_error *err)
{
	const struct mp_acl_key *key = &a->table.keys[at];
	bool is_read = origin == MP_ACL_FILE;
	struct mp_error reason;
	char path[128], number[32];
	const char *text = mp_acl_item_text(key, item, number, &reason);
	bool valid = text && !mp_acl_check_value(key, text, &reason);

	snprintf(path, sizeof(path), "profiler.%s", item->string);
	if (a->face.profile == MP_ACL_SVP && is_read && !cJSON_IsString(item))
		mp_acl_note(a, MP_ACL_REFUSED, path, item, "not a text in quotes: svp_acl_init fails");
	else if (!valid)
		mp_acl_note(a, mp_acl_usual(a), path, item, "%s%s%s", reason.text, key->effect ? "; " : "",
		    key->effect ? key->effect : "");
	if (!valid)
		return mp_acl_set(a, at, key->bad, is_read ? MP_ACL_BAD_VALUE : origin, err);
	/* an empty path or limit counts as not set; an empty word is an invalid choice */
	return mp_acl_set(a, at, !*text && key->kind != MP_ACL_WORD ? key->absent : text, origin, err);
}

/* Take one member of "profiler". `seen` has a bit for each spelling that counts by itself. */
static int take_setting(
    struct mp_acl *a, const cJSON *profiler, const cJSON *item, uint64_t *seen, struct mp_error *err)
{
	int at = mp_acl_find_key(a->table, item->string);
	const struct mp_acl_key *key = &a->table.keys[at < 0 ? 0 : at];
	bool is_guide = key->guide && strcmp(item->string, key->guide) == 0;
	const cJSON *read;
	char path[128];
	uint64_t bit;

	if (at < 0) {
		mp_acl_note_unknown(a, mp_acl_usual(a), "profiler", a->table, item);
		return 0;
	}
	snprintf(path, sizeof(path), "profiler.%s", item->string);
	bit = (uint64_t)1 << (is_guide ? MP_ACL_KEYS_MAX + at : at);
	if (*seen & bit) {
		mp_acl_note(a, MP_ACL_ERROR, path, item, "given twice%s", key->other ? ", both spellings count" : "");
		return 0;
	}
	*seen |= bit;
	read = is_guide ? cJSON_GetObjectItemCaseSensitive(profiler, key->name) : NULL;
	if (!read)
		return take_value(a, at, is_guide ? MP_ACL_GUIDE : MP_ACL_FILE, item, err);
	if (!cJSON_GetStringValue(item) || !cJSON_GetStringValue(read) ||
	    strcmp(item->valuestring, read->valuestring) != 0)
		mp_acl_note(a, MP_ACL_WARNING, path, item,
		    "'%s' has another value, and that is what the libraries of boards read", key->name);
	return 0;
}

static int check_profiler(struct mp_acl *a, const cJSON *profiler, struct mp_error *err)
{
	const cJSON *item;
	uint64_t seen = 0;

	if (!cJSON_IsObject(profiler)) {
		mp_acl_note(a, mp_acl_usual(a), "profiler", profiler, "not an object; profiling stays off");
		return 0;
	}
	for (item = profiler->child; item; item = item->next)
		if (take_setting(a, profiler, item, &seen, err))
			return -1;
	return 0;
}

/* Whether the libraries of boards read a key, and it turns something on. */
static bool collects(const struct mp_acl *a, const char *key)
{
	int at = mp_acl_find_key(a->table, key);

	return a->origins[at] != MP_ACL_GUIDE && a->values[at] && strcmp(a->values[at], "off") != 0;
}

void mp_acl_json_judge(struct mp_acl_json *file)
{
	struct mp_acl *a = (struct mp_acl *)file;
	const cJSON *profiler = cJSON_GetObjectItemCaseSensitive(a->root, "profiler");
	struct mp_error unused;
	char path[128];

	if (file->profile != MP_ACL_SVP || mp_acl_refuse_errors(file, &unused))
		return;
	for (int i = 0; i < a->table.count; i++) {
		const struct mp_acl_key *key = &a->table.keys[i];

		if (a->origins[i] != MP_ACL_GUIDE)
			continue;
		snprintf(path, sizeof(path), "profiler.%s", key->guide);
		mp_acl_note(a, MP_ACL_WARNING, path, cJSON_GetObjectItemCaseSensitive(profiler, key->guide),
		    "the libraries of boards do not read this key, but '%s'; %s", key->name, key->effect);
	}
	if (!file->settings.on)
		return;
	if (a->origins[mp_acl_find_key(a->table, "output")] == MP_ACL_DEFAULT)
		mp_acl_note(a, MP_ACL_REFUSED, "profiler.output", NULL,
		    "missing: some libraries crash (SS928 V2.0.2.2, Hi3519DV500)");
	if (!collects(a, "aicpu") && !collects(a, "aic_metrics") && !collects(a, "acl_api"))
		mp_acl_note(
		    a, MP_ACL_WARNING, "profiler", NULL, "aicpu, aic_metrics and acl_api are off: no JOB appears");
}

int mp_acl_refuse_errors(const struct mp_acl_json *file, struct mp_error *err)
{
	char text[640];

	for (size_t i = 0; i < file->finding_count; i++) {
		if (file->findings[i].severity != MP_ACL_ERROR)
			continue; /* what is refused is written anew */
		mp_acl_finding_text(&file->findings[i], text, sizeof(text));
		return mp_fail(err, "acl.json: %s", text);
	}
	return 0;
}

/* Other members of the file belong to other software. */
int mp_acl_check_file(struct mp_acl *a, struct mp_error *err)
{
	const cJSON *profiler = NULL, *dump = NULL, *item;

	for (item = a->root->child; item; item = item->next) {
		const cJSON **slot = NULL;

		if (strcmp(item->string, "profiler") == 0)
			slot = &profiler;
		else if (strcmp(item->string, "dump") == 0)
			slot = &dump;
		if (slot && *slot)
			mp_acl_note(a, MP_ACL_ERROR, item->string, item, "given twice");
		else if (slot)
			*slot = item;
	}
	a->face.has_profiler = profiler != NULL;
	a->face.has_dump = dump != NULL;
	if (profiler && dump)
		mp_acl_note(a, MP_ACL_ERROR, "profiler, dump", NULL,
		    "'profiler' and 'dump' cannot be combined: keep one of them");
	if (dump)
		mp_acl_check_dump(a, dump);
	return profiler ? check_profiler(a, profiler, err) : 0;
}
