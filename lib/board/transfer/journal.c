/*
 * journal.c: writes, reads and removes journals, finds their entries, and lists the journals of a directory. A journal
 * that is read is not trusted: anything unexpected is an error with its line.
 */
#include "board/transfer/transfer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "base/out.h"
#include "base/text.h"
#include "base/vec.h"

enum { LINE_MAX_SIZE = 3 * MP_TREE_PATH + 256, FILE_MAX = 512 << 20 };

struct reading {
	struct mp_journal *journal;
	struct mp_error *err;
	const char *file;
	size_t line;
	bool ended;
};

static int fail_line(const struct reading *r, const char *reason)
{
	return mp_fail(r->err, "'%s', line %zu: %s", r->file, r->line, reason);
}

static int hex_value(char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

int mp_journal_unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		int high, low;

		if (*text != '%') {
			*to++ = *text;
			continue;
		}
		high = hex_value(text[1]);
		low = high < 0 ? -1 : hex_value(text[2]);
		if (low < 0 || high + low == 0)
			return -1;
		*to++ = (char)(high << 4 | low);
		text += 2;
	}
	*to = '\0';
	return 0;
}

static int parse_number(char **at, int64_t least, int64_t *number)
{
	char *end;

	if (**at != '-' && (**at < '0' || **at > '9'))
		return -1;
	errno = 0;
	*number = strtoll(*at, &end, 10);
	if (errno || end == *at || *number < least || (*end && *end != ' '))
		return -1;
	*at = *end ? end + 1 : end;
	return 0;
}

static int parse_state(char **at, enum mp_journal_state *state)
{
	static const char *const words[] = {"want ", "done ", "gone "};

	for (size_t i = 0; i < 3; i++)
		if (strncmp(*at, words[i], 5) == 0) {
			*state = (enum mp_journal_state)i;
			*at += 5;
			return 0;
		}
	return -1;
}

static int parse_sum(char **at, char sha256[MP_SHA256_TEXT])
{
	sha256[0] = '\0';
	if (strncmp(*at, "- ", 2) == 0) {
		*at += 2;
		return 0;
	}
	if (strspn(*at, "0123456789abcdef") != 64 || (*at)[64] != ' ')
		return -1;
	memcpy(sha256, *at, 64);
	sha256[64] = '\0';
	*at += 65;
	return 0;
}

static int keep_state(struct reading *r, enum mp_journal_state state)
{
	size_t index = r->journal->files.count - 1;

	if (!mp_vec_room(r->journal->states, index, 1))
		return mp_fail_memory(r->err, "a journal");
	r->journal->states[index] = state;
	return 0;
}

/* "STATE SIZE MTIME SUM PATH". The paths are sorted, so each occurs once. */
static int parse_file(struct reading *r, char *at)
{
	struct mp_tree *files = &r->journal->files;
	struct mp_tree_entry *entry;
	enum mp_journal_state state;
	int64_t size, mtime_s;
	char sha256[MP_SHA256_TEXT];

	if (parse_state(&at, &state) || parse_number(&at, 0, &size) || parse_number(&at, INT64_MIN, &mtime_s) ||
	    parse_sum(&at, sha256) || mp_journal_unescape(at))
		return fail_line(r, "not a file with state, size, time and sum");
	if (mp_tree_name_reason(at, strlen(at)))
		return fail_line(r, mp_tree_name_reason(at, strlen(at)));
	if (files->count && strcmp(files->entries[files->count - 1].path, at) >= 0)
		return fail_line(r, "files out of order");
	entry = mp_tree_add(files, at, strlen(at), NULL, r->err);
	if (!entry)
		return -1;
	entry->size = size;
	entry->mtime_s = mtime_s;
	entry->mode = S_IFREG;
	memcpy(entry->sha256, sha256, sizeof(sha256));
	return keep_state(r, state);
}

static int parse_text(struct reading *r, char *at, char **text)
{
	if (*text)
		return fail_line(r, "said twice");
	if (!*at || strlen(at) > MP_TREE_PATH * 3 || mp_journal_unescape(at))
		return fail_line(r, "not a name");
	*text = strdup(at);
	return *text ? 0 : mp_fail_memory(r->err, "a journal");
}

static int parse_line(struct reading *r, char *line)
{
	struct mp_journal *j = r->journal;
	int64_t count;

	if (r->ended)
		return fail_line(r, "data after the end");
	if (r->line == 1)
		return strcmp(line, "msprof-journal 1") == 0 ? 0 : fail_line(r, "not a journal of this version");
	if (strncmp(line, "host ", 5) == 0)
		return parse_text(r, line + 5, &j->host);
	if (strncmp(line, "job ", 4) == 0)
		return parse_text(r, line + 4, &j->job);
	if (strncmp(line, "file ", 5) == 0)
		return parse_file(r, line + 5);
	if (strncmp(line, "end ", 4) != 0)
		return fail_line(r, "unknown word");
	line += 4;
	if (parse_number(&line, 0, &count) || *line || (size_t)count != j->files.count)
		return fail_line(r, "wrong number of files");
	r->ended = true;
	return 0;
}

