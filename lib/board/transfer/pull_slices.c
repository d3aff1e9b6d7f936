/* pull_slices.c: one round that fetches finished slices and removes them from the board. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/transfer/pull_internal.h"

static int sync_file(struct mp_tree_dir *dir, const char *path, struct mp_error *err)
{
	const char *name;
	int parent = mp_tree_dir_enter(dir, path, &name, err);

	return parent < 0 ? -1 : mp_pull_sync_entry(parent, name, path, err);
}

static void mark_gone(struct mp_pull *pull, const char *path)
{
	const struct mp_tree_entry *known;

	mp_journal_find(&pull->journal, path, &known);
	if (known)
		pull->journal.states[known - pull->journal.files.entries] = MP_JOURNAL_GONE;
}

static bool is_wanted(const struct mp_pull *pull, const struct mp_tree_entry *entry)
{
	return pull->wanted[entry - pull->there.entries];
}

/* Whether the file is here as it is there. Where the board can sum, a file without a sum was not compared. */
static bool is_compared(const struct mp_pull *pull, const struct mp_tree_entry *entry)
{
	bool sums = pull->options->checksum && pull->remote->sha256sum;

	return !is_wanted(pull, entry) && (!sums || entry->sha256[0]);
}

/* Sync a slice and its marker, mark both in the journal, and append their names, the slice first. */
static int take_slice(
    struct mp_pull *pull, struct mp_tree_dir *dir, const struct mp_tree_entry *entry, char **at, struct mp_error *err)
{
	char marker[MP_TREE_PATH + 8];
	const struct mp_tree_entry *done;

	snprintf(marker, sizeof(marker), "%s.done", entry->path);
	done = mp_tree_find(&pull->there, marker);
	if (!done || !S_ISREG(done->mode) || !is_compared(pull, entry) || !is_compared(pull, done))
		return 0;
	if (sync_file(dir, entry->path, err) || sync_file(dir, done->path, err))
		return -1;
	mark_gone(pull, entry->path);
	mark_gone(pull, done->path);
	*at += sprintf(*at, "./%s", entry->path) + 1;
	*at += sprintf(*at, "./%s", done->path) + 1;
	return 0;
}

/* The names of all fetched slices. A marker may have a marker, too: there is room for each name twice. */
static int gather(struct mp_pull *pull, char **names, size_t *size, struct mp_error *err)
{
	struct mp_tree_dir dir;
	char *at;
	int status = 0;

	*size = 0;
	for (size_t i = 0; i < pull->there.count; i++)
		*size += 2 * (strlen(pull->there.entries[i].path) + 3);
	*names = at = malloc(*size + 1);
	if (!at)
		return mp_fail_memory(err, "a list of files");
	mp_tree_dir_start(&dir, pull->partfd, false);
	for (size_t i = 0; i < pull->there.count && !status; i++)
		if (S_ISREG(pull->there.entries[i].mode))
			status = take_slice(pull, &dir, &pull->there.entries[i], &at, err);
	mp_tree_dir_close(&dir);
	*size = (size_t)(at - *names);
	return status;
}

/* Before files are removed from the board, the fetched files and their directories must be on the disk. */
static int sync_names(struct mp_pull *pull, struct mp_error *err)
{
	char journal[256];

	snprintf(journal, sizeof(journal), ".%s.journal", pull->name);
	return mp_pull_sync_entry(pull->outfd, journal, journal, err) || mp_pull_sync(pull, false, err) ||
		       mp_pull_sync_place(pull, err)
		   ? -1
		   : 0;
}

/* The journal says "gone" before the removal. If the removal fails, a later listing corrects the journal. */
static int remove_slices(struct mp_pull *pull, struct mp_error *err)
{
	char *names = NULL;
	size_t size;
	int status = gather(pull, &names, &size, err);

	if (!status && size)
		status =
		    mp_journal_write(&pull->journal, pull->outfd, pull->name, err) || sync_names(pull, err) ? -1 : 0;
	if (!status && size)
		status = mp_remote_remove(pull->board, pull->remote, pull->job, names, size, err);
	free(names);
	return status;
}

int mp_pull_slices(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err)
{
	struct mp_pull pull = {.board = board,
	    .remote = remote,
	    .options = options,
	    .result = result,
	    .job = job,
	    .outfd = outfd,
	    .slices_only = true};
	bool sums = options->checksum && remote->sha256sum;
	int status = mp_pull_begin(&pull, err);

	if (!status && !result->already) {
		status = mp_pull_look(&pull, false, err);
		if (!status && pull.item_count)
			status = mp_pull_fetch(&pull, err);
		if (!status && (result->files || sums))
			status = mp_pull_look(&pull, sums, err);
		result->summed = sums && pull.unsummed == 0;
		if (!status)
			status = remove_slices(&pull, err);
	}
	mp_pull_end(&pull);
	return status;
}
