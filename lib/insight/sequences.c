/* sequences.c: counts all sequences of a length in a hash table, then takes them by their savings. Knows no table. */
#include "insight/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/vec.h"
#include "insight/sweep.h"

enum { CANDIDATES = 64, LENGTHS = MP_SEQUENCE_MAX - 1 };

/* A sequence with its occurrences that do not overlap. */
struct counted {
	struct mp_op_sequence s;
	size_t next; /* the next occurrence begins here or later */
};

struct finder {
	const struct mp_sequence_task *tasks;
	size_t count;
	struct counted *counted; /* of one length */
	size_t counted_count;
	struct mp_index index; /* of counted */
	struct mp_op_sequence candidates[CANDIDATES * LENGTHS];
	size_t candidate_count;
};

struct wanted {
	const struct finder *f;
	size_t first;
	int length;
};

static bool equal(const struct finder *f, size_t a, size_t b, int length)
{
	for (int i = 0; i < length; i++)
		if (f->tasks[a + (size_t)i].kind != f->tasks[b + (size_t)i].kind)
			return false;
	return true;
}

static bool same(const void *key, uint32_t item)
{
	const struct wanted *w = key;

	return equal(w->f, w->first, w->f->counted[item].s.first, w->length);
}

static bool is_within_run(const struct finder *f, size_t first, int length)
{
	size_t last = first + (size_t)length - 1;

	return last < f->count && f->tasks[first].run == f->tasks[last].run;
}

/* AB in ABAB, and A in AA: the shortest sequence that repeats counts. One task alone is not a sequence. */
static bool repeats(const struct finder *f, size_t first, int length)
{
	for (int period = 1; 2 * period <= length; period++)
		if (equal(f, first, first + (size_t)period, length - period))
			return true;
	return false;
}

static void add_times(struct mp_op_sequence *s, const struct finder *f, size_t at)
{
	int64_t end_ns = f->tasks[at].end_ns, longest_ns = 0, span_ns;

	for (size_t i = at; i < at + (size_t)s->length; i++) {
		const struct mp_sequence_task *t = &f->tasks[i];
		int64_t ns = mp_span_ns(t->start_ns, t->end_ns);

		if (t->end_ns > end_ns)
			end_ns = t->end_ns;
		if (ns > longest_ns)
			longest_ns = ns;
	}
	span_ns = mp_span_ns(f->tasks[at].start_ns, end_ns);
	s->times++;
	s->span_ns = mp_add_ns(s->span_ns, span_ns);
	s->saving_ns = mp_add_ns(s->saving_ns, span_ns - longest_ns);
}

