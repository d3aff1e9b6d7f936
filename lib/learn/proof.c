/* proof.c: decodes a job with learned layouts and compares each reference with what the records say. */
#include "learn/proof.h"

#include "import/import.h"
#include "learn/memory.h"
#include "learn/proof_internal.h"

#include <stdlib.h>
#include <string.h>

/* Whether layouts round moments of a table to ns. */
static bool rounds_ns(const struct mp_job *job, bool calls)
{
	for (size_t i = 0; i < job->file_count; i++) {
		const struct mp_layout *layout = job->files[i].layout;
		int column;

		if (job->files[i].state != MP_FILE_RAW || !layout ||
		    (calls ? strcmp(layout->table, "api_call") != 0
			   : strcmp(layout->table, "aicore_task") != 0 && strcmp(layout->table, "aicpu_task") != 0))
			continue;
		column = mp_layout_column(layout, "dur_ns");
		if (column >= 0 && layout->columns[column].unit != MP_UNIT_NS &&
		    layout->columns[column].unit != MP_UNIT_US && layout->columns[column].unit != MP_UNIT_HOST)
			return true;
	}
	return false;
}

static int prove(struct mp_proof_line *line, const struct mp_reference *ref, const struct mp_job *job, struct mp_db *db,
    const struct mp_dictionary *layers, struct mp_error *err)
{
	bool calls = ref->kind == MP_TABLE_CALLS || ref->kind == MP_TABLE_CALL_SUMS;
	struct mp_proof_items items = {.words = layers, .exact_ns = !rounds_ns(job, calls)};
	struct mp_dictionary names = {0};
	int status;

	if (ref->kind == MP_TABLE_OTHER) {
		line->unknown = (size_t)ref->column_count;
		return 0;
	}
	status = calls ? mp_proof_load_calls(&items, &names, db, &ref->identity, err)
		       : mp_proof_load_tasks(&items, db, &ref->identity, err);
	if (status == 0 && (ref->kind == MP_TABLE_TASKS || ref->kind == MP_TABLE_CALLS))
		status = mp_proof_compare_items(line, ref, &items, err);
	else if (status == 0)
		status = mp_proof_compare_sums(line, ref, &items, err);
	free(items.at);
	mp_dictionary_free(&names);
	return status;
}

/* The frequency that a user gave in place of that of the job, or 0. */
static int64_t given_mhz(const struct mp_job *job)
{
	for (int i = 0; i < job->device_count; i++) {
		if (job->devices[i].clock.core_mhz != job->devices[i].file_mhz)
			return job->devices[i].clock.core_mhz;
	}
	return 0;
}

static int prove_all(struct mp_proof *proof, const struct mp_job *job, struct mp_db *db,
    const struct mp_references *refs, struct mp_error *err)
{
	struct mp_dictionary layers = {0};
	int status = mp_proof_load_words(&layers, db, err);

	for (size_t i = 0; status == 0 && i < refs->count; i++) {
		proof->lines[i].name = refs->items[i].name;
		status = prove(&proof->lines[i], &refs->items[i], job, db, &layers, err);
	}
	mp_dictionary_free(&layers);
	return status;
}

int mp_proof_make(struct mp_proof *proof, const struct mp_job *job, const struct mp_layouts *layouts,
    const struct mp_references *refs, struct mp_error *err)
{
	struct mp_import_options options = {.frequency_mhz = given_mhz(job), .tool_version = "learn"};
	struct mp_job *own = NULL;
	struct mp_db *db = NULL;
	int status = -1;

	*proof = (struct mp_proof){.count = refs->count};
	proof->lines = mp_learn_calloc(refs->count + 1, sizeof(*proof->lines));
	if (!proof->lines)
		return mp_fail_memory(err, "the proof");
	/* the job is opened anew, since its files have the layouts with which it was opened */
	if (mp_job_open(&own, job->real_path, layouts, options.frequency_mhz, err) == 0 &&
	    mp_import_private(&db, own, layouts, &options, err) == 0)
		status = prove_all(proof, own, db, refs, err);
	mp_db_close(db);
	mp_job_close(own);
	if (status)
		mp_proof_free(proof);
	return status;
}

void mp_proof_free(struct mp_proof *proof)
{
	free(proof->lines);
	*proof = (struct mp_proof){0};
}
