/* test_op_pipe.c: the queue for a subscriber's pipe, and the records in the pipe. */
#include "support.h"

#include "recorder/op_record.h"

/* Read numbers, which must increase, until the end. Returns their number. */
static size_t read_numbers(int fd)
{
	uint64_t numbers[512], last = 0;
	size_t count = 0;
	ssize_t n;

	while ((n = read(fd, numbers, sizeof(numbers))) > 0) {
		assert_int_equal((size_t)n % sizeof(numbers[0]), 0);
		for (size_t i = 0; i < (size_t)n / sizeof(numbers[0]); i++) {
			assert_true(numbers[i] > last);
			last = numbers[i];
			count++;
		}
	}
	return count;
}

static void test_full_queue_drops_the_newest_and_counts(void **state)
{
	const uint64_t all = MP_OP_PIPE_RECORDS_MAX + 100000;
	struct mp_error err;
	struct mp_op_pipe *pipe_;
	uint64_t dropped;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_ok(mp_op_pipe_open(&pipe_, ends[1], sizeof(uint64_t), &err), &err);
	for (uint64_t i = 1; i <= all; i++)
		mp_op_pipe_put(pipe_, &i);
	mp_op_pipe_wake(pipe_);
	dropped = mp_op_pipe_close(pipe_); /* nobody reads, so the pipe gives up */
	assert_true(dropped >= all - MP_OP_PIPE_RECORDS_MAX - 65536 / sizeof(uint64_t));
	assert_int_equal(close(ends[1]), 0);
	assert_int_equal(read_numbers(ends[0]), all - dropped);
	close(ends[0]);
}

static void test_pipes_are_known_by_what_they_lead_to(void **state)
{
	struct mp_error err;
	struct mp_op_pipe *pipe_;
	int ends[2], others[2], copy;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(others), 0);
	copy = dup(ends[1]);
	assert_ok(mp_op_pipe_open(&pipe_, ends[1], 8, &err), &err);
	assert_true(mp_op_pipe_is(pipe_, copy));
	assert_false(mp_op_pipe_is(pipe_, others[1]));
	assert_int_equal(mp_op_pipe_close(pipe_), 0);
	assert_refused(mp_op_pipe_open(&pipe_, ends[0], 8, &err), &err, "not open for writing");
	assert_refused(mp_op_pipe_open(&pipe_, 999, 8, &err), &err, "cannot be used");
	for (int i = 0; i < 2; i++) {
		close(ends[i]);
		close(others[i]);
	}
	close(copy);
}

/* What the caller closes, duplicates and opens reaches neither the pipe nor, from the pipe, the caller's file. */
static void test_descriptors_of_the_caller_are_apart(void **state)
{
	enum { RECORDS = 3000, NUMBERS = 64 };
	struct mp_error err;
	struct mp_op_pipe *pipe_;
	struct stat st;
	int ends[2], own, reader;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	reader = fcntl(ends[0], F_DUPFD, 2 * NUMBERS);
	own = fcntl(fileno(tmpfile()), F_DUPFD, 3 * NUMBERS);
	assert_ok(mp_op_pipe_open(&pipe_, ends[1], sizeof(uint64_t), &err), &err);
	for (uint64_t i = 1; i <= RECORDS; i++) {
		int fd = 3 + (int)(i * 31 % (NUMBERS - 3));

		if (i % 2)
			close(fd);
		else
			dup2(own, fd);
		mp_op_pipe_put(pipe_, &i);
		mp_op_pipe_wake(pipe_);
	}
	assert_int_equal(mp_op_pipe_close(pipe_), 0);
	for (int fd = 3; fd < NUMBERS; fd++)
		close(fd);
	assert_int_equal(read_numbers(reader), RECORDS); /* and the end: no thread has the pipe any more */
	assert_int_equal(fstat(own, &st), 0);
	assert_int_equal(st.st_size, 0);
	close(own);
	close(reader);
}

static void test_crc32c(void **state)
{
	(void)state;
	/* published for these digits: e3069283, inverted at the end */
	assert_int_equal(mp_crc32c("123456789", 9), 0xe3069283 ^ UINT32_MAX);
	assert_int_equal(mp_crc32c("", 0), UINT32_MAX);
}