static int largest_first(const void *a, const void *b)
{
	const struct mp_op_sequence *x = a, *y = b;

	if (x->saving_ns != y->saving_ns)
		return x->saving_ns > y->saving_ns ? -1 : 1;
	if (x->length != y->length)
		return y->length - x->length;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int largest_counted_first(const void *a, const void *b)
{
	const struct counted *x = a, *y = b;

	return largest_first(&x->s, &y->s);
}

/* Returns false when memory is short. */
static bool count_length(struct finder *f, int length, int64_t least)
{
	mp_index_clear(&f->index);
	f->counted_count = 0;
	for (size_t i = 0; i < f->count; i++) {
		const struct wanted w = {f, i, length};
		struct counted *c;
		uint64_t hash = 0;
		uint32_t *place;

		if (!is_within_run(f, i, length) || repeats(f, i, length))
			continue;
		for (int k = 0; k < length; k++)
			hash = mp_hash_mix(hash, (uint64_t)f->tasks[i + (size_t)k].kind);
		place = mp_index_find(&f->index, f->counted_count, hash, same, &w);
		if (!place)
			return false;
		if (!*place) {
			f->counted[f->counted_count] = (struct counted){.s = {.first = i, .length = length}};
			*place = (uint32_t)++f->counted_count;
		}
		c = &f->counted[*place - 1];
		if (i < c->next)
			continue;
		add_times(&c->s, f, i);
		c->next = i + (size_t)length;
	}
	qsort(f->counted, f->counted_count, sizeof(*f->counted), largest_counted_first);
	for (size_t i = 0, taken = 0; i < f->counted_count && taken < CANDIDATES; i++)
		if (f->counted[i].s.times >= least) {
			f->candidates[f->candidate_count++] = f->counted[i].s;
			taken++;
		}
	return true;
}

/* Whether a kind may stand at a place of the known sequence that begins the list. */
static bool fits(struct mp_known_list known, int64_t place, int64_t kind)
{
	for (size_t i = 0; i < known.count && known.items[i].place <= place; i++)
		if (known.items[i].place == place && known.items[i].kind == kind)
			return true;
	return false;
}

/* Whether the candidate is at this place: a known one, or its first occurrence again. */
static bool is_at(
    const struct finder *f, size_t first, const struct mp_op_sequence *candidate, struct mp_known_list known)
{
	if (!is_within_run(f, first, candidate->length))
		return false;
	if (!candidate->known)
		return equal(f, first, candidate->first, candidate->length);
	for (int i = 0; i < candidate->length; i++)
		if (!fits(known, i, f->tasks[first + (size_t)i].kind))
			return false;
	return true;
}

/* The occurrences of a candidate whose tasks are in no sequence yet; kept if there are enough. */
static void take(struct mp_sequences *s, const struct finder *f, const struct mp_op_sequence *candidate, int64_t least,
    struct mp_known_list known)
{
	struct mp_op_sequence found = {.first = f->count, .known = candidate->known, .length = candidate->length};
	int number = s->count + 1;

	for (size_t i = 0; i < f->count; i++) {
		bool is_free = is_at(f, i, candidate, known);

		for (int k = 0; k < found.length && is_free; k++)
			is_free = s->number[i + (size_t)k] == 0;
		if (!is_free)
			continue;
		for (int k = 0; k < found.length; k++)
			s->number[i + (size_t)k] = k ? number : -number;
		if (found.first == f->count)
			found.first = i;
		add_times(&found, f, i);
	}
	if (found.times >= least) {
		s->items[s->count++] = found;
		return;
	}
	for (size_t i = 0; i < f->count; i++)
		if (s->number[i] == number || s->number[i] == -number)
			s->number[i] = 0;
}

/* Known sequences whose every place has a kind; those that come first in the list. */
static void take_known(struct mp_sequences *s, const struct finder *f, struct mp_known_list known)
{
	while (known.count && s->count < MP_KNOWN_FOUND) {
		struct mp_op_sequence candidate = {.known = known.items[0].sequence};
		struct mp_known_list one = known;

		for (one.count = 0; one.count < known.count && known.items[one.count].sequence == candidate.known;
		     one.count++)
			if (known.items[one.count].place == candidate.length)
				candidate.length++;
		if (candidate.length >= 2)
			take(s, f, &candidate, 1, one);
		known.items += one.count;
		known.count -= one.count;
	}
}

bool mp_sequences_find(struct mp_sequences *s, const struct mp_sequence_task *tasks, size_t count, int64_t least,
    struct mp_known_list known)
{
	struct finder *f = calloc(1, sizeof(*f));
	bool ok;

	memset(s, 0, sizeof(*s));
	s->number = calloc(count + 1, sizeof(*s->number));
	if (f) {
		*f = (struct finder){.tasks = tasks, .count = count};
		f->counted = calloc(count + 1, sizeof(*f->counted));
	}
	ok = f && s->number && f->counted;
	for (int length = MP_SEQUENCE_MAX; ok && length >= 2; length--)
		ok = count_length(f, length, least);
	if (ok && f->candidate_count)
		qsort(f->candidates, f->candidate_count, sizeof(f->candidates[0]), largest_first);
	if (ok)
		take_known(s, f, known);
	for (size_t i = 0, most = (size_t)s->count + MP_SEQUENCES_FOUND;
	     ok && i < f->candidate_count && (size_t)s->count < most; i++)
		take(s, f, &f->candidates[i], least, known);
	if (f) {
		free(f->counted);
		mp_index_free(&f->index);
	}
	free(f);
	return ok;
}

void mp_sequences_free(struct mp_sequences *s)
{
	free(s->number);
	memset(s, 0, sizeof(*s));
}

/* Reads the tasks among which sequences are sought, and stores those that are found. Knows no
 * family. */

/* The columns of the query. */
enum { ROW, STREAM, KIND, START, END, COLUMNS };

struct read_task {
	int64_t stream;
	bool is_alone; /* in no sequence */
	struct mp_sequence_task task;
};

struct reading {
	struct mp_db *db;
	const struct mp_report *report;
	struct read_task *items;
	size_t count;
	struct mp_sequence_task *tasks; /* of the items that are not alone */
	size_t task_count;
	struct mp_known *known; /* of the types of the job */
	size_t known_count;
	int64_t last_id;
	struct mp_query *put, *put_part, *put_run;
};

static double threshold(const struct mp_report *r, const char *name)
{
	for (int i = 0; i < r->threshold_count; i++)
		if (strcmp(r->thresholds[i].name, name) == 0)
			return r->thresholds[i].value;
	return 0;
}

static int add(void *user, const struct mp_value *v, struct mp_error *err)
{
	struct reading *r = user;
	struct read_task *t;

	if (v[START].type != MP_INT)
		return 0; /* it never ran, or its time is unknown */
	if (!mp_vec_room(r->items, r->count, 1))
		return mp_fail_memory(err, "sequences");
	t = &r->items[r->count++];
	*t = (struct read_task){
	    .stream = v[STREAM].type == MP_INT ? v[STREAM].i : -1, .is_alone = v[KIND].type != MP_INT};
	t->task = (struct mp_sequence_task){.kind = t->is_alone ? 0 : v[KIND].i,
	    .start_ns = v[START].i,
	    .end_ns = v[END].type == MP_INT && v[END].i > v[START].i ? v[END].i : v[START].i,
	    .row = (uint32_t)v[ROW].i};
	return 0;
}

static int by_stream(const void *a, const void *b)
{
	const struct read_task *x = a, *y = b;

	if (x->stream != y->stream)
		return x->stream < y->stream ? -1 : 1;
	if (x->task.start_ns != y->task.start_ns)
		return x->task.start_ns < y->task.start_ns ? -1 : 1;
	return x->task.row < y->task.row ? -1 : x->task.row > y->task.row;
}

/* Number the runs: of one stream, without a task that is alone and without a long gap. */
static bool make_runs(struct reading *r)
{
	int64_t most_gap_ns = (int64_t)(1000 * threshold(r->report, "most_gap_us")), end_ns = 0;
	uint32_t run = 0;

	if (r->count)
		qsort(r->items, r->count, sizeof(*r->items), by_stream);
	free(r->tasks);
	r->tasks = calloc(r->count + 1, sizeof(*r->tasks));
	r->task_count = 0;
	for (size_t i = 0; i < r->count && r->tasks; i++) {
		const struct read_task *t = &r->items[i];

		if (!i || t->stream != t[-1].stream || t->is_alone ||
		    mp_span_ns(end_ns, t->task.start_ns) > most_gap_ns)
			run++;
		end_ns = t->task.end_ns;
		if (t->is_alone)
			continue;
		r->tasks[r->task_count] = t->task;
		r->tasks[r->task_count++].run = run;
	}
	return r->tasks != NULL;
}

static int put(struct mp_query *q, const int64_t *values, int count, struct mp_error *err)
{
	struct mp_value cells[16];

	for (int i = 0; i < count; i++)
		cells[i] = mp_int(values[i]);
	return mp_query_put(q, cells, count, err);
}

static int put_run(struct reading *r, int64_t id, size_t first, int length, struct mp_error *err)
{
	const struct mp_sequence_task *a = &r->tasks[first], *z = a + length - 1;
	int64_t end_ns = a->end_ns, longest_ns = 0;

	for (const struct mp_sequence_task *t = a; t <= z; t++) {
		int64_t ns = mp_span_ns(t->start_ns, t->end_ns);

		end_ns = t->end_ns > end_ns ? t->end_ns : end_ns;
		longest_ns = ns > longest_ns ? ns : longest_ns;
	}
	return put(r->put_run,
	    (const int64_t[]){id, a->row, z->row, length, a->start_ns, mp_span_ns(a->start_ns, end_ns), longest_ns}, 7,
	    err);
}

static int store(struct reading *r, const struct mp_sequences *s, int64_t group, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; i < s->count && !status; i++) {
		const struct mp_op_sequence *q = &s->items[i];

		status = put(r->put,
		    (const int64_t[]){
			r->last_id + i + 1, group, q->length, q->times, q->span_ns, q->saving_ns, q->known},
		    7, err);
		for (int k = 0; k < q->length && !status; k++)
			status = put(r->put_part,
			    (const int64_t[]){r->last_id + i + 1, k, r->tasks[q->first + (size_t)k].row}, 3, err);
	}
	for (size_t i = 0; i < r->task_count && !status; i++)
		if (s->number[i] < 0)
			status = put_run(r, r->last_id - s->number[i], i, s->items[-s->number[i] - 1].length, err);
	r->last_id += s->count;
	return status;
}

