/* form_table.c: the options of Ascend servers: their values, their help, and what msprof does about each. */
#include "form.h"

#define TEXT(name, high) .type = VALUE_TEXT, .value = (name), .least = 1, .most = (high)
#define FILE_NAME(name, high) .type = VALUE_FILE, .value = (name), .least = 1, .most = (high)
#define DIRECTORY(name, high) .type = VALUE_DIRECTORY, .value = (name), .least = 1, .most = (high)
#define NUMBER(name, low, high) .type = VALUE_NUMBER, .value = (name), .least = (low), .most = (high)
#define SIZE(name, low, high) .type = VALUE_SIZE, .value = (name), .least = (low), .most = (high)
#define WORD(list) .type = VALUE_WORD, .words = list
#define WORDS(list) .type = VALUE_WORDS, .value = "LIST", .words = list
#define SWITCH WORD("on off")

const struct form_option form_options[] = {
    /* the program and its results */
    {FORM_ACTIVE, {{"--application"}, FILE_NAME("COMMAND", 2048),
		      .help = "the program and its arguments as one text, instead of words at the end"}},
    {FORM_ACTIVE,
	{{"--output"}, DIRECTORY("DIR", 1024),
	    .help =
		"the directory of PROF_...; without it $ASCEND_WORK_PATH/profiling_data, else the current directory"}},
    {FORM_ACTIVE, {{"--environment"}, TEXT("VARIABLES", 65536), .help = "variables for the program, such as A=1;B=2"}},
    {FORM_ACTIVE, {{"--storage-limit"}, SIZE("SIZE", 200, 4294967295), .unit = "MB",
		      .help = "maximum size of the result; the oldest data is removed first"}},
    /* what is recorded on the host */
    {FORM_ACTIVE, {{"--ascendcl"}, SWITCH, .standard = "on", .help = "calls of AscendCL"}},
    {FORM_ACTIVE, {{"--model-execution"}, SWITCH, .standard = "off",
		      .help = "executions of models; the calls of AscendCL include these"}},
    {FORM_ACTIVE, {{"--runtime-api"}, SWITCH, .standard = "off", .help = "calls of the runtime"}},
    {FORM_ACTIVE, {{"--msproftx"}, SWITCH, .standard = "off", .help = "the program's own marks and ranges"}},
    {FORM_ACTIVE, {{"--mstx-domain-include"}, TEXT("DOMAINS", 1024),
		      .help = "of the marks and ranges of mstx only those of these domains, separated by commas"}},
    {FORM_ACTIVE, {{"--mstx-domain-exclude"}, TEXT("DOMAINS", 1024),
		      .help = "of the marks and ranges of mstx all but those of these domains"}},
    {FORM_ACTIVE, {{"--host-sys"}, WORDS("cpu mem disk network osrt"),
		      .help = "samples of the program (disk, network and osrt are not sampled)"}},
    {FORM_ACTIVE,
	{{"--host-sys-pid"}, NUMBER("PID", 1, INT32_MAX), .help = "process to sample instead of the program"}},
    {FORM_ACTIVE, {{"--host-sys-usage"}, WORDS("cpu mem"), .help = "samples of the machine and of the program"}},
    {FORM_ACTIVE, {{"--host-sys-usage-freq"}, NUMBER("HZ", 1, 50), .unit = "Hz", .standard = "50",
		      .help = "frequency of these samples"}},
    {FORM_ACTIVE,
	{{"--sys-profiling"}, SWITCH, .standard = "off", .help = "samples of the machine: processors and memory"}},
    {FORM_ACTIVE, {{"--sys-sampling-freq"}, NUMBER("HZ", 1, 10), .unit = "Hz", .standard = "10",
		      .help = "frequency of these samples"}},
    {FORM_ACTIVE,
	{{"--sys-pid-profiling"}, SWITCH, .standard = "off", .help = "samples of the program: processors and memory"}},
    {FORM_ACTIVE, {{"--sys-pid-sampling-freq"}, NUMBER("HZ", 1, 10), .unit = "Hz", .standard = "10",
		      .help = "frequency of these samples"}},
    {FORM_ACTIVE, {{"--delay"}, NUMBER("S", 1, 4294967295), .unit = "s",
		      .help = "record nothing during the program's first seconds"}},
    {FORM_ACTIVE, {{"--duration"}, NUMBER("S", 1, 4294967295), .unit = "s",
		      .help = "record for this time; the program continues"}},
    {FORM_ACTIVE,
	{{"--sys-period"}, NUMBER("S", 1, 2592000), .unit = "s", .help = "without a program: the time to sample"}},
    /* what only the vendor's driver can record */
    {FORM_DRIVER, {{"--task-time"}, WORD("on off l0 l1 l2 l3"), .help = "times of tasks"}},
    {FORM_DRIVER, {{"--ai-core"}, SWITCH, .help = "AI Core metrics"}},
    {FORM_DETAIL, {{"--aic-mode"}, WORD("task-based sample-based"), .help = "how to measure AI Core metrics"}},
    {FORM_DETAIL, {{"--aic-metrics"}, TEXT("METRICS", 1024), .help = "the AI Core metrics to measure"}},
    {FORM_DETAIL, {{"--aic-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "frequency of these samples"}},
    {FORM_DRIVER, {{"--aicpu"}, SWITCH, .help = "AI CPU operators"}},
    {FORM_DRIVER, {{"--ge-api"}, WORD("l0 l1 off"), .help = "calls of the graph engine"}},
    {FORM_DRIVER, {{"--aicore-shape"}, SWITCH, .help = "shapes of AI Core operators"}},
    {FORM_DRIVER, {{"--hccl"}, SWITCH, .help = "communication"}},
    {FORM_DRIVER, {{"--l2"}, SWITCH, .help = "L2 cache"}},
    {FORM_DRIVER, {{"--task-tsfw"}, SWITCH, .help = "the task scheduler"}},
    {FORM_DRIVER, {{"--task-memory"}, SWITCH, .help = "memory of operators"}},
    {FORM_DRIVER, {{"--instr-profiling"}, SWITCH, .help = "instructions"}},
    {FORM_DETAIL, {{"--instr-profiling-freq"}, NUMBER("N", 300, 30000), .unit = "cycles", .help = "sampling interval"}},
    {FORM_DRIVER, {{"--dvpp-profiling"}, SWITCH, .help = "image processing"}},
    {FORM_DETAIL, {{"--dvpp-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--sys-cpu-profiling"}, SWITCH, .help = "processors of the card"}},
    {FORM_DETAIL, {{"--sys-cpu-freq"}, NUMBER("HZ", 1, 50), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--sys-hardware-mem"}, SWITCH, .help = "memory of the card"}},
    {FORM_DETAIL, {{"--sys-hardware-mem-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DETAIL, {{"--llc-profiling"}, WORD("read write"), .help = "accesses to the last-level cache"}},
    {FORM_DRIVER, {{"--sys-io-profiling"}, SWITCH, .help = "network cards"}},
    {FORM_DETAIL, {{"--sys-io-sampling-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--sys-interconnection-profiling"}, SWITCH, .help = "links between cards"}},
    {FORM_DETAIL, {{"--sys-interconnection-freq"}, NUMBER("HZ", 1, 50), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--npu-events"}, TEXT("EVENTS", 1024), .help = "events by number"}},
    {FORM_NO_DRIVER, {{"--sys-devices"}, TEXT("DEVICES", 1024), .help = "cards to sample without a program"}},
    {FORM_REFUSED, {{"--dynamic"}, SWITCH, .help = "record a running program; start the program with msprof instead"}},
    {FORM_DETAIL, {{"--pid"}, NUMBER("PID", 1, INT32_MAX), .help = "the program for --dynamic; no effect"}},
    /* existing data */
    {FORM_ACTIVE,
	{{"--export"}, SWITCH, .standard = "off", .help = "write timelines and tables of the data in --output"}},
    {FORM_ACTIVE, {{"--parse"}, SWITCH, .standard = "off", .help = "import the data in --output"}},
    {FORM_ACTIVE, {{"--query"}, SWITCH, .standard = "off",
		      .help = "list devices, models and iterations of the data in --output"}},
    {FORM_ACTIVE, {{"--analyze"}, SWITCH, .standard = "off",
		      .help = "write what collective operations moved of the data in --output"}},
    {FORM_ACTIVE, {{"--rule"}, WORDS("communication communication_matrix"), .standard = "communication",
		      .help = "the files of --analyze to write"}},
    {FORM_ACTIVE, {{"--type"}, WORD("text db"), .standard = "text", .help = "export text files or a database"}},
    {FORM_ACTIVE, {{"--summary-format"}, WORD("csv json"), .standard = "csv", .help = "format of exported tables"}},
    {FORM_ACTIVE, {{"--model-id"}, NUMBER("N", 0, UINT32_MAX), .help = "export this model"}},
    {FORM_ACTIVE, {{"--iteration-id"}, NUMBER("N", 1, UINT32_MAX), .help = "export this iteration"}},
    {FORM_ACTIVE, {{"--reports"}, FILE_NAME("FILE", 4096), .help = "JSON that switches layers of a timeline off"}},
    {FORM_ACTIVE, {{"--clear"}, SWITCH, .standard = "off", .help = "remove the database once the exports are written"}},
    {FORM_NEEDLESS, {{"--python-path"}, FILE_NAME("PATH", 4096), .help = "msprof needs no Python"}},
    {0},
};

_Static_assert(sizeof(form_options) / sizeof(form_options[0]) <= FORM_OPTION_MAX + 1, "struct form has no room");
