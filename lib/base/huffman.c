/* huffman.c: Huffman's method over symbols in order of frequency. Codes that would be too long are evened out. */
#include "base/huffman.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 2 * MP_CODE_SYMBOLS };

struct node {
	uint32_t frequency;
	uint16_t symbol; /* of a leaf */
	uint16_t parent;
};

static int by_frequency(const void *a, const void *b)
{
	const struct node *x = a, *y = b;

	if (x->frequency != y->frequency)
		return x->frequency < y->frequency ? -1 : 1;
	return x->symbol < y->symbol ? -1 : 1;
}

/* Join the two rarest nodes until one is left. Leaves are sorted, and so are the joined nodes behind them. */
static void join(struct node *nodes, unsigned leaves)
{
	unsigned leaf = 0, joined = leaves;

	for (unsigned end = leaves; end < 2 * leaves - 1; end++) {
		nodes[end].frequency = 0;
		for (int i = 0; i < 2; i++) {
			const int is_leaf =
			    leaf < leaves && (joined == end || nodes[leaf].frequency <= nodes[joined].frequency);
			struct node *rarest = &nodes[is_leaf ? leaf++ : joined++];

			rarest->parent = (uint16_t)end;
			nodes[end].frequency += rarest->frequency;
		}
	}
}

/* Count the leaves of each depth; those beyond the maximum are at the maximum. */
static void count_depths(const struct node *nodes, unsigned leaves, unsigned *counts)
{
	unsigned depths[NODES];

	depths[2 * leaves - 2] = 0;
	for (unsigned i = 2 * leaves - 2; i-- > 0;) {
		depths[i] = depths[nodes[i].parent] + 1;
		if (i < leaves)
			counts[depths[i] < MP_CODE_MAX ? depths[i] : MP_CODE_MAX]++;
	}
}

/* Lengthen short codes until all codes fit. */
static void even_out(unsigned *counts)
{
	uint32_t used = 0;

	for (unsigned n = 1; n <= MP_CODE_MAX; n++)
		used += counts[n] << (MP_CODE_MAX - n);
	for (; used > 1U << MP_CODE_MAX; used--) {
		unsigned n = MP_CODE_MAX - 1;

		while (!counts[n])
			n--;
		counts[n]--;
		counts[n + 1] += 2;
		counts[MP_CODE_MAX]--;
	}
}

static uint32_t reversed(uint32_t bits, unsigned count)
{
	uint32_t r = 0;

	for (; count; count--, bits >>= 1)
		r = r << 1 | (bits & 1);
	return r;
}

/* Number the codes in order of length, then of symbol. */
static void number_codes(struct mp_code *codes, unsigned symbols, const unsigned *counts)
{
	uint32_t next[MP_CODE_MAX + 1] = {0};

	for (unsigned n = 2; n <= MP_CODE_MAX; n++)
		next[n] = (next[n - 1] + counts[n - 1]) << 1;
	for (unsigned i = 0; i < symbols; i++)
		if (codes[i].count)
			codes[i].bits = reversed(next[codes[i].count]++, codes[i].count);
}

void mp_huffman(const uint32_t *frequencies, unsigned symbols, struct mp_code *codes)
{
	struct node nodes[NODES];
	unsigned counts[MP_CODE_MAX + 1] = {0}, leaves = 0, leaf = 0;

	memset(codes, 0, symbols * sizeof(*codes));
	for (unsigned i = 0; i < symbols; i++)
		if (frequencies[i])
			nodes[leaves++] = (struct node){.frequency = frequencies[i], .symbol = (uint16_t)i};
	for (unsigned i = 0; leaves < 2; i++) /* some readers refuse fewer codes */
		if (!frequencies[i])
			nodes[leaves++] = (struct node){.symbol = (uint16_t)i};
	qsort(nodes, leaves, sizeof(*nodes), by_frequency);
	join(nodes, leaves);
	count_depths(nodes, leaves, counts);
	even_out(counts);
	for (unsigned n = MP_CODE_MAX; n > 0; n--)
		for (unsigned i = 0; i < counts[n]; i++)
			codes[nodes[leaf++].symbol].count = n;
	number_codes(codes, symbols, counts);
}
