/* test_words.c: command lines split like a POSIX shell splits them; the shell itself is compared. */
#include "../unit/support.h"

#include "board/connection/pipe.h"

/* The words as "[a][b]", for comparison. */
static void join(char *text, size_t size, char **words, size_t count)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count; i++)
		len += (size_t)snprintf(text + len, size - len, "[%s]", words[i]);
	assert_true(len < size);
}

static void check(const char *text, const char *want)
{
	struct mp_error err;
	char **words, got[4096];
	size_t count;

	assert_ok(mp_argv_split(&words, &count, text, &err), &err);
	join(got, sizeof(got), words, count);
	assert_string_equal(got, want);
	assert_null(words[count]);
	mp_argv_free(words);
}

static void test_words(void **state)
{
	(void)state;
	check("main", "[main]");
	check("  out/main\t--images  10\n", "[out/main][--images][10]");
	check("a 'b  c' \"d  e\"", "[a][b  c][d  e]");
	check("a'b'\"c\"d", "[abcd]");
	check("a '' \"\" b", "[a][][][b]");
	check("'a'\\''b'", "[a'b]");
	check("\"a'b\" 'c\"d'", "[a'b][c\"d]");
}

static void test_backslashes(void **state)
{
	(void)state;
	check("a\\ b \\\\ \\'", "[a b][\\][']");
	check("'a\\b'", "[a\\b]");
	check("\"\\$ \\` \\\" \\\\ \\a\"", "[$ ` \" \\ \\a]");
	check("a\\\nb \"c\\\nd\" 'e\\\nf'", "[ab][cd][e\\\nf]");
	check("a\\", "[a\\]");
}

/* Nothing is expanded, and nothing is an operator. */
static void test_plain_characters(void **state)
{
	(void)state;
	check("$(x) `y` $HOME * ? ; > & | # ~ {a,b} !", "[$(x)][`y`][$HOME][*][?][;][>][&][|][#][~][{a,b}][!]");
	check("\xc3\xbc \x01\xff", "[\xc3\xbc][\x01\xff]");
}

static void test_errors(void **state)
{
	static const char *const open_quotes[] = {"'", "\"", "a 'b", "a \"b\\\"", "'a' '"};
	struct mp_error err;
	char **words;
	size_t count;

	(void)state;
	for (size_t i = 0; i < COUNT(open_quotes); i++) {
		assert_refused(mp_argv_split(&words, &count, open_quotes[i], &err), &err, "is not closed");
		assert_null(words);
	}
	assert_refused(mp_argv_split(&words, &count, "", &err), &err, "no program in");
	assert_refused(mp_argv_split(&words, &count, " \t\n", &err), &err, "no program in");
	mp_argv_free(NULL);
}

/* The words that sh makes of the same text, which has nothing to expand. */
static void ask_shell(const char *text, char *got, size_t size)
{
	char *dir = temp_dir(), script[1024], *answer;

	assert_true(snprintf(script, sizeof(script), "printf '[%%s]' %s >%s/answer", text, dir) < (int)sizeof(script));
	assert_int_equal(system(script), 0);
	answer = read_text(dir, "answer");
	assert_true(strlen(answer) < size);
	strcpy(got, answer);
	free(answer);
	remove_dir(dir);
}

static void test_as_a_shell(void **state)
{
	static const char pieces[] = "ab '\"\\ ";
	uint64_t seed = 7;
	int compared = 0;

	(void)state;
	for (int round = 0; round < 400 && compared < 60; round++) {
		char text[16] = "x", want[256], got[256];
		struct mp_error err;
		char **words;
		size_t count;

		for (size_t i = 1; i < 12; i++)
			text[i] = pieces[next_random(&seed) % (sizeof(pieces) - 1)];
		text[12] = '\0';
		if (text[11] == '\\' || mp_argv_split(&words, &count, text, &err))
			continue; /* the shell would wait for the rest */
		join(got, sizeof(got), words, count);
		mp_argv_free(words);
		ask_shell(text, want, sizeof(want));
		assert_string_equal(got, want);
		compared++;
	}
	assert_true(compared >= 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_backslashes),
	    cmocka_unit_test(test_plain_characters), cmocka_unit_test(test_errors), cmocka_unit_test(test_as_a_shell)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
