/*
 * test_trace.c: the merged trace: slices keep their times whatever the order of rows; numbers of texts; arrows;
 * varints.
 */
#include "rows_support.h"

#include "trace/feed.h"
#include "trace/proto.h"
#include "trace/trace.h"

enum { SLICES = 60, EVENTS_MAX = 4 * SLICES };

struct slice {
	int64_t start, dur, name;
};

/* A begin or an end, in the order of the file. */
struct event {
	int64_t time;
	uint64_t track, name; /* name 0: an end */
	size_t place;
};

static uint64_t get_varint(const unsigned char **at)
{
	uint64_t v = 0;

	for (int shift = 0;; shift += 7) {
		unsigned char byte = *(*at)++;

		v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
}

/* Read the next field: its number, and its value or the range of its bytes. */
static unsigned get_field(const unsigned char **at, uint64_t *v, const unsigned char **bytes)
{
	uint64_t tag = get_varint(at);

	if ((tag & 7) == MP_PROTO_FIXED64) {
		memcpy(v, *at, 8);
		*at += 8;
		return (unsigned)(tag >> 3);
	}
	*v = get_varint(at);
	*bytes = *at;
	if ((tag & 7) == MP_PROTO_BYTES)
		*at += *v;
	return (unsigned)(tag >> 3);
}

/* The event of a packet; false for other packets. */
static bool get_event(const unsigned char *at, const unsigned char *end, struct event *e)
{
	const unsigned char *bytes, *body = NULL, *body_end = NULL;
	uint64_t v;

	memset(e, 0, sizeof(*e));
	while (at < end)
		switch (get_field(&at, &v, &bytes)) {
		case 8:
			e->time = (int64_t)v;
			break;
		case 11:
			body = bytes;
			body_end = bytes + v;
			break;
		default:
			break;
		}
	while (body < body_end)
		switch (get_field(&body, &v, &bytes)) {
		case 10:
			e->name = v;
			break;
		case 11:
			e->track = v;
			break;
		default:
			break;
		}
	return body_end;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return x->time != y->time ? (x->time < y->time ? -1 : 1) : (x->place > y->place) - (x->place < y->place);
}

static int by_slice(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->dur != y->dur ? (x->dur < y->dur ? -1 : 1) : (x->name > y->name) - (x->name < y->name);
}

/* The slices that a viewer sees: packets in order of time, an end for the last open begin of its track. */
static int seen_slices(struct slice *slices)
{
	struct event events[EVENTS_MAX], open[EVENTS_MAX];
	int count = 0, found = 0, depth = 0;
	const unsigned char *at = (const unsigned char *)sink_text(&sink), *end, *bytes;

	end = at + lseek(sink.fd, 0, SEEK_END);
	while (at < end) {
		uint64_t size;

		assert_int_equal(get_field(&at, &size, &bytes), 1);
		assert_true(count < EVENTS_MAX);
		if (get_event(bytes, bytes + size, &events[count])) {
			events[count].place = (size_t)count;
			count++;
		}
	}
	qsort(events, (size_t)count, sizeof(events[0]), by_time);
	for (int i = 0; i < count; i++) {
		int last = depth - 1;

		if (events[i].name) {
			open[depth++] = events[i];
			continue;
		}
		while (last >= 0 && open[last].track != events[i].track)
			last--;
		assert_true(last >= 0);
		slices[found++] =
		    (struct slice){open[last].time, events[i].time - open[last].time, (int64_t)open[last].name};
		memmove(open + last, open + last + 1, (size_t)(--depth - last) * sizeof(open[0]));
	}
	assert_int_equal(depth, 0);
	return found;
}

static struct mp_timeline_stats write_trace(const struct mp_report *report, enum mp_trace_format format)
{
	const struct mp_reports reports = {(struct mp_report *)report, 1};
	const struct mp_trace_options options = {.format = format, .dirfd = -1};
	struct mp_timeline_stats stats;

	assert_ok(mp_trace_write(&reports, db, &options, sink.out, &stats, &err), &err);
	return stats;
}

/* Slices within a small time, so that many times are equal. */
static void draw(struct slice *slices, char *sql, size_t size, unsigned seed)
{
	size_t used = (size_t)snprintf(sql, size,
	    "SELECT 1 AS layer, 2 AS process, 3 AS track, 'n' || column3 AS name, column1 AS start_ns, column2 AS dur_ns"
	    " FROM (VALUES ");

	srand(seed);
	for (int i = 0; i < SLICES; i++) {
		slices[i] = (struct slice){rand() % 40, rand() % (rand() % 2 ? 4 : 20), 0};
		used += (size_t)snprintf(sql + used, size - used, "%s(%d, %d, %d)", i ? ", " : "", (int)slices[i].start,
		    (int)slices[i].dur, (int)slices[i].dur);
	}
	snprintf(sql + used, size - used, ")\n");
}

static void test_orders(void **state)
{
	const char *const orders[][2] = {{"start_ns, dur_ns DESC", ""}, {"", "start_ns + dur_ns DESC, start_ns"},
	    {"", ""}, {"dur_ns", ""}, {"", "dur_ns"}}; /* the last two are no orders: the rows are sorted */

	(void)state;
	for (unsigned seed = 0; seed < 100; seed++)
		for (size_t order = 0; order < sizeof(orders) / sizeof(orders[0]); order++) {
			struct slice wanted[SLICES], found[EVENTS_MAX];
			static char sql[8192];
			struct mp_report report = {.path = "test",
			    .tracks.process = "P",
			    .tracks.thread = "T",
			    .each = {.text = "SELECT 1", .len = 8},
			    .rows = {.text = sql}};

			mp_out_restart(sink.out);
			draw(wanted, sql, sizeof(sql), seed);
			report.rows.len = strlen(sql);
			strcpy(report.tracks.started, orders[order][0]);
			strcpy(report.tracks.recorded, orders[order][1]);
			assert_int_equal(write_trace(&report, MP_TRACE_PERFETTO).events, SLICES);
			assert_int_equal(seen_slices(found), SLICES);
			for (int i = 0; i < SLICES; i++)
				found[i].name = 0;
			qsort(wanted, SLICES, sizeof(wanted[0]), by_slice);
			qsort(found, SLICES, sizeof(found[0]), by_slice);
			assert_memory_equal(wanted, found, sizeof(wanted));
		}
}

/* Each slice has the name of its duration: no end belongs to another begin. */
static void test_names(void **state)
{
	const struct mp_report report = {.path = "test",
	    .tracks.process = "P",
	    .tracks.thread = "T",
	    .tracks.recorded = "_end DESC, start_ns",
	    .each = {.text = "SELECT 1", .len = 8},
	    .rows = {
		.text =
		    "SELECT 1 AS layer, 2 AS process, 3 AS track, 'n' || (20 - column2) AS name, column1 AS start_ns,"
		    " column2 AS dur_ns, column1 + column2 AS _end FROM (VALUES (0, 20), (0, 10), (10, 10), (10, 5), (10, 0),"
		    " (15, 5), (20, 0), (5, 5))\n"}};
	struct mp_report whole = report;
	struct slice found[EVENTS_MAX];
	int64_t name_of[32] = {0};

	(void)state;
	whole.rows.len = strlen(report.rows.text);
	assert_int_equal(write_trace(&whole, MP_TRACE_PERFETTO).moved, 0);
	assert_int_equal(seen_slices(found), 8);
	for (int i = 0; i < 8; i++) {
		assert_in_range(found[i].dur, 0, 20);
		assert_true(!name_of[found[i].dur] || name_of[found[i].dur] == found[i].name);
		name_of[found[i].dur] = found[i].name;
	}
}

/* Times at both ends of the range, an end before the start, missing names: JSON counts from the first time. */
static void test_json(void **state)
{
	struct mp_report report = {.path = "test",
	    .tracks.process = "P {process}",
	    .tracks.thread = "T {track}",
	    .each = {.text = "SELECT 1", .len = 8},
	    .rows = {
		.text =
		    "SELECT 1 AS layer, 9223372036854775807 AS process, -1 AS track, column1 AS name, column2 AS start_ns,"
		    " column3 AS dur_ns, column3 AS \"args.n\" FROM (VALUES (NULL, -9223372036854775807, -5), ('b\"', 0, 7),"
		    " ('c', 9223372036854775807, 9))\n"}};
	const char *text;

	(void)state;
	report.rows.len = strlen(report.rows.text);
	assert_int_equal(write_trace(&report, MP_TRACE_JSON).events, 3);
	text = sink_text(&sink);
	assert_non_null(strstr(text, "\"args\":{\"name\":\"P 9223372036854775807\"}"));
	assert_non_null(strstr(text,
	    "{\"name\":\"N/A\",\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":0.000,\"dur\":0.000,\"args\":{\"n\":-5}}"));
	assert_non_null(strstr(
	    text, "\"name\":\"b\\\"\",\"ph\":\"X\",\"pid\":1,\"tid\":2,\"ts\":9223372036854775.807,\"dur\":0.007"));
	assert_non_null(strstr(text, "\"ts\":18446744073709551.614,\"dur\":0.000"));
	assert_non_null(strstr(text, "\"base_ns\":\"-9223372036854775807\""));
}

static void test_refused(void **state)
{
	struct mp_report report = {.path = "test",
	    .tracks.thread = "T",
	    .each = {.text = "SELECT 1", .len = 8},
	    .rows = {
		.text = "SELECT 1 AS layer, 1 AS process, 1 AS track, 'n' AS name, NULL AS start_ns, 1 AS dur_ns\n"}};
	const struct mp_reports reports = {&report, 1};
	struct mp_trace_options options = {.format = MP_TRACE_PERFETTO, .dirfd = -1};
	struct mp_timeline_stats stats;

	(void)state;
	report.rows.len = strlen(report.rows.text);
	assert_int_equal(mp_trace_write(&reports, db, &options, sink.out, &stats, &err), -1);
	assert_string_equal(err.text,
	    "schema/test: row without a time: the database was changed or is damaged; 'msprof import' makes it anew");
	report.rows.text = "SELECT 1 AS layer, 1 AS process, 'n' AS name, 1 AS start_ns\n";
	report.rows.len = strlen(report.rows.text);
	report.tracks.recorded[0] = '1';
	assert_int_equal(mp_trace_write(&reports, db, &options, sink.out, &stats, &err), -1);
	assert_string_equal(err.text, "schema/test: rows of a trace lack a column");
	report.rows.text = "SELECT 'n' AS name\n"; /* a process */
	report.rows.len = strlen(report.rows.text);
	options.format = MP_TRACE_JSON; /* which asks for the first time */
	assert_int_equal(mp_trace_write(&reports, db, &options, sink.out, &stats, &err), -1);
	assert_string_equal(err.text, "schema/test: rows of a trace lack a column");
}

/* Rows read backwards in ranges of a key: a query of few columns, then one of many. */
static void test_columns_of_ranges(void **state)
{
	static const char few[] = "SELECT 1 AS layer, 1 AS process, 1 AS track, 'n' AS name, k AS start_ns, 1 AS dur_ns"
				  " FROM made WHERE k BETWEEN :split_first AND :split_last\n";
	char many[4096] = "SELECT 2 AS layer, 1 AS process, 1 AS track, 'n' AS name, k AS start_ns, 1 AS dur_ns";
	struct mp_report both[2] = {{.path = "test",
	    .tracks.process = "P",
	    .tracks.thread = "T",
	    .tracks.recorded = "made.k DESC",
	    .each = {.text = "SELECT 1", .len = 8},
	    .rows = {.split = "made.k", .text = few, .len = sizeof(few) - 1}}};
	const struct mp_reports reports = {both, 2};
	const struct mp_trace_options options = {.format = MP_TRACE_JSON, .dirfd = -1};
	struct mp_timeline_stats stats;
	size_t used = strlen(many);

	(void)state;
	assert_ok(mp_db_run(db, "CREATE TEMP TABLE made(k INTEGER PRIMARY KEY)", &err), &err);
	assert_ok(mp_db_run(db,
		      "WITH RECURSIVE n(k) AS (VALUES(0) UNION ALL SELECT k + 1 FROM n LIMIT 5000)"
		      " INSERT INTO made SELECT k FROM n",
		      &err),
	    &err);
	for (int i = 0; i < 100; i++)
		used += (size_t)snprintf(many + used, sizeof(many) - used, ", k + %d AS \"args.%d\"", i, i);
	snprintf(many + used, sizeof(many) - used, "%s", strstr(few, " FROM "));
	both[1] = both[0];
	both[1].rows.text = many;
	both[1].rows.len = strlen(many);
	assert_ok(mp_trace_write(&reports, db, &options, sink.out, &stats, &err), &err);
	assert_int_equal(stats.events, 10000);
	assert_non_null(strstr(sink_text(&sink), "\"1\":4999,"));
	assert_non_null(strstr(sink_text(&sink), "\"99\":99}"));
}

/* Texts of a range that take too much memory: the rows are sorted by the database instead. */
static void test_long_texts_of_ranges(void **state)
{
	static const char text[] = "SELECT hex(zeroblob(2000000)) AS name FROM long WHERE k BETWEEN :split_first AND "
				   ":split_last\n";
	const struct mp_sql sql = {.split = "long.k", .text = text, .len = sizeof(text) - 1};
	struct mp_trace_backwards backwards = {.count = 0};
	struct mp_value cell;
	struct mp_query *rows;

	(void)state;
	assert_ok(mp_db_run(db, "CREATE TEMP TABLE long(k INTEGER PRIMARY KEY)", &err), &err);
	assert_ok(mp_db_run(db, "INSERT INTO long VALUES(1), (2), (3), (4), (5), (6), (7), (8), (9)", &err), &err);
	assert_ok(mp_query_open(&rows, db, sql.text, sql.len, &err), &err);
	assert_ok(mp_trace_backwards_begin(&backwards, rows, &sql, db, &err), &err);
	assert_int_equal(mp_trace_backwards_next(&backwards, &cell, &err), -2);
	mp_trace_backwards_free(&backwards);
	mp_query_close(rows);
}

static void test_texts(void **state)
{
	struct mp_trace_texts *texts = calloc(1, sizeof(*texts));
	char text[32];
	bool is_new;

	(void)state;
	assert_non_null(texts);
	/* an empty text, before there is any memory for bytes */
	for (int i = 0; i < 2; i++)
		assert_int_equal(
		    mp_trace_texts_number(texts, &(struct mp_value){.type = MP_TEXT, .text = i ? "" : text}, &is_new),
		    1);
	mp_trace_texts_free(texts);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < 5000; i++) {
			struct mp_value v = text_cell(text);

			snprintf(text, sizeof(text), "text %d", i); /* other texts at one address */
			v = text_cell(text);
			assert_int_equal(mp_trace_texts_number(texts, &v, &is_new), i + 1);
			assert_int_equal(is_new, !round);
		}
	/* in another order than at first, with repeats */
	for (int i = 0; i < 5000; i++) {
		struct mp_value v = text_cell(text);
		int n = i % 3 ? i : i / 2;

		snprintf(text, sizeof(text), "text %d", n);
		v = text_cell(text);
		assert_int_equal(mp_trace_texts_number(texts, &v, &is_new), n + 1);
		assert_false(is_new);
	}
	mp_trace_texts_free(texts);
	free(texts);
}

