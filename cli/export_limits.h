/* export_limits.h: the part of a job that the user wants in a timeline: a range of time, devices, models. */
#ifndef MSPROF_EXPORT_LIMITS_H
#define MSPROF_EXPORT_LIMITS_H

#include "command.h"
#include "store/db.h"

/* Whether --from and --to are in order; else an error is printed. */
bool export_limits_check(const struct options *options);

/*
 * Tell the reports of an open database what is wanted, after job_run_choose. chooses_models: also the model and the
 * inference; reports of Ascend data choose iterations themselves. Error: a device, model or inference that the job does
 * not have. 0, or -1 with err.
 */
int export_limits(
    struct mp_db *db, const struct options *options, const char *family, bool chooses_models, struct mp_error *err);

#endif
