/* calls_dictionary.c: finds the file that says which numbers are names of calls: lines of text, or JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_tree.h"
#include "learn/calls_internal.h"
#include "learn/layers_internal.h"
#include "learn/memory.h"

enum { FILE_MAX = 1024 * 1024, PATH_MAX_TEXT = 160, DEPTH_MAX = 8, SEPARATOR_MAX = 16 };

/* How the objects of a file say numbers and names. */
enum form { FORM_NONE, FORM_LINE, FORM_ELEMENTS, FORM_NAME_KEYS, FORM_NUMBER_KEYS, FORM_ZIP };

/* A search in one file. */
struct search {
	struct mp_call_dictionary *dictionary;
	const struct mp_call_names *names;
	enum form form;
	char list[PATH_MAX_TEXT]; /* "" is the object of the line */
	char number[PATH_MAX_TEXT], name[PATH_MAX_TEXT];
	char number_key[PATH_MAX_TEXT], name_key[PATH_MAX_TEXT]; /* as the file has them */
	struct mp_error *err;
	bool failed;
};

static int by_number(const void *left, const void *right)
{
	const struct mp_call_number *a = left, *b = right;

	return a->number < b->number ? -1 : a->number > b->number;
}

uint32_t mp_call_dictionary_find(const struct mp_call_dictionary *d, int64_t number)
{
	size_t low = 0, high = d->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (d->items[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < d->count && d->items[low].number == number ? d->items[low].name : MP_NO_NAME;
}

static void add(struct search *s, int64_t number, const char *text, size_t len)
{
	struct mp_call_dictionary *d = s->dictionary;
	uint32_t name = mp_call_name_find(s->names, text, len);

	if (name == MP_NO_NAME || number < 0 || d->count == MP_CALL_NUMBERS_MAX || s->failed)
		return;
	if (!d->items) {
		d->items = mp_learn_malloc(MP_CALL_NUMBERS_MAX * sizeof(*d->items));
		s->failed = !d->items && mp_fail_memory(s->err, "names of calls");
	}
	if (d->items)
		d->items[d->count++] = (struct mp_call_number){number, name};
}

static bool is_name(const struct search *s, const char *text)
{
	return text && mp_call_name_find(s->names, text, strlen(text)) != MP_NO_NAME;
}

/* Returns whether a text is digits only, as a number is written. */
static bool is_digits(const char *text)
{
	return text && *text && strlen(text) < 18 && strspn(text, "0123456789") == strlen(text) &&
	       (*text != '0' || !text[1]);
}

/* A whole number, or one that is written as a text. */
static bool is_whole(const struct mp_json_node *node)
{
	double number = mp_json_number(node);

	if (mp_json_is(node, MP_JSON_TEXT))
		return is_digits(node->text);
	return number >= 0 && number < 9e15 && number == (double)(int64_t)number;
}

static int64_t whole_of(const struct mp_json_node *node)
{
	return mp_json_is(node, MP_JSON_TEXT) ? strtoll(node->text, NULL, 10) : (int64_t)mp_json_number(node);
}

/* "path.key", as the layout language writes it. Returns false when it cannot. */
static bool join(char to[PATH_MAX_TEXT], const char *path, const char *key)
{
	bool plain =
	    *key && strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(key);
	int len = snprintf(
	    to, PATH_MAX_TEXT, "%s%s%s%s%s", path, *path ? "." : "", plain ? "" : "\"", key, plain ? "" : "\"");

	return len > 0 && len < PATH_MAX_TEXT && *key && !strpbrk(key, "\"\\\n\r\t");
}

/* The key of a member that is a whole number, or an array of them. */
static const struct mp_json_node *number_beside(const struct mp_json_node *object, bool arrays, size_t count)
{
	const struct mp_json_node *member;

	for (member = mp_json_first(object); member; member = member->next) {
		if (!arrays && is_whole(member))
			return member;
		if (arrays && mp_json_is(member, MP_JSON_ARRAY) && mp_json_size(member) == count &&
		    is_whole(member->child))
			return member;
	}
	return NULL;
}

static bool take_form(struct search *s, enum form form, const char *list, const char *number, const char *name)
{
	s->form = form;
	snprintf(s->list, sizeof(s->list), "%s", list);
	snprintf(s->number_key, sizeof(s->number_key), "%s", number);
	snprintf(s->name_key, sizeof(s->name_key), "%s", name);
	return true;
}

/* Two members of an object, one a number and one its name. `list` has the object, unless it is of the line. */
static bool try_members(struct search *s, const struct mp_json_node *object, bool is_root, const char *list)
{
	const struct mp_json_node *member, *number = number_beside(object, false, 0);

	for (member = mp_json_first(object); member; member = member->next) {
		if (!number || !mp_json_is(member, MP_JSON_TEXT) || !is_name(s, member->text))
			continue;
		return join(s->number, "", number->key) && join(s->name, "", member->key) &&
		       take_form(s, is_root ? FORM_LINE : FORM_ELEMENTS, list, number->key, member->key);
	}
	return false;
}

/* An object whose keys are names or numbers, an array of names, or two arrays side by side. */
static bool try_list(struct search *s, const struct mp_json_node *node, const char *path)
{
	const struct mp_json_node *member, *numbers;

	for (member = mp_json_first(node); member; member = member->next) {
		if (mp_json_is(node, MP_JSON_OBJECT) && is_name(s, member->key) && is_whole(member))
			return take_form(s, FORM_NAME_KEYS, path, "", "");
		if (mp_json_is(member, MP_JSON_TEXT) && is_name(s, member->text) &&
		    (mp_json_is(node, MP_JSON_ARRAY) || is_digits(member->key)))
			return take_form(s, FORM_NUMBER_KEYS, path, "", "");
		if (!mp_json_is(node, MP_JSON_OBJECT) || !mp_json_is(member, MP_JSON_ARRAY) ||
		    !mp_json_is(member->child, MP_JSON_TEXT) || !is_name(s, member->child->text))
			continue;
		numbers = number_beside(node, true, mp_json_size(member));
		if (numbers && join(s->number, path, numbers->key) && join(s->name, path, member->key))
			return take_form(s, FORM_ZIP, path, numbers->key, member->key);
	}
	return false;
}

/* Find the form of an object. `path` leads to the node, `list` to what contains it. */
static bool find_form(struct search *s, const struct mp_json_node *node, const char *path, const char *list, int depth)
{
	const struct mp_json_node *member;

	if (depth > DEPTH_MAX || !(mp_json_is(node, MP_JSON_OBJECT) || mp_json_is(node, MP_JSON_ARRAY)))
		return false;
	if (mp_json_is(node, MP_JSON_OBJECT) && try_members(s, node, depth == 0, list))
		return true;
	if (try_list(s, node, path))
		return true;
	for (member = mp_json_first(node); member; member = member->next) {
		char longer[PATH_MAX_TEXT];

		if (mp_json_is(node, MP_JSON_OBJECT)
			? !join(longer, path, member->key)
			: snprintf(longer, sizeof(longer), "%s[0]", path) >= (int)sizeof(longer))
			continue;
		if (find_form(s, member, longer, path, depth + 1))
			return true;
		/* the elements of an array are alike */
		if (mp_json_is(node, MP_JSON_ARRAY))
			break;
	}
	return false;
}

/* The node that a path of join() leads to. */
static const struct mp_json_node *node_at(const struct mp_json_node *node, const char *path)
{
	while (node && *path) {
		char key[PATH_MAX_TEXT];
		size_t len;

		path += *path == '.';
		if (*path == '[') {
			node = mp_json_item(node, 0);
			path += 3;
			continue;
		}
		if (*path == '"') {
			len = strcspn(path + 1, "\"");
			snprintf(key, sizeof(key), "%.*s", (int)len, path + 1);
			path += len + 2;
		} else {
			len = strcspn(path, ".[");
			snprintf(key, sizeof(key), "%.*s", (int)len, path);
			path += len;
		}
		node = mp_json_member(node, key);
	}
	return node;
}

static void add_pair(struct search *s, const struct mp_json_node *number, const struct mp_json_node *name)
{
	if (number && is_whole(number) && mp_json_is(name, MP_JSON_TEXT))
		add(s, whole_of(number), name->text, strlen(name->text));
}

static void add_zipped(struct search *s, const struct mp_json_node *list)
{
	const struct mp_json_node *numbers = mp_json_member(list, s->number_key);
	const struct mp_json_node *names = mp_json_member(list, s->name_key);
	const struct mp_json_node *number = numbers ? numbers->child : NULL, *name = names ? names->child : NULL;

	for (; number && name; number = number->next, name = name->next)
		add_pair(s, number, name);
}

static void add_members(struct search *s, const struct mp_json_node *object)
{
	add_pair(s, mp_json_member(object, s->number_key), mp_json_member(object, s->name_key));
}

static void add_object(struct search *s, const struct mp_json_node *root)
{
	const struct mp_json_node *list = node_at(root, s->list), *member;
	int64_t index = 0;

	if (s->form == FORM_LINE)
		add_members(s, root);
	if (s->form == FORM_ZIP)
		add_zipped(s, list);
	if (!list || s->form == FORM_LINE || s->form == FORM_ZIP)
		return;
	for (member = mp_json_first(list); member; member = member->next) {
		if (s->form == FORM_ELEMENTS)
			add_members(s, member);
		else if (s->form == FORM_NAME_KEYS && is_whole(member) && member->key)
			add(s, whole_of(member), member->key, strlen(member->key));
		else if (s->form == FORM_NUMBER_KEYS && mp_json_is(member, MP_JSON_TEXT) &&
			 (mp_json_is(list, MP_JSON_ARRAY) || is_digits(member->key)))
			add(s, mp_json_is(list, MP_JSON_ARRAY) ? index : strtoll(member->key, NULL, 10), member->text,
			    strlen(member->text));
		index++;
	}
}

/* Write what a layout says of a form. */
static void write_json(struct search *s)
{
	struct mp_call_dictionary *d = s->dictionary;
	const char *each = s->form == FORM_LINE || s->form == FORM_ZIP ? "" : *s->list ? s->list : ".";
	const char *dot = s->form == FORM_ELEMENTS ? "." : "";

	if (s->form == FORM_NAME_KEYS || s->form == FORM_NUMBER_KEYS) {
		snprintf(s->number, sizeof(s->number), s->form == FORM_NAME_KEYS ? "." : "\"#\"");
		snprintf(s->name, sizeof(s->name), s->form == FORM_NAME_KEYS ? "\"#\"" : ".");
	}
	d->is_json = true;
	snprintf(d->statements, sizeof(d->statements), "%s%s%s%s  value    number %s%s\n  value    name %s%s\n",
	    s->form == FORM_ZIP ? "  zip\n" : "", *each ? "  each     " : "", each, *each ? "\n" : "", dot, s->number,
	    dot, s->name);
}

static void read_json(struct search *s, const struct mp_file_set *set)
{
	for (size_t i = 0; i < set->line_count && s->form == FORM_NONE; i++)
		find_form(s, set->lines[i].object, "", "", 0);
	if (s->form == FORM_NONE)
		return;
	for (size_t i = 0; i < set->line_count; i++)
		add_object(s, set->lines[i].object);
	write_json(s);
}

/* A line "NUMBER separator NAME", or the other way round. */
struct split {
	const char *number, *name;
	size_t number_len, name_len;
	char separator[SEPARATOR_MAX];
	bool name_first;
};

/* Split a line at the digits at its begin or end. */
static bool split_line(struct split *p, const char *text, size_t len, bool name_first)
{
	size_t digits = 0, from, to;

	while (
	    digits < len && digits < 18 && strchr("0123456789", text[name_first ? len - 1 - digits : digits]) != NULL)
		digits++;
	if (!digits || digits == len)
		return false;
	from = name_first ? len - digits : digits;
	to = from;
	/* a separator has no letters, digits or underscores */
	while (name_first ? from > 0 : to < len) {
		char c = name_first ? text[from - 1] : text[to];

		if (c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
			break;
		from -= name_first;
		to += !name_first;
	}
	if (to == from || to - from >= SEPARATOR_MAX)
		return false;
	*p = (struct split){.name_first = name_first, .number = name_first ? text + to : text, .number_len = digits};
	memcpy(p->separator, text + from, to - from);
	p->name = name_first ? text : text + to;
	p->name_len = name_first ? from : len - to;
	return p->name_len > 0 && !strpbrk(p->separator, "\"{}");
}

static void read_text(struct search *s, const struct mp_file_set *set)
{
	struct mp_call_dictionary *d = s->dictionary;
	char separator[SEPARATOR_MAX] = "";
	bool has_return = false;

	for (int name_first = 0; name_first < 2 && !d->count; name_first++) {
		for (size_t i = 0; i < set->line_count; i++) {
			const struct mp_set_line *line = &set->lines[i];
			bool cr = line->len > 0 && line->text[line->len - 1] == '\r';
			struct split p;

			if (!split_line(&p, line->text, line->len - cr, name_first))
				continue;
			if (!d->count) {
				snprintf(separator, sizeof(separator), "%s", p.separator);
				has_return = cr;
			}
			if (strcmp(separator, p.separator) == 0)
				add(s, strtoll(p.number, NULL, 10), p.name, p.name_len);
		}
		snprintf(d->statements, sizeof(d->statements), "  line     \"%s%s%s\"\n",
		    name_first ? "{name}" : "{number:int}", separator, name_first ? "{number:int}" : "{name}");
	}
	if (has_return && d->count)
		snprintf(
		    d->refused, sizeof(d->refused), "the lines of '%.150s' end with a carriage return", d->file->name);
}

/* Read a file as a dictionary. */
static int try_file(struct search *s, const struct mp_job *job, size_t index)
{
	struct mp_call_dictionary *d = s->dictionary;
	struct mp_file_set set;
	int status = mp_file_set_read_one(&set, job, &job->files[index], FILE_MAX, s->err);

	d->file = &job->files[index];
	d->count = 0;
	d->is_json = false;
	d->refused[0] = '\0';
	s->form = FORM_NONE;
	if (!status && set.is_json)
		read_json(s, &set);
	else if (!status)
		read_text(s, &set);
	mp_file_set_free(&set);
	return status || s->failed ? -1 : 0;
}

int mp_call_dictionary_read(
    struct mp_call_dictionary *d, const struct mp_job *job, const struct mp_call_names *names, struct mp_error *err)
{
	struct mp_call_dictionary best = {.file = NULL};

	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_call_dictionary other = {.file = NULL};
		struct search s = {.dictionary = &other, .names = names, .err = err};

		if (job->files[i].state != MP_FILE_UNKNOWN || job->files[i].is_beside ||
		    job->files[i].size > FILE_MAX || strpbrk(job->files[i].name, "\"{}"))
			continue;
		if (try_file(&s, job, i)) {
			mp_call_dictionary_free(&other);
			mp_call_dictionary_free(&best);
			return -1;
		}
		if (other.count > best.count) {
			mp_call_dictionary_free(&best);
			best = other;
		} else {
			mp_call_dictionary_free(&other);
		}
	}
	*d = best;
	if (d->count)
		qsort(d->items, d->count, sizeof(*d->items), by_number);
	return 0;
}

void mp_call_dictionary_free(struct mp_call_dictionary *d)
{
	free(d->items);
	*d = (struct mp_call_dictionary){.file = NULL};
}

int mp_call_dictionary_emit(
    struct mp_found *found, const struct mp_call_dictionary *d, size_t names, struct mp_error *err)
{
	struct mp_finding f = {.type = "text", .rows = names, .fits = d->count < names ? d->count : names};

	snprintf(found->layout, sizeof(found->layout), "svp.api_name");
	snprintf(f.name, sizeof(f.name), "name of a number");
	snprintf(f.type, sizeof(f.type), "%s", d->is_json ? "json" : "text");
	snprintf(f.place, sizeof(f.place), "%.60s", d->file->name);
	if (d->refused[0])
		return mp_found_missing(found, err, "%s", d->refused);
	if (mp_found_write(found, err,
		"%s svp.api_name v2 unverified\n  family   svp\n  file     \"%s\"\n  table    api_name\n%s",
		d->is_json ? "json" : "text", d->file->name, d->statements))
		return -1;
	return mp_found_add(found, &f, err);
}
