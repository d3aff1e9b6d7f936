/* words.c: for each dictionary a direct-mapped cache of rows, and a prepared statement for other rows. */
#include "store/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { SLOT_BITS = 13, TABLE_MAX = 16, KEPT_MAX = 8 << 20, NAME_SIZE = 64 };

/* A cached row; the texts follow the values. */
struct word_row {
	struct word_row *next; /* in the list of removed rows */
	int64_t key;
	struct mp_scalar values[];
};

struct mp_words {
	struct mp_words *next;
	struct mp_db *db;
	char name[NAME_SIZE];
	sqlite3_stmt *statement;
	int columns;
	size_t kept;          /* bytes of rows in slots */
	struct word_row *out; /* rows removed from slots, whose values may still be in use */
	struct word_row *slots[1 << SLOT_BITS];
};

static void free_rows(struct word_row *row)
{
	while (row) {
		struct word_row *next = row->next;

		free(row);
		row = next;
	}
}

static void free_words(struct mp_words *w)
{
	sqlite3_finalize(w->statement); /* repeats the error of the last step */
	free_rows(w->out);
	for (size_t i = 0; i < 1 << SLOT_BITS; i++)
		free(w->slots[i]);
	free(w);
}

static struct mp_words *open_words(struct mp_db *db, const char *table, size_t len)
{
	struct mp_words *w = calloc(1, sizeof(*w));
	char sql[NAME_SIZE + 64];

	if (!w)
		return NULL;
	w->db = db;
	snprintf(w->name, sizeof(w->name), "%.*s", (int)len, table);
	snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\" WHERE rowid = ?1", w->name);
	if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &w->statement, NULL)) {
		free_words(w);
		return NULL;
	}
	w->columns = sqlite3_column_count(w->statement);
	w->next = db->words;
	db->words = w;
	return w;
}

struct mp_words *mp_words_find(struct mp_db *db, const char *table, size_t len)
{
	int count = 0;

	for (struct mp_words *w = db->words; w; w = w->next, count++)
		if (strlen(w->name) == len && memcmp(w->name, table, len) == 0)
			return w;
	return len >= NAME_SIZE || memchr(table, '"', len) || count == TABLE_MAX ? NULL : open_words(db, table, len);
}

int mp_words_column(const struct mp_words *w, const char *name, size_t len)
{
	for (int i = 0; i < w->columns; i++) {
		const char *own = sqlite3_column_name(w->statement, i);

		if (own && strlen(own) == len && memcmp(own, name, len) == 0)
			return i;
	}
	return -1;
}

static void put_out(struct mp_words *w, struct word_row **slot)
{
	if (*slot) {
		(*slot)->next = w->out;
		w->out = *slot;
		w->db->words_out = true;
	}
	*slot = NULL;
}

/* Copy the current row of the statement; a key without a row gets a row of NULLs. */
static struct word_row *copy_row(struct mp_words *w, int64_t key, bool found)
{
	size_t count = (size_t)w->columns, size = sizeof(struct word_row) + count * sizeof(struct mp_scalar);
	size_t text_size = 0;
	struct word_row *row;
	char *text;

	for (int i = 0; found && i < w->columns; i++)
		text_size += (size_t)sqlite3_column_bytes(w->statement, i);
	if (w->kept + size + text_size > KEPT_MAX) {
		for (size_t i = 0; i < 1 << SLOT_BITS; i++)
			put_out(w, &w->slots[i]);
		w->kept = 0;
	}
	row = malloc(size + text_size);
	if (!row)
		return NULL;
	w->kept += size + text_size; /* a removed row counts until all slots are emptied */
	row->next = NULL;
	row->key = key;
	text = (char *)row + size;
	for (int i = 0; i < w->columns; i++) {
		struct mp_scalar v = found ? mp_scalar_of(sqlite3_column_value(w->statement, i)) : mp_null();

		if (v.type >= MP_TEXT) {
			memcpy(text, v.text, v.len);
			v.text = text;
			v.marks = (uint16_t)mp_text_marks(v.text, v.len);
			text += v.len;
		}
		row->values[i] = v;
	}
	return row;
}

static bool fetch(struct mp_words *w, int64_t key, struct word_row **slot)
{
	struct word_row *row = NULL;
	int status = sqlite3_bind_int64(w->statement, 1, key);

	if (!status) {
		status = sqlite3_step(w->statement);
		if (status == SQLITE_ROW || status == SQLITE_DONE)
			row = copy_row(w, key, status == SQLITE_ROW);
	}
	sqlite3_reset(w->statement); /* repeats the error of the step */
	if (!row)
		return false;
	put_out(w, slot);
	*slot = row;
	return true;
}

const struct mp_scalar *mp_words_get(struct mp_words *w, int64_t key, int column)
{
	struct word_row **slot = &w->slots[(uint64_t)key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SLOT_BITS)];

	if ((!*slot || (*slot)->key != key) && !fetch(w, key, slot))
		return NULL;
	return &(*slot)->values[column];
}

void mp_words_release(struct mp_db *db)
{
	for (struct mp_words *w = db->words_out ? db->words : NULL; w; w = w->next) {
		free_rows(w->out);
		w->out = NULL;
	}
	db->words_out = false;
}

void mp_words_free(struct mp_db *db)
{
	while (db->words) {
		struct mp_words *next = db->words->next;

		free_words(db->words);
		db->words = next;
	}
}

static void word(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct mp_db *db = sqlite3_user_data(context);
	const char *table = (const char *)sqlite3_value_text(args[0]),
		   *column = (const char *)sqlite3_value_text(args[1]);
	struct mp_words *w = table && column ? mp_words_find(db, table, strlen(table)) : NULL;
	int number = w ? mp_words_column(w, column, strlen(column)) : -1;
	const struct mp_scalar *v;
	struct mp_value result;

	(void)count;
	mp_words_release(db);
	if (number < 0)
		sqlite3_result_error(context, "word(): table or column not found", -1);
	else if (sqlite3_value_type(args[2]) != SQLITE_INTEGER)
		sqlite3_result_null(context);
	else if (!(v = mp_words_get(w, sqlite3_value_int64(args[2]), number)))
		sqlite3_result_error(context, "word(): cannot read the table", -1);
	else {
		result = mp_scalar_value(*v);
		mp_result(context, &result);
	}
}

int mp_words_register(struct mp_db *db)
{
	return sqlite3_create_function(
	    db->handle, "word", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, db, word, NULL, NULL);
}
