/*
 * bus.h: lets a process survive that somebody cuts the file below its memory.
 *
 * The system answers an access to memory behind the end of its file with SIGBUS. For the memory of the arena a handler
 * puts memory of the process in the place of such a page, with zeros: what the page held is lost, and the access goes
 * on. Another SIGBUS has the effect that it had before. A handler that the application installs later takes the place
 * of this one, and a thread that blocks SIGBUS is ended by the system.
 */
#ifndef MP_RECORDER_BUS_H
#define MP_RECORDER_BUS_H

#include <stdbool.h>
#include <stddef.h>

/* Guard memory that a file was put below, again for each file. One thread at a time, and the same memory each time. */
void mp_bus_guard(void *memory, size_t size);

/* Admit the signal in the calling thread, which will use the memory. */
void mp_bus_admit(void);

/* Returns whether a page was lost since the last call. */
bool mp_bus_was_hit(void);

#endif
