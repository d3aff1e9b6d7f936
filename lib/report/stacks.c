/*
 * stacks.c: follows the calls that are open in each thread. Rows come in the order of ends, last one first, which is
 * that of recording backwards, so a call comes before the calls in it. Other data is sorted.
 */
#include "report/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/index.h"
#include "base/number.h"
#include "base/text.h"

enum { COLUMN_PID, COLUMN_TID, COLUMN_NAME, COLUMN_START, COLUMN_DUR, COLUMNS };
enum { DEPTH_MAX = 256, NAME_SIZE = 1024, THREADS_MAX = 1024, PROGRESS_EVERY = 1 << 17 };

/* A call that is open. Times are reversed: ~end and ~start, as in timeline.c. */
struct frame {
	int64_t to;
	uint64_t own; /* ns so far in which no call in it was open */
	size_t path_len;
};

struct thread {
	int64_t pid, tid;
	bool begun;
	int64_t last_from, last_to; /* of the call before; all time before last_from is given to calls */
	int depth;
	size_t root_len; /* of the names of process and thread */
	struct frame frames[DEPTH_MAX];
	char path[MP_FOLD_MAX];
};

struct stacks {
	const struct mp_report *report;
	struct mp_folds *folds;
	bool sorted; /* rows come thread by thread */
	int64_t calls;
	struct thread *last;
	struct thread *threads[THREADS_MAX];
	int count;
	struct mp_index index; /* of threads */
};

enum outcome { WRITTEN, OUT_OF_ORDER, FAILED };

/* Append a name as a part of a path; a separator in it becomes a comma. Returns the new length; 0: no room. */
static size_t add_part(char *path, size_t used, const char *name, size_t len)
{
	char part[NAME_SIZE];
	size_t size = mp_sanitise(part, sizeof(part), name, len);

	if (used + size + 1 > MP_FOLD_MAX)
		return 0;
	if (used)
		path[used++] = ';';
	for (size_t i = 0; i < size; i++)
		path[used + i] = part[i] == ';' ? ',' : part[i];
	return used + size;
}

static void pop(struct stacks *s, struct thread *t)
{
	const struct frame *f = &t->frames[--t->depth];

	if (f->own)
		mp_folds_add(s->folds, t->path, f->path_len, f->own);
}

/* Give the time up to `until` to the innermost open calls, and close those that end before. */
static void advance(struct stacks *s, struct thread *t, int64_t until)
{
	int64_t now = t->last_from;

	while (t->depth && now < until) {
		struct frame *f = &t->frames[t->depth - 1];
		int64_t to = f->to < until ? f->to : until;

		if (to > now) {
			f->own += (uint64_t)to - (uint64_t)now;
			now = to;
		}
		if (f->to <= until)
			pop(s, t);
	}
}

static void clear(struct stacks *s)
{
	for (int i = 0; i < s->count; i++) {
		advance(s, s->threads[i], INT64_MAX);
		while (s->threads[i]->depth)
			pop(s, s->threads[i]);
		free(s->threads[i]);
	}
	mp_index_free(&s->index);
	s->count = 0;
	s->last = NULL;
}

struct thread_key {
	const struct stacks *stacks;
	int64_t pid, tid;
};

static bool same_thread(const void *key, uint32_t item)
{
	const struct thread_key *w = key;
	const struct thread *t = w->stacks->threads[item];

	return t->pid == w->pid && t->tid == w->tid;
}

/* NULL: memory was short. */
static uint32_t *find_place(struct stacks *s, int64_t pid, int64_t tid)
{
	uint64_t hash = mp_hash_mix(mp_hash_mix(0, (uint64_t)pid), (uint64_t)tid);

	return mp_index_find(&s->index, (size_t)s->count, hash, same_thread, &(struct thread_key){s, pid, tid});
}

static int name_thread(const struct stacks *s, struct thread *t, struct mp_error *err)
{
	const struct mp_report_row row = {.count = 2,
	    .titles = {"pid", "tid"},
	    .values = {{.type = MP_INT, .i = t->pid}, {.type = MP_INT, .i = t->tid}}};
	const char *const patterns[] = {s->report->tracks.process, s->report->tracks.thread};
	char name[256];

	for (size_t i = 0; i < 2; i++) {
		if (mp_report_fill(name, sizeof(name), patterns[i], &row, err))
			return -1;
		t->root_len = add_part(t->path, t->root_len, name, strlen(name));
	}
	return 0;
}

