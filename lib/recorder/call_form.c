/* call_form.c: fills the fields of both records of a call. The layouts define the bytes. */
#include "recorder/call_files.h"

#include <string.h>

#define ALL "svp.host_call"

enum { TYPE_STAMP = 5 }; /* type of a record, beyond enum msprof_api_type */
enum { SLOT_TYPE, SLOT_BEGIN, SLOT_END, SLOT_PID, SLOT_TID, SLOT_NAME, SLOT_DETAIL, SLOTS };
static const char *const slot_names[SLOTS] = {"type", "begin", "end", "pid", "tid", "name", "detail"};
enum { BOARD_NUMBER, BOARD_BEGIN, BOARD_END, BOARD_PID, BOARD_TID, BOARD_MODEL, BOARD_SLOTS };
static const char *const board_names[BOARD_SLOTS] = {"number", "begin", "end", "pid", "tid", "model"};

static const struct mp_layout *board_layout(const struct mp_layouts *layouts, int soc)
{
	for (size_t i = 0; i < layouts->count; i++) {
		const struct mp_layout *l = layouts->items[i];

		if (l->socs >> soc & 1 && strcmp(l->covered_by, ALL) == 0)
			return l;
	}
	return NULL;
}

int mp_call_form_init(struct mp_call_form *form, const struct mp_layouts *layouts, int soc, const struct mp_wall *wall,
    uint32_t pid, struct mp_error *err)
{
	const struct mp_layout *board = board_layout(layouts, soc);

	if (!board)
		return mp_fail(err, "the layouts have no calls of the soc '%s'", layouts->socs[soc].name);
	form->wall = *wall;
	form->pid = pid;
	form->names_model = mp_layout_field(board, board_names[BOARD_MODEL]) >= 0;
	form->name_column = mp_layout_column(board, "name");
	if (mp_encoder_init(&form->all, layouts, ALL, slot_names, SLOTS, err) ||
	    mp_encoder_init(
		&form->board, layouts, board->name, board_names, form->names_model ? BOARD_SLOTS : BOARD_MODEL, err))
		return -1;
	return form->all.layout->size > MP_CALL_RECORD_MAX || board->size > MP_CALL_RECORD_MAX
		   ? mp_fail(err, "the layouts of calls are too large")
		   : 0;
}

static unsigned record_type(const struct mp_event *event)
{
	if (event->kind == MP_EVENT_CALL)
		return event->type;
	return event->kind == MP_EVENT_OP ? MSPROF_OP : TYPE_STAMP;
}

/* All but what differs from call to call. */
static void make(struct mp_call_form *form, const struct mp_event *event, unsigned char *record)
{
	struct mp_encoder *e = &form->all;

	mp_encoder_begin(e, record);
	mp_encoder_number(e, SLOT_TYPE, record_type(event));
	mp_encoder_number(e, SLOT_PID, form->pid);
	mp_encoder_cut(e, SLOT_NAME, event->text);
	if (event->kind == MP_EVENT_DOMAIN_STAMP)
		mp_encoder_cut(e, SLOT_DETAIL, event->domain_text);
	else if (event->op_type)
		mp_encoder_cut(e, SLOT_DETAIL, event->op_type_text);
}

static int find_number(const struct mp_call_form *form, const char *text)
{
	const struct mp_layout *l = form->board.layout;
	size_t len = strlen(text);

	for (int i = 0; i < l->map_count; i++) {
		const struct mp_layout_map *m = &l->maps[i];

		if (m->column == form->name_column && m->text && m->to == len && memcmp(m->text, text, len) == 0)
			return (int)m->from;
	}
	return -1;
}

/* What calls with the same name, type and type of an operator have in common. */
static const struct mp_known_call *know(struct mp_call_form *form, const struct mp_event *event)
{
	struct mp_known_call *known = &form->known[event->name % MP_KNOWN_CALLS];

	if (known->name == event->name && known->op_type == event->op_type && known->type == event->type)
		return known;
	known->name = event->name;
	known->op_type = event->op_type;
	known->type = event->type;
	known->number = find_number(form, event->text);
	make(form, event, known->all);
	return known;
}

int mp_call_form_all(struct mp_call_form *form, const struct mp_event *event, unsigned char *record)
{
	struct mp_encoder *e = &form->all;
	int number = -1;

	if (event->kind == MP_EVENT_CALL && event->name) {
		const struct mp_known_call *known = know(form, event);

		memcpy(record, known->all, e->layout->size);
		mp_encoder_resume(e, record);
		number = known->number;
	} else {
		make(form, event, record);
	}
	mp_encoder_number(e, SLOT_BEGIN, mp_wall_ns(&form->wall, event->begin_ns));
	mp_encoder_number(e, SLOT_END, mp_wall_ns(&form->wall, event->end_ns));
	mp_encoder_number(e, SLOT_TID, event->tid);
	return number;
}

void mp_call_form_board(
    struct mp_call_form *form, const struct mp_event *event, int number, uint32_t model_id, unsigned char *record)
{
	struct mp_encoder *e = &form->board;

	mp_encoder_begin(e, record);
	mp_encoder_number(e, BOARD_NUMBER, (uint64_t)number);
	mp_encoder_number(e, BOARD_BEGIN, mp_wall_ns(&form->wall, event->begin_ns) / 1000);
	mp_encoder_number(e, BOARD_END, mp_wall_ns(&form->wall, event->end_ns) / 1000);
	mp_encoder_number(e, BOARD_PID, form->pid);
	mp_encoder_number(e, BOARD_TID, event->tid);
	if (form->names_model)
		mp_encoder_number(e, BOARD_MODEL, model_id);
}

void mp_call_form_times(
    const struct mp_call_form *form, const unsigned char *first, const unsigned char *last, struct mp_call_times *times)
{
	const struct mp_encoder *e = &form->board;

	times->begin_us = mp_field_get(e->layout, e->slots[BOARD_BEGIN], first);
	times->end_us = mp_field_get(e->layout, e->slots[BOARD_END], last);
	times->pid = (uint32_t)mp_field_get(e->layout, e->slots[BOARD_PID], last);
	times->tid = (uint32_t)mp_field_get(e->layout, e->slots[BOARD_TID], last);
}
