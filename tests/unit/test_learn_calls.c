/* test_learn_calls.c: records of calls are learned from a trace or a statistic, with names as texts or numbers. */
#include "job_support.h"

#include "learn/learn.h"

enum { CALLS = 40, NAMES = 5, RECORD = 92, HEADER = 37 };

struct call {
	unsigned name, tid;
	uint64_t begin, end;
};

static const char *const call_names[NAMES] = {"aclInit", "aclmdlExecute", "aclrtMalloc", "aclrtFree", "opRun"};
static const unsigned kinds[NAMES] = {4, 2, 3, 3, 1};
static const unsigned other_numbers[] = {0, 0x131, 7, 95, 0x1186};
static bool has_other_numbers;
static bool torn;       /* in the middle a record lacks its first byte */
static size_t cut;      /* bytes of a record that was not written to its end */
static int hidden = -1; /* a call of another kind, which the trace lacks */
static const char *const kind_names[] = {"", "op", "model", "runtime", "others"};
static const uint32_t numbers[NAMES] = {70001, 912345, 81234567, 4711, 300};

static void make_calls(struct call calls[CALLS])
{
	uint64_t seed = 11, now = UINT64_C(5000000123);

	for (int i = 0; i < CALLS; i++) {
		calls[i] =
		    (struct call){(unsigned)(next_random(&seed) % NAMES), (unsigned)(next_random(&seed) % 2), now, 0};
		calls[i].end = now + 3000 + next_random(&seed) % 900000;
		now = calls[i].end + 10 + next_random(&seed) % 5000;
	}
}

static void put_big(unsigned char *p, unsigned width, uint64_t v)
{
	for (unsigned i = 0; i < width; i++)
		p[i] = (unsigned char)(v >> 8 * (width - 1 - i));
}

/* A record: the name as text or number, in bytes that mean nothing. */
static void put_call(unsigned char *p, const struct call *c, bool is_numbered, uint64_t *seed)
{
	for (size_t i = 0; i < RECORD; i++)
		p[i] = (unsigned char)next_random(seed);
	put_big(p, 2, 0xa55b);
	put_big(p + 8, 8, c->end);
	put_big(p + 4, 2, has_other_numbers ? other_numbers[kinds[c->name]] : kinds[c->name]);
	put_big(p + 16, 8, c->begin);
	put_big(p + 24, 4, 900);
	put_big(p + 28, 4, 900 + c->tid);
	if (is_numbered)
		put_big(p + 33, 4, numbers[c->name]);
	else
		memcpy(p + 33, call_names[c->name], strlen(call_names[c->name]) + 1);
}

/* Records of calls; `others`: with records of another kind between them, which byte 2 tells. */
static void write_calls(struct job_test *t, const struct call *calls, bool is_numbered, bool others)
{
	static unsigned char bytes[HEADER + (2 * CALLS + 1) * RECORD];
	uint64_t seed = 5;
	size_t at = HEADER;
	char done[32];

	memset(bytes, 0, HEADER);
	for (int i = 0; i < CALLS; i++) {
		if (torn && i == CALLS / 2) {
			put_call(bytes + at - 1, &calls[i + 1], is_numbered, &seed);
			bytes[at - 1] = 0;
			at += RECORD - 1;
		}
		put_call(bytes + at, &calls[i], is_numbered, &seed);
		bytes[at + 2] = 8;
		if (i == hidden)
			put_big(bytes + at + 4, 2, 77);
		at += RECORD;
		if (!others || i % 3)
			continue;
		for (size_t k = 0; k < RECORD; k++)
			bytes[at + k] = (unsigned char)next_random(&seed);
		memcpy(bytes + at, "\xa5\x5b\x09", 3);
		at += RECORD;
	}
	if (cut)
		put_call(bytes + at, &calls[0], is_numbered, &seed);
	at += cut;
	write_file(t->data, "acl_api.0.net.7", bytes, at);
	snprintf(done, sizeof(done), "filesize:%zu", at);
	write_text(t->data, "acl_api.0.net.7.done", done);
}

static void write_trace(struct job_test *t, const struct call *calls)
{
	char *text = NULL, *dir = strdup(below(t->dir, "timeline"));
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "[");
	for (int i = 0; i < CALLS; i++)
		if (i != hidden)
			fprintf(f,
			    "%s{\"name\":\"%s\",\"ph\":\"X\",\"pid\":900,\"tid\":%u,\"ts\":%.3f,\"dur\":%.3f,\"args\":{\"Mode\":\"%s\","
			    "\"Process Id\":900,\"Thread Id\":%u}}\n",
			    i ? "," : "", call_names[calls[i].name], 900 + calls[i].tid, (double)calls[i].begin / 1000,
			    (double)(calls[i].end - calls[i].begin) / 1000, kind_names[kinds[calls[i].name]],
			    900 + calls[i].tid);
	fprintf(f, "]\n");
	assert_int_equal(fclose(f), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	write_text(dir, "acl_0.net.7.1.json", text);
	free(text);
	free(dir);
}

