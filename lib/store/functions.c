/*
 * functions.c: the SQL functions that reports need beyond SQLite's own.
 *   decimal(num, den, places)  num/den, exact, rounded half to even
 *   total_int(x)               sum of integers that saturates instead of failing
 */
#include "store/db_internal.h"

static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

/*
 * An integer where the value is whole, else the double nearest to the decimal,
 * whose shortest text is the decimal. NULL when an argument is NULL or den is 0.
 */
static void decimal(sqlite3_context *context, int count, sqlite3_value **args)
{
	int64_t num = sqlite3_value_int64(args[0]), den = sqlite3_value_int64(args[1]);
	int places = sqlite3_value_int(args[2]);
	__int128 scaled, quotient, rest;

	(void)count;
	for (int i = 0; i < 3; i++)
		if (sqlite3_value_type(args[i]) == SQLITE_NULL)
			return;
	if (den == 0 || places < 0 || places > 6)
		return;
	scaled = (__int128)num * powers[places] * (den < 0 ? -1 : 1);
	den = den == INT64_MIN ? INT64_MAX : den < 0 ? -den : den;
	quotient = scaled / den;
	rest = scaled % den;
	if (rest < 0) { /* floor, so that the rest is 0..den-1 */
		rest += den;
		quotient--;
	}
	if (rest > den - rest || (rest == den - rest && (quotient & 1)))
		quotient++;
	if (quotient % powers[places] == 0 && quotient / powers[places] <= INT64_MAX &&
	    quotient / powers[places] >= INT64_MIN)
		sqlite3_result_int64(context, (int64_t)(quotient / powers[places]));
	else
		sqlite3_result_double(context, (double)quotient / (double)powers[places]);
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

int mp_functions_register(sqlite3 *handle)
{
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int status = sqlite3_create_function(handle, "decimal", 3, flags, NULL, decimal, NULL, NULL);

	if (status)
		return status;
	return sqlite3_create_function(handle, "total_int", 1, flags, NULL, NULL, total_step, total_final);
}
