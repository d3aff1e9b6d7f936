/* report_load.c: parses the "-- @key value" lines of an embedded report. Runs no SQL. */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "base/schema.h"

static int refuse(const char *path, int number, const char *line, const char *reason, struct mp_error *err)
{
	mp_error_set(err, "%s: '%.*s'", reason, (int)strcspn(line, "\n"), line);
	return mp_schema_locate(path, number, err);
}

static int set_text(struct mp_report *r, const char *key, const char *value, size_t len)
{
	const struct {
		const char *key;
		char *dst;
		size_t size;
	} texts[] = {{"family", r->family, sizeof(r->family)}, {"style", r->style, sizeof(r->style)},
	    {"title", r->title, sizeof(r->title)}, {"vendor_title", r->vendor_title, sizeof(r->vendor_title)},
	    {"time", r->table.time, sizeof(r->table.time)}, {"decides", r->table.decides, sizeof(r->table.decides)},
	    {"file", r->output.file, sizeof(r->output.file)},
	    {"json_file", r->output.json_file, sizeof(r->output.json_file)},
	    {"process", r->tracks.process, sizeof(r->tracks.process)},
	    {"thread", r->tracks.thread, sizeof(r->tracks.thread)},
	    {"beside", r->tracks.beside, sizeof(r->tracks.beside)},
	    {"started", r->tracks.started, sizeof(r->tracks.started)},
	    {"recorded", r->tracks.recorded, sizeof(r->tracks.recorded)},
	    {"form", r->output.form, sizeof(r->output.form)}, {"advice", r->rule.advice, sizeof(r->rule.advice)},
	    {"source", r->rule.source, sizeof(r->rule.source)}, {"formula", r->rule.formula, sizeof(r->rule.formula)},
	    {"start", r->rule.start, sizeof(r->rule.start)}, {"several", r->rule.several, sizeof(r->rule.several)},
	    {"types", r->fleet.types, sizeof(r->fleet.types)}, {"needs", r->needs, sizeof(r->needs)},
	    {"counters", r->table.counters, sizeof(r->table.counters)}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(texts[i].key, key) == 0 && len < texts[i].size) {
			memcpy(texts[i].dst, value, len);
			texts[i].dst[len] = '\0';
			return 0;
		}
	return -1;
}

/* Set a key without a value. Returns -1 for another key. */
static int set_flag(struct mp_report *r, const char *key)
{
	const struct {
		const char *key;
		bool *flag;
	} flags[] = {
	    {"facts", &r->facts}, {"first", &r->rule.first}, {"later", &r->table.later}, {"bulk", &r->fleet.bulk}};

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(flags[i].key, key) == 0) {
			*flags[i].flag = true;
			return 0;
		}
	return -1;
}

/* What applies to the next query. */
struct pending {
	const char *use[MP_REPORT_USE_MAX];
	int count;
	const char *once;
	char split[sizeof(((struct mp_sql *)NULL)->split)];
	char within[3][sizeof(((struct mp_sql *)NULL)->within[0])];
	int line; /* the current line of the report */
};

static int add_use(struct pending *p, const char *value, size_t len)
{
	const char *text;
	char path[128];

	snprintf(path, sizeof(path), "reports/part/%.*s.sql", (int)len, value);
	text = mp_schema_text(path);
	if (!text || p->count == MP_REPORT_USE_MAX || (p->once && strncmp(text, "-- @once ", 9) == 0))
		return -1;
	if (strncmp(text, "-- @once ", 9) == 0)
		p->once = text;
	else
		p->use[p->count++] = text;
	return 0;
}

/* "TABLE.COLUMN [FIRST LAST ROWS]" */
static int set_split(struct pending *p, const char *value, size_t len)
{
	char line[256];
	int words;

	snprintf(line, sizeof(line), "%.*s", (int)len, value);
	words = sscanf(line, "%63s %31s %31s %31s", p->split, p->within[0], p->within[1], p->within[2]);
	return (words == 1 || words == 4) && strchr(p->split, '.') ? 0 : -1;
}

/* Copies the word that a text begins with, as far as there is room, and returns its length there. */
static size_t take_word(char *word, size_t size, const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz_0123456789");

	if (len >= size)
		len = size - 1;
	memcpy(word, text, len);
	word[len] = '\0';
	return len;
}

