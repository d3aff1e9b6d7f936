/* option.c: has the rows of the options of commands, and validates and describes values of options. */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "command.h"
#include "raw/job.h"

#define FLAG .type = VALUE_NONE
#define ANY(name) .type = VALUE_TEXT, .value = (name)
#define PATH(kind, name, of) .type = VALUE_##kind, .value = (name), .use = PATH_##of
#define NAMED(kind, name, of) PATH(kind, name, of), .least = 1, .most = VALUE_UNLIMITED
#define NUMBER(name, low, high) .type = VALUE_NUMBER, .value = (name), .least = (low), .most = (high)
#define WORD(list) .type = VALUE_WORD, .words = list
#define REPEATED(member) .list = offsetof(struct options, member)

static const struct option_row rows[OPTION_COUNT] = {
#define OPTION_ROW(id, ...) [OPTION_##id] = {__VA_ARGS__},
#include "option_rows.h"
};

const struct option_row *option_row(int id)
{
	return &rows[id];
}

enum { RANGE_MAX = 256, HELP_MAX = 512, LINE_WIDTH = 80 };

#define DIGITS "0123456789"

const char *option_bare(const char *name)
{
	return name + strspn(name, "-");
}

/* The bytes of a dash before an option: 1 for its own, others for those of input methods and word processors. */
static size_t dash_length(const char *s)
{
	static const char *const others[] = {
	    "\uff0d", "\u2014", "\u2013", "\u2015", "\u2212", "\u2010", "\u2011", "\u2012", "\ufe63", "\ufe58"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (strncmp(s, others[i], strlen(others[i])) == 0)
			return strlen(others[i]);
	return *s == '-';
}

bool option_refuse_dash(const char *word)
{
	const char *rest = word, *found = NULL;
	int count = 0;

	for (size_t len; (len = dash_length(rest)) > 0; rest += len, count++)
		if (len > 1 && !found)
			found = rest;
	if (!found || !*rest || access(word, F_OK) == 0)
		return false;
	message_error("'%s' begins with a %s dash: write %s%.*s", word,
	    strncmp(found, "\uff0d", 3) ? "long" : "full-width", count > 1 ? "--" : "-", (int)strcspn(rest, "="), rest);
	return true;
}

bool option_read_number(const char *text, size_t len, int64_t *number)
{
	char *end;
	long long value;

	if (!len || strspn(text, DIGITS) < len)
		return false;
	errno = 0;
	value = strtoll(text, &end, 10);
	*number = value;
	return !errno;
}

bool option_read_time(const char *text, int64_t *ns)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t whole = strspn(text, DIGITS), point = text[whole] == '.', places = strspn(text + whole + point, DIGITS);
	const char *unit = text + whole + point + places;
	char digits[32];

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t wanted = 3 * i; /* decimals of this unit */

		if (strcmp(unit, units[i]) != 0)
			continue;
		if (!whole || point != (places > 0) || places > wanted || whole + wanted >= sizeof(digits))
			return false;
		snprintf(digits, sizeof(digits), "%.*s%.*s%.*s", (int)whole, text, (int)places, text + whole + point,
		    (int)(wanted - places), "000000000");
		return option_read_number(digits, whole + wanted, ns);
	}
	return false;
}

bool option_has_word(const char *list, char separator, const char *word, size_t len)
{
	for (const char *at = list;; at++) {
		const char *end = strchr(at, separator);
		size_t n = end ? (size_t)(end - at) : strlen(at);

		if (n == len && strncmp(at, word, n) == 0)
			return true;
		if (!end)
			return false;
		at = end;
	}
}

static bool has_words(const char *words, const char *value)
{
	for (const char *at = value;; at++) {
		const char *end = strchr(at, ',');

		if (!option_has_word(words, ' ', at, end ? (size_t)(end - at) : strlen(at)))
			return false;
		if (!end)
			return true;
		at = end;
	}
}

bool option_accepts(const struct option_row *row, const char *words, const char *value)
{
	size_t len = strlen(value);
	size_t digits = row->type == VALUE_SIZE ? strspn(value, DIGITS) : len;
	int64_t number;

	switch (row->type) {
	case VALUE_NONE:
		return true;
	case VALUE_TEXT:
	case VALUE_FILE:
	case VALUE_DIRECTORY:
		return !row->most ||
		       ((int64_t)len >= row->least && (int64_t)len <= row->most && !mp_has_control(value, len));
	case VALUE_NUMBER:
	case VALUE_SIZE:
		return (row->type == VALUE_NUMBER || strcmp(value + digits, row->unit) == 0) &&
		       option_read_number(value, digits, &number) && number >= row->least && number <= row->most;
	case VALUE_TIME:
		return option_read_time(value, &number);
	case VALUE_WORD:
		return option_has_word(words, ' ', value, len);
	case VALUE_WORDS:
		return has_words(words, value);
	}
	return false;
}

/* "a", "a or b", "a, b or c" */
static void put_words(const char *words, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	while (*words && used < size) {
		size_t len = strcspn(words, " ");
		const char *next = words + len + (words[len] == ' ');
		const char *before = !used ? "" : *next ? ", " : " or ";

		used += (size_t)snprintf(text + used, size - used, "%s%.*s", before, (int)len, words);
		words = next;
	}
}

