/*
 * protocol.c: messages of JSON-RPC, one a line, and what is answered at once. Since 2026 each request tells its
 * revision of the protocol, and nothing is remembered; clients of before begin with "initialize". Both may be served at
 * a time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "mcp.h"

#define KEY "io.modelcontextprotocol/"

/* A request. What its members point to is the message's. */
struct request {
	struct mcp *m;
	char *id; /* as JSON */
	cJSON *message;
	const cJSON *params;
	bool modern; /* it tells its revision */
	bool kept;   /* the message is that of a call now */
};

/* How many bytes of a text that the client sent an error shows: whole characters. */
static int shown(const char *text)
{
	return (int)mp_cut(text, 200);
}

static const char *text_member(const cJSON *object, const char *key)
{
	return cJSON_GetStringValue(mp_json_member(object, key));
}

static bool has_version(const cJSON *versions, const char *version)
{
	const cJSON *item;

	for (item = mcp_first(versions); item; item = item->next)
		if (strcmp(item->valuestring, version) == 0)
			return true;
	return false;
}

static void put_tree(FILE *f, const cJSON *tree)
{
	char *text = cJSON_PrintUnformatted(tree);

	fputs(text ? text : "null", f);
	cJSON_free(text);
}

static void put_member(FILE *f, const struct mcp *m, const char *key)
{
	fprintf(f, "\"%s\":", key);
	put_tree(f, mp_json_member(m->server, key));
}

/*
 * The revision that a client of before 2026 gets: the one it asks for, else the newest that is not newer, since it
 * knows older ones, else the oldest.
 */
static const char *choose_version(const struct mcp *m, const char *asked)
{
	const cJSON *item, *legacy = mp_json_member(m->server, "legacy");
	const char *chosen = NULL;

	for (item = mcp_first(legacy); item; item = item->next) {
		if (!chosen || strcmp(chosen, asked) > 0)
			chosen = item->valuestring;
	}
	return chosen;
}

/* What does not change while the server runs may be kept by clients. */
static void put_cache(FILE *f)
{
	fputs(",\"ttlMs\":3600000,\"cacheScope\":\"public\"", f);
}

static void initialize(struct request *q, struct mcp_result *r)
{
	const char *asked = text_member(q->params, "protocolVersion");
	char *info = cJSON_PrintUnformatted(mp_json_member(q->m->server, "info"));

	fprintf(r->f, ",\"protocolVersion\":\"%s\",", choose_version(q->m, asked ? asked : ""));
	fprintf(r->f, "\"serverInfo\":{\"version\":\"" MSPROF_VERSION "\",%s,", info ? info + 1 : "}");
	cJSON_free(info);
	put_member(r->f, q->m, "capabilities");
	fputc(',', r->f);
	put_member(r->f, q->m, "instructions");
	q->m->initialized = true;
}

static void discover(struct request *q, struct mcp_result *r)
{
	fputs(",\"supportedVersions\":", r->f);
	put_tree(r->f, mp_json_member(q->m->server, "modern"));
	fputc(',', r->f);
	put_member(r->f, q->m, "capabilities");
	fputc(',', r->f);
	put_member(r->f, q->m, "instructions");
	put_cache(r->f);
}

static void list_tools(struct request *q, struct mcp_result *r)
{
	fprintf(r->f, ",\"tools\":%s", q->m->tool_list);
	put_cache(r->f);
}

static void list_prompts(struct request *q, struct mcp_result *r)
{
	fprintf(r->f, ",\"prompts\":%s", q->m->prompt_list);
	put_cache(r->f);
}

static void list_resources(struct request *q, struct mcp_result *r)
{
	(void)q;
	mcp_put_resources(r->f);
	put_cache(r->f);
}

static void list_templates(struct request *q, struct mcp_result *r)
{
	(void)q;
	fputs(",\"resourceTemplates\":[]", r->f);
	put_cache(r->f);
}

/* Requests whose result may be an error, comes later, or has no members. */

static void ping(struct request *q)
{
	mcp_send(q->id, "\"result\":", "{}");
}

static void read_resource(struct request *q)
{
	const char *uri = text_member(q->params, "uri");
	struct mcp_result r;

	if (!uri) {
		mcp_send_error(q->id, MCP_INVALID_PARAMS, "'uri' is missing");
	} else if (mcp_result_begin(&r, q->m)) {
		if (mcp_put_resource(r.f, uri) == 0) {
			put_cache(r.f);
			mcp_result_end(&r, q->id);
			return;
		}
		fclose(r.f); /* it is thrown away */
		free(r.text);
		mcp_send_error(q->id, q->modern ? MCP_INVALID_PARAMS : MCP_NO_RESOURCE,
		    "resource '%.*s' not found: resources/list has them", shown(uri), uri);
	}
}

