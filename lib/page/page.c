/* page.c: fills the places of schema/page/page.html: {css}, {js}, {data}, {texts}, and those of single texts. */
#include "page/page.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/schema.h"
#include "compare/diff_write.h"
#include "insight/advise.h"
#include "page/document.h"
#include "report/formats.h"

/* Write all files of a kind, in order of their names. */
static void put_files(struct mp_out *out, const char *ending)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++) {
		size_t len = strlen(f->path);

		if (strncmp(f->path, "page/", 5) == 0 && len > strlen(ending) &&
		    strcmp(f->path + len - strlen(ending), ending) == 0)
			mp_out_text(out, f->text);
	}
}

static int put_data(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct mp_safe safe;
	struct mp_error late;
	int status;

	if (mp_safe_open(&safe, out, err))
		return -1;
	status = mp_document_put(page, safe.json, err);
	if (mp_safe_close(&safe, &late) && !status) {
		*err = late;
		status = -1;
	}
	return status;
}

/* Write the text of an id: the table has a line "id = text" for it. */
static int put_text(struct mp_out *out, const char *table, const char *id, size_t len, struct mp_error *err)
{
	static const char sign[] = " = ";

	for (const char *line = table; *line; line += strspn(line, "\n")) {
		size_t size = strcspn(line, "\n");

		if (strncmp(line, id, len) == 0 && strncmp(line + len, sign, strlen(sign)) == 0) {
			mp_out_write(out, line + len + strlen(sign), size - len - strlen(sign));
			return 0;
		}
		line += size;
	}
	return mp_fail(err, "the texts of the page have no '%.*s'", (int)len, id);
}

/* The texts of the program that other commands say, too, in the form of the table: "id = text". */
static void put_words(struct mp_out *out)
{
	char path[40];

	snprintf(path, sizeof(path), "text/%.8s_words.txt", mp_say_language_name());
	for (const char *line = mp_schema_text(path); line && *line; line += *line == '\n') {
		const size_t len = strcspn(line, "\n");
		const char *end = strstr(line, "\" ");

		if (*line == '"' && end && end < line + len) {
			mp_out_write(out, line + 1, (size_t)(end - line) - 1);
			mp_out_text(out, " = ");
			mp_out_write(out, end + 2, len - (size_t)(end - line) - 1);
		}
		line += len;
	}
}

