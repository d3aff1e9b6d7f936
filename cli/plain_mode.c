/* plain_mode.c: reads MSPROF_PLAIN, which switches fast paths off for support and as a check. */
#include "plain_mode.h"

#include <stdlib.h>
#include <string.h>

#include "store/db.h"

static const struct mechanism {
	const char *name;
	unsigned plain;
} mechanisms[] = {{"0", 0}, {"1", MP_PLAIN_ALL}, {"expressions", MP_PLAIN_EXPRESSIONS}, {"leaves", MP_PLAIN_LEAVES},
    {"pages", MP_PLAIN_PAGES}, {"threads", MP_PLAIN_THREADS}};

static const struct mechanism *find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++)
		if (strlen(mechanisms[i].name) == len && memcmp(mechanisms[i].name, name, len) == 0)
			return &mechanisms[i];
	return NULL;
}

int plain_mode_read(unsigned *plain, struct mp_error *err)
{
	const char *text = getenv("MSPROF_PLAIN");

	*plain = 0;
	while (text && *text) {
		size_t len = strcspn(text, ",");
		const struct mechanism *m = find(text, len);

		if (!m)
			return mp_fail(err,
			    "MSPROF_PLAIN: invalid value '%.*s' (0, 1, or a list of expressions, leaves, pages, threads)",
			    (int)len, text);
		*plain |= m->plain;
		text += len;
		text += *text == ',';
	}
	return 0;
}
