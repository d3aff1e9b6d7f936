/* test_learn.c: places of counters are found from rows of a table, and where several explain it, that is said. */
#include "support.h"

#include "learn/places.h"

enum { RECORDS = 24, LOW = 8, SPAN = 64 };

/* Words of records, and a table with a row a record. */
struct learn_test {
	struct mp_learn_words words;
	struct mp_references refs;
	struct mp_learn_rows rows;
	struct mp_candidates lists[MP_COUNTERS];
	struct mp_learn_finding findings[MP_COUNTERS];
	struct mp_work work;
	char *dir;
	struct mp_error err;
};

/* What the hardware counts: cycles of each unit, and bytes. Each counter is another mix of a few bits. */
static uint64_t true_count(int counter, size_t record, uint64_t cycles)
{
	uint64_t mix = (record * 2654435761U + (unsigned)counter * 40503U) % 997 + 1;

	if (mp_is_bytes(counter))
		return mix * 4096 + record * 64;
	return counter == MP_MAC_PPEN || counter == MP_VEC_PPEN ? cycles * mix / 5000
								: cycles / 2 + cycles * mix / 4000;
}

static int setup(void **state)
{
	struct learn_test *t = calloc(1, sizeof(*t));

	t->dir = temp_dir();
	mp_work_begin(&t->work, MP_WORK_MIN);
	t->words.low = LOW;
	t->words.span = SPAN;
	t->words.count = RECORDS;
	t->words.bytes = calloc(RECORDS, SPAN);
	t->words.hardware = calloc(LOW + SPAN, 1);
	memset(t->words.hardware + LOW, 1, SPAN);
	t->words.ticks = calloc(RECORDS, sizeof(*t->words.ticks));
	t->rows.items = calloc(RECORDS, sizeof(*t->rows.items));
	for (uint32_t i = 0; i < RECORDS; i++) {
		t->words.ticks[i] = 500 + 37 * i;
		t->rows.items[i] = (struct mp_row){i, 1, i, 0};
	}
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	struct learn_test *t = *state;

	for (int i = 0; i < MP_COUNTERS; i++)
		free(t->lists[i].items);
	mp_references_free(&t->refs);
	remove_dir(t->dir);
	free(t->words.bytes);
	free(t->words.hardware);
	free(t->words.ticks);
	free(t->rows.items);
	free(t);
	return 0;
}

static void put(struct learn_test *t, size_t record, unsigned offset, unsigned width, uint64_t value)
{
	uint64_t bits = htole64(value);

	memcpy(t->words.bytes + record * SPAN + offset - LOW, &bits, width);
}

/* Words of 32 bits in the order of columns, and the table that they make: cells of `decimals` decimals. */
static void make_board(struct learn_test *t, int decimals)
{
	char text[16384] =
	    "Task ID,Mac Busy,Mac Ppen,Vec Busy,Vec Ppen,Dstr,Dtrans,DLD,WLD,DDR Read(byte),DDR Write(byte)\n";
	const char *path = below(t->dir, "a.csv");
	size_t used = strlen(text);

	for (size_t r = 0; r < RECORDS; r++) {
		uint64_t cycles = t->words.ticks[r] * UINT64_C(100);

		used += (size_t)snprintf(text + used, sizeof(text) - used, "%zu", r);
		for (int c = 0; c < MP_COUNTERS; c++) {
			uint64_t count = true_count(c, r, cycles);

			put(t, r, LOW + 4 * (unsigned)c, 4, count);
			used +=
			    (size_t)snprintf(text + used, sizeof(text) - used, ",%.*f", mp_is_bytes(c) ? 0 : decimals,
				mp_is_bytes(c) ? (double)count : (double)count * 100 / (double)cycles);
		}
		used += (size_t)snprintf(text + used, sizeof(text) - used, "\n");
	}
	write_text(t->dir, "a.csv", text);
	assert_ok(mp_references_read(&t->refs, NULL, &path, 1, &t->err), &t->err);
	t->rows.refs = &t->refs;
	t->rows.count = RECORDS;
}

static void learn(struct learn_test *t)
{
	for (int i = 0; i < MP_COUNTERS; i++)
		assert_ok(mp_search(&t->lists[i], &t->words, &t->rows, i,
			      i == MP_DDR_WRITE ? &t->lists[MP_DDR_READ] : NULL, &t->work, &t->err),
		    &t->err);
	mp_choose(t->findings, t->lists, &t->words, &t->rows, &t->work);
}

