/* place.c: chooses the directory of a project on the board, and checks that no other project uses it. */
#include "board/collection/collect_internal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "board/collection/collection_sh.h"

enum { EXIT_TAKEN = 79, EXIT_MISSING = 100, ID_SIZE = 17 };

/*
 * Make the name of a directory on the board, where few characters are allowed, from the name of the project. A name
 * that had to be changed gets its sum appended, so that "a-b" and "a.b" do not share a directory.
 */
static int name_place(struct mp_collect *c, struct mp_error *err)
{
	const char *name = strrchr(c->project, '/') + 1;
	uint32_t sum = MP_FNV_32;
	bool changed = false;
	size_t len;

	len = (size_t)snprintf(
	    c->remote_dir, sizeof(c->remote_dir) / 2, "%s/", c->options->places ? c->options->places : "~/msprof");
	if (len >= sizeof(c->remote_dir) / 2)
		return mp_fail(err, "the path '%.300s...' is too long", c->remote_dir);
	for (size_t most = len + 200; *name && len < most; name++) {
		bool plain = (*name >= '0' && *name <= '9') || (*name >= 'a' && *name <= 'z') ||
			     (*name >= 'A' && *name <= 'Z') || *name == '_';

		sum = mp_fnv_32(sum, name, 1);
		changed |= !plain;
		c->remote_dir[len++] = plain ? *name : '_';
	}
	c->remote_dir[len] = '\0';
	if (changed)
		snprintf(c->remote_dir + len, sizeof(c->remote_dir) - len, "_%08x", (unsigned)sum);
	return 0;
}

int mp_collect_place_choose(struct mp_collect *c, struct mp_error *err)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-/";
	const char *given = c->options->remote_dir, *rest;

	if (!given)
		return name_place(c, err);
	rest = strncmp(given, "~/", 2) == 0 ? given + 2 : given;
	if (rest[strspn(rest, plain)])
		return mp_fail(err,
		    "invalid remote_dir '%.300s' (letters, digits, '_', '.', '-' and '/', with '~/' in front or not)",
		    given);
	if (strlen(given) >= sizeof(c->remote_dir))
		return mp_fail(err, "remote_dir is too long");
	strcpy(c->remote_dir, given);
	return 0;
}

int mp_collect_remote_path(
    const struct mp_collect *c, const char *name, char path[MP_REMOTE_PATH], struct mp_error *err)
{
	int len = snprintf(path, MP_REMOTE_PATH, "%s%s%s", c->real, *name ? "/" : "", name);

	return len < MP_REMOTE_PATH ? 0 : mp_fail(err, "the path of '%s' on the board is too long", name);
}

/* The id of the project: a sum of this machine's name and the project's path. */
static void make_id(const struct mp_collect *c, char id[ID_SIZE])
{
	char host[256] = "";
	uint64_t sum;

	if (gethostname(host, sizeof(host) - 1))
		host[0] = '\0';
	sum = mp_fnv(MP_FNV, host, strlen(host) + 1);
	sum = mp_fnv(sum, c->project, strlen(c->project) + 1);
	snprintf(id, ID_SIZE, "%016llx", (unsigned long long)sum);
}

/* Run claim.sh. Its end without its answer gives the status -1: it says nothing of the place. */
static int claim(struct mp_collect *c, const char *how, int *status, struct mp_error *err)
{
	struct mp_script script;
	char id[ID_SIZE], answer[64], what[512];

	make_id(c, id);
	snprintf(what, sizeof(what), "inspect '%.400s'", c->real);
	mp_script_start(&script);
	mp_script_argument(&script, c->real);
	mp_script_argument(&script, id);
	mp_script_argument(&script, how);
	mp_script_body(&script, mp_sh_claim);
	if (mp_script_check(&script, err) ||
	    mp_board_run(c->board, script.text, what, answer, sizeof(answer), status, err))
		return -1;
	if (*status == 0 && strcmp(answer, "ours\n") != 0)
		*status = -1;
	return 0;
}

static int fail_claim(const struct mp_collect *c, int status, struct mp_error *err)
{
	if (status == -1)
		return mp_fail_board(err, "cannot inspect '%s': unexpected answer", mp_board_name(c->board), c->real);
	return mp_fail_board(err, "cannot inspect '%s' (exit status %d)", mp_board_name(c->board), c->real, status);
}

int mp_collect_place_claim(struct mp_collect *c, struct mp_error *err)
{
	char why[MP_REMOTE_PATH + 128];
	int status;

	if (claim(c, c->options->dry_run ? "look" : "claim", &status, err))
		return -1;
	if (status == 0 || (c->options->dry_run && status == EXIT_MISSING))
		return 0;
	if (status != EXIT_TAKEN)
		return fail_claim(c, status, err);
	snprintf(why, sizeof(why), "'%s' on the board holds another project, or this one before it was moved", c->real);
	if (c->options->dry_run) {
		mp_collect_say(c, MP_COLLECT_WARNING, "%s", why);
		return 0;
	}
	if (mp_collect_agree(c, why,
		"give this project a remote_dir of its own in the ini, or take the place over with "
		"--project",
		err))
		return -1;
	mp_collect_say(c, MP_COLLECT_WARNING, "%s: files of this project replace those of the same names", why);
	if (claim(c, "replace", &status, err))
		return -1;
	return status ? fail_claim(c, status, err) : 0;
}
