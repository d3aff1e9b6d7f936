/* test_board_ini.c: the ini file, quoting, secrets and local commands: the parts of board/ without a network. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* last: it needs the ones above */
#include <cmocka.h>

#include "../unit/support.h"

#include "board/connection/pipe.h"

static char *dir;

static const char *write_ini(const char *name, const char *text, size_t len)
{
	static char path[1024];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	unlink(path);
	file = fopen(path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(path, 0600), 0);
	return path;
}

static int read_ini(struct mp_board_config *config, const char *text, struct mp_error *err)
{
	return mp_board_ini_read(config, write_ini("board.ini", text, strlen(text)), err);
}

#define HEAD "[ssh_config]\nip = 10.0.0.2\nusername = root\n"

static void values_are_verbatim(void **state)
{
	struct mp_board_config config;
	struct mp_error err;

	(void)state;
	assert_int_equal(
	    read_ini(&config,
		"\xef\xbb\xbf# a comment\r\n  [ssh_config]  \r\n ip=10.0.0.2\r\nusername\t=\troot\r\n"
		"; another\npwd =  a;b #c = \"d\" \\n'%s  \nport = 2222\nkey = ~/.ssh/id\nremote_dir=/opt/x\ntimeout = 3600\n"
		"host_key = SHA256:h/6Ccmltts0P/4JtBhQhVgD2ZmeIDgofaOnnXhPxdwU=",
		&err),
	    0);
	assert_string_equal(config.ip, "10.0.0.2");
	assert_string_equal(config.username, "root");
	assert_string_equal(config.pwd.text, "a;b #c = \"d\" \\n'%s");
	assert_int_equal(config.port, 2222);
	assert_string_equal(config.key, "~/.ssh/id");
	assert_string_equal(config.remote_dir, "/opt/x");
	assert_int_equal(config.timeout_s, 3600);
	assert_string_equal(config.host_key, "SHA256:h/6Ccmltts0P/4JtBhQhVgD2ZmeIDgofaOnnXhPxdwU");
	assert_false(config.readable_by_others);
	mp_board_config_free(&config);
	assert_null(config.pwd.text);
	mp_board_config_free(&config);
	mp_board_config_free(NULL);
}

static void defaults_and_empty_password(void **state)
{
	struct mp_board_config config;
	struct mp_error err;

	(void)state;
	assert_int_equal(read_ini(&config, HEAD "pwd =\n", &err), 0);
	assert_int_equal(config.port, 22);
	assert_string_equal(config.pwd.text, "");
	assert_null(config.key);
	assert_null(config.host_key);
	mp_board_config_free(&config);
	assert_int_equal(read_ini(&config, HEAD, &err), 0);
	assert_null(config.pwd.text);
	mp_board_config_free(&config);
}

