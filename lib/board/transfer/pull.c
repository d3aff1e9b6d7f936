/*
 * pull.c: looks and fetches in turn until a JOB is whole, then syncs and renames it; or fetches finished slices in one
 * round and removes them from the board.
 */
#include "board/transfer/pull_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "board/transfer/transfer.h"

/* Sync an entry of a directory to the disk. */
static int sync_entry(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), status = 0;

	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", label);
	if (fsync(fd))
		status = mp_fail_errno(err, "cannot write '%s' to the disk", label);
	close(fd); /* read only: no error matters */
	return status;
}

static int sync_place(const struct mp_pull *pull, struct mp_error *err)
{
	if (sync_entry(pull->outfd, ".", "the output directory", err))
		return -1;
	/* The directory may be new, so its parent is synced, too. A parent that cannot be read is not new. */
	if (faccessat(pull->outfd, "..", R_OK | X_OK, AT_EACCESS))
		return 0;
	return sync_entry(pull->outfd, "..", "the parent of the output directory", err);
}

/* Sync ".NAME.part" with its files, or only its directories. */
static int sync_part(const struct mp_pull *pull, bool files, struct mp_error *err)
{
	struct mp_tree tree;
	struct mp_tree_dir dir;
	int status = mp_tree_list_local(&tree, pull->partfd, NULL, NULL, err);

	mp_tree_dir_start(&dir, pull->partfd, false);
	for (size_t i = 0; i < tree.count && !status; i++) {
		const struct mp_tree_entry *entry = &tree.entries[i];
		const char *name;
		int parent;

		if (!files && !S_ISDIR(entry->mode))
			continue;
		parent = mp_tree_dir_enter(&dir, entry->path, &name, err);
		status = parent < 0 ? -1 : sync_entry(parent, name, entry->path, err);
	}
	mp_tree_dir_close(&dir);
	mp_tree_free(&tree);
	return status ? -1 : sync_entry(pull->partfd, ".", pull->part, err);
}

