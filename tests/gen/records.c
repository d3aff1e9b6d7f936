/* records.c: the bytes of records. Knows no files and no time: its callers give it every number. */
#include "records.h"

#include <string.h>

static const struct gen_soc socs[] = {
    {.name = "ss928",
	.info = "",
	.long_form = 5,
	.core_size = 256,
	.net_at = 252,
	.call_size = 32,
	.call_magic = 0x5a5a},
    {.name = "dv500",
	.info = ",{\"magic_num\": \"6A6A\"}",
	.shared = true,
	.long_form = 6,
	.core_size = 256,
	.picture_at = 224,
	.wide_picture = true,
	.call_size = 40,
	.call_magic = 0x6a6a},
    {.name = "cv610",
	.info = ",{\"soc_version\": \"V200\"},{\"aicore_type\": \"0\"}",
	.shared = true,
	.long_form = 6,
	.core_size = 128,
	.picture_at = 120,
	.call_size = 40,
	.call_magic = 0x6a6a},
};

enum { SOCS = sizeof(socs) / sizeof(socs[0]) };
enum { CPU_SIZE = 128, HOST_CALL_SIZE = 128, HOST_NAME_MAX_LEN = 63, HOST_DETAIL_MAX_LEN = 31 };

const struct gen_soc *gen_soc_find(const char *name)
{
	for (int i = 0; i < SOCS; i++)
		if (strcmp(socs[i].name, name) == 0)
			return &socs[i];
	return NULL;
}

void gen_core_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_core *core)
{
	uint8_t *at = gen_out_add(out, soc->core_size);

	gen_put32(at, core->index);
	gen_put32(at + 4, core->ticks);
	for (size_t i = 0; i < GEN_WORDS; i++)
		gen_put32(at + 8 + 4 * i, core->words[i]);
	if (soc->net_at)
		gen_put32(at + soc->net_at, core->net);
	if (soc->picture_at && soc->wide_picture)
		gen_put64(at + soc->picture_at, core->picture);
	else if (soc->picture_at)
		gen_put32(at + soc->picture_at, (uint32_t)core->picture);
}

void gen_cpu_put(struct gen_out *out, uint32_t net, uint64_t begin_us, uint64_t end_us, uint64_t rest)
{
	uint8_t *at = gen_out_add(out, CPU_SIZE);

	for (uint64_t i = 0; i < CPU_SIZE / 8; i++)
		gen_put64(at + 8 * i, rest * (2 * i + 1));
	gen_put64(at + 24, begin_us);
	gen_put64(at + 32, end_us);
	gen_put32(at + 124, net);
}

void gen_call_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_call *call)
{
	uint8_t *at = gen_out_add(out, soc->call_size);

	gen_put32(at, soc->call_magic);
	if (soc->call_size == 40) {
		gen_put32(at + 4, call->model_id);
		gen_put64(at + 8, call->type);
		at += 8;
	} else {
		gen_put32(at + 4, call->type);
	}
	gen_put64(at + 8, call->begin_us);
	gen_put64(at + 16, call->end_us);
	gen_put32(at + 24, call->pid);
	gen_put32(at + 28, call->tid);
}

static void put_text(uint8_t *at, const char *text, size_t max)
{
	size_t len = strlen(text);

	memcpy(at, text, len < max ? len : max);
}

void gen_host_call_put(struct gen_out *out, const struct gen_host_call *call)
{
	uint8_t *at = gen_out_add(out, HOST_CALL_SIZE);

	gen_put16(at, 0x5a5a);
	gen_put32(at + 4, call->type);
	gen_put64(at + 8, call->begin_ns);
	gen_put64(at + 16, call->end_ns);
	gen_put32(at + 24, call->pid);
	gen_put32(at + 28, call->tid);
	put_text(at + 32, call->name, HOST_NAME_MAX_LEN);
	put_text(at + 96, call->detail, HOST_DETAIL_MAX_LEN);
}
