/*
 * table_layout.c: measures text, finds the places to wrap it, and chooses the widths of columns.
 * Must not know the output, nor how rows are kept.
 */
#include "table.h"

#include <string.h>

#include "base/text.h"
#include "table_widths.h"

#define NUMBER_BREAKS "\x1e"

/*
 * Text columns shrink to this width first; then numbers are wrapped; then text shrinks to the words of its title, and
 * at last to TABLE_COLUMN_MIN.
 */
enum { TEXT_COMFORTABLE = 16, TEXT_SHORTENED = 12 };

/* Digits that numbers may gain after the measured rows. */
enum { NUMBER_GROWTH = 2 };

enum { WEIGHTLESS = 1000 }; /* columns that no list names weigh more */

size_t table_text_safe(char *dst, size_t most, const char *s, size_t len, bool plain, const char *ellipsis)
{
	size_t used = 0, cut_at = 0; /* cut_at: the last place with room for an ellipsis */
	size_t i = 0;

	while (i < len) {
		char piece[4 * 4 + 1] = {s[i]}; /* a control character of four bytes, each as \xNN */
		size_t step = 1, size = 1;

		if (s[i] == MP_LIST_SEPARATOR) {
			piece[0] = TABLE_NEWLINE;
		} else if (s[i] < 0x20 || s[i] > 0x7e) {
			int32_t cp;

			step = mp_utf8_next(s + i, len - i, &cp);
			size = mp_sanitise(piece, sizeof(piece), s + i, step);
			if (plain && (unsigned char)piece[0] > 0x7e) {
				piece[0] = '?';
				size = 1;
			}
		}
		if (used + strlen(ellipsis) <= most)
			cut_at = used;
		if (used + size > most) {
			memcpy(dst + cut_at, ellipsis, strlen(ellipsis));
			return cut_at + strlen(ellipsis);
		}
		memcpy(dst + used, piece, size);
		used += size;
		i += step;
	}
	return used;
}

int table_column_weight(const char *list, const char *title, int column)
{
	const size_t len = strlen(title);
	int place = 1;

	for (const char *at = list; *at; place++) {
		at += strspn(at, " ");
		if (strcspn(at, ",") == len && memcmp(at, title, len) == 0)
			return place;
		at += strcspn(at, ",");
		at += *at == ',';
	}
	return WEIGHTLESS + column;
}

bool table_column_numeric(const struct table_column *c)
{
	return c->kind == TABLE_NUMBER || c->kind == TABLE_NUMBER_OF_TOTAL;
}

const char *table_column_breaks(const struct table_column *c)
{
	return table_column_numeric(c) ? NUMBER_BREAKS : TABLE_TEXT_BREAKS;
}

