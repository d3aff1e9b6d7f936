/* form_attach.h: commands for a program that another msprof has started with --dynamic=on (--pid). */
#ifndef MSPROF_FORM_ATTACH_H
#define MSPROF_FORM_ATTACH_H

#include "form.h"

/* Read commands from standard input until the input or the program ends. Returns the exit status. */
int form_attach(const struct form *form);

#endif
