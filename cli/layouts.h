/* layouts.h: loads the record layouts that the program embeds, and those of the user. */
#ifndef MSPROF_LAYOUTS_H
#define MSPROF_LAYOUTS_H

#include "base/error.h"
#include "raw/layout.h"

/* Load the embedded layouts, and those of `dir` unless it is NULL. The caller frees them, whatever happens. */
int layouts_load(struct mp_layouts *layouts, const char *dir, struct mp_error *err);

#endif
