/* layers_judge.c: finds which columns of a row set say what the references say of the layers of tasks. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

enum { SHORT_MAX = 32, TASK_MAX = 16, STREAM_MAX = 4, SAMPLE = 4096, KEY_SIZE = 7, PROBES = 64 };

struct shortlist {
	int columns[SHORT_MAX];
	size_t hits[SHORT_MAX];
	int count;
};

struct judge {
	const struct mp_row_set *rows;
	const struct mp_layer_rows *refs;
	struct shortlist parts[MP_PART_COUNT];
	struct mp_layer_choice *best;
};

int mp_part_resembles(enum mp_layer_part part, const char *word)
{
	static const struct {
		const char *text;
		enum mp_layer_part part;
		int value;
	} likes[] = {{"task", MP_PART_TASK, 6}, {"tid", MP_PART_TASK, 2}, {"stream", MP_PART_STREAM, 6},
	    {"strm", MP_PART_STREAM, 6}, {"layer", MP_PART_ID, 3}, {"id", MP_PART_ID, 4}, {"task", MP_PART_ID, -4},
	    {"stream", MP_PART_ID, -4}, {"name", MP_PART_NAME, 5}, {"type", MP_PART_NAME, -4},
	    {"ori", MP_PART_NAME, -4}, {"type", MP_PART_TYPE, 6}, {"kind", MP_PART_TYPE, 3}, {"op", MP_PART_TYPE, 2},
	    {"ori", MP_PART_ORI, 6}, {"source", MP_PART_ORI, 3}, {"fus", MP_PART_ORI, 3}, {"src", MP_PART_ORI, 3}};
	const char *dot = strrchr(word, '.');
	char key[MP_WORD_TEXT];
	size_t n = 0;
	int value = 0;

	for (const char *c = dot ? dot + 1 : word; *c && n + 1 < sizeof(key); c++)
		key[n++] = (char)tolower((unsigned char)*c);
	key[n] = '\0';
	for (size_t i = 0; i < sizeof(likes) / sizeof(likes[0]); i++)
		if (likes[i].part == part && strstr(key, likes[i].text))
			value += likes[i].value;
	return value;
}

bool mp_part_is_built_in(enum mp_layer_part part, const struct mp_row_set *rows, const char *word)
{
	static const char *const words[MP_PART_COUNT] = {"task", "stream", ".id", ".name", ".type", ".ori"};

	return rows->shape == MP_SET_EACH && strcmp(rows->each, "layers") == 0 && strcmp(word, words[part]) == 0;
}

/* Keep the columns with the most hits. */
static void shortlist_add(struct shortlist *list, int most, int column, size_t hits)
{
	int at = list->count;

	if (!hits)
		return;
	while (at > 0 && list->hits[at - 1] < hits)
		at--;
	if (at >= most)
		return;
	if (list->count < most)
		list->count++;
	for (int i = list->count - 1; i > at; i--) {
		list->columns[i] = list->columns[i - 1];
		list->hits[i] = list->hits[i - 1];
	}
	list->columns[at] = column;
	list->hits[at] = hits;
}