/* The calls of a name and thread: whole us of each. */
static void write_statistic(struct job_test *t, const struct call *calls)
{
	char *text = NULL, *dir = strdup(below(t->dir, "summary"));
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "Process ID,Thread ID,Type,Name,Total Time(us),Count,Avg(us),Min(us),Max(us)\n");
	for (unsigned group = 0; group < 2 * NAMES; group++) {
		uint64_t count = 0, sum = 0, least = UINT64_MAX, most = 0;

		for (int i = 0; i < CALLS; i++) {
			uint64_t us = (calls[i].end - calls[i].begin) / 1000;

			if (calls[i].name * 2 + calls[i].tid != group)
				continue;
			count++;
			sum += us;
			least = us < least ? us : least;
			most = us > most ? us : most;
		}
		if (count)
			fprintf(f, "900,%u,%s,%s,%ju,%ju,%ju,%ju,%ju\n", 900 + group % 2, kind_names[kinds[group / 2]],
			    call_names[group / 2], (uintmax_t)sum, (uintmax_t)count, (uintmax_t)(sum / count),
			    (uintmax_t)least, (uintmax_t)most);
	}
	assert_int_equal(fclose(f), 0);
	assert_int_equal(mkdir(dir, 0700), 0);
	write_text(dir, "acl_statistic_0_7_1.csv", text);
	free(text);
	free(dir);
}

static void learn(struct job_test *t, struct mp_learned *learned)
{
	static const struct mp_learn_options options = {.from_count = 0};

	job_open(t);
	assert_ok(mp_learn(learned, t->job, &options, &t->err), &t->err);
}

/* Require a proven layout with these lines. */
static void assert_learned(struct job_test *t, const char *const *lines, size_t count)
{
	struct mp_learned learned;

	learn(t, &learned);
	assert_non_null(learned.text);
	for (size_t i = 0; i < count; i++)
		if (!strstr(learned.text, lines[i]))
			fail_msg("no line \"%s\" in:\n%s", lines[i], learned.text);
	if (!learned.is_proven)
		fail_msg("not proven:\n%s", learned.text);
	mp_learned_free(&learned);
}

static const char *const text_lines[] = {"  size     92\n", "  header   37\n", "  endian   big\n",
    "  input    end_count        u64 @8\n", "  field    type             u16 @4\n",
    "  input    start_count      u64 @16\n", "  field    pid              u32 @24\n",
    "  field    tid              u32 @28\n", "  field    name             char[32] @33\n",
    "  duration dur_ns start_count end_count unit=ns\n"};

static void names_are_texts(void **state)
{
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	write_calls(t, calls, false, false);
	write_trace(t, calls);
	write_statistic(t, calls);
	assert_learned(t, text_lines, COUNT(text_lines));
}

static void other_kinds(void **state)
{
	static const char *const lines[] = {"  kind     u8 @2 == 8\n"};
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	write_calls(t, calls, false, true);
	write_trace(t, calls);
	assert_learned(t, lines, COUNT(lines));
}

static void statistic_only(void **state)
{
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	write_calls(t, calls, false, false);
	write_statistic(t, calls);
	assert_learned(t, text_lines, COUNT(text_lines));
}

/* The file ends with a part of a record: its size does not say where records begin. */
static void last_record_is_cut(void **state)
{
	static const char *const lines[] = {"  size     92\n", "  endian   big\n", " unit=ns\n"};
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	for (cut = 1; cut < RECORD - 18; cut += 18) {
		write_calls(t, calls, false, false);
		if (cut == 1)
			write_statistic(t, calls);
		assert_learned(t, lines, COUNT(lines));
	}
	write_trace(t, calls);
	cut = 50;
	write_calls(t, calls, false, false);
	assert_learned(t, lines, COUNT(lines));
	cut = 0;
}

/* Damage leaves the name of a call without a record. */
static void record_is_torn(void **state)
{
	static const char *const lines[] = {"  size     92\n", "  header   37\n", "  match    u8 @1 == 0x5b\n"};
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	torn = true;
	write_calls(t, calls, false, false);
	write_statistic(t, calls);
	assert_learned(t, lines, COUNT(lines));
	write_trace(t, calls);
	assert_learned(t, lines, COUNT(lines));
	torn = false;
}

