/*
 * publish_metrics.c: an answer in Prometheus' text format, for the textfile collector of node_exporter.
 *
 * The column `metric` has names, in order, and `value` the values; all others are labels.
 */
#include <string.h>

#include "publish.h"
#include "base/number.h"
#include "base/text.h"
#include "report/formats.h"

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct publish_metrics *m = (struct publish_metrics *)w;

	m->titles = s->titles;
	m->columns = s->column_count;
	m->metric = m->value = -1;
	for (int i = 0; i < s->column_count; i++) {
		if (strcmp(s->titles[i], "metric") == 0)
			m->metric = i;
		if (strcmp(s->titles[i], "value") == 0)
			m->value = i;
	}
	return m->metric < 0 || m->value < 0
		   ? mp_fail(err, "the answer has no columns 'metric' and 'value', as that to job_metrics has")
		   : 0;
}

/* A label's value: a backslash, a quote and a line feed are escaped, and other control characters are \xNN. */
static void put_label(struct mp_out *out, const struct mp_value *v)
{
	char number[MP_NUMBER_SIZE] = "";
	size_t len = v->type == MP_INT    ? mp_number_int(number, v->i)
		     : v->type == MP_REAL ? mp_number_real(number, v->d)
					  : 0;

	mp_out_write(out, number, len);
	for (size_t i = 0; v->type == MP_TEXT && i < v->len;) {
		char safe[16];
		int32_t cp;
		size_t n = mp_utf8_next(v->text + i, v->len - i, &cp);
		size_t size = cp == '\n' ? 0 : mp_sanitise(safe, sizeof(safe), v->text + i, n);

		mp_out_text(out, cp == '\n' ? "\\n" : "");
		for (size_t k = 0; k < size; k++) {
			if (safe[k] == '"' || safe[k] == '\\')
				mp_out_char(out, '\\');
			mp_out_char(out, safe[k]);
		}
		i += n;
	}
}

static bool is_name(const struct mp_value *v)
{
	if (v->type != MP_TEXT || !v->len || v->len >= PUBLISH_METRIC_SIZE)
		return false;
	for (size_t i = 0; i < v->len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz_0123456789", v->text[i]) || !v->text[i])
			return false;
	return v->text[0] > '9';
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct publish_metrics *m = (struct publish_metrics *)w;
	const struct mp_value *name = &cells[m->metric], *value = &cells[m->value];
	const char *separator = "{";

	if (!is_name(name))
		return mp_fail(err, "the answer has a metric without a name");
	if (value->type != MP_INT && value->type != MP_REAL)
		return 0;
	if (strlen(m->name) != name->len || memcmp(m->name, name->text, name->len) != 0) {
		memcpy(m->name, name->text, name->len);
		m->name[name->len] = '\0';
		mp_out_text(m->out, "# TYPE ");
		mp_out_text(m->out, m->name);
		mp_out_text(m->out, " gauge\n");
	}
	mp_out_text(m->out, m->name);
	for (int i = 0; i < m->columns; i++) {
		if (i == m->metric || i == m->value || cells[i].type == MP_NULL)
			continue;
		mp_out_text(m->out, separator);
		mp_out_text(m->out, m->titles[i]);
		mp_out_text(m->out, "=\"");
		put_label(m->out, &cells[i]);
		mp_out_char(m->out, '"');
		separator = ",";
	}
	mp_out_text(m->out, *separator == ',' ? "} " : " ");
	put_label(m->out, value);
	mp_out_char(m->out, '\n');
	return mp_out_error(m->out, err);
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	(void)w;
	(void)omitted;
	(void)err;
	return 0;
}

void publish_metrics_init(struct publish_metrics *m, struct mp_out *out)
{
	*m = (struct publish_metrics){.writer = {section, row, end, NULL}, .out = out};
}
