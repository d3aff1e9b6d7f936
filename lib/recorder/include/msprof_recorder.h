/*
 * msprof_recorder.h: record what an application does, for msprof to read.
 *
 * Link with -lmsprof_recorder. Any thread may call every function at any time, except in signal handlers. No function
 * ends the program, and no function requires another: without a recording in progress they do nothing, at almost no
 * cost.
 *
 *	msprof_init("acl.json", MSPROF_SVP);
 *	execute = msprof_name("svp_acl_mdl_execute");
 *	msprof_model_loaded(1, "resnet50");
 *	...
 *	begin = msprof_begin();
 *	...
 *	msprof_api_end(begin, MSPROF_MODEL, execute, 1);
 *	...
 *	msprof_finalize();
 *
 * Times are nanoseconds of CLOCK_MONOTONIC_RAW, which changes of the wall clock do not affect. Texts are UTF-8 and
 * copied before the call returns; a text that is too long is cut at a character. A child made by fork records like its
 * parent, from its first event on, into results of its own. Functions that return int give 0 or an enum msprof_status.
 */
#ifndef MSPROF_RECORDER_H
#define MSPROF_RECORDER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MSPROF_EXPORT __attribute__((visibility("default")))

/* The numbers are the vendor's. */
enum msprof_status {
	MSPROF_OK = 0,
	MSPROF_INVALID_PARAM = 100000,
	MSPROF_UNINITIALIZE = 100001,
	MSPROF_REPEAT_INITIALIZE = 100002,
	MSPROF_INVALID_FILE = 100003, /* a directory or file cannot be created, opened or locked */
	MSPROF_WRITE_FILE = 100004,   /* some of the data could not be written */
	MSPROF_REPEAT_FINALIZE = 100037,
	MSPROF_ALREADY_RUN = 100042, /* a device or directory is already being recorded, by this or another process */
	MSPROF_BAD_ALLOC = 200000,
	MSPROF_STORAGE_OVER_LIMIT = 300000, /* less than 20 MB of disk are left */
	MSPROF_FAILURE = 500001
};

/* How to check the keys of an acl.json: like boards do, or like aclInit does. */
enum msprof_profile { MSPROF_SVP, MSPROF_ASCEND };

enum msprof_api_type { MSPROF_OP = 1, MSPROF_MODEL = 2, MSPROF_RUNTIME = 3, MSPROF_OTHER = 4 };

/* The model id of a call that belongs to no model. */
#define MSPROF_NO_MODEL UINT32_MAX

enum { MSPROF_NAME_MAX = 256, MSPROF_MESSAGE_MAX = 127 }; /* bytes, without the NUL */

/*
 * Read an acl.json and begin to record if it says "switch": "on". Returns 0 also when it says "off". NULL stands for an
 * empty file. Returns 100002 after an earlier call returned 0. Errors and warnings go to standard error; with
 * MSPROF_SVP a bad value only switches a feature off, but a value without quotes is an error.
 */
MSPROF_EXPORT int msprof_init(const char *acl_json, enum msprof_profile profile);

/*
 * Write the data in memory and mark the results as complete. A program that does not call msprof_finalize leaves
 * incomplete results. Returns 100001 unless msprof_init returned 0.
 */
MSPROF_EXPORT int msprof_finalize(void);

/*
 * The number of a name, which has at most MSPROF_NAME_MAX bytes. The same name has the same number for the life of the
 * process. Returns 0, shown as "?", for NULL and an empty text, and when the process has more than 65,535 names or 2 MB
 * of names. The latter is a warning once. Fast for a name that this thread has used before.
 */
MSPROF_EXPORT uint32_t msprof_name(const char *text);

/*
 * The current time, for the function that ends what begins here; 0 while nothing is recorded. A begin without an end
 * has no effect.
 */
MSPROF_EXPORT uint64_t msprof_begin(void);

/*
 * Record a call of an API that ends now. A call is not recorded when it began before the recording, or when
 * msprof_begin returned 0.
 */
MSPROF_EXPORT void msprof_api_end(uint64_t begin_ns, enum msprof_api_type type, uint32_t name, uint32_t model_id);

/*
 * Announce a loaded model. The model keeps its number until it is unloaded, or the number is loaded under another name.
 * Announce before the end of the call that loads, so that this call belongs to the model too.
 */
MSPROF_EXPORT int msprof_model_loaded(uint32_t model_id, const char *name);

/*
 * Announce that a model was unloaded. Returns 100000 for a number that is not loaded. Earlier records stay the model's.
 */
MSPROF_EXPORT int msprof_model_unloaded(uint32_t model_id);

/*
 * Record an execution of a model that ends now, like msprof_api_end with MSPROF_MODEL. With an "interval" of N in
 * acl.json, only the first of each N executions of the model is recorded.
 */
MSPROF_EXPORT void msprof_model_executed(uint64_t begin_ns, uint32_t name, uint32_t model_id);

/* An operator that the application ran itself, on the calling thread. */
struct msprof_op {
	uint64_t begin_ns, end_ns; /* from msprof_begin, or CLOCK_MONOTONIC_RAW read elsewhere */
	uint32_t model_id;
	uint32_t name, type; /* from msprof_name */
};

/* Report an operator to recordings and to subscribers of its model. Returns 100000 for an end before the begin. */
MSPROF_EXPORT int msprof_op_publish(const struct msprof_op *op);

/*
 * Record a call that ran an operator and ends now, like msprof_api_end with MSPROF_OP. `op_type` is the name of the
 * operator's type: statistics of operators count the call, with the time of the call on the host.
 */
MSPROF_EXPORT void msprof_op_executed(uint64_t begin_ns, uint32_t name, uint32_t op_type);

/* Record a moment, with at most MSPROF_MESSAGE_MAX bytes of text. */
MSPROF_EXPORT void msprof_mark(const char *message);

/* Record a range of time that ends now, on this thread; the range may have begun on another thread. */
MSPROF_EXPORT void msprof_range_end(uint64_t begin_ns, const char *message);

/*
 * For libraries that begin on behalf of a program. Like msprof_init and msprof_finalize, but without effect in a
 * process that has begun, or ended, already. A later begin by the program itself is no repetition.
 */
MSPROF_EXPORT int msprof_wrap_init(const char *acl_json, enum msprof_profile profile);
MSPROF_EXPORT int msprof_wrap_finalize(void);

/*
 * Call before a wrapped call: begins to record if 'msprof PROGRAM' started this process. Fast otherwise; errno is
 * unchanged.
 */
MSPROF_EXPORT int msprof_wrap_begin(void);

#ifdef __cplusplus
}
#endif
#endif
