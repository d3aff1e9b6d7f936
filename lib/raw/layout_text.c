/* layout_text.c: statements of text layouts about files beside data/, and about the numbers of texts within a file. */
#include <string.h>

#include "raw/layout_words.h"

int mp_layout_key_beside(struct mp_layout_words *p)
{
	if (p->count > 1)
		return mp_layout_words_refuse_at(p, "unexpected", 1);
	p->layout->beside = true;
	return 0;
}

static int copy_word(struct mp_layout_words *p, int index, char text[MP_NAME_SIZE])
{
	const struct mp_word *w = &p->words[index];

	if (!w->quoted || !w->len || w->len >= MP_NAME_SIZE)
		return mp_layout_words_refuse_at(p, "expected 1 to 31 characters in double quotes:", index);
	memcpy(text, w->text, w->len);
	text[w->len] = '\0';
	return 0;
}

static int choose(struct mp_layout_words *p, int index, const char *const *known, char word[MP_NAME_SIZE])
{
	for (; *known; known++)
		if (mp_layout_words_is(p, index, *known)) {
			strcpy(word, *known);
			return 0;
		}
	return mp_layout_words_refuse_at(p, "unknown word", index);
}

/* series "TEXT" "TITLE" USE KIND */
int mp_layout_key_series(struct mp_layout_words *p)
{
	static const char *const uses[] = {"npu", "aiisp", "memory", "video", "none", NULL};
	static const char *const kinds[] = {"level", "percent", "kb", "mb", NULL};
	struct mp_layout *l = p->layout;
	struct mp_layout_series *s = &l->series[l->series_count];

	if (l->series_count == MP_SERIES_MAX)
		return mp_layout_words_refuse(p, "too many series");
	if (p->count != 5)
		return mp_layout_words_refuse(p, "expected: series \"TEXT\" \"TITLE\" USE KIND");
	if (copy_word(p, 1, s->text) || copy_word(p, 2, s->title) || choose(p, 3, uses, s->use) ||
	    choose(p, 4, kinds, s->kind))
		return -1;
	l->series_count++;
	return 0;
}
