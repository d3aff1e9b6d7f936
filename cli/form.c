/* form.c: parsing and checking of the command line of Ascend servers. */
#include "form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "help.h"

static int find(const char *name, size_t len)
{
	for (int i = 0; form_options[i].name; i++)
		if (strlen(form_options[i].name) == len && strncmp(form_options[i].name, name, len) == 0)
			return i;
	return -1;
}

/* The table is static, and callers name its own rows. */
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

	return form->values[row] ? form->values[row] : form_options[row].standard;
}

bool form_on(const struct form *form, const char *name)
{
	const char *value = form_value(form, name);

	return value && strcmp(value, "on") == 0;
}

/* Digits alone, so that strtoll has nothing to be lenient about. */
static bool read_number(const char *text, size_t len, int64_t *number)
{
	char *end;

	if (!len || len > 18 || strspn(text, "0123456789") < len)
		return false;
	*number = strtoll(text, &end, 10);
	return true;
}

int64_t form_number(const struct form *form, const char *name, int64_t otherwise)
{
	const char *value = form_value(form, name);
	int64_t number;

	return value && read_number(value, strspn(value, "0123456789"), &number) ? number : otherwise;
}

static bool has_word(const char *list, char separator, const char *word, size_t len)
{
	for (const char *at = list;; at++) {
		const char *end = strchr(at, separator);
		size_t n = end ? (size_t)(end - at) : strlen(at);

		if (n == len && strncmp(at, word, n) == 0)
			return true;
		if (!end)
			return false;
		at = end;
	}
}

bool form_has_word(const char *value, const char *word)
{
	return value && has_word(value, ',', word, strlen(word));
}

static bool is_good(const struct form_option *o, const char *value)
{
	size_t len = strlen(value), digits = strspn(value, "0123456789");
	int64_t number;

	switch (o->type) {
	case FORM_TEXT:
		return len >= (size_t)o->least && len <= (size_t)o->most && !mp_has_control(value, len);
	case FORM_NUMBER:
		return read_number(value, len, &number) && number >= o->least && number <= o->most;
	case FORM_SIZE:
		return strcmp(value + digits, "MB") == 0 && read_number(value, digits, &number) && number >= o->least &&
		       number <= o->most;
	case FORM_WORD:
		return has_word(o->words, ' ', value, len);
	case FORM_LIST:
		for (const char *at = value;; at++) {
			const char *end = strchr(at, ',');

			if (!has_word(o->words, ' ', at, end ? (size_t)(end - at) : strlen(at)))
				return false;
			if (!end)
				return true;
			at = end;
		}
	}
	return false;
}

static int refuse_value(const struct form_option *o, const char *value)
{
	const char *kind = o->type == FORM_LIST ? "a comma-separated list of" : "one of";

	if (!*value)
		message_error("--%s is empty", o->name);
	else if (o->type == FORM_WORD || o->type == FORM_LIST)
		message_error("--%s takes %s: %s; not '%s'", o->name, kind, o->words, value);
	else if (o->type == FORM_TEXT)
		message_error(
		    "--%s takes a text of at most %lld bytes without control characters", o->name, (long long)o->most);
	else
		message_error("--%s takes a whole number from %lld to %lld%s, not '%s'", o->name, (long long)o->least,
		    (long long)o->most, o->type == FORM_SIZE ? " followed by MB" : "", value);
	return EXIT_USAGE;
}

static int take(struct form *form, int argc, char **argv, int *at)
{
	const char *name = argv[*at] + 2, *value = strchr(name, '=');
	size_t len = value ? (size_t)(value - name) : strlen(name);
	int row = find(name, len);

	if (row < 0) {
		message_error("unknown option '--%.*s'", (int)len, name);
		return EXIT_USAGE;
	}
	if (value)
		value++;
	else if (*at + 1 < argc)
		value = argv[++*at];
	else {
		message_error("--%s needs a value", form_options[row].name);
		return EXIT_USAGE;
	}
	if (form->values[row]) {
		message_error("--%s is given twice", form_options[row].name);
		return EXIT_USAGE;
	}
	if (!is_good(&form_options[row], value))
		return refuse_value(&form_options[row], value);
	form->values[row] = value;
	return 0;
}

