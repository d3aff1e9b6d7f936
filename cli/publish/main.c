/*
 * main.c: msprof-publish, which `msprof publish` runs: the side with the network, that reads no job.
 *
 * Its words are those of `msprof publish`, not of users: check URL, init URL, load URL HOST,
 * forget URL RUN, keep URL DAYS, ask URL. Messages go as
 * frames (fleet/wire.h) to standard output. A server may be any: memory, silence and answers are limited, and from its
 * first byte on the process reaches no file and no program (fleet/engine/engine.h).
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "fleet/engine/engine.h"
#include "fleet/wire.h"

/* Say why nothing can be done. */
static int fail(const struct mp_error *why)
{
	char bytes[sizeof(int64_t) + sizeof(why->text)] = "";
	struct mp_error ignored;

	memcpy(bytes + sizeof(int64_t), why->text, sizeof(why->text));
	mp_wire_write(STDOUT_FILENO, MP_WIRE_FAILED, bytes, sizeof(int64_t) + strlen(why->text), &ignored);
	return 1;
}

enum { KNOWN_MAX = 64 << 10, MEMORY_MIB = 256, ANSWER_MIB = 64 };

/* Jobs of a shard on their way to msprof. */
struct known {
	size_t count;
	int64_t items[KNOWN_MAX]; /* the first is the shard */
};

static int give_known(struct known *k, struct mp_error *err)
{
	size_t count = k->count;

	k->count = 1;
	return count > 1 ? mp_wire_write(STDOUT_FILENO, MP_WIRE_KNOWN, k->items, count * sizeof(k->items[0]), err) : 0;
}

static int take_titles(void *user, const char *const *titles, int count, struct mp_error *err)
{
	(void)user;
	(void)titles;
	return count == 1 ? 0 : mp_fail(err, "the jobs of a shard cannot be read");
}

static int take_numbers(void *user, const char *kinds, int count, struct mp_error *err)
{
	(void)user;
	return count == 1 && kinds[0] ? 0 : mp_fail(err, "the jobs of a shard cannot be read");
}

static int take_known(void *user, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err)
{
	struct known *k = user;

	(void)sizes;
	(void)count;
	if (!cells[0] || (k->count == KNOWN_MAX && give_known(k, err)))
		return cells[0] ? -1 : mp_fail(err, "the jobs of a shard cannot be read");
	k->items[k->count++] = strtoll(cells[0], NULL, 10);
	return 0;
}

/* Tell which jobs a shard has: they stay there. */
static int tell_known(const struct mp_engine *engine, void *connection, int host, struct mp_error *err)
{
	struct known *k = malloc(sizeof(*k));
	struct mp_answer answer = {.user = k,
	    .titles = take_titles,
	    .numbers = take_numbers,
	    .row = take_known,
	    .bytes_max = budget_output(0)};
	int status;

	if (!k)
		return mp_fail_memory(err, "jobs");
	k->items[0] = host;
	k->count = 1;
	status = engine->ask(connection, engine->jobs, &answer, err) || give_known(k, err) ? -1 : 0;
	free(k);
	return status;
}

static int each_host(const char *text, const struct mp_fleet_url *url, bool make, struct mp_error *err)
{
	const struct mp_engine *engine = mp_engine_of(url->engine);
	void *connection;
	bool is_confined = false;
	int status = 0;

	for (int host = 0; host < url->host_count && !status; host++) {
		if (engine->open(&connection, text, url, host, &is_confined, err))
			return -1;
		status = make ? mp_engine_prepare(engine, connection, err)
			      : mp_engine_check(
				    engine, connection, url->host_count > 1 ? url->hosts[host] : engine->name, err);
		if (!status && engine->jobs && url->host_count > 1)
			status = tell_known(engine, connection, host, err);
		engine->close(connection);
	}
	return status || mp_wire_write(STDOUT_FILENO, MP_WIRE_READY, NULL, 0, err) ? -1 : 0;
}

/* Forget jobs of all hosts, and tell how many there were. */
static int forget(const char *text, const struct mp_fleet_url *url, const struct mp_forget *which, struct mp_error *err)
{
	const struct mp_engine *engine = mp_engine_of(url->engine);
	void *connection;
	bool is_confined = false;
	int64_t sum = 0, jobs = 0;
	int status = 0;

	for (int host = 0; host < url->host_count && !status; host++) {
		if (engine->open(&connection, text, url, host, &is_confined, err))
			return -1;
		status = engine->forget(connection, which, &jobs, err);
		sum += jobs;
		engine->close(connection);
	}
	return status || mp_wire_write(STDOUT_FILENO, MP_WIRE_DONE, &sum, sizeof(sum), err) ||
		       mp_wire_write(STDOUT_FILENO, MP_WIRE_READY, NULL, 0, err)
		   ? -1
		   : 0;
}

static int load(const char *text, const struct mp_fleet_url *url, int host, struct mp_error *err)
{
	const struct mp_engine *engine = mp_engine_of(url->engine);
	void *connection;
	bool is_confined = false;
	int status;

	if (host < 0 || host >= url->host_count)
		return mp_fail(err, "no such shard");
	if (engine->open(&connection, text, url, host, &is_confined, err))
		return -1;
	status = mp_wire_write(STDOUT_FILENO, MP_WIRE_READY, NULL, 0, err) ||
			 engine->load(connection, STDIN_FILENO, STDOUT_FILENO, err)
		     ? -1
		     : 0;
	engine->close(connection);
	return status;
}

int main(int argc, char **argv)
{
	struct mp_fleet_url url;
	struct mp_error err;
	int status = -1;

	signal(SIGPIPE, SIG_IGN);
	if (argc < 3 || isatty(STDOUT_FILENO)) {
		fputs("msprof-publish: a part of 'msprof publish', which runs it\n", stderr);
		return 2;
	}
	if (budget_begin(MEMORY_MIB, ANSWER_MIB, &err) || mp_fleet_url_parse(&url, argv[2], &err))
		return fail(&err);
	if (strcmp(argv[1], "check") == 0 || strcmp(argv[1], "init") == 0)
		status = each_host(argv[2], &url, argv[1][0] == 'i', &err);
	else if (strcmp(argv[1], "load") == 0 && argc == 4)
		status = load(argv[2], &url, atoi(argv[3]), &err);
	else if (strcmp(argv[1], "forget") == 0 && argc == 4)
		status = forget(argv[2], &url, &(struct mp_forget){.run = argv[3]}, &err);
	else if (strcmp(argv[1], "keep") == 0 && argc == 4)
		status = forget(argv[2], &url, &(struct mp_forget){.days = atoi(argv[3])}, &err);
	else if (strcmp(argv[1], "ask") == 0)
		status = mp_question_ask(argv[2], &url, budget_output(0), STDIN_FILENO, STDOUT_FILENO, &err);
	else
		mp_error_set(&err, "msprof and msprof-publish are not of one version");
	return status ? fail(&err) : 0;
}
