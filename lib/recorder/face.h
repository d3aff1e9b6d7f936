/*
 * face.h: the interface between a family of public calls (aclprof*, svp_acl_prof_*) and the recorder.
 *
 * A family is a shared library of thin functions over the calls below. Its struct msprof_face has names for messages,
 * and the features of the family. Both families share rules, modes and codes, which are in control_*.c. Any thread may
 * call any function here; every call acts on the process. Functions that return int give 0, or a code of acl/acl_base.h
 * after printing the reason to standard error. The caller frees handles; a freed handle is refused.
 */
#ifndef MP_RECORDER_FACE_H
#define MP_RECORDER_FACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/include/msprof_recorder.h"

/* The rows of face_calls.h. */
enum mp_call {
#define FACE_CALL(id, ...) MP_CALL_##id,
#define ASCEND_CALL FACE_CALL
#define FACE_NAME FACE_CALL
#define ASCEND_NAME FACE_CALL
#include "recorder/face_calls.h"
	MP_CALL_COUNT
};

enum mp_param {
#define FACE_PARAM(id, ...) MP_PARAM_##id,
#include "recorder/face_calls.h"
	MP_PARAM_COUNT
};

struct msprof_face {
	enum msprof_profile profile;      /* how to check its acl.json */
	uint64_t data_types;              /* the bits that the family accepts */
	uint64_t stamp_bit;               /* the bit that allows a session without devices; 0: none */
	int metrics_max;                  /* metrics are 0 to this number, or MSPROF_METRICS_NONE */
	const char *calls[MP_CALL_COUNT]; /* NULL: not a call of this family */
	const char *params[MP_PARAM_COUNT];
};

enum { MSPROF_METRICS_NONE = 0xff };

struct msprof_config;
struct msprof_subscribe_config;

/* For wrappers (wrap.h): the clock of calls, and a call with its times; begin_ns is from msprof_begin. */
struct msprof_ended {
	uint64_t begin_ns, end_ns;
	enum msprof_api_type type;
	uint32_t name, model_id; /* as for msprof_api_end */
	uint32_t op_type;        /* of the operator that it ran; 0: none */
	bool executes;           /* see msprof_model_executed */
};
MSPROF_EXPORT uint64_t msprof_wrap_now(void);
MSPROF_EXPORT void msprof_wrap_ended(const struct msprof_ended *call);

/* The process and its sessions: the public calls of the same names (acl/acl.h, acl/acl_prof.h). */
MSPROF_EXPORT int msprof_control_acl_init(const struct msprof_face *face, const char *path);
MSPROF_EXPORT int msprof_control_acl_finalize(const struct msprof_face *face);
MSPROF_EXPORT int msprof_control_init(const struct msprof_face *face, const char *path, size_t length);
MSPROF_EXPORT int msprof_control_set_config(const struct msprof_face *face, int type, const char *value, size_t length);
MSPROF_EXPORT int msprof_control_start(const struct msprof_face *face, const struct msprof_config *config);
MSPROF_EXPORT int msprof_control_warm_up(const struct msprof_face *face, const struct msprof_config *config);
MSPROF_EXPORT int msprof_control_stop(const struct msprof_face *face, const struct msprof_config *config);
MSPROF_EXPORT int msprof_control_finalize(const struct msprof_face *face);
MSPROF_EXPORT int msprof_control_subscribe(
    const struct msprof_face *face, uint32_t model_id, const struct msprof_subscribe_config *config);
MSPROF_EXPORT int msprof_control_unsubscribe(const struct msprof_face *face, uint32_t model_id);

/* Handles of sessions and subscriptions. The create calls return NULL after printing the reason. */
MSPROF_EXPORT struct msprof_config *msprof_config_create(const struct msprof_face *face, const uint32_t *devices,
    uint32_t device_count, int metrics, const void *events, uint64_t data_types);
MSPROF_EXPORT int msprof_config_destroy(const struct msprof_face *face, const struct msprof_config *config);
MSPROF_EXPORT struct msprof_subscribe_config *msprof_subscribe_config_create(
    const struct msprof_face *face, int time_switch, int metrics, const void *fd);
MSPROF_EXPORT int msprof_subscribe_config_destroy(
    const struct msprof_face *face, const struct msprof_subscribe_config *config);

/* Bytes read from a pipe: `data` of `len` bytes contains whole records, and `index` selects a record. */
enum msprof_op_text { MSPROF_OP_TYPE, MSPROF_OP_NAME };
enum msprof_op_number { MSPROF_OP_START, MSPROF_OP_END, MSPROF_OP_DURATION, MSPROF_OP_MODEL_ID };

