/*
 * fuzz_json.c: any bytes as JSON. What becomes a tree, another parser reads as the same tree; an array has the same
 * items when they are read one at a time.
 */
#include "fuzz.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json_items.h"
#include "base/text.h"

static bool same(const struct mp_json_node *ours, const cJSON *theirs)
{
	const struct mp_json_node *node = mp_json_first(ours);
	const cJSON *item = theirs->child;

	if (mp_json_is(ours, MP_JSON_NUMBER) &&
	    !(cJSON_IsNumber(theirs) && mp_json_number(ours) == theirs->valuedouble))
		return false;
	if (mp_json_is(ours, MP_JSON_TEXT) && !(cJSON_IsString(theirs) && strcmp(ours->text, theirs->valuestring) == 0))
		return false;
	if (mp_json_is(ours, MP_JSON_BOOL) && !(cJSON_IsBool(theirs) && ours->is_true == (cJSON_IsTrue(theirs) != 0)))
		return false;
	if ((mp_json_is(ours, MP_JSON_OBJECT) && !cJSON_IsObject(theirs)) ||
	    (mp_json_is(ours, MP_JSON_ARRAY) && !cJSON_IsArray(theirs)) ||
	    (mp_json_is(ours, MP_JSON_NULL) && !cJSON_IsNull(theirs)))
		return false;
	for (; node && item; node = node->next, item = item->next)
		if (!same(node, item) || !node->key != !item->string ||
		    (node->key && strcmp(node->key, item->string) != 0))
			return false;
	return !node && !item;
}

/* Count the items of an array in a file; -1 where it does not end as one. */
static int64_t count_items(const uint8_t *data, size_t size)
{
	int fd = memfd_create("items", MFD_CLOEXEC);
	struct mp_json_items *items;
	struct mp_json_node *item;
	struct mp_error err;
	int64_t count = 0;

	CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	CHECK(mp_json_items_begin(&items, fd, &err) == 0);
	while (mp_json_items_next(items, &item, &err) == 1) {
		mp_json_tree_free(item);
		count++;
	}
	count = mp_json_items_whole(items) ? count : -1;
	mp_json_items_free(items);
	close(fd);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *fault;
	struct mp_json_node *root = mp_json_tree(text, size, &fault);
	const int64_t items = count_items(data, size);
	cJSON *other;

	if (!root) {
		CHECK(fault >= text && fault <= text + size);
		return 0;
	}
	other = cJSON_ParseWithLength(text, size);
	CHECK(other || size > 63); /* cJSON cuts longer numbers */
	CHECK(!other || same(root, other));
	cJSON_Delete(other);
	CHECK(!mp_json_is(root, MP_JSON_ARRAY) || size > MP_JSON_ITEM_MAX || items == (int64_t)mp_json_size(root));
	mp_json_tree_free(root);
	return 0;
}
