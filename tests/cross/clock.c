/* clock.c: the clock of a board without a battery: 1970 began when the board started. The linker puts it before the C
 * library. */
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

time_t __wrap_time(time_t *result);
int __wrap_clock_gettime(clockid_t clock, struct timespec *result);
int __wrap_gettimeofday(struct timeval *result, void *zone);
int __real_clock_gettime(clockid_t clock, struct timespec *result);

int __wrap_clock_gettime(clockid_t clock, struct timespec *result)
{
	return __real_clock_gettime(clock == CLOCK_REALTIME ? CLOCK_BOOTTIME : clock, result);
}

time_t __wrap_time(time_t *result)
{
	struct timespec now;

	__real_clock_gettime(CLOCK_BOOTTIME, &now);
	if (result)
		*result = now.tv_sec;
	return now.tv_sec;
}

int __wrap_gettimeofday(struct timeval *result, void *zone)
{
	struct timespec now;

	(void)zone;
	__real_clock_gettime(CLOCK_BOOTTIME, &now);
	*result = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
	return 0;
}
