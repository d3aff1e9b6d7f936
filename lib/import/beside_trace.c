/*
 * beside_trace.c: compares a trace of another tool, or the tasks in its database, with the rows of our timeline. The
 * events of both go to a temporary table, so that the memory is bounded; schema/beside/compare.sql compares them.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/schema.h"
#include "base/text.h"
#include "import/import_internal.h"
#include "store/db.h"

enum { NAME_MAX_BYTES = 256, WHAT_SIZE = 512, DECIMALS_MAX = 12 };

static const double US_MAX = 9e15; /* more are no times */

struct events {
	const struct mp_beside *b;
	struct mp_query *put;
	int64_t ours, theirs;
	int decimals[2];     /* of starts and durations of theirs, the most */
	long double longest; /* start of theirs that is no text, in us: such a one may be a double */
};

/* What is known of an event, in texts. */
struct event {
	const char *name, *track, *task, *type, *mode; /* NULL: none */
	bool has_time;
	int64_t start_ns, dur_ns;
};

static struct mp_value text_value(const char *text, size_t most)
{
	return mp_text(text, text ? mp_cut(text, most) : 0);
}

/*
 * Say of what an event is: "tasks 5", "cpu 0", "calls NAME, thread 42". Boards number streams in more than one way;
 * cards do not. Returns false for what is neither task nor call.
 */
static bool name_what(const struct events *v, const struct event *e, char what[WHAT_SIZE])
{
	const size_t type = e->type ? strlen(e->type) : 0;
	const bool on_cpu = type >= 3 && strcmp(e->type + type - 3, "CPU") == 0;
	const char *track = e->track ? e->track : "";

	if (e->task && v->b->family == MP_FAMILY_SVP)
		snprintf(what, WHAT_SIZE, "%s %.40s", on_cpu ? "cpu" : "tasks", e->task);
	else if (e->task)
		snprintf(what, WHAT_SIZE, "tasks %.40s of stream %.40s", e->task, track);
	else if (e->mode && e->name)
		snprintf(what, WHAT_SIZE, "calls %.300s, thread %.40s", e->name, track);
	else
		return false;
	return true;
}

static int put_event(struct events *v, const struct event *e, bool is_ours, struct mp_error *err)
{
	const bool is_utf8 = e->name && mp_utf8_valid(e->name, mp_cut(e->name, NAME_MAX_BYTES));
	char what[WHAT_SIZE];

	if (!e->has_time || !name_what(v, e, what) || !mp_utf8_valid(what, strlen(what)))
		return 0;
	*(is_ours ? &v->ours : &v->theirs) += 1;
	return mp_query_put(v->put,
	    MP_VALUES(mp_int(is_ours), text_value(what, WHAT_SIZE),
		text_value(is_utf8 ? e->name : NULL, NAME_MAX_BYTES), mp_int(e->start_ns), mp_int(e->dur_ns)),
	    err);
}

/* A number of us as ns. */
static bool read_us(const char *text, int64_t *ns, long double *us)
{
	char *end;

	if (!text)
		return false;
	*us = strtold(text, &end);
	if (!isfinite(*us) || end == text || *end || fabsl(*us) > US_MAX)
		return false;
	*ns = llroundl(*us * 1000);
	return true;
}

static int decimals_of(const char *number)
{
	const char *dot = strchr(number, '.');
	const size_t count = dot ? strspn(dot + 1, "0123456789") : 0;

	return count > DECIMALS_MAX ? DECIMALS_MAX : (int)count;
}

/* Put an event of theirs: complete ones alone have a duration. */
static int take_theirs(struct events *v, const cJSON *item, struct mp_error *err)
{
	const cJSON *start = mp_json_member(item, "ts"), *dur = mp_json_member(item, "dur"),
		    *args = mp_json_member(item, "args"), *track = mp_json_member(item, "tid"),
		    *task = mp_json_member(args, "Task Id");
	const char *ph = cJSON_GetStringValue(mp_json_member(item, "ph"));
	struct event e = {.name = cJSON_GetStringValue(mp_json_member(item, "name")),
	    .track = track ? track->valuestring : NULL,
	    .task = task ? task->valuestring : NULL,
	    .type = cJSON_GetStringValue(mp_json_member(args, "Task Type")),
	    .mode = cJSON_GetStringValue(mp_json_member(args, "Mode"))};
	long double us = 0, ignored;

	if (!ph || strcmp(ph, "X") != 0 || !start || !dur)
		return 0;
	e.has_time = read_us(start->valuestring, &e.start_ns, &us) && read_us(dur->valuestring, &e.dur_ns, &ignored);
	if (!e.has_time)
		return 0;
	v->decimals[0] = (int)fmax(v->decimals[0], decimals_of(start->valuestring));
	v->decimals[1] = (int)fmax(v->decimals[1], decimals_of(dur->valuestring));
	if (cJSON_IsNumber(start))
		v->longest = fmaxl(v->longest, fabsl(us));
	return put_event(v, &e, false, err);
}

