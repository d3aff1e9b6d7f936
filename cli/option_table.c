/* option_table.c: the options of commands: their names, values, ranges, defaults and help. */
#include <limits.h>
#include <stddef.h>

#include "command.h"
#include "raw/job.h"

#define FLAG .type = VALUE_NONE
#define ANY(name) .type = VALUE_TEXT, .value = (name)
#define PLAIN(kind, name) .type = VALUE_##kind, .value = (name), .least = 1, .most = VALUE_UNLIMITED
#define NUMBER(name, low, high) .type = VALUE_NUMBER, .value = (name), .least = (low), .most = (high)
#define WORD(list) .type = VALUE_WORD, .words = list
#define REPEATED(member) .list = offsetof(struct options, member)

static const struct option_row rows[OPTION_COUNT] = {
    [OPTION_DIR] = {{"-dir", "--collection-dir"}, PLAIN(DIRECTORY, "DIR"),
	.help = "the JOB or PROF directory, or a directory that contains several"},
    [OPTION_CHECK] = {{"--check"}, .type = VALUE_FILE, .value = "FILE", .help = "the acl.json to check"},
    [OPTION_PROFILE] = {{"--profile"}, WORD("svp ascend"), .standard = "svp with --check, else ascend",
	.help = "the kind of acl.json: of a board or of Ascend cards"},
    [OPTION_MAKE] = {{"--make"}, WORD("profiler dump"), REPEATED(makes),
	.help = "create an acl.json for Ascend cards in --output: for profiling, or to dump the outputs of layers"},
    [OPTION_MODEL] = {{"--model"}, ANY("NAME"), REPEATED(models),
	.help = "a model whose layers are dumped; may be repeated"},
    [OPTION_MAIN] = {{"-m", "--main"}, .type = VALUE_FILE, .value = "MAIN",
	.help = "the program; with arguments in quotes: -m 'out/main --images 10'"},
    [OPTION_CONFIG] = {{"--config"}, .type = VALUE_FILE, .value = "INI", REPEATED(configs),
	.help = "address and login of a board; may be repeated for several boards"},
    [OPTION_LOCAL] = {{"--local"}, FLAG, .help = "this machine is the board"},
    [OPTION_ALL] = {{"--all"}, FLAG, .help = "import, export and show each fetched JOB"},
    [OPTION_OUTPUT] = {{"--output"}, PLAIN(DIRECTORY, "DIR"),
	.standard = "the current directory; for learn ./layouts; with --make none",
	.help = "the directory for JOBs; for learn that for layouts; with --make that for acl.json"},
    [OPTION_PROJECT] = {{"--project"}, PLAIN(DIRECTORY, "DIR"),
	.standard = "the parent of MAIN's directory; the current directory for a MAIN without a directory",
	.help = "the directory to send to the board"},
    [OPTION_EXCLUDE] = {{"--exclude"}, ANY("PATTERN"), REPEATED(excludes),
	.help = "names that are not sent, 'dir/' for directories; may be repeated"},
    [OPTION_CHECKSUM] = {{"--checksum"}, FLAG,
	.help = "compare the contents (sha256) of files, not only sizes and times"},
    [OPTION_ACL_JSON] = {{"--acl-json"}, PLAIN(FILE, "PATH"),
	.standard = "for collect the only acl.json of the project, else a new file",
	.help = "the acl.json to use, instead of a new file"},
    [OPTION_INTERVAL] = {{"--interval"}, NUMBER("N", 0, INT32_MAX), .standard = "0",
	.help = "sample every Nth inference, with 0 every inference"},
    [OPTION_ACL_API] = {{"--acl_api"}, WORD("on off"), .standard = "on", .help = "collect ACL calls"},
    [OPTION_AACPU] = {{"--aacpu", "--aicpu"}, WORD("on off"), .standard = "on", .help = "collect AA CPU data"},
    [OPTION_SWITCH] = {{"--switch"}, WORD("on off"), .standard = "on", .help = "turn all profiling on or off"},
    [OPTION_AAC_METRICS] = {{"--aac_metrics", "--aic_metrics"}, WORD("ArithmeticUtilization"), .value = "NAME",
	.standard = "ArithmeticUtilization", .help = "AA Core metrics"},
    [OPTION_STREAM] = {{"--stream"}, FLAG,
	.help = "fetch finished slices while the program runs, and remove them from the board"},
    [OPTION_TIMEOUT] = {{"--timeout"}, NUMBER("S", 1, 10000000), .unit = "s",
	.help = "stop the program after this time"},
    [OPTION_REPEAT] = {{"--repeat"}, NUMBER("N", 1, 10000), .standard = "1",
	.help = "run the program so often, and fetch the data of each run"},
    [OPTION_DISCARD] = {{"--discard"}, NUMBER("K", 0, 10000), .standard = "0",
	.help = "warm up with so many runs before, whose data is thrown away"},
    [OPTION_MOUNT] = {{"--mount"}, PLAIN(DIRECTORY, "SERVER_PATH"),
	.help = "mount this directory of this machine on the board by NFS"},
    [OPTION_CLEAN] = {{"--clean"}, FLAG, .help = "remove JOBs from the board once they are complete on this disk"},
    [OPTION_NAME] = {{"--name"}, .type = VALUE_TEXT, .value = "LABEL", .least = 1, .most = MP_LABEL_SIZE - 1,
	.help = "give each fetched JOB this label, which query lists"},
    [OPTION_ACCEPT_NEW] = {{"--accept-new"}, FLAG, .help = "accept the host key of an unknown board without asking"},
    [OPTION_DRY_RUN] = {{"--dry-run"}, FLAG, .help = "list what would be sent, run and fetched, and change nothing"},
    [OPTION_RESUME] = {{"--resume"}, PLAIN(DIRECTORY, "DIR"), .help = "continue with the interrupted JOBs in DIR"},
    [OPTION_FORMAT] = {{"--format"}, .type = VALUE_WORD, .value = "FORMAT", .help = "output format"},
    [OPTION_STYLE] = {{"--style"}, WORD("guide vendor"), .standard = "guide for SS928, vendor for Ascend",
	.help = "columns and units of the guide's tables or of the vendor's tool; exports of Ascend data are the same "
		"in both"},
    [OPTION_TABLE] = {{"--table"}, ANY("NAME"),
	.help = "only the table of this title; csv needs it to choose one of several"},
    [OPTION_TOP] = {{"--top"}, NUMBER("N", 0, VALUE_UNLIMITED), .standard = "50 on a terminal, else all",
	.help = "the most rows of a table, with 0 all rows"},
    [OPTION_SORT] = {{"--sort"}, ANY("COLUMN"), .words = "time",
	.help = "sort by this column, largest numbers first; 'time' is each table's time"},
    [OPTION_BY] = {{"--by"}, WORD("name type layer stream"), .standard = "name",
	.help = "what a row of the overview is: all tasks of a name, of a type, of a layer or of a stream"},
    [OPTION_COLUMNS] = {{"--columns"}, ANY("LIST"),
	.help = "only the first column and these, separated by commas; titles as for --sort"},
    [OPTION_PICTURE] = {{"--picture"}, NUMBER("N", 0, UINT32_MAX),
	.help = "SS928: the inference to show, by its current picture"},
    [OPTION_EACH] = {{"--each"}, FLAG, .help = "also print the tables of each inference or iteration"},
    [OPTION_FREQUENCY] = {{"--frequency"}, NUMBER("MHZ", 1, 1000000), .unit = "MHz", .standard = "that of info.json",
	.help = "core frequency"},
    [OPTION_LAYOUTS] = {{"--layouts"}, .type = VALUE_DIRECTORY, .value = "DIR",
	.help = "read corrected record layouts (*.rec) from DIR"},
    [OPTION_MODEL_ID] = {{"--model-id"}, NUMBER("N", 0, UINT32_MAX), .standard = "every model",
	.help = "the model to show; Ascend: to show or export"},
    [OPTION_ITERATION_ID] = {{"--iteration-id"}, NUMBER("N", 1, VALUE_UNLIMITED), .standard = "1",
	.help = "Ascend: the iteration to show, or the first one to export"},
    [OPTION_ITERATION_COUNT] = {{"--iteration-count"}, NUMBER("N", 1, 5), .standard = "1",
	.help = "Ascend: number of iterations to export"},
    [OPTION_REPORTS] = {{"--reports"}, .type = VALUE_FILE, .value = "FILE",
	.help = "JSON that switches layers of a timeline off: {\"json_process\":{\"freq\":false}}"},
    [OPTION_RULE] = {{"-r", "--rule"}, .type = VALUE_WORDS, .value = "LIST",
	.words = "communication communication_matrix", .standard = "communication,communication_matrix",
	.help = "the files to write"},
    [OPTION_FROM] = {{"--from"}, PLAIN(FILE, "PATH"), REPEATED(froms),
	.help = "a table of the board's own tool, or a directory with tables; may be repeated"},
    [OPTION_FORCE] = {{"--force"}, FLAG, .help = "replace layouts that are there and differ"},
    [OPTION_CLEAR] = {{"--clear"}, FLAG, .help = "remove the database once the files are written; keep the raw data"},
    [OPTION_FINDING] = {{"--rule"}, ANY("NAME"), .help = "only the findings of this rule"},
    [OPTION_LIST] = {{"--list"}, FLAG, .help = "list the rules, with the sources of their thresholds; needs no job"},
    [OPTION_FAIL_ON] = {{"--fail-on"}, WORD("high medium low note"),
	.help = "exit 6 on a finding of this severity or a higher one"},
    [OPTION_SAVE] = {{"--save"}, PLAIN(FILE, "FILE"),
	.help = "write a baseline of the jobs in -dir, a text of a few KB, and compare nothing"},
    [OPTION_FAIL_IF] = {{"--fail-if"}, ANY("CONDITION"), REPEATED(conditions),
	.help = "exit 6 where this holds beyond noise, 7 where that cannot be decided: 'total > 5%', 'p95 > 3%', "
		"'op NAME > 10%', 'call NAME > 10%'; may be repeated"},
    [OPTION_INCONCLUSIVE] = {{"--inconclusive"}, WORD("pass fail"), .standard = "exit 7",
	.help = "what a condition is that cannot be decided: none, or one that holds"},
    [OPTION_JUNIT] = {{"--junit"}, PLAIN(FILE, "FILE"),
	.help = "write the conditions as test cases of JUnit's XML, for CI systems"},
    [OPTION_STRICT] = {{"--strict"}, FLAG,
	.help =
	    "fail (exit 1) on damaged or missing input; import and collect also on an open umask, collect on an ini "
	    "that others can read"},
    [OPTION_NO_WAIT] = {{"--no-wait"}, FLAG,
	.help = "fail where another msprof works on the job (default: wait as long as it makes progress)"},
    [OPTION_QUIET] = {{"-q", "--quiet"}, FLAG, .help = "print only warnings and errors"},
    [OPTION_HELP] = {{"-h", "--help"}, FLAG, .help = "print this help"},
};

const struct option_row *option_row(int id)
{
	return &rows[id];
}
