/* titles.c: reads schema/learn/titles.txt, and finds the meanings of titles and of names of files. */
#include "learn/titles.h"

#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "learn/memory.h"
#include "raw/pattern.h"

static const char *const meanings[MP_MEANS_COUNT_OF] = {"nothing", "task_id", "stream_id", "task_type", "layer_id",
    "layer_name", "layer_type", "ori_name", "event_name", "start", "time", "time_share", "mac_busy", "mac_ppen",
    "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld", "bound", "read", "write", "total", "pid", "tid", "kind",
    "call_name", "count", "sum", "average", "minimum", "maximum"};

static const char *const kinds[] = {"other", "tasks", "calls", "task_sums", "call_sums"};

enum { KIND_COUNT = sizeof(kinds) / sizeof(kinds[0]) };

enum dimension { OF_NOTHING, OF_TIME, OF_SIZE };

static const struct {
	const char *name;
	enum dimension of;
	int64_t unit;
} units[] = {{"ns", OF_TIME, 1}, {"us", OF_TIME, 1000}, {"\xce\xbcs", OF_TIME, 1000}, {"\xc2\xb5s", OF_TIME, 1000},
    {"ms", OF_TIME, 1000000}, {"s", OF_TIME, 1000000000}, {"byte", OF_SIZE, 1}, {"bytes", OF_SIZE, 1},
    {"b", OF_SIZE, 1}, {"kb", OF_SIZE, 1000}, {"mb", OF_SIZE, 1000000}, {"%", OF_NOTHING, 1}};

enum { UNIT_COUNT = sizeof(units) / sizeof(units[0]) };

const char *mp_meaning_name(enum mp_meaning meaning)
{
	return (unsigned)meaning < MP_MEANS_COUNT_OF ? meanings[meaning] : meanings[0];
}

static enum dimension dimension_of(enum mp_meaning m)
{
	if (m == MP_MEANS_START || m == MP_MEANS_TIME || (m >= MP_MEANS_SUM && m <= MP_MEANS_MAXIMUM))
		return OF_TIME;
	return m >= MP_MEANS_READ && m <= MP_MEANS_TOTAL ? OF_SIZE : OF_NOTHING;
}

