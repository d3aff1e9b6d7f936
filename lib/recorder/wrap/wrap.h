/*
 * wrap.h: what the generated wrappers of the vendor's functions do before and after a call.
 *
 * A wrapper stands between the application and the vendor's library, either as the first loaded library (LD_PRELOAD),
 * or inserted by the linker (-Wl,--wrap, with MP_WRAP_LINKED defined). A wrapper passes arguments, result and errno on
 * unchanged. A recorded call costs two more readings of the clock. Any thread.
 */
#ifndef MP_RECORDER_WRAP_H
#define MP_RECORDER_WRAP_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/include/msprof_recorder.h"

struct mp_wrapped {
	const char *name;
	const char *const *libraries; /* libraries that may define the function; ends with NULL */
	enum msprof_api_type type;
	_Atomic uint32_t number; /* of the name; 0: not looked up yet */
	_Atomic(void *) real;    /* the function, once found */
};

struct mp_wrap_call {
	struct mp_wrapped *function;
	uint64_t begin_ns, end_ns; /* 0: not recorded */
	int error;                 /* errno of the call, for the application */
};

/* mp_wrap_begin precedes the call, mp_wrap_end follows it at once. Then one of the others, by the role of the function.
 */
void mp_wrap_begin(struct mp_wrap_call *call, struct mp_wrapped *function);
void mp_wrap_end(struct mp_wrap_call *call);
void mp_wrap_called(const struct mp_wrap_call *call);
void mp_wrap_executed(const struct mp_wrap_call *call, uint32_t model_id);
void mp_wrap_operated(const struct mp_wrap_call *call, const char *op_type);
void mp_wrap_loaded(const struct mp_wrap_call *call, const char *path, const uint32_t *model_id, int status);
void mp_wrap_unloaded(const struct mp_wrap_call *call, uint32_t model_id, int status);
void mp_wrap_init(const struct mp_wrap_call *call, enum msprof_profile profile, const char *config, int status);
void mp_wrap_finalize(const struct mp_wrap_call *call);

#define MP_WRAP_PRELOAD "libmsprof_preload.so"

/* All wrapped functions, and their wrappers; ends with NULL. */
struct mp_wrapper {
	struct mp_wrapped *function;
	void (*wrapper)(void);
};
extern const struct mp_wrapper mp_wrappers[];

/*
 * The wrapper to call in place of the function `real` of a library that the program opened; NULL when not found, or
 * when it already stands for the function of another library. Called by the loader: uses nothing but memory.
 */
MSPROF_EXPORT void *msprof_wrap_bind(const char *name, void *real);

/* The vendor's function, or NULL when no library has it. */
void *mp_wrap_find(struct mp_wrapped *function);

/* The result of a call without a function: the vendor's 100039. Prints a line, once. */
int mp_wrap_missing(struct mp_wrapped *function);

#ifdef MP_WRAP_LINKED
#define MP_WRAP_NAME(name) __wrap_##name
#define MP_WRAP_DECLARE(result, name, parameters)                                                                      \
	result __wrap_##name parameters;                                                                               \
	result __real_##name parameters __attribute__((weak));
#define MP_WRAP_FIND(real, function, name) (real) = __real_##name
#else
#define MP_WRAP_NAME(name) name
#define MP_WRAP_DECLARE(result, name, parameters) MSPROF_EXPORT result name parameters;
/* POSIX allows this cast, ISO C does not */
#define MP_WRAP_FIND(real, function, name) *(void **)&(real) = mp_wrap_find(function)
#endif

#endif
