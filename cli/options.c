/* options.c: parses the options of a command with getopt, and prints what is wrong with them. */
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"

enum { WORD = 1 }; /* getopt returns this for a word that is not an option */

static void build_table(const struct command *command, struct option table[2 * OPTION_COUNT + 1])
{
	int n = 0;

	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_row *row = option_row(id);

		for (size_t k = 0; row->names[k] && command_takes(command, id); k++)
			table[n++] = (struct option){option_bare(row->names[k]),
			    row->type == VALUE_NONE ? no_argument : required_argument, NULL, 256 + id};
	}
	table[n] = (struct option){NULL, 0, NULL, 0};
}

const char *options_words(const struct command *command, int id)
{
	return id == OPTION_FORMAT ? command->formats : option_row(id)->words;
}

int64_t options_number(const struct options *o, int id)
{
	const char *text = o->values[id] ? o->values[id] : option_row(id)->standard;
	int64_t number;

	return text && option_read_number(text, strlen(text), &number) ? number : -1;
}

const struct option_list *options_list(const struct options *o, int id)
{
	size_t offset = option_row(id)->list;

	return offset ? (const struct option_list *)(const void *)((const char *)o + offset) : NULL;
}

static int check_value(const struct command *command, int id, const char *value)
{
	const char *words = options_words(command, id);

	if (option_accepts(option_row(id), words, value))
		return 0;
	option_refuse(option_row(id), words, value);
	return -1;
}

static int check_values(struct options *o, const struct command *command)
{
	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_list *list = options_list(o, id);

		/* options of different commands may share a list */
		for (size_t i = 0; list && command_takes(command, id) && i < list->count; i++)
			if (check_value(command, id, list->items[i]))
				return -1;
		if (!list && o->values[id] && check_value(command, id, o->values[id]))
			return -1;
	}
	return 0;
}

/* A file that a command writes has a name in any case. */
static void name_files(struct options *o, const struct command *command)
{
	for (int id = 0; id < OPTION_COUNT; id++)
		if (command_takes(command, id) && option_row(id)->use == PATH_WRITE_FILE && !o->values[id])
			o->values[id] = option_row(id)->standard;
}

/* Find the names that begin with `len` bytes of `name`, or equal them, as "'--a', '--b'"; returns their number. */
static int find_names(const struct command *command, const char *name, size_t len, char *text, size_t size)
{
	int count = 0;
	size_t used = 0;

	for (int id = 0; id < OPTION_COUNT; id++)
		for (size_t k = 0; option_row(id)->names[k] && command_takes(command, id); k++) {
			const char *candidate = option_bare(option_row(id)->names[k]);

			if (strncmp(candidate, name, len) != 0)
				continue;
			if (strlen(candidate) == len)
				return snprintf(text, size, "'--%s'", candidate) > 0;
			if (used < size)
				used += (size_t)snprintf(
				    text + used, size - used, "%s'--%s'", count ? ", " : "", candidate);
			count++;
		}
	return count;
}

