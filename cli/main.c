/* main.c: finds the command, prints help, hands over. Knows no job and no database. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "complete.h"
#include "form.h"
#include "help.h"
#include "suggest.h"

#define BIT(id) (UINT64_C(1) << OPTION_##id)

#define REPORT (BIT(FREQUENCY) | BIT(LAYOUTS) | BIT(STRICT) | BIT(QUIET) | BIT(HELP))
#define COMMON (BIT(DIR) | BIT(NO_WAIT) | REPORT)
#define CHOICE (BIT(MODEL_ID) | BIT(ITERATION_ID) | BIT(ITERATION_COUNT) | BIT(REPORTS) | BIT(CLEAR))
#define COLLECT                                                                                                        \
	(BIT(MAIN) | BIT(CONFIG) | BIT(LOCAL) | BIT(ALL) | BIT(OUTPUT) | BIT(PROJECT) | BIT(EXCLUDE) | BIT(CHECKSUM) | \
	    BIT(ACL_JSON) | BIT(INTERVAL) | BIT(ACL_API) | BIT(AACPU) | BIT(SWITCH) | BIT(AAC_METRICS) | BIT(STREAM) | \
	    BIT(TIMEOUT) | BIT(MOUNT) | BIT(CLEAN) | BIT(NAME) | BIT(ACCEPT_NEW) | BIT(DRY_RUN) | BIT(RESUME))

const struct command commands[] = {
    {"import", "parse raw data into JOB/sqlite/msprof.db",
	"Decodes every file of JOB/data and builds a new database; the earlier database\n"
	"survives any failure. Damaged bytes are counted and located, never dropped\n"
	"silently: see 'msprof check'.\n",
	"", COMMON, command_import},
    {"export timeline", "write chrome traces to JOB/timeline",
	"Writes task_time_*.json and acl_*.json, for Ascend cards more; open them\n"
	"in chrome://tracing or Perfetto. Data that is not parsed yet is imported first.\n"
	"For a PROF directory it writes PROF/mindstudio_profiler_output/msprof_*.json.\n",
	"", COMMON | BIT(STYLE) | CHOICE, command_export},
    {"export summary", "write CSV or JSON tables to JOB/summary",
	"Writes op_summary, op_statistic and acl_statistic files, for Ascend cards more.\n"
	"Data that is not parsed yet is imported first.\n"
	"Files of a PROF directory are put into PROF/mindstudio_profiler_output.\n",
	"csv json", COMMON | BIT(FORMAT) | BIT(STYLE) | CHOICE, command_export},
    {"export db", "write a database for other tools to PROF_...",
	"Writes PROF_.../msprof_TIME.db with the tables that tools for this generation of\n"
	"Ascend data read. Data that is not parsed yet is imported first.\n",
	"", COMMON | BIT(CLEAR), command_export_db},
    {"show", "print the tables in the terminal",
	"Prints AA Core metrics, Op statistic, Acl statistic and Frequency.\n"
	"Data that is not parsed yet is imported first; the job then has the directories\n"
	"sqlite, log and timeline (a PROF directory: sqlite and log).\n"
	"Ascend cards have the tables of their generation.\n"
	"Several jobs give tables for each, one table as CSV, or one JSON document.\n\n"
	"Where to look first: --sort time --top 5.\n"
	"  SS928: a Mac Ppen ratio above 70 % in matrix layers, or a Vec Ppen ratio above\n"
	"  50 % in others, is fine; else DLD > 70 %, WLD > 80 % or Dstr > 70 % names the\n"
	"  bottleneck.\n"
	"  Ascend: the largest ratio of an operator names the unit that bounds it: mac\n"
	"  and vec compute, mte2 loads from memory, mte1 moves within the core, mte3 and\n"
	"  fixpipe write results, scalar controls. op_summary has those of PROF\n"
	"  directories; the README says what else to look at.\n",
	"table csv json", COMMON | BIT(FORMAT) | BIT(TABLE) | BIT(STYLE) | BIT(TOP) | BIT(SORT), command_show},
    {"query", "list devices, models and iterations",
	"Lists what export can choose from: devices, models and iterations (steps). \"Top\n"
	"Time Iteration\" names up to five iterations of the model, the longest first.\n"
	"Jobs of boards have the label of 'collect --name', the date of their newest raw\n"
	"file, and the time of all inferences of a model.\n"
	"Data that is not parsed yet is imported first. Several jobs give one list each,\n"
	"or one JSON document.\n",
	"table csv json", COMMON | BIT(FORMAT) | BIT(TABLE), command_query},
    {"check", "tell what a job holds and what was lost",
	"Lists every file of the job, its layout, what the layout was compared with,\n"
	"records, damaged bytes with offset and reason, sequence gaps, starts without\n"
	"an end, missing markers, and everything that was assumed. Writes nothing.\n"
	"\"Verified\" says whether the layout was compared with real data, with reference\n"
	"files only, or with nothing: man msprof, CAVEATS. Several jobs give one report\n"
	"each, or one JSON document.\n",
	"table csv json", BIT(DIR) | REPORT | BIT(FORMAT) | BIT(TABLE) | BIT(TOP), command_check},
    {"acljson", "judge or make the acl.json of an application",
	"Checks every key of the file that a program passes to svp_acl_init, or aclInit\n"
	"with --profile ascend, and prints the settings that result. A board takes a bad\n"
	"value for 'off': a warning, exit 3. For an Ascend card it is an error.\n"
	"--make writes such a file for an Ascend card into --output, for profiling or for\n"
	"the outputs of a model's layers. With --acl-json the named file is judged.\n",
	"table json",
	BIT(CHECK) | BIT(MAKE) | BIT(OUTPUT) | BIT(MODEL) | BIT(ACL_JSON) | BIT(PROFILE) | BIT(FORMAT) | BIT(STRICT) |
	    BIT(QUIET) | BIT(HELP),
	command_acljson},
    {"collect", "run a program on a board, fetch its data and parse it", command_collect_text, "",
	COLLECT | REPORT | BIT(STYLE) | BIT(TOP) | BIT(SORT), command_collect},
    {0},
};

static void print_overview(FILE *out)
{
	fputs("Usage: msprof COMMAND [-dir] JOB [OPTION]...\n"
	      "Parse and show profiling data of SS928-family boards and Ascend cards.\n\nCommands:\n",
	    out);
	for (const struct command *c = commands; c->name; c++)
		fprintf(out, "  %-16s %s\n", c->name, c->summary);
	fputs("  help [COMMAND]   explain a command\n"
	      "  help options     explain 'msprof --OPTION=VALUE... PROGRAM [ARGUMENT]...',\n"
	      "                   which runs a program and records it, as on Ascend servers\n\n"
	      "Options: -h, --help; -V, --version\n"
	      "Exit status: 0 ok, 1 failed, 2 usage, 3 finished but input was damaged or\n"
	      "missing, 4 no connection to the board, 5 the program on the board failed.\n\n"
	      "A first look:\n"
	      "  msprof show JOBXXXX --sort time --top 10\n"
	      "From the program to its tables:\n"
	      "  msprof collect -m out/main --config ~/board.ini --all\n"
	      "The manual: man msprof\n",
	    out);
}

/* What a command cannot do without. */
static const char *operands(const struct command *c)
{
	if (c->options & BIT(CHECK))
		return "--check FILE [OPTION]...\n       msprof acljson --make profiler|dump --output DIR";
	return c->options & BIT(MAIN) ? "-m MAIN --config INI" : "[-dir] JOB";
}

