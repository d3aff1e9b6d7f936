/* diff_json.c: a diff as JSON. */
#include <math.h>
#include <string.h>

#include "compare/diff_write.h"
#include "insight/sweep.h"
#include "report/formats.h"

static void put_times(struct mp_out *out, bool first, int64_t base_ns, int64_t new_ns)
{
	int64_t change_ns = mp_span_ns(base_ns, new_ns);

	mp_put_key(out, first, "base_ns");
	mp_out_int(out, base_ns);
	mp_put_int(out, "new_ns", new_ns);
	mp_put_int(out, "change_ns", change_ns);
	mp_put_real(out, "change_share", base_ns ? (double)change_ns / fabs((double)base_ns) : NAN);
}

static void put_change(struct mp_out *out, const struct mp_change *c, enum mp_verdict verdict)
{
	mp_put_real(out, "base_median_ns", c->base_median);
	mp_put_real(out, "base_mad_ns", c->base_mad);
	mp_put_real(out, "new_median_ns", c->new_median);
	mp_put_real(out, "new_mad_ns", c->new_mad);
	mp_put_real(out, "shift_ns", c->shift);
	mp_put_real(out, "low_ns", c->low);
	mp_put_real(out, "high_ns", c->high);
	mp_put_real(out, "p", c->p < 0 ? NAN : c->p);
	mp_put_text(out, "verdict", mp_verdict_names[verdict]);
}

static void put_total(struct mp_out *out, const char *key, const struct mp_total *t)
{
	mp_put_key(out, false, key);
	mp_out_char(out, '{');
	put_times(out, true, t->base_ns, t->new_ns);
	put_change(out, &t->change, t->verdict);
	mp_out_char(out, '}');
}

