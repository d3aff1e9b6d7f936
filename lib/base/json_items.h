/*
 * json_items.h: the items of a large JSON array in a file, one at a time, in memory of a fixed size.
 *
 * The array is the whole text, or the member "traceEvents" of the object that is the whole text. An item has at most
 * MP_JSON_ITEM_MAX bytes. The bytes are hostile: strictness is that of json.h for each item. One thread.
 */
#ifndef MP_BASE_JSON_ITEMS_H
#define MP_BASE_JSON_ITEMS_H

#include "base/error.h"
#include "base/json.h"

enum { MP_JSON_ITEM_MAX = 1 << 16 };

struct mp_json_items;

/* Begin to read a file, which stays the caller's. Returns 0, or -1 with err. Free with mp_json_items_free. */
int mp_json_items_begin(struct mp_json_items **items, int fd, struct mp_error *err);
void mp_json_items_free(struct mp_json_items *items);

/* Returns 1 with the next item, which the caller frees; 0 where none follows; or -1 with err, for lack of memory. */
int mp_json_items_next(struct mp_json_items *items, cJSON **item, struct mp_error *err);

/* Returns whether the array ended as an array does. */
bool mp_json_items_whole(const struct mp_json_items *items);

#endif
