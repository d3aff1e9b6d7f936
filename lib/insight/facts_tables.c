/* facts_tables.c: the temporary tables of the facts. */
#include <string.h>

#include "insight/facts_internal.h"

enum { SQL_MAX = 2048, OP_COLUMNS = 13, ROW_MAX = OP_COLUMNS + MP_OP_SUMS };

static int open_insert(struct mp_query **q, struct mp_db *db, const char *table, int columns, struct mp_error *err)
{
	char sql[SQL_MAX];
	int used = snprintf(sql, sizeof(sql), "INSERT INTO temp.%s VALUES(?1", table);

	for (int i = 2; i <= columns; i++)
		used += snprintf(sql + used, sizeof(sql) - (size_t)used, ", ?%d", i);
	used += snprintf(sql + used, sizeof(sql) - (size_t)used, ")");
	return mp_query_open(q, db, sql, (size_t)used, err);
}

/* Store a row of numbers; INT64_MIN becomes NULL. */
static int insert(struct mp_query *q, const int64_t *values, int count, struct mp_error *err)
{
	struct mp_value cells[ROW_MAX];

	for (int i = 0; i < count; i++)
		cells[i] = values[i] == INT64_MIN ? mp_null() : mp_int(values[i]);
	return mp_query_put(q, cells, count, err);
}

int mp_facts_open(struct facts *f, struct mp_error *err)
{
	static const char tables[] =
	    "CREATE TEMP TABLE window(id INTEGER, track INTEGER, start_ns INTEGER, end_ns INTEGER, idle_ns INTEGER, gaps INTEGER);"
	    "CREATE TEMP TABLE window_time(window INTEGER, class INTEGER, alone_ns INTEGER, own_ns INTEGER);"
	    "CREATE TEMP TABLE gap(window INTEGER, start_ns INTEGER, end_ns INTEGER, reason INTEGER, before_op INTEGER,"
	    " before_row INTEGER, after_op INTEGER, after_row INTEGER, launch_ns INTEGER);"
	    "CREATE TEMP TABLE gap_reason(reason INTEGER, count INTEGER, total_ns INTEGER);";

	return mp_db_run(f->db, tables, err) || open_insert(&f->put_window, f->db, "window", 6, err) ||
		       open_insert(&f->put_time, f->db, "window_time", 4, err)
		   ? -1
		   : 0;
}

int mp_facts_read_classes(struct facts *f, struct mp_error *err)
{
	static const char sql[] = "SELECT k1, k2, k3, k4, class FROM temp.op_class";
	struct mp_value v[MP_OP_KEYS + 1];
	int64_t keys[MP_OP_KEYS];
	struct mp_query *q;
	uint32_t op;
	int status;

	if (mp_query_open(&q, f->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		mp_query_row(q, v, MP_OP_KEYS + 1);
		for (int i = 0; i < MP_OP_KEYS; i++)
			keys[i] = v[i].type == MP_INT ? v[i].i : -1;
		if (v[MP_OP_KEYS].i < 0 || v[MP_OP_KEYS].i >= MP_CLASS_MAX)
			status = mp_fail(err, "the class %lld is not known", (long long)v[MP_OP_KEYS].i);
		else if (!mp_ops_find(&f->ops, keys, (int)v[MP_OP_KEYS].i, &op))
			status = mp_fail_memory(err, "operators");
		if (status < 0)
			break;
	}
	mp_query_close(q);
	return status;
}

int mp_facts_put_window(struct facts *f, int64_t track, const struct mp_window *w, struct mp_error *err)
{
	if (insert(f->put_window, (const int64_t[]){w->id, track, w->start_ns, w->end_ns, w->idle_ns, w->gaps}, 6, err))
		return -1;
	for (int i = 0; i < MP_CLASS_MAX; i++)
		if (w->own_ns[i] &&
		    insert(f->put_time, (const int64_t[]){w->id, i, w->alone_ns[i], w->own_ns[i]}, 4, err))
			return -1;
	return 0;
}

static int put_ops(struct facts *f, struct mp_error *err)
{
	char sql[SQL_MAX] =
	    "CREATE TEMP TABLE operator(id INTEGER PRIMARY KEY, k1 INTEGER, k2 INTEGER, k3 INTEGER, k4 INTEGER, class INTEGER,"
	    " count INTEGER, total_ns INTEGER, longest_ns INTEGER, shortest_ns INTEGER, alone_ns INTEGER, is_rest INTEGER,"
	    " first_row INTEGER";
	size_t used = strlen(sql);
	struct mp_query *q;
	int status = 0;

	for (int i = 0; i < f->ops.sum_count; i++)
		used += (size_t)snprintf(sql + used, sizeof(sql) - used, ", \"%s\" INTEGER", f->titles[i]);
	snprintf(sql + used, sizeof(sql) - used, ")");
	if (mp_db_run(f->db, sql, err) || open_insert(&q, f->db, "operator", OP_COLUMNS + f->ops.sum_count, err))
		return -1;
	for (size_t i = 0; i < f->ops.count && !status; i++) {
		const struct mp_op *o = &f->ops.items[i];
		int64_t row[ROW_MAX] = {(int64_t)i, o->keys[0], o->keys[1], o->keys[2], o->keys[3], o->class, o->count,
		    o->total_ns, o->longest_ns, o->shortest_ns, o->alone_ns, o->is_rest, o->first_row};

		memcpy(row + OP_COLUMNS, f->ops.sums + i * (size_t)f->ops.sum_count,
		    (size_t)f->ops.sum_count * sizeof(*row));
		if (o->count)
			status = insert(q, row, OP_COLUMNS + f->ops.sum_count, err);
	}
	mp_query_close(q);
	return status;
}

int mp_facts_put_rest(struct facts *f, struct mp_error *err)
{
	struct mp_query *q;
	int status = put_ops(f, err) || open_insert(&q, f->db, "gap", 9, err) ? -1 : 0;

	if (status)
		return -1;
	mp_gaps_finish(&f->gaps);
	for (int i = 0; i < f->gaps.count && !status; i++) {
		const struct mp_kept_gap *g = &f->gaps.kept[i];

		status = insert(q,
		    (const int64_t[]){g->window, g->start_ns, g->end_ns, g->reason, g->before_op, g->before_row,
			g->after_op, g->after_row, g->launch_ns},
		    9, err);
	}
	mp_query_close(q);
	if (status || open_insert(&q, f->db, "gap_reason", 3, err))
		return -1;
	for (int i = 0; i < MP_GAP_REASONS && !status; i++)
		if (f->gaps.number[i])
			status = insert(q, (const int64_t[]){i, f->gaps.number[i], f->gaps.total_ns[i]}, 3, err);
	mp_query_close(q);
	return status;
}

void mp_facts_close(struct facts *f)
{
	mp_query_close(f->put_window);
	mp_query_close(f->put_time);
}
