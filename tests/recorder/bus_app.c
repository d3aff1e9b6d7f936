/*
 * bus_app.c: an application that gets a SIGBUS of its own while it records.
 *
 *   bus_app handler|none|sent
 *
 * With a handler, installed before the recording, it ends with 0; without one, or when another process sends the
 * signal, by the signal.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <msprof_recorder.h>

static volatile char *memory;

static void on_bus(int number, siginfo_t *info, void *context)
{
	(void)context;
	_exit(number == SIGBUS && info->si_addr == (const void *)memory ? 0 : 8);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO};
	int fd = open("mine", O_RDWR | O_CREAT | O_TRUNC, 0600);

	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	if (argc != 2 || fd < 0 || (strcmp(argv[1], "handler") == 0 && sigaction(SIGBUS, &action, NULL)))
		return 9;
	if (msprof_init("acl.json", MSPROF_SVP))
		return 9;
	msprof_mark("here");
	memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return 9;
	if (strcmp(argv[1], "sent") == 0)
		kill(getpid(), SIGBUS);
	memory[0] = 1; /* the file has no byte */
	return 9;
}
