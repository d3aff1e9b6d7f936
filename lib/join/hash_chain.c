/*
 * hash_chain.c: hash tables as chains. A new item goes before the items of its place, or to the front of the chain if
 * its place has none. When there are more items than places, there are twice as many places, and the items are chained
 * anew.
 */
#include "join/hash_chain_internal.h"

#include <stdlib.h>

#include "base/vec.h"

enum { NONE = -1, HEAD = 0 };

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

static uint64_t place_of(const struct mp_hash_chain *c, int64_t item)
{
	return c->items[item].hash % (uint64_t)sizes[c->size];
}

static void chain_item(struct mp_hash_chain *c, int64_t item)
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

static int make_places(struct mp_hash_chain *c, struct mp_error *err)
{
	int64_t *places = realloc(c->before, (size_t)sizes[c->size] * sizeof(*places));

	if (!places)
		return mp_fail_memory(err, "an order");
	c->before = places;
	for (int64_t i = 0; i < sizes[c->size]; i++)
		places[i] = NONE;
	return 0;
}

static int grow(struct mp_hash_chain *c, struct mp_error *err)
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

int mp_hash_chain_add(struct mp_hash_chain *c, int64_t id, uint64_t hash, struct mp_error *err)
{
	if (!mp_vec_reach(c->items, &c->most, (size_t)c->count + 1))
		return mp_fail_memory(err, "an order");
	if (c->count > sizes[c->size] && grow(c, err)) /* with the head there is one more */
		return -1;
	c->items[c->count] = (struct mp_hash_item){id, NONE, hash};
	if (c->count > HEAD)
		chain_item(c, c->count);
	c->count++;
	return 0;
}

int mp_hash_chain_begin(struct mp_hash_chain *c, int64_t places, struct mp_error *err)
{
	c->count = 0;
	c->size = 0;
	while (c->size + 1 < SIZES && sizes[c->size] < places)
		c->size++;
	return make_places(c, err) || mp_hash_chain_add(c, 0, 0, err) ? -1 : 0;
}

bool mp_hash_chain_next(const struct mp_hash_chain *c, int64_t *item)
{
	*item = c->count ? c->items[*item].next : NONE;
	return *item != NONE;
}

void mp_hash_chain_free(struct mp_hash_chain *c)
{
	free(c->items);
	free(c->before);
}
