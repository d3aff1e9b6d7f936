/*
 * auth.c: logs in by agent, key file, password of the ini, then a prompt, as far as the server accepts them.
 * Records each try, so that an error says why each of them failed. No error contains a secret.
 */
#include "board/connection/connection_internal.h"
#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROMPT_TRIES = 3, ROUNDS_MAX = 16, NOTE_SIZE = 512, PROMPT_SIZE = 512 };

struct login {
	struct mp_board *board;
	ssh_session session;
	const struct mp_board_config *config;
	const struct mp_board_ask *ask;
	int64_t deadline;
	char tried[NOTE_SIZE];
	bool password_refused, key_refused;
};

/*
 * Call until there is an answer. The session is nonblocking, because servers hang up after a few tries: a blocking
 * libssh does not notice, and waits for its timeout.
 */
#define PATIENTLY(l, rc, call)                                                                                         \
	for ((l)->deadline = mp_board_now_ms() + (int64_t)(l)->board->timeout_s * 1000;                                \
	     ((rc) = (call)) == SSH_AUTH_AGAIN && may_wait(l);)                                                        \
		;

static bool may_wait(struct login *l)
{
	struct pollfd p = {.fd = ssh_get_fd(l->session), .events = POLLIN};

	if (ssh_get_status(l->session) & (SSH_CLOSED | SSH_CLOSED_ERROR) || mp_board_now_ms() > l->deadline ||
	    mp_board_interrupted(l->ask))
		return false;
	if (ssh_get_poll_flags(l->session) & SSH_WRITE_PENDING)
		p.events |= POLLOUT;
	(void)poll(&p, 1, MP_LOOK_MS); /* avoids a busy loop */
	return true;
}

static void note(struct login *l, const char *fmt, ...) MP_PRINTF(2, 3);

static void note(struct login *l, const char *fmt, ...)
{
	size_t len = strlen(l->tried);
	va_list args;

	if (len && len + 3 < sizeof(l->tried)) {
		memcpy(l->tried + len, ", ", 3);
		len += 2;
	}
	va_start(args, fmt);
	vsnprintf(l->tried + len, sizeof(l->tried) - len, fmt, args);
	va_end(args);
}

static bool takes(const struct login *l, int method)
{
	return (ssh_userauth_list(l->session, NULL) & method) != 0;
}

static const char *answer(int rc)
{
	if (rc == SSH_AUTH_AGAIN || rc == SSH_AUTH_ERROR)
		return "no answer";
	return rc == SSH_AUTH_PARTIAL ? "accepted, but the board requires another method, too" : "refused";
}

/* Ask the user: "board 'root@10.0.0.2:22': Password: ". The text of the server is sanitised. */
static int ask_user(struct login *l, const char *question, struct mp_secret *secret)
{
	char safe[PROMPT_SIZE / 2];
	char prompt[PROMPT_SIZE + sizeof(l->board->name)];

	if (!l->ask->password)
		return -1;
	mp_sanitise(safe, sizeof(safe), question, strlen(question));
	snprintf(prompt, sizeof(prompt), "board '%s': %s", l->board->name, safe);
	return l->ask->password(l->ask->user, prompt, secret) || !secret->text ? -1 : 0;
}

static int try_agent(struct login *l)
{
	int rc;

	if (!getenv("SSH_AUTH_SOCK"))
		return SSH_AUTH_DENIED;
	PATIENTLY(l, rc, ssh_userauth_agent(l->session, NULL))
	if (rc != SSH_AUTH_SUCCESS)
		note(l, "agent (%s)", rc == SSH_AUTH_PARTIAL ? answer(rc) : "none of its keys is accepted");
	return rc;
}

/* Give libssh the passphrase of a key. libssh owns and wipes the buffer. */
static int passphrase(const char *prompt, char *buf, size_t len, int echo, int verify, void *user)
{
	struct login *l = user;
	struct mp_secret secret = {0};
	char question[PROMPT_SIZE / 2];
	int status = -1;

	(void)prompt;
	(void)echo;
	(void)verify;
	snprintf(question, sizeof(question), "passphrase of key '%s': ", l->config->key);
	if (!ask_user(l, question, &secret) && strlen(secret.text) < len) {
		memcpy(buf, secret.text, strlen(secret.text) + 1);
		status = 0;
	}
	mp_secret_wipe(&secret);
	return status;
}

