/* curves.c: keys of curves as texts, so that one index serves all. */
#include "trace/curves.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"

enum { NAME_MAX_BYTES = 400 };

uint32_t *mp_trace_curves_find(struct mp_trace_curves *c, uint32_t process, int column, const struct mp_value *name)
{
	char key[sizeof(process) + sizeof(column) + NAME_MAX_BYTES];
	const size_t head = sizeof(process) + sizeof(column);
	size_t len = name->len <= NAME_MAX_BYTES ? name->len : mp_cut(name->text, NAME_MAX_BYTES);
	bool is_new;
	uint32_t number;

	memcpy(key, &process, sizeof(process));
	memcpy(key + sizeof(process), &column, sizeof(column));
	memcpy(key + head, name->text, len);
	number = mp_trace_texts_number(
	    &c->keys, &(struct mp_value){.type = MP_TEXT, .text = key, .len = head + len}, &is_new);
	if (!number)
		return NULL;
	while (c->count < number) {
		if (!mp_vec_room(c->tracks, c->count, 1))
			return NULL;
		c->tracks[c->count++] = 0;
	}
	return &c->tracks[number - 1];
}

void mp_trace_curves_free(struct mp_trace_curves *c)
{
	mp_trace_texts_free(&c->keys);
	free(c->tracks);
	memset(c, 0, sizeof(*c));
}
