/*
 * hash_chain_internal.h: the order in which the hash tables of the reference (libstdc++) give their items. Such a table
 * is one chain; only the number of its places and the order of its items decide. Owned by the caller: begin with zeros,
 * free with mp_hash_chain_free. Functions that return int give 0, or -1 with err.
 */
#ifndef MP_JOIN_HASH_CHAIN_INTERNAL_H
#define MP_JOIN_HASH_CHAIN_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct mp_hash_item {
	int64_t id, next;
	uint64_t hash;
};

struct mp_hash_chain {
	struct mp_hash_item *items; /* the first is the head of the chain */
	int64_t *before;            /* by place: what comes before its items */
	int64_t count;
	size_t most; /* items that there was room for */
	size_t size; /* of the list of sizes */
};

/* Make an empty table with room for so many items; a table that was used may begin again. 12: as libstdc++ begins. */
int mp_hash_chain_begin(struct mp_hash_chain *chain, int64_t places, struct mp_error *err);

/* Add an item that is not there yet. */
int mp_hash_chain_add(struct mp_hash_chain *chain, int64_t id, uint64_t hash, struct mp_error *err);

/* Go on to the next item; 0 is before the first. Returns false at the end. */
bool mp_hash_chain_next(const struct mp_hash_chain *chain, int64_t *item);

void mp_hash_chain_free(struct mp_hash_chain *chain);

#endif
