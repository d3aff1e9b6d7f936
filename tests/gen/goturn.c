/*
 * goturn.c: turns a published table of task times back into a JOB directory of an SS928, so that an export of the job
 * can be compared with the output of the vendor's tool. The table is an argument; this program contains none of it.
 */
#include "goturn.h"

#include <stdio.h>
#include <string.h>

#include "jobdir.h"
#include "model_info.h"

/* A cell that is too long for the name of a layer is cut: none of the table is. */
enum { EXIT_USAGE = 2, LAYER_MAX = 64, PIECE_SIZE = 200 };

/* Misses in a million accesses, which is what the published name of the table says. */
enum { ICACHE_PPM = 1741, ACCESSES = 1000000 };

/* Moments in us: since 1970, and between the calls. */
#define EPOCH_US 1700000000000000u
enum { LOAD_US = 340000, INFERENCE_US = 350030, PID = 2417 };

static const struct gen_identity identity = {"goturn_nuquant", 0, 11, 256, 1, 0, 16};

static const char usage[] = "usage: goturn TABLE JOB\n"
			    "Makes the directory JOB with counters that print as the op_summary TABLE\n"
			    "(tab-separated, vendor's columns, total row first) at 700 MHz.\n";

static void put_task(struct gen_out *out, const struct gen_soc *soc, const struct goturn_row *row, uint32_t index)
{
	struct gen_core core = {.index = index, .ticks = (uint32_t)row->ticks};

	for (int c = 0; c < COUNTERS; c++)
		core.words[GEN_MAC_BUSY + c] = (uint32_t)row->value[c];
	core.words[GEN_DDR_READ] = (uint32_t)row->read;
	core.words[GEN_DDR_WRITE] = (uint32_t)row->write;
	gen_core_put(out, soc, &core);
}

static int write_tasks(const struct goturn_table *t, struct gen_job *job, struct gen_marker *m, struct mp_error *err)
{
	struct gen_file f = {{NULL, 0, 0, -1, 0}, ""};
	int64_t ticks = 0;
	int status = gen_file_open(&f, job, GEN_AICORE, &identity, err);

	for (int i = 0; i < t->count && !status; i++) {
		put_task(&f.out, job->soc, &t->rows[i], (uint32_t)i);
		ticks += t->rows[i].ticks;
	}
	m->begin_us = EPOCH_US + INFERENCE_US;
	m->end_us = m->begin_us + (uint64_t)ticks * GEN_CYCLES_PER_TICK / GOTURN_MHZ + 10;
	m->cache_mis = ICACHE_PPM;
	m->cache_hit = ACCESSES - ICACHE_PPM;
	if (!status) {
		m->bytes = gen_out_size(&f.out);
		status = gen_file_close(&f, job, err);
	}
	gen_out_free(&f.out);
	return status ? -1 : gen_marker_write(job, GEN_AICORE, &identity, m, err);
}

/* The three calls around the inference. */
static int write_calls(struct gen_job *job, const struct gen_marker *inference, struct mp_error *err)
{
	uint64_t end_us = inference->end_us + 12;
	const struct gen_call calls[] = {{GEN_LOAD, EPOCH_US, EPOCH_US + LOAD_US, PID, PID, 11},
	    {GEN_EXECUTE, inference->begin_us - 30, end_us, PID, PID, 11},
	    {GEN_UNLOAD, end_us + 200, end_us + 6100, PID, PID, 11}};
	struct gen_marker m = {.begin_us = EPOCH_US, .end_us = end_us + 6100, .pid = PID, .tid = PID};
	struct gen_file f = {{NULL, 0, 0, -1, 0}, ""};
	int status = gen_file_open(&f, job, GEN_API, &identity, err);

	if (!status) {
		for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
			gen_call_put(&f.out, job->soc, &calls[i]);
		m.bytes = gen_out_size(&f.out);
		status = gen_file_close(&f, job, err);
	}
	gen_out_free(&f.out);
	return status ? -1 : gen_marker_write(job, GEN_API, &identity, &m, err);
}

/*
 * Read the numbers of a cell such as "7,8,9". *cut is set when the cell ends in '~'; its last number is then
 * unreliable.
 */
static int parse_ids(const char *cell, uint32_t ids[LAYER_MAX], bool *cut)
{
	int count = 0;

	*cut = false;
	while (*cell && count < LAYER_MAX) {
		unsigned id;
		int used = 0;

		if (sscanf(cell, "%9u%n", &id, &used) != 1 || cell[used] == '~') {
			*cut = true;
			break;
		}
		ids[count++] = id;
		cell += used + (cell[used] == ',');
	}
	return count;
}

