/*
 * load_order.c: rows of records in the order of their times, where their files are not. Records become rows as they are
 * read; a table of which a record came too late is put in order once, when all files are loaded.
 */
#include <stdio.h>
#include <string.h>

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

/* The names of a table's columns as parts of statements. */
static const char names_sql[] =
    "SELECT group_concat('\"' || c.name || '\"'), group_concat('x.\"' || c.name || '\"'), group_concat('a.\"' || c.name || '\"'),"
    " group_concat('b.\"' || c.name || '\"'), '\"' || o.time || '\"', coalesce((SELECT group_concat(' AND a.\"' || value || '\" IS b.\"' || value || '\"', '')"
    " FROM json_each('[\"' || replace(o.apart, ' ', '\",\"') || '\"]') WHERE value <> ''), '') FROM temp.record_order o, pragma_table_info(o.records) c WHERE o.records = ?";

/* All rows of a device together; of one time by all their values, so that the order in the files does not matter. */
static int put_in_order(struct mp_db *db, const char *table, struct mp_error *err)
{
	enum { NAMES, OF_X, OF_A, OF_B, TIME, APART };
	const char *t = table;
	sqlite3_str *sql;
	struct mp_query *q;
	int status = mp_query_ask(&q, db, names_sql, MP_VALUES(mp_string(table)), err);

	if (status != 1) {
		mp_query_close(q);
		return status;
	}
	sql = sqlite3_str_new(db->handle);
	sqlite3_str_appendf(sql,
	    "CREATE TEMP TABLE recorded AS SELECT x.rowid AS row FROM source s CROSS JOIN \"%w\" x ON x.rowid BETWEEN s.first_row AND s.last_row"
	    " WHERE s.target = %Q ORDER BY s.device_id, x.rowid;"
	    "CREATE TEMP TABLE ordered AS SELECT x.*, s.device_id AS _device FROM source s CROSS JOIN \"%w\" x ON x.rowid BETWEEN s.first_row AND s.last_row"
	    " WHERE s.target = %Q ORDER BY s.device_id, x.%s, %s;",
	    t, t, t, t, mp_query_text(q, TIME), mp_query_text(q, OF_X));
	sqlite3_str_appendf(sql,
	    "INSERT INTO note(kind, text) SELECT 'order', %Q || ': ' || count(*) || ' records of equal times, whose order is unknown since the files are not in order'"
	    " FROM temp.ordered a JOIN temp.ordered b ON b.rowid = a.rowid + 1"
	    " WHERE a._device IS b._device AND a.%s IS b.%s%s AND (%s) IS NOT (%s) HAVING count(*);",
	    t, mp_query_text(q, TIME), mp_query_text(q, TIME), mp_query_text(q, APART), mp_query_text(q, OF_A),
	    mp_query_text(q, OF_B));
	sqlite3_str_appendf(sql,
	    "DELETE FROM \"%w\" WHERE rowid IN (SELECT row FROM temp.recorded);"
	    "INSERT INTO \"%w\"(rowid, %s) SELECT r.row, %s FROM temp.recorded r JOIN temp.ordered x ON x.rowid = r.rowid ORDER BY r.row;"
	    "DROP TABLE temp.recorded; DROP TABLE temp.ordered;",
	    t, t, mp_query_text(q, NAMES), mp_query_text(q, OF_X));
	mp_query_close(q);
	return mp_db_run_built(db, sql, err);
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
