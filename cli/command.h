/*
 * command.h: the commands of msprof, their options, and what they share.
 *
 * One table of options (options.c) feeds parsing, --help, usage errors and completion; a
 * test holds the man page against it. Only cli/ prints and
 * decides exit statuses.
 */
#ifndef MSPROF_COMMAND_H
#define MSPROF_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* requirements of scripts: see "EXIT STATUS" in msprof.1 */
enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_DAMAGED = 3,
	EXIT_CONNECTION = 4,
	EXIT_PROGRAM = 5
};

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
	OPTION_PROJECT,
	OPTION_EXCLUDE,
	OPTION_CHECKSUM,
	OPTION_ACL_JSON,
	OPTION_INTERVAL,
	OPTION_ACL_API,
	OPTION_AACPU,
	OPTION_SWITCH,
	OPTION_AAC_METRICS,
	OPTION_STREAM,
	OPTION_TIMEOUT,
	OPTION_MOUNT,
	OPTION_CLEAN,
	OPTION_NAME,
	OPTION_ACCEPT_NEW,
	OPTION_DRY_RUN,
	OPTION_RESUME,
	OPTION_FORMAT,
	OPTION_STYLE,
	OPTION_TABLE,
	OPTION_TOP,
	OPTION_SORT,
	OPTION_FREQUENCY,
	OPTION_LAYOUTS,
	OPTION_MODEL_ID,
	OPTION_ITERATION_ID,
	OPTION_ITERATION_COUNT,
	OPTION_REPORTS,
	OPTION_CLEAR,
	OPTION_STRICT,
	OPTION_NO_WAIT,
	OPTION_QUIET,
	OPTION_HELP,
	OPTION_COUNT
};

struct option_spec {
	const char *names[3]; /* as getopt_long_only takes them, with one dash or two */
	const char *spelling; /* as help shows them: "-q, --quiet", "--top N" */
	const char *help;
	bool has_value;
};
const struct option_spec *options_spec(int id);

/* The values of an option that may be repeated. */
enum { OPTION_LIST_MAX = 64 };
struct option_list {
	const char *items[OPTION_LIST_MAX + 1]; /* ends with NULL */
	size_t count;
};

/* What the command line said. */
struct options {
	const char *values[OPTION_COUNT];      /* text of the option, or NULL; "" for a flag that is set */
	int64_t top;                           /* -1: not given */
	int64_t frequency_mhz;                 /* 0: not given */
	int64_t model_id;                      /* -1: not given */
	int64_t iteration_id, iteration_count; /* 1: not given */
	const char *only;                      /* no option: export files whose names begin like this; NULL: all */
	struct option_list configs, excludes, makes, models;
};

struct command {
	const char *name;    /* "import", "export timeline" */
	const char *summary; /* one line */
	const char *text;    /* paragraphs of its help */
	const char *formats; /* what --format takes, the default first: "csv json" */
	uint64_t options;    /* bit set of enum option_id */
	int (*run)(const struct command *command, const struct options *options);
};

extern const struct command commands[]; /* ends with a NULL name */

/* The command that argv[first], or the next word as well, names; *next is the first argument after it. NULL: none. */
const struct command *command_find(int argc, char **argv, int first, int *next);

/* Parse argv[first..]; 0, or EXIT_USAGE with a message printed. */
int options_parse(struct options *o, const struct command *command, int argc, char **argv, int first);

/* Say where help is; EXIT_USAGE. */
int options_usage(const struct command *command);

/* The options of a command for its help, to stdout. */
void options_print(const struct command *command);

static inline bool options_has(const struct options *o, enum option_id id)
{
	return o->values[id] != NULL;
}

int command_import(const struct command *command, const struct options *options);
int command_export(const struct command *command, const struct options *options);
int command_export_both(const struct options *options); /* timeline and summary, job by job */
int command_export_db(const struct command *command, const struct options *options);
int command_show(const struct command *command, const struct options *options);
int command_query(const struct command *command, const struct options *options);
int command_check(const struct command *command, const struct options *options);
int command_acljson(const struct command *command, const struct options *options);
int command_collect(const struct command *command, const struct options *options);
extern const char command_collect_text[]; /* of its help */

/* A umask that leaves new files open to others: -1 with the error printed where --strict forbids it; a warning, but for
 * -q and --dry-run. */
int command_umask(const struct options *options);
void command_umask_warn(const struct options *options);

/* Print "msprof: error: ..." and so on to stderr, sanitised. */
void message_error(const char *fmt, ...) MP_PRINTF(1, 2);
void message_warning(const char *fmt, ...) MP_PRINTF(1, 2);
void message_info(const struct options *o, const char *fmt, ...) MP_PRINTF(2, 3); /* not with -q */

/* The text of the error that was printed last; "" before. */
const char *message_last_error(void);

#endif
