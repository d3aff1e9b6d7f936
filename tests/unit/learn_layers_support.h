/* learn_layers_support.h: a network of 24 tasks, tables that name its layers, and the import of what was learned. */
#ifndef MP_TESTS_LEARN_LAYERS_SUPPORT_H
#define MP_TESTS_LEARN_LAYERS_SUPPORT_H

#include "store_support.h"

#include "base/schema.h"
#include "learn/finders.h"

enum { TASKS = 24, LAYERS_MAX = 3, CELLS_MAX = 8 };

struct layer {
	int id;
	char name[32], type[32], ori[2][32];
	int ori_count;
};

struct task {
	int id, stream, count;
	struct layer layers[LAYERS_MAX];
};

struct net {
	struct task tasks[TASKS];
	int streams;
};

/* Every fifth task runs several layers; names differ from original names in every third layer. */
static inline struct net make_net(int streams)
{
	static const char *const types[] = {"Convolution", "Pooling", "Eltwise", "LRN"};
	struct net net = {.streams = streams};
	int id = 100;

	for (int i = 0; i < TASKS; i++) {
		struct task *t = &net.tasks[i];

		t->id = i;
		t->stream = i % streams;
		t->count = i % 5 == 4 ? 2 + i % 2 : 1;
		for (int k = 0; k < t->count; k++, id++) {
			struct layer *l = &t->layers[k];

			l->id = id;
			snprintf(l->name, sizeof(l->name), "conv%d_branch", id);
			snprintf(l->type, sizeof(l->type), "%s", types[id * 7 % 4]);
			snprintf(l->ori[0], sizeof(l->ori[0]), id % 3 ? "conv%d_branch" : "original%d", id);
			snprintf(l->ori[1], sizeof(l->ori[1]), "relu%d", id);
			l->ori_count = 1 + id % 2;
		}
	}
	return net;
}

enum { WITH_TASK = 1, WITH_STREAM = 2, CUT = 4, FILTERED = 8, TRACE = 16 };

struct table {
	struct mp_reference ref;
	struct mp_reference_column columns[CELLS_MAX];
	struct mp_cell cells[TASKS * CELLS_MAX];
	char texts[TASKS * CELLS_MAX][128];
};

static inline void cut_text(char *text)
{
	if (strlen(text) > 10)
		memcpy(text + 9, "~", 2);
}

/* One cell of a task: the texts of its layers, joined. */
static inline void put_cell(
    struct table *t, const struct task *task, enum mp_meaning meaning, int column, size_t row, int flags)
{
	char *text = t->texts[row * CELLS_MAX + (size_t)column];
	struct mp_cell *cell = &t->cells[row * (size_t)t->ref.column_count + (size_t)column];
	size_t used = 0;

	t->columns[column] =
	    (struct mp_reference_column){.title = mp_meaning_name(meaning), .meaning = meaning, .unit = 1};
	for (int k = 0; k < task->count; k++) {
		const struct layer *l = &task->layers[k];
		const char *comma = k ? "," : "";
		char *at = text + used;
		size_t room = sizeof(t->texts[0]) - used;

		if (meaning == MP_MEANS_LAYER_ID)
			snprintf(at, room, "%s%d", comma, l->id);
		else if (meaning == MP_MEANS_LAYER_NAME)
			snprintf(at, room, "%s%s", comma, l->name);
		else if (meaning == MP_MEANS_LAYER_TYPE)
			snprintf(at, room, "%s%s", comma, l->type);
		else if (meaning == MP_MEANS_ORI_NAME || meaning == MP_MEANS_EVENT_NAME)
			snprintf(at, room, "%s%s%s%s", comma, l->ori[0], l->ori_count > 1 ? "," : "",
			    l->ori_count > 1 ? l->ori[1] : "");
		else
			snprintf(
			    text, sizeof(t->texts[0]), "%d", meaning == MP_MEANS_TASK_ID ? task->id : task->stream);
		used = strlen(text);
	}
	if (flags & CUT && meaning >= MP_MEANS_LAYER_ID)
		cut_text(text);
	*cell = (struct mp_cell){.text = text};
	cell->is_number = meaning == MP_MEANS_TASK_ID || meaning == MP_MEANS_STREAM_ID ||
			  (meaning == MP_MEANS_LAYER_ID && !strchr(text, ','));
	cell->value = cell->is_number ? strtoll(text, NULL, 10) : 0;
}