static void test_arrows(void **state)
{
	struct mp_trace_arrows arrows = {.count = 0};
	const struct mp_trace_launch *found;

	(void)state;
	assert_int_equal(mp_trace_arrows_take(&arrows, 1, &found), 0);
	for (int i = 0; i < 3000; i++) /* three tasks for each call from 0 to 999, mixed */
		assert_int_equal(
		    mp_trace_arrows_add(&arrows, &(struct mp_trace_launch){.call = i * 7 % 1000, .start_ns = i}, -1),
		    i + 1);
	for (int call = -1; call <= 1000; call++) {
		size_t count = mp_trace_arrows_take(&arrows, call, &found);

		assert_int_equal(count, call < 0 || call == 1000 ? 0 : 3);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(found[i].start_ns * 7 % 1000, call);
			assert_int_equal(found[i].number, found[i].start_ns + 1);
		}
	}
	assert_int_equal(mp_trace_arrows_take(&arrows, 5, &found), 3); /* not in order of calls */
	mp_trace_arrows_free(&arrows);
}

static void test_varints(void **state)
{
	(void)state;
	for (int bit = 0; bit < 64; bit++)
		for (int less = 0; less < 2; less++) {
			uint64_t v = (UINT64_C(1) << bit) - (uint64_t)less;
			unsigned char bytes[MP_PROTO_VARINT_MAX];
			const unsigned char *at = bytes;
			char *end = mp_proto_put((char *)bytes, v);

			assert_int_equal(get_varint(&at), v);
			assert_ptr_equal(at, end);
			assert_int_equal(mp_proto_size(v), end - (char *)bytes);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_orders, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_names, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_json, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_refused, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_columns_of_ranges, rows_setup, rows_teardown),
	    cmocka_unit_test_setup_teardown(test_long_texts_of_ranges, rows_setup, rows_teardown),
	    cmocka_unit_test(test_texts),
	    cmocka_unit_test(test_arrows),
	    cmocka_unit_test(test_varints),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
