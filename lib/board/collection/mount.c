/* mount.c: mounts a directory of this machine at ~/profiling on the board. */
#include "board/collection/mount.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "board/collection/collection_sh.h"
#include "board/connection/script.h"
#include "config/acl_json.h"

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
static int is_mounted(struct mp_mount *mount, struct mp_board *board, bool *mounted, struct mp_error *err)
{
	struct mp_script script;
	char answer[64], what[512];
	int status;

	snprintf(what, sizeof(what), "find out whether '%.400s' is mounted", mount->point);
	mp_script_start(&script);
	mp_script_argument(&script, mount->point);
	mp_script_body(&script, mp_sh_is_mounted);
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

static int run_mount(struct mp_mount *mount, struct mp_board *board, const char *source,
    const struct mp_mount_files *files, const struct mp_watch *watch, struct mp_error *err)
{
	struct mp_script script;
	char what[200];

	snprintf(what, sizeof(what), "mount '%.150s'", source);
	mp_script_start(&script);
	mp_script_argument(&script, mount->point);
	mp_script_argument(&script, files->marker);
	mp_script_argument(&script, files->mark);
	mp_script_argument(&script, source);
	mp_script_body(&script, mp_sh_mount_nfs);
	return run(board, &script, what, watch, err);
}

/* After an error: undo a mount that was left behind, or is still under way. */
static void undo(struct mp_mount *mount, struct mp_board *board, const char *marker)
{
	struct mp_script script;
	struct mp_error ignored;
	char answer[64];
	int status;

	mp_script_start(&script);
	mp_script_argument(&script, mount->point);
	mp_script_argument(&script, marker);
	mp_script_body(&script, mp_sh_unmount);
	if (!mp_board_is_broken(board) && !mp_script_check(&script, &ignored))
		(void)mp_board_run(board, script.text, "unmount", answer, sizeof(answer), &status, &ignored);
}

int mp_mount_start(struct mp_mount *mount, struct mp_board *board, const char *server_path,
    const struct mp_mount_files *files, const struct mp_watch *watch, struct mp_error *err)
{
	char source[MP_REMOTE_PATH + 80];
	struct mp_error why;
	bool mounted = false;
	int status = -1;

	mount->ours = false;
	if (mp_mount_source(board, server_path, source, sizeof(source), err) ||
	    mp_remote_dir_make(board, "~/profiling", mount->point, err)) {
		/* nothing to undo */
	} else if (mp_acl_path_check(mount->point, &why)) {
		mp_error_set_kind(
		    err, why.kind, "'%.300s' cannot be the output of acl.json: %.400s", mount->point, why.text);
	} else if (!is_mounted(mount, board, &mounted, err)) {
		status = mounted ? 0 : run_mount(mount, board, source, files, watch, err);
		mount->ours = !mounted && !status;
		if (status)
			undo(mount, board, files->marker);
	}
	if (status)
		mount->point[0] = '\0';
	return status;
}
