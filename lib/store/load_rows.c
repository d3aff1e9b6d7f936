/*
 * load_rows.c: what an import says of files: their rows in source, one for each portion that .done markers describe;
 * damage, gaps and notes; and, for each layout, what its rules say of the records. schema/sql tells what follows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "store/load.h"

int mp_load_note(struct mp_load *load, const char *kind, const char *file, const char *text, struct mp_error *err)
{
	return mp_query_put(
	    load->inserts[MP_LOAD_NOTE], MP_VALUES(mp_string(kind), mp_string(file), mp_string(text)), err);
}

int mp_load_damage(
    struct mp_load *load, const char *file, int64_t offset, int64_t bytes, const char *reason, struct mp_error *err)
{
	return mp_query_put(load->inserts[MP_LOAD_DAMAGE],
	    MP_VALUES(mp_string(file), mp_int(offset), mp_int(bytes), mp_string(reason)), err);
}

/* A number, or NULL for -1. */
static struct mp_value number(int64_t value)
{
	return value < 0 ? mp_null() : mp_int(value);
}

int mp_load_source(struct mp_load *load, const struct mp_job_file *f, const struct mp_layout *l,
    const struct mp_tally *t, const struct mp_portion *portion, int64_t first_row, struct mp_error *err)
{
	static const char *const states[] = {"raw", "marker", "unknown", "unreadable"};
	char file[512];
	const struct mp_identity *id = portion ? &portion->identity : &f->identity;
	const struct mp_portion whole = {.records = t ? t->records : 0,
	    .record_bytes = t ? t->record_bytes : 0,
	    .blank_bytes = t ? t->blank_bytes : 0,
	    .damaged_bytes = t ? t->damaged_bytes : 0};
	const struct mp_portion *a = portion ? portion : &whole;
	bool none = !t || first_row < 0;

	mp_job_file_path(load->job, f, file);
	return mp_query_put(load->inserts[MP_LOAD_SOURCE],
	    MP_VALUES(mp_string(file), mp_int(t && t->size ? t->size : f->size), mp_int(f->mtime_ns),
		mp_string(f->is_model ? "model" : states[f->state]), mp_string(l ? l->name : NULL),
		number(l ? l->version : -1), number(l ? (int64_t)l->verified : -1), mp_string(l ? l->table : NULL),
		number(id->device_id), mp_string(id->model[0] ? id->model : NULL), number(id->stream_id),
		number(id->model_id), number(id->batch), number(id->input_pic_num), number(id->current_pic),
		number(id->slice), mp_int(a->records), mp_int(a->record_bytes), mp_int(a->blank_bytes),
		mp_int(a->damaged_bytes), mp_int(t && a == &whole ? t->gap_count : 0), mp_int(f->has_done),
		number(none ? -1 : first_row), number(none ? -1 : first_row + a->records - 1), mp_string(f->remark)),
	    err);
}

enum { KEY_MAX = 63, KEYS_MAX = 16, DIGITS_MAX = 18 };

/* Returns whether several inferences share a file. */
static bool is_shared(const struct mp_job_file *f)
{
	for (size_t i = 0; i < f->marker_count; i++)
		if (f->markers[i].identity.model[0] && !f->identity.model[0])
			return true;
	return false;
}

/* The bytes that the markers of a file tell, at most INT64_MAX; -1 when one of them tells nothing. */
static int64_t bytes_told(const struct mp_job_file *f)
{
	int64_t all = 0;

	for (size_t i = 0; i < f->marker_count; i++) {
		if (f->markers[i].bytes < 0)
			return -1;
		if (__builtin_add_overflow(all, f->markers[i].bytes, &all))
			all = INT64_MAX;
	}
	return f->marker_count ? all : -1;
}

