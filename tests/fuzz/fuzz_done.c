/*
 * fuzz_done.c: any bytes as texts of .done markers, beside a file of the AI Core that inferences share, or that one
 * has. The first byte selects the chip, two more the size of the file; what follows it are markers, each behind a byte
 * with its length. The import succeeds, accounts for every byte, and gives each inference its own records and times.
 */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "import/import.h"
#include "raw/job.h"

enum { MARKERS_MAX = 6 };

static const char *const infos[] = {"{\"DeviceInfo\": [{\"aic_frequency\": \"700\"}]}",
    "{\"DeviceInfo\": [{\"aic_frequency\": \"700\"},{\"magic_num\": \"6A6A\"}]}",
    "{\"DeviceInfo\": [{\"aic_frequency\": \"701\"},{\"soc_version\": \"V200\"}]}"};

static char directory[256], data_directory[sizeof(directory) + 8];

/* The job has no directory but data/, and no hidden file. */
static void empty(const char *path)
{
	char name[sizeof(data_directory) + 256];
	DIR *dir = opendir(path);
	struct dirent *entry;

	CHECK(dir);
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' && strcmp(entry->d_name, "data") != 0) {
			snprintf(name, sizeof(name), "%s/%.255s", path, entry->d_name);
			CHECK(unlink(name) == 0);
		}
	closedir(dir);
}

static void remove_directory(void)
{
	empty(data_directory);
	empty(directory);
	rmdir(data_directory);
	rmdir(directory);
}

static void make_directory(void)
{
	temp_path(directory, sizeof(directory), "fuzz_done.XXXXXX");
	CHECK(mkdtemp(directory));
	snprintf(data_directory, sizeof(data_directory), "%s/data", directory);
	CHECK(mkdir(data_directory, 0700) == 0);
	atexit(remove_directory);
}

static void put(const char *path, const char *name, const void *bytes, size_t size)
{
	char whole[sizeof(data_directory) + 128];
	FILE *f;

	snprintf(whole, sizeof(whole), "%s/%s", path, name);
	f = fopen(whole, "we");
	CHECK(f && fwrite(bytes, 1, size, f) == size);
	CHECK(fclose(f) == 0);
}

/* Write the file and its markers. On a chip with a file for each inference only the first has one. */
static void write_job(const uint8_t *data, size_t size)
{
	unsigned chip = data[0] % 3;
	size_t at = 3, raw = data[1] | (size_t)data[2] << 8;
	char name[64];

	raw = raw < size - at ? raw : size - at;
	put(directory, "info.json.0", infos[chip], strlen(infos[chip]));
	put(data_directory, chip ? "aicore.0.256.1" : "aicore.0.m0.16.0.256.1.0", data + at, raw);
	at += raw;
	for (int i = 0; i < MARKERS_MAX && at < size; i++) {
		size_t len = data[at++];

		len = len < size - at ? len : size - at;
		snprintf(name, sizeof(name), chip ? "aicore.0.m%d.0.256.1.%d.done" : "aicore.0.m%d.16.0.256.1.%d.done",
		    i % 2, i);
		put(data_directory, name, data + at, len);
		at += len;
	}
}

static void check(struct mp_db *db, const char *sql)
{
	struct mp_error err = {.text = ""};
	int64_t wrong;

	if (mp_db_number(db, sql, -1, &wrong, &err) || wrong) {
		fprintf(stderr, "%s: %lld %s\n", sql, (long long)wrong, err.text);
		abort();
	}
}

static void check_database(struct mp_db *db)
{
	check(db, "SELECT count(*) FROM (SELECT 1 FROM source WHERE state = 'raw' GROUP BY file"
		  " HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes) OR min(size) <> max(size))");
	/* the rows of inferences are all tasks, once and in order */
	check(db, "SELECT (SELECT coalesce(sum(records), 0) FROM source WHERE target = 'aicore_task')"
		  " <> (SELECT count(*) FROM aicore_task)");
	check(db,
	    "SELECT count(*) FROM (SELECT first_row, last_row, records, lag(last_row, 1, 0) OVER (ORDER BY id) AS before"
	    " FROM source WHERE target = 'aicore_task' AND state = 'raw')"
	    " WHERE first_row <> before + 1 OR last_row - first_row + 1 <> records");
	/* tasks of an inference follow each other */
	check(db, "SELECT count(*) FROM source s JOIN aicore_task a ON a.rowid BETWEEN s.first_row AND s.last_row - 1"
		  " JOIN aicore_task b ON b.rowid = a.rowid + 1"
		  " WHERE s.target = 'aicore_task' AND b.start_ns <> a.start_ns + a.dur_ns");
	check(db,
	    "SELECT count(*) FROM aicore_task WHERE start_ns < 0 OR dur_ns < 0 OR start_ns IS NULL OR dur_ns IS NULL");
	/* and begin when the marker says */
	check(db, "SELECT count(*) FROM source s JOIN aicore_task a ON a.rowid = s.first_row WHERE s.records > 0"
		  " AND (SELECT count(*) FROM marker_value m WHERE m.source_id = s.id AND m.key = 'start_time') = 1"
		  " AND a.start_ns NOT IN (SELECT m.value * 1000 FROM marker_value m WHERE m.source_id = s.id"
		  " AND m.key = 'start_time' AND typeof(m.value) = 'integer' AND m.value BETWEEN 0 AND 2147483647)"
		  " AND EXISTS (SELECT 1 FROM marker_value m WHERE m.source_id = s.id AND m.key = 'start_time'"
		  " AND typeof(m.value) = 'integer' AND m.value BETWEEN 0 AND 2147483647)"
		  " AND NOT EXISTS (SELECT 1 FROM note WHERE text LIKE '%tells their start%')");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_import_options options = {.tool_version = "fuzz"};
	struct mp_error err = {.text = ""};
	struct mp_job *job;
	struct mp_db *db;

	if (size < 3)
		return -1;
	if (!directory[0])
		make_directory();
	empty(data_directory);
	write_job(data, size);
	CHECK(mp_job_open(&job, directory, embedded_layouts(), NULL, &err) == 0);
	if (mp_import_private(&db, job, embedded_layouts(), &options, &err)) {
		fprintf(stderr, "import: %s\n", err.text);
		abort();
	}
	check_database(db);
	mp_db_close(db);
	mp_job_close(job);
	return 0;
}
