/* model_info.h: the slices of a model file that a board copies into layer.info and net.info. */
#ifndef GEN_MODEL_INFO_H
#define GEN_MODEL_INFO_H

#include "bytes.h"
#include "records.h"

struct gen_layer_info {
	uint32_t layer_id; /* within the model */
	uint32_t net;
	uint32_t task; /* index of the record that has its time, within the net */
	const char *name;
	const char *type;
	const char *ori; /* original names, joined with commas; "" for none */
	uint32_t shape[4];
};

struct gen_net_info {
	uint32_t net;
	uint32_t layers;
	uint32_t records;
	const char *cpu_operator; /* of a net on the CPU, or NULL */
};

/* Items have the tags of a converter's file for that board, in their order; most numbers are those of a toy. */
void gen_layer_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_layer_info *layer);
void gen_net_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_net_info *net);

#endif
