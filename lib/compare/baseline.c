/* baseline.c: writes a baseline file; and reads one, and trusts nothing of it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/json.h"
#include "base/text.h"
#include "base/value.h"
#include "compare/side.h"
#include "insight/sweep.h"
#include "report/formats.h"

enum { ITEMS_MAX = 1 << 17, GROUPS_MAX = 1024, FACTS_MAX = 64, TITLE_MAX = 511 };

#define NUMBER_MAX ((int64_t)1 << 53) /* beyond, JSON numbers are not exact */
#define SCHEMA "msprof.baseline/1"

/* What is being read, for errors. */
struct reading {
	struct mp_side *side;
	const char *label;
	struct mp_error *err;
};

static int refuse(const struct reading *r, const char *what, const char *where)
{
	return mp_fail(r->err, "'%s' is not a usable baseline: %s%s%.100s%s", r->label, what, where ? " of '" : "",
	    where ? where : "", where ? "'" : "");
}

/* A whole number from `least` to `most`. */
static bool read_number(const cJSON *v, int64_t least, int64_t most, int64_t *number)
{
	double value = cJSON_GetNumberValue(v);

	if (!(value >= (double)least && value <= (double)most) || value != floor(value))
		return false;
	*number = (int64_t)value;
	return true;
}

static const char *text_of(const cJSON *object, const char *name)
{
	const cJSON *v = mp_json_member(object, name);

	return cJSON_IsString(v) && *v->valuestring ? v->valuestring : NULL;
}

static int read_facts(struct reading *r, const cJSON *root)
{
	const cJSON *facts = mp_json_member(root, "facts"), *f;

	if (!cJSON_IsObject(facts) || cJSON_GetArraySize(facts) > FACTS_MAX)
		return refuse(r, "the facts are missing or invalid", NULL);
	for (f = facts->child; f; f = f->next)
		if (!cJSON_IsString(f) || mp_side_fact(r->side, f->string, f->valuestring, r->err))
			return refuse(r, "a fact is not a text", NULL);
	return 0;
}

static int read_runs(struct reading *r, const cJSON *object, struct mp_group *g, bool has_p95)
{
	const cJSON *runs = mp_json_member(object, "runs"), *v;

	if (!cJSON_IsArray(runs) || cJSON_GetArraySize(runs) > g->width)
		return refuse(r, "the list of runs is missing or invalid", g->title);
	for (v = runs->child; v; v = v->next) {
		struct mp_side_run *run = &g->runs[g->run_count++];

		if (!read_number(mp_json_member(v, "steps"), 1, MP_BASELINE_NS_MAX, &run->steps) ||
		    (has_p95 && !read_number(mp_json_member(v, "p95_ns"), 0, MP_BASELINE_NS_MAX, &run->p95_ns)))
			return refuse(r, "invalid numbers in a run", g->title);
	}
	return 0;
}

static int read_samples(struct reading *r, const cJSON *object, struct mp_group *g)
{
	const cJSON *samples = mp_json_member(object, "samples"), *v;
	int64_t run = -1;

	if (!cJSON_IsArray(samples) || cJSON_GetArraySize(samples) > g->width)
		return refuse(r, "the list of samples is missing or invalid", g->title);
	for (v = samples->child; v; v = v->next) {
		struct mp_sample *s = &g->samples[g->sample_count++];

		/* runs are in order, and no run is missing */
		if (!read_number(mp_json_member(v, "run"), run < 0 ? 0 : run, run + 1, &run) ||
		    !read_number(mp_json_member(v, "steps"), 1, MP_BASELINE_NS_MAX, &s->steps) ||
		    !read_number(mp_json_member(v, "total_ns"), 0, MP_BASELINE_NS_MAX, &s->total_ns))
			return refuse(r, "invalid numbers in a sample", g->title);
		s->run = (int)run;
	}
	return run + 1 == g->run_count ? 0 : refuse(r, "runs without samples, or samples without runs", g->title);
}

