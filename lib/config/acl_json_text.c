/*
 * acl_json_text.c: an acl.json with other settings, as text. Our members are written anew. Other members are copied
 * from the file, so that their numbers are not rounded and nothing is lost; only control characters are escaped. The
 * file is valid JSON here.
 */
#include "config/acl_json_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* A member of an object, in the text of the file. */
struct member {
	const char *name, *value; /* the name with its quotes */
	size_t name_len, value_len;
};

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/* Returns the end of the string that begins at s. */
static const char *string_end(const char *s)
{
	for (s++; *s && *s != '"'; s++)
		if (*s == '\\' && s[1])
			s++;
	return *s ? s + 1 : s;
}

static const char *value_end(const char *s)
{
	int depth = 0;

	if (*s != '"' && *s != '{' && *s != '[')
		return s + strcspn(s, ",]} \t\r\n");
	do {
		if (*s == '"') {
			s = string_end(s);
			continue;
		}
		depth += (*s == '{' || *s == '[') - (*s == '}' || *s == ']');
		s++;
	} while (depth && *s);
	return s;
}

/* Get the next member of an object. *at is behind the object's brace, or behind the previous member. */
static bool next_member(const char **at, struct member *m)
{
	const char *s = skip_blanks(*at);

	if (*s == ',')
		s = skip_blanks(s + 1);
	if (*s != '"')
		return false;
	m->name = s;
	s = string_end(s);
	m->name_len = (size_t)(s - m->name);
	s = skip_blanks(s);
	s = skip_blanks(s + (*s == ':'));
	m->value = s;
	s = value_end(s);
	m->value_len = (size_t)(s - m->value);
	*at = s;
	return true;
}

/*
 * Write JSON with control characters escaped. Control characters occur only in strings, where an escape has the same
 * meaning; all of them are below U+10000.
 */
static void put_json(FILE *f, const char *s, size_t len)
{
	while (len) {
		int32_t cp;
		size_t n = mp_utf8_next(s, len, &cp);

		if (mp_is_control(cp) && *s != '\n' && *s != '\t' && *s != '\r')
			fprintf(f, "\\u%04x", (unsigned)cp & 0xffff);
		else
			fwrite(s, 1, n, f);
		s += n;
		len -= n;
	}
}

/* Begin the line of another member. */
static void put_gap(FILE *f, int *count, int depth)
{
	fprintf(f, "%s\n%*s", (*count)++ ? "," : "", 4 * depth, "");
}

static void put_member(FILE *f, const struct member *m)
{
	put_json(f, m->name, m->name_len);
	fputs(": ", f);
	put_json(f, m->value, m->value_len);
}

/* One spelling of a setting; nothing where the key has no such spelling, or is not set. */
static void put_setting(FILE *f, const struct mp_acl *a, int at, const char *spelling, int *count)
{
	if (!spelling || !a->values[at])
		return;
	put_gap(f, count, 2);
	fprintf(f, "\"%s\": ", spelling);
	if (mp_acl_is_stopped(a, at))
		mp_json_quote(f, "off");
	else if (a->face.profile == MP_ACL_ASCEND && a->table.keys[at].kind == MP_ACL_NUMBER)
		fputs(a->values[at], f);
	else
		mp_json_quote(f, a->values[at]);
}

/* `old` is the file's "profiler", or NULL; `text` is the same object as text. */
static void put_profiler(FILE *f, const struct mp_acl *a, const cJSON *old, const char *text)
{
	const cJSON *item = old && cJSON_IsObject(old) ? old->child : NULL;
	struct member m;
	int count = 0;

	fputs("\"profiler\": {", f);
	for (int i = 0; i < a->table.count; i++) {
		put_setting(f, a, i, a->table.keys[i].name, &count);
		put_setting(f, a, i, a->table.keys[i].guide, &count);
	}
	for (text = item ? text + 1 : ""; item && next_member(&text, &m); item = item->next) {
		if (mp_acl_find_key(a->table, item->string) >= 0)
			continue;
		put_gap(f, &count, 2);
		put_member(f, &m);
	}
	fputs("\n    }", f);
}

static void put_file(FILE *f, const struct mp_acl *a)
{
	const cJSON *item = a->root->child;
	const char *at = skip_blanks(a->text) + 1;
	struct member m;
	int count = 0;

	putc('{', f);
	if (!a->face.has_profiler && !a->face.has_dump) { /* profiling and dump exclude each other */
		put_gap(f, &count, 1);
		put_profiler(f, a, NULL, "");
	}
	for (; item && next_member(&at, &m); item = item->next) {
		put_gap(f, &count, 1);
		if (strcmp(item->string, "profiler") == 0)
			put_profiler(f, a, item, m.value);
		else
			put_member(f, &m);
	}
	fputs("\n}\n", f);
}

int mp_acl_json_text(const struct mp_acl_json *file, char **text, struct mp_error *err)
{
	size_t size;
	FILE *f;

	*text = NULL;
	f = open_memstream(text, &size);
	if (!f)
		return mp_fail_memory(err, "acl.json");
	put_file(f, (const struct mp_acl *)file);
	if (!fclose(f) && *text) /* without memory at its end, glibc gives no text */
		return 0;
	free(*text);
	*text = NULL;
	return mp_fail_memory(err, "acl.json");
}

static int refuse(const struct mp_acl *a, struct mp_error *err)
{
	if (a->face.has_dump)
		return mp_fail(err, "acl.json has a 'dump': 'profiler' and 'dump' cannot be combined");
	return mp_acl_refuse_errors(&a->face, err);
}

/* The index of a key in the table when the key accepts the value; -1 with the reason in err. */
static int check_pair(const struct mp_acl *a, const struct mp_acl_pair *pair, struct mp_error *err)
{
	int at = mp_acl_find_key(a->table, pair->key);
	struct mp_error reason;

	if (at < 0)
		return mp_fail(err, "%s: unknown key", pair->key);
	if (mp_acl_check_value(&a->table.keys[at], pair->value, &reason))
		return mp_fail(err, "%s '%.200s': %.400s", pair->key, pair->value, reason.text);
	return at;
}

int mp_acl_json_merge(
    struct mp_acl_json *file, const char *output, const struct mp_acl_pair *overrides, struct mp_error *err)
{
	struct mp_acl *a = (struct mp_acl *)file;
	struct mp_acl_pair place = {"output", output};
	int status = refuse(a, err);

	if (!status && output && check_pair(a, &place, err) < 0)
		status = -1;
	for (const struct mp_acl_pair *p = overrides; !status && p && p->key; p++)
		if (check_pair(a, p, err) < 0)
			status = -1;
	/* from here on only memory can fail */
	for (int i = 0; !status && i < a->table.count; i++) {
		const struct mp_acl_key *key = &a->table.keys[i];

		if (output && !a->values[i] && strcmp(key->name, "output") == 0)
			status = mp_acl_set(a, i, output, MP_ACL_DEFAULT, err);
		else if (key->collect && a->origins[i] == MP_ACL_DEFAULT)
			status = mp_acl_set(a, i, key->collect, MP_ACL_DEFAULT, err);
	}
	for (const struct mp_acl_pair *p = overrides; !status && p && p->key; p++)
		status = mp_acl_set(a, mp_acl_find_key(a->table, p->key), p->value, MP_ACL_CALLER, err);
	mp_acl_settle(a);
	return status;
}
