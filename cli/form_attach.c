/* form_attach.c: commands for a program that another msprof has started with --dynamic=on. */
#include "form_attach.h"

#include <stdio.h>
#include <stdlib.h>

#include "dynamic.h"
#include "form_profile.h"

int form_attach(const struct form *form)
{
	pid_t pid = (pid_t)form_number(form, "pid", 0);
	struct dynamic *dynamic;
	struct mp_error err;
	char *output;
	bool ended;
	int status;

	if (form_given(form, "output"))
		message_warning("--output has no effect with --pid: the msprof that started the program has chosen it");
	status = dynamic_attach(&dynamic, pid, &output, &err);
	if (!status) {
		profile_say("The results of the program will be in", output);
		profile_say("Commands: start, stop, quit.", NULL);
		status = dynamic_follow(dynamic, pid, &ended, &err);
	}
	if (status)
		message_failure(&err);
	else
		profile_say(ended ? "The program has ended." : "The program continues.", NULL);
	dynamic_close(dynamic);
	free(output);
	return status ? EXIT_FAILED : EXIT_OK;
}
