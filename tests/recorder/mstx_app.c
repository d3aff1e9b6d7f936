/*
 * mstx_app.c: an application with marks and ranges of mstx that knows nothing of recording.
 *
 * With MSTX_LINKED it links libms_tools_ext.so. Otherwise it looks for a tool like programs do that only have the
 * vendor's header: it loads the library of MSTX_INJECTION_PATH, and gives InitInjectionMstx its tables of functions.
 * MSTX_OLD: tables of the time without domains, memory and a fourth function.
 *
 *   mstx_app SIZE    a message of SIZE bytes at the end
 *   mstx_app fork    children ask for a domain while a thread of their parent does
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef MSTX_LINKED
#include <mstx/ms_tools_ext.h>
#include <mstx/ms_tools_ext_mem.h>
#else
typedef void *handle;
static void (*mstxMarkA)(const char *, void *);
static uint64_t (*mstxRangeStartA)(const char *, void *);
static void (*mstxRangeEnd)(uint64_t);
static void (*mstxGetToolId)(uint64_t *);
static handle (*mstxDomainCreateA)(const char *);
static void (*mstxDomainDestroy)(handle);
static void (*mstxDomainMarkA)(handle, const char *, void *);
static uint64_t (*mstxDomainRangeStartA)(handle, const char *, void *);
static void (*mstxDomainRangeEnd)(handle, uint64_t);
static handle (*mstxMemHeapRegister)(handle, const void *);
static void (*mstxMemHeapUnregister)(handle, handle);
static void (*mstxMemRegionsRegister)(handle, const void *);
static void (*mstxMemRegionsUnregister)(handle, const void *);
typedef handle mstxDomainHandle_t;

typedef void (**place)(void);
static place core[] = {NULL, (place)&mstxMarkA, (place)&mstxRangeStartA, (place)&mstxRangeEnd,
#ifndef MSTX_OLD
    (place)&mstxGetToolId,
#endif
    NULL};
static place domains[] = {NULL, (place)&mstxDomainCreateA, (place)&mstxDomainDestroy, (place)&mstxDomainMarkA,
    (place)&mstxDomainRangeStartA, (place)&mstxDomainRangeEnd, NULL};
static place memory[] = {NULL, (place)&mstxMemHeapRegister, (place)&mstxMemHeapUnregister,
    (place)&mstxMemRegionsRegister, (place)&mstxMemRegionsUnregister, NULL};

static int get_table(int module, place **table, unsigned *size)
{
	if (module == 1) {
		*table = core;
		*size = sizeof(core) / sizeof(core[0]) - 1;
		return 0;
	}
#ifndef MSTX_OLD
	if (module == 2) {
		*table = domains;
		*size = sizeof(domains) / sizeof(domains[0]) - 1;
		return 0;
	}
	if (module == 3) {
		*table = memory;
		*size = sizeof(memory) / sizeof(memory[0]) - 1;
		return 0;
	}
#endif
	return 1;
}

static int find_tool(void)
{
	const char *path = getenv("MSTX_INJECTION_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
	int (*init)(int (*)(int, place **, unsigned *)) = NULL;

	if (library)
		*(void **)&init = dlsym(library, "InitInjectionMstx");
	return init ? init(get_table) : 1;
}
#endif

static void rest(void)
{
	nanosleep(&(struct timespec){0, 2000000}, NULL);
}

static void *end_range(void *range)
{
	rest();
	mstxRangeEnd(*(uint64_t *)range);
	return NULL;
}

static void in_domains(void)
{
	mstxDomainHandle_t load = mstxDomainCreateA("load"), train = mstxDomainCreateA("train");
	uint64_t range = mstxDomainRangeStartA(load, "read", NULL), other;

	if (!load || load == train || load != mstxDomainCreateA("load") || mstxDomainCreateA("default"))
		exit(4);
	mstxDomainMarkA(load, "one, \"two\"", NULL);
	other = mstxDomainRangeStartA(train, "step", (void *)0x1234);
	rest();
	mstxDomainRangeEnd(load, range);
	mstxDomainRangeEnd(train, other);
	mstxDomainRangeEnd(train, other);
	mstxDomainDestroy(train);
	mstxDomainMarkA(train, "never", NULL);
	mstxDomainMarkA(NULL, "never", NULL);
}

#ifdef MSTX_LINKED
static int register_memory(void)
{
	char bytes[64];
	mstxMemVirtualRangeDesc_t range = {0, bytes, sizeof(bytes)};
	mstxMemHeapDesc_t desc = {MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, &range};
	mstxMemHeapHandle_t heap = mstxMemHeapRegister(NULL, &desc);
	mstxMemRegionHandle_t region = NULL;
	mstxMemRegionsRegisterBatch_t batch = {heap, MSTX_MEM_TYPE_VIRTUAL_ADDRESS, 1, &range, &region};
	mstxMemPermissionsAssignRegionsDesc_t permission = {.flags = MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ};
	mstxMemPermissionsAssignBatch_t permissions = {1, &permission};
	mstxMemRegionRef_t ref = {.refType = MSTX_MEM_REGION_REF_TYPE_HANDLE};
	mstxMemRegionsUnregisterBatch_t refs = {1, &ref};

	mstxMemRegionsRegister(NULL, &batch);
	mstxMemPermissionsAssign(NULL, &permissions);
	mstxMemRegionsUnregister(NULL, &refs);
	mstxMemHeapUnregister(NULL, heap);
	return heap != NULL;
}
#else
/* A tool that knows the functions has put them into the table. */
static int register_memory(void)
{
	for (size_t i = 1; i < sizeof(memory) / sizeof(memory[0]) - 1; i++)
		if (!*memory[i])
			return 1;
	mstxMemRegionsRegister(NULL, NULL);
	mstxMemRegionsUnregister(NULL, NULL);
	mstxMemHeapUnregister(NULL, NULL);
	return mstxMemHeapRegister(NULL, NULL) != NULL;
}
#endif

