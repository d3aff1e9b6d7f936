/* call.c: a call of a tool, in a process of its own: its arguments become the words of a command, whose document is cut
 * to a page. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "commands.h"
#include "mcp.h"
#include "process.h"
#include "terminal.h"

enum { WORDS_MAX = 48, DOCUMENT_MAX = 32 << 20, MESSAGES_MAX = 1 << 14, CURSOR_DIGITS = 12 };

struct words {
	char *items[WORDS_MAX + 1]; /* of a command line; ends with NULL */
	int count;
};

static int add_word(struct words *w, const char *text, struct mp_error *err)
{
	if (w->count == WORDS_MAX)
		return mp_fail(err, "too many arguments");
	w->items[w->count] = strdup(text);
	return w->items[w->count++] ? 0 : mp_fail_memory(err, "an argument");
}

/* ---- places: below the root, which is the current directory ---- */

static bool goes_up(const char *path)
{
	for (; *path; path += strspn(path, "/")) {
		size_t len = strcspn(path, "/");

		if (len == 2 && memcmp(path, "..", 2) == 0)
			return true;
		path += len;
	}
	return false;
}

/* A file or directory below the root, with no link on the way. */
static int check_place(char path[PATH_MAX], struct mp_error *err)
{
	char *slash = strrchr(path, '/');
	int dirfd, type;

	*slash = '\0';
	dirfd = mp_dir_open_below(".", slash == path + 1 ? "./." : path, err);
	*slash = '/';
	if (dirfd < 0)
		return -1;
	type = mp_dir_type(dirfd, slash[1] ? slash + 1 : ".", path, err);
	close(dirfd); /* nothing was written with it */
	if (type < 0)
		return -1;
	if (!type)
		return mp_fail(err, "'%s' not found below the root: 'list' has the jobs", path + 2);
	return type == S_IFDIR || type == S_IFREG
		   ? 0
		   : mp_fail(err, "'%s' is a link or a special file: it is not followed", path + 2);
}

/* A path of the client's as a word: relative to the root, and below it. */
static int add_place(struct words *w, const char *text, struct mp_error *err)
{
	char path[PATH_MAX];
	size_t len = (size_t)snprintf(path, sizeof(path), "./%s", text);

	if (len >= sizeof(path))
		return mp_fail(err, "path too long: '%.64s...'", text);
	if (*text == '/' || goes_up(text))
		return mp_fail(err, "'%s' is not below the root: paths are relative to it, without '..'", text);
	while (len > 2 && path[len - 1] == '/')
		path[--len] = '\0';
	return check_place(path, err) || add_word(w, len > 2 && strcmp(path, "./.") != 0 ? path : ".", err) ? -1 : 0;
}

/* ---- arguments ---- */

/* An argument is an option of the command: model_id is --model-id. */
static int add_option(struct words *w, const cJSON *argument, struct mp_error *err)
{
	char name[64];
	int64_t number;

	if (cJSON_IsFalse(argument))
		return 0;
	snprintf(name, sizeof(name), "--%s", argument->string);
	for (char *c = name; (c = strchr(c, '_')) != NULL;)
		*c = '-';
	if (add_word(w, name, err))
		return -1;
	if (cJSON_IsTrue(argument))
		return 0;
	if (cJSON_IsNumber(argument) && !mp_json_integer(argument, &number))
		return mp_fail(err, "'%s' is a whole number, not %s", argument->string, argument->valuestring);
	return add_word(w, argument->valuestring, err);
}

static bool has_type(const cJSON *argument, const char *type)
{
	return strcmp(type, "string") == 0    ? cJSON_IsString(argument)
	       : strcmp(type, "integer") == 0 ? cJSON_IsNumber(argument)
					      : cJSON_IsBool(argument);
}

/* Whether the tool takes the argument with its type. */
static int check_argument(const cJSON *tool, const cJSON *argument, struct mp_error *err)
{
	const cJSON *properties = mp_json_member(mp_json_member(tool, "inputSchema"), "properties"), *property;
	const char *type = cJSON_GetStringValue(mp_json_member(mp_json_member(properties, argument->string), "type"));
	char names[256] = "";
	size_t used = 0;

	if (type && has_type(argument, type))
		return 0;
	if (type)
		return mp_fail(err, "argument '%s' is of type %s", argument->string, type);
	for (property = mcp_first(properties); property; property = property->next)
		if (used < sizeof(names))
			used += (size_t)snprintf(
			    names + used, sizeof(names) - used, "%s%s", used ? ", " : "", property->string);
	return mp_fail(err, "unknown argument '%.64s'; there are: %s", argument->string, names);
}

