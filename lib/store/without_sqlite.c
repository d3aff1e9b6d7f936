/*
 * without_sqlite.c: stands for modules of SQLite that no statement of msprof uses, and for the functions of angles that
 * SQLite offers, in a static program. The linker takes these functions before those of the libraries, so modules and
 * tables stay out. A SQLite that asks for no such function ignores it.
 */
#include <math.h>

#define NO_FUNCTION(function)                                                                                          \
	double function(double x)                                                                                      \
	{                                                                                                              \
		(void)x;                                                                                               \
		return NAN; /* NULL, to SQLite */                                                                      \
	}

NO_FUNCTION(acos)
NO_FUNCTION(acosh)
NO_FUNCTION(asin)
NO_FUNCTION(asinh)
NO_FUNCTION(atan)
NO_FUNCTION(atanh)
NO_FUNCTION(cos)
NO_FUNCTION(cosh)
NO_FUNCTION(sin)
NO_FUNCTION(sinh)
NO_FUNCTION(tan)
NO_FUNCTION(tanh)

double atan2(double y, double x)
{
	(void)y;
	(void)x;
	return NAN;
}

#define NO_MODULE(function)                                                                                            \
	int function(void *handle);                                                                                    \
	int function(void *handle)                                                                                     \
	{                                                                                                              \
		(void)handle;                                                                                          \
		return 0; /* SQLITE_OK */                                                                              \
	}

NO_MODULE(sqlite3Fts3Init)
NO_MODULE(sqlite3Fts5Init)
NO_MODULE(sqlite3RtreeInit)
NO_MODULE(sqlite3StmtVtabInit)
NO_MODULE(sqlite3DbstatRegister)
