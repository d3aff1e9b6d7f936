/* options.c: the one table of options; parsing with getopt, printing for --help. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "help.h"

enum { WORD = 1 }; /* what getopt gives for a word that is not an option */

static const struct option_spec specs[OPTION_COUNT] = {
    [OPTION_DIR] = {{"dir", "collection-dir"}, "-dir, --collection-dir DIR",
	"the JOB or PROF directory, or a directory that holds several", true},
    [OPTION_CHECK] = {{"check"}, "--check FILE", "the acl.json to judge", true},
    [OPTION_PROFILE] = {{"profile"}, "--profile svp|ascend",
	"the kind of file: of a board (default) or of Ascend cards", true},
    [OPTION_MAKE] = {{"make"}, "--make profiler|dump",
	"make an acl.json of Ascend in --output, for profiling or for outputs of layers", true},
    [OPTION_MODEL] = {{"model"}, "--model NAME", "a model whose layers are dumped; may be repeated", true},
    [OPTION_MAIN] = {{"m", "main"}, "-m, --main MAIN",
	"the program; with arguments in quotes: -m 'out/main --images 10'", true},
    [OPTION_CONFIG] = {{"config"}, "--config INI", "address and login of a board; may be repeated for several boards",
	true},
    [OPTION_LOCAL] = {{"local"}, "--local", "this machine is the board", false},
    [OPTION_ALL] = {{"all"}, "--all", "import, export and show each fetched JOB", false},
    [OPTION_OUTPUT] = {{"output"}, "--output DIR",
	"where JOBs go (default: the current directory); where --make puts acl.json", true},
    [OPTION_PROJECT] = {{"project"}, "--project DIR",
	"what is sent to the board (default: the parent of MAIN's directory; the current directory for a MAIN without one)",
	true},
    [OPTION_EXCLUDE] = {{"exclude"}, "--exclude PATTERN",
	"names that are not sent, 'dir/' for directories; may be repeated", true},
    [OPTION_CHECKSUM] = {{"checksum"}, "--checksum",
	"compare contents (sha256) of what is sent, not only sizes and times", false},
    [OPTION_ACL_JSON] = {{"acl-json"}, "--acl-json PATH",
	"the acl.json to use, instead of a new one (default of collect: the only acl.json of the project, else a new one)",
	true},
    [OPTION_INTERVAL] = {{"interval"}, "--interval N", "sample every Nth inference; 0 for each", true},
    [OPTION_ACL_API] = {{"acl_api"}, "--acl_api on|off", "collect ACL calls", true},
    [OPTION_AACPU] = {{"aacpu", "aicpu"}, "--aacpu, --aicpu on|off", "collect AA CPU data", true},
    [OPTION_SWITCH] = {{"switch"}, "--switch on|off", "turn profiling on or off as a whole", true},
    [OPTION_AAC_METRICS] = {{"aac_metrics", "aic_metrics"}, "--aac_metrics, --aic_metrics NAME",
	"AA Core metrics: ArithmeticUtilization", true},
    [OPTION_STREAM] = {{"stream"}, "--stream",
	"fetch finished slices while the program runs, and remove them from the board", false},
    [OPTION_TIMEOUT] = {{"timeout"}, "--timeout S", "stop the program after S seconds", true},
    [OPTION_MOUNT] = {{"mount"}, "--mount SERVER_PATH", "have the board mount this directory of this machine by NFS",
	true},
    [OPTION_CLEAN] = {{"clean"}, "--clean",
	"remove JOBs from the board that were fetched whole and are on the disk here", false},
    [OPTION_NAME] = {{"name"}, "--name LABEL", "give each fetched JOB this label, which query lists", true},
    [OPTION_ACCEPT_NEW] = {{"accept-new"}, "--accept-new", "take the host key of an unknown board without asking",
	false},
    [OPTION_DRY_RUN] = {{"dry-run"}, "--dry-run", "say what would be sent, run and fetched, and do nothing", false},
    [OPTION_RESUME] = {{"resume"}, "--resume DIR", "go on with the JOBs in DIR that were cut off", true},
    [OPTION_FORMAT] = {{"format"}, "--format FORMAT", "output format", true},
    [OPTION_STYLE] = {{"style"}, "--style guide|vendor",
	"columns and units of the guide's tables (default for SS928), or of the vendor's tool (default for Ascend, whose exports are the same in both)",
	true},
    [OPTION_TABLE] = {{"table"}, "--table NAME", "only this table, by its title; csv needs it where there are several",
	true},
    [OPTION_TOP] = {{"top"}, "--top N", "at most N rows a table; 0 for all (default: 50 on a terminal, else all)",
	true},
    [OPTION_SORT] = {{"sort"}, "--sort COLUMN",
	"sort by this column, largest numbers first; 'time' is each table's time", true},
    [OPTION_FREQUENCY] = {{"frequency"}, "--frequency MHZ", "core frequency, instead of the one in info.json", true},
    [OPTION_LAYOUTS] = {{"layouts"}, "--layouts DIR", "read corrected record layouts (*.rec) from DIR", true},
    [OPTION_MODEL_ID] = {{"model-id"}, "--model-id N", "Ascend: the model to export (default: each)", true},
    [OPTION_ITERATION_ID] = {{"iteration-id"}, "--iteration-id N", "Ascend: the iteration to export (default: 1)",
	true},
    [OPTION_ITERATION_COUNT] = {{"iteration-count"}, "--iteration-count N",
	"Ascend: number of iterations to export, 1 to 5 (default: 1)", true},
    [OPTION_REPORTS] = {{"reports"}, "--reports FILE",
	"JSON that switches layers of a timeline off: {\"json_process\":{\"freq\":false}}", true},
    [OPTION_CLEAR] = {{"clear"}, "--clear", "remove the database once the files are written; the raw data stays",
	false},
    [OPTION_STRICT] = {{"strict"}, "--strict",
	"damaged or missing input is a failure (exit 1); for import and collect an open umask as well, for collect an ini that others can read",
	false},
    [OPTION_NO_WAIT] = {{"no-wait"}, "--no-wait",
	"fail where another msprof is at work on the job (default: wait as long as it makes progress)", false},
    [OPTION_QUIET] = {{"q", "quiet"}, "-q, --quiet", "only warnings and errors", false},
    [OPTION_HELP] = {{"h", "help"}, "-h, --help", "this help", false},
};

