/* test_proof.c: references built by hand are compared with the records of a small job. */
#include "store_support.h"

#include "learn/proof.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, job_teardown)

enum { COLUMNS = 24, CELLS = 400 };

/* One reference, and its cells. */
struct table {
	struct mp_reference ref;
	struct mp_reference_column columns[COLUMNS];
	struct mp_cell cells[CELLS], total[COLUMNS];
	char text[8192];
	char *at;
};

static struct job_test *job;
static struct table table;
static struct mp_proof_line line;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	write_job(job);
	job_open(job);
	return 0;
}

static void begin(enum mp_reference_kind kind)
{
	memset(&table, 0, sizeof(table));
	table.ref = (struct mp_reference){.name = "made.csv",
	    .kind = kind,
	    .identity = {-1, -1, -1, -1, -1, -1, ""},
	    .columns = table.columns,
	    .cells = table.cells};
	table.at = table.text;
}

static void column(enum mp_meaning meaning, const char *title, int64_t unit)
{
	assert_true(table.ref.column_count < COLUMNS);
	table.columns[table.ref.column_count++] = (struct mp_reference_column){title, meaning, unit, 0};
}

/* A number is digits with at most one point and nine decimals. */
static void fill(struct mp_cell *cell, const char *text)
{
	const char *digits = text + (*text == '-'), *point = strchr(text, '.');

	*cell = (struct mp_cell){.text = text};
	if (!*digits || digits[strspn(digits, "0123456789.")] || (point && strlen(point) > 10))
		return;
	cell->is_number = true;
	for (const char *s = digits; *s; s++)
		if (*s != '.')
			cell->value = cell->value * 10 + (*s - '0');
	cell->value = *text == '-' ? -cell->value : cell->value;
	cell->decimals = (unsigned char)(point ? strlen(point + 1) : 0);
}

/* Cells separated by '|'. */
static void cells(struct mp_cell *at, const char *text)
{
	for (int i = 0; i < table.ref.column_count; i++) {
		size_t len = strcspn(text, "|");

		memcpy(table.at, text, len);
		fill(&at[i], table.at);
		table.at += len + 1;
		text += len + (text[len] == '|');
	}
	assert_int_equal(*text, '\0');
}

static void row(const char *text)
{
	cells(&table.cells[table.ref.row_count++ * (size_t)table.ref.column_count], text);
}

static void total(const char *text)
{
	cells(table.total, text);
	table.ref.total = table.total;
}

static void prove(void)
{
	struct mp_references refs = {.items = &table.ref, .count = 1};
	struct mp_proof proof;

	assert_ok(mp_proof_make(&proof, job->job, &job->layouts, &refs, &job->err), &job->err);
	assert_int_equal(proof.count, 1);
	line = proof.lines[0];
	mp_proof_free(&proof);
}

static void assert_proof(size_t equal, size_t of, const char *first)
{
	prove();
	assert_string_equal(line.first, first);
	assert_int_equal(line.equal, equal);
	assert_int_equal(line.cells, of);
}

static void begin_tasks(void)
{
	begin(MP_TABLE_TASKS);
	column(MP_MEANS_TASK_ID, "Task ID", 1);
	column(MP_MEANS_LAYER_NAME, "Layer Name", 1);
	column(MP_MEANS_TIME, "Time(us)", 1000);
	column(MP_MEANS_TIME_SHARE, "Time Ratio(%)", 1);
	column(MP_MEANS_MAC_PPEN, "Mac Ppen Ratio(%)", 1);
	column(MP_MEANS_BOUND, "Memory Bound", 1);
	column(MP_MEANS_READ, "DDR Read(KB)", 1000);
	column(MP_MEANS_TOTAL, "DDR Total(KB)", 1000);
}

/* Tasks of 7 and 35 ticks at 700 MHz: 1 and 5 us. */
static void test_tasks(void **state)
{
	(void)state;
	begin_tasks();
	row("0|in|1|16.67|14.29|2.33|5|6");
	row("1|c1,r1|5|83.33|5.71|2|5|6");
	assert_proof(16, 16, "");
	total("-|-|6|100|7.14|2.14|10|12");
	assert_proof(22, 22, "");
	assert_int_equal(line.unknown, 0);
	total("-|-|6|100|7.14|2.1|10|12");
	assert_proof(21, 22, "the total, 'Memory Bound': 2.1, and the records say 2.14");
	total("-|-|6|100|7.15|2.14|10|12");
	assert_proof(21, 22, "the total, 'Mac Ppen Ratio(%)': 7.15, and the records say 7.14");
}

