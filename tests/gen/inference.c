/*
 * inference.c: the records of one inference. Its groups of layers follow each other on the core without a gap, then the
 * nets on the CPU run. The counters stay within the cycles of the task, and depend on the kind of the layer.
 */
#include "run.h"

/* Ten-thousandths, lowest and highest: of the cycles, and of the busy cycles for the two of ppen. */
static const struct {
	uint16_t mac_busy[2], mac_ppen[2], vec_busy[2], vec_ppen[2], dstr[2], dtrans[2], dld[2], wld[2];
} ranges[] = {
    [GEN_MATRIX] = {{2000, 9700}, {9000, 9900}, {3500, 9850}, {20, 2500}, {0, 3200}, {0, 2000}, {0, 6000}, {500, 8100}},
    [GEN_VECTOR] = {{0, 0}, {0, 0}, {3000, 9200}, {2000, 6000}, {1000, 9600}, {0, 300}, {0, 1000}, {0, 0}},
    [GEN_MOVE] = {{0, 0}, {0, 0}, {0, 50}, {0, 2000}, {0, 3200}, {0, 250}, {1000, 9800}, {0, 0}},
};

enum { CPU_GAP = 12 }; /* us before each net on the CPU */

static uint32_t part(struct gen_random *r, uint64_t whole, const uint16_t range[2])
{
	return (uint32_t)(whole * gen_random_between(r, range[0], range[1]) / 10000);
}

static void fill_counters(struct gen_random *r, uint32_t *words, enum gen_work work, uint64_t cycles)
{
	uint64_t other = gen_random_next(r);

	words[GEN_MAC_BUSY] = part(r, cycles, ranges[work].mac_busy);
	words[GEN_MAC_PPEN] = part(r, words[GEN_MAC_BUSY], ranges[work].mac_ppen);
	words[GEN_VEC_BUSY] = part(r, cycles, ranges[work].vec_busy);
	words[GEN_VEC_PPEN] = part(r, words[GEN_VEC_BUSY], ranges[work].vec_ppen);
	words[GEN_DSTR] = part(r, cycles, ranges[work].dstr);
	words[GEN_DTRANS] = part(r, cycles, ranges[work].dtrans);
	words[GEN_DLD] = part(r, cycles, ranges[work].dld);
	words[GEN_WLD] = part(r, cycles, ranges[work].wld);
	words[GEN_DDR_READ] = words[GEN_DLD] * (uint32_t)gen_random_between(r, 8, 12);
	words[GEN_DDR_WRITE] = words[GEN_DDR_READ] / 100 * (uint32_t)gen_random_between(r, 0, 60);
	for (uint64_t i = GEN_FREE_WORDS; i < GEN_WORDS; i++)
		words[i] = (uint32_t)(other * (2 * i + 1) >> 44);
}

/* Returns the ticks of the net. */
static uint64_t put_net(struct gen_run *run, uint32_t number)
{
	const struct gen_net *net = &run->plan->nets[number];
	struct gen_core core = {.net = number, .picture = (uint64_t)run->id.current_pic};
	uint64_t sum = 0;

	for (uint32_t i = 0; i < net->task_count; i++) {
		const struct gen_task *t = &run->plan->tasks[net->first_task + i];
		/* Two per cent of jitter around the time of the task. */
		uint64_t ticks = t->time * gen_random_between(&run->random, 980, 1020) / 1000;

		core.index = i;
		core.ticks = ticks ? (uint32_t)ticks : 1;
		fill_counters(&run->random, core.words, gen_task_work(t), (uint64_t)core.ticks * GEN_CYCLES_PER_TICK);
		gen_core_put(&run->device->core.out, run->device->job->soc, &core);
		sum += core.ticks;
	}
	return sum;
}

static int open_core(struct gen_run *run, struct mp_error *err)
{
	struct gen_device *d = run->device;

	if (d->is_core_open)
		return 0;
	d->is_core_open = d->job->soc->shared;
	return gen_file_open(&d->core, d->job, GEN_AICORE, &run->id, err);
}

