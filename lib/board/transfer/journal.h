/*
 * journal.h: the journal of a JOB that is only partly fetched: enough to continue after a cut.
 *
 * The journal is a small text file ".NAME.journal" beside ".NAME.part", which is always replaced as a whole. It has the
 * names of the board and of its JOB, and the size, time, sum and state of every file; it contains no secrets:
 *
 *     msprof-journal 1
 *     host root@10.0.0.2:22
 *     job /root/out/JOBABC
 *     file want 4096 1718000000 - data/aicore.0.net.1.1.1.0
 *     end 1
 *
 * '%', control characters and bytes that are not UTF-8 are written as %XX. Reading is strict, because anybody may have
 * written the file. The struct owns its texts; free with mp_journal_free.
 */
#ifndef MP_BOARD_JOURNAL_H
#define MP_BOARD_JOURNAL_H

#include "board/transfer/tree.h"

enum mp_journal_state {
	MP_JOURNAL_WANT, /* to be fetched, or partly fetched */
	MP_JOURNAL_DONE, /* fetched */
	MP_JOURNAL_GONE  /* fetched, and removed from the board */
};

struct mp_journal {
	char *host, *job;
	struct mp_tree files;          /* sorted; only regular files */
	enum mp_journal_state *states; /* one for each file */
};

/* Read the journal of the JOB called name. Returns 0, 1 when there is no journal, -1 on error. */
int mp_journal_read(struct mp_journal *journal, int outfd, const char *name, struct mp_error *err);

/* Write the journal beside the JOB called name. */
int mp_journal_write(const struct mp_journal *journal, int outfd, const char *name, struct mp_error *err);

/* Remove the journal, if there is one. */
int mp_journal_remove(int outfd, const char *name, struct mp_error *err);

/* The state of a file; MP_JOURNAL_WANT with *entry = NULL when the journal does not list the file. */
enum mp_journal_state mp_journal_find(
    const struct mp_journal *journal, const char *path, const struct mp_tree_entry **entry);

/* The sorted names of the JOBs with a journal in the directory outfd. The caller frees the texts and the array. */
int mp_journal_list(int outfd, char ***names, size_t *count, struct mp_error *err);

/* Free the journal; a zeroed journal is legal. */
void mp_journal_free(struct mp_journal *journal);

/* Whether name is a valid name of a JOB: "JOB", then letters, digits, '_' and '-'; fewer than 200 characters. */
bool mp_journal_name_valid(const char *name);

#endif
