/* test_states.c: every call in every mode, and the sequences of the documents. Built for each family. */
#include <glob.h>
#include <sys/resource.h>

#include "child.h"
#include "sequence.h"

/* What a session with calls has once it is complete. */
#ifdef FAMILY_SVP
#define ENDS "out/msprof.JOB*/data/*.done"
#define MANY "start(0,1,2,3,4,5,6,7,8,9)"
#define SOME "0"
#define OTHER "1)=100042" /* the parent holds the directory */
#define RESULTS 1
#else
#define ENDS "out/PROF*/host/end_info"
#define MANY "start(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19)"
#define SOME "/0x80"
#define OTHER "/0x81)"
#define RESULTS 2
#endif

static int run_row(void *arg)
{
	int code;
	const char *wrong = run_words(arg, &code);

	if (wrong)
		fprintf(stderr, "%s: got %d\n", wrong, code);
	return wrong != NULL;
}

static void check_row(const char *words)
{
	int status = in_child(run_row, (void *)words, NULL);

	if (status)
		fail_msg("%s: status %d", words, status);
}

/* The calls with codes that depend on the mode: before aclInit, off, acl.json, API, API with a session, subscribed. */
static const struct {
	const char *word;
	int codes[6];
} calls[] = {
    {"init", {100001, 0, 100042, 100002, 100002, 148047}},
    {"start(0)", {100043, 100043, 100042, 0, 100042, 148047}},
    {"start(5)", {100043, 100043, 100042, 0, 0, 148047}},
    {"stop(0)", {100043, 100043, 100042, 100043, 0, 148047}},
    {"finalize", {100043, 100043, 100042, 0, 0, 148047}},
    {"subscribe(7)", {100043, 0, 100042, 148047, 148047, 0}},
    {"subscribe(1)", {100043, 0, 100042, 148047, 148047, 148046}},
    {"unsubscribe(1)", {100043, 100011, 100042, 148047, 148047, 0}},
    {"unsubscribe(7)", {100043, 100011, 100042, 148047, 148047, 100011}},
    {"size", {0, 0, 0, 148047, 148047, 0}},
    {"acl_init", {0, 100002, 100002, 100002, 100002, 100002}},
    {"acl_finalize", {100001, 0, 0, 0, 0, 0}},
#ifndef FAMILY_SVP
    {"set(1,200MB)", {100043, 100043, 100042, 0, 148047, 148047}},
    {"stamp", {1, 1, 0, 1, 0, 1}},
    {"pop", {100043, 100043, 100000, 100043, 100000, 100043}},
    {"end", {100043, 100043, 100000, 100043, 100000, 100043}},
#endif
};

static int run_cell(void *arg)
{
	static const char *const ways[] = {
	    "", "acl_init", "acl_init(acl.json)", "acl_init init", "acl_init init start(0)", "acl_init subscribe(1)"};
	size_t call = *(size_t *)arg / 6, mode = *(size_t *)arg % 6;
	int code;

	write_text(".", "acl.json", "{\"profiler\":{\"switch\":\"on\",\"output\":\"out\"}}");
	CHECK(mkdir("out", 0750) == 0);
	if (run_words(ways[mode], &code))
		return 2;
	code = run_word(calls[call].word);
	if (code != calls[call].codes[mode])
		fprintf(stderr, "%s after '%s': %d instead of %d\n", calls[call].word, ways[mode], code,
		    calls[call].codes[mode]);
	return code != calls[call].codes[mode];
}

static void test_every_call_in_every_mode(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(calls) * 6; i++)
		assert_int_equal(in_child(run_cell, &i, NULL), 0);
}

static void test_recommended_order(void **state)
{
	(void)state;
	check_row("acl_init init start(0,1) load(1:a) call(mdl_execute:1) stop(0,1) start(1,2) load(2:b) "
		  "call(mdl_execute:2) stop(1,2) finalize call(other) unload(1) unload(2) acl_finalize");
}

static void test_wrong_order(void **state)
{
	(void)state;
	check_row("acl_init init start(0,1) start(1,2)=100042 load(1:a) call(mdl_execute:1) stop(0,1) stop(1,2)=100043 "
		  "finalize unload(1) acl_finalize");
}

static void test_sessions_beside_each_other(void **state)
{
	(void)state;
	check_row("acl_init init start(0) start(1) stop(1) stop(0) finalize acl_finalize");
	check_row("acl_init init start(0,1) start(1)=100042 start(2) stop(2) stop(1,0) finalize acl_finalize");
}

static void test_stop_wants_the_same_configuration(void **state)
{
	(void)state;
	check_row("acl_init init start(0,1/0x3) stop(0,1/0x1)=100010 stop(0/0x3)=100010 stop(0,1,2/0x3)=100010 "
		  "stop(0,1/0x3/0)=100010 stop(0,1/0x3) stop(0,1/0x3)=100043 finalize acl_finalize");
}

static int run_many_sessions(void *arg)
{
	enum { SESSIONS = 60 };
	const struct rlimit few = {40, 40};
	glob_t done;
	int code;

	(void)arg;
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	CHECK(run_words("acl_init init", &code) == NULL);
	for (int i = 0; i < SESSIONS; i++)
		CHECK(run_words("start(0) call(a) stop(0)", &code) == NULL);
	CHECK(run_words("finalize acl_finalize", &code) == NULL);
	CHECK(glob(ENDS, 0, NULL, &done) == 0 && done.gl_pathc == SESSIONS);
	globfree(&done);
	return 0;
}

