/* advise.c: makes the facts of a job, runs the rules, and sorts what they find. Knows no rule, and no sentence. */
#include "insight/advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
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
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(name)), err);

	*rank = status == 1 ? mp_query_int(q, 0) : 0;
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

static int add_abstention(
    struct mp_advice *a, const struct mp_report *rule, const struct mp_value *why, struct mp_error *err)
{
	char reason[sizeof(a->abstained->reason)];
	struct mp_abstention *last;

	if (!mp_vec_room(a->abstained, a->abstained_count, 1))
		return mp_fail_memory(err, "findings");
	last = &a->abstained[a->abstained_count++];
	*last = (struct mp_abstention){.rule = rule};
	snprintf(reason, sizeof(reason), "%.*s", (int)why->len, why->text);
	snprintf(last->reason, sizeof(last->reason), "%s", mp_say_word(reason));
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
	char kinds[192], why[256];
	struct mp_query *each;
	const size_t first = a->finding_count;
	int status = mp_report_withheld(rule, db, kinds, sizeof(kinds), err);

	if (status > 0) {
		struct mp_value v;

		if (mp_say(why, sizeof(why), "why.contradicted", &(const struct mp_said){"kinds", kinds}, 1, err))
			return -1;
		v = mp_string(why);
		return add_abstention(a, rule, &v, err);
	}
	if (status || mp_report_query(&each, db, &rule->each, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_report_bind_thresholds(each, rule, err);
	while (!status && (status = mp_query_next(each, err)) == 1)
		status = mp_report_row(row, each, err) || mp_finding_add(a, rule, db, row, err) ? -1 : 0;
	mp_query_close(each);
	if (status < 0)
		return -1;
	return a->finding_count > first ? mp_findings_finish(a, first, db, err) : abstain(a, rule, db, err);
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
	return status || only ? status : mp_verdict_make(a, db, family, err);
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

/* Aggregates: runs the scripts of schema/aggregate. Knows no table. */

int mp_aggregate_open(struct mp_db *db, struct mp_error *err)
{
	return mp_script_run_file(db, "aggregate/tables.sql", err);
}

int mp_aggregate_fill(struct mp_db *db, const char *family, struct mp_error *err)
{
	char path[64];

	if (mp_advise_facts(db, family, err) || mp_script_run_file(db, "aggregate/any.sql", err))
		return -1;
	snprintf(path, sizeof(path), "aggregate/%s.sql", family);
	return mp_schema_text(path) ? mp_script_run_file(db, path, err) : 0; /* a family may have none of its own */
}
