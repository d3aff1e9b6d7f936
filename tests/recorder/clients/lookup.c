/*
 * lookup.c: a client that looks all calls up by name, as frameworks do. Arguments: the library, and the directory to
 * record into. Exits with 0 when every call was found and succeeded.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void *library;
static int bad;

static void *find(const char *name)
{
	void *function = dlsym(library, name);

	if (!function)
		bad = printf("no %s\n", name);
	return function;
}

static void expect(const char *call, int code)
{
	if (code)
		bad = printf("%s: %d\n", call, code);
}

int main(int argc, char **argv)
{
	/* looked up, and not called */
	static const char *const others[] = {"aclprofGetStepTimestamp", "aclprofCreateStepInfo",
	    "aclprofDestroyStepInfo", "aclprofSetConfig", "aclprofSetStampPayload", "aclprofSetStampTagName",
	    "aclprofSetStampCallStack", "aclprofSetStampCategory", "aclprofSetCategoryName", "aclprofMsproftxSwitch",
	    "aclprofReportStamp", "aclprofRangePushEx", "aclprofRangePop", "aclprofStr2Id", "aclprofGetOpAttriValue"};
	size_t count = 1;
	void *list = NULL, *config;

	library = dlopen(argc > 1 ? argv[1] : "", RTLD_LAZY);
	if (!library || argc < 3)
		return 2;
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		find(others[i]);
	/* POSIX allows these casts */
	int (*init)(const char *) = (int (*)(const char *))find("aclInit");
	int (*finalize)(void) = (int (*)(void))find("aclFinalize");
	int (*begin)(const char *, size_t) = (int (*)(const char *, size_t))find("aclprofInit");
	int (*end)(void) = (int (*)(void))find("aclprofFinalize");
	void *(*create)(uint32_t *, uint32_t, int, const void *, uint64_t) =
	    (void *(*)(uint32_t *, uint32_t, int, const void *, uint64_t))find("aclprofCreateConfig");
	int (*warm_up)(const void *) = (int (*)(const void *))find("aclprofWarmup");
	int (*start)(const void *) = (int (*)(const void *))find("aclprofStart");
	int (*stop)(const void *) = (int (*)(const void *))find("aclprofStop");
	int (*features)(size_t *, void **) = (int (*)(size_t *, void **))find("aclprofGetSupportedFeaturesV2");
	int (*callback)(void) = (int (*)(void))find("aclprofRegisterDeviceCallback");
	int (*mark)(const char *, size_t, void *) = (int (*)(const char *, size_t, void *))find("aclprofMarkEx");

	if (bad)
		return 1;
	expect("callback", callback());
	expect("features", features(&count, &list));
	expect("init", init(NULL));
	expect("begin", begin(argv[2], strlen(argv[2])));
	config = create((uint32_t[]){0}, 1, 0xff, NULL, 0x80);
	expect("warm up", warm_up(config));
	expect("start", start(config));
	expect("mark", mark("here", 4, &count));
	expect("stop", stop(config));
	expect("end", end());
	expect("finalize", finalize());
	return bad || count || !list;
}