static bool is_place(const cJSON *tool, const char *name)
{
	const cJSON *item;

	for (item = mcp_first(mp_json_member(mp_json_member(tool, "call"), "paths")); item; item = item->next)
		if (strcmp(item->valuestring, name) == 0)
			return true;
	return false;
}

/* What the client wants of the rows. */
struct wanted {
	int64_t from, limit;
};

static int take_wanted(struct wanted *p, const cJSON *argument, struct mp_error *err)
{
	const char *text = argument->valuestring;

	if (strcmp(argument->string, "limit") == 0)
		return mp_json_integer(argument, &p->limit) && p->limit >= 1 && p->limit <= MCP_ROWS_MAX
			   ? 0
			   : mp_fail(err, "'limit' is 1 to %d", MCP_ROWS_MAX);
	return strlen(text) <= CURSOR_DIGITS && option_read_number(text, strlen(text), &p->from)
		   ? 0
		   : mp_fail(err, "'next' is not that of a result");
}

/* An argument that is not a place: of the page, or an option. */
static int add_argument(
    struct words *w, struct wanted *p, const cJSON *tool, const cJSON *argument, struct mp_error *err)
{
	if (check_argument(tool, argument, err))
		return -1;
	if (strcmp(argument->string, "limit") == 0 || strcmp(argument->string, "next") == 0)
		return take_wanted(p, argument, err);
	return is_place(tool, argument->string) ? 0 : add_option(w, argument, err);
}

static int add_arguments(
    struct words *w, struct wanted *p, const cJSON *tool, const cJSON *arguments, struct mp_error *err)
{
	const cJSON *item;

	for (item = mcp_first(arguments); item; item = item->next)
		if (add_argument(w, p, tool, item, err))
			return -1;
	for (item = mcp_first(mp_json_member(mp_json_member(tool, "inputSchema"), "required")); item; item = item->next)
		if (!mp_json_member(arguments, item->valuestring))
			return mp_fail(err, "argument '%s' is missing", item->valuestring);
	for (item = mcp_first(mp_json_member(mp_json_member(tool, "call"), "paths")); item; item = item->next) {
		const char *path = cJSON_GetStringValue(mp_json_member(arguments, item->valuestring));

		if (add_place(w, path ? path : ".", err))
			return -1;
	}
	return 0;
}

/* ---- the command ---- */

static const struct command *find_command(const struct words *w, int *next)
{
	static const struct command *const own[] = {&mcp_command_jobs, &mcp_command_timeline};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(w->items[1], own[i]->name) == 0) {
			*next = 2;
			return own[i];
		}
	return commands_find(w->count, (char **)w->items, 1, next);
}

/* More rows than the page has: one tells that more follow. */
static int add_top(struct words *w, const struct command *command, const struct wanted *p, struct mp_error *err)
{
	const long long top = p->from + p->limit + 1;
	char text[32];

	if (!command_takes(command, OPTION_TOP))
		return 0;
	snprintf(text, sizeof(text), "%lld", top);
	return add_word(w, "--top", err) || add_word(w, text, err) ? -1 : 0;
}

