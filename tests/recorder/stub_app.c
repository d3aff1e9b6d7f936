/*
 * stub_app.c: an application of the vendor's library that knows nothing of recording.
 *
 * With STUB_SVP defined, of a board's library.
 *
 *   stub_app [--config ACL_JSON] [--executes N] [--threads N] [--no-finalize] [--exit STATUS]
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef STUB_SVP
#define FUNCTION(ascend, svp) svp
#else
#define FUNCTION(ascend, svp) ascend
#endif
#define INIT FUNCTION(aclInit, svp_acl_init)
#define FINALIZE FUNCTION(aclFinalize, svp_acl_finalize)
#define UNLOAD FUNCTION(aclmdlUnload, svp_acl_mdl_unload)
#define EXECUTE FUNCTION(aclmdlExecute, svp_acl_mdl_execute)
#define MALLOC FUNCTION(aclrtMalloc, svp_acl_rt_malloc)
#define FREE FUNCTION(aclrtFree, svp_acl_rt_free)

int INIT(const char *config);
int FINALIZE(void);
int aclmdlLoadFromFile(const char *path, uint32_t *model_id);
int svp_acl_mdl_load_from_mem(const void *model, size_t size, uint32_t *model_id);
int UNLOAD(uint32_t model_id);
int EXECUTE(uint32_t model_id, const void *input, void *output);
int MALLOC(void **memory, size_t size, int policy);
int FREE(void *memory);
int aclrtMemcpy(void *to, size_t room, const void *from, size_t size, int kind);

enum { THREADS_MAX = 64 };

static uint32_t model_id;
static int executes = 3;

static void *execute(void *unused)
{
	(void)unused;
	for (int i = 0; i < executes; i++)
		if (EXECUTE(model_id, NULL, NULL))
			exit(9);
	return NULL;
}

/* The two libraries differ here. */
static int load_and_copy(void *memory, const char *text, size_t size)
{
#ifdef STUB_SVP
	memcpy(memory, text, size);
	return svp_acl_mdl_load_from_mem(text, size, &model_id);
#else
	return aclmdlLoadFromFile("models/resnet50.om", &model_id) || aclrtMemcpy(memory, size, text, size, 1);
#endif
}

int main(int argc, char **argv)
{
	const char *config = NULL;
	int threads = 1, finalize = 1, status = 0;
	pthread_t ids[THREADS_MAX];
	char text[16] = "some input";
	void *memory;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--no-finalize") == 0)
			finalize = 0;
		else if (i + 1 == argc)
			return 8;
		else if (strcmp(argv[i], "--config") == 0)
			config = argv[++i];
		else if (strcmp(argv[i], "--executes") == 0)
			executes = atoi(argv[++i]);
		else if (strcmp(argv[i], "--threads") == 0)
			threads = atoi(argv[++i]);
		else if (strcmp(argv[i], "--exit") == 0)
			status = atoi(argv[++i]);
	}
	if (threads < 1 || threads > THREADS_MAX || INIT(config) || MALLOC(&memory, sizeof(text), 0) ||
	    load_and_copy(memory, text, sizeof(text)))
		return 9;
	for (int i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, execute, NULL))
			return 9;
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	printf("executed %d times\n", executes * threads);
	if (FREE(memory) || UNLOAD(model_id) || (finalize && FINALIZE()))
		return 9;
	return status;
}
