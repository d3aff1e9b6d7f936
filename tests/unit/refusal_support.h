/* refusal_support.h: texts of layouts that are refused, and why. */
#ifndef MP_TESTS_REFUSAL_SUPPORT_H
#define MP_TESTS_REFUSAL_SUPPORT_H

#include "support.h"

/* Lines 1 to 4 of most cases: everything that a layout needs except fields. */
#define HEAD "record r v1 verified\nfile \"f\"\ntable t\nsize 8\n"
#define FULL HEAD "field x u64 @0\n"

struct refusal {
	const char *text, *message;
};

/* Require that each text is refused with its message. */
static inline void check_refusals(const struct refusal *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct mp_layouts set = {0};
		struct mp_error err = {.text = ""};

		if (mp_layouts_parse(&set, "t.rec", cases[i].text, &err) != -1)
			fail_msg("accepted: %s", cases[i].text);
		if (strncmp(err.text, cases[i].message, strlen(cases[i].message)) != 0)
			fail_msg("\"%s\" is not \"%s\"", err.text, cases[i].message);
		mp_layouts_free(&set);
	}
}

#endif