/* A reference of these tasks; free it with free(). */
static inline struct table *make_table(const struct net *net, int flags)
{
	static const enum mp_meaning summary[] = {
	    MP_MEANS_LAYER_ID, MP_MEANS_LAYER_NAME, MP_MEANS_LAYER_TYPE, MP_MEANS_ORI_NAME};
	struct table *t = calloc(1, sizeof(*t));
	enum mp_meaning meanings[CELLS_MAX];
	int count = 0;

	if (flags & (WITH_TASK | TRACE))
		meanings[count++] = MP_MEANS_TASK_ID;
	if (flags & (WITH_STREAM | TRACE))
		meanings[count++] = MP_MEANS_STREAM_ID;
	if (flags & TRACE)
		meanings[count++] = MP_MEANS_EVENT_NAME;
	for (size_t i = 0; i < 4 && !(flags & TRACE); i++)
		meanings[count++] = summary[i];
	t->ref = (struct mp_reference){.name = "op_summary.csv",
	    .kind = MP_TABLE_TASKS,
	    .is_trace = flags & TRACE,
	    .columns = t->columns,
	    .column_count = count,
	    .cells = t->cells};
	t->ref.identity = (struct mp_identity){-1, -1, -1, -1, -1, -1, ""};
	for (int i = 0; i < TASKS; i++) {
		if (flags & FILTERED && i % 3 == 1)
			continue;
		for (int k = 0; k < count; k++)
			put_cell(t, &net->tasks[i], meanings[k], k, t->ref.row_count, flags);
		t->ref.row_count++;
	}
	return t;
}

/* The rows of the table `layer` as they should be. */
static inline const char *layer_rows(const struct net *net, bool with_stream)
{
	static char text[8192];
	size_t used = 0;

	text[0] = '\0';
	for (int i = 0; i < TASKS; i++) {
		for (int k = 0; k < net->tasks[i].count; k++) {
			const struct layer *l = &net->tasks[i].layers[k];

			used += (size_t)snprintf(text + used, sizeof(text) - used, "%d|%d|%d|%s|%s|%s%s%s\n", i,
			    with_stream ? net->tasks[i].stream : 0, l->id, l->name, l->type, l->ori[0],
			    l->ori_count > 1 ? "," : "", l->ori_count > 1 ? l->ori[1] : "");
		}
	}
	return text;
}

/* The rows of `layer` as they are after an import with what was learned (or what is built in). */
static inline char *import_rows(struct job_test *t, const char *text)
{
	static const char sql[] = "SELECT task_id, stream_id, layer_id, name, type, replace(ori, char(31), ',')"
				  " FROM layer ORDER BY task_id, stream_id, position";
	struct mp_layouts layouts = {.count = 0};
	struct mp_job *job = NULL;
	struct mp_db *db = NULL;
	struct mp_query *q;
	char *rows = calloc(1, 8192);
	size_t used = 0;

	assert_ok(mp_layouts_parse(&layouts, "svp.rec", mp_schema_text("records/svp.rec"), &t->err), &t->err);
	if (text)
		assert_ok(mp_layouts_parse(&layouts, "learned.rec", text, &t->err), &t->err);
	assert_ok(mp_layouts_finish(&layouts, &t->err), &t->err);
	assert_ok(mp_job_open(&job, t->dir, &layouts, 0, &t->err), &t->err);
	assert_ok(mp_import_private(&db, job, &layouts, &import_options, &t->err), &t->err);
	assert_ok(mp_query_open(&q, db, sql, strlen(sql), &t->err), &t->err);
	while (mp_query_next(q, &t->err) == 1) {
		for (int i = 0; i < 6; i++) {
			struct mp_value v = mp_query_value(q, i);

			if (v.type == MP_INT)
				used +=
				    (size_t)snprintf(rows + used, 8192 - used, "%s%lld", i ? "|" : "", (long long)v.i);
			else
				used += (size_t)snprintf(
				    rows + used, 8192 - used, "%s%.*s", i ? "|" : "", (int)v.len, v.len ? v.text : "");
		}
		used += (size_t)snprintf(rows + used, 8192 - used, "\n");
	}
	mp_query_close(q);
	mp_db_close(db);
	mp_job_close(job);
	mp_layouts_free(&layouts);
	return rows;
}

#endif