/* Write what stands in a place. */
static int put_place(const struct mp_page *page, const char *texts, const char *name, size_t len, struct mp_out *out,
    struct mp_error *err)
{
	static const char *const kinds[] = {"css", "js"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (len == strlen(kinds[i]) && strncmp(name, kinds[i], len) == 0) {
			put_files(out, kinds[i]);
			return 0;
		}
	if (len == strlen("data") && strncmp(name, "data", len) == 0)
		return put_data(page, out, err);
	if (len == strlen("texts") && strncmp(name, "texts", len) == 0) {
		put_words(out); /* the page has its own of some */
		mp_out_text(out, texts);
		return 0;
	}
	return put_text(out, texts, name, len, err);
}

int mp_page_write(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	const char *text = mp_schema_text("page/page.html"), *texts;
	char path[40];

	snprintf(path, sizeof(path), "page/texts/%.8s.txt", mp_say_language_name());
	texts = mp_schema_text(path);
	if (!text || !texts)
		return mp_fail(err, "schema/page has no page.html, or no texts");
	while (*text) {
		size_t plain = strcspn(text, "{"), len = strcspn(text + plain, "}\n");

		mp_out_write(out, text, plain);
		text += plain;
		if (*text != '{')
			break;
		if (text[len] == '}' && len > 1) {
			if (put_place(page, texts, text + 1, len - 1, out, err))
				return -1;
			text += len + 1;
		} else {
			mp_out_char(out, *text++);
		}
	}
	return mp_out_error(out, err);
}

/* The data of a page as one JSON document. */

enum { DIFF_ROWS_MAX = 500, NOTE_SIZE = 160 };

/* The document of msprof.advise/1, as `advise` writes it. */
static int put_advice(
    const struct mp_page *page, const struct mp_advice *advice, struct mp_out *out, struct mp_error *err)
{
	mp_put_key(out, false, "advise");
	mp_out_text(out, "{\"schema\": \"msprof.advise/1\", \"jobs\": [\n");
	if (mp_advice_write_json(advice, page->db, page->job, out, err))
		return -1;
	mp_out_text(out, "\n]}");
	return 0;
}

/* Leave out the last rows of a table; returns their number. */
static int64_t cut_rows(struct mp_group_diff *g)
{
	int64_t left_out = (int64_t)g->row_count - DIFF_ROWS_MAX;

	if (left_out <= 0)
		return 0;
	g->row_count = DIFF_ROWS_MAX;
	return left_out;
}

/* The document of msprof.diff/1, as `diff` writes it, with the first rows of each table. */
static int put_diff(const struct mp_page *page, struct mp_out *out, int64_t *left_out, struct mp_error *err)
{
	const struct mp_gates gates = {.count = 0};
	struct mp_diff d;
	int status;

	mp_put_key(out, false, "diff");
	if (!page->diff) {
		mp_out_text(out, "null");
		return 0;
	}
	d = *page->diff;
	d.groups = malloc((d.group_count + 1) * sizeof(*d.groups));
	if (!d.groups)
		return mp_fail_memory(err, "the comparison");
	*left_out = cut_rows(&d.calls);
	for (size_t i = 0; i < d.group_count; i++) {
		d.groups[i] = page->diff->groups[i];
		*left_out += cut_rows(&d.groups[i]);
	}
	status = mp_diff_write_json(&d, &gates, page->base, page->new, out, err);
	free(d.groups);
	return status;
}

static void put_note(struct mp_out *out, bool *any, const char *kind, const char *text)
{
	mp_out_text(out, *any ? ",\n{\"kind\": " : "\n{\"kind\": ");
	mp_json_string(out, kind, strlen(kind));
	mp_put_text(out, "text", text);
	mp_out_char(out, '}');
	*any = true;
}

static void put_left_out(struct mp_out *out, bool *any, int64_t count, const char *what)
{
	char text[NOTE_SIZE], said[NOTE_SIZE];

	if (count <= 0)
		return;
	snprintf(text, sizeof(text), "%lld %s", (long long)count, what);
	put_note(out, any, "omitted", mp_say_found(said, sizeof(said), text));
}

static int put_notes(const struct mp_page *page, const struct mp_page_timeline *t, int64_t diff_rows,
    struct mp_out *out, struct mp_error *err)
{
	bool any = false;

	mp_put_key(out, false, "notes");
	mp_out_char(out, '[');
	if (mp_objects_put(page, "page/notes", &any, out, err))
		return -1;
	put_left_out(out, &any, t->left_out_tracks, "tracks with the fewest slices are not in the time line");
	put_left_out(out, &any, t->left_out_nodes, "nodes with the least time are not in the flame graph");
	put_left_out(out, &any, t->stacks.omitted, "calls are not in the flame graph: they have too many callers");
	put_left_out(out, &any, diff_rows, "rows with the smallest changes are not in the comparison");
	mp_out_char(out, ']');
	return 0;
}

static int put_timeline(
    const struct mp_page *page, struct mp_page_timeline *t, struct mp_out *out, struct mp_error *err)
{
	mp_put_key(out, false, "timeline");
	if (mp_page_timeline_read(t, page, err) || mp_page_timeline_put(t, page, out, err))
		return -1;
	mp_put_key(out, false, "counters");
	if (mp_counters_put(page, t->slices.begin_ns[t->slices.has_clock[0] ? 0 : 1], out, err))
		return -1;
	mp_put_key(out, false, "roofline");
	if (mp_roofline_put(page, out, err))
		return -1;
	mp_put_key(out, false, "stacks");
	return mp_stacks_put(t, out, err);
}

static int put_parts(const struct mp_page *page, const struct mp_advice *advice, struct mp_page_timeline *t,
    struct mp_out *out, struct mp_error *err)
{
	int64_t diff_rows = 0;
	bool any = false;

