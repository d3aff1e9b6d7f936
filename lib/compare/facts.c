/* facts.c: what two sides have in common, weighed by schema/insight/comparable.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/vec.h"
#include "compare/diff_internal.h"

/* Read a line "name weight title". Returns false for another line. */
static bool read_line(struct mp_fact_diff *f, const char *line)
{
	*f = (struct mp_fact_diff){.weight = 0};
	return sscanf(line, "%31[a-z] %d %63[^\n]", f->name, &f->weight, f->title) == 3;
}

int mp_facts_compare(struct mp_diff *d, struct mp_error *err)
{
	const char *line = mp_schema_text("insight/comparable.txt");
	int known = 0, equal = 0;

	d->score = -1;
	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
		struct mp_fact_diff fact;

		if (!read_line(&fact, line))
			continue;
		fact.base = mp_side_find(d->base, fact.name);
		fact.new = mp_side_find(d->new, fact.name);
		if (!fact.base && !fact.new)
			continue;
		if (!mp_vec_room(d->facts, d->fact_count, 1))
			return mp_fail_memory(err, "facts");
		d->facts[d->fact_count++] = fact;
		known += fact.base && fact.new ? fact.weight : 0;
		equal += fact.base && fact.new &&strcmp(fact.base, fact.new) == 0 ? fact.weight : 0;
	}
	if (known)
		d->score = (200 * equal + known) / (2 * known);
	return 0;
}
