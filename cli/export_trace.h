/* export_trace.h: the merged trace of a job as a file. */
#ifndef EXPORT_TRACE_H
#define EXPORT_TRACE_H

#include "command.h"
#include "trace/trace.h"

struct trace_file {
	struct mp_db *db;
	const char *reports; /* the folder of its reports, and their family */
	const char *family;
	const char *stem; /* the name of the file without its ending */
	int dirfd;
	const char *label; /* the directory of the file, for messages */
	enum mp_trace_format format;
	bool gzip;                                   /* JSON is compressed */
	int threads;                                 /* that compress */
	const struct mp_timeline_progress *progress; /* or NULL */
	struct mp_timeline_stats stats;              /* result */
};

/* Which merged trace is wanted beside the files of the timeline, or in place of them. */
struct trace_choice {
	bool merged, files; /* write the merged trace, and the files */
	enum mp_trace_format format;
};
struct trace_choice export_trace_choice(const struct options *options, const char *family);

/* Write the file, unless there is no event. Returns 1 when written, 0 without an event, -1 with err. */
int export_trace(struct trace_file *f, struct mp_error *err);

#endif
