/* sql_token.h: splits SQL text into tokens. Tokens borrow the text. No allocation, no state, no errors; any thread. */
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

/*
 * Take the next token from the range; blanks and comments are skipped. Text that begins no known token gives
 * MP_TOKEN_UNKNOWN of length 0 and empties the range.
 */
struct mp_token mp_token_next(struct mp_range *range);
/* Returns whether a token is this word, in upper or lower case, or this sign. */
bool mp_token_is(const struct mp_token *t, const char *word);
/* Returns whether a token is this name. Quotes and case do not count. */
bool mp_token_is_name(const struct mp_token *t, const char *name, size_t len);

#endif
