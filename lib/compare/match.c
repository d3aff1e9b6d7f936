/* match.c: finds the same operator on both sides. Knows no time. */
#include "compare/diff.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/value.h"
#include "base/vec.h"

const char *const mp_match_names[MP_MATCHES] = {"same", "other shape", "by layers", "new", "gone"};

#define NO_ROW UINT32_MAX

/* Numbers for texts of both sides: names with shapes, names, layers. The texts are borrowed. */
struct word {
	const char *text, *detail;
	size_t len;
	int kind;
};

struct words {
	struct word *items;
	size_t count;
	struct mp_index index;
};

struct wanted {
	const struct words *words;
	const struct word *word;
};

struct matcher {
	const struct mp_group *base, *new;
	struct mp_matching *m;
	struct words words;
	uint32_t *numbers[2]; /* of the words of the items of a side */
	uint32_t *first;      /* by word: an item of NEW without a row, or NO_ROW */
	uint32_t *next;       /* the item of NEW after it with this word */
	uint32_t *owner;      /* by word: the root of the items that share it */
};

static bool same(const void *key, uint32_t number)
{
	const struct wanted *w = key;
	const struct word *a = &w->words->items[number], *b = w->word;

	return a->kind == b->kind && a->len == b->len && memcmp(a->text, b->text, a->len) == 0 &&
	       (a->detail == b->detail || (a->detail && b->detail && strcmp(a->detail, b->detail) == 0));
}

static uint64_t hash_of(const struct word *w)
{
	uint64_t hash = mp_hash_mix(mp_hash_bytes(w->text, w->len), (uint64_t)w->kind);

	return w->detail ? mp_hash_mix(hash, mp_hash_bytes(w->detail, strlen(w->detail))) : hash;
}

/* The number of a word; NO_ROW: out of memory. */
static uint32_t number_of(struct words *w, const struct word *word)
{
	const struct wanted wanted = {w, word};
	uint32_t *place = mp_index_find(&w->index, w->count, hash_of(word), same, &wanted);

	if (!place || (!*place && !mp_vec_room(w->items, w->count, 1)))
		return NO_ROW;
	if (!*place) {
		w->items[w->count] = *word;
		*place = (uint32_t)++w->count;
	}
	return *place - 1;
}

/* Number the items of a side by name and kind, with or without the shape. */
static bool number_items(struct matcher *x, int side, bool with_shape)
{
	const struct mp_group *g = side ? x->new : x->base;

	for (size_t i = 0; i < g->item_count; i++) {
		const struct mp_side_item *item = &g->items[i];
		const struct word word = {item->name, with_shape ? item->detail : NULL, strlen(item->name),
		    (int)item->kind + (with_shape ? 0 : MP_ITEM_KINDS)};

		x->numbers[side][i] = number_of(&x->words, &word);
		if (x->numbers[side][i] == NO_ROW)
			return false;
	}
	return true;
}

static void add_row(struct mp_matching *m, enum mp_matched how)
{
	m->how[m->count++] = how;
}

static void pair(struct mp_matching *m, size_t base, size_t new, enum mp_matched how)
{
	m->base[base] = m->new[new] = (uint32_t)m->count;
	add_row(m, how);
}

static int pair_in_order(struct matcher *x, struct mp_error *err)
{
	uint32_t *partner = malloc((x->base->item_count + 1) * sizeof(*partner));
	int status;

	if (!partner)
		return mp_fail_memory(err, "a matching");
	status = mp_lcs(x->numbers[0], x->base->item_count, x->numbers[1], x->new->item_count, partner, err);
	for (size_t i = 0; i < x->base->item_count && !status; i++)
		if (partner[i] != MP_LCS_NONE)
			pair(x->m, i, partner[i], MP_MATCH_SAME);
	free(partner);
	return status;
}

/* Items without a row whose words are equal, in order. */
static int pair_left(struct matcher *x, enum mp_matched how, struct mp_error *err)
{
	free(x->first);
	x->first = malloc((x->words.count + 1) * sizeof(*x->first));
	if (!x->first)
		return mp_fail_memory(err, "a matching");
	for (size_t i = 0; i < x->words.count; i++)
		x->first[i] = NO_ROW;
	for (size_t i = x->new->item_count; i-- > 0;)
		if (x->m->new[i] == NO_ROW) {
			x->next[i] = x->first[x->numbers[1][i]];
			x->first[x->numbers[1][i]] = (uint32_t)i;
		}
	for (size_t i = 0; i < x->base->item_count; i++) {
		uint32_t *first = &x->first[x->numbers[0][i]];

		if (x->m->base[i] != NO_ROW || *first == NO_ROW)
			continue;
		pair(x->m, i, *first, how);
		*first = x->next[*first];
	}
	return 0;
}

