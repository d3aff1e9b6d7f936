/* cmd_acljson.c: msprof acljson. Checks an acl.json, or creates one for an Ascend card. */
#include <stdio.h>
#include <string.h>

#include "acljson.h"

static enum mp_acl_profile profile_of(const struct options *o, enum mp_acl_profile otherwise)
{
	const char *name = o->values[OPTION_PROFILE];

	if (!name)
		return otherwise;
	return strcmp(name, "ascend") == 0 ? MP_ACL_ASCEND : MP_ACL_SVP;
}

static bool is_given(const struct options *o, enum option_id id)
{
	return o->values[id] && *o->values[id];
}

/* The purposes of --make: a bit for each. */
static int purposes_of(const struct options *o)
{
	int purposes = 0;

	for (size_t i = 0; i < o->makes.count; i++)
		purposes |= 1 << (strcmp(o->makes.items[i], "dump") == 0 ? MP_ACL_DUMP : MP_ACL_PROFILER);
	return purposes;
}

/* The mistake in the combination of options, or NULL. */
static const char *mistake(const struct options *o, int purposes)
{
	bool check = is_given(o, OPTION_CHECK), given = is_given(o, OPTION_ACL_JSON);

	if (!check && !given && !purposes)
		return "give --check FILE, --acl-json PATH, or --make profiler|dump";
	if (check && (given || purposes))
		return "--check cannot be combined with --make or --acl-json";
	if (purposes == (1 << MP_ACL_DUMP | 1 << MP_ACL_PROFILER))
		return "an acl.json is for profiling or for a dump, not for both: give one --make";
	if (given)
		return NULL;
	if (purposes && !is_given(o, OPTION_OUTPUT))
		return "--output is missing: the directory for acl.json and the collected data";
	if (purposes && profile_of(o, MP_ACL_ASCEND) == MP_ACL_SVP)
		return "--make is for Ascend cards: 'msprof collect' makes the acl.json of a board";
	if (purposes == 1 << MP_ACL_DUMP && !o->models.count)
		return "--model is missing: the model whose layers are dumped";
	if (purposes != 1 << MP_ACL_DUMP && o->models.count)
		return "--model is for --make dump only";
	return NULL;
}

static int make(const struct options *o, enum mp_acl_purpose purpose)
{
	const char *dir = o->values[OPTION_OUTPUT];
	struct mp_acl_request request = {.purpose = purpose,
	    .dir = dir,
	    .results = purpose == MP_ACL_DUMP ? "dump" : "profiler",
	    .models = o->models.items};
	struct mp_acl_json *file;
	struct mp_error err;
	int status;

	if (mp_acl_json_make(&file, &request, &err)) {
		message_failure(&err);
		return EXIT_FAILED;
	}
	message_info(o, "wrote '%s/acl.json'", dir);
	status = acljson_print(file, o);
	mp_acl_json_free(file);
	return status;
}

static int run_acljson(const struct command *command, const struct options *options)
{
	int purposes = purposes_of(options);
	const char *text = mistake(options, purposes);

	if (text) {
		message_error("%s", text);
		return options_usage(command);
	}
	if (is_given(options, OPTION_CHECK))
		return acljson_check(options->values[OPTION_CHECK], profile_of(options, MP_ACL_SVP), options);
	if (!is_given(options, OPTION_ACL_JSON))
		return make(options, purposes == 1 << MP_ACL_DUMP ? MP_ACL_DUMP : MP_ACL_PROFILER);
	if (purposes)
		message_info(options, "--acl-json is given, so --make has no effect");
	return acljson_check(options->values[OPTION_ACL_JSON], profile_of(options, MP_ACL_ASCEND), options);
}

const struct command command_acljson = {
    .name = "acljson",
    .summary = "check or create an application's acl.json",
    .usages = {"--check FILE [OPTION]...", "--acl-json PATH [OPTION]...",
	"--make profiler|dump --output DIR [OPTION]..."},
    .text = "Checks every key of the file that a program passes to svp_acl_init, or aclInit\n"
	    "with --profile ascend, and prints the settings that result. For a board it says\n"
	    "what the board's libraries make of the file. What they ignore or take for 'off'\n"
	    "is a warning, exit 3: so are aacpu and aac_metrics, the guide's names, without\n"
	    "aicpu and aic_metrics. What makes them fail is an error: a value without quotes,\n"
	    "a missing output. For an Ascend card each bad value is an error.\n"
	    "--make creates such a file for an Ascend card in --output, for profiling or to\n"
	    "dump the outputs of a model's layers. --acl-json checks a file for Ascend cards;\n"
	    "--make then has no effect.\n",
    .formats = "table json",
    .operand = "--check before the file",
    .needs = NEEDS_NOTHING,
    .options = {TAKES(CHECK), TAKES(MAKE), TAKES(OUTPUT), TAKES(MODEL), TAKES(ACL_JSON), TAKES(PROFILE), TAKES(FORMAT),
	TAKES(STRICT), TAKES(QUIET), TAKES(HELP)},
    .run = run_acljson,
};
