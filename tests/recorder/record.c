/*
 * record.c: an application that records, told by its arguments what to do, one after the other:
 *
 *   init=FILE  ascend=FILE  finalize     msprof_init, msprof_finalize; their codes go to standard output
 *   load=ID:NAME  unload=ID              a model
 *   calls=N  calls=N:ID                  N calls, of no model or of one
 *   others=N                             N calls of the type MSPROF_OTHER
 *   names=N                              so many different names
 *   named_call=ID:NAME                   a call with that name, of a model or (without ID) of none
 *   named=NUMBER                         a call whose name is a number that the caller made up
 *   execute=N:ID                         N executions
 *   six=ID                               the calls that the library of a board records, of a model or of none
 *   crowd=T:N:ID                         T threads that make N executions each, at the same time
 *   threads=T:N                          T threads that make N calls each and end
 *   serial=T:N                           the same, but one after the other
 *   rate=PER_MS:MS                       calls at a rate, on this thread; what was missed in a stall is not made up for
 *   op=NAME:TYPE:ID  op=NAME:TYPE:ID:US   an operator of 1 or US microseconds, whose type may be empty
 *   mark=TEXT  range=MS:TEXT
 *   fork=N                               a child makes N calls and exits; wait for it
 *   linger=MS                            a child that says "lingers" and sleeps; nobody waits for it
 *   exec                                 become the program `true`
 *   pthread_exit                         end the main thread; another one goes on to the end of the process
 *   counter=FILE                         a file in which 8 bytes count the calls, also when the process is killed
 *   interrupt                            raise SIGINT
 *   sleep=MS  umask=OCTAL  stdout=TEXT
 *   written=BYTES:PATTERN                wait, for a minute at most, until the files of that name have so many
 *   handler                              an own handler of SIGINT, which exits with 7
 *   kill=NUMBER  exit=CODE  _exit=CODE   the end; with kill there is a sleep of a minute
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "msprof_recorder.h"

static void sleep_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

static int64_t own_counter, *counter = &own_counter; /* of the main thread's calls */

static int count_in(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0640);

	if (fd < 0 || ftruncate(fd, sizeof(*counter)))
		return -1;
	counter = mmap(NULL, sizeof(*counter), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return counter == MAP_FAILED ? -1 : 0;
}

static void calls(long count, uint32_t model_id)
{
	for (long i = 0; i < count; i++) {
		uint64_t begin = msprof_begin();

		msprof_api_end(begin, MSPROF_RUNTIME, msprof_name("svp_acl_rt_malloc"), model_id);
	}
}

static void others(long count)
{
	for (long i = 0; i < count; i++)
		msprof_api_end(msprof_begin(), MSPROF_OTHER, msprof_name("own_call"), MSPROF_NO_MODEL);
}

static void *thread_calls(void *count)
{
	calls(*(long *)count, MSPROF_NO_MODEL);
	return NULL;
}

static void threads(long count, long each)
{
	pthread_t ids[256];

	if (count > 256)
		exit(2);
	for (long i = 0; i < count; i++)
		if (pthread_create(&ids[i], NULL, thread_calls, &each))
			exit(2);
	for (long i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

static void serial_threads(long count, long each)
{
	pthread_t id;

	for (long i = 0; i < count; i++)
		if (pthread_create(&id, NULL, thread_calls, &each) || pthread_join(id, NULL))
			exit(2);
}

static void rate(long per_ms, long ms)
{
	uint64_t due = msprof_begin(), now;

	for (long i = 0; i < ms; i++) {
		while ((now = msprof_begin()) < due)
			;
		due = now < due + 20000000 ? due + 1000000 : now + 1000000;
		calls(per_ms, MSPROF_NO_MODEL);
		*counter += per_ms;
	}
}

static void on_interrupt(int number)
{
	(void)number;
	_exit(7);
}

static void *go_on(void *unused)
{
	(void)unused;
	sleep_ms(300);
	calls(10, MSPROF_NO_MODEL);
	printf("finalize %d\n", msprof_finalize());
	exit(0);
}

static void end_main_thread(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, go_on, NULL))
		exit(2);
	pthread_exit(NULL);
}

static void child(long count)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		calls(count, MSPROF_NO_MODEL);
		thread_calls(&count);
		exit(msprof_finalize() == MSPROF_OK ? 0 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		exit(2);
}

static void names(long count)
{
	char text[32];

	for (long i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "name %ld", i);
		msprof_name(text);
	}
}

static void executions(long count, uint32_t model_id)
{
	for (long i = 0; i < count; i++)
		msprof_model_executed(msprof_begin(), msprof_name("svp_acl_mdl_execute"), model_id);
}

/* Those without an argument for the model are of none. */
static void six(uint32_t id)
{
	static const char *const names[] = {"svp_acl_mdl_load_from_mem", "svp_acl_mdl_execute",
	    "svp_acl_mdl_execute_async", "svp_acl_rt_synchronize_stream", "svp_acl_ext_process_aicpu_task",
	    "svp_acl_mdl_unload"};

	for (int i = 0; i < 6; i++) {
		uint64_t begin = msprof_begin();

		sleep_ms(1);
		msprof_api_end(begin, i == 3 ? MSPROF_RUNTIME : MSPROF_MODEL, msprof_name(names[i]),
		    i == 3 || i == 4 ? MSPROF_NO_MODEL : id);
	}
}