static void errors_name_file_line_key_and_reason(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"", "section [ssh_config] is missing"},
	    {"\n\n[ssh]\n", "line 3: unknown section"},
	    {"ip = 1\n", "line 1: a key before the section"},
	    {"[ssh_config]\nip = 1\n", "username: missing"},
	    {"[ssh_config]\nusername = 1\n", "ip: missing"},
	    {HEAD "[ssh_config]\n", "line 4: section [ssh_config] given before"},
	    {HEAD "ip = 2\n", "line 4: ip: given before, in line 2"},
	    {HEAD "Ip = 2\n", "line 4: unknown key 'Ip'"},
	    {HEAD "port = 0\n", "line 4: port: not a number from 1 to 65535"},
	    {HEAD "port = 65536\n", "line 4: port: not a number"},
	    {HEAD "port = 99999999999999999999\n", "line 4: port: not a number"},
	    {HEAD "port = 22 # ssh\n", "line 4: port: not a number"},
	    {HEAD "port = +22\n", "line 4: port: not a number"},
	    {HEAD "port = -1\n", "line 4: port: not a number"},
	    {HEAD "port =\n", "line 4: port: no value"},
	    {HEAD "timeout = 1\n", "line 4: timeout: not a number from 2 to 3600"},
	    {HEAD "timeout = 3601\n", "line 4: timeout: not a number"},
	    {HEAD "timeout = 10s\n", "line 4: timeout: not a number"},
	    {HEAD "key =   \n", "line 4: key: no value"},
	    {HEAD "host_key = MD5:00\n", "line 4: host_key: not a fingerprint"},
	    {HEAD "host_key = SHA256:h/6Ccmltts0P/4JtBhQhVgD2ZmeIDgofaOnnXhPx,wU\n",
		"line 4: host_key: not a fingerprint"},
	    {HEAD "remote_dir = /a\x1b[0m\n", "line 4: remote_dir: control characters"},
	    {HEAD "key = /\xff\n", "line 4: key: control characters or bytes"},
	    {"[ssh_config]\nip = -oProxyCommand=x\n", "line 2: ip: not an address"},
	    {"[ssh_config]\nip = root@host\n", "line 2: ip: not an address"},
	    {HEAD "pwd = x\nhunter2 \n", "line 5: neither a [section] nor 'key = value'"},
	    {HEAD "hunt er2 = x\n", "line 4: unknown key"},
	    {HEAD "= x\n", "line 4: unknown key"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct mp_board_config config;
		struct mp_error err;

		assert_int_equal(read_ini(&config, cases[i].text, &err), -1);
		if (!strstr(err.text, cases[i].message) || !strstr(err.text, "board.ini'"))
			fail_msg("case %zu: '%s' is not in: %s", i, cases[i].message, err.text);
		assert_null(strstr(err.text, "hunter2"));
		assert_null(config.ip);
		assert_null(config.pwd.text);
	}
}

static void files_that_are_no_ini(void **state)
{
	struct mp_board_config config;
	struct mp_error err;
	char *large = malloc(65537);
	const char nul[] = HEAD "pwd = a\0b\n";
	char fifo[1024];

	(void)state;
	assert_int_equal(mp_board_ini_read(&config, write_ini("board.cfg", HEAD, strlen(HEAD)), &err), -1);
	assert_non_null(strstr(err.text, "ends in neither .ini nor .conf"));
	assert_int_equal(mp_board_ini_read(&config, "/nowhere/x.ini", &err), -1);
	assert_non_null(strstr(err.text, "cannot open '/nowhere/x.ini'"));
	assert_int_equal(mp_board_ini_read(&config, write_ini("board.conf", HEAD, strlen(HEAD)), &err), 0);
	mp_board_config_free(&config);
	assert_int_equal(mp_board_ini_read(&config, write_ini("n.ini", nul, sizeof(nul) - 1), &err), -1);
	assert_non_null(strstr(err.text, "line 4: a NUL byte"));
	memset(large, '\n', 65537);
	memcpy(large, HEAD, strlen(HEAD));
	assert_int_equal(mp_board_ini_read(&config, write_ini("l.ini", large, 65537), &err), -1);
	assert_non_null(strstr(err.text, "larger than 65536"));
	assert_int_equal(mp_board_ini_read(&config, write_ini("l.ini", large, 65536), &err), 0);
	mp_board_config_free(&config);
	free(large);
	snprintf(fifo, sizeof(fifo), "%s/fifo.ini", dir);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_int_equal(mp_board_ini_read(&config, fifo, &err), -1);
	assert_non_null(strstr(err.text, "not a regular file"));
	unlink(fifo);
}

static void readable_by_others_is_told(void **state)
{
	static const mode_t modes[] = {0640, 0604, 0600, 0620};
	struct mp_board_config config;
	struct mp_error err;

	(void)state;
	for (int i = 0; i < 4; i++) {
		const char *path = write_ini("m.ini", HEAD, strlen(HEAD));

		assert_int_equal(chmod(path, modes[i]), 0);
		assert_int_equal(mp_board_ini_read(&config, path, &err), 0);
		assert_int_equal(config.readable_by_others, i < 2);
		mp_board_config_free(&config);
	}
}

static void secrets_are_wiped(void **state)
{
	struct mp_secret secret = {0};
	struct mp_error err;

	(void)state;
	assert_int_equal(mp_secret_set(&secret, "first and longer", 16, &err), 0);
	assert_int_equal(mp_secret_set(&secret, "second", 6, &err), 0);
	assert_string_equal(secret.text, "second");
	mp_secret_wipe(&secret);
	assert_null(secret.text);
	mp_secret_wipe(&secret);
	assert_int_equal(mp_secret_set(&secret, "", 0, &err), 0);
	assert_string_equal(secret.text, "");
	mp_secret_wipe(&secret);
}

