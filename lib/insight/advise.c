/* advise.c: makes the facts of a job, runs the rules, and sorts what they find. Knows no rule. */
#include "insight/advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/vec.h"
#include "insight/facts.h"
#include "insight/ops.h"
#include "store/db.h"

void mp_rule_name(const struct mp_report *rule, char name[64])
{
	const char *file = strrchr(rule->path, '/') + 1;

	snprintf(name, 64, "%.*s", (int)strcspn(file, "."), file);
}

int mp_rules_load(struct mp_reports *rules, const char *family, struct mp_error *err)
{
	return mp_reports_load_folder(rules, "insight/rules", family, MP_STYLE_DEFAULT, err);
}

static int collect(struct mp_db *db, const char *family, struct mp_error *err)
{
	struct mp_reports tasks, calls;
	int status = -1;

	if (mp_reports_load_folder(&tasks, "insight/facts", family, MP_STYLE_DEFAULT, err))
		return -1;
	if (!mp_reports_load_folder(&calls, "insight/calls", family, MP_STYLE_DEFAULT, err)) {
		status = tasks.count == 1
			     ? mp_facts_collect(db, &tasks.items[0], calls.count ? &calls.items[0] : NULL, err)
			     : mp_fail(err, "there is no advice for data of the family '%s' yet", family);
		mp_reports_free(&calls);
	}
	mp_reports_free(&tasks);
	return status;
}

static int find_sequences(struct mp_db *db, const char *family, struct mp_error *err)
{
	struct mp_reports tasks;
	int status;

	if (mp_reports_load_folder(&tasks, "insight/sequence", family, MP_STYLE_DEFAULT, err))
		return -1;
	status = tasks.count == 1 ? mp_facts_sequences(db, &tasks.items[0], err)
				  : mp_fail(err, "no file tells the sequences of the family '%s'", family);
	mp_reports_free(&tasks);
	return status;
}

int mp_advise_facts(struct mp_db *db, const char *family, struct mp_error *err)
{
	return mp_insight_words(db, err) || mp_insight_script(db, family, "before", err) || collect(db, family, err) ||
		       mp_insight_script(db, family, "after", err) || mp_insight_script(db, "any", "after", err)
		   ? -1
		   : 0;
}