const struct option_spec *options_spec(int id)
{
	return &specs[id];
}

static void build_table(const struct command *command, struct option table[2 * OPTION_COUNT + 1])
{
	int n = 0;

	for (int id = 0; id < OPTION_COUNT; id++)
		for (int k = 0; k < 3 && specs[id].names[k]; k++)
			if (command->options & UINT64_C(1) << id)
				table[n++] = (struct option){specs[id].names[k],
				    specs[id].has_value ? required_argument : no_argument, NULL, 256 + id};
	table[n] = (struct option){NULL, 0, NULL, 0};
}

/* A whole number of at least `least`; -1 when it is none. */
static int64_t parse_number(const char *text, int64_t least)
{
	char *end;
	long long v;

	errno = 0;
	v = strtoll(text, &end, 10);
	return *text && !*end && !errno && v >= least ? v : -1;
}

/* Whether `text` is one of the words of `list`. */
static bool is_word_of(const char *text, const char *list)
{
	size_t len = strlen(text);

	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == len && strncmp(list, text, n) == 0)
			return true;
		list += n + (list[n] == ' ');
	}
	return false;
}

/* The options that choose a model and iterations. */
static int take_choice(struct options *o)
{
	const struct {
		enum option_id id;
		int64_t least, most, otherwise;
		int64_t *value;
	} numbers[] = {{OPTION_MODEL_ID, 0, UINT32_MAX, -1, &o->model_id},
	    {OPTION_ITERATION_ID, 1, INT64_MAX - 5, 1, &o->iteration_id},
	    {OPTION_ITERATION_COUNT, 1, 5, 1, &o->iteration_count}};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *text = o->values[numbers[i].id];

		*numbers[i].value = text ? parse_number(text, numbers[i].least) : numbers[i].otherwise;
		if (!text || (*numbers[i].value >= 0 && *numbers[i].value <= numbers[i].most))
			continue;
		message_error("--%s takes a whole number, %lld %s, not '%s'", specs[numbers[i].id].names[0],
		    (long long)numbers[i].least, numbers[i].most == 5 ? "to 5" : "or more", text);
		return -1;
	}
	return 0;
}

