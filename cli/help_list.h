/* help_list.h: prints the lists of --help, with lines of at most 80 columns. */
#ifndef MSPROF_HELP_LIST_H
#define MSPROF_HELP_LIST_H

/* Print an option and its text to stdout. The text begins at column `indent`, on the next line after a long name. */
void help_list_entry(const char *name, int indent, const char *text);

#endif
