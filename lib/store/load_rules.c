/* load_rules.c: sums up, for each layout, what its rules say of the records; schema/sql tells what follows from them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/load.h"

/* Rules that every layout has, behind its own `holds`. */
enum { RULE_PADDING, RULE_ORDER, RULE_RANGE, RULE_MAP, RULE_AGREES, RULE_TEXT, RULE_COMMON };

static const struct {
	const char *name, *says;
} common[RULE_COMMON] = {{"padding", "padding is zero"}, {"order", "nothing ends before it starts"},
    {"range", "numbers are in their range"}, {"map", "numbers have a name in the layout"},
    {"agrees", "records say what the name or the marker says"}, {"text", "texts are UTF-8"}};

/* How often the records of a layout broke its rules. */
struct mp_load_rules {
	const struct mp_layout *layout;
	int64_t records, broken[MP_HOLDS_MAX + RULE_COMMON];
	const struct mp_job_file *first[MP_HOLDS_MAX + RULE_COMMON]; /* with a record that broke the rule */
};

static struct mp_load_rules *rules_of(struct mp_load *load, const struct mp_layout *layout)
{
	struct mp_load_rules *more;

	for (size_t i = load->rules_count; i-- > 0;)
		if (load->rules[i].layout == layout)
			return &load->rules[i];
	more = realloc(load->rules, (load->rules_count + 1) * sizeof(*more));
	if (!more)
		return NULL;
	load->rules = more;
	more += load->rules_count++;
	*more = (struct mp_load_rules){.layout = layout};
	return more;
}

int mp_load_see_rules(struct mp_load *load, const struct mp_job_file *file, const struct mp_layout *layout,
    const struct mp_tally *t, struct mp_error *err)
{
	const int64_t counts[RULE_COMMON] = {
	    t->odd_padding, t->negative, t->out_of_range, t->unmapped, t->disagree, t->bad_text};
	struct mp_load_rules *r = rules_of(load, layout);

	if (!r)
		return mp_fail_memory(err, "rules");
	r->records += t->records;
	for (int i = 0; i < layout->holds_count + RULE_COMMON; i++) {
		int64_t broken = i < layout->holds_count ? t->broken[i] : counts[i - layout->holds_count];

		if (broken && !r->first[i])
			r->first[i] = file;
		r->broken[i] += broken;
	}
	return 0;
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
