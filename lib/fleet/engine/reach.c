/* reach.c: the places of resolvers, certificates and tickets. The sandbox skips those that this machine does not have.
 */
#include "fleet/engine/engine.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/sandbox.h"
#include "fleet/wire.h"

enum { PLACES_MAX = 64 };

/* Libraries, what the C library's resolver reads, TLS, Kerberos. Of /etc no place has secrets. */
static const char *const known[] = {"/usr", "/lib", "/lib64", "/nix/store", "/dev/urandom", "/etc/ld.so.cache",
    "/etc/hosts", "/etc/resolv.conf", "/run/systemd/resolve", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
    "/etc/services", "/etc/protocols", "/etc/passwd", "/etc/localtime", "/var/lib/sss/mc", "/etc/ssl/openssl.cnf",
    "/etc/ssl/certs", "/etc/ssl/cert.pem", "/etc/pki/tls/openssl.cnf", "/etc/pki/tls/certs", "/etc/pki/tls/cert.pem",
    "/etc/pki/ca-trust", "/etc/ca-certificates", "/var/lib/ca-certificates", "/etc/crypto-policies", "/etc/krb5.conf",
    "/etc/krb5.conf.d", "/etc/gss", "/var/lib/sss/pubconf"};

struct places {
	struct mp_sandbox_place items[PLACES_MAX];
	size_t count;
};

static void add(struct places *p, const char *path)
{
	if (p->count < PLACES_MAX)
		p->items[p->count++] = (struct mp_sandbox_place){path, MP_REACH_READ};
}

static bool begins(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* The tickets of Kerberos: a file, or what a daemon or the kernel keeps. Returns MP_MAY_...; `file` holds a path. */
static unsigned add_tickets(struct places *p, char file[PATH_MAX])
{
	const char *name = getenv("KRB5CCNAME"), *config = getenv("KRB5_CONFIG");

	if (config)
		add(p, config);
	if (name && begins(name, "KEYRING:"))
		return MP_MAY_USE_KEYS;
	if (name && begins(name, "KCM:"))
		return MP_MAY_CONNECT_HERE;
	if (name)
		snprintf(file, PATH_MAX, "%s", name + (begins(name, "FILE:") ? 5 : begins(name, "DIR:") ? 4 : 0));
	else
		snprintf(file, PATH_MAX, "/tmp/krb5cc_%u", (unsigned)geteuid());
	add(p, file);
	return 0;
}

int mp_reach_confine(const char *const *files, bool *is_confined, struct mp_error *err)
{
	char tickets[PATH_MAX], certificates[PATH_MAX];
	const char *home = getenv("HOME");
	struct places p = {.count = 0};
	unsigned may = MP_MAY_CONNECT;

	if (*is_confined)
		return 0;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		add(&p, known[i]);
	may |= add_tickets(&p, tickets);
	if (home && snprintf(certificates, sizeof(certificates), "%s/.postgresql", home) < (int)sizeof(certificates))
		add(&p, certificates);
	for (; *files; files++)
		add(&p, *files);
	tzset(); /* the time zone is a file */
	if (mp_sandbox_enter(p.items, p.count, may, err) < 0)
		return -1;
	*is_confined = true;
	return 0;
}

/* A clock that progress sets back. */

enum { SECONDS_MAX = 1000000 };

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int mp_patience_limit(int64_t *limit_ms, struct mp_error *err)
{
	int64_t seconds;

	if (mp_number_setting(MP_PATIENCE_VARIABLE, "seconds", 1, SECONDS_MAX, MP_PATIENCE_S, &seconds, err))
		return -1;
	*limit_ms = seconds * 1000;
	return 0;
}

void mp_patience_renew(struct mp_patience *p)
{
	p->since_ms = now_ms();
	p->bytes = 0;
}

void mp_patience_add(struct mp_patience *p, int64_t bytes)
{
	p->bytes += bytes;
	if (p->bytes >= MP_PATIENCE_BYTES)
		mp_patience_renew(p);
}

int64_t mp_patience_left_ms(const struct mp_patience *p)
{
	int64_t left = p->since_ms + p->limit_ms - now_ms();

	return left > 0 ? left : 0;
}

int64_t mp_patience_pause(void)
{
	return now_ms();
}

void mp_patience_resume(struct mp_patience *p, int64_t begun)
{
	p->since_ms += now_ms() - begun;
}

int mp_patience_fail(const struct mp_patience *p, const char *what, struct mp_error *err)
{
	return mp_fail(err,
	    "%s: no answer, or next to none, for %lld s: set " MP_PATIENCE_VARIABLE
	    " to more seconds for a slow server",
	    what, (long long)(p->limit_ms / 1000));
}

/* Counts the rows and bytes of an answer. */

int mp_answer_row(
    struct mp_answer *answer, const char *const *cells, const uint32_t *sizes, int count, struct mp_error *err)
{
	for (int i = 0; i < count; i++)
		answer->bytes += (int64_t)sizeof(sizes[i]) + (cells[i] ? sizes[i] : 0);
	if (answer->bytes > answer->bytes_max)
		return mp_fail(err,
		    "an answer of more than %lld MiB: ask for less with --set, or set MSPROF_MAX_OUTPUT to more",
		    (long long)(answer->bytes_max >> 20));
	if (++answer->rows > MP_ANSWER_ROWS)
		return mp_fail(err, "an answer of more than %d rows: ask for less with --set", MP_ANSWER_ROWS);
	return answer->row(answer->user, cells, sizes, count, err);
}

int mp_engine_answer(int out, int64_t jobs, const char *why, struct mp_error *err)
{
	char bytes[sizeof(jobs) + sizeof(err->text)];
	const size_t len = why ? strlen(why) : 0;

	memcpy(bytes, &jobs, sizeof(jobs));
	memcpy(bytes + sizeof(jobs), why ? why : "", len);
	return mp_wire_write(out, why ? MP_WIRE_FAILED : MP_WIRE_DONE, bytes, sizeof(jobs) + len, err);
}
