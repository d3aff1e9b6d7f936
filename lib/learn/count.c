/* count.c: the durations of units in counts of a clock, and what a count is. */
#include <stdio.h>

#include "learn/search.h"

struct mp_scales mp_times_scales(const struct mp_units *units, size_t unit_of_row, enum mp_unit unit)
{
	long double core = (long double)units->raw->parts[units->items[unit_of_row].part].core_mhz;
	long double ns = 0;

	if (unit == MP_UNIT_NS)
		ns = 1;
	else if (unit == MP_UNIT_US)
		ns = 1000;
	else if (unit >= MP_UNIT_MHZ)
		ns = 1000.0L / (long double)(unit - MP_UNIT_MHZ + 1);
	else if (core > 0 && (unit == MP_UNIT_TICK100 || unit == MP_UNIT_CYCLE))
		ns = (unit == MP_UNIT_TICK100 ? 100000.0L : 1000.0L) / core;
	return (struct mp_scales){.ns = ns, .cycles = ns * core / 1000};
}

const char *mp_times_unit(char text[16], enum mp_unit unit)
{
	static const char *const names[] = {"ns", "us", "tick100", "counter", "host", "cycle"};

	if (unit >= MP_UNIT_MHZ)
		snprintf(text, 16, "%dmhz", (int)(unit - MP_UNIT_MHZ) + 1);
	else
		snprintf(text, 16, "%s", names[unit]);
	return text;
}

bool mp_times_count(const struct mp_times *times, const struct mp_units *units, size_t unit, int64_t *count)
{
	int64_t start = 0, end;

	if (!mp_unit_read(units, unit, times->end, &end))
		return false;
	if (!times->single && !mp_unit_read(units, unit, times->start, &start))
		return false;
	*count = end - start;
	if (!times->single && times->end.type == MP_TYPE_U32 && *count < 0)
		*count += INT64_C(1) << 32;
	return *count >= 0;
}
