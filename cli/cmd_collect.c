/* cmd_collect.c: msprof collect. Checks the options and makes the plan of the collection. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/connection/pipe.h"
#include "collect_plan.h"
#include "process.h"

static int usage(const char *text)
{
	return message_usage(&command_collect, "%s", text);
}

static int check_combination(const struct options *o)
{
	bool local = options_has(o, OPTION_LOCAL), resume = options_has(o, OPTION_RESUME);

	if (!options_has(o, OPTION_MAIN) && !resume)
		return usage("-m is missing: the program to run, with its arguments");
	if (!o->configs.count && !local)
		return usage("--config is missing: the ini of the board (or --local for this machine)");
	if (o->configs.count && local)
		return usage("--config and --local cannot be combined");
	if (resume && (options_has(o, OPTION_MAIN) || options_has(o, OPTION_OUTPUT) || options_has(o, OPTION_DRY_RUN)))
		return usage("--resume cannot be combined with -m, --output or --dry-run");
	if (resume && (options_has(o, OPTION_REPEAT) || options_has(o, OPTION_DISCARD)))
		return usage("--resume cannot be combined with --repeat or --discard: it runs nothing");
	if (options_has(o, OPTION_MOUNT) && o->values[OPTION_MOUNT][0] != '/')
		return usage("--mount takes an absolute path of this machine");
	return 0;
}

/* Only options that the user gave replace settings of the project's acl.json. */
static int gather_overrides(struct collect_plan *plan)
{
	static const struct {
		enum option_id id;
		const char *key;
	} table[] = {{OPTION_INTERVAL, "interval"}, {OPTION_ACL_API, "acl_api"}, {OPTION_AACPU, "aacpu"},
	    {OPTION_SWITCH, "switch"}, {OPTION_AAC_METRICS, "aac_metrics"}};
	struct mp_acl_json *file;
	struct mp_error err;
	size_t n = 0;
	int status;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (options_has(plan->options, table[i].id))
			plan->overrides[n++] = (struct mp_acl_pair){table[i].key, plan->options->values[table[i].id]};
	if (mp_acl_json_parse(&file, MP_ACL_SVP, "acl.json", "{}", 2, &err))
		return message_failure(&err);
	status = mp_acl_json_merge(file, NULL, plan->overrides, &err);
	mp_acl_json_free(file);
	if (!status)
		return 0;
	return message_usage(&command_collect, "--%s", err.text);
}

static int split_main(struct collect_plan *plan)
{
	struct mp_error err;
	size_t count;

	if (!options_has(plan->options, OPTION_MAIN))
		return 0;
	if (mp_argv_split(&plan->words, &count, plan->options->values[OPTION_MAIN], &err)) {
		message_error("-m: %s", err.text);
		return EXIT_USAGE;
	}
	return 0;
}

static int run_plan(struct collect_plan *plan)
{
	const struct options *o = plan->options;
	const char *output = options_has(o, OPTION_RESUME) ? o->values[OPTION_RESUME] : o->values[OPTION_OUTPUT];
	FILE *lock = NULL;
	int status;

	interrupt_watch();
	if (!output)
		output = ".";
	if (o->configs.count < 2) {
		status = collect_board(plan, o->configs.count ? o->configs.items[0] : NULL, output);
	} else {
		lock = tmpfile(); /* without the lock two questions may mix on the terminal */
		plan->prompt_lock = lock ? fileno(lock) : -1;
		status = collect_boards(plan, &o->configs, output);
	}
	if (lock)
		fclose(lock);
	interrupt_forget();
	return status;
}

static int run_collect(const struct command *command, const struct options *options)
{
	struct collect_plan plan = {.options = options, .progress_fd = -1, .prompt_lock = -1};
	int status;

	(void)command;
	if (options_has(options, OPTION_TIMEOUT))
		plan.timeout_s = (int)options_number(options, OPTION_TIMEOUT);
	status = check_combination(options);
	if (!status)
		status = gather_overrides(&plan);
	if (!status)
		status = split_main(&plan);
	if (!status && umask_check(options))
		status = EXIT_FAILED;
	if (!status)
		umask_warn(options);
	if (!status)
		status = run_plan(&plan);
	mp_argv_free(plan.words);
	return status;
}

const struct command command_collect = {
    .name = "collect",
    .summary = "run a program on a board, fetch its data and parse it",
    .usages = {"-m MAIN --config INI [OPTION]...", "--local -m MAIN [OPTION]...            without a board",
	"--resume DIR --config INI [OPTION]...  to continue"},
    .operand = "-m before the program",
    .needs = NEEDS_BOARD,
    .options = {TAKES(MAIN), TAKES(CONFIG), TAKES(LOCAL), TAKES(ALL), TAKES(OUTPUT), TAKES(PROJECT), TAKES(EXCLUDE),
	TAKES(CHECKSUM), TAKES(ACL_JSON), TAKES(INTERVAL), TAKES(ACL_API), TAKES(AACPU), TAKES(SWITCH),
	TAKES(AAC_METRICS), TAKES(BOARD_STATS), TAKES(STREAM), TAKES(TIMEOUT), TAKES(REPEAT), TAKES(DISCARD),
	TAKES(MOUNT), TAKES(CLEAN), TAKES(NAME), TAKES(ACCEPT_NEW), TAKES(DRY_RUN), TAKES(RESUME), OPTIONS_REPORT,
	TAKES(STYLE), TAKES(BOM), TAKES(TOP), TAKES(SORT)},
    .run = run_collect,
};
