/*
 * without_angles.c: stands for functions of angles that SQLite offers and no statement of msprof uses, in a static
 * program. The linker takes these functions before those of the C library, whose tables stay out.
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