/* The layers of a task. A list that was cut continues to the layer before the next task's first layer. */
static int layers_of(const struct goturn_table *t, int index, uint32_t ids[LAYER_MAX])
{
	uint32_t next[LAYER_MAX];
	bool cut, next_cut;
	int count = parse_ids(t->rows[index].text[COL_LAYER_ID], ids, &cut);

	if (!cut || !count || index + 1 == t->count ||
	    !parse_ids(t->rows[index + 1].text[COL_LAYER_ID], next, &next_cut))
		return count;
	while (count < LAYER_MAX && ids[count - 1] + 1 < next[0]) {
		ids[count] = ids[count - 1] + 1;
		count++;
	}
	return count;
}

/*
 * Piece `index` of `count` pieces of a cell that was joined with commas. The last piece takes the rest; pieces without
 * text are empty. Joined without the empty pieces, they are the cell again.
 */
static void take_piece(const char *cell, int index, int count, char piece[PIECE_SIZE])
{
	const char *end;

	for (int i = 0; i < index && cell; i++) {
		cell = strchr(cell, ',');
		cell = cell ? cell + 1 : NULL;
	}
	end = cell && index + 1 < count ? strchr(cell, ',') : NULL;
	if (!cell)
		piece[0] = '\0';
	else
		snprintf(piece, PIECE_SIZE, "%.*s", (int)(end ? end - cell : (long)strlen(cell)), cell);
}

/* A name or a type for which the printed cell had no more room. */
static void name_cut(char piece[PIECE_SIZE])
{
	if (!piece[0])
		strcpy(piece, "~");
}

/* Each layer has its piece of the cells. */
static uint32_t put_layers(struct gen_out *out, const struct gen_soc *soc, const struct goturn_table *t, int index)
{
	const struct goturn_row *row = &t->rows[index];
	uint32_t ids[LAYER_MAX];
	int count = layers_of(t, index, ids);

	for (int i = 0; i < count; i++) {
		char name[PIECE_SIZE], type[PIECE_SIZE], original[PIECE_SIZE];

		take_piece(row->text[COL_NAME], i, count, name);
		take_piece(row->text[COL_TYPE], i, count, type);
		take_piece(row->text[COL_ORI], i, count, original);
		name_cut(name);
		name_cut(type);
		gen_layer_put(out, soc,
		    &(struct gen_layer_info){ids[i], 0, (uint32_t)index, name, type, original, {1, 16, 16, 16}});
	}
	return (uint32_t)count;
}

static int write_model(const struct goturn_table *t, struct gen_job *job, struct mp_error *err)
{
	struct gen_file f = {{NULL, 0, 0, -1, 0}, ""};
	struct gen_net_info net = {.records = (uint32_t)t->count};
	int status = gen_file_open(&f, job, GEN_LAYER_INFO, &identity, err);

	for (int i = 0; i < t->count && !status; i++)
		net.layers += put_layers(&f.out, job->soc, t, i);
	if (!status)
		status = gen_file_close(&f, job, err);
	if (!status)
		status = gen_file_open(&f, job, GEN_NET_INFO, &identity, err);
	if (!status) {
		gen_net_put(&f.out, job->soc, &net);
		status = gen_file_close(&f, job, err);
	}
	gen_out_free(&f.out);
	return status;
}

static int write_job(const struct goturn_table *t, const char *path, struct mp_error *err)
{
	struct gen_job job = {-1, -1, gen_soc_find("ss928"), .done = true};
	struct gen_marker inference = {.bytes = 0};
	int status = gen_job_create(&job, path, err);

	if (!status)
		status = gen_info_write(&job, identity.device_id, GOTURN_MHZ, err);
	if (!status)
		status = write_model(t, &job, err);
	if (!status)
		status = write_tasks(t, &job, &inference, err);
	if (!status)
		status = write_calls(&job, &inference, err);
	gen_job_close(&job);
	return status;
}

static int run(const char *table, const char *path, struct mp_error *err)
{
	static struct goturn_table t;
	int status = goturn_read(&t, table, err);

	if (!status)
		status = goturn_fit(&t, err);
	return status ? status : write_job(&t, path, err);
}

int main(int argc, char **argv)
{
	struct mp_error err = {.text = ""};

	if (argc != 3) {
		bool is_help = argc == 2 && strcmp(argv[1], "--help") == 0;

		fputs(usage, is_help ? stdout : stderr);
		return is_help ? 0 : EXIT_USAGE;
	}
	if (run(argv[1], argv[2], &err)) {
		fprintf(stderr, "goturn: %s\n", err.text);
		return 1;
	}
	return 0;
}