static void get_prompt(struct request *q)
{
	const char *name = text_member(q->params, "name");
	const cJSON *prompt = mcp_texts_find(q->m->prompts, name), *arguments = mp_json_member(q->params, "arguments");
	const cJSON *argument;
	struct mcp_result r;

	if (!prompt) {
		mcp_send_error(
		    q->id, MCP_INVALID_PARAMS, "unknown prompt '%.*s'", name ? shown(name) : 0, name ? name : "");
		return;
	}
	for (argument = mcp_first(mp_json_member(prompt, "arguments")); argument; argument = argument->next) {
		const char *of = text_member(argument, "name");

		if (cJSON_IsTrue(mp_json_member(argument, "required")) && !text_member(arguments, of)) {
			mcp_send_error(q->id, MCP_INVALID_PARAMS, "argument '%s' is missing", of);
			return;
		}
	}
	if (mcp_result_begin(&r, q->m)) {
		mcp_put_prompt(r.f, prompt, arguments);
		mcp_result_end(&r, q->id);
	}
}

/* Remember a call, which the server starts when there is a process for it. */
static struct mcp_call *add_call(struct request *q)
{
	struct mcp *m = q->m;

	if (m->call_count == MCP_CALLS_MAX) {
		mcp_send_error(
		    q->id, MCP_INTERNAL, "%d calls are waiting: call again when one has ended", MCP_CALLS_MAX);
		return NULL;
	}
	m->calls[m->call_count] = (struct mcp_call){.id = q->id, .message = q->message, .fd = -1};
	q->kept = true;
	return &m->calls[m->call_count++];
}

static void call_tool(struct request *q)
{
	const char *name = text_member(q->params, "name");
	const cJSON *tool = mcp_texts_find(q->m->tools, name), *arguments = mp_json_member(q->params, "arguments");
	struct mcp_call *call;

	if (!tool) {
		mcp_send_error(
		    q->id, MCP_INVALID_PARAMS, "unknown tool '%.*s'", name ? shown(name) : 0, name ? name : "");
	} else if (arguments && !cJSON_IsObject(arguments)) {
		mcp_send_error(q->id, MCP_INVALID_PARAMS, "'arguments' is an object");
	} else if ((call = add_call(q)) != NULL) {
		call->tool = tool;
		call->waits = true;
	}
}

/* Nothing of what a client may subscribe to changes: the subscription is empty, and stays open. */
static void subscribe(struct request *q)
{
	char *json = NULL;
	size_t len;
	FILE *f;

	if (!add_call(q) || !(f = open_memstream(&json, &len)))
		return;
	fprintf(f, "{\"_meta\":{\"" KEY "subscriptionId\":%s},\"notifications\":{}}", q->id);
	if (!fclose(f))
		mcp_send(NULL, "\"method\":\"notifications/subscriptions/acknowledged\",\"params\":", json);
	free(json);
}

enum { LEGACY = 1, MODERN = 2, UNASKED = 4, BOTH = LEGACY | MODERN }; /* UNASKED: also before "initialize" */

static const struct method {
	const char *name;
	int eras;
	bool is_list; /* its answer is one page, so that any `cursor` is invalid */
	void (*put)(struct request *q, struct mcp_result *r);
	void (*answer)(struct request *q);
} methods[] = {{"initialize", LEGACY | UNASKED, .put = initialize}, {"ping", LEGACY | UNASKED, .answer = ping},
    {"server/discover", MODERN, .put = discover}, {"tools/list", BOTH, true, .put = list_tools},
    {"prompts/list", BOTH, true, .put = list_prompts}, {"resources/list", BOTH, true, .put = list_resources},
    {"resources/templates/list", BOTH, true, .put = list_templates}, {"resources/read", BOTH, .answer = read_resource},
    {"prompts/get", BOTH, .answer = get_prompt}, {"tools/call", BOTH, .answer = call_tool},
    {"subscriptions/listen", MODERN, .answer = subscribe}};

static const struct method *find_method(const char *name)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

static void send_version_error(const struct request *q, const char *asked)
{
	char *json = NULL;
	size_t len;
	FILE *f = open_memstream(&json, &len);

	if (!f)
		return;
	fprintf(f, "{\"code\":%d,\"message\":\"Unsupported protocol version\",\"data\":{\"supported\":", MCP_VERSION);
	put_tree(f, mp_json_member(q->m->server, "modern"));
	fputs(",\"requested\":", f);
	mp_json_quote(f, asked);
	fputs("}}", f);
	if (!fclose(f))
		mcp_send(q->id, "\"error\":", json);
	free(json);
}

