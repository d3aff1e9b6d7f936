/*
 * ini.h: the lines of an ini file: "[section]" and "key = value".
 *
 *	struct mp_ini ini = mp_ini_begin(text, len);
 *	while ((kind = mp_ini_next(&ini)) != MP_INI_END)
 *		... ini.line, ini.name, ini.value
 *
 * A value is the rest of its line without blanks around it, because a password may contain any character. Lines that
 *are empty or begin with '#' or ';' are skipped, and so is a byte order mark. Nothing is copied: name and value lie in
 *the text, which the caller owns, and do not end with a NUL.
 */
#ifndef MP_BASE_INI_H
#define MP_BASE_INI_H

#include <stddef.h>

enum mp_ini_kind {
	MP_INI_END,
	MP_INI_SECTION, /* name: what is between the brackets; value: empty */
	MP_INI_PAIR,    /* name, value */
	MP_INI_OTHER,   /* a line of another form; name: the line */
	MP_INI_NUL      /* a line with a NUL byte */
};

struct mp_ini {
	int line; /* from 1 */
	const char *name, *value;
	size_t name_len, value_len;
	const char *at, *end;
};

struct mp_ini mp_ini_begin(const char *text, size_t len);

enum mp_ini_kind mp_ini_next(struct mp_ini *ini);

#endif
