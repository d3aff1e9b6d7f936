/* here.c: loads the record layouts that the program embeds, and those of --layouts; finds the jobs of the current
 * directory. */
#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"
#include "commands.h"
#include "job_run.h"
#include "raw/job.h"

int layouts_load(struct mp_layouts *layouts, const char *dir, struct mp_error *err)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 && mp_layouts_parse(layouts, f->path + 8, f->text, err))
			return -1;
	if (dir && mp_layouts_read(layouts, dir, err))
		return -1;
	return mp_layouts_finish(layouts, err);
}

/* Write the path of a job as a word for a shell, without "./" and sanitised for the terminal. */
static void write_word(char word[DIR_WORD_MAX], const char *path)
{
	const char *name = strncmp(path, "./", 2) == 0 ? path + 2 : path, *quoted;
	char safe[1024];

	mp_sanitise(safe, sizeof(safe), name, strlen(name));
	quoted = dir_word(word, safe);
	if (quoted != word)
		snprintf(word, DIR_WORD_MAX, "%s", quoted);
}

size_t here_jobs(char word[DIR_WORD_MAX])
{
	struct mp_layouts layouts = {0};
	struct mp_job *job = NULL;
	struct mp_found found = {.count = 0};
	struct mp_error err;
	size_t count;

	if (layouts_load(&layouts, NULL, &err) || mp_job_find(&found, ".", &layouts, false, &err))
		mp_found_free(&found);
	count = found.count;
	/* without a job, the directory itself is found */
	if (count == 1 && mp_job_open(&job, found.paths[0], &layouts, NULL, &err))
		count = 0;
	mp_job_close(job);
	write_word(word, found.count == 1 ? found.paths[0] : ".");
	mp_found_free(&found);
	mp_layouts_free(&layouts);
	return count;
}
