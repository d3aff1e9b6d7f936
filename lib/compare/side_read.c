/* side_read.c: adds a job to a side, and its facts. Knows no family. */
#include "compare/side_read_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "insight/words.h"

enum { FACT_MAX = 1024 };

static int read_facts(struct mp_reading *r, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (mp_report_query(&q, r->db, &r->facts->each, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		const struct mp_value name = mp_query_value(q, 0), v = mp_query_value(q, 1);
		char key[32], value[FACT_MAX] = "";

		if (name.type != MP_TEXT)
			continue;
		snprintf(key, sizeof(key), "%.*s", (int)name.len, name.text);
		if (v.type == MP_TEXT)
			snprintf(value, sizeof(value), "%.*s", (int)v.len, v.text);
		else if (v.type == MP_INT)
			snprintf(value, sizeof(value), "%lld", (long long)v.i);
		else if (v.type == MP_REAL)
			snprintf(value, sizeof(value), "%.12g", v.d);
		value[mp_cut(value, FACT_MAX - 4)] = '\0'; /* a baseline has only whole code points */
		if (value[0] && mp_side_fact(r->side, key, value, err))
			break;
	}
	mp_query_close(q);
	return status ? -1 : 0;
}

static int load(struct mp_reading *r, const char *family, struct mp_error *err)
{
	const struct {
		const char *folder;
		const struct mp_report **report;
	} wanted[] = {{"/tasks/", &r->tasks}, {"/names/", &r->names}, {"/calls/", &r->calls}, {"/facts/", &r->facts}};

	if (mp_reports_load_folder(&r->lists, "insight/samples", family, MP_STYLE_DEFAULT, err))
		return -1;
	for (size_t i = 0; i < r->lists.count; i++)
		for (size_t k = 0; k < sizeof(wanted) / sizeof(wanted[0]); k++)
			if (strstr(r->lists.items[i].path, wanted[k].folder))
				*wanted[k].report = &r->lists.items[i];
	return r->tasks && r->names && r->calls && r->facts
		   ? 0
		   : mp_fail(err, "there is no comparison for data of the family '%s'", family);
}

int mp_side_read(struct mp_side *side, struct mp_db *db, const char *family, struct mp_error *err)
{
	struct mp_reading r = {.side = side, .db = db};
	int status;

	if (side->family[0] && strcmp(side->family, family) != 0)
		return mp_fail(
		    err, "jobs of the families '%s' and '%s' cannot be samples of one another", side->family, family);
	snprintf(side->family, sizeof(side->family), "%s", family);
	status = mp_side_fact(side, "family", family, err) || load(&r, family, err) || mp_insight_words(db, err) ||
			 mp_insight_script(db, family, "before", err) ||
			 mp_insight_script(db, family, "samples", err) || mp_read_tasks(&r, err) ||
			 mp_read_calls(&r, err) || read_facts(&r, err)
		     ? -1
		     : 0;
	mp_reports_free(&r.lists);
	return status;
}
