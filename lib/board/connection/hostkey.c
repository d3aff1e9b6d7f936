/*
 * hostkey.c: checks the key of the server against the fingerprint of the ini or known_hosts. The user may accept an
 * unknown key, which is then added to known_hosts. A changed key is never accepted.
 */
#include "board/connection/connection_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FINGERPRINT_SIZE = 64, HOST_SIZE = 300 };

struct check {
	struct mp_board *board;
	const struct mp_board_ask *ask;
	enum mp_board_failure *failure;
	struct mp_error *err;
	char sha256[FINGERPRINT_SIZE];
	const char *type;     /* "ssh-ed25519" */
	char host[HOST_SIZE]; /* as in known_hosts: "10.0.0.2" or "[10.0.0.2]:2222" */
	char *path;           /* the user's known_hosts */
};

static int fingerprint(struct check *c)
{
	ssh_session session = c->board->session;
	ssh_key key = NULL;
	unsigned char *hash = NULL;
	char *text = NULL;
	size_t len = 0;
	int status = -1;

	if (ssh_get_server_publickey(session, &key) == SSH_OK &&
	    ssh_get_publickey_hash(key, SSH_PUBLICKEY_HASH_SHA256, &hash, &len) == SSH_OK)
		text = ssh_get_fingerprint_hash(SSH_PUBLICKEY_HASH_SHA256, hash, len);
	if (text) {
		snprintf(c->sha256, sizeof(c->sha256), "%s", text);
		c->type = ssh_key_type_to_char(ssh_key_type(key)); /* a constant text */
		status = 0;
	} else {
		*c->failure = MP_BOARD_BROKEN;
		mp_fail_board(c->err, "its host key cannot be read", c->board->name);
	}
	ssh_string_free_char(text);
	ssh_clean_pubkey_hash(&hash);
	ssh_key_free(key);
	return status;
}

/* The number of the first line of known_hosts that names the host, or 0. Lines that are too long are skipped. */
static int line_of_host(const char *path, const char *host)
{
	FILE *file = path ? fopen(path, "re") : NULL;
	char *line = NULL;
	size_t size = 0;
	int found = 0;
	int number = 0;

	while (file && !found && getline(&line, &size, file) > 0) {
		struct ssh_knownhosts_entry *entry = NULL;

		number++;
		line[strcspn(line, "\r\n")] = '\0';
		if (ssh_known_hosts_parse_line(host, line, &entry) == SSH_OK)
			found = number;
		ssh_knownhosts_entry_free(entry);
	}
	free(line);
	if (file)
		fclose(file);
	return found;
}

static int changed(struct check *c)
{
	const char *global = "/etc/ssh/ssh_known_hosts";
	const char *path = c->path;
	int line = line_of_host(path, c->host);

	*c->failure = MP_BOARD_HOST_CHANGED;
	if (!line) {
		path = global;
		line = line_of_host(path, c->host);
	}
	return mp_fail_board(c->err,
	    "its host key has changed to %s (%s); someone may be intercepting the connection. If the board is known to have "
	    "a new key, remove the old one, '%s' line %d: ssh-keygen -f '%s' -R '%s'",
	    c->board->name, c->sha256, c->type, path, line, path, c->host);
}

/* Append one line, even after a last line without an end. One write, so that parallel connections do not mix. */
static int append(int fd, const char *entry)
{
	size_t len = strlen(entry);
	char *text = malloc(len + 2);
	struct stat st;
	char last = '\n';
	ssize_t n = -1;
	size_t at = 0;

	if (!text)
		return -1;
	if (!fstat(fd, &st) && st.st_size > 0 && pread(fd, &last, 1, st.st_size - 1) == 1 && last != '\n')
		text[at++] = '\n';
	memcpy(text + at, entry, len);
	n = write(fd, text, at + len);
	if (n >= 0 && (size_t)n != at + len) {
		errno = ENOSPC;
		n = -1;
	}
	free(text);
	return n < 0 ? -1 : 0;
}

