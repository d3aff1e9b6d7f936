# shellcheck shell=bash
# board.bash: the user of a private SSH server, and what runs in that user's name.

SSHD=$ROOT/tests/board/sshd.sh

# Into WHY_NOT what keeps a server from having a user of its own.
find_board_users() {
	WHY_NOT=
	[ -n "${MSPROF_SCRATCH:-}" ] || WHY_NOT="needs a scratch directory that others may pass: run it by make check BATS=FILE"
	id -un >/dev/null 2>&1 || WHY_NOT="the SSH tools refuse a user without a name"
	[ -z "$(LD_PRELOAD=libnss_wrapper.so true 2>&1)" ] || WHY_NOT="libnss_wrapper.so is not installed: make deps-test"
}

needs_board_users() {
	find_board_users
	[ -z "$WHY_NOT" ] || skip "$WHY_NOT"
}

# make_board_user PASSWORD: $BOARD_USER gets a home, $BOARD_HOME, with a plain path; servers started from now on know this user
make_board_user() {
	BOARD_USERS=$(mktemp -d "$MSPROF_SCRATCH/board_XXXXXX")
	chmod 755 "$BOARD_USERS"
	"$SSHD" user "$BOARD_USERS" "$BOARD_USER" "$1"
	BOARD_HOME=$BOARD_USERS/home
	BOARD_UID=$(cat "$BOARD_USERS/uid")
	export BOARD_USERS BOARD_USER BOARD_HOME BOARD_UID
	open_way "$BATS_FILE_TMPDIR"
	open_way "$BATS_TEST_TMPDIR"
}

# What programs on the board need in their environment to know their own user, as sftp-server must: NAME=VALUE words.
board_environment() {
	echo "LD_PRELOAD=libnss_wrapper.so NSS_WRAPPER_PASSWD=$BOARD_USERS/passwd NSS_WRAPPER_GROUP=$BOARD_USERS/group"
}

# open_way DIR: another user may pass DIR and every directory between it and the scratch directory
open_way() {
	local dir=$1
	while [[ $dir == "$MSPROF_SCRATCH"/?* ]]; do
		chmod o+x "$dir"
		dir=${dir%/*}
	done
}

# give_board PATH...: the board's user owns PATH
give_board() {
	[ "$(id -u)" != 0 ] || chown -R "$BOARD_UID:$BOARD_UID" "$@"
}

# The numbers of all processes on the board but zombies and the servers' own. Root gave the board's user a number that nobody else
# has; elsewhere the number is that of the tests themselves, and the home in the environment tells.
board_pids() {
	if [ "$(id -u)" = 0 ]; then
		pgrep -r D,R,S,T -u "$BOARD_UID"
	else
		grep -lsxz "HOME=$BOARD_HOME" /proc/[0-9]*/environ | cut -d/ -f3
	fi | while read -r pid; do
		case $(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null) in
		'' | sshd:* | *"/sshd "* | *dropbear*) ;;
		*) echo "$pid" ;;
		esac
	done
}

kill_board() {
	local pid
	for pid in $(board_pids); do
		kill -KILL "$pid" 2>/dev/null || true
	done
}

nothing_runs() {
	[ -z "$(board_pids)" ]
}

what_runs() {
	local pid
	for pid in $(board_pids); do tr '\0' ' ' <"/proc/$pid/cmdline"; echo; done
}