/* Whether the request says all that its revision wants; else the error is sent. */
static bool check_era(struct request *q)
{
	const cJSON *meta = mp_json_member(q->params, "_meta"), *version = mp_json_member(meta, KEY "protocolVersion");

	q->modern = version != NULL;
	if (!version)
		return true;
	if (!cJSON_IsString(version))
		mcp_send_error(q->id, MCP_INVALID_PARAMS, "'" KEY "protocolVersion' is a text");
	else if (!has_version(mp_json_member(q->m->server, "modern"), version->valuestring))
		send_version_error(q, version->valuestring);
	else if (!cJSON_IsObject(mp_json_member(meta, KEY "clientCapabilities")))
		mcp_send_error(q->id, MCP_INVALID_PARAMS, "'" KEY "clientCapabilities' is missing in '_meta'");
	else
		return true;
	return false;
}

static void answer(struct request *q, const char *name)
{
	const struct method *method = find_method(name);
	struct mcp_result r;

	if (q->params && !cJSON_IsObject(q->params)) {
		mcp_send_error(q->id, MCP_INVALID_PARAMS, "'params' is an object");
		return;
	}
	if (!check_era(q))
		return;
	if (!method || (q->modern && !(method->eras & MODERN)))
		mcp_send_error(q->id, MCP_NO_METHOD, "unknown method '%.*s'", shown(name), name);
	else if (!q->modern && (!(method->eras & LEGACY) || !(q->m->initialized || (method->eras & UNASKED))))
		mcp_send_error(q->id, MCP_INVALID_PARAMS,
		    "'" KEY "protocolVersion' is missing in '_meta', and 'initialize' did not come before");
	else if (method->is_list && mp_json_member(q->params, "cursor"))
		mcp_send_error(
		    q->id, MCP_INVALID_PARAMS, "'cursor' is not one of this server: its lists have one page");
	else if (method->answer)
		method->answer(q);
	else if (mcp_result_begin(&r, q->m)) {
		method->put(q, &r);
		mcp_result_end(&r, q->id);
	}
}

/* ---- lines ---- */

/* The id as JSON; NULL: neither a text nor a whole number. */
static char *print_id(const cJSON *id)
{
	int64_t number;

	if (cJSON_IsString(id))
		return cJSON_PrintUnformatted(id);
	return mp_json_integer(id, &number) ? strdup(id->valuestring) : NULL;
}

static void cancel(struct mcp *m, const cJSON *params)
{
	char *id = print_id(mp_json_member(params, "requestId"));

	for (size_t i = 0; id && i < m->call_count; i++)
		if (m->calls[i].id && strcmp(m->calls[i].id, id) == 0) {
			free(m->calls[i].id);
			m->calls[i].id = NULL;
			m->calls[i].waits = false;
		}
	free(id);
}

static bool is_open(const struct mcp *m, const char *id)
{
	for (size_t i = 0; i < m->call_count; i++)
		if (m->calls[i].id && strcmp(m->calls[i].id, id) == 0)
			return true;
	return false;
}

/* Take a message that is an object. Returns whether a call keeps it. */
static bool take_message(struct mcp *m, cJSON *message)
{
	const cJSON *id = mp_json_member(message, "id");
	const char *method = text_member(message, "method"), *version = text_member(message, "jsonrpc");
	struct request q = {.m = m, .message = message, .params = mp_json_member(message, "params")};

	if (!method && (mp_json_member(message, "result") || mp_json_member(message, "error")))
		return false; /* an answer: nothing was asked */
	q.id = print_id(id);
	if (!method || !version || strcmp(version, "2.0") != 0 || (id && !q.id))
		mcp_send_error(q.id, MCP_INVALID, "not a request of JSON-RPC 2.0, with a text or a whole number as id");
	else if (!id && strcmp(method, "notifications/cancelled") == 0)
		cancel(m, q.params);
	else if (id && is_open(m, q.id))
		mcp_send_error(q.id, MCP_INVALID, "a request with this id is not answered yet");
	else if (id)
		answer(&q, method);
	if (!q.kept)
		free(q.id);
	return q.kept;
}

static bool is_blank(const char *line, size_t len)
{
	while (len && memchr(" \t\r", line[len - 1], 3))
		len--;
	return !len;
}

void mcp_take_line(struct mcp *m, const char *line, size_t len)
{
	const char *fault = NULL;
	cJSON *message;

	if (is_blank(line, len))
		return;
	message = mp_utf8_valid(line, len) && strlen(line) == len && !mp_json_has_nul(line)
		      ? mp_json_parse(line, len, &fault)
		      : NULL;
	if (!message)
		mcp_send_error(
		    NULL, MCP_UNREADABLE, "the line is not JSON in UTF-8, at most 100 levels deep, without NUL");
	else if (cJSON_IsArray(message))
		mcp_send_error(NULL, MCP_INVALID, "no batches: send one message a line");
	else if (!cJSON_IsObject(message))
		mcp_send_error(NULL, MCP_INVALID, "a message is an object");
	else if (take_message(m, message))
		return;
	cJSON_Delete(message);
}
