/* side_read.c: adds a job to a side, and its facts. Knows no family. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/text.h"
#include "compare/compare_internal.h"
#include "insight/ops.h"
#include "insight/sweep.h"

enum { FACT_MAX = 1024 };

static int add_fact(void *user, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_side_reading *r = user;
	const struct mp_value name = cells[0], v = cells[1];
	char key[32], value[FACT_MAX] = "";

	if (name.type != MP_TEXT)
		return 0;
	snprintf(key, sizeof(key), "%.*s", (int)name.len, name.text);
	if (v.type == MP_TEXT)
		snprintf(value, sizeof(value), "%.*s", (int)v.len, v.text);
	else if (v.type == MP_INT)
		snprintf(value, sizeof(value), "%lld", (long long)v.i);
	else if (v.type == MP_REAL)
		snprintf(value, sizeof(value), "%.12g", v.d);
	value[mp_cut(value, FACT_MAX - 4)] = '\0'; /* a baseline has only whole code points */
	return value[0] ? mp_side_fact(r->side, key, value, err) : 0;
}

static int load(struct mp_side_reading *r, const char *family, struct mp_error *err)
{
	const struct {
		const char *folder;
		const struct mp_report **report;
	} wanted[] = {{"/tasks/", &r->tasks}, {"/names/", &r->names}, {"/calls/", &r->calls}, {"/facts/", &r->facts}};

	if (mp_reports_load_folder(&r->lists, "insight/samples", family, MP_STYLE_DEFAULT, err))
		return -1;
	for (size_t i = 0; i < r->lists.count; i++)
		for (size_t k = 0; k < sizeof(wanted) / sizeof(wanted[0]); k++)
			if (strstr(r->lists.items[i].path, wanted[k].folder))
				*wanted[k].report = &r->lists.items[i];
	return r->tasks && r->names && r->calls && r->facts
		   ? 0
		   : mp_fail(err, "there is no comparison for data of the family '%s'", family);
}

int mp_side_read(struct mp_side *side, struct mp_db *db, const char *family, struct mp_error *err)
{
	struct mp_side_reading r = {.side = side, .db = db};
	int status;

	if (side->family[0] && strcmp(side->family, family) != 0)
		return mp_fail(
		    err, "jobs of the families '%s' and '%s' cannot be samples of one another", side->family, family);
	snprintf(side->family, sizeof(side->family), "%s", family);
	status = mp_side_fact(side, "family", family, err) || load(&r, family, err) || mp_insight_words(db, err) ||
			 mp_insight_script(db, family, "before", err) ||
			 mp_insight_script(db, family, "samples", err) ||
			 mp_insight_script(db, "any", "samples", err) || mp_read_tasks(&r, err) ||
			 mp_read_calls(&r, err) || mp_report_values(&r.facts->each, db, NULL, 2, add_fact, &r, err)
		     ? -1
		     : 0;
	mp_reports_free(&r.lists);
	return status;
}

/* Reads the calls of a job, by their name and the role of their thread. */

/* The columns of a query of calls: the name is a text, or two numbers that `names` knows. */
enum { THREAD, NAME, DETAIL, DURATION, STEP, COLUMNS };

/* Keys of a call. */
enum { KEY_THREAD, KEY_TEXT, KEY_NAME, KEY_DETAIL };

struct calls {
	struct mp_side_reading *r;
	struct mp_ops ops;
	struct mp_text_set texts; /* recorded names */
	char **names;             /* of the items of ops */
	char **roles;             /* the same; those of a thread are one text */
	int64_t steps;            /* calls that run a step, sampled or not; 0: the query does not tell */
};

static int add_call(void *user, const struct mp_value *v, struct mp_error *err)
{
	struct calls *c = user;
	int64_t keys[MP_OP_KEYS] = {-1, -1, -1, -1};
	uint32_t op;

	if (v[DURATION].type != MP_INT)
		return 0;
	c->steps += v[STEP].type == MP_INT && v[STEP].i;
	keys[KEY_THREAD] = v[THREAD].type == MP_INT ? v[THREAD].i : -1;
	if (v[NAME].type == MP_TEXT) {
		keys[KEY_TEXT] = mp_text_set_add(&c->texts, v[NAME].text, v[NAME].len);
		if (keys[KEY_TEXT] < 0)
			return mp_fail_memory(err, "calls");
	}
	keys[KEY_NAME] = v[NAME].type == MP_INT ? v[NAME].i : -1;
	keys[KEY_DETAIL] = v[DETAIL].type == MP_INT ? v[DETAIL].i : -1;
	if (!mp_ops_find(&c->ops, keys, 0, &op))
		return mp_fail_memory(err, "calls");
	mp_ops_add(&c->ops, op, 0, v[DURATION].i > 0 ? v[DURATION].i : 0, NULL);
	return 0;
}

static int read_names(struct calls *c, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_report_query(&q, c->r->db, &c->r->names->rows, "", "", MP_STYLE_DEFAULT, err);

	for (size_t i = 0; i < c->ops.count && !status; i++) {
		const int64_t *keys = c->ops.items[i].keys;
		const int64_t wanted[MP_OP_KEYS] = {-1, keys[KEY_NAME], keys[KEY_DETAIL], -1};
		struct mp_side_item item = {.name = NULL};

		if (c->ops.items[i].is_rest)
			item.name = strdup("other calls");
		else if (keys[KEY_TEXT] >= 0)
			item.name =
			    mp_reading_text(c->texts.items[keys[KEY_TEXT]], strlen(c->texts.items[keys[KEY_TEXT]]));
		else
			status = mp_reading_name(q, wanted, &item, err);
		if (!item.name && !status)
			status = mp_fail_memory(err, "calls");
		c->names[i] = item.name;
		free(item.detail);
		free(item.layers);
	}
	mp_query_close(q);
	return status;
}