static void print_help(const struct command *c)
{
	/* collect has more than one form: its text begins with the others */
	printf("Usage: msprof %s %s [OPTION]...\n%s%s\nOptions:\n", c->name, operands(c),
	    c->options & BIT(MAIN) ? "" : "\n", c->text);
	options_print(c);
}

const struct command *command_find(int argc, char **argv, int first, int *next)
{
	for (const struct command *c = commands; c->name; c++) {
		size_t len = strcspn(c->name, " ");

		if (first >= argc || strlen(argv[first]) != len || strncmp(argv[first], c->name, len) != 0)
			continue;
		*next = first + 1;
		if (!c->name[len])
			return c;
		if (first + 1 < argc && strcmp(argv[first + 1], c->name + len + 1) == 0) {
			*next = first + 2;
			return c;
		}
	}
	return NULL;
}

static bool is_help(const char *word)
{
	return strcmp(word, "-h") == 0 || strcmp(word, "-help") == 0 || strcmp(word, "--help") == 0;
}

static bool is_version(const char *word)
{
	return strcmp(word, "-V") == 0 || strcmp(word, "-version") == 0 || strcmp(word, "--version") == 0 ||
	       strcmp(word, "version") == 0;
}

/* "msprof export", without its second word. */
static int half_command(int argc, char **argv, int first)
{
	if (first + 1 >= argc || (argv[first + 1][0] == '-' && !is_help(argv[first + 1]))) {
		message_error("'msprof export' needs 'timeline', 'summary' or 'db' as its next word");
		return EXIT_USAGE;
	}
	if (!is_help(argv[first + 1])) {
		message_error("'msprof export' takes 'timeline', 'summary' or 'db', not '%s'", argv[first + 1]);
		return EXIT_USAGE;
	}
	for (const struct command *c = commands; c->name; c++)
		if (strncmp(c->name, "export ", 7) == 0) {
			print_help(c);
			putchar('\n');
		}
	return EXIT_OK;
}

