/* words.c: for each dictionary an index of rows that were wanted, and a prepared statement for other rows. */
#include "store/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/text.h"
#include "base/vec.h"

enum { TABLE_MAX = 24, KEPT_MAX = 8 << 20, NAME_SIZE = 64, CONDITION_SIZE = 512 };

/* A cached row; the texts follow the values. */
struct word_row {
	struct word_row *after; /* the row that was wanted next, or NULL */
	int64_t keys[MP_WORD_KEYS];
	struct mp_value values[];
};

struct mp_words {
	struct mp_words *next;
	struct mp_db *db;
	char name[NAME_SIZE];
	sqlite3_stmt *statement;
	int keys, columns;
	struct word_row *last; /* the row that was wanted last, or NULL */
	size_t kept;           /* bytes of the rows */
	struct word_row **rows;
	size_t count;
	struct mp_index index; /* of the rows by their keys */
};

/* All rows go at once, so that no row that stays points to one that is gone. */
static void free_rows(struct mp_words *w)
{
	while (w->count)
		free(w->rows[--w->count]);
	mp_index_clear(&w->index);
	w->last = NULL;
	w->kept = 0;
}

static void free_words(struct mp_words *w)
{
	sqlite3_finalize(w->statement); /* repeats the error of the last step */
	free_rows(w);
	free(w->rows);
	mp_index_free(&w->index);
	free(w);
}

/* Write the condition of a row: its rowid, or the columns of a primary key of that many. Returns false without one. */
static bool find_condition(struct mp_words *w, char *condition, int size)
{
	static const char sql[] =
	    "SELECT group_concat('\"' || replace(name, '\"', '\"\"') || '\" = ?' || pk, ' AND ') FROM pragma_table_info(?) "
	    "WHERE pk HAVING count(*) = ?";
	struct mp_error unused;
	struct mp_query *q;
	bool fits;

	snprintf(condition, (size_t)size, "rowid = ?1");
	if (w->keys == 1)
		return true;
	fits = mp_query_ask(&q, w->db, sql, MP_VALUES(mp_string(w->name), mp_int(w->keys)), &unused) == 1 &&
	       snprintf(condition, (size_t)size, "%s", mp_query_text(q, 0)) < size;
	mp_query_close(q);
	return fits;
}

static struct mp_words *open_words(struct mp_db *db, const char *table, size_t len, int keys)
{
	struct mp_words *w = calloc(1, sizeof(*w));
	char condition[CONDITION_SIZE], sql[CONDITION_SIZE + NAME_SIZE + 32];

	if (!w)
		return NULL;
	w->db = db;
	w->keys = keys;
	snprintf(w->name, sizeof(w->name), "%.*s", (int)len, table);
	if (find_condition(w, condition, sizeof(condition))) {
		snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\" WHERE %s", w->name, condition);
		sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &w->statement, NULL);
	}
	if (!w->statement) {
		free_words(w);
		return NULL;
	}
	w->columns = sqlite3_column_count(w->statement);
	w->next = db->words;
	db->words = w;
	return w;
}

struct mp_words *mp_words_find(struct mp_db *db, const char *table, size_t len, int keys)
{
	int count = 0;

	for (struct mp_words *w = db->words; w; w = w->next, count++)
		if (w->keys == keys && strlen(w->name) == len && memcmp(w->name, table, len) == 0)
			return w;
	return keys < 1 || keys > MP_WORD_KEYS || len >= NAME_SIZE || memchr(table, '"', len) || count == TABLE_MAX
		   ? NULL
		   : open_words(db, table, len, keys);
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

/* Copy the current row of the statement; a key without a row gets a row of NULLs. */
static struct word_row *copy_row(struct mp_words *w, const int64_t *keys, bool found)
{
	size_t count = (size_t)w->columns, size = sizeof(struct word_row) + count * sizeof(struct mp_value);
	size_t text_size = 0;
	struct word_row *row;
	char *text;

