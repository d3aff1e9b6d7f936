/*
 * fuzz_json.c: any bytes as JSON. What becomes a tree, SQLite's parser reads as the same values in the same order;
 * numbers have their digits; and an array has the same items when they are read one at a time.
 */
#include "fuzz.h"

#include <math.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"

/* The kind of a value, as SQLite names it. */
static const char *kind_of(const cJSON *item)
{
	if (cJSON_IsNumber(item))
		return item->valuestring[strspn(item->valuestring, "-0123456789")] ? "real" : "integer";
	return cJSON_IsString(item)   ? "text"
	       : cJSON_IsArray(item)  ? "array"
	       : cJSON_IsObject(item) ? "object"
	       : cJSON_IsTrue(item)   ? "true"
	       : cJSON_IsFalse(item)  ? "false"
				      : "null";
}

static void check_number(const cJSON *item, sqlite3_stmt *row)
{
	int64_t whole;

	CHECK(strtod(item->valuestring, NULL) == item->valuedouble);
	if (mp_json_integer(item, &whole))
		CHECK(sqlite3_column_type(row, 1) == SQLITE_INTEGER && sqlite3_column_int64(row, 1) == whole);
	else if (isfinite(item->valuedouble)) /* SQLite's own conversion differs in the last bit */
		CHECK(fabs(sqlite3_column_double(row, 1) - item->valuedouble) <= fabs(item->valuedouble) * 1e-14);
}

/* Compare an item and those below it with the next rows. */
static void check_item(const cJSON *item, sqlite3_stmt *row)
{
	const cJSON *child;

	CHECK(sqlite3_step(row) == SQLITE_ROW);
	CHECK(strcmp((const char *)sqlite3_column_text(row, 0), kind_of(item)) == 0);
	if (cJSON_IsNumber(item))
		check_number(item, row);
	if (cJSON_IsString(item))
		CHECK(strcmp((const char *)sqlite3_column_text(row, 1), item->valuestring) == 0);
	for (child = item->child; child; child = child->next)
		check_item(child, row);
}

/* Count the items of an array in a file; -1 where it does not end as one. */
static int64_t count_items(const uint8_t *data, size_t size)
{
	int fd = memfd_create("items", MFD_CLOEXEC);
	struct mp_json_items *items;
	cJSON *item;
	struct mp_error err;
	int64_t count = 0;

	CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	CHECK(mp_json_items_begin(&items, fd, &err) == 0);
	while (mp_json_items_next(items, &item, &err) == 1) {
		cJSON_Delete(item);
		count++;
	}
	count = mp_json_items_whole(items) ? count : -1;
	mp_json_items_free(items);
	close(fd);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static sqlite3 *db;
	static sqlite3_stmt *rows;
	const char *text = (const char *)data, *fault;
	cJSON *root = mp_json_parse(text, size, &fault);
	int64_t items;

	if (!root) {
		CHECK(fault && fault >= text && fault <= text + size);
		return 0;
	}
	if (!db) {
		CHECK(sqlite3_open(":memory:", &db) == SQLITE_OK);
		CHECK(sqlite3_prepare_v2(db, "SELECT type, atom FROM json_tree(?)", -1, &rows, NULL) == SQLITE_OK);
	}
	CHECK(sqlite3_bind_text(rows, 1, text, (int)size, SQLITE_STATIC) == SQLITE_OK);
	check_item(root, rows);
	CHECK(sqlite3_step(rows) == SQLITE_DONE && sqlite3_reset(rows) == SQLITE_OK);
	items = count_items(data, size);
	CHECK(!cJSON_IsArray(root) || size > MP_JSON_ITEM_MAX || items == cJSON_GetArraySize(root));
	cJSON_Delete(root);
	return 0;
}