/* More than twice our events are not of this job. */
static bool is_too_much(const struct events *v)
{
	return v->theirs > v->ours * 2 + 1000;
}

/* Read their trace. Returns 1 for a file that is no trace. */
static int read_trace(struct events *v, struct mp_error *err)
{
	int fd = mp_dir_open_file(v->b->dirfd, v->b->name, NULL), status = 0;
	struct mp_json_items *items = NULL;
	cJSON *item;

	if (fd < 0)
		return 1;
	if (mp_json_items_begin(&items, fd, err))
		status = -1;
	while (!status && !is_too_much(v) && (status = mp_json_items_next(items, &item, err)) == 1) {
		status = take_theirs(v, item, err);
		cJSON_Delete(item);
	}
	if (!status && !mp_json_items_whole(items))
		status = 1;
	mp_json_items_free(items);
	close(fd); /* only read */
	return status;
}

/* The columns of a query that say what an event is. */
enum place { NAME, TRACK, TASK, TYPE, MODE, START, DUR, PH, PLACES };

static int find_places(const struct mp_query *rows, int places[PLACES])
{
	static const char *const titles[PLACES][3] = {{"name"}, {"tid"}, {"Task Id", "args.Task Id"},
	    {"Task Type", "args.Task Type"}, {"Mode", "args.Mode"}, {"start_ns", "ts"}, {"dur_ns", "dur"}, {"ph"}};

	for (int p = 0; p < PLACES; p++) {
		places[p] = -1;
		for (int i = mp_query_column_count(rows) - 1; i >= 0; i--)
			for (int t = 0; titles[p][t]; t++)
				if (strcmp(mp_query_title(rows, i), titles[p][t]) == 0)
					places[p] = i;
	}
	return places[START] >= 0 && places[DUR] >= 0 && (places[TASK] >= 0 || places[MODE] >= 0);
}

static const char *cell_text(char *text, size_t size, const struct mp_query *rows, int column)
{
	struct mp_value v;

	if (column < 0)
		return NULL;
	v = mp_query_value(rows, column);
	if (v.type == MP_INT)
		snprintf(text, size, "%" PRId64, v.i);
	else if (v.type == MP_TEXT)
		snprintf(text, size, "%.*s", (int)v.len, v.text);
	return v.type == MP_INT || v.type == MP_TEXT ? text : NULL;
}

/* A time in a column: whole ns, or us as an integer, a real or a text. */
static bool cell_ns(const struct mp_query *rows, int column, int64_t *ns)
{
	const bool is_ns = strstr(mp_query_title(rows, column), "_ns") != NULL;
	const struct mp_value v = mp_query_value(rows, column);
	char text[64];
	long double us;

	*ns = v.i;
	switch (v.type) {
	case MP_INT:
		return is_ns || !__builtin_mul_overflow(v.i, INT64_C(1000), ns);
	case MP_REAL:
		if (is_ns || !isfinite(v.d) || fabs(v.d) > US_MAX)
			return false;
		*ns = llround(v.d * 1000);
		return true;
	default:
		return v.type == MP_TEXT && !is_ns && read_us(cell_text(text, sizeof(text), rows, column), ns, &us);
	}
}

static int take_row(
    struct events *v, const struct mp_query *rows, const int places[PLACES], bool is_ours, struct mp_error *err)
{
	char texts[5][WHAT_SIZE], ph[8];
	const char *is = cell_text(ph, sizeof(ph), rows, places[PH]);
	const char *cells[5];
	struct event e;

	if (is && strcmp(is, "X") != 0)
		return 0;
	for (int i = NAME; i <= MODE; i++)
		cells[i] = cell_text(texts[i], sizeof(texts[i]), rows, places[i]);
	e = (struct event){cells[NAME], cells[TRACK], cells[TASK], cells[TYPE], cells[MODE], false, 0, 0};
	e.has_time = cell_ns(rows, places[START], &e.start_ns) && cell_ns(rows, places[DUR], &e.dur_ns);
	return put_event(v, &e, is_ours, err);
}

