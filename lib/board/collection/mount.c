/*
 * mount.c: chooses the directory of a project on the board, and checks that no other project uses it; mounts a
 * directory of this machine at ~/profiling on the board. Without the mount the data is fetched from the board.
 */
#include "board/collection/collect_internal.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/index.h"
#include "board/connection/pipe.h"
#include "config/acl_json.h"

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
	mp_script_make(&script, mp_sh_claim, (const char *const[]){c->real, id, how, NULL});
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

enum { BOOT_ID_SIZE = 64 };

#define BOOT_ID "/proc/sys/kernel/random/boot_id"

/* mount expects IPv6 addresses in brackets. */
int mp_mount_server(const char *own_address, bool board_is_here, char *server, size_t size, struct mp_error *err)
{
	bool loopback = strncmp(own_address, "127.", 4) == 0 || strcmp(own_address, "::1") == 0;
	struct in6_addr unused;

	if (strchr(own_address, '%'))
		return mp_fail(err,
		    "the board sees this machine as '%s', an address that mount does not accept: use another "
		    "address in the ini",
		    own_address);
	if ((loopback || !*own_address) && !board_is_here)
		return mp_fail(err,
		    "the board sees this machine as '%s', which is the board itself: connect without a "
		    "tunnel; if /etc/hosts has a line with 127.0.1.1, remove the line",
		    own_address);
	if (!*own_address)
		own_address = "127.0.0.1";
	snprintf(server, size, inet_pton(AF_INET6, own_address, &unused) == 1 ? "[%s]" : "%s", own_address);
	return 0;
}

/* A loopback address may belong to a tunnel, so compare boot ids: each start of a kernel has its own. */
static int is_here(struct mp_board *board, bool *here, struct mp_error *err)
{
	char own[BOOT_ID_SIZE] = "", its[BOOT_ID_SIZE];
	FILE *in = fopen(BOOT_ID, "re");
	int status;

	*here = mp_board_is_local(board);
	if (!in)
		return 0;
	if (!fgets(own, sizeof(own), in))
		own[0] = '\0';
	fclose(in);
	if (mp_board_run(
		board, "read -r id <" BOOT_ID " && echo $id", "read '" BOOT_ID "'", its, sizeof(its), &status, err))
		return -1;
	*here |= own[0] && strcmp(own, its) == 0;
	return 0;
}

int mp_mount_source(struct mp_board *board, const char *server_path, char *source, size_t size, struct mp_error *err)
{
	char own[64], server[80];
	bool here = false;
	int len;

	if (mp_board_own_address(board, own, sizeof(own), err) || is_here(board, &here, err) ||
	    mp_mount_server(own, here, server, sizeof(server), err))
		return -1;
	len = snprintf(source, size, "%s:%s", server, server_path);
	return len < (int)size ? 0 : mp_fail(err, "the path to be mounted is too long");
}

/* Whether something is mounted there already. */
static int is_mounted(const struct mp_mount *mount, struct mp_board *board, bool *mounted, struct mp_error *err)
{
	struct mp_script script;
	char answer[64], what[512];
	int status;

	snprintf(what, sizeof(what), "find out whether '%.400s' is mounted", mount->point);
	mp_script_make(&script, mp_sh_is_mounted, (const char *const[]){mount->point, NULL});
	if (mp_script_check(&script, err) ||
	    mp_board_run(board, script.text, what, answer, sizeof(answer), &status, err))
		return -1;
	*mounted = status == 0 && strcmp(answer, "mounted\n") == 0;
	if (*mounted || (status == 0 && strcmp(answer, "free\n") == 0))
		return 0;
	return mp_fail_board(
	    err, "cannot say what is mounted at '%s' (exit status %d)", mp_board_name(board), mount->point, status);
}

static int run(struct mp_board *board, const struct mp_script *script, const char *what, const struct mp_watch *watch,
    struct mp_error *err)
{
	struct mp_progress progress = {.watch = watch};
	struct mp_pipe pipe;
	int status;

