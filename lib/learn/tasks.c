/*
 * tasks.c: finds the layout of records of tasks. Shapes, byte orders, kinds and pairs of records are tried; the times
 * must fit, and the solution that explains most columns wins.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/hunt.h"
#include "learn/memory.h"

enum { TAGS_MAX = 24, LEAST_TASKS = 10, ENOUGH = 1, STEP = 4 };

/* Try the tasks of two records, with the numbers at `key` in both. */
static int try_pair(struct mp_hunt *h, const struct mp_try *of, const struct mp_units *all, struct mp_place key)
{
	struct mp_try p = *of;
	struct mp_key by_id = {.meaning = MP_MEANS_TASK_ID, .place = key, .scale = 1};
	struct mp_units units;
	int found = 0;

	if (mp_units_paired(&units, all, p.tag_offset, p.tag_start, p.tag, key, h->err))
		return -1;
	p.units = &units;
	p.key = key;
	h->seen_count = 0;
	for (size_t v = 0; v < h->views.count && units.count > 1 && !found; v++)
		if (h->views.items[v].columns[MP_MEANS_TASK_ID] >= 0)
			found = mp_hunt_key(h, &p, &h->views.items[v], &by_id);
	mp_units_free(&units);
	return found;
}

/* Returns whether nearly as many records have one value as the other. */
static bool balanced(const struct mp_tag *tag, unsigned a, unsigned b)
{
	return a != b && tag->counts[a] * 4 >= tag->counts[b] * 3 && tag->counts[b] * 4 >= tag->counts[a] * 3;
}

/* Returns whether most rows of a view say the number at a place of these units. */
static bool may_be_key(struct mp_hunt *h, const struct mp_units *units, const struct mp_hunt_key *k)
{
	if (!mp_units_tell(units, k->key.place) || h->cost > h->limit)
		return false;
	h->cost += MP_COST_KEY + units->count;
	for (size_t v = 0; v < h->views.count; v++) {
		struct mp_view *view = &h->views.items[v];
		struct mp_key key = k->key;

		key.least = view->count * 3 / 5;
		if (k->views >> v & 1 && mp_view_map(view, &h->raw, units, &key) > 1 &&
		    mp_hunt_mapped(view) * 5 >= view->count * 3)
			return true;
	}
	return false;
}

/* The places of `ends` that may be keys. Returns NULL with err; the caller frees them. */
static struct mp_place *find_keys(struct mp_hunt *h, const struct mp_units *ends, size_t *count)
{
	struct mp_place *keys = mp_learn_malloc((h->key_count + 1) * sizeof(*keys));

	*count = 0;
	for (size_t k = 0; keys && k < h->key_count; k++)
		if (may_be_key(h, ends, &h->keys[k]))
			keys[(*count)++] = h->keys[k].key.place;
	if (!keys)
		mp_fail_memory(h->err, "keys");
	return keys;
}

/* Other bytes may part records in the same way. Returns whether a set was tried before, by its hash. */
static bool was_tried(const struct mp_hunt *h, uint64_t set)
{
	for (size_t i = 0; i < h->set_count; i++)
		if (h->sets[i] == set)
			return true;
	return false;
}

static void remember(struct mp_hunt *h, uint64_t set)
{
	if (h->set_count < MP_SEEN_MAX)
		h->sets[h->set_count++] = set;
}

static uint64_t set_of_pair(const struct mp_tag *tag, unsigned start, unsigned end)
{
	return tag->sets[start] * 3 + tag->sets[end];
}

/* Try the pairs of two kinds, `ends` of which are given, with all starts that are as many. */
static int try_starts(struct mp_hunt *h, struct mp_try *p, const struct mp_units *all, const struct mp_units *ends,
    const struct mp_tag *tag, unsigned e)
{
	size_t count;
	struct mp_place *keys = find_keys(h, ends, &count);
	int found = keys ? 0 : -1;

	for (unsigned s = 0; s < tag->count && !found; s++) {
		if (!balanced(tag, s, e) || was_tried(h, set_of_pair(tag, s, e)))
			continue;
		remember(h, set_of_pair(tag, s, e));
		p->tag_offset = tag->offset;
		p->tag_start = tag->values[s];
		p->tag = tag->values[e];
		for (size_t k = 0; k < count && !found; k++)
			found = try_pair(h, p, all, keys[k]);
	}
	free(keys);
	return found;
}

