/* say.c: finds sentences in schema/text, and fills their places. Knows no sentence. */
#define _GNU_SOURCE /* memmem */
#include "base/say.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"

#define LANGUAGE "text/en.txt"

enum { PLACES = 6, PHRASE_SIZE = 1024, TURNS = 4 };

/* The language that was chosen: its files, each line with a NUL at its end; NULL: English. */
static struct {
	char *lines;
	size_t size;
	const char *name;
} chosen = {.name = "en"};

int mp_say_language(const char *language, struct mp_error *err)
{
	static const char *const endings[] = {"", "_words", "_found", "_told"};
	enum { FILES = sizeof(endings) / sizeof(endings[0]) };
	const char *texts[FILES];
	const bool is_english = strcmp(language, "en") == 0;
	size_t size = 0;

	for (int i = 0; i < FILES; i++) {
		char path[32];

		snprintf(path, sizeof(path), "text/%.8s%s.txt", language, endings[i]);
		texts[i] = is_english ? "" : mp_schema_text(path);
		if (!texts[i])
			return mp_fail(err, "schema/%s: no such language", path);
		size += strlen(texts[i]);
	}
	free(chosen.lines);
	chosen.size = size;
	chosen.lines = is_english ? NULL : malloc(chosen.size + 1);
	chosen.name = language;
	if (!is_english && !chosen.lines)
		return mp_fail_memory(err, "a language");
	if (!is_english)
		snprintf(chosen.lines, chosen.size + 1, "%s%s%s%s", texts[0], texts[1], texts[2], texts[3]);
	for (char *at = chosen.lines; at && (at = strchr(at, '\n')); at++)
		*at = '\0';
	return 0;
}

const char *mp_say_language_name(void)
{
	return chosen.name;
}

/* What follows a key and a blank in its line; `quote` stands around the key. NULL: not found. */
static const char *chosen_of(const char *key, const char *quote)
{
	const size_t len = strlen(key), around = strlen(quote);

	for (const char *line = chosen.lines; line && line < chosen.lines + chosen.size; line += strlen(line) + 1) {
		const char *end = line + around + len;

		if (strncmp(line, quote, around) == 0 && strncmp(line + around, key, len) == 0 &&
		    strncmp(end, quote, around) == 0 && end[around] == ' ')
			return end + around + 1;
	}
	return NULL;
}

const char *mp_say_word(const char *english)
{
	const char *word = *english ? chosen_of(english, "\"") : NULL;

	return word ? word : english;
}

/* The sentence of a key: the rest of its line. NULL: not found. */
static const char *sentence_of(const char *key)
{
	const char *line = mp_schema_text(LANGUAGE), *said = chosen_of(key, "");
	const size_t len = strlen(key);

	if (said)
		return said;
	while (line && *line) {
		if (strncmp(line, key, len) == 0 && line[len] == ' ')
			return line + len + 1;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	return NULL;
}

static const char *word_of(const struct mp_said *words, size_t count, const char *name, size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(words[i].name) == len && memcmp(words[i].name, name, len) == 0)
			return words[i].text;
	return NULL;
}

int mp_say_text(char *text, size_t size, const char *key, const char *sentence, size_t len, const struct mp_said *words,
    size_t count, struct mp_error *err)
{
	const char *at = sentence, *end = sentence + len;
	size_t used = 0;

	while (at < end && used < size) {
		const size_t name = *at == '{' ? strcspn(at, "}\n") : 0;
		const char *word = at, *place = at;
		size_t length = 1;

		if (name) {
			word = word_of(words, count, at + 1, name - 1);
			if (!word)
				return mp_fail(err, "schema/" LANGUAGE ": '%s': nothing stands for '%.*s'", key,
				    (int)name - 1, at + 1);
			length = strlen(word);
			at = place + name;
		}
		at++;
		if (length > size - used)
			length = size - used;
		memcpy(text + used, word, length);
		used += length;
	}
	if (used < size)
		text[used] = '\0';
	else
		text[mp_cut(text, size - 1)] = '\0';
	return 0;
}

int mp_say(char *text, size_t size, const char *key, const struct mp_said *words, size_t count, struct mp_error *err)
{
	const char *sentence = sentence_of(key);

	return sentence ? mp_say_text(text, size, key, sentence, strcspn(sentence, "\n"), words, count, err)
			: mp_fail(err, "schema/" LANGUAGE ": no sentence '%s'", key);
}

/* A text that fits a pattern: what stands in its places, and how many of its bytes are those of the pattern. */
struct phrase {
	char names[PLACES][2];
	const char *at[PLACES];
	size_t len[PLACES], count, fixed;
};

static bool is_place(const char *at)
{
	return at[0] == '{' && at[1] && at[2] == '}';
}

