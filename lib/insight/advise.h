/*
 * advise.h: findings of the rules of schema/insight/rules, from the facts of a job.
 *
 * A rule is a report (report.h): each row of @each is a finding, its @rows are the evidence, and @why says why the rule
 * abstains when there is no finding. docs/INSIGHT.md has the columns. mp_advice_free frees an advice, after an error,
 * too. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_INSIGHT_ADVISE_H
#define MP_INSIGHT_ADVISE_H

#include "base/out.h"
#include "report/report.h"

enum { MP_FINDINGS_OF_RULE = 10, MP_EVIDENCE_MAX = 10 };

/* Rows that outlive their query. */
struct mp_evidence {
	int columns;
	char **titles;
	struct mp_value *cells; /* row after row; the texts are owned */
	int rows;
};

struct mp_finding {
	const struct mp_report *rule;
	char subject[256], severity[16], confidence[16];
	char formula[256], advice[512]; /* of this finding; else those of the rule */
	char start[256];                /* what to start with, for the verdict */
	char several[160];              /* the subject of findings of one cause, with {count}; or "": it stands alone */
	char title[256];                /* of its group; "": it is of the whole job */
	int64_t group;                  /* -1: none */
	int64_t count;                  /* findings of this cause that are one */
	int64_t step_ns;                /* the mean step; -1: unknown, as below */
	int64_t time_ns;                /* of the subject in a step */
	int64_t saving_ns;              /* of a step, at most */
	int64_t start_ns;               /* what the first of its findings saves */
	int rank;                       /* of the severity: 1 is the highest */
	struct mp_evidence evidence;
};

/* A rule that could not decide. */
struct mp_abstention {
	const struct mp_report *rule;
	char reason[256];
};

struct mp_advice {
	struct mp_reports overview, rules;
	struct mp_finding *findings; /* the largest saving first */
	struct mp_abstention *abstained;
	size_t finding_count, abstained_count;
	char verdict[2048],
	    legend[512]; /* a sentence a line, and what its words mean; "": only some rules were applied */
};

/* The name of a rule: that of its file, without the ending. */
void mp_rule_name(const struct mp_report *rule, char name[64]);

/* Load the rules of a family; NULL: of all families. */
int mp_rules_load(struct mp_reports *rules, const char *family, struct mp_error *err);

/* Make the facts of an open database as temporary tables: docs/INSIGHT.md lists them. Once for a connection. */
int mp_advise_facts(struct mp_db *db, const char *family, struct mp_error *err);

/* Make the facts, and apply the rules; `only`: this rule, or NULL. */
int mp_advise(struct mp_advice *a, struct mp_db *db, const char *family, const char *only, struct mp_error *err);
void mp_advice_free(struct mp_advice *a);

/* The rank of the severity with this name, from 1 for the highest; 0: there is no such severity. Valid after mp_advise.
 */
int mp_severity_rank(struct mp_db *db, const char *name, int64_t *rank, struct mp_error *err);

/* Add what a row of @each finds: a finding, or a part of the last ones of this rule with the same cause. Beyond
 * MP_FINDINGS_OF_RULE it is left out. Returns 0, or -1 with err. */
int mp_finding_add(struct mp_advice *a, const struct mp_report *rule, struct mp_db *db, const struct mp_report_row *row,
    struct mp_error *err);

/* Give the findings from the number `first` on their final words and their severity. Returns 0, or -1 with err. */
int mp_findings_finish(struct mp_advice *a, size_t first, struct mp_db *db, struct mp_error *err);

/* Sum sorted findings up in sentences, by schema/insight/verdict. Returns 0, or -1 with err. */
int mp_verdict_make(struct mp_advice *a, struct mp_db *db, const char *family, struct mp_error *err);

/* The rows that prove a finding, copied. Functions return 0, or -1 with err. */

/* Run @rows of the rule for a row of @each, and add what it gives, up to MP_EVIDENCE_MAX rows. The evidence must be
 * freed, after an error, too. */
int mp_evidence_read(struct mp_evidence *e, const struct mp_report *rule, struct mp_db *db,
    const struct mp_report_row *each, struct mp_error *err);
void mp_evidence_free(struct mp_evidence *e);

/*
 * What a job is summed up to, as the temporary tables aggregate_… of its open database.
 *
 * schema/aggregate declares and fills them; `cluster`, `aggregate` and `publish` read them.
 */

/* The names of the tables begin with this. */
#define MP_AGGREGATE_TABLES "aggregate_"

/* Make the tables, without rows. Once for a connection. */
int mp_aggregate_open(struct mp_db *db, struct mp_error *err);

/* Fill them from the facts of the job, which this makes. */
int mp_aggregate_fill(struct mp_db *db, const char *family, struct mp_error *err);

/*
 * An advice as sections of a report, as rows of one table, or as a member of a JSON document.
 *
 * docs/INSIGHT.md has the forms. Functions return 0, or -1 with err; the mp_out keeps its own errors.
 */

/* The verdict as a section without a title. */
int mp_verdict_write(const struct mp_advice *a, struct mp_writer *w, struct mp_error *err);

/* For people: the verdict, where the time went, the list of findings, each finding with its evidence, the rest of the
 * overview, and the rules that abstain. */
int mp_advice_write(const struct mp_advice *a, struct mp_db *db, struct mp_writer *w, struct mp_error *err);

/* For spreadsheets: one section with a row for each finding. */
int mp_advice_write_rows(const struct mp_advice *a, const char *job, struct mp_writer *w, struct mp_error *err);

/* One section with a row for each rule. */
int mp_rules_write(const struct mp_reports *rules, struct mp_writer *w, struct mp_error *err);

/* One JSON object with the name of the job. */
int mp_advice_write_json(
    const struct mp_advice *a, struct mp_db *db, const char *job, struct mp_out *out, struct mp_error *err);

#endif
