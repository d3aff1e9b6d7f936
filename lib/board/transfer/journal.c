/* journal.c: writes and removes journals, finds their entries, and lists the journals of a directory. */
#include "board/transfer/journal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/out.h"
#include "base/text.h"

enum { NAME_SIZE = 256 };

bool mp_journal_name_valid(const char *name)
{
	size_t len = strlen(name);

	return len < 200 && strncmp(name, "JOB", 3) == 0 &&
	       strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == len;
}

static void write_escaped(struct mp_out *out, const char *text)
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
	write_escaped(out, entry->path);
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
	write_escaped(out, journal->host);
	mp_out_text(out, "\njob ");
	write_escaped(out, journal->job);
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
