/*
 * fuzz_journal.c: any bytes as the journal of a JOB. An accepted journal names, in order, only files that may be made
 * below the JOB. Written again it has the same meaning, and is stable from then on.
 */
#include "fuzz.h"

#include <fcntl.h>

#include "board/transfer/transfer.h"

static char dir[1024];
static int dirfd_;

static void remove_dir(void)
{
	struct mp_error err;

	(void)mp_journal_remove(dirfd_, "JOBX", &err);
	rmdir(dir);
}

static void open_dir(void)
{
	temp_path(dir, sizeof(dir), "fuzz-journal.XXXXXX");
	CHECK(mkdtemp(dir));
	dirfd_ = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(dirfd_ >= 0);
	CHECK(atexit(remove_dir) == 0);
}

static void put(const uint8_t *data, size_t size)
{
	int fd = openat(dirfd_, ".JOBX.journal", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	close(fd);
}

static void check_sound(const struct mp_journal *journal)
{
	CHECK(journal->host[0] && journal->job[0] == '/');
	for (size_t i = 0; i < journal->files.count; i++) {
		const struct mp_tree_entry *entry = &journal->files.entries[i], *found;

		CHECK(!mp_tree_name_reason(entry->path, strlen(entry->path)));
		CHECK(entry->size >= 0 && journal->states[i] <= MP_JOURNAL_GONE);
		CHECK(i == 0 || strcmp(entry[-1].path, entry->path) < 0);
		CHECK(mp_journal_find(journal, entry->path, &found) == journal->states[i] && found == entry);
	}
}

static void check_equal(const struct mp_journal *a, const struct mp_journal *b)
{
	CHECK(strcmp(a->host, b->host) == 0 && strcmp(a->job, b->job) == 0 && a->files.count == b->files.count);
	for (size_t i = 0; i < a->files.count; i++) {
		const struct mp_tree_entry *x = &a->files.entries[i], *y = &b->files.entries[i];

		CHECK(strcmp(x->path, y->path) == 0 && x->size == y->size && x->mtime_s == y->mtime_s &&
		      strcmp(x->sha256, y->sha256) == 0 && a->states[i] == b->states[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_journal journal, again;
	struct mp_error err;

	if (dirfd_ <= 0)
		open_dir();
	put(data, size);
	if (mp_journal_read(&journal, dirfd_, "JOBX", &err)) {
		CHECK(!journal.host && !journal.job && !journal.states && !journal.files.entries);
		return 0;
	}
	check_sound(&journal);
	CHECK(mp_journal_write(&journal, dirfd_, "JOBX", &err) == 0);
	CHECK(mp_journal_read(&again, dirfd_, "JOBX", &err) == 0);
	check_equal(&journal, &again);
	mp_journal_free(&journal);
	mp_journal_free(&again);
	return 0;
}
