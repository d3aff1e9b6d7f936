/* cmd_mcp.c: msprof mcp: reads the lines of a client, and runs the calls of tools, each in a process of its own. */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "mcp.h"
#include "process.h"

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- calls ---- */

static void forget_call(struct mcp *m, struct mcp_call *call)
{
	free(call->id);
	free(call->text);
	cJSON_Delete(call->message);
	m->call_count--;
	memmove(call, call + 1, (size_t)(&m->calls[m->call_count] - call) * sizeof(*call));
}

/* Calls that the client has cancelled: end their processes, which takes the part files that they write with it. */
static void end_cancelled(struct mcp *m)
{
	for (size_t i = m->call_count; i-- > 0;) {
		if (m->calls[i].id)
			continue;
		if (m->calls[i].pid)
			kill(m->calls[i].pid, SIGTERM);
		else
			forget_call(m, &m->calls[i]);
	}
}

/* In a new process: run the call, without the results of others. */
_Noreturn static void begin_call(const struct mcp *m, const struct mcp_call *call, int fd)
{
	for (size_t i = 0; i < m->call_count; i++)
		if (m->calls[i].pid > 0)
			close(m->calls[i].fd); /* only the server reads it */
	mcp_call_run(m, call->tool, mp_json_member(mp_json_member(call->message, "params"), "arguments"), fd);
}

static void start_call(struct mcp *m, struct mcp_call *call)
{
	const pid_t server = getpid();
	int fds[2];

	call->waits = false;
	if (pipe2(fds, O_CLOEXEC)) {
		mcp_send_failure(m, call->id, strerror(errno));
		forget_call(m, call);
		return;
	}
	call->pid = fork();
	if (call->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() == server)
			begin_call(m, call, fds[1]);
		_exit(EXIT_FAILED);
	}
	close(fds[1]); /* only the process writes */
	call->fd = fds[0];
	call->end_ms = now_ms() + m->limit_ms;
	if (call->pid < 0) {
		close(call->fd); /* nothing was read */
		mcp_send_failure(m, call->id, strerror(errno));
		forget_call(m, call);
	}
}

static size_t running(const struct mcp *m)
{
	size_t count = 0;

	for (size_t i = 0; i < m->call_count; i++)
		count += m->calls[i].pid > 0;
	return count;
}

/* Start calls that wait, in the order of their requests. Subscriptions neither wait nor run. */
static void start_calls(struct mcp *m)
{
	size_t i = 0;

	while (i < m->call_count && running(m) < MCP_RUNNING_MAX) {
		const size_t count = m->call_count;

		if (m->calls[i].waits)
			start_call(m, &m->calls[i]);
		i += m->call_count == count; /* else it could not start, and the next one is here */
	}
}

/* Whether the bytes of a process are a result: whatever a job made of it, it is one object on one line. */
static bool is_result(const struct mcp_call *call)
{
	return call->len && mp_json_is_object(call->text, call->len) && mp_utf8_valid(call->text, call->len) &&
	       !memchr(call->text, '\n', call->len);
}

