/* publish_jobs.h: publishes the jobs below -dir, with several processes. */
#ifndef MSPROF_PUBLISH_JOBS_H
#define MSPROF_PUBLISH_JOBS_H

#include "command.h"
#include "fleet/url.h"
#include "publish_shards.h"

/* Publish all jobs; prints errors and the result. Returns the exit status. */
int publish_jobs(const struct options *options, const struct mp_fleet_url *url, const struct publish_shards *shards);

#endif
