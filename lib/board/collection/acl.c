/* acl.c: chooses the acl.json that the program reads, and makes its text. */
#include "board/collection/collect_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OVERRIDES_MAX = 16, CANDIDATES_MAX = 512 };

static bool is_candidate(const struct mp_tree_entry *entry)
{
	const char *slash = strrchr(entry->path, '/');

	return S_ISREG(entry->mode) && strcmp(slash ? slash + 1 : entry->path, "acl.json") == 0;
}

/* Set acl_rel to the only acl.json of the project; without one acl_rel stays NULL. */
static int find_only(struct mp_collect *c, const struct mp_tree *tree, struct mp_error *err)
{
	char list[CANDIDATES_MAX] = "";
	size_t found = 0, len = 0;

	for (size_t i = 0; i < tree->count; i++) {
		const char *path = tree->entries[i].path;

		if (!is_candidate(&tree->entries[i]))
			continue;
		if (len + strlen(path) + 5 < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s'%s'", found ? ", " : "", path);
		if (!found++ && !(c->acl_rel = strdup(path)))
			return mp_fail_memory(err, "a path");
	}
	if (found > 1)
		return mp_fail(err, "the project has %zu acl.json: %s; choose one with --acl-json", found, list);
	return 0;
}

static int put_beside_main(struct mp_collect *c, struct mp_error *err)
{
	size_t size = strlen(c->main_rel) + sizeof("/acl.json");

	c->acl_is_new = true;
	c->acl_rel = malloc(size);
	if (!c->acl_rel)
		return mp_fail_memory(err, "a path");
	snprintf(c->acl_rel, size, "%s%sacl.json", c->main_rel, *c->main_rel ? "/" : "");
	return 0;
}

/* A file of the project keeps its place; the text of any other file goes to the place where the program looks. */
static int take_named(struct mp_collect *c, const char *path, const struct mp_tree *tree, struct mp_error *err)
{
	char *real = realpath(path, NULL);
	size_t len = strlen(c->project);

	if (!real)
		return mp_fail_errno(err, "cannot find '%s'", path);
	if (strncmp(real, c->project, len) == 0 && real[len] == '/')
		c->acl_rel = strdup(real + len + 1);
	free(real);
	if (c->acl_rel)
		return 0;
	if (find_only(c, tree, err))
		return -1;
	return c->acl_rel ? 0 : put_beside_main(c, err);
}

static int read_chosen(struct mp_collect *c, const char *named, struct mp_error *err)
{
	char *path;
	int status;

	if (named)
		return mp_acl_json_read(&c->acl, named, MP_ACL_SVP, err);
	if (c->acl_is_new)
		return mp_acl_json_parse(&c->acl, MP_ACL_SVP, "acl.json", "{}", 2, err);
	path = malloc(strlen(c->project) + strlen(c->acl_rel) + 2);
	if (!path)
		return mp_fail_memory(err, "a path");
	sprintf(path, "%s/%s", c->project, c->acl_rel);
	status = mp_acl_json_read(&c->acl, path, MP_ACL_SVP, err);
	free(path);
	return status;
}

static void tell_findings(struct mp_collect *c)
{
	char text[640];

	for (size_t i = 0; !c->acl_is_new && i < c->acl->finding_count; i++) {
		mp_acl_finding_text(&c->acl->findings[i], text, sizeof(text));
		mp_collect_say(c, c->acl->findings[i].severity == MP_ACL_ERROR ? MP_COLLECT_ERROR : MP_COLLECT_WARNING,
		    "'%s': %s", c->acl_rel, text);
	}
}

int mp_collect_acl_choose(struct mp_collect *c, const struct mp_tree *tree, struct mp_error *err)
{
	const char *named = c->options->acl_json;

	if (named ? take_named(c, named, tree, err) : find_only(c, tree, err))
		return -1;
	if (!c->acl_rel && put_beside_main(c, err))
		return -1;
	if (read_chosen(c, named, err))
		return -1;
	tell_findings(c);
	/* check the overrides before anything is sent; the default of the output is not known yet */
	if (mp_acl_json_merge(c->acl, NULL, c->options->overrides, err))
		return -1;
	if (!c->acl->settings.on)
		mp_collect_say(c, MP_COLLECT_WARNING, "the switch is off: no data will be collected");
	else if (!c->acl->settings.interval)
		mp_collect_say(c, MP_COLLECT_INFO,
		    "interval 0: of each model only the first inference is sampled; --interval 1 samples more");
	return 0;
}

/* An absolute path stays valid when the program changes its directory, but acl.json does not allow every path. */
static const char *default_output(const struct mp_collect *c, char *path, size_t size)
{
	struct mp_error unused;
	int len = snprintf(path, size, "%s/profiling", c->run_dir);

	return len < MP_ACL_OUTPUT_MAX && !mp_acl_path_check(path, &unused) ? path : "./profiling";
}

int mp_collect_acl_text(struct mp_collect *c, char **text, struct mp_error *err)
{
	struct mp_acl_pair pairs[OVERRIDES_MAX + 2];
	char path[MP_REMOTE_PATH + 16];
	size_t n = 0;

	for (const struct mp_acl_pair *p = c->options->overrides; p && p->key && n < OVERRIDES_MAX; p++)
		pairs[n++] = *p;
	if (c->mount.point[0])
		pairs[n++] = (struct mp_acl_pair){"output", c->mount.point};
	pairs[n] = (struct mp_acl_pair){NULL, NULL};
	if (mp_acl_json_merge(c->acl, default_output(c, path, sizeof(path)), pairs, err))
		return -1;
	return mp_acl_json_text(c->acl, text, err);
}
