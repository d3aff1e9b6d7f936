/*
 * option_rows.h: the options of commands, in the order of help: names, values, ranges, defaults and help. Read once for
 * their numbers (command.h) and once for their rows (option.c), and therefore without a guard:
 *
 *	OPTION_ROW(id, {names}, the other members of struct option_row)
 */
OPTION_ROW(DIR, {"-dir", "--collection-dir"}, NAMED(DIRECTORY, "DIR", DATA),
    .help = "the {mcp: directory that jobs lie below}{!mcp: JOB or PROF directory}{!mcp,report: , or a directory that "
	    "contains several}")
OPTION_ROW(CHECK, {"--check"}, PATH(FILE, "FILE", BEFORE), .help = "the acl.json to check")
OPTION_ROW(PROFILE, {"--profile"}, WORD("svp ascend"), .standard = "svp with --check, else ascend",
    .help = "the kind of acl.json: of a board or of Ascend cards")
OPTION_ROW(MAKE, {"--make"}, WORD("profiler dump"), REPEATED(makes),
    .help = "create an acl.json for Ascend cards in --output: for profiling, or to dump the outputs of layers")
OPTION_ROW(
    MODEL, {"--model"}, ANY("NAME"), REPEATED(models), .help = "a model whose layers are dumped; may be repeated")
OPTION_ROW(MAIN, {"-m", "--main"}, PATH(FILE, "MAIN", BEFORE),
    .help = "the program; with arguments in quotes: -m 'out/main --images 10'")
OPTION_ROW(CONFIG, {"--config"}, PATH(FILE, "INI", BEFORE), REPEATED(configs), .words = "ini conf",
    .help = "address and login of a board; may be repeated for several boards")
OPTION_ROW(LOCAL, {"--local"}, FLAG, .help = "this machine is the board")
OPTION_ROW(ALL, {"--all"}, FLAG, .help = "import, export and show each fetched JOB")
OPTION_ROW(OUTPUT, {"--output"}, NAMED(DIRECTORY, "DIR", WRITE_BELOW),
    .standard = "{collect: the current directory}{learn: ./layouts}",
    .help = "the directory for {collect: JOBs}{learn: layouts}{acljson: the acl.json of --make}")
OPTION_ROW(ELSEWHERE, {"-o", "--output"}, NAMED(DIRECTORY, "DIR", WRITE_BELOW), .standard = "the job",
    .help = "write into DIR/JOB and leave the job as it is")
OPTION_ROW(PROJECT, {"--project"}, NAMED(DIRECTORY, "DIR", BEFORE),
    .standard = "the parent of MAIN's directory; the current directory for a MAIN without a directory",
    .help = "the directory to send to the board")
OPTION_ROW(EXCLUDE, {"--exclude"}, ANY("PATTERN"), REPEATED(excludes),
    .help = "names that are not sent, 'dir/' for directories; may be repeated")
OPTION_ROW(CHECKSUM, {"--checksum"}, FLAG, .help = "compare the contents (sha256) of files, not only sizes and times")
OPTION_ROW(ACL_JSON, {"--acl-json"}, NAMED(FILE, "PATH", BEFORE),
    .standard = "{collect: the only acl.json of the project, else }a new file",
    .help = "the acl.json to use, instead of a new file")
OPTION_ROW(INTERVAL, {"--interval"}, NUMBER("N", 0, 9999), .standard = "0",
    .help = "sample the first inference of each model and then one in N; with 0 the first alone")
OPTION_ROW(ACL_API, {"--acl_api"}, WORD("on off"), .standard = "on", .help = "collect ACL calls")
OPTION_ROW(AACPU, {"--aacpu", "--aicpu"}, WORD("on off"), .standard = "on", .help = "collect AA CPU data")
OPTION_ROW(SWITCH, {"--switch"}, WORD("on off"), .standard = "on", .help = "turn all profiling on or off")
OPTION_ROW(AAC_METRICS, {"--aac_metrics", "--aic_metrics"}, WORD("ArithmeticUtilization"), .value = "NAME",
    .standard = "ArithmeticUtilization", .help = "AA Core metrics")
OPTION_ROW(BOARD_STATS, {"--board-stats"}, FLAG,
    .help = "sample load, memory and temperatures of the board, and the texts of /proc/umap, once a second")