static void test_wrong_cells(void **state)
{
	(void)state;
	begin_tasks();
	row("0|in|1|16.67|14.29|2.33|5|6");
	row("1|c1,r2|5|83.33|5.72|2|5|6");
	assert_proof(14, 16, "row 2, 'Layer Name': c1,r2, and the records say c1,r1");
	begin_tasks();
	row("7|in|1|100|14.29|2.33|5|6"); /* there is no such task */
	assert_proof(0, 8, "row 1, 'Task ID': 7, and the records have no such row");
	begin(MP_TABLE_TASKS);
	column(MP_MEANS_TASK_ID, "Task ID", 1);
	column(MP_MEANS_NOTHING, "Mystery", 1);
	row("1|17");
	row("1|18"); /* a task is one row */
	assert_proof(1, 2, "row 2, 'Task ID': 1, and the records have no such row");
	assert_int_equal(line.unknown, 1);
}

/* A column has one rule: 14.2857 and 5.714 round up, or are cut; not one of each. */
static void test_one_rule(void **state)
{
	(void)state;
	begin_tasks();
	row("0|in|1|16.66|14.28|2.33|5|6");
	row("1|c1,r1|5|83.33|5.71|2|5|6");
	assert_proof(16, 16, "");
	begin(MP_TABLE_TASKS);
	column(MP_MEANS_TASK_ID, "Task ID", 1);
	column(MP_MEANS_MAC_PPEN, "Mac Ppen Ratio(%)", 1);
	column(MP_MEANS_VEC_BUSY, "Vec Busy Ratio(%)", 1);
	row("0|14.3|28.5"); /* 14.2857, 28.571 */
	row("1|5.7|8.6");   /* 5.714, 8.571 */
	assert_proof(5, 6, "row 1, 'Vec Busy Ratio(%)': 28.5, and the records say 28.6");
}

static void test_bytes_of_1024(void **state)
{
	(void)state;
	begin(MP_TABLE_TASKS);
	column(MP_MEANS_TASK_ID, "Task ID", 1);
	column(MP_MEANS_READ, "DDR Read(KB)", 1000);
	row("0|4.883");
	row("1|4.884");
	assert_proof(4, 4, "");
	begin(MP_TABLE_TASKS);
	column(MP_MEANS_TASK_ID, "Task ID", 1);
	column(MP_MEANS_READ, "DDR Read(KB)", 1000);
	row("0|4.883");
	row("1|5.001"); /* of 1000 */
	assert_proof(3, 4, "row 1, 'DDR Read(KB)': 4.883, and the records say 5.000");
}

static void test_other_order(void **state)
{
	(void)state;
	begin_tasks();
	row("1|[\"c1\", \"r1\"]|5|83.33|5.71|2|5|6");
	row("0|i~|1|16.67|14.29|2.33|5|6");
	assert_proof(16, 16, "");
	begin_tasks(); /* filtered: shares and total are those of all tasks */
	row("1|c1;r1|5|83.33|5.71|2|5|6");
	total("-|-|6|100|7.14|2.14|10|12");
	assert_proof(14, 14, "");
	begin(MP_TABLE_TASKS); /* no ids */
	column(MP_MEANS_ORI_NAME, "Ori", 1);
	column(MP_MEANS_TIME, "Time(us)", 1000);
	row("r1a,r1b~|4");
	row("c1,r1a,r1b|5");
	row("in|1");
	assert_proof(4, 6, "row 1, 'Ori': r1a,r1b~, and the records have no such row");
}

/* Moments: task 0 begins at tick 1000, task 1 at tick 1007. */
static void test_moments(void **state)
{
	(void)state;
	for (int moved = 0; moved < 2; moved++) {
		begin(MP_TABLE_TASKS);
		table.ref.is_trace = true;
		column(MP_MEANS_EVENT_NAME, "name", 1);
		column(MP_MEANS_START, "ts", 1000);
		column(MP_MEANS_TIME, "dur", 1000);
		column(MP_MEANS_TASK_TYPE, "Task Type", 1);
		row(moved ? "c1,r1a,r1b|1000.857|5|AI_CORE" : "c1,r1a,r1b|143.857|5|AI_CORE");
		row(moved ? "in|999.857|1|AA_CORE" : "in|142.857|1|AA_CORE");
		assert_proof(8, 8, "");
		assert_string_equal(line.note, moved ? "all moments are 857000 ns later than the records say" : "");
	}
	begin(MP_TABLE_TASKS);
	column(MP_MEANS_TASK_ID, "Task ID", 1);
	column(MP_MEANS_START, "ts", 1000);
	column(MP_MEANS_TASK_TYPE, "Task Type", 1);
	row("0|142.857|AI_CPU");
	row("1|143.957|AA_CORE");
	assert_proof(4, 6, "row 1, 'Task Type': AI_CPU, and the records say AA_CORE");
}

