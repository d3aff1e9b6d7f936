/*
 * pull_look.c: compares the listing of the board with the fetched files, and writes the journal. Moves no data.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "board/transfer/pull_internal.h"
#include "board/transfer/tree.h"

enum { LIST_TRIES = 3 };

/* Whether an entry is a finished slice, or the marker of a slice. */
static bool is_slice(const struct mp_tree *tree, const struct mp_tree_entry *entry)
{
	char name[MP_TREE_PATH + 8];
	size_t len = strlen(entry->path);
	const struct mp_tree_entry *other;

	if (!S_ISREG(entry->mode))
		return false;
	snprintf(name, sizeof(name), "%s.done", entry->path);
	other = mp_tree_find(tree, name);
	if (other && S_ISREG(other->mode))
		return true;
	if (len <= 5 || strcmp(entry->path + len - 5, ".done") != 0)
		return false;
	name[len - 5] = '\0';
	other = mp_tree_find(tree, name);
	return other && S_ISREG(other->mode);
}

/* A server may refuse a second session: then the next look starts the listing. */
void mp_pull_prepare_look(struct mp_pull *pull, bool with_sums)
{
	const struct mp_tree_request request = {.dir = pull->job, .sha256 = with_sums};
	struct mp_error ignored;

	if (!pull->next_listing && mp_board_may_overlap(pull->board))
		(void)mp_tree_listing_start(&pull->next_listing, pull->board, pull->remote, &request, true, &ignored);
}

/* List again when a file vanishes between find and stat, which fails the listing: a program may be writing. */
static int list_there(struct mp_pull *pull, bool with_sums, struct mp_error *err)
{
	/* Only the first look notes refused names. */
	struct mp_watch quiet = pull->options->watch ? *pull->options->watch : (struct mp_watch){0};
	const struct mp_tree_request request = {.dir = pull->job, .sha256 = with_sums};
	int status, i = 0;

	do {
		struct mp_tree_listing *listing = pull->next_listing;

		if (i > 0 && mp_progress_tell(&pull->progress, true, err))
			return -1;
		mp_tree_free(&pull->there);
		pull->there.again = true;
		if (pull->result->looks > 0 || i > 0)
			quiet.note = NULL;
		pull->next_listing = NULL;
		status = listing ? 0 : mp_tree_listing_start(&listing, pull->board, pull->remote, &request, false, err);
		if (!status && pull->result->looks == 0 && i == 0 && !pull->slices_only)
			mp_pull_prepare_fetch(pull); /* while the board starts the listing */
		if (!status)
			status = mp_tree_listing_finish(listing, &pull->there, &quiet, err);
	} while (status && pull->there.again && ++i < LIST_TRIES && !mp_board_is_broken(pull->board));
	return status;
}

/* Whether the fetched file is as listed; with sums, also its content. Returns 1, 0, or -1 on error. */
static int is_here(struct mp_pull *pull, struct mp_tree_dir *dir, const struct mp_tree_entry *entry, bool with_sum,
    struct mp_error *err)
{
	char sum[MP_SHA256_TEXT];
	const char *name;
	struct stat st;
	int parent = mp_tree_dir_enter(dir, entry->path, &name, err), fd, status;

	if (parent < 0)
		return -1;
	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) || st.st_size != entry->size ||
	    st.st_mtime != entry->mtime_s)
		return 0;
	if (!with_sum || !entry->sha256[0])
		return 1;
	fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", entry->path);
	status = mp_tree_sha256(fd, entry->path, sum, err);
	close(fd);
	if (status || mp_progress_tell(&pull->progress, true, err))
		return -1;
	status = strcmp(sum, entry->sha256) == 0;
	pull->mismatches += !status;
	return status;
}

