/* pull_sync.c: syncs fetched files to the disk, before they are removed from the board. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "board/transfer/pull_internal.h"

int mp_pull_sync_entry(int dirfd, const char *name, const char *label, struct mp_error *err)
{
	int fd = openat(dirfd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), status = 0;

	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", label);
	if (fsync(fd))
		status = mp_fail_errno(err, "cannot write '%s' to the disk", label);
	close(fd); /* read only: no error matters */
	return status;
}

int mp_pull_sync_place(const struct mp_pull *pull, struct mp_error *err)
{
	if (mp_pull_sync_entry(pull->outfd, ".", "the output directory", err))
		return -1;
	/* The directory may be new, so its parent is synced, too. A parent that cannot be read is not new. */
	if (faccessat(pull->outfd, "..", R_OK | X_OK, AT_EACCESS))
		return 0;
	return mp_pull_sync_entry(pull->outfd, "..", "the parent of the output directory", err);
}

int mp_pull_sync(const struct mp_pull *pull, bool files, struct mp_error *err)
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
		status = parent < 0 ? -1 : mp_pull_sync_entry(parent, name, entry->path, err);
	}
	mp_tree_dir_close(&dir);
	mp_tree_free(&tree);
	return status ? -1 : mp_pull_sync_entry(pull->partfd, ".", pull->part, err);
}
