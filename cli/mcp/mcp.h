/*
 * mcp.h: msprof as a server of the Model Context Protocol on standard input and output.
 *
 * One process reads lines, and answers all that needs no job (protocol.c). Each call of a tool is a child that runs a
 * command of msprof with its output in a file, in a sandbox of its own (call.c); it hands one line back (page.c). What
 * tools, prompts and the server are called and say is text in schema/mcp.
 */
#ifndef MSPROF_MCP_H
#define MSPROF_MCP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/json.h"
#include "command.h"

enum {
	MCP_LINE_MAX = 1 << 20,   /* bytes of a message */
	MCP_RESULT_MAX = 4 << 20, /* bytes of a result that a child hands back */
	MCP_PAGE_BYTES = 1 << 18, /* of a document: no further row begins */
	MCP_ROWS = 50,            /* of a page, unless `limit` says otherwise */
	MCP_ROWS_MAX = 1000,
	MCP_CALLS_MAX = 64, /* calls and subscriptions at a time */
	MCP_RUNNING_MAX = 4
};

/* Errors of JSON-RPC, and of the protocol. */
enum {
	MCP_UNREADABLE = -32700,
	MCP_INVALID = -32600,
	MCP_NO_METHOD = -32601,
	MCP_INVALID_PARAMS = -32602,
	MCP_INTERNAL = -32603,
	MCP_NO_RESOURCE = -32002, /* before 2026 */
	MCP_VERSION = -32022
};

/* The first element of an array, or member of an object; NULL: the item is empty. */
static inline cJSON *mcp_first(const cJSON *item)
{
	return item ? item->child : NULL;
}

/* A call of a tool, or a subscription, which has no process and ends when it is cancelled. */
struct mcp_call {
	char *id; /* as JSON; NULL: cancelled */
	bool waits;
	const cJSON *tool;
	cJSON *message; /* the request */
	pid_t pid;      /* 0: none */
	int fd;         /* where the process writes its result */
	int64_t end_ms; /* when it has taken too long */
	char *text;     /* the result so far */
	size_t len;
};

struct mcp {
	int64_t limit_ms; /* of a call */
	int nullfd;       /* /dev/null, for children */
	cJSON *server, *tools, *prompts;
	char *tool_list, *prompt_list; /* as clients get them */
	char *meta;                    /* what each result begins with */
	bool initialized;              /* a client of an older revision is there */
	struct mcp_call calls[MCP_CALLS_MAX];
	size_t call_count;
};

/* Read the texts of schema/mcp. 0, or -1 with err; free with mcp_texts_free in any case. */
int mcp_texts_load(struct mcp *m, struct mp_error *err);
void mcp_texts_free(struct mcp *m);

/* The tool or prompt of this name in a list of schema/mcp; NULL: none. */
const cJSON *mcp_texts_find(const cJSON *list, const char *name);

/* Write the body of a result, after its first members: a list of resources, one of them, a prompt. */
void mcp_put_resources(FILE *f);
int mcp_put_resource(FILE *f, const char *uri);                            /* -1: resource not found */
void mcp_put_prompt(FILE *f, const cJSON *prompt, const cJSON *arguments); /* arguments may be NULL */
void mcp_put_json(FILE *f, const char *json); /* a text of JSON, with control characters as \uNNNN */

/* Take a line of the client, and answer it, unless it is a call. */
void mcp_take_line(struct mcp *m, const char *line, size_t len);

/* Write a message: a result, or an error, of this id (JSON; NULL: not known). */
void mcp_send(const char *id, const char *kind, const char *json);
void mcp_send_error(const char *id, int code, const char *fmt, ...) MP_PRINTF(3, 4);

/* A client that reads nothing for this time is given up: the process ends. */
void mcp_send_within(int ms);

/* A result that is being written: its first members are there. */
struct mcp_result {
	char *text;
	size_t len;
	FILE *f; /* NULL: out of memory */
};

bool mcp_result_begin(struct mcp_result *r, const struct mcp *m);
void mcp_result_end(struct mcp_result *r, const char *id);

/* The result of a call that its process could not make. */
void mcp_send_failure(const struct mcp *m, const char *id, const char *why);

/* In a child: run the tool, and write its result to fd; never returns. */
_Noreturn void mcp_call_run(const struct mcp *m, const cJSON *tool, const cJSON *arguments, int fd);

/* Tools that are no commands: the jobs below a directory, and the merged timeline of a job. */
extern const struct command mcp_command_jobs, mcp_command_timeline;

/*
 * Leave only `limit` rows of a document, from row `from` on. Rows are the elements of arrays named "rows", and those of
 * other arrays of objects without such an array in them. An object without rows is one. Numbers keep their digits.
 * Returns whether more rows follow; *next is the number of the next one.
 */
bool mcp_page(cJSON *document, int64_t from, int64_t limit, int64_t *next);

/* Members named more_rows count what mcp_page drops, too. */

#endif
