/*
 * finders.h: each finder learns the layout of one kind of files of a job from references. For lib/learn only.
 *
 * A finder leaves found->text NULL when the job has no such files, or when the layout built in fits what it saw. The
 * caller frees what was found. Return 0, or -1 with err; not finding anything is no error.
 */
#ifndef MP_LEARN_FINDERS_H
#define MP_LEARN_FINDERS_H

#include "learn/found.h"
#include "learn/reference.h"

struct mp_learn_input {
	const struct mp_job *job;
	const struct mp_references *refs;
	/* told what is searched now; may be NULL */
	void (*progress)(void *user, const char *what);
	void *user;
};

/* svp.aicore, svp.aicpu: tasks and their counters. */
int mp_find_core_tasks(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err);
int mp_find_cpu_tasks(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err);

/* svp.acl_api, and svp.api_name where names are numbers. */
int mp_find_calls(
    struct mp_found *found, struct mp_found *names, const struct mp_learn_input *in, struct mp_error *err);

/* svp.layer_info, svp.net_info: JSON or lines of text. */
int mp_find_layers(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err);
int mp_find_model(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err);

/* What the bytes alone tell of the files of a layout: sizes, and where numbers, texts and padding are. Always a guess.
 */
int mp_find_structure(
    struct mp_found *found, const struct mp_learn_input *in, const char *layout, struct mp_error *err);

#endif
