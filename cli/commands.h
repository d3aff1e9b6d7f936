/*
 * commands.h: the list of all commands, and what main does with it: search, help, completion, defaults and the pager.
 */
#ifndef MSPROF_COMMANDS_H
#define MSPROF_COMMANDS_H

#include <stddef.h>
#include <stdio.h>

#include "command.h"

extern const struct command *const commands[]; /* in the order of help; ends with NULL */

/* The command that argv[first], or argv[first] with the next word, names; NULL: none. *next is the argument after it.
 */
const struct command *commands_find(int argc, char **argv, int first, int *next);

/* Whether `word` is the first of the two words of several commands, as "export" is. */
bool commands_is_group(const char *word);

/* The second words of a group, as "'timeline', 'summary' or 'db'". */
void commands_group_words(const char *word, char *text, size_t size);

/* Print the error for a word that no command begins with; EXIT_USAGE. */
int commands_refuse(const char *word);

/* Print the error for a group without its second word, or with another one (`second`); EXIT_USAGE. */
int commands_refuse_group(const char *word, const char *second);

/* The help of msprof: the overview, and what each command takes. */

/* Whether the word asks for help: "-h", "--help" or "-help". */
bool help_is(const char *word);

/* 'msprof' alone: what can be done with the jobs of the current directory; without a job the overview. */
void help_here(FILE *out);

void help_command(const struct command *command);

/* 'msprof help [WORD]...', the words from argv[first] on: the overview, or the help of a command; the exit status. */
int help_run(int argc, char **argv, int first);

/*
 * Find the jobs in the current directory. Returns their number; 0 also where the directory cannot be read. `word`
 * receives what to write on a command line: the name of the only job, "." where the directory itself is a job or has
 * several.
 */
size_t here_jobs(char word[DIR_WORD_MAX]);

/*
 * `msprof __complete WORD...` lists what can follow on a command line, for completions of shells.
 *
 * The WORDs follow "msprof" on the command line. The last WORD is being typed and may be empty. "--option=" counts as
 * two words, "--option" and "". Each printed line is a candidate, with its description after a tab; or ":directory" or
 * ":file", where the shell completes names itself. The shell drops candidates that do not begin with the last WORD.
 */

/* Print the candidates to stdout; argv[1] is "__complete". */
void complete(int argc, char **argv);

/*
 * Options that a user always wants: MSPROF_... variables, and an ini file.
 *
 * The file is that of MSPROF_CONFIG (empty: no file), else $XDG_CONFIG_HOME/msprof/config, else
 * ~/.config/msprof/config. An option on the command line counts more than a variable, a variable more than the file.
 */

/*
 * Set the options that the command takes, that the command line lacks and that have a default. Returns 0, or
 * EXIT_FAILED with the error printed. The texts live until the next call.
 */
int defaults_apply(struct options *o, const struct command *command);

/*
 * A pager shows tables that are longer than the terminal.
 *
 * The pager is the value of MSPROF_PAGER or PAGER, a command of the shell, else less. An empty value and "cat" are no
 * pager. Standard output is a pipe to the pager until pager_finish().
 */

#ifdef MSPROF_WITHOUT_SSH
static inline void pager_start(const struct command *command, const struct options *options)
{
	(void)command;
	(void)options;
}

static inline int pager_finish(int status)
{
	return status;
}
#else

/* Start the pager if the command prints tables on a terminal. Call before the process enters its sandbox. */
void pager_start(const struct command *command, const struct options *options);

/* Wait until the pager has ended. Returns `status`, or EXIT_FAILED with the error printed. */
int pager_finish(int status);

#endif

#endif
