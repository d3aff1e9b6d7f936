/* control_config.c: the handles that describe what a session records. */
#include "recorder/control.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/refuse.h"

static int check_devices(const struct msprof_face *face, const uint32_t *devices, uint32_t count)
{
	const enum mp_call call = MP_CALL_CREATE_CONFIG;
	bool seen[MP_SESSION_DEVICE_MAX] = {false};

	if (count > MP_SESSION_DEVICE_MAX)
		return mp_refuse_number(face, call, MP_PARAM_DEVICE_COUNT, count, "there are at most 64 devices");
	if (count && !devices)
		return mp_refuse_null(face, call, MP_PARAM_DEVICE_LIST);
	for (uint32_t i = 0; i < count; i++) {
		if (devices[i] >= MP_SESSION_DEVICE_MAX)
			return mp_refuse_number(
			    face, call, MP_PARAM_DEVICE_LIST, devices[i], "device numbers are 0 to 63");
		if (seen[devices[i]])
			return mp_refuse_number(
			    face, call, MP_PARAM_DEVICE_LIST, devices[i], "a device is given twice");
		seen[devices[i]] = true;
	}
	return 0;
}

static int check_config(const struct msprof_face *face, const uint32_t *devices, uint32_t count, int metrics,
    const void *events, uint64_t data_types)
{
	const enum mp_call call = MP_CALL_CREATE_CONFIG;
	int code = check_devices(face, devices, count);

	if (code)
		return code;
	if (!count && !(data_types & face->stamp_bit))
		return mp_refuse_number(
		    face, call, MP_PARAM_DEVICE_COUNT, count, "there is nothing to record without a device");
	if (events)
		return mp_refuse_value(face, call, MP_PARAM_EVENTS, "", "only a null pointer is supported");
	if (metrics != MSPROF_METRICS_NONE && (metrics < 0 || metrics > face->metrics_max))
		return mp_refuse_number(face, call, MP_PARAM_METRICS, (uint64_t)metrics, "unknown metrics");
	return 0;
}

struct msprof_config *msprof_config_create(const struct msprof_face *face, const uint32_t *devices,
    uint32_t device_count, int metrics, const void *events, uint64_t data_types)
{
	struct msprof_config *config;

	if (check_config(face, devices, device_count, metrics, events, data_types))
		return NULL;
	config = calloc(1, sizeof(*config));
	if (!config) {
		mp_say_failure(face, MP_CALL_CREATE_CONFIG, ACL_ERROR_BAD_ALLOC, "out of memory");
		return NULL;
	}
	for (int device = 0; device < MP_SESSION_DEVICE_MAX; device++)
		for (uint32_t i = 0; i < device_count; i++)
			if (devices[i] == (uint32_t)device)
				config->devices[config->device_count++] = device;
	config->metrics = metrics;
	config->data_types = data_types;
	mp_handle_add(&mp_control.configs, &config->handle);
	return config;
}

int msprof_config_destroy(const struct msprof_face *face, const struct msprof_config *config)
{
	return mp_handle_destroy(face, MP_CALL_DESTROY_CONFIG, MP_PARAM_CONFIG, &mp_control.configs, config);
}