static int read_ours(struct events *v, const struct mp_sql *sql, const struct mp_report_row *each, struct mp_error *err)
{
	struct mp_query *rows;
	int places[PLACES], status;

	if (mp_report_rows(&rows, v->b->db, sql, "", "", v->b->style, err))
		return -1;
	status = mp_report_bind(rows, each, err);
	if (!status && find_places(rows, places))
		while ((status = mp_query_next(rows, err)) == 1)
			if (take_row(v, rows, places, true, err)) {
				status = -1;
				break;
			}
	mp_query_close(rows);
	return status;
}

/* Read the rows of an open database of theirs. Returns 1 where it is another one, or damaged. */
static int read_rows(struct events *v, struct mp_db *db, struct mp_error *err)
{
	const char *sql = mp_schema_text("beside/prof_tasks.sql");
	struct mp_error why;
	struct mp_query *rows;
	int places[PLACES], status = 0;

	if (mp_query_open(&rows, db, sql, strlen(sql), &why))
		return 1;
	find_places(rows, places);
	while (!is_too_much(v) && (status = mp_query_next(rows, &why)) == 1)
		if (take_row(v, rows, places, false, err)) {
			mp_query_close(rows);
			return -1;
		}
	mp_query_close(rows);
	v->decimals[0] = v->decimals[1] = 3;
	return status != 0;
}

/* A view, a virtual table or a computed column may run for ever. */
static bool has_plain_table(struct mp_db *db)
{
	struct mp_error why;
	int64_t plain;

	return mp_db_number(db,
		   "SELECT count(*) = 1 FROM main.sqlite_schema WHERE name = 'TASK' COLLATE NOCASE AND type = 'table'"
		   " AND rootpage > 0 AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo('TASK') WHERE hidden <> 0)",
		   0, &plain, &why) == 0 &&
	       plain;
}

static int read_database(struct events *v, struct mp_error *err)
{
	struct mp_error why;
	struct mp_db *db;
	int status;

	if (mp_db_open_foreign(&db, v->b->dirfd, v->b->name, v->b->name, &why))
		return 1;
	status = has_plain_table(db) ? read_rows(v, db, err) : 1;
	mp_db_close(db);
	return status;
}

static int read_theirs(struct events *v, struct mp_error *err)
{
	const size_t len = strlen(v->b->name);

	return len > 3 && strcmp(v->b->name + len - 3, ".db") == 0 ? read_database(v, err) : read_trace(v, err);
}

/*
 * How far numbers may differ: by one in their last digit, or by what a double of that size is exact to. Starts of
 * boards follow from whole us since 1970, of which a double is exact to a quarter, whatever origin it gets later.
 */
static int put_file(const struct events *v, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO temp.event_file VALUES(:file, :start, :dur)";
	const double exact = (double)v->longest * 0x1p-51 * 1000;
	double slack[2];
	char file[512];

	for (int i = 0; i < 2; i++)
		slack[i] = fmax(1.01, (i ? 1 : 2) * 1010 * pow(10, -v->decimals[i])) + exact;
	slack[0] = v->b->family == MP_FAMILY_SVP ? fmax(slack[0], 1000) : slack[0] + 1;
	snprintf(file, sizeof(file), "%s/%s", v->b->label, v->b->name);
	return mp_db_put(v->b->db, sql, MP_VALUES(mp_string(file), mp_real(slack[0]), mp_real(slack[1])), err);
}

static int read_all(struct events *v, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO temp.event VALUES(?, ?, ?, ?, ?)";
	const struct mp_report *report = v->b->report;
	struct mp_report_row *each = malloc(sizeof(*each));
	int status = each ? mp_report_row(each, v->b->each, err) : mp_fail_memory(err, "a trace");

	if (!status)
		status = mp_query_open(&v->put, v->b->db, sql, sizeof(sql) - 1, err);
	if (!status)
		status = read_ours(v, &report->rows, each, err);
	for (int i = 0; !status && i < report->layer_count; i++)
		status = read_ours(v, &report->layers[i], each, err);
	if (!status)
		status = v->ours ? read_theirs(v, err) : 1; /* without times of ours there is nothing to compare */
	mp_query_close(v->put);
	free(each);
	return status;
}

int mp_beside_trace(const struct mp_beside *b, struct mp_beside_sums *sums, bool *fits, struct mp_error *err)
{
	struct events v = {.b = b};
	int status = mp_db_run(b->db, "DELETE FROM temp.event; DELETE FROM temp.event_file;", err);

	(void)sums;
	if (!status)
		status = read_all(&v, err);
	*fits = status == 0 && v.theirs > 0;
	if (*fits)
		status = put_file(&v, err) || mp_script_run_file(b->db, "beside/compare.sql", err) ? -1 : 0;
	return status < 0 ? -1 : 0;
}
