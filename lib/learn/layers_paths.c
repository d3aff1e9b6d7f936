/* layers_paths.c: the paths within objects of JSON, as the layout language writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

/* Larger objects are lists by name; paths into them would be names of layers. */
enum { MEMBER_MAX = 64, ITEM_MAX = 16, VISIT_MAX = 65536 };

static bool is_plain(const char *key)
{
	for (const char *c = key; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *c))
			return false;
	return true;
}

static bool is_sayable(const char *key)
{
	if (!*key || strcmp(key, "#") == 0)
		return false;
	for (const char *c = key; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '"' || *c == 0x7f)
			return false;
	return true;
}

/* Write the path; "" when the language cannot say it. A path that begins with a key in quotes has no other key. */
void mp_json_path_word(struct mp_json_path *path, bool of_element)
{
	size_t used = 0;
	char *word = path->word;

	word[0] = '\0';
	if (of_element && path->count && !path->steps[0].key)
		word[used++] = '.';
	for (int i = 0; i < path->count; i++) {
		const struct mp_step *s = &path->steps[i];
		bool dot = s->key && (i || of_element), plain = s->key && is_plain(s->key);
		int n;

		if (s->key && (!is_sayable(s->key) || (!plain && !i && !of_element && path->count > 1))) {
			word[0] = '\0';
			return;
		}
		if (s->key)
			n = snprintf(
			    word + used, MP_WORD_TEXT - used, plain ? "%s%s" : "%s\"%s\"", dot ? "." : "", s->key);
		else
			n = snprintf(word + used, MP_WORD_TEXT - used, "[%d]", s->index);
		if (n < 0 || (size_t)n >= MP_WORD_TEXT - used) {
			word[0] = '\0';
			return;
		}
		used += (size_t)n;
	}
	if (of_element && !path->count)
		snprintf(word, MP_WORD_TEXT, ".");
}

const struct mp_json_node *mp_json_path_find(const struct mp_json_path *path, const struct mp_json_node *root)
{
	for (int i = 0; root && i < path->count; i++) {
		const struct mp_step *s = &path->steps[i];

		if (s->key)
			root = mp_json_is(root, MP_JSON_OBJECT) ? mp_json_member(root, s->key) : NULL;
		else
			root = mp_json_is(root, MP_JSON_ARRAY) ? mp_json_item(root, (size_t)s->index) : NULL;
	}
	return root;
}

static uint32_t hash_steps(const struct mp_json_path *path)
{
	uint32_t hash = 2166136261U;

	for (int i = 0; i < path->count; i++) {
		const char *key = path->steps[i].key;

		for (const char *c = key ? key : ""; *c; c++)
			hash = (hash ^ (unsigned char)*c) * 16777619U;
		hash = (hash ^ (key ? 255U : (uint32_t)path->steps[i].index)) * 16777619U;
	}
	return hash;
}

static bool same_steps(const struct mp_json_path *a, const struct mp_json_path *b)
{
	if (a->hash != b->hash || a->count != b->count)
		return false;
	for (int i = 0; i < a->count; i++) {
		const struct mp_step *x = &a->steps[i], *y = &b->steps[i];

		if (x->key && y->key ? strcmp(x->key, y->key) != 0 : x->key || y->key || x->index != y->index)
			return false;
	}
	return true;
}

/* The place of a path in the list; it is added when new. NULL: the list is full, or out of memory with err. */
static struct mp_json_path *add_path(struct mp_json_paths *paths, struct mp_json_path *path, struct mp_error *err)
{
	path->hash = hash_steps(path);
	for (size_t i = 0; i < paths->count; i++)
		if (same_steps(&paths->items[i], path))
			return &paths->items[i];
	if (paths->count == paths->room) {
		size_t room = paths->room ? 2 * paths->room : 64;
		struct mp_json_path *items = NULL;

		paths->too_many = paths->count >= MP_SET_PATH_MAX;
		if (!paths->too_many)
			items = mp_learn_realloc(paths->items, room * sizeof(*items));
		if (!items) {
			mp_error_set(err, "out of memory for paths");
			return NULL;
		}
		paths->items = items;
		paths->room = room;
	}
	paths->items[paths->count] = *path;
	return &paths->items[paths->count++];
}

static int visit(
    struct mp_json_paths *paths, struct mp_json_path *path, const struct mp_json_node *node, struct mp_error *err)
{
	struct mp_json_path *at;
	const struct mp_json_node *child;
	int count = 0;

	if (paths->too_many || ++paths->visits > VISIT_MAX)
		return 0;
	at = add_path(paths, path, err);
	if (!at)
		return paths->too_many ? 0 : -1;
	at->seen++;
	at->has_list = at->has_list || node->child;
	at->has_scalar = at->has_scalar || !(mp_json_is(node, MP_JSON_OBJECT) || mp_json_is(node, MP_JSON_ARRAY));
	for (child = mp_json_first(node); child; child = child->next)
		count++;
	if (path->count == MP_STEP_MAX || count > (mp_json_is(node, MP_JSON_OBJECT) ? MEMBER_MAX : ITEM_MAX))
		return 0;
	count = 0;
	for (child = mp_json_first(node); child; child = child->next) {
		path->steps[path->count++] =
		    (struct mp_step){mp_json_is(node, MP_JSON_OBJECT) ? child->key : NULL, count++};
		if (visit(paths, path, child, err))
			return -1;
		path->count--;
	}
	return 0;
}

int mp_json_paths_add(struct mp_json_paths *paths, const struct mp_json_node *root, struct mp_error *err)
{
	struct mp_json_path path = {.count = 0};

	return visit(paths, &path, root, err);
}

void mp_json_paths_prune(struct mp_json_paths *paths, size_t roots)
{
	size_t kept = 0;

	for (size_t i = 0; i < paths->count; i++)
		if (8 * paths->items[i].seen >= roots)
			paths->items[kept++] = paths->items[i];
	paths->count = kept;
}
