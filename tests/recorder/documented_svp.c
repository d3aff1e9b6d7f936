/*
 * documented_svp.c: a program that uses only the documented names for boards, in both spellings, and their types, for
 * both ways to profile. Linked only with libmsprof_svp. Exits with 0 when every call succeeded.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "acl/svp_acl_prof.h"

#define TRY(call)                                                                                                      \
	do {                                                                                                           \
		svp_acl_error code = (call);                                                                           \
		if (code != SVP_ACL_SUCCESS) {                                                                         \
			printf("%s: %d\n", #call, code);                                                               \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

_Static_assert(SVP_ACL_PROF_ACL_API == 0x1 && SVP_ACL_PROF_TASK_TIME == 0x2, "data types");
_Static_assert(SVP_ACL_PROF_AACORE_METRICS == 0x4 && SVP_ACL_PROF_AICORE_METRICS == 0x4, "data types");
_Static_assert(
    SVP_ACL_PROF_AACPU == 0x8 && SVP_ACL_PROF_AICPU_TRACE == 0x8 && SVP_ACL_PROF_AACPU_TRACE == 0x8, "data types");
_Static_assert(SVP_ACL_PROF_MAX_OP_NAME_LEN == 257 && SVP_ACL_PROF_MAX_OP_TYPE_LEN == 65, "sizes");
_Static_assert(SVP_ACL_AACORE_NONE == 0xff && SVP_ACL_AICORE_NONE == 0xff, "metrics");

static int write_files(const char *path)
{
	const uint32_t devices[] = {0};
	svp_acl_prof_config *config;

	TRY(svp_acl_prof_init(path, strlen(path)));
	config = svp_acl_prof_create_config(
	    devices, 1, SVP_ACL_AACORE_ARITHMETIC_UTILIZATION, NULL, SVP_ACL_PROF_AACORE_METRICS | SVP_ACL_PROF_AACPU);
	if (!config)
		return 1;
	TRY(svp_acl_prof_start(config));
	TRY(svp_acl_prof_stop(config));
	TRY(svp_acl_prof_destroy_config(config));
	TRY(svp_acl_prof_finalize());
	return 0;
}

static void *read_operators(void *arg)
{
	static char data[4096];
	char name[SVP_ACL_PROF_MAX_OP_NAME_LEN], type[SVP_ACL_PROF_MAX_OP_TYPE_LEN];
	size_t size, name_len, type_len;
	ssize_t n;
	uint32_t count;

	if (svp_acl_prof_get_op_desc_size(&size) || size * 10 > sizeof(data))
		return "size";
	while ((n = read(*(int *)arg, data, size * 10)) > 0) {
		size_t len = (size_t)n;

		if (svp_acl_prof_get_op_num(data, len, &count))
			return "number";
		for (uint32_t i = 0; i < count; i++) {
			if (svp_acl_prof_get_op_type_len(data, len, i, &type_len) ||
			    svp_acl_prof_get_op_type(data, len, i, type, type_len) ||
			    svp_acl_prof_get_op_name_len(data, len, i, &name_len) ||
			    svp_acl_prof_get_op_name(data, len, i, name, name_len))
				return "text";
			if (svp_acl_prof_get_op_end(data, len, i) - svp_acl_prof_get_op_start(data, len, i) !=
			    svp_acl_prof_get_op_duration(data, len, i))
				return "time";
			if (svp_acl_prof_get_model_id(data, len, i) != 1)
				return "model";
		}
	}
	return NULL;
}

/* The application closes the write end itself. */
static int subscribe(void)
{
	int ends[2];
	svp_acl_prof_subscribe_config *config;
	pthread_t reader;
	void *wrong;

	if (pipe(ends))
		return 1;
	config = svp_acl_prof_create_subscribe_config(1, SVP_ACL_AICORE_NONE, &ends[1]);
	if (!config)
		return 1;
	TRY(svp_acl_prof_model_subscribe(1, config));
	if (pthread_create(&reader, NULL, read_operators, &ends[0]))
		return 1;
	TRY(svp_acl_prof_model_unsubscribe(1));
	close(ends[1]);
	if (pthread_join(reader, &wrong) || wrong)
		return 1;
	close(ends[0]);
	TRY(svp_acl_prof_destroy_subscribe_config(config));
	return 0;
}

int main(int argc, char **argv)
{
	TRY(svp_acl_init(NULL));
	if (write_files(argc > 1 ? argv[1] : ".") || subscribe())
		return 1;
	TRY(svp_acl_finalize());
	return 0;
}
