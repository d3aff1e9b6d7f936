/* load_rules.c: says, once for a layout, which of its rules records break: what the layout assumes cannot be true then.
 */
#include <stdio.h>

#include "store/load.h"

enum { TOLD_MAX = 3 };

void mp_load_see_rules(struct mp_load *load, const struct mp_layout *layout, const struct mp_tally *tally)
{
	struct mp_load_rules *r = load->rules;

	if (!layout->holds_count)
		return;
	while (r < load->rules + load->rules_count && r->layout != layout)
		r++;
	if (r == load->rules + MP_LOAD_RULES_MAX)
		return;
	if (r == load->rules + load->rules_count) {
		*r = (struct mp_load_rules){.layout = layout};
		load->rules_count++;
	}
	r->records += tally->records;
	for (int i = 0; i < layout->holds_count; i++)
		r->broken[i] += tally->broken[i];
}

/* "mac_busy is above ticks x 100 in 3" */
static int describe(char *text, size_t size, const struct mp_layout *l, int rule, int64_t count)
{
	const struct mp_holds *h = &l->holds[rule];
	char most[64];

	if (h->other < 0)
		snprintf(most, sizeof(most), "%llu", (unsigned long long)h->most);
	else if (h->scale > 1)
		snprintf(most, sizeof(most), "%s x %llu", l->fields[h->other].name, (unsigned long long)h->scale);
	else
		snprintf(most, sizeof(most), "%s", l->fields[h->other].name);
	return snprintf(text, size, "%s is above %s in %lld", l->fields[h->field].name, most, (long long)count);
}

static int note(struct mp_load *load, const struct mp_load_rules *r, struct mp_error *err)
{
	char text[TOLD_MAX * 160 + 64];
	size_t used = 0;
	int told = 0, all = 0;

	for (int i = 0; i < r->layout->holds_count; i++) {
		if (!r->broken[i])
			continue;
		all++;
		if (told++ >= TOLD_MAX)
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", used ? ", " : "");
		used += (size_t)describe(text + used, sizeof(text) - used, r->layout, i, r->broken[i]);
	}
	if (!all)
		return 0;
	snprintf(text + used, sizeof(text) - used, " of %lld records%s", (long long)r->records,
	    all > TOLD_MAX ? ", and more" : "");
	return mp_load_note(load, "contradicted", NULL, text, err);
}

int mp_load_note_rules(struct mp_load *load, struct mp_error *err)
{
	for (int i = 0; i < load->rules_count; i++)
		if (note(load, &load->rules[i], err))
			return -1;
	return 0;
}
