/* genjob_options.c: the command line of genjob. The other parts receive options that are in range and consistent. */
#include "genjob_options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] = "usage: genjob --out DIR [options]\n"
			    "Writes a JOB directory in the form of a board's library. Nothing in it was measured.\n"
			    "  --out DIR          the directory to make; it must not exist\n"
			    "  --soc NAME         ss928, dv500 or cv610 (ss928)\n"
			    "  --seed N           the same seed and options give the same bytes (1)\n"
			    "  --models N         models in the job, one after the other (1)\n"
			    "  --model NAME       name of the first model\n"
			    "  --batch N          batch number in names (1)\n"
			    "  --tasks N          aicore tasks of each inference (24)\n"
			    "  --nets N           nets that share these tasks; on ss928 alone (1)\n"
			    "  --aicpu N          nets on the CPU; on ss928 alone (2)\n"
			    "  --pictures N       sampled inferences (1)\n"
			    "  --interval N       current_pic is 0, N, 2N, ... (1)\n"
			    "  --calls N          recorded calls of each model: load, inferences, unload; more where\n"
			    "                     the pictures need them; 0 for no file (60)\n"
			    "  --async            inferences are asynchronous calls, and waits\n"
			    "  --host-calls N     all calls, as msprof's recorder writes them beside, at least N (0)\n"
			    "  --threads N        threads that make calls (2)\n"
			    "  --devices N        devices; each runs all the models (1)\n"
			    "  --frequency MHZ    core frequency (700)\n"
			    "  --fused PERCENT    matrix tasks with 2 to 4 fused layers (20)\n"
			    "  --overlap PERCENT  calls that begin within the one before: inferences of several\n"
			    "                     threads, or any host calls (0)\n"
			    "  --utf8             names in Chinese, with accents, commas and quotes\n"
			    "  --complete         .complete markers beside the files\n"
			    "  --no-done          no .done markers\n"
			    "  --no-execute       the models are loaded and unloaded, never run\n"
			    "  --host-only        what a recorder on a host makes: its calls alone (60)\n"
			    "  --help             this text\n";

enum { OPT_TEXT, OPT_INT, OPT_U32, OPT_U64, OPT_FLAG };

/* FLAG options need no range. */
#define AT(member) offsetof(struct gen_options, member)
static const struct {
	const char *name;
	int kind;
	size_t at;
	uint64_t low, high;
} table[] = {
    {"out", OPT_TEXT, AT(out), 0, 0},
    {"soc", OPT_TEXT, AT(soc_name), 0, 0},
    {"model", OPT_TEXT, AT(model), 0, 0},
    {"seed", OPT_U64, AT(seed), 0, UINT64_MAX},
    {"models", OPT_INT, AT(models), 1, 60000},
    {"batch", OPT_INT, AT(batch), 0, 65535},
    {"tasks", OPT_U32, AT(tasks), 0, 100000000},
    {"nets", OPT_INT, AT(nets), 1, 60000},
    {"aicpu", OPT_INT, AT(aicpu), 0, 60000},
    {"pictures", OPT_INT, AT(pictures), 1, 100000},
    {"interval", OPT_INT, AT(interval), 0, 10000},
    {"calls", OPT_U64, AT(calls), 0, 1000000000},
    {"host-calls", OPT_U64, AT(host_calls), 0, 1000000000},
    {"threads", OPT_INT, AT(threads), 1, GEN_THREAD_MAX},
    {"devices", OPT_INT, AT(devices), 1, 64},
    {"frequency", OPT_INT, AT(frequency), 1, 1000000},
    {"fused", OPT_INT, AT(fused), 0, 100},
    {"overlap", OPT_INT, AT(overlap), 0, 100},
    {"utf8", OPT_FLAG, AT(utf8), 0, 0},
    {"async", OPT_FLAG, AT(async), 0, 0},
    {"complete", OPT_FLAG, AT(complete), 0, 0},
    {"no-done", OPT_FLAG, AT(no_done), 0, 0},
    {"no-execute", OPT_FLAG, AT(no_execute), 0, 0},
    {"host-only", OPT_FLAG, AT(host_only), 0, 0},
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]), OPT_HELP = OPTIONS };
enum { DEFAULT_CALLS = 60, DEFAULT_AICPU = 2 };

static int parse_number(int index, const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && *value >= table[index].low &&
	    *value <= table[index].high)
		return 0;
	fprintf(stderr, "genjob: --%s wants a number from %" PRIu64 " to %" PRIu64 ", not '%s'\n", table[index].name,
	    table[index].low, table[index].high, text);
	return -1;
}

static int set_option(struct gen_options *o, int index, const char *text)
{
	void *at = (char *)o + table[index].at;
	uint64_t value = 1;

	if (table[index].kind == OPT_TEXT) {
		*(const char **)at = text;
		return 0;
	}
	if (table[index].kind != OPT_FLAG && parse_number(index, text, &value))
		return -1;
	if (table[index].kind == OPT_U64)
		*(uint64_t *)at = value;
	else if (table[index].kind == OPT_U32)
		*(uint32_t *)at = (uint32_t)value;
	else
		*(int *)at = (int)value;
	return 0;
}

/* What depends on other options. */
static void complete(struct gen_options *o)
{
	o->soc = gen_soc_find(o->soc_name);
	if (o->aicpu < 0)
		o->aicpu = o->soc && o->soc->shared ? 0 : DEFAULT_AICPU;
	if (o->host_only && !o->host_calls)
		o->host_calls = DEFAULT_CALLS;
}

static const char *contradiction(const struct gen_options *o)
{
	if (!o->out)
		return "--out is missing";
	if (!o->soc)
		return "--soc must be ss928, dv500 or cv610";
	if (o->model && (!*o->model || strlen(o->model) > GEN_MODEL_MAX))
		return "--model must have 1 to 180 bytes";
	if (!o->interval && o->pictures > 1)
		return "--interval 0 gives all the pictures one name";
	if (o->soc->shared && o->nets > 1)
		return "--nets needs --soc ss928: the records of the others do not name their net";
	if (o->soc->shared && o->aicpu)
		return "--aicpu needs --soc ss928: what the others write of the CPU is not known";
	return NULL;
}

int gen_options_parse(struct gen_options *o, int argc, char **argv)
{
	struct option options[OPTIONS + 2] = {0};
	const char *wrong;
	int c;

	*o = (struct gen_options){.soc_name = "ss928",
	    .seed = 1,
	    .models = 1,
	    .devices = 1,
	    .nets = 1,
	    .tasks = 24,
	    .aicpu = -1,
	    .pictures = 1,
	    .interval = 1,
	    .batch = 1,
	    .calls = DEFAULT_CALLS,
	    .threads = 2,
	    .frequency = 700,
	    .fused = 20};
	for (int i = 0; i < OPTIONS; i++)
		options[i] = (struct option){
		    table[i].name, table[i].kind == OPT_FLAG ? no_argument : required_argument, NULL, i};
	options[OPTIONS] = (struct option){"help", no_argument, NULL, OPT_HELP};
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == OPT_HELP) {
			fputs(usage, stdout);
			return 1;
		}
		if (c < 0 || c > OPTIONS || set_option(o, c, optarg)) {
			fputs("Try 'genjob --help'.\n", stderr);
			return -1;
		}
	}
	complete(o);
	wrong = optind < argc ? "unexpected argument" : contradiction(o);
	if (wrong)
		fprintf(stderr, "genjob: %s\nTry 'genjob --help'.\n", wrong);
	return wrong ? -1 : 0;
}
