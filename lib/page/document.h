/* document.h: the parts of the data document. Functions return 0, or -1 with err; the mp_out keeps its own errors. */
#ifndef MP_PAGE_DOCUMENT_H
#define MP_PAGE_DOCUMENT_H

#include "page/timeline.h"

/* Write the whole document. */
int mp_document_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);

/* Write the objects of all rows of the queries of a folder below schema/page, separated by commas; `any`: there was
 * one before, and after. */
int mp_objects_put(const struct mp_page *page, const char *folder, bool *any, struct mp_out *out, struct mp_error *err);

/* Write the values of members; "roofline" is null where no peak is known. */
int mp_job_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);
int mp_operators_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);
int mp_roofline_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);

/* Write the value of the member "counters"; times count from begin_ns on. */
int mp_counters_put(const struct mp_page *page, int64_t begin_ns, struct mp_out *out, struct mp_error *err);

#endif