/* The number that several reports use. */
static bool find_threshold(struct mp_threshold *t)
{
	const char *line = mp_schema_text("reports/thresholds.txt");
	const size_t len = strlen(t->name);

	for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (*line == *t->name && strncmp(line, t->name, len) == 0 && line[len] == ' ') {
			t->value = strtod(line + len, NULL);
			return true;
		}
	return false;
}

/* "NAME NUMBER", or the NAME of a number that several reports use */
static int add_threshold(struct mp_report *r, const char *value, size_t len)
{
	struct mp_threshold *t = &r->thresholds[r->threshold_count];
	char text[64];
	int words;

	snprintf(text, sizeof(text), "%.*s", (int)len, value);
	if (r->threshold_count == MP_REPORT_THRESHOLD_MAX || len >= sizeof(text))
		return -1;
	words = sscanf(text, "%31[a-z_0-9] %lf", t->name, &t->value);
	if (words < 1 || (words == 1 && !find_threshold(t)))
		return -1;
	r->threshold_count++;
	return 0;
}

/* Add the numbers that several reports use and this one names, as :NAME or {NAME}. Returns -1 for too many. */
static int add_named(struct mp_report *r, const char *text)
{
	while ((text = strpbrk(text, ":{"))) {
		struct mp_threshold t = {.value = 0};
		int i = 0;

		if (!take_word(t.name, sizeof(t.name), ++text) || !find_threshold(&t))
			continue;
		while (i < r->threshold_count && strcmp(r->thresholds[i].name, t.name) != 0)
			i++;
		if (i == MP_REPORT_THRESHOLD_MAX)
			return -1;
		if (i == r->threshold_count)
			r->thresholds[r->threshold_count++] = t;
	}
	return 0;
}

/* Replace each {NAME} of a text by the threshold of the report, and {NAME%} by the threshold in percent. */
static int fill_thresholds(const struct mp_report *r, char *text, size_t size)
{
	char filled[sizeof(r->rule.source)], name[sizeof(r->thresholds[0].name)];
	size_t used = 0;

	for (const char *at = text; *at;) {
		size_t len = *at == '{' ? take_word(name, sizeof(name), at + 1) : 0;

		if (!len) {
			filled[used++] = *at++;
		} else {
			bool percent = at[++len] == '%';
			int i = 0;

			while (i < r->threshold_count && strcmp(r->thresholds[i].name, name) != 0)
				i++;
			if (i == r->threshold_count || at[len + percent] != '}')
				return -1;
			used += (size_t)snprintf(filled + used, sizeof(filled) - used, "%.10g",
			    r->thresholds[i].value * (percent ? 100 : 1));
			at += len + percent + 1;
		}
		if (used >= size || used >= sizeof(filled))
			return -1;
	}
	filled[used] = '\0';
	memcpy(text, filled, used + 1);
	return 0;
}

/* What a rule says, in the language that was chosen. Returns -1 where a text is too long. */
static int say_rule(struct mp_report *r)
{
	const struct {
		char *text;
		size_t size;
	} texts[] = {{r->title, sizeof(r->title)}, {r->rule.advice, sizeof(r->rule.advice)},
	    {r->rule.source, sizeof(r->rule.source)}, {r->rule.formula, sizeof(r->rule.formula)},
	    {r->rule.start, sizeof(r->rule.start)}, {r->rule.several, sizeof(r->rule.several)}};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const char *said = mp_say_word(texts[i].text);

		if (strlen(said) >= texts[i].size)
			return -1;
		if (said != texts[i].text)
			memcpy(texts[i].text, said, strlen(said) + 1);
	}
	return 0;
}

static struct mp_sql *section_named(struct mp_report *r, const char *key)
{
	const struct {
		const char *key;
		struct mp_sql *sql;
	} sections[] = {{"each", &r->each}, {"tally", &r->tally}, {"rows", &r->rows}, {"why", &r->why},
	    {"columns", &r->table.columns}, {"without", &r->table.without}, {"leave", &r->output.leave}};

