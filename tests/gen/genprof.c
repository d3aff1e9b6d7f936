/*
 * genprof.c: writes a PROF directory like a recorder of today's generation, for tests and benchmarks: 8 records a task,
 * and with --samples one file for each smaller kind. Records are encoded by the layouts that msprof decodes with. Every
 * number is made up.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/schema.h"
#include "random.h"
#include "raw/encode.h"

enum { EXIT_USAGE = 2, SLOT_MAX = 16, DEVICES_MAX = 64, STREAMS_MAX = 2047 };

/* Clocks at the beginning, which the seed moves: the host counts 10 ns, the device 20 ns. */
static uint64_t mono_ns = 1000000000000, host_count = 100000000000, device_count = 50000000000,
		wall_us = 1700000000000000;

struct gen {
	const char *out;
	long tasks, streams, devices, threads, names, types, slices, seed;
	bool samples, help;
	struct mp_layouts layouts;
	struct gen_random random;
	struct mp_error err;
};

/* One raw file and the encoder of its records. */
struct stream {
	struct gen *gen;
	FILE *file;
	struct mp_encoder encoder;
	char path[4096];
};

static FILE *create(struct gen *g, const char *name)
{
	char path[4096];
	int fd;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", g->out, name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f) {
		fprintf(stderr, "genprof: cannot create '%s': %s\n", path, strerror(errno));
		exit(1);
	}
	return f;
}

static void finish(FILE *f, const char *name)
{
	if (ferror(f) || fclose(f)) {
		fprintf(stderr, "genprof: cannot write '%s'\n", name);
		exit(1);
	}
}

__attribute__((format(printf, 3, 4))) static void write_text(struct gen *g, const char *name, const char *fmt, ...)
{
	FILE *f = create(g, name);
	va_list args;

	va_start(args, fmt);
	vfprintf(f, fmt, args);
	va_end(args);
	finish(f, name);
}

/* `fields` are names separated by blanks, which become the slots in this order. */
static void open_stream(struct stream *s, struct gen *g, const char *name, const char *layout, const char *fields)
{
	char copy[512], *names[SLOT_MAX], *at = copy;
	int count = 0;

	snprintf(copy, sizeof(copy), "%s", fields);
	while (count < SLOT_MAX && (names[count] = strtok_r(count ? NULL : copy, " ", &at)))
		count++;
	s->gen = g;
	snprintf(s->path, sizeof(s->path), "%s", name);
	s->file = create(g, name);
	if (mp_encoder_init(&s->encoder, &g->layouts, layout, (const char *const *)names, count, &g->err)) {
		fprintf(stderr, "genprof: %s\n", g->err.text);
		exit(1);
	}
}

static void put(struct stream *s, int count, const uint64_t *values)
{
	unsigned char record[MP_RECORD_SIZE_MAX];

	mp_encoder_begin(&s->encoder, record);
	for (int i = 0; i < count; i++)
		mp_encoder_number(&s->encoder, i, values[i]);
	fwrite(record, 1, s->encoder.layout->size, s->file);
}

#define PUT(s, ...) put(s, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

static void close_stream(struct stream *s)
{
	char done[4200];
	long size = ftell(s->file);

	if (mp_encoder_check(&s->encoder, &s->gen->err)) {
		fprintf(stderr, "genprof: %s\n", s->gen->err.text);
		exit(1);
	}
	finish(s->file, s->path);
	snprintf(done, sizeof(done), "%s.done", s->path);
	write_text(s->gen, done, "filesize:%ld\n", size);
}

static void write_part(struct gen *g, const char *part, const char *number, const char *device)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/info.json%s", part, number);
	write_text(g, name,
	    "{\"version\":\"1.0\",\"platform_version\":\"5\",\"pid\":\"4242\",\"pid_name\":\"made_up\",\"hostname\":\"node0\",\"hostUid\":\"1\","
	    "\"rank_id\":-1,\"CPU\":[{\"Id\":0,\"Frequency\":\"100.000000\"}],\"DeviceInfo\":[%s]}\n",
	    device);
	snprintf(name, sizeof(name), "%s/start_info%s", part, number);
	write_text(g, name, "{\"collectionTimeBegin\":\"%llu\",\"clockMonotonicRaw\":\"%llu\"}\n",
	    (unsigned long long)wall_us, (unsigned long long)mono_ns);
	snprintf(name, sizeof(name), "%s/end_info%s", part, number);
	write_text(g, name, "{\"collectionTimeEnd\":\"%llu\"}\n",
	    (unsigned long long)(wall_us + (uint64_t)g->tasks * 12 + 1000000));
	snprintf(name, sizeof(name), "%s/host_start.log%s", part, number);
	write_text(g, name, "[Host]\nclock_realtime:%llu\nclock_monotonic_raw:%llu\ncntvct:%llu\n",
	    (unsigned long long)wall_us * 1000, (unsigned long long)mono_ns, (unsigned long long)host_count);
	snprintf(name, sizeof(name), "%s/sample.json", part);
	write_text(g, name,
	    "{\"ai_core_metrics\":\"PipeUtilization\",\"ai_core_profiling_events\":\"0x416,0x417,0x9,0x302,0xc,0x303,0x54,0x55\","
	    "\"aiv_profiling_events\":\"0x8,0xa,0x9,0xb,0xc,0xd,0x54,0x55\",\"llc_profiling\":\"read\"}\n");
}

