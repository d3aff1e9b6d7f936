/*
 * tree_remote.c: lists a directory of a board with find and stat, or through sftp.
 * The answer is not trusted: every number and every name is checked.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/connection/pipe.h"
#include "board/transfer/remote.h"
#include "board/transfer/sftp.h"
#include "board/transfer/tree.h"

enum { WINDOW_SIZE = 64 * 1024 };

enum section { STATS, LINKS, SPACE, HASHES, ENDED };

struct mp_tree_listing {
	struct mp_tree_request request;
	struct mp_board *board;
	const struct mp_remote *remote;
	struct mp_pipe pipe; /* unused when sftp lists */
	bool held;
	char what[512];
	/* during the reading: */
	struct mp_tree *tree;
	const struct mp_watch *watch;
	struct mp_error *err;
	enum section section;
	bool has_root; /* "." was listed: find and stat work */
};

/* See list_tree.sh. */
static void write_script(
    struct mp_script *script, const struct mp_remote *remote, const struct mp_tree_request *request, bool held)
{
	const struct {
		bool given;
		const char *word;
	} words[] = {{held, "held"}, {request->links, "links"}, {request->space, "space"},
	    {request->sha256 && remote->sha256sum, "hashes"}, {request->skip_jobs, "skip_jobs"},
	    {remote->find_plus, "find_plus"}};

	mp_script_start(script);
	mp_script_directory_argument(script, request->dir);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].given)
			mp_script_argument(script, words[i].word);
	mp_script_body(script, mp_sh_list_tree);
}

/* Check an entry and add it, or note why it is refused. path has no "./". */
static int add_entry(
    struct mp_tree_listing *l, const char *path, size_t len, uint32_t mode, int64_t size, int64_t mtime_s)
{
	const char *reason = mp_tree_name_reason(path, len);
	struct mp_tree_entry *entry;

	if (!reason && !S_ISREG(mode) && !S_ISDIR(mode) && !(S_ISLNK(mode) && l->request.links))
		reason = S_ISLNK(mode) ? "a link" : "neither file nor directory";
	if (size < 0 || size > MP_TREE_SIZE_MAX)
		return mp_fail(l->err, "the board says that '%.*s' has %lld bytes", (int)(len < 400 ? len : 400), path,
		    (long long)size);
	if (reason && !l->request.any_name) {
		l->tree->refused++;
		mp_watch_note(l->watch, "'%.*s' refused: %s", (int)(len < 400 ? len : 400), path, reason);
		return 0;
	}
	entry = mp_tree_add(l->tree, path, len, NULL, l->err);
	if (!entry)
		return -1;
	entry->mode = mode;
	entry->size = S_ISREG(mode) ? size : 0;
	entry->mtime_s = mtime_s;
	return 0;
}

static int bad_answer(const struct mp_tree_listing *l)
{
	return mp_fail(l->err, "unexpected answer");
}

/* "MODE SIZE MTIME ./PATH" */
static int parse_stat(struct mp_tree_listing *l, char *text, size_t len)
{
	char *at = text, *end;
	unsigned long mode;
	long long size, mtime_s;

	errno = 0;
	mode = strtoul(at, &end, 16);
	if (end == at || *end != ' ' || mode > 0xffff)
		return bad_answer(l);
	size = strtoll(at = end + 1, &end, 10);
	if (end == at || *end != ' ')
		return bad_answer(l);
	mtime_s = strtoll(at = end + 1, &end, 10);
	if (end == at || *end != ' ' || errno)
		return bad_answer(l);
	at = end + 1;
	len -= (size_t)(at - text);
	if (len == 1 && at[0] == '.') {
		l->has_root = true;
		return 0;
	}
	if (len < 3 || at[0] != '.' || at[1] != '/')
		return bad_answer(l);
	return add_entry(l, at + 2, len - 2, (uint32_t)mode, size, mtime_s);
}