/* Kinds have numbers that are not ours: by a trace, and by a statistic. */
static void kinds_are_other_numbers(void **state)
{
	static const char *const lines[] = {
	    "  input    type_count       u8 @5\n", "  map      type type_count 49=1 7=2 95=3 134=4\n"};
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	has_other_numbers = true;
	write_calls(t, calls, false, false);
	write_statistic(t, calls);
	assert_learned(t, lines, COUNT(lines));
	write_trace(t, calls);
	assert_learned(t, lines, COUNT(lines));
	has_other_numbers = false;
}

/* A call has a kind that no table shows. */
static void unknown_kind(void **state)
{
	struct job_test *t = *state;
	struct call calls[CALLS];
	struct mp_learned learned;

	make_calls(calls);
	has_other_numbers = true;
	hidden = 7;
	write_calls(t, calls, false, false);
	write_trace(t, calls);
	learn(t, &learned);
	assert_false(learned.is_proven);
	assert_int_equal(learned.found[0].missing_count, 1);
	assert_string_equal(learned.found[0].missing[0], "calls of kinds that no table shows: 1");
	mp_learned_free(&learned);
	has_other_numbers = false;
	hidden = -1;
}

static void names_are_numbers(void **state)
{
	static const char *const dictionaries[][2] = {
	    {"70001:aclInit\n912345:aclmdlExecute\n81234567:aclrtMalloc\n4711:aclrtFree\n300:opRun\n",
		"  line     \"{number:int}:{name}\"\n"},
	    {"{\"v\":1,\"api list\":{\"aclInit\":70001,\"aclmdlExecute\":912345,\"aclrtMalloc\":81234567,\"aclrtFree\":4711,"
	     "\"opRun\":300}}\n",
		"  each     \"api list\"\n  value    number .\n  value    name \"#\"\n"},
	    {"{\"a\":{\"k\":[70001,912345,81234567,4711,300],"
	     "\"v\":[\"aclInit\",\"aclmdlExecute\",\"aclrtMalloc\",\"aclrtFree\",\"opRun\"]}}\n",
		"  zip\n  value    number a.k\n  value    name a.v\n"},
	    {"{\"70001\":\"aclInit\",\"912345\":\"aclmdlExecute\",\"81234567\":\"aclrtMalloc\",\"4711\":\"aclrtFree\","
	     "\"300\":\"opRun\",\"note\":\"opRun\"}\n",
		"  each     .\n  value    number \"#\"\n  value    name .\n"},
	    {"{\"list\":[{\"k\":\"70001\",\"v\":\"aclInit\"},{\"k\":\"912345\",\"v\":\"aclmdlExecute\"},"
	     "{\"k\":\"81234567\",\"v\":\"aclrtMalloc\"},{\"k\":\"4711\",\"v\":\"aclrtFree\"},{\"k\":\"300\",\"v\":\"opRun\"}]}\n",
		"  each     list\n  value    number .k\n  value    name .v\n"}};
	struct job_test *t = *state;
	struct call calls[CALLS];

	make_calls(calls);
	write_calls(t, calls, true, false);
	write_trace(t, calls);
	for (size_t i = 0; i < COUNT(dictionaries); i++) {
		const char *lines[] = {
		    "  field    name_number      u32 @33\n", "text svp.api_name", dictionaries[i][1]};

		lines[1] = i ? "json svp.api_name" : lines[1];
		write_text(t->data, "names.dic", dictionaries[i][0]);
		assert_learned(t, lines, COUNT(lines));
	}
}

/* Noise, zeros and calls of another job explain nothing, and a sentence says so. */
static void nothing_fits(void **state)
{
	static unsigned char bytes[9000];
	struct job_test *t = *state;
	struct mp_learned learned;
	struct call calls[CALLS];
	uint64_t seed = 3;

	make_calls(calls);
	write_trace(t, calls);
	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = round == 0 ? (unsigned char)next_random(&seed) : 0;
		if (round == 2)
			for (size_t i = 0; i < 100; i++)
				memcpy(bytes + 90 * i, "aclOther", 9);
		write_file(t->data, "acl_api.0.net.7", bytes, sizeof(bytes));
		learn(t, &learned);
		assert_null(learned.text);
		assert_int_equal(learned.found_count, 1);
		assert_int_equal(learned.found[0].missing_count, 1);
		mp_learned_free(&learned);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(names_are_texts, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(other_kinds, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(statistic_only, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(last_record_is_cut, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(record_is_torn, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(kinds_are_other_numbers, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(unknown_kind, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(names_are_numbers, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(nothing_fits, job_setup, job_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
