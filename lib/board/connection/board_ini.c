/*
 * board_ini.c: reads the ini file with the address and the login of a board. A value is the whole rest of its line,
 * because a password may contain any character. Every line must be valid. The file is read into secret memory only;
 * messages never quote a value that may be the password.
 */
#include "base/text.h"
#include "board/connection/board.h"
#include "board/connection/connection_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEY_LEN_MAX = 32, FINGERPRINT_LEN = 43, TIMEOUT_S = 30 };

enum key { IP, USERNAME, PWD, PORT, KEY, HOST_KEY, REMOTE_DIR, TIMEOUT, KEY_COUNT };

static const char *const key_names[KEY_COUNT] = {
    "ip", "username", "pwd", "port", "key", "host_key", "remote_dir", "timeout"};

struct parser {
	struct mp_board_config *config;
	const char *path;
	int line;
	int seen[KEY_COUNT]; /* line of the key, or 0 */
	bool in_section;
	struct mp_error *err;
};

static int complain(struct parser *p, const char *key, const char *reason)
{
	return mp_fail(p->err, "'%s' line %d: %s%s%s", p->path, p->line, key, *key ? ": " : "", reason);
}

static int set_text(struct parser *p, enum key key, char **to, const char *text, size_t len)
{
	if (mp_has_control(text, len))
		return complain(p, key_names[key], "control characters or bytes that are not UTF-8");
	*to = strndup(text, len);
	return *to ? 0 : mp_fail_memory(p->err, "an ini file");
}

/* Read a number from least to most. Both limits have at most five digits. */
static int set_number(struct parser *p, enum key key, int *to, int least, int most, const char *text, size_t len)
{
	int number = 0;

	for (size_t i = 0; i < len && number <= most; i++)
		number = text[i] >= '0' && text[i] <= '9' ? number * 10 + (text[i] - '0') : most + 1;
	if (number < least || number > most)
		return mp_fail(p->err, "'%s' line %d: %s: not a number from %d to %d", p->path, p->line, key_names[key],
		    least, most);
	*to = number;
	return 0;
}

/* Read a fingerprint as ssh-keygen -l prints it. Padding is dropped, so that fingerprints compare as texts. */
static int set_host_key(struct parser *p, const char *text, size_t len)
{
	static const char base64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t prefix = strlen("SHA256:");

	if (len && text[len - 1] == '=')
		len--;
	if (len != prefix + FINGERPRINT_LEN || strncmp(text, "SHA256:", prefix) != 0)
		return complain(p, "host_key", "not a fingerprint 'SHA256:' and 43 characters");
	for (size_t i = prefix; i < len; i++)
		if (!memchr(base64, text[i], sizeof(base64) - 1))
			return complain(p, "host_key", "not a fingerprint: not base64");
	return set_text(p, HOST_KEY, &p->config->host_key, text, len);
}

static int set_ip(struct parser *p, const char *text, size_t len)
{
	/* A user in the address would override username, and a leading dash would look like an option. */
	if (text[0] == '-' || memchr(text, '@', len) || memchr(text, ' ', len) || memchr(text, '/', len))
		return complain(p, "ip", "not an address or a host name");
	return set_text(p, IP, &p->config->ip, text, len);
}

static int set_value(struct parser *p, enum key key, const char *text, size_t len)
{
	struct mp_board_config *config = p->config;

	if (p->seen[key])
		return mp_fail(p->err, "'%s' line %d: %s: given before, in line %d", p->path, p->line, key_names[key],
		    p->seen[key]);
	p->seen[key] = p->line;
	if (!len && key != PWD) /* boards with an empty password exist */
		return complain(p, key_names[key], "no value");
	switch (key) {
	case IP:
		return set_ip(p, text, len);
	case USERNAME:
		return set_text(p, key, &config->username, text, len);
	case PWD:
		return mp_secret_set(&config->pwd, text, len, p->err);
	case PORT:
		return set_number(p, key, &config->port, 1, 65535, text, len);
	case KEY:
		return set_text(p, key, &config->key, text, len);
	case HOST_KEY:
		return set_host_key(p, text, len);
	case REMOTE_DIR:
		return set_text(p, key, &config->remote_dir, text, len);
	case TIMEOUT:
		return set_number(p, key, &config->timeout_s, 2, 3600, text, len);
	default:
		return -1;
	}
}

static bool is_word(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!memchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", text[i], 64))
			return false;
	return len > 0 && len <= KEY_LEN_MAX;
}

