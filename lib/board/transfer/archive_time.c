/*
 * archive_time.c: times of entries as 64 bits. libarchive's functions have a time_t, which has 32 bits in the library
 * of some processors. The Makefile compiles this file as that library was compiled, whatever time_t is elsewhere.
 */
#include <archive_entry.h>

#include "board/transfer/archive.h"

int64_t mp_archive_mtime(struct archive_entry *entry)
{
	return archive_entry_mtime_is_set(entry) ? archive_entry_mtime(entry) : 0;
}

void mp_archive_set_mtime(struct archive_entry *entry, int64_t mtime_s)
{
	time_t time = (time_t)mtime_s;

	archive_entry_set_mtime(entry, time == mtime_s ? time : 0, 0);
}
