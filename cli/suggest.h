/* suggest.h: what somebody may have meant who wrote a command or an option that is none. */
#ifndef MSPROF_SUGGEST_H
#define MSPROF_SUGGEST_H

/* The command nearest to the word, "export" for those that begin with it; NULL where none is near. */
const char *suggest_command(const char *word);

#endif
