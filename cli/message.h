/* message.h: what msprof says on stderr, the names that it suggests there, and paths in commands that it advises. */
#ifndef MSPROF_MESSAGE_H
#define MSPROF_MESSAGE_H

#include "base/error.h"

struct options;

/* Print "msprof: error: ..." and so on to stderr, sanitised. */
void message_error(const char *fmt, ...) MP_PRINTF(1, 2);
void message_failure(const struct mp_error *err);                      /* with what helps against its kind */
void message_failure_of(const char *name, const struct mp_error *err); /* of an object */
void message_warning(const char *fmt, ...) MP_PRINTF(1, 2);
void message_info(const struct options *o, const char *fmt, ...) MP_PRINTF(2, 3); /* not with -q */

/* The text of the error that was printed last; "" before. */
const char *message_last_error(void);

/*
 * The nearest command, option, table or column for a misspelled name:
 *
 *	struct suggestion s = {.word = word};
 *	suggest_offer(&s, name);	for each name that exists
 *	... s.best
 */
enum { SUGGESTION_MAX = 64 };

struct suggestion {
	const char *word;
	int away;                  /* edits between the word and the best name */
	char best[SUGGESTION_MAX]; /* the nearest name; "" while no name is near */
};

/* Keep the name if it is nearer than earlier names. Case is ignored; a name is near each of its prefixes. */
void suggest_offer(struct suggestion *s, const char *name);

/* A path as one word of a shell command that a message tells the user to run. */
enum { DIR_WORD_MAX = 6 * 1024 };

/* Returns `path` where a shell takes it as one word, else quotes it in dst; "JOB" when that is too long. */
const char *dir_word(char dst[DIR_WORD_MAX], const char *path);

#endif
