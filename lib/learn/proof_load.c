/* proof_load.c: reads tasks, layers and calls from the private database of the proof. */
#include "learn/proof_internal.h"

#include "base/schema.h"
#include "learn/memory.h"

#include <stdlib.h>
#include <string.h>

static int open_query(
    struct mp_query **q, struct mp_db *db, const char *path, const struct mp_identity *identity, struct mp_error *err)
{
	const char *sql = mp_schema_text(path);

	if (!sql)
		return mp_fail(err, "no text 'schema/%s'", path);
	if (mp_query_open(q, db, sql, strlen(sql), err))
		return -1;
	mp_query_locate(*q, path, 1);
	if (identity && (mp_query_bind_int(*q, "device_id", identity->device_id, err) ||
			    mp_query_bind_int(*q, "model_id", identity->model_id, err) ||
			    mp_query_bind_int(*q, "batch", identity->batch, err) ||
			    mp_query_bind_int(*q, "input_pic_num", identity->input_pic_num, err) ||
			    mp_query_bind_int(*q, "current_pic", identity->current_pic, err) ||
			    mp_query_bind_text(*q, "model", identity->model, err))) {
		mp_query_close(*q);
		*q = NULL;
		return -1;
	}
	return 0;
}

/* An array of items of `size` bytes with room for one more; NULL: out of memory, and the array is unchanged. */
static void *more(void *array, size_t *room, size_t count, size_t size, struct mp_error *err)
{
	size_t want = *room ? *room * 2 : 256;
	void *grown;

	if (array && count < *room)
		return array;
	grown = want > SIZE_MAX / size ? NULL : mp_learn_realloc(array, want * size);
	if (grown)
		*room = want;
	else
		mp_error_set(err, "out of memory for the proof");
	return grown;
}

/* Keep a text; *place is 0 for NULL. */
static int keep(struct mp_dictionary *words, const struct mp_value *v, uint32_t *place, struct mp_error *err)
{
	*place = 0;
	if (v->type != MP_TEXT)
		return 0;
	if (words->used + v->len + 2 > words->text_room) {
		size_t want = 2 * (words->text_room + v->len + 4096);
		char *grown = want > UINT32_MAX ? NULL : mp_learn_realloc(words->text, want);

		if (!grown)
			return mp_fail_memory(err, "the names of layers and calls");
		words->text = grown;
		words->text_room = want;
	}
	words->used += words->used == 0; /* place 0 means that a text is missing */
	*place = (uint32_t)words->used;
	memcpy(words->text + words->used, v->text, v->len);
	words->text[words->used + v->len] = '\0';
	words->used += v->len + 1;
	return 0;
}

static struct mp_proof_words *add_words(struct mp_dictionary *words, struct mp_error *err)
{
	struct mp_proof_words *items = more(words->items, &words->room, words->count, sizeof(*items), err);

	if (!items)
		return NULL;
	words->items = items;
	words->items[words->count] = (struct mp_proof_words){0};
	return &words->items[words->count++];
}

static int keep_layers(struct mp_dictionary *words, const struct mp_query *q, struct mp_error *err)
{
	struct mp_proof_words *w = add_words(words, err);
	struct mp_value row[7];

	if (!w)
		return -1;
	mp_query_row(q, row, 7);
	w->net_id = row[0].i;
	w->task_id = row[1].i;
	w->stream_id = row[2].i;
	if (keep(words, &row[3], &w->ids, err) || keep(words, &row[4], &w->names, err) ||
	    keep(words, &row[5], &w->types, err) || keep(words, &row[6], &w->oris, err))
		return -1;
	return 0;
}

