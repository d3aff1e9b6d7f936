/*
 * functions.c: the SQL functions that reports need beyond SQLite's own.
 *   decimal(num, den, places)  num/den, exact, rounded half to even
 *   total_int(x)               the sum of integers; saturates instead of failing
 *   float_sum(x)               the sum of doubles in order, without the compensation of errors that sum() may use
 *   rounded(x, places)         x rounded to `places` decimals, half to even, as a double
 *   fixed(x, places)           x as text with `places` decimals
 *   repr(x)                    the shortest text that reads back as x
 *   pick(i, v0, v1, ...)       the value vi, or NULL when not found
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/wide.h"
#include "store/connection.h"

enum { FIXED_SIZE = 400 }; /* the largest double has 309 digits */

static void decimal(sqlite3_context *context, int count, sqlite3_value **args)
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

static void total_step(sqlite3_context *context, int count, sqlite3_value **args)
{
	struct total *t = sqlite3_aggregate_context(context, sizeof(*t));
	int64_t v;

	(void)count;
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

static void float_step(sqlite3_context *context, int count, sqlite3_value **args)
{
	double *sum = sqlite3_aggregate_context(context, sizeof(*sum));

	(void)count;
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

static void rounded(sqlite3_context *context, int count, sqlite3_value **args)
{
	char text[FIXED_SIZE];

	(void)count;
	if (format_fixed(text, args))
		sqlite3_result_double(context, strtod(text, NULL));
}

static void fixed(sqlite3_context *context, int count, sqlite3_value **args)
{
	char text[FIXED_SIZE];

	(void)count;
	if (format_fixed(text, args))
		sqlite3_result_text(context, text, -1, SQLITE_TRANSIENT);
}

static void repr(sqlite3_context *context, int count, sqlite3_value **args)
{
	char text[MP_NUMBER_SIZE];

	(void)count;
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

static void pick(sqlite3_context *context, int count, sqlite3_value **args)
{
	int64_t number;

	if (count < 1 || sqlite3_value_type(args[0]) != SQLITE_INTEGER)
		return;
	number = sqlite3_value_int64(args[0]);
	if (number >= 0 && number < count - 1)
		sqlite3_result_value(context, args[number + 1]);
}

int mp_functions_register(sqlite3 *handle)
{
	static const struct {
		const char *name;
		int args;
		void (*function)(sqlite3_context *context, int count, sqlite3_value **args);
	} scalars[] = {{"decimal", 3, decimal}, {"rounded", 2, rounded}, {"fixed", 2, fixed}, {"repr", 1, repr},
	    {"pick", -1, pick}};
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, status = SQLITE_OK;

	for (size_t i = 0; !status && i < sizeof(scalars) / sizeof(scalars[0]); i++)
		status = sqlite3_create_function(
		    handle, scalars[i].name, scalars[i].args, flags, NULL, scalars[i].function, NULL, NULL);
	if (!status)
		status = mp_functions_register_ascend(handle);
	if (!status)
		status = mp_numbers_register(handle);
	if (!status)
		status = sqlite3_create_function(handle, "float_sum", 1, flags, NULL, NULL, float_step, float_final);
	if (status)
		return status;
	return sqlite3_create_function(handle, "total_int", 1, flags, NULL, NULL, total_step, total_final);
}
