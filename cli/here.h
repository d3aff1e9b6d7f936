/* here.h: the jobs of the current directory, to name them in help and messages. */
#ifndef MSPROF_HERE_H
#define MSPROF_HERE_H

#include <stddef.h>

#include "dir_word.h"

/*
 * Find the jobs in the current directory. Returns their number; 0 also where the directory cannot be read. `word`
 * receives what to write on a command line: the name of the only job, "." where the directory itself is a job or has
 * several.
 */
size_t here_jobs(char word[DIR_WORD_MAX]);

#endif
