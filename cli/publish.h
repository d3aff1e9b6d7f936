/* publish.h: the parts of msprof publish: jobs that go to a database, and questions that come back. */
#ifndef MSPROF_PUBLISH_H
#define MSPROF_PUBLISH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "command.h"
#include "fleet/url.h"
#include "report/writer.h"

/*
 * Which shard a job belongs to.
 *
 * A job that a shard has stays there when shards are added; a new one goes by its number. A struct of zeros knows no
 * job; free with publish_shards_free. Functions that return int give 0, or -1 with err.
 */

struct publish_shards {
	struct publish_known {
		int64_t job, shard;
	} * known; /* in the order of jobs, after publish_shards_sort */
	size_t count;
	int shards;
};

/* Add jobs of a shard. */
int publish_shards_add(
    struct publish_shards *s, int64_t shard, const int64_t *jobs, size_t count, struct mp_error *err);
void publish_shards_sort(struct publish_shards *s);
void publish_shards_free(struct publish_shards *s);

/* What jobs are published with. */
struct publish_target {
	const struct options *options;
	const struct mp_fleet_url *url;
	struct publish_shards shards;
	char *labels; /* an object of JSON */
	bool nested;  /* with a run, the names of jobs begin with their directories */
};

/* Publish all jobs; prints errors and the result. Returns the exit status. */
int publish_jobs(const struct publish_target *target);

/* Publish jobs as they come, until a signal ends the process. Returns the exit status, with the error printed. */
int publish_watch(struct publish_target *target);

/* Ask the question of --ask. Returns the exit status, with errors printed. */
int publish_ask(const struct options *options);

/* Writes an answer as metrics of Prometheus. */
enum { PUBLISH_METRIC_SIZE = 128 };
struct publish_metrics {
	struct mp_writer writer;
	struct mp_out *out;
	const char *const *titles;
	int columns, metric, value;
	char name[PUBLISH_METRIC_SIZE]; /* of the last row */
};
void publish_metrics_init(struct publish_metrics *m, struct mp_out *out);

#endif
