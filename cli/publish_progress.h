/* publish_progress.h: shows how far readers are, as one line on a terminal, and at the end as a message. */
#ifndef MSPROF_PUBLISH_PROGRESS_H
#define MSPROF_PUBLISH_PROGRESS_H

#include <stdatomic.h>
#include <time.h>

#include "command.h"
#include "fleet/url.h"

/* What all readers count, in memory that they share. */
struct publish_counts {
	atomic_size_t next[MP_FLEET_SHARD_MAX]; /* of the jobs of a shard, the first that no reader took */
	atomic_llong rows, tasks, stored;
};

struct publish_progress {
	struct publish_counts *counts;
	size_t jobs;
	bool active, shown;
	struct timespec begun, last;
};

void publish_progress_begin(struct publish_progress *p, struct publish_counts *counts, size_t jobs, bool quiet);
void publish_progress_update(struct publish_progress *p);

/* Remove the line, and print the result. */
void publish_progress_end(struct publish_progress *p, const struct options *options);

#endif
