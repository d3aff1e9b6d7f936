/*
 * json_tree.h: a small JSON text as a tree of nodes, for settings and information files. Large JSON is streamed.
 *
 * The tree is one block of memory, which belongs to the caller and is constant: any thread may read it. Functions that
 * look into a tree accept NULL, and then find nothing.
 */
#ifndef MP_BASE_JSON_TREE_H
#define MP_BASE_JSON_TREE_H

#include <stdbool.h>
#include <stddef.h>

enum mp_json_type { MP_JSON_NULL, MP_JSON_BOOL, MP_JSON_NUMBER, MP_JSON_TEXT, MP_JSON_ARRAY, MP_JSON_OBJECT };

struct mp_json_node {
	enum mp_json_type type;
	bool is_true;     /* MP_JSON_BOOL */
	const char *key;  /* of a member of an object; else NULL */
	const char *text; /* MP_JSON_TEXT: without escapes, ends at \u0000; MP_JSON_NUMBER: as the file has it */
	size_t count;     /* items or members */
	const struct mp_json_node *child, *next; /* the first item or member; the one behind this */
};

/*
 * Parse a text strictly by RFC 8259, at most 100 levels deep; UTF-8 is not checked. Free with mp_json_tree_free. NULL
 * with the place of the fault in *fault, or with NULL there when out of memory.
 */
struct mp_json_node *mp_json_tree(const char *s, size_t len, const char **fault);
void mp_json_tree_free(struct mp_json_node *root);

bool mp_json_is(const struct mp_json_node *node, enum mp_json_type type);

/* The first item of an array or member of an object, or NULL; and how many there are. */
const struct mp_json_node *mp_json_first(const struct mp_json_node *node);
size_t mp_json_size(const struct mp_json_node *node);

/* The first member of an object with this key, or NULL. */
const struct mp_json_node *mp_json_member(const struct mp_json_node *object, const char *key);

/* An item of an array, or NULL. */
const struct mp_json_node *mp_json_item(const struct mp_json_node *array, size_t at);

/* The text of MP_JSON_TEXT; else NULL. */
const char *mp_json_text(const struct mp_json_node *node);

/* The value of MP_JSON_NUMBER; else NaN. */
double mp_json_number(const struct mp_json_node *node);

#endif
