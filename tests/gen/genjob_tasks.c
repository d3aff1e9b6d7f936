/*
 * genjob_tasks.c: the records of aicore and aicpu tasks. A device runs one task after the other, like the board. The
 * counters stay within the cycles of the task, and depend on the kind of the layer.
 */
#include "genjob.h"

#include "raw/encode.h"
#include "slots.h"

/* Ten-thousandths of the cycles, lowest and highest; mac_ppen is a part of mac_busy. */
static const struct {
	uint16_t mac[2], vec_busy[2], vec_ppen[2], dstr[2], dtrans[2], dld[2], wld[2];
} ranges[] = {
    [GEN_MATRIX] = {{2000, 9700}, {3500, 9850}, {20, 2500}, {0, 3200}, {0, 2000}, {0, 6000}, {500, 8100}},
    [GEN_VECTOR] = {{0, 0}, {3000, 9200}, {1000, 4000}, {1000, 9600}, {0, 300}, {0, 1000}, {0, 0}},
    [GEN_MOVE] = {{0, 0}, {0, 50}, {0, 0}, {0, 3200}, {0, 250}, {1000, 9800}, {0, 0}},
};

struct writer {
	const struct gen_options *options;
	struct gen_random random;
	struct mp_encoder core, cpu;
	struct gen_file core_file, cpu_file;
	uint64_t start; /* of the previous task */
	uint64_t tick;  /* its end */
};

static uint64_t part(struct writer *w, uint64_t cycles, const uint16_t range[2])
{
	return cycles * gen_random_between(&w->random, range[0], range[1]) / 10000;
}

static void put_counters(struct writer *w, enum gen_work work, uint64_t cycles)
{
	struct mp_encoder *e = &w->core;
	uint64_t mac = part(w, cycles, ranges[work].mac), dld = part(w, cycles, ranges[work].dld);
	uint64_t read = dld * gen_random_between(&w->random, 8, 12),
		 write = read * gen_random_between(&w->random, 0, 60) / 100;
	uint64_t access = cycles / gen_random_between(&w->random, 20, 40);

	mp_encoder_number(e, GEN_MAC_BUSY, mac);
	mp_encoder_number(e, GEN_MAC_PPEN, mac * gen_random_between(&w->random, 90, 99) / 100);
	mp_encoder_number(e, GEN_VEC_BUSY, part(w, cycles, ranges[work].vec_busy));
	mp_encoder_number(e, GEN_VEC_PPEN, part(w, cycles, ranges[work].vec_ppen));
	mp_encoder_number(e, GEN_DSTR, part(w, cycles, ranges[work].dstr));
	mp_encoder_number(e, GEN_DTRANS, part(w, cycles, ranges[work].dtrans));
	mp_encoder_number(e, GEN_DLD, dld);
	mp_encoder_number(e, GEN_WLD, part(w, cycles, ranges[work].wld));
	mp_encoder_number(e, GEN_DDR_READ, read);
	mp_encoder_number(e, GEN_DDR_WRITE, write);
	mp_encoder_number(e, GEN_ICACHE_MISS, access * gen_random_between(&w->random, 0, 40) / 10000);
	mp_encoder_number(e, GEN_ICACHE_ACCESS, access);
}

static void put_task(struct writer *w, const struct gen_task *t)
{
	struct mp_encoder *e = t->on_cpu ? &w->cpu : &w->core;
	struct gen_file *f = t->on_cpu ? &w->cpu_file : &w->core_file;
	/* Two per cent of jitter around the time of the task. */
	uint64_t ticks = t->ticks * gen_random_between(&w->random, 980, 1020) / 1000;
	uint64_t start = w->tick + gen_random_between(&w->random, 1, 20);

	if (w->tick > w->start + 1 && gen_random_percent(&w->random, (uint64_t)w->options->overlap))
		start = w->start + (w->tick - w->start) / 2;
	if (!ticks)
		ticks = 1;
	mp_encoder_begin(e);
	mp_encoder_number(e, GEN_TASK_ID, t->task_id);
	mp_encoder_number(e, GEN_STREAM_ID, gen_task_stream(t));
	mp_encoder_number(e, GEN_START, start);
	mp_encoder_number(e, GEN_END, start + ticks);
	if (!t->on_cpu)
		put_counters(w, gen_task_work(t), ticks * GEN_CYCLES_PER_TICK);
	fwrite(e->record, e->layout->size, 1, f->stream);
	w->start = start;
	if (start + ticks > w->tick)
		w->tick = start + ticks;
}

static int write_picture(struct writer *w, const struct gen_plan *plan, struct gen_job *job,
    const struct gen_identity *id, struct mp_error *err)
{
	const struct gen_options *o = w->options;

	if (o->tasks && gen_raw_open(&w->core_file, job, GEN_AICORE, id, err))
		return -1;
	if (o->aicpu && gen_raw_open(&w->cpu_file, job, GEN_AICPU, id, err))
		return -1;
	for (uint32_t i = 0; i < plan->count; i++)
		put_task(w, &plan->tasks[i]);
	if (o->tasks && gen_file_close(&w->core_file, err))
		return -1;
	return o->aicpu ? gen_file_close(&w->cpu_file, err) : 0;
}

int gen_tasks_write(const struct gen_plan *plan, const struct gen_options *o, const struct mp_layouts *layouts,
    struct gen_job *job, const struct gen_identity *id, uint64_t *tick, struct mp_error *err)
{
	struct writer w = {.options = o, .tick = *tick};

	gen_random_init(&w.random, o->seed, (uint64_t)id->device_id << 32 | (uint64_t)id->model_id << 1 | 1);
	if (mp_encoder_init(&w.core, layouts, "svp.aicore", gen_slot_names, GEN_CORE_SLOTS, err) ||
	    mp_encoder_init(&w.cpu, layouts, "svp.aicpu", gen_slot_names, GEN_CPU_SLOTS, err))
		return -1;
	w.start = w.tick;
	for (int i = 0; i < o->pictures; i++) {
		struct gen_identity picture = *id;

		picture.current_pic = i * o->interval;
		if (write_picture(&w, plan, job, &picture, err))
			return -1;
		w.tick += gen_random_between(&w.random, 500, 2000) * (uint64_t)o->interval;
		w.start = w.tick; /* inferences do not overlap */
	}
	*tick = w.tick;
	return mp_encoder_check(&w.core, err) ? -1 : mp_encoder_check(&w.cpu, err);
}
