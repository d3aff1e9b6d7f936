/* complete.c: lists what can follow on a command line, for msprof.bash, msprof.zsh and msprof.fish. Values come from
 * the database of a job: completion never waits, imports or complains. */
#include "commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/schema.h"
#include "base/text.h"
#include "form.h"
#include "import/job_db.h"
#include "insight/advise.h"
#include "process.h"

/* Open the directory of the database of the first job; -1: no word names a job that was parsed. */
static int open_first(int count, char **words, const char **job)
{
	struct mp_error ignored;

	for (int i = 0; i < count; i++) {
		const char *value = words[i][0] == '-' ? strchr(words[i], '=') : NULL; /* bash alone parts "-dir=JOB" */
		int jobfd, dirfd;

		*job = value ? value + 1 : words[i];
		jobfd = mp_named_dir(*job, &ignored);
		dirfd = jobfd < 0 ? -1 : mp_dir_open(jobfd, "sqlite", "sqlite", &ignored);
		if (jobfd >= 0)
			close(jobfd); /* nothing was written with it */
		if (dirfd >= 0)
			return dirfd;
	}
	return -1;
}

/* A name that may be anything: whether a terminal and a shell take it as it is, between quotes. */
static bool is_plain(const char *text, size_t len)
{
	char safe[256];

	return len < sizeof(safe) && mp_sanitise(safe, sizeof(safe), text, len) == len &&
	       memcmp(safe, text, len) == 0 && strcspn(safe, "'\"`$\\") == len;
}

static void put_rows(struct mp_db *db, const char *sql, struct mp_error *err)
{
	struct mp_query *q;

	if (mp_query_open(&q, db, sql, strlen(sql), err))
		return;
	while (mp_query_next(q, err) > 0) {
		struct mp_value value = mp_query_value(q, 0);

		if (value.type == MP_INT)
			printf("%" PRId64 "\n", value.i);
		else if (value.type == MP_TEXT && is_plain(value.text, value.len))
			printf("%.*s\n", (int)value.len, value.text);
	}
	mp_query_close(q);
}

/*
 * Print the values of an option, one a line, that the database of the first job among the words has, by
 * schema/complete/FAMILY/OPTION.sql, or by complete/OPTION.sql for all families. Without such a text or a database
 * nothing is printed. A text that a shell would not take as it is between quotes is left out.
 */
static void complete_job(const struct option_row *row, int count, char **words)
{
	struct options of_job = {.sides = {.count = 0}};
	struct mp_error err;
	struct mp_db *db;
	const char *job, *sql;
	char family[32], path[128];
	int dirfd = open_first(count, words, &job);

	if (dirfd < 0)
		return;
	of_job.values[OPTION_DIR] = job;
	if (confine(&of_job, &err) == 0 && mp_db_open(&db, dirfd, "msprof.db", job, &err) == 0) {
		if (mp_job_db_meta(db, "family", family, sizeof(family), &err) == 0) {
			snprintf(path, sizeof(path), "complete/%s/%s.sql", family, option_bare(row->names[0]));
			sql = mp_schema_text(path);
			if (!sql) {
				snprintf(path, sizeof(path), "complete/%s.sql", option_bare(row->names[0]));
				sql = mp_schema_text(path);
			}
			if (sql)
				put_rows(db, sql, &err);
		}
		mp_db_close(db);
	}
	close(dirfd);
}

#define DIRECTORY ":directory"
#define FILE_NAME ":file"

static void offer(const char *word, size_t len, const char *text)
{
	printf("%.*s%s%s\n", (int)len, word, *text ? "\t" : "", text);
}

/* Offer a title as --table takes it in any shell: in small letters, without blanks. */
static void offer_title(const char *title)
{
	char name[64] = "";
	size_t len = 0;

	for (; len < sizeof(name) - 1 && title[len]; len++)
		name[len] = title[len] == ' ' ? '_' : (char)tolower((unsigned char)title[len]);
	offer(name, len, title);
}

/* Offer what the reports of a list are called: the title of a table, or the name of a rule; each once. */
static void offer_reports(const struct mp_reports *reports, bool are_rules)
{
	for (size_t i = 0; i < reports->count; i++) {
		const struct mp_report *r = &reports->items[i];
		bool is_first = true; /* families have tables of one title, and rules names of their own */
		char name[64];

		for (size_t k = 0; k < i; k++)
			is_first = is_first && strcmp(reports->items[k].title, r->title) != 0;
		mp_rule_name(r, name);
		if (are_rules)
			offer(name, strlen(name), r->title);
		else if (is_first)
			offer_title(r->title);
	}
}

/* The tables of a command, or the rules of advise, of all families. */
static void complete_reports(const struct command *command, int id)
{
	struct mp_reports reports;
	struct mp_error ignored;
	int status = id == OPTION_FINDING ? mp_rules_load(&reports, NULL, &ignored)
					  : mp_reports_load(&reports, command->name, NULL, MP_STYLE_DEFAULT, &ignored);

	if (status)
		return;
	offer_reports(&reports, id == OPTION_FINDING);
	mp_reports_free(&reports);
}

