/* control_settings.c: the settings of SetConfig and their values. The names are those of acl.json. */
#include "recorder/control.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "recorder/include/acl/acl_prof.h"

enum check { CHECK_NUMBER, CHECK_LIMIT, CHECK_WORD, CHECK_LIST, CHECK_METRICS, CHECK_TEXT };

static const struct setting {
	const char *name; /* NULL: no such type */
	enum check check;
	uint64_t least, most;
	const char *first, *second; /* the allowed words; a list may have both, joined with a comma */
	const char *reason;
} settings[MP_SETTING_COUNT] = {
    [ACL_PROF_STORAGE_LIMIT] = {"storage_limit", CHECK_LIMIT, 200, UINT32_MAX, NULL, NULL,
	"it must be 200MB to 4294967295MB"},
    [ACL_PROF_SYS_HARDWARE_MEM_FREQ] = {"sys_hardware_mem_freq", CHECK_NUMBER, 1, 100, NULL, NULL,
	"it must be a number from 1 to 100"},
    [ACL_PROF_LLC_MODE] = {"llc_profiling", CHECK_WORD, 0, 0, "read", "write", "it must be read or write"},
    [ACL_PROF_SYS_IO_FREQ] = {"sys_io_sampling_freq", CHECK_NUMBER, 1, 100, NULL, NULL,
	"it must be a number from 1 to 100"},
    [ACL_PROF_SYS_INTERCONNECTION_FREQ] = {"sys_interconnection_freq", CHECK_NUMBER, 1, 50, NULL, NULL,
	"it must be a number from 1 to 50"},
    [ACL_PROF_DVPP_FREQ] = {"dvpp_freq", CHECK_NUMBER, 1, 100, NULL, NULL, "it must be a number from 1 to 100"},
    [ACL_PROF_HOST_SYS] = {"host_sys", CHECK_LIST, 0, 0, "cpu", "mem", "it must be a list of cpu and mem"},
    [ACL_PROF_HOST_SYS_USAGE] = {"host_sys_usage", CHECK_LIST, 0, 0, "cpu", "mem", "it must be a list of cpu and mem"},
    [ACL_PROF_HOST_SYS_USAGE_FREQ] = {"host_sys_usage_freq", CHECK_NUMBER, 1, 50, NULL, NULL,
	"it must be a number from 1 to 50"},
    [ACL_PROF_LOW_POWER_FREQ] = {"sys_lp_freq", CHECK_NUMBER, 1, 100, NULL, NULL, "it must be a number from 1 to 100"},
    [ACL_PROF_SYS_MEM_SERVICEFLOW] = {"sys_mem_serviceflow", CHECK_TEXT, 0, 0, NULL, NULL, "it must be a text"},
    [ACL_PROF_SYS_CPU_FREQ] = {"sys_cpu_freq", CHECK_NUMBER, 1, 50, NULL, NULL, "it must be a number from 1 to 50"},
    [ACL_PROF_OPTYPE] = {"optype", CHECK_TEXT, 0, 0, NULL, NULL, "it must be a text"},
    [ACL_PROF_NTS_METRICS] = {"nts_metrics", CHECK_METRICS, 0, 0, "PipeUtilization",
	"Custom:", "it must be PipeUtilization or Custom:..."},
    [ACL_PROF_PATH] = {"path", CHECK_TEXT, 0, 0, NULL, NULL, "it must be a path"},
};

/* Returns whether the value is digits followed by `unit`, within the range. */
static bool in_range(const char *value, const char *unit, uint64_t least, uint64_t most)
{
	size_t digits = strspn(value, "0123456789");
	uint64_t number;

	if (!digits || digits > 10 || strcmp(value + digits, unit) != 0)
		return false;
	number = strtoull(value, NULL, 10);
	return number >= least && number <= most;
}

static bool is_words(const struct setting *s, const char *value)
{
	size_t len = strlen(s->first);

	if (strcmp(value, s->first) == 0 || strcmp(value, s->second) == 0)
		return true;
	if (s->check != CHECK_LIST)
		return false;
	return (strncmp(value, s->first, len) == 0 && value[len] == ',' && strcmp(value + len + 1, s->second) == 0) ||
	       (strncmp(value, s->second, len) == 0 && value[len] == ',' && strcmp(value + len + 1, s->first) == 0);
}

static bool is_good(const struct setting *s, const char *value)
{
	switch (s->check) {
	case CHECK_NUMBER:
		return in_range(value, "", s->least, s->most);
	case CHECK_LIMIT:
		return in_range(value, "MB", s->least, s->most);
	case CHECK_WORD:
	case CHECK_LIST:
		return is_words(s, value);
	case CHECK_METRICS:
		return strcmp(value, s->first) == 0 ||
		       (strncmp(value, s->second, strlen(s->second)) == 0 && value[strlen(s->second)]);
	case CHECK_TEXT:
		return *value != '\0';
	}
	return false;
}

const char *mp_setting_name(int type)
{
	return type >= 0 && type < MP_SETTING_COUNT ? settings[type].name : NULL;
}

int mp_setting_check(int type, const char *value, const char **reason)
{
	*reason = settings[type].reason;
	if (is_good(&settings[type], value) && !mp_has_control(value, strlen(value)))
		return 0;
	return -1;
}

uint64_t mp_setting_storage_limit(const char *value)
{
	return *value ? strtoull(value, NULL, 10) * 1024 * 1024 : 0;
}
