/* words.c: reads schema/insight/NAME.txt into temporary tables, and runs scripts. Knows no table. */
#include "insight/ops.h"

#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "store/db.h"

enum { SQL_MAX = 1024, COLUMN_MAX = 12, NAME_MAX_BYTES = 32 };

/* One table that is being read. */
struct reading {
	struct mp_db *db;
	const struct mp_schema_file *file;
	char name[NAME_MAX_BYTES];
	int columns, line;
	struct mp_query *insert;
};

/* The next word of a line; the last column takes the rest. */
static struct mp_value next_word(const char **at, const char *end, bool is_last)
{
	const char *from = *at + strspn(*at, " ");
	size_t len = is_last ? (size_t)(end - from) : strcspn(from, " \n");

	*at = from + len;
	if (!len || (len == 1 && *from == '-'))
		return (struct mp_value){.type = MP_NULL};
	return mp_text(from, len);
}

static int begin(struct reading *r, const char *line, const char *end, struct mp_error *err)
{
	char make[SQL_MAX], insert[SQL_MAX];
	size_t made = (size_t)snprintf(make, sizeof(make), "CREATE TEMP TABLE %s(", r->name);
	size_t used = (size_t)snprintf(insert, sizeof(insert), "INSERT INTO temp.%s VALUES(", r->name);

	while (line + strspn(line, " ") < end && r->columns < COLUMN_MAX) {
		struct mp_value word = next_word(&line, end, false);

		r->columns++;
		made += (size_t)snprintf(make + made, sizeof(make) - made, "%s%.*s NUMERIC", r->columns > 1 ? ", " : "",
		    (int)(word.len < NAME_MAX_BYTES ? word.len : NAME_MAX_BYTES), word.text);
		used += (size_t)snprintf(
		    insert + used, sizeof(insert) - used, "%s?%d", r->columns > 1 ? ", " : "", r->columns);
	}
	snprintf(make + made, sizeof(make) - made, ")");
	used += (size_t)snprintf(insert + used, sizeof(insert) - used, ")");
	return mp_db_run(r->db, make, err) ? -1 : mp_query_open(&r->insert, r->db, insert, used, err);
}

static int add_row(struct reading *r, const char *line, const char *end, struct mp_error *err)
{
	struct mp_value words[COLUMN_MAX];

	for (int i = 0; i < r->columns; i++)
		words[i] = next_word(&line, end, i + 1 == r->columns);
	return mp_query_put(r->insert, words, r->columns, err);
}

static int read_table(struct reading *r, struct mp_error *err)
{
	const char *line = r->file->text;
	int status = 0;

	while (*line && !status) {
		const char *end = line + strcspn(line, "\n");

		r->line++;
		if (line < end && *line != '#')
			status = r->insert ? add_row(r, line, end, err) : begin(r, line, end, err);
		line = end + (*end == '\n');
	}
	mp_query_close(r->insert);
	return status ? mp_schema_locate(r->file->path, r->line, err) : 0;
}

int mp_insight_words(struct mp_db *db, struct mp_error *err)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++) {
		struct reading r = {.db = db, .file = f};
		const char *dot;

		if (strncmp(f->path, "insight/", 8) != 0)
			continue;
		dot = strstr(f->path, ".txt");
		if (!dot || (size_t)(dot - f->path) >= sizeof(r.name) + 8)
			continue;
		snprintf(r.name, sizeof(r.name), "%.*s", (int)(dot - f->path - 8), f->path + 8);
		if (read_table(&r, err))
			return -1;
	}
	return 0;
}

int mp_insight_script(struct mp_db *db, const char *name, const char *step, struct mp_error *err)
{
	char path[64];

	snprintf(path, sizeof(path), "insight/scripts/%s_%s.sql", name, step);
	return mp_script_run_file(db, path, err);
}