static int compare_keys(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The beginning of the first item of a text. */
static void first_item(char key[KEY_SIZE], const char *text)
{
	size_t n = strcspn(text, ",\x1f~");

	memset(key, 0, KEY_SIZE);
	memcpy(key, text, n < KEY_SIZE - 1 ? n : KEY_SIZE - 1);
}

/* Columns with texts that begin like those of the references. */
static int find_texts(struct judge *j, enum mp_layer_part part, struct mp_error *err)
{
	char(*keys)[KEY_SIZE] = mp_learn_calloc(j->refs->count + 1, KEY_SIZE);
	size_t count = 0;

	if (!keys)
		return mp_fail_memory(err, "texts");
	for (size_t i = 0; i < j->refs->count; i++)
		if (j->refs->items[i].texts[part])
			first_item(keys[count++], j->refs->items[i].texts[part]);
	if (count)
		qsort(keys, count, KEY_SIZE, compare_keys);
	for (size_t i = 0; i < j->rows->column_count; i++) {
		const struct mp_set_column *c = &j->rows->columns[i];
		size_t hits = 0;

		for (size_t k = 0; count && k < j->rows->row_count && k < SAMPLE; k++) {
			char key[KEY_SIZE];

			if (!c->cells[k].text)
				continue;
			first_item(key, c->cells[k].text);
			hits += bsearch(key, keys, count, KEY_SIZE, compare_keys) != NULL;
		}
		shortlist_add(&j->parts[part], SHORT_MAX, (int)i, hits);
	}
	free(keys);
	return 0;
}

static int compare_numbers(const void *left, const void *right)
{
	const int64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Columns of whole numbers; those with the tasks of the references come first. */
static int find_tasks(struct judge *j, struct mp_error *err)
{
	int64_t *tasks = mp_learn_calloc(j->refs->count + 1, sizeof(*tasks));
	size_t count = 0;

	if (!tasks)
		return mp_fail_memory(err, "tasks");
	for (size_t i = 0; i < j->refs->count; i++)
		if (j->refs->items[i].has_task)
			tasks[count++] = j->refs->items[i].task;
	if (count)
		qsort(tasks, count, sizeof(*tasks), compare_numbers);
	for (size_t i = 0; i < j->rows->column_count; i++) {
		const struct mp_set_column *c = &j->rows->columns[i];
		size_t hits = 0;

		for (size_t k = 0; c->is_int && k < j->rows->row_count && k < SAMPLE; k++)
			hits += c->cells[k].is_int &&
				(!count || bsearch(&c->cells[k].number, tasks, count, sizeof(*tasks), compare_numbers));
		shortlist_add(&j->parts[MP_PART_TASK], TASK_MAX, (int)i,
		    hits ? hits + (size_t)(8 + mp_part_resembles(MP_PART_TASK, c->word)) : 0);
	}
	free(tasks);
	return 0;
}

/* Returns whether a layer of this type, or of any, may run in a stream. */
static bool has_type(const struct mp_layer_rows *refs, int file, int64_t stream, const char *type)
{
	for (size_t i = 0; i < refs->type_count; i++) {
		const struct mp_type_stream *t = &refs->types[i];

		if (t->file == file && t->stream == stream && (!type || strcmp(t->type, type) == 0))
			return true;
	}
	return false;
}

/* Returns whether no table names a stream. */
static bool is_silent(const struct mp_layer_rows *refs)
{
	return !refs->says[MP_PART_STREAM] && !refs->type_count;
}

static bool varies(const struct judge *j, const struct mp_set_column *c)
{
	for (size_t k = 1; k < j->rows->row_count; k++)
		if (c->cells[k].number != c->cells[0].number)
			return true;
	return false;
}

/* A column of streams is named so, or the references name streams other than 0. */
static void find_streams(struct judge *j)
{
	for (size_t i = 0; i < j->rows->column_count; i++) {
		const struct mp_set_column *c = &j->rows->columns[i];
		int looks = mp_part_resembles(MP_PART_STREAM, c->word);
		size_t hits = 0;

		for (size_t k = 0; c->is_int && k < j->rows->row_count && k < SAMPLE; k++)
			for (size_t r = 0; r < j->refs->count && r < 64 && j->refs->has_stream; r++)
				if (j->refs->items[r].has_stream && j->refs->items[r].stream == c->cells[k].number) {
					hits++;
					break;
				}
		for (size_t k = 0; c->is_int && k < j->rows->row_count && k < SAMPLE; k++)
			hits += has_type(j->refs, j->rows->files[k], c->cells[k].number, NULL);
		if (c->is_int && looks > 0)
			hits += SAMPLE;
		/* the records will show whether it is one */
		hits += c->is_int && is_silent(j->refs) && varies(j, c);
		shortlist_add(&j->parts[MP_PART_STREAM], STREAM_MAX, (int)i, hits);
	}
}

/* How well a column suits a part, of those that explain the same. */
static int column_rank(const struct judge *j, const struct mp_layer_choice *c, enum mp_layer_part part, int column)
{
	const struct mp_set_column *at = &j->rows->columns[column];
	int rank = mp_part_is_built_in(part, j->rows, at->word) ? 1000 : 0;

	rank += 10 * mp_part_resembles(part, at->word) - 100 * at->indices;
	for (int i = 0; i < MP_PART_COUNT; i++)
		rank -= i != (int)part && c->column[i] == column ? 30 : 0;
	return rank;
}

static void name_other(struct mp_layer_choice *c, enum mp_layer_part part, const char *word)
{
	size_t used = strlen(c->others[part]);

	if (used + strlen(word) + 3 < sizeof(c->others[part]))
		snprintf(c->others[part] + used, sizeof(c->others[part]) - used, "%s%s", used ? ", " : "", word);
}

static bool speaks(const struct mp_layer_rows *refs, size_t ref, enum mp_layer_part part)
{
	return refs->items[ref].texts[part] && (!refs->has_task || refs->items[ref].has_task);
}

/* Returns whether some rows, from all over the references, fit. */
static bool fits_some(struct mp_layer_groups *g, enum mp_layer_part part, int column)
{
	size_t step = g->refs->count / PROBES + 1, tried = 0, fits = 0;

	for (size_t i = 0; i < g->refs->count; i += step) {
		if (!speaks(g->refs, i, part))
			continue;
		tried++;
		fits += mp_layer_groups_fit(g, i, part, column, g->refs->items[i].texts[part]);
	}
	return !tried || 4 * fits >= tried;
}

static size_t count_fits(struct mp_layer_groups *g, enum mp_layer_part part, int column, size_t says)
{
	size_t fits = 0, misses = 0;

	if (!fits_some(g, part, column))
		return 0;
	for (size_t i = 0; i < g->refs->count; i++) {
		if (!speaks(g->refs, i, part))
			continue;
		if (mp_layer_groups_fit(g, i, part, column, g->refs->items[i].texts[part]))
			fits++;
		else if (++misses > says / 2)
			return 0;
	}
	return fits;
}

/* Choose the column of one part. */
static void choose_part(struct judge *j, struct mp_layer_groups *g, struct mp_layer_choice *c, enum mp_layer_part part)
{
	const struct shortlist *list = &j->parts[part];
	size_t fits[SHORT_MAX], says = j->refs->says[part];
	int rank = 0;

	c->rows[part] = says;
	for (int i = 0; i < list->count; i++) {
		int column = list->columns[i], its = column_rank(j, c, part, column);

		fits[i] = count_fits(g, part, column, says);
		if (!fits[i] || 2 * fits[i] < says)
			continue;
		if (c->column[part] >= 0 && (fits[i] < c->fits[part] || (fits[i] == c->fits[part] && its <= rank)))
			continue;
		c->column[part] = column;
		c->fits[part] = fits[i];
		rank = its;
	}
	for (int i = 0; i < list->count && c->column[part] >= 0; i++)
		if (list->columns[i] != c->column[part] && fits[i] == c->fits[part])
			name_other(c, part, j->rows->columns[list->columns[i]].word);
}

/* Without tasks in the references the groups are those with their names. */
static int claim_groups(struct judge *j, struct mp_layer_groups *g, struct mp_error *err)
{
	static const enum mp_layer_part anchors[] = {MP_PART_NAME, MP_PART_ORI, MP_PART_ID};
	size_t best = 0;
	int column = -1;
	enum mp_layer_part part = MP_PART_NAME;

	if (j->refs->has_task)
		return 0;
	for (size_t i = 0; i < sizeof(anchors) / sizeof(anchors[0]) && column < 0; i++) {
		for (int k = 0; k < j->parts[anchors[i]].count; k++) {
			size_t fits;

			if (mp_layer_groups_claim(g, anchors[i], j->parts[anchors[i]].columns[k], &fits, err))
				return -1;
			if (fits <= best)
				continue;
			best = fits;
			part = anchors[i];
			column = j->parts[anchors[i]].columns[k];
		}
	}
	return column < 0 ? 0 : mp_layer_groups_claim(g, part, column, &best, err);
}

/* How many rows find their task and stream, with a text that fits. */
static void count_tasks(struct mp_layer_groups *g, struct mp_layer_choice *c)
{
	for (size_t i = 0; i < g->refs->count; i++) {
		const struct mp_layer_row *r = &g->refs->items[i];
		bool fits = false, stream = false;

		for (int part = MP_PART_ID; part < MP_PART_COUNT && !fits; part++) {
			const char *text = r->event ? r->event : r->texts[part];

			fits = text && c->column[part] >= 0 &&
			       mp_layer_groups_fit(g, i, (enum mp_layer_part)part, c->column[part], text);
		}
		for (int k = 0; k < g->claims[i].count; k++)
			stream = stream || g->items[g->claims[i].groups[k]].stream == r->stream;
		c->rows[MP_PART_TASK] += r->has_task;
		c->fits[MP_PART_TASK] += r->has_task && fits;
		c->rows[MP_PART_STREAM] += r->has_stream;
		c->fits[MP_PART_STREAM] += r->has_stream && fits && stream;
	}
}

/* How many layers run in a stream in which their type runs; no layer counts where a few do not run. */
static void count_types(const struct judge *j, struct mp_layer_choice *c)
{
	int stream = c->column[MP_PART_STREAM], type = c->column[MP_PART_TYPE];

	for (size_t k = 0; stream >= 0 && k < j->rows->row_count && k < SAMPLE; k++) {
		const struct mp_set_cell *number = &j->rows->columns[stream].cells[k];

		c->rows[MP_PART_STREAM]++;
		c->fits[MP_PART_STREAM] +=
		    number->is_int && has_type(j->refs, j->rows->files[k], number->number,
					  type < 0 ? NULL : j->rows->columns[type].cells[k].text);
	}
	if (c->fits[MP_PART_STREAM] * 10 < c->rows[MP_PART_STREAM] * 9)
		c->fits[MP_PART_STREAM] = 0;
}

/* Returns whether a column is that of another part, too. */
static bool is_shared(const struct mp_layer_choice *c, enum mp_layer_part part)
{
	bool shared = false;

	for (int i = 0; i < MP_PART_COUNT; i++)
		shared |= i != (int)part && c->column[i] == c->column[part];
	return shared;
}

/* Where no table names a stream: a number that is the same in all rows, but 0, may be that of the only stream. */
static void doubt_stream(const struct judge *j, struct mp_layer_choice *c)
{
	for (size_t i = 0; i < j->rows->column_count && is_silent(j->refs); i++) {
		const struct mp_set_column *at = &j->rows->columns[i];
		bool used = false;

		for (int part = 0; part < MP_PART_COUNT; part++)
			used |= c->column[part] == (int)i;
		if (!used && at->is_int && !at->is_list && j->rows->row_count && at->cells[0].number && !varies(j, at))
			snprintf(c->doubt, sizeof(c->doubt), "%s", at->word);
	}
}

static void describe_choice(struct judge *j, struct mp_layer_choice *c)
{
	c->shape = j->rows->shape;
	snprintf(c->each, sizeof(c->each), "%s", j->rows->each ? j->rows->each : "");
	c->rank = c->shape == MP_SET_ZIP ? 0 : c->shape == MP_SET_EACH ? 10 : 20;
	for (int i = 0; i < MP_PART_COUNT; i++) {
		const struct mp_set_column *at;

		c->score += c->fits[i];
		if (c->column[i] < 0)
			continue;
		at = &j->rows->columns[c->column[i]];
		snprintf(c->words[i], sizeof(c->words[i]), "%s", at->word);
		c->is_list[i] = at->is_list;
		c->rank += column_rank(j, c, (enum mp_layer_part)i, c->column[i]);
	}
	if (c->column[MP_PART_STREAM] < 0)
		doubt_stream(j, c);
	else if (mp_part_resembles(MP_PART_STREAM, c->words[MP_PART_STREAM]) <= 0)
		c->rank -= is_silent(j->refs) && !is_shared(c, MP_PART_STREAM) ? -1 : 5;
}

/* Replace the best choice by a better one. */
static int keep_better(struct judge *j, struct mp_layer_choice *c, struct mp_error *err)
{
	struct mp_layer_choice *best = j->best;
	bool same = best->known && best->score == c->score && best->shape == c->shape && !strcmp(best->each, c->each);

	if (c->column[MP_PART_NAME] < 0 && c->column[MP_PART_ORI] < 0 && c->column[MP_PART_ID] < 0)
		return 0;
	if (best->known && (c->score < best->score || (c->score == best->score && c->rank <= best->rank))) {
		if (same && strcmp(best->words[MP_PART_TASK], c->words[MP_PART_TASK]) != 0 &&
		    !strstr(best->others[MP_PART_TASK], c->words[MP_PART_TASK]))
			name_other(best, MP_PART_TASK, c->words[MP_PART_TASK]);
		return 0;
	}
	if (same && strcmp(best->words[MP_PART_TASK], c->words[MP_PART_TASK]) != 0)
		name_other(c, MP_PART_TASK, best->words[MP_PART_TASK]);
	if (c->shape == MP_SET_TEXT) {
		static const char *const columns[] = {"task_id", "stream_id", "layer_id", "name", "type", "ori"};
		const char **names = mp_learn_calloc(j->rows->column_count + 1, sizeof(const char *));

		if (!names)
			return mp_fail_memory(err, "lines");
		for (int i = MP_PART_COUNT - 1; i >= 0; i--)
			if (c->column[i] >= 0)
				names[c->column[i]] = columns[i];
		c->lines = mp_text_lines(j->rows, names, err);
		free(names);
		if (!c->lines)
			return -1;
	}
	free(best->lines);
	*best = *c;
	best->known = true;
	return 0;
}

static int try_pair(struct judge *j, int task, int stream, struct mp_error *err)
{
	struct mp_layer_choice c = {.column = {task, stream, -1, -1, -1, -1}};
	struct mp_layer_groups g;
	int status = mp_layer_groups_make(&g, j->rows, j->refs, task, stream, err) || claim_groups(j, &g, err) ? -1 : 0;

	for (int part = MP_PART_ID; !status && part < MP_PART_COUNT; part++)
		choose_part(j, &g, &c, (enum mp_layer_part)part);
	if (!status) {
		count_tasks(&g, &c);
		if (j->refs->type_count)
			count_types(j, &c);
		describe_choice(j, &c);
		status = keep_better(j, &c, err);
	}
	mp_layer_groups_free(&g);
	return status;
}

int mp_layers_judge(
    struct mp_layer_choice *best, const struct mp_row_set *rows, const struct mp_layer_rows *refs, struct mp_error *err)
{
	struct judge j = {.rows = rows, .refs = refs, .best = best};
	const struct shortlist *tasks = &j.parts[MP_PART_TASK], *streams = &j.parts[MP_PART_STREAM];

	for (int part = MP_PART_ID; part < MP_PART_COUNT; part++)
		if (find_texts(&j, (enum mp_layer_part)part, err))
			return -1;
	if (!j.parts[MP_PART_NAME].count && !j.parts[MP_PART_ORI].count && !j.parts[MP_PART_ID].count)
		return 0;
	if (find_tasks(&j, err))
		return -1;
	find_streams(&j);
	for (int i = 0; i < tasks->count; i++) {
		if (try_pair(&j, tasks->columns[i], -1, err))
			return -1;
		for (int k = 0; k < streams->count; k++)
			if (streams->columns[k] != tasks->columns[i] &&
			    try_pair(&j, tasks->columns[i], streams->columns[k], err))
				return -1;
	}
	return 0;
}
