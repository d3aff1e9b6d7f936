/* cmd_acljson.c: msprof acljson. Checks an acl.json and prints the settings that result, or creates one for an Ascend
 * card. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "config/acl_json.h"
#include "table.h"
#include "terminal.h"

static int print_findings(const struct mp_acl_json *file, const char *path, const struct options *o)
{
	bool strict = options_has(o, OPTION_STRICT);
	size_t more = file->errors + file->warnings - file->finding_count;

	for (size_t i = 0; i < file->finding_count; i++) {
		char text[640];

		mp_acl_finding_text(&file->findings[i], text, sizeof(text));
		if (strict || file->findings[i].severity != MP_ACL_WARNING)
			message_error("%s: %s", path, text);
		else
			message_warning("%s: %s", path, text);
	}
	if (more)
		message_info(o, "%s: %zu more like these", path, more);
	if (file->errors || (strict && file->warnings))
		return EXIT_FAILED;
	return file->warnings ? EXIT_DAMAGED : EXIT_OK;
}

static struct mp_value text_value(const char *text)
{
	if (!text)
		return (struct mp_value){.type = MP_NULL};
	return mp_string(text);
}

static int write_rows(const struct mp_acl_json *file, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Key", "Value", "From"};
	static const char *const origins[] = {[MP_ACL_DEFAULT] = "default",
	    [MP_ACL_FILE] = "file",
	    [MP_ACL_GUIDE] = "not read",
	    [MP_ACL_BAD_VALUE] = "bad value",
	    [MP_ACL_CALLER] = "option"};
	bool dump = file->has_dump && !file->has_profiler;
	struct mp_section section = {.title = file->profile == MP_ACL_SVP ? "acl.json (svp)" : "acl.json (ascend)",
	    .heading = dump                ? "Outputs of layers are dumped"
		       : file->settings.on ? "Profiling is on"
					   : "Profiling is off",
	    .titles = titles,
	    .column_count = 3};
	struct mp_acl_item item = {0};

	if (w->section(w, &section, err))
		return -1;
	for (size_t i = 0; (dump ? mp_acl_json_dump_item : mp_acl_json_item)(file, i, &item); i++) {
		struct mp_value cells[] = {
		    text_value(item.key), text_value(item.value), text_value(origins[item.origin])};

		if (w->row(w, cells, err))
			return -1;
	}
	return w->end(w, 0, err);
}

static int print_table(const struct mp_acl_json *file, struct mp_error *err)
{
	struct term term = term_output();
	struct table_options options = {
	    .width = term.width, .colour = term.colour, .ascii = term.ascii, .plain = term.plain};
	struct text_table *table = NULL;
	struct mp_out *out;
	int status;

	if (mp_out_fd(&out, STDOUT_FILENO, "standard output", err))
		return -1;
	charset_out(out);
	status = table_create(&table, out, &options, err);
	if (!status)
		status = write_rows(file, table_writer(table), err);
	if (!status)
		status = mp_out_flush(out, err);
	table_free(table);
	mp_out_abort(out);
	return status;
}

static int print_json(const struct mp_acl_json *file, struct mp_error *err)
{
	char *text;

	if (mp_acl_json_text(file, &text, err))
		return -1;
	fputs(text, stdout); /* main looks for errors of stdout */
	free(text);
	return 0;
}

/* Print the settings of a file in the format of --format; nothing with -q. */
static int acljson_print(const struct mp_acl_json *file, const struct options *o)
{
	const char *format = o->values[OPTION_FORMAT];
	struct mp_error err;

	if (options_has(o, OPTION_QUIET) ||
	    (format && strcmp(format, "json") == 0 ? print_json(file, &err) : print_table(file, &err)) == 0)
		return EXIT_OK;
	return message_failure(&err);
}

/* Check a file: print its mistakes and the settings that result. */
static int acljson_check(const char *path, enum mp_acl_profile profile, const struct options *options)
{
	struct mp_acl_json *file;
	struct mp_error err;
	int status;

	if (mp_acl_json_read(&file, path, profile, &err))
		return message_failure(&err);
	mp_acl_json_judge(file);
	status = print_findings(file, path, options);
	if (!file->errors && acljson_print(file, options))
		status = EXIT_FAILED;
	mp_acl_json_free(file);
	return status;
}

