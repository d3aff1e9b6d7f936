/* learn.c: the order of learning: references, finders, proof; and the text of the file with the layouts. */
#include "learn/learn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"
#include "learn/derive.h"
#include "learn/finders.h"
#include "learn/memory.h"

/* The state of one search. */
struct study {
	struct mp_learned *learned;
	struct mp_learn_input in;
	struct mp_error *err;
};

typedef int finder(struct mp_found *, const struct mp_learn_input *, struct mp_error *);

/* Keep what was found, if it is anything. */
static void keep(struct mp_learned *learned, struct mp_found *found)
{
	if (found->text || found->missing_count || found->is_guess)
		learned->found[learned->found_count++] = *found;
	else
		mp_found_free(found);
}

static int find_calls(struct study *s)
{
	struct mp_found calls, names;
	int failed = mp_find_calls(&calls, &names, &s->in, s->err);

	keep(s->learned, &calls);
	keep(s->learned, &names);
	return failed;
}

/* Append to a text on the heap. */
static int append(char **text, struct mp_error *err, const char *fmt, ...) MP_PRINTF(3, 4);
static int append(char **text, struct mp_error *err, const char *fmt, ...)
{
	size_t len = *text ? strlen(*text) : 0;
	va_list args, again;
	char *longer;
	int more;

	va_start(args, fmt);
	va_copy(again, args);
	more = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	longer = more < 0 ? NULL : mp_learn_realloc(*text, len + (size_t)more + 1);
	if (longer) {
		vsnprintf(longer + len, (size_t)more + 1, fmt, again);
		*text = longer;
	}
	va_end(again);
	return longer ? 0 : mp_fail_memory(err, "a layout");
}

/* The built-in layouts, with those of `text` in their place. */
static int make_layouts(struct mp_layouts *layouts, const char *text, struct mp_error *err)
{
	memset(layouts, 0, sizeof(*layouts));
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 && mp_layouts_parse(layouts, f->path + 8, f->text, err))
			return -1;
	return mp_layouts_parse(layouts, "learned.rec", text, err) || mp_layouts_finish(layouts, err);
}

/* The layouts without the lines of the file above them. */
static int join(struct study *s, char **text)
{
	for (size_t i = 0; i < s->learned->found_count; i++)
		if (s->learned->found[i].text && append(text, s->err, "\n%s", s->learned->found[i].text))
			return -1;
	return 0;
}

static int find_by(struct study *s, finder *const *finders, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct mp_found found;
		int failed = finders[i](&found, &s->in, s->err);

		keep(s->learned, &found);
		if (failed)
			return -1;
	}
	return 0;
}

/*
 * The records of tasks have the numbers that layer.info was guessed to have, in the rows that name the layers: the
 * guess is proven.
 */
static void confirm(struct mp_learned *learned)
{
	bool same = false;

	for (size_t i = 0; i < learned->found_count; i++) {
		const struct mp_found *f = &learned->found[i];

		for (size_t k = 0; k < f->finding_count && strcmp(f->layout, "svp.aicore") == 0; k++)
			same |= strcmp(f->findings[k].name, "task_id") == 0 && f->findings[k].rows >= 10 &&
				f->findings[k].fits * 20 >= f->findings[k].rows * 19;
	}
	for (size_t i = 0; i < learned->found_count && same; i++)
		if (strcmp(learned->found[i].layout, "svp.layer_info") == 0)
			learned->found[i].is_guess = false;
}

/* Find the layers of tasks first: they tell tasks that tables do not number. */
static int find_all(struct study *s)
{
	static finder *const of_layers[] = {mp_find_layers, mp_find_model};
	static finder *const of_records[] = {mp_find_core_tasks, mp_find_cpu_tasks};
	const struct mp_references *refs = s->in.refs;
	struct mp_references derived;
	struct mp_layouts layouts;
	char *text = NULL;
	int status = find_by(s, of_layers, 2) || join(s, &text) || make_layouts(&layouts, text ? text : "", s->err);

	free(text);
	if (status)
		return -1;
	status = mp_derive(&derived, refs, s->in.job, &layouts, s->err);
	mp_layouts_free(&layouts);
	if (status)
		return -1;
	s->in.refs = &derived;
	status = find_by(s, of_records, 2);
	s->in.refs = refs;
	confirm(s->learned);
	mp_derived_free(&derived, refs);
	return status || find_calls(s) ? -1 : 0;
}

