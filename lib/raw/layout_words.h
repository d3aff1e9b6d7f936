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
	struct mp_layout *layout; /* the layout being parsed, or NULL */
	struct mp_soc *soc;       /* the soc being described, or NULL */
	int socs_before;          /* of earlier texts; the new ones of this text are tried before them */
	int socs_new;
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
/* Returns whether the word at `index` is `text`; the number of the one that it is, in a list that ends with NULL, or
 * -1.
 */
bool mp_layout_words_is(const struct mp_layout_words *p, int index, const char *text);
int mp_layout_words_choose(const struct mp_layout_words *p, int index, const char *const *words);

/* Take a prefix from a word. Returns false for a word without it, or with nothing behind it. */
bool mp_layout_words_strip(struct mp_layout_words *p, int index, const char *prefix);

/* Copy a word. Returns false when it is missing, empty or too long. */
bool mp_layout_words_copy(const struct mp_layout_words *p, int index, char text[MP_NAME_SIZE]);

/* Read an unsigned number, decimal or 0x..., at most `max`. */
int mp_layout_words_number(struct mp_layout_words *p, int index, uint64_t max, uint64_t *value);

/* Read an offset such as "@12". */
int mp_layout_words_offset(struct mp_layout_words *p, int index, size_t *offset);

/* Read a name of lower-case letters, digits, '_' and '.'. */
int mp_layout_words_name(struct mp_layout_words *p, int index, char name[MP_NAME_SIZE]);

/* Read a type and set kind, width and mask of f: u8 .. u64, i8 .. i64, hash, char[N], bytes[N], mixed[N]. */
int mp_layout_words_type(struct mp_layout_words *p, int index, struct mp_field *f);

/* Read the name of an unsigned field of the layout. */
int mp_layout_words_unsigned(struct mp_layout_words *p, int index, int *field);

/* Read "PREFIX" and a number from 1 to `max` as one word. */
int mp_layout_words_after(struct mp_layout_words *p, int index, const char *prefix, uint64_t max, uint64_t *value);

/* Read "unit=UNIT". */
int mp_layout_words_unit(struct mp_layout_words *p, int index, enum mp_unit *unit);

/* Add a column to the layout. */
int mp_layout_add_column(struct mp_layout_words *p, struct mp_column column);

/* A keyword of a layout, and its function. The lists end with a NULL name. */
struct mp_layout_keyword {
	const char *name;
	int (*parse)(struct mp_layout_words *p);
	unsigned kinds; /* bit set of enum mp_record_kind that may have the keyword */
	int words_max;
};

/* Those that compute columns from fields, or describe items; those about records as a whole, or about texts. */
extern const struct mp_layout_keyword mp_layout_derived[], mp_layout_rules[];

/* The lines of a soc. */
int mp_layout_open_soc(struct mp_layout_words *p);
int mp_layout_soc_line(struct mp_layout_words *p);

/* Read "bits LOW..HIGH" at words[index] into f. */
int mp_layout_words_bits(struct mp_layout_words *p, int index, struct mp_field *f);

#endif
