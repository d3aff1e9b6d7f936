/* publish_ask.c: sends a question to msprof-publish, and writes its answer as a table. */
#include "publish.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/wire.h"
#include "launch.h"
#include "printer.h"
#include "process.h"

enum { CELLS_MAX = 64, QUESTION_SIZE = 8192 };

/* The cells of a frame; texts lie in the frame. */
struct cells {
	struct mp_value items[CELLS_MAX];
	int count;
};

static int read_cells(struct cells *c, const char *bytes, size_t size, struct mp_error *err)
{
	for (c->count = 0; size; c->count++) {
		struct mp_value *v = &c->items[c->count];
		uint32_t len;

		if (c->count == CELLS_MAX || size < sizeof(len))
			return mp_fail(err, "the answer cannot be read");
		memcpy(&len, bytes, sizeof(len));
		bytes += sizeof(len);
		size -= sizeof(len);
		*v = (struct mp_value){.type = MP_NULL};
		if (len == MP_WIRE_NULL)
			continue;
		if (len > size)
			return mp_fail(err, "the answer cannot be read");
		*v = (struct mp_value){.type = MP_TEXT, .text = bytes, .len = len};
		bytes += len;
		size -= len;
	}
	return 0;
}

/*
 * The text of a column of numbers becomes one: such columns are right-aligned, and JSON has them without quotes. A
 * number that is too large stays a text. In a column of `reals` 0 is 0.0.
 */
static void read_number(struct mp_value *v, bool reals)
{
	char text[32], *end;
	int64_t whole;
	double real;

	if (v->type != MP_TEXT || v->len == 0 || v->len >= sizeof(text))
		return;
	memcpy(text, v->text, v->len);
	text[v->len] = '\0';
	if (strlen(text) < v->len)
		return;
	errno = 0;
	whole = strtoll(text, &end, 10);
	if (!*end && !errno) {
		*v = reals ? mp_real((double)whole) : mp_int(whole);
	} else if (*end && strspn(text, "+-0123456789.e") == v->len) {
		real = strtod(text, &end);
		if (!*end && isfinite(real))
			*v = mp_real(real);
	}
}

struct answer {
	struct printer printer;
	struct publish_metrics metrics;
	struct mp_writer *writer;
	const char *name;
	struct cells titles;
	const char *title_texts[CELLS_MAX];
	char kinds[CELLS_MAX]; /* of columns: 0 texts, which stay as they are, 1 numbers, 2 numbers with a point */
	char *title_bytes;
	char *absent; /* why there are no rows, or NULL */
	bool begun;
	bool is_open; /* the section began, which tells whether there are rows */
	char frame[MP_WIRE_SIZE_MAX];
};

static int take_titles(struct answer *a, size_t size, struct mp_error *err)
{
	size_t used = 0;

	if (a->begun || read_cells(&a->titles, a->frame, size, err))
		return a->begun ? mp_fail(err, "the answer has two beginnings") : -1;
	a->title_bytes = malloc(size + CELLS_MAX);
	if (!a->title_bytes)
		return mp_fail_memory(err, "the answer");
	for (int i = 0; i < a->titles.count; i++) {
		a->title_texts[i] = a->title_bytes + used;
		if (a->titles.items[i].type != MP_TEXT)
			return mp_fail(err, "the answer cannot be read");
		memcpy(a->title_bytes + used, a->titles.items[i].text, a->titles.items[i].len);
		used += a->titles.items[i].len;
		a->title_bytes[used++] = '\0';
	}
	a->begun = true;
	return 0;
}

static int open_section(struct answer *a, struct mp_error *err)
{
	struct mp_section section = {.title = a->name,
	    .heading = "",
	    .absent = a->absent,
	    .titles = a->title_texts,
	    .column_count = a->titles.count};

	if (a->is_open)
		return 0;
	a->is_open = true;
	return a->writer->section(a->writer, &section, err);
}

static int take_absent(struct answer *a, size_t size, struct mp_error *err)
{
	if (!a->begun || a->is_open || a->absent)
		return mp_fail(err, "the answer cannot be read");
	a->absent = strndup(a->frame, size);
	return a->absent ? 0 : mp_fail_memory(err, "the answer");
}

static int take_numbers(struct answer *a, size_t size, struct mp_error *err)
{
	if (!a->begun || size != (size_t)a->titles.count)
		return mp_fail(err, "the answer cannot be read");
	memcpy(a->kinds, a->frame, size);
	return 0;
}

