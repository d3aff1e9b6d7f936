/*
 * goturn.c: turns a published table of task times back into a JOB directory, so that an export of the job can be
 * compared with the output of the vendor's tool. The table is an argument; this program contains none of it.
 */
#include "goturn.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "calls.h"
#include "raw/encode.h"
#include "jobdir.h"

enum { EXIT_USAGE = 2, LAYER_MAX = 64, PIECE_SIZE = GOTURN_CELL };

/* Misses in a million accesses, and accesses in a tick: enough accesses for six places. */
enum { ICACHE_PPM = 1741, ICACHE_PER_TICK = 40 };

static const uint64_t boot_ns = 125000000000;

static const struct gen_identity identity = {"goturn_nuquant", 0, 11, 256, 1, 0};

static const char usage[] = "usage: goturn [--layouts DIR] TABLE JOB\n"
			    "Makes the directory JOB with counters that print as the op_summary TABLE\n"
			    "(tab-separated, vendor's columns, total row first) at 700 MHz.\n";

/* Spread the misses so that the rate of the sums is right. */
static int share_icache(struct goturn_table *t, struct mp_error *err)
{
	uint64_t access = 0, miss = 0;
	char printed[32], wanted[32];

	for (int i = 0; i < t->count; i++) {
		struct goturn_row *row = &t->rows[i];
		uint64_t due;

		row->icache_access = (uint32_t)(row->ticks * ICACHE_PER_TICK);
		access += row->icache_access;
		due = (access * ICACHE_PPM + 500000) / 1000000;
		row->icache_miss = (uint32_t)(due - miss);
		miss = due;
	}
	snprintf(printed, sizeof(printed), "%.6f", (double)miss / (double)access);
	snprintf(wanted, sizeof(wanted), "0.%06d", ICACHE_PPM);
	if (strcmp(printed, wanted) != 0)
		return mp_fail(err, "no icache counters give the rate %s", wanted);
	return 0;
}

static void write_task(
    struct mp_encoder *e, FILE *stream, const struct goturn_row *row, uint32_t task_id, uint64_t start)
{
	mp_encoder_begin(e);
	mp_encoder_number(e, GEN_TASK_ID, task_id);
	mp_encoder_number(e, GEN_STREAM_ID, 0);
	mp_encoder_number(e, GEN_START, start);
	mp_encoder_number(e, GEN_END, start + (uint64_t)row->ticks);
	for (int c = 0; c < COUNTERS; c++)
		mp_encoder_number(e, GEN_MAC_BUSY + c, (uint64_t)row->value[c]);
	mp_encoder_number(e, GEN_DDR_READ, (uint64_t)row->read);
	mp_encoder_number(e, GEN_DDR_WRITE, (uint64_t)row->write);
	mp_encoder_number(e, GEN_ICACHE_MISS, row->icache_miss);
	mp_encoder_number(e, GEN_ICACHE_ACCESS, row->icache_access);
	fwrite(e->record, e->layout->size, 1, stream);
}