static void test_sessions_that_were_stopped_hold_no_descriptors(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_many_sessions, NULL, NULL), 0);
}

/* A session without an event in the child leaves nothing; one that the child starts is its own. */
static int run_start_in_child(void *arg)
{
	glob_t results;
	int code, status;
	pid_t child;

	(void)arg;
	CHECK(run_words("acl_init init start(" SOME ")", &code) == NULL);
	child = fork();
	if (child == 0)
		_exit(run_words("start(" OTHER, &code) != NULL);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(glob("out/[JP]*", 0, NULL, &results) == 0 && results.gl_pathc == RESULTS);
	globfree(&results);
	child = fork();
	if (child == 0) /* its first event begins the parent's session anew, which is stopped like another */
		_exit(run_words("call(a) stop(" SOME ") finalize acl_finalize", &code) != NULL);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(glob("out/[JP]*", 0, NULL, &results) == 0 && results.gl_pathc == RESULTS + 1);
	globfree(&results);
	CHECK(glob(ENDS, 0, NULL, &results) == 0 && results.gl_pathc == 1);
	globfree(&results);
	CHECK(run_words("stop(" SOME ") finalize acl_finalize", &code) == NULL);
	return 0;
}

static void test_a_start_in_a_child_is_of_a_process_of_its_own(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_start_in_child, NULL, NULL), 0);
}

static int run_few_descriptors(void *arg)
{
	const struct rlimit few = {24, 24};
	glob_t jobs;
	int code;

	(void)arg;
	CHECK(setrlimit(RLIMIT_NOFILE, &few) == 0);
	CHECK(run_words("acl_init init " MANY "=100003", &code) == NULL);
	CHECK(glob("out/*", 0, NULL, &jobs) == GLOB_NOMATCH);
	CHECK(run_words("start(0) call(a) stop(0) finalize", &code) == NULL);
	return 0;
}

static void test_a_start_that_fails_leaves_nothing(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_few_descriptors, NULL, NULL), 0);
}

static void test_init_and_finalize_repeat(void **state)
{
	(void)state;
	check_row(
	    "acl_init init(a) start(0) stop(0) finalize finalize=100043 init(b) start(0) stop(0) finalize acl_finalize "
	    "acl_finalize=100037 acl_init=100002 init=100001 start(0)=100043");
}

static void test_finalize_without_stop(void **state)
{
	(void)state;
	check_row("acl_init init start(0) start(1) finalize stop(0)=100043 init start(0) finalize acl_finalize");
}

static void test_refusals_change_nothing(void **state)
{
	(void)state;
	check_row("acl_init init subscribe(1)=148047 unsubscribe(1)=148047 init=100002 start(0) stop(0) finalize "
		  "acl_finalize");
	check_row("acl_init subscribe(1) init=148047 start(0)=148047 stop(0)=148047 finalize=148047 unsubscribe(1) "
		  "init start(0) stop(0) finalize acl_finalize");
}

static void test_models_that_were_announced(void **state)
{
	(void)state;
	check_row("acl_init load(1:a) subscribe(2)=100011 subscribe(1) subscribe(1)=148046 unsubscribe(2)=100011 "
		  "unsubscribe(1) unsubscribe(1)=100011 unload(1) subscribe(1)=100011 acl_finalize");
	check_row("acl_init load(1:a) load(2:b) subscribe(1) subscribe(2/1/0)=100010 subscribe(2) unsubscribe(1) "
		  "unsubscribe(2) acl_finalize");
	check_row("acl_init subscribe(4/0/255)=100000 subscribe(4/0/0) unsubscribe(4) acl_finalize");
}

static void test_any_thread(void **state)
{
	(void)state;
	check_row("acl_init init thread start(0) thread call(b) thread stop(0) finalize acl_finalize");
	check_row("thread acl_init thread init thread start(0) thread start(0)=100042 thread finalize");
}

static void test_unsupported_bits(void **state)
{
	(void)state;
#ifdef FAMILY_SVP
	check_row("acl_init init start(0/0xf) stop(0/0xf) start(0/0x10)=200007 start(0/0x80)=200007 start(0/0)=100000 "
		  "finalize");
#else
	check_row("acl_init init start(0/0xc0100fbff) stop(0/0xc0100fbff) start(0/0x400)=200007 start(0/0)=100000 "
		  "start(/0x80) stop(/0x80) finalize");
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_call_in_every_mode),
	    cmocka_unit_test(test_recommended_order),
	    cmocka_unit_test(test_wrong_order),
	    cmocka_unit_test(test_sessions_beside_each_other),
	    cmocka_unit_test(test_stop_wants_the_same_configuration),
	    cmocka_unit_test(test_sessions_that_were_stopped_hold_no_descriptors),
	    cmocka_unit_test(test_a_start_that_fails_leaves_nothing),
	    cmocka_unit_test(test_a_start_in_a_child_is_of_a_process_of_its_own),
	    cmocka_unit_test(test_init_and_finalize_repeat),
	    cmocka_unit_test(test_finalize_without_stop),
	    cmocka_unit_test(test_refusals_change_nothing),
	    cmocka_unit_test(test_models_that_were_announced),
	    cmocka_unit_test(test_any_thread),
	    cmocka_unit_test(test_unsupported_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
