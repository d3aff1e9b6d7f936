/* advise_json.c: an advice as JSON. */
#include <math.h>
#include <string.h>

#include "insight/advise_write.h"
#include "report/json.h"

/* A key, after a comma unless it is the first of its object. */
static void put_key(struct mp_out *out, bool first, const char *key)
{
	mp_out_text(out, first ? "" : ", ");
	mp_json_string(out, key, strlen(key));
	mp_out_text(out, ": ");
}

static void put_text(struct mp_out *out, bool first, const char *key, const char *text)
{
	put_key(out, first, key);
	mp_json_string(out, text, strlen(text));
}

static void put_value(struct mp_out *out, const struct mp_value *v)
{
	if (v->type == MP_NULL || v->type == MP_BLOB || (v->type == MP_REAL && !isfinite(v->d)))
		mp_out_text(out, "null");
	else
		mp_json_value(out, v);
}

/* A number that is not negative; -1 is null. */
static void put_number(struct mp_out *out, const char *key, int64_t number)
{
	put_key(out, false, key);
	if (number < 0)
		mp_out_text(out, "null");
	else
		mp_out_int(out, number);
}

static void put_share(struct mp_out *out, const char *key, int64_t part, int64_t whole)
{
	struct mp_value v = {.type = part < 0 || whole <= 0 ? MP_NULL : MP_REAL};

	if (v.type == MP_REAL)
		v.d = (double)part / (double)whole;
	put_key(out, false, key);
	put_value(out, &v);
}

static void put_evidence(struct mp_out *out, const struct mp_evidence *e)
{
	put_key(out, false, "evidence");
	mp_out_char(out, '[');
	for (int i = 0; i < e->rows; i++) {
		mp_out_text(out, i ? ", {" : "{");
		for (int k = 0; k < e->columns; k++) {
			put_key(out, k == 0, e->titles[k]);
			put_value(out, &e->cells[(size_t)i * (size_t)e->columns + (size_t)k]);
		}
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
}

static void put_finding(struct mp_out *out, const struct mp_finding *f)
{
	char name[64];

	mp_rule_name(f->rule, name);
	mp_out_char(out, '{');
	put_text(out, true, "rule", name);
	put_text(out, false, "title", f->rule->title);
	put_text(out, false, "subject", f->subject);
	put_text(out, false, "severity", f->severity);
	put_text(out, false, "confidence", f->confidence);
	put_number(out, "step_ns", f->step_ns);
	put_number(out, "time_ns", f->time_ns);
	put_share(out, "share", f->time_ns, f->step_ns);
	put_number(out, "saving_ns", f->saving_ns);
	put_share(out, "saving_share", f->saving_ns, f->step_ns);
	put_text(out, false, "formula", f->formula);
	put_text(out, false, "advice", f->advice);
	put_text(out, false, "source", f->rule->source);
	put_evidence(out, &f->evidence);
	mp_out_char(out, '}');
}

static int put_overview(const struct mp_advice *a, struct mp_db *db, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options options = {.style = MP_STYLE_DEFAULT};
	struct mp_json json;

	put_key(out, false, "overview");
	mp_json_init(&json, out, true);
	for (size_t i = 0; i < a->overview.count; i++)
		if (mp_report_show(&a->overview.items[i], db, &options, &json.writer, err))
			return -1;
	mp_json_finish(&json);
	return 0;
}

int mp_advice_write_json(
    const struct mp_advice *a, struct mp_db *db, const char *job, struct mp_out *out, struct mp_error *err)
{
	char name[64];

	mp_out_char(out, '{');
	put_text(out, true, "job", job);
	if (put_overview(a, db, out, err))
		return -1;
	put_key(out, false, "findings");
	mp_out_char(out, '[');
	for (size_t i = 0; i < a->finding_count; i++) {
		mp_out_text(out, i ? ",\n" : "\n");
		put_finding(out, &a->findings[i]);
	}
	mp_out_char(out, ']');
	put_key(out, false, "abstained");
	mp_out_char(out, '[');
	for (size_t i = 0; i < a->abstained_count; i++) {
		mp_rule_name(a->abstained[i].rule, name);
		mp_out_text(out, i ? ",\n{" : "\n{");
		put_text(out, true, "rule", name);
		put_text(out, false, "reason", a->abstained[i].reason);
		mp_out_char(out, '}');
	}
	mp_out_text(out, "]}");
	return 0;
}