/* *ticks is the sum of all records. */
static int write_core(struct gen_run *run, uint64_t *ticks, uint64_t *bytes, struct mp_error *err)
{
	struct gen_device *d = run->device;
	uint64_t before;

	if (open_core(run, err))
		return -1;
	before = gen_out_size(&d->core.out);
	for (uint32_t n = 0; n < run->plan->net_count; n++)
		if (!run->plan->nets[n].on_cpu)
			*ticks += put_net(run, n);
	*bytes = gen_out_size(&d->core.out) - before;
	return d->is_core_open ? 0 : gen_file_close(&d->core, d->job, err);
}

/* The nets on the CPU, from `begin_us` on. Gives the first begin and the last end. */
static int write_cpu(struct gen_run *run, uint64_t begin_us, struct gen_marker *m, struct mp_error *err)
{
	struct gen_device *d = run->device;
	struct gen_random *r = &run->random;

	if (gen_file_open(&d->cpu, d->job, GEN_AICPU, &run->id, err))
		return -1;
	m->end_us = begin_us;
	for (uint32_t n = 0; n < run->plan->net_count; n++) {
		const struct gen_net *net = &run->plan->nets[n];
		uint64_t from = m->end_us + CPU_GAP;

		if (!net->on_cpu)
			continue;
		if (!m->begin_us)
			m->begin_us = from;
		m->end_us = from + run->plan->tasks[net->first_task].time * gen_random_between(r, 980, 1020) / 1000;
		/* The library counts these nets from one. */
		gen_cpu_put(&d->cpu.out, n + 1, from, m->end_us, gen_random_next(r));
	}
	m->bytes = gen_out_size(&d->cpu.out);
	if (gen_file_close(&d->cpu, d->job, err))
		return -1;
	return gen_marker_write(d->job, GEN_AICPU, &run->id, m, err);
}

static uint64_t us_of_ticks(uint64_t ticks, int frequency_mhz)
{
	return (ticks * GEN_CYCLES_PER_TICK + (uint64_t)frequency_mhz - 1) / (uint64_t)frequency_mhz;
}

int gen_inference_write(
    struct gen_run *run, uint64_t begin_us, uint64_t *cpu_begin_us, uint64_t *end_us, struct mp_error *err)
{
	const struct gen_options *o = run->device->options;
	struct gen_marker core = {.begin_us = begin_us}, cpu = {.begin_us = 0};
	uint64_t ticks = 0, accesses;

	if (o->tasks && write_core(run, &ticks, &core.bytes, err))
		return -1;
	core.end_us = begin_us + us_of_ticks(ticks, o->frequency);
	if (o->aicpu) {
		if (write_cpu(run, core.end_us, &cpu, err))
			return -1;
		core.end_us = cpu.end_us;
		*cpu_begin_us = cpu.begin_us;
	}
	core.end_us += gen_random_between(&run->random, 3, 30);
	*end_us = core.end_us;
	accesses = ticks * GEN_CYCLES_PER_TICK / 30;
	core.cache_mis = accesses * gen_random_between(&run->random, 0, 40) / 10000;
	core.cache_hit = accesses - core.cache_mis;
	return o->tasks ? gen_marker_write(run->device->job, GEN_AICORE, &run->id, &core, err) : 0;
}

void gen_inference_time(const struct gen_plan *plan, int frequency_mhz, uint64_t *typical_us, uint64_t *cpu_us)
{
	uint64_t ticks = 0;

	*cpu_us = 0;
	for (uint32_t n = 0; n < plan->net_count; n++) {
		const struct gen_net *net = &plan->nets[n];

		for (uint32_t i = 0; i < net->task_count; i++) {
			if (net->on_cpu)
				*cpu_us += CPU_GAP + plan->tasks[net->first_task + i].time;
			else
				ticks += plan->tasks[net->first_task + i].time;
		}
	}
	*typical_us = us_of_ticks(ticks, frequency_mhz) + *cpu_us + 15;
}
