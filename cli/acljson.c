/* acljson.c: checks the acl.json of an application and prints the settings that result. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "acljson.h"
#include "command.h"
#include "config/acl_json.h"
#include "table.h"
#include "term.h"

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
	struct table_options options = {.width = term.width, .colour = term.colour, .ascii = term.ascii};
	struct text_table *table = NULL;
	struct mp_out *out;
	int status;

	if (mp_out_fd(&out, STDOUT_FILENO, "standard output", err))
		return -1;
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

int acljson_print(const struct mp_acl_json *file, const struct options *o)
{
	const char *format = o->values[OPTION_FORMAT];
	struct mp_error err;

	if (options_has(o, OPTION_QUIET) ||
	    (format && strcmp(format, "json") == 0 ? print_json(file, &err) : print_table(file, &err)) == 0)
		return EXIT_OK;
	message_failure(&err);
	return EXIT_FAILED;
}

int acljson_check(const char *path, enum mp_acl_profile profile, const struct options *options)
{
	struct mp_acl_json *file;
	struct mp_error err;
	int status;

	if (mp_acl_json_read(&file, path, profile, &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	mp_acl_json_judge(file);
	status = print_findings(file, path, options);
	if (!file->errors && acljson_print(file, options))
		status = EXIT_FAILED;
	mp_acl_json_free(file);
	return status;
}
