/* findings.c: makes findings of the rows of rules: those of one cause are one. Knows no rule. */
#include "insight/advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/vec.h"
#include "insight/sweep.h"
#include "store/db.h"

static void copy_text(char *dst, size_t size, const struct mp_value *v)
{
	if (v->type == MP_TEXT)
		snprintf(dst, size, "%.*s", (int)v->len, v->text);
}

/* A whole number of ns: a rule may compute a fraction. */
static void copy_number(int64_t *number, const struct mp_value *v)
{
	if (v->type == MP_INT)
		*number = v->i;
	else if (v->type == MP_REAL && v->d > -9e18 && v->d < 9e18)
		*number = (int64_t)v->d;
}

/* The values of a row of @each by their titles. Others are parameters of @rows, whose names begin with '_'. */
static int read_finding(struct mp_finding *f, const struct mp_report_row *row, struct mp_error *err)
{
	const struct {
		const char *title;
		char *text;
		size_t size;
		int64_t *number;
	} columns[] = {{"_grp", NULL, 0, &f->group}, {"subject", f->subject, sizeof(f->subject), NULL},
	    {"start", f->start, sizeof(f->start), NULL}, {"several", f->several, sizeof(f->several), NULL},
	    {"severity", f->severity, sizeof(f->severity), NULL},
	    {"confidence", f->confidence, sizeof(f->confidence), NULL},
	    {"formula", f->formula, sizeof(f->formula), NULL}, {"advice", f->advice, sizeof(f->advice), NULL},
	    {"step_ns", NULL, 0, &f->step_ns}, {"time_ns", NULL, 0, &f->time_ns},
	    {"saving_ns", NULL, 0, &f->saving_ns}};
	const size_t count = sizeof(columns) / sizeof(columns[0]);

	for (int i = 0; i < row->count; i++) {
		size_t k = 0;

		while (k < count && strcmp(columns[k].title, row->titles[i]) != 0)
			k++;
		if (k == count && row->titles[i][0] != '_')
			return mp_fail(err,
			    "schema/%s: a finding has no column '%s'; names of parameters begin with '_'",
			    f->rule->path, row->titles[i]);
		if (k < count && columns[k].text)
			copy_text(columns[k].text, columns[k].size, &row->values[i]);
		else if (k < count)
			copy_number(columns[k].number, &row->values[i]);
	}
	return 0;
}

/* A saving is never negative, and at most the step: streams may work at the same time. */
static void bound_saving(struct mp_finding *f, const struct mp_report_row *row)
{
	for (int i = 0; i < row->count; i++)
		if (strcmp(row->titles[i], "saving_ns") == 0 && row->values[i].type != MP_NULL && f->saving_ns < 0)
			f->saving_ns = 0;
	if (f->step_ns >= 0 && f->saving_ns > f->step_ns)
		f->saving_ns = f->step_ns;
}

/* The title of a group, where it has steps; and how many have. Without a group that of the only one. */
static int find_group(struct mp_finding *f, struct mp_db *db, bool *is_one_of_several, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT g.title, n.groups FROM (SELECT count(*) AS groups FROM temp.pace) n JOIN temp.pace p"
	    " JOIN temp.step_group g ON g.id = p.grp WHERE p.grp = :group OR (:group < 0 AND n.groups = 1)";
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_int(f->group)), err);

	if (status == 1) {
		const struct mp_value title = mp_query_value(q, 0);

		copy_text(f->title, sizeof(f->title), &title);
		*is_one_of_several = mp_query_int(q, 1) > 1;
	}
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

/* The words of a finding that is told: those of its cause where it is several, and its group where there are others. */
static int tell_finding(struct mp_finding *f, struct mp_db *db, struct mp_error *err)
{
	char count[24], subject[sizeof(f->subject)], several[sizeof(f->several)];
	const struct mp_said words[] = {
	    {"count", count}, {"subject", subject}, {"group", f->title}, {"formula", f->rule->rule.formula}};
	bool is_one_of_several = false;

	if (find_group(f, db, &is_one_of_several, err))
		return -1;
	snprintf(count, sizeof(count), "%lld", (long long)f->count);
	if (f->count > 1) {
		memcpy(several, f->several, sizeof(several));
		if (mp_say_text(f->subject, sizeof(f->subject), "several", several, strlen(several), words, 1, err) ||
		    mp_say(f->formula, sizeof(f->formula), "finding.sum", words, 4, err))
			return -1;
	}
	memcpy(subject, f->subject, sizeof(subject));
	return is_one_of_several && f->title[0] && !strstr(subject, f->title)
		   ? mp_say(f->subject, sizeof(f->subject), "finding.of", words, 4, err)
		   : 0;
}

/* The finding of the rule with this cause. */
static struct mp_finding *same_cause(struct mp_advice *a, const struct mp_finding *f)
{
	for (size_t i = a->finding_count; f->several[0] && i-- > 0 && a->findings[i].rule == f->rule;)
		if (a->findings[i].group == f->group && strcmp(a->findings[i].several, f->several) == 0)
			return &a->findings[i];
	return NULL;
}

static size_t found_by(const struct mp_advice *a, const struct mp_report *rule)
{
	size_t i = a->finding_count;

	while (i && a->findings[i - 1].rule == rule)
		i--;
	return a->finding_count - i;
}

/* The subject fills the place of what to start with. */
static int fill_start(struct mp_finding *f, struct mp_error *err)
{
	const char *pattern = f->rule->rule.start[0] ? f->rule->rule.start : "{subject}";

	f->start_ns = f->saving_ns;
	return f->start[0] ? 0
			   : mp_say_text(f->start, sizeof(f->start), "start", pattern, strlen(pattern),
				 &(const struct mp_said){"subject", f->subject}, 1, err);
}

