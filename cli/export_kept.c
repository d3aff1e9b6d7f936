/* export_kept.c: an export replaces its own earlier files, and no file of another tool. */
#include "export_kept.h"

#include <stdio.h>

int export_kept_begin(struct export_kept *k, struct mp_error *err)
{
	return k->label ? mp_made_read(&k->earlier, k->dirfd, err) : 0;
}

int export_kept_end(struct export_kept *k, struct mp_error *err)
{
	const int status = k->lists ? mp_made_write(&k->made, k->dirfd, k->label, err) : 0;

	mp_made_free(&k->made);
	mp_made_free(&k->earlier);
	return status;
}

/* The job keeps what it was delivered with. No word where ours would be the same. */
static int keep_foreign(struct export_kept *k, struct mp_out *out, const char *name, struct mp_error *err)
{
	const int status = mp_out_flush(out, err);

	if (!status && !mp_made_same(k->dirfd, name, MP_OUT_PART) && !k->foreign++)
		snprintf(k->first, sizeof(k->first), "%s", name);
	mp_out_abort(out);
	return status;
}

int export_kept_commit(struct export_kept *k, struct mp_out *out, const char *name, struct mp_error *err)
{
	const size_t len = strlen(name);
	const bool packed = len > 3 && strcmp(name + len - 3, ".gz") == 0; /* no other tool writes these */

	if (k->label && !packed && mp_made_elsewhere(&k->earlier, k->dirfd, name) &&
	    !mp_made_here(&k->made, k->dirfd, name))
		return keep_foreign(k, out, name, err);
	return mp_out_commit(out, err) || (k->lists && mp_made_add(&k->made, k->dirfd, name, err)) ? -1 : 0;
}

int export_kept_refuse(const struct export_kept *k, const char *path, struct mp_error *err)
{
	char more[64] = "";

	if (!k->foreign)
		return 0;
	if (k->foreign > 1)
		snprintf(more, sizeof(more), " (and %lld more)", (long long)k->foreign - 1);
	return mp_fail(err,
	    "'%s/%s/%s'%s is of another tool and stays as it is: export to another directory with --output DIR, or move it away",
	    path, k->label, k->first, more);
}
