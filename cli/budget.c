/* budget.c: sets resource limits above what the process uses at the start. Knows no job. */
#include "process.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/number.h"

enum { OUTPUT_LEAST_MIB = 1024, OUTPUT_TIMES = 100, MIB_MAX = 1 << 24, PATIENCE_MAX = 100000 };

static struct {
	bool set;
	struct rlimit before;
	char advice[128];
	bool file_set;
	struct rlimit file_before;
	int64_t output_mib; /* 0: no limit; -1: depends on the size of the input */
} budget;

int budget_patience(int *percent, struct mp_error *err)
{
	int64_t number;
	int status = mp_number_setting("MSPROF_BOARD_PATIENCE", "percent", 1, PATIENCE_MAX, 100, &number, err);

	*percent = (int)number;
	return status;
}

/* Bytes of private memory that the process uses now: sanitizers reserve much more than any budget. */
static rlim_t used_bytes(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (!f)
		return 0;
	if (fscanf(f, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
		pages = 0;
	fclose(f); /* read only */
	return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

int budget_begin(int64_t memory_mib, int64_t output_mib, struct mp_error *err)
{
	struct rlimit limit;
	int64_t mib;

	if (mp_number_setting("MSPROF_MAX_MEMORY", "MiB", 0, MIB_MAX, memory_mib, &mib, err) ||
	    mp_number_setting("MSPROF_MAX_OUTPUT", "MiB", 0, MIB_MAX, output_mib, &budget.output_mib, err))
		return -1;
	if (!mib || getrlimit(RLIMIT_DATA, &budget.before)) /* 0: no budget */
		return 0;
	limit = budget.before;
	limit.rlim_cur = used_bytes() + ((rlim_t)mib << 20);
	if (limit.rlim_cur >= budget.before.rlim_cur || setrlimit(RLIMIT_DATA, &limit))
		return 0; /* a smaller limit holds already */
	budget.set = true;
	snprintf(budget.advice, sizeof(budget.advice),
	    "; msprof may use %lld MiB: for a job that you trust, set MSPROF_MAX_MEMORY to more", (long long)mib);
	return 0;
}

void budget_end(void)
{
	if (budget.set)
		setrlimit(RLIMIT_DATA, &budget.before); /* a raise to an earlier limit cannot fail */
	budget.set = false;
}

int64_t budget_output(int64_t from_bytes)
{
	int64_t bytes;

	if (budget.output_mib >= 0)
		return budget.output_mib ? budget.output_mib << 20 : INT64_MAX;
	if (__builtin_mul_overflow(from_bytes, OUTPUT_TIMES, &bytes) ||
	    __builtin_add_overflow(bytes, (int64_t)OUTPUT_LEAST_MIB << 20, &bytes))
		return INT64_MAX;
	return bytes;
}

static volatile sig_atomic_t budget_file_full;

static void note_full(int number)
{
	(void)number;
	budget_file_full = 1;
}

/* A write beyond the limit fails with EFBIG and raises SIGXFSZ, which tells that the limit is the reason. */
void budget_database_begin(int64_t from_bytes)
{
	int64_t bytes = budget_output(from_bytes);
	struct sigaction full = {.sa_handler = note_full, .sa_flags = SA_RESTART};
	struct rlimit limit;

	budget_file_full = 0;
	if (bytes == INT64_MAX || getrlimit(RLIMIT_FSIZE, &budget.file_before))
		return;
	limit = budget.file_before;
	limit.rlim_cur = (rlim_t)bytes;
	sigaction(SIGXFSZ, &full, NULL);
	budget.file_set = limit.rlim_cur < budget.file_before.rlim_cur && !setrlimit(RLIMIT_FSIZE, &limit);
}

void budget_database_end(void)
{
	signal(SIGXFSZ, SIG_IGN);
	if (budget.file_set)
		setrlimit(RLIMIT_FSIZE, &budget.file_before); /* a raise to an earlier limit cannot fail */
	budget.file_set = false;
}

const char *budget_advice(enum mp_error_kind kind)
{
	/* the signal tells whether a write failed because of the limit */
	if (kind == MP_ERROR_LIMIT || (kind == MP_ERROR_DISK && budget_file_full))
		return ": for a job that you trust, set MSPROF_MAX_OUTPUT to more";
	return kind == MP_ERROR_MEMORY && budget.set ? budget.advice : "";
}
