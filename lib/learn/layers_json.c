/* layers_json.c: the ways to read lines of JSON as rows: a row a line, the elements of a list, or lists side by side.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

/* Paths are those of the first lines and elements; values are those of all. */
enum { SAMPLE_LINES = 64, SAMPLE_ELEMENTS = 256, LIST_MAX = 64 };

int mp_row_set_make(struct mp_row_set *rows, size_t row_count, size_t column_room, struct mp_error *err)
{
	size_t most = row_count ? MP_SET_CELL_MAX / row_count : column_room;

	rows->row_count = row_count;
	rows->column_room = column_room < most ? column_room : most;
	rows->columns = mp_learn_calloc(rows->column_room + 1, sizeof(*rows->columns));
	rows->files = mp_learn_calloc(row_count + 1, sizeof(*rows->files));
	rows->lines = mp_learn_calloc(row_count + 1, sizeof(*rows->lines));
	return rows->columns && rows->files && rows->lines ? 0 : mp_fail_memory(err, "rows");
}

/* The next column, without values; the caller sees to the room. NULL with err: out of memory. */
struct mp_set_column *mp_row_set_column(struct mp_row_set *rows, struct mp_error *err)
{
	struct mp_set_column *c = &rows->columns[rows->column_count];

	c->cells = mp_learn_calloc(rows->row_count + 1, sizeof(*c->cells));
	if (!c->cells) {
		mp_error_set(err, "out of memory for rows");
		return NULL;
	}
	rows->column_count++;
	return c;
}

/* Find which columns are whole numbers; a handful of other values may be damage. */
void mp_row_set_judge(struct mp_row_set *rows)
{
	for (size_t i = 0; i < rows->column_count; i++) {
		struct mp_set_column *c = &rows->columns[i];
		size_t whole = 0, others = 0;

		for (size_t k = 0; k < rows->row_count; k++) {
			whole += c->cells[k].is_int;
			others += !c->cells[k].is_int && c->cells[k].text && c->cells[k].text[0];
		}
		c->is_int = whole && 10 * others <= whole;
		c->is_all_int = whole && !others;
	}
}

void mp_row_set_free(struct mp_row_set *rows)
{
	for (size_t i = 0; rows->columns && i < rows->column_count; i++)
		free(rows->columns[i].cells);
	free(rows->columns);
	free(rows->files);
	free(rows->lines);
	*rows = (struct mp_row_set){.row_count = 0};
}

/* A number as SQLite writes it in a text. */
static const char *number_text(struct mp_arena *texts, double value)
{
	char text[32];
	int n = floor(value) == value && fabs(value) < 9e15 ? snprintf(text, sizeof(text), "%.0f", value)
							    : snprintf(text, sizeof(text), "%.15g", value);

	return mp_arena_add(texts, text, (size_t)n);
}

static const char *scalar_text(struct mp_arena *texts, const struct mp_json_node *node)
{
	if (mp_json_is(node, MP_JSON_TEXT))
		return node->text;
	if (mp_json_is(node, MP_JSON_NUMBER))
		return number_text(texts, mp_json_number(node));
	return mp_json_is(node, MP_JSON_BOOL) ? (node->is_true ? "1" : "0") : NULL;
}

/* The scalars of an array, separated by char(31). */
static const char *list_text(struct mp_arena *texts, const struct mp_json_node *list)
{
	size_t len = 0, used = 0;
	const struct mp_json_node *item;
	char *text;

	for (item = mp_json_first(list); item; item = item->next)
		len += 1 + (mp_json_is(item, MP_JSON_TEXT) ? strlen(item->text) : 32);
	text = mp_arena_add(texts, NULL, len);
	if (!text)
		return NULL;
	for (item = mp_json_first(list); item; item = item->next) {
		const char *one = scalar_text(texts, item);

		if (one)
			used += (size_t)snprintf(text + used, len + 1 - used, "%s%s", used ? "\x1f" : "", one);
	}
	text[used] = '\0';
	return used ? text : NULL;
}

static void set_cell(struct mp_file_set *set, struct mp_set_cell *cell, const struct mp_json_node *node)
{
	double number = mp_json_number(node);

	if (!node || mp_json_is(node, MP_JSON_OBJECT))
		return;
	cell->text = mp_json_is(node, MP_JSON_ARRAY) ? list_text(&set->texts, node) : scalar_text(&set->texts, node);
	cell->is_int = cell->text && floor(number) == number && fabs(number) < 9e15;
	if (cell->is_int)
		cell->number = (int64_t)number;
}

/* Begin the column of a path. NULL without an error of memory: there is no room. */
static int begin_column(
    struct mp_row_set *rows, const struct mp_json_path *path, struct mp_set_column **column, struct mp_error *err)
{
	*column = NULL;
	if (!path->word[0] || rows->column_count == rows->column_room)
		return 0;
	*column = mp_row_set_column(rows, err);
	if (!*column)
		return -1;
	snprintf((*column)->word, sizeof((*column)->word), "%s", path->word);
	for (int i = 0; i < path->count; i++)
		(*column)->indices += !path->steps[i].key;
	return 0;
}