/* The names of layers, joined; *joined is NULL for an operator without layers. */
static int read_layers(struct reading *r, const cJSON *object, char **joined)
{
	const cJSON *layers = mp_json_member(object, "layers"), *v;
	size_t used = 0;
	char *end;

	*joined = NULL;
	if (!layers)
		return 0;
	for (v = layers->child; v; v = v->next) {
		if (!cJSON_IsString(v))
			return refuse(r, "a layer is not a text", NULL);
		used += strlen(v->valuestring) + 1;
	}
	end = *joined = malloc(used + 1);
	if (!end)
		return mp_fail_memory(r->err, "layers");
	for (v = layers->child; v; v = v->next) {
		size_t len = strlen(v->valuestring);

		if (end > *joined)
			*end++ = MP_LIST_SEPARATOR;
		memcpy(end, v->valuestring, len);
		end += len;
	}
	*end = '\0';
	return 0;
}

static bool read_kind(const cJSON *object, bool is_calls, enum mp_item_kind *kind)
{
	const char *word = text_of(object, "kind");

	for (int i = 0; word && i < MP_ITEM_KINDS; i++)
		if (strcmp(word, mp_item_kinds[i]) == 0) {
			*kind = (enum mp_item_kind)i;
			return is_calls == (*kind == MP_ITEM_CALL);
		}
	return false;
}

static int read_item(struct reading *r, const cJSON *object, struct mp_group *g, bool is_calls)
{
	/* mp_group_item copies the texts */
	struct mp_side_item item = {.name = (char *)cJSON_GetStringValue(mp_json_member(object, "name"))};
	const cJSON *times = mp_json_member(object, "ns"), *v;
	int64_t calls, *sum;
	size_t at;
	int status;

	if (!item.name || !read_kind(object, is_calls, &item.kind) ||
	    !read_number(mp_json_member(object, "calls"), 0, NUMBER_MAX, &calls) || !cJSON_IsArray(times) ||
	    cJSON_GetArraySize(times) != g->sample_count)
		return refuse(r, "an invalid item", g->title);
	item.detail = (char *)cJSON_GetStringValue(mp_json_member(object, is_calls ? "role" : "shape"));
	if (read_layers(r, object, &item.layers)) {
		free(item.layers);
		return -1;
	}
	status = mp_group_item(g, 0, &item, &at, r->err);
	free(item.layers);
	if (status)
		return -1;
	g->items[at].calls = calls;
	sum = &g->sums[at * (size_t)g->width];
	for (v = times->child; v; v = v->next)
		if (!read_number(v, item.kind == MP_ITEM_OVERLAP ? -MP_BASELINE_NS_MAX : 0, MP_BASELINE_NS_MAX, sum++))
			return refuse(r, "invalid times", item.name);
	return 0;
}

/* The items of each sample add up to it. */
static int check_sums(struct reading *r, const struct mp_group *g)
{
	for (int i = 0; i < g->sample_count; i++) {
		int64_t sum = 0;

		for (size_t k = 0; k < g->item_count; k++)
			sum = mp_add_ns(sum, g->sums[k * (size_t)g->width + (size_t)i]);
		if (sum != g->samples[i].total_ns)
			return refuse(r, "the items do not add up to the samples", g->title);
	}
	return 0;
}

static int read_group(struct reading *r, const cJSON *object, struct mp_group *g, bool is_calls)
{
	const cJSON *items = mp_json_member(object, "items"), *v;

	if (read_runs(r, object, g, !is_calls) || read_samples(r, object, g))
		return -1;
	if (!cJSON_IsArray(items) || cJSON_GetArraySize(items) > ITEMS_MAX)
		return refuse(r, "the list of items is missing or invalid", g->title);
	if (!is_calls && (!g->run_count || !g->sample_count))
		return refuse(r, "a group without samples", g->title);
	for (v = items->child; v; v = v->next)
		if (read_item(r, v, g, is_calls))
			return -1;
	return check_sums(r, g);
}

