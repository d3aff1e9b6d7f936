/* random.h: splitmix64, so that a seed gives the same bytes on every machine. */
#ifndef GEN_RANDOM_H
#define GEN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct gen_random {
	uint64_t state;
};

/* Generators with the same seed and different `stream` are unrelated, so that an option does not change other data. */
void gen_random_init(struct gen_random *r, uint64_t seed, uint64_t stream);

uint64_t gen_random_next(struct gen_random *r);

/* low..high, both included; low <= high. */
uint64_t gen_random_between(struct gen_random *r, uint64_t low, uint64_t high);

/* Returns true in `percent` of a hundred cases. */
bool gen_random_percent(struct gen_random *r, uint64_t percent);

#endif
