/*
 * fuzz_job.c: a packed job (see fuzz_job.h), imported, exported and shown. The database must be sound and account for
 * every byte.
 */
#include "fuzz_job.h"

static void check_database(const struct mp_job *job)
{
	struct mp_error err = {""};
	struct mp_db *db;
	int64_t wrong;

	CHECK(mp_job_db_open(&db, job, 0, &err) == 0);
	CHECK(mp_db_number(db,
		  "SELECT count(*) FROM (SELECT 1 FROM source WHERE state = 'raw' GROUP BY file"
		  " HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes))",
		  -1, &wrong, &err) == 0);
	CHECK(wrong == 0);
	CHECK(mp_db_number(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'", -1, &wrong,
		  &err) == 0);
	CHECK(wrong == 0);
	mp_db_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_import_options options = {.tool_version = "fuzz"};
	struct mp_error err = {""};
	struct mp_job *job;

	unpack_job(data, size);
	if (mp_job_open(&job, job_path, embedded_layouts(), NULL, &err)) {
		CHECK(err.text[0]);
		return 0;
	}
	if (mp_import(job, embedded_layouts(), &options, &err)) {
		CHECK(err.text[0]);
	} else {
		check_database(job);
		read_database(job, size % 2 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT);
	}
	mp_job_close(job);
	return 0;
}