static void quoted_words_come_back(void **state)
{
	static const char *const words[] = {"", "plain", "it's", "'", "''", "$(reboot)`x`", "a b\tc\nd", "\\", "!*?[a]",
	    "-n", "\"", "~", "\x01\xff", "a'\\''b"};
	struct mp_board *board;
	struct mp_error err;

	(void)state;
	assert_int_equal(mp_board_local(&board, NULL, &err), 0);
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char script[256] = "printf %s ";
		char out[64];
		bool overflow = false;
		int status = -1;

		mp_shell_quote(script, sizeof(script), strlen(script), words[i], &overflow);
		assert_false(overflow);
		assert_int_equal(mp_board_run(board, script, "try", out, sizeof(out), &status, &err), 0);
		assert_int_equal(status, 0);
		assert_string_equal(out, words[i]);
	}
	mp_board_close(board);
}

static void quote_never_writes_too_far(void **state)
{
	(void)state;
	for (size_t size = 1; size < 16; size++) {
		char *text =
		    malloc(size); /* allocated at exactly this size, so that a sanitizer sees reads behind the text */
		bool overflow = false;
		size_t len = mp_shell_quote(text, size, 0, "a'bc'd", &overflow);

		assert_true(len < size);
		assert_int_equal(strlen(text), len);
		assert_int_equal(overflow, size < 15);
		free(text);
	}
}

static void local_status_and_signal(void **state)
{
	struct mp_board *board;
	struct mp_error err;
	char out[8];
	int status;

	(void)state;
	assert_int_equal(mp_board_local(&board, NULL, &err), 0);
	assert_true(mp_board_is_local(board));
	assert_string_equal(mp_board_name(board), "this machine");
	assert_int_equal(mp_board_own_address(board, out, sizeof(out), &err), 0);
	assert_string_equal(out, "");
	assert_int_equal(
	    mp_board_run(board, "echo 123456789; echo x >&2; exit 3", "try", out, sizeof(out), &status, &err), 0);
	assert_int_equal(status, 3);
	assert_string_equal(out, "1234567");
	assert_int_equal(mp_board_run(board, "kill -TERM $$", "try", out, sizeof(out), &status, &err), 0);
	assert_int_equal(status, 128 + SIGTERM);
	assert_int_equal(
	    mp_board_run(board, "exec >&- 2>&-; sleep 0.2; exit 4", "try", out, sizeof(out), &status, &err), 0);
	assert_int_equal(status, 4);
	mp_board_attend(board, NULL, NULL, 1);
	assert_int_equal(
	    mp_board_run(board, "while echo; do sleep 1; done", "try", out, sizeof(out), &status, &err), -1);
	assert_non_null(strstr(err.text, "board 'this machine': cannot try within 1 s"));
	mp_board_close(board);
}

