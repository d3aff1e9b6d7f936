/*
 * counters.c: linked into each program and library of `make coverage`, around what writes the counters of gcc. Children
 * that leave by _exit, or become another program, write theirs. Faults of tests/fault/inject.c are put off meanwhile.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* of inject.c, where a test has preloaded it */
extern void fault_pause(bool is_paused) __attribute__((weak));

/* of gcc's library */
extern void __gcov_dump(void);

/*
 * Names that the linker gives to a function (--wrap): __wrap_NAME is called for NAME, which is __real_NAME. Each
 * program and library has its own: that of another would write the counters of the other.
 */
#define OWN __attribute__((visibility("hidden")))

extern void __real___gcov_exit(void);
extern _Noreturn void __real__exit(int status);
extern int __real_execv(const char *path, char *const words[]);
OWN void __wrap___gcov_exit(void);
OWN _Noreturn void __wrap__exit(int status);
OWN int __wrap_execv(const char *path, char *const words[]);
OWN int __wrap_execl(const char *path, const char *word, ...);

static void pause_faults(bool is_paused)
{
	if (fault_pause)
		fault_pause(is_paused);
}

static void dump(void)
{
	pause_faults(true);
	__gcov_dump();
	pause_faults(false);
}

/* At the end of the program, and of each library. */
void __wrap___gcov_exit(void)
{
	pause_faults(true);
	__real___gcov_exit();
	pause_faults(false);
}

_Noreturn void __wrap__exit(int status)
{
	dump();
	__real__exit(status);
}

int __wrap_execv(const char *path, char *const words[])
{
	dump();
	return __real_execv(path, words);
}

int __wrap_execl(const char *path, const char *word, ...)
{
	char *words[16] = {(char *)word};
	size_t count = 1;
	va_list more;

	va_start(more, word);
	while (count < sizeof(words) / sizeof(words[0]) - 1 && (words[count] = va_arg(more, char *)))
		count++;
	va_end(more);
	return __wrap_execv(path, words);
}
