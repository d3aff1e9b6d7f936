/* executable.h: where the program that records lies. */
#ifndef MP_RECORDER_EXECUTABLE_H
#define MP_RECORDER_EXECUTABLE_H

#include <stddef.h>

/* Its directory and the name of its file, as parts of one text that the caller frees; NULL where they cannot be told.
 */
char *mp_executable_split(const char **name);

#endif