/* Decode the job with what was learned, and make the tables again. */
static int prove(struct study *s, const char *text)
{
	struct mp_layouts layouts;
	struct mp_error real;
	struct mp_job *job = NULL;
	int status;

	if (s->in.progress)
		s->in.progress(s->in.user, "the proof");
	status = make_layouts(&layouts, text, s->err) || mp_job_open(&job, s->in.job->path, &layouts, 0, s->err);
	if (!status && mp_proof_make(&s->learned->proof, job, &layouts, &s->learned->refs, &real))
		status = mp_fail(s->err, "cannot decode the job with what was learned: %s", real.text);
	mp_job_close(job);
	mp_layouts_free(&layouts);
	return status ? -1 : 0;
}

static bool is_proven(const struct mp_learned *learned)
{
	size_t cells = 0;

	for (size_t i = 0; i < learned->found_count; i++)
		if (learned->found[i].missing_count || learned->found[i].is_guess)
			return false;
	for (size_t i = 0; i < learned->proof.count; i++) {
		if (learned->proof.lines[i].equal != learned->proof.lines[i].cells)
			return false;
		cells += learned->proof.lines[i].cells;
	}
	return cells > 0;
}

/* What the layouts were compared with, as comments. Names of files are the user's: their control characters are not. */
static int write_head(struct mp_learned *learned, struct mp_error *err)
{
	if (append(&learned->text, err,
		"# Made by msprof learn: layouts of a board's records, found from the tables of its "
		"own tool.\n%s",
		learned->is_proven
		    ? "# All cells of these tables came out again:\n"
		    : "# Not proven: not all cells of these tables came out again, or something is missing.\n"))
		return -1;
	for (size_t i = 0; i < learned->proof.count; i++) {
		const struct mp_proof_line *l = &learned->proof.lines[i];
		const char *base = strrchr(l->name, '/');
		char name[256];

		base = base ? base + 1 : l->name;
		mp_sanitise(name, sizeof(name), base, strlen(base));
		if (append(&learned->text, err, "#   %s: %zu of %zu cells equal\n", name, l->equal, l->cells))
			return -1;
	}
	return 0;
}

/* The layouts say `learned` where they are proven, else `unverified`. */
static int write_layouts(struct mp_learned *learned, const char *layouts, struct mp_error *err)
{
	const char *word = learned->is_proven ? "learned" : "unverified";

	for (const char *at = layouts; *at;) {
		const char *end = strchr(at, '\n');
		size_t len = end ? (size_t)(end - at) + 1 : strlen(at);
		const char *last = at + len;

		while (last > at && last[-1] != ' ')
			last--;
		if (*at != ' ' && *at != '\n' && *at != '#' && last > at) {
			if (append(&learned->text, err, "%.*s%s\n", (int)(last - at), at, word))
				return -1;
		} else if (append(&learned->text, err, "%.*s", (int)len, at)) {
			return -1;
		}
		at += len;
	}
	return 0;
}

/* Without tables, the bytes alone tell sizes and kinds of numbers. */
static int guess_all(struct study *s)
{
	static const char *const layouts[] = {"svp.aicore", "svp.aicpu", "svp.acl_api"};

	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		struct mp_found found;
		int failed = mp_find_structure(&found, &s->in, layouts[i], s->err);

		keep(s->learned, &found);
		if (failed)
			return -1;
	}
	return 0;
}

int mp_learn(
    struct mp_learned *learned, const struct mp_job *job, const struct mp_learn_options *options, struct mp_error *err)
{
	struct study s = {.learned = learned, .err = err};
	char *layouts = NULL;
	int status;

	memset(learned, 0, sizeof(*learned));
	mp_learn_memory_begin();
	s.in = (struct mp_learn_input){
	    .job = job, .refs = &learned->refs, .progress = options->progress, .user = options->progress_user};
	status = mp_references_read(&learned->refs, job, options->from, options->from_count, err);
	if (!status)
		status = learned->refs.count ? find_all(&s) || join(&s, &layouts) : guess_all(&s);
	if (!status && layouts) {
		status = prove(&s, layouts);
		learned->is_proven = !status && is_proven(learned);
		status = status || write_head(learned, err) || write_layouts(learned, layouts, err);
	}
	free(layouts);
	if (!status && mp_learn_memory_failed()) /* a search found less than there is */
		status = mp_fail_memory(err, "searches");
	if (status)
		mp_learned_free(learned);
	return status ? -1 : 0;
}

void mp_learned_free(struct mp_learned *learned)
{
	for (size_t i = 0; i < learned->found_count; i++)
		mp_found_free(&learned->found[i]);
	mp_proof_free(&learned->proof);
	mp_references_free(&learned->refs);
	free(learned->text);
	memset(learned, 0, sizeof(*learned));
}
