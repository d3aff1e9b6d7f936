#!/usr/bin/env bats
# collect_system.bats: collect from servers of root's, as a user of this system who logs in by password. It changes the list of
# users while it runs, so it runs only where MSPROF_TEST_SYSTEM=1 asks for that.
# shellcheck disable=SC2154,SC2153 # ssh.bash and run share variables with the tests

load ssh

setup_file() {
	find_servers
	[ "${MSPROF_TEST_SYSTEM:-}" = 1 ] || WHY_NOT="makes a user of this system: set MSPROF_TEST_SYSTEM=1 to run it"
	[ -n "$WHY_NOT" ] || [ "$(id -u)" = 0 ] || WHY_NOT="only root can make a user"
	[ -z "$WHY_NOT" ] || return 0
	BOARD_USER=msprofsys$$
	BOARD_HOME=$(mktemp -d "$MSPROF_SCRATCH/system_XXXXXX")
	"$SSHD" sysuser "$BOARD_USER" "$PWD_OF_BOARD" "$BOARD_HOME"
	BOARD_UID=$(id -u "$BOARD_USER")
	give_board "$BOARD_HOME"
	export BOARD_USER BOARD_HOME BOARD_UID
	if mkdir /run/sshd 2>/dev/null; then export MADE_RUN_SSHD=1; fi
	for server in $SERVERS; do
		start_server "$server"
	done
}

teardown_file() {
	[ -z "$WHY_NOT" ] || return 0
	stop_servers
	"$SSHD" nosysuser "$BOARD_USER"
	[ -z "${MADE_RUN_SSHD:-}" ] || rmdir /run/sshd
}

setup() { fresh_board; }

@test "a user of the system logs in by password, and collects" {
	for server in $SERVERS; do
		board "$server"
		collect 0 "--job $JOB_THERE"
		diff -r "$(the_job)" "$JOB"
		equal "$(stat -c %U "$PLACE/out/main")" "$BOARD_USER"
		board_is_clean
		board "$server" "pwd = wrong"
		collect 4 ""
		has "$stderr" "login failed"
	done
}