static int run(const cJSON *tool, const cJSON *arguments, struct wanted *p)
{
	static struct options options; /* large, and there is one: the stack is small */
	static struct words w;         /* the process ends with it */
	const struct command *command;
	const cJSON *word;
	struct mp_error err = {.text = "no such command"};
	int next, status = add_word(&w, "msprof", &err);

	for (word = mcp_first(mp_json_member(mp_json_member(tool, "call"), "command")); word; word = word->next)
		status = status || add_word(&w, word->valuestring, &err);
	command = status || w.count < 2 ? NULL : find_command(&w, &next);
	if (!command || add_arguments(&w, p, tool, arguments, &err) || add_top(&w, command, p, &err)) {
		message_failure(&err);
		return EXIT_USAGE;
	}
	if (options_parse(&options, commands, command, w.count, w.items, next))
		return EXIT_USAGE;
	options.top = ".";
	options.output_most = DOCUMENT_MAX;
	if (confine(&options, &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	return command->run(command, &options);
}

/* ---- what it wrote ---- */

/* The bytes of a file without a name, with a NUL behind them; NULL: out of memory, or too large. */
static char *read_document(int fd, size_t *len)
{
	struct stat st;
	char *text;
	ssize_t got;

	if (fstat(fd, &st) || st.st_size < 0 || st.st_size > DOCUMENT_MAX || !(text = malloc((size_t)st.st_size + 1)))
		return NULL;
	got = mp_file_read(fd, text, (size_t)st.st_size, 0);
	*len = got < 0 ? 0 : (size_t)got;
	text[*len] = '\0';
	return text;
}

/* A C string ends at NUL, so a NUL in a string becomes U+FFFD. A document that was cut may end within an escape. */
static void replace_nul(char *text)
{
	while ((text = strchr(text, '\\'))) {
		if (strncmp(text, "\\u0000", 6) == 0)
			memcpy(text + 2, "fffd", 4);
		text += text[1] ? 2 : 1;
	}
}

/* Numbers are printed with the digits that they were read with. */
static void keep_digits(cJSON *item)
{
	for (; item; item = item->next) {
		if (cJSON_IsNumber(item) && item->valuestring)
			item->type = cJSON_Raw;
		keep_digits(item->child);
	}
}

/* The lines that msprof said, up to a bound, and how many more there were; others tell how to get help. */
static void put_messages(FILE *f, int fd)
{
	static const char own[] = "msprof: ";
	FILE *said = fdopen(fd, "r");
	size_t size = 0, used = 0, more = 0;
	char *line = NULL;
	ssize_t len;

	fputs("\"messages\":[", f);
	if (said)
		rewind(said);
	while (said && (len = getline(&line, &size, said)) > 0) {
		if (strncmp(line, own, sizeof(own) - 1) != 0)
			continue;
		if (more || used + (size_t)len > MESSAGES_MAX) {
			more++;
			continue;
		}
		line[strcspn(line, "\n")] = '\0';
		fputs(used ? "," : "", f);
		mp_json_quote(f, line + sizeof(own) - 1);
		used += (size_t)len;
	}
	if (more)
		fprintf(
		    f, "%s\"%zu more, beyond the first %d bytes of messages\"", used ? "," : "", more, MESSAGES_MAX);
	if (!said || !feof(said))
		fprintf(f, "%s\"messages could not be read\"", used || more ? "," : "");
	fputc(']', f);
	free(line);
}

/* Returns the page of the document, or NULL where the document has no such page. */
static cJSON *read_page(int fd, const struct wanted *p, int64_t *next, bool *more)
{
	size_t len = 0;
	char *text = read_document(fd, &len);
	const char *fault;
	cJSON *document = NULL;

	if (text)
		replace_nul(text);
	if (text && len)
		document = mp_json_parse(text, len, &fault);
	if (document)
		*more = mcp_page(document, p->from, p->limit, next);
	keep_digits(document);
	free(text);
	return document;
}

/* The object that a client gets, as text; NULL: out of memory. */
static char *print_result(int status, const struct wanted *p, const int fds[2])
{
	int64_t next = 0;
	bool more = false;
	cJSON *document = read_page(fds[0], p, &next, &more);
	char *page = document ? cJSON_PrintUnformatted(document) : NULL, *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	cJSON_Delete(document);
	if (!f)
		return NULL;
	fprintf(f, "{\"status\":%d,", status);
	put_messages(f, fds[1]);
	if (more)
		fprintf(f, ",\"next\":\"%lld\"", (long long)next);
	fputs(",\"document\":", f);
	mcp_put_json(f, page ? page : "null");
	fputc('}', f);
	cJSON_free(page);
	return fclose(f) ? NULL : text;
}

static void write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t wrote = write(fd, text, len);

		if (wrote < 0 && errno != EINTR)
			return; /* the server tells the client that there is no result */
		text += wrote < 0 ? 0 : wrote;
		len -= wrote < 0 ? 0 : (size_t)wrote;
	}
}

static void hand_back(const struct mcp *m, int status, const char *object, int fd)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	fprintf(f, "%s,\"isError\":%s,\"content\":[{\"type\":\"text\",\"text\":", m->meta,
	    status == EXIT_FAILED || status == EXIT_USAGE ? "true" : "false");
	mp_json_quote(f, object);
	fprintf(f, "}],\"structuredContent\":%s}", object);
	if (!fclose(f))
		write_all(fd, text, size);
	free(text);
}

void mcp_call_run(const struct mcp *m, const cJSON *tool, const cJSON *arguments, int fd)
{
	const int fds[2] = {mp_dir_unnamed_temporary(), mp_dir_unnamed_temporary()};
	struct wanted p = {.limit = MCP_ROWS};
	struct mp_error err;
	char *object;
	int status;

	if (fds[0] < 0 || fds[1] < 0 || dup2(m->nullfd, STDIN_FILENO) < 0 || dup2(fds[0], STDOUT_FILENO) < 0 ||
	    dup2(fds[1], STDERR_FILENO) < 0)
		_exit(EXIT_FAILED);
	charset_end(); /* a client reads what is printed, and no terminal */
	status = run(tool, arguments, &p);
	if (budget_begin(BUDGET_MEMORY_MIB, BUDGET_BY_INPUT, &err) || fflush(NULL))
		_exit(EXIT_FAILED);
	object = print_result(status, &p, fds);
	if (object)
		hand_back(m, status, object, fd);
	_exit(EXIT_OK);
}
