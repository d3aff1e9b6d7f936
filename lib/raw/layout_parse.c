/*
 * layout_parse.c: parses the text of schema/records into struct mp_layout. Each line begins with a keyword, and each
 * keyword has a function below. layout_check.c checks whole layouts; nothing here reads raw data.
 * A directory of such texts is read, too.
 */
#include "raw/layout_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/index.h"
#include "base/vec.h"

static int key_family(struct mp_layout_words *p)
{
	if (p->count < 2 || !mp_family_named(p->words[1].text, p->words[1].len, &p->layout->family))
		return mp_layout_words_refuse(p, "family must be svp, ascend910, ascend2022, prof or pytorch");
	return 0;
}

static int parse_pattern(struct mp_layout_words *p, int index, struct mp_pattern *pattern, bool is_file_name)
{
	struct mp_error why;

	if (!p->words[index].quoted)
		return mp_layout_words_refuse_at(p, "a pattern must be in double quotes:", index);
	if (mp_pattern_parse(pattern, p->words[index].text, p->words[index].len, is_file_name, &why))
		return mp_layout_words_refuse(p, why.text);
	return 0;
}

/* Captures of a file name become columns of the table `source`. These are the known names. */
static bool known_identity(const struct mp_piece *piece)
{
	static const char *const names[] = {
	    "device_id", "model", "stream_id", "model_id", "batch", "input_pic_num", "current_pic", "slice"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == piece->len && memcmp(names[i], piece->text, piece->len) == 0)
			return (piece->kind == MP_PIECE_TEXT) == (i == 1);
	return piece->len == 0;
}

static int key_file(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;

	for (int i = 1; i < p->count; i++) {
		struct mp_pattern *pattern = &l->files[l->file_count];

		if (l->file_count == MP_FILE_PATTERN_MAX)
			return mp_layout_words_refuse(p, "too many file patterns");
		if (parse_pattern(p, i, pattern, true))
			return -1;
		for (int k = 0; k < pattern->piece_count; k++)
			if (pattern->pieces[k].kind != MP_PIECE_LITERAL && !known_identity(&pattern->pieces[k]))
				return mp_layout_words_refuse(p,
				    "unknown capture in a file name (device_id:int model stream_id:int model_id:int "
				    "batch:int input_pic_num:int current_pic:int slice:int)");
		l->file_count++;
	}
	return p->count > 1 ? 0 : mp_layout_words_refuse(p, "file pattern missing");
}

/* "chip N..." or "chip not N..." */
static int key_chip(struct mp_layout_words *p)
{
	int first = mp_layout_words_is(p, 1, "not") ? 2 : 1;
	uint32_t chips = 0;

	for (int i = first; i < p->count; i++) {
		uint64_t v;

		if (mp_layout_words_number(p, i, MP_CHIP_UNKNOWN - 1, &v))
			return -1;
		chips |= UINT32_C(1) << v;
	}
	if (!chips)
		return mp_layout_words_refuse(p, "chip numbers missing");
	p->layout->chips = first == 2 ? ~chips : chips;
	return 0;
}

/* "when FILE KEY == VALUE", or != */
static int key_when(struct mp_layout_words *p)
{
	static const char *const files[] = {"info.json", "sample.json", "start_info", "end_info", NULL};
	static const char *const signs[] = {"!=", "==", NULL};
	struct mp_when *w = &p->layout->when;
	const int sign = mp_layout_words_choose(p, 3, signs);

	if (w->file[0])
		return mp_layout_words_refuse(p, "when is given twice");
	if (mp_layout_words_choose(p, 1, files) < 0 || p->count != 5 || sign < 0)
		return mp_layout_words_refuse(
		    p, "expected: when info.json|sample.json|start_info|end_info KEY ==|!= VALUE");
	if (!mp_layout_words_copy(p, 4, w->value))
		return mp_layout_words_refuse_at(p, "a value empty or longer than 31 characters:", 4);
	if (mp_layout_words_name(p, 1, w->file) || mp_layout_words_name(p, 2, w->key))
		return -1;
	w->is = sign;
	return 0;
}

static int key_table(struct mp_layout_words *p)
{
	return mp_layout_words_name(p, 1, p->layout->table);
}

static int key_covered(struct mp_layout_words *p)
{
	return mp_layout_words_name(p, 1, p->layout->covered_by);
}

static int key_size(struct mp_layout_words *p)
{
	uint64_t v;

	if (mp_layout_words_number(p, 1, MP_RECORD_SIZE_MAX, &v))
		return -1;
	if (v == 0)
		return mp_layout_words_refuse(p, "size is 0");
	p->layout->size = (size_t)v;
	return 0;
}