OPTION_ROW(
    STREAM, {"--stream"}, FLAG, .help = "fetch finished slices while the program runs, and remove them from the board")
OPTION_ROW(TIMEOUT, {"--timeout"}, NUMBER("S", 1, 10000000), .unit = "s", .help = "stop the program after this time")
OPTION_ROW(CALL_TIME, {"--timeout"}, NUMBER("S", 1, 86400), .unit = "s", .standard = "50",
    .help = "stop a call after this time")
OPTION_ROW(REPEAT, {"--repeat"}, NUMBER("N", 1, 10000), .standard = "1",
    .help = "run the program so often, and fetch the data of each run")
OPTION_ROW(DISCARD, {"--discard"}, NUMBER("K", 0, 10000), .standard = "0",
    .help = "warm up with so many runs before, whose data is thrown away")
OPTION_ROW(MOUNT, {"--mount"}, NAMED(DIRECTORY, "SERVER_PATH", BEFORE),
    .help = "mount this directory of this machine on the board by NFS")
OPTION_ROW(CLEAN, {"--clean"}, FLAG, .help = "remove JOBs from the board once they are complete on this disk")
OPTION_ROW(NAME, {"--name"}, .type = VALUE_TEXT, .value = "LABEL", .least = 1, .most = MP_LABEL_SIZE - 1,
    .help = "give each fetched JOB this label, which query lists")
OPTION_ROW(ACCEPT_NEW, {"--accept-new"}, FLAG, .help = "accept the host key of an unknown board without asking")
OPTION_ROW(DRY_RUN, {"--dry-run"}, FLAG, .help = "list what would be sent, run and fetched, and change nothing")
OPTION_ROW(RESUME, {"--resume"}, NAMED(DIRECTORY, "DIR", BEFORE), .help = "continue with the interrupted JOBs in DIR")
OPTION_ROW(FORMAT, {"--format"}, .type = VALUE_WORD, .value = "FORMAT", .help = "output format")
OPTION_ROW(EMPTY, {"--empty-cells"}, FLAG,
    .help = "CSV for a database: a missing value is an empty cell, not N/A, and no tab follows a number")
OPTION_ROW(BOM, {"--bom"}, FLAG, .help = "begin CSV with a byte order mark: Excel takes it for UTF-8")
OPTION_ROW(LANG, {"--lang"}, WORD("zh en"), .standard = "that of LC_ALL, LC_MESSAGES or LANG",
    .help = "the language of findings, sentences and notes; messages and keys of JSON stay English")
OPTION_ROW(STYLE, {"--style"}, WORD("guide vendor"), .standard = "guide for SS928, vendor for Ascend",
    .help = "columns and units of the guide's tables or of the vendor's tool; of Ascend data only the timeline "
	    "since 2022 differs: the guide's is one merged trace")
OPTION_ROW(
    TABLE, {"--table"}, ANY("NAME"), .help = "only the table of this title; csv needs it to choose one of several")
OPTION_ROW(SQL, {"--sql"}, ANY("SELECT"),
    .help = "print the rows of this SELECT on the database of the job; docs/COLUMNS.md has its tables")
OPTION_ROW(TOP, {"--top"}, NUMBER("N", 0, VALUE_UNLIMITED), .standard = "50 on a terminal, else all",
    .help = "the most rows of a table, with 0 all rows")
OPTION_ROW(SORT, {"--sort"}, ANY("COLUMN"), .words = "time",
    .help = "sort by this column, largest numbers first; 'time' is each table's time")
OPTION_ROW(BY, {"--by"}, WORD("name type layer stream"), .standard = "name",
    .help = "what a row of the overview is: all tasks of a name, of a type, of a layer or of a stream")
OPTION_ROW(COLUMNS, {"--columns"}, ANY("LIST"),
    .help = "only the first column and these, separated by commas; titles as for --sort")
OPTION_ROW(PICTURE, {"--picture"}, NUMBER("N", 0, UINT32_MAX),
    .help = "SS928: the inference to {show: show}{export: export}, by its current picture")
OPTION_ROW(EACH, {"--each"}, FLAG, .help = "also print the tables of each inference or iteration")
OPTION_ROW(ANYWAY, {"--anyway"}, FLAG, .help = "print tables of data that contradicts itself, marked")
OPTION_ROW(FILES, {"--files"}, FLAG, .help = "list each file, and each check that holds")
OPTION_ROW(FREQUENCY, {"--frequency"}, NUMBER("MHZ", 1, 1000000), .unit = "MHz", .standard = "that of info.json",
    .help = "core frequency")
