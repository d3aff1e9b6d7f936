/*
 * fuzz_board_ini.c: any bytes as the ini of a board. An accepted ini is complete and safe to print. A refused ini
 * leaves no password in memory, and the error names the place without the password.
 */
#include "fuzz.h"

#include <fcntl.h>

#include "base/text.h"
#include "board/connection/board.h"

static char path[1024];

static void remove_file(void)
{
	unlink(path);
}

static void put(const uint8_t *data, size_t size)
{
	int fd;

	if (!path[0]) {
		temp_path(path, sizeof(path), "fuzz-board.XXXXXX.ini");
		fd = mkstemps(path, 4);
		CHECK(fd >= 0 && atexit(remove_file) == 0);
	} else {
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	}
	CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void check_text(const char *text)
{
	CHECK(text && *text && !mp_has_control(text, strlen(text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_board_config config;
	struct mp_error err = {.text = ""};

	put(data, size);
	if (mp_board_ini_read(&config, path, &err)) {
		CHECK(strstr(err.text, path));
		CHECK(!config.ip && !config.username && !config.pwd.text && !config.key && !config.host_key &&
		      !config.remote_dir);
		return 0;
	}
	check_text(config.ip);
	check_text(config.username);
	CHECK(config.port >= 1 && config.port <= 65535);
	CHECK(!config.pwd.text || strlen(config.pwd.text) <= size);
	CHECK(!config.host_key || strncmp(config.host_key, "SHA256:", 7) == 0);
	if (config.key)
		check_text(config.key);
	if (config.remote_dir)
		check_text(config.remote_dir);
	mp_board_config_free(&config);
	return 0;
}
