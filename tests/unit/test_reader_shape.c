/* test_reader_shape.c: clocks that wrap, and tasks of two records. */
#include "reader_support.h"

#define HEAD "record r v1 learned\nfile \"f\"\ntable t\n"
#define PAIR                                                                                                           \
	HEAD                                                                                                           \
	    "size 12\nfield task u16 @0\ninput kind u8 @2\npad 1 @3\nfield busy u32 @4\nfield clock u32 @8\n"          \
	    "pair u8 @2 start=1 end=2 key=task\n"                                                                      \
	    "time start_ns start.clock unit=ns\nduration dur_ns start.clock clock unit=ns\nvalue grown busy minus start.busy\n"

struct event {
	uint16_t task;
	uint8_t kind, zero;
	uint32_t busy, clock;
};

static void test_wrap(void **state)
{
	/* 8 bits: two wraps, a step back over the first one, and times in the order of the statement */
	static const unsigned char counts[] = {200, 250, 4, 254, 6, 120, 230, 60};
	static const int64_t expected[] = {200, 250, 260, 254, 262, 376, 486, 572};
	struct reading r;

	(void)state;
	for (int big = 0; big < 2; big++) {
		reading_open(&r,
		    big ? HEAD "size 2\nendian big\nfield a u8 @0\nfield b u8 @1\nwrap a b\nduration d a b unit=us\n"
			: HEAD "size 2\nfield a u8 @0\nfield b u8 @1\nwrap a b\nduration d a b unit=us\n",
		    counts, sizeof(counts));
		for (int i = 0; i < 4; i++) {
			assert_true(mp_reader_next(r.reader));
			assert_int_value(&r, "a", expected[2 * i]);
			assert_int_value(&r, "b", expected[2 * i + 1]);
			assert_int_value(&r, "d", 1000 * (expected[2 * i + 1] - expected[2 * i]));
		}
		assert_false(mp_reader_next(r.reader));
		assert_int_equal(mp_reader_tally(r.reader)->negative, 1);
		assert_accounted(mp_reader_tally(r.reader));
		reading_close(&r);
	}
}

/* Bits of a word wrap, too; a count is never below 0. */
static void test_wrap_bits(void **state)
{
	static const uint32_t words[] = {0xf0000005, 0x0ffffffe, 0x0ffffff0, 0x7000000a};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 4\nfield c u32 @0 bits 0..27\nfield k u32 @0 bits 28..31\nwrap c\ntime t c unit=tick100\n",
	    words, sizeof(words));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "c", 5);
	assert_int_value(&r, "k", 15);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "c", 0xffffffe);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "c", 0xffffff0);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "c", 0x1000000a);
	assert_int_value(&r, "t", 38347923714); /* 268435466 * 1000 / 7 */
	reading_close(&r);
}

static void test_pairs(void **state)
{
	/* nested tasks of one key, another key between, an end alone, and a start left open */
	static const struct event events[] = {{1, 1, 0, 5, 100}, {1, 1, 0, 7, 110}, {2, 1, 0, 0, 115},
	    {1, 2, 0, 17, 120}, {2, 2, 0, 1, 125}, {3, 2, 0, 9, 126}, {1, 2, 0, 105, 130}, {4, 1, 0, 3, 140}};
	struct reading r;
	const struct mp_tally *t;

	(void)state;
	reading_open(&r, PAIR, events, sizeof(events));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "task", 1);
	assert_int_value(&r, "start_ns", 110);
	assert_int_value(&r, "dur_ns", 10);
	assert_int_value(&r, "grown", 10);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "task", 2);
	assert_int_value(&r, "dur_ns", 10);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "task", 3);
	assert_int_value(&r, "busy", 9);
	assert_int_value(&r, "clock", 126);
	assert_null_value(&r, "start_ns");
	assert_null_value(&r, "dur_ns");
	assert_null_value(&r, "grown");
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "task", 1);
	assert_int_value(&r, "dur_ns", 30);
	assert_int_value(&r, "grown", 100);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "task", 4);
	assert_int_value(&r, "start_ns", 140);
	assert_null_value(&r, "dur_ns");
	assert_null_value(&r, "busy");
	assert_null_value(&r, "grown");
	assert_false(mp_reader_next(r.reader));
	t = mp_reader_tally(r.reader);
	assert_int_equal(t->records, 5);
	assert_int_equal(t->record_bytes, sizeof(events));
	assert_int_equal(t->open_starts, 1);
	assert_int_equal(t->lone_ends, 1);
	assert_int_equal(t->negative, 0);
	assert_accounted(t);
	reading_close(&r);
}

