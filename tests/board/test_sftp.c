/*
 * test_sftp.c: sftp servers that lie, split packets, answer backwards or stop: the data is right or there is an error.
 * The server is this program itself, started through the environment.
 */
#include <limits.h>

#include "transfer_support.h"

#include "board/transfer/sftp.h"

enum { FILE_SIZE = 300001, PACKET_MAX = 300000, READS_MAX = 64 };

/* ---------------------------------------------------------------- the server */

static const char *mode; /* of lying */
static unsigned char in[PACKET_MAX], out[PACKET_MAX];
static size_t out_len;

static bool is_mode(const char *name)
{
	return strcmp(mode, name) == 0;
}

static void put_u32(uint32_t v)
{
	for (int i = 24; i >= 0; i -= 8)
		out[out_len++] = (unsigned char)(v >> i);
}

static void put_text(const void *text, size_t len)
{
	put_u32((uint32_t)len);
	memcpy(out + out_len, text, len);
	out_len += len;
}

static uint32_t get_u32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void begin(unsigned char type, uint32_t id)
{
	out_len = 4;
	out[out_len++] = type;
	put_u32(id);
}

static void end(void)
{
	size_t len = out_len;

	out_len = 0;
	put_u32((uint32_t)(len - 4));
	if (fwrite(out, 1, len, stdout) != len || fflush(stdout))
		exit(0);
}

static void send_status(uint32_t id, uint32_t code)
{
	begin(101, id);
	put_u32(code);
	put_text("no\x1b", 3);
	put_text("", 0);
	end();
}

static void put_name(const char *name, uint32_t type, uint64_t size)
{
	put_text(name, strlen(name));
	put_text("long", 4);
	put_u32(1 | 4 | 8);
	put_u32((uint32_t)(size >> 32));
	put_u32((uint32_t)size);
	put_u32(type | 0644);
	put_u32(1);
	put_u32(1700000000);
}

static void send_names(uint32_t id)
{
	static const char *const evil[] = {"../evil", "/evil", "a/b", "", "bell\a", "..", ".good.part"};

	begin(104, id);
	if (is_mode("count"))
		put_u32(0xffffffff);
	else
		put_u32(is_mode("names") ? (uint32_t)COUNT(evil) + 3 : is_mode("endless") ? 4001 : 1);
	for (size_t i = 0; i < COUNT(evil) && is_mode("names"); i++)
		put_name(evil[i], S_IFREG, 5);
	if (is_mode("names")) {
		put_name("link", S_IFLNK, 5);
		put_name("fifo", S_IFIFO, 5);
	}
	for (int i = 0; i < 4000 && is_mode("endless"); i++)
		put_name(".", S_IFDIR, 0); /* no directory that is kept */
	put_name("good", S_IFREG, is_mode("huge") ? UINT64_C(1) << 62 : FILE_SIZE);
	end();
}

static unsigned char content(uint64_t at)
{
	return (unsigned char)(at * 7 + (at >> 8));
}

static void send_data(uint32_t id, uint64_t offset, uint32_t len)
{
	uint64_t size = is_mode("short") ? FILE_SIZE - 40000 : FILE_SIZE;

	if (offset >= size) {
		send_status(id, 1);
		return;
	}
	if (is_mode("stammer") || is_mode("backwards"))
		len = len > 1000 ? len - 999 : len; /* less than requested */
	if (len > size - offset)
		len = (uint32_t)(size - offset);
	if (is_mode("more"))
		len += 1;
	if (is_mode("nothing"))
		len = 0;
	begin(103, is_mode("number") ? id + 64 : id);
	put_u32(len);
	for (uint32_t i = 0; i < len; i++)
		out[out_len++] = content(offset + i);
	end();
}

/* Answers reads in reverse order as soon as no other packet arrives. */
static struct {
	uint32_t id, len;
	uint64_t offset;
} reads[READS_MAX];
static size_t read_count;

static void answer_reads(void)
{
	while (read_count) {
		read_count--;
		send_data(reads[read_count].id, reads[read_count].offset, reads[read_count].len);
	}
}

static void take_read(uint32_t id, const unsigned char *body)
{
	const unsigned char *at = body + 4 + get_u32(body);

	reads[read_count].id = id;
	reads[read_count].offset = (uint64_t)get_u32(at) << 32 | get_u32(at + 4);
	reads[read_count++].len = get_u32(at + 8);
	if (!is_mode("backwards") || read_count == 5 || reads[read_count - 1].len < 10000)
		answer_reads();
}

