/* timeline_json.c: writes the time line and the flame graph. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "page/document.h"
#include "report/formats.h"
#include "report/report.h"

enum { NAMES_MAX_BYTES = 512 << 10, NAME_LEAST_BYTES = 48 };

/* The names of a list by the numbers that they have there, in order of their first use. */
struct used {
	const struct mp_text_set *names;
	int64_t *numbers; /* -1: not used */
	uint32_t *order;
	size_t count;
};

static bool begin_names(struct used *u, const struct mp_text_set *names)
{
	*u = (struct used){.names = names};
	u->numbers = malloc((names->count + 1) * sizeof(*u->numbers));
	u->order = malloc((names->count + 1) * sizeof(*u->order));
	for (size_t i = 0; u->numbers && i < names->count; i++)
		u->numbers[i] = -1;
	return u->numbers && u->order;
}

static void end_names(struct used *u)
{
	free(u->numbers);
	free(u->order);
}

static int64_t use_name(struct used *u, uint32_t name)
{
	if (u->numbers[name] < 0) {
		u->order[u->count] = name;
		u->numbers[name] = (int64_t)u->count++;
	}
	return u->numbers[name];
}

/* The most bytes of a name: all of it, unless all names together are too long. */
static size_t most_bytes(const struct used *u)
{
	size_t bytes = 0, each;

	for (size_t i = 0; i < u->count; i++)
		bytes += strlen(u->names->items[u->order[i]]);
	if (bytes <= NAMES_MAX_BYTES)
		return NAMES_MAX_BYTES;
	each = NAMES_MAX_BYTES / u->count;
	return each > NAME_LEAST_BYTES ? each : NAME_LEAST_BYTES;
}

static void put_name(struct mp_out *out, const char *name, size_t most)
{
	static const char ellipsis[] = "\xe2\x80\xa6";
	char cut[NAMES_MAX_BYTES / 64];
	size_t len = strlen(name);

	if (len <= most) {
		mp_json_string(out, name, len);
		return;
	}
	len = mp_cut(name, most < sizeof(cut) - sizeof(ellipsis) ? most : sizeof(cut) - sizeof(ellipsis));
	memcpy(cut, name, len);
	memcpy(cut + len, ellipsis, sizeof(ellipsis));
	mp_json_string(out, cut, strlen(cut));
}

static void put_names(struct mp_out *out, const struct used *u)
{
	size_t most = most_bytes(u);

	mp_out_char(out, '[');
	for (size_t i = 0; i < u->count; i++) {
		mp_out_text(out, i ? ",\n" : "\n");
		put_name(out, u->names->items[u->order[i]], most);
	}
	mp_out_char(out, ']');
}

/* Write an array of `count` numbers; `number` gives each. */
static void put_list(
    struct mp_out *out, const char *key, size_t count, int64_t (*number)(void *user, size_t i), void *user)
{
	mp_put_key(out, false, key);
	mp_out_char(out, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			mp_out_char(out, ',');
		mp_out_int(out, number(user, i));
	}
	mp_out_char(out, ']');
}

struct marks {
	const struct mp_strip *strip;
	struct used *used;
};

static int64_t start_of(void *user, size_t i)
{
	const struct mp_strip_kept *marks = ((const struct marks *)user)->strip->marks;

	return marks[i].start_ns - (i ? marks[i - 1].start_ns : 0);
}

static int64_t dur_of(void *user, size_t i)
{
	return ((const struct marks *)user)->strip->marks[i].dur_ns;
}

static int64_t name_of(void *user, size_t i)
{
	const struct marks *m = user;

	return use_name(m->used, m->strip->marks[i].name);
}

static int64_t depth_of(void *user, size_t i)
{
	return ((const struct marks *)user)->strip->marks[i].depth;
}

static void put_marks(struct mp_out *out, const struct mp_strip *s, struct used *u, bool is_truncated)
{
	struct marks m = {s, u};
	bool is_flat = true;

	for (size_t i = 0; i < s->count; i++)
		is_flat = is_flat && s->marks[i].depth == 0;
	mp_out_text(out, "{\"truncated\": ");
	mp_out_text(out, is_truncated ? "true" : "false");
	put_list(out, "start", s->count, start_of, &m);
	put_list(out, "dur", s->count, dur_of, &m);
	put_list(out, "name", s->count, name_of, &m);
	if (is_flat)
		mp_put_text(out, "depth", NULL);
	else
		put_list(out, "depth", s->count, depth_of, &m);
	mp_out_char(out, '}');
}

struct bins {
	const struct mp_level *level;
	struct used *used;
};

static int64_t busy_of(void *user, size_t i)
{
	return ((const struct bins *)user)->level->bins[i].busy;
}

static int64_t top_of(void *user, size_t i)
{
	const struct bins *b = user;
	int32_t top = b->level->bins[i].top;

	return top < 0 ? -1 : use_name(b->used, (uint32_t)top);
}

static int64_t count_of(void *user, size_t i)
{
	return ((const struct bins *)user)->level->bins[i].count;
}