/* "./PATH//TARGET" */
static int parse_link(struct mp_tree_listing *l, char *text)
{
	struct mp_tree_entry *entry;
	char *target = strstr(text, "//");

	if (strncmp(text, "./", 2) != 0 || !target)
		return bad_answer(l);
	*target = '\0';
	entry = mp_tree_find(l->tree, text + 2);
	if (!entry || entry->target)
		return 0;
	return mp_tree_target(l->tree, entry, target + 2, l->err);
}

/* Decode the escapes of GNU sha256sum in place: a line that begins with a backslash has them. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1]) {
			text++;
			*to++ = (char)(*text == 'n' ? '\n' : *text == 'r' ? '\r' : *text);
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* "HASH  ./PATH". An invalid line gives no hash: the file is then sent again, or not verified. */
static int parse_hash(struct mp_tree_listing *l, char *text)
{
	struct mp_tree_entry *entry;
	bool escaped = text[0] == '\\';

	text += escaped;
	if (strlen(text) < 69 || strspn(text, "0123456789abcdef") != 64 || strncmp(text + 66, "./", 2) != 0)
		return 0;
	if (escaped)
		unescape(text + 66);
	entry = mp_tree_find(l->tree, text + 68);
	if (entry && S_ISREG(entry->mode)) {
		memcpy(entry->sha256, text, 64);
		entry->sha256[64] = '\0';
	}
	return 0;
}

static int take_record(struct mp_tree_listing *l, char *text, size_t len)
{
	static const char *const marks[] = {"", "links", "space", "hashes", "end"};

	for (enum section next = l->section + 1; next <= ENDED; next++)
		if (strcmp(text, marks[next]) == 0) {
			l->section = next;
			/* find may walk far for a link, and the sum of a large file takes a small board long */
			l->pipe.budget.computes = true;
			mp_tree_sort(l->tree);
			return 0;
		}
	if (memchr(text, '\0', len) || strcmp(text, "failed") == 0)
		return bad_answer(l);
	if (l->section == STATS)
		return parse_stat(l, text, len);
	if (l->section == LINKS)
		return parse_link(l, text);
	if (l->section == SPACE) {
		l->tree->space = mp_remote_space_parse(text);
		return 0;
	}
	return l->section == HASHES ? parse_hash(l, text) : bad_answer(l);
}

/* Parse the whole records of window[len]. Returns their number of bytes, or -1. */
static ssize_t take_records(struct mp_tree_listing *l, char *window, size_t len)
{
	size_t start = 0;

	for (size_t at = 0; at < len; at++) {
		const char *newline = memchr(window + at, '\n', len - at);
		size_t end;

		if (!newline)
			break;
		at = end = (size_t)(newline - window);
		if (end >= start + 2 && window[end - 1] == '/' && window[end - 2] == '/')
			end -= 2;
		else if (l->section != HASHES)
			continue;
		window[end] = '\0';
		if (take_record(l, window + start, end - start))
			return -1;
		start = at + 1;
	}
	return (ssize_t)start;
}

static int read_listing(struct mp_tree_listing *l, struct mp_pipe *pipe)
{
	char *window = malloc(WINDOW_SIZE + 1);
	size_t len = 0;
	int status = -1;

	if (!window)
		return mp_fail_memory(l->err, "a list of files");
	for (;;) {
		ssize_t n = mp_pipe_read(pipe, window + len, WINDOW_SIZE - len, l->err);

		if (n < 0)
			goto out;
		if (n == 0)
			break;
		len += (size_t)n;
		n = take_records(l, window, len);
		if (n < 0)
			goto out;
		len -= (size_t)n;
		memmove(window, window + n, len);
		if (len == WINDOW_SIZE) {
			bad_answer(l);
			goto out;
		}
	}
	status = mp_pipe_succeed(pipe, l->err);
	if (!status && (l->section != ENDED || len || !l->has_root))
		status = bad_answer(l);
out:
	free(window);
	return status;
}

/* Set the target of the last entry. */
static int add_target(struct mp_tree_listing *l, const char *path, const char *target)
{
	struct mp_tree_entry *last = l->tree->count ? &l->tree->entries[l->tree->count - 1] : NULL;

	if (!last || last->target || strcmp(last->path, path) != 0)
		return 0;
	return mp_tree_target(l->tree, last, target, l->err);
}

