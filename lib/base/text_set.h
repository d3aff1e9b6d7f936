/*
 * text_set.h: texts by numbers from 0 on; equal texts have one number.
 *
 * A struct of zeros is empty. The struct owns its copies; free with mp_text_set_free. One thread.
 */
#ifndef MP_BASE_TEXT_SET_H
#define MP_BASE_TEXT_SET_H

#include <stddef.h>
#include <stdint.h>

struct mp_text_set {
	char **items;
	size_t count, room;
	uint32_t *slots;
	size_t slot_count;
};

/* The number of a text, which ends at `len` or a NUL; -1: out of memory. */
int64_t mp_text_set_add(struct mp_text_set *set, const char *text, size_t len);

void mp_text_set_free(struct mp_text_set *set);

#endif
