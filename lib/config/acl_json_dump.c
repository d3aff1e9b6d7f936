/*
 * acl_json_dump.c: checks the "dump" of an acl.json: layer outputs, which msprof does not collect but must not disturb.
 */
#include "config/acl_json_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Ascend programs run where their file is checked; the directories of a board are on the board. */
static void check_directory(struct mp_acl *a, const cJSON *path)
{
	struct stat st;

	if (a->face.profile != MP_ACL_ASCEND)
		return;
	if (stat(path->valuestring, &st))
		mp_acl_note(a, MP_ACL_ERROR, "dump.dump_path", path, "the directory does not exist");
	else if (!S_ISDIR(st.st_mode))
		mp_acl_note(a, MP_ACL_ERROR, "dump.dump_path", path, "not a directory");
	else if (faccessat(AT_FDCWD, path->valuestring, R_OK | W_OK, AT_EACCESS))
		mp_acl_note(a, MP_ACL_ERROR, "dump.dump_path", path, "cannot be read and written");
}

/* Check an entry of dump_list: the name of a model, and optionally its layers. */
static void check_entry(struct mp_acl *a, int at, const cJSON *entry)
{
	const cJSON *name = mp_json_member(entry, "model_name");
	const cJSON *layers = mp_json_member(entry, "layer"), *layer;
	char key[64];

	snprintf(key, sizeof(key), "dump.dump_list[%d]", at);
	if (!cJSON_IsObject(entry)) {
		mp_acl_note(a, mp_acl_usual(a), key, entry, "not an object");
		return;
	}
	snprintf(key, sizeof(key), "dump.dump_list[%d].model_name", at);
	if (!name)
		mp_acl_note(a, mp_acl_usual(a), key, NULL, "missing");
	else if (!cJSON_IsString(name) || !*name->valuestring)
		mp_acl_note(a, mp_acl_usual(a), key, name, "not the name of a model");
	snprintf(key, sizeof(key), "dump.dump_list[%d].layer", at);
	if (layers && !cJSON_IsArray(layers)) {
		mp_acl_note(a, mp_acl_usual(a), key, layers, "not an array of names");
		return;
	}
	for (layer = layers ? layers->child : NULL; layer; layer = layer->next) {
		if (!cJSON_IsString(layer) || !*layer->valuestring) {
			mp_acl_note(a, mp_acl_usual(a), key, layer, "not the name of a layer");
			return;
		}
	}
}

static void check_list(struct mp_acl *a, const cJSON *list)
{
	const cJSON *entry;
	int at = 0;

	if (!cJSON_IsArray(list)) {
		mp_acl_note(a, mp_acl_usual(a), "dump.dump_list", list, "not an array");
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
		mp_acl_note(a, mp_acl_usual(a), path, item, "%s", reason.text);
	else if (strcmp(key->name, "dump_path") == 0)
		check_directory(a, item);
}

void mp_acl_check_dump(struct mp_acl *a, const cJSON *dump)
{
	struct mp_acl_table table = mp_acl_dump_table();
	unsigned seen = 0; /* one bit for each key of the table, and one for dump_list */
	const cJSON *item;

	if (!cJSON_IsObject(dump)) {
		mp_acl_note(a, mp_acl_usual(a), "dump", dump, "not an object");
		return;
	}
	for (item = dump->child; item; item = item->next) {
		bool is_list = strcmp(item->string, "dump_list") == 0;
		int at = is_list ? table.count : mp_acl_find_key(table, item->string);
		char path[64];

		if (at < 0) { /* msprof does not know all keys */
			mp_acl_note_unknown(a, MP_ACL_WARNING, "dump", table, item);
			continue;
		}
		snprintf(path, sizeof(path), "dump.%s", item->string);
		if (seen & 1u << at)
			mp_acl_note(a, MP_ACL_ERROR, path, item, "given twice");
		else if (is_list)
			check_list(a, item);
		else
			check_member(a, table, at, item);
		seen |= 1u << at;
	}
	if (!(seen & 1u << mp_acl_find_key(table, "dump_path")))
		mp_acl_note(a, mp_acl_usual(a), "dump.dump_path", NULL, "missing");
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