/* Portions lie one behind the other; what no marker describes is a portion of its own. */
static size_t fill(struct mp_portion *portions, const struct mp_job *job, const struct mp_job_file *f)
{
	int64_t told = bytes_told(f), at = 0;
	bool shared = is_shared(f);
	size_t count = 0;

	if (!shared && told >= 0 && told < f->size) /* a later inference wrote the marker again */
		portions[count++] = (struct mp_portion){
		    .end = at = f->size - told, .start_ns = job->earliest_ns, .identity = f->identity};
	for (size_t i = 0; i < f->marker_count; i++) {
		const struct mp_marker *m = &f->markers[i];

		at = m->bytes >= 0 && m->bytes < f->size - at ? at + m->bytes : f->size;
		portions[count++] = (struct mp_portion){
		    .end = at, .start_ns = m->start_ns >= 0 ? m->start_ns : job->earliest_ns, .identity = m->identity};
	}
	if (at < f->size)
		portions[count++] =
		    (struct mp_portion){.end = f->size, .start_ns = job->earliest_ns, .identity = f->identity};
	return count;
}

int mp_load_divide(struct mp_load *load, struct mp_slice *slice, struct mp_error *err)
{
	const struct mp_job_file *f = slice->file;

	if (!slice->layout->done_bytes[0] && !slice->layout->agrees_count)
		return 0;
	slice->portions = calloc(f->marker_count + 2, sizeof(*slice->portions));
	if (!slice->portions)
		return mp_fail_memory(err, "the portions of a file");
	slice->portion_count = fill(slice->portions, load->job, f);
	if (!slice->portion_count)
		slice->portions[slice->portion_count++] = (struct mp_portion){.identity = f->identity};
	mp_reader_divide(slice->reader, slice->portions, slice->portion_count);
	return 0;
}

static int put(struct mp_query *q, const char *key, const char *value, struct mp_error *err)
{
	size_t digits = strspn(value, "0123456789");
	bool is_number = digits && !value[digits] && digits <= DIGITS_MAX;

	return mp_query_put(
	    q, MP_VALUES(mp_string(key), is_number ? mp_int(strtoll(value, NULL, 10)) : mp_string(value)), err);
}

/* The lines KEY:VALUE of a marker become rows of the last source. */
static int put_marker(struct mp_load *load, const struct mp_marker *m, struct mp_error *err)
{
	char key[KEY_MAX + 1], value[MP_MARKER_SIZE + 1];
	int count = 0;

	for (const char *at = m->text; at && *at && count < KEYS_MAX; count++) {
		size_t len = strcspn(at, "\n"), head = strcspn(at, ":\n");

		if (head < len && head && head <= KEY_MAX) {
			memcpy(key, at, head);
			key[head] = '\0';
			memcpy(value, at + head + 1, len - head - 1);
			value[len - head - 1] = '\0';
			if (mp_utf8_valid(at, len) && put(load->inserts[MP_LOAD_MARKER], key, value, err))
				return -1;
		}
		at += len + (at[len] == '\n');
	}
	return 0;
}

/* The marker that describes a portion, or NULL. */
static const struct mp_marker *marker_of(const struct mp_slice *s, size_t portion)
{
	size_t before =
	    !is_shared(s->file) && s->portion_count > s->file->marker_count; /* bytes in front of the marker's */

	return portion >= before && portion - before < s->file->marker_count ? &s->file->markers[portion - before]
									     : NULL;
}

/* Add the rows of a slice in `source`, one for each portion, and what its markers say. */
static int put_portions(struct mp_load *load, const struct mp_slice *slice, int64_t first_row, struct mp_error *err)
{
	const struct mp_tally *t = mp_reader_tally(slice->reader);

	if (!slice->portions)
		return mp_load_source(load, slice->file, slice->layout, t, NULL, first_row, err);
	for (size_t i = 0; i < slice->portion_count; i++) {
		const struct mp_marker *m = marker_of(slice, i);

		if (mp_load_source(load, slice->file, slice->layout, t, &slice->portions[i], first_row, err) ||
		    (m && put_marker(load, m, err)))
			return -1;
		first_row += slice->portions[i].records;
	}
	return 0;
}

