/* learn.c: the order of learning: references, records, rows, places, the layout, the proof. */
#include "learn/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"
#include "learn/learn_internal.h"

bool mp_finding_is_sure(const struct mp_learn_finding *f)
{
	return f->place.offset && !f->rivals.count && !f->not_searched && f->fits == f->rows &&
	       (f->rows >= MP_SURE_ROWS || f->nonzero >= MP_SURE_NONZERO);
}

/* What the layout was compared with, as comments. Names of files are the user's: their control characters are not. */
static void write_head(const struct mp_learned *learned, FILE *f)
{
	char doubts[MP_DOUBTS_SIZE];

	fprintf(f, "# Made by msprof learn: where the counters of a board's hardware are, %s.\n%s",
	    learned->is_guess ? "guessed from the records" : "found from the tables of its own tool",
	    learned->is_guess    ? ""
	    : learned->is_proven ? "# All cells of these tables came out again:\n"
				 : "# Not proven: ");
	if (!learned->is_guess && !learned->is_proven)
		fprintf(f, "%s.\n", mp_learned_doubts(learned, doubts));
	for (size_t i = 0; i < learned->proof_count; i++) {
		const struct mp_proof_line *l = &learned->proof[i];
		const char *slash = strrchr(l->name, '/'), *base = slash ? slash + 1 : l->name;
		char name[256];

		mp_sanitise(name, sizeof(name), base, strlen(base));
		fprintf(f, "#   %s: %zu of %zu cells equal\n", name, l->equal, l->cells);
	}
}

static int write_text(struct mp_learned *learned, struct mp_error *err)
{
	size_t size;
	bool failed;
	FILE *f;
	int status;

	free(learned->text);
	learned->text = NULL;
	f = open_memstream(&learned->text, &size);
	if (!f)
		return mp_fail_memory(err, "a layout");
	write_head(learned, f);
	status = mp_emit_layout(learned, f, err);
	failed = ferror(f) != 0;
	failed |= fclose(f) != 0 || !learned->text;
	return !status && failed ? mp_fail_memory(err, "a layout") : status;
}

/* Whether each counter has one place, each table was read, and each cell came out. Tables of zeros prove nothing. */
const char *mp_learned_doubts(const struct mp_learned *learned, char text[MP_DOUBTS_SIZE])
{
	bool sure = true, equal = true;
	int told = 0;

	for (int i = 0; i < MP_COUNTERS; i++) {
		sure &= mp_finding_is_sure(&learned->findings[i]);
		told += learned->findings[i].nonzero > 0;
	}
	for (size_t i = 0; i < learned->proof_count; i++) {
		const struct mp_proof_line *line = &learned->proof[i];

		equal &= learned->match.tables[i].left_out || (line->cells && line->equal == line->cells);
	}
	snprintf(text, MP_DOUBTS_SIZE, "%s%s%s%s",
	    learned->refs.refused_count == learned->refs.own_count ? "" : ", not all tables could be read",
	    sure ? "" : ", not every counter has one place that enough rows tell",
	    equal ? "" : ", not every cell came out again",
	    told >= MP_PROVEN_COUNTERS ? "" : ", most counters are 0 in all rows");
	if (text[0])
		memmove(text, text + 2, strlen(text + 2) + 1);
	return text;
}

/* Find the places of all counters. */
static int find_places(struct mp_learned *l, struct mp_error *err)
{
	struct mp_candidates lists[MP_COUNTERS];
	int status = 0;

	memset(lists, 0, sizeof(lists));
	for (int i = 0; i < MP_COUNTERS && !status; i++) {
		mp_work_share(&l->work, l->work.total / MP_WORK_CHOICE_PART, (size_t)(MP_COUNTERS - i));
		status = mp_search(&lists[i], &l->records.words, &l->match.rows, i,
		    i == MP_DDR_WRITE ? &lists[MP_DDR_READ] : NULL, &l->work, err);
	}
	mp_work_share(&l->work, 0, 1);
	if (!status)
		mp_choose(l->findings, lists, &l->records.words, &l->match.rows, &l->work);
	for (int i = 0; i < MP_COUNTERS; i++)
		free(lists[i].items);
	return status;
}

