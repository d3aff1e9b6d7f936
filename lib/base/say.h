/*
 * say.h: sentences for people, which stand as text in schema/text: a line has a key and a sentence with places such as
 * {saving}. Words that are no key stand between quotes, with what they are in another language.
 *
 * The language is chosen once, before threads begin; the rest has no state. Functions return 0, or -1 with err.
 */
#ifndef MP_BASE_SAY_H
#define MP_BASE_SAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Speak the language of schema/text/LANGUAGE.txt, of LANGUAGE_words.txt, LANGUAGE_found.txt and LANGUAGE_told.txt. What
 * it lacks is said in English. */
int mp_say_language(const char *language, struct mp_error *err);

/* The name of the language: "en". */
const char *mp_say_language_name(void);

/* A text of the program in the language that was chosen; else the text itself. */
const char *mp_say_word(const char *english);

/*
 * The same of a text with numbers and names, which was composed in English. A line "{1} of {2} tasks" is a pattern: {1}
 * stands for a word, {a} for any text, {A} for a text that has a line or pattern itself. The longest pattern counts.
 * Returns `text`, or the text itself, whole, where no pattern fits.
 */
const char *mp_say_found(char *text, size_t size, const char *english);

/* What stands in a place. */
struct mp_said {
	const char *name, *text;
};

/* Write the sentence of a key; it is cut at a code point. Errors: no such key, or a place without a word. */
int mp_say(char *text, size_t size, const char *key, const struct mp_said *words, size_t count, struct mp_error *err);

/* The same for a sentence, which `key` names in errors. */
int mp_say_text(char *text, size_t size, const char *key, const char *sentence, size_t len, const struct mp_said *words,
    size_t count, struct mp_error *err);

enum { MP_SAY_NUMBER = 40 };

/* A time in the unit that suits it: "31.2 ms". */
void mp_say_time(char text[MP_SAY_NUMBER], int64_t ns);

/* A share in percent without its sign: "57", "2.9", "0.04". */
void mp_say_percent(char text[MP_SAY_NUMBER], double share);

#endif