static void *ask_for_domains(void *unused)
{
	char name[16];

	for (int i = 0;; i++) {
		snprintf(name, sizeof(name), "%d", i % 1000);
		mstxDomainCreateA(name);
	}
	return unused;
}

/* Nothing is recorded before the children end: the recorder has not begun. */
static int fork_children(void)
{
	pthread_t thread;
	int failed = 0, status;

	if (pthread_create(&thread, NULL, ask_for_domains, NULL))
		return 9;
	rest();
	for (int i = 0; i < 200 && !failed; i++) {
		pid_t child = fork();

		if (child == 0) {
			alarm(60);
			_exit(mstxDomainCreateA("child") == NULL);
		}
		failed = child < 0 || waitpid(child, &status, 0) != child || status;
	}
	mstxMarkA("end", NULL);
	return failed;
}

int main(int argc, char **argv)
{
	uint64_t outer, inner, across, tool = 0;
	char message[1024] = "";
	pthread_t thread;

#ifndef MSTX_LINKED
	if (find_tool())
		return 3;
#endif
	if (argc > 1 && strcmp(argv[1], "fork") == 0)
		return fork_children();
	mstxMarkA("begin", NULL);
	outer = mstxRangeStartA("outer", NULL);
	inner = mstxRangeStartA("inner", NULL);
	across = mstxRangeStartA("across", NULL);
	if (mstxGetToolId)
		mstxGetToolId(&tool);
	rest();
	mstxRangeEnd(inner);
	mstxRangeEnd(outer);
	mstxRangeEnd(12345);
	mstxMarkA(NULL, NULL);
	if (pthread_create(&thread, NULL, end_range, &across))
		return 9;
	pthread_join(thread, NULL);
	if (mstxDomainCreateA)
		in_domains();
#ifndef MSTX_OLD
	if (register_memory())
		return 5;
#endif
	memset(message, 'm', argc > 1 ? (size_t)atoi(argv[1]) : 1);
	mstxMarkA(message, NULL);
	printf("%d%d%d %#llx\n", outer != 0, inner != 0, across != inner, (unsigned long long)tool);
	return 0;
}