static void answer(unsigned char type, uint32_t id, const unsigned char *body)
{
	static int listed;

	if (type == 1) {
		begin(2, is_mode("version") ? 2 : 3);
		end();
	} else if (type == 11 || type == 3) {
		begin(102, id);
		put_text("handle", is_mode("handle") ? 0 : 6);
		end();
	} else if (type == 12 && (!listed || is_mode("endless"))) {
		listed = 1;
		send_names(id);
	} else if (type == 12) {
		listed = 0;
		send_status(id, 1);
	} else if (type == 5 && is_mode("refuse")) {
		send_status(id, 3);
	} else if (type == 5 && is_mode("quit")) {
		exit(0);
	} else if (type == 5 && is_mode("length")) {
		out_len = 0;
		put_u32(0x7fffffff);
		fwrite(out, 1, 4, stdout);
		fflush(stdout);
	} else if (type == 5) {
		take_read(id, body);
	} else {
		send_status(id, 0);
	}
}

static int serve(void)
{
	for (;;) {
		uint32_t len;

		if (fread(in, 1, 4, stdin) != 4)
			return 0;
		len = get_u32(in);
		if (len < 5 || len > sizeof(in) || fread(in, 1, len, stdin) != len)
			return 1;
		answer(in[0], get_u32(in + 1), in + 5);
	}
}

/* ---------------------------------------------------------------- the tests */

static char self[PATH_MAX];

static int pull_from(const char *how, struct mp_pull_result *r)
{
	int fd = open_dir(in_top("output")), status;

	setenv("MP_TEST_SFTP", how, 1);
	remote.list = remote.tar = false;
	snprintf(remote.sftp_server, sizeof(remote.sftp_server), "%.255s", self);
	status = mp_pull_job(board, &remote, "/board/JOBX", fd, &(struct mp_pull_options){0}, r, &err);
	close(fd);
	unsetenv("MP_TEST_SFTP");
	return status;
}

static void check_good(void)
{
	unsigned char *bytes = malloc(FILE_SIZE + 1);
	FILE *f = fopen(in_top("output/JOBX/good"), "rbe");

	assert_non_null(bytes);
	assert_non_null(f);
	assert_int_equal(fread(bytes, 1, FILE_SIZE + 1, f), FILE_SIZE);
	fclose(f);
	for (size_t i = 0; i < FILE_SIZE; i++)
		if (bytes[i] != content(i))
			fail_msg("byte %zu differs", i);
	free(bytes);
	remove_at(AT_FDCWD, in_top("output/JOBX"));
}

static void test_odd_but_right(void **state)
{
	static const char *const modes[] = {"plain", "stammer", "backwards"};
	struct mp_pull_result r;

	(void)state;
	make_dir(top, "output");
	for (size_t i = 0; i < COUNT(modes); i++) {
		assert_ok(pull_from(modes[i], &r), &err);
		assert_int_equal(r.files, 1);
		check_good();
	}
}

static void test_names(void **state)
{
	struct mp_pull_result r;

	(void)state;
	make_dir(top, "output");
	assert_ok(pull_from("names", &r), &err);
	assert_int_equal(r.refused, 8); /* ".." is no news */
	check_good();
	assert_false(is_there(top, "evil"));
	assert_false(is_there(top, "output/evil"));
}

static void test_lies(void **state)
{
	static const struct {
		const char *mode, *part;
	} cases[] = {{"short", "keeps changing"}, {"more", "where"}, {"nothing", "where"},
	    {"number", "without a request"}, {"refuse", "no\\x1b"}, {"quit", "it ended"}, {"length", "invalid size"},
	    {"version", "unsupported version"}, {"handle", "damaged packet"}, {"count", "too many names"},
	    {"endless", "too many names"}, {"huge", "bytes"}};
	struct mp_pull_result r;

	(void)state;
	make_dir(top, "output");
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_refused(pull_from(cases[i].mode, &r), &err, cases[i].part);
		assert_false(is_there(top, "output/JOBX"));
	}
}

/* This machine has no subsystems. A subsystem that failed to start owns no file to close. */
static void test_no_server(void **state)
{
	struct mp_sftp *sftp;
	int fd = open_dir(top);

	(void)state;
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	remote.sftp_server[0] = '\0';
	assert_refused(mp_sftp_open(&sftp, board, &remote, NULL, &err), &err, "has no sftp server");
	assert_null(sftp);
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	close(fd);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_odd_but_right, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_names, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_lies, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_server, setup, teardown),
	};

	(void)argc;
	mode = getenv("MP_TEST_SFTP");
	if (mode)
		return serve();
	if (!realpath(argv[0], self) || strlen(self) >= sizeof(remote.sftp_server))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
