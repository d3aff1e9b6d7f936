/*
 * msprof_recorder.h: record what an application does, for msprof to read.
 *
 * Link with -lmsprof_recorder. Every function may be called from any thread at any time, except from signal handlers;
 * none ever ends the program, and none needs the others: without a recording in progress they cost next to nothing and
 * do nothing.
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
 * Times are nanoseconds of CLOCK_MONOTONIC_RAW, which no change of the wall clock touches. Texts are UTF-8, copied
 * before the call returns; those that are too long are cut at a character. A child made by fork records nothing.
 * Functions that return int give 0 or one of enum msprof_status.
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
	MSPROF_INVALID_FILE = 100003, /* a directory or file cannot be made, opened or locked */
	MSPROF_WRITE_FILE = 100004,   /* some of the data could not be written */
	MSPROF_REPEAT_FINALIZE = 100037,
	MSPROF_ALREADY_RUN = 100042, /* a device or directory is being recorded already, by this process or another */
	MSPROF_BAD_ALLOC = 200000,
	MSPROF_STORAGE_OVER_LIMIT = 300000, /* less than 20 MB of disk are left */
	MSPROF_FAILURE = 500001
};

/* How the keys of an acl.json are judged: as boards do, or as aclInit does. */
enum msprof_profile { MSPROF_SVP, MSPROF_ASCEND };

enum msprof_api_type { MSPROF_OP = 1, MSPROF_MODEL = 2, MSPROF_RUNTIME = 3, MSPROF_OTHER = 4 };

/* Of a call that belongs to no model. */
#define MSPROF_NO_MODEL UINT32_MAX

enum { MSPROF_NAME_MAX = 256, MSPROF_MESSAGE_MAX = 127 }; /* bytes, without the NUL */

/*
 * Read an acl.json and begin to record where it says "switch": "on"; 0 also where it says "off". NULL is a file that
 * says nothing. 100002 after it gave 0 once. Errors and warnings go to the standard error stream; with MSPROF_SVP a bad
 * value only switches a feature off.
 */
MSPROF_EXPORT int msprof_init(const char *acl_json, enum msprof_profile profile);

/*
 * Write what is still in memory and mark the results as complete. A program that does not call it leaves incomplete
 * ones. 100001 where no msprof_init gave 0.
 */
MSPROF_EXPORT int msprof_finalize(void);

/*
 * A number for a name of at most MSPROF_NAME_MAX bytes, for the life of the process; the same name has the same number.
 * 0, which is shown as "?", for NULL and an empty text, and when the process has more than 65,535 names or 2 MB of
 * them, which is a warning once. Fast when this thread asked for it before.
 */
MSPROF_EXPORT uint32_t msprof_name(const char *text);

/* The time, for the function that ends what begins here; 0 while nothing is recorded. Nothing needs to be undone. */
MSPROF_EXPORT uint64_t msprof_begin(void);

/* A call of an API ends. What began before the recording, or when msprof_begin gave 0, is not recorded. */
MSPROF_EXPORT void msprof_api_end(uint64_t begin_ns, enum msprof_api_type type, uint32_t name, uint32_t model_id);

/*
 * A model is loaded, under the number that it keeps until it is unloaded, or loaded again under another name. To be
 * announced before the end of the call that loads it, so that this is the model's as well.
 */
MSPROF_EXPORT int msprof_model_loaded(uint32_t model_id, const char *name);

/* 100000 for a number that is not loaded. What the model did before stays its own. */
MSPROF_EXPORT int msprof_model_unloaded(uint32_t model_id);

/*
 * An execution of a model ends: msprof_api_end for a call of type MSPROF_MODEL, but where acl.json has an "interval" of
 * N, only the first of each N executions of that model is recorded.
 */
MSPROF_EXPORT void msprof_model_executed(uint64_t begin_ns, uint32_t name, uint32_t model_id);

/* An operator that the application ran itself, on the calling thread. */
struct msprof_op {
	uint64_t begin_ns, end_ns; /* from msprof_begin, or that clock read elsewhere */
	uint32_t model_id;
	uint32_t name, type; /* from msprof_name */
};

/* Tell of an operator, to recordings and to subscribers of its model. 100000 for an end before the begin. */
MSPROF_EXPORT int msprof_op_publish(const struct msprof_op *op);

/* A moment, with at most MSPROF_MESSAGE_MAX bytes of text. */
MSPROF_EXPORT void msprof_mark(const char *message);

/* A stretch of time that ends now, on this thread; it may have begun on another. */
MSPROF_EXPORT void msprof_range_end(uint64_t begin_ns, const char *message);

/*
 * For libraries that stand between a program and another and begin for it. As msprof_init and msprof_finalize, but
 * nothing happens in a process that has begun, or ended, already; and when the program then begins itself, that is no
 * repetition.
 */
MSPROF_EXPORT int msprof_wrap_init(const char *acl_json, enum msprof_profile profile);
MSPROF_EXPORT int msprof_wrap_finalize(void);

/* Before a call: begin where 'msprof PROGRAM' started this process. Fast when there is nothing to do; leaves errno. */
MSPROF_EXPORT int msprof_wrap_begin(void);

#ifdef __cplusplus
}
#endif
#endif
