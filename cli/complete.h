/*
 * complete.h: `msprof __complete WORD...`, which completions of shells ask for what can follow.
 *
 * WORDs are those of the command line behind "msprof"; the last is being typed and may be empty. "--option=" is two
 * words:
 * "--option" and "". Each line that is printed is a word, and behind a tab what it is; or ":directory" or ":file",
 * where the shell's own completion of names goes on. Words that do not begin like the last WORD are the shell's to
 * leave out.
 */
#ifndef MSPROF_COMPLETE_H
#define MSPROF_COMPLETE_H

/* argv[1] is "__complete"; to stdout. */
void complete(int argc, char **argv);

#endif