static int try_pairs_of(struct mp_hunt *h, struct mp_try *p, const struct mp_units *all, const struct mp_tag *tag)
{
	int found = 0;

	for (unsigned e = 0; e < tag->count && !found; e++) {
		struct mp_units ends;
		bool any = false;

		for (unsigned s = 0; s < tag->count; s++)
			any |= balanced(tag, s, e) && !was_tried(h, set_of_pair(tag, s, e));
		if (!any)
			continue;
		if (mp_units_tagged(&ends, all, tag->offset, tag->values[e], h->err))
			return -1;
		found = try_starts(h, p, all, &ends, tag, e);
		mp_units_free(&ends);
	}
	return found;
}

/* Try the tasks of two records in these units. */
static int try_all_pairs(struct mp_hunt *h, const struct mp_try *of, const struct mp_units *all)
{
	struct mp_try p = *of;
	struct mp_tag tags[TAGS_MAX];
	size_t count = all->count < 4 || !mp_hunt_has_ids(h) ? 0 : mp_tags(tags, TAGS_MAX, all);
	int found = 0;

	p.paired = true;
	for (size_t t = 0; t < count && !found; t++)
		found = try_pairs_of(h, &p, all, &tags[t]);
	return found;
}

/* Try the records of each kind: one record a task, or two. */
static int try_kinds(struct mp_hunt *h, const struct mp_try *of, const struct mp_units *all, const struct mp_tag *tags,
    size_t count, bool pairs)
{
	int found = 0;

	for (size_t t = 0; t < count && !found; t++)
		for (unsigned k = 0; k < tags[t].count && !found; k++) {
			uint64_t set = tags[t].sets[k] * 5 + pairs;
			struct mp_try p = *of;
			struct mp_units units;

			if (was_tried(h, set))
				continue;
			remember(h, set);
			if (mp_units_tagged(&units, all, tags[t].offset, tags[t].values[k], h->err))
				return -1;
			p.units = &units;
			p.tagged = true;
			p.of = all;
			p.kind_offset = tags[t].offset;
			p.kind = tags[t].values[k];
			found = pairs ? try_all_pairs(h, &p, &units) : mp_hunt_units(h, &p);
			mp_units_free(&units);
		}
	return found;
}

int mp_hunt_shape(struct mp_hunt *h, const struct mp_shape *shape, bool try_all)
{
	struct mp_tag tags[TAGS_MAX];
	struct mp_try p = {.shape = shape};
	struct mp_units all;
	size_t count;
	int found;

	if (mp_units_all(&all, &h->raw, shape, h->err))
		return -1;
	h->set_count = 0;
	p.units = &all;
	found = all.count > 1 ? mp_hunt_list_keys(h, &all) : 0;
	if (!found && all.count > 1)
		found = mp_hunt_units(h, &p);
	count = found || !try_all || all.count < 2 ? 0 : mp_tags(tags, TAGS_MAX, &all);
	if (!found)
		found = try_kinds(h, &p, &all, tags, count, false);
	if (!found && count)
		found = try_all_pairs(h, &p, &all);
	if (!found && !h->best.score)
		found = try_kinds(h, &p, &all, tags, count, true);
	mp_units_free(&all);
	return found;
}

/* How many records a file has at least: a table's rows are those of the files that its name tells. */
static size_t least_records(const struct mp_hunt *h)
{
	size_t least = 2;

	for (size_t v = 0; v < h->views.count; v++) {
		size_t parts = 0, rows;

		for (size_t i = 0; i < h->raw.part_count; i++)
			parts += mp_view_is_of(&h->views.items[v], &h->raw.parts[i]);
		rows = parts ? h->views.items[v].count * 3 / 4 / parts : 0;
		least = rows > least ? rows : least;
	}
	return least;
}