static bool has_index(const struct mp_json_path *path)
{
	for (int i = 0; i < path->count; i++)
		if (!path->steps[i].key)
			return true;
	return false;
}

/* A row a line. */
static int see_flat(
    struct mp_file_set *set, const struct mp_json_paths *roots, mp_row_set_see *see, void *user, struct mp_error *err)
{
	struct mp_row_set rows = {.shape = MP_SET_FLAT};
	int status = mp_row_set_make(&rows, set->line_count, roots->count, err);

	for (size_t k = 0; !status && k < set->line_count; k++) {
		rows.files[k] = set->lines[k].file;
		rows.lines[k] = k;
	}
	for (size_t i = 0; !status && i < roots->count; i++) {
		struct mp_set_column *c;

		status = begin_column(&rows, &roots->items[i], &c, err);
		for (size_t k = 0; c && k < set->line_count; k++)
			set_cell(set, &c->cells[k], mp_json_path_find(&roots->items[i], set->lines[k].object));
	}
	mp_row_set_judge(&rows);
	status = status || see(user, &rows, err);
	mp_row_set_free(&rows);
	return status ? -1 : 0;
}

/* The elements of all lines. */
struct elements {
	const struct mp_json_node **items;
	size_t *lines;
	int *indices; /* within the line */
	size_t count;
};

static void free_elements(struct elements *e)
{
	free(e->items);
	free(e->lines);
	free(e->indices);
}

static int find_elements(
    struct mp_file_set *set, const struct mp_json_path *list, struct elements *e, struct mp_error *err)
{
	size_t room = 0;
	const struct mp_json_node *item;

	for (size_t k = 0; k < set->line_count; k++)
		room += (size_t)mp_json_size(mp_json_path_find(list, set->lines[k].object));
	room = room < MP_SET_ROW_MAX ? room : MP_SET_ROW_MAX;
	e->items = mp_learn_calloc(room + 1, sizeof(const struct mp_json_node *));
	e->lines = mp_learn_calloc(room + 1, sizeof(*e->lines));
	e->indices = mp_learn_calloc(room + 1, sizeof(*e->indices));
	if (!e->items || !e->lines || !e->indices)
		return mp_fail_memory(err, "elements");
	for (size_t k = 0; k < set->line_count; k++) {
		int index = 0;

		for (item = mp_json_first(mp_json_path_find(list, set->lines[k].object)); item; item = item->next) {
			if (e->count == room)
				return 0;
			e->indices[e->count] = index++;
			e->lines[e->count] = k;
			e->items[e->count++] = item;
		}
	}
	return 0;
}

/* The key or index of an element: `"#"`. */
static int add_keys(struct mp_file_set *set, struct mp_row_set *rows, const struct elements *e, struct mp_error *err)
{
	struct mp_json_path path = {.word = "\"#\""};
	struct mp_set_column *c;

	if (begin_column(rows, &path, &c, err))
		return -1;
	for (size_t k = 0; c && k < e->count; k++) {
		struct mp_set_cell *cell = &c->cells[k];

		cell->text = e->items[k]->key ? e->items[k]->key : number_text(&set->texts, e->indices[k]);
		cell->is_int = !e->items[k]->key;
		cell->number = e->indices[k];
	}
	return 0;
}

static int add_element_columns(struct mp_file_set *set, struct mp_row_set *rows, const struct elements *e,
    const struct mp_json_paths *roots, struct mp_json_paths *within, struct mp_error *err)
{
	struct mp_set_column *c;

	for (size_t i = 0; i < within->count; i++) {
		mp_json_path_word(&within->items[i], true);
		if (begin_column(rows, &within->items[i], &c, err))
			return -1;
		for (size_t k = 0; c && k < e->count; k++)
			set_cell(set, &c->cells[k], mp_json_path_find(&within->items[i], e->items[k]));
	}
	for (size_t i = 0; i < roots->count; i++) {
		if (!roots->items[i].has_scalar || has_index(&roots->items[i]))
			continue;
		if (begin_column(rows, &roots->items[i], &c, err))
			return -1;
		for (size_t k = 0; c && k < e->count; k++) {
			bool again = k && e->lines[k] == e->lines[k - 1];

			if (again)
				c->cells[k] = c->cells[k - 1];
			else
				set_cell(set, &c->cells[k],
				    mp_json_path_find(&roots->items[i], set->lines[e->lines[k]].object));
		}
	}
	return add_keys(set, rows, e, err);
}

