/* dir_word.h: a path as one word of a shell command that a message tells the user to run. */
#ifndef MSPROF_DIR_WORD_H
#define MSPROF_DIR_WORD_H

enum { DIR_WORD_MAX = 6 * 1024 };

/* Returns `path` where a shell takes it as one word, else quotes it in dst; "JOB" when that is too long. */
const char *dir_word(char dst[DIR_WORD_MAX], const char *path);

#endif
