/* sql_token.h: pieces of SQL text as tokens. Tokens borrow the text. */
#ifndef MP_STORE_SQL_TOKEN_H
#define MP_STORE_SQL_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of SQL. */
struct mp_range {
	const char *at, *end;
};

enum mp_token_kind {
	MP_TOKEN_END,
	MP_TOKEN_NAME,
	MP_TOKEN_QUOTED,
	MP_TOKEN_STRING,
	MP_TOKEN_INT,
	MP_TOKEN_REAL,
	MP_TOKEN_PARAMETER,
	MP_TOKEN_SIGN,
	MP_TOKEN_UNKNOWN
};

struct mp_token {
	enum mp_token_kind kind;
	const char *text;
	size_t len;
};

/* Take the next token off the range. What begins nothing that is known is UNKNOWN, of length 0, and takes the rest. */
struct mp_token mp_token_next(struct mp_range *range);
/* Whether it is that word (whatever its case) or sign. */
bool mp_token_is(const struct mp_token *t, const char *word);
/* Whether it is a name, and that one: quotes and case do not count. */
bool mp_token_is_name(const struct mp_token *t, const char *name, size_t len);

#endif