static int key_parts(struct mp_layout_words *p)
{
	if (mp_layout_words_number(p, 1, MP_CYCLE_PARTS_MAX, &p->layout->parts))
		return -1;
	return p->layout->parts ? 0 : mp_layout_words_refuse(p, "parts is 0");
}

static int key_endian(struct mp_layout_words *p)
{
	static const char *const orders[] = {"little", "big", NULL};
	const int order = mp_layout_words_choose(p, 1, orders);

	p->layout->big_endian = order > 0;
	return order < 0 ? mp_layout_words_refuse(p, "endian must be little or big") : 0;
}

/* "match TYPE OFFSET [bits LOW..HIGH] == NUMBER" */
static int key_match(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_match *m = &l->matches[l->match_count];
	struct mp_field type = {.offset = 0};
	int value = mp_layout_words_is(p, 3, "bits") ? 6 : 4;

	if (l->match_count == MP_MATCH_MAX)
		return mp_layout_words_refuse(p, "too many match lines");
	if (mp_layout_words_type(p, 1, &type) || mp_layout_words_offset(p, 2, &m->offset) ||
	    (value == 6 && mp_layout_words_bits(p, 3, &type)))
		return -1;
	if (type.kind != MP_FIELD_UINT || !mp_layout_words_is(p, value - 1, "=="))
		return mp_layout_words_refuse(
		    p, "expected: match TYPE @OFFSET [bits LOW..HIGH] == VALUE, of an unsigned type");
	m->width = type.width;
	m->shift = type.shift;
	m->mask = type.mask;
	if (mp_layout_words_number(p, value, m->mask, &m->value))
		return -1;
	if (p->count > value + 1)
		return mp_layout_words_refuse_at(p, "unexpected", value + 1);
	l->match_count++;
	return 0;
}

static int add_field(struct mp_layout_words *p, const struct mp_field *f)
{
	struct mp_layout *l = p->layout;
	struct mp_column column = {.kind = MP_COLUMN_FIELD, .from = l->field_count};

	if (l->field_count == MP_FIELD_MAX)
		return mp_layout_words_refuse(p, "too many fields");
	if (mp_layout_field(l, f->name) >= 0)
		return mp_layout_words_refuse(p, "field defined twice");
	l->fields[l->field_count++] = *f;
	if (!f->stored)
		return 0;
	memcpy(column.name, f->name, sizeof(column.name));
	column.is_text = f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_MIXED;
	return mp_layout_add_column(p, column);
}

/* "NAME TYPE OFFSET [bits LOW..HIGH]"; the NAME pmu0..7 is of equal fields, each behind the one before. */
static int parse_field(struct mp_layout_words *p, bool stored)
{
	char name[MP_NAME_SIZE];
	struct mp_field f = {.stored = stored};
	unsigned number, last;
	size_t stem;
	int end = 0;

	if (mp_layout_words_name(p, 1, name) || mp_layout_words_type(p, 2, &f) ||
	    mp_layout_words_offset(p, 3, &f.offset) || (p->count > 4 && mp_layout_words_bits(p, 4, &f)))
		return -1;
	if (!strstr(name, "..")) {
		memcpy(f.name, name, sizeof(f.name));
		return add_field(p, &f);
	}
	stem = strcspn(name, "0123456789.");
	if (p->count > 4 || sscanf(name + stem, "%3u..%3u%n", &number, &last, &end) != 2 || name[stem + (size_t)end] ||
	    number >= last)
		return mp_layout_words_refuse(p, "expected: NAME0..9 TYPE @OFFSET");
	for (; number <= last; number++, f.offset += f.width) {
		snprintf(f.name, sizeof(f.name), "%.*s%u", (int)stem, name, number);
		if (add_field(p, &f))
			return -1;
	}
	return 0;
}

static int key_field(struct mp_layout_words *p)
{
	return parse_field(p, true);
}

static int key_input(struct mp_layout_words *p)
{
	return parse_field(p, false);
}

static int parse_pad(struct mp_layout_words *p, bool zero)
{
	struct mp_layout *l = p->layout;
	struct mp_pad *pad = &l->pads[l->pad_count];
	uint64_t width;

	if (l->pad_count == MP_PAD_MAX)
		return mp_layout_words_refuse(p, "too many pads");
	if (mp_layout_words_number(p, 1, MP_RECORD_SIZE_MAX, &width) || mp_layout_words_offset(p, 2, &pad->offset))
		return -1;
	if (width == 0)
		return mp_layout_words_refuse(p, "a pad must have at least one byte");
	pad->width = (size_t)width;
	pad->zero = zero;
	l->pad_count++;
	return 0;
}

