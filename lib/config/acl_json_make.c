/* acl_json_make.c: makes a new acl.json of Ascend, for profiling or for a dump. */
#include "config/acl_json_internal.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"

static bool add_text(cJSON *object, const char *key, const char *text)
{
	return cJSON_AddStringToObject(object, key, text) != NULL;
}

/* Add an object to a list. Returns the object, which the list owns, or NULL. */
static cJSON *add_entry(cJSON *list)
{
	cJSON *entry = cJSON_CreateObject();

	if (cJSON_AddItemToArray(list, entry))
		return entry;
	cJSON_Delete(entry);
	return NULL;
}

static bool fill_dump(cJSON *dump, const struct mp_acl_request *request, const char *results)
{
	cJSON *list = cJSON_AddArrayToObject(dump, "dump_list");
	bool good = list != NULL;

	for (const char *const *name = request->models; good && name && *name; name++)
		good = add_text(add_entry(list), "model_name", *name);
	return good && add_text(dump, "dump_mode", "output") && add_text(dump, "dump_path", results);
}

/* Turn on AI CPU operators beside the defaults; no metrics. */
static bool fill_profiler(cJSON *profiler, const char *results)
{
	return add_text(profiler, "switch", "on") && add_text(profiler, "output", results) &&
	       add_text(profiler, "aicpu", "on") && add_text(profiler, "aic_metrics", "");
}

static int make_text(char **text, const struct mp_acl_request *request, const char *results, struct mp_error *err)
{
	cJSON *root = cJSON_CreateObject();
	cJSON *part = cJSON_AddObjectToObject(root, request->purpose == MP_ACL_DUMP ? "dump" : "profiler");
	bool good = part && (request->purpose == MP_ACL_DUMP ? fill_dump(part, request, results)
							     : fill_profiler(part, results));

	*text = good ? cJSON_Print(root) : NULL;
	cJSON_Delete(root);
	return *text ? 0 : mp_fail_memory(err, "acl.json");
}

/* Lock dirfd, because a directory holds one part file at a time. */
static int write_file(int dirfd, const char *label, const char *text, struct mp_error *err)
{
	struct mp_out *out;

	if (flock(dirfd, LOCK_EX | LOCK_NB))
		return mp_fail_errno(err, "'%s' is being written by another process", label);
	if (mp_out_create(&out, dirfd, "acl.json", label, err))
		return -1;
	mp_out_text(out, text);
	mp_out_char(out, '\n');
	return mp_out_commit(out, err);
}

static int make_in(
    struct mp_acl_json **file, const struct mp_acl_request *request, const char *dir, struct mp_error *err)
{
	char label[PATH_MAX], *results = NULL, *text = NULL;
	int dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;

	if (dirfd < 0)
		return mp_fail_errno(err, "cannot open '%s'", dir);
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
