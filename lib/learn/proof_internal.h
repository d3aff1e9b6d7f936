/*
 * proof_internal.h: what the parts of the proof share. For lib/learn/proof*.c only.
 *
 * A cell is compared with what the records say under several rules at once: MP_ROUNDINGS roundings of up to MP_VARIANTS
 * variants, such as KB of 1000 or of 1024 bytes. The result is a set of bits, one a rule; a column then keeps the one
 * rule that makes most of its cells equal. Functions that return int give 0, or -1 with err.
 */
#ifndef MP_LEARN_PROOF_INTERNAL_H
#define MP_LEARN_PROOF_INTERNAL_H

#include "learn/proof.h"
#include "store/db.h"

enum { MP_ROUNDINGS = 4, MP_VARIANTS = 4, MP_RULES = MP_ROUNDINGS * MP_VARIANTS };
enum { MP_ALL_RULES = (1 << MP_RULES) - 1, MP_NOT_COMPARED = 1 << MP_RULES };

#define MP_PROOF_MISSING INT64_MIN

/* An exact number between low/den and high/den; both are the same unless the records have rounded it. */
struct mp_amount {
	__int128 low, high, den;
};

/* What the records say of a cell. */
struct mp_expected {
	enum mp_expected_kind {
		MP_EXPECT_NO_RULE,     /* there is no such variant */
		MP_EXPECT_NOTHING,     /* the records have no value */
		MP_EXPECT_NO_QUOTIENT, /* division by 0 */
		MP_EXPECT_AMOUNT,
		MP_EXPECT_TEXT,
		MP_EXPECT_TASK_TYPE, /* text is "AA_CORE" or "AA_CPU" */
		MP_EXPECT_WORD       /* text, in any case of letters */
	} kind;
	struct mp_amount amount;
	const char *text;
};

/* How the numbers of a column are written. */
struct mp_written {
	int decimals;
	bool is_long; /* most are quotients with all digits of a double */
};

/* The layers of a task, or the name of a call, as places in the text; 0: missing. */
struct mp_proof_words {
	int64_t net_id, task_id, stream_id;
	uint32_t ids, names, types, oris;
};

struct mp_dictionary {
	struct mp_proof_words *items; /* in order of net, task and stream */
	size_t count, room;
	char *text;
	size_t used, text_room;
};

enum { MP_COUNTERS = 8, MP_BYTES_READ = 8, MP_BYTES_WRITTEN, MP_NUMBERS };

/* A task or call, or the sum of several; numbers may be MP_PROOF_MISSING. */
struct mp_proof_item {
	int64_t start_ns, start_tick, dur_ns, cycles;
	int64_t id, stream; /* of a call: process and thread */
	int64_t numbers[MP_NUMBERS];
	uint64_t key;   /* of a match */
	uint32_t words; /* index in the dictionary + 1; 0: unknown */
	uint32_t parts; /* how many were added up */
	int64_t kind;   /* of a call; of a task 0: AA Core, 1: AA CPU */
	bool used;
};

/* The tasks or calls that a reference may show. */
struct mp_proof_items {
	struct mp_proof_item *at;
	size_t count, room;
	const struct mp_dictionary *words;
	bool are_calls;
	int64_t core_mhz; /* 0: unknown, or several */
	/* cycles of a microsecond, as reports count them; of calls: the counts of their durations, which are the cycles
	 */
	int64_t rate;
	bool has_cycles, has_ticks; /* all items have them, and rate or core_mhz is known */
	bool exact_ns;              /* moments in ns were not rounded by the layout */
};

/* A reference, and how its cells are compared with the records. */
struct mp_proof_table {
	const struct mp_reference *ref;
	struct mp_written *written; /* one a column */
	const void *user;
	/* The rules under which a cell is equal, or MP_NOT_COMPARED. Row ref->row_count is the total. */
	unsigned (*rules)(const struct mp_proof_table *table, size_t row, int column);
	/* What the records say of a cell, by one variant. */
	struct mp_expected (*expected)(const struct mp_proof_table *table, size_t row, int column, int variant);
};

