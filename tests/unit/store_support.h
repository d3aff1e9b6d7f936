/* store_support.h: a small hand-written job, its import, and queries of its database. */
#ifndef MP_TESTS_STORE_SUPPORT_H
#define MP_TESTS_STORE_SUPPORT_H

#include "bytes_support.h"
#include "job_support.h"

#include "import/import.h"
#include "import/job_db.h"

/* Records of the SS928, one behind the other. */
enum { AICORE_SIZE = 256, API_SIZE = 32, HOST_CALL_SIZE = 128 };

/* The files of the job, and the first moment that its markers tell. */
#define CORE_FILE "aicore.0.net.16.7.1.1.0"
#define API_FILE "acl_api.0.net.7"
#define START_US INT64_C(1700000000000000)

static const struct mp_import_options import_options = {.tool_version = "test"};

/* A task with counters that can be true. */
static inline void put_aicore(unsigned char *p, uint32_t task, uint32_t ticks)
{
	memset(p, 0, AICORE_SIZE);
	put_le(p, 4, task);
	put_le(p + 4, 4, ticks);
	for (size_t i = 0; i < 8; i++)
		put_le(p + 8 + 4 * i, 4, (9 - i) * (uint64_t)ticks);
	put_le(p + 40, 4, 5000 + task);
	put_le(p + 44, 4, 1000);
}

static inline void put_call(unsigned char *p, uint32_t number, int64_t begin_us, int64_t end_us)
{
	put_le(p, 4, 0x5a5a);
	put_le(p + 4, 4, number);
	put_le(p + 8, 8, (uint64_t)begin_us);
	put_le(p + 16, 8, (uint64_t)end_us);
	put_le(p + 24, 4, 100);
	put_le(p + 28, 4, 200);
}

/* A call of the recorder of msprof. */
static inline void put_host_call(unsigned char *p, uint32_t type, uint64_t begin, uint64_t end, const char *name)
{
	memset(p, 0, HOST_CALL_SIZE);
	put_le(p, 2, 0x5a5a);
	put_le(p + 4, 4, type);
	put_le(p + 8, 8, begin);
	put_le(p + 16, 8, end);
	put_le(p + 24, 4, 100);
	put_le(p + 28, 4, 200);
	memcpy(p + 32, name, strnlen(name, 64));
}

/* A layer of the task `task`, as an item. */
static inline void add_layer(
    struct bytes *b, unsigned id, const char *name, const char *ori, const char *type, unsigned task)
{
	static struct bytes inner;

	inner.used = 0;
	add_number(&inner, U16 | 0x112, id);
	add_text(&inner, U8_BYTES | 0x114, name);
	add_text(&inner, U16_BYTES | 0x141, ori);
	add_number(&inner, U8 | 0x14b, 0);
	add_text(&inner, U8_BYTES | 0x152, type);
	add_number(&inner, U16 | 0x157, task);
	add_bytes(b, U16_BYTES | 0x111, inner.at, inner.used);
}

static inline void write_layers(struct job_test *t)
{
	static struct bytes file, net;

	file.used = net.used = 0;
	add_layer(&file, 0, "in", "", "Input", 0);
	add_layer(&file, 1, "c1", "c1", "Convolution", 1);
	add_layer(&file, 2, "r1", "r1a,r1b", "Relu", 1);
	write_file(t->data, "net.7.layer.info", file.at, file.used);
	add_number(&net, U8 | 0x041, 0);
	add_number(&net, U8 | 0x042, 0);
	add_number(&net, U8 | 0x20c, 2);
	file.used = 0;
	add_bytes(&file, U8_BYTES | 0x040, net.at, net.used);
	write_file(t->data, "net.7.net.info", file.at, file.used);
}

/* Write a file with its marker: its size and the moment of its first record. */
static inline void write_done(struct job_test *t, const char *name, const void *bytes, size_t size, int64_t start_us)
{
	char marker[300], text[200];

	write_file(t->data, name, bytes, size);
	snprintf(marker, sizeof(marker), "%s.done", name);
	snprintf(text, sizeof(text), "file_len:%zu\nstart_time:%lld\nend_time:%lld\ncache_hit:3\ncache_mis:1\n", size,
	    (long long)start_us, (long long)start_us + 100);
	write_text(t->data, marker, text);
}

/* Two tasks on the core, three calls, three layers of two tasks: complete and undamaged. */
static inline void write_job(struct job_test *t)
{
	unsigned char core[2 * AICORE_SIZE], api[3 * API_SIZE];

	put_aicore(core, 0, 7);
	put_aicore(core + AICORE_SIZE, 1, 35);
	put_call(api, 0, START_US - 500, START_US - 400);
	put_call(api + API_SIZE, 2, START_US - 10, START_US + 110);
	put_call(api + 2 * API_SIZE, 4, START_US + 120, START_US + 130);
	write_done(t, CORE_FILE, core, sizeof(core), START_US);
	write_done(t, API_FILE, api, sizeof(api), START_US - 500);
	write_layers(t);
}

/* Open the job and import it into memory; the caller closes the database. */
static inline struct mp_db *import_private(struct job_test *t)
{
	struct mp_db *db = NULL;

	job_open(t);
	assert_ok(mp_import_private(&db, t->job, &t->layouts, &import_options, &t->err), &t->err);
	return db;
}

/* The rows of a query: cells separated by '|', rows by ' / ', NULL as "null". Valid until the next call. */
static inline const char *ask(struct mp_db *db, const char *sql)
{
	static char text[4096];
	struct mp_error err;
	struct mp_query *q;
	size_t used = 0;
	int status;

	assert_ok(mp_query_open(&q, db, sql, strlen(sql), &err), &err);
	text[0] = '\0';
	while ((status = mp_query_next(q, &err)) == 1) {
		for (int i = 0; i < mp_query_column_count(q); i++) {
			struct mp_value v = mp_query_value(q, i);
			const char *before = i ? "|" : used ? " / " : "";
			char *at = text + used;
			size_t room = sizeof(text) - used;

			if (v.type == MP_INT)
				snprintf(at, room, "%s%lld", before, (long long)v.i);
			else if (v.type == MP_REAL)
				snprintf(at, room, "%s%.17g", before, v.d);
			else if (v.type == MP_TEXT)
				snprintf(at, room, "%s%.*s", before, (int)v.len, v.text);
			else
				snprintf(at, room, "%snull", before);
			used += strlen(at);
		}
	}
	mp_query_close(q);
	if (status)
		fail_msg("%s: %s", sql, err.text);
	return text;
}

#define assert_rows(db, sql, expected) assert_string_equal(ask(db, sql), expected)

#endif