static int try_key(struct login *l)
{
	const char *path = l->config->key;
	const char *home = getenv("HOME");
	char *whole = NULL;
	ssh_key key = NULL;
	int rc = SSH_AUTH_DENIED;

	if (strncmp(path, "~/", 2) == 0 && home) {
		size_t size = strlen(home) + strlen(path);

		whole = malloc(size);
		if (!whole)
			return rc;
		snprintf(whole, size, "%s%s", home, path + 1);
		path = whole;
	}
	if (access(path, R_OK))
		note(l, "key '%s' (cannot be read: %s)", path, strerror(errno));
	else if (ssh_pki_import_privkey_file(path, NULL, passphrase, l, &key) != SSH_OK)
		note(l, "key '%s' (not a private key, or the passphrase is wrong)", path);
	else
		PATIENTLY(l, rc, ssh_userauth_publickey(l->session, NULL, key))
	if (key && rc != SSH_AUTH_SUCCESS)
		note(l, "key '%s' (%s)", path, answer(rc));
	l->key_refused = key && rc == SSH_AUTH_DENIED;
	ssh_key_free(key);
	free(whole);
	return rc;
}

/* Answer one round of questions. The password answers the first hidden question once; the user answers the others. */
static int answer_round(struct login *l, const struct mp_secret *pwd, bool *used)
{
	int count = ssh_userauth_kbdint_getnprompts(l->session);

	for (int i = 0; i < count; i++) {
		struct mp_secret typed = {0};
		char echo = 0;
		const char *question = ssh_userauth_kbdint_getprompt(l->session, (unsigned)i, &echo);
		int status;

		if (pwd && !*used && !echo) {
			*used = true;
			status = ssh_userauth_kbdint_setanswer(l->session, (unsigned)i, pwd->text);
		} else {
			status = ask_user(l, question ? question : "", &typed);
			if (!status)
				status = ssh_userauth_kbdint_setanswer(l->session, (unsigned)i, typed.text);
			mp_secret_wipe(&typed);
		}
		if (status)
			return -1;
	}
	return 0;
}

static int try_keyboard(struct login *l, const struct mp_secret *pwd)
{
	bool used = false;
	int rc = SSH_AUTH_DENIED;

	for (int round = 0; round < ROUNDS_MAX; round++) {
		PATIENTLY(l, rc, ssh_userauth_kbdint(l->session, NULL, NULL))
		if (rc != SSH_AUTH_INFO)
			return rc;
		if (answer_round(l, pwd, &used))
			return SSH_AUTH_DENIED;
	}
	return SSH_AUTH_DENIED;
}

static int try_password(struct login *l)
{
	const struct mp_secret *pwd = &l->config->pwd;
	int rc;

	/* Only servers without the password method get the keyboard method: a wrong password should count once. */
	if (!takes(l, SSH_AUTH_METHOD_PASSWORD))
		rc = try_keyboard(l, pwd);
	else
		PATIENTLY(l, rc, ssh_userauth_password(l->session, NULL, pwd->text))
	l->password_refused = rc == SSH_AUTH_DENIED;
	if (rc != SSH_AUTH_SUCCESS)
		note(l, "pwd of the ini file (%s)", answer(rc));
	return rc;
}

static int try_prompt(struct login *l)
{
	struct mp_secret secret = {0};
	int rc = SSH_AUTH_DENIED;
	int tries = 0;

	if (!l->ask->password)
		return rc;
	while (rc == SSH_AUTH_DENIED && tries < PROMPT_TRIES) {
		if (!takes(l, SSH_AUTH_METHOD_PASSWORD)) {
			rc = try_keyboard(l, NULL);
		} else if (ask_user(l, "password: ", &secret)) {
			break;
		} else {
			PATIENTLY(l, rc, ssh_userauth_password(l->session, NULL, secret.text))
			mp_secret_wipe(&secret);
		}
		tries++;
	}
	mp_secret_wipe(&secret);
	l->password_refused = l->password_refused || (tries && rc == SSH_AUTH_DENIED);
	if (tries && rc != SSH_AUTH_SUCCESS)
		note(l, "prompt (%s)", answer(rc));
	return rc;
}

