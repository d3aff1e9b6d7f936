/*
 * journal.h: what is known of a JOB that is not wholly here: enough to go on after a cut.
 *
 * A small text file ".NAME.journal" beside ".NAME.part", replaced as a whole; it holds no
 * secrets. The names of the board and of its JOB, and every file with size, time, sum
 * and state:
 *
 *     msprof-journal 1
 *     host root@10.0.0.2:22
 *     job /root/out/JOBABC
 *     file want 4096 1718000000 - data/aicore.0.net.1.1.1.0
 *     end 1
 *
 * '%', control characters and bytes that are not UTF-8 are written as %XX. Reading is
 * strict, for the file may be anybody's. Owned texts; free with mp_journal_free.
 */
#ifndef MP_BOARD_JOURNAL_H
#define MP_BOARD_JOURNAL_H

#include "board/transfer/tree.h"

enum mp_journal_state {
	MP_JOURNAL_WANT, /* still to be fetched, or begun */
	MP_JOURNAL_DONE, /* here */
	MP_JOURNAL_GONE  /* here, and removed from the board */
};

struct mp_journal {
	char *host, *job;
	struct mp_tree files;          /* sorted; of regular files only */
	enum mp_journal_state *states; /* one a file */
};

/* Read the journal of the JOB called name. 0, 1 when there is none, or -1. */
int mp_journal_read(struct mp_journal *journal, int outfd, const char *name, struct mp_error *err);

/* Write it beside the JOB called name. */
int mp_journal_write(const struct mp_journal *journal, int outfd, const char *name, struct mp_error *err);

/* Remove it; none is fine. */
int mp_journal_remove(int outfd, const char *name, struct mp_error *err);

/* The state of a file, MP_JOURNAL_WANT with *entry = NULL when it is not listed. */
enum mp_journal_state mp_journal_find(
    const struct mp_journal *journal, const char *path, const struct mp_tree_entry **entry);

/* The names of the JOBs that have a journal in a directory, sorted; *names is an array of owned texts. */
int mp_journal_list(int outfd, char ***names, size_t *count, struct mp_error *err);

/* Free; legal on a zeroed journal. */
void mp_journal_free(struct mp_journal *journal);

/* Whether name may be that of a JOB: "JOB", then letters, digits, '_' and '-', below 200 characters. */
bool mp_journal_name_valid(const char *name);

#endif