static int read_root(struct reading *r, const cJSON *root)
{
	const cJSON *groups = mp_json_member(root, "groups"), *v;
	const char *schema = text_of(root, "schema"), *family = text_of(root, "family");
	int64_t jobs;

	if (!schema || strcmp(schema, SCHEMA) != 0)
		return refuse(r, schema ? "its schema is not " SCHEMA : "its schema is missing", NULL);
	if (!family || strlen(family) >= sizeof(r->side->family))
		return refuse(r, "the family is missing or invalid", NULL);
	if (!read_number(mp_json_member(root, "jobs"), 1, MP_SAMPLES_MAX, &jobs))
		return refuse(r, "the number of jobs is missing or invalid", NULL);
	if (mp_side_begin(r->side, (size_t)jobs, r->err))
		return -1;
	snprintf(r->side->family, sizeof(r->side->family), "%s", family);
	if (read_facts(r, root))
		return -1;
	if (!cJSON_IsArray(groups) || cJSON_GetArraySize(groups) > GROUPS_MAX)
		return refuse(r, "the list of groups is missing or invalid", NULL);
	for (v = groups->child; v; v = v->next) {
		const char *title = text_of(v, "title"), *what = text_of(v, "what");
		size_t before = r->side->group_count;
		struct mp_group *g;

		if (!title || !what || strlen(title) > TITLE_MAX || strlen(what) > TITLE_MAX)
			return refuse(r, "a group without a title", NULL);
		g = mp_side_group(r->side, title, what, r->err);
		if (!g)
			return -1;
		if (r->side->group_count == before)
			return refuse(r, "two groups with the title", title);
		if (read_group(r, v, g, false))
			return -1;
	}
	return read_group(r, mp_json_member(root, "calls"), &r->side->calls, true);
}

int mp_baseline_parse(struct mp_side *side, const char *text, size_t len, const char *label, struct mp_error *err)
{
	struct reading r = {side, label, err};
	cJSON *root;
	const char *fault;
	int status;

	*side = (struct mp_side){.runs = 0};
	root = mp_json_parse(text, len, &fault);
	if (!root && !fault)
		return mp_fail_memory(err, label);
	if (!cJSON_IsObject(root) || !mp_utf8_valid(text, len))
		status = refuse(&r, "the text is not a JSON object", NULL);
	else
		status =
		    mp_json_has_nul(text) ? refuse(&r, "a text holds the character NUL", NULL) : read_root(&r, root);
	cJSON_Delete(root);
	return status;
}

int mp_baseline_read(struct mp_side *side, const char *path, struct mp_error *err)
{
	struct stat st;
	int fd = mp_named_file(path, &st), status;
	ssize_t used;
	char *text;

	*side = (struct mp_side){.runs = 0};
	if (fd < 0 && errno != EINVAL)
		return mp_file_refuse(path, err);
	if (fd < 0 || st.st_size > MP_BASELINE_MAX) {
		if (fd >= 0)
			close(fd); /* read only: nothing to lose */
		return mp_fail(err, "'%s' is not a baseline: a baseline is a regular file of at most %d MiB", path,
		    (int)(MP_BASELINE_MAX >> 20));
	}
	text = malloc((size_t)st.st_size + 1);
	used = text ? mp_file_read(fd, text, (size_t)st.st_size, 0) : 0;
	close(fd); /* read only: nothing to lose */
	if (!text)
		return mp_fail_memory(err, "a baseline");
	if (used == st.st_size) {
		text[used] = '\0';
		status = mp_baseline_parse(side, text, (size_t)used, path, err);
	} else {
		status = mp_fail(err, "cannot read '%s'", path);
	}
	free(text);
	return status;
}

/* Writes a side as a baseline: one operator a line, so that a version control system shows changes.
 */

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
	const struct mp_side_item *item = &g->items[number];
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
