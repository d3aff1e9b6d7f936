/* ini.c: splits an ini file into its lines. Knows no key. */
#include "base/ini.h"

#include <stdbool.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void trim(const char **text, size_t *len)
{
	while (*len && is_blank((*text)[*len - 1]))
		--*len;
	while (*len && is_blank(**text)) {
		++*text;
		--*len;
	}
}

struct mp_ini mp_ini_begin(const char *text, size_t len)
{
	struct mp_ini ini = {.at = text, .end = text + len};

	if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* a byte order mark of Windows */
		ini.at += 3;
	return ini;
}

/* Sort out one trimmed line, which is not empty. */
static enum mp_ini_kind split(struct mp_ini *ini, const char *line, size_t len)
{
	const char *equals = memchr(line, '=', len);

	ini->name = line;
	ini->name_len = len;
	ini->value = line + len;
	ini->value_len = 0;
	if (len >= 2 && line[0] == '[' && line[len - 1] == ']') {
		ini->name++;
		ini->name_len -= 2;
		return MP_INI_SECTION;
	}
	if (!equals || line[0] == '[')
		return MP_INI_OTHER;
	ini->name_len = (size_t)(equals - line);
	ini->value = equals + 1;
	ini->value_len = len - ini->name_len - 1;
	trim(&ini->name, &ini->name_len);
	trim(&ini->value, &ini->value_len);
	return MP_INI_PAIR;
}

enum mp_ini_kind mp_ini_next(struct mp_ini *ini)
{
	while (ini->at < ini->end) {
		const char *stop = memchr(ini->at, '\n', (size_t)(ini->end - ini->at));
		const char *line = ini->at;
		size_t len = (size_t)((stop ? stop : ini->end) - line);

		ini->at = stop ? stop + 1 : ini->end;
		ini->line++;
		if (memchr(line, '\0', len))
			return MP_INI_NUL;
		trim(&line, &len);
		if (len && *line != '#' && *line != ';')
			return split(ini, line, len);
	}
	return MP_INI_END;
}