static int no_command(const char *word)
{
	struct suggestion s = {.word = word};
	struct stat st;

	for (const struct command *c = commands; c->name; c++) {
		char name[SUGGESTION_MAX];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(c->name, " "), c->name);
		suggest_offer(&s, name);
	}
	suggest_offer(&s, "help");
	suggest_offer(&s, "version");
	if (*word == '-')
		message_error("unknown option '%s'; options of a command follow it: 'msprof show JOB --top 5'", word);
	else if (stat(word, &st) == 0 && S_ISDIR(st.st_mode))
		message_error("no command '%s'; did you mean 'msprof show -dir %s'?", word, word);
	else if (s.best[0])
		message_error("no command '%s'; did you mean '%s'? 'msprof help' lists all commands", word, s.best);
	else
		message_error(
		    "no command '%s'; 'msprof help' lists all commands; 'msprof -- PROGRAM' records a program", word);
	return EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	const struct command *c;
	int next;

	if (argc < 3 || is_help(argv[2]) || strcmp(argv[2], "help") == 0) {
		print_overview(stdout);
		return EXIT_OK;
	}
	if (strcmp(argv[2], "options") == 0) {
		form_help();
		return EXIT_OK;
	}
	c = command_find(argc, argv, 2, &next);
	if (c) {
		print_help(c);
		return EXIT_OK;
	}
	if (strcmp(argv[2], "export") == 0)
		return half_command(3, (char *[]){argv[0], argv[2], "-h"}, 1);
	return no_command(argv[2]);
}

static int run(int argc, char **argv)
{
	const struct command *c;
	struct options o;
	int next;

	if (argc < 2) {
		print_overview(stderr);
		return EXIT_USAGE;
	}
	if (is_help(argv[1]) || strcmp(argv[1], "help") == 0)
		return help(argc, argv);
	if (is_version(argv[1])) {
		puts("msprof " MSPROF_VERSION);
		return EXIT_OK;
	}
	if (strcmp(argv[1], "__complete") == 0) {
		complete(argc, argv);
		return EXIT_OK;
	}
	c = command_find(argc, argv, 1, &next);
	if (!c && strcmp(argv[1], "export") == 0)
		return half_command(argc, argv, 1);
	if (!c && form_is(argc, argv))
		return form_run(argc, argv);
	if (!c)
		return no_command(argv[1]);
	if (options_parse(&o, c, argc, argv, next))
		return EXIT_USAGE;
	if (options_has(&o, OPTION_HELP)) {
		print_help(c);
		return EXIT_OK;
	}
	return c->run(c, &o);
}

int main(int argc, char **argv)
{
	int status;

	/* a file size limit is then an error of write, which is reported, not a death that leaves half a file */
	signal(SIGXFSZ, SIG_IGN);
	/* widths of characters do not depend on the user's locale; numbers are formatted without any */
	setlocale(LC_CTYPE, "C.UTF-8");
	status = run(argc, argv);
	if (fflush(stdout) || ferror(stdout)) {
		message_error("cannot write standard output");
		return EXIT_FAILED;
	}
	return status;
}
