/* main.c: dispatches the command line to a command, to help or to the options of Ascend servers. */
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "commands.h"
#include "form.h"
#include "process.h"
#include "terminal.h"

/* 0, or EXIT_FAILED with the error printed. */
static int enter_sandbox(const struct command *command, const struct options *options)
{
	struct mp_error err;

	if (!command->confined || confine(options, &err) == 0)
		return 0;
	return message_failure(&err);
}

static int run_command(const struct command *command, int argc, char **argv, int first)
{
	static struct options options; /* large, and there is one: the stack is small */

	if (options_parse(&options, commands, command, argc, argv, first))
		return EXIT_USAGE;
	if (options_has(&options, OPTION_HELP)) {
		help_command(command);
		return EXIT_OK;
	}
	if (defaults_apply(&options, command))
		return EXIT_USAGE;
	if (FORM_EXISTS && command->options[OPTION_COMPAT_DB] && launch_is_cann())
		options.values[OPTION_COMPAT_DB] = "tree"; /* other tools look for them there */
	pager_start(command, &options);
	return pager_finish(enter_sandbox(command, &options) ? EXIT_FAILED : command->run(command, &options));
}

static int run(int argc, char **argv)
{
	const struct command *command;
	int next;

	if (argc < 2) {
		help_here(stderr);
		return EXIT_USAGE;
	}
	if (help_is(argv[1]) || strcmp(argv[1], "help") == 0)
		return help_run(argc, argv, 2);
	if (option_has_word("-V -version --version version", ' ', argv[1], strlen(argv[1]))) {
		puts("msprof " MSPROF_VERSION);
		return EXIT_OK;
	}
	if (strcmp(argv[1], "__complete") == 0) {
		complete(argc, argv);
		return EXIT_OK;
	}
	if ((command = commands_find(argc, argv, 1, &next)) != NULL)
		return run_command(command, argc, argv, next);
	if (commands_is_group(argv[1]))
		return argc > 2 && help_is(argv[2]) ? help_run(2, argv, 1)
						    : commands_refuse_group(argv[1], argc > 2 ? argv[2] : NULL);
	if (FORM_EXISTS && form_is(argc, argv))
		return form_run(argc, argv, launch_is_cann());
	return commands_refuse(argv[1]);
}

static int unpack_schema(void)
{
	struct mp_error err;

	if (mp_schema_unpack(&err) == 0)
		return 0;
	return message_failure(&err);
}

int main(int argc, char **argv)
{
	int status;

	if (unpack_schema())
		return EXIT_FAILED;
	/* with the signal ignored, a write beyond a file size limit fails with an error that is reported */
	signal(SIGXFSZ, SIG_IGN);
	/* names in archives do not depend on the user's locale; numbers are formatted without any */
	setlocale(LC_CTYPE, "C.UTF-8");
	if (term_other_locale())
		charset_begin(term_other_locale());
	status = run(argc, argv);
	if (FORM_EXISTS && status == EXIT_DAMAGED && launch_is_cann())
		status = EXIT_OK; /* the warnings remain */
	errno = 0;
	if (fflush(stdout) || ferror(stdout))
		return message_error(
		    "cannot write standard output%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
	return status;
}
