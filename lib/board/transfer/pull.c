/* pull.c: looks and fetches in turn until a JOB is whole, then renames it. */
#include "board/transfer/pull.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "board/transfer/pull_internal.h"

enum { LOOKS = 4 };

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

int mp_pull_begin(struct mp_pull *pull, struct mp_error *err)
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

void mp_pull_end(struct mp_pull *pull)
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
int mp_pull_settle(struct mp_pull *pull, struct mp_error *err)
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
	    (sync && mp_pull_sync(pull, true, err)))
		return -1;
	if (renameat(pull->outfd, pull->part, pull->outfd, pull->name))
		return mp_fail_errno(err, "cannot rename '%s' to '%s'", pull->part, pull->name);
	if (sync && mp_pull_sync_place(pull, err))
		return -1;
	return mp_journal_remove(pull->outfd, pull->name, err);
}

int mp_pull_job(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err)
{
	struct mp_pull pull = {
	    .board = board, .remote = remote, .options = options, .result = result, .job = job, .outfd = outfd};
	int status = mp_pull_begin(&pull, err);

	if (!status && result->already)
		status = mp_journal_remove(outfd, pull.name, err); /* left by a run that was killed after the rename */
	else if (!status)
		status = mp_pull_settle(&pull, err);
	if (!status && !result->already)
		status = give_name(&pull, err);
	mp_pull_end(&pull);
	return status;
}
