/* http.c: one request after the other over a connection that libcurl keeps. */
#include "fleet/engine/clickhouse.h"

#include <curl/curl.h>
#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fleet/engine/engine.h"

enum {
	ANSWER_MAX = 1 << 20,
	ERROR_MAX = 400,
	HEADERS_MAX = 64 << 10, /* with those that say that others follow, and those behind an answer */
	CONNECT_S = 15,
	UPLOAD_SIZE = 1 << 20,
	/* What carries an answer: parts of one byte, each in a record of TLS, are 64 times as long. */
	CARRIED_MAX = 16 << 20,
	CARRIED_TIMES = 64
};

struct mp_http {
	CURL *curl;
	struct curl_slist *headers;
	const char *host;
	char base[MP_FLEET_HOST_SIZE + 16], database[MP_FLEET_NAME_SIZE];
	char curl_error[CURL_ERROR_SIZE];
	/* the current request */
	const struct mp_http_body *body;
	const char *bytes; /* of a whole body: rows, or the statement */
	size_t size;
	struct mp_error *err;
	bool refused; /* by the one who takes the answer */
	bool exception;
	size_t sent; /* of a whole body */
	size_t used;
	size_t header_bytes;
	struct mp_patience patience;
	curl_off_t uploaded;
	curl_socket_t sockets[2];       /* of IPv6 and IPv4, until one of them is connected */
	int64_t received_before, taken; /* bytes of the connection before this request; bytes of the answer */
	bool lost;                      /* every later request fails at once, with the same reason */
	struct mp_error why;
	char text[ANSWER_MAX + 1];
};

static size_t give_bytes(char *dst, size_t size, size_t count, void *user)
{
	struct mp_http *h = user;
	size_t n = h->size - h->sent;

	if (h->body->next) {
		int64_t begun = mp_patience_pause();

		n = h->body->next(h->body->user, dst, size * count);
		mp_patience_resume(&h->patience, begun);
		return n == MP_HTTP_STOP ? CURL_READFUNC_ABORT : n;
	}
	if (n > size * count)
		n = size * count;
	memcpy(dst, h->bytes + h->sent, n);
	h->sent += n;
	return n;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *user)
{
	struct mp_http *h = user;
	long status = 0;

	size *= count;
	h->taken += (int64_t)size;
	mp_patience_add(&h->patience, (int64_t)size);
	curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	if (h->body->take && status == 200 && !h->exception) {
		int64_t begun = mp_patience_pause();

		h->refused = h->body->take(h->body->user, bytes, size, h->err) != 0;
		mp_patience_resume(&h->patience, begun);
		return h->refused ? 0 : size;
	}
	if (size > ANSWER_MAX - h->used)
		return 0;
	memcpy(h->text + h->used, bytes, size);
	h->used += size;
	h->text[h->used] = '\0';
	return size;
}

/* An error may come behind a status that says success. */
static size_t take_header(char *bytes, size_t size, size_t count, void *user)
{
	static const char name[] = "X-ClickHouse-Exception-Code:";
	struct mp_http *h = user;

	size *= count;
	h->header_bytes += size;
	if (h->header_bytes > HEADERS_MAX)
		return 0;
	if (size > strlen(name) && strncasecmp(bytes, name, strlen(name)) == 0)
		h->exception = true;
	return size;
}

static curl_socket_t open_socket(void *user, curlsocktype purpose, struct curl_sockaddr *to)
{
	struct mp_http *h = user;
	curl_socket_t fd = socket(to->family, to->socktype | SOCK_CLOEXEC, to->protocol);

	(void)purpose;
	h->sockets[h->sockets[0] != CURL_SOCKET_BAD] = fd;
	return fd;
}

static int close_socket(void *user, curl_socket_t fd)
{
	struct mp_http *h = user;

	for (int i = 0; i < 2; i++)
		if (h->sockets[i] == fd)
			h->sockets[i] = CURL_SOCKET_BAD;
	return close(fd);
}

