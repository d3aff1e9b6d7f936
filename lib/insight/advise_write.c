/* advise_write.c: an advice as sections of a report. */
#include "insight/advise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "report/formats.h"

enum { TITLE_SIZE = 512, HEADING_SIZE = 2048, FINDING_COLUMNS = 12 };

static struct mp_value text_of(const char *text)
{
	return text[0] ? mp_string(text) : mp_null();
}

/* Nanoseconds as microseconds; -1 is unknown. */
static struct mp_value us_of(int64_t ns)
{
	return ns < 0 ? mp_null() : mp_real((double)ns / 1000);
}

/* A share in per cent with two decimals. */
static struct mp_value share_of(int64_t part, int64_t whole)
{
	if (part < 0 || whole <= 0)
		return mp_null();
	return mp_real((double)(int64_t)(1e4 * (double)part / (double)whole + 0.5) / 100);
}

static int write_section(
    struct mp_writer *w, struct mp_section *s, const struct mp_value *cells, int rows, struct mp_error *err)
{
	if (w->section(w, s, err))
		return -1;
	for (int i = 0; i < rows; i++)
		if (w->row(w, cells + (size_t)i * (size_t)s->column_count, err))
			return -1;
	return w->end(w, 0, err);
}

static int write_list(const struct mp_advice *a, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {
	    "No", "Finding", "Subject", "Severity", "Saves at most(us)", "Of a step(%)"};
	enum { COLUMNS = sizeof(titles) / sizeof(titles[0]) };
	struct mp_section s = {.title = "Findings", .heading = "", .titles = titles, .column_count = COLUMNS};

	if (!a->finding_count)
		s.absent = "none";
	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < a->finding_count; i++) {
		const struct mp_finding *f = &a->findings[i];
		const struct mp_value cells[COLUMNS] = {{.type = MP_INT, .i = (int64_t)i + 1}, text_of(f->rule->title),
		    text_of(f->subject), text_of(f->severity), us_of(f->saving_ns), share_of(f->saving_ns, f->step_ns)};

		if (w->row(w, cells, err))
			return -1;
	}
	return w->end(w, 0, err);
}

/* The lines below the title of a finding: its time and its saving, what to do, and who says so. */
static int tell_finding(const struct mp_finding *f, char *text, size_t size, struct mp_error *err)
{
	char time[MP_SAY_NUMBER], step[MP_SAY_NUMBER], saving[MP_SAY_NUMBER], share[MP_SAY_NUMBER], part[MP_SAY_NUMBER],
	    rule[64];
	const struct mp_said words[] = {{"time", time}, {"step", step}, {"saving", saving}, {"share", share},
	    {"part", part}, {"formula", f->formula}, {"advice", f->advice}, {"rule", rule},
	    {"severity", mp_say_word(f->severity)}, {"confidence", mp_say_word(f->confidence)},
	    {"source", f->rule->rule.source}};
	const bool has_step = f->step_ns > 0;
	const char *const keys[] = {
	    f->saving_ns < 0 ? "finding.takes" : "finding.saves", "finding.advice", "finding.rule"};

	mp_rule_name(f->rule, rule);
	mp_say_time(time, f->time_ns);
	mp_say_time(step, f->step_ns);
	mp_say_time(saving, f->saving_ns);
	mp_say_percent(share, has_step ? (double)f->time_ns / (double)f->step_ns : 0);
	mp_say_percent(part, has_step ? (double)f->saving_ns / (double)f->step_ns : 0);
	for (size_t i = has_step && f->time_ns >= 0 ? 0 : 1; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (mp_say(text, size, keys[i], words, sizeof(words) / sizeof(words[0]), err))
			return -1;
		size -= strlen(text) + 1;
		text += strlen(text) + 1;
		text[-1] = i + 1 < sizeof(keys) / sizeof(keys[0]) && size > 1 ? '\n' : '\0';
	}
	return 0;
}

static int write_finding(const struct mp_finding *f, size_t number, struct mp_writer *w, struct mp_error *err)
{
	char title[TITLE_SIZE], heading[HEADING_SIZE], place[24];
	const struct mp_said words[] = {{"number", place}, {"title", f->rule->title}, {"subject", f->subject}};
	struct mp_section s = {.title = title, .heading = heading};

	snprintf(place, sizeof(place), "%zu", number);
	if (mp_say(title, sizeof(title), "finding.title", words, 3, err) ||
	    tell_finding(f, heading, sizeof(heading), err))
		return -1;
	s.titles = (const char *const *)f->evidence.titles;
	s.column_count = f->evidence.columns;
	return write_section(w, &s, f->evidence.cells, f->evidence.rows, err);
}

/* Whether an earlier rule abstains for the same reason. */
static bool is_told(const struct mp_advice *a, size_t number)
{
	for (size_t i = 0; i < number; i++)
		if (strcmp(a->abstained[i].reason, a->abstained[number].reason) == 0)
			return true;
	return false;
}

