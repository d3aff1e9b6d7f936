/* aggregate.c: sums a rank up. */
#include "cluster/cluster.h"

#include "cluster/rows_json.h"
#include "report/json.h"
#include "report/report.h"

int mp_aggregate_write(struct mp_db *db, const char *name, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options options = {.style = MP_STYLE_DEFAULT};
	struct mp_rows_json json;
	struct mp_reports reports;
	int status = 0;

	if (mp_reports_load_folder(&reports, "cluster/rank", "prof", MP_STYLE_DEFAULT, err))
		return -1;
	mp_rows_json_init(&json, out, false);
	mp_out_text(out, MP_AGGREGATE_BEGIN ",\n\"name\": ");
	mp_json_string(out, name, strlen(name));
	for (size_t i = 0; !status && i < reports.count; i++)
		status = mp_report_show(&reports.items[i], db, &options, &json.writer, err);
	mp_out_text(out, "}\n");
	mp_reports_free(&reports);
	return status ? -1 : mp_out_error(out, err);
}