static void offer_words(const char *words, const char *separators)
{
	for (words += strspn(words, separators); *words; words += strspn(words, separators)) {
		size_t len = strcspn(words, separators);

		offer(words, len, "");
		words += len;
	}
}

/* Offer the first words of the commands, each once; a group of commands is described by its second words. */
static void offer_commands(void)
{
	const char *before = "";

	for (const struct command *const *c = commands; *c; c++) {
		const char *name = (*c)->name;
		size_t len = strcspn(name, " ");
		char first[64], seconds[256];

		if (strncmp(before, name, len + 1) != 0) {
			snprintf(first, sizeof(first), "%.*s", (int)len, name);
			commands_group_words(first, seconds, sizeof(seconds));
			offer(first, len, name[len] ? seconds : (*c)->summary);
		}
		before = name;
	}
}

/* Offer the second words of the commands whose first word is `word`. */
static void offer_second_words(const char *word)
{
	size_t len = strlen(word);

	for (const struct command *const *c = commands; *c; c++)
		if (strncmp((*c)->name, word, len) == 0 && (*c)->name[len] == ' ')
			offer((*c)->name + len + 1, strlen((*c)->name + len + 1), (*c)->summary);
}

/* Offer what an option takes: words, or the names of files or directories. */
static void offer_values(const struct option_row *row, const char *words)
{
	if (row->type == VALUE_DIRECTORY)
		puts(DIRECTORY);
	else if (row->type == VALUE_FILE)
		printf(FILE_NAME "%s%s\n", words ? " " : "", words ? words : "");
	else if (words)
		offer_words(words, " ");
}

static bool is_name_of(const struct option_row *row, const char *word)
{
	for (size_t i = 0; row->names[i]; i++)
		if (strcmp(option_bare(row->names[i]), option_bare(word)) == 0)
			return true;
	return false;
}

static void offer_options(const struct command *command)
{
	char help[512];

	for (int id = 0; id < OPTION_COUNT; id++) {
		const struct option_row *row = option_row(id);

		option_text_for(row->help, command->name, help, sizeof(help));
		for (size_t i = 0; row->names[i] && command_takes(command, id); i++)
			offer(row->names[i], strlen(row->names[i]), help);
	}
}

/* `words` are those between the command and `word`. */
static void complete_command(const struct command *command, int count, char **words, const char *word)
{
	const char *before = count ? words[count - 1] : "";

	for (int id = 0; id < OPTION_COUNT && before[0] == '-'; id++)
		if (command_takes(command, id) && option_row(id)->type != VALUE_NONE &&
		    is_name_of(option_row(id), before)) {
			if (id == OPTION_TABLE || id == OPTION_FINDING)
				complete_reports(command, id);
			else if (option_row(id)->type == VALUE_NUMBER || id == OPTION_FAIL_IF)
				complete_job(option_row(id), count - 1, words);
			else
				offer_values(option_row(id), options_words(command, id));
			return;
		}
	if (*word != '-' && command->needs == NEEDS_JOB)
		puts(DIRECTORY);
	else if (*word != '-' && command->needs == NEEDS_SIDES)
		puts(FILE_NAME);
	else
		offer_options(command);
}

/* The option of Ascend servers that the word names; NULL: none. */
static const struct form_option *form_option_of(const char *word)
{
	for (const struct form_option *o = form_options; o->row.names[0]; o++)
		if (strcmp(word, o->row.names[0]) == 0)
			return o;
	return NULL;
}

static void complete_form(const char *before, const char *word)
{
	const struct form_option *option = form_option_of(before);

	if (option)
		offer_values(&option->row, option->row.words);
	else if (*word != '-')
		puts(FILE_NAME);
	for (const struct form_option *o = form_options; o->row.names[0] && !option && *word == '-'; o++)
		offer(o->row.names[0], strlen(o->row.names[0]), o->row.help);
}

static void complete_first(const char *word)
{
	if (*word == '-') {
		offer_words("--help --version", " ");
		if (FORM_EXISTS)
			complete_form("", word);
	} else if (strchr(word, '/')) {
		puts(FILE_NAME);
	} else {
		offer_commands();
		offer_words("help version", " ");
	}
}

void complete(int argc, char **argv)
{
	const struct command *command;
	const char *word = argc > 2 ? argv[argc - 1] : "";
	int next, at = argc - 1; /* the index of the word */

	if (at <= 2) {
		complete_first(word);
	} else if (strcmp(argv[2], "help") == 0) {
		if (at == 3) {
			offer_commands();
			if (FORM_EXISTS)
				offer_words("options", "");
		} else if (at == 4)
			offer_second_words(argv[3]);
	} else if ((command = commands_find(at, argv, 2, &next)) != NULL) {
		complete_command(command, at - next, argv + next, word);
	} else if (at == 3 && commands_is_group(argv[2])) {
		offer_second_words(argv[2]);
		offer_words("--help", "");
	} else if (FORM_EXISTS && form_is(at - 1, argv + 1)) {
		complete_form(argv[at - 1], word);
	}
}
