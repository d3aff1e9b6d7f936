/* publish_ask.h: asks a ready question, and prints the answer. */
#ifndef MSPROF_PUBLISH_ASK_H
#define MSPROF_PUBLISH_ASK_H

#include "command.h"

/* Ask the question of --ask. Returns the exit status, with errors printed. */
int publish_ask(const struct options *options);

#endif
