/* control_handle.c: handles of programs, each in a list until destroyed. */
#include "recorder/control.h"

#include <stdlib.h>

#include "recorder/refuse.h"

void mp_handle_add(struct mp_handle **list, struct mp_handle *handle)
{
	pthread_mutex_lock(&mp_control.lock);
	handle->next = *list;
	*list = handle;
	pthread_mutex_unlock(&mp_control.lock);
}

int mp_handle_check(const struct msprof_face *face, enum mp_call call, enum mp_param param,
    struct mp_handle *const *list, const void *handle)
{
	if (!handle)
		return mp_refuse_null(face, call, param);
	for (const struct mp_handle *at = *list; at; at = at->next)
		if (at == handle)
			return 0;
	return mp_refuse_value(face, call, param, "", "destroyed, or never created");
}

int mp_handle_destroy(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, struct mp_handle **list, const void *handle)
{
	struct mp_handle *gone = NULL;
	int code;

	pthread_mutex_lock(&mp_control.lock);
	code = mp_handle_check(face, call, param, list, handle);
	if (!code) {
		while (*list != handle)
			list = &(*list)->next;
		gone = *list;
		*list = gone->next;
	}
	pthread_mutex_unlock(&mp_control.lock);
	free(gone);
	return code;
}
