/* model.c: learns how net.info says batch and number of pictures, which the names of raw files say too. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

enum { BATCH, PICTURES, PART_COUNT };

static const char *const columns[PART_COUNT] = {"batch", "input_pic_num"};

struct place {
	bool known;
	char word[MP_WORD_TEXT];
	char others[160];
	size_t fits;
	int rank;
};

struct search {
	const struct mp_file_set *set;
	int64_t expected[MP_SET_FILE_MAX][PART_COUNT]; /* -1: no name says it */
	size_t says[PART_COUNT];
	struct place best[PART_COUNT];
	char *lines; /* of text */
	size_t lines_fit;
};

/* What the names of the raw files say of the model of a file; names that differ say nothing. */
static void read_names(struct search *s, const struct mp_job *job)
{
	for (int i = 0; i < s->set->file_count; i++) {
		const struct mp_identity *net = &s->set->files[i]->identity;
		int64_t *to = s->expected[i];

		to[BATCH] = to[PICTURES] = -1;
		for (size_t k = 0; k < job->file_count; k++) {
			const struct mp_identity *id = &job->files[k].identity;
			const int64_t is[PART_COUNT] = {id->batch, id->input_pic_num};

			if (job->files[k].state != MP_FILE_RAW || id->model_id != net->model_id ||
			    strcmp(id->model, net->model) != 0)
				continue;
			for (int part = 0; part < PART_COUNT; part++)
				if (is[part] >= 0 && to[part] != -2)
					to[part] = to[part] == -1 || to[part] == is[part] ? is[part] : -2;
		}
		for (int part = 0; part < PART_COUNT; part++)
			s->says[part] += to[part] >= 0;
	}
}

static int resemblance(int part, const char *word)
{
	static const char *const likes[PART_COUNT][3] = {{"atch", "BATCH", "atch"}, {"pic", "PIC", "Pic"}};
	int rank = strcmp(word, columns[part]) == 0 ? 100 : 0;

	for (size_t i = 0; i < 3; i++)
		rank += strstr(word, likes[part][i]) ? 10 : 0;
	return rank;
}

/* In how many files the largest value of a column is the expected one. */
static size_t count_fits(const struct search *s, const struct mp_row_set *rows, const struct mp_set_column *c, int part)
{
	size_t fits = 0;

	for (int file = 0; file < s->set->file_count; file++) {
		int64_t most = -1;

		for (size_t k = 0; k < rows->row_count; k++)
			if (rows->files[k] == file && c->cells[k].is_int && c->cells[k].number > most)
				most = c->cells[k].number;
		fits += s->expected[file][part] >= 0 && most == s->expected[file][part];
	}
	return fits;
}

static void name_other(struct place *p, const char *word)
{
	size_t used = strlen(p->others);

	if (used + strlen(word) + 3 < sizeof(p->others))
		snprintf(p->others + used, sizeof(p->others) - used, "%s%s", used ? ", " : "", word);
}

/* Compare a column with the best so far. */
static void see_column(struct search *s, const struct mp_row_set *rows, const struct mp_set_column *c, int part)
{
	struct place *best = &s->best[part];
	struct place its = {.known = true, .rank = resemblance(part, c->word)};
	bool same;

	its.fits = c->is_int ? count_fits(s, rows, c, part) : 0;
	if (!its.fits)
		return;
	snprintf(its.word, sizeof(its.word), "%s", c->word);
	same = best->known && best->fits == its.fits;
	if (best->known && (its.fits < best->fits || (same && its.rank <= best->rank))) {
		if (same)
			name_other(best, its.word);
		return;
	}
	if (same) {
		snprintf(its.others, sizeof(its.others), "%s", best->others);
		name_other(&its, best->word);
	}
	*best = its;
}

static int see_object(void *user, const struct mp_row_set *rows, struct mp_error *err)
{
	(void)err;
	for (int part = 0; rows->shape == MP_SET_FLAT && part < PART_COUNT; part++)
		for (size_t i = 0; i < rows->column_count; i++)
			see_column(user, rows, &rows->columns[i], part);
	return 0;
}

/* A table of text: a column each for batch and pictures. */
static int see_table(struct search *s, const struct mp_row_set *rows, struct mp_error *err)
{
	const char **names = mp_learn_calloc(rows->column_count + 1, sizeof(const char *));
	struct place found[PART_COUNT] = {{.known = false}};
	size_t fit = 0;

	if (!names)
		return mp_fail_memory(err, "lines");
	for (int part = 0; part < PART_COUNT; part++) {
		size_t at = 0;

		for (size_t i = 0; i < rows->column_count; i++) {
			const struct mp_set_column *c = &rows->columns[i];
			size_t fits = c->is_int && !names[i] ? count_fits(s, rows, c, part) : 0;
			int rank = resemblance(part, c->word);

			if (!fits || (found[part].known && (fits < found[part].fits ||
							       (fits == found[part].fits && rank <= found[part].rank))))
				continue;
			found[part] = (struct place){.known = true, .fits = fits, .rank = rank};
			snprintf(found[part].word, sizeof(found[part].word), "%s", c->word);
			at = i;
		}
		if (found[part].known)
			names[at] = columns[part];
		fit += found[part].fits;
	}
	if (fit > s->lines_fit) {
		char *lines = mp_text_lines(rows, names, err);

		free(s->lines);
		s->lines = lines;
		s->lines_fit = lines ? fit : 0;
		memcpy(s->best, found, sizeof(found));
	}
	free(names);
	return fit && !s->lines ? -1 : 0;
}