/* Find the commands that take the option, as "a, b and c"; returns their number. */
static int find_takers(const struct command *const *all, const char *name, size_t len, char *text, size_t size)
{
	const char *last = NULL;
	char names[512];
	int count = 0;
	size_t used = 0;

	text[0] = '\0';
	for (const struct command *const *c = all; *c; c++) {
		if (len < 2 || find_names(*c, name, len, names, sizeof(names)) != 1)
			continue;
		if (last && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", count > 1 ? ", " : "", last);
		last = (*c)->name;
		count++;
	}
	if (last && used < size)
		snprintf(text + used, size - used, "%s%s", count > 1 ? " and " : "", last);
	return count;
}

/* Print that no command has the option, and the nearest one that this command takes. */
static void refuse_unknown(const struct command *command, const char *word, const char *name, size_t len)
{
	char bare[SUGGESTION_MAX];
	struct suggestion near = {.word = bare};

	snprintf(bare, sizeof(bare), "%.*s", (int)len, name);
	for (int id = 0; id < OPTION_COUNT; id++)
		for (size_t k = 0; option_row(id)->names[k] && command_takes(command, id); k++)
			suggest_offer(&near, option_bare(option_row(id)->names[k]));
	if (near.best[0])
		message_error("unknown option '%s'; did you mean '--%s'?", word, near.best);
	else
		message_error("unknown option '%s'", word);
}

/* Print why getopt refused the word. */
static void refuse(const struct command *const *all, const struct command *command, const char *word, bool needs_value)
{
	const char *name = option_bare(word);
	size_t len = strcspn(name, "=");
	char names[512], takers[512];
	int count = find_names(command, name, len, names, sizeof(names));

	if (needs_value)
		message_error("option '%s' needs a value", word);
	else if (count > 1)
		message_error("ambiguous option '%s': %s", word, names);
	else if (count == 1)
		message_error("option %s takes no value: '%s'", names, word);
	if (needs_value || count)
		return;
	count = find_takers(all, name, len, takers, sizeof(takers));
	if (count)
		message_error("%s does not accept %.*s; only %s %s", command->name, (int)(name + len - word), word,
		    takers, count > 1 ? "do" : "does");
	else
		refuse_unknown(command, word, name, len);
}

static int refuse_directories(const struct options *o, const char *second)
{
	message_error("two directories are given: '%s' and '%s'; one directory may hold several jobs",
	    o->values[OPTION_DIR], second);
	return -1;
}

/* Put the option that getopt found into the options. */
static int take_option(struct options *o, int id)
{
	struct option_list *list = (struct option_list *)options_list(o, id);

	if (list && list->count == OPTION_LIST_MAX)
		return message_error("option '--%s' is given more than %d times", option_bare(option_row(id)->names[0]),
		    OPTION_LIST_MAX);
	if (id == OPTION_DIR && o->values[id])
		return refuse_directories(o, optarg);
	if (!list && optarg && o->values[id])
		return message_error("option '--%s' is given twice", option_bare(option_row(id)->names[0]));
	if (list)
		list->items[list->count++] = optarg;
	o->values[id] = optarg ? optarg : "";
	return 0;
}

/* Words after the program of -m are its arguments: print how to quote them. argv[at] is the first of these words. */
static bool refuse_words(const struct options *o, int argc, char **argv, int at)
{
	char words[1024];
	size_t used;

	if (!o->values[OPTION_MAIN] || argv[at - 1] != o->values[OPTION_MAIN])
		return false;
	used = (size_t)snprintf(words, sizeof(words), "%s %s", argv[at - 1], argv[at]);
	while (++at < argc && argv[at][0] != '-' && used < sizeof(words))
		used += (size_t)snprintf(words + used, sizeof(words) - used, " %s", argv[at]);
	message_error("quote program and arguments: -m '%s'", words);
	return true;
}

/* Take a word that is neither an option nor a value: the directory, where the command needs a job. */
static int take_word(struct options *o, const struct command *command, int argc, char **argv, int at)
{
	if (command->needs == NEEDS_SIDES && o->sides.count < 2) {
		o->sides.items[o->sides.count++] = argv[at];
		return 0;
	}
	if (command->needs == NEEDS_SIDES) {
		message_error(
		    "unexpected argument '%s': BASE and NEW are two; a directory may hold several jobs", argv[at]);
		return -1;
	}
	if (command->needs == NEEDS_JOB && !o->values[OPTION_DIR]) {
		o->values[OPTION_DIR] = argv[at];
		return 0;
	}
	if (o->values[OPTION_DIR])
		return refuse_directories(o, argv[at]);
	if (o->values[OPTION_MAIN] || o->values[OPTION_CHECK] || o->values[OPTION_MAKE] || o->values[OPTION_RESUME]) {
		if (!refuse_words(o, argc, argv, at))
			message_error("unexpected argument '%s'", argv[at]);
	} else
		message_error("unexpected argument '%s': write %s", argv[at], command->operand);
	return -1;
}

/* Read the options of argv[first..] into `o` without validation; 0, or another number with the error printed. */
static int read_options(struct options *o, const struct command *const *all, const struct command *command, int argc,
    char **argv, int first)
{
	struct option table[2 * OPTION_COUNT + 1];
	int id;

	build_table(command, table);
	optind = first;
	opterr = 0;
	while ((id = getopt_long_only(argc, argv, "-:", table, NULL)) != -1) {
		int at = optind > first ? optind - 1 : first;

		if ((id == WORD || id == '?') && option_refuse_dash(argv[at]))
			return -1;
		if (id >= 256 ? take_option(o, id - 256) : id == WORD ? take_word(o, command, argc, argv, at) : -1) {
			if (id == ':' || (id == '?' && !refuse_words(o, argc, argv, at)))
				refuse(all, command, argv[at], id == ':');
			return -1;
		}
	}
	for (; optind < argc; optind++) /* after "--" */
		if (take_word(o, command, argc, argv, optind))
			return -1;
	return 0;
}

/* What the usage calls it is a kind of job, or a directory of jobs, as the current one is where there are some. */
static int refuse_no_directory(const struct command *command)
{
	static const char before[] = "[-dir] ";
	char word[DIR_WORD_MAX], name[16] = "";
	bool here = here_jobs(word) > 0, many;

	for (size_t i = 0; !*name && command->usages[i]; i++) {
		const char *at = strstr(command->usages[i], before);

		if (at)
			snprintf(
			    name, sizeof(name), "%.*s", (int)strcspn(at + strlen(before), " "), at + strlen(before));
	}
	many = strcmp(name, "TOP") == 0 || strcmp(name, "DIR") == 0;
	if (!here || (!many && strcmp(name, "JOB") != 0 && strncmp(word, name, strlen(name)) != 0))
		snprintf(word, sizeof(word), "%s", name);
	else if (many)
		snprintf(word, sizeof(word), ".");
	return message_usage(command, "the directory of the job%s is missing: 'msprof %s -dir %s'", many ? "s" : "",
	    command->name, word);
}

int options_parse(struct options *o, const struct command *const *all, const struct command *command, int argc,
    char **argv, int first)
{
	memset(o, 0, sizeof(*o));
	if (read_options(o, all, command, argc, argv, first))
		return options_usage(command);
	if (o->values[OPTION_HELP])
		return 0;
	if (command->needs == NEEDS_JOB && !o->values[OPTION_LIST] && !o->values[OPTION_INIT] &&
	    !o->values[OPTION_ASK] && !o->values[OPTION_FORGET] && !o->values[OPTION_KEEP] &&
	    (!o->values[OPTION_DIR] || !*o->values[OPTION_DIR]))
		return refuse_no_directory(command);
	if (check_values(o, command))
		return options_usage(command);
	name_files(o, command);
	return 0;
}
