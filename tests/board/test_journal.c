/*
 * test_journal.c: journals and records of collections damaged by a cut, a full disk or an attacker. Each cut and each
 * flipped bit is refused, or gives a usable journal. test_unpack.c tests valid journals.
 */
#include "../unit/support.h"

#include "base/text.h"
#include "board/collection/collect_internal.h"
#include "board/transfer/transfer.h"

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static const char journal_text[] = "msprof-journal 1\nhost root@10.0.0.2:22\njob /root/o%25/JOBX\n"
				   "file want 4096 1718000000 - data/a.0\nfile done 7 -5 " SUM " data/b%25c\n"
				   "file gone 0 0 - info.json.0\nend 3\n";

static const char record_text[] =
    "msprof-collect 1\nhost this machine\nguard 4711\nplace /root/msprof/app\n"
    "program /root/msprof/app/out\noutput /root/p\nmount /srv/a%25\nlisted 45826 /root/p\nearlier /root/p/JOBOLD\n"
    "known 45826 18446744073709551615 -7 /root/p/JOBOLDER\nend\n";

static char *top;
static int topfd;
static struct mp_error err;

static int setup(void **state)
{
	(void)state;
	top = temp_dir();
	topfd = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return topfd < 0;
}

static int teardown(void **state)
{
	(void)state;
	close(topfd);
	remove_dir(top);
	return 0;
}

/* Read a journal; an accepted journal is usable without a further check. */
static int read_journal(const void *text, size_t size)
{
	struct mp_journal journal;
	int status;

	write_file(top, ".JOBX.journal", text, size);
	err.text[0] = '\0';
	status = mp_journal_read(&journal, topfd, "JOBX", &err);
	if (status) {
		assert_non_null(strstr(err.text, ".JOBX.journal"));
		assert_null(journal.job);
		return status;
	}
	assert_int_equal(journal.job[0], '/');
	for (size_t i = 0; i < journal.files.count; i++) {
		const struct mp_tree_entry *entry = &journal.files.entries[i], *found;

		assert_null(mp_tree_name_reason(entry->path, strlen(entry->path)));
		assert_true(entry->size >= 0);
		assert_int_equal(mp_journal_find(&journal, entry->path, &found), journal.states[i]);
		assert_ptr_equal(found, entry);
	}
	mp_journal_free(&journal);
	return 0;
}

static void test_cut_journals(void **state)
{
	size_t size = sizeof(journal_text) - 1;

	(void)state;
	assert_int_equal(read_journal(journal_text, size), 0);
	for (size_t len = 0; len < size; len++)
		assert_int_equal(read_journal(journal_text, len), -1);
}

static void test_flipped_journals(void **state)
{
	char text[sizeof(journal_text)];
	size_t refused = 0, size = sizeof(journal_text) - 1;

	(void)state;
	memcpy(text, journal_text, sizeof(text));
	for (size_t bit = 0; bit < 8 * size; bit++) {
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
		refused += read_journal(text, size) != 0;
		text[bit / 8] = journal_text[bit / 8];
	}
	assert_true(refused > 4 * size); /* the rest are other valid names, numbers and sums */
}

static void test_bad_paths(void **state)
{
	static const char *const paths[] = {"..", "../x", "a/../b", "a/..", "/etc/passwd", ".", "./a", "a/.", "a//b",
	    "a/", "", "a%00b", "a%0", "a%", "a%0g", "a%0a", "%2E%2E/x", "%2Fx", "a/%2E%2E/b"};
	char text[512];

	(void)state;
	for (size_t i = 0; i < COUNT(paths); i++) {
		int len = snprintf(
		    text, sizeof(text), "msprof-journal 1\nhost h\njob /j/JOBX\nfile want 1 1 - %s\nend 1\n", paths[i]);

		if (read_journal(text, (size_t)len) != -1)
			fail_msg("'%s' passed", paths[i]);
		assert_non_null(strstr(err.text, "line 4"));
	}
}

