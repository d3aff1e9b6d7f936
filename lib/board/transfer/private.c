/* private.c: recognises private keys, logins and inis by their names and texts. */
#define _GNU_SOURCE /* memmem */
#include "board/transfer/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board/connection/board.h"

enum { BEGINNING = 16 * 1024, BINARY = 512 };

bool mp_private_name(const char *name)
{
	static const char *const names[] = {".ssh", ".gnupg", ".aws", ".netrc", ".pgpass", ".git-credentials"};
	static const char *const keys[] = {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"};
	size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	if (len > 4 && strcmp(name + len - 4, ".pub") == 0)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strncmp(name, keys[i], strlen(keys[i])) == 0)
			return true;
	return false;
}

static bool begins(const char *line, size_t len, const char *text)
{
	return len >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

static bool is_private_line(const char *line, size_t len)
{
	while (len && (*line == ' ' || *line == '\t' || *line == '\r')) {
		line++;
		len--;
	}
	if (begins(line, len, "[ssh_config]") || begins(line, len, "PuTTY-User-Key-File-"))
		return true;
	return (begins(line, len, "-----BEGIN ") || begins(line, len, "---- BEGIN ")) &&
	       memmem(line, len, "PRIVATE KEY", strlen("PRIVATE KEY"));
}

bool mp_private_text(const char *text, size_t len)
{
	const char *end = text + len;

	if (memchr(text, '\0', len < BINARY ? len : BINARY))
		return false;
	if (begins(text, len, "\xef\xbb\xbf"))
		text += 3;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		if (is_private_line(text, (size_t)((stop ? stop : end) - text)))
			return true;
		text = stop ? stop + 1 : end;
	}
	return false;
}

int mp_private_file(int fd, const char *label, struct mp_error *err)
{
	char *text = malloc(MP_INI_SIZE);
	size_t size, len = 0;
	struct stat st;
	int status = 0;

	if (!text)
		return mp_fail_memory(err, "the beginning of a file");
	if (fstat(fd, &st))
		status = mp_fail_errno(err, "cannot inspect '%s'", label);
	size = !status && st.st_size <= MP_INI_SIZE ? MP_INI_SIZE : BEGINNING;
	while (!status && len < size) {
		ssize_t n = pread(fd, text + len, size - len, (off_t)len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = mp_fail_errno(err, "cannot read '%s'", label);
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	if (!status)
		status = mp_private_text(text, len);
	free(text);
	return status;
}