/* Returns NULL with an error, or without one when there are too many threads for the order of recording. */
static struct thread *find_thread(struct stacks *s, int64_t pid, int64_t tid, struct mp_error *err)
{
	uint32_t *place;
	struct thread *t;

	if (s->last && s->last->pid == pid && s->last->tid == tid)
		return s->last;
	place = find_place(s, pid, tid);
	if (place && *place)
		return s->last = s->threads[*place - 1];
	err->text[0] = '\0';
	if (s->sorted && s->count) {
		clear(s); /* no earlier thread returns */
		place = find_place(s, pid, tid);
	}
	if (s->count == THREADS_MAX)
		return NULL;
	t = place ? calloc(1, sizeof(*t)) : NULL;
	if (!t) {
		mp_fail_memory(err, "stacks");
		return NULL;
	}
	t->pid = pid;
	t->tid = tid;
	if (name_thread(s, t, err)) {
		free(t);
		return NULL;
	}
	s->threads[s->count++] = t;
	*place = (uint32_t)s->count;
	return s->last = t;
}

/* Open a call in the innermost one that contains it. One that it overlaps otherwise gives it the rest of its time. */
static void push(struct stacks *s, struct thread *t, const struct mp_value *name, int64_t to)
{
	static const char unknown[] = "N/A";
	bool named = name->type == MP_TEXT && name->len;
	size_t used = 0;

	while (t->depth && t->frames[t->depth - 1].to < to)
		pop(s, t);
	if (t->depth < DEPTH_MAX)
		used = add_part(t->path, t->depth ? t->frames[t->depth - 1].path_len : t->root_len,
		    named ? name->text : unknown, named ? name->len : sizeof(unknown) - 1);
	if (used) /* else too deep: the time is that of the outer call */
		t->frames[t->depth++] = (struct frame){to, 0, used};
}

static enum outcome take_row(struct stacks *s, const struct mp_value *cells, struct mp_error *err)
{
	const struct mp_value *start = &cells[COLUMN_START], *dur = &cells[COLUMN_DUR];
	int64_t pid = cells[COLUMN_PID].type == MP_INT ? cells[COLUMN_PID].i : 0;
	int64_t tid = cells[COLUMN_TID].type == MP_INT ? cells[COLUMN_TID].i : 0, end_ns, from, to;
	struct thread *t = find_thread(s, pid, tid, err);

	if (!t)
		return err->text[0] ? FAILED : OUT_OF_ORDER;
	if (start->type != MP_INT || dur->type != MP_INT || dur->i <= 0) /* without a time it weighs nothing */
		return WRITTEN;
	if (__builtin_add_overflow(start->i, dur->i, &end_ns))
		end_ns = INT64_MAX;
	from = ~end_ns;
	to = ~start->i;
	if (t->begun && (from < t->last_from || (from == t->last_from && to > t->last_to)))
		return OUT_OF_ORDER;
	advance(s, t, from);
	t->begun = true;
	t->last_from = from;
	t->last_to = to;
	push(s, t, &cells[COLUMN_NAME], to);
	s->calls++;
	return WRITTEN;
}

/* Fold all rows in one of two orders. */
static enum outcome fold_rows(struct stacks *s, struct mp_db *db, const struct mp_report_row *each, enum mp_style style,
    const struct mp_timeline_progress *progress, struct mp_error *err)
{
	struct mp_value cells[COLUMNS] = {{.type = MP_NULL}};
	enum outcome outcome = WRITTEN;
	struct mp_query *rows;
	char order[128];
	int status;

	s->calls = 0;
	snprintf(order, sizeof(order), "ORDER BY %s",
	    s->sorted ? "pid, tid, min(start_ns + dur_ns, 9223372036854775807) DESC, start_ns"
		      : s->report->tracks.recorded);
	if (mp_report_rows(&rows, db, &s->report->rows, "", order, style, err))
		return FAILED;
	if (mp_query_column_count(rows) < COLUMNS) {
		mp_fail(err, "schema/%s: stacks have pid, tid, name, start_ns and dur_ns", s->report->path);
		outcome = FAILED;
	} else if (mp_report_bind(rows, each, err)) {
		outcome = FAILED;
	}
	while (outcome == WRITTEN && (status = mp_query_next(rows, err)) != 0) {
		if (status > 0)
			mp_query_row(rows, cells, COLUMNS);
		outcome = status < 0 ? FAILED : take_row(s, cells, err);
		if (progress && s->calls % PROGRESS_EVERY == 1)
			progress->update(progress->user, s->calls);
	}
	mp_query_close(rows);
	clear(s);
	return outcome;
}

