/*
 * layout_rules.c: parses the statements about records as a whole: what must be true of them, what their markers tell,
 * and for which chips the layout is; and those of text layouts about files beside data/, and about the numbers of texts
 * within a file.
 */
#include "raw/layout_words.h"

#include <string.h>

static int key_beside(struct mp_layout_words *p)
{
	if (p->count > 1)
		return mp_layout_words_refuse_at(p, "unexpected", 1);
	p->layout->beside = true;
	return 0;
}

static int copy_word(struct mp_layout_words *p, int index, char text[MP_NAME_SIZE])
{
	if (!p->words[index].quoted || !mp_layout_words_copy(p, index, text))
		return mp_layout_words_refuse_at(p, "expected 1 to 31 characters in double quotes:", index);
	return 0;
}

static int choose(struct mp_layout_words *p, int index, const char *const *known, char word[MP_NAME_SIZE])
{
	return mp_layout_words_choose(p, index, known) < 0 || !mp_layout_words_copy(p, index, word)
		   ? mp_layout_words_refuse_at(p, "unknown word", index)
		   : 0;
}

/* series "TEXT" "TITLE" USE KIND */
static int key_series(struct mp_layout_words *p)
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

static int key_sequence(struct mp_layout_words *p)
{
	return mp_layout_words_unsigned(p, 1, &p->layout->sequence);
}

/* "agrees FIELD FACT": a fact of the name or marker */
static int key_agrees(struct mp_layout_words *p)
{
	static const struct {
		const char *name;
		size_t fact;
	} facts[] = {{"device_id", offsetof(struct mp_identity, device_id)},
	    {"stream_id", offsetof(struct mp_identity, stream_id)},
	    {"model_id", offsetof(struct mp_identity, model_id)}, {"batch", offsetof(struct mp_identity, batch)},
	    {"input_pic_num", offsetof(struct mp_identity, input_pic_num)},
	    {"current_pic", offsetof(struct mp_identity, current_pic)}};
	struct mp_layout *l = p->layout;
	struct mp_agrees *a = &l->agrees[l->agrees_count];

	if (l->agrees_count == MP_AGREES_MAX)
		return mp_layout_words_refuse(p, "too many agrees lines");
	if (mp_layout_words_unsigned(p, 1, &a->field))
		return -1;
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (mp_layout_words_is(p, 2, facts[i].name)) {
			a->fact = facts[i].fact;
			l->agrees_count++;
			return 0;
		}
	return mp_layout_words_refuse(p, "expected: agrees FIELD FACT, a capture of file names");
}

/* "holds FIELD rises by=N [within=FIELD]" */
static int holds_rises(struct mp_layout_words *p, struct mp_holds *h)
{
	h->rises = true;
	if (mp_layout_words_after(p, 3, "by=", UINT32_MAX, &h->most))
		return -1;
	if (p->count == 4)
		return 0;
	if (!mp_layout_words_strip(p, 4, "within="))
		return mp_layout_words_refuse_at(p, "expected: within=FIELD", 4);
	return mp_layout_words_unsigned(p, 4, &h->other);
}

/* "holds FIELD <= FIELD [scale=N]", "holds FIELD <= NUMBER", or "holds FIELD rises by=N [within=FIELD]" */
static int key_holds(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_holds *h = &l->holds[l->holds_count];

	if (l->holds_count == MP_HOLDS_MAX)
		return mp_layout_words_refuse(p, "too many holds lines");
	*h = (struct mp_holds){.other = -1, .scale = 1};
	if (p->count < 4 || (!mp_layout_words_is(p, 2, "<=") && !mp_layout_words_is(p, 2, "rises")))
		return mp_layout_words_refuse(p,
		    "expected: holds FIELD <= FIELD [scale=N], holds FIELD <= NUMBER, or holds FIELD rises by=N [within=FIELD]");
	if (mp_layout_words_unsigned(p, 1, &h->field))
		return -1;
	if (mp_layout_words_is(p, 2, "rises")) {
		if (holds_rises(p, h))
			return -1;
		l->holds_count++;
		return 0;
	}
	if (p->words[3].text[0] >= '0' && p->words[3].text[0] <= '9') {
		if (mp_layout_words_number(p, 3, INT64_MAX, &h->most))
			return -1;
	} else if (mp_layout_words_unsigned(p, 3, &h->other)) {
		return -1;
	}
	if (p->count > 4 && (h->other < 0 || mp_layout_words_after(p, 4, "scale=", UINT32_MAX, &h->scale)))
		return h->other < 0 ? mp_layout_words_refuse_at(p, "unexpected", 4) : -1;
	l->holds_count++;
	return 0;
}

/* "assumed COLUMN..." */
static int key_assumed(struct mp_layout_words *p)
{
	for (int i = 1; i < p->count; i++) {
		char name[MP_NAME_SIZE];
		int column;

		if (mp_layout_words_name(p, i, name))
			return -1;
		column = mp_layout_column(p->layout, name);
		if (column < 0)
			return mp_layout_words_refuse_at(p, "unknown column:", i);
		p->layout->columns[column].assumed = true;
	}
	return p->count > 1 ? 0 : mp_layout_words_refuse(p, "column missing");
}

/* "KEY" after `prefix`: one word of a marker */
static int word_key(struct mp_layout_words *p, int index, const char *prefix, char key[MP_NAME_SIZE])
{
	if (!mp_layout_words_strip(p, index, prefix))
		return mp_layout_words_refuse(p, "expected: done bytes=KEY [start=KEY unit=UNIT]");
	return mp_layout_words_name(p, index, key);
}

