/*
 * sort_order_internal.h: the order in which std::sort of libstdc++ leaves items of equal keys. It depends on the order
 * before, and on the other items.
 */
#ifndef MP_JOIN_SORT_ORDER_INTERNAL_H
#define MP_JOIN_SORT_ORDER_INTERNAL_H

#include <stdint.h>

struct mp_sort_item {
	int64_t key, id;
};

void mp_sort_order(struct mp_sort_item *items, int64_t count);

#endif