/* The rules that abstain for the reason of one of them, joined with ", ". */
static void join_rules(const struct mp_advice *a, size_t number, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = number; i < a->abstained_count && used < size; i++) {
		char name[64];

		if (strcmp(a->abstained[i].reason, a->abstained[number].reason) != 0)
			continue;
		mp_rule_name(a->abstained[i].rule, name);
		used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
	}
}

/* Each reason once. */
static int write_abstained(const struct mp_advice *a, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Rules", "Why they abstain"};
	struct mp_section s = {.title = "Not decided", .heading = "", .titles = titles, .column_count = 2};
	char names[HEADING_SIZE];

	if (!a->abstained_count)
		return 0;
	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < a->abstained_count; i++) {
		if (is_told(a, i))
			continue;
		join_rules(a, i, names, sizeof(names));
		if (w->row(w, (const struct mp_value[]){text_of(names), text_of(a->abstained[i].reason)}, err))
			return -1;
	}
	return w->end(w, 0, err);
}

static int write_overview(
    const struct mp_advice *a, bool is_later, struct mp_db *db, struct mp_writer *w, struct mp_error *err)
{
	struct mp_section_options options = {.style = MP_STYLE_DEFAULT};

	for (size_t i = 0; i < a->overview.count; i++)
		if (a->overview.items[i].table.later == is_later &&
		    mp_report_show(&a->overview.items[i], db, &options, w, err))
			return -1;
	return 0;
}

int mp_advice_write(const struct mp_advice *a, struct mp_db *db, struct mp_writer *w, struct mp_error *err)
{
	if (mp_verdict_write(a, w, err) || write_overview(a, false, db, w, err) || write_list(a, w, err))
		return -1;
	for (size_t i = 0; i < a->finding_count; i++)
		if (write_finding(&a->findings[i], i + 1, w, err))
			return -1;
	return write_overview(a, true, db, w, err) || write_abstained(a, w, err) ? -1 : 0;
}

int mp_advice_write_rows(const struct mp_advice *a, const char *job, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[FINDING_COLUMNS] = {"Job", "Rule", "Title", "Subject", "Severity", "Confidence",
	    "Time(us)", "Share(%)", "Saves at most(us)", "Formula", "Advice", "Group"};
	const struct mp_section s = {
	    .title = "Findings", .heading = "", .titles = titles, .column_count = FINDING_COLUMNS};
	char name[64];

	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < a->finding_count; i++) {
		const struct mp_finding *f = &a->findings[i];
		struct mp_value cells[FINDING_COLUMNS];

		mp_rule_name(f->rule, name);
		cells[0] = text_of(job);
		cells[1] = text_of(name);
		cells[2] = text_of(f->rule->title);
		cells[3] = text_of(f->subject);
		cells[4] = text_of(f->severity);
		cells[5] = text_of(f->confidence);
		cells[6] = us_of(f->time_ns);
		cells[7] = share_of(f->time_ns, f->step_ns);
		cells[8] = us_of(f->saving_ns);
		cells[9] = text_of(f->formula);
		cells[10] = text_of(f->advice);
		cells[11] = text_of(f->title);
		if (w->row(w, cells, err))
			return -1;
	}
	return w->end(w, 0, err);
}

int mp_rules_write(const struct mp_reports *rules, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Rule", "Finding", "Data", "Threshold"};
	const struct mp_section s = {.title = "Rules", .heading = "", .titles = titles, .column_count = 4};
	char name[64];

	if (w->section(w, &s, err))
		return -1;
	for (size_t i = 0; i < rules->count; i++) {
		const struct mp_report *r = &rules->items[i];

		mp_rule_name(r, name);
		if (w->row(w,
			(const struct mp_value[]){
			    text_of(name), text_of(r->title), text_of(r->family), text_of(r->rule.source)},
			err))
			return -1;
	}
	return w->end(w, 0, err);
}

/* An advice as JSON. */

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
	mp_put_text(out, "group", f->title[0] ? f->title : NULL);
	mp_put_int(out, "count", f->count);
	mp_put_text(out, "severity", f->severity);
	mp_put_text(out, "confidence", f->confidence);
	put_number(out, "step_ns", f->step_ns);
	put_number(out, "time_ns", f->time_ns);
	put_share(out, "share", f->time_ns, f->step_ns);
	put_number(out, "saving_ns", f->saving_ns);
	put_share(out, "saving_share", f->saving_ns, f->step_ns);
	mp_put_text(out, "formula", f->formula);
	mp_put_text(out, "advice", f->advice);
	mp_put_text(out, "source", f->rule->rule.source);
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
	mp_put_text(out, "verdict", a->verdict[0] ? a->verdict : NULL);
	mp_put_text(out, "legend", a->legend[0] ? a->legend : NULL);
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