/* The process has closed its end: hand its result on. */
static void end_call(struct mcp *m, struct mcp_call *call)
{
	int status = 0;
	char why[128];

	close(call->fd); /* only read */
	while (waitpid(call->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!call->id) {
		/* cancelled */
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && is_result(call)) {
		mcp_send(call->id, "\"result\":", call->text);
	} else {
		if (now_ms() >= call->end_ms)
			snprintf(why, sizeof(why),
			    "stopped after %lld s: ask for less, or run 'msprof import' on the job once",
			    (long long)(m->limit_ms / 1000));
		else
			snprintf(why, sizeof(why), "the process of this call ended without a result (status 0x%x)",
			    (unsigned)status);
		mcp_send_failure(m, call->id, why);
	}
	forget_call(m, call);
}

/* Read what a process has written. */
static void read_call(struct mcp *m, struct mcp_call *call)
{
	enum { CHUNK = 1 << 16 };
	char *text = realloc(call->text, call->len + CHUNK + 1);
	ssize_t got;

	if (text)
		call->text = text;
	got = text && call->len < MCP_RESULT_MAX ? read(call->fd, text + call->len, CHUNK) : 0;
	if (got < 0 && errno == EINTR)
		return;
	if (got > 0) {
		call->len += (size_t)got;
		call->text[call->len] = '\0';
		return;
	}
	if (call->id && call->len >= MCP_RESULT_MAX) {
		mcp_send_failure(m, call->id, "a row is larger than a result may be: choose fewer columns");
		free(call->id);
		call->id = NULL;
	}
	if (!text || got < 0 || !call->id)
		kill(call->pid, SIGTERM);
	end_call(m, call);
}

/* ---- the client ---- */

struct input {
	char *line; /* MCP_LINE_MAX + 1 bytes */
	size_t len;
	bool skips; /* the rest of a line that was too long */
	bool ended;
};

static void take_lines(struct mcp *m, struct input *in)
{
	char *begin = in->line, *end;

	while ((end = memchr(begin, '\n', in->len - (size_t)(begin - in->line))) != NULL) {
		*end = '\0';
		if (!in->skips)
			mcp_take_line(m, begin, (size_t)(end - begin));
		in->skips = false;
		begin = end + 1;
	}
	in->len -= (size_t)(begin - in->line);
	memmove(in->line, begin, in->len);
	if (in->len < MCP_LINE_MAX)
		return;
	if (!in->skips)
		mcp_send_error(NULL, MCP_UNREADABLE, "a line is longer than %d bytes", MCP_LINE_MAX);
	in->skips = true;
	in->len = 0;
}

static void read_input(struct mcp *m, struct input *in)
{
	ssize_t got = read(STDIN_FILENO, in->line + in->len, MCP_LINE_MAX - in->len);

	if (got < 0 && errno == EINTR)
		return;
	if (got > 0) {
		in->len += (size_t)got;
		take_lines(m, in);
		return;
	}
	in->ended = true;
	in->line[in->len] = '\0';
	if (in->len && !in->skips)
		mcp_take_line(m, in->line, in->len);
}

/* How long to wait for the next call that has taken too long. */
static int wait_ms(const struct mcp *m)
{
	const int64_t now = now_ms();
	int64_t least = -1;

	for (size_t i = 0; i < m->call_count; i++) {
		int64_t left = m->calls[i].end_ms > now ? m->calls[i].end_ms - now : 1000; /* it is asked to end */

		if (m->calls[i].pid && (least < 0 || left < least))
			least = left;
	}
	return (int)least;
}

static void end_late_calls(struct mcp *m)
{
	const int64_t now = now_ms();

	for (size_t i = 0; i < m->call_count; i++)
		if (m->calls[i].pid && now >= m->calls[i].end_ms)
			kill(m->calls[i].pid, now < m->calls[i].end_ms + 2000 ? SIGTERM : SIGKILL);
}

/* One round: wait for the client or a process, and take what is there. Returns whether the client reads on. */
static bool serve_once(struct mcp *m, struct input *in)
{
	struct pollfd fds[MCP_CALLS_MAX + 2] = {
	    {.fd = in->ended ? -1 : STDIN_FILENO, .events = POLLIN}, {.fd = STDOUT_FILENO, .events = 0}};
	const size_t count = m->call_count;

	for (size_t i = 0; i < count; i++)
		fds[i + 2] = (struct pollfd){.fd = m->calls[i].pid ? m->calls[i].fd : -1, .events = POLLIN};
	if (poll(fds, count + 2, wait_ms(m)) < 0)
		return errno == EINTR;
	/* from the last one on: those behind a call that ends move up */
	for (size_t i = count; i-- > 0;)
		if (fds[i + 2].revents)
			read_call(m, &m->calls[i]);
	end_late_calls(m);
	if (fds[0].revents)
		read_input(m, in);
	end_cancelled(m);
	start_calls(m);
	return !(fds[1].revents & (POLLERR | POLLHUP)); /* a pipe, or a socket */
}

/* Until the client closes our input, and all its calls are answered, or it is gone. */
static void serve(struct mcp *m, struct input *in)
{
	while (!in->ended || running(m))
		if (!serve_once(m, in))
			break;
}

static int open_root(struct mcp *m, const struct options *o, struct mp_error *err)
{
	struct options of_root = {.values = {[OPTION_DIR] = "."}};

	m->limit_ms = options_number(o, OPTION_CALL_TIME) * 1000;
	mcp_send_within((int)m->limit_ms);
	m->nullfd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (m->nullfd < 0)
		return mp_fail_errno(err, "cannot open '/dev/null'");
	if (chdir(o->values[OPTION_DIR]))
		return mp_fail_errno(err, "cannot open '%s'", o->values[OPTION_DIR]);
	return confine_server(&of_root, err) || mcp_texts_load(m, err) ? -1 : 0;
}

static int run_mcp(const struct command *command, const struct options *o)
{
	static struct mcp m; /* large, and there is one: the stack is small */
	struct input in = {.line = malloc(MCP_LINE_MAX + 1)};
	struct mp_error err;
	int status = in.line ? open_root(&m, o, &err) : mp_fail_memory(&err, "the lines of a client");

	(void)command;
	if (status)
		message_failure(&err);
	else
		serve(&m, &in);
	while (m.call_count)
		forget_call(&m, m.calls);
	mcp_texts_free(&m);
	free(in.line);
	return status ? EXIT_FAILED : EXIT_OK;
}

const struct command command_mcp = {
    .name = "mcp",
    .summary = "serve jobs to agents (Model Context Protocol)",
    .usages = {"[-dir] DIR [OPTION]..."},
    .needs = NEEDS_JOB,
    .options = {TAKES(DIR), TAKES(CALL_TIME), TAKES(HELP)},
    .run = run_mcp,
};