int mp_proof_load_words(struct mp_dictionary *words, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (open_query(&q, db, "learn/proof_words.sql", NULL, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		if (keep_layers(words, q, err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(q);
	return status;
}

void mp_dictionary_free(struct mp_dictionary *words)
{
	free(words->items);
	free(words->text);
	*words = (struct mp_dictionary){0};
}

static int compare_words(const void *a, const void *b)
{
	const struct mp_proof_words *x = a, *y = b;

	if (x->net_id != y->net_id)
		return x->net_id < y->net_id ? -1 : 1;
	if (x->task_id != y->task_id)
		return x->task_id < y->task_id ? -1 : 1;
	return x->stream_id < y->stream_id ? -1 : x->stream_id > y->stream_id;
}

static uint32_t find_words(const struct mp_dictionary *words, int64_t net, const struct mp_proof_item *item)
{
	struct mp_proof_words key = {.net_id = net, .task_id = item->id, .stream_id = item->stream}, *found;

	found = words->count ? bsearch(&key, words->items, words->count, sizeof(key), compare_words) : NULL;
	return found ? (uint32_t)(found - words->items) + 1 : 0;
}

static int64_t number(const struct mp_value *v)
{
	return v->type == MP_INT ? v->i : MP_PROOF_MISSING;
}

static struct mp_proof_item *add_item(struct mp_proof_items *items, struct mp_error *err)
{
	struct mp_proof_item *item, *at = more(items->at, &items->room, items->count, sizeof(*at), err);

	if (!at)
		return NULL;
	items->at = at;
	item = &items->at[items->count++];
	*item = (struct mp_proof_item){.parts = 1};
	return item;
}

static int keep_task(struct mp_proof_items *items, const struct mp_query *q, struct mp_error *err)
{
	struct mp_proof_item *item = add_item(items, err);
	struct mp_value row[10 + MP_NUMBERS];
	int64_t mhz;

	if (!item)
		return -1;
	mp_query_row(q, row, 10 + MP_NUMBERS);
	item->kind = row[0].i;
	item->id = number(&row[1]);
	item->stream = number(&row[2]);
	item->start_ns = number(&row[3]);
	item->start_tick = number(&row[4]);
	item->dur_ns = number(&row[5]);
	item->cycles = number(&row[6]);
	item->words = row[7].type == MP_INT ? find_words(items->words, row[7].i, item) : 0;
	for (int i = 0; i < MP_NUMBERS; i++)
		item->numbers[i] = number(&row[10 + i]);
	mhz = row[8].type == MP_INT && row[8].i > 0 ? row[8].i : 0;
	items->rate = row[9].type == MP_INT ? row[9].i : 0;
	if (items->count == 1)
		items->core_mhz = mhz;
	else if (items->core_mhz != mhz)
		items->core_mhz = 0;
	items->has_cycles = items->has_cycles && item->cycles != MP_PROOF_MISSING;
	items->has_ticks = items->has_ticks && item->start_tick != MP_PROOF_MISSING;
	return 0;
}

/* Reports compute with per cents of the sum in 63 bits. Numbers that are too large for them are unknown. */
static void forget_large(struct mp_proof_items *items)
{
	__int128 sum = 0;

	for (size_t i = 0; i < items->count && items->has_cycles; i++)
		sum += items->at[i].cycles < 0 ? -(__int128)items->at[i].cycles : items->at[i].cycles;
	if (sum <= INT64_MAX / 100)
		return;
	items->has_cycles = false;
	for (size_t i = 0; i < items->count; i++) {
		items->at[i].cycles = MP_PROOF_MISSING;
		items->at[i].dur_ns = MP_PROOF_MISSING;
	}
}

int mp_proof_load_tasks(
    struct mp_proof_items *items, struct mp_db *db, const struct mp_identity *identity, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	items->has_cycles = true;
	items->has_ticks = true;
	if (open_query(&q, db, "learn/proof_tasks.sql", identity, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		if (keep_task(items, q, err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(q);
	items->has_cycles = items->has_cycles && items->core_mhz && items->rate > 0;
	items->has_ticks = items->has_ticks && items->core_mhz;
	forget_large(items);
	return status;
}

/* Calls of one name follow each other, and share its words. */
static int keep_call(
    struct mp_proof_items *items, struct mp_dictionary *words, const struct mp_query *q, struct mp_error *err)
{
	struct mp_proof_item *item = add_item(items, err);
	struct mp_proof_words *last;
	struct mp_value row[7];

	if (!item)
		return -1;
	mp_query_row(q, row, 7);
	item->kind = row[0].i;
	item->id = number(&row[1]);
	item->stream = number(&row[2]);
	item->start_ns = number(&row[3]);
	item->start_tick = MP_PROOF_MISSING;
	item->dur_ns = MP_PROOF_MISSING;
	item->cycles = number(&row[4]);
	items->rate = row[5].i;
	items->has_cycles = items->has_cycles && item->cycles != MP_PROOF_MISSING;
	if (row[6].type != MP_TEXT)
		return 0;
	last = words->count ? &words->items[words->count - 1] : NULL;
	if (!last || strlen(words->text + last->names) != row[6].len ||
	    memcmp(words->text + last->names, row[6].text, row[6].len) != 0) {
		last = add_words(words, err);
		if (!last || keep(words, &row[6], &last->names, err))
			return -1;
	}
	item->words = (uint32_t)words->count;
	return 0;
}

int mp_proof_load_calls(struct mp_proof_items *items, struct mp_dictionary *words, struct mp_db *db,
    const struct mp_identity *identity, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	items->are_calls = true;
	items->has_cycles = true;
	items->words = words;
	if (open_query(&q, db, "learn/proof_calls.sql", identity, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		if (keep_call(items, words, q, err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(q);
	forget_large(items);
	return status;
}

const char *mp_proof_word(const struct mp_proof_items *items, const struct mp_proof_item *item, enum mp_meaning meaning)
{
	const struct mp_proof_words *w = item->words ? &items->words->items[item->words - 1] : NULL;
	uint32_t place = 0;

	if (!w)
		return NULL;
	if (meaning == MP_MEANS_LAYER_ID)
		place = w->ids;
	else if (meaning == MP_MEANS_LAYER_TYPE)
		place = w->types;
	else if (meaning == MP_MEANS_ORI_NAME)
		place = w->oris;
	else
		place = w->names;
	return place ? items->words->text + place : NULL;
}