/* The role of a thread is the call in which it spends most of its time; of equal ones, that which it made first. */
static int find_roles(struct calls *c, struct mp_error *err)
{
	struct mp_ops threads = {.sum_count = 0};
	size_t *most = calloc(c->ops.count + 1, sizeof(*most)), known = 0;
	int status = most ? 0 : mp_fail_memory(err, "calls");

	for (int pass = 0; pass < 2 && !status; pass++)
		for (size_t i = 0; i < c->ops.count && !status; i++) {
			const int64_t keys[MP_OP_KEYS] = {c->ops.items[i].keys[KEY_THREAD], c->ops.items[i].is_rest};
			uint32_t thread;

			if (!mp_ops_find(&threads, keys, 0, &thread)) {
				status = mp_fail_memory(err, "calls");
			} else if (pass) {
				c->roles[i] = c->names[most[thread]];
			} else if (thread == known) {
				most[known++] = i;
			} else if (c->ops.items[i].total_ns > c->ops.items[most[thread]].total_ns) {
				most[thread] = i;
			}
		}
	free(most);
	mp_ops_free(&threads);
	return status;
}

static int put_calls(struct calls *c, struct mp_error *err)
{
	struct mp_side *side = c->r->side;
	struct mp_group *g = &side->calls;
	bool is_part = g->sample_count && g->samples[g->sample_count - 1].run == side->run;
	struct mp_sample *sample = &g->samples[g->sample_count - is_part];

	sample->run = side->run;
	sample->steps = 0;
	for (size_t i = 0; i < side->group_count; i++)
		if (side->groups[i].run_count && side->groups[i].last_run == side->run)
			sample->steps += side->groups[i].runs[side->groups[i].run_count - 1].steps;
	if (c->steps) /* more steps may have been run than sampled */
		sample->steps = c->steps;
	if (!sample->steps)
		sample->steps = 1;
	for (size_t i = 0; i < c->ops.count; i++) {
		const struct mp_side_item item = {.name = c->names[i], .detail = c->roles[i], .kind = MP_ITEM_CALL};
		int64_t *sum;
		size_t at;

		/* threads of one role are one */
		if (mp_group_same(g, &item, &at, err))
			return -1;
		sum = &g->sums[at * (size_t)g->width + (size_t)(sample - g->samples)];
		*sum = mp_add_ns(*sum, c->ops.items[i].total_ns);
		sample->total_ns = mp_add_ns(sample->total_ns, c->ops.items[i].total_ns);
		g->items[at].calls += c->ops.items[i].count;
	}
	if (!is_part) {
		g->run_count++;
		g->sample_count++;
	}
	g->runs[g->run_count - 1].steps = sample->steps;
	return 0;
}

int mp_read_calls(struct mp_side_reading *r, struct mp_error *err)
{
	struct calls c = {.r = r};
	int status = mp_report_values(&r->calls->each, r->db, NULL, COLUMNS, add_call, &c, err);

	if (!status && r->calls->rows.text)
		status = mp_report_values(&r->calls->rows, r->db, NULL, COLUMNS, add_call, &c, err);
	if (!status) {
		c.names = calloc(c.ops.count + 1, sizeof(*c.names));
		c.roles = calloc(c.ops.count + 1, sizeof(*c.roles));
		status = !c.names || !c.roles ? mp_fail_memory(err, "calls")
			 : read_names(&c, err) || find_roles(&c, err) || put_calls(&c, err) ? -1
											    : 0;
	}
	for (size_t i = 0; c.names && i < c.ops.count; i++)
		free(c.names[i]);
	mp_text_set_free(&c.texts);
	free(c.names);
	free(c.roles);
	mp_ops_free(&c.ops);
	return status;
}

/* What the keys of operators and calls mean. */

char *mp_reading_text(const char *text, size_t len)
{
	static const char unknown[] = "\xEF\xBF\xBD"; /* U+FFFD */
	char *copy = malloc((sizeof(unknown) - 1) * len + 1), *end = copy;

	while (copy && len && *text) {
		int32_t cp;
		size_t size = mp_utf8_next(text, len, &cp), put = cp < 0 ? sizeof(unknown) - 1 : size;

		memcpy(end, cp < 0 ? unknown : text, put);
		end += put;
		text += size;
		len -= size;
	}
	if (copy)
		*end = '\0';
	return copy;
}

/* A column of the current row as a C string; NULL for no value. */
static int copy_column(char **buffer, const struct mp_query *q, int column, struct mp_error *err)
{
	const struct mp_value v = mp_query_value(q, column);

	free(*buffer);
	*buffer = NULL;
	if (v.type != MP_TEXT)
		return 0;
	*buffer = mp_reading_text(v.text, v.len);
	return *buffer ? 0 : mp_fail_memory(err, "a name");
}

int mp_reading_name(struct mp_query *names, const int64_t *keys, struct mp_side_item *item, struct mp_error *err)
{
	char **texts[] = {&item->name, &item->detail, &item->layers};
	char parameter[3] = "k1";
	int status = 0;

	mp_query_rewind(names);
	for (int i = 0; i < MP_OP_KEYS && !status; i++, parameter[1]++)
		status = mp_query_bind_int(names, parameter, keys[i], err);
	if (!status && (status = mp_query_next(names, err)) == 1) {
		status = 0;
		for (int i = 0; i < mp_query_column_count(names) && i < 3 && !status; i++)
			status = copy_column(texts[i], names, i, err);
	}
	if (!status && !item->name) {
		item->name = strdup("unnamed");
		status = item->name ? 0 : mp_fail_memory(err, "a name");
	}
	return status < 0 ? -1 : 0;
}
