/* layout_items.c: parses the statements that describe items of tag, length and value. */
#include "raw/layout_words.h"

#include <string.h>

/* "model begin u32 @OFFSET + u32 @OFFSET": where the items of a model file begin */
int mp_layout_key_model(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;

	if (p->count != 7 || !mp_layout_words_is(p, 1, "begin") || !mp_layout_words_is(p, 2, "u32") ||
	    !mp_layout_words_is(p, 4, "+") || !mp_layout_words_is(p, 5, "u32"))
		return mp_layout_words_refuse(p, "expected: model begin u32 @OFFSET + u32 @OFFSET");
	if (mp_layout_words_offset(p, 3, &l->begins[0]) || mp_layout_words_offset(p, 6, &l->begins[1]))
		return -1;
	l->is_model = true;
	return 0;
}

/* A form: "u16" is a number, "u16[]" are bytes after their number. */
static int word_form(struct mp_layout_words *p, int index, struct mp_form *form)
{
	struct mp_word *w = &p->words[index];
	struct mp_field type = {.offset = 0};

	form->is_bytes = w->len > 2 && memcmp(w->text + w->len - 2, "[]", 2) == 0;
	w->len -= form->is_bytes ? 2 : 0;
	if (mp_layout_words_type(p, index, &type))
		return -1;
	if (type.kind != MP_FIELD_UINT || (form->is_bytes && type.width == 8))
		return mp_layout_words_refuse_at(
		    p, "a form must be u8, u16, u32 or u64, or u8[], u16[] or u32[]:", index);
	form->width = type.width;
	return 0;
}

/* "tag TYPE form LOW..HIGH FORM...": the forms 1, 2, ... */
int mp_layout_key_tag(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_field tag = {.offset = 0};

	if (l->tag_width)
		return mp_layout_words_refuse(p, "tag is given twice");
	if (mp_layout_words_type(p, 1, &tag) || p->count < 5 || !mp_layout_words_is(p, 2, "form"))
		return mp_layout_words_refuse(p, "expected: tag TYPE form LOW..HIGH FORM...");
	p->words[2].text = "bits";
	p->words[2].len = 4;
	if (mp_layout_words_bits(p, 2, &tag))
		return -1;
	if (tag.shift + (unsigned)__builtin_popcountll(tag.mask) != tag.width * 8 || tag.shift == 0)
		return mp_layout_words_refuse(p, "the form must be in the highest bits of the tag");
	l->tag_width = tag.width;
	l->form_shift = tag.shift;
	for (int i = 4; i < p->count; i++) {
		if (l->form_count == MP_FORM_MAX || (uint64_t)l->form_count + 1 > tag.mask)
			return mp_layout_words_refuse(p, "more forms than the tag tells apart");
		if (word_form(p, i, &l->forms[l->form_count]))
			return -1;
		l->form_count++;
	}
	return 0;
}

/* A number of an item: a tag without its form */
static int word_tag(struct mp_layout_words *p, int index, uint64_t *tag)
{
	if (!p->layout->tag_width)
		return mp_layout_words_refuse(p, "a tag line must come first");
	return mp_layout_words_number(p, index, (UINT64_C(1) << p->layout->form_shift) - 1, tag);
}

/* "each TAG" */
int mp_layout_key_each(struct mp_layout_words *p)
{
	return word_tag(p, 1, &p->layout->each);
}

/* "item NAME number|text TAG" */
int mp_layout_key_item(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_ITEM, .is_text = mp_layout_words_is(p, 2, "text")};

	if (p->count != 4 || (!c.is_text && !mp_layout_words_is(p, 2, "number")))
		return mp_layout_words_refuse(p, "expected: item NAME number|text TAG");
	if (mp_layout_words_name(p, 1, c.name) || word_tag(p, 3, &c.num))
		return -1;
	return mp_layout_add_column(p, c);
}