static int sync_file(struct mp_tree_dir *dir, const char *path, struct mp_error *err)
{
	const char *name;
	int parent = mp_tree_dir_enter(dir, path, &name, err);

	return parent < 0 ? -1 : sync_entry(parent, name, path, err);
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
	return sync_entry(pull->outfd, journal, journal, err) || sync_part(pull, false, err) || sync_place(pull, err)
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

/* The journal must be of this board and JOB: JOBs of the same name must not be mixed. */
static int open_journal(struct mp_pull *pull, struct mp_error *err)
{
	int status = mp_journal_read(&pull->journal, pull->outfd, pull->name, err);

	if (status < 0)
		return -1;
	if (status == 0 &&
	    (strcmp(pull->journal.host, mp_board_name(pull->board)) != 0 || strcmp(pull->journal.job, pull->job) != 0))
		return mp_fail(err, "the transfer of '%s' began from '%s' on '%s'", pull->part, pull->journal.job,
		    pull->journal.host);
	if (status == 0)
		return 0;
	pull->journal.host = strdup(mp_board_name(pull->board));
	pull->journal.job = strdup(pull->job);
	return pull->journal.host && pull->journal.job ? 0 : mp_fail_memory(err, "a journal");
}

static int begin(struct mp_pull *pull, struct mp_error *err)
{
	const char *slash = strrchr(pull->job, '/');
	struct stat st;

	pull->partfd = -1;
	pull->name = slash ? slash + 1 : pull->job;
	*pull->result = (struct mp_pull_result){0};
	pull->progress.watch = pull->options->watch;
	if (pull->job[0] != '/' || !mp_journal_name_valid(pull->name))
		return mp_fail(err, "'%s' is not the path of a JOB", pull->job);
	snprintf(pull->what, sizeof(pull->what), "fetch '%.400s'", pull->job);
	snprintf(pull->part, sizeof(pull->part), ".%s.part", pull->name);
	if (fstatat(pull->outfd, pull->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		pull->result->already = true;
		return 0;
	}
	if (errno != ENOENT)
		return mp_fail_errno(err, "cannot inspect '%s'", pull->name);
	pull->partfd = mp_dir_make(pull->outfd, pull->part, pull->part, err);
	if (pull->partfd < 0)
		return -1;
	return open_journal(pull, err);
}

static void end(struct mp_pull *pull)
{
	if (pull->partfd >= 0)
		close(pull->partfd);
	mp_tree_listing_drop(pull->next_listing);
	mp_pipe_close(&pull->tar);
	mp_journal_free(&pull->journal);
	mp_tree_free(&pull->there);
	free(pull->wanted);
	free(pull->items);
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
	int status = begin(&pull, err);

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
	end(&pull);
	return status;
}

enum { LOOKS = 4 };

static int fail_unsettled(const struct mp_pull *pull, struct mp_error *err)
{
	const struct mp_tree_entry *first = pull->items[0].entry;

	if (pull->mismatches)
		return mp_fail(err, "'%s': the sum of '%s' differs from the board's after %zu fetches", pull->name,
		    first->path, pull->result->looks - 1);
	return mp_fail(err, "'%s' keeps changing on the board: '%s' still differs after %zu fetches%s%s", pull->name,
	    first->path, pull->result->looks - 1, pull->complaint.text[0] ? "; " : "", pull->complaint.text);
}

/* The look that finds no wanted file verifies the JOB; with sums, only a look that compared sums. */
static int settle(struct mp_pull *pull, struct mp_error *err)
{
	int looks = pull->options->looks > 0 ? pull->options->looks : LOOKS;
	bool sums = pull->options->checksum && pull->remote->sha256sum;

	for (int i = 0;; i++) {
		size_t files = pull->result->files;

		if (mp_pull_look(pull, sums && i > 0, err))
			return -1;
		if (pull->item_count == 0 && (i > 0 || !sums)) {
			pull->result->summed = sums && pull->unsummed == 0;
			return 0;
		}
		if (i >= looks)
			return fail_unsettled(pull, err);
		if (pull->item_count && mp_pull_fetch(pull, err))
			return -1;
		if (pull->item_count && pull->result->files == files && pull->complaint.text[0])
			return mp_fail_because(err, &pull->complaint, "%s", pull->complaint.text);
	}
}

/* Remove the beginnings of files that the board no longer has. */
static int sweep(struct mp_pull *pull, struct mp_error *err)
{
	struct mp_tree tree;
	struct mp_tree_dir dir;
	int status = mp_tree_list_local(&tree, pull->partfd, NULL, NULL, err);

	mp_tree_dir_start(&dir, pull->partfd, false);
	for (size_t i = 0; i < tree.count && !status; i++) {
		const char *name;
		int parent = mp_tree_dir_enter(&dir, tree.entries[i].path, &name, err);
		size_t len = strlen(name);

		if (parent < 0)
			status = -1;
		else if (S_ISREG(tree.entries[i].mode) && len > 6 && name[0] == '.' &&
			 strcmp(name + len - 5, ".part") == 0)
			unlinkat(parent, name, 0);
	}
	mp_tree_dir_close(&dir);
	mp_tree_free(&tree);
	return status;
}

static int write_label(struct mp_pull *pull, struct mp_error *err)
{
	struct mp_out *out;

	if (mp_out_create(&out, pull->partfd, "label", "label", err))
		return -1;
	mp_out_text(out, pull->options->label);
	mp_out_char(out, '\n');
	return mp_out_commit(out, err);
}

static int give_name(struct mp_pull *pull, struct mp_error *err)
{
	bool sync = pull->options->sync;

	if (sweep(pull, err) || (pull->options->label && write_label(pull, err)) ||
	    (sync && sync_part(pull, true, err)))
		return -1;
	if (renameat(pull->outfd, pull->part, pull->outfd, pull->name))
		return mp_fail_errno(err, "cannot rename '%s' to '%s'", pull->part, pull->name);
	if (sync && sync_place(pull, err))
		return -1;
	return mp_journal_remove(pull->outfd, pull->name, err);
}

int mp_pull_job(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err)
{
	struct mp_pull pull = {
	    .board = board, .remote = remote, .options = options, .result = result, .job = job, .outfd = outfd};
	int status = begin(&pull, err);

	if (!status && result->already)
		status = mp_journal_remove(outfd, pull.name, err); /* left by a run that was killed after the rename */
	else if (!status)
		status = settle(&pull, err);
	if (!status && !result->already)
		status = give_name(&pull, err);
	end(&pull);
	return status;
}
