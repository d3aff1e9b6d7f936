/*
 * stub_acl.c: a substitute for the vendor's libraries in tests: functions with the same names that sleep for a known
 * time. None calls another one, which a preloaded library would record, too.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The sleep in milliseconds is the last thing that tests know of it. */
static int work(long ms)
{
	struct timespec t = {0, ms * 1000000};

	nanosleep(&t, NULL);
	return 0;
}

int aclInit(const char *config);
int aclFinalize(void);
int aclmdlLoadFromFile(const char *path, uint32_t *model_id);
int aclmdlUnload(uint32_t model_id);
int aclmdlExecute(uint32_t model_id, const void *input, void *output);
int aclrtMalloc(void **memory, size_t size, int policy);
int aclrtFree(void *memory);
int aclrtMemcpy(void *to, size_t room, const void *from, size_t size, int kind);
int svp_acl_init(const char *config);
int svp_acl_finalize(void);
int svp_acl_mdl_load_from_mem(const void *model, size_t size, uint32_t *model_id);
int svp_acl_mdl_unload(uint32_t model_id);
int svp_acl_mdl_execute(uint32_t model_id, const void *input, void *output);
int svp_acl_rt_malloc(void **memory, size_t size, int policy);
int svp_acl_rt_free(void *memory);

static uint32_t next_model = 1;

int aclInit(const char *config)
{
	(void)config;
	return work(1);
}

int aclFinalize(void)
{
	return work(1);
}

int aclmdlLoadFromFile(const char *path, uint32_t *model_id)
{
	if (strstr(path, "broken"))
		return 500002;
	*model_id = next_model++;
	return work(5);
}

int aclmdlUnload(uint32_t model_id)
{
	(void)model_id;
	return work(1);
}

int aclmdlExecute(uint32_t model_id, const void *input, void *output)
{
	(void)model_id, (void)input, (void)output;
	return work(3);
}

int aclrtMalloc(void **memory, size_t size, int policy)
{
	(void)policy;
	*memory = malloc(size);
	return *memory ? 0 : 200000;
}

int aclrtFree(void *memory)
{
	free(memory);
	return 0;
}

int aclrtMemcpy(void *to, size_t room, const void *from, size_t size, int kind)
{
	(void)kind;
	if (size > room)
		return 100000;
	memcpy(to, from, size);
	return 0;
}

int svp_acl_init(const char *config)
{
	(void)config;
	return work(1);
}

int svp_acl_finalize(void)
{
	return work(1);
}

int svp_acl_mdl_load_from_mem(const void *model, size_t size, uint32_t *model_id)
{
	(void)model, (void)size;
	*model_id = next_model++;
	return work(5);
}

int svp_acl_mdl_unload(uint32_t model_id)
{
	(void)model_id;
	return work(1);
}

int svp_acl_mdl_execute(uint32_t model_id, const void *input, void *output)
{
	(void)model_id, (void)input, (void)output;
	return work(3);
}

int svp_acl_rt_malloc(void **memory, size_t size, int policy)
{
	(void)policy;
	*memory = malloc(size);
	return *memory ? 0 : 200000;
}

int svp_acl_rt_free(void *memory)
{
	free(memory);
	return 0;
}
