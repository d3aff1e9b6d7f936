/* job_process.c: reads which process recorded a job from its information file. */
#include "raw/job_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"

/*
 * The information file of the host; without one that of the first device, or what the recorder says beside it where the
 * form of that file has no place for it.
 */
static const char *info_of(const struct mp_job *job)
{
	for (int i = 0; i < job->control_count; i++)
		if (job->controls[i].device_id < 0 && strcmp(job->controls[i].name, "info.json") == 0)
			return job->controls[i].text;
	if (job->device_count && job->devices[0].recorder_text)
		return job->devices[0].recorder_text;
	return job->device_count ? job->devices[0].info_text : NULL;
}

static bool is_identity(const char *text)
{
	return text && strlen(text) == 16 && strspn(text, "0123456789abcdef") == 16;
}

int mp_job_process(const struct mp_job *job, struct mp_job_process *process, struct mp_error *err)
{
	const char *text = info_of(job), *fault = "", *identity;
	cJSON *info = text ? mp_json_parse(text, strlen(text), &fault) : NULL;
	const cJSON *pid = mp_json_member(info, "pid");
	bool known;

	if (text && !info && !fault)
		return mp_fail_memory(err, "the process of a job");
	identity = cJSON_GetStringValue(mp_json_member(info, "process"));
	known = is_identity(identity) && pid && pid->valuestring;
	if (known) {
		snprintf(process->identity, sizeof(process->identity), "%s", identity);
		process->pid = strtoll(pid->valuestring, NULL, 10); /* a text in a PROF directory */
	}
	cJSON_Delete(info);
	return known && process->pid > 0;
}
