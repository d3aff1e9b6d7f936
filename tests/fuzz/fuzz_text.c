/*
 * fuzz_text.c: any bytes as the text of a cell. Another parser must read the JSON back, a reader of quoted fields the
 * CSV, and neither may contain a control character.
 */
#include "fuzz.h"

#include <cjson/cJSON.h>

#include "base/text.h"
#include "report/formats.h"

/* The text written to fd, NUL-terminated; the caller frees it. */
static char *written(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = malloc((size_t)size + 1);

	CHECK(text && size >= 0 && pread(fd, text, (size_t)size, 0) == size);
	text[size] = '\0';
	*len = (size_t)size;
	return text;
}

/* The cell for a JSON reader: separators as ',', invalid bytes as U+FFFD. */
static char *json_meaning(const char *s, size_t len)
{
	char *meaning = malloc(3 * len + 1), *at = meaning;

	CHECK(meaning);
	while (len) {
		int32_t cp;
		size_t n = mp_utf8_next(s, len, &cp);

		if (cp < 0)
			at = stpcpy(at, "\xef\xbf\xbd");
		else if (cp == MP_LIST_SEPARATOR)
			*at++ = ',';
		else
			at = (char *)memcpy(at, s, n) + n;
		s += n;
		len -= n;
	}
	*at = '\0';
	return meaning;
}

static void check_json(const char *s, size_t len)
{
	char *meaning = json_meaning(s, len), *text;
	int fd = memory_file("", 0);
	struct mp_error err;
	struct mp_out *out;
	cJSON *item;
	size_t n;

	CHECK(mp_out_fd(&out, fd, "json", &err) == 0);
	mp_json_string(out, s, len);
	CHECK(mp_out_flush(out, &err) == 0);
	text = written(fd, &n);
	CHECK(!mp_has_control(text, n));
	item = cJSON_ParseWithOpts(text, NULL, 1);
	/* cJSON's strings end at \u0000, and so does the comparison */
	CHECK(cJSON_IsString(item) && strcmp(item->valuestring, meaning) == 0);
	cJSON_Delete(item);
	mp_out_abort(out);
	free(text);
	free(meaning);
	close(fd);
}

/* Undo the quoting of one field. Returns the text behind the field. */
static char *csv_field(char *at, char *field)
{
	if (*at != '"') {
		while (*at && *at != ',' && *at != '\n') {
			CHECK(*at != '"');
			*field++ = *at++;
		}
	} else {
		for (at++; *at != '"' || at[1] == '"'; at++) {
			CHECK(*at);
			*field++ = *at;
			at += *at == '"';
		}
		at++;
	}
	*field = '\0';
	return at;
}

/* The cell for a CSV reader: separators as ','; control characters except tabs, and invalid bytes, as \xNN. */
static char *csv_meaning(const char *s, size_t len)
{
	char *meaning = malloc(4 * len + 1);
	size_t used = 0;

	CHECK(meaning);
	for (size_t from = 0; from <= len; from++) {
		size_t n = 0;

		while (from + n < len && s[from + n] != MP_LIST_SEPARATOR && s[from + n] != '\t')
			n++;

		used += mp_sanitise(meaning + used, 4 * len + 1 - used, s + from, n);
		from += n;
		if (from < len)
			meaning[used++] = s[from] == '\t' ? '\t' : ',';
	}
	meaning[used] = '\0';
	return meaning;
}

static void check_csv(const char *s, size_t len)
{
	static const char *const titles[] = {"A", "/B,C"};
	struct mp_section section = {.title = "", .heading = "", .titles = titles, .column_count = 2};
	struct mp_value cells[2] = {mp_text(s, len), mp_int(7)};
	char *meaning = csv_meaning(s, len), *text, *field;
	int fd = memory_file("", 0);
	struct mp_error err;
	struct mp_out *out;
	struct mp_csv csv;
	size_t n;

	CHECK(mp_out_fd(&out, fd, "csv", &err) == 0);
	mp_csv_init(&csv, out, false);
	CHECK(csv.writer.section(&csv.writer, &section, &err) == 0 && csv.writer.row(&csv.writer, cells, &err) == 0);
	CHECK(csv.writer.end(&csv.writer, 0, &err) == 0 && mp_out_flush(out, &err) == 0);
	text = written(fd, &n);
	field = malloc(n + 1);
	CHECK(field && strncmp(text, "A,\"B,C\"\n", 8) == 0);
	CHECK(strcmp(csv_field(text + 8, field), ",7\n") == 0);
	CHECK(strcmp(field, meaning) == 0);
	for (char *tab = field; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	CHECK(!mp_has_control(field, strlen(field)));
	mp_out_abort(out);
	free(field);
	free(text);
	free(meaning);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_json((const char *)data, size);
	check_csv((const char *)data, size);
	return 0;
}
