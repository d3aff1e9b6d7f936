/*
 * reference_order.c: the orders in which the reference prints what it does not put in order: those of the hash tables
 * and of std::sort of libstdc++.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "join/rules.h"

enum { NONE = -1, HEAD = 0, FIRST_PLACES = 12 /* as libstdc++ begins */ };

/*
 * A hash table is one chain; only the number of its places and the order of its items decide. A new item goes before
 * the items of its place, or to the front of the chain if its place has none. When there are more items than places,
 * there are twice as many places, and the items are chained anew.
 */
struct hash_item {
	int64_t id, next;
	uint64_t hash;
};

struct hash_chain {
	struct hash_item *items; /* the first is the head of the chain */
	int64_t *before;         /* by place: what comes before its items */
	int64_t count;
	size_t most; /* items that there was room for */
	size_t size; /* of the list of sizes */
};

static const int64_t sizes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
    89, 97, 103, 109, 113, 127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257, 277, 293, 313, 337, 359,
    383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823, 887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613,
    1741, 1879, 2029, 2179, 2357, 2549, 2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949,
    7517, 8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753, 22447, 24281, 26267,
    28411, 30727, 33223, 35933, 38873, 42043, 45481, 49201, 53201, 57557, 62233, 67307, 72817, 78779, 85229, 92203,
    99733, 107897, 116731, 126271, 136607, 147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261,
    299951, 324503, 351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049, 834181,
    902483, 976369, 1056323, 1142821, 1236397, 1337629, 1447153, 1565659, 1693859, 1832561, 1982627, 2144977, 2320627,
    2510653, 2716249, 2938679, 3179303, 3439651, 3721303, 4026031, 4355707, 4712381, 5098259, 5515729, 5967347, 6456007,
    6984629, 7556579, 8175383, 8844859, 9569143, 10352717, 11200489, 12117689, 13109983, 14183539, 15345007, 16601593,
    17961079, 19431899, 21023161, 22744717, 24607243};

enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static uint64_t place_of(const struct hash_chain *c, int64_t item)
{
	return c->items[item].hash % (uint64_t)sizes[c->size];
}

static void chain_item(struct hash_chain *c, int64_t item)
{
	int64_t *before = &c->before[place_of(c, item)], front = c->items[HEAD].next;

	if (*before == NONE) {
		*before = HEAD;
		if (front != NONE)
			c->before[place_of(c, front)] = item;
	}
	c->items[item].next = c->items[*before].next;
	c->items[*before].next = item;
}

static int make_places(struct hash_chain *c, struct mp_error *err)
{
	int64_t *places = realloc(c->before, (size_t)sizes[c->size] * sizeof(*places));

	if (!places)
		return mp_fail_memory(err, "an order");
	c->before = places;
	for (int64_t i = 0; i < sizes[c->size]; i++)
		places[i] = NONE;
	return 0;
}

static int grow(struct hash_chain *c, struct mp_error *err)
{
	int64_t item = c->items[HEAD].next, next;
	const int64_t wanted = 2 * sizes[c->size];

	if (c->size + 1 == SIZES)
		return 0; /* only the order of so many items differs */
	while (c->size + 1 < SIZES && sizes[c->size] < wanted)
		c->size++;
	if (make_places(c, err))
		return -1;
	c->items[HEAD].next = NONE;
	for (; item != NONE; item = next) {
		next = c->items[item].next;
		chain_item(c, item);
	}
	return 0;
}

/* Add an item that is not there yet. */
static int chain_add(struct hash_chain *c, int64_t id, uint64_t hash, struct mp_error *err)
{
	if (!mp_vec_reach(c->items, &c->most, (size_t)c->count + 1))
		return mp_fail_memory(err, "an order");
	if (c->count > sizes[c->size] && grow(c, err)) /* with the head there is one more */
		return -1;
	c->items[c->count] = (struct hash_item){id, NONE, hash};
	if (c->count > HEAD)
		chain_item(c, c->count);
	c->count++;
	return 0;
}

/* Make an empty table with room for so many items; a table that was used may begin again. */
static int chain_begin(struct hash_chain *c, int64_t places, struct mp_error *err)
{
	c->count = 0;
	c->size = 0;
	while (c->size + 1 < SIZES && sizes[c->size] < places)
		c->size++;
	return make_places(c, err) || chain_add(c, 0, 0, err) ? -1 : 0;
}

/* Go on to the next item; 0 is before the first. Returns false at the end. */
static bool chain_next(const struct hash_chain *c, int64_t *item)
{
	*item = c->count ? c->items[*item].next : NONE;
	return *item != NONE;
}

static void chain_free(struct hash_chain *c)
{
	free(c->items);
	free(c->before);
}

static int put_all(struct mp_rule_call *call, const struct hash_chain *c, struct mp_error *err)
{
	for (int64_t item = 0; chain_next(c, &item);)
		if (mp_rule_put(call, &c->items[item].id, err))
			return -1;
	return 0;
}

static int order_sets(struct mp_rule_call *call, struct hash_chain *c, struct mp_error *err)
{
	int64_t v[3], set = 0; /* set, id, hash */
	int status;

	while ((status = mp_rule_next(call, 0, v, err)) == 1) {
		if ((!c->count || v[0] != set) && (put_all(call, c, err) || chain_begin(c, FIRST_PLACES, err)))
			return -1;
		set = v[0];
		if (chain_add(c, v[1], (uint64_t)v[2], err))
			return -1;
	}
	return status || put_all(call, c, err) ? -1 : 0;
}

