/* page.c: cuts a document to some of its rows. Knows no kind of document: what a row is depends on its form alone. */
#include <stdlib.h>
#include <string.h>

#include "mcp.h"

struct page {
	int64_t from, limit;
	int64_t seen, taken;
	size_t bytes;
	bool more;
};

static bool has_rows(const cJSON *item);

/* An array whose elements are objects. */
static bool is_list(const cJSON *item)
{
	return cJSON_IsArray(item) && item->child && cJSON_IsObject(item->child);
}

static bool is_rows(const cJSON *item)
{
	return cJSON_IsArray(item) && item->string && strcmp(item->string, "rows") == 0;
}

/* Whether something in an object or an array holds an array "rows". */
static bool has_rows(const cJSON *item)
{
	for (const cJSON *i = item->child; i; i = i->next)
		if (is_rows(i) || ((is_list(i) || cJSON_IsObject(i)) && has_rows(i)))
			return true;
	return false;
}

/* Names of processes and threads of a trace are on every page, and no rows. */
static bool is_name_of_track(const cJSON *row)
{
	const char *phase = cJSON_GetStringValue(mp_json_member(row, "ph"));

	return phase && strcmp(phase, "M") == 0;
}

/* Printing is what tells the size of a row: it costs as much as handing it on. */
static size_t size_of(const cJSON *row)
{
	char *text = cJSON_PrintUnformatted(row);
	size_t size = text ? strlen(text) : MCP_PAGE_BYTES;

	cJSON_free(text);
	return size;
}

/* Whether a row stays; a page has one row at least, whatever its size. */
static bool take(struct page *p, const cJSON *row)
{
	const bool is_name = is_name_of_track(row);

	if (!is_name && p->seen++ < p->from)
		return false;
	if (p->more || (!is_name && p->taken == p->limit) || (p->taken && p->bytes > MCP_PAGE_BYTES)) {
		p->more = p->more || !is_name;
		return false;
	}
	p->bytes += size_of(row);
	p->taken += !is_name;
	return true;
}

/* Returns how many rows of the array are left out behind those that stay. */
static int64_t cut_rows(struct page *p, cJSON *array)
{
	int64_t after = 0;

	for (cJSON *row = array->child, *next; row; row = next) {
		next = row->next;
		if (take(p, row))
			continue;
		after += p->more;
		cJSON_Delete(cJSON_DetachItemViaPointer(array, row));
	}
	return after;
}

static void cut(struct page *p, cJSON *object);

/* An array of tables, or of other objects with rows in them: those that no row of the page is in go. */
static void cut_tables(struct page *p, cJSON *array)
{
	for (cJSON *table = array->child, *next; table; table = next) {
		const int64_t seen = p->seen, taken = p->taken;

		next = table->next;
		cut(p, table);
		if (p->taken == taken && (p->seen > seen || !take(p, table)))
			cJSON_Delete(cJSON_DetachItemViaPointer(array, table));
	}
}

/* What a report left out of a table is counted: so is what is left out here. */
static void count_more(cJSON *table, int64_t after)
{
	cJSON *more = cJSON_GetObjectItemCaseSensitive(table, "more_rows");
	int64_t before;

	if (!more || !after || !mp_json_integer(more, &before))
		return;
	cJSON_free(more->valuestring);
	more->valuestring = NULL;
	cJSON_SetNumberValue(more, (double)(before + after));
}

static void cut(struct page *p, cJSON *object)
{
	for (cJSON *item = object->child, *next; item; item = next) {
		const bool was_list = is_list(item);

		next = item->next;
		if (is_rows(item))
			count_more(object, cut_rows(p, item));
		else if (is_list(item) && has_rows(item))
			cut_tables(p, item);
		else if (is_list(item))
			cut_rows(p, item);
		else if (cJSON_IsObject(item))
			cut(p, item);
		/* an empty list would say that there is nothing */
		if (was_list && !item->child)
			cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
	}
}

bool mcp_page(cJSON *document, int64_t from, int64_t limit, int64_t *next)
{
	struct page p = {.from = from, .limit = limit};

	cut(&p, document);
	*next = from + p.taken;
	return p.more;
}
