/* rows_support.h: the job of store_support.h, imported, and a sink for what is written of its rows. */
#ifndef MP_TESTS_ROWS_SUPPORT_H
#define MP_TESTS_ROWS_SUPPORT_H

#include "out_support.h"
#include "store_support.h"

#define SQL(s)                                                                                                         \
	{                                                                                                              \
		.text = s, .len = sizeof(s) - 1                                                                        \
	}

static struct mp_db *db;
static struct sink sink;
static struct mp_error err;

static inline int rows_setup(void **state)
{
	if (job_setup(state))
		return -1;
	db = import_private(*state);
	assert_ok(
	    mp_db_run(db, "DELETE FROM note", &err), &err); /* traces have notes, too: only rows shall be in them */
	sink_open(&sink);
	return 0;
}

static inline int rows_teardown(void **state)
{
	sink_close(&sink);
	mp_db_close(db);
	return job_teardown(state);
}

#endif
