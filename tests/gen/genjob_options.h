/* genjob_options.h: the command line of genjob. */
#ifndef GEN_GENJOB_OPTIONS_H
#define GEN_GENJOB_OPTIONS_H

#include "genjob.h"

/* Returns 0; 1 when help was printed; -1 after a message about wrong usage. */
int gen_options_parse(struct gen_options *o, int argc, char **argv);

#endif