	if (mp_script_check(script, err) || mp_pipe_open(&pipe, board, script->text, what, &progress, err))
		return -1;
	status = mp_pipe_succeed(&pipe, err);
	mp_pipe_close(&pipe);
	return status;
}

static int run_mount(struct mp_collect *c, const char *source, struct mp_error *err)
{
	struct mp_script script;
	char what[200];

	snprintf(what, sizeof(what), "mount '%.150s'", source);
	mp_script_make(&script, mp_sh_mount_nfs,
	    (const char *const[]){c->mount.point, c->mount.marker, c->guard_mark, source, NULL});
	return run(c->board, &script, what, &c->watch, err);
}

/* After an error: undo a mount that was left behind, or is still under way. */
static void undo(const struct mp_mount *mount, struct mp_board *board)
{
	struct mp_script script;
	struct mp_error ignored;
	char answer[64];
	int status;

	mp_script_make(&script, mp_sh_unmount, (const char *const[]){mount->point, mount->marker, NULL});
	if (!mp_board_is_broken(board) && !mp_script_check(&script, &ignored))
		(void)mp_board_run(board, script.text, "unmount", answer, sizeof(answer), &status, &ignored);
}

/*
 * Mount mount_path at ~/profiling. Whoever removes the marker, which is there before the mount and as long as it, and
 * unmounts also ends a mount that is still under way. After an error nothing is mounted.
 */
static int start(struct mp_collect *c, struct mp_error *err)
{
	struct mp_mount *mount = &c->mount;
	char source[MP_REMOTE_PATH + 80];
	struct mp_error why;
	bool mounted = false;
	int status = -1;

	mount->ours = false;
	if (mp_mount_source(c->board, c->mount_path, source, sizeof(source), err) ||
	    mp_remote_dir_make(c->board, "~/profiling", mount->point, err)) {
		/* nothing to undo */
	} else if (mp_acl_path_check(mount->point, &why)) {
		mp_error_set_kind(
		    err, why.kind, "'%.300s' cannot be the output of acl.json: %.400s", mount->point, why.text);
	} else if (!is_mounted(mount, c->board, &mounted, err)) {
		status = mounted ? 0 : run_mount(c, source, err);
		mount->ours = !mounted && !status;
		if (status)
			undo(mount, c->board);
	}
	if (status)
		mount->point[0] = '\0';
	return status;
}

enum { SPACE_LOW = 1 << 30 };

static void tell_space(struct mp_collect *c)
{
	struct mp_error err;
	int64_t bytes;

	if (mp_remote_space(c->board, c->mount.point, &bytes, &err))
		mp_collect_say(c, MP_COLLECT_WARNING, "%s", err.text);
	else if (bytes >= 0 && bytes < SPACE_LOW)
		mp_collect_say(
		    c, MP_COLLECT_WARNING, "only %lld MiB are free on '%s'", (long long)(bytes >> 20), c->mount_path);
	else if (bytes >= 0)
		mp_collect_say(
		    c, MP_COLLECT_INFO, "%lld MiB are free on '%s'", (long long)(bytes >> 20), c->mount_path);
}

int mp_collect_mount(struct mp_collect *c, struct mp_error *err)
{
	if (mp_collect_remote_path(c, MP_COLLECT_MOUNT, c->mount.marker, err) || start(c, err))
		return -1;
	if (c->mount.ours)
		mp_collect_say(c, MP_COLLECT_INFO, "mounted '%s' at '%s'", c->mount_path, c->mount.point);
	else
		mp_collect_say(
		    c, MP_COLLECT_INFO, "'%s' is already mounted: the mount is used, and stays", c->mount.point);
	tell_space(c);
	return 0;
}

bool mp_collect_mount_is_output(const struct mp_collect *c)
{
	struct stat there, here;

	return c->mount.ours && stat(c->mount_path, &there) == 0 && fstat(c->options->outfd, &here) == 0 &&
	       there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}
