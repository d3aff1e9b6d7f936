/* trace_notes.c: losses and notes of a job as JSON. */
#include "report/trace_notes.h"

#include <string.h>

#include "report/json.h"

int mp_trace_notes_open(struct mp_query **q, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT 'standing', text FROM told_standing UNION ALL "
				  "SELECT 'lost', amount || ' ' || what FROM loss UNION ALL "
				  "SELECT 'unpaired', what || ': ' || count(*) FROM unpaired GROUP BY what UNION ALL "
				  "SELECT kind, coalesce(file || ': ', '') || text FROM note";

	return mp_query_open(q, db, sql, sizeof(sql) - 1, err);
}

int mp_trace_notes(struct mp_out *out, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *q;
	bool any = false;
	int status;

	if (mp_trace_notes_open(&q, db, err))
		return -1;
	mp_out_char(out, '[');
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value kind = mp_query_value(q, 0), text = mp_query_value(q, 1);

		mp_out_text(out, any ? ",\n{" : "\n{");
		any = true;
		mp_json_value(out, &kind);
		mp_out_char(out, ':');
		mp_json_value(out, &text);
		mp_out_char(out, '}');
	}
	mp_out_char(out, ']');
	mp_query_close(q);
	return status;
}