int mp_stacks_write(const struct mp_report *report, struct mp_db *db, const struct mp_query *each, enum mp_style style,
    struct mp_out *out, const struct mp_timeline_progress *progress, struct mp_timeline_stats *stats,
    struct mp_error *err)
{
	struct stacks *s = calloc(1, sizeof(*s));
	enum outcome outcome = FAILED;
	struct mp_report_row given;

	if (!s)
		return mp_fail_memory(err, "stacks");
	s->report = report;
	if (mp_folds_create(&s->folds, out, err) == 0 && mp_report_row(&given, each, err) == 0)
		outcome = fold_rows(s, db, &given, style, progress, err);
	if (outcome == OUT_OF_ORDER) {
		mp_out_restart(out);
		mp_folds_clear(s->folds);
		s->sorted = true;
		outcome = fold_rows(s, db, &given, style, progress, err);
		if (outcome == OUT_OF_ORDER)
			mp_report_refuse_rows(report->path, "rows are not in order", err);
	}
	if (outcome == WRITTEN)
		mp_folds_write(s->folds);
	*stats = (struct mp_timeline_stats){.events = s->calls};
	mp_folds_free(s->folds);
	free(s);
	return outcome == WRITTEN ? mp_out_error(out, err) : -1;
}

/* A table of paths in one piece of memory. */

enum { PATHS = 1 << 16, BYTES = 8 << 20 };

struct path {
	const char *text;
	uint32_t len;
	int64_t ns;
};

struct mp_folds {
	struct mp_out *out;
	size_t count, used;
	struct path paths[PATHS];
	struct mp_index index; /* has room for all paths */
	char bytes[BYTES];
};

int mp_folds_create(struct mp_folds **folds, struct mp_out *out, struct mp_error *err)
{
	*folds = calloc(1, sizeof(**folds)); /* memory that is not used costs nothing */
	if (!*folds || !mp_index_grow(&(*folds)->index, PATHS)) {
		free(*folds);
		*folds = NULL;
		return mp_fail_memory(err, "stacks");
	}
	(*folds)->out = out;
	return 0;
}

void mp_folds_free(struct mp_folds *folds)
{
	if (folds)
		mp_index_free(&folds->index);
	free(folds);
}

/* A path to look up. */
struct path_key {
	const struct mp_folds *folds;
	const char *text;
	size_t len;
};

static bool same_path(const void *key, uint32_t item)
{
	const struct path_key *w = key;
	const struct path *p = &w->folds->paths[item];

	return p->len == w->len && memcmp(p->text, w->text, w->len) == 0;
}

static uint32_t *find(struct mp_folds *f, const char *text, size_t len)
{
	return mp_index_find(
	    &f->index, f->count, mp_hash_bytes(text, len), same_path, &(struct path_key){f, text, len});
}

void mp_folds_add(struct mp_folds *f, const char *text, size_t len, uint64_t ns)
{
	uint32_t *place = find(f, text, len);
	struct path *p;

	if (!*place && (f->count == PATHS || len > BYTES - f->used)) {
		mp_folds_write(f);
		mp_folds_clear(f);
		place = find(f, text, len);
	}
	if (!*place) {
		memcpy(f->bytes + f->used, text, len);
		f->paths[f->count] = (struct path){f->bytes + f->used, (uint32_t)len, 0};
		f->used += len;
		*place = (uint32_t)++f->count;
	}
	p = &f->paths[*place - 1];
	if (ns > (uint64_t)(INT64_MAX - p->ns))
		p->ns = INT64_MAX;
	else
		p->ns += (int64_t)ns;
}

static int by_text(const void *a, const void *b)
{
	const struct path *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

void mp_folds_write(struct mp_folds *f)
{
	if (f->count)
		qsort(f->paths, f->count, sizeof(f->paths[0]), by_text);
	for (size_t i = 0; i < f->count; i++) {
		char *at = mp_out_reserve(f->out, f->paths[i].len + 2 * MP_DIGITS_ROOM), *end;

		memcpy(at, f->paths[i].text, f->paths[i].len);
		end = at + f->paths[i].len;
		*end++ = ' ';
		end = mp_digits_put_int(end, f->paths[i].ns);
		*end++ = '\n';
		mp_out_advance(f->out, (size_t)(end - at));
	}
}

void mp_folds_clear(struct mp_folds *f)
{
	mp_index_clear(&f->index);
	f->count = f->used = 0;
}
