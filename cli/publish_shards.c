/* publish_shards.c: the jobs that shards have, as a sorted list. */
#include "publish_shards.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

int publish_shards_add(struct publish_shards *s, int64_t shard, const int64_t *jobs, size_t count, struct mp_error *err)
{
	if (shard < 0 || shard >= s->shards)
		return mp_fail(err, "msprof-publish gave an unknown answer");
	if (!mp_vec_room(s->known, s->count, count))
		return mp_fail_memory(err, "jobs");
	for (size_t i = 0; i < count; i++)
		s->known[s->count++] = (struct publish_known){jobs[i], shard};
	return 0;
}

static int by_job(const void *a, const void *b)
{
	const struct publish_known *x = a, *y = b;

	return (x->job > y->job) - (x->job < y->job);
}

void publish_shards_sort(struct publish_shards *s)
{
	if (s->count)
		qsort(s->known, s->count, sizeof(*s->known), by_job);
}

int publish_shards_find(const struct publish_shards *s, int64_t job)
{
	const struct publish_known key = {.job = job};
	const struct publish_known *found = s->count ? bsearch(&key, s->known, s->count, sizeof(key), by_job) : NULL;

	return (int)(found ? found->shard : job % s->shards);
}

void publish_shards_free(struct publish_shards *s)
{
	free(s->known);
	memset(s, 0, sizeof(*s));
}
