/* side.c: groups, items and facts of one side. Knows no database and no file. */
#include "compare/side.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "insight/sweep.h"

const char *const mp_item_kinds[MP_ITEM_KINDS] = {"operator", "idle", "overlap", "call"};

int mp_side_begin(struct mp_side *side, size_t runs, struct mp_error *err)
{
	*side = (struct mp_side){.runs = 0};
	if (runs > MP_SAMPLES_MAX)
		return mp_fail(err, "%zu jobs are too many to compare: at most %d", runs, (int)MP_SAMPLES_MAX);
	side->runs = (int)runs;
	side->blocks = runs && runs < MP_BLOCKS ? (int)(MP_BLOCKS / runs) : 1;
	side->width = side->blocks * (runs ? side->runs : 1);
	return mp_group_begin(&side->calls, "calls", "step", side->runs ? side->runs : 1, err);
}

static void free_item(struct mp_side_item *item)
{
	free(item->name);
	free(item->detail);
	free(item->layers);
}

static void free_group(struct mp_group *g)
{
	for (size_t i = 0; i < g->item_count; i++)
		free_item(&g->items[i]);
	free(g->items);
	free(g->sums);
	mp_index_free(&g->index);
	free(g->samples);
	free(g->runs);
	free(g->title);
	free(g->what);
}

void mp_side_free(struct mp_side *side)
{
	for (size_t i = 0; i < side->group_count; i++)
		free_group(&side->groups[i]);
	free(side->groups);
	free_group(&side->calls);
	for (size_t i = 0; i < side->fact_count; i++) {
		free(side->facts[i].name);
		free(side->facts[i].value);
	}
	free(side->facts);
	memset(side, 0, sizeof(*side));
}

int mp_group_begin(struct mp_group *g, const char *title, const char *what, int width, struct mp_error *err)
{
	*g = (struct mp_group){.title = strdup(title),
	    .what = strdup(what),
	    .samples = calloc((size_t)width, sizeof(*g->samples)),
	    .runs = calloc((size_t)width, sizeof(*g->runs)),
	    .width = width};
	return g->title && g->what && g->samples && g->runs ? 0 : mp_fail_memory(err, "a side");
}

struct mp_group *mp_side_group(struct mp_side *side, const char *title, const char *what, struct mp_error *err)
{
	struct mp_group *group;

	for (size_t i = 0; i < side->group_count; i++)
		if (strcmp(side->groups[i].title, title) == 0)
			return &side->groups[i];
	if (!mp_vec_room(side->groups, side->group_count, 1)) {
		mp_error_set_memory(err, "a side");
		return NULL;
	}
	group = &side->groups[side->group_count];
	if (mp_group_begin(group, title, what, side->width, err)) {
		free_group(group);
		return NULL;
	}
	side->group_count++;
	return group;
}

struct wanted {
	const struct mp_group *group;
	const struct mp_side_item *item;
	int nth;
};

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same(const void *key, uint32_t number)
{
	const struct wanted *w = key;
	const struct mp_side_item *item = &w->group->items[number];

	return item->nth == w->nth && item->kind == w->item->kind && strcmp(item->name, w->item->name) == 0 &&
	       same_text(item->detail, w->item->detail);
}

static uint64_t hash_of(const struct mp_side_item *item, int nth)
{
	uint64_t hash = mp_hash_bytes(item->name, strlen(item->name));

	if (item->detail)
		hash = mp_hash_mix(hash, mp_hash_bytes(item->detail, strlen(item->detail)));
	return mp_hash_mix(hash, (uint64_t)nth * MP_ITEM_KINDS + (uint64_t)item->kind);
}

static char *copy(const char *text, bool *failed)
{
	char *made = text ? strdup(text) : NULL;

	*failed = *failed || (text && !made);
	return made;
}