/* Say what will not be done, once for each option that asks for it. */
static int judge(const struct form *form)
{
	for (int i = 0; form_options[i].name; i++) {
		const struct form_option *o = &form_options[i];
		bool asks = form->values[i] && strcmp(form->values[i], "off") != 0;

		if (asks && o->use == FORM_DRIVER)
			message_warning("--%s: not available: no NPU driver", o->name);
		if (asks && (o->use == FORM_REFUSED || o->use == FORM_NO_DRIVER)) {
			message_error(o->use == FORM_NO_DRIVER ? "--%s cannot be done here: no NPU driver"
							       : "--%s is not supported: %s",
			    o->name, o->help);
			return EXIT_USAGE;
		}
	}
	return 0;
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
	return judge(form);
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

static void print_option(const struct form_option *o)
{
	char name[64], takes[256] = "", text[1024];

	if (o->type == FORM_NUMBER || o->type == FORM_SIZE)
		snprintf(takes, sizeof(takes), ": %lld to %lld%s", (long long)o->least, (long long)o->most,
		    o->type == FORM_SIZE ? "MB" : "");
	else if (o->words)
		snprintf(takes, sizeof(takes), ": %s", o->words);
	snprintf(name, sizeof(name), "--%s", o->name);
	snprintf(text, sizeof(text), "%s%s%s%s%s", o->help, takes, o->standard ? " (default: " : "",
	    o->standard ? o->standard : "", o->standard ? ")" : "");
	help_entry(name, 35, text);
}

void form_help(void)
{
	static const struct {
		enum form_use use;
		const char *title;
	} groups[] = {{FORM_ACTIVE, "Options"}, {FORM_DRIVER, "Accepted with a warning: they need the vendor's driver"},
	    {FORM_DETAIL, "Accepted: details of the options above"}, {FORM_NEEDLESS, "Accepted: not needed"},
	    {FORM_NO_DRIVER, "Refused: they need the vendor's driver"}, {FORM_REFUSED, "Refused: not supported"}};

	fputs("Usage: msprof --OPTION=VALUE... PROGRAM [ARGUMENT]...\n"
	      "       msprof -- PROGRAM [ARGUMENT]...\n"
	      "       msprof --export=on|--parse=on|--query=on|--analyze=on --output=DIR\n"
	      "              [--OPTION=VALUE]...\n\n"
	      "The first two forms run a program, record its calls of AscendCL into a new\n"
	      "directory PROF_..., and export timeline and tables. Without an option, PROGRAM\n"
	      "needs a slash in its name, or '--' before it: other words are commands. What\n"
	      "needs an NPU and its driver is not recorded. The last form is for existing data.\n",
	    stdout);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
		printf("\n%s:\n", groups[g].title);
		for (const struct form_option *o = form_options; o->name; o++) {
			if (o->use != groups[g].use)
				continue;
			print_option(o);
		}
	}
}

int form_run(int argc, char **argv)
{
	struct form form;

	if (form_parse(&form, argc, argv)) {
		fputs("Try 'msprof help options'.\n", stderr);
		return EXIT_USAGE;
	}
	if (form.help) {
		form_help();
		return EXIT_OK;
	}
	if (form.program || form_given(&form, "application") || form_given(&form, "host-sys") ||
	    form_given(&form, "host-sys-usage"))
		return form_profile(&form);
	if (form_on(&form, "parse") || form_on(&form, "query") || form_on(&form, "export") || form_on(&form, "analyze"))
		return form_data(&form);
	message_error(
	    "nothing to do: give a program, or --export=on, --parse=on, --query=on or --analyze=on with --output=DIR");
	return EXIT_USAGE;
}
