/* acl_json.c: reads acl.json, keeps its settings and gives them to callers; makes one. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/door.h"
#include "base/out.h"
#include "base/text.h"
#include "config/acl_json_internal.h"

int mp_acl_set(struct mp_acl *a, int key, const char *value, enum mp_acl_origin origin, struct mp_error *err)
{
	char *copy = NULL;

	if (value && a->table.keys[key].kind == MP_ACL_NUMBER)
		while (value[0] == '0' && value[1])
			value++;
	if (value) {
		copy = strdup(value);
		if (!copy)
			return mp_fail_memory(err, "acl.json");
	}
	free(a->values[key]);
	a->values[key] = copy;
	a->origins[key] = origin;
	return 0;
}

static bool is_on(const char *value)
{
	return value && strcmp(value, "on") == 0;
}

static const char *unless_empty(const char *value)
{
	return value && *value ? value : NULL;
}

void mp_acl_settle(struct mp_acl *a)
{
	const struct mp_acl_json *f = &a->face;
	const char *interval = mp_acl_json_value(f, "interval");
	int calls = mp_acl_find_key(a->table, f->profile == MP_ACL_SVP ? "acl_api" : "ascendcl");

	a->face.settings = (struct mp_acl_settings){
	    .on = is_on(mp_acl_json_value(f, "switch")),
	    .output = unless_empty(mp_acl_json_value(f, "output")),
	    .interval = interval ? strtoll(interval, NULL, 10) : 0,
	    .calls = a->origins[calls] == MP_ACL_DEFAULT || is_on(a->values[calls]),
	};
}

/* Characters of Chinese input methods and word processors, and what JSON has in their place. */
static const char *const likenesses[][2] = {{"\u201c", "\""}, {"\u201d", "\""}, {"\u2018", "\""}, {"\u2019", "\""},
    {"\uff02", "\""}, {"\uff0c", ","}, {"\u3001", ","}, {"\uff1a", ":"}, {"\uff5b", "{"}, {"\uff5d", "}"},
    {"\uff3b", "["}, {"\uff3d", "]"}, {"\u3010", "["}, {"\u3011", "]"}, {"\u3000", " "}, {"\u00a0", " "}};

/* What JSON has in place of the character at `place`, or NULL. */
static const char *likeness(const char *place, size_t len)
{
	for (size_t i = 0; i < sizeof(likenesses) / sizeof(likenesses[0]); i++)
		if (strlen(likenesses[i][0]) == len && memcmp(likenesses[i][0], place, len) == 0)
			return likenesses[i][1];
	return NULL;
}

/* The usual mistakes: a comment, a comma too many, a character of Chinese writing. The text is UTF-8. */
static int fail_at(struct mp_error *err, const char *label, const char *text, const char *place)
{
	int32_t cp;
	size_t len = mp_utf8_next(place, strlen(place), &cp);
	const char *right = likeness(place, len);
	int line = 1, column = 1;

	for (; text < place; text++) {
		column = *text == '\n' ? 1 : column + ((*text & 0xc0) != 0x80); /* characters, not bytes */
		line += *text == '\n';
	}
	if (mp_is_control(cp))
		return mp_fail(err, "'%s' is not a JSON object: error in line %d, column %d", label, line, column);
	if (right)
		return mp_fail(err, "'%s' is not a JSON object: error in line %d, column %d, at '%.*s': write '%s'",
		    label, line, column, (int)len, place, right);
	return mp_fail(err, "'%s' is not a JSON object: error in line %d, column %d, at '%.*s'%s", label, line, column,
	    (int)len, place, cp == '/' || cp == '#' ? ": JSON has no comments" : "");
}

