/* load_fit.c: says so, once for each layout, when the bytes of a file do not fit their layout. */
#include <stdio.h>

#include "store/load.h"

/* What does not fit; NULL when most of the file does. A wrong layout makes more than half of the records odd. */
static const char *misfit(const struct mp_layout *l, const struct mp_tally *t)
{
	if (t->size < (int64_t)l->size)
		return NULL;
	if (t->damaged_bytes > t->size / 2)
		return "no record begins in more than half of its bytes";
	if (t->records < 4)
		return NULL;
	if (t->odd_padding > t->records / 2)
		return "bytes that should be zero are not";
	if (t->negative > t->records / 2)
		return "most tasks end before they start";
	return t->out_of_range > t->records / 2 ? "most numbers are too large" : NULL;
}

int mp_load_fit(struct mp_load *load, const struct mp_slice *s, struct mp_error *err)
{
	const struct mp_layout *l = s->layout;
	char file[512], text[320];
	const char *what;

	if (load->job->family != MP_FAMILY_SVP || l->kind != MP_RECORD_BINARY || s->is_peer || l == load->misfit)
		return 0;
	what = misfit(l, mp_reader_tally(s->reader));
	if (!what)
		return 0;
	load->misfit = l;
	mp_job_file_path(load->job, s->file, file);
	snprintf(text, sizeof(text),
	    "its bytes do not fit the layout %s v%d: %s. Numbers of this file are not to be trusted. A layout can be "
	    "corrected in a text file: docs/FORMAT.md.",
	    l->name, l->version, what);
	return mp_load_note(load, "layout", file, text, err);
}
