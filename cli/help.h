/* help.h: prints the help of msprof: the overview, and what each command takes. */
#ifndef MSPROF_HELP_H
#define MSPROF_HELP_H

#include <stdio.h>

#include "command.h"

/* Whether the word asks for help: "-h", "--help" or "-help". */
bool help_is(const char *word);

void help_overview(FILE *out);

/* 'msprof' alone: what can be done with the jobs of the current directory; without a job the overview. */
void help_here(FILE *out);

void help_command(const struct command *command);

/* 'msprof help [WORD]...', the words from argv[first] on: the overview, or the help of a command; the exit status. */
int help_run(int argc, char **argv, int first);

#endif
