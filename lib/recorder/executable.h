/* executable.h: the location of the running program. */
#ifndef MP_RECORDER_EXECUTABLE_H
#define MP_RECORDER_EXECUTABLE_H

#include <stddef.h>

/*
 * Returns the directory of the program, and in *name its file name, as parts of one text that the caller frees; NULL
 * when unknown.
 */
char *mp_executable_split(const char **name);

#endif
