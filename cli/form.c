/* form.c: the options of Ascend servers, and what a command line with them asks for: parses and validates it, and
 * prints help. */
#include "form.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    {FORM_ACTIVE,
	{{"--application"}, FILE_NAME("COMMAND", 2048),
	    .help = "the program and its arguments as one text, instead of words at the end; a name without a slash is "
		    "looked for in the current directory, then in PATH; sh, bash and python* in PATH alone"}},
    {FORM_ACTIVE,
	{{"--output"}, DIRECTORY("DIR", 1024),
	    .help =
		"the directory of PROF_...; without it $ASCEND_WORK_PATH/profiling_data, else that of the program of "
		"--application, else the current one"}},
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
    {FORM_ACTIVE, {{"--dynamic"}, SWITCH, .standard = "off",
		      .help = "record from the command 'start' on standard input to 'stop' or 'quit'"}},
    {FORM_ACTIVE,
	{{"--pid"}, NUMBER("PID", 1, INT32_MAX),
	    .help = "with --dynamic=on: command the program of this process, which another msprof started with "
		    "--dynamic=on, or its user with PROFILING_MODE=dynamic"}},
    {FORM_ACTIVE,
	{{"--sys-period"}, NUMBER("S", 1, 2592000), .unit = "s", .help = "without a program: the time to sample"}},
    /* what only the vendor's driver can record */
    {FORM_DRIVER, {{"--task-time"}, WORD("on off l0 l1 l2 l3"), .help = "times of tasks"}},
    {FORM_DRIVER, {{"--ai-core"}, SWITCH, .help = "AI Core metrics"}},
    {FORM_DRIVER, {{"--ai-vector-core"}, SWITCH, .help = "vector core metrics"}},
    {FORM_DETAIL, {{"--aic-mode"}, WORD("task-based sample-based"), .help = "how to measure AI Core metrics"}},
    {FORM_DETAIL, {{"--aic-metrics"}, TEXT("METRICS", 1024), .help = "the AI Core metrics to measure"}},
    {FORM_DETAIL, {{"--aic-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "frequency of these samples"}},
    {FORM_DETAIL, {{"--aiv-mode"}, WORD("task-based sample-based"), .help = "how to measure vector core metrics"}},
    {FORM_DETAIL, {{"--aiv-metrics"}, TEXT("METRICS", 1024), .help = "the vector core metrics to measure"}},
    {FORM_DETAIL, {{"--aiv-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "frequency of these samples"}},
    {FORM_DRIVER, {{"--aicpu"}, SWITCH, .help = "AI CPU operators"}},
    {FORM_DRIVER, {{"--ge-api"}, WORD("l0 l1 off"), .help = "calls of the graph engine"}},
    {FORM_DRIVER, {{"--aicore-shape"}, SWITCH, .help = "shapes of AI Core operators"}},
    {FORM_DRIVER, {{"--hccl"}, SWITCH, .help = "communication"}},
    {FORM_DRIVER, {{"--l2"}, SWITCH, .help = "L2 cache"}},
    {FORM_DRIVER, {{"--task-trace"}, WORD("on off l0 l1 l2 l3"), .help = "times of tasks"}},
    {FORM_DRIVER, {{"--task-block"}, WORD("on off all"), .help = "blocks of tasks"}},
    {FORM_DETAIL, {{"--optype"}, TEXT("TYPES", 256), .help = "the types of operators to measure"}},
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
    {FORM_DRIVER,
	{{"--llc-profiling"}, WORD("read write capacity bandwidth"), .help = "accesses to the last-level cache"}},
    {FORM_DRIVER, {{"--sys-io-profiling"}, SWITCH, .help = "network cards"}},
    {FORM_DETAIL, {{"--sys-io-sampling-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--sys-interconnection-profiling"}, SWITCH, .help = "links between cards"}},
    {FORM_DETAIL, {{"--sys-interconnection-freq"}, NUMBER("HZ", 1, 50), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--sys-lp"}, SWITCH, .help = "low-power states of the card"}},
    {FORM_DETAIL, {{"--sys-lp-freq"}, NUMBER("HZ", 1, 100), .unit = "Hz", .help = "sampling frequency"}},
    {FORM_DRIVER, {{"--sys-mem-serviceflow"}, TEXT("FLOWS", 1024), .help = "memory of service flows"}},
    {FORM_DRIVER, {{"--npu-events"}, TEXT("EVENTS", 1024), .help = "events by number"}},
    {FORM_NO_DRIVER, {{"--sys-devices"}, TEXT("DEVICES", 1024), .help = "cards to sample without a program"}},
    /* existing data */
    {FORM_ACTIVE, {{"--export"}, SWITCH, .standard = "off",
		      .help = "write timelines, tables and a database of the data in --output"}},
    {FORM_ACTIVE, {{"--parse"}, SWITCH, .standard = "off", .help = "import the data in --output"}},
    {FORM_ACTIVE, {{"--query"}, SWITCH, .standard = "off",
		      .help = "list devices, models and iterations of the data in --output"}},
    {FORM_ACTIVE, {{"--analyze"}, SWITCH, .standard = "off",
		      .help = "write what collective operations moved of the data in --output"}},
    {FORM_ACTIVE, {{"--rule"}, WORDS("communication communication_matrix"),
		      .standard = "communication,communication_matrix", .help = "which of the two --analyze writes"}},
    {FORM_ACTIVE,
	{{"--type"}, WORD("text db"), .standard = "text",
	    .help = "what --export and --analyze write: text(which will also export the database), or db alone"}},
    {FORM_ACTIVE, {{"--summary-format"}, WORD("csv json"), .standard = "csv", .help = "format of exported tables"}},
    {FORM_ACTIVE, {{"--model-id"}, NUMBER("N", 0, UINT32_MAX), .help = "export this model"}},
    {FORM_ACTIVE, {{"--iteration-id"}, NUMBER("N", 1, UINT32_MAX), .help = "export this iteration"}},
    {FORM_ACTIVE, {{"--reports"}, FILE_NAME("FILE", 4096), .help = "JSON that switches layers of a timeline off"}},
    {FORM_ACTIVE, {{"--clear"}, SWITCH, .standard = "off", .help = "remove the database once the exports are written"}},
    {FORM_ACTIVE,
	{{"--compat-db"}, SWITCH,
	    .help = "also write host/sqlite/*.db and device_N/sqlite/*.db, for tools that open these; on in the "
		    "tree in place of CANN's"}},
    {FORM_NEEDLESS, {{"--python-path"}, FILE_NAME("PATH", 4096), .help = "msprof needs no Python"}},
    {0},
};

_Static_assert(sizeof(form_options) / sizeof(form_options[0]) <= FORM_OPTION_MAX + 1, "struct form has no room");

enum { OPTIONS_INDENT = 35 };

static int find(const char *name, size_t len)
{
	for (int i = 0; form_options[i].row.names[0]; i++) {
		const char *own = option_bare(form_options[i].row.names[0]);

		if (strlen(own) == len && strncmp(own, name, len) == 0)
			return i;
	}
	return -1;
}

/* Callers name rows of the table: an unknown name is a bug. */
static int row_of(const char *name)
{
	int row = find(name, strlen(name));

	if (row < 0)
		abort();
	return row;
}

bool form_given(const struct form *form, const char *name)
{
	return form->values[row_of(name)] != NULL;
}

const char *form_value(const struct form *form, const char *name)
{
	int row = row_of(name);

	return form->values[row] ? form->values[row] : form_options[row].row.standard;
}

bool form_on(const struct form *form, const char *name)
{
	const char *value = form_value(form, name);

	return value && strcmp(value, "on") == 0;
}

int64_t form_number(const struct form *form, const char *name, int64_t otherwise)
{
	const char *value = form_value(form, name);
	int64_t number;

	return value && option_read_number(value, strspn(value, "0123456789"), &number) ? number : otherwise;
}

bool form_has_word(const char *value, const char *word)
{
	return value && option_has_word(value, ',', word, strlen(word));
}

/* Print that no option has the name, and the nearest option. */
static void refuse_unknown(const char *name, size_t len)
{
	char bare[SUGGESTION_MAX];
	struct suggestion near = {.word = bare};

	snprintf(bare, sizeof(bare), "%.*s", (int)len, name);
	for (int i = 0; form_options[i].row.names[0]; i++)
		suggest_offer(&near, option_bare(form_options[i].row.names[0]));
	if (near.best[0])
		message_error("unknown option '--%.*s'; did you mean '--%s'?", (int)len, name, near.best);
	else
		message_error("unknown option '--%.*s'", (int)len, name);
}

static int take(struct form *form, int argc, char **argv, int *at)
{
	const char *name = argv[*at] + 2, *value = strchr(name, '=');
	const struct option_row *option;
	size_t len = value ? (size_t)(value - name) : strlen(name);
	int row = find(name, len);

	if (row < 0) {
		refuse_unknown(name, len);
		return EXIT_USAGE;
	}
	option = &form_options[row].row;
	if (value)
		value++;
	else if (*at + 1 < argc)
		value = argv[++*at];
	else {
		message_error("%s needs a value", option->names[0]);
		return EXIT_USAGE;
	}
	if (!option_accepts(option, option->words, value)) {
		option_refuse(option, option->words, value);
		return EXIT_USAGE;
	}
	form->values[row] = value; /* of an option that is given again, the last value counts */
	return 0;
}

static void warn_unsampled(const struct form *form)
{
	static const char *const words[] = {"disk", "network", "osrt"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (form_has_word(form_value(form, "host-sys"), words[i]))
			message_warning("--host-sys=%s: not available: samples are of processors and memory", words[i]);
}

/* Warn about each option that has no effect here; EXIT_USAGE with an error for one that msprof refuses. */
static int check_uses(const struct form *form)
{
	for (int i = 0; form_options[i].row.names[0]; i++) {
		const struct form_option *o = &form_options[i];
		bool asks = form->values[i] && strcmp(form->values[i], "off") != 0;

		if (asks && o->use == FORM_DRIVER)
			message_warning("%s: not available: no NPU driver", o->row.names[0]);
		if (asks && o->use == FORM_NO_DRIVER) {
			message_error("%s cannot be done here: no NPU driver", o->row.names[0]);
			return EXIT_USAGE;
		}
	}
	warn_unsampled(form);
	return 0;
}

/* EXIT_USAGE with an error for domains of marks that cannot be chosen. */
static int check_domains(const struct form *form)
{
	bool include = form_given(form, "mstx-domain-include"), exclude = form_given(form, "mstx-domain-exclude");

	if (include && exclude)
		message_error("--mstx-domain-include and --mstx-domain-exclude exclude each other");
	else if ((include || exclude) && !form_on(form, "msproftx"))
		message_error("--mstx-domain-%s needs --msproftx=on", include ? "include" : "exclude");
	else
		return 0;
	return EXIT_USAGE;
}

/* EXIT_USAGE with an error where commands cannot choose the times to record. */
static int check_dynamic(const struct form *form)
{
	bool dynamic = form_on(form, "dynamic"), times = form_given(form, "delay") || form_given(form, "duration");
	bool program = form->program || form_given(form, "application"), attached = form_given(form, "pid");

	if (attached && program)
		message_error("--pid and a program exclude each other");
	else if (attached && !dynamic)
		message_error("--pid needs --dynamic=on");
	else if (dynamic && times)
		message_error(
		    "--dynamic and --%s exclude each other", form_given(form, "delay") ? "delay" : "duration");
	else if (dynamic && !program && !attached)
		message_error("--dynamic needs a program, or --pid");
	else
		return 0;
	return EXIT_USAGE;
}

/* Parse argv; 0, or EXIT_USAGE with the error printed. Warns about options that are accepted without effect. */
static int form_parse(struct form *form, int argc, char **argv)
{
	int at;

	*form = (struct form){0};
	for (at = 1; at < argc && argv[at][0] == '-'; at++) {
		if (strcmp(argv[at], "--") == 0) {
			at++;
			break;
		}
		if (strcmp(argv[at], "-h") == 0 || strcmp(argv[at], "--help") == 0) {
			form->help = true;
			return 0;
		}
		if (strncmp(argv[at], "--", 2) != 0) {
			message_error("unknown option '%s'", argv[at]);
			return EXIT_USAGE;
		}
		if (take(form, argc, argv, &at))
			return EXIT_USAGE;
	}
	if (at < argc)
		form->program = argv + at;
	return check_uses(form) || check_dynamic(form) ? EXIT_USAGE : check_domains(form);
}

bool form_is(int argc, char **argv)
{
	size_t len;

	if (argc < 2)
		return false;
	if (argv[1][0] != '-')
		return strchr(argv[1], '/') != NULL;
	if (strncmp(argv[1], "--", 2) != 0)
		return false;
	if (!argv[1][2])
		return true;
	len = strcspn(argv[1] + 2, "=");
	return find(argv[1] + 2, len) >= 0 || argv[1][2 + len] == '=';
}

static void print_option(const struct option_row *row)
{
	char name[128], text[1024];

	option_spell(row, name, sizeof(name));
	option_describe(row, row->words, "", text, sizeof(text));
	option_print(name, OPTIONS_INDENT, text);
}

void form_help(void)
{
	static const struct {
		enum form_use use;
		const char *title;
	} groups[] = {{FORM_ACTIVE, "Options"}, {FORM_DRIVER, "Accepted with a warning: they need the vendor's driver"},
	    {FORM_DETAIL, "Accepted: details of the options above"}, {FORM_NEEDLESS, "Accepted: not needed"},
	    {FORM_NO_DRIVER, "Refused: they need the vendor's driver"}};

	fputs("Usage: msprof --OPTION=VALUE... PROGRAM [ARGUMENT]...\n"
	      "       msprof -- PROGRAM [ARGUMENT]...\n"
	      "       msprof --export=on|--parse=on|--query=on|--analyze=on --output=DIR\n"
	      "              [--OPTION=VALUE]...\n\n"
	      "The first two forms run a program, record its calls of AscendCL into a new\n"
	      "directory PROF_..., and export timeline and tables. Without an option, PROGRAM\n"
	      "needs a slash in its name, or '--' before it: other words are commands. Data\n"
	      "that needs an NPU and its driver is not recorded. The last form handles existing\n"
	      "data.\n",
	    stdout);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
		printf("\n%s:\n", groups[g].title);
		for (const struct form_option *o = form_options; o->row.names[0]; o++)
			if (o->use == groups[g].use)
				print_option(&o->row);
	}
}

int form_run(int argc, char **argv, bool in_tree)
{
	struct form form;

	if (form_parse(&form, argc, argv)) {
		fputs("Try 'msprof help options'.\n", stderr);
		return EXIT_USAGE;
	}
	form.in_tree = in_tree;
	if (form.help) {
		form_help();
		return EXIT_OK;
	}
	if (form_given(&form, "pid"))
		return form_attach(&form);
	if (form.program || form_given(&form, "application") || form_given(&form, "host-sys") ||
	    form_given(&form, "host-sys-usage"))
		return form_profile(&form);
	if (form_on(&form, "parse") || form_on(&form, "query") || form_on(&form, "export") || form_on(&form, "analyze"))
		return form_data(&form);
	message_error(
	    "nothing to do: give a program, or --export=on, --parse=on, --query=on or --analyze=on with --output=DIR");
	return EXIT_USAGE;
}
