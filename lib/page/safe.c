/* safe.c: replaces the characters with a meaning in HTML. Knows no document. */
#include "page/safe.h"

#include <stdbool.h>
#include <stddef.h>

enum { BUFFER_SIZE = 256 * 1024 };

/* The first two bytes of U+2028 and U+2029, which end in 0xa8 and 0xa9. */
static const char separator[] = "\xe2\x80";

static const char *escape_of(unsigned char c)
{
	switch (c) {
	case '<':
		return "\\u003c";
	case '>':
		return "\\u003e";
	case '&':
		return "\\u0026";
	default:
		return NULL;
	}
}

/* The byte after the first two of a separator. */
static bool end_separator(struct mp_safe *s, unsigned char c)
{
	s->seen = 0;
	if (c != 0xa8 && c != 0xa9) {
		mp_out_write(s->to, separator, 2);
		return false;
	}
	mp_out_text(s->to, c == 0xa8 ? "\\u2028" : "\\u2029");
	return true;
}

static bool is_plain(unsigned char c)
{
	return c != '<' && c != '>' && c != '&' && c != 0xe2;
}

static void pass(struct mp_safe *s, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size;) {
		unsigned char c = (unsigned char)bytes[i];
		size_t plain = i;

		if (s->seen == 2) {
			i += end_separator(s, c);
		} else if (s->seen == 1) {
			s->seen = c == 0x80 ? 2 : 0;
			if (s->seen)
				i++;
			else
				mp_out_write(s->to, separator, 1);
		} else if (c == 0xe2) {
			s->seen = 1;
			i++;
		} else if (escape_of(c)) {
			mp_out_text(s->to, escape_of(c));
			i++;
		} else {
			while (plain < size && is_plain((unsigned char)bytes[plain]))
				plain++;
			mp_out_write(s->to, bytes + i, plain - i);
			i = plain;
		}
	}
}

static void full(void *user)
{
	struct mp_safe *s = user;
	size_t size;
	const char *bytes = mp_out_kept(s->json, &size);

	pass(s, bytes, size);
	mp_out_restart(s->json);
}

int mp_safe_open(struct mp_safe *s, struct mp_out *to, struct mp_error *err)
{
	*s = (struct mp_safe){.to = to};
	return mp_out_keep(&s->json, BUFFER_SIZE, full, s, err);
}

int mp_safe_close(struct mp_safe *s, struct mp_error *err)
{
	int status = mp_out_error(s->json, err);

	full(s);
	mp_out_write(s->to, separator, (size_t)s->seen);
	mp_out_abort(s->json);
	return status || mp_out_error(s->to, err) ? -1 : 0;
}