static int check_values(struct options *o, const struct command *command)
{
	const char *format = o->values[OPTION_FORMAT], *style = o->values[OPTION_STYLE];

	if (format && !is_word_of(format, command->formats)) {
		message_error("%s cannot write %s; formats: %s", command->name, format, command->formats);
		return EXIT_USAGE;
	}
	if (style && !is_word_of(style, "guide vendor")) {
		message_error("unknown style '%s'; styles: guide vendor", style);
		return EXIT_USAGE;
	}
	if (o->values[OPTION_PROFILE] && !is_word_of(o->values[OPTION_PROFILE], "svp ascend")) {
		message_error("unknown profile '%s'; profiles: svp ascend", o->values[OPTION_PROFILE]);
		return EXIT_USAGE;
	}
	if (o->values[OPTION_TOP] && (o->top = parse_number(o->values[OPTION_TOP], 0)) < 0) {
		message_error("--top takes a whole number, not '%s'", o->values[OPTION_TOP]);
		return EXIT_USAGE;
	}
	if (take_choice(o))
		return EXIT_USAGE;
	if (o->values[OPTION_FREQUENCY]) {
		o->frequency_mhz = parse_number(o->values[OPTION_FREQUENCY], 1);
		if (o->frequency_mhz < 0 || o->frequency_mhz > 1000000) {
			message_error("--frequency takes a whole number of MHz, 1 to 1000000, not '%s'",
			    o->values[OPTION_FREQUENCY]);
			return EXIT_USAGE;
		}
	}
	for (const char *c = o->values[OPTION_DIR]; c && *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f) {
			message_error("control characters in -dir '%s'", o->values[OPTION_DIR]);
			return EXIT_USAGE;
		}
	return 0;
}

/* An option that may be repeated; NULL for all others. */
static struct option_list *list_of(struct options *o, int id)
{
	switch (id) {
	case OPTION_CONFIG:
		return &o->configs;
	case OPTION_EXCLUDE:
		return &o->excludes;
	case OPTION_MAKE:
		return &o->makes;
	case OPTION_MODEL:
		return &o->models;
	default:
		return NULL;
	}
}

int options_usage(const struct command *command)
{
	fprintf(stderr, "Try 'msprof %s --help'.\n", command->name);
	return EXIT_USAGE;
}

/* Names that begin with `len` bytes of `name`, or the one that is the same, as "'--a', '--b'"; returns how many. */
static int find_names(const struct command *command, const char *name, size_t len, char *text, size_t size)
{
	int count = 0;
	size_t used = 0;

	for (int id = 0; id < OPTION_COUNT; id++)
		for (int k = 0; k < 3 && specs[id].names[k] && command->options & UINT64_C(1) << id; k++) {
			if (strncmp(specs[id].names[k], name, len) != 0)
				continue;
			if (strlen(specs[id].names[k]) == len)
				return snprintf(text, size, "'--%s'", specs[id].names[k]) > 0;
			if (used < size)
				used += (size_t)snprintf(
				    text + used, size - used, "%s'--%s'", count ? ", " : "", specs[id].names[k]);
			count++;
		}
	return count;
}

