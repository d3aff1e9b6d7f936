/*
 * command.h: a command of msprof, the options that it got, and what all commands share.
 *
 * Each cmd_*.c defines its struct command beside the function that it runs. The list of commands is at the end of this
 * file: main, help and completion read it. Only cli/ prints and decides exit statuses.
 */
#ifndef MSPROF_COMMAND_H
#define MSPROF_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Scripts rely on these: see "EXIT STATUS" in msprof.1. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_DAMAGED = 3,
	EXIT_CONNECTION = 4,
	EXIT_PROGRAM = 5,
	EXIT_FOUND = 6,
	EXIT_UNDECIDED = 7
};

/*
 * An option is one row of a table: its names, the type and range of its value, its default and its help.
 *
 * Parsing, --help and completion read the same row: option_table.c has those of the commands, form.c those of Ascend
 * servers. The rows are constant; nothing here allocates.
 */

enum value_type {
	VALUE_NONE,      /* a flag */
	VALUE_TEXT,      /* `least` to `most` bytes without control characters; most 0: any text */
	VALUE_FILE,      /* such a text that names a file */
	VALUE_DIRECTORY, /* such a text that names a directory */
	VALUE_NUMBER,    /* a whole number from `least` to `most` */
	VALUE_SIZE,      /* such a number followed by its unit: "200MB" */
	VALUE_TIME,      /* a number and its unit: "1.5ms", "250us" */
	VALUE_WORD,      /* one of `words` */
	VALUE_WORDS      /* some of `words`, separated by commas */
};

/* What a process that reads a job does with the path of an option, so that its sandbox allows that and no more. */
enum path_use {
	PATH_READ,        /* it reads the file, or what is below the directory */
	PATH_DATA,        /* it reads a database or a baseline, or reads and writes below the directory of jobs */
	PATH_WRITE_FILE,  /* it makes the file anew, beside others in its directory */
	PATH_WRITE_BELOW, /* it writes below the directory, and makes it */
	PATH_BEFORE       /* nothing: it was used before, by what reads no job */
};

/* `most` where a number or a text has no maximum. INT64_MAX less 5, so that callers may add 1. */
#define VALUE_UNLIMITED (INT64_MAX - 5)

struct option_row {
	const char *names[3]; /* with their dashes: "-q", "--quiet"; ends with NULL */
	enum value_type type;
	enum path_use use; /* of a file or directory */
	const char *value; /* name of the value in help: "DIR"; NULL: the words themselves, or no value */
	int64_t least, most;
	const char *words;    /* separated by blanks; of a text: suggestions; of a file: endings of such files */
	const char *unit;     /* "s"; NULL: none */
	const char *standard; /* the default, as a value or in words; NULL: none */
	/* Both may have parts for some commands: "{collect,export timeline: TEXT}", or for all others: "{!mcp: TEXT}".
	 * A first word stands for all commands that begin with it. */
	const char *help;
	size_t list; /* an option that may be repeated: offset of its struct option_list in struct options; else 0 */
};

/* The name without its dashes, as getopt and error messages have it. */
const char *option_bare(const char *name);

/* Whether the value has the type and range of the row; `words` are those of the row unless the command has others. */
bool option_accepts(const struct option_row *row, const char *words, const char *value);

/* Print the error for a value that option_accepts refused: "invalid style 'x' (guide or vendor)". */
void option_refuse(const struct option_row *row, const char *words, const char *value);

/*
 * Whether a word begins with a dash that is not '-', as Chinese input methods and word processors write it, and names
 * no file; then print the error: "'－dir' begins with a full-width dash: write -dir".
 */
bool option_refuse_dash(const char *word);

/* Read a whole number of `len` digits. False: other characters, or too large. */
bool option_read_number(const char *text, size_t len, int64_t *number);

/* Read a time with its unit, ns, us, ms or s, as ns. False: another text, finer than 1 ns, or too long. */
bool option_read_time(const char *text, int64_t *ns);

/* Whether `word` (`len` bytes) is one of the words of `list`. */
bool option_has_word(const char *list, char separator, const char *word, size_t len);

/* The names and the value as help shows them: "-m, --main MAIN", "--style guide|vendor". */
void option_spell(const struct option_row *row, char *text, size_t size);

/* The help of a command's option, with range, unit and default: "samples a second: 1 to 50 Hz (default: 10)". */
void option_describe(const struct option_row *row, const char *words, const char *command, char *text, size_t size);

/* The help or the default of a row (NULL becomes "") as it stands for a command. Returns text. */
const char *option_text_for(const char *of_row, const char *command, char *text, size_t size);

/* Print a name and its text to stdout, with lines of at most 80 columns. The text begins at column `indent`, on the
 * next line after a long name. */
void option_print(const char *name, int indent, const char *text);

