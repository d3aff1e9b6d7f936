/* verdict.c: gives the findings to the queries of schema/insight/verdict, and takes their sentences. */
#include "insight/advise.h"

#include <stdio.h>
#include <string.h>

#include "base/say.h"
#include "store/db.h"

static struct mp_value text_or_null(const char *text)
{
	return text[0] ? mp_string(text) : mp_null();
}

static struct mp_value number_or_null(int64_t number)
{
	return number < 0 ? mp_null() : mp_int(number);
}

/* The findings as a table, in their order. */
static int put_findings(const struct mp_advice *a, struct mp_db *db, struct mp_error *err)
{
	static const char make[] =
	    "CREATE TEMP TABLE IF NOT EXISTS finding(place INTEGER PRIMARY KEY, is_first, title, subject, severity, grp,"
	    " count, saving_ns, start, start_ns); DELETE FROM temp.finding";
	static const char insert[] = "INSERT INTO temp.finding VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
	struct mp_query *q;
	int status = 0;

	if (mp_db_run(db, make, err) || mp_query_open(&q, db, insert, sizeof(insert) - 1, err))
		return -1;
	for (size_t i = 0; i < a->finding_count && !status; i++) {
		const struct mp_finding *f = &a->findings[i];
		const struct mp_value cells[] = {mp_int((int64_t)i + 1), mp_int(f->rule->rule.first),
		    mp_string(f->rule->title), mp_string(f->subject), text_or_null(f->severity),
		    number_or_null(f->group), mp_int(f->count), number_or_null(f->saving_ns), mp_string(f->start),
		    number_or_null(f->start_ns)};

		status = mp_query_put(q, cells, sizeof(cells) / sizeof(cells[0]), err);
	}
	mp_query_close(q);
	return status;
}

/* Add a line, if there is one. */
static void add_line(char *text, size_t size, const struct mp_value *line)
{
	const size_t used = strlen(text);

	if (line->type == MP_TEXT && line->len && used + line->len + 2 < size)
		snprintf(text + used, size - used, "%s%.*s", used ? "\n" : "", (int)line->len, line->text);
}

/* Each row of @each is a sentence, with what its words mean. */
static int tell(struct mp_advice *a, const struct mp_report *r, struct mp_db *db, struct mp_error *err)
{
	char kinds[192], why[320];
	const struct mp_said word = {"why", kinds};
	struct mp_query *q;
	int status = mp_report_withheld(r, db, kinds, sizeof(kinds), err);

	if (status > 0) {
		struct mp_value line;

		if (mp_say(why, sizeof(why), "verdict.withheld", &word, 1, err))
			return -1;
		line = mp_string(why);
		add_line(a->verdict, sizeof(a->verdict), &line);
		return 0;
	}
	if (status || mp_report_query(&q, db, &r->each, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		const struct mp_value line = mp_query_value(q, 0), legend = mp_query_value(q, 1);

		add_line(a->verdict, sizeof(a->verdict), &line);
		if (!a->legend[0])
			add_line(a->legend, sizeof(a->legend), &legend);
	}
	mp_query_close(q);
	return status;
}

int mp_verdict_make(struct mp_advice *a, struct mp_db *db, const char *family, struct mp_error *err)
{
	struct mp_reports sentences;
	int status = put_findings(a, db, err);

	if (status || mp_reports_load_folder(&sentences, "insight/verdict", family, MP_STYLE_DEFAULT, err))
		return -1;
	for (size_t i = 0; i < sentences.count && !status; i++)
		status = tell(a, &sentences.items[i], db, err);
	mp_reports_free(&sentences);
	return status;
}

int mp_verdict_write(const struct mp_advice *a, struct mp_writer *w, struct mp_error *err)
{
	char heading[sizeof(a->verdict) + sizeof(a->legend) + 8];
	const struct mp_section s = {.title = "", .heading = heading};

	if (!a->verdict[0])
		return 0;
	snprintf(heading, sizeof(heading), "%s%s%s", a->verdict, a->legend[0] ? "\n" : "", a->legend);
	return w->section(w, &s, err) || w->end(w, 0, err) ? -1 : 0;
}
