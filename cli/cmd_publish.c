/* cmd_publish.c: msprof publish. Loads jobs into PostgreSQL or ClickHouse, and asks there. */
#include "publish.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "fleet/lake.h"
#include "fleet/wire.h"
#include "launch.h"
#include "process.h"

/* Take an answer: why nothing can be done, the jobs of a shard, or how many were forgotten. Returns 1 while answers
 * come, 0 after the last, -1 with err. */
static int take_answer(struct publish_shards *shards, int64_t *removed, int from, struct mp_error *err)
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
	else if (head.kind == MP_WIRE_DONE)
		*removed = items[0], status = 1;
	else if (head.kind == MP_WIRE_KNOWN)
		status = publish_shards_add(shards, items[0], items + 1, head.size / sizeof(*items) - 1, err) ? -1 : 1;
	else
		status = mp_fail(err, "%s", (const char *)(items + 1));
	free(items);
	return status;
}

/* Have the tables made ("init") or looked at ("check"), before the first job and once for all readers; or jobs removed:
 * "forget" those of a run, "keep" those of so many days. */
static int prepare(
    const struct options *o, const char *what, const char *which, struct publish_shards *shards, int64_t *removed)
{
	const char *const words[] = {what, o->values[OPTION_URL], which, NULL};
	struct loader loader;
	struct mp_error err;
	int status = 1;

	signal(SIGPIPE, SIG_IGN);
	if (loader_start(&loader, words, &err))
		return message_failure(&err);
	while (status == 1)
		status = take_answer(shards, removed, loader.from, &err);
	publish_shards_sort(shards);
	loader_end(&loader);
	if (status)
		message_failure(&err);
	return status;
}

/* A name of a label is one of letters, digits and '_'. */
static bool is_label(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return len && text[len] == '=' && !strchr(text, '\n');
}

static bool is_repeated(const struct options *o, size_t label, size_t len)
{
	for (size_t i = 0; i < label; i++)
		if (strncmp(o->labels.items[i], o->labels.items[label], len) == 0)
			return true;
	return false;
}

/* The labels as an object of JSON, which the caller frees. Returns 0, or the exit status with the error printed. */
static int write_labels(const struct command *command, const struct options *o, char **json)
{
	size_t size;
	FILE *f = open_memstream(json, &size);
	bool failed = !f;

	for (size_t i = 0; f && i < o->labels.count; i++) {
		const char *item = o->labels.items[i];
		size_t len = strcspn(item, "=") + 1;

		if (!is_label(item) || is_repeated(o, i, len)) {
			message_error("--label needs NAME=VALUE, each name once: '%s'", item);
			fclose(f);
			return options_usage(command);
		}
		fprintf(f, "%s\"%.*s\":", i ? "," : "{", (int)len - 1, item);
		mp_json_quote(f, item + len);
	}
	if (f) {
		fputs(o->labels.count ? "}" : "{}", f);
		failed = fclose(f) != 0;
	}
	if (failed)
		message_error("out of memory");
	return failed ? EXIT_FAILED : EXIT_OK;
}

static int forget(const struct options *o, const char *what, const char *which)
{
	struct publish_shards none = {.count = 0};
	int64_t removed = 0;

	if (prepare(o, what, which, &none, &removed))
		return EXIT_FAILED;
	message_info(o, "removed %lld job%s", (long long)removed, removed == 1 ? "" : "s");
	return EXIT_OK;
}

/* A directory is no server: nobody answers there. */
static int prepare_lake(const struct options *o, const char *path)
{
	struct mp_error err;

	if (options_has(o, OPTION_ASK) || options_has(o, OPTION_FORGET) || options_has(o, OPTION_KEEP)) {
		message_error("--ask, --forget and --keep need a server; engines read '%s' by the texts in it", path);
		return EXIT_USAGE;
	}
	if (options_has(o, OPTION_INIT) && mp_lake_prepare(path, &err))
		return message_failure(&err);
	return EXIT_OK;
}

static int prepare_database(struct publish_target *target)
{
	const struct options *o = target->options;
	int64_t removed;
	int status;

	target->shards.shards = target->url->host_count;
	if (target->url->engine == MP_FLEET_LAKE)
		return prepare_lake(o, target->url->path);
	status = prepare(o, options_has(o, OPTION_INIT) ? "init" : "check", NULL, &target->shards, &removed)
		     ? EXIT_FAILED
		     : EXIT_OK;
	if (!status && options_has(o, OPTION_FORGET))
		status = forget(o, "forget", o->values[OPTION_FORGET]);
	if (!status && options_has(o, OPTION_KEEP))
		status = forget(o, "keep", o->values[OPTION_KEEP]);
	return status;
}

static int run_target(struct publish_target *target)
{
	const struct options *o = target->options;
	struct mp_error err;
	int status;

	if (budget_begin(BUDGET_MEMORY_MIB, BUDGET_BY_INPUT, &err))
		return message_failure(&err);
	status = prepare_database(target);
	if (status)
		return status;
	if (options_has(o, OPTION_WATCH))
		status = publish_watch(target);
	else if (options_has(o, OPTION_DIR))
		status = publish_jobs(target);
	return status != EXIT_FAILED && options_has(o, OPTION_ASK) ? publish_ask(o) : status;
}

static int run_publish(const struct command *command, const struct options *o)
{
	struct mp_fleet_url url;
	struct publish_target target = {.options = o, .url = &url};
	struct mp_error err;
	int status;

	if (!options_has(o, OPTION_URL))
		return message_usage(command, "--to is missing: where the database is");
	if (mp_fleet_url_parse(&url, o->values[OPTION_URL], &err))
		return message_usage(command, "%s", err.text);
	status = write_labels(command, o, &target.labels);
	if (!status)
		status = run_target(&target);
	free(target.labels);
	publish_shards_free(&target.shards);
	return status;
}

const struct command command_publish = {
    .name = "publish",
    .summary = "load jobs into PostgreSQL, ClickHouse or a lake; ask there",
    .usages = {"--to URL [-dir] TOP [OPTION]...", "--to URL --init [OPTION]...", "--to URL --ask NAME [OPTION]..."},
    .formats = "table csv json prometheus",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(URL), TAKES(TASKS), TAKES(RUN), TAKES(WORKERS), TAKES(INIT), TAKES(ASK), TAKES(SET),
	TAKES(LABEL), TAKES(FORGET), TAKES(KEEP), TAKES(WATCH), OPTIONS_FORMAT},
    .run = run_publish,
};
