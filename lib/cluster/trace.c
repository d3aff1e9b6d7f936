/* trace.c: what the trace of a cluster has: racks of hosts, chosen ranks and times, steps and collectives of all. */
#include <stdio.h>
#include <string.h>

#include "cluster/cluster.h"
#include "report/report.h"
#include "report/timeline.h"
#include "store/db.h"
#include "trace/trace.h"

/* A line: a host and a rack, between blanks. */
static int add_rack(struct mp_db *db, const char *line, size_t len, struct mp_error *err)
{
	static const char blank[] = " \t\r";
	char text[512], *host, *rack, *rest;

	if (len >= sizeof(text))
		return mp_fail(err, "longer than %zu bytes", sizeof(text) - 1);
	memcpy(text, line, len);
	text[len] = '\0';
	host = strtok_r(text, blank, &rest);
	if (!host || *host == '#')
		return 0;
	rack = strtok_r(NULL, blank, &rest);
	if (!rack || strtok_r(NULL, blank, &rest))
		return mp_fail(err, "not a host and a rack");
	return mp_db_put(db, "INSERT OR REPLACE INTO rack VALUES (?, ?)",
	    MP_VALUES(mp_text(host, strlen(host)), mp_text(rack, strlen(rack))), err);
}

int mp_cluster_racks(struct mp_db *cluster, const char *text, const char *path, struct mp_error *err)
{
	struct mp_error why;

	for (int number = 1; *text; number++) {
		size_t len = strcspn(text, "\n");

		if (add_rack(cluster, text, len, &why))
			return mp_fail_because(err, &why, "'%s', line %d: %s", path, number, why.text);
		text += len + (text[len] == '\n');
	}
	return 0;
}

static int want_rank(struct mp_db *cluster, int64_t rank, struct mp_error *err)
{
	char sql[96];
	int64_t there;

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM aligned WHERE rank = %lld", (long long)rank);
	if (mp_db_number(cluster, sql, 0, &there, err))
		return -1;
	if (!there)
		return mp_fail(err, "rank %lld is not here: the table Ranks has those that are", (long long)rank);
	return mp_db_put(cluster, "INSERT OR IGNORE INTO wanted VALUES (?)", MP_VALUES(mp_int(rank)), err);
}

int mp_cluster_choose(struct mp_db *cluster, const struct mp_cluster_choice *choice, struct mp_error *err)
{
	static const char sql[] = "UPDATE moment SET from_ns = first_ns + ?1, to_ns = first_ns + ?2";
	const struct mp_value times[] = {choice->from_ns ? mp_int(choice->from_ns) : (struct mp_value){.type = MP_NULL},
	    choice->to_ns < INT64_MAX ? mp_int(choice->to_ns) : (struct mp_value){.type = MP_NULL}};

	if (mp_script_run_file(cluster, "cluster/trace.sql", err) || mp_db_put(cluster, sql, times, 2, err))
		return -1;
	for (size_t i = 0; i < choice->count; i++)
		if (want_rank(cluster, choice->ranks[i], err))
			return -1;
	return 0;
}

int mp_cluster_trace(struct mp_db *cluster, struct mp_out *out, int64_t *events, struct mp_error *err)
{
	const struct mp_trace_options options = {.format = MP_TRACE_PERFETTO, .dirfd = -1};
	struct mp_timeline_stats stats = {.events = 0};
	struct mp_reports reports;
	int status;

	if (mp_reports_load(&reports, "cluster_trace", "any", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_trace_pack(out, 1, err) || mp_trace_write(&reports, cluster, &options, out, &stats, err) ? -1 : 0;
	mp_reports_free(&reports);
	*events = stats.events;
	return status;
}

int mp_cluster_ranks(struct mp_query **ranks, struct mp_db *cluster, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT doc, device_id, rank, base_ns, coalesce(from_ns - shift_ns, -1 << 62), coalesce(to_ns - shift_ns, 1 << 62)"
	    " FROM aligned, moment WHERE NOT EXISTS (SELECT 1 FROM wanted) OR rank IN (SELECT rank FROM wanted) ORDER BY rank";

	return mp_query_open(ranks, cluster, sql, strlen(sql), err);
}

int mp_cluster_rank_next(struct mp_query *ranks, struct mp_cluster_rank *rank, struct mp_error *err)
{
	int status = mp_query_next(ranks, err);

	if (status == 1)
		*rank = (struct mp_cluster_rank){mp_query_int(ranks, 0), mp_query_int(ranks, 1), mp_query_int(ranks, 2),
		    mp_query_int(ranks, 3), mp_query_int(ranks, 4), mp_query_int(ranks, 5)};
	return status;
}
