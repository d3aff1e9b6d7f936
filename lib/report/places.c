/* places.c: joins the texts of a query, and replaces places by conditions. */
#include "report/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* A buffer that grows. After an error `bytes` is NULL and nothing more is added. */
struct text {
	char *bytes;
	size_t used; /* without the NUL behind the text */
	bool failed;
};

static void add(struct text *t, const char *s, size_t len)
{
	if (t->failed)
		return;
	if (!mp_vec_room(t->bytes, t->used, len + 1)) {
		t->failed = true;
		return;
	}
	memcpy(t->bytes + t->used, s, len);
	t->used += len;
	t->bytes[t->used] = '\0';
}

static void add_text(struct text *t, const char *s)
{
	add(t, s, strlen(s));
}

/* One end of a range: ` AND (TERM) <= (SELECT to_ns FROM temp.time_range WHERE clock = 'CLOCK')`. */
static void add_bound(
    struct text *t, const char *term, size_t len, const char *compare, const char *clock, size_t clock_len)
{
	add_text(t, " AND (");
	add(t, term, len);
	add_text(t, compare);
	add(t, clock, clock_len);
	add_text(t, "')");
}

/* "CLOCK START; END" */
static void add_range(struct text *t, const char *at, const char *end)
{
	size_t clock_len = strcspn(at, " ");
	const char *start = at + clock_len + 1, *middle = memchr(start, ';', (size_t)(end - start));

	if (!middle) { /* no valid SQL: the query fails, and names its line */
		add(t, at, (size_t)(end - at));
		return;
	}
	add_bound(t, start, (size_t)(middle - start), ") <= (SELECT to_ns FROM temp.time_range WHERE clock = '", at,
	    clock_len);
	add_bound(t, middle + 1, (size_t)(end - middle - 1),
	    ") >= (SELECT from_ns FROM temp.time_range WHERE clock = '", at, clock_len);
}

static void add_device(struct text *t, const char *at, const char *end)
{
	add_text(t, " AND coalesce((");
	add(t, at, (size_t)(end - at));
	add_text(t, ") IN (SELECT device_id FROM temp.wanted_device), 1)");
}

static void add_model(struct text *t, const char *at, const char *end)
{
	add_text(t, " AND (");
	add(t, at, (size_t)(end - at));
	add_text(t, ") = (SELECT model_id FROM temp.choice)");
}

static void add_step(struct text *t, const char *at, const char *end)
{
	add_text(t, " AND (");
	add(t, at, (size_t)(end - at));
	add_text(t, ") = (SELECT step FROM temp.choice)");
}

static const struct place {
	const char *name;
	unsigned limit;
	void (*add)(struct text *t, const char *at, const char *end);
} PLACES[] = {{"{range ", MP_LIMIT_TIME, add_range}, {"{device ", MP_LIMIT_DEVICES, add_device},
    {"{model ", MP_LIMIT_MODEL, add_model}, {"{step ", MP_LIMIT_STEP, add_step}};

/* Returns the next place in at..end and its kind, or NULL. */
static const char *find_place(const char *at, const char *end, const struct place **kind)
{
	while ((at = memchr(at, '{', (size_t)(end - at))) != NULL) {
		for (size_t i = 0; i < sizeof(PLACES) / sizeof(PLACES[0]); i++)
			if (strncmp(at, PLACES[i].name, strlen(PLACES[i].name)) == 0) {
				*kind = &PLACES[i];
				return at;
			}
		at++;
	}
	return NULL;
}

static void add_sql(struct text *t, const char *at, size_t len, unsigned limits)
{
	const char *end = at + len, *place;
	const struct place *kind;

	while ((place = find_place(at, end, &kind)) != NULL) {
		const char *close = memchr(place, '}', (size_t)(end - place));

		if (!close)
			break;
		add(t, at, (size_t)(place - at));
		if (limits & kind->limit)
			kind->add(t, place + strlen(kind->name), close);
		at = close + 1;
	}
	add(t, at, (size_t)(end - at));
}

char *mp_report_text(
    const struct mp_sql *sql, const char *before, const char *after, unsigned limits, struct mp_error *err)
{
	struct text t = {0};

	add_text(&t, before);
	for (int i = 0; i < sql->use_count; i++)
		add_sql(&t, sql->use[i], strlen(sql->use[i]), limits);
	add_sql(&t, sql->text, sql->len, limits);
	add_text(&t, after);
	if (!t.failed)
		return t.bytes;
	free(t.bytes);
	mp_fail_memory(err, "a query");
	return NULL;
}