static const uint64_t name_hash = 8000000000000000001,
		      type_hash = 17000000000000000001u; /* the second needs all 64 bits */

static void write_words(struct gen *g)
{
	FILE *f = create(g, "host/data/unaging.additional.hash_dic.slice_0");

	for (long i = 0; i < g->types; i++)
		fprintf(f, "%llu:Op%ld\n", (unsigned long long)type_hash + (unsigned long)i, i);
	for (long i = 0; i < g->names; i++)
		fprintf(f, "%llu:layer%ld:Op%ld\n", (unsigned long long)name_hash + (unsigned long)i, i, i % g->types);
	finish(f, "hash_dic");
	write_text(g, "host/data/unaging.additional.hash_dic.slice_0.done", "%s", "");
	f = create(g, "host/data/unaging.additional.type_info_dic.slice_0");
	for (long i = 0; i < g->types; i++)
		fprintf(f, "20000_%ld:aclnnOp%ld\n", 0x050001 + i, i);
	fputs("10000_5:launch\n5000_0:KERNEL_AICORE\n5000_11:KernelLaunch\n", f);
	finish(f, "type_info_dic");
	write_text(g, "host/data/unaging.additional.type_info_dic.slice_0.done", "%s", "");
}

/* The files of tasks: those of the host, and of each device. */
struct task_files {
	struct stream api, track, node, log[DEVICES_MAX], pmu[DEVICES_MAX];
};

__attribute__((format(printf, 5, 6))) static void open_slice(
    struct stream *s, struct gen *g, const char *layout, const char *fields, const char *fmt, ...)
{
	char name[128];
	va_list args;

	va_start(args, fmt);
	vsnprintf(name, sizeof(name), fmt, args);
	va_end(args);
	open_stream(s, g, name, layout, fields);
}

static void open_files(struct task_files *f, struct gen *g, long slice)
{
	open_slice(&f->api, g, "prof.api", "level type thread_id begin end item_id",
	    "host/data/unaging.api_event.data.slice_%ld", slice);
	open_slice(&f->track, g, "prof.task_track",
	    "level type thread_id data_len stamp stream_id task_id kernel_name device_id",
	    "host/data/unaging.compact.task_track.slice_%ld", slice);
	open_slice(&f->node, g, "prof.node_basic_info", "level thread_id data_len stamp op_name op_type block_num",
	    "host/data/unaging.compact.node_basic_info.slice_%ld", slice);
	for (long d = 0; d < g->devices; d++) {
		open_slice(&f->log[d], g, "prof.acsq", "end stream_id task_id counter",
		    "device_%ld/data/stars_soc.data.%ld.slice_%ld", d, d, slice);
		open_slice(&f->pmu[d], g, "prof.task_pmu",
		    "stream_id task_id total_cycles pmu0 pmu1 pmu2 pmu3 pmu4 pmu5 pmu6 pmu7 begin end",
		    "device_%ld/data/ffts_profile.data.%ld.slice_%ld", d, d, slice);
	}
}

static void close_files(struct task_files *f, const struct gen *g)
{
	close_stream(&f->api);
	close_stream(&f->track);
	close_stream(&f->node);
	for (long d = 0; d < g->devices; d++) {
		close_stream(&f->log[d]);
		close_stream(&f->pmu[d]);
	}
}