static void begin_calls(void)
{
	begin(MP_TABLE_CALLS);
	column(MP_MEANS_EVENT_NAME, "name", 1);
	column(MP_MEANS_START, "ts", 1000);
	column(MP_MEANS_TIME, "dur", 1000);
	column(MP_MEANS_KIND, "Mode", 1);
	column(MP_MEANS_PID, "Process Id", 1);
	column(MP_MEANS_TID, "Thread Id", 1);
}

static void test_calls(void **state)
{
	(void)state;
	begin_calls();
	row("svp_acl_mdl_execute|0.21|0.2|model|100|200");
	row("svp_acl_rt_malloc|0.02|0.03|runtime|100|200");
	row("svp_acl_mdl_execute|0.01|0.1|2|100|200");
	assert_proof(18, 18, "");
	begin_calls();
	row("svp_acl_mdl_execute|0.01|0.1|model|100|200");
	row("svp_acl_mdl_execute|0.21|0.3|op|100|201");
	assert_proof(9, 12, "row 2, 'dur': 0.3, and the records say 0.2");
}

static void begin_sums(enum mp_reference_kind kind)
{
	begin(kind);
	column(kind == MP_TABLE_CALL_SUMS ? MP_MEANS_CALL_NAME : MP_MEANS_LAYER_TYPE, "Name", 1);
	column(MP_MEANS_SUM, "Total Time", kind == MP_TABLE_CALL_SUMS ? 100 : 1000);
	column(MP_MEANS_TIME_SHARE, "Ratio", 1);
	column(MP_MEANS_COUNT, "Count", 1);
	column(MP_MEANS_AVERAGE, "Avg", kind == MP_TABLE_CALL_SUMS ? 100 : 1000);
	column(MP_MEANS_MAXIMUM, "Max", kind == MP_TABLE_CALL_SUMS ? 100 : 1000);
}

static void test_call_sums(void **state)
{
	(void)state;
	begin_sums(MP_TABLE_CALL_SUMS);
	row("svp_acl_mdl_execute|3|90.9090909090909|2|1.5|2");
	row("svp_acl_rt_malloc|0.3|9.090909090909092|1|0.3|0.3");
	assert_proof(12, 12, "");
	begin_sums(MP_TABLE_CALL_SUMS); /* times cut to whole units before they are added; whole means */
	row("svp_acl_mdl_execute|3|100|2|1|2");
	row("svp_acl_rt_malloc|0|0|1|0|0");
	assert_proof(12, 12, "");
	begin_sums(MP_TABLE_CALL_SUMS);
	row("svp_acl_mdl_execute|3|90.9090909090509|3|1.5|2");
	row("svp_acl_rt_free|0.3|9.090909090909092|1|0.3|0.3");
	assert_proof(4, 13, "row 1, 'Ratio': 90.9090909090509, and the records say 90.909090909091");
	begin_sums(MP_TABLE_CALL_SUMS); /* calls that the table does not know: the records may be decoded wrongly */
	row("svp_acl_mdl_execute|3|90.9090909090909|2|1.5|2");
	assert_proof(6, 7, "the table lacks 'svp_acl_rt_malloc', which the records have");
}

/* A fused task counts for each of its layers. */
static void test_task_sums(void **state)
{
	(void)state;
	begin_sums(MP_TABLE_TASK_SUMS);
	row("Convolution|5|45.45|1|5|5");
	row("Input|1|9.09|1|1|1");
	row("Relu|5|45.45|1|5|5");
	assert_proof(18, 18, "");
	begin_sums(MP_TABLE_TASK_SUMS);
	row("Convolution|5|45.45|1|5|5.01");
	row("Pooling|1|9.09|1|1|1");
	/* and two groups of the records have no row */
	assert_proof(5, 14, "row 1, 'Max': 5.01, and the records say 5.00");
}

static void test_identity(void **state)
{
	(void)state;
	begin_tasks();
	row("0|in|1|16.67|14.29|2.33|5|6");
	row("1|c1,r1|5|83.33|5.71|2|5|6");
	table.ref.identity.model_id = 7;
	strcpy(table.ref.identity.model, "net");
	assert_proof(16, 16, "");
	table.ref.identity.current_pic = 10; /* no task was recorded */
	assert_proof(0, 16, "row 1, 'Task ID': 0, and the records have no such row");
	begin(MP_TABLE_OTHER);
	column(MP_MEANS_NOTHING, "x", 1);
	row("1");
	assert_proof(0, 0, "");
	assert_int_equal(line.unknown, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_tasks), TEST(test_wrong_cells), TEST(test_one_rule),
	    TEST(test_bytes_of_1024), TEST(test_other_order), TEST(test_moments), TEST(test_calls),
	    TEST(test_call_sums), TEST(test_task_sums), TEST(test_identity)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
