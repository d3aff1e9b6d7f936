/*
 * pull_internal.h: a JOB during its transfer, for the files pull*.c only.
 * After an error the fetched part stays for a resume.
 */
#ifndef MP_BOARD_PULL_INTERNAL_H
#define MP_BOARD_PULL_INTERNAL_H

#include "board/transfer/sftp.h"
#include "board/transfer/transfer.h"

struct mp_pull {
	struct mp_board *board;
	const struct mp_remote *remote;
	const struct mp_pull_options *options;
	struct mp_pull_result *result;
	const char *job;  /* on the board */
	const char *name; /* its last element */
	char part[256];   /* ".NAME.part" */
	char what[512];   /* "fetch 'JOB'" */
	int outfd, partfd;
	bool slices_only;
	struct mp_journal journal;
	struct mp_tree there;       /* the latest listing */
	bool *wanted;               /* one for each entry of there */
	struct mp_sftp_item *items; /* the wanted files */
	size_t item_count;
	size_t mismatches;
	size_t refused;      /* maximum of all listings */
	size_t unsummed;     /* files without a sum in the latest listing */
	int64_t there_bytes; /* sum of all listed sizes */
	struct mp_progress progress;
	/* Commands that were started early, see mp_tree_listing_start; either may be unused. */
	struct mp_tree_listing *next_listing;
	struct mp_pipe tar;
	struct mp_error complaint; /* error of an incomplete fetch, the latest one; or "" */
};

/* List the JOB on the board, find the wanted files, write the journal. with_sums: compare contents, too. */
int mp_pull_look(struct mp_pull *pull, bool with_sums, struct mp_error *err);

/* Start the listing for the next look, which reports any error. */
void mp_pull_prepare_look(struct mp_pull *pull, bool with_sums);

/* Start the tar for the next fetch, which reports any error. The tar waits for its names. */
void mp_pull_prepare_fetch(struct mp_pull *pull);

/* Fetch the items. The next look finds files that vanished or shrank. */
int mp_pull_fetch(struct mp_pull *pull, struct mp_error *err);

#endif
