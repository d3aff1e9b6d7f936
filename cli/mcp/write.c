/* write.c: writes messages of JSON-RPC, one a line: results and errors. Nothing else writes to standard output. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "mcp.h"

static int patience_ms;

void mcp_send_within(int ms)
{
	patience_ms = ms;
}

/*
 * The client is gone when a write fails: SIGPIPE ends the server, and the server its processes. One that reads nothing
 * is given up. Where there is room, a part of this size is written without waiting.
 */
static void write_line(const char *line, size_t len)
{
	while (len) {
		struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
		int ready = poll(&out, 1, patience_ms);
		ssize_t wrote = ready > 0 ? write(STDOUT_FILENO, line, len < PIPE_BUF ? len : PIPE_BUF) : ready;

		if (!ready) {
			message_error("the client has read nothing for %d s", patience_ms / 1000);
			_exit(EXIT_FAILED);
		}
		if (wrote < 0 && errno != EINTR) {
			message_error("cannot write standard output: %s", strerror(errno));
			_exit(EXIT_FAILED);
		}
		line += wrote < 0 ? 0 : wrote;
		len -= wrote < 0 ? 0 : (size_t)wrote;
	}
}

void mcp_put_json(FILE *f, const char *json)
{
	const char *plain = json, *at = json;
	size_t len = strlen(json);

	while (len) {
		int32_t cp;
		size_t step = mp_utf8_next(at, len, &cp);

		if (cp >= 0x7f && mp_is_control(cp)) {
			fprintf(f, "%.*s\\u%04x", (int)(at - plain), plain, (unsigned)cp);
			plain = at + step;
		}
		at += step;
		len -= step;
	}
	fputs(plain, f);
}

void mcp_send(const char *id, const char *kind, const char *json)
{
	char *line = NULL;
	size_t len;
	FILE *f = open_memstream(&line, &len);

	if (f) {
		fputs("{\"jsonrpc\":\"2.0\"", f);
		if (id)
			fputs(",\"id\":", f);
		mcp_put_json(f, id ? id : "");
		fprintf(f, ",%s", kind);
		mcp_put_json(f, json);
		fputs("}\n", f);
	}
	if (!f || fclose(f)) {
		message_error("out of memory for an answer");
		free(line);
		return;
	}
	write_line(line, len);
	free(line);
}

void mcp_send_error(const char *id, int code, const char *fmt, ...)
{
	char text[512], *json = NULL;
	size_t len;
	FILE *f = open_memstream(&json, &len);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	text[mp_cut(text, sizeof(text) - 1)] = '\0';
	if (!f)
		return;
	fprintf(f, "{\"code\":%d,\"message\":", code);
	mp_json_quote(f, text);
	fputc('}', f);
	if (!fclose(f))
		mcp_send(id, "\"error\":", json);
	free(json);
}

bool mcp_result_begin(struct mcp_result *r, const struct mcp *m)
{
	r->f = open_memstream(&r->text, &r->len);
	if (r->f)
		fputs(m->meta, r->f);
	return r->f != NULL;
}

void mcp_result_end(struct mcp_result *r, const char *id)
{
	fputc('}', r->f);
	if (fclose(r->f))
		mcp_send_error(id, MCP_INTERNAL, "out of memory");
	else
		mcp_send(id, "\"result\":", r->text);
	free(r->text);
}

/* The object of a call without a document, as text; NULL: out of memory. */
static char *print_failure(const char *why)
{
	char *object = NULL;
	size_t len;
	FILE *f = open_memstream(&object, &len);

	if (!f)
		return NULL;
	fprintf(f, "{\"status\":%d,\"messages\":[", EXIT_FAILED);
	mp_json_quote(f, why);
	fputs("],\"document\":null}", f);
	if (!fclose(f))
		return object;
	free(object);
	return NULL;
}

void mcp_send_failure(const struct mcp *m, const char *id, const char *why)
{
	char *object = print_failure(why);
	struct mcp_result r;

	if (object && mcp_result_begin(&r, m)) {
		fputs(",\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":", r.f);
		mp_json_quote(r.f, object);
		fprintf(r.f, "}],\"structuredContent\":%s", object);
		mcp_result_end(&r, id);
	} else {
		mcp_send_error(id, MCP_INTERNAL, "out of memory");
	}
	free(object);
}
