/*
 * layout_words.h: splits a line of a layout file into words, and reads words as numbers, names and types.
 *
 * Internal to the layout parser. Words borrow the text of the line. Functions that return int give 0, or -1 with
 * "FILE:LINE: reason" in p->err.
 */
#ifndef MP_RAW_LAYOUT_WORDS_H
#define MP_RAW_LAYOUT_WORDS_H

#include "raw/layout.h"

enum { MP_WORD_MAX = 24 };

struct mp_word {
	const char *text;
	size_t len;
	bool quoted;
};

struct mp_layout_words {
	struct mp_layouts *set;
	struct mp_layout *layout; /* the layout being parsed */
	const char *origin;
	int line;
	struct mp_word words[MP_WORD_MAX];
	int count;
	struct mp_error *err;
};

/* Split a line. Words are separated by blanks; "..." is one word without its quotes; # begins a comment. */
int mp_layout_words_split(struct mp_layout_words *p, const char *s, size_t len);

/* Set the error "FILE:LINE: reason", optionally followed by the word at `index`, and give -1. */
#define mp_layout_words_refuse(p, reason) (mp_layout_words_error(p, reason, -1), mp_failed())
#define mp_layout_words_refuse_at(p, reason, index) (mp_layout_words_error(p, reason, index), mp_failed())
void mp_layout_words_error(struct mp_layout_words *p, const char *reason, int index);
/* Returns whether the word at `index` is `text`. */
bool mp_layout_words_is(const struct mp_layout_words *p, int index, const char *text);

/* Read an unsigned number, decimal or 0x..., at most `max`. */
int mp_layout_words_number(struct mp_layout_words *p, int index, uint64_t max, uint64_t *value);

/* Read an offset such as "@12". */
int mp_layout_words_offset(struct mp_layout_words *p, int index, size_t *offset);

/* Read a name of lower-case letters, digits, '_' and '.'. */
int mp_layout_words_name(struct mp_layout_words *p, int index, char name[MP_NAME_SIZE]);

/* Read a type and set kind, width and mask of f: u8 .. u64, i8 .. i64, f32, f64, hash, char[N], bytes[N], mixed[N]. */
int mp_layout_words_type(struct mp_layout_words *p, int index, struct mp_field *f);

/* Add a column to the layout. */
int mp_layout_add_column(struct mp_layout_words *p, struct mp_column column);

/* The statements that compute columns from fields, and those that name fields. */
int mp_layout_key_sequence(struct mp_layout_words *p);
int mp_layout_key_time(struct mp_layout_words *p);
int mp_layout_key_duration(struct mp_layout_words *p);
int mp_layout_key_cycles(struct mp_layout_words *p);
int mp_layout_key_value(struct mp_layout_words *p);
int mp_layout_key_share(struct mp_layout_words *p);
int mp_layout_key_map(struct mp_layout_words *p);
int mp_layout_key_json_value(struct mp_layout_words *p);
int mp_layout_key_each(struct mp_layout_words *p);
int mp_layout_key_zip(struct mp_layout_words *p);
int mp_layout_key_wrap(struct mp_layout_words *p);
int mp_layout_key_pair(struct mp_layout_words *p);
int mp_layout_key_beside(struct mp_layout_words *p);
int mp_layout_key_series(struct mp_layout_words *p);

/* Read "bits LOW..HIGH" at words[index] into f. */
int mp_layout_words_bits(struct mp_layout_words *p, int index, struct mp_field *f);

#endif
