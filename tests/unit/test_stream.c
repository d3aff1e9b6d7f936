/* test_stream.c: records in slices. */
#include "recorder/data_file.h"
#include "support.h"

enum { RECORD = 1000, FULL = MP_SLICE_SIZE / RECORD };

static void put(struct mp_stream *s, int count, uint64_t *time)
{
	for (int i = 0; i < count; i++) {
		char *room = mp_stream_room(s, RECORD, *time, *time + 5);

		assert_non_null(room);
		memset(room, 'r', RECORD);
		mp_stream_added(s, RECORD);
		*time += 10;
	}
}

static off_t size_of(const char *dir, const char *name)
{
	struct stat st;

	return stat(below(dir, name), &st) ? -1 : st.st_size;
}

static void slices_are_full_marked_and_dropped_in_order(void **state)
{
	char *dir = temp_dir(), *text;
	int dirfd = open(dir, O_RDONLY | O_DIRECTORY);
	struct mp_stream s;
	struct mp_error err;
	uint64_t time = 100;

	(void)state;
	mp_stream_init(&s, dirfd, "calls");
	mp_stream_flush(&s);
	assert_ok(mp_stream_finish(&s, &err), &err);
	assert_int_equal(size_of(dir, "calls.slice_0"), -1); /* no record was put */
	put(&s, FULL, &time);
	mp_stream_flush(&s);
	assert_int_equal(size_of(dir, "calls.slice_0"), FULL * RECORD);
	assert_int_equal(size_of(dir, "calls.slice_0.done"), -1);
	put(&s, FULL + 1, &time);
	text = read_text(dir, "calls.slice_0.done");
	assert_string_equal(text, "filesize:2097000\nstarttime:100\nendtime  :21065\n");
	free(text);
	mp_stream_flush(&s);
	assert_int_equal(mp_stream_size(&s), (2 * FULL + 1) * RECORD);
	assert_true(mp_stream_drop_oldest(&s));
	assert_true(mp_stream_drop_oldest(&s));
	assert_false(mp_stream_drop_oldest(&s)); /* the open slice stays */
	assert_int_equal(size_of(dir, "calls.slice_0"), -1);
	assert_int_equal(size_of(dir, "calls.slice_1.done"), -1);
	assert_int_equal(mp_stream_size(&s), RECORD);
	mp_stream_stop(&s);
	assert_int_equal(size_of(dir, "calls.slice_2"), RECORD);
	assert_int_equal(size_of(dir, "calls.slice_2.done"), -1);
	assert_ok(mp_stream_finish(&s, &err), &err);
	text = read_text(dir, "calls.slice_2.done");
	assert_string_equal(text, "filesize:1000\nstarttime:42040\nendtime  :42045\n");
	free(text);
	assert_int_equal(mp_stream_lost(&s), 0);
	close(dirfd);
	remove_dir(dir);
}

static void where_no_slice_can_be_made_records_are_lost(void **state)
{
	char *dir = temp_dir();
	int dirfd = open(dir, O_RDONLY | O_DIRECTORY);
	struct mp_stream s;
	uint64_t time = 1;

	(void)state;
	write_text(dir, "calls.slice_0", "somebody else's");
	mp_stream_init(&s, dirfd, "calls");
	assert_null(mp_stream_room(&s, RECORD, 1, 2));
	assert_null(mp_stream_room(&s, RECORD, 1, 2));
	assert_int_equal(mp_stream_lost(&s), 2);
	assert_int_not_equal(s.failure, 0);
	assert_int_equal(unlinkat(dirfd, "calls.slice_0", 0), 0);
	put(&s, 1, &time); /* tried again */
	mp_stream_stop(&s);
	assert_int_equal(mp_stream_lost(&s), 2);
	close(dirfd);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(slices_are_full_marked_and_dropped_in_order),
	    cmocka_unit_test(where_no_slice_can_be_made_records_are_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
