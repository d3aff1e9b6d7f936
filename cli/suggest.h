/*
 * suggest.h: what somebody may have meant who wrote a name that does not exist: the nearest of those that are offered.
 *
 *	struct suggestion s = {.word = word};
 *	suggest_offer(&s, name);	for each name
 *	... s.best
 */
#ifndef MSPROF_SUGGEST_H
#define MSPROF_SUGGEST_H

enum { SUGGESTION_MAX = 64 };

struct suggestion {
	const char *word;
	int away;                  /* how far the best name is from the word */
	char best[SUGGESTION_MAX]; /* "" until a name is near */
};

/* Take the name if it is nearer than those before. Upper and lower case are the same, and a name is near its
 * beginnings. */
void suggest_offer(struct suggestion *s, const char *name);

#endif
