/* model_info.c: a layer and a net as items. Knows tags; where their numbers come from is its callers' matter. */
#include "model_info.h"

#include <stdio.h>
#include <string.h>

#include "items.h"

enum { NET_CNN = 0, NET_CPU = 5 };

static const uint32_t input_shape[4] = {1, 3, 224, 224}, output_shape[4] = {1, 1000, 1, 1};

static void put_items(struct gen_out *out, const struct gen_items *items)
{
	memcpy(gen_out_add(out, items->used), items->bytes, items->used);
}

/* The tag of a text whose length a later converter writes with four bytes. */
static uint16_t long_tag(const struct gen_soc *soc, unsigned field)
{
	return (uint16_t)((unsigned)soc->long_form << 13 | field);
}

void gen_layer_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_layer_info *layer)
{
	struct gen_items items;
	size_t begin;

	items.used = 0;
	begin = gen_item_begin(&items, long_tag(soc, 0x111));
	gen_item_number(&items, 0x4112, layer->layer_id);
	gen_item_name(&items, 0x8114, layer->name);
	gen_item_number(&items, 0x2118, 0);
	gen_item_number(&items, 0x2121, 0);
	gen_item_number(&items, 0x2139, 0);
	gen_item_number(&items, 0x213a, 0);
	gen_item_text(&items, long_tag(soc, 0x13c), "data:0");
	gen_item_text(&items, long_tag(soc, 0x141), layer->ori);
	gen_item_number(&items, 0x414b, layer->net);
	gen_item_number(&items, 0x2150, 1);
	gen_item_number(&items, 0x2151, 0);
	gen_item_name(&items, 0x8152, layer->type);
	gen_item_number(&items, 0x6153, 0);
	gen_item_shape(&items, 0x8154, layer->shape);
	gen_item_number(&items, 0x6156, 0);
	gen_item_number(&items, 0x4157, layer->task);
	gen_item_number(&items, 0x415b, 0);
	gen_item_end(&items, long_tag(soc, 0x111), begin);
	put_items(out, &items);
}

/* Numbers of one width and value: tags first..last. */
static void put_numbers(struct gen_items *items, unsigned first, unsigned last, uint32_t v)
{
	for (unsigned tag = first; tag <= last; tag++)
		gen_item_number(items, (uint16_t)tag, v);
}

static void put_input(struct gen_items *items, const struct gen_soc *soc, uint32_t net)
{
	static const uint8_t nothing[64];
	size_t begin = gen_item_begin(items, 0xa050);
	char name[16];

	snprintf(name, sizeof(name), "data%lu", (unsigned long)net);
	gen_item_number(items, 0x4051, net);
	if (soc->shared) {
		put_numbers(items, 0x6052, 0x6053, 16);
		gen_item_number(items, 0x6054, 1);
	}
	gen_item_number(items, 0x2055, 3);
	put_numbers(items, 0x2056, 0x2057, 0);
	gen_item_name(items, 0x8058, name);
	gen_item_number(items, 0x2059, 0);
	gen_item_shape(items, 0x805a, input_shape);
	gen_item_number(items, 0x205b, 0);
	gen_item_number(items, 0x605c, 0);
	gen_item_number(items, 0x405d, 1);
	gen_item_number(items, 0x205e, 0);
	if (soc->shared) {
		gen_item_number(items, 0x405f, 0);
		gen_item_number(items, 0x4080, 0);
		put_numbers(items, 0x6081, 0x6086, 0);
		gen_item_bytes(items, 0x8087, nothing, sizeof(nothing));
		put_numbers(items, 0x6089, 0x608a, 0);
	}
	gen_item_end(items, 0xa050, begin);
}

static void put_output(struct gen_items *items, const struct gen_soc *soc, uint32_t net)
{
	size_t begin = gen_item_begin(items, 0xa060);
	char name[16];

	snprintf(name, sizeof(name), "out%lu", (unsigned long)net);
	gen_item_number(items, 0x4061, net);
	if (soc->shared) {
		put_numbers(items, 0x6062, 0x6063, 16);
		gen_item_number(items, 0x6064, 1);
	}
	gen_item_number(items, 0x2065, 3);
	gen_item_name(items, 0x8066, name);
	gen_item_number(items, 0x2067, 0x30);
	gen_item_number(items, 0x2068, 0);
	gen_item_shape(items, 0x8069, output_shape);
	gen_item_number(items, 0x206a, 1);
	gen_item_number(items, 0x606b, 0);
	gen_item_number(items, 0x406c, 1);
	if (soc->shared) {
		gen_item_number(items, 0x406d, 0);
		gen_item_number(items, 0x606e, 0);
		put_numbers(items, 0x6070, 0x6073, 0);
	}
	gen_item_end(items, 0xa060, begin);
}

static void put_counts(struct gen_items *items, const struct gen_soc *soc, const struct gen_net_info *net)
{
	static const uint8_t nothing[8];

	gen_item_number(items, 0x4207, net->layers);
	gen_item_number(items, 0x420c, net->records);
	gen_item_number(items, 0x420e, net->records);
	gen_item_number(items, 0x420d, 0);
	gen_item_number(items, 0x420f, 0);
	if (soc->shared)
		gen_item_number(items, 0x4210, 0);
	if (net->cpu_operator)
		gen_item_name(items, 0x8208, net->cpu_operator);
	put_numbers(items, 0x6209, 0x620a, 0);
	if (net->cpu_operator)
		gen_item_bytes(items, 0xa20b, nothing, sizeof(nothing));
}

void gen_net_put(struct gen_out *out, const struct gen_soc *soc, const struct gen_net_info *net)
{
	struct gen_items items;
	size_t begin;

	items.used = 0;
	begin = gen_item_begin(&items, 0xa040);
	gen_item_number(&items, 0x4041, net->net);
	gen_item_number(&items, 0x2042, net->cpu_operator ? NET_CPU : NET_CNN);
	put_numbers(&items, 0x6043, 0x6044, 64);
	gen_item_number(&items, 0x6045, 8);
	put_numbers(&items, 0x2046, 0x2047, 1);
	put_numbers(&items, 0x4049, 0x404a, 0);
	put_numbers(&items, 0x204b, 0x204c, 0);
	if (!soc->shared) {
		put_numbers(&items, 0x2200, 0x2203, 0);
		put_numbers(&items, 0x6204, 0x6205, 0);
	}
	gen_item_number(&items, 0x2206, 0);
	put_counts(&items, soc, net);
	put_input(&items, soc, net->net);
	put_output(&items, soc, net->net);
	gen_item_end(&items, 0xa040, begin);
	put_items(out, &items);
}
