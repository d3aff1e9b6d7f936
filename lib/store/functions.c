/*
 * functions.c: the SQL functions that reports need beyond SQLite's own; those from half_up() on are for records and
 * reports of the Ascend generations.
 *   decimal(num, den, places)  num/den, exact, rounded half to even
 *   total_int(x)               the sum of integers; saturates instead of failing
 *   float_sum(x)               the sum of doubles in order, without the compensation of errors that sum() may use
 *   rounded(x, places)         x rounded to `places` decimals, half to even, as a double
 *   fixed(x, places)           x as text with `places` decimals
 *   repr(x)                    the shortest text that reads back as x
 *   pick(i, v0, v1, ...)       the value vi, or NULL when not found
 *   half_up(x, places)         x as a double, rounded half up to 0 to 6 places
 *   trimmed(x)                 half_up(x, 3), as an integer when the result is whole
 *   us(ns)                     microseconds with three decimals, as text
 *   number_at(blob, at, width) the unsigned little-endian number of 1 to 8 bytes; NULL past the end
 *   hex_int(text)              the number of a text of digits or 0x...; NULL for other texts
 *   trace_pid(pid, process, device)  the number of a process of a trace; process and device are below 32
 *   trace_process(number)      the process in such a number
 *   has_bit(set, bit)          1 if the set of bits has that bit, else 0
 *   double_of(bits)            the double with these bits; NULL if it is infinite or not a number
 *   bits_of(x)                 the bits of a double, for double_of()
 *   spaced_json(json)          JSON without blanks with one behind each comma and colon, as Python writes it
 *   text_hash(text)            the hash of a text by which the reference orders it (MurmurHash64A), as a signed number
 *   core_us(cycles, mhz, blocks, cores)  the cycles of a task in microseconds; 0 without blocks
 *   say(key, name, value, ...) the sentence of base/say.h with these words in its places; NULL where a value is NULL
 *   time_text(ns), percent_text(part, whole)  numbers in sentences; NULL where whole is not positive
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/say.h"
#include "base/wide.h"
#include "store/connection.h"

enum { SAY_WORDS = 12, SAY_SIZE = 1024 };
enum { FIXED_SIZE = 400 }; /* the largest double has 309 digits */

/* Of an SQL function. Most functions have a fixed number of arguments. */
#define ARGUMENTS sqlite3_context *context, __attribute__((unused)) int count, sqlite3_value **args

static void decimal(ARGUMENTS)
{
	for (int i = 0; i < count; i++)
		if (sqlite3_value_type(args[i]) == SQLITE_NULL)
			return;
	mp_result(context,
	    mp_round_quotient(sqlite3_value_int64(args[0]), sqlite3_value_int64(args[1]), sqlite3_value_int(args[2])));
}

struct total {
	int64_t sum;
	int seen;
};

static void total_step(ARGUMENTS)
{
	struct total *t = sqlite3_aggregate_context(context, sizeof(*t));
	int64_t v;

	if (!t) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	v = sqlite3_value_int64(args[0]);
	t->seen = 1;
	if (__builtin_add_overflow(t->sum, v, &t->sum))
		t->sum = v < 0 ? INT64_MIN : INT64_MAX;
}

static void total_final(sqlite3_context *context)
{
	struct total *t = sqlite3_aggregate_context(context, 0);

	if (t && t->seen)
		sqlite3_result_int64(context, t->sum);
}

static void float_step(ARGUMENTS)
{
	double *sum = sqlite3_aggregate_context(context, sizeof(*sum));

	if (sum)
		*sum += sqlite3_value_double(args[0]);
	else
		sqlite3_result_error_nomem(context);
}

static void float_final(sqlite3_context *context)
{
	double *sum = sqlite3_aggregate_context(context, 0);

	sqlite3_result_double(context, sum ? *sum : 0);
}

/* Format x with `places` decimals. The C library rounds by all digits of the double. */
static bool format_fixed(char text[FIXED_SIZE], sqlite3_value **args)
{
	int places = sqlite3_value_int(args[1]);

	if (sqlite3_value_type(args[0]) == SQLITE_NULL || places < 0 || places > 17)
		return false;
	snprintf(text, FIXED_SIZE, "%.*f", places, sqlite3_value_double(args[0]));
	return true;
}

static void rounded(ARGUMENTS)
{
	char text[FIXED_SIZE];

	if (format_fixed(text, args))
		sqlite3_result_double(context, strtod(text, NULL));
}