/* The columns of a character: not by the C library, which knows none where no locale of UTF-8 is installed. */
static int char_width(int32_t cp)
{
	uint32_t key = (uint32_t)cp << 2 | 3;
	size_t low = 0, high = sizeof(table_widths) / sizeof(table_widths[0]);

	while (low < high) { /* the starts below `low` are not after cp, those from `high` on are */
		size_t middle = low + (high - low) / 2;

		if (table_widths[middle] <= key)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (int)(table_widths[low - 1] & 3) : 1;
}

/* Decode the character at s, which is not at its end, and find its length and width. */
static size_t char_next(const char *s, int32_t *cp, int *width)
{
	size_t len = 1;

	*cp = (unsigned char)*s;
	*width = 1;
	if (*cp < 0x80)
		return len;
	len = mp_utf8_next(s, strnlen(s, 4), cp);
	*width = *cp < 0 ? 1 : char_width(*cp);
	return len;
}

static bool is_break(const char *breaks, int32_t cp)
{
	return cp > 0 && cp < 0x80 && strchr(breaks, (int)cp);
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

struct table_extent table_extent_of(const char *s, const char *breaks)
{
	struct table_extent extent = {0, 0};
	int line = 0;
	int piece = 0;

	while (*s) {
		int32_t cp;
		int width;

		s += char_next(s, &cp, &width);
		if (cp == TABLE_NEWLINE) {
			line = piece = 0;
			continue;
		}
		line += width;
		extent.line = larger(extent.line, line);
		if (cp != ' ' || !is_break(breaks, cp)) {
			piece += width;
			extent.piece = larger(extent.piece, piece);
		}
		if (is_break(breaks, cp))
			piece = 0;
	}
	return extent;
}

/* The text of total rows in columns where other rows have an identity. */
static bool is_dash(const struct mp_value *v)
{
	return v->type == MP_TEXT && v->len == 1 && v->text[0] == '-';
}

/* The first cell of a clear kind decides. A total row only suggests: it may have texts in columns of numbers. */
static void column_classify(struct table_column *c, const struct mp_value *cells, bool total)
{
	bool number = false;
	bool text = false;

	if (c->kind == TABLE_NUMBER || c->kind == TABLE_TEXT)
		return;
	for (int k = 0; k < c->joined; k++) {
		const struct mp_value *v = &cells[c->first + k];

		number = number || v->type == MP_INT || v->type == MP_REAL;
		text = text || (v->type == MP_TEXT && !is_dash(v));
	}
	if (text && !total)
		c->kind = TABLE_TEXT;
	else if (number && !text)
		c->kind = total ? TABLE_NUMBER_OF_TOTAL : TABLE_NUMBER;
}

void table_columns_measure(struct table_column *columns, int count, const struct mp_value *cells, const char *texts)
{
	bool total = is_dash(&cells[0]);

	for (int i = 0; i < count; i++) {
		struct table_column *c = &columns[i];
		/* Pieces matter for numbers only, and whether these are numbers may not be known yet. */
		struct table_extent extent = table_extent_of(texts, NUMBER_BREAKS);

		column_classify(c, cells, total);
		c->body.line = larger(c->body.line, extent.line);
		c->body.piece = larger(c->body.piece, extent.piece);
		texts += strlen(texts) + 1;
	}
}

/* A line that is cut before s[len]; the spaces at the cut are not printed. */
static struct table_line line_cut(const char *s, size_t len, int width, const char *breaks)
{
	struct table_line line = {.len = len, .width = width, .next = s + len};

	if (!is_break(breaks, ' '))
		return line;
	while (line.len > 0 && s[line.len - 1] == ' ') {
		line.len--;
		line.width--;
	}
	while (*line.next == ' ')
		line.next++;
	if (*line.next == TABLE_NEWLINE)
		line.next++;
	else if (*line.next == '\0')
		line.next = NULL;
	return line;
}

/* Beside a wide character a line may end, but not before a mark that closes, nor behind one that opens. */
static bool is_beside_wide(int32_t before, int before_width, int32_t cp, int width)
{
	static const int32_t closing[] = {0x3001, 0x3002, 0xff0c, 0xff1b, 0xff1a, 0xff01, 0xff1f, 0xff09, 0x201d,
	    0x2019, 0x300b, ')', ',', '.', ';', ':', '!', '?', '%', '"'},
			     opening[] = {0xff08, 0x201c, 0x2018, 0x300a, '(', '"'};
	bool may = before && (before_width > 1 || width > 1);

	for (size_t i = 0; may && i < sizeof(closing) / sizeof(closing[0]); i++)
		may = cp != closing[i];
	for (size_t i = 0; may && i < sizeof(opening) / sizeof(opening[0]); i++)
		may = before != opening[i];
	return may;
}

struct table_line table_line_next(const char *s, const char *breaks, int width)
{
	struct table_line line = {0, 0, NULL};
	size_t cut = 0; /* the last good place to cut; 0: none yet */
	int cut_width = 0, before_width = 0;
	int32_t before = 0; /* the last character that is not a combining one */
	const bool is_prose = is_break(breaks, ' ');

	while (s[line.len] && s[line.len] != TABLE_NEWLINE) {
		int32_t cp;
		int char_width;
		size_t step = char_next(s + line.len, &cp, &char_width);

		if (char_width > 0) {
			/* At the latest possible place: combining characters stay with their base. */
			if (is_break(breaks, before) || (is_prose && cp == ' ' && before) ||
			    (is_prose && is_beside_wide(before, before_width, cp, char_width))) {
				cut = line.len;
				cut_width = line.width;
			}
			if (width > 0 && line.width + char_width > width && line.len > 0)
				return cut ? line_cut(s, cut, cut_width, breaks)
					   : line_cut(s, line.len, line.width, breaks);
			before = cp;
			before_width = char_width;
		}
		line.width += char_width;
		line.len += step;
	}
	if (s[line.len] == TABLE_NEWLINE)
		line.next = s + line.len + 1;
	return line;
}

/* The width of a column without a limit. */
static int width_wanted(const struct table_column *c, bool growing)
{
	int body = c->body.line;

	if (!growing)
		return larger(c->head.line, body);
	if (table_column_numeric(c))
		body += NUMBER_GROWTH;
	return larger(larger(c->head.line, body), TABLE_COLUMN_MIN);
}

/* The least width at which the numbers of a column are whole. */
static int width_of_numbers(const struct table_column *c, bool growing)
{
	int body = c->body.piece + (growing ? NUMBER_GROWTH : 0);

	return larger(c->head.piece, growing ? larger(body, TABLE_COLUMN_MIN) : body);
}

/* The width of the grid: each column has a line before it and a space on each side; a line ends the row. */
static int grid_width(const struct table_column *columns, int count)
{
	int sum = 1;

	for (int i = 0; i < count; i++)
		sum += columns[i].is_hidden ? 0 : columns[i].width + 3;
	return sum;
}

/* The columns that shrink in a pass, and their least widths. */
struct pass {
	bool numeric;
	int least;  /* of text columns */
	bool words; /* those of the title stay whole, and a text that is shorter than `least` */
};

static int pass_floor(const struct pass *pass, const struct table_column *c, bool growing)
{
	if (table_column_numeric(c) != pass->numeric)
		return c->width;
	if (pass->numeric)
		return smaller(c->width, width_of_numbers(c, growing));
	return smaller(c->width, pass->words ? larger(c->head.piece, smaller(c->body.line, pass->least)) : pass->least);
}

/* Narrow the widest columns of the pass to one common width, the largest at which the grid fits. */
static void pass_run(const struct pass *pass, struct table_column *columns, int count, int width, bool growing)
{
	int excess = grid_width(columns, count) - width;
	int cap = 0;

	for (int i = 0; i < count; i++)
		cap = larger(cap, columns[i].is_hidden ? 0 : columns[i].width);
	while (excess > 0 && cap > 0) {
		cap--;
		/* From the right: the remainder goes to the first columns, which identify the row. */
		for (int i = count - 1; i >= 0 && excess > 0; i--) {
			if (!columns[i].is_hidden && columns[i].width > cap &&
			    columns[i].width > pass_floor(pass, &columns[i], growing)) {
				columns[i].width--;
				excess--;
			}
		}
	}
}

bool table_cells_fit(const struct table_column *columns, int count, bool numbers_only)
{
	for (int i = 0; i < count; i++)
		if (!columns[i].is_hidden && columns[i].body.line > columns[i].width &&
		    (!numbers_only || table_column_numeric(&columns[i])))
			return false;
	return true;
}

char *table_text_shorten(char *s, int width)
{
	int left = table_extent_of(s, "").line;
	char *rest = s;

	if (left <= width || strchr(s, TABLE_NEWLINE))
		return s;
	while (left > width - 2) {
		int32_t cp;
		int char_width;

		rest += char_next(rest, &cp, &char_width);
		left -= char_width;
	}
	/* at least 3 columns are gone, and no byte has more than one */
	return memcpy(rest - 2, "..", 2);
}

/* The widths without a limit; a text alone may fill the line. */
static void want_widths(struct table_column *columns, int count, int width, bool growing)
{
	for (int i = 0; i < count; i++) {
		columns[i].width = width_wanted(&columns[i], growing);
		if (width > 0 && !table_column_numeric(&columns[i]))
			columns[i].width = smaller(columns[i].width, width);
	}
}

int table_layout_hide(struct table_column *columns, int count, int width, bool growing, bool shorten)
{
	const struct pass texts = {.least = shorten ? TEXT_SHORTENED : TEXT_COMFORTABLE, .words = true};
	int hidden = 0;

	for (int i = 0; i < count; i++)
		columns[i].is_hidden = false;
	while (width > 0) {
		int least = -1;

		want_widths(columns, count, width, growing);
		for (int i = 0; i < count; i++) /* titles of numbers may be wrapped between their words */
			if (table_column_numeric(&columns[i]))
				columns[i].width = smaller(columns[i].width, width_of_numbers(&columns[i], growing));
		pass_run(&texts, columns, count, width, growing);
		if (grid_width(columns, count) <= width)
			break;
		for (int i = 0; i < count; i++)
			if (!columns[i].is_hidden && columns[i].weight > (least < 0 ? 0 : columns[least].weight))
				least = i;
		if (least < 0)
			break;
		columns[least].is_hidden = true;
		hidden++;
	}
	return hidden;
}

bool table_layout_fit(struct table_column *columns, int count, int width, bool growing, bool shorten)
{
	const struct pass passes[] = {{.least = shorten ? TEXT_SHORTENED : TEXT_COMFORTABLE}, {.numeric = true},
	    {.least = TABLE_COLUMN_MIN, .words = true}, {.least = TABLE_COLUMN_MIN}};

	int shown = 0;

	for (int i = 0; i < count; i++)
		shown += !columns[i].is_hidden;
	/* A column needs at least four; this also bounds the work for absurd numbers of columns. */
	if (width > 0 && shown > width / 4)
		return false;
	want_widths(columns, count, width, growing);
	if (width == 0)
		return true;
	for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]); i++)
		pass_run(&passes[i], columns, count, width, growing);
	return grid_width(columns, count) <= width;
}
