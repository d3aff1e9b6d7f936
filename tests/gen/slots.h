/* slots.h: the fields of task records, as slots of an encoder. */
#ifndef GEN_SLOTS_H
#define GEN_SLOTS_H

enum gen_slot {
	GEN_TASK_ID,
	GEN_STREAM_ID,
	GEN_START,
	GEN_END,
	GEN_CPU_SLOTS, /* an aicpu record has those before */
	GEN_MAC_BUSY = GEN_CPU_SLOTS,
	GEN_MAC_PPEN,
	GEN_VEC_BUSY,
	GEN_VEC_PPEN,
	GEN_DSTR,
	GEN_DTRANS,
	GEN_DLD,
	GEN_WLD,
	GEN_DDR_READ,
	GEN_DDR_WRITE,
	GEN_ICACHE_MISS,
	GEN_ICACHE_ACCESS,
	GEN_CORE_SLOTS
};

enum { GEN_CYCLES_PER_TICK = 100 };

extern const char *const gen_slot_names[GEN_CORE_SLOTS];

#endif
