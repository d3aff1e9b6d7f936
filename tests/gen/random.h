/* random.h: splitmix64, so that a seed gives the same bytes on every machine. */
#ifndef GEN_RANDOM_H
#define GEN_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct gen_random {
	uint64_t state;
};

/* Generators of one seed and different `stream` are unrelated, so that one option does not change another's data. */
void gen_random_init(struct gen_random *r, uint64_t seed, uint64_t stream);

uint64_t gen_random_next(struct gen_random *r);

/* low..high, both included; low <= high. */
uint64_t gen_random_between(struct gen_random *r, uint64_t low, uint64_t high);

/* True `percent` times of a hundred. */
bool gen_random_percent(struct gen_random *r, uint64_t percent);

#endif
