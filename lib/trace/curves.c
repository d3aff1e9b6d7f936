/* curves.c: keys of curves as texts, so that one index serves all. */
#include "trace/curves.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { NAME_MAX_BYTES = 400 };

uint32_t *mp_trace_curves_find(struct mp_trace_curves *c, uint32_t process, int column, const struct mp_value *name)
{
	char key[sizeof(process) + sizeof(column) + NAME_MAX_BYTES];
	const size_t head = sizeof(process) + sizeof(column);
	size_t len = name->len <= NAME_MAX_BYTES ? name->len : mp_cut(name->text, NAME_MAX_BYTES);
	struct mp_value text;
	bool is_new;
	uint32_t number;

	memcpy(key, &process, sizeof(process));
	memcpy(key + sizeof(process), &column, sizeof(column));
	memcpy(key + head, name->text, len);
	text = mp_text(key, head + len);
	number = mp_trace_texts_number(&c->keys, &text, &is_new);
	if (number > c->room) {
		size_t room = 2 * (size_t)number;
		uint32_t *tracks = realloc(c->tracks, room * sizeof(*tracks));

		if (!tracks)
			return NULL;
		c->tracks = tracks;
		c->room = room;
	}
	if (!number)
		return NULL;
	if (is_new)
		c->tracks[number - 1] = 0;
	return &c->tracks[number - 1];
}

void mp_trace_curves_free(struct mp_trace_curves *c)
{
	mp_trace_texts_free(&c->keys);
	free(c->tracks);
	memset(c, 0, sizeof(*c));
}