static int hash_order(struct mp_rule_call *call, struct mp_error *err)
{
	struct hash_chain c = {0};
	int status = order_sets(call, &c, err);

	chain_free(&c);
	return status;
}

const struct mp_rule mp_rule_hash_order = {"hash_order", "id", 1, {3, 0, 0}, hash_order};

enum { SHORT = 16 }; /* what insertion sorts alone */

/* A row of which only the key counts. */
typedef struct {
	int64_t id, key;
} item;

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

/*
 * Sort as std::sort does: quick sort with the median of three, heap sort where that goes too deep, and insertion at the
 * end: each comparison and move as in libstdc++. Items of equal keys come as they happen to.
 */
static void sort_items(item *items, int64_t count)
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

enum { DEVICE, ID, START, STREAM, TASK, BATCH, HAS_RUN, HAS_ROW, SORTED, COLUMNS };

struct orders {
	int64_t (*rows)[COLUMNS];
	item *items;   /* of rows */
	int64_t *next; /* for each row that of the same stream, task and batch; NONE: there is no further one */
	int64_t count;
	struct hash_chain chain;
};

static int read_rows(struct mp_rule_call *call, struct orders *o, struct mp_error *err)
{
	int64_t *rows;
	size_t count;
	int status = mp_rule_all(call, 0, &rows, &count, err);

	o->rows = (int64_t(*)[COLUMNS])rows;
	o->count = (int64_t)count;
	if (status)
		return -1;
	if (!mp_vec_room(o->items, 0, count) || !mp_vec_room(o->next, 0, count))
		return mp_fail_memory(err, "an order");
	for (int64_t i = 0; i < o->count; i++) {
		o->items[i] = (item){i, o->rows[i][START]};
		o->next[i] = NONE;
	}
	return 0;
}

static void sort_devices(struct orders *o)
{
	for (int64_t from = 0, to; from < o->count; from = to) {
		for (to = from + 1; to < o->count && o->rows[to][DEVICE] == o->rows[from][DEVICE]; to++)
			;
		if (o->rows[from][SORTED])
			sort_items(o->items + from, to - from);
	}
}

/* Chains the runs; those of one stream, task and batch are a list of one item. */
static int chain_rows(struct orders *o, struct mp_map *last, struct mp_error *err)
{
	int64_t ran = 0, *end;
	bool is_new;

	for (int64_t i = 0; i < o->count; i++)
		ran += o->rows[i][HAS_RUN] != 0;
	if (chain_begin(&o->chain, ran / 2, err))
		return -1;
	for (int64_t i = 0; i < o->count; i++) {
		const int64_t *r = o->rows[o->items[i].id];

		if (!r[HAS_RUN])
			continue;
		end = mp_map_number(last, &(struct mp_key){r + STREAM, 3}, &is_new);
		if (!end)
			return mp_fail_memory(err, "an order");
		if (!is_new)
			o->next[*end] = o->items[i].id;
		*end = o->items[i].id;
		if (is_new && chain_add(&o->chain, o->items[i].id,
				  (uint64_t)r[STREAM] ^ (uint64_t)r[TASK] << 1 ^ (uint64_t)r[BATCH] << 2, err))
			return -1;
	}
	return 0;
}

static int put_rows(struct mp_rule_call *call, struct orders *o, struct mp_error *err)
{
	int64_t count = 0;

	for (int64_t at = 0; chain_next(&o->chain, &at);)
		for (int64_t i = o->chain.items[at].id; i != NONE; i = o->next[i])
			if (o->rows[i][HAS_ROW])
				o->items[count++] = (item){o->rows[i][ID], o->rows[i][START]};
	sort_items(o->items, count);
	for (int64_t i = 0; i < count; i++)
		if (mp_rule_put(call, &o->items[i].id, err))
			return -1;
	return 0;
}

static int task_order(struct mp_rule_call *call, struct mp_error *err)
{
	struct orders o = {0};
	int status = read_rows(call, &o, err);

	if (!status && o.count) {
		sort_devices(&o);
		status = chain_rows(&o, mp_rule_map(call), err) || put_rows(call, &o, err) ? -1 : 0;
	}
	free(o.rows);
	free(o.items);
	free(o.next);
	chain_free(&o.chain);
	return status;
}

/* The order in which the reference's sort leaves rows of which only the key counts. */
static int unstable_order(struct mp_rule_call *call, struct mp_error *err)
{
	int64_t *rows;
	size_t count;
	int status = mp_rule_all(call, 0, &rows, &count, err);

	if (!status)
		sort_items((item *)rows, (int64_t)count);
	for (size_t i = 0; !status && i < count; i++)
		status = mp_rule_put(call, &rows[2 * i], err);
	free(rows);
	return status;
}

const struct mp_rule mp_rule_unstable_order = {"unstable_order", "id", 1, {2, 0, 0}, unstable_order};
const struct mp_rule mp_rule_task_order = {"task_order", "id", 1, {COLUMNS, 0, 0}, task_order};