OPTION_ROW(FAMILY, {"--family"}, WORD("svp ascend910 ascend2022 prof"), .standard = "what info.json and names tell",
    .help = "the family of a JOB: of SS928 boards (svp), or of Ascend cards")
OPTION_ROW(MODEL_FILE, {"--model"}, PATH(FILE, "FILE", READ),
    .help = "SS928: a model (.om) whose layers name the tasks where the JOB has no layer.info")
OPTION_ROW(
    LAYOUTS, {"--layouts"}, PATH(DIRECTORY, "DIR", READ), .help = "read corrected record layouts (*.rec) from DIR")
OPTION_ROW(MODEL_ID, {"--model-id"}, NUMBER("N", 0, UINT32_MAX), .standard = "every model",
    .help =
	"the model to {advise: judge}{show: show}{export: export} (4294967295: the program's steps){export summary: ; of SS928 data it always has every model}")
OPTION_ROW(ITERATION_ID, {"--iteration-id"}, NUMBER("N", 1, VALUE_UNLIMITED), .standard = "1",
    .help = "Ascend: the {export: first }iteration to {show: show}{export: export}, by its number in 'msprof query'")
OPTION_ROW(ITERATION_COUNT, {"--iteration-count"}, NUMBER("N", 1, 5), .standard = "1",
    .help = "Ascend: number of iterations to export; all must be there")
OPTION_ROW(FROM_TIME, {"--from"}, .type = VALUE_TIME, .value = "TIME",
    .help = "only what touches the time from here on: 1.5ms, 250us, 2s or 100ns after the first event")
OPTION_ROW(TO_TIME, {"--to"}, .type = VALUE_TIME, .value = "TIME",
    .help = "only what touches the time up to here, counted like --from")
OPTION_ROW(DEVICE, {"--device"}, NUMBER("N", 0, UINT32_MAX), REPEATED(devices),
    .help = "only this device, and the host; may be repeated")
OPTION_ROW(REPORTS, {"--reports"}, PATH(FILE, "FILE", READ),
    .help = "JSON that switches layers of a timeline off: {\"json_process\":{\"freq\":false}}")
OPTION_ROW(RULE, {"-r", "--rule"}, .type = VALUE_WORDS, .value = "LIST", .words = "communication communication_matrix",
    .standard = "communication,communication_matrix", .help = "the files to write")
OPTION_ROW(
    TYPE, {"--type"}, WORD("text db"), .standard = "text", .help = "JSON files and the database, or the database alone")
OPTION_ROW(TYPES, {"--type"}, WORD("text db all"), .standard = "all", .help = "the text files, the databases, or both")
OPTION_ROW(FROM, {"--from"}, NAMED(FILE, "PATH", READ), REPEATED(froms),
    .help = "a table of the board's own tool, or a directory with tables; may be repeated")
OPTION_ROW(FORCE, {"--force"}, FLAG, .help = "replace layouts that are there and differ")
OPTION_ROW(CLEAR, {"--clear"}, FLAG, .help = "remove the database once the files are written; keep the raw data")
OPTION_ROW(COMPAT_DB, {"--compat-db"}, FLAG,
    .help = "also write host/sqlite/*.db and device_N/sqlite/*.db of a PROF directory, for tools that open these")
OPTION_ROW(FINDING, {"--rule"}, ANY("NAME"), .help = "only the findings of this rule")
OPTION_ROW(LIST, {"--list"}, FLAG, .help = "list the rules, with the sources of their thresholds; needs no job")
OPTION_ROW(FAIL_ON, {"--fail-on"}, WORD("high medium low note"),
    .help = "exit 6 on a finding of this severity or a higher one")
OPTION_ROW(SAVE, {"--save"}, NAMED(FILE, "FILE", WRITE_FILE),
    .help = "write a baseline of the jobs in -dir, a text of a few KB, and compare nothing")
OPTION_ROW(FAIL_IF, {"--fail-if"}, ANY("CONDITION"), REPEATED(conditions),
    .help = "exit 6 where this holds beyond noise, 7 where that cannot be decided: 'total > 5%', 'p95 > 3%', "
	    "'op NAME > 10%', 'call NAME > 10%'; may be repeated")
