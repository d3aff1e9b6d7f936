/* table_choice.c: finds tables by their titles. */
#include "table_choice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAMES_MAX = 512 };

static char folded(char c)
{
	return c == '_' || c == '-' ? ' ' : (char)tolower((unsigned char)c);
}

static bool same(const char *title, const char *name)
{
	for (; *title && folded(*title) == folded(*name); title++)
		name++;
	return !*title && !*name;
}

static bool has_name(const struct mp_report *r, const char *name)
{
	return same(r->title, name) || (r->vendor_title[0] && same(r->vendor_title, name));
}

static bool is_first(const struct mp_reports *reports, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(reports->items[k].title, reports->items[i].title) == 0)
			return false;
	return true;
}

/* Write the titles as "A, B, C"; returns their number. */
static size_t put_names(const struct mp_reports *reports, struct suggestion *near, char names[NAMES_MAX])
{
	size_t count = 0, used = 0;

	names[0] = '\0';
	for (size_t i = 0; i < reports->count; i++) {
		if (!is_first(reports, i))
			continue;
		if (used < NAMES_MAX)
			used += (size_t)snprintf(
			    names + used, NAMES_MAX - used, "%s%s", count ? ", " : "", reports->items[i].title);
		if (near->word)
			suggest_offer(near, reports->items[i].title);
		count++;
	}
	return count;
}

static bool knows(const struct mp_reports *reports, const char *name)
{
	for (size_t i = 0; i < reports->count; i++)
		if (has_name(&reports->items[i], name))
			return true;
	return false;
}

int table_choice_check(const struct command *command, const char *kind, const struct options *options)
{
	const char *name = options->values[OPTION_TABLE], *format = options->values[OPTION_FORMAT];
	struct suggestion near = {.word = name};
	struct mp_reports all;
	char names[NAMES_MAX];
	struct mp_error err;
	bool bad, csv = format && strcmp(format, "csv") == 0;
	size_t count;

	if (mp_reports_load(&all, kind, NULL, MP_STYLE_DEFAULT, &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	count = put_names(&all, &near, names);
	bad = name ? !knows(&all, name) : csv && count > 1;
	mp_reports_free(&all);
	if (!bad)
		return EXIT_OK;
	if (!name)
		message_error("csv is one table: choose it with --table: %s", names);
	else if (near.best[0])
		message_error("table '%s' not found; did you mean '%s'? tables: %s", name, near.best, names);
	else
		message_error("table '%s' not found; tables: %s", name, names);
	return options_usage(command);
}

int table_choice_apply(struct mp_reports *reports, const char *name, struct mp_error *err)
{
	char names[NAMES_MAX];
	size_t kept = 0;

	if (!name)
		return 0;
	if (!knows(reports, name)) {
		put_names(reports, &(struct suggestion){.word = NULL}, names);
		return mp_fail(err, "this data has no table '%s'; tables: %s", name, names);
	}
	for (size_t i = 0; i < reports->count; i++)
		if (has_name(&reports->items[i], name))
			reports->items[kept++] = reports->items[i];
	reports->count = kept;
	return 0;
}
