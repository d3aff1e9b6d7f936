/* commands.h: the list of all commands, and the search for the command that a command line names. */
#ifndef MSPROF_COMMANDS_H
#define MSPROF_COMMANDS_H

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

#endif
