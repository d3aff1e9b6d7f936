/* test_ordered.c: parts that threads make at the same time equal the output of one thread; the first error counts. */
#include "out_support.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "report/split_rows.h"

#define TEST(function) cmocka_unit_test(function)

enum { PARTS = 300, LINE = 64, HUGE = 3 << 20 /* more than a thread can keep */ };

struct made {
	atomic_int times[PARTS];   /* each part was made */
	int64_t fails, fails_late; /* parts, or -1 */
	atomic_bool failed;        /* the part `fails` has failed */
	atomic_llong written;      /* lines of the part behind `fails_late` */
	pthread_t caller;
	atomic_int waited, elsewhere;
	bool slow_first;
};

static void made_begin(struct made *m)
{
	memset(m, 0, sizeof(*m));
	m->fails = m->fails_late = -1;
	m->caller = pthread_self();
}

/* Some parts are empty, most are short, a few exceed a buffer. */
static int64_t lines_of(int64_t part)
{
	return part % 7 == 3 ? 0 : part % 97 == 0 ? HUGE / LINE : part % 50 * 40;
}

/* Until the later part has failed, or has written much and is at a stand, if there are threads for it. */
static void wait_for_later(struct made *m)
{
	long long written = 0;

	for (int i = 0, still = 0; i < 30000 && still < 100 && !atomic_load(&m->failed); i++) {
		long long now = atomic_load(&m->written);

		still = now && now == written ? still + 1 : 0;
		written = now;
		usleep(1000);
	}
}

static int make(void *user, int member, int64_t at, struct mp_out *out, struct mp_error *err)
{
	struct made *m = user;
	char line[2 * LINE];

	atomic_fetch_add(&m->times[at], 1);
	if ((member == 0) != (pthread_equal(m->caller, pthread_self()) != 0))
		atomic_fetch_add(&m->elsewhere, 1);
	if (at == 0 && m->slow_first) /* until another thread is ahead; not when alone */
		for (int i = 0; i < 30000 && !atomic_load(&m->times[1]); i++)
			usleep(1000);
	for (int64_t i = 0, n = lines_of(at); i < n; i++) {
		snprintf(line, sizeof(line), "%8lld %8lld %45s\n", (long long)at, (long long)i, "");
		mp_out_write(out, line, LINE);
		if (at == m->fails_late + 1)
			atomic_store(&m->written, i + 1);
	}
	if (at == m->fails) {
		atomic_store(&m->failed, true);
		return mp_fail(err, "part %lld", (long long)at);
	}
	if (at == m->fails_late) {
		wait_for_later(m);
		return mp_fail(err, "part %lld", (long long)at);
	}
	return 0;
}

static void waited(void *user)
{
	struct made *m = user;

	atomic_fetch_add(&m->waited, 1);
	if (!pthread_equal(m->caller, pthread_self()))
		atomic_fetch_add(&m->elsewhere, 1);
}

static int write_parts(struct made *m, int threads, struct mp_out *out, struct mp_error *err)
{
	const struct mp_ordered parts = {.count = PARTS, .make = make, .waited = waited, .user = m};

	return mp_ordered_write(&parts, threads, out, err);
}

static void test_same_bytes(void **state)
{
	static const int threads[] = {1, 2, 3, 8, 100};
	char *alone = NULL;
	struct mp_error err;
	struct made m;

	(void)state;
	for (size_t i = 0; i < COUNT(threads); i++) {
		struct sink sink;
		const char *text;

		sink_open(&sink);
		mp_out_text(sink.out, "before\n");
		made_begin(&m);
		m.slow_first = i == 1; /* the caller's thread makes the last parts, or waits for them */
		assert_ok(write_parts(&m, threads[i], sink.out, &err), &err);
		mp_out_text(sink.out, "after\n");
		text = sink_text(&sink);
		if (!alone)
			alone = strdup(text);
		assert_int_equal(strlen(text), strlen(alone));
		assert_true(strcmp(text, alone) == 0);
		for (size_t part = 0; part < PARTS; part++)
			assert_int_equal(m.times[part], 1);
		assert_int_equal(m.elsewhere, 0);
		sink_close(&sink);
	}
	assert_true(strlen(alone) > 4 * HUGE);
	free(alone);
}