static int parse_stream(struct reading *r, FILE *in)
{
	static const size_t size = LINE_MAX_SIZE;
	char *line = malloc(size);
	int status = 0;

	if (!line)
		return mp_fail_memory(r->err, "a journal");
	while (!status && fgets(line, LINE_MAX_SIZE, in)) {
		size_t len = strlen(line); /* a NUL byte cuts the line, which then has no line end */

		r->line++;
		if (len == 0 || line[len - 1] != '\n') {
			status = fail_line(r, "a line that is too long, cut short or has a NUL byte");
			break;
		}
		line[len - 1] = '\0';
		status = parse_line(r, line);
	}
	if (!status && ferror(in))
		status = mp_fail_errno(r->err, "cannot read '%s'", r->file);
	free(line);
	if (!status && (!r->ended || !r->journal->host || !r->journal->job || r->journal->job[0] != '/'))
		status = mp_fail(r->err, "'%s' is not a whole journal", r->file);
	return status;
}

int mp_journal_read(struct mp_journal *journal, int outfd, const char *name, struct mp_error *err)
{
	char file[256];
	struct reading r = {.journal = journal, .err = err, .file = file};
	struct stat st;
	FILE *in;
	int fd, status;

	*journal = (struct mp_journal){0};
	snprintf(file, sizeof(file), ".%s.journal", name);
	fd = mp_dir_open_file(outfd, file, &st);
	if (fd < 0)
		return errno == ENOENT ? 1 : mp_file_refuse(file, err);
	if (st.st_size > FILE_MAX || !(in = fdopen(fd, "r"))) {
		close(fd);
		return mp_fail(err, "'%s' is not a journal", file);
	}
	status = parse_stream(&r, in);
	fclose(in);
	journal->files.sorted = true;
	if (status)
		mp_journal_free(journal);
	return status;
}

enum { NAME_SIZE = 256 };

bool mp_journal_name_valid(const char *name)
{
	size_t len = strlen(name);

	return len < 200 && strncmp(name, "JOB", 3) == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

void mp_journal_escape(struct mp_out *out, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t len = strlen(text), at = 0;

	while (at < len) {
		int32_t cp;
		size_t step = mp_utf8_next(text + at, len - at, &cp);

		if (cp >= 0 && cp != '%' && !mp_is_control(cp)) {
			mp_out_write(out, text + at, step);
			at += step;
			continue;
		}
		for (; step; step--, at++) {
			unsigned char byte = (unsigned char)text[at];

			mp_out_char(out, '%');
			mp_out_char(out, digits[byte >> 4]);
			mp_out_char(out, digits[byte & 15]);
		}
	}
}

static void write_file(struct mp_out *out, const struct mp_tree_entry *entry, enum mp_journal_state state)
{
	static const char *const words[] = {"file want ", "file done ", "file gone "};

	mp_out_text(out, words[state]);
	mp_out_int(out, entry->size);
	mp_out_char(out, ' ');
	mp_out_int(out, entry->mtime_s);
	mp_out_char(out, ' ');
	mp_out_text(out, entry->sha256[0] ? entry->sha256 : "-");
	mp_out_char(out, ' ');
	mp_journal_escape(out, entry->path);
	mp_out_char(out, '\n');
}

int mp_journal_write(const struct mp_journal *journal, int outfd, const char *name, struct mp_error *err)
{
	char file[NAME_SIZE];
	struct mp_out *out;

	snprintf(file, sizeof(file), ".%s.journal", name);
	if (mp_out_create(&out, outfd, file, file, err))
		return -1;
	mp_out_text(out, "msprof-journal 1\nhost ");
	mp_journal_escape(out, journal->host);
	mp_out_text(out, "\njob ");
	mp_journal_escape(out, journal->job);
	mp_out_char(out, '\n');
	for (size_t i = 0; i < journal->files.count; i++)
		write_file(out, &journal->files.entries[i], journal->states[i]);
	mp_out_text(out, "end ");
	mp_out_int(out, (int64_t)journal->files.count);
	mp_out_char(out, '\n');
	return mp_out_commit(out, err);
}

int mp_journal_remove(int outfd, const char *name, struct mp_error *err)
{
	char file[NAME_SIZE];

	snprintf(file, sizeof(file), ".%s.journal", name);
	if (unlinkat(outfd, file, 0) && errno != ENOENT)
		return mp_fail_errno(err, "cannot remove '%s'", file);
	return 0;
}

enum mp_journal_state mp_journal_find(
    const struct mp_journal *journal, const char *path, const struct mp_tree_entry **entry)
{
	*entry = mp_tree_find(&journal->files, path);
	return *entry ? journal->states[*entry - journal->files.entries] : MP_JOURNAL_WANT;
}

void mp_journal_free(struct mp_journal *journal)
{
	free(journal->host);
	free(journal->job);
	free(journal->states);
	mp_tree_free(&journal->files);
	*journal = (struct mp_journal){0};
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ".NAME.journal" */
static bool is_journal(const void *user, const char *file)
{
	char name[NAME_SIZE];
	size_t len = strlen(file);

	(void)user;
	if (len < 10 || len >= sizeof(name) || file[0] != '.' || strcmp(file + len - 8, ".journal") != 0)
		return false;
	memcpy(name, file + 1, len - 9);
	name[len - 9] = '\0';
	return mp_journal_name_valid(name);
}

int mp_journal_list(int outfd, char ***names, size_t *count, struct mp_error *err)
{
	struct mp_dir_names files;
	int status = mp_dir_list(&files, outfd, is_journal, NULL, "the output directory", err);

	for (size_t i = 0; i < files.count; i++) {
		size_t len = strlen(files.items[i]) - 9;

		memmove(files.items[i], files.items[i] + 1, len);
		files.items[i][len] = '\0';
	}
	*names = files.items;
	*count = files.count;
	if (*count)
		qsort(*names, *count, sizeof(**names), by_text);
	return status;
}