static void local_commands_inherit_nothing(void **state)
{
	const char *count = "ls /proc/self/fd | wc -l";
	struct mp_command *others[3];
	struct mp_board *board;
	struct mp_error err;
	char before[16], after[16];
	int status;

	(void)state;
	needs_proc();
	assert_int_equal(mp_board_local(&board, NULL, &err), 0);
	assert_int_equal(mp_board_run(board, count, "try", before, sizeof(before), &status, &err), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(mp_command_start(&others[i], board, "cat", &err), 0);
	assert_int_equal(mp_board_run(board, count, "try", after, sizeof(after), &status, &err), 0);
	assert_string_equal(before, after);
	for (int i = 0; i < 3; i++)
		mp_command_close(others[i]);
	/* the leader of a process group, so that all of it can be killed */
	assert_int_equal(mp_board_run(board, "read -r _ _ _ _ group _ </proc/$$/stat; [ $group = $$ ]", "try", after,
			     sizeof(after), &status, &err),
	    0);
	assert_int_equal(status, 0);
	mp_board_close(board);
}

static void local_input_and_broken_pipe(void **state)
{
	struct mp_command *command;
	struct mp_board *board;
	struct mp_error err;
	char bytes[4096] = {0};
	size_t sent = 0;
	ssize_t n;
	int status;

	(void)state;
	assert_int_equal(mp_board_local(&board, NULL, &err), 0);
	assert_int_equal(mp_command_start(&command, board, "exec <&-; sleep 0.1; exit 5", &err), 0);
	/* nobody reads: an error at the end, and no signal */
	while ((n = mp_command_write(command, bytes, sizeof(bytes), &err)) >= 0) {
		sent += (size_t)n;
		assert_true(sent < 10000000);
		assert_int_equal(mp_command_wait(command, true, 100, &err), 0);
	}
	assert_non_null(strstr(err.text, "reads no more"));
	while (mp_command_read(command, MP_STDOUT, bytes, sizeof(bytes), &err) != -2 ||
	       mp_command_read(command, MP_STDERR, bytes, sizeof(bytes), &err) != -2)
		assert_int_equal(mp_command_wait(command, false, 1000, &err), 0);
	while ((n = mp_command_finish(command, &status, &err)) == 0)
		assert_int_equal(mp_command_wait(command, false, 1000, &err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(status, 5);
	mp_command_close(command);
	mp_board_close(board);
}

/* The output of one of several commands so far. */
struct echo {
	struct mp_command *command;
	size_t sent, got;
	bool ended;
};

static void step(struct echo *e, size_t total)
{
	char bytes[8192];
	struct mp_error err;
	ssize_t n;

	memset(bytes, 'x', sizeof(bytes));
	if (e->sent < total) {
		size_t want = total - e->sent < sizeof(bytes) ? total - e->sent : sizeof(bytes);

		n = mp_command_write(e->command, bytes, want, &err);
		assert_true(n >= 0);
		e->sent += (size_t)n;
		if (e->sent == total)
			assert_int_equal(mp_command_end_input(e->command, &err), 0);
	}
	n = mp_command_read(e->command, MP_STDOUT, bytes, sizeof(bytes), &err);
	assert_true(n >= 0 || n == -2);
	if (n > 0)
		e->got += (size_t)n;
	e->ended = n == -2;
}

static void several_local_commands(void **state)
{
	enum { COUNT = 5, TOTAL = 1000000 };
	struct echo echoes[COUNT] = {{0}};
	struct mp_board *board;
	struct mp_error err;
	int left = COUNT;

	(void)state;
	assert_int_equal(mp_board_local(&board, NULL, &err), 0);
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(mp_command_start(&echoes[i].command, board, "cat", &err), 0);
	while (left) {
		left = 0;
		for (int i = 0; i < COUNT; i++) {
			if (!echoes[i].ended)
				step(&echoes[i], TOTAL);
			left += !echoes[i].ended;
		}
		assert_int_equal(mp_command_wait(echoes[0].command, echoes[0].sent < TOTAL, 10, &err), 0);
	}
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(echoes[i].got, TOTAL);
	/* closing the board first is allowed */
	mp_board_close(board);
	for (int i = 0; i < COUNT; i++)
		mp_command_close(echoes[i].command);
}

static int make_dir(void **state)
{
	(void)state;
	umask(0027);
	dir = temp_dir();
	return 0;
}

static int remove_scratch(void **state)
{
	(void)state;
	remove_dir(dir);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_are_verbatim),
	    cmocka_unit_test(defaults_and_empty_password),
	    cmocka_unit_test(errors_name_file_line_key_and_reason),
	    cmocka_unit_test(files_that_are_no_ini),
	    cmocka_unit_test(readable_by_others_is_told),
	    cmocka_unit_test(secrets_are_wiped),
	    cmocka_unit_test(quoted_words_come_back),
	    cmocka_unit_test(quote_never_writes_too_far),
	    cmocka_unit_test(local_status_and_signal),
	    cmocka_unit_test(local_commands_inherit_nothing),
	    cmocka_unit_test(local_input_and_broken_pipe),
	    cmocka_unit_test(several_local_commands),
	};

	return cmocka_run_group_tests_name("board_ini", tests, make_dir, remove_scratch);
}