/* proof_exact.c: numbers. */
__int128 mp_proof_power(int decimals);
/* Round num/den (den > 0) to a whole number by rounding 0 to 3: half to even, half up, cut, and as a double would be.
 */
__int128 mp_proof_round(__int128 num, __int128 den, int rounding);
unsigned mp_proof_same_amount(const struct mp_cell *cell, struct mp_written written, const struct mp_amount *amount);
void mp_proof_amount_text(const struct mp_amount *amount, int decimals, int rounding, char *text, size_t size);
/* Whether a number is written with all digits of a double. */
bool mp_proof_is_long(const struct mp_cell *cell);
/* The number of a cell times 10^decimals. A double close to a number of so few decimals stands for that number. */
bool mp_proof_value(const struct mp_cell *cell, int decimals, __int128 *value);

/* proof_text.c: texts. */
bool mp_proof_same_text(const char *cell, const char *text);
bool mp_proof_is_cut(const char *cell);
bool mp_proof_is_empty(const char *cell);
uint64_t mp_proof_hash(uint64_t hash, const char *text, size_t len);
/* The next item of a list: begins at *at, which is moved behind it; returns its length. NULL at the end. */
const char *mp_proof_item_of_list(const char **at, size_t *len);

/* proof_table.c: tables. */
const struct mp_cell *mp_proof_cell(const struct mp_reference *ref, size_t row, int column);
unsigned mp_proof_rules(
    const struct mp_cell *cell, struct mp_written written, const struct mp_expected *expected, int variant);
struct mp_written *mp_proof_written(const struct mp_reference *ref, struct mp_error *err);
/* Compare all cells; adds to cells and equal, and sets the first difference. */
void mp_proof_count(const struct mp_proof_table *table, struct mp_proof_line *line);

/* proof_load.c: the database. */
int mp_proof_load_words(struct mp_dictionary *words, struct mp_db *db, struct mp_error *err);
void mp_dictionary_free(struct mp_dictionary *words);
int mp_proof_load_tasks(
    struct mp_proof_items *items, struct mp_db *db, const struct mp_identity *identity, struct mp_error *err);
/* The names of calls are added to `words`, which is empty at first. */
int mp_proof_load_calls(struct mp_proof_items *items, struct mp_dictionary *words, struct mp_db *db,
    const struct mp_identity *identity, struct mp_error *err);
const char *mp_proof_word(
    const struct mp_proof_items *items, const struct mp_proof_item *item, enum mp_meaning meaning);

/* proof_items.c: tables of tasks and calls. */
int mp_proof_compare_items(
    struct mp_proof_line *line, const struct mp_reference *ref, struct mp_proof_items *items, struct mp_error *err);
/* proof_sums.c: statistics. */
/* The name of a kind of calls, or NULL. */
const char *mp_proof_kind_name(int64_t kind);
int mp_proof_compare_sums(struct mp_proof_line *line, const struct mp_reference *ref,
    const struct mp_proof_items *items, struct mp_error *err);

/* The duration of an item in units of `unit` ns. There is one variant. */
struct mp_expected mp_proof_duration(
    const struct mp_proof_items *items, const struct mp_proof_item *item, int64_t unit, int variant);

/* proof_match.c: which item a row shows. */
struct mp_matcher {
	const struct mp_reference *ref;
	struct mp_proof_items *items;
	void *user;
	/* how many cells of a row are equal to those of an item, counting stops at the first other cell if `all` */
	size_t (*score)(void *user, size_t row, const struct mp_proof_item *item, bool all);
	size_t full; /* the score when all cells are equal */
};
/* Store the index of each row's item, or SIZE_MAX. Sorts the items. The caller frees *match. */
int mp_proof_match(size_t **match, const struct mp_matcher *matcher, struct mp_error *err);

#endif