static uint32_t root_of(uint32_t *parents, uint32_t node)
{
	while (parents[node] != node) {
		parents[node] = parents[parents[node]];
		node = parents[node];
	}
	return node;
}

/* Join an item with all items that share one of its layers. Items of NEW follow those of BASE. */
static bool join_layers(
    struct matcher *x, const struct mp_side_item *item, uint32_t node, uint32_t *parents, size_t room)
{
	const char *at = item->layers ? item->layers : item->name; /* an operator that is not fused is its own layer */

	while (*at) {
		const struct word word = {at, NULL, strcspn(at, "\x1f"), 2 * MP_ITEM_KINDS};
		uint32_t number = number_of(&x->words, &word);

		if (number == NO_ROW || number >= room)
			return false;
		if (x->owner[number] == NO_ROW)
			x->owner[number] = node;
		else
			parents[root_of(parents, node)] = root_of(parents, x->owner[number]);
		at += word.len + (at[word.len] != '\0');
	}
	return true;
}

static size_t count_layers(const struct mp_group *g)
{
	size_t count = 0;

	for (size_t i = 0; i < g->item_count; i++) {
		const char *at = g->items[i].layers ? g->items[i].layers : g->items[i].name;

		for (count++; (at = strchr(at, MP_LIST_SEPARATOR)) != NULL; at++)
			count++;
	}
	return count;
}

/* The item of either side by its node. */
static const struct mp_side_item *item_of(const struct matcher *x, size_t node, uint32_t **row)
{
	size_t bases = x->base->item_count;

	*row = node < bases ? &x->m->base[node] : &x->m->new[node - bases];
	return node < bases ? &x->base->items[node] : &x->new->items[node - bases];
}

/* Sets of items without a row that share layers and are on both sides become a row each. */
static void make_layer_rows(struct matcher *x, uint32_t *parents, unsigned char *sides, uint32_t *rows)
{
	size_t bases = x->base->item_count, nodes = bases + x->new->item_count;
	uint32_t *row;

	for (size_t i = 0; i < nodes; i++) {
		item_of(x, i, &row);
		if (*row == NO_ROW)
			sides[root_of(parents, (uint32_t)i)] |= i < bases ? 1 : 2;
	}
	for (size_t i = 0; i < nodes; i++) {
		uint32_t root = root_of(parents, (uint32_t)i);

		item_of(x, i, &row);
		if (*row != NO_ROW || sides[root] != 3)
			continue;
		if (rows[root] == NO_ROW) {
			rows[root] = (uint32_t)x->m->count;
			add_row(x->m, MP_MATCH_LAYERS);
		}
		*row = rows[root];
	}
}

static int pair_layers(struct matcher *x, struct mp_error *err)
{
	size_t nodes = x->base->item_count + x->new->item_count;
	size_t room = x->words.count + count_layers(x->base) + count_layers(x->new) + 1;
	uint32_t *parents = malloc((nodes + 1) * sizeof(*parents)), *rows = malloc((nodes + 1) * sizeof(*rows)), *row;
	unsigned char *sides = calloc(nodes + 1, 1);
	bool good = parents && rows && sides && (x->owner = malloc(room * sizeof(*x->owner)));

	for (size_t i = 0; good && i < room; i++)
		x->owner[i] = NO_ROW;
	for (size_t i = 0; good && i < nodes; i++)
		parents[i] = rows[i] = (uint32_t)i;
	for (size_t i = 0; good && i < nodes; i++) {
		const struct mp_side_item *item = item_of(x, i, &row);

		rows[i] = NO_ROW;
		if (*row == NO_ROW)
			good = join_layers(x, item, (uint32_t)i, parents, room);
	}
	if (good)
		make_layer_rows(x, parents, sides, rows);
	free(parents);
	free(rows);
	free(sides);
	return good ? 0 : mp_fail_memory(err, "a matching");
}

static int match(struct matcher *x, struct mp_error *err)
{
	if (!number_items(x, 0, true) || !number_items(x, 1, true))
		return mp_fail_memory(err, "a matching");
	if (pair_in_order(x, err) || pair_left(x, MP_MATCH_SAME, err))
		return -1;
	if (!number_items(x, 0, false) || !number_items(x, 1, false))
		return mp_fail_memory(err, "a matching");
	if (pair_left(x, MP_MATCH_SHAPE, err) || pair_layers(x, err))
		return -1;
	for (size_t i = 0; i < x->base->item_count; i++)
		if (x->m->base[i] == NO_ROW) {
			x->m->base[i] = (uint32_t)x->m->count;
			add_row(x->m, MP_MATCH_GONE);
		}
	for (size_t i = 0; i < x->new->item_count; i++)
		if (x->m->new[i] == NO_ROW) {
			x->m->new[i] = (uint32_t)x->m->count;
			add_row(x->m, MP_MATCH_NEW);
		}
	return 0;
}

