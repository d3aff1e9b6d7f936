/*
 * pull_internal.h: a JOB on its way, shared by the files pull*.c only.
 * Made by mp_pull_begin, given up with mp_pull_end; errors leave what is here for a resume.
 */
#ifndef MP_BOARD_PULL_INTERNAL_H
#define MP_BOARD_PULL_INTERNAL_H

#include "board/transfer/journal.h"
#include "board/transfer/pull.h"
#include "board/transfer/sftp.h"

struct mp_pull {
	struct mp_board *board;
	const struct mp_remote *remote;
	const struct mp_pull_options *options;
	struct mp_pull_result *result;
	const char *job;  /* on the board */
	const char *name; /* its last element */
	char part[256];   /* ".NAME.part" */
	int outfd, partfd;
	bool slices_only;
	struct mp_journal journal;
	struct mp_tree there;       /* the latest listing */
	bool *wanted;               /* one an entry of there */
	struct mp_sftp_item *items; /* the wanted ones */
	size_t item_count;
	size_t mismatches;
	size_t refused;      /* most of any listing */
	size_t unsummed;     /* files whose sum the latest listing did not tell */
	int64_t there_bytes; /* of all files listed */
	struct mp_progress progress;
	/* Commands started ahead, see mp_tree_listing_start; either may be unused. */
	struct mp_tree_listing *next_listing;
	struct mp_pipe tar;
	struct mp_error complaint; /* of the latest fetch that was not wholly well, or "" */
};

int mp_pull_begin(struct mp_pull *pull, struct mp_error *err);
void mp_pull_end(struct mp_pull *pull);

/* List the board, find what is wanted, write the journal. with_sums compares contents as well. */
int mp_pull_look(struct mp_pull *pull, bool with_sums, struct mp_error *err);

/* Start the listing for the next look, held; what goes wrong shows then. */
void mp_pull_prepare_look(struct mp_pull *pull, bool with_sums);

/* Start the tar for the fetch, which waits for its names; what goes wrong shows then. */
void mp_pull_prepare_fetch(struct mp_pull *pull);

/* Fetch the items. A file that vanished or shrank is left to the next look. */
int mp_pull_fetch(struct mp_pull *pull, struct mp_error *err);

/* Look and fetch until nothing is wanted. */
int mp_pull_settle(struct mp_pull *pull, struct mp_error *err);

/* pull_sync.c: put an entry of a directory on the disk; everything below ".NAME.part", or its directories alone; the
 * output directory. */
int mp_pull_sync_entry(int dirfd, const char *name, const char *label, struct mp_error *err);
int mp_pull_sync(const struct mp_pull *pull, bool files, struct mp_error *err);
int mp_pull_sync_place(const struct mp_pull *pull, struct mp_error *err);

/* Whether an entry is a finished slice or the marker of one. */
bool mp_pull_is_slice(const struct mp_tree *tree, const struct mp_tree_entry *entry);

#endif
