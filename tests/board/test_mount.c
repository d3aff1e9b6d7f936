/* test_mount.c: the server from which a board mounts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "board/collection/collect_internal.h"

static void check(const char *own, bool here, const char *want)
{
	char server[80] = "";
	struct mp_error err;

	assert_int_equal(mp_mount_server(own, here, server, sizeof(server), &err), 0);
	assert_string_equal(server, want);
}

static void test_address(void **state)
{
	(void)state;
	check("192.168.1.5", false, "192.168.1.5");
	check("192.168.1.5", true, "192.168.1.5");
	check("fd00::5", false, "[fd00::5]");
	check("10.127.0.1", false, "10.127.0.1");
	check("127.0.0.1", true, "127.0.0.1");
	check("::1", true, "[::1]");
	check("", true, "127.0.0.1");
}

static void refuse(const char *own, bool here, const char *part)
{
	char server[80] = "";
	struct mp_error err;

	assert_int_equal(mp_mount_server(own, here, server, sizeof(server), &err), -1);
	assert_non_null(strstr(err.text, part));
	assert_string_equal(server, "");
}

/* A board behind a tunnel, or reached by a name that /etc/hosts maps to this machine's own loopback. */
static void test_loopback(void **state)
{
	(void)state;
	refuse("127.0.1.1", false, "/etc/hosts");
	refuse("127.0.0.1", false, "tunnel");
	refuse("::1", false, "'::1'");
	refuse("", false, "tunnel");
}

static void test_link_local(void **state)
{
	(void)state;
	refuse("fe80::1%eth0", false, "fe80::1%eth0");
	refuse("fe80::1%eth0", true, "fe80::1%eth0");
}

static void test_source(void **state)
{
	struct mp_board *board;
	struct mp_error err;
	char source[64];

	(void)state;
	assert_int_equal(mp_board_local(&board, NULL, &err), 0);
	assert_int_equal(mp_mount_source(board, "/srv/a b", source, sizeof(source), &err), 0);
	assert_string_equal(source, "127.0.0.1:/srv/a b");
	assert_int_equal(mp_mount_source(board, "/srv/a b", source, 12, &err), -1);
	assert_non_null(strstr(err.text, "too long"));
	mp_board_close(board);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_address), cmocka_unit_test(test_loopback),
	    cmocka_unit_test(test_link_local), cmocka_unit_test(test_source)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
