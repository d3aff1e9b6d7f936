/* fuzz_json.c: any bytes as JSON. What becomes a tree, another parser reads as the same tree. */
#include "fuzz.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/json_tree.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data, *fault;
	struct mp_json_node *root = mp_json_tree(text, size, &fault);
	cJSON *other;

	if (!root) {
		CHECK(fault >= text && fault <= text + size);
		return 0;
	}
	other = cJSON_ParseWithLength(text, size);
	CHECK(other || size > 63); /* cJSON cuts longer numbers */
	CHECK(!other || same(root, other));
	cJSON_Delete(other);
	mp_json_tree_free(root);
	return 0;
}
