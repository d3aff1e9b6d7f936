/* commands.c: finds commands in the one list, and suggests the nearest for an unknown word. */
#include "commands.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