/* The item of a name, made when new; *at is its place. Returns false: memory was short. */
static bool find_or_add(struct mp_group *g, const struct mp_side_item *like, int nth, size_t *at)
{
	const struct wanted w = {g, like, nth};
	const size_t width = (size_t)g->width;
	uint32_t *place = mp_index_find(&g->index, g->item_count, hash_of(like, nth), same, &w);
	struct mp_side_item item = *like;
	bool failed = false;

	if (!place)
		return false;
	if (*place) {
		*at = *place - 1;
		return true;
	}
	if (!mp_vec_room(g->items, g->item_count, 1) || !mp_vec_room(g->sums, g->item_count * width, width))
		return false;
	item.name = copy(like->name, &failed);
	item.detail = copy(like->detail, &failed);
	item.layers = copy(like->layers, &failed);
	item.nth = nth;
	item.calls = 0;
	item.run = -1;
	item.next = 0;
	if (failed) {
		free_item(&item);
		return false;
	}
	*at = g->item_count++;
	g->items[*at] = item;
	memset(g->sums + *at * width, 0, width * sizeof(*g->sums));
	*place = (uint32_t)*at + 1;
	return true;
}

int mp_group_same(struct mp_group *g, const struct mp_side_item *like, size_t *at, struct mp_error *err)
{
	return find_or_add(g, like, 0, at) ? 0 : mp_fail_memory(err, "calls");
}

int mp_group_item(struct mp_group *g, int run, const struct mp_side_item *like, size_t *at, struct mp_error *err)
{
	struct mp_side_item *first;
	int nth;

	if (!find_or_add(g, like, 0, at))
		return mp_fail_memory(err, "operators");
	first = &g->items[*at];
	if (first->run != run) {
		first->run = run;
		first->next = 0;
	}
	nth = first->next++;
	return !nth || find_or_add(g, like, nth, at) ? 0 : mp_fail_memory(err, "operators");
}

static struct mp_fact *find_fact(const struct mp_side *side, const char *name)
{
	for (size_t i = 0; i < side->fact_count; i++)
		if (strcmp(side->facts[i].name, name) == 0)
			return &side->facts[i];
	return NULL;
}

/* Whether the value is one of those that are joined. */
static bool has_value(const char *joined, const char *value)
{
	size_t len = strlen(value);

	for (const char *at = joined; at; at = strstr(at, "; ")) {
		at += at != joined ? 2 : 0;
		if (strncmp(at, value, len) == 0 && (!at[len] || strncmp(at + len, "; ", 2) == 0))
			return true;
	}
	return false;
}

int mp_side_fact(struct mp_side *side, const char *name, const char *value, struct mp_error *err)
{
	struct mp_fact *fact = find_fact(side, name);
	size_t used;
	char *joined;

	if (fact && has_value(fact->value, value))
		return 0;
	if (!fact) {
		if (!mp_vec_room(side->facts, side->fact_count, 1))
			return mp_fail_memory(err, "facts");
		fact = &side->facts[side->fact_count];
		*fact = (struct mp_fact){strdup(name), strdup(value)};
		if (!fact->name || !fact->value) {
			free(fact->name);
			free(fact->value);
			return mp_fail_memory(err, "facts");
		}
		side->fact_count++;
		return 0;
	}
	used = strlen(fact->value);
	joined = realloc(fact->value, used + strlen(value) + 3);
	if (!joined)
		return mp_fail_memory(err, "facts");
	memcpy(joined + used, "; ", 2);
	memcpy(joined + used + 2, value, strlen(value) + 1);
	fact->value = joined;
	return 0;
}

const char *mp_side_find(const struct mp_side *side, const char *name)
{
	const struct mp_fact *fact = find_fact(side, name);

	return fact ? fact->value : NULL;
}

int64_t mp_group_steps(const struct mp_group *g)
{
	int64_t steps = 0;

	for (int i = 0; i < g->sample_count; i++)
		steps = mp_add_ns(steps, g->samples[i].steps);
	return steps;
}

int64_t mp_group_time(const struct mp_group *g, size_t item)
{
	int64_t time_ns = 0;

	for (int i = 0; i < g->sample_count; i++)
		time_ns = mp_add_ns(time_ns, g->sums[item * (size_t)g->width + (size_t)i]);
	return time_ns;
}

int64_t mp_mean_ns(int64_t time_ns, int64_t steps)
{
	if (steps <= 0)
		return 0;
	return time_ns / steps - (time_ns % steps < 0);
}