	if (strcmp(key, "layer") == 0)
		return r->layer_count < MP_REPORT_LAYER_MAX ? &r->layers[r->layer_count++] : NULL;
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++)
		if (strcmp(sections[i].key, key) == 0)
			return sections[i].sql;
	return NULL;
}

static int include(struct mp_report *r, const char *value, size_t len, struct mp_error *err);

/* Parse one "-- @key value" line. A query takes the text up to the next such line. */
static int parse_key(
    struct mp_report *r, struct pending *p, struct mp_sql **open, const char *line, struct mp_error *err)
{
	char key[32];
	const char *value;
	size_t len;

	value = line + strlen("-- @");
	len = take_word(key, sizeof(key), value);
	if (!len)
		return refuse(r->path, p->line, line, "not a key", err);
	value += len;
	value += *value == ' ';
	len = strcspn(value, "\n");
	*open = section_named(r, key);
	if (*open) {
		memcpy((*open)->use, p->use, sizeof(p->use));
		(*open)->use_count = p->count;
		(*open)->once = p->once;
		memcpy((*open)->split, p->split, sizeof(p->split));
		memcpy((*open)->within, p->within, sizeof(p->within));
		(*open)->text = value + len;
		(*open)->path = r->path;
		(*open)->line = p->line + 1;
		*p = (struct pending){.line = p->line};
		return 0;
	}
	if (strcmp(key, "use") == 0)
		return add_use(p, value, len) ? refuse(r->path, p->line, line, "no such part", err) : 0;
	if (strcmp(key, "include") == 0)
		return include(r, value, len, err);
	if (strcmp(key, "split") == 0)
		return set_split(p, value, len)
			   ? refuse(r->path, p->line, line, "not a table and a column, or these and three columns", err)
			   : 0;
	if (strcmp(key, "threshold") == 0)
		return add_threshold(r, value, len) ? refuse(r->path, p->line, line,
							  "not a name and a number, nor a name in thresholds.txt", err)
						    : 0;
	if (set_flag(r, key) == 0)
		return 0;
	if (strcmp(key, "top") == 0) {
		r->table.top = strtoll(value, NULL, 10);
		return 0;
	}
	if (strcmp(key, "newline") == 0) {
		r->output.crlf = len == 4 && memcmp(value, "crlf", 4) == 0;
		return 0;
	}
	return set_text(r, key, value, len) ? refuse(r->path, p->line, line, "unknown key, or value too long", err) : 0;
}

/* The family whose name is a word of a path, else "any". Each family has views. */
static void find_family(char family[48], const char *path)
{
	char views[128];

	strcpy(family, "any");
	for (const char *at = path; *at; at += strspn(at, "/_.")) {
		const int len = (int)strcspn(at, "/_.");

		snprintf(views, sizeof(views), "sql/%.*s/views.sql", len, at);
		if (mp_schema_text(views)) {
			snprintf(family, sizeof(((struct mp_report *)NULL)->family), "%.*s", len, at);
			return;
		}
		at += len;
	}
}

/* What the path tells where no key does: the family, and the name of the file of a summary or timeline, with the time.
 */
static void take_path(struct mp_report *r)
{
	const char *name = strrchr(r->path, '/') + 1;

	if (!r->family[0])
		find_family(r->family, r->path);
	if (!r->output.file[0] &&
	    (strncmp(r->path, "reports/summary/", 16) == 0 || strncmp(r->path, "reports/timeline/", 17) == 0))
		snprintf(r->output.file, sizeof(r->output.file), "%.*s_{time}", (int)strcspn(name, "."), name);
}

