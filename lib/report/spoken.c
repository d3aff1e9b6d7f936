/* spoken.c: replaces titles and words of a section by those of the language. Knows no title. */
#include "report/spoken.h"

#include <stdio.h>
#include <string.h>

#include "base/say.h"

enum { LIST_SIZE = 512, TEXT_SIZE = 1024 };

/* Whether a list of titles, joined with ", ", has the title. */
static bool has_title(const char *list, const char *title)
{
	const size_t len = strlen(title);

	for (const char *at = list; *at; at += strcspn(at, ","), at += strspn(at, ", "))
		if (strncmp(at, title, len) == 0 && (at[len] == ',' || at[len] == '\0'))
			return true;
	return false;
}

/* The same list in the language: titles of the section, whose place in it a title has. */
static void say_list(char *text, size_t size, const char *list, const struct mp_section *s, const char *const *said)
{
	size_t used = 0;

	text[0] = '\0';
	for (const char *at = list; *at && used < size; at += strspn(at, ", ")) {
		const size_t len = strcspn(at, ",");

		for (int i = 0; i < s->column_count && used < size; i++)
			if (strlen(s->titles[i]) == len && strncmp(s->titles[i], at, len) == 0)
				used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", said[i]);
		at += len;
	}
}

/* A title; of one with a unit, such as "Mean(us)", what stands before it. `used` grows by what is composed. */
static const char *say_title(struct mp_spoken *spoken, size_t *used, const char *title)
{
	const size_t len = strcspn(title, "("), left = sizeof(spoken->composed) - *used;
	char bare[256], text[TEXT_SIZE], *composed = spoken->composed + *used;
	const char *said = mp_say_word(title);

	if (said != title || !len)
		return said;
	snprintf(bare, sizeof(bare), "%.*s", (int)len, title);
	said = mp_say_found(text, sizeof(text), bare);
	if (said == bare || strlen(said) + strlen(title + len) >= left)
		return title;
	*used += (size_t)snprintf(composed, left, "%s%s", said, title + len) + 1;
	return composed;
}

/* The title of a section; one that options name stands before " :". */
static const char *say_section(const struct mp_spoken *spoken, const struct mp_section *s)
{
	char named[256];
	const char *said = named;

	if (spoken->mode == MP_TITLES_KEPT)
		return s->title;
	snprintf(named, sizeof(named), "%s :", s->title);
	if (spoken->mode == MP_TITLES_NAMED)
		said = mp_say_word(named);
	return said != named ? said : mp_say_word(s->title);
}

static int spoken_section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_spoken *spoken = (struct mp_spoken *)w;
	struct mp_section said = *s;
	char words[LIST_SIZE];
	size_t composed = 0;

	if (s->column_count > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "'%s' has more than %d columns", s->title, MP_REPORT_COLUMN_MAX);
	if (mp_say(words, sizeof(words), spoken->mode == MP_TITLES_KEPT ? "table.words" : "table.cells", NULL, 0, err))
		return -1;
	spoken->columns = s->column_count;
	for (int i = 0; i < s->column_count; i++) {
		spoken->titles[i] =
		    spoken->mode == MP_TITLES_KEPT ? s->titles[i] : say_title(spoken, &composed, s->titles[i]);
		spoken->is_word[i] = has_title(words, s->titles[i]);
	}
	said.titles = spoken->titles;
	said.title = say_section(spoken, s);
	if (s->decides) {
		say_list(spoken->decides, sizeof(spoken->decides), s->decides, s, spoken->titles);
		said.decides = spoken->decides;
	}
	return spoken->to->section(spoken->to, &said, err);
}

static int spoken_row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_spoken *spoken = (struct mp_spoken *)w;
	struct mp_value said[MP_REPORT_COLUMN_MAX];
	size_t used = 0;

	for (int i = 0; i < spoken->columns; i++) {
		char english[TEXT_SIZE], *text = spoken->said + used;

		said[i] = cells[i];
		if (!spoken->is_word[i] || cells[i].type != MP_TEXT || cells[i].len >= sizeof(english) ||
		    used == sizeof(spoken->said))
			continue;
		snprintf(english, sizeof(english), "%.*s", (int)cells[i].len, cells[i].text);
		if (mp_say_found(text, sizeof(spoken->said) - used, english) != text)
			continue;
		said[i] = mp_string(text);
		said[i].marks = cells[i].marks;
		used += strlen(text) + 1;
	}
	return spoken->to->row(spoken->to, said, err);
}

static int spoken_end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_spoken *spoken = (struct mp_spoken *)w;

	return spoken->to->end(spoken->to, omitted, err);
}

void mp_spoken_init(struct mp_spoken *spoken, struct mp_writer *to, enum mp_titles mode)
{
	*spoken = (struct mp_spoken){
	    .writer = {.section = spoken_section, .row = spoken_row, .end = spoken_end}, .to = to, .mode = mode};
}
