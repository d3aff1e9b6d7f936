/*
 * option.h: an option as one row of a table: its names, the type and range of its value, its default and its help.
 *
 * Parsing, --help and completion read the same row: option_table.c has those of the commands, form_table.c those of
 * Ascend servers. The rows are constant; nothing here allocates.
 */
#ifndef MSPROF_OPTION_H
#define MSPROF_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
	const char *words;    /* separated by blanks; of a text: suggestions for completion */
	const char *unit;     /* "s"; NULL: none */
	const char *standard; /* the default, as a value or in words; NULL: none */
	const char *help;
	size_t list; /* an option that may be repeated: offset of its struct option_list in struct options; else 0 */
};

/* The name without its dashes, as getopt and error messages have it. */
const char *option_bare(const char *name);

/* Whether the value has the type and range of the row; `words` are those of the row unless the command has others. */
bool option_accepts(const struct option_row *row, const char *words, const char *value);

/* Print the error for a value that option_accepts refused: "invalid style 'x' (guide or vendor)". */
void option_refuse(const struct option_row *row, const char *words, const char *value);

/* Read a whole number of `len` digits. False: other characters, or too large. */
bool option_read_number(const char *text, size_t len, int64_t *number);

/* Read a time with its unit, ns, us, ms or s, as ns. False: another text, finer than 1 ns, or too long. */
bool option_read_time(const char *text, int64_t *ns);

/* Whether `word` (`len` bytes) is one of the words of `list`. */
bool option_has_word(const char *list, char separator, const char *word, size_t len);

/* The names and the value as help shows them: "-m, --main MAIN", "--style guide|vendor". */
void option_spell(const struct option_row *row, char *text, size_t size);

/* The help with range, unit and default: "samples a second: 1 to 50 Hz (default: 10)". */
void option_describe(const struct option_row *row, const char *words, char *text, size_t size);

#endif