static int remember(struct check *c, struct mp_error *err)
{
	char *entry = NULL;
	char *slash;
	int fd;

	if (!c->path)
		return mp_fail(err, "no home directory for known_hosts");
	slash = strrchr(c->path, '/');
	*slash = '\0';
	if (mkdir(c->path, 0700) && errno != EEXIST) {
		mp_fail_errno(err, "cannot make '%s'", c->path);
		*slash = '/';
		return -1;
	}
	*slash = '/';
	if (ssh_session_export_known_hosts_entry(c->board->session, &entry) != SSH_OK)
		return mp_fail(err, "cannot save the host key");
	fd = open(c->path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || append(fd, entry)) {
		mp_fail_errno(err, "cannot write '%s'", c->path);
		if (fd >= 0)
			close(fd);
		ssh_string_free_char(entry);
		return -1;
	}
	ssh_string_free_char(entry);
	if (close(fd))
		return mp_fail_errno(err, "cannot write '%s'", c->path);
	return 0;
}

static int unknown(struct check *c)
{
	const struct mp_board_ask *ask = c->ask;
	struct mp_error reason;
	char text[sizeof(c->board->name) + sizeof(reason.text) + 64];

	if (!ask->accept_new && !(ask->accept_host && ask->accept_host(ask->user, c->host, c->sha256))) {
		*c->failure = MP_BOARD_HOST_UNKNOWN;
		return mp_fail_board(c->err,
		    "its host key is unknown and was not accepted: %s (%s); if this is the "
		    "key of the board, accept it with --accept-new",
		    c->board->name, c->sha256, c->type);
	}
	if (remember(c, &reason) && ask->warn) {
		snprintf(text, sizeof(text), "board '%s': host key not remembered: %s", c->board->name, reason.text);
		ask->warn(ask->user, text);
	}
	return 0;
}

static int compare(struct check *c, const char *pinned)
{
	if (strcmp(c->sha256, pinned) == 0)
		return 0;
	*c->failure = MP_BOARD_HOST_CHANGED;
	return mp_fail_board(c->err,
	    "its host key %s (%s) is not the host_key of the ini file, %s; if the board is known to have a new key, write it there",
	    c->board->name, c->sha256, c->type, pinned);
}

static int look_up(struct check *c)
{
	switch (ssh_session_is_known_server(c->board->session)) {
	case SSH_KNOWN_HOSTS_OK:
		return 0;
	case SSH_KNOWN_HOSTS_NOT_FOUND:
	case SSH_KNOWN_HOSTS_UNKNOWN:
		return unknown(c);
	case SSH_KNOWN_HOSTS_CHANGED:
	case SSH_KNOWN_HOSTS_OTHER: /* known_hosts has a key of another type */
		return changed(c);
	case SSH_KNOWN_HOSTS_ERROR:
	default:
		*c->failure = MP_BOARD_HOST_UNKNOWN;
		return mp_fail_board(
		    c->err, "its host key cannot be checked: %s", c->board->name, mp_ssh_reason(c->board->session));
	}
}

int mp_board_check_host(struct mp_board *board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    enum mp_board_failure *failure, struct mp_error *err)
{
	struct check c = {.board = board, .ask = ask, .failure = failure, .err = err};
	int status;

	if (fingerprint(&c))
		return -1;
	if (config->host_key)
		return compare(&c, config->host_key);
	if (config->port == 22)
		snprintf(c.host, sizeof(c.host), "%s", config->ip);
	else
		snprintf(c.host, sizeof(c.host), "[%s]:%d", config->ip, config->port);
	if (ssh_options_get(board->session, SSH_OPTIONS_KNOWNHOSTS, &c.path) != SSH_OK)
		c.path = NULL;
	status = look_up(&c);
	ssh_string_free_char(c.path);
	return status;
}