/* The options of commands; option_table.c has a row for each. */
enum option_id {
	OPTION_DIR,
	OPTION_CHECK,
	OPTION_PROFILE,
	OPTION_MAKE,
	OPTION_MODEL,
	OPTION_MAIN,
	OPTION_CONFIG,
	OPTION_LOCAL,
	OPTION_ALL,
	OPTION_OUTPUT,
	OPTION_ELSEWHERE,
	OPTION_PROJECT,
	OPTION_EXCLUDE,
	OPTION_CHECKSUM,
	OPTION_ACL_JSON,
	OPTION_INTERVAL,
	OPTION_ACL_API,
	OPTION_AACPU,
	OPTION_SWITCH,
	OPTION_AAC_METRICS,
	OPTION_BOARD_STATS,
	OPTION_STREAM,
	OPTION_TIMEOUT,
	OPTION_CALL_TIME,
	OPTION_REPEAT,
	OPTION_DISCARD,
	OPTION_MOUNT,
	OPTION_CLEAN,
	OPTION_NAME,
	OPTION_ACCEPT_NEW,
	OPTION_DRY_RUN,
	OPTION_RESUME,
	OPTION_FORMAT,
	OPTION_EMPTY,
	OPTION_BOM,
	OPTION_LANG,
	OPTION_STYLE,
	OPTION_TABLE,
	OPTION_SQL,
	OPTION_TOP,
	OPTION_SORT,
	OPTION_BY,
	OPTION_COLUMNS,
	OPTION_PICTURE,
	OPTION_EACH,
	OPTION_ANYWAY,
	OPTION_FILES,
	OPTION_FREQUENCY,
	OPTION_FAMILY,
	OPTION_MODEL_FILE,
	OPTION_LAYOUTS,
	OPTION_MODEL_ID,
	OPTION_ITERATION_ID,
	OPTION_ITERATION_COUNT,
	OPTION_FROM_TIME,
	OPTION_TO_TIME,
	OPTION_DEVICE,
	OPTION_REPORTS,
	OPTION_RULE,
	OPTION_TYPE,
	OPTION_TYPES,
	OPTION_FROM,
	OPTION_FORCE,
	OPTION_CLEAR,
	OPTION_COMPAT_DB,
	OPTION_FINDING,
	OPTION_LIST,
	OPTION_FAIL_ON,
	OPTION_SAVE,
	OPTION_FAIL_IF,
	OPTION_INCONCLUSIVE,
	OPTION_JUNIT,
	OPTION_BASE,
	OPTION_PAGE,
	OPTION_AGGREGATE,
	OPTION_WORKERS,
	OPTION_HOSTS,
	OPTION_TRACE,
	OPTION_RANK,
	OPTION_URL,
	OPTION_TASKS,
	OPTION_RUN,
	OPTION_INIT,
	OPTION_ASK,
	OPTION_SET,
	OPTION_LABEL,
	OPTION_FORGET,
	OPTION_KEEP,
	OPTION_WATCH,
	OPTION_STRICT,
	OPTION_NO_WAIT,
	OPTION_QUIET,
	OPTION_HELP,
	OPTION_COUNT
};

/* The options of a command: {TAKES(DIR), TAKES(QUIET)} */
#define TAKES(name) [OPTION_##name] = true
/* What commands take that print or write tables as CSV. */
#define OPTIONS_FORMAT TAKES(FORMAT), TAKES(EMPTY), TAKES(BOM)
#define OPTIONS_REPORT                                                                                                 \
	TAKES(FREQUENCY), TAKES(FAMILY), TAKES(MODEL_FILE), TAKES(LAYOUTS), TAKES(STRICT), TAKES(QUIET), TAKES(HELP)
#define OPTIONS_JOB TAKES(DIR), TAKES(NO_WAIT), OPTIONS_REPORT

/* The row of an option. */
const struct option_row *option_row(int id);

/* The values of an option that may be repeated. */
enum { OPTION_LIST_MAX = 64 };
struct option_list {
	const char *items[OPTION_LIST_MAX + 1]; /* ends with NULL */
	size_t count;
};

/* The options that a command got. Texts belong to argv. */
struct options {
	const char *values[OPTION_COUNT]; /* the value, or NULL; "" for a flag that is set */
	struct option_list configs, excludes, makes, models, froms, devices, parameters;
	union {
		struct option_list conditions, labels; /* no command has both */
	};
	struct option_list sides; /* words that are no options, where the command compares */
	/* Set by mcp alone: links below this directory are not followed (NULL: below -dir), and the most bytes of
	 * standard output (0: any). */
	const char *top;
	int64_t output_most;
};

enum command_needs { NEEDS_NOTHING, NEEDS_JOB, NEEDS_BOARD, NEEDS_SIDES };

enum { COMMAND_USAGES_MAX = 3 };

