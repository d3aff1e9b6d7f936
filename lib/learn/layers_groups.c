/* layers_groups.c: the layers of a task as one text, as the import joins them, compared with rows of references. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

enum { TEXT_SIZE = 65536, LAYER_MAX = 256 };

struct key {
	int file;
	int64_t task, stream;
	size_t row;
};

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	int order = (a->file > b->file) - (a->file < b->file);

	order = order ? order : (a->task > b->task) - (a->task < b->task);
	order = order ? order : (a->stream > b->stream) - (a->stream < b->stream);
	return order ? order : (a->row > b->row) - (a->row < b->row);
}

static bool same_group(const struct key *a, const struct key *b)
{
	return a->file == b->file && a->task == b->task && a->stream == b->stream;
}

/* Of lists only the last line of a task counts. */
static void add_group(struct mp_layer_groups *g, const struct key *keys, size_t first, size_t end)
{
	const size_t *lines = g->rows->lines;
	bool lists = g->rows->shape == MP_SET_EACH || g->rows->shape == MP_SET_ZIP;

	while (lists && lines[keys[first].row] != lines[keys[end - 1].row])
		first++;
	g->items[g->count++] = (struct mp_layer_group){.file = keys[first].file,
	    .task = keys[first].task,
	    .stream = keys[first].stream,
	    .first = first,
	    .count = end - first < LAYER_MAX ? end - first : LAYER_MAX};
}

static int sort_rows(struct mp_layer_groups *g, int task, int stream, struct mp_error *err)
{
	const struct mp_row_set *rows = g->rows;
	struct key *keys = mp_learn_calloc(rows->row_count + 1, sizeof(*keys));
	size_t count = 0;

	if (!keys)
		return mp_fail_memory(err, "rows");
	for (size_t k = 0; k < rows->row_count; k++) {
		const struct mp_set_cell *t = &rows->columns[task].cells[k];

		if (!t->is_int)
			continue;
		keys[count] = (struct key){.file = rows->files[k], .task = t->number, .row = k};
		if (stream >= 0 && rows->columns[stream].cells[k].is_int)
			keys[count].stream = rows->columns[stream].cells[k].number;
		count++;
		g->file_count = rows->files[k] >= g->file_count ? rows->files[k] + 1 : g->file_count;
	}
	qsort(keys, count, sizeof(*keys), compare_keys);
	for (size_t i = 0, first = 0; i < count; i++) {
		g->order[i] = keys[i].row;
		if (i + 1 < count && same_group(&keys[i], &keys[i + 1]))
			continue;
		add_group(g, keys, first, i + 1);
		first = i + 1;
	}
	free(keys);
	return 0;
}

