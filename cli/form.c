/* form.c: parses and validates the command line of Ascend servers, and prints its help. */
#include "form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTIONS_INDENT = 35 };

static int find(const char *name, size_t len)
{
	for (int i = 0; form_options[i].row.names[0]; i++) {
		const char *own = option_bare(form_options[i].row.names[0]);

		if (strlen(own) == len && strncmp(own, name, len) == 0)
			return i;
	}
	return -1;
}

/* Callers name rows of the table: an unknown name is a bug. */
static int row_of(const char *name)
{
	int row = find(name, strlen(name));

	if (row < 0)
		abort();
	return row;
}

bool form_given(const struct form *form, const char *name)
{
	return form->values[row_of(name)] != NULL;
}

const char *form_value(const struct form *form, const char *name)
{
	int row = row_of(name);

	return form->values[row] ? form->values[row] : form_options[row].row.standard;
}

bool form_on(const struct form *form, const char *name)
{
	const char *value = form_value(form, name);

	return value && strcmp(value, "on") == 0;
}

int64_t form_number(const struct form *form, const char *name, int64_t otherwise)
{
	const char *value = form_value(form, name);
	int64_t number;

	return value && option_read_number(value, strspn(value, "0123456789"), &number) ? number : otherwise;
}

bool form_has_word(const char *value, const char *word)
{
	return value && option_has_word(value, ',', word, strlen(word));
}

/* Print that no option has the name, and the nearest option. */
static void refuse_unknown(const char *name, size_t len)
{
	char bare[SUGGESTION_MAX];
	struct suggestion near = {.word = bare};

	snprintf(bare, sizeof(bare), "%.*s", (int)len, name);
	for (int i = 0; form_options[i].row.names[0]; i++)
		suggest_offer(&near, option_bare(form_options[i].row.names[0]));
	if (near.best[0])
		message_error("unknown option '--%.*s'; did you mean '--%s'?", (int)len, name, near.best);
	else
		message_error("unknown option '--%.*s'", (int)len, name);
}

static int take(struct form *form, int argc, char **argv, int *at)
{
	const char *name = argv[*at] + 2, *value = strchr(name, '=');
	const struct option_row *option;
	size_t len = value ? (size_t)(value - name) : strlen(name);
	int row = find(name, len);

	if (row < 0) {
		refuse_unknown(name, len);
		return EXIT_USAGE;
	}
	option = &form_options[row].row;
	if (value)
		value++;
	else if (*at + 1 < argc)
		value = argv[++*at];
	else {
		message_error("%s needs a value", option->names[0]);
		return EXIT_USAGE;
	}
	if (!option_accepts(option, option->words, value)) {
		option_refuse(option, option->words, value);
		return EXIT_USAGE;
	}
	form->values[row] = value; /* of an option that is given again, the last value counts */
	return 0;
}

/* Warn about each option that has no effect here; EXIT_USAGE with an error for one that msprof refuses. */
static int check_uses(const struct form *form)
{
	for (int i = 0; form_options[i].row.names[0]; i++) {
		const struct form_option *o = &form_options[i];
		bool asks = form->values[i] && strcmp(form->values[i], "off") != 0;

		if (asks && o->use == FORM_DRIVER)
			message_warning("%s: not available: no NPU driver", o->row.names[0]);
		if (asks && o->use == FORM_NO_DRIVER) {
			message_error("%s cannot be done here: no NPU driver", o->row.names[0]);
			return EXIT_USAGE;
		}
	}
	return 0;
}

/* EXIT_USAGE with an error for domains of marks that cannot be chosen. */
static int check_domains(const struct form *form)
{
	bool include = form_given(form, "mstx-domain-include"), exclude = form_given(form, "mstx-domain-exclude");

	if (include && exclude)
		message_error("--mstx-domain-include and --mstx-domain-exclude exclude each other");
	else if ((include || exclude) && !form_on(form, "msproftx"))
		message_error("--mstx-domain-%s needs --msproftx=on", include ? "include" : "exclude");
	else
		return 0;
	return EXIT_USAGE;
}

/* EXIT_USAGE with an error where commands cannot choose the times to record. */
static int check_dynamic(const struct form *form)
{
	bool dynamic = form_on(form, "dynamic"), times = form_given(form, "delay") || form_given(form, "duration");
	bool program = form->program || form_given(form, "application"), attached = form_given(form, "pid");

	if (attached && program)
		message_error("--pid and a program exclude each other");
	else if (attached && !dynamic)
		message_error("--pid needs --dynamic=on");
	else if (dynamic && times)
		message_error(
		    "--dynamic and --%s exclude each other", form_given(form, "delay") ? "delay" : "duration");
	else if (dynamic && !program && !attached)
		message_error("--dynamic needs a program, or --pid");
	else
		return 0;
	return EXIT_USAGE;
}

int form_parse(struct form *form, int argc, char **argv)
{
	int at;

	*form = (struct form){0};
	for (at = 1; at < argc && argv[at][0] == '-'; at++) {
		if (strcmp(argv[at], "--") == 0) {
			at++;
			break;
		}
		if (strcmp(argv[at], "-h") == 0 || strcmp(argv[at], "--help") == 0) {
			form->help = true;
			return 0;
		}
		if (strncmp(argv[at], "--", 2) != 0) {
			message_error("unknown option '%s'", argv[at]);
			return EXIT_USAGE;
		}
		if (take(form, argc, argv, &at))
			return EXIT_USAGE;
	}
	if (at < argc)
		form->program = argv + at;
	return check_uses(form) || check_dynamic(form) ? EXIT_USAGE : check_domains(form);
}

bool form_is(int argc, char **argv)
{
	size_t len;

	if (argc < 2)
		return false;
	if (argv[1][0] != '-')
		return strchr(argv[1], '/') != NULL;
	if (strncmp(argv[1], "--", 2) != 0)
		return false;
	if (!argv[1][2])
		return true;
	len = strcspn(argv[1] + 2, "=");
	return find(argv[1] + 2, len) >= 0 || argv[1][2 + len] == '=';
}

static void print_option(const struct option_row *row)
{
	char name[128], text[1024];

	option_spell(row, name, sizeof(name));
	option_describe(row, row->words, text, sizeof(text));
	option_print(name, OPTIONS_INDENT, text);
}

void form_help(void)
{
	static const struct {
		enum form_use use;
		const char *title;
	} groups[] = {{FORM_ACTIVE, "Options"}, {FORM_DRIVER, "Accepted with a warning: they need the vendor's driver"},
	    {FORM_DETAIL, "Accepted: details of the options above"}, {FORM_NEEDLESS, "Accepted: not needed"},
	    {FORM_NO_DRIVER, "Refused: they need the vendor's driver"}};

	fputs("Usage: msprof --OPTION=VALUE... PROGRAM [ARGUMENT]...\n"
	      "       msprof -- PROGRAM [ARGUMENT]...\n"
	      "       msprof --export=on|--parse=on|--query=on|--analyze=on --output=DIR\n"
	      "              [--OPTION=VALUE]...\n\n"
	      "The first two forms run a program, record its calls of AscendCL into a new\n"
	      "directory PROF_..., and export timeline and tables. Without an option, PROGRAM\n"
	      "needs a slash in its name, or '--' before it: other words are commands. Data\n"
	      "that needs an NPU and its driver is not recorded. The last form handles existing\n"
	      "data.\n",
	    stdout);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
		printf("\n%s:\n", groups[g].title);
		for (const struct form_option *o = form_options; o->row.names[0]; o++)
			if (o->use == groups[g].use)
				print_option(&o->row);
	}
}