static void put_rows(struct mp_out *out, const char *key, const struct mp_group_diff *g)
{
	mp_put_key(out, false, key);
	mp_out_char(out, '[');
	for (size_t i = 0; i < g->row_count; i++) {
		const struct mp_diff_row *r = &g->rows[i];
		bool is_call = r->kind == MP_ITEM_CALL;

		mp_out_text(out, i ? ",\n{" : "\n{");
		mp_put_key(out, true, "kind");
		mp_out_char(out, '"');
		mp_out_text(out, mp_item_kinds[r->kind]);
		mp_out_char(out, '"');
		mp_put_text(out, "name", r->name);
		mp_put_text(out, "base_name", r->base_name);
		mp_put_text(out, is_call ? "role" : "shape", r->detail);
		mp_put_text(out, is_call ? "base_role" : "base_shape", r->base_detail);
		mp_put_text(out, "match", mp_match_names[r->how]);
		mp_put_real(out, "base_calls", (double)r->base_count / (double)g->base_steps);
		mp_put_real(out, "new_calls", (double)r->new_count / (double)g->new_steps);
		mp_out_text(out, ", ");
		put_times(out, true, r->base_ns, r->new_ns);
		mp_put_int(out, "calls_ns", r->calls_ns);
		mp_put_int(out, "each_ns", r->each_ns);
		put_change(out, &r->change, r->verdict);
		mp_put_text(out, "against_common", mp_verdict_names[r->beside]);
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
}

static void put_side(struct mp_out *out, const char *key, const char *name, const struct mp_side *side)
{
	mp_put_key(out, false, key);
	mp_out_text(out, "{\"jobs\": ");
	mp_out_int(out, side->runs);
	mp_put_text(out, "name", name);
	mp_put_text(out, "family", side->family[0] ? side->family : NULL);
	mp_out_char(out, '}');
}

static void put_facts(struct mp_out *out, const struct mp_diff *d)
{
	mp_put_key(out, false, "comparable");
	mp_out_text(out, "{\"score\": ");
	if (d->score < 0)
		mp_out_text(out, "null");
	else
		mp_out_int(out, d->score);
	mp_put_key(out, false, "facts");
	mp_out_char(out, '[');
	for (size_t i = 0; i < d->fact_count; i++) {
		const struct mp_fact_diff *f = &d->facts[i];
		bool equal = f->base && f->new &&strcmp(f->base, f->new) == 0;

		mp_out_text(out, i ? ", {\"weight\": " : "{\"weight\": ");
		mp_out_int(out, f->weight);
		mp_put_text(out, "name", f->name);
		mp_put_text(out, "base", f->base);
		mp_put_text(out, "new", f->new);
		mp_put_key(out, false, "equal");
		mp_out_text(out, equal ? "true}" : "false}");
	}
	mp_out_text(out, "]}");
}

/* What most operators have in common; null: nothing. */
static void put_common(struct mp_out *out, const struct mp_common *common)
{
	const struct mp_change *c = &common->change;

	if (!common->rows) {
		mp_put_text(out, "common", NULL);
		return;
	}
	mp_put_key(out, false, "common");
	mp_out_text(out, "{\"operators\": ");
	mp_out_int(out, (int64_t)common->rows);
	mp_put_int(out, "of", (int64_t)common->of);
	mp_put_real(out, "shift_share", c->shift / c->base_median);
	mp_put_real(out, "low_share", c->low / c->base_median);
	mp_put_real(out, "high_share", c->high / c->base_median);
	mp_out_char(out, '}');
}

static int put_group(struct mp_out *out, const struct mp_diff *d, const struct mp_group_diff *g, struct mp_error *err)
{
	char verdict[2048];

	if (mp_diff_tell(d, g, verdict, sizeof(verdict), err))
		return -1;
	mp_out_text(out, "{\"base_jobs\": ");
	mp_out_int(out, g->base->run_count);
	mp_put_int(out, "new_jobs", g->new->run_count);
	mp_put_int(out, "base_steps", g->base_steps);
	mp_put_int(out, "new_steps", g->new_steps);
	mp_put_text(out, "verdict", verdict);
	mp_put_text(out, "title", g->new->title);
	mp_put_text(out, "base_title", g->base->title);
	mp_put_text(out, "what", g->new->what);
	mp_put_text(out, "samples", mp_sample_unit_names[g->total.change.unit]);
	put_common(out, &g->common);
	put_total(out, "total", &g->total);
	put_total(out, "p95", &g->p95);
	mp_put_key(out, false, "parts");
	mp_out_text(out, "{\"new_ns\": ");
	mp_out_int(out, g->new_ns);
	mp_put_int(out, "gone_ns", g->gone_ns);
	mp_put_int(out, "calls_ns", g->calls_ns);
	mp_put_int(out, "each_ns", g->each_ns);
	mp_out_char(out, '}');
	put_rows(out, "rows", g);
	mp_out_char(out, '}');
	return 0;
}

static void put_gates(struct mp_out *out, const struct mp_gates *gates)
{
	mp_put_key(out, false, "conditions");
	mp_out_char(out, '[');
	for (size_t i = 0; i < gates->count; i++) {
		const struct mp_gate *g = &gates->items[i];
		double base = g->is_new ? 0 : fabs(g->change->base_median);
		char why[256];

		mp_gate_tell(g, why, sizeof(why));
		mp_out_text(out, i ? ",\n{" : "\n{");
		mp_put_key(out, true, "result");
		mp_out_char(out, '"');
		mp_out_text(out, mp_gate_results[g->result]);
		mp_out_char(out, '"');
		mp_put_text(out, "condition", g->text);
		mp_put_text(out, "group", g->group);
		mp_put_real(out, "limit_share", g->share);
		mp_put_real(out, "shift_share", base > 0 ? g->change->shift / base : NAN);
		mp_put_real(out, "low_share", base > 0 ? g->change->low / base : NAN);
		mp_put_real(out, "high_share", base > 0 ? g->change->high / base : NAN);
		mp_put_text(out, "why", why);
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
}

int mp_diff_write_json(const struct mp_diff *d, const struct mp_gates *gates, const char *base, const char *new,
    struct mp_out *out, struct mp_error *err)
{
	mp_out_text(out, "{\"schema\": \"msprof.diff/1\"");
	put_side(out, "base", base, d->base);
	put_side(out, "new", new, d->new);
	put_facts(out, d);
	mp_put_key(out, false, "groups");
	mp_out_char(out, '[');
	for (size_t i = 0; i < d->group_count; i++) {
		mp_out_text(out, i ? ",\n" : "\n");
		if (put_group(out, d, &d->groups[i], err))
			return -1;
	}
	mp_out_char(out, ']');
	put_rows(out, "calls", &d->calls);
	put_gates(out, gates);
	mp_out_text(out, "}\n");
	return 0;
}
