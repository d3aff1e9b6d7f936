/* pipe.h: shared by tests of operators through a pipe: a pipe, published operators, and readers. */
#ifndef TEST_PIPE_H
#define TEST_PIPE_H

#include "child.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "family.h"
#include "msprof_recorder.h"

/* The records in the layout of a compiler: an independent check of schema/pipe. */
#ifdef FAMILY_SVP
enum { DESC_SIZE = 256, NAME_SIZE = 40, TYPE_SIZE = 32 };
struct op_desc {
	uint32_t hardware[29];
	uint32_t model_id, type_size, name_size;
	uint64_t unused[3], start, between, end, duration;
	char type[TYPE_SIZE], name[NAME_SIZE];
};
#else
enum { DESC_SIZE = 80, NAME_SIZE = 257, TYPE_SIZE = 65 };
struct op_desc {
	uint32_t signature, model_id, flag, thread_id;
	uint64_t op_index, duration, start, end, execution_time, cube_ops, vector_ops;
	uint32_t device_id;
};
#endif

static int ends[2];
static prof_subscribe_config *config;

static inline void open_pipe(void)
{
	CHECK(acl_init(NULL) == 0);
	CHECK(pipe(ends) == 0);
	config = prof_create_subscribe_config(1, METRICS_NONE, &ends[1]);
	CHECK(config);
}

static inline void close_pipe(void)
{
	CHECK(close(ends[0]) == 0);
	CHECK(prof_destroy_subscribe_config(config) == 0);
	CHECK(acl_finalize() == 0);
}

static inline void publish(uint32_t model_id, const char *name, const char *type, uint64_t begin_ns, uint64_t end_ns)
{
	struct msprof_op op = {.begin_ns = begin_ns,
	    .end_ns = end_ns,
	    .model_id = model_id,
	    .name = msprof_name(name),
	    .type = msprof_name(type)};

	CHECK(msprof_op_publish(&op) == 0);
}

static inline void publish_now(uint32_t model_id, const char *name)
{
	uint64_t now = msprof_begin();

	publish(model_id, name, "Test", now, now + 5000);
}

/* Read until the end of the pipe. */
static inline size_t read_all(void *buffer, size_t size)
{
	size_t len = 0;

	for (;;) {
		ssize_t n = read(ends[0], (char *)buffer + len, size - len);

		CHECK(n >= 0);
		if (n == 0)
			return len;
		len += (size_t)n;
		CHECK(len < size);
	}
}

/* A thread that reads operators of model 5 until the end of the pipe, and counts them in *arg. */
static inline void *read_until_end(void *arg)
{
	char data[DESC_SIZE * 10];
	size_t held = 0;
	long *count = arg;
	ssize_t n;

	while ((n = read(ends[0], data + held, 123)) > 0) { /* no record has this size */
		uint32_t ops;

		held += (size_t)n;
		CHECK(prof_op_num(data, held / DESC_SIZE * DESC_SIZE, &ops) == 0);
		for (uint32_t i = 0; i < ops; i++)
			CHECK(prof_model_id(data, ops * DESC_SIZE, i) == 5 &&
			      prof_op_duration(data, ops * DESC_SIZE, i) == 5);
		*count += ops;
		memmove(data, data + ops * DESC_SIZE, held - ops * DESC_SIZE);
		held -= ops * DESC_SIZE;
	}
	CHECK(n == 0 && held == 0);
	return NULL;
}

#endif
