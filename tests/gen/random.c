/* random.c: splitmix64 (Steele, Lea and Flood, 2014). */
#include "random.h"

uint64_t gen_random_next(struct gen_random *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

void gen_random_init(struct gen_random *r, uint64_t seed, uint64_t stream)
{
	r->state = seed;
	r->state = gen_random_next(r) ^ stream;
	gen_random_next(r);
}

uint64_t gen_random_between(struct gen_random *r, uint64_t low, uint64_t high)
{
	uint64_t span = high - low + 1;

	/* The bias of % is below 2^-40 for the spans used here, which does not matter for test data. */
	return span ? low + gen_random_next(r) % span : gen_random_next(r);
}

bool gen_random_percent(struct gen_random *r, uint64_t percent)
{
	return gen_random_next(r) % 100 < percent;
}
