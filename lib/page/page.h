/*
 * page.h: a job as one HTML page that needs no other file.
 *
 * The static text of the page is schema/page; the data is a JSON document in it (docs/REPORT.md). The same job gives
 * the same bytes. mp_page_write returns 0, or -1 with err; the mp_out keeps its own errors. One thread.
 */
#ifndef MP_PAGE_PAGE_H
#define MP_PAGE_PAGE_H

#include "base/out.h"
#include "compare/diff.h"
#include "store/db.h"

struct mp_page {
	struct mp_db *db; /* with the choice of its job */
	const char *family, *job, *version;
	const struct mp_diff *diff; /* to another collection, or NULL */
	const char *base, *new;     /* the names of its sides */
	int dirfd;                  /* a directory with room for large arrays; -1: none */
};

int mp_page_write(const struct mp_page *page, struct mp_out *out, struct mp_error *err);

#endif
