/* out_support.h: output into a file without a name, and its text. */
#ifndef MP_TESTS_OUT_SUPPORT_H
#define MP_TESTS_OUT_SUPPORT_H

#include "support.h"

#include "base/out.h"
#include "report/writer.h"

struct sink {
	int fd;
	struct mp_out *out;
	char *text;
};

static inline void sink_open(struct sink *s)
{
	struct mp_error err;

	memset(s, 0, sizeof(*s));
	s->fd = unnamed_file("", 0);
	assert_ok(mp_out_fd(&s->out, s->fd, "test", &err), &err);
}

/* All text written since sink_open. */
static inline const char *sink_text(struct sink *s)
{
	struct mp_error err;
	off_t size;

	assert_ok(mp_out_flush(s->out, &err), &err);
	size = lseek(s->fd, 0, SEEK_END);
	free(s->text);
	s->text = calloc(1, (size_t)size + 1);
	assert_int_equal(pread(s->fd, s->text, (size_t)size, 0), size);
	return s->text;
}

static inline void sink_close(struct sink *s)
{
	mp_out_abort(s->out);
	free(s->text);
	close(s->fd);
}

static inline struct mp_value null_cell(void)
{
	return (struct mp_value){.type = MP_NULL};
}

static inline struct mp_value int_cell(int64_t i)
{
	return (struct mp_value){.type = MP_INT, .i = i};
}

static inline struct mp_value real_cell(double d)
{
	return (struct mp_value){.type = MP_REAL, .d = d};
}

static inline struct mp_value text_cell(const char *s)
{
	return mp_string(s);
}

/* Write one section with these titles and rows to a writer; `cells` holds row after row. */
static inline void write_section(
    struct mp_writer *w, const struct mp_section *s, const struct mp_value *cells, int rows, int64_t omitted)
{
	struct mp_error err;

	assert_ok(w->section(w, s, &err), &err);
	for (int i = 0; i < rows; i++)
		assert_ok(w->row(w, cells + i * s->column_count, &err), &err);
	assert_ok(w->end(w, omitted, &err), &err);
}

#endif
