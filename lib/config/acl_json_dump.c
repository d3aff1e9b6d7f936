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
static void check_directory(struct mp_acl *a, const struct mp_json_node *path)
{
	struct stat st;

	if (a->face.profile != MP_ACL_ASCEND)
		return;
	if (stat(path->text, &st))
		mp_acl_note(a, MP_ACL_ERROR, "dump.dump_path", path, "the directory does not exist");
	else if (!S_ISDIR(st.st_mode))
		mp_acl_note(a, MP_ACL_ERROR, "dump.dump_path", path, "not a directory");
	else if (faccessat(AT_FDCWD, path->text, R_OK | W_OK, AT_EACCESS))
		mp_acl_note(a, MP_ACL_ERROR, "dump.dump_path", path, "cannot be read and written");
}

/* Check an entry of dump_list: the name of a model, and optionally its layers. */
static void check_entry(struct mp_acl *a, int at, const struct mp_json_node *entry)
{
	const struct mp_json_node *name = mp_json_member(entry, "model_name");
	const struct mp_json_node *layers = mp_json_member(entry, "layer"), *layer;
	char key[64];

	snprintf(key, sizeof(key), "dump.dump_list[%d]", at);
	if (!mp_json_is(entry, MP_JSON_OBJECT)) {
		mp_acl_note(a, mp_acl_usual(a), key, entry, "not an object");
		return;
	}
	snprintf(key, sizeof(key), "dump.dump_list[%d].model_name", at);
	if (!name)
		mp_acl_note(a, mp_acl_usual(a), key, NULL, "missing");
	else if (!mp_json_is(name, MP_JSON_TEXT) || !*name->text)
		mp_acl_note(a, mp_acl_usual(a), key, name, "not the name of a model");
	snprintf(key, sizeof(key), "dump.dump_list[%d].layer", at);
	if (layers && !mp_json_is(layers, MP_JSON_ARRAY)) {
		mp_acl_note(a, mp_acl_usual(a), key, layers, "not an array of names");
		return;
	}
	for (layer = layers ? layers->child : NULL; layer; layer = layer->next) {
		if (!mp_json_is(layer, MP_JSON_TEXT) || !*layer->text) {
			mp_acl_note(a, mp_acl_usual(a), key, layer, "not the name of a layer");
			return;
		}
	}
}

static void check_list(struct mp_acl *a, const struct mp_json_node *list)
{
	const struct mp_json_node *entry;
	int at = 0;

	if (!mp_json_is(list, MP_JSON_ARRAY)) {
		mp_acl_note(a, mp_acl_usual(a), "dump.dump_list", list, "not an array");
		return;
	}
	for (entry = list->child; entry; entry = entry->next)
		check_entry(a, at++, entry);
}

static void check_member(struct mp_acl *a, struct mp_acl_table table, int at, const struct mp_json_node *item)
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

void mp_acl_check_dump(struct mp_acl *a, const struct mp_json_node *dump)
{
	struct mp_acl_table table = mp_acl_dump_table();
	unsigned seen = 0; /* one bit for each key of the table, and one for dump_list */
	const struct mp_json_node *item;

	if (!mp_json_is(dump, MP_JSON_OBJECT)) {
		mp_acl_note(a, mp_acl_usual(a), "dump", dump, "not an object");
		return;
	}
	for (item = dump->child; item; item = item->next) {
		bool is_list = strcmp(item->key, "dump_list") == 0;
		int at = is_list ? table.count : mp_acl_find_key(table, item->key);
		char path[64];

		if (at < 0) { /* msprof does not know all keys */
			mp_acl_note_unknown(a, MP_ACL_WARNING, "dump", table, item);
			continue;
		}
		snprintf(path, sizeof(path), "dump.%s", item->key);
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
	const struct mp_json_node *dump = mp_json_member(a->root, "dump");
	const struct mp_json_node *list = mp_json_member(dump, "dump_list"), *model;
	struct mp_acl_table table = mp_acl_dump_table();
	size_t count = (size_t)table.count;

	if (!file->has_dump)
		return false;
	if (at < count) {
		const char *value = mp_json_text(mp_json_member(dump, table.keys[at].name));

		*item = (struct mp_acl_item){table.keys[at].name, value, value ? MP_ACL_FILE : MP_ACL_DEFAULT};
		return true;
	}
	model = mp_json_item(list, at - count);
	*item = (struct mp_acl_item){"model_name", mp_json_text(mp_json_member(model, "model_name")), MP_ACL_FILE};
	return model != NULL;
}
