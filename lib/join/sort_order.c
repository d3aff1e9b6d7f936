/*
 * sort_order.c: see sort_order_internal.h. Quick sort with the median of three, heap sort where that goes too deep, and
 * insertion at the end: each comparison and move as in libstdc++.
 */
#include "join/sort_order_internal.h"

enum { SHORT = 16 }; /* what insertion sorts alone */

typedef struct mp_sort_item item;

static void swap(item *a, item *b)
{
	item keep = *a;

	*a = *b;
	*b = keep;
}

static void sift(item *a, int64_t count, int64_t hole, item value)
{
	const int64_t top = hole;
	int64_t child = hole;

	while (child < (count - 1) / 2) {
		child = 2 * (child + 1);
		if (a[child].key < a[child - 1].key)
			child--;
		a[hole] = a[child];
		hole = child;
	}
	if (count % 2 == 0 && child == (count - 2) / 2) {
		a[hole] = a[2 * child + 1];
		hole = 2 * child + 1;
	}
	for (; hole > top && a[(hole - 1) / 2].key < value.key; hole = (hole - 1) / 2)
		a[hole] = a[(hole - 1) / 2];
	a[hole] = value;
}

static void heap_sort(item *a, int64_t count)
{
	for (int64_t i = (count - 2) / 2; i >= 0; i--)
		sift(a, count, i, a[i]);
	while (--count > 0) {
		item value = a[count];

		a[count] = a[0];
		sift(a, count, 0, value);
	}
}

/* Put the median of three at the front. */
static void choose_pivot(item *a, int64_t count)
{
	item *x = &a[1], *y = &a[count / 2], *z = &a[count - 1];

	if (x->key < y->key)
		swap(a, y->key < z->key ? y : x->key < z->key ? z : x);
	else
		swap(a, x->key < z->key ? x : y->key < z->key ? z : y);
}

static int64_t part(item *a, int64_t count)
{
	int64_t low = 1, high = count;

	choose_pivot(a, count);
	for (;; low++) {
		while (a[low].key < a[0].key)
			low++;
		while (a[0].key < a[--high].key)
			;
		if (low >= high)
			return low;
		swap(&a[low], &a[high]);
	}
}

/* Sorts parts until they are short; parts on the stack are the right ones of those that were split. */
static void sort_parts(item *a, int64_t count)
{
	struct {
		int64_t from, to;
		int depth;
	} stack[2 * 64];
	int used = 0, depth = 0;

	for (int64_t n = count; n > 1; n /= 2)
		depth += 2;
	for (int64_t from = 0, to = count;;) {
		if (to - from > SHORT && depth) {
			const int64_t cut = from + part(a + from, to - from);

			stack[used].from = from;
			stack[used].to = cut;
			stack[used++].depth = --depth;
			from = cut;
			continue;
		}
		if (to - from > SHORT)
			heap_sort(a + from, to - from);
		if (!used)
			return;
		used--;
		from = stack[used].from;
		to = stack[used].to;
		depth = stack[used].depth;
	}
}

void mp_sort_order(struct mp_sort_item *items, int64_t count)
{
	sort_parts(items, count);
	for (int64_t i = 1; i < count; i++) {
		item value = items[i];
		int64_t at = i;

		for (; at > 0 && value.key < items[at - 1].key; at--)
			items[at] = items[at - 1];
		items[at] = value;
	}
}
