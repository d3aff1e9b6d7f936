/*
 * fuzz_info.c: any bytes as info.json.0. The job always opens, unless msprof 0.9 recorded it; when the content is
 * accepted, an import succeeds.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/text.h"
#include "raw/job.h"
#include "import/import.h"

static char directory[256];

static void remove_directory(void)
{
	char path[300];

	snprintf(path, sizeof(path), "%s/info.json.0", directory);
	unlink(path);
	snprintf(path, sizeof(path), "%s/data", directory);
	rmdir(path);
	rmdir(directory);
}

static void make_directory(void)
{
	char path[sizeof(directory) + 32];

	temp_path(directory, sizeof(directory), "fuzz_info.XXXXXX");
	CHECK(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/data", directory);
	CHECK(mkdir(path, 0700) == 0);
	atexit(remove_directory);
}

static void write_info(const uint8_t *data, size_t size)
{
	char path[300];
	FILE *f;

	snprintf(path, sizeof(path), "%s/info.json.0", directory);
	f = fopen(path, "we");
	CHECK(f && fwrite(data, 1, size, f) == size);
	CHECK(fclose(f) == 0);
}

static void check_import(const struct mp_job *job)
{
	const struct mp_import_options options = {.tool_version = "fuzz"};
	struct mp_error err = {.text = ""};
	struct mp_db *db;

	if (mp_import_private(&db, job, embedded_layouts(), &options, &err)) {
		fprintf(stderr, "import: %s\n", err.text);
		abort();
	}
	mp_db_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_error err = {.text = ""};
	const struct mp_device *d;
	struct mp_job *job;

	if (!directory[0])
		make_directory();
	write_info(data, size);
	if (mp_job_open(&job, directory, embedded_layouts(), NULL, &err)) {
		CHECK(strstr(err.text, "recorded before msprof 0.9"));
		return 0;
	}
	d = mp_job_device(job, 0);
	CHECK(d && strcmp(d->info.name, "info.json.0") == 0);
	CHECK(!d->info_text == !!d->info.damage);
	CHECK(d->info.size == (int64_t)size);
	CHECK(!job->soc == (job->family != MP_FAMILY_SVP));
	CHECK(d->clock.core_mhz >= 0 && d->clock.core_mhz <= 1000000);
	if (d->info_text) {
		CHECK(mp_utf8_valid(d->info_text, strlen(d->info_text)));
		check_import(job);
	}
	mp_job_close(job);
	return 0;
}