/* What shapes may be, and where their records begin. */
struct shapes {
	struct mp_shape items[MP_SHAPE_MAX];
	struct mp_phases phases[MP_SHAPE_MAX];
	size_t count;
};

/* Of files that end with whole records their size tells the phase: the second guess, unless it is the first. */
static void add_phase(struct mp_phases *phases, size_t record, size_t phase)
{
	size_t at = 0;

	while (at < phases->count && phases->items[at] % record != phase)
		at++;
	if (at < 2)
		return;
	if (at == phases->count)
		phases->count += phases->count < MP_PHASE_MAX;
	at = at < phases->count ? at : phases->count - 1;
	for (; at > 1; at--)
		phases->items[at] = phases->items[at - 1];
	phases->items[at] = phase;
}

static void find_shapes(struct shapes *shapes, const struct mp_hunt *h)
{
	size_t least = least_records(h);

	shapes->count = mp_shapes(shapes->items, &h->raw, least);
	for (size_t i = 0; i < shapes->count; i++) {
		mp_find_phases(&shapes->phases[i], &h->raw, shapes->items[i].record, least);
		add_phase(&shapes->phases[i], shapes->items[i].record, shapes->items[i].phase);
	}
}

/* Try the k-th guess where the records of a shape begin, in both byte orders. */
static int try_phase(struct mp_hunt *h, const struct shapes *shapes, size_t i, size_t k)
{
	struct mp_shape shape = shapes->items[i];
	int found = 0;

	if (k >= shapes->phases[i].count)
		return 0;
	shape.phase = shapes->phases[i].items[k];
	/* what looks like a header may be records of another kind */
	if (!h->strict)
		shape.phase %= shape.record;
	for (int big = 0; big < 2 && !found; big++) {
		shape.big_endian = big;
		found = mp_hunt_shape(h, &shape, i < 4 || !h->best.score);
	}
	return found;
}

/* Returns whether tables have a column that the best solution does not explain. */
static bool lacks_column(const struct mp_solution *s)
{
	for (size_t i = 0; i < s->part_count; i++)
		if (s->parts[i].evidence && !s->parts[i].found)
			return true;
	return false;
}

/*
 * Records that begin too late lack the first columns: these look like the end of the record before, which has other
 * rows. Try where else the records of the best solution may begin, the latest first.
 */
static int try_earlier(struct mp_hunt *h)
{
	struct mp_shape shape = h->best.shape;
	size_t least = shape.phase < shape.record ? 0 : shape.phase - shape.record + 1;
	int found = 0;

	if (!h->best.score || h->complete || !lacks_column(&h->best))
		return 0;
	if (h->limit < h->cost + MP_COST_EARLIER)
		h->limit = h->cost + MP_COST_EARLIER;
	for (size_t at = (shape.phase + STEP - 1) / STEP; at-- > 0 && at * STEP >= least && !found;) {
		shape.phase = at * STEP;
		found = mp_hunt_shape(h, &shape, true);
	}
	return found;
}

static int hunt(struct mp_hunt *h)
{
	struct shapes *shapes = mp_learn_calloc(1, sizeof(*shapes));
	int found = 0;

	if (!shapes)
		return mp_fail_memory(h->err, "sizes of records");
	find_shapes(shapes, h);
	/* what tells units apart clearly comes first: anything else is searched long */
	for (int pass = 0; pass < 2 && found == 0 && !h->complete; pass++) {
		h->strict = h->by_order = pass == 0;
		for (size_t sum = 0; sum < MP_SHAPE_MAX + MP_PHASE_MAX && found == 0; sum++) {
			if (h->complete && sum > ENOUGH)
				break;
			for (size_t k = 0; k <= sum && k < MP_PHASE_MAX && found == 0; k++)
				if (sum - k < shapes->count)
					found = try_phase(h, shapes, sum - k, k);
		}
		if (!found && pass == 0)
			found = try_earlier(h);
	}
	if (!found && !h->best.score)
		found = mp_hunt_counted(h);
	free(shapes);
	return found < 0 ? -1 : 0;
}