static void put_levels(struct mp_out *out, const struct mp_strip *s, struct used *u)
{
	mp_out_char(out, '[');
	for (int i = 0; i < s->level_count; i++) {
		const struct mp_level *l = &s->levels[i];
		struct bins b = {l, u};

		mp_out_text(out, i ? ",\n{\"bins\": " : "\n{\"bins\": ");
		mp_out_int(out, l->count);
		put_list(out, "busy", (size_t)l->count, busy_of, &b);
		put_list(out, "top", (size_t)l->count, top_of, &b);
		put_list(out, "count", (size_t)l->count, count_of, &b);
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
}

/* The clocks that tracks have: times of different ones are not aligned. */
static void put_clocks(struct mp_out *out, const struct mp_slices *s)
{
	bool any = false;

	mp_put_key(out, false, "clocks");
	mp_out_char(out, '[');
	for (int i = 0; i < MP_CLOCKS; i++)
		if (s->has_clock[i]) {
			mp_out_text(out, any ? ",{\"begin_ns\": \"" : "{\"begin_ns\": \"");
			mp_out_int(out, s->begin_ns[i]);
			mp_out_char(out, '"');
			mp_put_int(out, "length_ns", mp_clock_length_ns(s, i));
			mp_out_char(out, '}');
			any = true;
		}
	mp_out_char(out, ']');
}

static void put_track(struct mp_out *out, int clock, const struct mp_track *t, const struct mp_strip *s, struct used *u)
{
	mp_out_text(out, "{\"name\": ");
	mp_json_string(out, t->name, strlen(t->name));
	mp_put_text(out, "group", t->group);
	mp_put_text(out, "kind", mp_track_kinds[t->kind]);
	mp_put_int(out, "clock", clock);
	mp_put_int(out, "slices", (int64_t)t->count);
	if (s->longest) {
		mp_put_text(out, "exact", NULL);
		mp_put_key(out, false, "longest");
		put_marks(out, s, u, true);
		mp_put_key(out, false, "levels");
		put_levels(out, s, u);
	} else {
		mp_put_key(out, false, "exact");
		put_marks(out, s, u, false);
		mp_put_text(out, "longest", NULL);
		mp_put_text(out, "levels", NULL);
	}
	mp_out_char(out, '}');
}

/* The sentence about clocks: the first column of the only row. */
static int put_clock(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct mp_reports reports;
	struct mp_query *q;
	int status;

	if (mp_reports_load_folder(&reports, "page/timeline", page->family, MP_STYLE_DEFAULT, err))
		return -1;
	mp_put_key(out, false, "clock");
	status = reports.count ? mp_report_query(&q, page->db, &reports.items[0].each, "", "", MP_STYLE_DEFAULT, err)
			       : mp_fail(err, "no file tells the clock of the family '%s'", page->family);
	if (!status) {
		struct mp_value v = {.type = MP_NULL};

		status = mp_query_next(q, err);
		if (status == 1)
			v = mp_query_value(q, 0);
		mp_put_value(out, &v);
		mp_query_close(q);
	}
	mp_reports_free(&reports);
	return status < 0 ? -1 : 0;
}

int mp_page_timeline_put(
    struct mp_page_timeline *t, const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	const struct mp_slices *s = &t->slices;
	struct used u;
	int status;

	if (!begin_names(&u, &s->names)) {
		end_names(&u);
		return mp_fail_memory(err, "names");
	}
	mp_out_text(out, "{\"begin_ns\": \"");
	mp_out_int(out, s->begin_ns[s->has_clock[0] ? 0 : 1]);
	mp_out_text(out, "\", \"length_ns\": ");
	mp_out_int(out, t->length_ns);
	mp_put_int(out, "tasks", (int64_t)s->count);
	status = put_clock(page, out, err);
	put_clocks(out, s);
	mp_put_key(out, false, "tracks");
	mp_out_char(out, '[');
	for (size_t i = 0; i < t->shown; i++) {
		const struct mp_track *track = &s->tracks[t->order[i]];

		mp_out_text(out, i ? ",\n" : "\n");
		put_track(out, s->has_clock[0] ? track->clock : 0, track, &t->strips[i], &u);
	}
	mp_out_char(out, ']');
	mp_put_key(out, false, "names");
	put_names(out, &u);
	mp_out_char(out, '}');
	end_names(&u);
	return status;
}

int mp_stacks_put(struct mp_page_timeline *t, struct mp_out *out, struct mp_error *err)
{
	struct used u;

	if (!t->stacks.count) {
		mp_out_text(out, "null");
		return 0;
	}
	if (!begin_names(&u, &t->slices.names)) {
		end_names(&u);
		return mp_fail_memory(err, "names");
	}
	mp_out_text(out, "{\"nodes\": [");
	for (size_t i = 0; i < t->stacks.count; i++) {
		const struct mp_stack_node *n = &t->stacks.nodes[i];
		const int64_t numbers[] = {n->parent, use_name(&u, n->name), n->total_ns, n->self_ns, n->count};

		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++) {
			mp_out_text(out, k ? "," : i ? ",\n[" : "\n[");
			mp_out_int(out, numbers[k]);
		}
		mp_out_char(out, ']');
	}
	mp_out_char(out, ']');
	mp_put_key(out, false, "names");
	put_names(out, &u);
	mp_out_char(out, '}');
	end_names(&u);
	return 0;
}