static enum mp_acl_profile profile_of(const struct options *o, enum mp_acl_profile otherwise)
{
	const char *name = o->values[OPTION_PROFILE];

	if (!name)
		return otherwise;
	return strcmp(name, "ascend") == 0 ? MP_ACL_ASCEND : MP_ACL_SVP;
}

static bool is_given(const struct options *o, enum option_id id)
{
	return o->values[id] && *o->values[id];
}

/* The purposes of --make: a bit for each. */
static int purposes_of(const struct options *o)
{
	int purposes = 0;

	for (size_t i = 0; i < o->makes.count; i++)
		purposes |= 1 << (strcmp(o->makes.items[i], "dump") == 0 ? MP_ACL_DUMP : MP_ACL_PROFILER);
	return purposes;
}

/* The mistake in the combination of options, or NULL. */
static const char *mistake(const struct options *o, int purposes)
{
	bool check = is_given(o, OPTION_CHECK), given = is_given(o, OPTION_ACL_JSON);

	if (!check && !given && !purposes)
		return "give --check FILE, --acl-json PATH, or --make profiler|dump";
	if (check && (given || purposes))
		return "--check cannot be combined with --make or --acl-json";
	if (purposes == (1 << MP_ACL_DUMP | 1 << MP_ACL_PROFILER))
		return "an acl.json is for profiling or for a dump, not for both: give one --make";
	if (given)
		return NULL;
	if (purposes && !is_given(o, OPTION_OUTPUT))
		return "--output is missing: the directory for acl.json and the collected data";
	if (purposes && profile_of(o, MP_ACL_ASCEND) == MP_ACL_SVP)
		return "--make is for Ascend cards: 'msprof collect' makes the acl.json of a board";
	if (purposes == 1 << MP_ACL_DUMP && !o->models.count)
		return "--model is missing: the model whose layers are dumped";
	if (purposes != 1 << MP_ACL_DUMP && o->models.count)
		return "--model is for --make dump only";
	return NULL;
}

static int make(const struct options *o, enum mp_acl_purpose purpose)
{
	const char *dir = o->values[OPTION_OUTPUT];
	struct mp_acl_request request = {.purpose = purpose,
	    .dir = dir,
	    .results = purpose == MP_ACL_DUMP ? "dump" : "profiler",
	    .models = o->models.items};
	struct mp_acl_json *file;
	struct mp_error err;
	int status;

	if (mp_acl_json_make(&file, &request, &err))
		return message_failure(&err);
	message_info(o, "wrote '%s/acl.json'", dir);
	status = acljson_print(file, o);
	mp_acl_json_free(file);
	return status;
}

static int run_acljson(const struct command *command, const struct options *options)
{
	int purposes = purposes_of(options);
	const char *text = mistake(options, purposes);

	if (text)
		return message_usage(command, "%s", text);
	if (is_given(options, OPTION_CHECK))
		return acljson_check(options->values[OPTION_CHECK], profile_of(options, MP_ACL_SVP), options);
	if (!is_given(options, OPTION_ACL_JSON))
		return make(options, purposes == 1 << MP_ACL_DUMP ? MP_ACL_DUMP : MP_ACL_PROFILER);
	if (purposes)
		message_info(options, "--acl-json is given, so --make has no effect");
	return acljson_check(options->values[OPTION_ACL_JSON], profile_of(options, MP_ACL_ASCEND), options);
}

const struct command command_acljson = {
    .name = "acljson",
    .summary = "check or create an application's acl.json",
    .usages = {"--check FILE [OPTION]...", "--acl-json PATH [OPTION]...",
	"--make profiler|dump --output DIR [OPTION]..."},
    .formats = "table json",
    .operand = "--check before the file",
    .needs = NEEDS_NOTHING,
    .options = {TAKES(CHECK), TAKES(MAKE), TAKES(OUTPUT), TAKES(MODEL), TAKES(ACL_JSON), TAKES(PROFILE), TAKES(FORMAT),
	TAKES(STRICT), TAKES(QUIET), TAKES(HELP)},
    .run = run_acljson,
};
