/*
 * words.h: the small tables of schema/insight: classes of operators, chips, limits of severities; and its scripts.
 *
 * A file NAME.txt becomes the temporary table NAME. Its first line without '#' names the columns; each further line is
 * a row. Words are separated by blanks; the last column takes the rest of its line; '-' is NULL.
 */
#ifndef MP_INSIGHT_WORDS_H
#define MP_INSIGHT_WORDS_H

#include "store/db.h"

/* Make all tables. Returns 0, or -1 with err. */
int mp_insight_words(struct mp_db *db, struct mp_error *err);

/* Run scripts/NAME_STEP.sql; without that file there is nothing to run. Returns 0, or -1 with err. */
int mp_insight_script(struct mp_db *db, const char *name, const char *step, struct mp_error *err);

#endif
