/* say.c: finds sentences in schema/text, and fills their places. Knows no sentence. */
#include "base/say.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"

#define LANGUAGE "text/en.txt"

/* The language that was chosen: its files, each line with a NUL at its end; NULL: English. */
static struct {
	char *lines;
	size_t size;
	const char *name;
} chosen = {.name = "en"};

int mp_say_language(const char *language, struct mp_error *err)
{
	char path[32], words_path[32];
	const char *text, *words;
	const bool is_english = strcmp(language, "en") == 0;

	snprintf(path, sizeof(path), "text/%.8s.txt", language);
	snprintf(words_path, sizeof(words_path), "text/%.8s_words.txt", language);
	text = is_english ? "" : mp_schema_text(path);
	words = is_english ? "" : mp_schema_text(words_path);
	if (!text || !words)
		return mp_fail(err, "schema/%s: no such language", path);
	free(chosen.lines);
	chosen.size = strlen(text) + strlen(words);
	chosen.lines = is_english ? NULL : malloc(chosen.size + 1);
	chosen.name = language;
	if (!is_english && !chosen.lines)
		return mp_fail_memory(err, "a language");
	if (!is_english)
		snprintf(chosen.lines, chosen.size + 1, "%s%s", text, words);
	for (char *at = chosen.lines; at && (at = strchr(at, '\n')); at++)
		*at = '\0';
	return 0;
}

const char *mp_say_language_name(void)
{
	return chosen.name;
}

/* What follows a key and a blank in its line; `quote` stands around the key. NULL: there is none. */
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

/* The sentence of a key: the rest of its line. NULL: there is none. */
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

void mp_say_digits(char text[MP_SAY_NUMBER], double number)
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
		mp_say_digits(number, (double)ns / units[i].ns);
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
