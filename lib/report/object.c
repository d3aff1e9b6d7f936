/* object.c: writes rows as the members of one JSON object. */
#include "report/object.h"

#include "base/failure.h"
#include "report/json.h"

enum { KEY, VALUE, COLUMNS };

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	(void)w;
	return s->column_count == COLUMNS ? 0 : mp_fail(err, "an object needs two columns, key and value");
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_object *o = (struct mp_object *)w;

	(void)err;
	if (cells[KEY].type != MP_TEXT || cells[VALUE].type != MP_TEXT)
		return 0;
	mp_out_text(o->out, o->has_member ? ", " : "{");
	o->has_member = true;
	mp_json_string(o->out, cells[KEY].text, cells[KEY].len);
	mp_out_text(o->out, ": ");
	mp_out_write(o->out, cells[VALUE].text, cells[VALUE].len);
	return 0;
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	(void)w, (void)omitted, (void)err;
	return 0;
}

void mp_object_init(struct mp_object *object, struct mp_out *out)
{
	*object = (struct mp_object){.writer = {section, row, end, NULL}, .out = out};
}

void mp_object_finish(struct mp_object *object)
{
	mp_out_text(object->out, object->has_member ? "}\n" : "{}\n");
}