	for (int i = 0; found && i < w->columns; i++)
		if (sqlite3_column_type(w->statement, i) >= SQLITE_TEXT &&
		    sqlite3_column_type(w->statement, i) <= SQLITE_BLOB)
			text_size += (size_t)sqlite3_column_bytes(w->statement, i); /* would make a text of a number */
	row = malloc(size + text_size);
	if (!row)
		return NULL;
	w->kept += size + text_size;
	w->db->words_out = w->db->words_out || w->kept > KEPT_MAX;
	row->after = NULL;
	memcpy(row->keys, keys, (size_t)w->keys * sizeof(*keys));
	text = (char *)row + size;
	for (int i = 0; i < w->columns; i++) {
		struct mp_value v = found ? mp_column_value(sqlite3_column_value(w->statement, i)) : mp_null();

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

static struct word_row *fetch(struct mp_words *w, const int64_t *keys)
{
	struct word_row *row = NULL;
	int status = mp_vec_room(w->rows, w->count, 1) ? SQLITE_OK : SQLITE_NOMEM;

	for (int i = 0; !status && i < w->keys; i++)
		status = sqlite3_bind_int64(w->statement, i + 1, keys[i]);
	if (!status) {
		status = sqlite3_step(w->statement);
		if (status == SQLITE_ROW || status == SQLITE_DONE)
			row = copy_row(w, keys, status == SQLITE_ROW);
	}
	sqlite3_reset(w->statement); /* repeats the error of the step */
	return row;
}

static bool has_keys(const struct mp_words *w, const struct word_row *row, const int64_t *keys)
{
	for (int i = 0; i < w->keys; i++)
		if (row->keys[i] != keys[i])
			return false;
	return true;
}

struct wanted_row {
	const struct mp_words *words;
	const int64_t *keys;
};

static bool is_wanted(const void *key, uint32_t item)
{
	const struct wanted_row *k = key;

	return has_keys(k->words, k->words->rows[item], k->keys);
}

/* Find a row that was not the last one: in a job, rows follow each other as they did before. */
static struct word_row *find_row(struct mp_words *w, const int64_t *keys)
{
	struct word_row *row = w->last ? w->last->after : NULL;
	const struct wanted_row wanted = {w, keys};
	uint64_t hash = 0;
	uint32_t *place;

	if (row && has_keys(w, row, keys))
		return row;
	for (int i = 0; i < w->keys; i++)
		hash = mp_hash_mix(hash, (uint64_t)keys[i]);
	place = mp_index_find(&w->index, w->count, hash, is_wanted, &wanted);
	row = !place ? NULL : *place ? w->rows[*place - 1] : fetch(w, keys);
	if (row && !*place) {
		w->rows[w->count++] = row;
		*place = (uint32_t)w->count;
	}
	if (row && w->last)
		w->last->after = row;
	return row;
}

const struct mp_value *mp_words_get(struct mp_words *w, const int64_t *keys, int column)
{
	if (!w->last || !has_keys(w, w->last, keys))
		w->last = find_row(w, keys);
	return w->last ? &w->last->values[column] : NULL;
}

void mp_words_release(struct mp_db *db)
{
	for (struct mp_words *w = db->words_out ? db->words : NULL; w; w = w->next)
		if (w->kept > KEPT_MAX)
			free_rows(w);
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
	const char *table = count > 2 ? (const char *)sqlite3_value_text(args[0]) : NULL,
		   *column = table ? (const char *)sqlite3_value_text(args[1]) : NULL;
	struct mp_words *w = column ? mp_words_find(db, table, strlen(table), count - 2) : NULL;
	int number = w ? mp_words_column(w, column, strlen(column)) : -1;
	int64_t keys[MP_WORD_KEYS] = {0};
	const struct mp_value *v;

	mp_words_release(db);
	if (number < 0) {
		sqlite3_result_error(context, "word(): table or column not found", -1);
		return;
	}
	for (int i = 0; i < w->keys; i++) {
		if (sqlite3_value_type(args[i + 2]) != SQLITE_INTEGER)
			return; /* NULL */
		keys[i] = sqlite3_value_int64(args[i + 2]);
	}
	v = mp_words_get(w, keys, number);
	if (!v) {
		sqlite3_result_error(context, "word(): cannot read the table", -1);
		return;
	}
	mp_result(context, *v);
}

int mp_words_register(struct mp_db *db)
{
	return sqlite3_create_function(
	    db->handle, "word", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, db, word, NULL, NULL);
}