static void assert_place(const struct learn_test *t, int counter, const char *text)
{
	char place[96];

	mp_place_text(&t->findings[counter].place, place, sizeof(place));
	assert_string_equal(place, text);
	assert_int_equal(t->findings[counter].fits, RECORDS);
	assert_int_equal(t->findings[counter].rivals.count, 0);
}

static void test_words(void **state)
{
	struct learn_test *t = *state;

	make_board(t, 2);
	learn(t);
	for (int c = 0; c < MP_COUNTERS; c++) {
		char text[32];

		snprintf(text, sizeof(text), "u32 @%d", LOW + 4 * c);
		assert_place(t, c, text);
	}
}

static void test_scales(void **state)
{
	struct learn_test *t = *state;

	make_board(t, 4);
	for (size_t r = 0; r < RECORDS; r++) {
		uint64_t cycles = t->words.ticks[r] * UINT64_C(100);

		put(t, r, 52, 2, true_count(MP_DSTR, r, cycles) / 4);
		put(t, r, LOW + 4 * MP_DSTR, 4, 7);
		put(t, r, 56, 8, true_count(MP_DDR_READ, r, cycles) / 64);
		put(t, r, LOW + 4 * MP_DDR_READ, 4, 0);
		put(t, r, 64, 4, (true_count(MP_DDR_READ, r, cycles) + true_count(MP_DDR_WRITE, r, cycles)) / 64);
		put(t, r, LOW + 4 * MP_DDR_WRITE, 4, 0xffffffff);
	}
	learn(t);
	assert_place(t, MP_DDR_READ, "u32 @56 x 64");
	assert_place(t, MP_DDR_WRITE, "u32 @64 minus u32 @56 x 64");
	/* the table has cycles, of which quarters have lost the last bits: no place explains the rows */
	assert_int_equal(t->findings[MP_DSTR].place.offset, 0);
	assert_int_equal(t->findings[MP_DSTR].candidates, 0);
}

static void test_per_mille(void **state)
{
	struct learn_test *t = *state;

	make_board(t, 1);
	for (size_t r = 0; r < RECORDS; r++) {
		uint64_t cycles = t->words.ticks[r] * UINT64_C(100);

		put(t, r, LOW + 4 * MP_DLD, 4, 0);
		put(t, r, 60, 2, (true_count(MP_DLD, r, cycles) * 1000 + cycles / 2) / cycles);
	}
	learn(t);
	assert_true(t->findings[MP_DLD].place.per_mille);
	assert_int_equal(t->findings[MP_DLD].place.offset, 60);
}

/* What is 0 in all records may be anywhere: that is said, and no other counter loses its place. */
static void test_zeros(void **state)
{
	struct learn_test *t = *state;
	const char *path = below(t->dir, "b.csv");
	char text[1024] = "Task ID,Dtrans,DLD\n-,0,1.2345\n";

	make_board(t, 2);
	for (size_t r = 0; r < RECORDS; r++)
		strcat(text, "0,0,0\n");
	write_text(t->dir, "b.csv", text);
	mp_references_free(&t->refs);
	assert_ok(mp_references_read(&t->refs, NULL, &path, 1, &t->err), &t->err);
	for (size_t r = 0; r < RECORDS; r++)
		put(t, r, LOW + 4 * MP_DTRANS, 4, 0);
	assert_ok(mp_search(&t->lists[MP_DTRANS], &t->words, &t->rows, MP_DTRANS, NULL, &t->work, &t->err), &t->err);
	mp_choose(t->findings, t->lists, &t->words, &t->rows, &t->work);
	assert_int_equal(t->findings[MP_DTRANS].rivals.count, 0);
	assert_int_equal(t->findings[MP_DTRANS].nonzero, 0);
	assert_true(t->findings[MP_DTRANS].equal.count > 10);
	assert_int_equal(t->findings[MP_DTRANS].place.offset, LOW + 4 * MP_DTRANS);
}

/* Two places explain the rows; in other records they differ. The row of totals tells which it is, if there is one. */
static void test_rivals(void **state)
{
	struct learn_test *t = *state;

	make_board(t, 2);
	for (size_t r = 0; r < RECORDS; r++) {
		uint64_t count = true_count(MP_WLD, r, t->words.ticks[r] * UINT64_C(100));

		put(t, r, 60, 4, r < RECORDS - 2 ? count : count / 2);
	}
	t->rows.count = RECORDS - 2;
	learn(t);
	assert_int_equal(t->findings[MP_WLD].rivals.count, 1);
	assert_int_equal(t->findings[MP_DLD].rivals.count, 0);
}