	mp_out_text(out, "{\"schema\": \"msprof.report/1\"");
	mp_put_text(out, "version", page->version);
	mp_put_key(out, false, "job");
	if (mp_job_put(page, out, err))
		return -1;
	mp_put_key(out, false, "headline");
	mp_out_char(out, '[');
	if (mp_objects_put(page, "page/headline", &any, out, err))
		return -1;
	mp_out_char(out, ']');
	if (put_advice(page, advice, out, err) || put_diff(page, out, &diff_rows, err))
		return -1;
	mp_put_key(out, false, "operators");
	if (mp_operators_put(page, out, err) || put_timeline(page, t, out, err) ||
	    put_notes(page, t, diff_rows, out, err))
		return -1;
	mp_out_text(out, "}");
	return 0;
}

int mp_document_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct mp_page_timeline t = {.length_ns = 0};
	struct mp_advice advice;
	int status = mp_advise(&advice, page->db, page->family, NULL, err) || put_parts(page, &advice, &t, out, err);

	mp_page_timeline_free(&t);
	mp_advice_free(&advice);
	return status ? -1 : 0;
}

/* Replaces the characters with a meaning in HTML. Knows no document. */

enum { BUFFER_SIZE = 256 * 1024 };

/* The first two bytes of U+2028 and U+2029, which end in 0xa8 and 0xa9. */
static const char separator[] = "\xe2\x80";

static const char *escape_of(unsigned char c)
{
	switch (c) {
	case '<':
		return "\\u003c";
	case '>':
		return "\\u003e";
	case '&':
		return "\\u0026";
	default:
		return NULL;
	}
}

/* The byte after the first two of a separator. */
static bool end_separator(struct mp_safe *s, unsigned char c)
{
	s->seen = 0;
	if (c != 0xa8 && c != 0xa9) {
		mp_out_write(s->to, separator, 2);
		return false;
	}
	mp_out_text(s->to, c == 0xa8 ? "\\u2028" : "\\u2029");
	return true;
}

static bool is_plain(unsigned char c)
{
	return c != '<' && c != '>' && c != '&' && c != 0xe2;
}

static void pass(struct mp_safe *s, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size;) {
		unsigned char c = (unsigned char)bytes[i];
		size_t plain = i;

		if (s->seen == 2) {
			i += end_separator(s, c);
		} else if (s->seen == 1) {
			s->seen = c == 0x80 ? 2 : 0;
			if (s->seen)
				i++;
			else
				mp_out_write(s->to, separator, 1);
		} else if (c == 0xe2) {
			s->seen = 1;
			i++;
		} else if (escape_of(c)) {
			mp_out_text(s->to, escape_of(c));
			i++;
		} else {
			while (plain < size && is_plain((unsigned char)bytes[plain]))
				plain++;
			mp_out_write(s->to, bytes + i, plain - i);
			i = plain;
		}
	}
}

static void full(void *user)
{
	struct mp_safe *s = user;
	size_t size;
	const char *bytes = mp_out_kept(s->json, &size);

	pass(s, bytes, size);
	mp_out_restart(s->json);
}

int mp_safe_open(struct mp_safe *s, struct mp_out *to, struct mp_error *err)
{
	*s = (struct mp_safe){.to = to};
	return mp_out_keep(&s->json, BUFFER_SIZE, full, s, err);
}

int mp_safe_close(struct mp_safe *s, struct mp_error *err)
{
	int status = mp_out_error(s->json, err);

	full(s);
	mp_out_write(s->to, separator, (size_t)s->seen);
	mp_out_abort(s->json);
	return status || mp_out_error(s->to, err) ? -1 : 0;
}