/* A record that is neither a start nor an end is no record, also at the end of a file that is cut. */
static void test_neither(void **state)
{
	static const struct event events[] = {{9, 1, 0, 0, 5}, {9, 3, 0, 0, 6}, {9, 2, 0, 0, 7}, {9, 2, 0, 0, 8}};
	struct reading r;

	(void)state;
	reading_open(&r, PAIR, events, sizeof(events) - 5);
	assert_int_equal(read_all(&r), 1);
	assert_damage(mp_reader_tally(r.reader), 0, 12, 12, "no record begins here");
	assert_damage(mp_reader_tally(r.reader), 1, 36, 7, "record cut short by the end of the file");
	reading_close(&r);
}

/* The wrapped clock goes on from record to record, whether start or end. */
static void test_wrapped_pairs(void **state)
{
	static const unsigned char events[] = {1, 1, 250, 2, 1, 4, 1, 2, 6, 2, 2, 130, 2, 2, 5};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD
	    "size 3\nfield task u8 @0\ninput clock u8 @2\nmatch u8 @1 bits 2..7 == 0\npair u8 @1 bits 0..1 start=1 end=2 key=task\n"
	    "wrap start.clock\nduration dur_ns start.clock clock unit=ns\ntime end_ns clock unit=ns\n",
	    events, sizeof(events));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "dur_ns", 12);
	assert_int_value(&r, "end_ns", 262);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "dur_ns", 126);
	assert_true(mp_reader_next(r.reader));
	assert_null_value(&r, "dur_ns");
	assert_int_value(&r, "end_ns", 261);
	assert_false(mp_reader_next(r.reader));
	reading_close(&r);
}

/* More open starts than there is room for: the oldest come first, and nothing is lost. */
static void test_many_open(void **state)
{
	enum { STARTS = 70000 };
	struct event *events = calloc(STARTS + 2, sizeof(*events));
	struct reading r;
	int64_t row = 0;

	(void)state;
	assert_non_null(events);
	for (int i = 0; i < STARTS; i++)
		events[i] = (struct event){(uint16_t)(i % 3), 1, 0, 0, (uint32_t)i};
	events[STARTS] = (struct event){1, 2, 0, 0, STARTS};
	events[STARTS + 1] = (struct event){2, 1, 0, 0, STARTS + 1};
	reading_open(&r, PAIR, events, (STARTS + 2) * sizeof(*events));
	for (; mp_reader_next(r.reader); row++) {
		if (row == STARTS - 65536) { /* 69999 % 3 is 0, 69997 is the latest of task 1 */
			assert_int_value(&r, "task", 1);
			assert_int_value(&r, "start_ns", 69997);
			assert_int_value(&r, "dur_ns", 3);
			continue;
		}
		assert_null_value(&r, "dur_ns");
		if (row < STARTS - 65536)
			assert_int_value(&r, "start_ns", row);
	}
	assert_int_equal(row, STARTS + 1);
	assert_int_equal(mp_reader_tally(r.reader)->records, row);
	assert_int_equal(mp_reader_tally(r.reader)->open_starts, STARTS);
	assert_accounted(mp_reader_tally(r.reader));
	reading_close(&r);
	free(events);
}

/* Random starts and ends, compared with a stack for each key. */
static void test_random(void **state)
{
	enum { EVENTS = 20000, KEYS = 5 };
	static struct event events[EVENTS], stacks[KEYS][EVENTS];
	int depth[KEYS] = {0};
	int64_t rows = 0, lone = 0;
	uint64_t seed = 5;
	struct reading r;

	(void)state;
	for (uint32_t i = 0; i < EVENTS; i++)
		events[i] = (struct event){(uint16_t)(next_random(&seed) % KEYS), (uint8_t)(1 + next_random(&seed) % 2),
		    0, (uint32_t)next_random(&seed) >> 1, i};
	reading_open(&r, PAIR, events, sizeof(events));
	for (int i = 0; i < EVENTS; i++) {
		int key = events[i].task;
		const struct event *start;

		if (events[i].kind == 1) {
			stacks[key][depth[key]++] = events[i];
			continue;
		}
		assert_true(mp_reader_next(r.reader));
		rows++;
		assert_int_value(&r, "task", key);
		assert_int_value(&r, "clock", events[i].clock);
		if (!depth[key]) {
			assert_null_value(&r, "dur_ns");
			lone++;
			continue;
		}
		start = &stacks[key][--depth[key]];
		assert_int_value(&r, "start_ns", start->clock);
		assert_int_value(&r, "dur_ns", events[i].clock - start->clock);
		assert_int_value(&r, "grown", (int64_t)events[i].busy - start->busy);
	}
	while (mp_reader_next(r.reader))
		assert_null_value(&r, "dur_ns");
	assert_int_equal(mp_reader_tally(r.reader)->lone_ends, lone);
	assert_int_equal(mp_reader_tally(r.reader)->records, rows + mp_reader_tally(r.reader)->open_starts);
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_wrap),
	    cmocka_unit_test(test_wrap_bits),
	    cmocka_unit_test(test_pairs),
	    cmocka_unit_test(test_neither),
	    cmocka_unit_test(test_wrapped_pairs),
	    cmocka_unit_test(test_many_open),
	    cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