/* What a solution says, and whether so few tasks prove it. */
static int report(struct mp_hunt *h, struct mp_found *found, const char *layout)
{
	size_t tasks = 0;

	if (mp_widen(found, &h->raw, &h->views, &h->best, h->err) ||
	    mp_emit(found, layout, &h->raw, &h->views, &h->best, h->err))
		return -1;
	for (size_t i = 0; i < h->best.units.count; i++)
		tasks += h->best.mapped[i] != 0;
	/* the few columns of the AI CPU leave fewer accidents */
	if (tasks >= LEAST_TASKS || h->part_count <= 2)
		return 0;
	return mp_found_missing(
	    found, h->err, "only %zu tasks have rows: more than one layout may fit, use tables of 20 or more", tasks);
}

static int find_tasks(struct mp_found *found, const struct mp_learn_input *in, const char *layout,
    enum mp_rows_of rows_of, const struct mp_part_of_record *parts, size_t part_count, struct mp_error *err)
{
	struct mp_hunt *h = mp_learn_calloc(1, sizeof(*h));
	bool is_text;
	int failed;

	memset(found, 0, sizeof(*found));
	if (!h)
		return mp_fail_memory(err, "the search for a layout");
	*h = (struct mp_hunt){.in = in, .parts = parts, .part_count = part_count, .limit = MP_COST_MAX, .err = err};
	memcpy(found->layout, layout, strlen(layout) + 1);
	if (in->progress)
		in->progress(in->user, layout);
	failed = mp_raw_read(&h->raw, in->job, layout, err) || mp_views_of_tasks(&h->views, in->refs, rows_of, err);
	is_text = !failed && mp_raw_is_text(&h->raw);
	if (!failed && h->raw.part_count && h->views.count && !is_text)
		failed = hunt(h);
	if (is_text)
		failed =
		    mp_found_missing(found, err, "these files are lines of text: only records of bytes can be learned");
	else if (!failed && h->best.score)
		failed = report(h, found, layout);
	else if (!failed && h->raw.part_count)
		failed = mp_found_missing(found, err, "%s",
		    h->views.count ? "no column fits any offset: are these the tables of this job?"
				   : "no table says anything of these files");
	mp_solution_free(&h->best);
	mp_views_free(&h->views);
	mp_raw_free(&h->raw);
	free(h->keys);
	free(h);
	return failed ? -1 : 0;
}

int mp_find_core_tasks(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err)
{
	struct mp_part_of_record parts[MP_PARTS_MAX] = {{.column = "task_id", .meaning = MP_MEANS_TASK_ID},
	    {.column = "stream_id", .meaning = MP_MEANS_STREAM_ID},
	    {.column = "ddr_read_bytes", .meaning = MP_MEANS_READ},
	    {.column = "ddr_write_bytes", .meaning = MP_MEANS_WRITE}};
	size_t count = 4;

	/* the columns of counters have the names of their meanings */
	for (int m = MP_MEANS_MAC_BUSY; m <= (int)MP_MEANS_WLD; m++)
		parts[count++] = (struct mp_part_of_record){
		    .column = mp_meaning_name((enum mp_meaning)m), .meaning = (enum mp_meaning)m};
	return find_tasks(found, in, "svp.aicore", MP_ROWS_OF_CORE, parts, count, err);
}

int mp_find_cpu_tasks(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err)
{
	static const struct mp_part_of_record parts[] = {
	    {.column = "task_id", .meaning = MP_MEANS_TASK_ID}, {.column = "stream_id", .meaning = MP_MEANS_STREAM_ID}};

	return find_tasks(found, in, "svp.aicpu", MP_ROWS_OF_CPU, parts, sizeof(parts) / sizeof(parts[0]), err);
}
