/* bus.c: a handler of SIGBUS for the memory of the arena. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "recorder/bus.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/arena.h"

enum { PAGE_LEAST = 4096 };

static _Atomic(char *) guarded; /* NULL: nothing is guarded yet */
static size_t guarded_size, page;
static struct sigaction before;
static atomic_bool hit;
static _Atomic unsigned char replaced[MP_ARENA_SIZE / PAGE_LEAST + 1];

/* Replace the page of an address. Another thread may be doing the same: then the access is tried until it has done. */
static bool heal(const char *address)
{
	char *memory = atomic_load(&guarded), *at;

	if (!memory || address < memory || address >= memory + guarded_size)
		return false;
	at = memory + (size_t)(address - memory) / page * page;
	if (atomic_exchange(&replaced[(size_t)(at - memory) / PAGE_LEAST], 1))
		return true;
	atomic_store(&hit, true);
	return mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == at;
}

/* What the signal did before. Without a handler it comes again, and ends the process. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(number, info, context);
	} else if (before.sa_handler == SIG_DFL || (before.sa_handler == SIG_IGN && info->si_code > 0)) {
		signal(number, SIG_DFL);
		if (info->si_code <= 0)
			raise(number);
	} else if (before.sa_handler != SIG_IGN) {
		before.sa_handler(number);
	}
}

static void on_bus(int number, siginfo_t *info, void *context)
{
	int error = errno;

	if (info->si_code != BUS_ADRERR || !heal(info->si_addr))
		pass_on(number, info, context);
	errno = error;
}

static void install(void)
{
	struct sigaction ours = {.sa_sigaction = on_bus};

	if (sigaction(SIGBUS, NULL, &before))
		return;
	ours.sa_mask = before.sa_mask;
	ours.sa_flags = (before.sa_flags & (SA_NODEFER | SA_RESTART)) | SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGBUS, &ours, NULL);
}

void mp_bus_guard(void *memory, size_t size)
{
	bool first = !atomic_load(&guarded);

	for (size_t i = 0; i < sizeof(replaced); i++)
		atomic_store_explicit(&replaced[i], 0, memory_order_relaxed);
	guarded_size = size;
	page = (size_t)sysconf(_SC_PAGESIZE);
	atomic_store(&guarded, memory);
	if (first)
		install();
}

void mp_bus_admit(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGBUS);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool mp_bus_was_hit(void)
{
	return atomic_load_explicit(&hit, memory_order_relaxed) && atomic_exchange(&hit, false);
}