/* What helps, by what was tried. */
static const char *remedy(const struct login *l)
{
	if (l->password_refused)
		return "check username and pwd of the ini file";
	if (l->key_refused)
		return "ssh-copy-id puts a key into the board's authorized_keys";
	return "correct key or pwd of the ini file";
}

static int refuse(struct login *l, enum mp_board_failure *failure, struct mp_error *err)
{
	char offers[96] = "";

	if (takes(l, SSH_AUTH_METHOD_PUBLICKEY))
		strcat(offers, ", key");
	if (takes(l, SSH_AUTH_METHOD_PASSWORD | SSH_AUTH_METHOD_INTERACTIVE))
		strcat(offers, ", password");
	*failure = MP_BOARD_AUTHENTICATION;
	return mp_fail_board(err, "login failed%s; tried: %s; the board takes: %s; %s", l->board->name,
	    l->password_refused ? ": the password is refused" : "",
	    *l->tried ? l->tried : "nothing (no agent, no key and no pwd in the ini file, nobody to ask)",
	    *offers ? offers + 2 : "only unsupported methods", remedy(l));
}

/* Evaluate the result of a step. Returns 1 when logged in, 0 to continue, -1 when the connection is gone. */
static int settle(struct login *l, int rc, enum mp_board_failure *failure, struct mp_error *err)
{
	const char *reason = "no answer";

	if (rc == SSH_AUTH_SUCCESS)
		return 1;
	if (rc != SSH_AUTH_ERROR && rc != SSH_AUTH_AGAIN && ssh_is_connected(l->session))
		return 0;
	/* Servers hang up after some wrong tries; then the tries are the better reason. */
	*failure = *l->tried ? MP_BOARD_AUTHENTICATION : MP_BOARD_BROKEN;
	if (mp_board_interrupted(l->ask))
		return mp_fail_board(err, "the login was interrupted", l->board->name);
	if (ssh_get_status(l->session) & (SSH_CLOSED | SSH_CLOSED_ERROR))
		reason = mp_ssh_reason(l->session);
	return mp_fail_board(err, "the login broke off%s%s%s: %s", l->board->name,
	    l->password_refused ? ", the password is refused" : "", *l->tried ? "; tried: " : "", l->tried, reason);
}

int mp_board_log_in(struct mp_board *board, const struct mp_board_config *config, const struct mp_board_ask *ask,
    bool with_agent, bool *agent_spoiled, enum mp_board_failure *failure, struct mp_error *err)
{
	const int password = SSH_AUTH_METHOD_PASSWORD | SSH_AUTH_METHOD_INTERACTIVE;
	struct login l = {.board = board, .session = board->session, .config = config, .ask = ask};
	/* "none" makes the server list its methods; boards without a password accept "none". */
	int rc;
	int done;

	PATIENTLY(&l, rc, ssh_userauth_none(l.session, NULL))
	done = settle(&l, rc, failure, err);
	*agent_spoiled = false;
	if (!with_agent)
		note(&l, "agent (the board hung up over its keys)");
	if (!done && with_agent && takes(&l, SSH_AUTH_METHOD_PUBLICKEY)) {
		done = settle(&l, try_agent(&l), failure, err);
		*agent_spoiled = done < 0;
	}
	if (!done && config->key && takes(&l, SSH_AUTH_METHOD_PUBLICKEY))
		done = settle(&l, try_key(&l), failure, err);
	if (!done && config->pwd.text && takes(&l, password))
		done = settle(&l, try_password(&l), failure, err);
	if (!done && takes(&l, password))
		done = settle(&l, try_prompt(&l), failure, err);
	if (!done)
		return refuse(&l, failure, err);
	return done > 0 ? 0 : -1;
}
