/* form_attach.h: commands for a program that another msprof has started with --dynamic=on (--pid). */
#ifndef MSPROF_FORM_ATTACH_H
#define MSPROF_FORM_ATTACH_H

#include "form.h"

/* Read commands from standard input until there are none, or the program has ended; returns the exit status. */
int form_attach(const struct form *form);

#endif