/* Records without a start count from the earliest moment that is known. */
static int note_starts(struct mp_load *load, const char *file, const struct mp_job_file *f, struct mp_error *err)
{
	int64_t described = bytes_told(f);
	size_t unknown = f->marker_count ? described >= 0 && described < f->size : f->size > 0;
	char text[160];

	if (f->layout->kind != MP_RECORD_BINARY || !mp_layout_begin(f->layout))
		return 0;
	for (size_t i = 0; i < f->marker_count; i++)
		unknown += f->markers[i].start_ns < 0;
	if (!unknown)
		return 0;
	snprintf(text, sizeof(text), "%zu %s no .done marker that tells %s start: %s times count from %s", unknown,
	    unknown == 1 ? "inference has" : "inferences have", unknown == 1 ? "its" : "their",
	    unknown == 1 ? "its" : "their",
	    load->job->earliest_ns ? "the earliest start that another marker tells" : "0");
	return mp_load_note(load, "assumed", file, text, err);
}

/* Add notes where the markers of a file do not fit the file. */
static int note_markers(struct mp_load *load, const char *file, const struct mp_job_file *f, struct mp_error *err)
{
	int64_t told = bytes_told(f);
	size_t odd = 0;
	char text[160];

	if (note_starts(load, file, f, err))
		return -1;
	/* a slice of a stream may end within a record */
	for (size_t i = 0; f->layout->kind == MP_RECORD_BINARY && f->identity.slice < 0 && i < f->marker_count; i++)
		odd += f->markers[i].bytes > 0 && f->markers[i].bytes % (int64_t)f->layout->size != 0;
	snprintf(text, sizeof(text), "%zu of its .done markers tell bytes that are no whole records", odd);
	if (odd && mp_load_note(load, "odd", file, text, err))
		return -1;
	if (told < 0 || told == f->size)
		return 0;
	snprintf(text, sizeof(text), "%s %lld bytes, the file has %lld",
	    f->marker_count > 1 ? "its .done markers say" : "its .done marker says", (long long)told,
	    (long long)f->size);
	return mp_load_note(load, f->size < told ? "missing" : "odd", file, text, err);
}

/* Rules that every layout has, behind its own `holds`. */
enum { RULE_PADDING, RULE_ORDER, RULE_RANGE, RULE_MAP, RULE_AGREES, RULE_TEXT, RULE_COMMON };

static const struct {
	const char *name, *says, *broken;
} common[RULE_COMMON] = {{"padding", "padding is zero", "records whose padding is not zero"},
    {"order", "nothing ends before it starts", "records end before they start"},
    {"range", "numbers are in their range", "numbers too large; stored as the largest"},
    {"map", "numbers have a name in the layout", "numbers that no map of the layout has"},
    {"agrees", "records say what the name or the marker says",
	"records differ from what the name or the .done marker says"},
    {"text", "texts are UTF-8", "texts are not UTF-8; their bytes stand as \\xNN"}};

/* How often the records of a layout broke its rules. */
struct mp_load_rules {
	const struct mp_layout *layout;
	int64_t records, broken[MP_HOLDS_MAX + RULE_COMMON];
	const struct mp_job_file *first[MP_HOLDS_MAX + RULE_COMMON]; /* with a record that broke the rule */
};

static struct mp_load_rules *rules_of(struct mp_load *load, const struct mp_layout *layout)
{
	for (size_t i = load->rules_count; i-- > 0;)
		if (load->rules[i].layout == layout)
			return &load->rules[i];
	if (!mp_vec_room(load->rules, load->rules_count, 1))
		return NULL;
	load->rules[load->rules_count] = (struct mp_load_rules){.layout = layout};
	return &load->rules[load->rules_count++];
}

/* Count the records of a file that break rules of their layout, and note them. */
static int see_rules(struct mp_load *load, const char *file, const struct mp_slice *s, struct mp_error *err)
{
	const struct mp_tally *t = mp_reader_tally(s->reader);
	const int64_t counts[RULE_COMMON] = {
	    t->odd_padding, t->negative, t->out_of_range, t->unmapped, t->disagree, t->bad_text};
	struct mp_load_rules *r = rules_of(load, s->layout);
	const int own = s->layout->holds_count;
	char text[160];

	if (!r)
		return mp_fail_memory(err, "rules");
	r->records += t->records;
	for (int i = 0; i < own + RULE_COMMON; i++) {
		int64_t broken = i < own ? t->broken[i] : counts[i - own];

		if (broken && !r->first[i])
			r->first[i] = s->file;
		r->broken[i] += broken;
		if (!broken || i < own)
			continue;
		snprintf(text, sizeof(text), "%lld %s", (long long)broken, common[i - own].broken);
		if (mp_load_note(load, "odd", file, text, err))
			return -1;
	}
	return 0;
}