static void fixed(ARGUMENTS)
{
	char text[FIXED_SIZE];

	if (format_fixed(text, args))
		sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void repr(ARGUMENTS)
{
	char text[MP_NUMBER_SIZE];

	switch (sqlite3_value_type(args[0])) {
	case SQLITE_INTEGER:
		mp_number_int(text, sqlite3_value_int64(args[0]));
		break;
	case SQLITE_FLOAT:
		mp_number_real(text, sqlite3_value_double(args[0]));
		break;
	default:
		sqlite3_result_value(context, args[0]);
		return;
	}
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void pick(ARGUMENTS)
{
	int64_t number;

	if (count < 1 || sqlite3_value_type(args[0]) != SQLITE_INTEGER)
		return;
	number = sqlite3_value_int64(args[0]);
	if (number >= 0 && number < count - 1)
		sqlite3_result_value(context, args[number + 1]);
}

static void half_up(ARGUMENTS)
{
	int places = sqlite3_value_int(args[1]);

	if (sqlite3_value_type(args[0]) != SQLITE_NULL && places >= 0 && places <= 6)
		sqlite3_result_double(context, mp_round_half_up(sqlite3_value_double(args[0]), places));
}

static void trimmed(ARGUMENTS)
{
	if (sqlite3_value_type(args[0]) != SQLITE_NULL)
		mp_result(context, mp_round_trimmed(sqlite3_value_double(args[0])));
}

static void us(ARGUMENTS)
{
	char text[MP_NUMBER_SIZE];
	size_t len;

	if (sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	len = mp_number_us(text, sqlite3_value_int64(args[0]));
	sqlite3_result_text(context, text, (int)len, SQLITE_TRANSIENT);
}

static void number_at(ARGUMENTS)
{
	const unsigned char *bytes = sqlite3_value_blob(args[0]);
	int64_t at = sqlite3_value_int64(args[1]), size = sqlite3_value_bytes(args[0]);
	int width = sqlite3_value_int(args[2]);
	uint64_t v = 0;

	if (!bytes || at < 0 || width < 1 || width > 8 || at > size - width)
		return;
	for (int i = width; i-- > 0;)
		v = v << 8 | bytes[at + i];
	sqlite3_result_int64(context, (int64_t)v);
}

static void hex_int(ARGUMENTS)
{
	const char *text = (const char *)sqlite3_value_text(args[0]);
	char *end;
	long long v;

	if (!text || !*text)
		return;
	v = strtoll(text, &end, 0);
	if (!*end)
		sqlite3_result_int64(context, v);
}

/* The blocks of a task run on the cores in rounds. */
bool mp_core_us(int64_t cycles, int64_t mhz, int64_t blocks, int64_t cores, double *us)
{
	int64_t rounds;

	if (!mhz || cores <= 0 || __builtin_add_overflow(blocks, cores - 1, &rounds))
		return false;
	*us = 0;
	if (!blocks)
		return true;
	rounds /= cores;
	*us = (double)cycles / (double)mhz / (double)blocks * (double)rounds;
	return true;
}

static void core_us(ARGUMENTS)
{
	double us;

	if (sqlite3_value_type(args[0]) != SQLITE_NULL &&
	    mp_core_us(sqlite3_value_int64(args[0]), sqlite3_value_int64(args[1]), sqlite3_value_int64(args[2]),
		sqlite3_value_int64(args[3]), &us))
		sqlite3_result_double(context, us);
}

static void trace_pid(ARGUMENTS)
{
	sqlite3_result_int64(context, (int64_t)((uint64_t)sqlite3_value_int64(args[0]) << 10) |
					  (sqlite3_value_int64(args[1]) & 31) << 5 | sqlite3_value_int64(args[2]));
}

static void trace_process(ARGUMENTS)
{
	sqlite3_result_int64(context, sqlite3_value_int64(args[0]) >> 5 & 31);
}

static void has_bit(ARGUMENTS)
{
	sqlite3_result_int64(context, sqlite3_value_int64(args[0]) >> (sqlite3_value_int64(args[1]) & 63) & 1);
}

static uint64_t mixed(uint64_t x)
{
	return x ^ x >> 47;
}

static void text_hash(ARGUMENTS)
{
	static const uint64_t factor = 0xc6a4a7935bd1e995, seed = 0xc70f6907;
	const unsigned char *text = sqlite3_value_text(args[0]);
	size_t size = (size_t)sqlite3_value_bytes(args[0]), i = 0;
	uint64_t hash = seed ^ size * factor, part;

	if (!text)
		return;
	for (; size - i >= 8; i += 8) {
		part = 0;
		for (int b = 7; b >= 0; b--)
			part = part << 8 | text[i + (size_t)b];
		hash = (hash ^ mixed(part * factor) * factor) * factor;
	}
	part = 0;
	for (size_t b = size; b > i; b--)
		part = part << 8 | text[b - 1];
	if (size > i)
		hash = (hash ^ part) * factor;
	sqlite3_result_int64(context, (int64_t)mixed(mixed(hash) * factor));
}

static void double_of(ARGUMENTS)
{
	int64_t bits = sqlite3_value_int64(args[0]);
	double number;

	memcpy(&number, &bits, sizeof(number));
	if (sqlite3_value_type(args[0]) == SQLITE_INTEGER && isfinite(number))
		sqlite3_result_double(context, number);
}

static void bits_of(ARGUMENTS)
{
	double number = sqlite3_value_double(args[0]);
	int64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	sqlite3_result_int64(context, bits);
}

static void spaced_json(ARGUMENTS)
{
	const char *json = (const char *)sqlite3_value_text(args[0]);
	sqlite3_str *text = sqlite3_str_new(NULL);
	bool quoted = false;
	int failure;

	for (const char *c = json; c && *c; c++) {
		sqlite3_str_appendchar(text, 1, *c);
		if (quoted && *c == '\\' && c[1])
			sqlite3_str_appendchar(text, 1, *++c);
		else if (*c == '"')
			quoted = !quoted;
		else if (!quoted && (*c == ',' || *c == ':'))
			sqlite3_str_appendchar(text, 1, ' ');
	}
	failure = sqlite3_str_errcode(text);
	sqlite3_result_text(context, sqlite3_str_finish(text), -1, sqlite3_free);
	if (failure)
		sqlite3_result_error_code(context, failure);
}

static void say(ARGUMENTS)
{
	struct mp_said words[SAY_WORDS];
	char text[SAY_SIZE];
	struct mp_error err;

	for (int i = 0; i < count; i++)
		if (!sqlite3_value_text(args[i]))
			return;
	if (count % 2 == 0 || count / 2 > SAY_WORDS) {
		sqlite3_result_error(context, "say(): not a key and pairs of a name and a value", -1);
		return;
	}
	for (int i = 1; i < count; i += 2)
		words[i / 2] = (struct mp_said){
		    (const char *)sqlite3_value_text(args[i]), (const char *)sqlite3_value_text(args[i + 1])};
	if (mp_say(text, sizeof(text), (const char *)sqlite3_value_text(args[0]), words, (size_t)count / 2, &err))
		sqlite3_result_error(context, err.text, -1);
	else
		sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void word(ARGUMENTS)
{
	const char *english = (const char *)sqlite3_value_text(args[0]);
	char text[SAY_SIZE];

	if (english)
		sqlite3_result_text(context, mp_say_found(text, sizeof(text), english), -1, SQLITE_TRANSIENT);
}

static void time_text(ARGUMENTS)
{
	char text[MP_SAY_NUMBER];

	if (sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	mp_say_time(text, sqlite3_value_int64(args[0]));
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void percent_text(ARGUMENTS)
{
	char text[MP_SAY_NUMBER];
	double whole = sqlite3_value_double(args[1]);

	if (sqlite3_value_type(args[0]) == SQLITE_NULL || !(whole > 0))
		return;
	mp_say_percent(text, sqlite3_value_double(args[0]) / whole);
	sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

int mp_functions_register(sqlite3 *handle)
{
	static const struct {
		const char *name;
		int args;
		void (*call)(ARGUMENTS); /* or a step of a sum */
		void (*final)(sqlite3_context *context);
	} functions[] = {{"decimal", 3, decimal, NULL}, {"rounded", 2, rounded, NULL}, {"fixed", 2, fixed, NULL},
	    {"repr", 1, repr, NULL}, {"pick", -1, pick, NULL}, {"half_up", 2, half_up, NULL},
	    {"trimmed", 1, trimmed, NULL}, {"us", 1, us, NULL}, {"number_at", 3, number_at, NULL},
	    {"hex_int", 1, hex_int, NULL}, {"core_us", 4, core_us, NULL}, {"trace_pid", 3, trace_pid, NULL},
	    {"trace_process", 1, trace_process, NULL}, {"has_bit", 2, has_bit, NULL}, {"double_of", 1, double_of, NULL},
	    {"bits_of", 1, bits_of, NULL}, {"spaced_json", 1, spaced_json, NULL}, {"text_hash", 1, text_hash, NULL},
	    {"say", -1, say, NULL}, {"word", 1, word, NULL}, {"time_text", 1, time_text, NULL},
	    {"percent_text", 2, percent_text, NULL}, {"float_sum", 1, float_step, float_final},
	    {"total_int", 1, total_step, total_final}};
	const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int status = SQLITE_OK;

	for (size_t i = 0; !status && i < sizeof(functions) / sizeof(functions[0]); i++)
		status = sqlite3_create_function(handle, functions[i].name, functions[i].args, flags, NULL,
		    functions[i].final ? NULL : functions[i].call, functions[i].final ? functions[i].call : NULL,
		    functions[i].final);
	return status;
}
