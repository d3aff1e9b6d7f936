/* sequence.c: words into calls. */
#include "sequence.h"

#include <ftw.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "family.h"
#include "msprof_recorder.h"

enum { WORD_SIZE = 512, HANDLES = 64 };

static prof_subscribe_config *subscribe_config;
static int ends[2] = {-1, -1};
static uint64_t slow_begin;

static void bad(const char *word)
{
	fprintf(stderr, "sequence: '%s'?\n", word);
	_exit(2);
}

/* "0,1/0x3/255" */
static prof_config *config_of(const char *text)
{
	uint32_t devices[80];
	uint32_t count = 0;
	uint64_t types = 1;
	int metrics = METRICS_NONE;
	char *at = (char *)text;

	while (*at && *at != '/' && count < 80) {
		devices[count++] = (uint32_t)strtoul(at, &at, 10);
		at += *at == ',';
	}
	if (*at == '/')
		types = strtoull(at + 1, &at, 0);
	if (*at == '/')
		metrics = (int)strtol(at + 1, &at, 0);
	return prof_create_config(devices, count, (prof_metrics)metrics, NULL, types);
}

static int start_or_stop(bool start, const char *text)
{
	prof_config *config = config_of(text);
	int code = start ? prof_start(config) : prof_stop(config);

	if (config && prof_destroy_config(config))
		bad("destroy");
	return code;
}

static int subscribe(const char *text)
{
	char *at;
	uint32_t id = (uint32_t)strtoul(text, &at, 10);
	int times = 1, metrics = METRICS_NONE, code;
	prof_subscribe_config *config;

	if (*at == '/')
		times = (int)strtol(at + 1, &at, 10);
	if (*at == '/')
		metrics = (int)strtol(at + 1, &at, 10);
	if (ends[0] < 0 && pipe(ends))
		bad("pipe");
	config = prof_create_subscribe_config((int8_t)times, (prof_metrics)metrics, &ends[1]);
	if (!config)
		return -1;
	code = prof_subscribe(id, config);
	if (!subscribe_config)
		subscribe_config = config;
	else
		prof_destroy_subscribe_config(config);
	return code;
}

static int load(const char *text)
{
	char *name;
	uint32_t id = (uint32_t)strtoul(text, &name, 10);

	return msprof_model_loaded(id, name + (*name == ':'));
}

static int call(char *text)
{
	char *id = strchr(text, ':');
	uint64_t begin = msprof_begin();

	if (id)
		*id++ = '\0';
	msprof_api_end(begin, MSPROF_MODEL, msprof_name(text), id ? (uint32_t)strtoul(id, NULL, 10) : MSPROF_NO_MODEL);
	return 0;
}

static int wait_ms(const char *text)
{
	long ms = strtol(text, NULL, 10);

	nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
	return 0;
}

#ifndef FAMILY_SVP
static void *the_stamp;
static uint32_t the_range = 12345;

static int set(const char *text)
{
	char *value;
	int type = (int)strtol(text, &value, 10);

	value += *value == ',';
	return aclprofSetConfig((aclprofConfigType)type, value, strlen(value));
}

static int run_stamp(const char *name, const char *text)
{
	if (strcmp(name, "stamp") == 0)
		return (the_stamp = aclprofCreateStamp()) ? 0 : 1;
	if (strcmp(name, "destroy") == 0)
		return aclprofDestroyStamp(the_stamp), 0;
	if (strcmp(name, "message") == 0)
		return aclprofSetStampTraceMessage(the_stamp, text, (uint32_t)strlen(text));
	if (strcmp(name, "mark") == 0)
		return aclprofMark(the_stamp);
	if (strcmp(name, "push") == 0)
		return aclprofPush(the_stamp);
	if (strcmp(name, "pop") == 0)
		return aclprofPop();
	if (strcmp(name, "range") == 0)
		return aclprofRangeStart(the_stamp, &the_range);
	if (strcmp(name, "end") == 0)
		return aclprofRangeStop(the_range);
	if (strcmp(name, "set") == 0)
		return set(text);
	bad(name);
	return 0;
}
#else
static int run_stamp(const char *name, const char *text)
{
	(void)text;
	bad(name);
	return 0;
}
#endif

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *place)
{
	(void)st, (void)type, (void)place;
	return remove(path);
}

static int run_model(const char *name, char *text)
{
	if (strcmp(name, "subscribe") == 0)
		return subscribe(text);
	if (strcmp(name, "unsubscribe") == 0)
		return prof_unsubscribe((uint32_t)strtoul(text, NULL, 10));
	if (strcmp(name, "size") == 0)
		return prof_op_size(&(size_t){0});
	if (strcmp(name, "load") == 0)
		return load(text);
	if (strcmp(name, "unload") == 0)
		return msprof_model_unloaded((uint32_t)strtoul(text, NULL, 10));
	if (strcmp(name, "call") == 0)
		return call(text);
	if (strcmp(name, "slow") == 0)
		return slow_begin = msprof_begin(), 0;
	if (strcmp(name, "done") == 0)
		return msprof_api_end(slow_begin, MSPROF_MODEL, msprof_name(text), MSPROF_NO_MODEL), 0;
	if (strcmp(name, "sleep") == 0)
		return wait_ms(text);
	if (strcmp(name, "clear") == 0)
		return nftw(text, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
	return run_stamp(name, text);
}

int run_word(const char *word)
{
	char name[WORD_SIZE], *text;

	if (snprintf(name, sizeof(name), "%s", word) >= (int)sizeof(name))
		bad(word);
	text = strchr(name, '(');
	if (text) {
		*text++ = '\0';
		if (!*text || text[strlen(text) - 1] != ')')
			bad(word);
		text[strlen(text) - 1] = '\0';
	} else {
		text = name + strlen(name);
	}
	if (strcmp(name, "acl_init") == 0)
		return acl_init(*text ? text : NULL);
	if (strcmp(name, "acl_finalize") == 0)
		return acl_finalize();
	if (strcmp(name, "init") == 0)
		return prof_init(*text ? text : "out", *text ? strlen(text) : 3);
	if (strcmp(name, "finalize") == 0)
		return prof_finalize();
	if (strcmp(name, "start") == 0 || strcmp(name, "stop") == 0)
		return start_or_stop(name[2] == 'a', text);
	return run_model(name, text);
}

struct rest {
	const char *words, *wrong;
	int *code;
};

static void *run_rest(void *arg)
{
	struct rest *rest = arg;

	rest->wrong = run_words(rest->words, rest->code);
	return NULL;
}

const char *run_words(const char *words, int *code)
{
	static _Thread_local char word[WORD_SIZE];
	int used, wanted;

	for (; sscanf(words, "%511s%n", word, &used) == 1; words += used) {
		char *equals = strrchr(word, '=');

		if (strcmp(word, "thread") == 0) {
			struct rest rest = {words + used, NULL, code};
			pthread_t id;

			if (pthread_create(&id, NULL, run_rest, &rest) || pthread_join(id, NULL))
				bad(word);
			return rest.wrong ? "in the thread" : NULL;
		}
		wanted = equals ? (int)strtol(equals + 1, NULL, 10) : 0;
		if (equals)
			*equals = '\0';
		*code = run_word(word);
		if (*code != wanted)
			return word;
	}
	return NULL;
}