static int key_pad(struct mp_layout_words *p)
{
	return parse_pad(p, true);
}

static int key_skip(struct mp_layout_words *p)
{
	return parse_pad(p, false);
}

static int key_split(struct mp_layout_words *p)
{
	static const char *const separators[] = {"nul", "newline", NULL};
	const int separator = mp_layout_words_choose(p, 1, separators);

	p->layout->separator = separator > 0 ? '\n' : '\0';
	return separator < 0 ? mp_layout_words_refuse(p, "split must be newline or nul") : 0;
}

/* Captures of a line become columns; a name used in two lines is one column. */
static int key_line(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_pattern *pattern = &l->lines[l->line_count];

	if (l->line_count == MP_LINE_PATTERN_MAX)
		return mp_layout_words_refuse(p, "too many line patterns");
	if (p->count != 2)
		return mp_layout_words_refuse(p, "expected: line \"PATTERN\"");
	if (parse_pattern(p, 1, pattern, false))
		return -1;
	for (int i = 0; i < pattern->piece_count; i++) {
		const struct mp_piece *piece = &pattern->pieces[i];
		struct mp_column c = {.kind = MP_COLUMN_CAPTURE,
		    .is_text = piece->kind == MP_PIECE_TEXT,
		    .is_hash = piece->kind == MP_PIECE_HASH};
		int known;

		if (piece->kind == MP_PIECE_LITERAL || piece->len == 0)
			continue;
		memcpy(c.name, piece->text, piece->len);
		known = mp_layout_column(l, c.name);
		if (known >= 0 && (l->columns[known].is_text != c.is_text || l->columns[known].is_hash != c.is_hash))
			return mp_layout_words_refuse(p, "capture has another type in another line");
		if (known < 0 && mp_layout_add_column(p, c))
			return -1;
	}
	l->line_count++;
	return 0;
}

static const struct mp_layout_keyword keywords[] = {
    {"family", key_family, 7, 2},
    {"chip", key_chip, 7, MP_WORD_MAX},
    {"when", key_when, 7, 5},
    {"file", key_file, 7, MP_WORD_MAX},
    {"table", key_table, 7, 2},
    {"covered", key_covered, 1, 2},
    {"size", key_size, 5, 2},
    {"parts", key_parts, 1, 2},
    {"endian", key_endian, 1, 2},
    {"match", key_match, 5, 7},
    {"field", key_field, 5, 6},
    {"input", key_input, 1, 6},
    {"pad", key_pad, 1, 3},
    {"skip", key_skip, 5, 3},
    {"split", key_split, 2, 2},
    {"line", key_line, 2, 2},
    {.name = NULL},
};

static int close_stanza(struct mp_layout_words *p)
{
	struct mp_layouts *set = p->set;
	struct mp_layout *l = p->layout;

	if (!l)
		return 0;
	if (mp_layout_check(l, p->err))
		return -1;
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->items[i]->name, l->name) == 0) {
			free(set->items[i]);
			set->items[i] = l;
			p->layout = NULL;
			return 0;
		}
	if (set->count == MP_LAYOUT_MAX)
		return mp_layout_words_refuse(p, "more than 256 layouts");
	if (!mp_vec_room(set->items, set->count, 1))
		return mp_fail_memory(p->err, "layouts");
	set->items[set->count++] = l;
	p->layout = NULL;
	return 0;
}

/* "record|text|items NAME vN verified|reference|learned|unverified" */
static int open_stanza(struct mp_layout_words *p, enum mp_record_kind kind)
{
	static const char *const levels[] = {"unverified", "verified", "reference", "learned", NULL};
	const int level = mp_layout_words_choose(p, 3, levels);
	struct mp_layout *l;
	int end = 0;

	if (close_stanza(p))
		return -1;
	p->soc = NULL;
	l = calloc(1, sizeof(*l));
	if (!l)
		return mp_fail_memory(p->err, "a layout");
	p->layout = l;
	l->kind = kind;
	l->verified = (enum mp_verified)level;
	l->chips = l->socs = UINT32_MAX;
	l->peer = l;
	l->is_given = p->set->reads_given;
	l->sequence = -1;
	l->parts = 1;
	l->separator = '\n';
	snprintf(l->origin, sizeof(l->origin), "%s:%d", p->origin, p->line);
	if (mp_layout_words_name(p, 1, l->name))
		return -1;
	(void)mp_family_named(l->name, strcspn(l->name, "."), &l->family); /* else svp, unless a line says it */
	if (p->count != 4 || sscanf(p->words[2].text, "v%4d%n", &l->version, &end) != 1 ||
	    (size_t)end != p->words[2].len || l->version < 1 || level < 0)
		return mp_layout_words_refuse(
		    p, "expected: record|text|items NAME vN verified|reference|learned|unverified");
	return 0;
}

