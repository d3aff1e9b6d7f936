/*
 * acl_json_check.c: checks acl.json key by key and records findings; the tables define which values are valid. A "dump"
 * has layer outputs, which msprof does not collect but must not disturb.
 */
#include "config/acl_json_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Record a finding about a key ("dump.dump_list[2]"); value may be NULL. */
MP_PRINTF(5, 6)
static void note(
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

/* Ascend programs run where their file is checked; the directories of a board are on the board. */
static void check_directory(struct mp_acl *a, const cJSON *path)
{
	struct stat st;

	if (a->face.profile != MP_ACL_ASCEND)
		return;
	if (stat(path->valuestring, &st))
		note(a, MP_ACL_ERROR, "dump.dump_path", path, "the directory does not exist");
	else if (!S_ISDIR(st.st_mode))
		note(a, MP_ACL_ERROR, "dump.dump_path", path, "not a directory");
	else if (faccessat(AT_FDCWD, path->valuestring, R_OK | W_OK, AT_EACCESS))
		note(a, MP_ACL_ERROR, "dump.dump_path", path, "cannot be read and written");
}

/* Check an entry of dump_list: the name of a model, and optionally its layers. */
static void check_entry(struct mp_acl *a, int at, const cJSON *entry)
{
	const cJSON *name = mp_json_member(entry, "model_name");
	const cJSON *layers = mp_json_member(entry, "layer"), *layer;
	char key[64];

	snprintf(key, sizeof(key), "dump.dump_list[%d]", at);
	if (!cJSON_IsObject(entry)) {
		note(a, mp_acl_usual(a), key, entry, "not an object");
		return;
	}
	snprintf(key, sizeof(key), "dump.dump_list[%d].model_name", at);
	if (!name)
		note(a, mp_acl_usual(a), key, NULL, "missing");
	else if (!cJSON_IsString(name) || !*name->valuestring)
		note(a, mp_acl_usual(a), key, name, "not the name of a model");
	snprintf(key, sizeof(key), "dump.dump_list[%d].layer", at);
	if (layers && !cJSON_IsArray(layers)) {
		note(a, mp_acl_usual(a), key, layers, "not an array of names");
		return;
	}
	for (layer = layers ? layers->child : NULL; layer; layer = layer->next) {
		if (!cJSON_IsString(layer) || !*layer->valuestring) {
			note(a, mp_acl_usual(a), key, layer, "not the name of a layer");
			return;
		}
	}
}

static void check_list(struct mp_acl *a, const cJSON *list)
{
	const cJSON *entry;
	int at = 0;

	if (!cJSON_IsArray(list)) {
		note(a, mp_acl_usual(a), "dump.dump_list", list, "not an array");
		return;
	}
	for (entry = list->child; entry; entry = entry->next)
		check_entry(a, at++, entry);
}

static void check_member(struct mp_acl *a, struct mp_acl_table table, int at, const cJSON *item)
{
	const struct mp_acl_key *key = &table.keys[at];
	struct mp_error reason;
	char path[64], number[32];
	const char *text = mp_acl_item_text(key, item, number, &reason);

	snprintf(path, sizeof(path), "dump.%s", key->name);
	if (!text || mp_acl_check_value(key, text, &reason))
		note(a, mp_acl_usual(a), path, item, "%s", reason.text);
	else if (strcmp(key->name, "dump_path") == 0)
		check_directory(a, item);
}

/* Record that a key of `object` is not in the table, and suggest the nearest key. */
static void note_unknown(
    struct mp_acl *a, enum mp_acl_severity severity, const char *object, struct mp_acl_table table, const cJSON *value)
{
	const char *like = NULL;
	char key[128];

	for (int i = 0; i < table.count; i++)
		if (strcasecmp(table.keys[i].name, value->string) == 0)
			like = table.keys[i].name;
	snprintf(key, sizeof(key), "%s.%.100s", object, value->string);
	if (like)
		note(a, severity, key, value, "unknown key; did you mean '%s'", like);
	else
		note(a, severity, key, value, "unknown key");
}

/* Check the value of "dump". */
static void check_dump(struct mp_acl *a, const cJSON *dump)
{
	struct mp_acl_table table = mp_acl_dump_table();
	unsigned seen = 0; /* one bit for each key of the table, and one for dump_list */
	const cJSON *item;

	if (!cJSON_IsObject(dump)) {
		note(a, mp_acl_usual(a), "dump", dump, "not an object");
		return;
	}
	for (item = dump->child; item; item = item->next) {
		bool is_list = strcmp(item->string, "dump_list") == 0;
		int at = is_list ? table.count : mp_acl_find_key(table, item->string);
		char path[64];

		if (at < 0) { /* msprof does not know all keys */
			note_unknown(a, MP_ACL_WARNING, "dump", table, item);
			continue;
		}
		snprintf(path, sizeof(path), "dump.%s", item->string);
		if (seen & 1u << at)
			note(a, MP_ACL_ERROR, path, item, "given twice");
		else if (is_list)
			check_list(a, item);
		else
			check_member(a, table, at, item);
		seen |= 1u << at;
	}
	if (!(seen & 1u << mp_acl_find_key(table, "dump_path")))
		note(a, mp_acl_usual(a), "dump.dump_path", NULL, "missing");
}

bool mp_acl_json_dump_item(const struct mp_acl_json *file, size_t at, struct mp_acl_item *item)
{
	const struct mp_acl *a = (const struct mp_acl *)file;
	const cJSON *dump = mp_json_member(a->root, "dump");
	const cJSON *list = mp_json_member(dump, "dump_list"), *model;
	struct mp_acl_table table = mp_acl_dump_table();
	size_t count = (size_t)table.count;

	if (!file->has_dump)
		return false;
	if (at < count) {
		const char *value = cJSON_GetStringValue(mp_json_member(dump, table.keys[at].name));

		*item = (struct mp_acl_item){table.keys[at].name, value, value ? MP_ACL_FILE : MP_ACL_DEFAULT};
		return true;
	}
	model = cJSON_IsArray(list) ? cJSON_GetArrayItem(list, (int)(at - count)) : NULL;
	*item =
	    (struct mp_acl_item){"model_name", cJSON_GetStringValue(mp_json_member(model, "model_name")), MP_ACL_FILE};
	return model != NULL;
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
		note(a, MP_ACL_REFUSED, path, item, "not a text in quotes: svp_acl_init fails");
	else if (!valid)
		note(a, mp_acl_usual(a), path, item, "%s%s%s", reason.text, key->effect ? "; " : "",
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
		note_unknown(a, mp_acl_usual(a), "profiler", a->table, item);
		return 0;
	}
	snprintf(path, sizeof(path), "profiler.%s", item->string);
	bit = (uint64_t)1 << (is_guide ? MP_ACL_KEYS_MAX + at : at);
	if (*seen & bit) {
		note(a, MP_ACL_ERROR, path, item, "given twice%s", key->other ? ", both spellings count" : "");
		return 0;
	}
	*seen |= bit;
	read = is_guide ? cJSON_GetObjectItemCaseSensitive(profiler, key->name) : NULL;
	if (!read)
		return take_value(a, at, is_guide ? MP_ACL_GUIDE : MP_ACL_FILE, item, err);
	if (!cJSON_GetStringValue(item) || !cJSON_GetStringValue(read) ||
	    strcmp(item->valuestring, read->valuestring) != 0)
		note(a, MP_ACL_WARNING, path, item,
		    "'%s' has another value, and that is what the libraries of boards read", key->name);
	return 0;
}

static int check_profiler(struct mp_acl *a, const cJSON *profiler, struct mp_error *err)
{
	const cJSON *item;
	uint64_t seen = 0;

	if (!cJSON_IsObject(profiler)) {
		note(a, mp_acl_usual(a), "profiler", profiler, "not an object; profiling stays off");
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

/* Say why nothing is recorded where no other finding says so. */
static void judge_switch(struct mp_acl *a, const cJSON *profiler)
{
	static const char effect[] = "profiling stays off: nothing is recorded unless the program starts it";
	const cJSON *item = mp_json_member(profiler, "switch");
	int at = mp_acl_find_key(a->table, "switch");

	if (!a->face.has_profiler && !a->face.has_dump)
		note(a, MP_ACL_WARNING, "profiler", NULL, "missing; %s", effect);
	else if (cJSON_IsObject(profiler) && a->origins[at] == MP_ACL_DEFAULT)
		note(a, MP_ACL_WARNING, "profiler.switch", NULL, "missing; %s", effect);
	else if (item && a->origins[at] == MP_ACL_FILE && !mp_acl_is_stopped(a, at))
		note(a, MP_ACL_WARNING, "profiler.switch", item, "%s", effect);
}

void mp_acl_json_judge(struct mp_acl_json *file)
{
	struct mp_acl *a = (struct mp_acl *)file;
	const cJSON *profiler = cJSON_GetObjectItemCaseSensitive(a->root, "profiler");
	struct mp_error unused;
	char path[128];

	if (mp_acl_refuse_errors(file, &unused))
		return;
	if (!file->settings.on)
		judge_switch(a, profiler);
	if (file->profile != MP_ACL_SVP)
		return;
	for (int i = 0; i < a->table.count; i++) {
		const struct mp_acl_key *key = &a->table.keys[i];

		if (a->origins[i] != MP_ACL_GUIDE)
			continue;
		snprintf(path, sizeof(path), "profiler.%s", key->guide);
		note(a, MP_ACL_WARNING, path, mp_json_member(profiler, key->guide),
		    "the libraries of boards do not read this key, but '%s'; %s", key->name, key->effect);
	}
	if (!file->settings.on)
		return;
	if (a->origins[mp_acl_find_key(a->table, "output")] == MP_ACL_DEFAULT)
		note(a, MP_ACL_REFUSED, "profiler.output", NULL,
		    "missing: some libraries crash (SS928 V2.0.2.2, Hi3519DV500)");
	if (!collects(a, "aicpu") && !collects(a, "aic_metrics") && !collects(a, "acl_api"))
		note(a, MP_ACL_WARNING, "profiler", NULL, "aicpu, aic_metrics and acl_api are off: no JOB appears");
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
			note(a, MP_ACL_ERROR, item->string, item, "given twice");
		else if (slot)
			*slot = item;
	}
	a->face.has_profiler = profiler != NULL;
	a->face.has_dump = dump != NULL;
	if (profiler && dump)
		note(a, MP_ACL_ERROR, "profiler, dump", NULL,
		    "'profiler' and 'dump' cannot be combined: keep one of them");
	if (dump)
		check_dump(a, dump);
	return profiler ? check_profiler(a, profiler, err) : 0;
}
