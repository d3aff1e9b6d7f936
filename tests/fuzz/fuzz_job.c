/*
 * fuzz_job.c: two bytes that choose a reader (see fuzz_readers.h), and a packed job (see fuzz_job.h), imported and
 * read. The database must be sound and account for every byte.
 */
#include "fuzz_readers.h"

static void check_database(struct mp_db *db)
{
	struct mp_error err = {.text = ""};
	int64_t wrong;

	CHECK(mp_db_number(db,
		  "SELECT count(*) FROM (SELECT 1 FROM source WHERE state = 'raw' GROUP BY file"
		  " HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes))",
		  -1, &wrong, &err) == 0);
	CHECK(wrong == 0);
	CHECK(mp_db_number(db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'", -1, &wrong,
		  &err) == 0);
	CHECK(wrong == 0);
}

/* Check the new database; in half of the executions, also read it. */
static void use_database(const struct mp_job *job, const uint8_t bytes[2])
{
	struct mp_error err = {.text = ""};
	struct mp_db *db;

	CHECK(mp_job_db_open(&db, job, 0, &err) == 0);
	check_database(db);
	if (!is_replay() && bytes[0] & 0x80)
		read_open(job, db, choice_of(bytes));
	mp_db_close(db);
	if (is_replay())
		read_database(job, bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_import_options options = {.tool_version = "fuzz"};
	const int64_t held = blocks.held;
	struct mp_error err = {.text = ""};
	struct mp_job *job;

	if (size < 2)
		return -1;
	unpack_job(data + 2, size - 2);
	if (mp_job_open(&job, job_path, embedded_layouts(), NULL, &err)) {
		CHECK(err.text[0]);
		return 0;
	}
	if (mp_import(job, embedded_layouts(), &options, &err))
		check_told(&err);
	else
		use_database(job, data);
	mp_job_close(job);
	CHECK(!held || blocks.held == held);
	return 0;
}