static int read_group(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct mp_sequences s = {.count = 0};
	struct reading *r = user;
	int status;

	r->count = 0;
	if (mp_report_values(&r->report->rows, r->db, row, COLUMNS, add, r, err))
		return -1;
	if (make_runs(r) && mp_sequences_find(&s, r->tasks, r->task_count, (int64_t)threshold(r->report, "least_times"),
				(struct mp_known_list){r->known, r->known_count}))
		status = store(r, &s, mp_int_of(row->values[0]), err);
	else
		status = mp_fail_memory(err, "sequences");
	mp_sequences_free(&s);
	return status;
}

/* Which kind may stand where in a known sequence: a row of the @layer of the report. */
static int add_known(void *user, const struct mp_value *v, struct mp_error *err)
{
	struct reading *r = user;

	if (!mp_vec_room(r->known, r->known_count, 1))
		return mp_fail_memory(err, "sequences");
	r->known[r->known_count++] = (struct mp_known){mp_int_of(v[0]), mp_int_of(v[1]), mp_int_of(v[2])};
	return 0;
}

static int open_insert(struct mp_query **q, struct mp_db *db, const char *sql, struct mp_error *err)
{
	return mp_query_open(q, db, sql, strlen(sql), err);
}

int mp_facts_sequences(struct mp_db *db, const struct mp_report *report, struct mp_error *err)
{
	static const char tables[] =
	    "CREATE TEMP TABLE sequence(id INTEGER PRIMARY KEY, grp INTEGER, tasks INTEGER, times INTEGER, span_ns INTEGER, saving_ns INTEGER, known INTEGER);"
	    "CREATE TEMP TABLE sequence_part(sequence INTEGER, place INTEGER, row INTEGER, PRIMARY KEY(sequence, place)) WITHOUT ROWID;"
	    "CREATE TEMP TABLE sequence_run(sequence INTEGER, first_row INTEGER, last_row INTEGER, tasks INTEGER, start_ns INTEGER,"
	    " span_ns INTEGER, longest_ns INTEGER)";
	struct reading r = {.db = db, .report = report};
	int status =
	    mp_db_run(db, tables, err) ||
		    open_insert(&r.put, db, "INSERT INTO temp.sequence VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", err) ||
		    open_insert(&r.put_part, db, "INSERT INTO temp.sequence_part VALUES(?1, ?2, ?3)", err) ||
		    open_insert(
			&r.put_run, db, "INSERT INTO temp.sequence_run VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)", err) ||
		    mp_report_values(&report->layers[0], db, NULL, 3, add_known, &r, err) ||
		    mp_db_run(db, "BEGIN", err) || mp_report_each(report, db, read_group, &r, err) ||
		    mp_db_run(db, "COMMIT", err)
		? -1
		: 0;

	mp_query_close(r.put);
	mp_query_close(r.put_part);
	mp_query_close(r.put_run);
	free(r.items);
	free(r.known);
	free(r.tasks);
	return status;
}