static int parse_text(struct mp_acl *a, const char *label, size_t len, struct mp_error *err)
{
	const char *fault;

	if (len > MP_ACL_SIZE_MAX)
		return mp_fail(err, "'%s' is larger than 1 MiB: not an acl.json", label);
	if (!len)
		return mp_fail(err, "'%s' is empty: not a JSON object", label);
	if (strlen(a->text) != len)
		return mp_fail(err, "'%s' is not a JSON object: it has a NUL byte", label);
	if (!mp_utf8_valid(a->text, len))
		return mp_fail(err, "'%s' is not a JSON object: it is not UTF-8", label);
	if (strncmp(a->text, "\xef\xbb\xbf", 3) == 0)
		return mp_fail(err, "'%s' begins with a byte order mark, which JSON does not allow", label);
	a->root = mp_json_parse(a->text, len, &fault);
	if (!a->root && !fault)
		return mp_fail_memory(err, "acl.json");
	if (!a->root && fault < a->text + len)
		return fail_at(err, label, a->text, fault);
	if (!cJSON_IsObject(a->root))
		return mp_fail(err, "'%s' is not a JSON object", label);
	if (mp_json_has_nul(a->text))
		return mp_fail(err, "'%s': a string holds the character NUL (\\u0000)", label);
	return 0;
}

int mp_acl_json_parse(struct mp_acl_json **file, enum mp_acl_profile profile, const char *label, const char *text,
    size_t len, struct mp_error *err)
{
	struct mp_acl *a = calloc(1, sizeof(*a));
	int status = 0, interval;

	if (a)
		a->text = calloc(1, len + 1);
	if (!a || !a->text) {
		free(a);
		return mp_fail_memory(err, "acl.json");
	}
	if (len)
		memcpy(a->text, text, len);
	a->face.profile = profile;
	a->table = mp_acl_profiler_table(profile);
	for (int i = 0; !status && i < a->table.count; i++)
		status = mp_acl_set(a, i, a->table.keys[i].absent, MP_ACL_DEFAULT, err);
	if (status || parse_text(a, label, len, err) || mp_acl_check_file(a, err)) {
		mp_acl_json_free(&a->face);
		return -1;
	}
	mp_acl_settle(a);
	interval = mp_acl_find_key(a->table, "interval");
	if (interval >= 0 && a->origins[interval] == MP_ACL_BAD_VALUE)
		a->face.settings.on = false; /* until a merge mends it */
	*file = &a->face;
	return 0;
}

int mp_acl_json_read(struct mp_acl_json **file, const char *path, enum mp_acl_profile profile, struct mp_error *err)
{
	size_t size = MP_ACL_SIZE_MAX + 1;
	ssize_t len;
	char *text = malloc(size);
	int status, fd;

	if (!text)
		return mp_fail_memory(err, "acl.json");
	fd = mp_named_file(path, NULL);
	if (fd < 0)
		status = mp_file_refuse(path, err);
	else if ((len = mp_file_read(fd, text, size, 0)) < 0)
		status = mp_fail_errno(err, "cannot read '%s'", path);
	else
		status = mp_acl_json_parse(file, profile, path, text, (size_t)len, err);
	if (fd >= 0)
		close(fd); /* read only: nothing is lost */
	free(text);
	return status;
}

void mp_acl_json_free(struct mp_acl_json *file)
{
	struct mp_acl *a = (struct mp_acl *)file;

	if (!a)
		return;
	for (int i = 0; i < MP_ACL_KEYS_MAX; i++)
		free(a->values[i]);
	cJSON_Delete(a->root);
	free(a->text);
	free(a);
}

bool mp_acl_json_item(const struct mp_acl_json *file, size_t at, struct mp_acl_item *item)
{
	const struct mp_acl *a = (const struct mp_acl *)file;

	if (at >= (size_t)a->table.count)
		return false;
	*item = (struct mp_acl_item){a->table.keys[at].name, a->values[at], a->origins[at]};
	if (mp_acl_is_stopped(a, (int)at)) {
		item->value = "off";
		item->origin = MP_ACL_BAD_VALUE;
	}
	return true;
}

bool mp_acl_is_stopped(const struct mp_acl *a, int key)
{
	return strcmp(a->table.keys[key].name, "switch") == 0 && is_on(a->values[key]) && !a->face.settings.on;
}