static long crowd_each;
static void *crowd_calls(void *id)
{
	for (long i = 0; i < crowd_each; i++)
		executions(1, *(uint32_t *)id);
	return NULL;
}

static void crowd(long count, char *rest)
{
	pthread_t ids[256];
	uint32_t id;

	if (count > 256)
		exit(2);
	crowd_each = strtol(rest, &rest, 10);
	id = (uint32_t)atol(rest + (*rest == ':'));
	for (long i = 0; i < count; i++)
		if (pthread_create(&ids[i], NULL, crowd_calls, &id))
			exit(2);
	for (long i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

static void op(char *spec)
{
	const char *name = strsep(&spec, ":"), *type = strsep(&spec, ":"), *id = strsep(&spec, ":");
	uint64_t begin = msprof_begin();
	struct msprof_op op = {.begin_ns = begin,
	    .end_ns = begin + (spec ? 1000 * (uint64_t)atol(spec) : 1000),
	    .model_id = id ? (uint32_t)atol(id) : MSPROF_NO_MODEL,
	    .name = msprof_name(name),
	    .type = msprof_name(type)};

	printf("op %d\n", msprof_op_publish(&op));
}

static void range(long ms, const char *text)
{
	uint64_t begin = msprof_begin();

	sleep_ms(ms);
	msprof_range_end(begin, text);
}

static long long size_of_all(const char *pattern)
{
	long long size = 0;
	struct stat st;
	glob_t files;

	if (glob(pattern, 0, NULL, &files))
		return 0;
	for (size_t i = 0; i < files.gl_pathc; i++)
		size += stat(files.gl_pathv[i], &st) ? 0 : (long long)st.st_size;
	globfree(&files);
	return size;
}

static void written(long size, const char *pattern)
{
	for (int i = 0; size_of_all(pattern) < size; i++) {
		if (i == 6000)
			exit(2);
		sleep_ms(10);
	}
}

static int is(const char *word, const char *name)
{
	return strcmp(word, name) == 0;
}

static int run_model(const char *word, char *value, long number, const char *rest)
{
	uint32_t id = (uint32_t)number;

	if (is(word, "load"))
		printf("load %d\n", msprof_model_loaded(id, rest));
	else if (is(word, "unload"))
		printf("unload %d\n", msprof_model_unloaded(id));
	else if (is(word, "calls"))
		calls(number, *rest ? (uint32_t)atol(rest) : MSPROF_NO_MODEL);
	else if (is(word, "others"))
		others(number);
	else if (is(word, "execute"))
		executions(number, (uint32_t)atol(rest));
	else if (is(word, "six"))
		six(id);
	else if (is(word, "crowd"))
		crowd(number, value + strcspn(value, ":") + 1);
	else if (is(word, "named_call"))
		msprof_api_end(msprof_begin(), MSPROF_MODEL, msprof_name(value + strcspn(value, ":") + 1),
		    *value == ':' ? MSPROF_NO_MODEL : id);
	else if (is(word, "named"))
		msprof_api_end(msprof_begin(), MSPROF_RUNTIME, id, MSPROF_NO_MODEL);
	else if (is(word, "op"))
		op(value);
	else
		return 0;
	return 1;
}

static int run_process(const char *word, long number)
{
	if (is(word, "fork"))
		child(number);
	else if (is(word, "linger")) {
		if (fork() == 0) {
			puts("lingers");
			sleep_ms(number);
			_exit(0);
		}
	} else if (is(word, "interrupt"))
		raise(SIGINT);
	else if (is(word, "exec"))
		execlp("true", "true", (char *)NULL);
	else if (is(word, "pthread_exit"))
		end_main_thread();
	else if (is(word, "handler"))
		signal(SIGINT, on_interrupt);
	else if (is(word, "kill")) {
		kill(getpid(), (int)number);
		sleep_ms(60000);
	} else if (is(word, "exit"))
		exit((int)number);
	else if (is(word, "_exit"))
		_exit((int)number);
	else
		return 0;
	return 1;
}

static int run(char *word)
{
	char *value = strchr(word, '='), *rest;
	long number;

	if (value)
		*value++ = '\0';
	else
		value = word + strlen(word);
	number = strtol(value, &rest, is(word, "umask") ? 8 : 10);
	rest += *rest == ':';
	if (run_model(word, value, number, rest) || run_process(word, number))
		return 0;
	if (is(word, "init") || is(word, "ascend"))
		printf("init %d\n", msprof_init(*value ? value : NULL, is(word, "init") ? MSPROF_SVP : MSPROF_ASCEND));
	else if (is(word, "finalize"))
		printf("finalize %d\n", msprof_finalize());
	else if (is(word, "threads"))
		threads(number, atol(rest));
	else if (is(word, "serial"))
		serial_threads(number, atol(rest));
	else if (is(word, "names"))
		names(number);
	else if (is(word, "rate"))
		rate(number, atol(rest));
	else if (is(word, "counter"))
		return count_in(value);
	else if (is(word, "mark"))
		msprof_mark(value);
	else if (is(word, "range"))
		range(number, rest);
	else if (is(word, "sleep"))
		sleep_ms(number);
	else if (is(word, "written"))
		written(number, rest);
	else if (is(word, "umask"))
		umask((mode_t)number);
	else if (is(word, "stdout"))
		puts(value);
	else
		return -1;
	return 0;
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		if (run(argv[i])) {
			fprintf(stderr, "record: '%s'?\n", argv[i]);
			return 2;
		}
	return 0;
}