int mp_severity_rank(struct mp_db *db, const char *name, int64_t *rank, struct mp_error *err)
{
	static const char sql[] = "SELECT rank FROM temp.severity WHERE name = :name";
	struct mp_query *q;
	int status;

	*rank = 0;
	if (mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "name", name, err) ? -1 : mp_query_next(q, err);
	if (status == 1)
		*rank = mp_query_int(q, 0);
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

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
	} columns[] = {{"subject", f->subject, sizeof(f->subject), NULL},
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
	if (mp_query_open(&q, db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "name", f->severity, err) || mp_query_bind(q, "share", &share, err)
		     ? -1
		     : mp_query_next(q, err);
	if (status == 1) {
		const struct mp_value name = mp_query_value(q, 0);

		copy_text(f->severity, sizeof(f->severity), &name);
		f->rank = (int)mp_query_int(q, 1);
	}
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

static int add_finding(struct mp_advice *a, const struct mp_report *rule, struct mp_db *db,
    const struct mp_report_row *row, struct mp_error *err)
{
	struct mp_finding *f;

	if (!mp_vec_room(a->findings, a->finding_count, 1))
		return mp_fail_memory(err, "findings");
	f = &a->findings[a->finding_count++];
	*f = (struct mp_finding){.rule = rule, .step_ns = -1, .time_ns = -1, .saving_ns = -1, .confidence = "high"};
	snprintf(f->formula, sizeof(f->formula), "%s", rule->rule.formula);
	snprintf(f->advice, sizeof(f->advice), "%s", rule->rule.advice);
	if (read_finding(f, row, err))
		return -1;
	bound_saving(f, row);
	return rank_finding(f, db, err) || mp_evidence_read(&f->evidence, rule, db, row, err) ? -1 : 0;
}

static int add_abstention(
    struct mp_advice *a, const struct mp_report *rule, const struct mp_value *why, struct mp_error *err)
{
	struct mp_abstention *last;

	if (!mp_vec_room(a->abstained, a->abstained_count, 1))
		return mp_fail_memory(err, "findings");
	last = &a->abstained[a->abstained_count++];
	*last = (struct mp_abstention){.rule = rule};
	copy_text(last->reason, sizeof(last->reason), why);
	return 0;
}

/* Add why a rule that found nothing could not decide, if so. */
static int abstain(struct mp_advice *a, const struct mp_report *rule, struct mp_db *db, struct mp_error *err)
{
	struct mp_value why;
	struct mp_query *q;
	int status;

	if (!rule->why.text)
		return 0;
	if (mp_report_query(&q, db, &rule->why, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_report_bind_thresholds(q, rule, err) ? -1 : mp_query_next(q, err);
	why = status == 1 ? mp_query_value(q, 0) : (struct mp_value){.type = MP_NULL};
	if (why.type == MP_TEXT && add_abstention(a, rule, &why, err))
		status = -1;
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

static int apply(struct mp_advice *a, const struct mp_report *rule, struct mp_db *db, struct mp_report_row *row,
    struct mp_error *err)
{
	char kinds[192], why[224];
	struct mp_query *each;
	int status = mp_report_withheld(rule, db, kinds, sizeof(kinds), err), found = 0;

	if (status > 0) {
		struct mp_value v;

		snprintf(why, sizeof(why), "the data contradicts itself: %s", kinds);
		v = mp_string(why);
		return add_abstention(a, rule, &v, err);
	}
	if (status || mp_report_query(&each, db, &rule->each, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_report_bind_thresholds(each, rule, err);
	while (!status && found < MP_FINDINGS_OF_RULE && (status = mp_query_next(each, err)) == 1) {
		status = mp_report_row(row, each, err) || add_finding(a, rule, db, row, err) ? -1 : 0;
		found++;
	}
	mp_query_close(each);
	return status < 0 ? -1 : found ? 0 : abstain(a, rule, db, err);
}

static int largest_first(const void *a, const void *b)
{
	const struct mp_finding *x = a, *y = b;
	int order;

	if (x->rule->rule.first != y->rule->rule.first)
		return x->rule->rule.first ? -1 : 1;
	if (x->saving_ns != y->saving_ns)
		return x->saving_ns > y->saving_ns ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank - y->rank;
	order = strcmp(x->rule->path, y->rule->path);
	return order ? order : strcmp(x->subject, y->subject);
}

static bool has_rule(const struct mp_reports *rules, const char *wanted)
{
	for (size_t i = 0; i < rules->count; i++) {
		char name[64];

		mp_rule_name(&rules->items[i], name);
		if (strcmp(name, wanted) == 0)
			return true;
	}
	return false;
}

int mp_advise(struct mp_advice *a, struct mp_db *db, const char *family, const char *only, struct mp_error *err)
{
	struct mp_report_row *row;
	int status = 0;

	memset(a, 0, sizeof(*a));
	if (mp_rules_load(&a->rules, family, err) || mp_advise_facts(db, family, err) ||
	    find_sequences(db, family, err) ||
	    mp_reports_load_folder(&a->overview, "insight/overview", family, MP_STYLE_DEFAULT, err))
		return -1;
	row = malloc(sizeof(*row));
	if (!row)
		return mp_fail_memory(err, "findings");
	for (size_t i = 0; i < a->rules.count && !status; i++) {
		char name[64];

		mp_rule_name(&a->rules.items[i], name);
		if (!only || strcmp(only, name) == 0)
			status = apply(a, &a->rules.items[i], db, row, err);
	}
	free(row);
	if (!status && only && !has_rule(&a->rules, only))
		status = mp_fail(err, "rule '%s' is not for data of the family '%s'", only, family);
	if (a->finding_count)
		qsort(a->findings, a->finding_count, sizeof(*a->findings), largest_first);
	return status;
}

void mp_advice_free(struct mp_advice *a)
{
	for (size_t i = 0; i < a->finding_count; i++)
		mp_evidence_free(&a->findings[i].evidence);
	free(a->findings);
	free(a->abstained);
	mp_reports_free(&a->overview);
	mp_reports_free(&a->rules);
	memset(a, 0, sizeof(*a));
}

/* Copies the rows of a query. */

static int take_titles(struct mp_evidence *e, const struct mp_query *q, struct mp_error *err)
{
	int columns = mp_query_column_count(q);

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

	if (!rule->rows.text)
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

/* Aggregates: runs the scripts of schema/aggregate. Knows no table. */

/* A family may have no script of its own. */
static int run_aggregate(struct mp_db *db, const char *name, struct mp_error *err)
{
	char path[64];
	const char *text;

	snprintf(path, sizeof(path), "aggregate/%s.sql", name);
	text = mp_schema_text(path);
	return text ? mp_script_run(db, path, text, err) : 0;
}

int mp_aggregate_open(struct mp_db *db, struct mp_error *err)
{
	return run_aggregate(db, "tables", err);
}

int mp_aggregate_fill(struct mp_db *db, const char *family, struct mp_error *err)
{
	return mp_advise_facts(db, family, err) || run_aggregate(db, "any", err) || run_aggregate(db, family, err) ? -1
														   : 0;
}