/* What stands in a place begins at `text`: a digit names a word, a small letter any text, a large one what is said in
 * turn. */
static bool add_place(struct phrase *p, char name, const char *text, size_t len)
{
	const bool is_word = name >= '0' && name <= '9';

	if (p->count == PLACES || (is_word && (!len || memchr(text, ' ', len))))
		return false;
	p->names[p->count][0] = name;
	p->at[p->count] = text;
	p->len[p->count++] = len;
	return true;
}

/* Whether a text fits a pattern. What stands in a place ends where the words behind it first begin. */
static bool fits(struct phrase *p, const char *pattern, size_t size, const char *text)
{
	const char *end = pattern + size;
	char name = '\0';

	*p = (struct phrase){.count = 0};
	for (;;) {
		size_t left = strlen(text), words = 0;
		const char *found = text;

		while (pattern + words < end && !is_place(pattern + words))
			words++;
		if (name && pattern + words == end)
			found = left < words ? NULL : text + left - words;
		else if (name)
			found = memmem(text, left, pattern, words);
		if (!found || strncmp(found, pattern, words) != 0 ||
		    (name && !add_place(p, name, text, (size_t)(found - text))))
			return false;
		p->fixed += words;
		text = found + words;
		if (pattern + words == end)
			return name && !*text;
		name = pattern[words + 1];
		pattern += words + 3;
	}
}

static bool say_in_turn(char *text, size_t size, const char *english, int turns);

/* Fill the places of a sentence from a text that fits its pattern. */
static bool say_phrase(char *text, size_t size, const struct phrase *p, const char *sentence, int turns)
{
	struct mp_said words[PLACES];
	char parts[PLACES][PHRASE_SIZE / 2];
	struct mp_error err;

	for (size_t i = 0; i < p->count; i++) {
		char part[PHRASE_SIZE / 2];
		const bool is_said = p->names[i][0] >= 'A' && p->names[i][0] <= 'Z';

		if (p->len[i] >= sizeof(part))
			return false;
		snprintf(part, sizeof(part), "%.*s", (int)p->len[i], p->at[i]);
		if (!is_said)
			memcpy(parts[i], part, p->len[i] + 1);
		else if (!say_in_turn(parts[i], sizeof(parts[i]), part, turns - 1))
			return false;
		words[i] = (struct mp_said){p->names[i], parts[i]};
	}
	return !mp_say_text(text, size, "", sentence, strlen(sentence), words, p->count, &err) &&
	       strlen(text) + sizeof("\xf0\x9f\x98\x80") < size; /* else it may be cut */
}

/* Say a text by its line, or by the longest pattern that it fits. */
static bool say_in_turn(char *text, size_t size, const char *english, int turns)
{
	const char *word = chosen_of(english, "\"");
	size_t most = 0;

	if (word)
		return snprintf(text, size, "%s", word) < (int)size;
	for (const char *line = chosen.lines; turns && line && line < chosen.lines + chosen.size;
	     line += strlen(line) + 1) {
		const char *end = *line == '"' ? strstr(line + 1, "\" ") : NULL;
		char said[PHRASE_SIZE];
		struct phrase p;

		if (!end || !fits(&p, line + 1, (size_t)(end - line - 1), english) || p.fixed <= most ||
		    !say_phrase(said, size < sizeof(said) ? size : sizeof(said), &p, end + 2, turns))
			continue;
		most = p.fixed;
		memcpy(text, said, strlen(said) + 1);
	}
	return most > 0;
}

const char *mp_say_found(char *text, size_t size, const char *english)
{
	return *english && say_in_turn(text, size, english, TURNS) ? text : english;
}

/* A number with three digits that count, or all digits before its point. */
static void put_digits(char text[MP_SAY_NUMBER], double number)
{
	const double size = fabs(number);

	snprintf(text, MP_SAY_NUMBER, "%.*f", size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2, number);
}

void mp_say_time(char text[MP_SAY_NUMBER], int64_t ns)
{
	static const struct {
		double ns;
		const char *name;
	} units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	const double size = fabs((double)ns);
	char number[MP_SAY_NUMBER];
	size_t i = 0;

	while (i < 3 && size < 0.9995 * units[i].ns)
		i++;
	if (i == 3)
		snprintf(number, sizeof(number), "%.0f", (double)ns);
	else
		put_digits(number, (double)ns / units[i].ns);
	snprintf(text, MP_SAY_NUMBER, "%.30s %s", number, units[i].name);
}

void mp_say_percent(char text[MP_SAY_NUMBER], double share)
{
	const double percent = 100 * share, size = fabs(percent);

	snprintf(text, MP_SAY_NUMBER, "%.*f",
	    size == 0 || size >= 9.95 ? 0
	    : size >= 0.095           ? 1
	    : size >= 0.0095          ? 2
				      : 3,
	    percent);
}