static int parse_report(struct mp_report *r, const struct mp_schema_file *f, struct mp_error *err)
{
	struct pending pending = {.count = 0};
	struct mp_sql *open = NULL;
	const char *line = f->text;

	*r = (struct mp_report){.path = f->path, .style = "any"};
	while (*line) {
		pending.line++;
		if (strncmp(line, "-- @", 4) == 0) {
			if (open)
				open->len = (size_t)(line - open->text);
			if (parse_key(r, &pending, &open, line, err))
				return -1;
		}
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (open)
		open->len = (size_t)(line - open->text);
	take_path(r);
	if (add_named(r, f->text))
		return mp_fail(err, "schema/%s: more than %d thresholds", f->path, MP_REPORT_THRESHOLD_MAX);
	if (strncmp(f->path, "insight/rules/", 14) == 0 && say_rule(r))
		return mp_fail(err, "schema/%s: a text is too long in the language that was chosen", f->path);
	if (fill_thresholds(r, r->rule.source, sizeof(r->rule.source)) ||
	    fill_thresholds(r, r->rule.formula, sizeof(r->rule.formula)))
		return mp_fail(err, "schema/%s: @source or @formula has a {NAME} of no threshold", f->path);
	return r->each.text ? 0 : mp_fail(err, "schema/%s: no @each", f->path);
}

/* Add the rows and layers of another report, for the columns of our @each. */
static int include(struct mp_report *r, const char *value, size_t len, struct mp_error *err)
{
	struct mp_schema_file file;
	struct mp_report *other;
	char path[128];
	int status;

	snprintf(path, sizeof(path), "reports/%.*s.sql", (int)len, value);
	file = (struct mp_schema_file){path, mp_schema_text(path)};
	if (!file.text)
		return mp_fail(err, "schema/%s: no report '%s' to include", r->path, path);
	other = calloc(1, sizeof(*other));
	if (!other)
		return mp_fail_memory(err, "reports");
	status = parse_report(other, &file, err);
	if (!status && r->layer_count + 1 + other->layer_count > MP_REPORT_LAYER_MAX)
		status = mp_fail(err, "schema/%s: too many layers", r->path);
	for (int i = -1; !status && i < other->layer_count; i++) {
		struct mp_sql *to = r->rows.text ? &r->layers[r->layer_count++] : &r->rows;

		*to = i < 0 ? other->rows : other->layers[i];
		to->path = r->path;
		to->is_included = true;
	}
	free(other);
	return status;
}

/* Returns whether `list`, words separated by blanks, contains the word. */
static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = list; *at; at += strcspn(at, " "), at += strspn(at, " "))
		if (strcspn(at, " ") == len && memcmp(at, word, len) == 0)
			return true;
	return false;
}

static int by_file_name(const void *a, const void *b)
{
	const struct mp_report *x = a, *y = b;
	int order = strcmp(strrchr(x->path, '/'), strrchr(y->path, '/'));

	return order ? order : strcmp(x->path, y->path);
}

int mp_reports_load(
    struct mp_reports *list, const char *kind, const char *family, enum mp_style style, struct mp_error *err)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "reports/%s", kind);
	return mp_reports_load_folder(list, folder, family, style, err);
}

/* Whether a report may be one of the family: what its path says is known before it is parsed. */
static bool may_be_of(const struct mp_schema_file *f, const char *family)
{
	char own[48];

	if (!family || strstr(f->text, "-- @family "))
		return true;
	find_family(own, f->path);
	return strcmp(own, "any") == 0 || strcmp(own, family) == 0;
}

int mp_reports_load_folder(
    struct mp_reports *list, const char *folder, const char *family, enum mp_style style, struct mp_error *err)
{
	const char *wanted = style == MP_STYLE_VENDOR ? "vendor" : "default";
	char prefix[80];
	size_t room = 0;

	memset(list, 0, sizeof(*list));
	snprintf(prefix, sizeof(prefix), "%s/", folder);
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		room += strncmp(f->path, prefix, strlen(prefix)) == 0;
	list->items = calloc(room + 1, sizeof(struct mp_report));
	if (!list->items)
		return mp_fail_memory(err, "reports");
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++) {
		struct mp_report *r = &list->items[list->count];

		if (strncmp(f->path, prefix, strlen(prefix)) != 0 || !may_be_of(f, family))
			continue;
		if (parse_report(r, f, err)) {
			mp_reports_free(list);
			return -1;
		}
		if ((!family || strcmp(r->family, "any") == 0 || has_word(r->family, family)) &&
		    (strcmp(r->style, "any") == 0 || strcmp(r->style, wanted) == 0))
			list->count++;
	}
	qsort(list->items, list->count, sizeof(list->items[0]), by_file_name);
	return 0;
}

void mp_reports_free(struct mp_reports *list)
{
	free(list->items);
	memset(list, 0, sizeof(*list));
}
