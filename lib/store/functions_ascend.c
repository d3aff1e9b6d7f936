/*
 * functions_ascend.c: SQL functions for records and reports of the Ascend generations.
 *   half_up(x, places)         x as a double, rounded half up to 0 to 6 places, from six decimals
 *   trimmed(x)                 half_up(x, 3), as an integer when the result is whole
 *   us(ns)                     microseconds with three decimals, as text
 *   number_at(blob, at, width) the unsigned little-endian number of 1 to 8 bytes; NULL past the end
 *   hex_int(text)              the number of a text of digits or 0x...; NULL for other texts
 *   trace_pid(pid, process, device)  the number of a process of a trace; process and device are below 32
 *   trace_process(number)      the process in such a number
 *   has_bit(set, bit)          1 if the set of bits has that bit, else 0
 *   double_of(bits)            the double with these bits; NULL if it is infinite or not a number
 *   text_hash(text)            the hash of a text by which the reference orders it (MurmurHash64A), as a signed number
 *   core_us(cycles, mhz, blocks, cores)  the cycles of a task in microseconds; 0 without blocks
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/wide.h"
#include "store/connection.h"

static void half_up(sqlite3_context *context, int count, sqlite3_value **args)
{
	int places = sqlite3_value_int(args[1]);

	(void)count;
	if (sqlite3_value_type(args[0]) != SQLITE_NULL && places >= 0 && places <= 6)
		sqlite3_result_double(context, mp_round_half_up(sqlite3_value_double(args[0]), places));
}

static void trimmed(sqlite3_context *context, int count, sqlite3_value **args)
{
	(void)count;
	if (sqlite3_value_type(args[0]) != SQLITE_NULL)
		mp_result(context, mp_round_trimmed(sqlite3_value_double(args[0])));
}

static void us(sqlite3_context *context, int count, sqlite3_value **args)
{
	char text[MP_NUMBER_SIZE];
	size_t len;

	(void)count;
	if (sqlite3_value_type(args[0]) == SQLITE_NULL)
		return;
	len = mp_number_us(text, sqlite3_value_int64(args[0]));
	sqlite3_result_text(context, text, (int)len, SQLITE_TRANSIENT);
}

static void number_at(sqlite3_context *context, int count, sqlite3_value **args)
{
	const unsigned char *bytes = sqlite3_value_blob(args[0]);
	int64_t at = sqlite3_value_int64(args[1]), size = sqlite3_value_bytes(args[0]);
	int width = sqlite3_value_int(args[2]);
	uint64_t v = 0;

	(void)count;
	if (!bytes || at < 0 || width < 1 || width > 8 || at > size - width)
		return;
	for (int i = width; i-- > 0;)
		v = v << 8 | bytes[at + i];
	sqlite3_result_int64(context, (int64_t)v);
}

static void hex_int(sqlite3_context *context, int count, sqlite3_value **args)
{
	const char *text = (const char *)sqlite3_value_text(args[0]);
	char *end;
	long long v;

	(void)count;
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

static void core_us(sqlite3_context *context, int count, sqlite3_value **args)
{
	double us;

	(void)count;
	if (sqlite3_value_type(args[0]) != SQLITE_NULL &&
	    mp_core_us(sqlite3_value_int64(args[0]), sqlite3_value_int64(args[1]), sqlite3_value_int64(args[2]),
		sqlite3_value_int64(args[3]), &us))
		sqlite3_result_double(context, us);
}

static void trace_pid(sqlite3_context *context, int count, sqlite3_value **args)
{
	(void)count;
	sqlite3_result_int64(context, (int64_t)((uint64_t)sqlite3_value_int64(args[0]) << 10) |
					  (sqlite3_value_int64(args[1]) & 31) << 5 | sqlite3_value_int64(args[2]));
}

static void trace_process(sqlite3_context *context, int count, sqlite3_value **args)
{
	(void)count;
	sqlite3_result_int64(context, sqlite3_value_int64(args[0]) >> 5 & 31);
}

static void has_bit(sqlite3_context *context, int count, sqlite3_value **args)
{
	(void)count;
	sqlite3_result_int64(context, sqlite3_value_int64(args[0]) >> (sqlite3_value_int64(args[1]) & 63) & 1);
}

static uint64_t mixed(uint64_t x)
{
	return x ^ x >> 47;
}

static void text_hash(sqlite3_context *context, int count, sqlite3_value **args)
{
	static const uint64_t factor = 0xc6a4a7935bd1e995, seed = 0xc70f6907;
	const unsigned char *text = sqlite3_value_text(args[0]);
	size_t size = (size_t)sqlite3_value_bytes(args[0]), i = 0;
	uint64_t hash = seed ^ size * factor, part;

	(void)count;
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

static void double_of(sqlite3_context *context, int count, sqlite3_value **args)
{
	int64_t bits = sqlite3_value_int64(args[0]);
	double number;

	(void)count;
	memcpy(&number, &bits, sizeof(number));
	if (sqlite3_value_type(args[0]) == SQLITE_INTEGER && isfinite(number))
		sqlite3_result_double(context, number);
}

int mp_functions_register_ascend(sqlite3 *handle)
{
	static const struct {
		const char *name;
		int args;
		void (*function)(sqlite3_context *context, int count, sqlite3_value **args);
	} scalars[] = {{"half_up", 2, half_up}, {"trimmed", 1, trimmed}, {"us", 1, us}, {"number_at", 3, number_at},
	    {"hex_int", 1, hex_int}, {"core_us", 4, core_us}, {"trace_pid", 3, trace_pid},
	    {"trace_process", 1, trace_process}, {"has_bit", 2, has_bit}, {"double_of", 1, double_of},
	    {"text_hash", 1, text_hash}};
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, status = SQLITE_OK;

	for (size_t i = 0; !status && i < sizeof(scalars) / sizeof(scalars[0]); i++)
		status = sqlite3_create_function(
		    handle, scalars[i].name, scalars[i].args, flags, NULL, scalars[i].function, NULL, NULL);
	return status;
}
