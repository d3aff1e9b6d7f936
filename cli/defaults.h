/*
 * defaults.h: options that a user always wants: MSPROF_... variables, and an ini file.
 *
 * The file is that of MSPROF_CONFIG (empty: no file), else $XDG_CONFIG_HOME/msprof/config, else
 * ~/.config/msprof/config. An option on the command line counts more than a variable, a variable more than the file.
 */
#ifndef MSPROF_DEFAULTS_H
#define MSPROF_DEFAULTS_H

#include "command.h"

/*
 * Set the options that the command takes, that the command line lacks and that have a default. Returns 0, or -1 with
 * the error printed. The texts live until the next call.
 */
int defaults_apply(struct options *o, const struct command *command);

#endif
