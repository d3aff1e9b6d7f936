/* test_big.c: arrays that move to a file when they are large. */
#include <signal.h>
#include <sys/resource.h>

#include "base/thread.h"
#include "base/vec.h"
#include "support.h"

enum { MIB = 1 << 20 };

struct place {
	char *path;
	int dirfd;
};

static struct place open_place(void)
{
	struct place p = {temp_dir(), -1};

	p.dirfd = open(p.path, O_RDONLY | O_DIRECTORY);
	assert_true(p.dirfd >= 0);
	return p;
}

static void close_place(struct place *p)
{
	close(p->dirfd);
	remove_dir(p->path);
}

/* Write numbers 0, 1, 2... until `size` bytes are full. */
static void fill(struct mp_big *b, size_t size, int dirfd)
{
	for (uint64_t i = 0; i < size / sizeof(i); i++) {
		if ((i + 1) * sizeof(i) > b->room)
			assert_true(mp_big_grow(b, dirfd));
		mp_big_touch(b);
		((uint64_t *)b->at)[i] = i;
	}
}

static void assert_full(struct mp_big *b, size_t size)
{
	for (uint64_t i = 0; i < size / sizeof(i); i++) {
		mp_big_touch(b);
		assert_int_equal(((uint64_t *)b->at)[i], i);
	}
}

static bool takes_unnamed_files(const struct place *p)
{
	struct mp_big b = {0};
	bool takes;

	fill(&b, 9 * MIB, p->dirfd);
	takes = b.file != 0;
	mp_big_free(&b);
	if (!takes)
		print_message("skipped: '%s' takes no files without a name\n", p->path);
	return takes;
}

static void a_small_one_is_in_memory(void **state)
{
	struct place p = open_place();
	struct mp_big b = {0};

	(void)state;
	fill(&b, 8 * MIB, p.dirfd);
	assert_int_equal(b.file, 0);
	assert_full(&b, 8 * MIB);
	mp_big_free(&b);
	assert_null(b.at);
	assert_int_equal(b.room, 0);
	close_place(&p);
}

static void a_large_one_keeps_what_is_in_it_and_leaves_no_name(void **state)
{
	struct place p = open_place();
	struct mp_big b = {0};

	(void)state;
	fill(&b, 30 * MIB, p.dirfd);
	assert_full(&b, 30 * MIB);
	mp_big_rest(&b);
	assert_full(&b, 30 * MIB);
	assert_int_equal(rmdir(p.path), 0); /* it is empty */
	assert_int_equal(mkdir(p.path, 0700), 0);
	mp_big_free(&b);
	close_place(&p);
}

static size_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "r");
	unsigned long all, pages;

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu %lu", &all, &pages), 2);
	fclose(f);
	return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void a_large_one_takes_little_memory(void **state)
{
	struct place p = open_place();
	struct mp_big b = {0};
	size_t before, most = 0;

	(void)state;
	if (takes_unnamed_files(&p) && access("/proc/self/statm", R_OK) == 0) {
		before = resident();
		fill(&b, 160 * MIB, p.dirfd);
		most = resident() - before;
		assert_full(&b, 160 * MIB);
		assert_in_range(most, 0, 64 * MIB);
		assert_in_range(resident() - before, 0, 64 * MIB);
		mp_big_free(&b);
	}
	close_place(&p);
}

static void without_a_directory_all_is_in_memory(void **state)
{
	struct mp_big b = {0}, other = {0};
	int no_dir = open("/dev/null", O_RDONLY);

	(void)state;
	fill(&b, 20 * MIB, -1);
	assert_int_equal(b.file, 0);
	assert_full(&b, 20 * MIB);
	fill(&other, 20 * MIB, no_dir);
	assert_int_equal(other.file, 0);
	assert_full(&other, 20 * MIB);
	mp_big_free(&b);
	mp_big_free(&other);
	close(no_dir);
}

/* Files may have 16 MiB here: a larger array returns to memory. */
static void a_file_that_takes_no_more_is_left(void **state)
{
	struct place p = open_place();
	struct mp_big b = {0};
	struct rlimit was, limit;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = was;
	limit.rlim_cur = 16 * MIB;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	fill(&b, 12 * MIB, p.dirfd);
	fill(&b, 40 * MIB, p.dirfd);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_int_equal(b.file, 0);
	assert_full(&b, 40 * MIB);
	mp_big_free(&b);
	close_place(&p);
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* All numbers below a power of two, in an order of their own, become 0, 1, 2... in memory and in a file. */
static void test_sort(void **state)
{
	struct place p = open_place();

	(void)state;
	for (size_t count = 1; count <= 2 << 20; count *= 8) {
		for (uint64_t factor = 1; factor <= 7919; factor += 7918) {
			struct mp_big b = {0};

			fill(&b, count * sizeof(uint64_t), p.dirfd);
			for (uint64_t i = 0; i < count; i++)
				((uint64_t *)b.at)[i] = i * factor & (count - 1);
			assert_true(mp_big_sort(&b, count, sizeof(uint64_t), by_number, p.dirfd));
			assert_full(&b, count * sizeof(uint64_t));
			mp_big_free(&b);
		}
	}
	close_place(&p);
}

/* The most memory that comparisons saw. */
static size_t seen_most;

static int by_number_seen(const void *a, const void *b)
{
	static unsigned calls;

	if (!(++calls & 0xffff) && resident() > seen_most)
		seen_most = resident();
	return by_number(a, b);
}

static void sorting_a_large_one_takes_little_memory(void **state)
{
	enum { COUNT = 16 << 20 };
	struct place p = open_place();
	struct mp_big b = {0};
	size_t before;

	(void)state;
	if (takes_unnamed_files(&p) && access("/proc/self/statm", R_OK) == 0 && !MP_SANITIZED) {
		before = resident();
		fill(&b, COUNT * sizeof(uint64_t), p.dirfd);
		for (uint64_t i = 0; i < COUNT; i++) {
			mp_big_touch(&b);
			((uint64_t *)b.at)[i] = i * 7919 & (COUNT - 1);
		}
		assert_true(mp_big_sort(&b, COUNT, sizeof(uint64_t), by_number_seen, p.dirfd));
		assert_full(&b, COUNT * sizeof(uint64_t));
		assert_in_range(seen_most - before, 0, 64 * MIB);
		mp_big_free(&b);
	}
	close_place(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sort),
	    cmocka_unit_test(sorting_a_large_one_takes_little_memory),
	    cmocka_unit_test(a_small_one_is_in_memory),
	    cmocka_unit_test(a_large_one_keeps_what_is_in_it_and_leaves_no_name),
	    cmocka_unit_test(a_large_one_takes_little_memory),
	    cmocka_unit_test(without_a_directory_all_is_in_memory),
	    cmocka_unit_test(a_file_that_takes_no_more_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
