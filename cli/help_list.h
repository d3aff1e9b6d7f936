/* help_list.h: the lists of --help, no line of which is wider than a terminal of 80 columns. */
#ifndef MSPROF_HELP_LIST_H
#define MSPROF_HELP_LIST_H

/* An option or a command and what it is: the text begins at column `indent`, below where the name reaches that far. To
 * stdout. */
void help_list_entry(const char *name, int indent, const char *text);

#endif
