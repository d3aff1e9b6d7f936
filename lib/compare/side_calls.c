/* side_calls.c: reads the calls of a job, by their name and the role of their thread. */
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "compare/side_read_internal.h"
#include "insight/ops.h"
#include "insight/sweep.h"

/* The columns of a query of calls: the name is a text, or two numbers that `names` knows. */
enum { THREAD, NAME, DETAIL, DURATION, STEP, COLUMNS };

/* Keys of a call. */
enum { KEY_THREAD, KEY_TEXT, KEY_NAME, KEY_DETAIL };

struct calls {
	struct mp_reading *r;
	struct mp_ops ops;
	struct mp_text_set texts; /* recorded names */
	char **names;             /* of the items of ops */
	char **roles;             /* the same; those of a thread are one text */
	int64_t steps;            /* calls that run a step, sampled or not; 0: the query does not tell */
};

static int add_call(struct calls *c, const struct mp_value *v, struct mp_error *err)
{
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

static int read_list(struct calls *c, const struct mp_sql *sql, struct mp_error *err)
{
	struct mp_value values[COLUMNS];
	struct mp_query *q;
	int status;

	if (!sql->text)
		return 0;
	if (mp_report_rows(&q, c->r->db, sql, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		mp_query_row(q, values, COLUMNS);
		if (add_call(c, values, err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(q);
	return status;
}

static int read_names(struct calls *c, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_report_query(&q, c->r->db, &c->r->names->rows, "", "", MP_STYLE_DEFAULT, err);

	for (size_t i = 0; i < c->ops.count && !status; i++) {
		const int64_t *keys = c->ops.items[i].keys;
		const int64_t wanted[MP_OP_KEYS] = {-1, keys[KEY_NAME], keys[KEY_DETAIL], -1};
		struct mp_item item = {.name = NULL};

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
		const struct mp_item item = {.name = c->names[i], .detail = c->roles[i], .kind = MP_ITEM_CALL};
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

int mp_read_calls(struct mp_reading *r, struct mp_error *err)
{
	struct calls c = {.r = r};
	int status = read_list(&c, &r->calls->each, err) || read_list(&c, &r->calls->rows, err) ? -1 : 0;

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