int mp_match(struct mp_matching *m, const struct mp_group *base, const struct mp_group *new, struct mp_error *err)
{
	size_t bases = base->item_count + 1, news = new->item_count + 1;
	struct matcher x = {.base = base, .new = new, .m = m};
	int status = -1;

	*m = (struct mp_matching){.base = malloc(bases * sizeof(*m->base)),
	    .new = malloc(news * sizeof(*m->new)),
	    .how = calloc(bases + news, sizeof(*m->how))};
	x.numbers[0] = malloc(bases * sizeof(uint32_t));
	x.numbers[1] = malloc(news * sizeof(uint32_t));
	x.next = malloc(news * sizeof(uint32_t));
	if (m->base && m->new && m->how &&x.numbers[0] && x.numbers[1] && x.next) {
		memset(m->base, 0xff, bases * sizeof(*m->base));
		memset(m->new, 0xff, news * sizeof(*m->new));
		status = match(&x, err);
	} else {
		mp_error_set_memory(err, "a matching");
	}
	free(x.numbers[0]);
	free(x.numbers[1]);
	free(x.next);
	free(x.first);
	free(x.owner);
	free(x.words.items);
	mp_index_free(&x.words.index);
	return status;
}

void mp_matching_free(struct mp_matching *m)
{
	free(m->base);
	free(m->new);
	free(m->how);
	memset(m, 0, sizeof(*m));
}

/* A longest common subsequence, with few edits. */

/* The middle of two sequences; the furthest place in `a` on each diagonal, for each number of edits. */
struct search {
	const uint32_t *a, *b;
	int64_t a_count, b_count;
	int32_t *reached[MP_LCS_EDITS_MAX + 1]; /* of d edits: diagonals -d to d */
};

/* Diagonal k is the place in `a` less that in `b`. */
static int64_t step(const struct search *s, int64_t d, int64_t k)
{
	const int32_t *before = d ? s->reached[d - 1] + d - 1 : NULL;

	if (!before)
		return 0;
	if (k == -d || (k != d && before[k - 1] < before[k + 1]))
		return before[k + 1]; /* an element of b is new */
	return before[k - 1] + 1;     /* an element of a is gone */
}

/* Returns the number of edits; -1: more than the maximum, -2: out of memory. */
static int64_t find_edits(struct search *s)
{
	for (int64_t d = 0; d <= MP_LCS_EDITS_MAX; d++) {
		int32_t *reached = malloc((size_t)(2 * d + 1) * sizeof(*reached));

		if (!reached)
			return -2;
		s->reached[d] = reached;
		for (int64_t k = -d; k <= d; k += 2) {
			int64_t x = step(s, d, k), y;

			for (y = x - k; x < s->a_count && y >= 0 && y < s->b_count && s->a[x] == s->b[y]; x++)
				y++;
			reached[k + d] = (int32_t)x;
			if (x >= s->a_count && y >= s->b_count)
				return d;
		}
	}
	return -1;
}

/* Walk back from the end, and note the pairs on the diagonals. */
static void note_pairs(const struct search *s, int64_t edits, uint32_t *partner, uint32_t b_first)
{
	int64_t x = s->a_count, y = s->b_count;

	for (int64_t d = edits; d >= 0; d--) {
		int64_t k = x - y, from = step(s, d, k);

		for (; x > from && y > 0; x--, y--)
			partner[x - 1] = b_first + (uint32_t)(y - 1);
		if (!d)
			break;
		if (k == -d || (k != d && s->reached[d - 1][k - 1 + d - 1] < s->reached[d - 1][k + 1 + d - 1]))
			y--;
		else
			x--;
	}
}

int mp_lcs(
    const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, uint32_t *partner, struct mp_error *err)
{
	size_t first = 0, least = a_count < b_count ? a_count : b_count, last = 0;
	struct search s = {.a = a};
	int64_t edits;

	for (size_t i = 0; i < a_count; i++)
		partner[i] = MP_LCS_NONE;
	for (; first < least && a[first] == b[first]; first++)
		partner[first] = (uint32_t)first;
	for (; last < least - first && a[a_count - 1 - last] == b[b_count - 1 - last]; last++)
		partner[a_count - 1 - last] = (uint32_t)(b_count - 1 - last);
	s.a = a + first;
	s.b = b + first;
	s.a_count = (int64_t)(a_count - first - last);
	s.b_count = (int64_t)(b_count - first - last);
	edits = find_edits(&s);
	if (edits >= 0)
		note_pairs(&s, edits, partner + first, (uint32_t)first);
	for (int64_t d = 0; d <= MP_LCS_EDITS_MAX && s.reached[d]; d++)
		free(s.reached[d]);
	return edits == -2 ? mp_fail_memory(err, "a comparison of sequences") : 0;
}