const char *mp_acl_json_value(const struct mp_acl_json *file, const char *key)
{
	const struct mp_acl *a = (const struct mp_acl *)file;
	int at = mp_acl_find_key(a->table, key);

	return at < 0 ? NULL : a->values[at];
}

/* Makes a new acl.json of Ascend, for profiling or for a dump. */

static void put_member(FILE *f, const char *key, const char *text)
{
	fprintf(f, "\t\t\"%s\": ", key);
	mp_json_quote(f, text);
}

static void put_dump(FILE *f, const struct mp_acl_request *request, const char *results)
{
	fputs("\t\t\"dump_list\": [", f);
	for (const char *const *name = request->models; name && *name; name++) {
		fputs(name == request->models ? "{\"model_name\": " : ", {\"model_name\": ", f);
		mp_json_quote(f, *name);
		putc('}', f);
	}
	fputs("],\n\t\t\"dump_mode\": \"output\",\n", f);
	put_member(f, "dump_path", results);
}

/* Turn on AI CPU operators beside the defaults; no metrics. */
static void put_profiler(FILE *f, const char *results)
{
	fputs("\t\t\"switch\": \"on\",\n", f);
	put_member(f, "output", results);
	fputs(",\n\t\t\"aicpu\": \"on\",\n\t\t\"aic_metrics\": \"\"", f);
}

static int make_text(char **text, const struct mp_acl_request *request, const char *results, struct mp_error *err)
{
	bool dumps = request->purpose == MP_ACL_DUMP;
	size_t size;
	FILE *f;

	*text = NULL;
	f = open_memstream(text, &size);
	if (!f)
		return mp_fail_memory(err, "acl.json");
	fprintf(f, "{\n\t\"%s\": {\n", dumps ? "dump" : "profiler");
	if (dumps)
		put_dump(f, request, results);
	else
		put_profiler(f, results);
	fputs("\n\t}\n}", f);
	if (!fclose(f) && *text) /* without memory at its end, glibc gives no text */
		return 0;
	free(*text);
	*text = NULL;
	return mp_fail_memory(err, "acl.json");
}

/* Lock dirfd, because a directory holds one part file at a time. */
static int write_file(int dirfd, const char *label, const char *text, struct mp_error *err)
{
	struct mp_out *out;

	if (flock(dirfd, LOCK_EX | LOCK_NB))
		return mp_fail_errno(err, "'%s' is being written by another process", label);
	if (mp_out_create(&out, dirfd, "acl.json", label, err))
		return -1;
	mp_out_sync(out);
	mp_out_text(out, text);
	mp_out_char(out, '\n');
	return mp_out_commit(out, err);
}

static int make_in(
    struct mp_acl_json **file, const struct mp_acl_request *request, const char *dir, struct mp_error *err)
{
	char label[PATH_MAX], *results = NULL, *text = NULL;
	int dirfd = mp_named_dir(dir, err), status;

	if (dirfd < 0)
		return -1;
	snprintf(label, sizeof(label), "%s/%s", dir, request->results ? request->results : ".");
	status = mp_dir_make_path(&results, label, err);
	snprintf(label, sizeof(label), "%s/acl.json", dir);
	if (!status)
		status = make_text(&text, request, results, err);
	if (!status)
		status = mp_acl_json_parse(file, MP_ACL_ASCEND, label, text, strlen(text), err);
	if (!status && (mp_acl_refuse_errors(*file, err) || write_file(dirfd, label, text, err))) {
		mp_acl_json_free(*file);
		status = -1;
	}
	free(text);
	free(results);
	close(dirfd);
	return status;
}

int mp_acl_json_make(struct mp_acl_json **file, const struct mp_acl_request *request, struct mp_error *err)
{
	char *dir;
	int status;

	if (mp_dir_make_path(&dir, request->dir, err))
		return -1;
	status = make_in(file, request, dir, err);
	free(dir);
	return status;
}
