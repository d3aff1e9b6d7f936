/* main.c: dispatches the command line to a command, to help or to the options of Ascend servers. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/schema.h"
#include "commands.h"
#include "form.h"
#include "form_run.h"
#include "process.h"
#define COMMAND_ENTRY(name) &command_##name,
const struct command *const commands[] = {COMMANDS(COMMAND_ENTRY) NULL};

/* The second word of a command's name if `word` is the first of two, else NULL. */
static const char *second_word(const struct command *c, const char *word)
{
	size_t len = strlen(word);

	return strncmp(c->name, word, len) == 0 && c->name[len] == ' ' ? c->name + len + 1 : NULL;
}

const struct command *commands_find(int argc, char **argv, int first, int *next)
{
	if (first >= argc)
		return NULL;
	for (const struct command *const *c = commands; *c; c++) {
		const char *second = second_word(*c, argv[first]);

		if (strcmp((*c)->name, argv[first]) == 0) {
			*next = first + 1;
			return *c;
		}
		if (second && first + 1 < argc && strcmp(argv[first + 1], second) == 0) {
			*next = first + 2;
			return *c;
		}
	}
	return NULL;
}

bool commands_is_group(const char *word)
{
	for (const struct command *const *c = commands; *c; c++)
		if (second_word(*c, word))
			return true;
	return false;
}

void commands_group_words(const char *word, char *text, size_t size)
{
	const char *last = NULL;
	size_t used = 0;

	text[0] = '\0';
	for (const struct command *const *c = commands; *c; c++) {
		const char *second = second_word(*c, word);

		if (!second)
			continue;
		if (last && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s'%s'", used ? ", " : "", last);
		last = second;
	}
	if (last && used < size)
		snprintf(text + used, size - used, "%s'%s'", used ? " or " : "", last);
}

int commands_refuse(const char *word)
{
	struct suggestion s = {.word = word};
	const char *likely = s.best;
	struct stat st;

	for (const struct command *const *c = commands; *c; c++) {
		const char *second = strchr((*c)->name, ' ');
		char name[SUGGESTION_MAX];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn((*c)->name, " "), (*c)->name);
		suggest_offer(&s, name);
		if (second && strcmp(second + 1, word) == 0)
			likely = (*c)->name;
	}
	suggest_offer(&s, "help");
	suggest_offer(&s, "version");
	if (*word == '-')
		message_error("unknown option '%s'; options of a command follow it: 'msprof show JOB --top 5'", word);
	else if (stat(word, &st) == 0 && S_ISDIR(st.st_mode))
		message_error("unknown command '%s'; did you mean 'msprof show -dir %s'?", word, word);
	else if (likely[0])
		message_error("unknown command '%s'; did you mean '%s'? 'msprof help' lists all commands; "
			      "'msprof -- PROGRAM' records a program",
		    word, likely);
	else
		message_error(
		    "unknown command '%s'; 'msprof help' lists all commands; 'msprof -- PROGRAM' records a program",
		    word);
	return EXIT_USAGE;
}

/* Print the error for a group without its second word, or with another one (`second`); EXIT_USAGE. */
static int commands_refuse_group(const char *word, const char *second)
{
	char words[256];

	commands_group_words(word, words, sizeof(words));
	if (!second || second[0] == '-')
		message_error("'msprof %s' needs %s as its next word", word, words);
	else
		message_error("'msprof %s' takes %s, not '%s'", word, words, second);
	return EXIT_USAGE;
}

static bool is_version(const char *word)
{
	return strcmp(word, "-V") == 0 || strcmp(word, "-version") == 0 || strcmp(word, "--version") == 0 ||
	       strcmp(word, "version") == 0;
}

static int run_command(const struct command *command, int argc, char **argv, int first)
{
	static struct options options; /* large, and there is one: the stack is small */
	struct mp_error err;

	if (options_parse(&options, command, argc, argv, first))
		return EXIT_USAGE;
	if (options_has(&options, OPTION_HELP)) {
		help_command(command);
		return EXIT_OK;
	}
	if (defaults_apply(&options, command))
		return EXIT_USAGE;
	pager_start(command, &options);
	if (command->confined && confine(&options, &err)) {
		message_failure(&err);
		return pager_finish(EXIT_FAILED);
	}
	return pager_finish(command->run(command, &options));
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
	if (is_version(argv[1])) {
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
		return form_run(argc, argv);
	return commands_refuse(argv[1]);
}

int main(int argc, char **argv)
{
	struct mp_error err;
	int status;

	if (mp_schema_unpack(&err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	/* with the signal ignored, a write beyond a file size limit fails with an error that is reported */
	signal(SIGXFSZ, SIG_IGN);
	/* widths of characters do not depend on the user's locale; numbers are formatted without any */
	setlocale(LC_CTYPE, "C.UTF-8");
	status = run(argc, argv);
	if (fflush(stdout) || ferror(stdout)) {
		message_error("cannot write standard output");
		return EXIT_FAILED;
	}
	return status;
}
