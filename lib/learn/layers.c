/* layers.c: learns how layer.info says which layers a task runs, from tables that name the layers of tasks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "learn/layers_internal.h"

static const char *const columns[MP_PART_COUNT] = {"task_id", "stream_id", "layer_id", "name", "type", "ori"};
static const char *const spoken[MP_PART_COUNT] = {
    "task ids", "stream ids", "layer ids", "layer names", "layer types", "original layer names"};

struct search {
	struct mp_layer_choice best;
	struct mp_layer_rows refs;
};

static int see_rows(void *user, const struct mp_row_set *rows, struct mp_error *err)
{
	struct search *s = user;

	return mp_layers_judge(&s->best, rows, &s->refs, err);
}

/* Copy the statements `file` of the layout built in. */
static int copy_patterns(struct mp_found *found, struct mp_error *err)
{
	const char *at = mp_schema_text("records/svp.rec");
	size_t n = strlen(found->layout);
	bool within = false;

	while (at && *at) {
		const char *end = at + strcspn(at, "\n"), *word = at + strspn(at, " \t");

		if (word == at && strchr("rtj", *at)) {
			const char *name = at + strcspn(at, " ");

			name += strspn(name, " ");
			within = strncmp(name, found->layout, n) == 0 && name[n] == ' ';
		} else if (within && strncmp(word, "file ", 5) == 0 &&
			   mp_found_write(found, err, "  %.*s\n", (int)(end - word), word)) {
			return -1;
		}
		at = *end ? end + 1 : end;
	}
	return 0;
}

int mp_layout_head(struct mp_found *found, const char *kind, const char *table, struct mp_error *err)
{
	return mp_found_write(found, err, "%s %s v2 learned\n  family   svp\n", kind, found->layout) ||
		       copy_patterns(found, err) || mp_found_write(found, err, "  table    %s\n", table)
		   ? -1
		   : 0;
}

int mp_layout_try(const struct mp_found *found, struct mp_error *err)
{
	struct mp_layouts set = {.count = 0};
	struct mp_error why;
	int status = mp_layouts_parse(&set, "learned", found->text, &why);

	mp_layouts_free(&set);
	return status ? mp_fail(err, "internal error: a learned layout is refused: %s", why.text) : 0;
}

static int write_values(struct mp_found *found, const struct mp_layer_choice *c, bool of_element, struct mp_error *err)
{
	for (int i = 0; i < MP_PART_COUNT; i++) {
		bool within = c->words[i][0] == '.' || strcmp(c->words[i], "\"#\"") == 0;

		if (c->column[i] >= 0 && within == of_element &&
		    mp_found_write(found, err, "  value    %s %s\n", columns[i], c->words[i]))
			return -1;
	}
	return 0;
}

/* The first value of a zip says how many rows there are: it must be an array. */
static int write_zip(struct mp_found *found, const struct mp_layer_choice *c, struct mp_error *err)
{
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < MP_PART_COUNT; i++)
			if (c->column[i] >= 0 && c->is_list[i] == (pass == 0) &&
			    mp_found_write(found, err, "  value    %s %s\n", columns[i], c->words[i]))
				return -1;
	return 0;
}

static int write_layout(struct mp_found *found, const struct mp_layer_choice *c, struct mp_error *err)
{
	int status = mp_layout_head(found, c->shape == MP_SET_TEXT ? "text" : "json", "layer_line", err);

	if (status)
		return -1;
	if (c->shape == MP_SET_TEXT)
		status = mp_found_write(found, err, "%s", c->lines);
	else if (c->shape == MP_SET_ZIP)
		status = mp_found_write(found, err, "  zip\n") || write_zip(found, c, err);
	else if (c->shape == MP_SET_EACH)
		status = write_values(found, c, false, err) || mp_found_write(found, err, "  each     %s\n", c->each) ||
			 write_values(found, c, true, err);
	else
		status = write_values(found, c, false, err);
	return status || mp_layout_try(found, err) ? -1 : 0;
}

/* The evidence of each part, and sentences for parts that were not found. */
static int describe(struct mp_found *found, const struct mp_layer_choice *c, struct mp_error *err)
{
	for (int i = 0; i < MP_PART_COUNT; i++) {
		struct mp_finding f = {.rows = c->rows[i], .fits = c->fits[i]};

		if (c->column[i] >= 0) {
			snprintf(f.name, sizeof(f.name), "%s", columns[i]);
			snprintf(f.type, sizeof(f.type), "%s", c->shape == MP_SET_TEXT ? "text" : "json");
			snprintf(f.place, sizeof(f.place), "%.63s", c->words[i]);
			snprintf(f.others, sizeof(f.others), "%s", c->others[i]);
			if (mp_found_add(found, &f, err))
				return -1;
		} else if (i != MP_PART_STREAM && c->rows[i] &&
			   mp_found_missing(
			       found, err, "nothing in layer.info explains the %s of the references", spoken[i])) {
			return -1;
		}
	}
	if (c->doubt[0] &&
	    mp_found_missing(found, err, "no table says stream_id, which '%s' of layer.info may be", c->doubt))
		return -1;
	if (!c->rows[MP_PART_TASK]) {
		found->is_guess = true;
		snprintf(found->guess, sizeof(found->guess),
		    "no reference names tasks and their layers: which value of layer.info is the task is a guess");
	}
	return 0;
}

static bool is_built_in(const struct mp_layer_choice *c)
{
	struct mp_row_set rows = {.shape = c->shape, .each = c->each};

	for (int i = 0; i < MP_PART_COUNT; i++)
		if (c->column[i] >= 0 ? !mp_part_is_built_in((enum mp_layer_part)i, &rows, c->words[i])
				      : i != MP_PART_STREAM && c->rows[i])
			return false;
	return c->shape == MP_SET_EACH;
}

static int settle(
    struct mp_found *found, const struct mp_file_set *set, const struct search *s, bool too_many, struct mp_error *err)
{
	if (set->damage[0] && mp_found_missing(found, err, "%s", set->damage))
		return -1;
	if (too_many && mp_found_missing(found, err, "layer.info has more than %d paths", MP_SET_PATH_MAX))
		return -1;
	if (s->best.known) {
		if (is_built_in(&s->best))
			return 0;
		return describe(found, &s->best, err) || write_layout(found, &s->best, err) ? -1 : 0;
	}
	if (!set->line_count || too_many)
		return 0;
	if (!s->refs.count)
		return mp_found_missing(found, err, "no reference names layers: layer.info stays as it is built in");
	return mp_found_missing(found, err,
	    "nothing in layer.info is like the layers of the references: are these the "
	    "tables of this job?");
}

int mp_find_layers(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err)
{
	struct mp_file_set set;
	struct search s = {.best = {.known = false}};
	bool too_many = false;
	int status;

	*found = (struct mp_found){.layout = "svp.layer_info"};
	status = mp_file_set_read(&set, in->job, found->layout, err);
	if (!status && set.line_count && in->progress)
		in->progress(in->user, "layer.info");
	status = status || mp_layer_rows_read(&s.refs, in->refs, &set, err);
	if (!status && s.refs.count && set.line_count)
		status = set.is_json ? mp_rows_of_json(&set, see_rows, &s, &too_many, err)
				     : mp_rows_of_text(&set, see_rows, &s, err);
	status = status || settle(found, &set, &s, too_many, err);
	free(s.best.lines);
	mp_layer_rows_free(&s.refs);
	mp_file_set_free(&set);
	return status ? -1 : 0;
}
