/*
 * beside.c: a client that links the vendor's library and ours. Arguments: the directory to record into, and a
 * configuration that aclInit is given. Prints the results of the calls.
 */
#include <stdio.h>
#include <string.h>

#include "../family.h"

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : ".";
	uint32_t devices[] = {0};
	prof_config *config;
	int init = acl_init(argc > 2 ? argv[2] : NULL);
	int begin = prof_init(path, strlen(path));

	config = prof_create_config(devices, 1, METRICS_NONE, NULL, 1);
	printf("init %d, begin %d\n", init, begin);
	printf("start %d\n", prof_start(config));
	printf("stop %d\n", prof_stop(config));
	printf("end %d\n", prof_finalize());
	printf("finalize %d\n", acl_finalize());
	return prof_destroy_config(config);
}
