/* commands.c: finds commands in the one list, suggests the nearest for an unknown word, and prints their help. */
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/schema.h"
#include "form.h"

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

#define HOW_TO_RECORD (FORM_EXISTS ? "; 'msprof -- PROGRAM' records a program" : "")

/* Print that this build leaves out what the word begins, if it does. */
static bool refuse_left_out(const char *word, bool is_directory)
{
	if (*word && option_has_word(COMMANDS_LEFT_OUT, ' ', word, strlen(word)))
		message_error("'%s' is not in this build: copy the JOB to a machine with a whole msprof", word);
	else if (!FORM_EXISTS && !is_directory && (strcmp(word, "--") == 0 || strchr(word, '/') || strchr(word, '=')))
		message_error("'%s' begins no command, and to record a program is not in this build", word);
	else
		return false;
	return true;
}

int commands_refuse(const char *word)
{
	struct suggestion s = {.word = word};
	const char *likely = s.best;
	struct stat st;
	const bool is_directory = stat(word, &st) == 0 && S_ISDIR(st.st_mode);

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
	if (option_refuse_dash(word))
		return EXIT_USAGE;
	if (refuse_left_out(word, is_directory))
		return EXIT_USAGE;
	if (*word == '-')
		message_error("unknown option '%s'; options of a command follow it: 'msprof show JOB --top 5'", word);
	else if (strcmp(word, "op") == 0)
		message_error(
		    "'msprof op' profiles single operators, on a card or a simulator: that needs the vendor's tool");
	else if (is_directory)
		message_error("unknown command '%s'; did you mean 'msprof show -dir %s'?", word, word);
	else if (likely[0])
		message_error("unknown command '%s'; did you mean '%s'? 'msprof help' lists all commands%s", word,
		    likely, HOW_TO_RECORD);
	else
		message_error("unknown command '%s'; 'msprof help' lists all commands%s", word, HOW_TO_RECORD);
	return EXIT_USAGE;
}

int commands_refuse_group(const char *word, const char *second)
{
	char words[256];

	commands_group_words(word, words, sizeof(words));
	if (!second || second[0] == '-')
		message_error("'msprof %s' needs %s as its next word", word, words);
	else
		message_error("'msprof %s' takes %s, not '%s'", word, words, second);
	return EXIT_USAGE;
}

/* ---- help ---- */

enum { OPTIONS_INDENT = 31 };

/* A build for boards (WITH_SSH=0) names only the commands that it has. */
#ifdef MSPROF_WITHOUT_SSH
#define FURTHER_STATUSES ""
#define FIRST_STEPS                                                                                                    \
	"  msprof collect --local -m ./main --all --output DIR\n"                                                      \
	"  msprof show JOBXXXX --sort time --top 10\n"
#else
#define FURTHER_STATUSES ", 6 advise --fail-on or diff --fail-if found something,\n7 diff cannot decide"
#define FIRST_STEPS                                                                                                    \
	"  msprof advise JOBXXXX\n"                                                                                    \
	"  msprof show JOBXXXX --sort time --top 10\n"                                                                 \
	"  msprof report JOBXXXX -o report.html\n"                                                                     \
	"From the program to its tables:\n"                                                                            \
	"  msprof collect -m out/main --config ~/board.ini --all\n"                                                    \
	"The manual: man msprof; in Chinese: man -L zh_CN msprof\n"
#endif

bool help_is(const char *word)
{
	return strcmp(word, "-h") == 0 || strcmp(word, "-help") == 0 || strcmp(word, "--help") == 0;
}

static void help_overview(FILE *out)
{
	fputs("Usage: msprof COMMAND [-dir] JOB [OPTION]...\n"
	      "Parse and show profiling data of SS928-family boards and Ascend cards.\n\nCommands:\n",
	    out);
	for (const struct command *const *c = commands; *c; c++)
		fprintf(out, "  %-16s %s\n", (*c)->name, (*c)->summary);
	fputs("  help [COMMAND]   explain a command\n", out);
	if (FORM_EXISTS)
		fputs("  help options     explain 'msprof --OPTION=VALUE... PROGRAM [ARGUMENT]...',\n"
		      "                   which runs and records a program, as on Ascend servers\n\n"
		      "As on Ascend servers: msprof --export=on --output=DIR [--type=text|db];\n"
		      "--type is text(which will also export the database), or db alone.\n",
		    out);
	fputs("\nOptions: -h, --help; -V, --version\n"
	      "Exit status: 0 ok, 1 failed, 2 usage, 3 finished, but input is damaged, missing,\n"
	      "in doubt or contradicts itself, 4 no connection to the board, 5 the program on\n"
	      "the board failed" FURTHER_STATUSES ".\n\n"
	      "First steps:\n" FIRST_STEPS,
	    out);
}

void help_here(FILE *out)
{
	char word[DIR_WORD_MAX];
	size_t count = here_jobs(word);

	if (!count) {
		help_overview(out);
		return;
	}
	if (count > 1)
		fprintf(
		    out, "This directory has %zu jobs. Write 'msprof COMMAND .', or the name of one job, to\n", count);
	else if (strcmp(word, ".") == 0)
		fputs("This directory is a job. Write 'msprof COMMAND .' to\n", out);
	else
		fprintf(out, "This directory has the job %s. Write 'msprof COMMAND %s' to\n", word, word);
	for (const struct command *const *c = commands; *c; c++)
		if ((*c)->needs == NEEDS_JOB)
			fprintf(out, "  %-16s %s\n", (*c)->name, (*c)->summary);
	fputs("'msprof --help' explains all commands, 'msprof help COMMAND' one.\n", out);
}

static void print_options(const struct command *command)
{
	char name[128], text[512];

	for (int id = 0; id < OPTION_COUNT; id++)
		if (command_takes(command, id)) {
			option_spell(option_row(id), name, sizeof(name));
			option_describe(option_row(id), options_words(command, id), command->name, text, sizeof(text));
			option_print(name, OPTIONS_INDENT, text);
		}
}

void help_command(const struct command *command)
{
	char path[64];

	for (size_t i = 0; command->usages[i]; i++)
		printf("%s msprof %s %s\n", i ? "      " : "Usage:", command->name, command->usages[i]);
	snprintf(path, sizeof(path), "help/%s.txt", command->name);
	for (char *blank = path; (blank = strchr(blank, ' ')) != NULL;)
		*blank = '-';
	printf("\n%s\nOptions:\n", mp_schema_text(path));
	print_options(command);
}

static void print_group(const char *word)
{
	size_t len = strlen(word);

	for (const struct command *const *c = commands; *c; c++)
		if (strncmp((*c)->name, word, len) == 0 && (*c)->name[len] == ' ') {
			help_command(*c);
			putchar('\n');
		}
}

int help_run(int argc, char **argv, int first)
{
	const struct command *command;
	int next;

	if (first >= argc || help_is(argv[first]) || strcmp(argv[first], "help") == 0) {
		help_overview(stdout);
	} else if (FORM_EXISTS && strcmp(argv[first], "options") == 0) {
		form_help();
	} else if ((command = commands_find(argc, argv, first, &next)) != NULL) {
		help_command(command);
	} else if (commands_is_group(argv[first])) {
		print_group(argv[first]);
	} else {
		return commands_refuse(argv[first]);
	}
	return EXIT_OK;
}
