/*
 * deflate.c: a match is the last place with the same five bytes, by a hash table; where nothing matches for long,
 * places are left out. Codes are made for each block.
 */
#include "base/deflate.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/huffman.h"

enum {
	WINDOW = 32768,
	MATCH_MIN = 4,
	MATCH_MAX = 258,
	HASH_BITS = 11, /* a table that stays near the processor */
	BLOCK = 131072,
	TAIL = 16,     /* bytes at the end of a block that begin no match: eight are read at once */
	PATIENCE = 32, /* places in vain until one more is left out at a time */
	END_OF_BLOCK = 256,
	LENGTHS = 29,
	DISTANCES = 30,
	SYMBOLS = END_OF_BLOCK + 1 + LENGTHS,
	BLOCK_HEAD = 256, /* bytes beside those of symbols */
	NEAR = 256        /* distances with a place of their own in a table */
};

static const uint16_t length_bases[LENGTHS] = {
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const uint8_t length_extra[LENGTHS] = {
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const uint16_t distance_bases[DISTANCES] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385,
    513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const uint8_t distance_extra[DISTANCES] = {
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};

/* Bytes as they are, and a match behind them. */
struct run {
	uint32_t plain;
	uint16_t length, distance;
};

struct mp_deflate {
	uint32_t places[1 << HASH_BITS]; /* the last place of a hash + 1 */
	struct run runs[BLOCK / MATCH_MIN];
	size_t run_count;
	uint32_t frequencies[SYMBOLS], distance_frequencies[DISTANCES];
	struct mp_code codes[SYMBOLS], distance_codes[DISTANCES];
	struct mp_code length_codes[MATCH_MAX + 1]; /* with their extra bits */
	uint8_t length_symbols[MATCH_MAX + 1];
	uint8_t distance_symbols[NEAR + WINDOW / 128];
};

/* Bits that wait until they are a byte, and where the byte goes. */
struct bits {
	uint64_t waiting;
	unsigned count;
	unsigned char *at;
};

static uint64_t load(const unsigned char *at)
{
	uint64_t v;

	memcpy(&v, at, sizeof(v));
	return le64toh(v);
}

/* The hash of five bytes. */
static size_t hash_of(const unsigned char *at)
{
	return (size_t)((load(at) << 24) * UINT64_C(0x9E3779B185EBCA87) >> (64 - HASH_BITS));
}

static void put(struct bits *b, uint64_t bits, unsigned count)
{
	b->waiting |= bits << b->count;
	b->count += count;
}

/* Store whole bytes: up to 56 bits may be put after it. */
static void store(struct bits *b)
{
	uint64_t v = htole64(b->waiting);

	memcpy(b->at, &v, sizeof(v));
	b->at += b->count >> 3;
	b->waiting >>= b->count & ~7U;
	b->count &= 7;
}

static void put_code(struct bits *b, const struct mp_code *code)
{
	put(b, code->bits, code->count);
}

static unsigned distance_symbol(const struct mp_deflate *d, unsigned distance)
{
	return d->distance_symbols[distance <= NEAR ? distance - 1 : NEAR + (distance - 1) / 128];
}

/* Returns how many bytes are the same, up to `end`. */
static size_t same_bytes(const unsigned char *at, const unsigned char *before, const unsigned char *end)
{
	const unsigned char *from = at;

	for (; at + 8 <= end; at += 8, before += 8) {
		uint64_t differences = load(at) ^ load(before);

		if (differences)
			return (size_t)(at - from) + (unsigned)__builtin_ctzll(differences) / 8;
	}
	while (at < end && *at == *before) {
		at++;
		before++;
	}
	return (size_t)(at - from);
}

/* Add a match behind the bytes from `plain` on, and count its symbols. */
static void add_run(
    struct mp_deflate *d, const unsigned char *plain, const unsigned char *at, size_t length, size_t distance)
{
	d->runs[d->run_count++] = (struct run){(uint32_t)(at - plain), (uint16_t)length, (uint16_t)distance};
	d->frequencies[END_OF_BLOCK + 1 + d->length_symbols[length]]++;
	d->distance_frequencies[distance_symbol(d, (unsigned)distance)]++;
	for (; plain < at; plain++)
		d->frequencies[*plain]++;
}

/* Find the runs of a block of a piece that begins at `piece`. */
static void find_runs(
    struct mp_deflate *d, const unsigned char *piece, const unsigned char *at, const unsigned char *end)
{
	const unsigned char *plain = at, *last = end - at > TAIL ? end - TAIL : at;
	unsigned in_vain = 0;

	while (at < last) {
		uint32_t *place = &d->places[hash_of(at)];
		const unsigned char *before = piece + *place - 1;
		const bool is_known = *place && at - before <= WINDOW && (uint32_t)load(before) == (uint32_t)load(at);

		*place = (uint32_t)(at - piece) + 1;
		if (!is_known) {
			at += 1 + in_vain++ / PATIENCE;
			continue;
		}
		/* the match may begin earlier, but goes on behind the place that was found */
		for (int i = 0; i < MATCH_MAX / 2 && at > plain && before > piece && at[-1] == before[-1]; i++) {
			at--;
			before--;
		}
		const size_t length = same_bytes(at, before, end - at > MATCH_MAX ? at + MATCH_MAX : end);

		add_run(d, plain, at, length, (size_t)(at - before));
		at += length;
		plain = at;
		in_vain = 0;
		if (at < last)
			d->places[hash_of(at - 2)] = (uint32_t)(at - 2 - piece) + 1;
	}
	for (; plain < end; plain++)
		d->frequencies[*plain]++;
}

/* Tell the lengths of all codes, each of them in four bits. */
static void put_codes(struct mp_deflate *d, struct bits *b)
{
	enum { DYNAMIC_BLOCK = 2 << 1, LENGTH_CODES = 19, REPEATS = 3 };

	put(b, DYNAMIC_BLOCK, 3);
	put(b, SYMBOLS - 257, 5);
	put(b, DISTANCES - 1, 5);
	put(b, LENGTH_CODES - 4, 4);
	store(b);
	for (unsigned i = 0; i < LENGTH_CODES; i++) { /* the first three would repeat lengths */
		put(b, i < REPEATS ? 0 : 4, 3);
		store(b);
	}
	for (unsigned i = 0; i < SYMBOLS + DISTANCES; i++) {
		unsigned n = i < SYMBOLS ? d->codes[i].count : d->distance_codes[i - SYMBOLS].count;

		store(b);
		put(b, (n & 1) << 3 | (n & 2) << 1 | (n & 4) >> 1 | n >> 3, 4);
	}
	store(b);
}

static void make_codes(struct mp_deflate *d)
{
	mp_huffman(d->frequencies, SYMBOLS, d->codes);
	mp_huffman(d->distance_frequencies, DISTANCES, d->distance_codes);
	for (unsigned n = MATCH_MIN; n <= MATCH_MAX; n++) {
		unsigned symbol = d->length_symbols[n];
		struct mp_code code = d->codes[END_OF_BLOCK + 1 + symbol];

		code.bits |= (n - length_bases[symbol]) << code.count;
		code.count += length_extra[symbol];
		d->length_codes[n] = code;
	}
}

static void put_plain(const struct mp_deflate *d, struct bits *b, const unsigned char *at, size_t size)
{
	for (; size >= 4; size -= 4, at += 4) {
		put_code(b, &d->codes[at[0]]);
		put_code(b, &d->codes[at[1]]);
		put_code(b, &d->codes[at[2]]);
		put_code(b, &d->codes[at[3]]);
		store(b);
	}
	for (; size; size--)
		put_code(b, &d->codes[*at++]);
	store(b);
}

static void put_runs(const struct mp_deflate *d, struct bits *b, const unsigned char *at, const unsigned char *end)
{
	for (size_t i = 0; i < d->run_count; i++) {
		const struct run *r = &d->runs[i];
		unsigned symbol = distance_symbol(d, r->distance);

		put_plain(d, b, at, r->plain);
		put_code(b, &d->length_codes[r->length]);
		put_code(b, &d->distance_codes[symbol]);
		put(b, (uint64_t)r->distance - distance_bases[symbol], distance_extra[symbol]);
		store(b);
		at += r->plain + r->length;
	}
	put_plain(d, b, at, (size_t)(end - at));
	put_code(b, &d->codes[END_OF_BLOCK]);
	store(b);
}

struct mp_deflate *mp_deflate_new(void)
{
	struct mp_deflate *d = malloc(sizeof(*d));

	if (!d)
		return NULL;
	for (unsigned symbol = 0; symbol < LENGTHS; symbol++)
		for (unsigned n = length_bases[symbol]; n <= MATCH_MAX; n++)
			d->length_symbols[n] = (uint8_t)symbol;
	for (unsigned symbol = 0; symbol < DISTANCES; symbol++)
		for (unsigned i = distance_bases[symbol] - 1U; i < WINDOW; i += i < NEAR ? 1 : 128)
			d->distance_symbols[i < NEAR ? i : NEAR + i / 128] = (uint8_t)symbol;
	return d;
}

size_t mp_deflate_room(size_t size)
{
	return 2 * size + (size / BLOCK + 2) * BLOCK_HEAD;
}

size_t mp_deflate_piece(struct mp_deflate *d, const void *bytes, size_t size, void *result)
{
	const unsigned char *piece = bytes, *end = piece + size;
	struct bits b = {.at = result};

	memset(d->places, 0, sizeof(d->places));
	for (const unsigned char *at = piece; at < end;) {
		const unsigned char *block_end = end - at > BLOCK ? at + BLOCK : end;

		memset(d->frequencies, 0, sizeof(d->frequencies));
		memset(d->distance_frequencies, 0, sizeof(d->distance_frequencies));
		d->frequencies[END_OF_BLOCK] = 1;
		d->run_count = 0;
		find_runs(d, piece, at, block_end);
		make_codes(d);
		put_codes(d, &b);
		put_runs(d, &b, at, block_end);
		at = block_end;
	}
	/* a block of no bytes as they are: its head fills the byte */
	put(&b, 0, 3);
	b.count = (b.count + 7) & ~7U;
	store(&b);
	memcpy(b.at, "\0\0\xff\xff", 4);
	return (size_t)(b.at + 4 - (unsigned char *)result);
}

void mp_deflate_free(struct mp_deflate *d)
{
	free(d);
}
