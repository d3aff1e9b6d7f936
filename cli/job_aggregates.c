/* job_aggregates.c: takes the aggregates that are kept, or makes and keeps them. */
#include "job_aggregates.h"

#include "import/kept.h"
#include "insight/advise.h"
#include "job_output.h"
#include "process.h"

int job_aggregates(struct mp_db *db, const struct mp_job *job, const char *family, struct mp_error *err)
{
	const struct mp_kept kept = {MP_AGGREGATE_TABLES, MSPROF_VERSION, interrupt_removes};

	if (mp_aggregate_open(db, err))
		return -1;
	if (mp_kept_load(db, job, &kept))
		return 0;
	if (mp_aggregate_fill(db, family, err))
		return -1;
	if (job_output_is_writable(job))
		mp_kept_store(db, job, &kept);
	return 0;
}