int mp_load_account(struct mp_load *load, const struct mp_slice *s, int64_t first_row, struct mp_error *err)
{
	const struct mp_tally *t = mp_reader_tally(s->reader);
	char file[512];

	mp_job_file_path(load->job, s->file, file);
	if (put_portions(load, s, first_row, err) || see_rules(load, file, s, err))
		return -1;
	for (int i = 0; i < t->damage_count; i++)
		if (mp_load_damage(load, file, t->damage[i].offset, t->damage[i].bytes, t->damage[i].reason, err))
			return -1;
	for (int64_t i = 0; i < t->gap_count && i < MP_DAMAGE_MAX; i++)
		if (mp_query_put(load->inserts[MP_LOAD_GAP],
			MP_VALUES(mp_string(file), mp_int(t->gaps[i].offset), mp_int((int64_t)t->gaps[i].expected),
			    mp_int((int64_t)t->gaps[i].found)),
			err))
			return -1;
	return s->is_peer ? 0 : note_markers(load, file, s->file, err);
}

/* "mac_busy <= ticks x 100", "task_id rises, by at most 10" */
static void describe(char *text, size_t size, const struct mp_layout *l, const struct mp_holds *h)
{
	const char *name = l->fields[h->field].name;

	if (h->rises)
		snprintf(text, size, "%s rises, by at most %llu", name, (unsigned long long)h->most);
	else if (h->other < 0)
		snprintf(text, size, "%s <= %llu", name, (unsigned long long)h->most);
	else if (h->scale > 1)
		snprintf(text, size, "%s <= %s x %llu", name, l->fields[h->other].name, (unsigned long long)h->scale);
	else
		snprintf(text, size, "%s <= %s", name, l->fields[h->other].name);
}

/* Returns whether a field makes a column whose place is an assumption. */
static bool is_assumed(const struct mp_layout *l, int field)
{
	for (int i = 0; i < l->column_count; i++)
		if (l->columns[i].assumed && l->columns[i].from == field)
			return true;
	return false;
}

static int put_rule(
    struct mp_query *q, const struct mp_load *load, const struct mp_load_rules *r, int i, struct mp_error *err)
{
	const struct mp_layout *l = r->layout;
	const bool is_own = i < l->holds_count;
	char says[160], file[512] = "";

	if (is_own)
		describe(says, sizeof(says), l, &l->holds[i]);
	if (r->first[i])
		mp_job_file_path(load->job, r->first[i], file);
	return mp_query_put(q,
	    MP_VALUES(mp_string(l->name), mp_string(l->table),
		mp_string(is_own ? l->holds[i].rises ? "rises" : "holds" : common[i - l->holds_count].name),
		mp_string(is_own ? says : common[i - l->holds_count].says),
		mp_int(is_own && is_assumed(l, l->holds[i].field)), mp_int(r->records), mp_int(r->broken[i]),
		mp_string(r->first[i] ? file : NULL)),
	    err);
}

int mp_load_put_rules(struct mp_load *load, struct mp_error *err)
{
	static const char sql[] = "INSERT INTO layout_rule VALUES(?, ?, ?, ?, ?, ?, ?, ?)";
	struct mp_query *q;
	int status = mp_query_open(&q, load->db, sql, sizeof(sql) - 1, err);

	if (status)
		return -1;
	for (size_t n = 0; n < load->rules_count && !status; n++)
		for (int i = 0; i < load->rules[n].layout->holds_count + RULE_COMMON && !status; i++)
			if (load->rules[n].records &&
			    (i < load->rules[n].layout->holds_count || load->rules[n].broken[i]))
				status = put_rule(q, load, &load->rules[n], i, err);
	mp_query_close(q);
	return status;
}
