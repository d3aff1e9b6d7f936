/* test_unpack.c: foreign tar streams and journals: nothing is written outside, nothing is trusted. */
#include "transfer_support.h"

#include <archive.h>
#include <archive_entry.h>

#include "board/transfer/archive.h"
#include "board/transfer/transfer.h"

enum { STREAM_MAX = 1 << 20 };

static char stream[STREAM_MAX];
static size_t stream_len, stream_at;

static ssize_t read_stream(void *user, void *bytes, size_t size, struct mp_error *e)
{
	size_t n = stream_len - stream_at, piece = *(size_t *)user;

	(void)e;
	n = n < size ? n : size;
	n = n < piece ? n : piece;
	memcpy(bytes, stream + stream_at, n);
	stream_at += n;
	return (ssize_t)n;
}

struct member {
	const char *name;
	unsigned type;
	const char *link; /* symbolic, or hard when type is 0 */
	const char *text;
};

static void make_stream(const struct member *members, size_t count, bool pax)
{
	struct archive *a = archive_write_new();

	assert_int_equal(pax ? archive_write_set_format_pax(a) : archive_write_set_format_gnutar(a), 0);
	assert_int_equal(archive_write_open_memory(a, stream, sizeof(stream), &stream_len), 0);
	for (size_t i = 0; i < count; i++) {
		const struct member *m = &members[i];
		struct archive_entry *e = archive_entry_new();

		archive_entry_copy_pathname(e, m->name);
		archive_entry_set_mode(e, (m->type ? m->type : AE_IFREG) | 04755);
		archive_entry_set_mtime(e, 1234567890, 0);
		if (m->link && m->type)
			archive_entry_set_symlink(e, m->link);
		else if (m->link)
			archive_entry_set_hardlink(e, m->link);
		archive_entry_set_size(e, m->text ? (la_int64_t)strlen(m->text) : 0);
		assert_true(archive_write_header(a, e) >= ARCHIVE_WARN);
		if (m->text)
			archive_write_data(a, m->text, strlen(m->text));
		archive_entry_free(e);
	}
	assert_int_equal(archive_write_free(a), 0);
}

static int unpack(size_t piece, struct mp_archive_counts *counts, int64_t size_max)
{
	const struct mp_archive_source source = {read_stream, &piece};
	const struct mp_archive_rules rules = {.size_max = size_max};
	int fd = open_dir(in_top("out")), status;

	stream_at = 0;
	*counts = (struct mp_archive_counts){0};
	status = mp_archive_unpack(&source, fd, &rules, counts, &err);
	close(fd);
	return status;
}

static void test_hostile_members(void **state)
{
	static const struct member members[] = {{"good", AE_IFREG, NULL, "good"}, {"../evil", AE_IFREG, NULL, "x"},
	    {"/tmp/evil", AE_IFREG, NULL, "x"}, {"a/../../evil", AE_IFREG, NULL, "x"}, {"a//b", AE_IFREG, NULL, "x"},
	    {"a/./b", AE_IFREG, NULL, "x"}, {"bell\a", AE_IFREG, NULL, "x"}, {"new\nline", AE_IFREG, NULL, "x"},
	    {"out", AE_IFLNK, "..", NULL}, {"out/evil", AE_IFREG, NULL, "in a directory"},
	    {"link", AE_IFLNK, "/etc/passwd", NULL}, {"hard", 0, "/etc/passwd", NULL}, {"hard2", 0, "good", NULL},
	    {"fifo", AE_IFIFO, NULL, NULL}, {"dev", AE_IFCHR, NULL, NULL}, {"blk", AE_IFBLK, NULL, NULL},
	    {".good.part", AE_IFREG, NULL, "x"}, {"..", AE_IFREG, NULL, "x"}, {"bad\xff", AE_IFREG, NULL, "x"},
	    {"./data/./x", AE_IFREG, NULL, "x"}, {"././data/fine", AE_IFREG, NULL, "fine"},
	    {"dir", AE_IFDIR, NULL, NULL}};
	struct mp_archive_counts counts;
	char *text;

	(void)state;
	for (int pax = 0; pax < 2; pax++) {
		make_dir(top, "out");
		make_stream(members, COUNT(members), pax);
		for (size_t piece = 1; piece < 100000; piece = piece * 7 + 1) {
			assert_ok(unpack(piece, &counts, 1000), &err);
			assert_int_equal(counts.files, 3);
			assert_int_equal(counts.refused, COUNT(members) - 4);
		}
		text = describe(in_top("."), false);
		assert_null(strstr(text, "./evil"));
		free(text);
		text = describe(in_top("out"), false);
		assert_non_null(strstr(text, "good "));
		assert_non_null(strstr(text, "out/evil "));
		assert_non_null(strstr(text, "data/fine "));
		assert_null(strstr(text, "link"));
		free(text);
		remove_at(AT_FDCWD, in_top("out"));
		assert_false(is_there(top, "evil"));
	}
}