/* The bytes that the kernel took of the connection: libcurl tells of what it gives on alone. */
static int64_t received(const struct mp_http *h)
{
	int64_t bytes = 0;

	for (int i = 0; i < 2; i++) {
		struct tcp_info info = {.tcpi_state = 0};
		socklen_t size = sizeof(info);

		if (h->sockets[i] != CURL_SOCKET_BAD &&
		    getsockopt(h->sockets[i], IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
			bytes += (int64_t)info.tcpi_bytes_received;
	}
	return bytes;
}

static int lose(struct mp_http *h)
{
	h->lost = true;
	return 1;
}

/* libcurl calls this while it waits and after each part. A result other than 0 ends the request. */
static int watch(void *user, curl_off_t down_total, curl_off_t down, curl_off_t up_total, curl_off_t up)
{
	struct mp_http *h = user;
	int64_t carried = received(h);

	(void)down_total;
	(void)down;
	(void)up_total;
	mp_patience_add(&h->patience, up - h->uploaded);
	h->uploaded = up;
	if (carried < h->received_before)
		h->received_before = 0; /* a new connection */
	if (carried - h->received_before > CARRIED_MAX + CARRIED_TIMES * h->taken) {
		mp_error_set(&h->why, "%s: the server sends without end what nobody asked for", h->host);
		return lose(h);
	}
	if (mp_patience_left_ms(&h->patience))
		return 0;
	mp_patience_fail(&h->patience, h->host, &h->why);
	return lose(h);
}

static bool add_header(struct mp_http *h, const char *name, const char *value)
{
	char line[1024];
	struct curl_slist *more;

	if (strpbrk(value, "\r\n") || snprintf(line, sizeof(line), "%s: %s", name, value) >= (int)sizeof(line))
		return false;
	more = curl_slist_append(h->headers, line);
	if (more)
		h->headers = more;
	memset(line, 0, sizeof(line));
	return more != NULL;
}

/* Whether "host:port" is this machine. */
static bool is_here(const char *host)
{
	char name[MP_FLEET_HOST_SIZE];

	snprintf(name, sizeof(name), "%s", host + (host[0] == '['));
	name[host[0] == '[' ? strcspn(name, "]") : strcspn(name, ":")] = '\0';
	return mp_fleet_is_here(name);
}

/* Give up all files but those of the resolver and of TLS. */
static int confine(bool *is_confined, struct mp_error *err)
{
	const char *files[3] = {NULL};
	size_t count = 0;
#if LIBCURL_VERSION_NUM >= 0x075400
	const curl_version_info_data *built = curl_version_info(CURLVERSION_NOW);

	if (built->cainfo)
		files[count++] = built->cainfo;
	if (built->capath)
		files[count++] = built->capath;
#endif
	files[count] = NULL;
	return mp_reach_confine(files, is_confined, err);
}

static int set_up(struct mp_http *h, const struct mp_fleet_url *url, struct mp_error *err)
{
	const char *password = getenv(MP_FLEET_CLICKHOUSE_PASSWORD);
	struct curl_slist *more = curl_slist_append(NULL, "Expect:");

	h->curl = curl_easy_init();
	h->headers = more;
	if (!h->curl || !more || (url->user[0] && !add_header(h, "X-ClickHouse-User", url->user)))
		return mp_fail_memory(err, "a connection");
	if (password && !url->secure && !url->clear && !is_here(h->host))
		return mp_fail(err,
		    "%s: the password would cross the network in clear: say secure=1 in the URL, for HTTPS, or "
		    "secure=0 if it may",
		    h->host);
	if (password && !add_header(h, "X-ClickHouse-Key", password))
		return mp_fail(err, MP_FLEET_CLICKHOUSE_PASSWORD ": the password is too long, or has a line break");
	curl_easy_setopt(h->curl, CURLOPT_ERRORBUFFER, h->curl_error);
	curl_easy_setopt(h->curl, CURLOPT_HTTPHEADER, h->headers);
	curl_easy_setopt(h->curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(h->curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_S);
	curl_easy_setopt(h->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(h->curl, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(h->curl, CURLOPT_XFERINFOFUNCTION, watch);
	curl_easy_setopt(h->curl, CURLOPT_XFERINFODATA, h);
	curl_easy_setopt(h->curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
	curl_easy_setopt(h->curl, CURLOPT_OPENSOCKETDATA, h);
	curl_easy_setopt(h->curl, CURLOPT_CLOSESOCKETFUNCTION, close_socket);
	curl_easy_setopt(h->curl, CURLOPT_CLOSESOCKETDATA, h);
	if (is_here(h->host)) /* a password to this machine does not leave it */
		curl_easy_setopt(h->curl, CURLOPT_PROXY, "");
	curl_easy_setopt(h->curl, CURLOPT_UPLOAD_BUFFERSIZE, (long)UPLOAD_SIZE);
	curl_easy_setopt(h->curl, CURLOPT_READFUNCTION, give_bytes);
	curl_easy_setopt(h->curl, CURLOPT_READDATA, h);
	curl_easy_setopt(h->curl, CURLOPT_WRITEFUNCTION, take_bytes);
	curl_easy_setopt(h->curl, CURLOPT_WRITEDATA, h);
	curl_easy_setopt(h->curl, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(h->curl, CURLOPT_HEADERDATA, h);
	return 0;
}

int mp_http_open(
    struct mp_http **http, const struct mp_fleet_url *url, int host, bool *is_confined, struct mp_error *err)
{
	struct mp_http *h = calloc(1, sizeof(*h));

	*http = NULL;
	if (!h)
		return mp_fail_memory(err, "a connection");
	h->sockets[0] = h->sockets[1] = CURL_SOCKET_BAD;
	h->host = url->hosts[host];
	snprintf(h->base, sizeof(h->base), "%s://%s/", url->secure ? "https" : "http", h->host);
	snprintf(h->database, sizeof(h->database), "%s", url->database);
	if (mp_patience_limit(&h->patience.limit_ms, err) || set_up(h, url, err) || confine(is_confined, err)) {
		mp_http_free(h);
		return -1;
	}
	*http = h;
	return 0;
}

void mp_http_free(struct mp_http *h)
{
	if (!h)
		return;
	curl_easy_cleanup(h->curl);
	curl_slist_free_all(h->headers);
	free(h);
}

/* With rows in the body the statement is a parameter of the URL: `sql`, which is short. Else it is empty. */
static int set_url(struct mp_http *h, const char *sql, bool in_database, struct mp_error *err)
{
	char *escaped = curl_easy_escape(h->curl, sql, 0), *url;
	size_t size = (escaped ? strlen(escaped) : 0) + sizeof(h->base) + 256;
	CURLcode code = CURLE_OUT_OF_MEMORY;

	url = malloc(size);
	if (escaped && url) {
		snprintf(url, size, "%s?%s%s%swait_end_of_query=1&join_default_strictness=ALL%s%s", h->base,
		    in_database ? "database=" : "", in_database ? h->database : "", in_database ? "&" : "",
		    *sql ? "&query=" : "", escaped);
		code = curl_easy_setopt(h->curl, CURLOPT_URL, url);
	}
	curl_free(escaped);
	free(url);
	return code == CURLE_OK ? 0 : mp_fail_memory(err, "a request");
}

/* The first line of what a server says of an error. The caller sanitises it. */
static int fail_answer(const struct mp_http *h, long status, struct mp_error *err)
{
	int len = (int)strcspn(h->text, "\r\n");

	if (len > ERROR_MAX)
		len = ERROR_MAX;
	if (len)
		return mp_fail(err, "%s: ClickHouse: %.*s", h->host, len, h->text);
	return mp_fail(err, "%s: the server answers with the status %ld", h->host, status);
}

/* Begin a request: nothing is sent or taken yet. */
static void begin(struct mp_http *h, const char *sql, const struct mp_http_body *body, struct mp_error *err)
{
	const bool has_rows = body->next || body->size;

	h->body = body;
	h->bytes = has_rows ? body->bytes : sql;
	h->size = has_rows ? body->size : strlen(sql);
	h->err = err;
	h->used = h->sent = h->header_bytes = 0;
	h->text[0] = h->curl_error[0] = '\0';
	h->refused = h->exception = false;
	h->uploaded = 0;
	h->taken = 0;
	h->received_before = received(h);
	mp_patience_renew(&h->patience);
}

int mp_http_run(
    struct mp_http *h, const char *sql, bool in_database, const struct mp_http_body *body, struct mp_error *err)
{
	const bool has_rows = body->next || body->size;
	CURLcode code;
	long status = 0;

	if (h->lost) {
		*err = h->why;
		return -1;
	}
	begin(h, sql, body, err);
	if (set_url(h, has_rows ? sql : "", in_database, err))
		return -1;
	curl_easy_setopt(h->curl, CURLOPT_POST, 1L);
	curl_easy_setopt(h->curl, CURLOPT_POSTFIELDSIZE_LARGE, body->next ? (curl_off_t)-1 : (curl_off_t)h->size);
	code = curl_easy_perform(h->curl);
	if (h->lost) {
		*err = h->why;
		return -1;
	}
	if (h->refused)
		return -1;
	curl_easy_getinfo(h->curl, CURLINFO_RESPONSE_CODE, &status);
	if (h->header_bytes > HEADERS_MAX)
		return mp_fail(err, "%s: the answer has more than %d KiB of headers", h->host, HEADERS_MAX >> 10);
	/* of an error that is too long, or cut, the beginning says enough */
	if (h->used && (h->exception || status >= 400))
		return fail_answer(h, status, err);
	if (code != CURLE_OK)
		return mp_fail(err, "%s: %s", h->host,
		    code == CURLE_WRITE_ERROR ? "the answer is too long"
		    : h->curl_error[0]        ? h->curl_error
					      : curl_easy_strerror(code));
	return status == 200 && !h->exception ? 0 : fail_answer(h, status, err);
}

int mp_http_read(struct mp_http *h, const char *sql, const char **text, struct mp_error *err)
{
	const struct mp_http_body body = {.size = 0};

	if (mp_http_run(h, sql, false, &body, err))
		return -1;
	if (strlen(h->text) != h->used)
		return mp_fail(err, "%s: an answer that ClickHouse does not give: is it another server?", h->host);
	*text = h->text;
	return 0;
}

int mp_http_number(struct mp_http *h, const char *sql, int64_t *number, struct mp_error *err)
{
	const char *text;
	char *end;

	if (mp_http_read(h, sql, &text, err))
		return -1;
	errno = 0;
	*number = strtoll(text, &end, 10);
	if (errno || end == text || strcmp(end, "\n") != 0)
		return mp_fail(err, "%s: an answer that ClickHouse does not give: is it another server?", h->host);
	return 0;
}
