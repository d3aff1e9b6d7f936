/*
 * complete.h: `msprof __complete WORD...`, which lists what can follow on a command line, for completions of shells.
 *
 * The WORDs follow "msprof" on the command line. The last WORD is being typed and may be empty. "--option=" counts as
 * two words, "--option" and "". Each printed line is a candidate, with its description after a tab; or ":directory" or
 * ":file", where the shell completes names itself. The shell drops candidates that do not begin with the last WORD.
 */
#ifndef MSPROF_COMPLETE_H
#define MSPROF_COMPLETE_H

/* Print the candidates to stdout; argv[1] is "__complete". */
void complete(int argc, char **argv);

#endif
