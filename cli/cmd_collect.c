/* cmd_collect.c: msprof collect: checks the command line and makes a plan of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "board/connection/argv.h"
#include "cmd_collect.h"
#include "interrupt.h"
#include "raw/job.h"

static int usage(const char *text)
{
	message_error("%s", text);
	fputs("Try 'msprof collect --help'.\n", stderr);
	return EXIT_USAGE;
}

/* Local names may be anything but what a terminal would obey. */
static int check_paths(const struct options *o)
{
	static const enum option_id paths[] = {
	    OPTION_MAIN, OPTION_OUTPUT, OPTION_PROJECT, OPTION_ACL_JSON, OPTION_MOUNT, OPTION_RESUME};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const char *value = o->values[paths[i]];

		if (value && !*value)
			return usage("an option of collect has an empty value");
		for (const char *c = value; paths[i] != OPTION_MAIN && c && *c; c++)
			if ((unsigned char)*c < 0x20 || *c == 0x7f)
				return usage("control characters in the value of an option");
	}
	if (o->values[OPTION_MOUNT] && o->values[OPTION_MOUNT][0] != '/')
		return usage("--mount takes an absolute path of this machine");
	return 0;
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
	return check_paths(o);
}

static int check_label(const struct options *o)
{
	const char *label = o->values[OPTION_NAME];
	size_t len = label ? strlen(label) : 1;

	if (len < 1 || len >= MP_LABEL_SIZE || (label && mp_has_control(label, len)))
		return usage("--name takes a text of 1 to 100 bytes without control characters");
	return 0;
}

static int read_timeout(struct plan *plan)
{
	const char *text = plan->options->values[OPTION_TIMEOUT];
	char *end;
	long value;

	if (!text)
		return 0;
	value = strtol(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || value < 1 || value > 10000000)
		return usage("--timeout takes a whole number of seconds from 1 to 10000000");
	plan->timeout_s = (int)value;
	return 0;
}

/* Only what the user gave goes over the project's acl.json; a value that the table does not allow is refused here. */
static int gather_overrides(struct plan *plan)
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
	if (mp_acl_json_parse(&file, MP_ACL_SVP, "acl.json", "{}", 2, &err)) {
		message_error("%s", err.text);
		return EXIT_FAILED;
	}
	status = mp_acl_json_merge(file, NULL, plan->overrides, &err);
	mp_acl_json_free(file);
	if (!status)
		return 0;
	message_error("--%s", err.text);
	fputs("Try 'msprof collect --help'.\n", stderr);
	return EXIT_USAGE;
}

static int split_main(struct plan *plan)
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

static int run_plan(struct plan *plan)
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
		lock = tmpfile(); /* without it two questions may mix on the terminal, no more */
		plan->prompt_lock = lock ? fileno(lock) : -1;
		status = collect_boards(plan, &o->configs, output);
	}
	if (lock)
		fclose(lock);
	interrupt_forget();
	return status;
}

int command_collect(const struct command *command, const struct options *options)
{
	struct plan plan = {.options = options, .progress_fd = -1, .prompt_lock = -1};
	int status;

	(void)command;
	status = check_combination(options);
	if (!status)
		status = check_label(options);
	if (!status)
		status = read_timeout(&plan);
	if (!status)
		status = gather_overrides(&plan);
	if (!status)
		status = split_main(&plan);
	if (!status && command_umask(options))
		status = EXIT_FAILED;
	if (!status)
		command_umask_warn(options);
	if (!status)
		status = run_plan(&plan);
	mp_argv_free(plan.words);
	return status;
}

const char command_collect_text[] = "       msprof collect --local -m MAIN [OPTION]...            without a board\n"
				    "       msprof collect --resume DIR --config INI [OPTION]...  after a cut\n\n"
				    "Sends the project to the board through SSH, turns profiling on in its acl.json,\n"
				    "runs MAIN there in its own directory, fetches every new JOB and, with --all,\n"
				    "parses it. The board gets its acl.json back and nothing remains running there,\n"
				    "whatever happens. What the board has already is not sent again. Private keys,\n"
				    "logins and files with [ssh_config] are never sent: --dry-run lists them. Ctrl-C\n"
				    "stops the program and fetches what there is; Ctrl-C twice leaves at once.\n\n"
				    "  msprof collect -m out/main --config ~/board.ini --dry-run\n"
				    "  msprof collect -m 'out/main 10' --config ~/board.ini --output DIR --all\n\n"
				    "An ini, of which ip and username are needed. Values reach to the end of the\n"
				    "line. Keep the file outside the project, and to yourself: chmod 600. An example\n"
				    "is share/doc/msprof/board.ini. The name ends in .ini or .conf.\n"
				    "  [ssh_config]\n"
				    "  ip = 192.168.1.100\n"
				    "  username = root\n"
				    "  # the password; without it: the SSH agent, the key below, or a question\n"
				    "  pwd = secret\n"
				    "  port = 22\n"
				    "  key = /home/me/.ssh/id_ed25519\n"
				    "  # the only host key to accept\n"
				    "  #host_key = SHA256:...\n"
				    "  remote_dir = ~/msprof/my_project\n"
				    "  # seconds of silence until the board counts as gone\n"
				    "  timeout = 30\n\n"
				    "Several boards (--config again) work at once, each into DIR/ADDRESS.\n"
				    "What neither the options nor the project's acl.json say is: --interval 0,\n"
				    "--acl_api on, --aacpu on, --switch on, --aac_metrics ArithmeticUtilization.\n"
				    "--style, --top, --sort, --frequency and --layouts are for what --all does.\n";
