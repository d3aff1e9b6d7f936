/* baseline_write.c: writes a side as a baseline: one operator a line, so that a version control system shows changes.
 */
#include <string.h>

#include "base/value.h"
#include "compare/baseline.h"
#include "report/json.h"

static bool is_short(int64_t ns)
{
	return ns <= MP_BASELINE_NS_MAX && ns >= -MP_BASELINE_NS_MAX;
}

static int check_group(const struct mp_group *g, struct mp_error *err)
{
	bool fits = true;

	for (int i = 0; i < g->run_count; i++)
		fits = fits && is_short(g->runs[i].p95_ns);
	for (int i = 0; i < g->sample_count; i++)
		fits = fits && is_short(g->samples[i].total_ns);
	for (size_t i = 0; i < g->item_count; i++)
		for (int k = 0; k < g->sample_count; k++)
			fits = fits && is_short(g->sums[i * (size_t)g->width + (size_t)k]);
	return fits ? 0 : mp_fail(err, "times of '%s' are beyond 13 days: no baseline holds them", g->title);
}

int mp_baseline_check(const struct mp_side *side, struct mp_error *err)
{
	size_t groups = 0;

	for (size_t i = 0; i < side->group_count; i++) {
		groups += side->groups[i].run_count > 0;
		if (check_group(&side->groups[i], err))
			return -1;
	}
	return groups ? check_group(&side->calls, err) : mp_fail(err, "no step: a baseline would be empty");
}

/* Names of layers, as an array. */
static void put_layers(struct mp_out *out, const char *layers)
{
	mp_put_key(out, false, "layers");
	mp_out_char(out, '[');
	for (const char *at = layers; *at;) {
		size_t len = strcspn(at, "\x1f");

		mp_out_text(out, at == layers ? "" : ", ");
		mp_json_string(out, at, len);
		at += len + (at[len] != '\0');
	}
	mp_out_char(out, ']');
}

static void put_item(struct mp_out *out, const struct mp_group *g, size_t number)
{
	const struct mp_item *item = &g->items[number];
	const int64_t *sums = g->sums + number * (size_t)g->width;

	mp_out_char(out, '{');
	mp_put_key(out, true, "kind");
	mp_json_string(out, mp_item_kinds[item->kind], strlen(mp_item_kinds[item->kind]));
	mp_put_text(out, "name", item->name);
	if (item->detail)
		mp_put_text(out, item->kind == MP_ITEM_CALL ? "role" : "shape", item->detail);
	if (item->layers && strcmp(item->layers, item->name) != 0)
		put_layers(out, item->layers);
	mp_put_int(out, "calls", item->calls);
	mp_put_key(out, false, "ns");
	mp_out_char(out, '[');
	for (int i = 0; i < g->sample_count; i++) {
		mp_out_text(out, i ? "," : "");
		mp_out_int(out, sums[i]);
	}
	mp_out_text(out, "]}");
}

static void put_group(struct mp_out *out, const struct mp_group *g)
{
	mp_out_char(out, '{');
	mp_put_key(out, true, "title");
	mp_json_string(out, g->title, strlen(g->title));
	mp_put_text(out, "what", g->what);
	mp_out_text(out, ",\n\"runs\": [");
	for (int i = 0; i < g->run_count; i++) {
		mp_out_text(out, i ? ", {\"steps\": " : "{\"steps\": ");
		mp_out_int(out, g->runs[i].steps);
		mp_put_int(out, "p95_ns", g->runs[i].p95_ns);
		mp_out_char(out, '}');
	}
	mp_out_text(out, "],\n\"samples\": [");
	for (int i = 0; i < g->sample_count; i++) {
		mp_out_text(out, i ? ",\n{\"run\": " : "\n{\"run\": ");
		mp_out_int(out, g->samples[i].run);
		mp_put_int(out, "steps", g->samples[i].steps);
		mp_put_int(out, "total_ns", g->samples[i].total_ns);
		mp_out_char(out, '}');
	}
	mp_out_text(out, "],\n\"items\": [");
	for (size_t i = 0; i < g->item_count; i++) {
		mp_out_text(out, i ? ",\n" : "\n");
		put_item(out, g, i);
	}
	mp_out_text(out, "]}");
}

void mp_baseline_write(const struct mp_side *side, struct mp_out *out)
{
	bool first = true;

	mp_out_text(out, "{\"schema\": \"msprof.baseline/1\"");
	mp_put_text(out, "family", side->family);
	mp_put_int(out, "jobs", side->runs);
	mp_out_text(out, ",\n\"facts\": {");
	for (size_t i = 0; i < side->fact_count; i++) {
		mp_put_key(out, i == 0, side->facts[i].name);
		mp_json_string(out, side->facts[i].value, strlen(side->facts[i].value));
	}
	mp_out_text(out, "},\n\"groups\": [");
	for (size_t i = 0; i < side->group_count; i++) {
		if (!side->groups[i].run_count)
			continue;
		mp_out_text(out, first ? "\n" : ",\n");
		put_group(out, &side->groups[i]);
		first = false;
	}
	mp_out_text(out, "],\n\"calls\": ");
	put_group(out, &side->calls);
	mp_out_text(out, "}\n");
}