static int add_to(struct mp_finding *whole, const struct mp_finding *part, struct mp_db *db,
    const struct mp_report_row *row, struct mp_error *err)
{
	whole->count++;
	whole->time_ns = mp_add_ns(whole->time_ns, part->time_ns);
	whole->saving_ns = mp_add_ns(whole->saving_ns, part->saving_ns);
	if (whole->step_ns >= 0 && whole->saving_ns > whole->step_ns)
		whole->saving_ns = whole->step_ns;
	if (strcmp(whole->advice, part->advice) != 0)
		snprintf(whole->advice, sizeof(whole->advice), "%s", whole->rule->rule.advice);
	return mp_evidence_read(&whole->evidence, whole->rule, db, row, err);
}

int mp_finding_add(struct mp_advice *a, const struct mp_report *rule, struct mp_db *db, const struct mp_report_row *row,
    struct mp_error *err)
{
	struct mp_finding f = {
	    .rule = rule, .step_ns = -1, .time_ns = -1, .saving_ns = -1, .group = -1, .count = 1, .confidence = "high"};
	struct mp_finding *whole;

	snprintf(f.formula, sizeof(f.formula), "%s", rule->rule.formula);
	snprintf(f.advice, sizeof(f.advice), "%s", rule->rule.advice);
	snprintf(f.several, sizeof(f.several), "%s", rule->rule.several);
	if (read_finding(&f, row, err))
		return -1;
	bound_saving(&f, row);
	whole = same_cause(a, &f);
	if (whole)
		return add_to(whole, &f, db, row, err);
	if (fill_start(&f, err))
		return -1;
	if (found_by(a, rule) == MP_FINDINGS_OF_RULE)
		return 0;
	if (!mp_vec_room(a->findings, a->finding_count, 1))
		return mp_fail_memory(err, "findings");
	whole = &a->findings[a->finding_count++];
	*whole = f;
	return mp_evidence_read(&whole->evidence, rule, db, row, err);
}

/* Without a severity of its own a finding has that of its saving. */
static int rank_finding(struct mp_finding *f, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT name, rank FROM temp.severity WHERE CASE :name WHEN '' THEN :share >= least ELSE name = :name END"
	    " ORDER BY rank LIMIT 1";
	struct mp_value share = {.type = MP_REAL};
	struct mp_query *q;
	int status;

	if (f->saving_ns > 0 && f->step_ns > 0)
		share.d = (double)f->saving_ns / (double)f->step_ns;
	status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(f->severity), share), err);
	if (status == 1) {
		const struct mp_value name = mp_query_value(q, 0);

		copy_text(f->severity, sizeof(f->severity), &name);
		f->rank = (int)mp_query_int(q, 1);
	}
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

int mp_findings_finish(struct mp_advice *a, size_t first, struct mp_db *db, struct mp_error *err)
{
	for (size_t i = first; i < a->finding_count; i++)
		if (tell_finding(&a->findings[i], db, err) || rank_finding(&a->findings[i], db, err))
			return -1;
	return 0;
}

/* Copies the rows of a query. */

static int take_titles(struct mp_evidence *e, const struct mp_query *q, struct mp_error *err)
{
	int columns = mp_query_column_count(q);

	if (e->titles)
		return 0;
	e->titles = calloc((size_t)columns, sizeof(*e->titles));
	e->cells = calloc((size_t)columns * MP_EVIDENCE_MAX, sizeof(*e->cells));
	if (!e->titles || !e->cells)
		return mp_fail_memory(err, "evidence");
	for (; e->columns < columns; e->columns++) {
		e->titles[e->columns] = strdup(mp_query_title(q, e->columns));
		if (!e->titles[e->columns])
			return mp_fail_memory(err, "evidence");
	}
	return 0;
}

static int take_row(struct mp_evidence *e, const struct mp_query *q, struct mp_error *err)
{
	struct mp_value *cells = e->cells + (size_t)e->rows * (size_t)e->columns;

	e->rows++;
	for (int i = 0; i < e->columns; i++) {
		const struct mp_value v = mp_query_value(q, i);
		char *text = v.type == MP_TEXT ? malloc(v.len + 1) : NULL;

		if (v.type == MP_TEXT && !text)
			return mp_fail_memory(err, "evidence");
		cells[i] = v;
		cells[i].marks = 0;
		if (text) {
			memcpy(text, v.text, v.len);
			text[v.len] = '\0';
			cells[i].text = text;
		}
	}
	return 0;
}

int mp_evidence_read(struct mp_evidence *e, const struct mp_report *rule, struct mp_db *db,
    const struct mp_report_row *each, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (!rule->rows.text || e->rows == MP_EVIDENCE_MAX)
		return 0;
	if (mp_report_query(&q, db, &rule->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status =
	    mp_report_bind_thresholds(q, rule, err) || mp_report_bind(q, each, err) || take_titles(e, q, err) ? -1 : 0;
	while (!status && e->rows < MP_EVIDENCE_MAX && (status = mp_query_next(q, err)) == 1)
		status = take_row(e, q, err);
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

void mp_evidence_free(struct mp_evidence *e)
{
	for (int i = 0; i < e->columns; i++)
		free(e->titles[i]);
	for (int i = 0; i < e->rows * e->columns; i++)
		if (e->cells[i].type == MP_TEXT)
			free((char *)(uintptr_t)e->cells[i].text);
	free(e->titles);
	free(e->cells);
	memset(e, 0, sizeof(*e));
}