static int write_tasks(
    const struct goturn_table *t, const struct mp_layouts *layouts, struct gen_job *job, struct mp_error *err)
{
	uint64_t tick = (boot_ns + 600000000) / 100000 * GOTURN_MHZ;
	struct mp_encoder e;
	struct gen_file f;

	if (mp_encoder_init(&e, layouts, "svp.aicore", gen_slot_names, GEN_CORE_SLOTS, err) ||
	    gen_raw_open(&f, job, GEN_AICORE, &identity, err))
		return -1;
	for (int i = 0; i < t->count; i++) {
		write_task(&e, f.stream, &t->rows[i], (uint32_t)i, tick);
		tick += (uint64_t)t->rows[i].ticks + 3;
	}
	if (gen_file_close(&f, err))
		return -1;
	return mp_encoder_check(&e, err);
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

/* Cut `text` at its commas, in place. An empty text has no pieces. */
static int split(char *text, const char *pieces[LAYER_MAX])
{
	int count = 0;

	while (*text && count < LAYER_MAX) {
		pieces[count++] = text;
		text = count < LAYER_MAX ? strchr(text, ',') : NULL;
		if (!text)
			break;
		*text++ = '\0';
	}
	return count;
}

static int count_pieces(const char *cell)
{
	int count = 1;

	for (; (cell = strchr(cell, ',')); cell++)
		count++;
	return count;
}

/* A task with cells that were cut: the names cannot be assigned to layers, so all stay together. */
static void write_cut_layers(FILE *stream, const struct goturn_row *row, const uint32_t *ids, int count)
{
	char id[16 * LAYER_MAX] = "\"", original[PIECE_SIZE];
	const char *ori[LAYER_MAX];

	for (int i = 0; i < count; i++)
		snprintf(id + strlen(id), sizeof(id) - strlen(id), "%s%lu", i ? "," : "", (unsigned long)ids[i]);
	strcat(id, "\"");
	snprintf(original, sizeof(original), "%s", row->text[COL_ORI]);
	gen_task_layer(stream, true, id, row->text[COL_NAME], row->text[COL_TYPE], ori, split(original, ori));
}

static void write_layers_of(FILE *stream, const struct goturn_table *t, int index)
{
	const struct goturn_row *row = &t->rows[index];
	uint32_t ids[LAYER_MAX];
	int count = layers_of(t, index, ids);
	bool whole = count_pieces(row->text[COL_NAME]) == count && count_pieces(row->text[COL_TYPE]) == count;

	gen_task_begin(stream, (uint32_t)index, 0);
	if (!whole)
		write_cut_layers(stream, row, ids, count);
	for (int i = 0; whole && i < count; i++) {
		char id[16], name[PIECE_SIZE], type[PIECE_SIZE], original[PIECE_SIZE];
		const char *ori[LAYER_MAX];

		take_piece(row->text[COL_NAME], i, count, name);
		take_piece(row->text[COL_TYPE], i, count, type);
		take_piece(row->text[COL_ORI], i, count, original);
		snprintf(id, sizeof(id), "%lu", (unsigned long)ids[i]);
		gen_task_layer(stream, i == 0, id, name, type, ori, split(original, ori));
	}
	gen_task_end(stream);
}

static int write_layers(const struct goturn_table *t, struct gen_job *job, struct mp_error *err)
{
	struct gen_file f;

	if (gen_info_open(&f, job, "layer", &identity, err))
		return -1;
	for (int i = 0; i < t->count; i++)
		write_layers_of(f.stream, t, i);
	return gen_file_close(&f, err);
}

static int write_job(
    const struct goturn_table *t, const struct mp_layouts *layouts, const char *path, struct mp_error *err)
{
	struct gen_job job = {-1, -1, .done = true};
	struct gen_calls calls = {.layouts = layouts, .seed = 11, .count = 24, .threads = 1, .pid = 2417};
	int status = gen_job_create(&job, path, err);

	gen_calls_start(&calls, boot_ns);
	if (!status)
		status = gen_write_device(&job, identity.device_id, GOTURN_MHZ, (int64_t)boot_ns, NULL, err);
	if (!status)
		status = gen_write_net(&job, &identity, err);
	if (!status)
		status = write_layers(t, &job, err);
	if (!status)
		status = write_tasks(t, layouts, &job, err);
	if (!status)
		status = gen_calls_write(&calls, &job, &identity, err);
	gen_job_close(&job);
	return status;
}

static int run(const char *table, const char *path, const char *directory, struct mp_error *err)
{
	static struct goturn_table t;
	struct mp_layouts layouts = {0};
	int status = goturn_read(&t, table, err);

	if (!status)
		status = goturn_fit(&t, err);
	if (!status)
		status = share_icache(&t, err);
	if (!status)
		status = mp_layouts_read(&layouts, directory, err);
	if (!status)
		status = mp_layouts_finish(&layouts, err);
	if (!status)
		status = write_job(&t, &layouts, path, err);
	mp_layouts_free(&layouts);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
	    {"layouts", required_argument, NULL, 'l'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	const char *layouts = "schema/records";
	struct mp_error err = {""};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c != 'l') {
			fputs(usage, c == 'h' ? stdout : stderr);
			return c == 'h' ? 0 : EXIT_USAGE;
		}
		layouts = optarg;
	}
	if (argc - optind != 2) {
		fputs(usage, stderr);
		return EXIT_USAGE;
	}
	if (run(argv[optind], argv[optind + 1], layouts, &err)) {
		fprintf(stderr, "goturn: %s\n", err.text);
		return 1;
	}
	return 0;
}