static int parse_line(struct mp_layout_words *p)
{
	static const char *const openers[] = {"record", "text", "items", NULL};
	const struct mp_layout_keyword *const lists[] = {keywords, mp_layout_derived, mp_layout_rules};
	const int kind = mp_layout_words_choose(p, 0, openers);

	if (mp_layout_words_is(p, 0, "soc") && p->count > 2 && p->words[2].quoted)
		return close_stanza(p) ? -1 : mp_layout_open_soc(p);
	if (kind >= 0)
		return open_stanza(p, (enum mp_record_kind)kind);
	if (!p->layout && p->soc)
		return mp_layout_soc_line(p);
	if (!p->layout)
		return mp_layout_words_refuse(p, "a layout must begin with record, text, items or soc");
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		for (const struct mp_layout_keyword *k = lists[i]; k->name; k++) {
			if (!mp_layout_words_is(p, 0, k->name))
				continue;
			if (!(k->kinds & 1u << p->layout->kind))
				return mp_layout_words_refuse_at(p, "not a keyword of this kind of layout:", 0);
			if (p->count > k->words_max)
				return mp_layout_words_refuse_at(p, "unexpected", k->words_max);
			return k->parse(p);
		}
	return mp_layout_words_refuse_at(p, "unknown keyword", 0);
}

static int keep_text(struct mp_layouts *set, const char *text, struct mp_error *err)
{
	char *copy = strdup(text);

	if (!copy || !mp_vec_room(set->texts, set->text_count, 1)) {
		free(copy);
		return mp_fail_memory(err, "layouts");
	}
	set->texts[set->text_count++] = copy;
	set->fingerprint = mp_fnv(set->fingerprint, copy, strlen(copy));
	return 0;
}

int mp_layouts_parse(struct mp_layouts *set, const char *origin, const char *text, struct mp_error *err)
{
	struct mp_layout_words p = {.set = set, .socs_before = set->soc_count, .origin = origin, .err = err};
	const char *at;
	int status = 0;

	if (keep_text(set, text, err))
		return -1;
	at = set->texts[set->text_count - 1];
	while (*at && !status) {
		size_t len = strcspn(at, "\n");

		p.line++;
		status = mp_layout_words_split(&p, at, len);
		if (!status && p.count)
			status = parse_line(&p);
		at += len + (at[len] == '\n');
	}
	if (!status)
		status = close_stanza(&p);
	free(p.layout);
	return status;
}

/* ---- a directory of .rec files ---- */

enum { LAYOUT_FILE_MAX = 1024 * 1024 };

static bool is_layout(const void *user, const char *name)
{
	size_t len = strlen(name);

	(void)user;
	return len > 4 && strcmp(name + len - 4, ".rec") == 0;
}

static int read_file(struct mp_layouts *set, int dirfd, const char *dir, const char *name, struct mp_error *err)
{
	char path[4096], *text = NULL;
	ssize_t len = 0;
	int fd, status;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", dir);
	fd = mp_dir_open_file(dirfd, name, NULL);
	if (fd < 0)
		return mp_file_refuse(path, err);
	text = malloc(LAYOUT_FILE_MAX + 1);
	if (text)
		len = mp_file_read(fd, text, LAYOUT_FILE_MAX + 1, 0);
	if (!text)
		status = mp_fail_memory(err, "layouts");
	else if (len < 0)
		status = mp_fail_errno(err, "cannot read '%s'", path);
	else if (len > LAYOUT_FILE_MAX)
		status = mp_fail(err, "'%s' is larger than 1 MiB", path);
	else if (memchr(text, '\0', (size_t)len))
		status = mp_fail(err, "'%s' holds a NUL byte", path);
	else {
		text[len] = '\0';
		status = mp_layouts_parse(set, name, text, err);
	}
	close(fd); /* opened read-only: nothing can be lost */
	free(text);
	return status;
}

int mp_layouts_read(struct mp_layouts *set, const char *dir, struct mp_error *err)
{
	int fd = mp_named_dir(dir, err), status;
	struct mp_dir_names names;

	if (fd < 0)
		return -1;
	status = mp_dir_list(&names, fd, is_layout, NULL, dir, err);
	if (!status && !names.count)
		status = mp_fail(err, "no .rec file in '%s'", dir);
	set->reads_given = true;
	for (size_t i = 0; !status && i < names.count; i++)
		status = read_file(set, fd, dir, names.items[i], err);
	set->reads_given = false;
	mp_dir_names_free(&names);
	close(fd); /* opened read-only: nothing can be lost */
	return status;
}
