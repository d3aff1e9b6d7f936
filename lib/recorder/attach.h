/*
 * attach.h: commands from another process to one that was started with PROFILING_MODE=dynamic or by 'msprof
 * --dynamic=on'.
 *
 * Such a process listens, from its first call on, at an address of Unix sockets that has its number and no file. A
 * thread with descriptors of its own (table.h) answers. Only processes of the same user and root are heard. A command
 * is a text, "start SETTINGS" or "stop SETTINGS"; the answer is a text that begins with "ok " or "error ". One command
 * a connection.
 */
#ifndef MP_RECORDER_ATTACH_H
#define MP_RECORDER_ATTACH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

#define MP_ATTACH_VARIABLE "PROFILING_MODE"
#define MP_ATTACH_MODE "dynamic"

enum { MP_ATTACH_TEXT = 16384, MP_ATTACH_ANSWER = 1024 };

/* Whether the variable of this process says so; cheap. */
bool mp_attach_is_wanted(void);

/* Begin to listen. `obey` does a command and writes the answer; another thread calls it. A failure is a warning. */
void mp_attach_listen(void (*obey)(const char *command, char answer[MP_ATTACH_ANSWER]));

/*
 * Send a command to a process and wait for its answer, which begins with "ok ". Returns 0; 1 when the process does not
 * listen; -1 with err, which has the process's answer.
 */
int mp_attach_send(pid_t pid, const char *command, char answer[MP_ATTACH_ANSWER], struct mp_error *err);

#endif
