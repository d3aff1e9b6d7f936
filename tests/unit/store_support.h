/* store_support.h: a small hand-written job, its import, and queries of its database. */
#ifndef MP_TESTS_STORE_SUPPORT_H
#define MP_TESTS_STORE_SUPPORT_H

#include "job_support.h"

#include "import/import.h"
#include "import/job_db.h"

enum { AICORE_SIZE = 128, AICPU_SIZE = 32, API_SIZE = 128 };

static const struct mp_import_options import_options = {.tool_version = "test"};

static inline void put_aicore(unsigned char *p, uint32_t task, uint64_t start, uint64_t end)
{
	memset(p, 0, AICORE_SIZE);
	put_le(p, 2, 0x5a5a);
	put_le(p + 2, 2, 1);
	put_le(p + 4, 4, task);
	put_le(p + 16, 8, start);
	put_le(p + 24, 8, end);
	for (size_t i = 0; i < 8; i++)
		put_le(p + 32 + 8 * i, 8, 100 * (task + i));
	put_le(p + 96, 8, 5000 + task);
	put_le(p + 104, 8, 1000);
	put_le(p + 112, 4, 3);
	put_le(p + 116, 4, 1000);
}

static inline void put_api(unsigned char *p, uint32_t type, uint64_t begin, uint64_t end, const char *name)
{
	memset(p, 0, API_SIZE);
	put_le(p, 2, 0x5a5a);
	put_le(p + 4, 4, type);
	put_le(p + 8, 8, begin);
	put_le(p + 16, 8, end);
	put_le(p + 24, 4, 100);
	put_le(p + 28, 4, 200);
	memcpy(p + 32, name, strnlen(name, 64));
}

/* Two tasks on the core, three calls, two layers of one task: complete and undamaged. */
static inline void write_job(struct job_test *t)
{
	unsigned char core[2 * AICORE_SIZE], api[3 * API_SIZE];

	put_aicore(core, 0, 1000, 1007);
	put_aicore(core + AICORE_SIZE, 1, 1007, 1042);
	put_api(api, 2, 10, 110, "svp_acl_mdl_execute");
	put_api(api + API_SIZE, 3, 20, 50, "svp_acl_rt_malloc");
	put_api(api + 2 * API_SIZE, 2, 210, 410, "svp_acl_mdl_execute");
	write_file(t->data, "aicore.0.net.7.1.1.0", core, sizeof(core));
	write_text(t->data, "aicore.0.net.7.1.1.0.done", "filesize:256");
	write_file(t->data, "acl_api.0.net.7", api, sizeof(api));
	write_text(t->data, "acl_api.0.net.7.done", "filesize:384");
	write_text(t->data, "net.7.layer.info",
	    "{\"task\":0,\"stream\":0,\"layers\":[{\"id\":0,\"name\":\"in\",\"type\":\"Input\",\"ori\":[\"in\"]}]}\n"
	    "{\"task\":1,\"stream\":0,\"layers\":[{\"id\":1,\"name\":\"c1\",\"type\":\"Convolution\",\"ori\":[\"c1\"]},"
	    "{\"id\":2,\"name\":\"r1\",\"type\":\"Relu\",\"ori\":[\"r1a\",\"r1b\"]}]}\n");
	write_text(t->data, "net.7.net.info", "{\"model\":\"net\",\"model_id\":7,\"batch\":1,\"input_pic_num\":1}\n");
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
