/* form_run.c: decides what a command line of Ascend servers asks for. */
#include "form_run.h"

#include <stdio.h>

#include "form_attach.h"

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
	if (form_given(&form, "pid"))
		return form_attach(&form);
	if (form.program || form_given(&form, "application") || form_given(&form, "host-sys") ||
	    form_given(&form, "host-sys-usage"))
		return form_profile(&form);
	if (form_on(&form, "parse") || form_on(&form, "query") || form_on(&form, "export") || form_on(&form, "analyze"))
		return form_data(&form);
	message_error(
	    "nothing to do: give a program, or --export=on, --parse=on, --query=on or --analyze=on with --output=DIR");
	return EXIT_USAGE;
}