/* The commands that take the option, as "a, b and c"; returns how many. */
static int find_takers(const char *name, size_t len, char *text, size_t size)
{
	const char *last = NULL;
	char names[512];
	int count = 0;
	size_t used = 0;

	text[0] = '\0';
	for (const struct command *c = commands; c->name; c++) {
		if (len < 2 || find_names(c, name, len, names, sizeof(names)) != 1)
			continue;
		if (last && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", count > 1 ? ", " : "", last);
		last = c->name;
		count++;
	}
	if (last && used < size)
		snprintf(text + used, size - used, "%s%s", count > 1 ? " and " : "", last);
	return count;
}

/* Say why getopt did not take the word. */
static void refuse(const struct command *command, const char *word, bool needs_value)
{
	const char *name = word + strspn(word, "-");
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
	count = find_takers(name, len, takers, sizeof(takers));
	if (count)
		message_error("%s does not accept %.*s; only %s %s", command->name, (int)(name + len - word), word,
		    takers, count > 1 ? "do" : "does");
	else
		message_error("unknown option '%s'", word);
}

static int refuse_directories(const struct options *o, const char *second)
{
	message_error("two directories are given: '%s' and '%s'; one directory may hold several jobs",
	    o->values[OPTION_DIR], second);
	return -1;
}

/* What getopt found, into the options. */
static int take_option(struct options *o, int id)
{
	struct option_list *list = list_of(o, id);

	if (list && list->count == OPTION_LIST_MAX) {
		message_error("option '--%s' is given more than %d times", specs[id].names[0], OPTION_LIST_MAX);
		return -1;
	}
	if (id == OPTION_DIR && o->values[id])
		return refuse_directories(o, optarg);
	if (!list && optarg && o->values[id]) {
		message_error("option '--%s' is given twice", specs[id].names[0]);
		return -1;
	}
	if (list)
		list->items[list->count++] = optarg;
	o->values[id] = optarg ? optarg : "";
	return 0;
}

/* Words behind the program of -m belong to it: say how they are written. argv[at] is the first of them. */
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

/* A word that is neither an option nor the value of one: the directory, where the command takes one. */
static int take_word(struct options *o, const struct command *command, int argc, char **argv, int at)
{
	const char *before =
	    command->options & UINT64_C(1) << OPTION_CHECK ? "--check before the file" : "-m before the program";

	if (command->options & UINT64_C(1) << OPTION_DIR && !o->values[OPTION_DIR]) {
		o->values[OPTION_DIR] = argv[at];
		return 0;
	}
	if (o->values[OPTION_DIR])
		return refuse_directories(o, argv[at]);
	if (o->values[OPTION_MAIN] || o->values[OPTION_CHECK] || o->values[OPTION_MAKE] || o->values[OPTION_RESUME]) {
		if (!refuse_words(o, argc, argv, at))
			message_error("unexpected argument '%s'", argv[at]);
	} else
		message_error("unexpected argument '%s': write %s", argv[at], before);
	return -1;
}

int options_parse(struct options *o, const struct command *command, int argc, char **argv, int first)
{
	struct option table[2 * OPTION_COUNT + 1];
	int id;

	memset(o, 0, sizeof(*o));
	o->top = -1;
	build_table(command, table);
	optind = first;
	opterr = 0;
	while ((id = getopt_long_only(argc, argv, "-:", table, NULL)) != -1) {
		int at = optind > first ? optind - 1 : first;

		if (id >= 256 ? take_option(o, id - 256) : id == WORD ? take_word(o, command, argc, argv, at) : -1) {
			if (id == ':' || (id == '?' && !refuse_words(o, argc, argv, at)))
				refuse(command, argv[at], id == ':');
			return options_usage(command);
		}
	}
	for (; optind < argc; optind++) /* behind "--" */
		if (take_word(o, command, argc, argv, optind))
			return options_usage(command);
	if (o->values[OPTION_HELP])
		return 0;
	if (command->options & UINT64_C(1) << OPTION_DIR && (!o->values[OPTION_DIR] || !*o->values[OPTION_DIR])) {
		message_error("the directory of the job is missing: 'msprof %s -dir JOB'", command->name);
		return options_usage(command);
	}
	return check_values(o, command) ? options_usage(command) : 0;
}

void options_print(const struct command *command)
{
	char text[512];

	for (int id = 0; id < OPTION_COUNT; id++) {
		if (!(command->options & UINT64_C(1) << id))
			continue;
		snprintf(text, sizeof(text), "%s%s%s", specs[id].help, id == OPTION_FORMAT ? ": " : "",
		    id == OPTION_FORMAT ? command->formats : "");
		help_entry(specs[id].spelling, 31, text);
	}
}
