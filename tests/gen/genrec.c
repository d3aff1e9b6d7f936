/*
 * genrec.c: appends records of one layout to a raw file, and writes its .done. Each line of standard input is a record
 * of FIELD=VALUE words; what is not named is zero. A value is a number, u32:N,N,... or u64:N,N,... (for fields of
 * bytes), or text:WORD. For tests of rarer kinds of records; every number is made up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "raw/encode.h"

enum { EXIT_USAGE = 2, LINE_SIZE = 4096 };

static struct mp_layouts layouts;
static struct mp_error err;

static int refuse(const char *what)
{
	fprintf(stderr, "genrec: %s\n", what);
	return 1;
}

static const struct mp_layout *layout_of(const char *name)
{
	static struct mp_encoder e;

	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 && mp_layouts_parse(&layouts, f->path + 8, f->text, &err))
			return NULL;
	return mp_encoder_init(&e, &layouts, name, NULL, 0, &err) ? NULL : e.layout;
}

/* "1,2,3" as little-endian numbers of `width` bytes. */
static void put_list(struct mp_encoder *e, int slot, const char *list, size_t width)
{
	char bytes[MP_RECORD_SIZE_MAX];
	size_t len = 0;

	for (const char *at = list; at && len + width <= sizeof(bytes); at = strchr(at, ',')) {
		uint64_t v;

		at += *at == ',';
		v = strtoull(at, NULL, 0);
		for (size_t i = 0; i < width; i++)
			bytes[len++] = (char)(v >> 8 * i & 0xff);
	}
	mp_encoder_text(e, slot, bytes, len);
}

static void put_value(struct mp_encoder *e, int slot, const char *value)
{
	if (strncmp(value, "u32:", 4) == 0)
		put_list(e, slot, value + 4, 4);
	else if (strncmp(value, "u64:", 4) == 0)
		put_list(e, slot, value + 4, 8);
	else if (strncmp(value, "text:", 5) == 0)
		mp_encoder_text(e, slot, value + 5, strlen(value + 5));
	else
		mp_encoder_number(e, slot, strtoull(value, NULL, 0));
}

static int put_line(const char *layout, char *line, FILE *out)
{
	static struct mp_encoder e;
	const char *names[MP_FIELD_MAX], *values[MP_FIELD_MAX];
	unsigned char record[MP_RECORD_SIZE_MAX];
	int count = 0;
	char *at;

	for (char *word = strtok_r(line, " \t\n", &at); word && count < MP_FIELD_MAX;
	     word = strtok_r(NULL, " \t\n", &at)) {
		char *equals = strchr(word, '=');

		if (!equals)
			return refuse("a word is no FIELD=VALUE");
		*equals = '\0';
		names[count] = word;
		values[count++] = equals + 1;
	}
	if (mp_encoder_init(&e, &layouts, layout, names, count, &err))
		return refuse(err.text);
	mp_encoder_begin(&e, record);
	for (int i = 0; i < count; i++)
		put_value(&e, i, values[i]);
	if (mp_encoder_check(&e, &err))
		return refuse(err.text);
	return fwrite(record, e.layout->size, 1, out) == 1 ? 0 : refuse("cannot write");
}

int main(int argc, char **argv)
{
	char line[LINE_SIZE], name[4096];
	FILE *out, *done;
	int status = 0;

	if (argc != 3) {
		fputs("genrec LAYOUT FILE <LINES\n", stderr);
		return EXIT_USAGE;
	}
	if (!layout_of(argv[1]))
		return refuse(err.text);
	out = fopen(argv[2], "ab");
	snprintf(name, sizeof(name), "%.4000s.done", argv[2]);
	done = fopen(name, "w");
	if (!out || !done)
		return refuse("cannot create the file");
	while (!status && fgets(line, sizeof(line), stdin))
		status = put_line(argv[1], line, out);
	fprintf(done, "filesize:%ld\n", ftell(out));
	if (fclose(out) || fclose(done))
		status = refuse("cannot write");
	mp_layouts_free(&layouts);
	return status;
}
