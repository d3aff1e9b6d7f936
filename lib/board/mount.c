/* mount.c: mounts and unmounts ~/profiling on the board. */
#include "board/mount.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "board/remote_script.h"

enum { MOUNT_MS = 60000 };

/* IPv6 addresses stand in brackets before the colon of the path. */
int mp_mount_server(const char *own_address, bool board_is_here, char *server, size_t size, struct mp_error *err)
{
	bool loopback = strncmp(own_address, "127.", 4) == 0 || strcmp(own_address, "::1") == 0;
	struct in6_addr unused;

	if (!*own_address && !board_is_here)
		return mp_fail(err, "no address of this machine that the board can reach");
	if (loopback && !board_is_here)
		return mp_fail(err,
		    "the address of this machine is '%s', which the board cannot reach: take the line with this machine's "
		    "name and 127.0.1.1 out of /etc/hosts", own_address);
	if (!*own_address)
		own_address = "127.0.0.1";
	snprintf(server, size, inet_pton(AF_INET6, own_address, &unused) == 1 ? "[%s]" : "%s", own_address);
	return 0;
}

/* Whether somebody has mounted something there before. */
static int is_mounted(struct mp_mount *mount, struct mp_board *board, bool *mounted, struct mp_error *err)
{
	struct mp_script script;
	char answer[64];
	int status;

	mp_script_start(&script);
	mp_script_code(&script, "p=");
	mp_script_word(&script, mount->point);
	mp_script_code(&script, "; while read -r d m r; do [ \"$m\" = \"$p\" ] && exit 0; done </proc/mounts; exit 1");
	if (mp_script_check(&script, err) ||
	    mp_board_run(board, script.text, answer, sizeof(answer), MOUNT_MS, &status, err))
		return -1;
	*mounted = status == 0;
	return 0;
}

static int run(struct mp_board *board, const struct mp_script *script, const char *what, struct mp_error *err)
{
	struct mp_pipe pipe;
	int status;

	if (mp_script_check(script, err) || mp_pipe_open(&pipe, board, script->text, what, NULL, err))
		return -1;
	status = mp_pipe_succeed(&pipe, err);
	mp_pipe_close(&pipe);
	return status;
}

int mp_mount_start(struct mp_mount *mount, struct mp_board *board, const char *server_path, const char *marker,
    struct mp_error *err)
{
	char own[64], server[80], source[MP_REMOTE_PATH + 80], what[160];
	struct mp_script script;
	bool mounted = false;

	mount->ours = false;
	if (mp_board_own_address(board, own, sizeof(own), err) ||
	    /* an address of the socket is one that the board has just answered to, whatever it is */
	    mp_mount_server(own, true, server, sizeof(server), err) ||
	    mp_remote_dir_make(board, "~/profiling", mount->point, err) || is_mounted(mount, board, &mounted, err)) {
		mount->point[0] = '\0';
		return -1;
	}
	if (mounted)
		return 0;
	snprintf(source, sizeof(source), "%s:%s", server, server_path);
	snprintf(what, sizeof(what), "mount '%.100s'", source);
	mp_script_start(&script);
	mp_script_code(&script, "mount -t nfs -o nolock,tcp ");
	mp_script_word(&script, source);
	mp_script_code(&script, " ");
	mp_script_word(&script, mount->point);
	mp_script_code(&script, " && : >");
	mp_script_word(&script, marker);
	if (run(board, &script, what, err)) {
		mount->point[0] = '\0';
		return -1;
	}
	mount->ours = true;
	return 0;
}

int mp_mount_end(struct mp_mount *mount, struct mp_board *board, const char *marker, struct mp_error *err)
{
	struct mp_script script;

	if (!mount->ours)
		return 0;
	mount->ours = false;
	mp_script_start(&script);
	mp_script_code(&script, "umount ");
	mp_script_word(&script, mount->point);
	mp_script_code(&script, "; s=$?; rm -f ");
	mp_script_word(&script, marker);
	mp_script_code(&script, "; exit $s");
	return run(board, &script, "unmount ~/profiling", err);
}