/* Copy a title without blanks, underscores and case. Returns false when it is too long. */
static bool fold(char folded[sizeof(((struct mp_title *)0)->text)], const char *title, size_t len)
{
	size_t size = sizeof(((struct mp_title *)0)->text), used = 0;

	for (size_t i = 0; i < len; i++) {
		char c = title[i];

		if (strchr(" \t\r\n_", c) && c)
			continue;
		if (used + 1 == size)
			return false;
		folded[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	folded[used] = '\0';
	return true;
}

/* A word of a line, up to a blank. */
static size_t next_word(const char **at, const char *end, const char **word)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		(*at)++;
	*word = *at;
	while (*at < end && **at != ' ' && **at != '\t')
		(*at)++;
	return (size_t)(*at - *word);
}

static bool is_word(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(word, name, len) == 0;
}

static int parse_meaning(struct mp_title *t, const char *word, size_t len, struct mp_error *err)
{
	for (int i = 0; i < MP_MEANS_COUNT_OF; i++)
		if (is_word(word, len, meanings[i])) {
			t->meaning = (enum mp_meaning)i;
			return 0;
		}
	return mp_fail(err, "'%.*s' is not a meaning", (int)len, word);
}

static int parse_unit(struct mp_title *t, const char *word, size_t len, struct mp_error *err)
{
	char folded[sizeof(t->text)];

	if (fold(folded, word, len))
		for (size_t i = 0; i < UNIT_COUNT; i++)
			if (strcmp(folded, units[i].name) == 0 && units[i].of == dimension_of(t->meaning)) {
				t->unit = units[i].unit;
				return 0;
			}
	return mp_fail(err, "'%.*s' is not a unit of '%s'", (int)len, word, meanings[t->meaning]);
}

static int parse_place(struct mp_title *t, const char *word, size_t len, struct mp_error *err)
{
	if (is_word(word, len, "trace")) {
		t->places |= MP_PLACE_TRACE;
		return 0;
	}
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (is_word(word, len, kinds[i])) {
			t->places |= 1U << i;
			return 0;
		}
	return mp_fail(err, "'%.*s' is not a kind of table", (int)len, word);
}

/* "TITLE" MEANING [UNIT] [in KIND...] */
static int parse_title(struct mp_titles *titles, const char *line, const char *end, struct mp_error *err)
{
	struct mp_title t = {.unit = 1};
	struct mp_title *more;
	const char *close = memchr(line + 1, '"', (size_t)(end - line - 1)), *word;
	size_t len;

	if (!close || !fold(t.text, line + 1, (size_t)(close - line - 1)) || !t.text[0])
		return mp_fail(err, "expected: \"TITLE\" MEANING [UNIT] [in KIND...]");
	line = close + 1;
	len = next_word(&line, end, &word);
	if (parse_meaning(&t, word, len, err))
		return -1;
	len = next_word(&line, end, &word);
	if (dimension_of(t.meaning) != OF_NOTHING) {
		if (parse_unit(&t, word, len, err))
			return -1;
		len = next_word(&line, end, &word);
	}
	if (len && !is_word(word, len, "in"))
		return mp_fail(err, "'%.*s' is not 'in'", (int)len, word);
	while (len && (len = next_word(&line, end, &word)) != 0)
		if (parse_place(&t, word, len, err))
			return -1;
	more = mp_learn_realloc(titles->items, (titles->count + 1) * sizeof(*more));
	if (!more)
		return mp_fail_memory(err, "the titles of tables");
	titles->items = more;
	more[titles->count++] = t;
	return 0;
}

/* name PATTERN */
static int parse_name(struct mp_titles *titles, const char *line, const char *end, struct mp_error *err)
{
	struct mp_pattern pattern;
	const char *word;
	size_t len;

	next_word(&line, end, &word);
	len = next_word(&line, end, &word);
	if (titles->name_count == MP_NAME_PATTERNS)
		return mp_fail(err, "more than %d patterns of names", MP_NAME_PATTERNS);
	if (mp_pattern_parse(&pattern, word, len, true, err))
		return -1;
	titles->names[titles->name_count].text = word;
	titles->names[titles->name_count++].len = len;
	return 0;
}

static int parse_line(struct mp_titles *titles, const char *line, const char *end, struct mp_error *err)
{
	if (line == end || *line == '#')
		return 0;
	if (*line == '"')
		return parse_title(titles, line, end, err);
	if (end - line > 5 && memcmp(line, "name ", 5) == 0)
		return parse_name(titles, line, end, err);
	return mp_fail(err, "expected a title in quotes, or 'name PATTERN'");
}

int mp_titles_parse(struct mp_titles *titles, const char *path, const char *text, struct mp_error *err)
{
	memset(titles, 0, sizeof(*titles));
	for (int number = 1; *text; number++) {
		const char *end = text + strcspn(text, "\n");

		if (parse_line(titles, text, end, err)) {
			mp_titles_free(titles);
			return mp_schema_locate(path, number, err);
		}
		text = *end ? end + 1 : end;
	}
	return 0;
}

void mp_titles_free(struct mp_titles *titles)
{
	free(titles->items);
	memset(titles, 0, sizeof(*titles));
}

/* The line for a folded title that says most of this place, or NULL. */
static const struct mp_title *find(
    const struct mp_titles *titles, const char *folded, enum mp_reference_kind kind, bool is_trace)
{
	const struct mp_title *best = NULL;
	int best_rank = 0;

	for (size_t i = 0; i < titles->count; i++) {
		const struct mp_title *t = &titles->items[i];
		bool here = (t->places & 1U << kind) != 0, trace = is_trace && t->places & MP_PLACE_TRACE;
		int rank = (t->places == 0 ? 1 : 0) + (here ? 2 : 0) + (trace ? 4 : 0);

		if (rank > best_rank && strcmp(t->text, folded) == 0) {
			best = t;
			best_rank = rank;
		}
	}
	return best;
}

void mp_titles_find(
    const struct mp_titles *titles, struct mp_reference_column *column, enum mp_reference_kind kind, bool is_trace)
{
	char folded[sizeof(titles->items->text)];
	const struct mp_title *t;
	char *open;
	size_t len;

	column->meaning = MP_MEANS_NOTHING;
	column->unit = 1;
	if (!fold(folded, column->title, strlen(column->title)))
		return;
	t = find(titles, folded, kind, is_trace);
	if (t) {
		column->meaning = t->meaning;
		column->unit = t->unit;
		return;
	}
	len = strlen(folded);
	open = strrchr(folded, '(');
	if (!open || folded[len - 1] != ')')
		return;
	folded[len - 1] = *open = '\0';
	t = find(titles, folded, kind, is_trace);
	for (size_t i = 0; t && i < UNIT_COUNT; i++)
		if (strcmp(open + 1, units[i].name) == 0 && units[i].of == dimension_of(t->meaning)) {
			column->meaning = t->meaning;
			column->unit = units[i].unit;
		}
}

bool mp_titles_know(const struct mp_titles *titles, const char *title)
{
	struct mp_reference_column column = {.title = title};

	for (int kind = 0; kind < (int)KIND_COUNT; kind++) {
		mp_titles_find(titles, &column, (enum mp_reference_kind)kind, false);
		if (column.meaning != MP_MEANS_NOTHING)
			return true;
	}
	return false;
}

static void set_identity(struct mp_identity *identity, const struct mp_piece *piece, const struct mp_capture *c)
{
	const struct {
		const char *name;
		int64_t *value;
	} facts[] = {{"device_id", &identity->device_id}, {"model_id", &identity->model_id},
	    {"batch", &identity->batch}, {"input_pic_num", &identity->input_pic_num},
	    {"current_pic", &identity->current_pic}, {"slice", &identity->slice}};

	if (is_word(piece->text, piece->len, "model") && c->len < sizeof(identity->model)) {
		memcpy(identity->model, c->text, c->len);
		identity->model[c->len] = '\0';
	}
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (is_word(piece->text, piece->len, facts[i].name) && !mp_capture_int(c, facts[i].value))
			*facts[i].value = -1;
}

void mp_titles_identify(const struct mp_titles *titles, const char *name, struct mp_identity *identity)
{
	struct mp_capture captures[MP_PIECE_MAX];
	struct mp_pattern pattern;
	struct mp_error err;
	const char *slash = strrchr(name, '/'), *dot;

	*identity = (struct mp_identity){-1, -1, -1, -1, -1, -1, ""};
	name = slash ? slash + 1 : name;
	dot = strrchr(name, '.');
	for (size_t i = 0; i < titles->name_count; i++) {
		if (mp_pattern_parse(&pattern, titles->names[i].text, titles->names[i].len, true, &err) ||
		    !mp_pattern_match(&pattern, name, dot ? (size_t)(dot - name) : strlen(name), captures))
			continue;
		for (int k = 0; k < pattern.piece_count; k++)
			if (pattern.pieces[k].kind != MP_PIECE_LITERAL)
				set_identity(identity, &pattern.pieces[k], &captures[k]);
		return;
	}
}
