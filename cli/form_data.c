/* form_data.c: runs the options of Ascend servers for existing data as commands of msprof. */
#include <string.h>

#include "export.h"
#include "form_run.h"

static int run(const struct command *command, const struct options *options)
{
	return command->run(command, options);
}

static struct options options_of(const struct form *form, const char *dir)
{
	struct options o = {0};

	o.values[OPTION_DIR] = dir;
	o.values[OPTION_MODEL_ID] = form_value(form, "model-id");
	o.values[OPTION_ITERATION_ID] = form_value(form, "iteration-id");
	o.values[OPTION_REPORTS] = form_value(form, "reports");
	o.values[OPTION_CLEAR] = form_on(form, "clear") ? "" : NULL;
	return o;
}

int form_export(const struct form *form, const char *dir)
{
	struct options o = options_of(form, dir);

	if (strcmp(form_value(form, "type"), "db") == 0)
		return run(&command_export_db, &o);
	o.values[OPTION_FORMAT] = form_value(form, "summary-format");
	return export_timeline_and_summary(&o);
}

static int analyze(const struct form *form, const char *dir)
{
	struct options o = options_of(form, dir);

	if (strcmp(form_value(form, "type"), "db") == 0)
		message_warning("--type=db has no effect on --analyze, which writes JSON files");
	o.values[OPTION_RULE] = form_value(form, "rule");
	return run(&command_analyze, &o);
}

int form_data(const struct form *form)
{
	const char *dir = form_value(form, "output");
	struct options o;
	int status = EXIT_OK;

	if (!dir) {
		message_error("--output is missing: the directory of the data");
		return EXIT_USAGE;
	}
	o = options_of(form, dir);
	if (form_on(form, "parse"))
		status = run(&command_import, &o);
	if (form_on(form, "query"))
		status = job_run_worse(status, run(&command_query, &o));
	if (form_on(form, "export"))
		status = job_run_worse(status, form_export(form, dir));
	if (form_on(form, "analyze"))
		status = job_run_worse(status, analyze(form, dir));
	return status;
}
