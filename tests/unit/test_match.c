/* test_match.c: rows of tables find their records in few steps, however many records look alike. */
#include "support.h"

#include "learn/records.h"

enum { INFERENCES = 10, RECORDS = 2000, ROWS = 20000, STEPS = 8 };

/* Inferences of one model, all of whose tasks take the same time; each task has a layer, 10 times its number and 15. */
struct match_test {
	struct mp_records records;
	struct mp_references refs;
	struct mp_row_match match;
	struct mp_work work;
	char *dir;
	struct mp_error err;
};

static int setup(void **state)
{
	struct match_test *t = calloc(1, sizeof(*t));
	struct mp_records *r = &t->records;

	t->dir = temp_dir();
	r->words.count = INFERENCES * RECORDS;
	r->words.ticks = calloc(r->words.count, sizeof(*r->words.ticks));
	r->tasks = calloc(r->words.count, sizeof(*r->tasks));
	r->layers = calloc(RECORDS, sizeof(*r->layers));
	r->layer_count = RECORDS;
	r->inferences = calloc(INFERENCES, sizeof(*r->inferences));
	r->inference_count = INFERENCES;
	for (uint32_t i = 0; i < RECORDS; i++)
		r->layers[i] = (struct mp_layer){.task_id = i, .layer_id = 10 * i + 15};
	for (uint32_t i = 0; i < INFERENCES * RECORDS; i++) {
		r->words.ticks[i] = 700;
		r->tasks[i] = (struct mp_task){i % RECORDS, MP_NO_SEG};
	}
	for (size_t n = 0; n < INFERENCES; n++) {
		r->inferences[n] = (struct mp_inference){
		    .core_mhz = 700, .first = n * RECORDS, .count = RECORDS, .layer_count = RECORDS};
		r->inferences[n].identity.device_id = -1;
	}
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct match_test *t = *state;

	mp_row_match_free(&t->match);
	mp_references_free(&t->refs);
	mp_records_free(&t->records);
	remove_dir(t->dir);
	free(t);
	return 0;
}

/* A table of `count` rows: those of the layers of the tasks, in another order, over and over. */
static void match(struct match_test *t, uint64_t steps, size_t count, const char *behind)
{
	const char *path = below(t->dir, "a.csv");
	FILE *f = fopen(path, "we");

	assert_non_null(f);
	fputs("Layer ID,Time(us),Mac Busy\n", f);
	for (size_t row = 0; row < count; row++)
		fprintf(f, "%zu%s,100.00,1\n", 10 * (row * 7 % RECORDS) + 15, behind);
	assert_int_equal(fclose(f), 0);
	assert_ok(mp_references_read(&t->refs, NULL, &path, 1, &t->err), &t->err);
	mp_work_begin(&t->work, 2 * steps); /* a half is for what follows */
	assert_ok(mp_match_rows(&t->match, &t->refs, &t->records, &t->work, &t->err), &t->err);
}

/* Without task ids the times of all records are equal: the layers tell. All inferences are as good. */
static void test_layers(void **state)
{
	struct match_test *t = *state;

	match(t, STEPS * INFERENCES * RECORDS, RECORDS, "");
	assert_int_equal(t->match.not_searched, 0);
	assert_non_null(strstr(t->match.tables[0].sentence, "fit several inferences"));
	mp_row_match_free(&t->match);
	mp_references_free(&t->refs);
	t->records.inference_count = 1;
	match(t, STEPS * INFERENCES * RECORDS, RECORDS, "");
	assert_non_null(t->match.tables[0].inference);
	assert_int_equal(t->match.rows.count, RECORDS);
	for (size_t row = 0; row < RECORDS; row++)
		assert_int_equal(t->match.tables[0].records[row], row * 7 % RECORDS);
}

/* Ten times as many rows as tasks: most of them have no record left. */
static void test_rows(void **state)
{
	struct match_test *t = *state;

	match(t, STEPS * INFERENCES * ROWS, ROWS, "");
	assert_int_equal(t->match.not_searched, 0);
	assert_non_null(strstr(t->match.tables[0].sentence, "fewer than half of its rows"));
}

/* Cells that are cut say no layer to look for: the work ends, and that is said. */
static void test_ended(void **state)
{
	struct match_test *t = *state;

	match(t, STEPS * INFERENCES * RECORDS, RECORDS, "~");
	assert_int_equal(t->match.not_searched, 1);
	assert_null(t->match.tables[0].inference);
	assert_non_null(strstr(t->match.tables[0].sentence, "not searched to the end"));
	assert_int_equal(t->match.rows.count, 0);
	assert_true(t->work.left >= STEPS * INFERENCES * RECORDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_layers, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_rows, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_ended, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