/* "done bytes=KEY [start=KEY unit=UNIT]" */
static int key_done(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;

	if (word_key(p, 1, "bytes=", l->done_bytes))
		return -1;
	if (p->count == 2)
		return 0;
	if (word_key(p, 2, "start=", l->done_start) || mp_layout_words_unit(p, 3, &l->done_unit))
		return -1;
	if (l->done_unit != MP_UNIT_NS && l->done_unit != MP_UNIT_US)
		return mp_layout_words_refuse(p, "a marker tells ns or us");
	return 0;
}

int mp_layouts_soc(const struct mp_layouts *set, const char *name)
{
	for (int i = 0; i < set->soc_count; i++)
		if (strcmp(set->socs[i].name, name) == 0)
			return i;
	return -1;
}

/* "soc NAME..." of a layout */
static int key_soc(struct mp_layout_words *p)
{
	uint32_t socs = 0;

	for (int i = 1; i < p->count; i++) {
		char name[MP_NAME_SIZE];
		int soc;

		if (mp_layout_words_name(p, i, name))
			return -1;
		soc = mp_layouts_soc(p->set, name);
		if (soc < 0)
			return mp_layout_words_refuse_at(p, "unknown soc:", i);
		socs |= UINT32_C(1) << soc;
	}
	if (!socs)
		return mp_layout_words_refuse(p, "name missing");
	p->layout->socs = socs;
	return 0;
}

/* Make room for a soc, before those of earlier texts: the last of them fits every job. Layouts know socs by their
 * place. */
static int add_soc(struct mp_layout_words *p)
{
	struct mp_layouts *set = p->set;
	int at = p->socs_before ? p->socs_new++ : set->soc_count;
	uint32_t lower = (UINT32_C(1) << at) - 1;

	memmove(&set->socs[at + 1], &set->socs[at], (size_t)(set->soc_count - at) * sizeof(set->socs[0]));
	set->soc_count++;
	for (size_t i = 0; i < set->count; i++) {
		uint32_t *socs = &set->items[i]->socs;

		if (*socs != UINT32_MAX)
			*socs = (*socs & lower) | (*socs & ~lower) << 1;
	}
	return at;
}

/* "soc NAME "TITLE"" begins the description of a soc; one of the same name is replaced. */
int mp_layout_open_soc(struct mp_layout_words *p)
{
	struct mp_layouts *set = p->set;
	struct mp_soc soc = {.when_count = 0};
	int at;

	if (mp_layout_words_name(p, 1, soc.name))
		return -1;
	if (p->count != 3 || !mp_layout_words_copy(p, 2, soc.title))
		return mp_layout_words_refuse(p, "expected: soc NAME \"TITLE\", of at most 31 characters");
	at = mp_layouts_soc(set, soc.name);
	if (at < 0 && set->soc_count == MP_SOC_MAX)
		return mp_layout_words_refuse(p, "too many socs");
	p->soc = &set->socs[at < 0 ? add_soc(p) : at];
	*p->soc = soc;
	return 0;
}

/* "when info.json has|lacks KEY" */
static int soc_when(struct mp_layout_words *p)
{
	struct mp_soc *soc = p->soc;

	if (soc->when_count == MP_SOC_WHEN_MAX)
		return mp_layout_words_refuse(p, "too many conditions");
	if (p->count != 4 || !mp_layout_words_is(p, 1, "info.json") ||
	    (!mp_layout_words_is(p, 2, "has") && !mp_layout_words_is(p, 2, "lacks")))
		return mp_layout_words_refuse(p, "expected of a soc: when info.json has|lacks KEY");
	if (mp_layout_words_name(p, 3, soc->whens[soc->when_count].key))
		return -1;
	soc->whens[soc->when_count++].has = mp_layout_words_is(p, 2, "has");
	return 0;
}

/* "tell KEY VALUE": what the library writes of the soc into info.json.N, beside what it measures. */
static int soc_tell(struct mp_layout_words *p)
{
	struct mp_soc *soc = p->soc;

	if (soc->tell_count == MP_SOC_TELL_MAX)
		return mp_layout_words_refuse(p, "too many members");
	if (p->count != 3 || !mp_layout_words_copy(p, 2, soc->tells[soc->tell_count].value))
		return mp_layout_words_refuse(p, "expected of a soc: tell KEY VALUE, of at most 31 characters");
	if (mp_layout_words_name(p, 1, soc->tells[soc->tell_count].key))
		return -1;
	soc->tell_count++;
	return 0;
}

int mp_layout_soc_line(struct mp_layout_words *p)
{
	if (mp_layout_words_is(p, 0, "when"))
		return soc_when(p);
	if (mp_layout_words_is(p, 0, "tell"))
		return soc_tell(p);
	return mp_layout_words_refuse(p, "expected of a soc: when info.json has|lacks KEY, or tell KEY VALUE");
}

const struct mp_layout_keyword mp_layout_rules[] = {
    {"soc", key_soc, 7, MP_WORD_MAX},
    {"done", key_done, 1, 4},
    {"sequence", key_sequence, 1, 2},
    {"agrees", key_agrees, 1, 3},
    {"holds", key_holds, 1, 5},
    {"assumed", key_assumed, 1, MP_WORD_MAX},
    {"beside", key_beside, 2, 2},
    {"series", key_series, 2, 5},
    {.name = NULL},
};
