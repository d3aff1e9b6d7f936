/* stacks.c: a tree of calls in a hash table. */
#include "page/strip.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "insight/sweep.h"

struct wanted {
	const struct mp_stacks *stacks;
	int64_t parent;
	uint32_t name;
};

static bool same(const void *key, uint32_t item)
{
	const struct wanted *w = key;
	const struct mp_stack_node *n = &w->stacks->nodes[item];

	return n->parent == w->parent && n->name == w->name;
}

static uint64_t hash_of(int64_t parent, uint32_t name)
{
	return mp_hash_mix(mp_hash_mix(0, (uint64_t)parent), name);
}

bool mp_stacks_add(struct mp_stacks *s, int64_t parent, uint32_t name, int64_t dur_ns, int64_t *node)
{
	const struct wanted w = {s, parent, name};
	struct mp_stack_node *n;
	uint32_t *place = mp_index_find(&s->index, s->count, hash_of(parent, name), same, &w);

	if (!place)
		return false;
	if (!*place && s->count >= MP_STACKS_BUILT) {
		s->omitted++;
		*node = -1;
		return true;
	}
	if (!*place) {
		if (!mp_vec_room(s->nodes, s->count, 1))
			return false;
		s->nodes[s->count] = (struct mp_stack_node){.parent = parent, .name = name};
		*place = (uint32_t)++s->count;
	}
	*node = *place - 1;
	n = &s->nodes[*node];
	n->total_ns = mp_add_ns(n->total_ns, dur_ns);
	n->count++;
	return true;
}

static int longest_first(const void *a, const void *b)
{
	const struct mp_stack_node *const *x = a, *const *y = b;

	if ((*x)->total_ns != (*y)->total_ns)
		return (*x)->total_ns > (*y)->total_ns ? -1 : 1;
	return *x < *y ? -1 : 1;
}

int64_t mp_stacks_cut(struct mp_stacks *s)
{
	int64_t *moved = malloc((s->count + 1) * sizeof(*moved)), left_out = 0;
	struct mp_stack_node **order = malloc((s->count + 1) * sizeof(*order));
	size_t kept = 0;

	if (!moved || !order) {
		free(moved);
		free(order);
		return -1;
	}
	for (size_t i = 0; i < s->count; i++) {
		order[i] = &s->nodes[i];
		moved[i] = -1;
	}
	qsort(order, s->count, sizeof(*order), longest_first);
	for (size_t i = 0; i < s->count && i < MP_STACKS_SHOWN; i++)
		moved[order[i] - s->nodes] = 0;
	/* a call takes at least as long as those that it makes: the parent of a node that is kept is kept */
	for (size_t i = 0; i < s->count; i++)
		if (moved[i] == 0) {
			s->nodes[kept] = s->nodes[i];
			if (s->nodes[i].parent >= 0)
				s->nodes[kept].parent = moved[s->nodes[kept].parent];
			moved[i] = (int64_t)kept++;
		} else {
			left_out++;
		}
	s->count = kept;
	free(moved);
	free(order);
	return left_out;
}

void mp_stacks_free(struct mp_stacks *s)
{
	free(s->nodes);
	mp_index_free(&s->index);
	memset(s, 0, sizeof(*s));
}