static void test_long_names(void **state)
{
	char name[400], text[200];
	struct mp_archive_counts counts;

	(void)state;
	make_dir(top, "out");
	memset(name, 'n', 240);
	name[240] = '/';
	memset(name + 241, 'm', 150);
	strcpy(name + 391, "\xc3\xbc");
	memset(text, 't', 199);
	text[199] = '\0';
	for (int pax = 0; pax < 2; pax++) {
		make_stream(&(struct member){name, AE_IFREG, NULL, text}, 1, pax);
		assert_ok(unpack(1000, &counts, 1000), &err);
		assert_int_equal(counts.files, 1);
		assert_true(is_there(in_top("out"), name));
	}
	memset(name, 'n', 252);
	name[252] = '\0';
	make_stream(&(struct member){name, AE_IFREG, NULL, text}, 1, false);
	assert_ok(unpack(1000, &counts, 1000), &err);
	assert_int_equal(counts.refused, 1);
}

static void test_too_much(void **state)
{
	static const struct member members[] = {{"a", AE_IFREG, NULL, "12345"}, {"b", AE_IFREG, NULL, "67890"}};
	struct mp_archive_counts counts;

	(void)state;
	make_dir(top, "out");
	make_stream(members, 2, false);
	assert_ok(unpack(512, &counts, 10), &err);
	assert_refused(unpack(512, &counts, 9), &err, "announces more than the 9 bytes");
}

/* Cut at every byte: with or without an error, only complete files have their names. */
static void test_cut_streams(void **state)
{
	static const struct member members[] = {
	    {"a", AE_IFREG, NULL, "12345"}, {"d/b", AE_IFREG, NULL, "67890"}, {"c", AE_IFREG, NULL, "last"}};
	struct mp_archive_counts counts;
	size_t whole;

	(void)state;
	make_stream(members, 3, true);
	whole = stream_len;
	for (stream_len = 0; stream_len < whole; stream_len += stream_len < 4000 ? 1 : 97) {
		make_dir(top, "out");
		(void)unpack(333, &counts, 1000);
		if (is_there(top, "out/c")) {
			char *text = read_text(in_top("out"), "c");

			assert_string_equal(text, "last");
			free(text);
		}
		remove_at(AT_FDCWD, in_top("out"));
	}
}

static void test_damaged_streams(void **state)
{
	static const struct member members[] = {
	    {"a", AE_IFREG, NULL, "12345"}, {"d/b", AE_IFREG, NULL, "67890"}, {"l", AE_IFLNK, "a", NULL}};
	struct mp_archive_counts counts;
	uint64_t seed = 1;
	size_t whole;

	(void)state;
	make_dir(top, "out");
	for (int i = 0; i < 3000; i++) {
		make_stream(members, 3, i & 1);
		whole = stream_len;
		for (int k = 0; k < 1 + i % 5; k++)
			stream[next_random(&seed) % whole] = (char)next_random(&seed);
		(void)unpack(1 + next_random(&seed) % 5000, &counts, 1000);
	}
	assert_false(is_there(top, "a"));
}

/* ---------------------------------------------------------------- names */

static void test_names(void **state)
{
	static const char *const bad[] = {"", "/", "/a", ".", "..", "a/..", "../a", "a//b", "a/", "./a", "a/./b",
	    "a\nb", "a\x7f", "\xff", "\xc2\x85", ".x.part", "a/.x.part", "\xe2\x80\xaez"};
	static const char *const good[] = {
	    "a", "a/b", "...", "-rf", ".hidden", "a b", "\xc3\xbc", "x.part", ".part", "a\\b"};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++)
		if (!mp_tree_name_reason(bad[i], strlen(bad[i])))
			fail_msg("name %zu passed", i);
	for (size_t i = 0; i < COUNT(good); i++)
		assert_null(mp_tree_name_reason(good[i], strlen(good[i])));
	assert_non_null(mp_tree_name_reason("a\0b", 3));
}