/* The elements of a list are rows. */
static int see_each(struct mp_file_set *set, const struct mp_json_paths *roots, const struct mp_json_path *list,
    mp_row_set_see *see, void *user, struct mp_error *err)
{
	struct mp_row_set rows = {.shape = MP_SET_EACH, .each = list->word};
	struct mp_json_paths within = {.count = 0};
	struct elements e = {.count = 0};
	int status = find_elements(set, list, &e, err);

	for (size_t k = 0; !status && k < e.count && k < SAMPLE_ELEMENTS; k++)
		status = mp_json_paths_add(&within, e.items[k], err);
	mp_json_paths_prune(&within, e.count < SAMPLE_ELEMENTS ? e.count : SAMPLE_ELEMENTS);
	status = status || mp_row_set_make(&rows, e.count, within.count + roots->count + 1, err);
	for (size_t k = 0; !status && k < e.count; k++) {
		rows.lines[k] = e.lines[k];
		rows.files[k] = set->lines[e.lines[k]].file;
	}
	status = status || add_element_columns(set, &rows, &e, roots, &within, err);
	if (!status) {
		mp_row_set_judge(&rows);
		status = see(user, &rows, err);
	}
	mp_row_set_free(&rows);
	free(within.items);
	free_elements(&e);
	return status ? -1 : 0;
}

/* Returns whether there may be lists side by side. */
static bool has_lists(const struct mp_json_paths *roots)
{
	int lists = 0;

	for (size_t i = 0; i < roots->count; i++)
		lists += roots->items[i].has_list && !has_index(&roots->items[i]);
	return lists > 1;
}

/* How many rows a line has: the items of its longest array. */
static size_t zip_length(const struct mp_json_paths *roots, const struct mp_json_node *object)
{
	size_t most = 0;

	for (size_t i = 0; i < roots->count; i++) {
		const struct mp_json_node *node = roots->items[i].has_list && !has_index(&roots->items[i])
						      ? mp_json_path_find(&roots->items[i], object)
						      : NULL;
		size_t n = mp_json_is(node, MP_JSON_ARRAY) ? (size_t)mp_json_size(node) : 0;

		most = n > most ? n : most;
	}
	return most;
}

/* One column of arrays: its items are the rows of a line; a value that is no array is the same in all rows. */
static void fill_zipped(
    struct mp_file_set *set, struct mp_row_set *rows, struct mp_set_column *c, const struct mp_json_path *path)
{
	const struct mp_json_node *item = NULL, *node = NULL;

	for (size_t k = 0; k < rows->row_count; k++) {
		if (!k || rows->lines[k] != rows->lines[k - 1]) {
			node = mp_json_path_find(path, set->lines[rows->lines[k]].object);
			item = mp_json_is(node, MP_JSON_ARRAY) ? node->child : node;
			c->is_list = c->is_list || mp_json_is(node, MP_JSON_ARRAY);
		}
		set_cell(set, &c->cells[k], item);
		if (item && item != node)
			item = item->next;
	}
}

static int see_zip(
    struct mp_file_set *set, const struct mp_json_paths *roots, mp_row_set_see *see, void *user, struct mp_error *err)
{
	struct mp_row_set rows = {.shape = MP_SET_ZIP};
	size_t count = 0, at = 0;
	int status;

	for (size_t k = 0; k < set->line_count; k++)
		count += zip_length(roots, set->lines[k].object);
	count = count < MP_SET_ROW_MAX ? count : MP_SET_ROW_MAX;
	status = mp_row_set_make(&rows, count, roots->count, err);
	for (size_t k = 0; !status && k < set->line_count; k++) {
		for (size_t n = zip_length(roots, set->lines[k].object); n && at < count; n--) {
			rows.files[at] = set->lines[k].file;
			rows.lines[at++] = k;
		}
	}
	for (size_t i = 0; !status && i < roots->count; i++) {
		struct mp_set_column *c;

		if (has_index(&roots->items[i]))
			continue;
		status = begin_column(&rows, &roots->items[i], &c, err);
		if (c)
			fill_zipped(set, &rows, c, &roots->items[i]);
	}
	if (!status) {
		mp_row_set_judge(&rows);
		status = see(user, &rows, err);
	}
	mp_row_set_free(&rows);
	return status ? -1 : 0;
}

int mp_rows_of_json(struct mp_file_set *set, mp_row_set_see *see, void *user, bool *too_many, struct mp_error *err)
{
	struct mp_json_paths roots = {.count = 0};
	int status = 0, lists = 0;

	for (size_t k = 0; !status && k < set->line_count && k < SAMPLE_LINES; k++)
		status = mp_json_paths_add(&roots, set->lines[k].object, err);
	mp_json_paths_prune(&roots, set->line_count < SAMPLE_LINES ? set->line_count : SAMPLE_LINES);
	for (size_t i = 0; i < roots.count; i++)
		mp_json_path_word(&roots.items[i], false);
	*too_many = roots.too_many;
	if (!status && !roots.too_many) {
		status = see_flat(set, &roots, see, user, err) ||
			 (has_lists(&roots) && see_zip(set, &roots, see, user, err));
		for (size_t i = 0; !status && i < roots.count && lists < LIST_MAX; i++) {
			if (!roots.items[i].has_list || !roots.items[i].word[0])
				continue;
			/* a list within an item of a list: only where a line has the whole model */
			if (has_index(&roots.items[i]) && set->line_count > SAMPLE_LINES)
				continue;
			lists++;
			status = see_each(set, &roots, &roots.items[i], see, user, err);
		}
	}
	free(roots.items);
	return status ? -1 : 0;
}
