/*
 * preload.c: nanoseconds of a call of the vendor's library that does nothing, one thread; to be run with the preload
 * and without. Usage: preload [ACL_JSON]
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

int aclInit(const char *config);
int aclFinalize(void);
int aclrtSetDevice(int device);

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * The best of nine rounds of 10,000 calls, which a ring can hold: the cost of a call without other load of the machine.
 */
int main(int argc, char **argv)
{
	double best = 1e9;

	if (aclInit(argc > 1 ? argv[1] : NULL))
		return 1;
	for (int round = 0; round < 9; round++) {
		uint64_t start = now_ns();

		for (int i = 0; i < 10000; i++)
			if (aclrtSetDevice(0))
				return 1;
		if ((double)(now_ns() - start) / 10000 < best)
			best = (double)(now_ns() - start) / 10000;
		nanosleep(&(struct timespec){0, 300000000}, NULL);
	}
	printf("%.1f\n", best);
	return aclFinalize();
}