/* The first group of a file with this task or a later one. */
static size_t find_group(const struct mp_layer_groups *g, int file, int64_t task)
{
	size_t low = 0, high = g->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct mp_layer_group *at = &g->items[middle];

		if (at->file < file || (at->file == file && at->task < task))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void claim_by_task(struct mp_layer_groups *g, size_t ref, bool by_stream)
{
	const struct mp_layer_row *r = &g->refs->items[ref];
	struct mp_layer_claim *c = &g->claims[ref];

	for (int file = r->file < 0 ? 0 : r->file; file < g->file_count && (r->file < 0 || file == r->file); file++) {
		for (size_t i = find_group(g, file, r->task);
		     i < g->count && c->count < 8 && g->items[i].file == file && g->items[i].task == r->task; i++)
			if (!by_stream || !r->has_stream || g->items[i].stream == r->stream)
				c->groups[c->count++] = (int)i;
	}
}

int mp_layer_groups_make(struct mp_layer_groups *g, const struct mp_row_set *rows, const struct mp_layer_rows *refs,
    int task, int stream, struct mp_error *err)
{
	*g = (struct mp_layer_groups){.rows = rows, .refs = refs};
	g->order = mp_learn_calloc(rows->row_count + 1, sizeof(*g->order));
	g->items = mp_learn_calloc(rows->row_count + 1, sizeof(*g->items));
	g->claims = mp_learn_calloc(refs->count + 1, sizeof(*g->claims));
	g->text = mp_learn_malloc(TEXT_SIZE);
	if (!g->order || !g->items || !g->claims || !g->text)
		return mp_fail_memory(err, "rows");
	if (sort_rows(g, task, stream, err))
		return -1;
	for (size_t i = 0; i < refs->count; i++)
		if (refs->items[i].has_task)
			claim_by_task(g, i, stream >= 0);
	return 0;
}

void mp_layer_groups_free(struct mp_layer_groups *g)
{
	free(g->order);
	free(g->items);
	free(g->claims);
	free(g->text);
}

/* Append a text, with the separator of lists as the import writes it. Returns false when there is no room. */
static bool append(struct mp_layer_groups *g, size_t *used, const char *text, enum mp_layer_part part)
{
	size_t len = strlen(text);

	if (len + 2 > TEXT_SIZE - *used)
		return false;
	if (*used)
		g->text[(*used)++] = ',';
	for (size_t i = 0; i < len; i++)
		g->text[(*used)++] = text[i] == '\x1f' && part == MP_PART_ORI ? ',' : text[i];
	return true;
}

/* The texts of a group in a column, joined. NULL: the group has no text, or far too many. */
static const char *join(struct mp_layer_groups *g, int group, enum mp_layer_part part, int column)
{
	const struct mp_layer_group *at = &g->items[group];
	const struct mp_set_cell *cells = g->rows->columns[column].cells;
	size_t used = 0;
	bool any = false;

	for (size_t i = 0; i < at->count; i++) {
		const char *text = cells[g->order[at->first + i]].text;
		bool has = text && *text;

		any = any || has;
		if ((has || part != MP_PART_ORI) && !append(g, &used, has ? text : "N/A", part))
			return NULL;
	}
	g->text[used] = '\0';
	return any ? g->text : NULL;
}

/* How many bytes of a reference's text count: a long text may be cut, with a mark at its end. */
static size_t counted(const char *text, bool *is_cut)
{
	static const char *const marks[] = {"~", "...", "\xe2\x80\xa6"};
	size_t len = strlen(text);

	*is_cut = false;
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i]);

		if (len <= n || strcmp(text + len - n, marks[i]) != 0)
			continue;
		*is_cut = true;
		return len - n;
	}
	return len;
}

bool mp_layer_groups_fit(struct mp_layer_groups *g, size_t ref, enum mp_layer_part part, int column, const char *text)
{
	const struct mp_layer_claim *c = &g->claims[ref];
	bool is_cut;
	size_t len = counted(text, &is_cut);

	for (int i = 0; i < c->count; i++) {
		const char *is = join(g, c->groups[i], part, column);

		if (is && strncmp(is, text, len) == 0 && (is_cut || !is[len]))
			return true;
	}
	return false;
}

struct joined {
	const char *text;
	int group;
};

static int compare_joined(const void *left, const void *right)
{
	const struct joined *a = left, *b = right;

	return strcmp(a->text, b->text);
}

static size_t find_text(const struct joined *texts, size_t count, const char *text, size_t len)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strncmp(texts[middle].text, text, len) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Groups with the text of a reference. */
static void claim_by_text(
    struct mp_layer_groups *g, size_t ref, const struct joined *texts, size_t count, const char *text)
{
	struct mp_layer_claim *c = &g->claims[ref];
	bool is_cut;
	size_t len = counted(text, &is_cut);

	c->count = 0;
	for (size_t i = find_text(texts, count, text, len);
	     i < count && c->count < 8 && strncmp(texts[i].text, text, len) == 0; i++)
		if (is_cut || !texts[i].text[len])
			c->groups[c->count++] = texts[i].group;
}

int mp_layer_groups_claim(
    struct mp_layer_groups *g, enum mp_layer_part part, int column, size_t *fits, struct mp_error *err)
{
	struct joined *texts = mp_learn_calloc(g->count + 1, sizeof(*texts));
	struct mp_arena memory = {NULL};
	size_t count = 0;
	int status = texts ? 0 : mp_fail_memory(err, "rows");

	for (size_t i = 0; !status && i < g->count; i++) {
		const char *text = join(g, (int)i, part, column);

		if (!text)
			continue;
		texts[count].group = (int)i;
		texts[count].text = mp_arena_add(&memory, text, strlen(text));
		if (!texts[count++].text)
			status = mp_fail_memory(err, "rows");
	}
	if (!status && count)
		qsort(texts, count, sizeof(*texts), compare_joined);
	*fits = 0;
	for (size_t i = 0; !status && i < g->refs->count; i++) {
		if (!g->refs->items[i].texts[part])
			continue;
		claim_by_text(g, i, texts, count, g->refs->items[i].texts[part]);
		*fits += g->claims[i].count > 0;
	}
	mp_arena_free(&memory);
	free(texts);
	return status;
}