static void test_versions(void **state)
{
	static const char *const heads[] = {"msprof-journal 2", "msprof-journal 10", "msprof-journal 1 ",
	    "msprof-journal", "MSPROF-JOURNAL 1", "\xef\xbb\xbfmsprof-journal 1", "msprof-collect 1"};
	char text[256];

	(void)state;
	for (size_t i = 0; i < COUNT(heads); i++) {
		int len = snprintf(text, sizeof(text), "%s\nhost h\njob /j/JOBX\nend 0\n", heads[i]);

		assert_int_equal(read_journal(text, (size_t)len), -1);
		assert_non_null(strstr(err.text, "version"));
	}
}

/* Read the record of a whole collection, which tells --resume where to look. */
static int read_record(const void *text, size_t size, bool whole)
{
	const struct mp_collect_options options = {.outfd = topfd};
	struct mp_collect *c = calloc(1, sizeof(*c));
	int status;

	assert_non_null(c);
	assert_ok(mp_board_local(&c->board, NULL, &err), &err);
	c->options = &options;
	c->projectfd = -1;
	write_file(top, ".msprof.collect", text, size);
	status = mp_collect_record_read(c, &err);
	if (status == 0) {
		assert_true(c->real[0] == '/' && c->run_dir[0] == '/' && (!c->job_dir[0] || c->job_dir[0] == '/'));
		assert_true(!c->mount_path || c->mount_path[0] == '/');
		assert_true(c->guard_id >= 0);
	}
	if (whole) {
		assert_int_equal(status, 0);
		assert_string_equal(c->real, "/root/msprof/app");
		assert_string_equal(c->mount_path, "/srv/a%");
		assert_int_equal(c->guard_id, 4711);
		assert_int_equal(c->earlier.place_count, 1);
		assert_int_equal(c->earlier.places[0].device, 45826);
		assert_string_equal(c->earlier.places[0].path, "/root/p");
		assert_string_equal(c->earlier.items[0].path, "/root/p/JOBOLD");
		assert_int_equal(c->earlier.items[0].inode, 0);
		assert_string_equal(c->earlier.items[1].path, "/root/p/JOBOLDER");
		assert_int_equal(c->earlier.items[1].inode, UINT64_MAX);
		assert_int_equal(c->earlier.items[1].mtime_s, -7);
	}
	mp_board_close(c->board);
	mp_collect_free(c);
	return status;
}

static void test_cut_records(void **state)
{
	size_t size = sizeof(record_text) - 1;

	(void)state;
	read_record(record_text, size, true);
	for (size_t len = 0; len < size; len++)
		assert_int_equal(read_record(record_text, len, false), -1);
}

static void test_flipped_records(void **state)
{
	char text[sizeof(record_text)];
	size_t refused = 0, size = sizeof(record_text) - 1;

	(void)state;
	memcpy(text, record_text, sizeof(text));
	for (size_t bit = 0; bit < 8 * size; bit++) {
		text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
		refused += read_record(text, size, false) != 0;
		text[bit / 8] = record_text[bit / 8];
	}
	assert_true(refused > 2 * size);
}

static void test_bad_records(void **state)
{
	static const char *const lines[] = {"guard -1", "guard", "guard ", "guard 1 2", "guard 9999999999999999999",
	    "mount srv", "mount /a\nmount /b", "place relative", "unknown /x", "place /a%0", "place /a%00", "earlier x",
	    "known 1 2 /x", "known 1 2 3 x", "known 1 2 x /x", "listed /x", "listed 1 x", "listed  1 /x",
	    "listed 1 /1\nlisted 1 /2\nlisted 1 /3\nlisted 1 /4\nlisted 1 /5"};
	char text[512];

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++) {
		int len = snprintf(text, sizeof(text),
		    "msprof-collect 1\nhost this machine\nplace /a\nprogram /a\noutput \n%s\nend\n", lines[i]);

		if (read_record(text, (size_t)len, false) != -1)
			fail_msg("'%s' passed", lines[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_cut_journals, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_flipped_journals, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_bad_paths, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_versions, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_cut_records, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_flipped_records, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_bad_records, setup, teardown)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