static void test_sha256(void **state)
{
	char sum[MP_SHA256_TEXT];
	int fd = unnamed_file("abc", 3);

	(void)state;
	assert_ok(mp_tree_sha256(fd, "abc", sum, &err), &err);
	assert_string_equal(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	close(fd);
	fd = unnamed_file("", 0);
	assert_ok(mp_tree_sha256(fd, "", sum, &err), &err);
	assert_string_equal(sum, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	close(fd);
}

/* ---------------------------------------------------------------- journal */

#define SUM "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define HEAD "msprof-journal 1\nhost h\njob /j\n"

static int read_journal(const char *text, size_t size, struct mp_journal *journal)
{
	int fd = open_dir(top), status;

	write_file(top, ".JOBX.journal", text, size);
	status = mp_journal_read(journal, fd, "JOBX", &err);
	close(fd);
	return status;
}

static void test_journal_round_trip(void **state)
{
	static const char text[] = "msprof-journal 1\nhost root@h%0A%25:22\njob /a b/%1B[31m%FF/JOBX\n"
				   "file want 0 -5 - a\nfile done 9223372036854775807 1 " SUM " a b/\xc3\xbc%25\n"
				   "file gone 3 4 - z\nend 3\n";
	const struct mp_tree_entry *entry;
	struct mp_journal journal;
	int fd = open_dir(top);
	char *again, **names;
	size_t count;

	(void)state;
	assert_int_equal(mp_journal_read(&journal, fd, "JOBX", &err), 1);
	assert_ok(read_journal(text, sizeof(text) - 1, &journal), &err);
	assert_string_equal(journal.host, "root@h\n%:22");
	assert_string_equal(journal.job, "/a b/\x1b[31m\xff/JOBX");
	assert_int_equal(mp_journal_find(&journal, "a b/\xc3\xbc%", &entry), MP_JOURNAL_DONE);
	assert_non_null(entry);
	assert_string_equal(entry->sha256, SUM);
	assert_int_equal(mp_journal_find(&journal, "z", &entry), MP_JOURNAL_GONE);
	assert_int_equal(mp_journal_find(&journal, "none", &entry), MP_JOURNAL_WANT);
	assert_null(entry);
	assert_ok(mp_journal_write(&journal, fd, "JOBX", &err), &err);
	again = read_text(top, ".JOBX.journal");
	assert_string_equal(again, text);
	free(again);
	mp_journal_free(&journal);
	write_text(top, ".JOBA.journal", "");
	write_text(top, ".no.journal", "");
	write_text(top, ".JOB!.journal", "");
	assert_ok(mp_journal_list(fd, &names, &count, &err), &err);
	assert_int_equal(count, 2);
	assert_string_equal(names[0], "JOBA");
	assert_string_equal(names[1], "JOBX");
	free(names[0]);
	free(names[1]);
	free(names);
	assert_ok(mp_journal_remove(fd, "JOBX", &err), &err);
	assert_ok(mp_journal_remove(fd, "JOBX", &err), &err);
	close(fd);
}

static void test_hostile_journals(void **state)
{
	static const char *const bad[] = {"", "\n", "msprof-journal 2\n", "msprof-journal 1\n", HEAD, HEAD "end 1\n",
	    HEAD "end 0", HEAD "end 0\nx\n", HEAD "end 0\n\n", HEAD "end 00x\n", HEAD "job /k\nend 0\n",
	    HEAD "host k\nend 0\n", HEAD "hello\nend 0\n", "msprof-journal 1\nhost h\njob j\nend 0\n",
	    "msprof-journal 1\nhost \njob /j\nend 0\n", "msprof-journal 1\nhost %0\njob /j\nend 0\n",
	    "msprof-journal 1\nhost %00\njob /j\nend 0\n", "msprof-journal 1\nhost %zz\njob /j\nend 0\n",
	    HEAD "file want 1 1 - ../x\nend 1\n", HEAD "file want 1 1 - /x\nend 1\n", HEAD "file want 1 1 - \nend 1\n",
	    HEAD "file want 1 1 - a%0Ab\nend 1\n", HEAD "file want 1 1 - b\nfile want 1 1 - a\nend 2\n",
	    HEAD "file want 1 1 - a\nfile want 1 1 - a\nend 2\n", HEAD "file lost 1 1 - a\nend 1\n",
	    HEAD "file want -1 1 - a\nend 1\n", HEAD "file want 1 x - a\nend 1\n", HEAD "file want  1 1 - a\nend 1\n",
	    HEAD "file want 9223372036854775808 1 - a\nend 1\n", HEAD "file want +1 1 - a\nend 1\n",
	    HEAD "file want 1 1 abc a\nend 1\n", HEAD "file want 1 1 " SUM "a a\nend 1\n",
	    HEAD "file want 1 1 -\nend 1\n", HEAD "file want\nend 1\n"};
	static const char with_nul[] = HEAD "file want 1 1 - a\0b\nend 1\n";
	struct mp_journal journal;
	char *long_line = malloc(100001);

	(void)state;
	assert_non_null(long_line);
	for (size_t i = 0; i < COUNT(bad); i++)
		if (read_journal(bad[i], strlen(bad[i]), &journal) != -1)
			fail_msg("journal %zu passed", i);
	assert_int_equal(read_journal(with_nul, sizeof(with_nul) - 1, &journal), -1);
	memset(long_line, 'x', 100000);
	assert_int_equal(read_journal(long_line, 100000, &journal), -1);
	free(long_line);
	assert_int_equal(unlink(in_top(".JOBX.journal")), 0);
	assert_int_equal(symlink("/etc/passwd", in_top(".JOBX.journal")), 0);
	{
		int fd = open_dir(top);

		assert_int_equal(mp_journal_read(&journal, fd, "JOBX", &err), -1);
		close(fd);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_hostile_members, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_long_names, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_too_much, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_cut_streams, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_damaged_streams, setup, teardown),
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_sha256),
	    cmocka_unit_test_setup_teardown(test_journal_round_trip, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_hostile_journals, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