static void test_every_bit_is_signed(void **state)
{
	struct mp_op_record record = {.model_id = 7,
				.op_index = mp_op_index(3, 4),
				.start_us = 1,
				.end_us = UINT64_MAX},
			    back;
	unsigned char bytes[MP_OP_RECORD_MAX];
	struct mp_error err;
	size_t size;

	(void)state;
	assert_ok(mp_op_record_size(MSPROF_ASCEND, &size, &err), &err);
	mp_op_record_encode(MSPROF_ASCEND, &record, bytes);
	assert_null(mp_op_record_decode(MSPROF_ASCEND, &back, bytes));
	assert_int_equal(back.model_id, 7);
	assert_int_equal(mp_op_index_name(back.op_index), 3);
	assert_int_equal(mp_op_index_type(back.op_index), 4);
	assert_true(back.end_us == UINT64_MAX);
	for (size_t bit = 0; bit < size * 8; bit++) {
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
		assert_non_null(mp_op_record_decode(MSPROF_ASCEND, &back, bytes));
		bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
	}
}

/* The bytes of a record that the library of a board wrote, but for the words of the hardware. */
static void test_texts_of_boards(void **state)
{
	struct mp_op_record record = {.model_id = 5,
				.start_us = 0x0006612f4e7fcdf2,
				.end_us = 0x0006612f4e7fcdf4,
				.duration_us = 2,
				.type = "Preprocess",
				.name = "preprocess0"},
			    back;
	unsigned char bytes[MP_OP_RECORD_MAX], want[256] = {[116] = 5,
						   [120] = 11,
						   [124] = 12,
						   [152] = 0xf2,
						   0xcd,
						   0x7f,
						   0x4e,
						   0x2f,
						   0x61,
						   0x06,
						   [168] = 0xf4,
						   0xcd,
						   0x7f,
						   0x4e,
						   0x2f,
						   0x61,
						   0x06,
						   [176] = 2};
	struct mp_error err;
	size_t size;

	(void)state;
	memcpy(want + 184, "Preprocess", 10);
	memcpy(want + 216, "preprocess0", 11);
	assert_ok(mp_op_record_size(MSPROF_SVP, &size, &err), &err);
	assert_int_equal(size, sizeof(want));
	mp_op_record_encode(MSPROF_SVP, &record, bytes);
	assert_memory_equal(bytes, want, sizeof(want));
	bytes[4] = 20; /* of the hardware: no matter */
	assert_null(mp_op_record_decode(MSPROF_SVP, &back, bytes));
	assert_string_equal(back.type, "Preprocess");
	assert_string_equal(back.name, "preprocess0");
	assert_true(back.model_id == 5 && back.start_us == record.start_us && back.end_us == record.end_us &&
		    back.duration_us == 2 && back.flag == MP_OP_FLAG_OPERATOR);
	for (int at = 120; at < 128; at++) { /* every length but the right one */
		unsigned char right = bytes[at];

		for (int value = 0; value < 256; value++) {
			bytes[at] = (unsigned char)value;
			assert_int_equal(mp_op_record_decode(MSPROF_SVP, &back, bytes) == NULL, value == right);
		}
		bytes[at] = right;
	}
}

static void test_texts_that_fill_their_place(void **state)
{
	unsigned char bytes[MP_OP_RECORD_MAX];
	struct mp_op_record record = {.type = NULL}, back;
	struct mp_error err;
	char text[64];
	size_t size;

	(void)state;
	assert_ok(mp_op_record_size(MSPROF_SVP, &size, &err), &err);
	for (size_t len = 0; len < sizeof(text); len++) {
		memset(text, 'x', sizeof(text));
		text[len] = '\0';
		record.type = record.name = text;
		mp_op_record_encode(MSPROF_SVP, &record, bytes);
		assert_null(mp_op_record_decode(MSPROF_SVP, &back, bytes));
		assert_int_equal(strlen(back.type), len < 31 ? len : 31);
		assert_int_equal(strlen(back.name), len < 39 ? len : 39);
	}
	record.name = "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4"
		      "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4";
	mp_op_record_encode(MSPROF_SVP, &record, bytes);
	assert_null(mp_op_record_decode(MSPROF_SVP, &back, bytes));
	assert_int_equal(strlen(back.name), 38); /* 19 characters of two bytes */
	memset(bytes + 216, 'x', 40);            /* no NUL at the end */
	bytes[124] = 41;
	assert_non_null(mp_op_record_decode(MSPROF_SVP, &back, bytes));
	bytes[124] = 40;
	assert_non_null(mp_op_record_decode(MSPROF_SVP, &back, bytes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_full_queue_drops_the_newest_and_counts),
	    cmocka_unit_test(test_pipes_are_known_by_what_they_lead_to),
	    cmocka_unit_test(test_descriptors_of_the_caller_are_apart),
	    cmocka_unit_test(test_crc32c),
	    cmocka_unit_test(test_every_bit_is_signed),
	    cmocka_unit_test(test_texts_of_boards),
	    cmocka_unit_test(test_texts_that_fill_their_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