OPTION_ROW(INCONCLUSIVE, {"--inconclusive"}, WORD("pass fail"), .standard = "exit 7",
    .help = "how a condition that cannot be decided counts: as not holding, or as holding")
OPTION_ROW(JUNIT, {"--junit"}, NAMED(FILE, "FILE", WRITE_FILE),
    .help = "write the conditions as test cases of JUnit's XML, for CI systems")
OPTION_ROW(BASE, {"--base"}, NAMED(FILE, "BASE", DATA),
    .help = "also compare with this: a job, a directory of jobs, a database or a baseline, as BASE of diff")
OPTION_ROW(
    PAGE, {"-o", "--output"}, NAMED(FILE, "FILE", WRITE_FILE), .standard = "report.html", .help = "the page to write")
OPTION_ROW(AGGREGATE, {"-o", "--output"}, NAMED(FILE, "PATH", WRITE_FILE), .standard = "aggregate.json",
    .help = "the file to write")
OPTION_ROW(WORKERS, {"-j", "--jobs"}, NUMBER("N", 1, 256), .standard = "the number of processors",
    .help = "how many ranks or jobs are read at a time")
OPTION_ROW(HOSTS, {"--hosts"}, PATH(FILE, "FILE", READ),
    .help = "where hosts stand, a line for each, HOST RACK: stragglers that are all of a rack are told as one group")
OPTION_ROW(TRACE, {"--trace"}, NAMED(FILE, "FILE", WRITE_FILE),
    .help = "also write one trace of all ranks, on one clock: an archive (TAR) that Perfetto opens as one")
OPTION_ROW(RANK, {"--rank"}, NUMBER("N", 0, UINT32_MAX), REPEATED(devices),
    .help = "only this rank in the trace; may be repeated")
OPTION_ROW(URL, {"--to"}, ANY("URL"),
    .help =
	"the database: postgresql://USER@HOST/DATABASE or clickhouse://USER@HOST:8123/DATABASE, without a password; "
	"or the directory of a lake: file:///DIR")
OPTION_ROW(TASKS, {"--tasks"}, FLAG, .help = "also publish every task")
OPTION_ROW(RUN, {"--run"}, .type = VALUE_TEXT, .value = "NAME", .least = 1, .most = 255,
    .standard = "the directory that holds the job", .help = "what the jobs belong to, such as a training")
OPTION_ROW(INIT, {"--init"}, FLAG,
    .help = "make the tables, or bring older ones to this version; and remove what loads left that were cut")
OPTION_ROW(ASK, {"--ask"}, ANY("NAME"),
    .words = "slowest_ranks slowest_hosts operator_between_drivers link_drift regressed_jobs job_metrics",
    .help = "ask a ready question (docs/FLEET.md), and print the answer")
OPTION_ROW(
    SET, {"--set"}, ANY("NAME=VALUE"), REPEATED(parameters), .help = "a parameter of the question; may be repeated")
OPTION_ROW(LABEL, {"--label"}, ANY("NAME=VALUE"), REPEATED(labels),
    .help = "say this of the jobs, such as their model or commit; with --ask only jobs of which it was said; "
	    "may be repeated")
OPTION_ROW(FORGET, {"--forget"}, .type = VALUE_TEXT, .value = "RUN", .least = 1, .most = 255,
    .help = "remove the jobs of a run from the database")
OPTION_ROW(KEEP, {"--keep"}, NUMBER("DAYS", 1, 36500), .unit = "days",
    .help = "remove jobs that were published before; ClickHouse of 19.6 or later goes on doing so")
OPTION_ROW(WATCH, {"--watch"}, FLAG,
    .help = "go on: publish each job in -dir that is new or has changed, once nothing of it changes any more")
OPTION_ROW(STRICT, {"--strict"}, FLAG,
    .help =
	"fail (exit 1) where the status would be 3{import: , and on an open umask}{collect: , on an open umask, and on "
	"an ini that others can read}")
OPTION_ROW(NO_WAIT, {"--no-wait"}, FLAG,
    .help = "fail where another msprof works on the job (default: wait as long as it makes progress)")
OPTION_ROW(QUIET, {"-q", "--quiet"}, FLAG, .help = "print only warnings and errors")
OPTION_ROW(HELP, {"-h", "--help"}, FLAG, .help = "print this help")
#undef OPTION_ROW