/* A word that a pattern can have as it is. */
static bool is_sayable(const char *key)
{
	for (const char *c = key; *c; c++)
		if (strchr("\"{}", *c) || (unsigned char)*c < ' ')
			return false;
	return *key != '\0';
}

/* Lines of a key and a value: the key that names the part, with the expected value. */
static int see_pairs(struct search *s, const struct mp_row_set *rows, struct mp_error *err)
{
	struct place found[PART_COUNT] = {{.known = false}};
	size_t fit = 0;
	char *lines;
	int used = 0;

	for (int part = 0; part < PART_COUNT; part++) {
		for (size_t k = 0; k < rows->row_count; k++) {
			const struct mp_set_cell *key = &rows->columns[0].cells[k], *value = &rows->columns[1].cells[k];
			int rank = resemblance(part, key->text);

			if (!rank || rank <= found[part].rank || !is_sayable(key->text) || !value->is_int ||
			    value->number != s->expected[rows->files[k]][part])
				continue;
			found[part] = (struct place){.known = true, .fits = 1, .rank = rank};
			snprintf(found[part].word, sizeof(found[part].word), "%s", key->text);
		}
		fit += found[part].fits;
	}
	if (fit <= s->lines_fit)
		return 0;
	lines = mp_learn_calloc(1, 1024);
	if (!lines)
		return mp_fail_memory(err, "lines");
	for (int part = 0; part < PART_COUNT; part++)
		if (found[part].known)
			used += snprintf(lines + used, 1024 - (size_t)used, "  line     \"%s%s{%s:int}%s\"\n",
			    found[part].word, rows->separator, columns[part], rows->has_return ? "\r" : "");
	snprintf(lines + used, 1024 - (size_t)used, "  line     \"{}\"\n");
	free(s->lines);
	s->lines = lines;
	s->lines_fit = fit;
	memcpy(s->best, found, sizeof(found));
	return 0;
}

static int see_text(void *user, const struct mp_row_set *rows, struct mp_error *err)
{
	struct search *s = user;

	if (see_table(s, rows, err))
		return -1;
	return rows->column_count == 2 ? see_pairs(s, rows, err) : 0;
}

static int describe(struct mp_found *found, const struct search *s, struct mp_error *err)
{
	for (int part = 0; part < PART_COUNT; part++) {
		struct mp_finding f = {.rows = s->says[part], .fits = s->best[part].fits};

		snprintf(f.name, sizeof(f.name), "%s", columns[part]);
		snprintf(f.type, sizeof(f.type), "%s", s->set->is_json ? "json" : "text");
		snprintf(f.place, sizeof(f.place), "%.63s", s->best[part].word);
		snprintf(f.others, sizeof(f.others), "%s", s->best[part].others);
		if (s->best[part].known ? mp_found_add(found, &f, err)
					: s->says[part] && mp_found_missing(found, err,
							       "nothing in net.info is the %s that names of files say",
							       part == BATCH ? "batch" : "number of pictures"))
			return -1;
	}
	return 0;
}

static int settle(struct mp_found *found, const struct search *s, struct mp_error *err)
{
	bool built_in = s->set->is_json;

	if (s->set->damage[0] && mp_found_missing(found, err, "%s", s->set->damage))
		return -1;
	for (int part = 0; part < PART_COUNT; part++)
		built_in =
		    built_in && (s->best[part].known ? strcmp(s->best[part].word, columns[part]) == 0 : !s->says[part]);
	if (built_in || !s->set->line_count || (!s->says[BATCH] && !s->says[PICTURES]))
		return 0;
	if (describe(found, s, err))
		return -1;
	if (!s->best[BATCH].known && !s->best[PICTURES].known)
		return 0;
	if (mp_layout_head(found, s->set->is_json ? "json" : "text", "net_line", err))
		return -1;
	if (s->lines && mp_found_write(found, err, "%s", s->lines))
		return -1;
	for (int part = 0; !s->lines && part < PART_COUNT; part++)
		if (s->best[part].known &&
		    mp_found_write(found, err, "  value    %s %s\n", columns[part], s->best[part].word))
			return -1;
	return mp_layout_try(found, err);
}

int mp_find_model(struct mp_found *found, const struct mp_learn_input *in, struct mp_error *err)
{
	struct mp_file_set set;
	struct search *s = mp_learn_calloc(1, sizeof(*s));
	bool too_many = false;
	int status;

	*found = (struct mp_found){.layout = "svp.net_info"};
	if (!s)
		return mp_fail_memory(err, "net.info");
	s->set = &set;
	status = mp_file_set_read(&set, in->job, found->layout, err);
	if (!status) {
		read_names(s, in->job);
		status = set.is_json ? mp_rows_of_json(&set, see_object, s, &too_many, err)
				     : mp_rows_of_text(&set, see_text, s, err);
	}
	status = status || settle(found, s, err);
	free(s->lines);
	free(s);
	mp_file_set_free(&set);
	return status ? -1 : 0;
}