static void test_nothing(void **state)
{
	const struct mp_ordered none = {.count = 0, .make = make};
	struct mp_error err;
	struct sink sink;

	(void)state;
	sink_open(&sink);
	assert_ok(mp_ordered_write(&none, 1, sink.out, &err), &err);
	assert_ok(mp_ordered_write(&none, 4, sink.out, &err), &err);
	assert_string_equal(sink_text(&sink), "");
	sink_close(&sink);
}

struct taken {
	struct made made;
	int64_t bytes, takes, fails_at; /* bytes; -1: never */
	int64_t last_part, last_line;
	bool in_order;
};

/* Lines arrive whole, in the order of parts. */
static int take_lines(void *user, struct mp_out *out, const char *bytes, size_t size, struct mp_error *err)
{
	struct taken *t = user;

	t->takes++;
	t->in_order = t->in_order && size && size % LINE == 0;
	for (size_t at = 0; at < size; at += LINE) {
		char *end;
		long long part = strtoll(bytes + at, &end, 10), line = strtoll(end, NULL, 10);

		t->in_order =
		    t->in_order && (part > t->last_part ? line == 0 : part == t->last_part && line == t->last_line + 1);
		t->last_part = part;
		t->last_line = line;
	}
	t->bytes += (int64_t)size;
	mp_out_char(out, '.');
	return t->fails_at >= 0 && t->bytes > t->fails_at ? mp_fail(err, "enough") : 0;
}

/* Output that is taken is not written; an error of the taker is the end. */
static void test_taken(void **state)
{
	struct mp_error err;

	(void)state;
	for (int threads = 1; threads <= 8; threads *= 2)
		for (int64_t fails_at = -1; fails_at < 4 * HUGE; fails_at += HUGE) {
			struct taken t = {.fails_at = fails_at, .last_part = -1, .in_order = true};
			const struct mp_ordered parts = {.count = PARTS, .make = make, .take = take_lines, .user = &t};
			struct sink sink;

			made_begin(&t.made);
			sink_open(&sink);
			if (fails_at < 0)
				assert_ok(mp_ordered_write(&parts, threads, sink.out, &err), &err);
			else
				assert_refused(mp_ordered_write(&parts, threads, sink.out, &err), &err, "enough");
			assert_true(t.in_order);
			assert_true(t.bytes > (fails_at < 0 ? 4 * HUGE : fails_at));
			assert_int_equal(strlen(sink_text(&sink)), t.takes);
			sink_close(&sink);
		}
}

/*
 * The error is that of the first part that fails, not of the part that fails first. No part long after it is started.
 */
static void test_first_error(void **state)
{
	struct mp_error err;
	struct sink sink;
	struct made m;

	(void)state;
	for (int threads = 1; threads <= 8; threads *= 2) {
		sink_open(&sink);
		made_begin(&m);
		m.fails = 41;
		m.fails_late = threads > 1 ? 40 : -1;
		assert_refused(write_parts(&m, threads, sink.out, &err), &err, threads > 1 ? "part 40" : "part 41");
		for (size_t part = 0; part < PARTS; part++)
			assert_int_equal(m.times[part], part <= 41                          ? 1
							: part < (size_t)(41 + 2 * threads) ? m.times[part]
											    : 0);
		sink_close(&sink);
	}
}

/* A later part is discarded once an earlier part has failed: it ends, however much it writes. */
static void test_in_vain(void **state)
{
	struct mp_error err;
	struct sink sink;
	struct made m;

	(void)state;
	sink_open(&sink);
	made_begin(&m);
	m.fails_late = 96; /* waits until part 97, which is huge, is full and waits itself */
	assert_refused(write_parts(&m, 2, sink.out, &err), &err, "part 96");
	sink_close(&sink);
}

static void test_disk_full(void **state)
{
	int fd = open("/dev/full", O_WRONLY);
	struct mp_error err;
	struct mp_out *out;
	struct made m;

	(void)state;
	if (fd < 0)
		skip();
	for (int threads = 1; threads <= 4; threads++) {
		assert_ok(mp_out_fd(&out, fd, "full", &err), &err);
		made_begin(&m);
		assert_ok(write_parts(&m, threads, out, &err), &err);
		assert_refused(mp_out_flush(out, &err), &err, "cannot write 'full': No space left on device");
		mp_out_abort(out);
	}
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_same_bytes),
	    TEST(test_nothing),
	    TEST(test_taken),
	    TEST(test_first_error),
	    TEST(test_in_vain),
	    TEST(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