struct command {
	const char *name;                           /* "import", "export timeline" */
	const char *summary;                        /* one line */
	const char *usages[COMMAND_USAGES_MAX + 1]; /* each way to write what follows the name; ends with NULL */
	const char *text;                           /* paragraphs of its help */
	const char *formats;                        /* the words of --format, the default first: "csv json" */
	const char *operand; /* the option to write before a stray word; NULL where it is a job */
	enum command_needs needs;
	bool confined; /* main enters the sandbox before it runs: it reads more than jobs, which job_run_all confines */
	bool options[OPTION_COUNT]; /* by enum option_id */
	int (*run)(const struct command *command, const struct options *options);
};

static inline bool command_takes(const struct command *command, int id)
{
	return command->options[id];
}

/* The words of an option's value: those of the row, or of the command for --format. */
const char *options_words(const struct command *command, int id);

/* Parses argv[first..]. Returns 0, or EXIT_USAGE with the error printed. `all` are all commands: errors name them. */
int options_parse(struct options *o, const struct command *const *all, const struct command *command, int argc,
    char **argv, int first);

/* Prints where help is. Returns EXIT_USAGE. */
int options_usage(const struct command *command);

static inline bool options_has(const struct options *o, enum option_id id)
{
	return o->values[id] != NULL;
}

/* The values of an option that may be repeated; NULL: another option. */
const struct option_list *options_list(const struct options *o, int id);

/* The number of an option, else the default of its row, else -1. */
int64_t options_number(const struct options *o, int id);

/* The commands, in the order of help: the one list, expanded by COMMANDS(macro). */
#define COMMANDS(each)                                                                                                 \
	each(import) each(export_timeline) each(export_summary) each(export_stacks) each(export_db) each(export_all)   \
	    EXPORTS_UNLESS_LOCAL(each) each(analyze) each(show) UNLESS_LOCAL(each) each(query) each(check)             \
		FLEET_UNLESS_LOCAL(each) UNLESS_SMALL(each) each(acljson) each(collect)

/* What a build for boards (WITH_SSH=0) leaves to other machines; and what processors of 32 bits leave, too. */
#ifdef MSPROF_WITHOUT_SSH
#define EXPORTS_UNLESS_LOCAL(each)
#define UNLESS_LOCAL(each)
#define FLEET_UNLESS_LOCAL(each)
#else
#define EXPORTS_UNLESS_LOCAL(each) each(export_pytorch)
#define UNLESS_LOCAL(each) each(advise) each(diff) each(report) each(cluster) each(aggregate) each(mcp)
#define FLEET_UNLESS_LOCAL(each) each(publish)
#endif
#ifdef MSPROF_WITHOUT_LEARN
#define UNLESS_SMALL(each)
#else
#define UNLESS_SMALL(each) each(learn)
#endif

/* The first words of commands that this build leaves out. */
#ifdef MSPROF_WITHOUT_SSH
#define COMMANDS_LEFT_OUT "advise diff report cluster aggregate mcp publish learn"
#elif defined(MSPROF_WITHOUT_LEARN)
#define COMMANDS_LEFT_OUT "learn"
#else
#define COMMANDS_LEFT_OUT ""
#endif

#define COMMAND_DECLARE(name) extern const struct command command_##name;
COMMANDS(COMMAND_DECLARE)
#undef COMMAND_DECLARE

/* What msprof says on stderr, the names that it suggests there, and paths in commands that it advises. */

struct options;

/* Print "msprof: error: ..." and so on to stderr, sanitised. */
void message_error(const char *fmt, ...) MP_PRINTF(1, 2);
void message_failure(const struct mp_error *err);                      /* with what helps against its kind */
void message_failure_of(const char *name, const struct mp_error *err); /* of an object */
void message_warning(const char *fmt, ...) MP_PRINTF(1, 2);
void message_info(const struct options *o, const char *fmt, ...) MP_PRINTF(2, 3); /* not with -q */

/*
 * Print "[INFO] TEXT OBJECT" on standard output, where front ends of other tools look for it; object may be NULL, and
 * another process may have named it.
 */
void message_told(const char *text, const char *object);

/* The text of the error that was printed last; "" before. */
const char *message_last_error(void);

/*
 * The nearest command, option, table or column for a misspelled name:
 *
 *	struct suggestion s = {.word = word};
 *	suggest_offer(&s, name);	for each name that exists
 *	... s.best
 */
enum { SUGGESTION_MAX = 64 };

struct suggestion {
	const char *word;
	int away;                  /* edits between the word and the best name */
	char best[SUGGESTION_MAX]; /* the nearest name; "" while no name is near */
};

/* Keep the name if it is nearer than earlier names. Case is ignored; a name is near each of its prefixes. */
void suggest_offer(struct suggestion *s, const char *name);

/* A path as one word of a shell command that a message tells the user to run. */
enum { DIR_WORD_MAX = 6 * 1024 };

/* Returns `path` where a shell takes it as one word, else quotes it in dst; "JOB" when that is too long. */
const char *dir_word(char dst[DIR_WORD_MAX], const char *path);

#endif
