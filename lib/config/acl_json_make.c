/* acl_json_make.c: makes a new acl.json of Ascend, for profiling or for a dump. */
#include "config/acl_json_internal.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"

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
