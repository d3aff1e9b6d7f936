/*
 * load_order.c: tells which tables have a record that came too late. Records become rows as they are read; when all
 * files are loaded, schema/sql/prof/order.sql puts such a table in the order of its times.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/vec.h"
#include "store/load.h"

/* Returns the order of a table's records of a device; NULL with an error when memory is short. */
static struct mp_load_order *find(struct mp_load *load, const char *table, int64_t device_id, struct mp_error *err)
{
	struct mp_load_order *o;

	for (size_t i = 0; i < load->order_count; i++)
		if (load->orders[i].device_id == device_id && strcmp(load->orders[i].table, table) == 0)
			return &load->orders[i];
	if (!mp_vec_room(load->orders, load->order_count, 1)) {
		mp_error_set_memory(err, "the order of records");
		return NULL;
	}
	o = &load->orders[load->order_count++];
	*o = (struct mp_load_order){.device_id = device_id, .last = INT64_MIN};
	snprintf(o->table, sizeof(o->table), "%s", table);
	return o;
}

/* Asks which column has the time; none: rows stay as they are recorded. */
static int ask(struct mp_load *load, struct mp_load_order *o, struct mp_error *err)
{
	static const char sql[] = "SELECT time FROM temp.record_order WHERE records = ?";
	struct mp_query *q;
	int status = mp_query_ask(&q, load->db, sql, MP_VALUES(mp_string(o->table)), err);
	struct mp_value name = status == 1 ? mp_query_value(q, 0) : mp_null();

	if (name.type == MP_TEXT && name.len < sizeof(o->time))
		memcpy(o->time, name.text, name.len);
	o->is_known = true;
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

int mp_load_order(
    struct mp_load *load, const struct mp_slice *slice, struct mp_load_order **order, struct mp_error *err)
{
	*order = NULL;
	if (load->job->family != MP_FAMILY_PROF)
		return 0;
	*order = find(load, slice->layout->table, slice->file->identity.device_id, err);
	return !*order || (!(*order)->is_known && ask(load, *order, err)) ? -1 : 0;
}

static int put_in_order(struct mp_db *db, const char *table, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, mp_schema_text("sql/prof/order.sql"), MP_VALUES(mp_string(table)), err);
	char *statements = status == 1 ? strdup(mp_query_text(q, 0)) : NULL;

	mp_query_close(q); /* an open query would lock the table */
	if (status == 1)
		status = statements ? mp_db_run(db, statements, err) : mp_fail_memory(err, "a statement");
	free(statements);
	return status;
}

int mp_load_put_in_order(struct mp_load *load, struct mp_error *err)
{
	for (size_t i = 0; i < load->order_count; i++) {
		struct mp_load_order *o = &load->orders[i];

		if (o->is_late && put_in_order(load->db, o->table, err))
			return -1;
		for (size_t k = i + 1; o->is_late && k < load->order_count; k++) /* all devices are done */
			if (strcmp(load->orders[k].table, o->table) == 0)
				load->orders[k].is_late = false;
	}
	return 0;
}
