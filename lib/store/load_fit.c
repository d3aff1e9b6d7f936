/* load_fit.c: says so, once for each layout, when the bytes of a file do not fit their layout. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "raw/guess.h"
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

static void describe(char text[MP_GUESS_TEXT], const struct mp_slice *s, const char *what, struct mp_guess g)
{
	const struct mp_layout *l = s->layout;
	char likely[160] = "The size of its records is not to be seen";

	if (g.record)
		snprintf(likely, sizeof(likely),
		    "It looks like records of %zu bytes%s%.0zu%s; the layout has %zu bytes and a header of %zu",
		    g.record, g.header ? " behind a header of " : "", g.header,
		    g.header ? " bytes" : " without a header", l->size, l->header);
	snprintf(text, MP_GUESS_TEXT,
	    "its bytes do not fit the layout %s v%d: %s. %s. Numbers of this file are not to be trusted. "
	    "msprof learn finds the layout from the tables of the board's own tool: docs/LEARN.md.",
	    l->name, l->version, what, likely);
}

int mp_load_fit(struct mp_load *load, const struct mp_slice *s, struct mp_error *err)
{
	const struct mp_layout *l = s->layout;
	const struct mp_tally *t = mp_reader_tally(s->reader);
	char file[512], text[MP_GUESS_TEXT];
	const char *what;
	unsigned char *bytes;
	ssize_t have;

	if (load->job->family != MP_FAMILY_SVP || l->kind != MP_RECORD_BINARY || s->is_peer || l == load->misfit)
		return 0;
	what = misfit(l, t);
	if (!what)
		return 0;
	bytes = malloc(MP_GUESS_SIZE);
	if (!bytes)
		return mp_fail_memory(err, "a file");
	have = pread(s->fd, bytes, MP_GUESS_SIZE, 0);
	describe(text, s, what, mp_guess(bytes, have > 0 ? (size_t)have : 0, t->size));
	free(bytes);
	load->misfit = l;
	mp_job_file_path(load->job, s->file, file);
	return mp_load_note(load, "layout", file, text, err);
}