static int take_row(struct answer *a, size_t size, struct mp_error *err)
{
	struct cells cells;

	if (!a->begun || read_cells(&cells, a->frame, size, err) || cells.count != a->titles.count)
		return mp_fail(err, "the answer cannot be read");
	for (int i = 0; i < cells.count; i++)
		if (a->kinds[i])
			read_number(&cells.items[i], a->kinds[i] == 2);
	if (open_section(a, err))
		return -1;
	return a->writer->row(a->writer, cells.items, err);
}

/* Returns 1 while the answer goes on, 0 at its end, -1 with err. */
static int take_frame(struct answer *a, int from, struct mp_error *err)
{
	struct mp_wire_head head;
	int status = mp_wire_head(from, &head, err);

	if (status == 0)
		return mp_fail(err, "msprof-publish ended before its work was done");
	if (status < 0 || (head.size && mp_wire_read(from, a->frame, head.size, err) != 1))
		return -1;
	switch (head.kind) {
	case MP_WIRE_READY:
		return 0;
	case MP_WIRE_TITLES:
		return take_titles(a, head.size, err) ? -1 : 1;
	case MP_WIRE_NUMBERS:
		return take_numbers(a, head.size, err) ? -1 : 1;
	case MP_WIRE_ROW:
		return take_row(a, head.size, err) ? -1 : 1;
	case MP_WIRE_ABSENT:
		return take_absent(a, head.size, err) ? -1 : 1;
	default:
		if (head.kind == MP_WIRE_FAILED && head.size >= sizeof(int64_t))
			return mp_fail(err, "%.*s", (int)(head.size - sizeof(int64_t)), a->frame + sizeof(int64_t));
		return mp_fail(err, "msprof-publish gave an unknown answer");
	}
}

static int send_question(const struct options *o, int to, struct mp_error *err)
{
	char text[QUESTION_SIZE];
	size_t used = (size_t)snprintf(text, sizeof(text), "%s\n", o->values[OPTION_ASK]);

	for (size_t i = 0; i < o->parameters.count && used < sizeof(text); i++) {
		const char *parameter = o->parameters.items[i];

		if (!strchr(parameter, '=') || strchr(parameter, '\n')) /* a line break would be another parameter */
			return mp_fail(err, "--set needs NAME=VALUE, in one line: '%s'", parameter);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s\n", parameter);
	}
	for (size_t i = 0; i < o->labels.count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "label.%s\n", o->labels.items[i]);
	if (used >= sizeof(text))
		return mp_fail(err, "the question is too long");
	return mp_wire_write(to, MP_WIRE_QUESTION, text, used, err);
}

static int print_answer(struct answer *a, const struct options *o, struct loader *loader, struct mp_error *err)
{
	const char *format = options_has(o, OPTION_FORMAT) ? o->values[OPTION_FORMAT] : "";
	struct mp_error full;
	int status = 1;

	if (send_question(o, loader->to, err) || printer_open(&a->printer, o, "fleet", err))
		return -1;
	a->writer = a->printer.sheet ? &a->printer.csv.writer : a->printer.writer;
	if (strcmp(format, "prometheus") == 0) {
		publish_metrics_init(&a->metrics, a->printer.out);
		a->writer = &a->metrics.writer;
	}
	while (status == 1)
		status = take_frame(a, loader->from, err);
	if (!status && a->begun)
		status = open_section(a, err) || a->writer->end(a->writer, 0, err) ? -1 : 0;
	if (!status && a->absent && a->writer != a->printer.writer) /* CSV has no place for it */
		message_info(o, "'%s': %s", a->name, a->absent);
	if (printer_close(&a->printer, &full) && !status) {
		*err = full;
		status = -1;
	}
	return status;
}

int publish_ask(const struct options *o)
{
	const char *const words[] = {"ask", o->values[OPTION_URL], NULL};
	struct answer *a = calloc(1, sizeof(*a));
	struct loader loader;
	struct mp_error err;
	int status = a ? 0 : mp_fail_memory(&err, "the answer");

	signal(SIGPIPE, SIG_IGN);
	status = status || loader_start(&loader, words, &err) ? -1 : 0;
	if (!status && confine(o, &err)) { /* an answer is a server's */
		loader_end(&loader);
		status = -1;
	} else if (!status) {
		a->name = o->values[OPTION_ASK];
		status = print_answer(a, o, &loader, &err);
		loader_end(&loader);
	}
	if (status)
		message_failure(&err);
	if (a) {
		free(a->title_bytes);
		free(a->absent);
	}
	free(a);
	return status ? EXIT_FAILED : EXIT_OK;
}