/* Parse what was found behind the built-in layouts, as each command does. */
static int load(struct mp_layouts *layouts, const struct mp_learned *l, struct mp_error *err)
{
	int status = 0;

	memset(layouts, 0, sizeof(*layouts));
	for (const struct mp_schema_file *f = mp_schema_files; f->path && !status; f++)
		if (strncmp(f->path, "records/", 8) == 0)
			status = mp_layouts_parse(layouts, f->path + 8, f->text, err);
	return status || mp_layouts_parse(layouts, "learned.rec", l->text, err) || mp_layouts_finish(layouts, err) ? -1
														   : 0;
}

/* Decode the job with the layout that was found, and make the tables again. Then write the layout anew, which must
 * load, too. */
static int prove(struct mp_learned *l, const struct mp_job *job, struct mp_error *err)
{
	struct mp_layouts layouts;
	char doubts[MP_DOUBTS_SIZE];
	int status = load(&layouts, l, err);

	if (!status && !l->is_guess)
		status = mp_prove(l, job->path, &layouts, err);
	mp_layouts_free(&layouts);
	if (status)
		return -1;
	l->is_proven = !l->is_guess && !mp_learned_doubts(l, doubts)[0];
	if (write_text(l, err))
		return -1;
	status = load(&layouts, l, err);
	mp_layouts_free(&layouts);
	return status;
}

/* Say which tables and counters were not searched to the end. */
static void say_how_far(struct mp_learned *l)
{
	size_t counters = 0;

	for (int i = 0; i < MP_COUNTERS; i++)
		counters += l->findings[i].not_searched;
	if (l->match.not_searched || counters || l->work.ended)
		snprintf(l->not_searched, sizeof(l->not_searched),
		    "%zu of %zu tables and %zu of %d counters were not searched to the end%s", l->match.not_searched,
		    l->match.table_count, counters, MP_COUNTERS,
		    l->work.ended && !counters && !l->sentence[0] ? ", and not all choices of places were tried" : "");
}

/* Find places, and prove them. What ends the search is a sentence. */
static int learn(struct mp_learned *l, const struct mp_job *job, struct mp_error *err)
{
	size_t matched = 0;
	bool any = false;

	l->is_guess = l->refs.count == 0;
	for (size_t i = 0; i < l->match.table_count; i++)
		matched += l->match.tables[i].inference != NULL;
	if (!l->records.words.count)
		snprintf(l->sentence, sizeof(l->sentence), "the job has no aicore records");
	else if (!l->is_guess && !matched)
		snprintf(
		    l->sentence, sizeof(l->sentence), "%.80s: %s", l->refs.items[0].name, l->match.tables[0].sentence);
	if (l->sentence[0])
		return 0;
	if (l->is_guess ? mp_guess_places(l->findings, &l->records, &l->work, err) : find_places(l, err))
		return -1;
	for (int i = 0; i < MP_COUNTERS; i++)
		any |= l->findings[i].place.offset != 0;
	if (any)
		return write_text(l, err) || prove(l, job, err);
	snprintf(l->sentence, sizeof(l->sentence), "%s",
	    l->is_guess ? "the counters can be in no place alone"
			: "no place explains any column: are these tables of this job?");
	return 0;
}

/* The work that the records and rows are worth. */
static void begin_work(struct mp_learned *l, const struct mp_learn_options *options)
{
	uint64_t count = l->records.words.count;

	for (size_t i = 0; i < l->refs.count; i++)
		count += (uint64_t)l->refs.items[i].row_count;
	l->work.progress = options->progress;
	l->work.user = options->progress_user;
	mp_work_begin(&l->work, MP_WORK_MIN + MP_WORK_EACH * count);
}

/* Read tables and records, and give rows to records. */
static int read_all(
    struct mp_learned *l, const struct mp_job *job, const struct mp_learn_options *options, struct mp_error *err)
{
	if (mp_references_read(&l->refs, job, options->from, options->from_count, err) ||
	    mp_records_read(&l->records, job, err))
		return -1;
	begin_work(l, options);
	return mp_match_rows(&l->match, &l->refs, &l->records, &l->work, err);
}

int mp_learn(
    struct mp_learned *learned, const struct mp_job *job, const struct mp_learn_options *options, struct mp_error *err)
{
	memset(learned, 0, sizeof(*learned));
	if (read_all(learned, job, options, err) || learn(learned, job, err)) {
		mp_learned_free(learned);
		return -1;
	}
	say_how_far(learned);
	return 0;
}

void mp_learned_free(struct mp_learned *learned)
{
	free(learned->proof);
	mp_row_match_free(&learned->match);
	mp_records_free(&learned->records);
	mp_references_free(&learned->refs);
	free(learned->text);
	memset(learned, 0, sizeof(*learned));
}