MSPROF_EXPORT int msprof_op_size(const struct msprof_face *face, size_t *size);
MSPROF_EXPORT int msprof_op_count(const struct msprof_face *face, const void *data, size_t len, uint32_t *count);
MSPROF_EXPORT int msprof_op_text_size(const struct msprof_face *face, enum msprof_op_text text, const void *data,
    size_t len, uint32_t index, size_t *size);
MSPROF_EXPORT int msprof_op_text_copy(const struct msprof_face *face, enum msprof_op_text text, const void *data,
    size_t len, uint32_t index, char *copy, size_t size);
MSPROF_EXPORT uint64_t msprof_op_get(
    const struct msprof_face *face, enum msprof_op_number number, const void *data, size_t len, uint32_t index);
MSPROF_EXPORT uint32_t msprof_op_flag(const struct msprof_face *face, const void *data, size_t len, uint32_t index);
MSPROF_EXPORT const char *msprof_op_attribute(
    const struct msprof_face *face, const void *data, size_t len, uint32_t index, int attribute);

/* Marks and ranges: the public calls of the same names (acl/acl_prof.h). */
MSPROF_EXPORT void *msprof_stamp_create(const struct msprof_face *face);
MSPROF_EXPORT void msprof_stamp_destroy(const struct msprof_face *face, void *stamp);
MSPROF_EXPORT int msprof_stamp_set_message(
    const struct msprof_face *face, void *stamp, const char *message, uint32_t len);
MSPROF_EXPORT int msprof_stamp_mark(const struct msprof_face *face, void *stamp);
MSPROF_EXPORT int msprof_stamp_push(const struct msprof_face *face, void *stamp);
MSPROF_EXPORT int msprof_stamp_pop(const struct msprof_face *face);
MSPROF_EXPORT int msprof_stamp_range_start(const struct msprof_face *face, void *stamp, uint32_t *range_id);
MSPROF_EXPORT int msprof_stamp_range_stop(const struct msprof_face *face, uint32_t range_id);
MSPROF_EXPORT int msprof_stamp_set_category(const struct msprof_face *face, void *stamp, uint32_t category);
MSPROF_EXPORT int msprof_stamp_switch(const struct msprof_face *face, bool on);

/* Check what is not recorded. `stamp` and `value` must not be NULL; `call` and `param` are for messages. */
MSPROF_EXPORT int msprof_stamp_set_other(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, void *stamp, const void *value);
MSPROF_EXPORT int msprof_stamp_set_category_name(const struct msprof_face *face, const char *name);
MSPROF_EXPORT int msprof_stamp_report(const struct msprof_face *face, const char *tag, const void *data);

/* Marks and ranges without stamps, and steps. `attributes` is an aclprofEventAttributes. */
MSPROF_EXPORT int msprof_mark_ex(const struct msprof_face *face, const char *message, size_t len);
MSPROF_EXPORT int msprof_range_push(const struct msprof_face *face, const void *attributes);
MSPROF_EXPORT int msprof_range_pop(const struct msprof_face *face);
MSPROF_EXPORT void *msprof_step_create(const struct msprof_face *face);
MSPROF_EXPORT void msprof_step_destroy(const struct msprof_face *face, void *step);
MSPROF_EXPORT int msprof_step_timestamp(const struct msprof_face *face, void *step, int tag);

/* The features that need an NPU: none. */
MSPROF_EXPORT int msprof_features(const struct msprof_face *face, enum mp_call call, size_t *count, void **features);

/*
 * The interface between the calls of mstx and the recorder: marks and ranges of domains.
 *
 * A domain is a handle that lives as long as the process; NULL is the default domain. Handles are never invalid: a
 * destroyed domain records nothing until it is created again. Any thread may call any function, and may end the range
 * of another thread. Messages are UTF-8, at most 255 bytes; longer ones are cut at a character. No call waits: they
 * cost what a mark of the recorder costs, or some nanoseconds when nothing is recorded.
 */
struct msprof_mstx_domain;

/*
 * The domain of a name, which is the same for the same name. NULL for no name, for the name of the default domain, and
 * when the process has 1,024 domains.
 */
MSPROF_EXPORT struct msprof_mstx_domain *msprof_mstx_create(const char *name);
MSPROF_EXPORT void msprof_mstx_destroy(struct msprof_mstx_domain *domain);

/* `stream` is a handle of the application, which is recorded and not used; NULL: none. */
MSPROF_EXPORT void msprof_mstx_mark(struct msprof_mstx_domain *domain, const char *message, const void *stream);

/*
 * Begin a range. Returns its number, which no other range of the process has; 0 while nothing is recorded, or when
 * 8,192 ranges are open.
 */
MSPROF_EXPORT uint64_t msprof_mstx_range_start(
    struct msprof_mstx_domain *domain, const char *message, const void *stream);

/* End a range; it belongs to the thread that began it. A number that is not open is ignored. */
MSPROF_EXPORT void msprof_mstx_range_end(uint64_t range);

#endif
