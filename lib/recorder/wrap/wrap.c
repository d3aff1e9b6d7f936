/* wrap.c: reports wrapped calls of the vendor's functions to the recorder. */
#include "recorder/wrap/wrap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "recorder/face.h"
#include "recorder/log.h"

enum { COMPILING_STUB_MODE = 100039 };

/* The number of a name is looked up once. Threads that look it up at the same time get the same number. */
static uint32_t number_of(struct mp_wrapped *function)
{
	uint32_t number = atomic_load_explicit(&function->number, memory_order_relaxed);

	if (!number) {
		number = msprof_name(function->name);
		atomic_store_explicit(&function->number, number, memory_order_relaxed);
	}
	return number;
}

/* Ask for the lines of memory that the first call runs through: the function, and what is left of its wrapper. */
static inline void ask_for_code(const struct mp_wrapped *function, const char *wrapper)
{
	enum { LINE_SIZE = 64, LINES = 3 };

	__builtin_prefetch(atomic_load_explicit(&function->real, memory_order_relaxed));
	for (int i = 0; i < LINES; i++)
		__builtin_prefetch(wrapper + i * LINE_SIZE);
}

/* Nothing that the recorder does once, for a process, a thread or a function, is in the time of a call. */
void mp_wrap_begin(struct mp_wrap_call *call, struct mp_wrapped *function)
{
	static _Thread_local bool has_called __attribute__((tls_model("initial-exec")));
	int error;

	call->function = function;
	msprof_wrap_begin();
	call->begin_ns = msprof_begin();
	if (call->begin_ns && (!has_called || !atomic_load_explicit(&function->number, memory_order_relaxed))) {
		has_called = true;
		error = errno; /* of the application */
		number_of(function);
		ask_for_code(function, __builtin_return_address(0));
		mp_wrap_end(call); /* what it touches for the first time is then touched */
		errno = error;
		call->begin_ns = msprof_begin();
	}
}

void mp_wrap_end(struct mp_wrap_call *call)
{
	call->end_ns = call->begin_ns ? msprof_wrap_now() : 0;
	call->error = errno;
}

static void end(const struct mp_wrap_call *call, uint32_t model_id, uint32_t op_type, bool executes)
{
	if (call->begin_ns)
		msprof_wrap_ended(&(struct msprof_ended){.begin_ns = call->begin_ns,
		    .end_ns = call->end_ns,
		    .type = call->function->type,
		    .name = number_of(call->function),
		    .model_id = model_id,
		    .op_type = op_type,
		    .executes = executes});
}

void mp_wrap_called(const struct mp_wrap_call *call)
{
	end(call, MSPROF_NO_MODEL, 0, false);
}

void mp_wrap_executed(const struct mp_wrap_call *call, uint32_t model_id)
{
	end(call, model_id, 0, true);
}

/* Without a type it is a call like any other. */
void mp_wrap_operated(const struct mp_wrap_call *call, const char *op_type)
{
	end(call, MSPROF_NO_MODEL, call->begin_ns ? msprof_name(op_type) : 0, false);
}

/*
 * Announce a loaded model. Its name is the file name without directories and the last suffix; "model" without a file.
 */
void mp_wrap_loaded(const struct mp_wrap_call *call, const char *path, const uint32_t *model_id, int status)
{
	char name[MSPROF_NAME_MAX + 1] = "model";
	const char *base, *suffix;

	if (status || !model_id) {
		mp_wrap_called(call);
		return;
	}
	if (path) {
		base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
		suffix = strrchr(base, '.');
		snprintf(name, sizeof(name), "%.*s",
		    (int)(suffix && suffix > base ? suffix - base : (ptrdiff_t)strlen(base)), base);
	}
	msprof_model_loaded(*model_id, name);
	end(call, *model_id, 0, false);
}

void mp_wrap_unloaded(const struct mp_wrap_call *call, uint32_t model_id, int status)
{
	end(call, model_id, 0, false);
	if (!status)
		msprof_model_unloaded(model_id);
}

/* The acl.json applies to the recorder too, unless the environment defines what to record. */
void mp_wrap_init(const struct mp_wrap_call *call, enum msprof_profile profile, const char *config, int status)
{
	mp_wrap_called(call);
	if (!status)
		msprof_wrap_init(config, profile); /* prints its own errors */
}

void mp_wrap_finalize(const struct mp_wrap_call *call)
{
	mp_wrap_called(call);
	msprof_wrap_finalize();
}

int mp_wrap_missing(struct mp_wrapped *function)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&said))
		mp_log(MP_LOG_ERROR, "%s: this function is neither in a loaded library nor in %s", function->name,
		    function->libraries[0]);
	return COMPILING_STUB_MODE;
}
