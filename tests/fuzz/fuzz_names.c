/*
 * fuzz_names.c: any bytes as a file name and as a line. The pieces of a match must concatenate to the text, and no byte
 * of a name may reach a terminal raw.
 */
#include "fuzz.h"

#include "base/text.h"

static bool same_letters(const char *a, const char *b, size_t len, bool fold)
{
	for (size_t i = 0; i < len; i++) {
		char x = a[i], y = b[i];

		if (fold && x >= 'A' && x <= 'Z')
			x = (char)(x + 32);
		if (fold && y >= 'A' && y <= 'Z')
			y = (char)(y + 32);
		if (x != y)
			return false;
	}
	return true;
}

static void check_number(const struct mp_capture *c)
{
	int64_t value;
	char text[32];

	CHECK(c->text[0] == '-' || (c->text[0] >= '0' && c->text[0] <= '9'));
	if (!mp_capture_int(c, &value))
		return;
	for (size_t i = c->text[0] == '-'; i < c->len; i++)
		CHECK(c->text[i] >= '0' && c->text[i] <= '9');
	if (c->len < sizeof(text)) {
		memcpy(text, c->text, c->len);
		text[c->len] = '\0';
		CHECK(strtoll(text, NULL, 10) == value);
	}
}

static void check_pattern(const struct mp_pattern *p, const char *s, size_t len)
{
	struct mp_capture captures[MP_PIECE_MAX];
	size_t at = 0;

	if (!mp_pattern_match(p, s, len, captures))
		return;
	for (int i = 0; i < p->piece_count; i++) {
		const struct mp_piece *piece = &p->pieces[i];

		if (piece->kind == MP_PIECE_LITERAL) {
			CHECK(piece->len <= len - at && same_letters(piece->text, s + at, piece->len, p->is_file_name));
			at += piece->len;
			continue;
		}
		while (piece->kind != MP_PIECE_TEXT && at < len && s[at] == ' ')
			at++;
		CHECK(captures[i].text == s + at && captures[i].len > 0 && captures[i].len <= len - at);
		at += captures[i].len;
		if (piece->kind == MP_PIECE_INT)
			check_number(&captures[i]);
	}
	CHECK(at == len);
}

static void check_sanitise(const char *s, size_t len, size_t room)
{
	char *safe = malloc(room), *whole = malloc(4 * len + 1);
	size_t n, all;

	CHECK(safe && whole);
	n = mp_sanitise(safe, room, s, len);
	all = mp_sanitise(whole, 4 * len + 1, s, len);
	CHECK(n < room && safe[n] == '\0' && mp_utf8_valid(safe, n) && !mp_has_control(safe, n));
	CHECK(whole[all] == '\0' && !mp_has_control(whole, all));
	CHECK(n <= all && memcmp(safe, whole, n) == 0 && (n == all || n + 16 > room));
	CHECK(mp_has_control(s, len) || (all == len && memcmp(whole, s, len) == 0));
	free(safe);
	free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_layouts *set = embedded_layouts();
	const char *s = (const char *)data + 1;

	if (size < 1)
		return -1;
	check_sanitise(s, size - 1, 1 + data[0]);
	for (size_t i = 0; i < set->count; i++) {
		for (int k = 0; k < set->items[i]->file_count; k++)
			check_pattern(&set->items[i]->files[k], s, size - 1);
		for (int k = 0; k < set->items[i]->line_count; k++)
			check_pattern(&set->items[i]->lines[k], s, size - 1);
	}
	return 0;
}
