/* complete.c: tells shells what can follow on a command line. See msprof.bash, msprof.zsh and msprof.fish. */
#include "complete.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "form.h"

#define DIRECTORY ":directory"
#define FILE_NAME ":file"

static void offer(const char *word, size_t len, const char *text)
{
	printf("%.*s%s%s\n", (int)len, word, *text ? "\t" : "", text);
}

static void offer_words(const char *words, const char *separators)
{
	for (words += strspn(words, separators); *words; words += strspn(words, separators)) {
		size_t len = strcspn(words, separators);

		offer(words, len, "");
		words += len;
	}
}

/* First words of the commands, each once. */
static void offer_commands(void)
{
	const char *before = "";

	for (const struct command *c = commands; c->name; c++) {
		size_t len = strcspn(c->name, " ");

		if (strncmp(before, c->name, len + 1) != 0)
			offer(c->name, len, c->name[len] ? "write files for other tools" : c->summary);
		before = c->name;
	}
}

/* The second words of commands that begin with `word`; returns how many. */
static int offer_second_words(const char *word)
{
	size_t len = strlen(word);
	int count = 0;

	for (const struct command *c = commands; c->name; c++)
		if (strncmp(c->name, word, len) == 0 && c->name[len] == ' ') {
			offer(c->name + len + 1, strlen(c->name + len + 1), c->summary);
			count++;
		}
	return count;
}

/* The names of an option are the words of its spelling that begin with '-'; what it takes comes last. */
static const char *next_name(const char *spelling, size_t *len)
{
	*len = strcspn(spelling, ", ");
	return *spelling == '-' ? spelling : NULL;
}

static const char *after_name(const char *name, size_t len)
{
	return name + len + strspn(name + len, ", ");
}

static bool is_name_of(const struct option_spec *spec, const char *word)
{
	word += strspn(word, "-");
	for (int i = 0; i < 3 && spec->names[i]; i++)
		if (strcmp(spec->names[i], word) == 0)
			return true;
	return false;
}

static void offer_options(const struct command *command)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_spec *spec = options_spec(id);
		size_t len;

		if (command->options & UINT64_C(1) << id)
			for (const char *name = spec->spelling; (name = next_name(name, &len));
			     name = after_name(name, len))
				offer(name, len, spec->help);
	}
}

/* What an option takes stands at the end of its spelling: words with '|' between, or a kind of value. */
static void offer_values(const struct command *command, int id)
{
	static const struct {
		const char *kind, *offers;
	} kinds[] = {{"DIR", DIRECTORY}, {"SERVER_PATH", DIRECTORY}, {"FILE", FILE_NAME}, {"INI", FILE_NAME},
	    {"PATH", FILE_NAME}, {"MAIN", FILE_NAME}, {"COLUMN", "time"}};
	const char *kind = strrchr(options_spec(id)->spelling, ' ') + 1;

	if (id == OPTION_FORMAT)
		offer_words(command->formats, " ");
	else if (id == OPTION_AAC_METRICS)
		offer_words("ArithmeticUtilization", "");
	else if (strchr(kind, '|'))
		offer_words(kind, "|");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			puts(kinds[i].offers);
}

static void complete_command(const struct command *command, const char *before, const char *word)
{
	for (int id = 0; id < OPTION_COUNT && before[0] == '-'; id++)
		if (command->options & UINT64_C(1) << id && options_spec(id)->has_value &&
		    is_name_of(options_spec(id), before)) {
			offer_values(command, id);
			return;
		}
	if (*word != '-' && command->options & UINT64_C(1) << OPTION_DIR)
		puts(DIRECTORY);
	else
		offer_options(command);
}

/* An option of the form for Ascend servers, as the word names it; NULL for another word. */
static const struct form_option *form_option_of(const char *word)
{
	for (const struct form_option *o = form_options; o->name; o++)
		if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, o->name) == 0)
			return o;
	return NULL;
}

static void complete_form(const char *before, const char *word)
{
	const struct form_option *option = form_option_of(before);
	char name[64];

	if (option && option->words)
		offer_words(option->words, " ");
	else if (option && option->type != FORM_TEXT)
		return;
	else if (option && strcmp(option->name, "output") == 0)
		puts(DIRECTORY);
	else if (*word != '-')
		puts(FILE_NAME);
	for (const struct form_option *o = form_options; o->name && !option && *word == '-'; o++)
		offer(name, (size_t)snprintf(name, sizeof(name), "--%s", o->name), o->help);
}

static void complete_first(const char *word)
{
	if (*word == '-') {
		offer_words("--help --version", " ");
		complete_form("", word);
	} else if (strchr(word, '/')) {
		puts(FILE_NAME);
	} else {
		offer_commands();
		offer_words("help version", " ");
	}
}

void complete(int argc, char **argv)
{
	const struct command *command;
	const char *word = argc > 2 ? argv[argc - 1] : "";
	int next, at = argc - 1; /* of the word */

	if (at <= 2) {
		complete_first(word);
	} else if (strcmp(argv[2], "help") == 0) {
		if (at == 3) {
			offer_commands();
			offer_words("options", "");
		} else if (at == 4)
			offer_second_words(argv[3]);
	} else if ((command = command_find(at, argv, 2, &next))) {
		complete_command(command, argv[at - 1], word);
	} else if (at == 3 && offer_second_words(argv[2])) {
		offer_words("--help", "");
	} else if (form_is(at - 1, argv + 1)) {
		complete_form(argv[at - 1], word);
	}
}