static int parse_pair(struct parser *p, const struct mp_ini *ini)
{
	if (!p->in_section)
		return complain(p, "", "a key before the section [ssh_config]");
	for (enum key key = IP; key < KEY_COUNT; key++)
		if (strlen(key_names[key]) == ini->name_len && memcmp(key_names[key], ini->name, ini->name_len) == 0)
			return set_value(p, key, ini->value, ini->value_len);
	if (!is_word(ini->name, ini->name_len))
		return complain(p, "", "unknown key");
	return mp_fail(p->err, "'%s' line %d: unknown key '%.*s'", p->path, p->line, (int)ini->name_len, ini->name);
}

static int parse_section(struct parser *p, const struct mp_ini *ini)
{
	const char *wanted = "ssh_config";

	if (ini->name_len != strlen(wanted) || memcmp(ini->name, wanted, ini->name_len) != 0)
		return complain(p, "", "unknown section; only [ssh_config] is known");
	if (p->in_section)
		return complain(p, "", "section [ssh_config] given before");
	p->in_section = true;
	return 0;
}

/* A message does not quote a line, which may be the rest of a password. */
static int parse_line(struct parser *p, enum mp_ini_kind kind, const struct mp_ini *ini)
{
	p->line = ini->line;
	switch (kind) {
	case MP_INI_SECTION:
		return parse_section(p, ini);
	case MP_INI_PAIR:
		return parse_pair(p, ini);
	case MP_INI_NUL:
		return complain(p, "", "a NUL byte");
	default:
		return complain(p, "",
		    ini->name[0] == '[' ? "unknown section; only [ssh_config] is known"
					: "neither a [section] nor 'key = value'");
	}
}

static int parse(struct parser *p, const char *text, size_t len)
{
	struct mp_ini ini = mp_ini_begin(text, len);
	enum mp_ini_kind kind;

	while ((kind = mp_ini_next(&ini)) != MP_INI_END)
		if (parse_line(p, kind, &ini))
			return -1;
	if (!p->in_section)
		return mp_fail(p->err, "'%s': section [ssh_config] is missing", p->path);
	for (enum key key = IP; key <= USERNAME; key++)
		if (!p->seen[key])
			return mp_fail(p->err, "'%s': %s: missing in [ssh_config]", p->path, key_names[key]);
	return 0;
}

static int read_whole(int fd, const char *path, struct mp_secret *text, size_t *len, struct mp_error *err)
{
	*len = 0;
	if (mp_secret_room(text, MP_INI_SIZE + 1, err))
		return -1;
	while (*len <= MP_INI_SIZE) {
		ssize_t n = read(fd, text->text + *len, MP_INI_SIZE + 1 - *len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return mp_fail_errno(err, "cannot read '%s'", path);
		if (n == 0)
			return 0;
		*len += (size_t)n;
	}
	return mp_fail(err, "'%s' is larger than %d bytes: not an ini file", path, MP_INI_SIZE);
}

static int read_file(struct parser *p)
{
	struct mp_secret text = {0};
	struct stat st;
	size_t len;
	int status = -1;
	/* nonblocking: a FIFO of that name must not block */
	int fd = open(p->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return mp_fail_errno(p->err, "cannot open '%s'", p->path);
	if (fstat(fd, &st)) {
		mp_fail_errno(p->err, "cannot inspect '%s'", p->path);
	} else if (!S_ISREG(st.st_mode)) {
		mp_fail(p->err, "'%s' is not a regular file", p->path);
	} else {
		p->config->readable_by_others = (st.st_mode & (S_IRGRP | S_IROTH)) != 0;
		status = read_whole(fd, p->path, &text, &len, p->err);
		if (!status)
			status = parse(p, text.text, len);
	}
	mp_secret_wipe(&text);
	close(fd); /* read only: no error matters */
	return status;
}

int mp_board_ini_read(struct mp_board_config *config, const char *path, struct mp_error *err)
{
	struct parser p = {.config = config, .path = path, .err = err};
	size_t len = strlen(path);

	memset(config, 0, sizeof(*config));
	config->port = 22;
	config->timeout_s = TIMEOUT_S;
	if ((len < 4 || strcmp(path + len - 4, ".ini") != 0) && (len < 5 || strcmp(path + len - 5, ".conf") != 0))
		return mp_fail(err, "'%s' ends in neither .ini nor .conf", path);
	if (read_file(&p)) {
		mp_board_config_free(config);
		return -1;
	}
	return 0;
}

void mp_board_config_free(struct mp_board_config *config)
{
	if (!config)
		return;
	free(config->ip);
	free(config->username);
	free(config->key);
	free(config->host_key);
	free(config->remote_dir);
	mp_secret_wipe(&config->pwd);
	memset(config, 0, sizeof(*config));
}