/* What the value may be, without its type: "1 to 50 Hz", "guide or vendor"; "" where everything is allowed. */
static void put_range(const struct option_row *row, const char *words, char *text, size_t size)
{
	const char *unit = row->unit ? row->unit : "", *blank = row->unit && row->type == VALUE_NUMBER ? " " : "";
	long long least = row->least, most = row->most;

	text[0] = '\0';
	if (row->type == VALUE_WORD || row->type == VALUE_WORDS)
		put_words(words, text, size);
	else if (row->type == VALUE_NUMBER && row->most == VALUE_UNLIMITED)
		snprintf(text, size, "%lld%s%s or more", least, blank, unit);
	else if (row->type == VALUE_NUMBER || row->type == VALUE_SIZE)
		snprintf(text, size, "%lld to %lld%s%s", least, most, blank, unit);
	else if (row->most && row->most < VALUE_UNLIMITED)
		snprintf(text, size, "%lld to %lld bytes", least, most);
}

void option_refuse(const struct option_row *row, const char *words, const char *value)
{
	const char *name = option_bare(row->names[0]);
	char range[RANGE_MAX];

	if (!name[1] && row->names[1]) /* a letter says less than a word */
		name = option_bare(row->names[1]);
	put_range(row, words, range, sizeof(range));
	switch (row->type) {
	case VALUE_NUMBER:
	case VALUE_SIZE:
		message_error("invalid %s '%s' (a whole number, %s)", name, value, range);
		break;
	case VALUE_TIME:
		message_error("invalid %s '%s' (a time with its unit, ns, us, ms or s: 1.5ms)", name, value);
		break;
	case VALUE_WORDS:
		message_error("invalid %s '%s' (%s, separated by commas)", name, value, range);
		break;
	case VALUE_WORD:
		message_error("invalid %s '%s' (%s)", name, value, range);
		break;
	default:
		if (!mp_utf8_valid(value, strlen(value))) {
			message_error("invalid %s '%s' (not UTF-8; a directory in another encoding is reached by 'cd')",
			    name, value);
			break;
		}
		message_error("invalid %s '%s' (%s%swithout control characters)", name, value,
		    range[0] ? range : "not empty", range[0] ? " " : ", ");
	}
}

void option_spell(const struct option_row *row, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; row->names[i] && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", row->names[i]);
	if (row->type == VALUE_NONE || used >= size)
		return;
	text[used] = ' ';
	snprintf(text + used + 1, size - used - 1, "%s", row->value ? row->value : row->words);
	for (char *c = text + used + 1; *c && !row->value; c++)
		if (*c == ' ')
			*c = '|';
}

/* Whether a list "collect,export timeline" up to ':' names the command, or its first word; "!mcp" names all others. */
static bool names_command(const char *list, const char *command)
{
	const bool others = *list == '!';

	for (list += others; *list != ':'; list += *list == ',') {
		size_t len = strcspn(list, ",:");

		if (strncmp(list, command, len) == 0 && (!command[len] || command[len] == ' '))
			return !others;
		list += len;
	}
	return others;
}

/* The bytes before the next part; a brace that a help shows is followed by no letter. */
static size_t before_part(const char *text)
{
	size_t len = strcspn(text, "{");

	while (text[len] && text[len + 1] != '!' && !isalpha((unsigned char)text[len + 1]))
		len += 1 + strcspn(text + len + 1, "{");
	return len;
}

const char *option_text_for(const char *of_row, const char *command, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (const char *at = of_row ? of_row : ""; *at && used < size;) {
		size_t plain = before_part(at), part = at[plain] ? strcspn(at + plain, "}") : 0;
		const char *colon = part ? strstr(at + plain, ": ") : NULL;

		used += (size_t)snprintf(text + used, size - used, "%.*s", (int)plain, at);
		if (colon && used < size && names_command(at + plain + 1, command))
			used += (size_t)snprintf(
			    text + used, size - used, "%.*s", (int)(at + plain + part - colon) - 2, colon + 2);
		at += plain + part + (part > 0);
	}
	return text;
}

void option_describe(const struct option_row *row, const char *words, const char *command, char *text, size_t size)
{
	char range[RANGE_MAX], first[64], help[HELP_MAX], of_command[HELP_MAX];
	const char *standard = option_text_for(row->standard, command, of_command, sizeof(of_command));

	put_range(row, words, range, sizeof(range));
	if (row->type == VALUE_WORD && !row->value) /* the spelling has the words */
		range[0] = '\0';
	if (row->type == VALUE_WORD && !row->words) { /* those of the command: the first is its default */
		snprintf(first, sizeof(first), "%.*s", (int)strcspn(words, " "), words);
		standard = first;
	}
	snprintf(text, size, "%s%s%s%s%s%s", option_text_for(row->help, command, help, sizeof(help)),
	    range[0] ? ": " : "", range, *standard ? " (default: " : "", standard, *standard ? ")" : "");
}

void option_print(const char *name, int indent, const char *text)
{
	int at = printf("  %s", name);

	if (at + 1 >= indent) {
		putchar('\n');
		at = 0;
	}
	at += printf("%*s", indent - at, "");
	while (*text) {
		int len = (int)strcspn(text, " ");

		if (at > indent && at + 1 + len > LINE_WIDTH)
			at = printf("\n%*s", indent, "") - 1;
		at += printf("%s%.*s", at > indent ? " " : "", len, text);
		text += len + (text[len] == ' ');
	}
	putchar('\n');
}
