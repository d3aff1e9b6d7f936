// older.cpp: a client in C++ of the calls of older releases. An argument is the directory to record into.
#include <cstdio>
#include <cstring>

#include "acl/acl.h"
#include "acl/acl_msprof.h"
#include "acl/acl_prof.h"

static bool good = true;

static void expect(const char *call, aclError code)
{
	if (code == ACL_SUCCESS)
		return;
	printf("%s: %d\n", call, code);
	good = false;
}

static void mark(const char *message)
{
	void *stamp = aclprofCreateStamp();
	double value = 0.5;

	expect("message", aclprofSetStampTraceMessage(stamp, message, static_cast<uint32_t>(strlen(message))));
	expect("tag", aclprofSetStampTagName(stamp, "loader", 6));
	expect("category", aclprofSetStampCategory(stamp, 7));
	expect("payload", aclprofSetStampPayload(stamp, 2, &value));
	expect("stack", aclprofSetStampCallStack(stamp, "main", 4));
	expect("mark", aclprofMark(stamp));
	aclprofDestroyStamp(stamp);
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : ".";
	uint32_t devices[] = {0};
	unsigned char data[16] = {0};

	expect("init", aclInit(nullptr));
	expect("prof", aclprofInit(path, strlen(path)));
	aclprofConfig *config = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_MSPROFTX);
	expect("start", aclprofStart(config));
	expect("name", aclprofSetCategoryName(7, "input"));
	mark("seen");
	expect("off", aclprofMsproftxSwitch(false));
	mark("unseen");
	expect("on", aclprofMsproftxSwitch(true));
	expect("report", aclprofReportStamp("tag", 3, data, sizeof(data)));
	expect("stop", aclprofStop(config));
	expect("destroy", aclprofDestroyConfig(config));
	expect("finalize", aclprofFinalize());
	expect("end", aclFinalize());
	return good ? 0 : 1;
}
