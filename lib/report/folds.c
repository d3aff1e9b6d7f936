/* folds.c: a table of paths in one piece of memory. */
#include "report/folds.h"

#include <stdlib.h>

#include "base/digits.h"
#include "base/index.h"

enum { PATHS = 1 << 16, BYTES = 8 << 20 };

struct path {
	const char *text;
	uint32_t len;
	int64_t ns;
};

struct mp_folds {
	struct mp_out *out;
	size_t count, used;
	struct path paths[PATHS];
	struct mp_index index; /* has room for all paths */
	char bytes[BYTES];
};

int mp_folds_create(struct mp_folds **folds, struct mp_out *out, struct mp_error *err)
{
	*folds = calloc(1, sizeof(**folds)); /* memory that is not used costs nothing */
	if (!*folds || !mp_index_grow(&(*folds)->index, PATHS)) {
		free(*folds);
		*folds = NULL;
		return mp_fail_memory(err, "stacks");
	}
	(*folds)->out = out;
	return 0;
}

void mp_folds_free(struct mp_folds *folds)
{
	if (folds)
		mp_index_free(&folds->index);
	free(folds);
}

/* A path to look up. */
struct path_key {
	const struct mp_folds *folds;
	const char *text;
	size_t len;
};

static bool same_path(const void *key, uint32_t item)
{
	const struct path_key *w = key;
	const struct path *p = &w->folds->paths[item];

	return p->len == w->len && memcmp(p->text, w->text, w->len) == 0;
}

static uint32_t *find(struct mp_folds *f, const char *text, size_t len)
{
	return mp_index_find(
	    &f->index, f->count, mp_hash_bytes(text, len), same_path, &(struct path_key){f, text, len});
}

void mp_folds_add(struct mp_folds *f, const char *text, size_t len, uint64_t ns)
{
	uint32_t *place = find(f, text, len);
	struct path *p;

	if (!*place && (f->count == PATHS || len > BYTES - f->used)) {
		mp_folds_write(f);
		mp_folds_clear(f);
		place = find(f, text, len);
	}
	if (!*place) {
		memcpy(f->bytes + f->used, text, len);
		f->paths[f->count] = (struct path){f->bytes + f->used, (uint32_t)len, 0};
		f->used += len;
		*place = (uint32_t)++f->count;
	}
	p = &f->paths[*place - 1];
	if (ns > (uint64_t)(INT64_MAX - p->ns))
		p->ns = INT64_MAX;
	else
		p->ns += (int64_t)ns;
}

static int by_text(const void *a, const void *b)
{
	const struct path *x = a, *y = b;
	int order = memcmp(x->text, y->text, x->len < y->len ? x->len : y->len);

	return order ? order : (x->len > y->len) - (x->len < y->len);
}

void mp_folds_write(struct mp_folds *f)
{
	if (f->count)
		qsort(f->paths, f->count, sizeof(f->paths[0]), by_text);
	for (size_t i = 0; i < f->count; i++) {
		char *at = mp_out_reserve(f->out, f->paths[i].len + 2 * MP_DIGITS_ROOM), *end;

		memcpy(at, f->paths[i].text, f->paths[i].len);
		end = at + f->paths[i].len;
		*end++ = ' ';
		end = mp_digits_put_int(end, f->paths[i].ns);
		*end++ = '\n';
		mp_out_advance(f->out, (size_t)(end - at));
	}
}

void mp_folds_clear(struct mp_folds *f)
{
	mp_index_clear(&f->index);
	f->count = f->used = 0;
}