/* How many bytes of an unfinished file may stay: 0, unless the journal lists the same version. */
static int64_t usable_beginning(struct mp_pull *pull, struct mp_tree_dir *dir, const struct mp_tree_entry *entry)
{
	const struct mp_tree_entry *known;
	enum mp_journal_state state = mp_journal_find(&pull->journal, entry->path, &known);
	int64_t size = mp_pull_file_unfinished(dir, entry->path);

	if (size > 0 && known && state == MP_JOURNAL_WANT && known->size == entry->size &&
	    known->mtime_s == entry->mtime_s && size <= entry->size)
		return size;
	if (size >= 0)
		mp_pull_file_forget(dir, entry->path);
	return 0;
}

/*
 * A file that was fetched and removed was written anew. The first one keeps its data under a name of its own. Not so
 * when the removal failed: then both are the same.
 */
static int keep_earlier(
    struct mp_pull *pull, struct mp_tree_dir *dir, const struct mp_tree_entry *entry, struct mp_error *err)
{
	enum { EARLIER_MAX = 1000 };
	char kept[MP_TREE_PATH + 16];
	const struct mp_tree_entry *known;
	const char *name;
	int parent;

	if (mp_journal_find(&pull->journal, entry->path, &known) != MP_JOURNAL_GONE ||
	    (known->size == entry->size && known->mtime_s == entry->mtime_s) ||
	    is_here(pull, dir, known, false, err) != 1)
		return 0;
	parent = mp_tree_dir_enter(dir, entry->path, &name, err);
	for (int i = 1; parent >= 0 && i < EARLIER_MAX; i++) {
		snprintf(kept, sizeof(kept), "%s.before.%d", name, i);
		if (faccessat(parent, kept, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
			continue;
		if (renameat(parent, name, parent, kept))
			return mp_fail_errno(err, "cannot rename '%s'", entry->path);
		pull->result->again++;
		return 0;
	}
	return parent < 0 ? -1 : mp_fail(err, "'%s' was written %d times", entry->path, EARLIER_MAX);
}

static int plan_entry(struct mp_pull *pull, struct mp_tree_dir *dir, size_t index, struct mp_error *err)
{
	const struct mp_tree_entry *entry = &pull->there.entries[index];
	char below[MP_TREE_PATH + 2];
	const char *name;
	int here;

	if (S_ISDIR(entry->mode)) {
		snprintf(below, sizeof(below), "%s/.", entry->path); /* makes the directory itself, too */
		return mp_tree_dir_enter(dir, below, &name, err) < 0 ? -1 : 0;
	}
	pull->there_bytes += entry->size;
	if (keep_earlier(pull, dir, entry, err))
		return -1;
	if (pull->slices_only && !is_slice(&pull->there, entry)) {
		/* The journal will list this version: remove the beginning of another version first. */
		(void)usable_beginning(pull, dir, entry);
		return 0;
	}
	pull->unsummed += !entry->sha256[0];
	here = is_here(pull, dir, entry, true, err);
	if (here < 0)
		return -1;
	if (here) {
		pull->result->kept += pull->result->looks == 0;
		return 0;
	}
	pull->wanted[index] = true;
	pull->items[pull->item_count++] =
	    (struct mp_sftp_item){.entry = entry, .offset = usable_beginning(pull, dir, entry)};
	return 0;
}

static int plan(struct mp_pull *pull, struct mp_error *err)
{
	size_t count = pull->there.count ? pull->there.count : 1;
	struct mp_tree_dir dir;
	int status = 0;

	free(pull->wanted);
	free(pull->items);
	pull->wanted = calloc(count, sizeof(*pull->wanted));
	pull->items = calloc(count, sizeof(*pull->items));
	pull->item_count = pull->mismatches = pull->unsummed = 0;
	pull->there_bytes = 0;
	if (!pull->wanted || !pull->items)
		return mp_fail_memory(err, "a list of files");
	mp_tree_dir_start(&dir, pull->partfd, true);
	for (size_t i = 0; i < pull->there.count && !status; i++)
		status = plan_entry(pull, &dir, i, err);
	mp_tree_dir_close(&dir);
	return status;
}

/* Files that were removed from the board must still be present. */
static int check_gone(struct mp_pull *pull, struct mp_error *err)
{
	struct mp_tree_dir dir;
	int status = 0;

	mp_tree_dir_start(&dir, pull->partfd, false);
	for (size_t i = 0; i < pull->journal.files.count && !status; i++) {
		const struct mp_tree_entry *entry = &pull->journal.files.entries[i];

		if (pull->journal.states[i] != MP_JOURNAL_GONE || mp_tree_find(&pull->there, entry->path))
			continue;
		status = is_here(pull, &dir, entry, false, err);
		if (status == 0)
			status = mp_fail(err, "'%s' was fetched and removed from the board, but is no longer in '%s'",
			    entry->path, pull->part);
		else if (status > 0)
			status = 0;
	}
	mp_tree_dir_close(&dir);
	return status;
}

static int copy_entry(struct mp_journal *to, const struct mp_tree_entry *from, struct mp_error *err)
{
	struct mp_tree_entry *entry = mp_tree_add(&to->files, from->path, strlen(from->path), NULL, err);

	if (!entry)
		return -1;
	entry->mode = S_IFREG;
	entry->size = from->size;
	entry->mtime_s = from->mtime_s;
	memcpy(entry->sha256, from->sha256, sizeof(entry->sha256));
	return 0;
}

/* Keep a file of the earlier journal that was removed from the board. */
static int keep_gone(const struct mp_journal *old, size_t at, struct mp_journal *now, struct mp_error *err)
{
	if (old->states[at] != MP_JOURNAL_GONE)
		return 0;
	now->states[now->files.count] = MP_JOURNAL_GONE;
	return copy_entry(now, &old->files.entries[at], err);
}

static int add_listed(const struct mp_pull *pull, size_t at, struct mp_journal *now, struct mp_error *err)
{
	const struct mp_tree_entry *entry = &pull->there.entries[at];
	bool waits = pull->wanted[at] || (pull->slices_only && !is_slice(&pull->there, entry));

	if (!S_ISREG(entry->mode))
		return 0;
	now->states[now->files.count] = waits ? MP_JOURNAL_WANT : MP_JOURNAL_DONE;
	return copy_entry(now, entry, err);
}

/* Listed files and removed files are both sorted: a merge keeps the journal sorted. */
static int merge(struct mp_pull *pull, struct mp_journal *now, struct mp_error *err)
{
	const struct mp_journal *old = &pull->journal;
	const struct mp_tree *there = &pull->there;
	size_t o = 0, t = 0;

	while (o < old->files.count || t < there->count) {
		int order = o == old->files.count ? 1
			    : t == there->count   ? -1
						  : strcmp(old->files.entries[o].path, there->entries[t].path);

		if (order < 0 ? keep_gone(old, o, now, err) : add_listed(pull, t, now, err))
			return -1;
		o += order <= 0;
		t += order >= 0;
	}
	return 0;
}

static int renew_journal(struct mp_pull *pull, struct mp_error *err)
{
	size_t room = pull->journal.files.count + pull->there.count + 1;
	struct mp_journal now = {0};

	now.states = calloc(room, sizeof(*now.states));
	if (!now.states)
		return mp_fail_memory(err, "a journal");
	if (merge(pull, &now, err)) {
		mp_journal_free(&now);
		return -1;
	}
	now.files.sorted = true;
	now.host = pull->journal.host;
	now.job = pull->journal.job;
	pull->journal.host = pull->journal.job = NULL;
	mp_journal_free(&pull->journal);
	pull->journal = now;
	return mp_journal_write(&pull->journal, pull->outfd, pull->name, err);
}

int mp_pull_look(struct mp_pull *pull, bool with_sums, struct mp_error *err)
{
	if (list_there(pull, with_sums, err) || plan(pull, err) || check_gone(pull, err))
		return -1;
	if (pull->there.refused > pull->refused) {
		pull->result->refused += pull->there.refused - pull->refused;
		pull->refused = pull->there.refused;
	}
	pull->result->looks++;
	return renew_journal(pull, err);
}
