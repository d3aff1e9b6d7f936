/* test_bundles.c: the packets of a trace come back from its bundles, whole and in order, with any number of threads. */
#include "out_support.h"

#include <sys/stat.h>
#include <zlib.h>

#include "trace/proto.h"
#include "trace/trace.h"

#define TEST(function) cmocka_unit_test(function)

enum { PACKETS = 2000, ROOM = 8 << 20 };

static struct mp_error err;

/* Packets of any size, some larger than a piece. Returns their size together. */
static size_t make_packets(char *packets)
{
	char *at = packets;
	uint64_t random = 1;

	for (int i = 0; i < PACKETS; i++) {
		size_t size = i == 700 ? 300000 : i == 701 ? 1200000 : i == 1500 ? 530000 : next_random(&random) % 500;

		at = mp_proto_put_length(at, 1, size);
		for (; size; size--)
			*at++ = (char)(next_random(&random) % 4);
	}
	assert_true(at - packets < ROOM);
	return (size_t)(at - packets);
}

/* Read the tag and the length of a field. */
static size_t read_length(const unsigned char **at, unsigned field)
{
	size_t tag = 0, size = 0;
	unsigned shift = 0;

	for (; shift == 0 || (*at)[-1] & 0x80; shift += 7)
		tag |= (size_t)(*(*at)++ & 0x7f) << shift;
	assert_int_equal(tag, field << 3 | 2);
	for (shift = 0; shift == 0 || (*at)[-1] & 0x80; shift += 7)
		size |= (size_t)(*(*at)++ & 0x7f) << shift;
	return size;
}

/* Inflate all bundles, each of them whole packets. Returns their number. */
static int unpack(const unsigned char *file, size_t size, const char *packets, size_t wanted)
{
	const unsigned char *at = file;
	unsigned char *back = malloc(ROOM);
	size_t used = 0;
	int bundles = 0;

	assert_non_null(back);
	for (; at < file + size; bundles++) {
		uLongf room = (uLongf)(ROOM - used);
		const unsigned char *packet = back + used;
		size_t outer = read_length(&at, 1), inner;
		const unsigned char *begin = at;

		inner = read_length(&at, 50);
		assert_int_equal(at - begin + (long)inner, outer);
		assert_int_equal(uncompress(back + used, &room, at, (uLong)inner), Z_OK);
		at += inner;
		used += room;
		while (packet < back + used) {
			size_t n = read_length(&packet, 1);

			packet += n;
		}
		assert_ptr_equal(packet, back + used);
	}
	assert_int_equal(used, wanted);
	assert_memory_equal(back, packets, wanted);
	free(back);
	return bundles;
}

static void test_packets(void **state)
{
	char *packets = malloc(ROOM), *first = NULL;
	unsigned char *file = malloc(ROOM);
	const size_t size = make_packets(packets);
	off_t first_size = 0;

	(void)state;
	assert_true(packets && file);
	for (int threads = 1; threads <= 8; threads += threads == 1 ? 1 : 3) {
		int fd = unnamed_file("", 0);
		struct mp_out *out;
		struct stat st;

		assert_ok(mp_out_fd(&out, fd, "test", &err), &err);
		assert_ok(mp_trace_pack(out, threads, &err), &err);
		mp_out_write(out, packets, size / 2);
		mp_out_restart(out);
		for (size_t at = 0; at < size; at += 1000U * (unsigned)threads)
			mp_out_write(out, packets + at,
			    size - at < 1000U * (unsigned)threads ? size - at : 1000U * (unsigned)threads);
		assert_ok(mp_out_commit(out, &err), &err);
		assert_int_equal(fstat(fd, &st), 0);
		assert_int_equal(pread(fd, file, ROOM, 0), st.st_size);
		assert_true(unpack(file, (size_t)st.st_size, packets, size) > 2);
		if (!first) {
			first = malloc((size_t)st.st_size);
			assert_non_null(first);
			memcpy(first, file, (size_t)st.st_size);
			first_size = st.st_size;
		}
		assert_int_equal(st.st_size, first_size);
		assert_memory_equal(file, first, (size_t)first_size);
		close(fd);
	}
	free(packets);
	free(first);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {TEST(test_packets)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