static int add_from_sftp(void *user, const char *path, const struct mp_sftp_attributes *a)
{
	struct mp_tree_listing *l = user;
	const char *name = strrchr(path, '/');

	if (a->reason) {
		l->tree->refused++;
		mp_watch_note(l->watch, "'%.400s' refused: %s", path, a->reason);
		return 0;
	}
	name = name ? name + 1 : path;
	if (l->request.skip_jobs && (strcmp(name, ".git") == 0 || (S_ISDIR(a->mode) && strncmp(name, "JOB", 3) == 0)))
		return 0;
	if (add_entry(l, path, strlen(path), a->mode, a->size, a->mtime_s))
		return -1;
	if (a->target && l->request.links && add_target(l, path, a->target))
		return -1;
	/* A refused directory is not listed. */
	return S_ISDIR(a->mode) && !mp_tree_name_reason(path, strlen(path));
}

int mp_tree_listing_start(struct mp_tree_listing **listing, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_tree_request *request, bool held, struct mp_error *err)
{
	struct mp_tree_listing *l = calloc(1, sizeof(*l));
	struct mp_script script;

	*listing = NULL;
	if (!l)
		return mp_fail_memory(err, "a list of files");
	l->request = *request;
	l->board = board;
	l->remote = remote;
	l->held = held;
	snprintf(l->what, sizeof(l->what), "list '%.400s'", request->dir);
	if (remote->list) {
		write_script(&script, remote, request, held);
		if (mp_script_check(&script, err) || mp_pipe_open(&l->pipe, board, script.text, l->what, NULL, err)) {
			mp_tree_listing_drop(l);
			return -1;
		}
		mp_pipe_budget(&l->pipe, MP_BUDGET_LISTING);
	}
	*listing = l;
	return 0;
}

static int list_by_sftp(struct mp_tree_listing *l, struct mp_progress *progress)
{
	struct mp_sftp *sftp = NULL;
	int status = mp_sftp_open(&sftp, l->board, l->remote, progress, l->err);

	if (!status)
		status = mp_sftp_list(sftp, l->request.dir, l->request.links, add_from_sftp, l, l->err);
	mp_sftp_close(sftp);
	return status;
}

int mp_tree_listing_finish(
    struct mp_tree_listing *l, struct mp_tree *tree, const struct mp_watch *watch, struct mp_error *err)
{
	struct mp_progress progress = {.watch = watch};
	int status = 0;
	bool again = true;

	*tree = (struct mp_tree){.space = -1};
	l->tree = tree;
	l->watch = watch;
	l->err = err;
	l->pipe.progress = &progress;
	if (!l->remote->list) {
		status = list_by_sftp(l, &progress);
	} else {
		if (l->held)
			status = mp_pipe_write(&l->pipe, "\n", 1, err);
		if (!status)
			status = read_listing(l, &l->pipe);
		if (status)
			mp_pipe_attribute(&l->pipe, err);
		again = l->pipe.over;
	}
	if (!status && l->request.space && !l->remote->list)
		status = mp_remote_space(l->board, l->request.dir, &tree->space, err);
	mp_tree_listing_drop(l);
	if (!status) {
		mp_tree_sort(tree);
		return 0;
	}
	mp_tree_free(tree);
	tree->again = again;
	return -1;
}

void mp_tree_listing_drop(struct mp_tree_listing *listing)
{
	if (!listing)
		return;
	mp_pipe_close(&listing->pipe);
	free(listing);
}

int mp_tree_list_remote(struct mp_tree *tree, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_tree_request *request, const struct mp_watch *watch, struct mp_error *err)
{
	struct mp_tree_listing *listing;

	*tree = (struct mp_tree){.space = -1};
	if (mp_tree_listing_start(&listing, board, remote, request, false, err))
		return -1;
	return mp_tree_listing_finish(listing, tree, watch, err);
}
