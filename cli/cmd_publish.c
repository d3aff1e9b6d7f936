/* cmd_publish.c: msprof publish. Loads jobs into PostgreSQL or ClickHouse, and asks there. */
#include "publish.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/wire.h"
#include "launch.h"
#include "process.h"

/* Take an answer: why nothing can be done, or the jobs of a shard. Returns 1 while answers come, 0 after the last, -1
 * with err. */
static int take_answer(struct publish_shards *shards, int from, struct mp_error *err)
{
	struct mp_wire_head head;
	int64_t *items;
	int status = mp_wire_head(from, &head, err);

	if (status <= 0)
		return status < 0 ? -1 : mp_fail(err, "msprof-publish ended before its work was done");
	if (head.kind == MP_WIRE_READY)
		return 0;
	items = calloc(1, head.size + sizeof(*items));
	if (!items)
		return mp_fail_memory(err, "jobs");
	if (head.size < sizeof(*items) || mp_wire_read(from, items, head.size, err) != 1)
		status = mp_fail(err, "msprof-publish gave an unknown answer");
	else if (head.kind == MP_WIRE_KNOWN)
		status = publish_shards_add(shards, items[0], items + 1, head.size / sizeof(*items) - 1, err) ? -1 : 1;
	else
		status = mp_fail(err, "%s", (const char *)(items + 1));
	free(items);
	return status;
}

/* Have the tables made ("init") or looked at ("check"): before the first job, and once for all readers. */
static int prepare(const struct options *o, const char *what, struct publish_shards *shards)
{
	const char *const words[] = {what, o->values[OPTION_URL], NULL};
	struct loader loader;
	struct mp_error err;
	int status = 1;

	signal(SIGPIPE, SIG_IGN);
	if (loader_start(&loader, words, &err)) {
		message_failure(&err);
		return -1;
	}
	while (status == 1)
		status = take_answer(shards, loader.from, &err);
	publish_shards_sort(shards);
	loader_end(&loader);
	if (status)
		message_failure(&err);
	return status;
}

static int run_publish(const struct command *command, const struct options *o)
{
	struct publish_shards shards = {.count = 0};
	struct mp_fleet_url url;
	struct mp_error err;
	int status;

	if (!options_has(o, OPTION_URL)) {
		message_error("--to is missing: where the database is");
		return options_usage(command);
	}
	if (mp_fleet_url_parse(&url, o->values[OPTION_URL], &err)) {
		message_failure(&err);
		return options_usage(command);
	}
	if (budget_begin(BUDGET_MEMORY_MIB, BUDGET_BY_INPUT, &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	shards.shards = url.host_count;
	status = prepare(o, options_has(o, OPTION_INIT) ? "init" : "check", &shards) ? EXIT_FAILED : EXIT_OK;
	if (!status && options_has(o, OPTION_DIR))
		status = publish_jobs(o, &url, &shards);
	publish_shards_free(&shards);
	return status != EXIT_FAILED && options_has(o, OPTION_ASK) ? publish_ask(o) : status;
}

const struct command command_publish = {
    .name = "publish",
    .summary = "load jobs into PostgreSQL or ClickHouse, and ask there",
    .usages = {"--to URL [-dir] TOP [OPTION]...", "--to URL --init [OPTION]...", "--to URL --ask NAME [OPTION]..."},
    .text = "Loads what is known of each job in TOP, or in directories of TOP: its facts,\n"
	    "steps, operators and communication; with --tasks also every task. A job that\n"
	    "is published again replaces itself; of a load that is cut nothing is seen.\n"
	    "URL is postgresql://USER@HOST/DATABASE or clickhouse://USER@HOST:8123/DATABASE,\n"
	    "for shards with all their hosts, clickhouse://HOST:8123,HOST:8123/DATABASE, and\n"
	    "?cluster=NAME. It has no password: put that into ~/.pgpass, or the variable\n"
	    "PGPASSWORD or MSPROF_CLICKHOUSE_PASSWORD. To another machine it does not go in\n"
	    "clear, unless the URL says so: ?sslmode=prefer (PostgreSQL), ?secure=0.\n"
	    "--init makes the tables. docs/FLEET.md describes them, and the questions.\n",
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(URL), TAKES(TASKS), TAKES(RUN), TAKES(WORKERS), TAKES(INIT), TAKES(ASK), TAKES(SET),
	OPTIONS_FORMAT},
    .run = run_publish,
};
