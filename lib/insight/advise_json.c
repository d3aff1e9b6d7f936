/* advise_json.c: an advice as JSON. */
#include <math.h>
#include <string.h>

#include "insight/advise_write.h"
#include "report/json.h"

/* Begin an object with its first member. */
static void begin_object(struct mp_out *out, const char *key, const char *text)
{
	mp_out_char(out, '{');
	mp_put_key(out, true, key);
	mp_json_string(out, text, strlen(text));
}

/* A number that is not negative; -1 is null. */
static void put_number(struct mp_out *out, const char *key, int64_t number)
{
	if (number < 0)
		mp_put_text(out, key, NULL);
	else
		mp_put_int(out, key, number);
}

static void put_share(struct mp_out *out, const char *key, int64_t part, int64_t whole)
{
	mp_put_real(out, key, part < 0 || whole <= 0 ? NAN : (double)part / (double)whole);
}

static void put_evidence(struct mp_out *out, const struct mp_evidence *e)
{
	mp_put_key(out, false, "evidence");
	mp_out_char(out, '[');
	for (int i = 0; i < e->rows; i++) {
		mp_out_text(out, i ? ", {" : "{");
		for (int k = 0; k < e->columns; k++) {
			mp_put_key(out, k == 0, e->titles[k]);
			mp_put_value(out, &e->cells[(size_t)i * (size_t)e->columns + (size_t)k]);
		}
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
}

static void put_finding(struct mp_out *out, const struct mp_finding *f)
{
	char name[64];

	mp_rule_name(f->rule, name);
	begin_object(out, "rule", name);
	mp_put_text(out, "title", f->rule->title);
	mp_put_text(out, "subject", f->subject);
	mp_put_text(out, "severity", f->severity);
	mp_put_text(out, "confidence", f->confidence);
	put_number(out, "step_ns", f->step_ns);
	put_number(out, "time_ns", f->time_ns);
	put_share(out, "share", f->time_ns, f->step_ns);
	put_number(out, "saving_ns", f->saving_ns);
	put_share(out, "saving_share", f->saving_ns, f->step_ns);
	mp_put_text(out, "formula", f->formula);
	mp_put_text(out, "advice", f->advice);
	mp_put_text(out, "source", f->rule->source);
	put_evidence(out, &f->evidence);
	mp_out_char(out, '}');
}

static int put_overview(const struct mp_advice *a, struct mp_db *db, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options options = {.style = MP_STYLE_DEFAULT};
	struct mp_json json;

	mp_put_key(out, false, "overview");
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

	begin_object(out, "job", job);
	if (put_overview(a, db, out, err))
		return -1;
	mp_put_key(out, false, "findings");
	mp_out_char(out, '[');
	for (size_t i = 0; i < a->finding_count; i++) {
		mp_out_text(out, i ? ",\n" : "\n");
		put_finding(out, &a->findings[i]);
	}
	mp_out_char(out, ']');
	mp_put_key(out, false, "abstained");
	mp_out_char(out, '[');
	for (size_t i = 0; i < a->abstained_count; i++) {
		mp_rule_name(a->abstained[i].rule, name);
		mp_out_text(out, i ? ",\n" : "\n");
		begin_object(out, "rule", name);
		mp_put_text(out, "reason", a->abstained[i].reason);
		mp_out_char(out, '}');
	}
	mp_out_text(out, "]}");
	return 0;
}
