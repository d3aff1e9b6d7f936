/*
 * suggest.h: suggests the nearest command, option, table or column for a misspelled name.
 *
 *	struct suggestion s = {.word = word};
 *	suggest_offer(&s, name);	for each name that exists
 *	... s.best
 */
#ifndef MSPROF_SUGGEST_H
#define MSPROF_SUGGEST_H

enum { SUGGESTION_MAX = 64 };

struct suggestion {
	const char *word;
	int away;                  /* edits between the word and the best name */
	char best[SUGGESTION_MAX]; /* the nearest name; "" while no name is near */
};

/* Keep the name if it is nearer than earlier names. Case is ignored; a name is near each of its prefixes. */
void suggest_offer(struct suggestion *s, const char *name);

#endif
