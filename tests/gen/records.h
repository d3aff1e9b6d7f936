/*
 * records.h: the records that the runtime library of a board writes, and the one of msprof's recorder, byte by byte.
 *
 * The places are written down here once more, apart from the layouts of schema/records: a generator that used those
 * would agree with a layout that is wrong.
 */
#ifndef GEN_RECORDS_H
#define GEN_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "bytes.h"

/* What differs between the boards. */
struct gen_soc {
	const char *name;
	const char *info;    /* what follows the frequency in info.json.N */
	bool shared;         /* all inferences of a device are in one file, and names have no stream */
	uint16_t long_form;  /* of tags of long texts in layer.info: 5 or 6 */
	uint16_t core_size;  /* bytes of a record of the AI Core */
	uint16_t net_at;     /* where it has the number of the net, or 0 */
	uint16_t picture_at; /* where it has the pictures before this inference, or 0 */
	bool wide_picture;   /* that number has 64 bits */
	uint16_t call_size;
	uint16_t call_magic;
};

/* Returns NULL for an unknown name. */
const struct gen_soc *gen_soc_find(const char *name);

enum { GEN_CYCLES_PER_TICK = 100, GEN_WORDS = 27 };

/* The assumed places of the counters among the words of the hardware. */
enum gen_word {
	GEN_MAC_BUSY,
	GEN_MAC_PPEN,
	GEN_VEC_BUSY,
	GEN_VEC_PPEN,
	GEN_DSTR,
	GEN_DTRANS,
	GEN_DLD,
	GEN_WLD,
	GEN_DDR_READ,
	GEN_DDR_WRITE,
	GEN_FREE_WORDS /* what follows has no known meaning */
};

/* A group of layers on the AI Core. */
struct gen_core {
	uint32_t index; /* within its net */
	uint32_t ticks;
	uint32_t words[GEN_WORDS];
	uint32_t net;
	uint64_t picture;
};

/* The six calls that a board records. */
enum gen_call_type { GEN_LOAD, GEN_UNLOAD, GEN_EXECUTE, GEN_EXECUTE_ASYNC, GEN_SYNCHRONIZE, GEN_PROCESS_AICPU };

/* Times in us since 1970. */
struct gen_call {
	enum gen_call_type type;
	uint64_t begin_us, end_us;
	uint32_t pid, tid;
	uint32_t model_id;
};

/* A call as msprof's recorder writes it; times in ns since 1970. */
struct gen_host_call {
	uint32_t type; /* 1 op, 2 model, 3 runtime, 4 others, 5 a mark or a range */
	uint64_t begin_ns, end_ns;
	uint32_t pid, tid;
	const char *name;
	const char *detail;
};

void gen_core_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_core *core);

/* A net on the CPU. `rest` fills what the library leaves in its buffer. */
void gen_cpu_put(struct gen_out *out, uint32_t net, uint64_t begin_us, uint64_t end_us, uint64_t rest);

void gen_call_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_call *call);

void gen_host_call_put(struct gen_out *out, const struct gen_host_call *call);

#endif