/* A cell that was edited leaves the place found, but not all rows explained. */
static void test_misses(void **state)
{
	struct learn_test *t = *state;

	make_board(t, 2);
	put(t, 5, LOW + 4 * MP_VEC_BUSY, 4, 3);
	learn(t);
	assert_int_equal(t->findings[MP_VEC_BUSY].place.offset, LOW + 4 * MP_VEC_BUSY);
	assert_int_equal(t->findings[MP_VEC_BUSY].fits, RECORDS - 1);
}

/* Where the work ends, nothing is said to be found, and no more work is done. */
static void test_work(void **state)
{
	struct learn_test *t = *state;
	uint64_t needed;

	make_board(t, 2);
	learn(t);
	needed = t->work.total - t->work.left;
	assert_true(needed < 100000);
	for (int i = 0; i < MP_COUNTERS; i++)
		free(t->lists[i].items);
	memset(t->lists, 0, sizeof(t->lists));
	mp_work_begin(&t->work, needed / 4);
	learn(t);
	assert_true(t->work.left < RECORDS * MP_COUNTERS);
	assert_true(t->work.ended);
	assert_true(t->findings[MP_DDR_WRITE].not_searched);
	assert_int_equal(t->findings[MP_DDR_WRITE].place.offset, 0);
	for (int i = 0; i < MP_COUNTERS; i++) {
		free(t->lists[i].items);
		t->lists[i].items = NULL;
	}
}

/* A share that is not used up is left for those that follow; what is kept for others is not touched. */
static void test_shares(void **state)
{
	struct mp_work w = {.progress = NULL};

	(void)state;
	mp_work_begin(&w, 1000);
	mp_work_share(&w, 200, 2);
	assert_true(mp_work_take(&w, 100));
	mp_work_share(&w, 200, 1);
	assert_true(mp_work_take(&w, 700));
	assert_false(mp_work_take(&w, 1));
	assert_true(w.ended);
	assert_int_equal(w.left, 200);
	mp_work_share(&w, 0, 1);
	assert_true(mp_work_take(&w, 200));
	assert_false(mp_work_take(&w, 1));
	mp_work_share(&w, 300, 3);
	assert_false(mp_work_take(&w, 1));
}

/* Counters that the table cannot tell apart alone: what is busy works at most as much, and no place has two. */
static void test_together(void **state)
{
	struct learn_test *t = *state;

	make_board(t, 0);
	for (size_t r = 0; r < RECORDS; r++) {
		uint64_t cycles = t->words.ticks[r] * UINT64_C(100), count = true_count(MP_MAC_PPEN, r, cycles);
		uint64_t middle = (count * 100 + cycles / 2) / cycles * cycles / 100;

		put(t, r, LOW, 4, middle + 2);
		put(t, r, LOW + 4, 4, middle + 1);
	}
	t->rows.count = RECORDS;
	assert_ok(
	    mp_search(&t->lists[MP_MAC_PPEN], &t->words, &t->rows, MP_MAC_PPEN, NULL, &t->work, &t->err), &t->err);
	assert_true(t->lists[MP_MAC_PPEN].count >= 2);
	t->lists[MP_MAC_BUSY] = t->lists[MP_MAC_PPEN];
	t->lists[MP_MAC_BUSY].items = malloc(t->lists[MP_MAC_PPEN].count * sizeof(struct mp_candidate));
	memcpy(t->lists[MP_MAC_BUSY].items, t->lists[MP_MAC_PPEN].items,
	    t->lists[MP_MAC_PPEN].count * sizeof(struct mp_candidate));
	mp_choose(t->findings, t->lists, &t->words, &t->rows, &t->work);
	assert_int_equal(t->findings[MP_MAC_BUSY].place.offset, LOW);
	assert_int_equal(t->findings[MP_MAC_PPEN].place.offset, LOW + 4);
	assert_int_equal(t->findings[MP_MAC_BUSY].rivals.count + t->findings[MP_MAC_PPEN].rivals.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_words, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_scales, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_per_mille, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_zeros, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_rivals, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_misses, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_together, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_work, setup, teardown),
	    cmocka_unit_test(test_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