/* Times like in the reference's benchmark: 6 us from task to task, two threads. */
static void write_task(struct task_files *f, struct gen *g, long i)
{
	uint64_t at = host_count + 100000 + (uint64_t)i * 600, thread = 4242 + (uint64_t)(i % g->threads);
	uint64_t op = (uint64_t)(i % g->names), type = op % (uint64_t)g->types, device = (uint64_t)(i % g->devices);
	uint64_t stream = (uint64_t)(i % g->streams), task = (uint64_t)(i / g->streams) & 0xffff;
	uint64_t start = device_count + 100000 + (uint64_t)i * 300;
	uint64_t end = start + 150 + gen_random_between(&g->random, 0, 140), cycles = (end - start) * 37 * 24;

	PUT(&f->api, 20000, 0x050001 + type, thread, at, at + 560 + gen_random_between(&g->random, 0, 30), 0);
	PUT(&f->api, 10000, 5, thread, at + 50, at + 500 + gen_random_between(&g->random, 0, 20), name_hash + op);
	PUT(&f->api, 5000, 11, thread, at + 200, at + 400 + gen_random_between(&g->random, 0, 20), 0);
	PUT(&f->track, 5000, 802, thread, 24, at + 300, stream, task, name_hash + op, device);
	PUT(&f->node, 10000, thread, 40, at + 490, name_hash + op, type_hash + type, 24);
	PUT(&f->log[device], 0, stream, task, start);
	PUT(&f->log[device], 1, stream, task, end);
	PUT(&f->pmu[device], stream, task, cycles, cycles / 4, cycles / 8, cycles / 3, cycles / 5, cycles / 6,
	    cycles / 7, 1000 + op, 10 + op, start + 2, end - 2);
}

static void write_tasks(struct gen *g)
{
	static struct task_files f; /* large */
	long next = 0;

	for (long slice = 0; slice < g->slices; slice++) {
		open_files(&f, g, slice);
		for (; next < g->tasks * (slice + 1) / g->slices; next++)
			write_task(&f, g, next);
		close_files(&f, g);
	}
}

/* Write one file for each smaller kind, with a few records. */
static void write_samples(struct gen *g)
{
	struct stream s;
	uint64_t tags[] = {0, 2, 3, 1}, events[] = {0, 1, 2, 0x13, 0x20, 0x22, 0x34, 0x36};

	open_stream(&s, g, "device_0/data/hbm.data.0.slice_0", "prof.hbm", "stamp_us count type hbm_id");
	for (uint64_t i = 1; i <= 10; i++)
		for (uint64_t hbm = 0; hbm < 2; hbm++) {
			PUT(&s, i * 1000, 32768 * (hbm + 1), 0, hbm);
			PUT(&s, i * 1000, 65536, 1, hbm);
		}
	close_stream(&s);
	open_stream(&s, g, "device_0/data/llc.data.0.slice_0", "prof.llc", "stamp_us count event l3t_id");
	for (uint64_t i = 1; i <= 4; i++)
		for (uint64_t event = 0; event < 8; event++)
			PUT(&s, i * 1000, 1024 * (event + 1), events[event], 1);
	close_stream(&s);
	open_stream(
	    &s, g, "device_0/data/pcie.data.0.slice_0", "prof.pcie", "stamp tx_p_min tx_p_max tx_p_avg rx_cpl_avg");
	PUT(&s, mono_ns + 1000, 10, 30, 20, 7);
	PUT(&s, mono_ns + 2000, 5, 50, 41, 8);
	close_stream(&s);
	open_stream(
	    &s, g, "device_0/data/npu_mem.data.0.slice_0", "prof.npu_mem", "stamp_us event ddr_bytes hbm_bytes");
	PUT(&s, 1, 0, 2048, 1536);
	PUT(&s, 2, 1, 0, 1 << 20);
	close_stream(&s);
	open_stream(
	    &s, g, "device_0/data/npu_module_mem.data.0.slice_0", "prof.npu_module_mem", "module_id stamp total_bytes");
	PUT(&s, 7, host_count + 100, 4096);
	close_stream(&s);
	open_stream(
	    &s, g, "device_0/data/l2_cache.data.0.slice_0", "prof.l2_cache", "stream_id task_id event0 event1 event2");
	PUT(&s, 0, 0, 75, 100, 5);
	close_stream(&s);
	open_stream(&s, g, "device_0/data/ts_track.data.0.slice_0", "prof.ts_step", "counter index_id model_id tag_id");
	for (uint64_t i = 0; i < 8; i++)
		PUT(&s, device_count + 1000 * (i + 1), 1 + i / 4, 1, tags[i % 4]);
	close_stream(&s);
	open_stream(&s, g, "host/data/unaging.additional.fusion_op_info.slice_0", "prof.fusion_op_info",
	    "level thread_id stamp fusion_name op_num input_bytes output_bytes total_bytes");
	PUT(&s, 10000, 4242, host_count, name_hash, 0, 1024, 2048, 3072);
	close_stream(&s);
}

static void make_directory(const struct gen *g, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", g->out, name);
	if (mkdir(path, 0750)) {
		fprintf(stderr, "genprof: cannot make '%s': %s\n", path, strerror(errno));
		exit(1);
	}
}

