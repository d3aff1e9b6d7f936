/* sheet.c: writes sections with keys as rows of one table. */
#include "report/sheet.h"

#include <stdio.h>
#include <stdlib.h>

static const char *bare(const char *title)
{
	return title + (*title == '/');
}

static int find(const struct mp_sheet *sheet, const char *title)
{
	for (int i = 0; i < sheet->count; i++)
		if (strcmp(sheet->titles[i], title) == 0)
			return i;
	return -1;
}

static int learn(struct mp_sheet *sheet, const char *title, struct mp_error *err)
{
	if (find(sheet, title) >= 0)
		return 0;
	if (sheet->count == MP_SHEET_COLUMN_MAX)
		return mp_fail(err, "a table has more than %d columns", MP_SHEET_COLUMN_MAX);
	sheet->titles[sheet->count] = strdup(title);
	return sheet->titles[sheet->count++] ? 0 : mp_fail_memory(err, "the columns of a table");
}

static int learn_section(struct mp_sheet *sheet, const struct mp_section *s, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; !status && i < s->key_count; i++)
		status = learn(sheet, s->key_names[i], err);
	for (int i = 0; !status && i < s->column_count; i++)
		status = learn(sheet, bare(s->titles[i]), err);
	return status;
}

static int place(
    const struct mp_sheet *sheet, const struct mp_section *s, const char *title, int *at, struct mp_error *err)
{
	*at = find(sheet, title);
	return *at >= 0 ? 0
			: mp_fail(err,
			      "table '%s' has a column '%s' that earlier tables lack, and CSV is one table: "
			      "choose one job, or JSON",
			      s->title, title);
}

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_sheet *sheet = (struct mp_sheet *)w;
	int at;

	sheet->absent[0] = '\0';
	if (!sheet->begun)
		return learn_section(sheet, s, err);
	memset(sheet->cells, 0, sizeof(sheet->cells));
	sheet->columns = s->column_count;
	if (s->absent) {
		if (!mp_section_is_none(s))
			snprintf(sheet->absent, sizeof(sheet->absent), "%s: no data: %s", s->title, s->absent);
		return 0;
	}
	for (int i = 0; i < s->key_count; i++) {
		if (place(sheet, s, s->key_names[i], &at, err))
			return -1;
		sheet->cells[at] = s->keys[i];
	}
	for (int i = 0; i < s->column_count; i++)
		if (place(sheet, s, bare(s->titles[i]), &sheet->at[i], err))
			return -1;
	return s->column_count ? 0 : sheet->to->row(sheet->to, sheet->cells, err);
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_sheet *sheet = (struct mp_sheet *)w;

	for (int i = 0; i < sheet->columns; i++)
		sheet->cells[sheet->at[i]] = cells[i];
	return sheet->to->row(sheet->to, sheet->cells, err);
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_sheet *sheet = (struct mp_sheet *)w;

	(void)err;
	sheet->omitted += omitted;
	return 0;
}

void mp_sheet_init(struct mp_sheet *sheet, struct mp_writer *to)
{
	*sheet = (struct mp_sheet){.writer = {section, row, end, NULL}, .to = to};
}

int mp_sheet_begin(struct mp_sheet *sheet, struct mp_error *err)
{
	struct mp_section s = {
	    .title = "", .heading = "", .titles = (const char *const *)sheet->titles, .column_count = sheet->count};

	sheet->begun = true;
	return sheet->to->section(sheet->to, &s, err);
}

void mp_sheet_free(struct mp_sheet *sheet)
{
	for (int i = 0; i < sheet->count; i++)
		free(sheet->titles[i]);
	sheet->count = 0;
}
