/* url.c: reads postgresql://… only as far as needed to refuse a password, and clickhouse://… as a whole. */
#include "fleet/url.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

static int hex_digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* Copy len bytes with %XX decoded. Returns 0, or -1 for a wrong escape, a NUL or a text too long. */
static int decode(char *dst, size_t size, const char *text, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		int c = (unsigned char)text[i];

		if (c == '%') {
			int high = i + 2 < len ? hex_digit(text[i + 1]) : -1;
			int low = i + 2 < len ? hex_digit(text[i + 2]) : -1;

			if (high < 0 || low < 0)
				return -1;
			c = high * 16 + low;
			i += 2;
		}
		if (!c || used + 1 >= size)
			return -1;
		dst[used++] = (char)c;
	}
	dst[used] = '\0';
	return 0;
}

bool mp_fleet_is_here(const char *host)
{
	struct in6_addr six;
	struct in_addr four;

	if (inet_pton(AF_INET, host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127;
	if (inet_pton(AF_INET6, host, &six) == 1)
		return IN6_IS_ADDR_LOOPBACK(&six);
	return strcmp(host, "localhost") == 0;
}

static int refuse_password(enum mp_fleet_engine engine, struct mp_error *err)
{
	return mp_fail(err, "--to: a URL with a password is refused, because other users can read it; %s",
	    engine == MP_FLEET_POSTGRESQL ? "put the password into ~/.pgpass or the variable PGPASSWORD"
					  : "put the password into the variable " MP_FLEET_CLICKHOUSE_PASSWORD);
}

/*
 * A password of which '/' or '?' was not escaped, before an '@', is not one to a parser: then a part of it is a port,
 * a database or a parameter, and would be shown. What follows a colon may only be a port, and no '@' comes behind that.
 */
static bool has_hidden_password(const char *at)
{
	const char *end = strchr(at, '@'), *query = strchr(at, '?');
	bool in_query = end && query && query < end;

	for (; end && at < end && *at != '/' && *at != '?'; at++) {
		if (*at == '[')
			at += strcspn(at, "]@") - 1; /* an address with colons */
		else if (*at == ':' && (!in_query || !strchr(",/?", at[1 + strspn(at + 1, "0123456789")])))
			return true;
	}
	return false;
}

/* A name of ClickHouse that needs no quotes. */
static bool is_name(const char *text)
{
	return *text && strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(text);
}

static int set_parameter(struct mp_fleet_url *url, const char *key, const char *value, struct mp_error *err)
{
	/* the last three are of libpq 18 */
	static const char *const secrets[] = {
	    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"};

	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++)
		if (strcmp(key, secrets[i]) == 0)
			return refuse_password(url->engine, err);
	if (url->engine == MP_FLEET_POSTGRESQL)
		return 0;
	if (strcmp(key, "cluster") == 0 && is_name(value)) {
		snprintf(url->cluster, sizeof(url->cluster), "%.*s", MP_FLEET_NAME_SIZE - 1, value);
		return 0;
	}
	if (strcmp(key, "secure") == 0 && (strcmp(value, "0") == 0 || strcmp(value, "1") == 0)) {
		url->secure = *value == '1';
		url->clear = !url->secure;
		return 0;
	}
	return mp_fail(err,
	    "--to: '%s' is not a parameter of clickhouse://… (cluster, secure), or has an invalid value",
	    is_name(key) ? key : "…");
}

/* "?key=value&key=value" */
static int read_parameters(struct mp_fleet_url *url, const char *at, struct mp_error *err)
{
	while (*at) {
		size_t len = strcspn(++at, "&"), key_len = strcspn(at, "=&");
		char key[MP_FLEET_NAME_SIZE], value[1024] = "";

		if (decode(key, sizeof(key), at, key_len) ||
		    (key_len < len && decode(value, sizeof(value), at + key_len + 1, len - key_len - 1)))
			return mp_fail(err, "--to: the parameters of the URL cannot be read");
		if (set_parameter(url, key, value, err))
			return -1;
		at += len;
	}
	return 0;
}

static int read_hosts(struct mp_fleet_url *url, const char *at, size_t len, struct mp_error *err)
{
	const char *end = at + len;

	while (at < end || url->host_count == 0) {
		size_t part = strcspn(at, ",/?");
		char *host;

		if (url->host_count == MP_FLEET_SHARD_MAX)
			return mp_fail(err, "--to: more than %d shards", MP_FLEET_SHARD_MAX);
		host = url->hosts[url->host_count];
		if (part + sizeof(":8123") > MP_FLEET_HOST_SIZE || (part == 0 && len > 0) ||
		    strcspn(at, " \t\"'\\@#%{}") < part)
			return mp_fail(err, "--to: a host of the URL cannot be read");
		if (part == 0)
			snprintf(host, MP_FLEET_HOST_SIZE, "localhost");
		else
			snprintf(host, MP_FLEET_HOST_SIZE, "%.*s", (int)part, at);
		if (!strchr(host + strcspn(host, "]"), ':') && !(strchr(host, ':') && host[0] != '['))
			strcat(host, url->secure ? ":8443" : ":8123"); /* the size was checked */
		url->host_count++;
		at += part + (at + part < end);
	}
	return 0;
}

static int parse_clickhouse(struct mp_fleet_url *url, const char *at, struct mp_error *err)
{
	size_t len = strcspn(at, "/?");
	const char *query = at + strcspn(at, "?"), *user_end = memchr(at, '@', len), *path;

	if (read_parameters(url, query, err))
		return -1;
	if (user_end) {
		if (memchr(at, ':', (size_t)(user_end - at)))
			return refuse_password(url->engine, err);
		if (decode(url->user, sizeof(url->user), at, (size_t)(user_end - at)) || strpbrk(url->user, "\r\n"))
			return mp_fail(err, "--to: the user of the URL cannot be read");
		len -= (size_t)(user_end + 1 - at);
		at = user_end + 1;
	}
	if (read_hosts(url, at, len, err))
		return -1;
	path = at + len + (at[len] == '/');
	if (path < query && decode(url->database, sizeof(url->database), path, (size_t)(query - path)))
		return mp_fail(err, "--to: the database of the URL cannot be read");
	if (!url->database[0])
		snprintf(url->database, sizeof(url->database), "default");
	if (!is_name(url->database))
		return mp_fail(err, "--to: the name of the database has other characters than letters, digits and '_'");
	if (url->host_count > 1 && !url->cluster[0])
		return mp_fail(
		    err, "--to: several shards need the name of their cluster: …/%s?cluster=NAME", url->database);
	return 0;
}

/* As libpq does: what is before the first '@' is the user, unless a '/' comes before. */
static int parse_postgresql(struct mp_fleet_url *url, const char *at, struct mp_error *err)
{
	size_t user = strcspn(at, "@/"), query = strcspn(at, "?");

	url->host_count = 1;
	if (at[user] == '@' && memchr(at, ':', user))
		return refuse_password(url->engine, err);
	return read_parameters(url, at + query, err);
}

/* "/DIR", of this machine */
static int parse_lake(struct mp_fleet_url *url, const char *at, struct mp_error *err)
{
	url->host_count = 1;
	if (*at != '/' || !at[1] || decode(url->path, sizeof(url->path), at, strlen(at)))
		return mp_fail(err, "--to: a directory of this machine is file:///DIR");
	return 0;
}

int mp_fleet_url_parse(struct mp_fleet_url *url, const char *text, struct mp_error *err)
{
	static const struct {
		const char *scheme;
		enum mp_fleet_engine engine;
	} schemes[] = {{"postgresql://", MP_FLEET_POSTGRESQL}, {"postgres://", MP_FLEET_POSTGRESQL},
	    {"clickhouse://", MP_FLEET_CLICKHOUSE}, {"file://", MP_FLEET_LAKE}};

	memset(url, 0, sizeof(*url));
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		size_t len = strlen(schemes[i].scheme);

		if (strncmp(text, schemes[i].scheme, len) != 0)
			continue;
		url->engine = schemes[i].engine;
		if (url->engine == MP_FLEET_LAKE)
			return parse_lake(url, text + len, err);
		if (has_hidden_password(text + len))
			return refuse_password(url->engine, err);
		return url->engine == MP_FLEET_POSTGRESQL ? parse_postgresql(url, text + len, err)
							  : parse_clickhouse(url, text + len, err);
	}
	return mp_fail(err,
	    "--to needs a URL: postgresql://USER@HOST/DATABASE, clickhouse://USER@HOST:8123/DATABASE or file:///DIR");
}