static void write_device(struct gen *g, long device)
{
	char part[32], name[64], text[160];

	snprintf(part, sizeof(part), "/device_%ld", device);
	make_directory(g, part);
	snprintf(name, sizeof(name), "%s/data", part);
	make_directory(g, name);
	snprintf(name, sizeof(name), ".%ld", device);
	snprintf(text, sizeof(text),
	    "{\"id\":%ld,\"ai_core_num\":24,\"aiv_num\":48,\"hwts_frequency\":\"50.000000\",\"aic_frequency\":\"1850\",\"aiv_frequency\":\"1850\"}",
	    device);
	write_part(g, part + 1, name, text);
	snprintf(name, sizeof(name), "device_%ld/dev_start.log.%ld", device, device);
	write_text(g, name, "clock_monotonic_raw:%llu\ncntvct:%llu\n", (unsigned long long)mono_ns,
	    (unsigned long long)device_count);
}

static const char usage[] = "usage: genprof --out DIR [options]\n"
			    "Writes a PROF directory of made-up data to DIR, which must not exist.\n\n"
			    "  --tasks N    tasks of all devices (default: 40)\n"
			    "  --streams N  streams that they run on, at most 2047 (default: 8)\n"
			    "  --devices N  devices that they run on in turn, at most 64 (default: 1)\n"
			    "  --threads N  threads that launch them in turn (default: 2)\n"
			    "  --names N    names of operators (default: 500)\n"
			    "  --types N    types of operators (default: 10)\n"
			    "  --slices N   files that each kind of records is divided into (default: 1)\n"
			    "  --seed N     other durations and clocks (default: 1)\n"
			    "  --samples    also one file of each of the smaller kinds of data\n"
			    "  --help       this text\n";

static int parse(struct gen *g, int argc, char **argv)
{
	static const struct option table[] = {{"out", 1, NULL, 'o'}, {"tasks", 1, NULL, 't'}, {"streams", 1, NULL, 's'},
	    {"devices", 1, NULL, 'd'}, {"threads", 1, NULL, 'r'}, {"names", 1, NULL, 'n'}, {"types", 1, NULL, 'y'},
	    {"slices", 1, NULL, 'l'}, {"seed", 1, NULL, 'e'}, {"samples", 0, NULL, 'm'}, {"help", 0, NULL, 'h'},
	    {NULL, 0, NULL, 0}};
	const struct {
		int option;
		long *value, high;
	} numbers[] = {{'t', &g->tasks, LONG_MAX / 1024}, {'s', &g->streams, STREAMS_MAX},
	    {'d', &g->devices, DEVICES_MAX}, {'r', &g->threads, INT_MAX}, {'n', &g->names, INT_MAX},
	    {'y', &g->types, 0xffff}, {'l', &g->slices, 0xffff}, {'e', &g->seed, INT_MAX}};
	int c;

	while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
		if (c == 'o')
			g->out = optarg;
		else if (c == 'm')
			g->samples = true;
		else if (c == 'h')
			g->help = true;
		else if (c == '?')
			return -1;
		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
			if (numbers[i].option == c) {
				*numbers[i].value = strtol(optarg, NULL, 10);
				if (*numbers[i].value < 1 || *numbers[i].value > numbers[i].high)
					return -1;
			}
	}
	return g->help || (g->out && optind == argc) ? 0 : -1;
}

static void move_clocks(uint64_t seconds)
{
	mono_ns += seconds * 1000000000;
	wall_us += seconds * 1000000;
	host_count += seconds * 100000000;
	device_count += seconds * 50000000;
}

int main(int argc, char **argv)
{
	struct gen g = {
	    .tasks = 40, .streams = 8, .devices = 1, .threads = 2, .names = 500, .types = 10, .slices = 1, .seed = 1};

	if (parse(&g, argc, argv)) {
		fputs("Try 'genprof --help'.\n", stderr);
		return EXIT_USAGE;
	}
	if (g.help) {
		fputs(usage, stdout);
		return 0;
	}
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 &&
		    mp_layouts_parse(&g.layouts, f->path + 8, f->text, &g.err)) {
			fprintf(stderr, "genprof: %s\n", g.err.text);
			return 1;
		}
	gen_random_init(&g.random, (uint64_t)g.seed, 0);
	move_clocks((uint64_t)(g.seed - 1) % 10007 * 3607);
	make_directory(&g, "");
	make_directory(&g, "/host");
	make_directory(&g, "/host/data");
	write_part(&g, "host", "", "");
	for (long d = 0; d < g.devices; d++)
		write_device(&g, d);
	write_words(&g);
	write_tasks(&g);
	if (g.samples)
		write_samples(&g);
	mp_layouts_free(&g.layouts);
	return 0;
}
