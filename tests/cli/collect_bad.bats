#!/usr/bin/env bats
# collect_bad.bats: broken servers and boards: one clear message, the exit status, a clean board.
# shellcheck disable=SC2154,SC2153,SC2034 # ssh.bash and run share variables with the tests

load ssh

setup_file() { start_servers; }
teardown_file() { stop_servers; }
setup() {
	fresh_board
	listeners=()
}

teardown() {
	[ ${#listeners[@]} -eq 0 ] || kill "${listeners[@]}" || true
	[ -n "$WHY_NOT" ] || kill_board
}

# listener KIND: its port is in $PORT
listener() {
	rm -f port
	python3 "$HELPERS/listener.py" "$1" "$PWD/port" 3>&- &
	listeners+=($!)
	until_true test -s port
	PORT=$(cat port)
}

one_error() {
	equal "$(grep -c 'msprof: error:' <<<"$stderr")" 1
}

@test "a closed port" {
	for server in $SERVERS; do
		board "$server"
		PORT=1
		ini "$INI" "pwd = x"
		collect 4 ""
		has "$stderr" "board '$BOARD_USER@127.0.0.1:1': connection refused: no SSH server on port 1"
		one_error
	done
}

@test "nobody answers: given up after 10 s, whether it is the network or the server" {
	board "${SERVERS%% *}"
	listener full
	ini full.ini "pwd = x"
	full=$PORT
	listener silent
	ini silent.ini "pwd = x"
	expect 4 collect --config full.ini --config silent.ini --output "$OUT" -m "$APP/out/main"
	has "$stderr" "127.0.0.1:$full': cannot be reached: no answer within 10 s"
	has "$stderr" "127.0.0.1:$PORT': "
	equal "$(grep -c 'msprof: error:' <<<"$stderr")" 2
}

@test "a server that is not SSH, and one that hangs up" {
	board "${SERVERS%% *}"
	listener web
	ini "$INI" "pwd = x"
	collect 4 ""
	has "$stderr" "127.0.0.1:$PORT'" "may be no SSH server: check the port"
	one_error
	listener closing
	ini "$INI" "pwd = x"
	collect 4 ""
	has "$stderr" "127.0.0.1:$PORT'"
	one_error
}

# A board with only the named busybox applets: poor_board APPLET...
poor_board() {
	local applet
	command -v busybox >/dev/null || skip "no busybox"
	discard "${BOARD_HOME:?}/bin"
	mkdir -m 755 "$BOARD_HOME/bin"
	chmod 755 "$BOARD_HOME"
	for applet; do ln -s "$(command -v busybox)" "$BOARD_HOME/bin/$applet"; done
}

# The options that let a server's commands see these only: poor_options SERVER
poor_options() {
	local command
	command="export PATH=$BOARD_HOME/bin $(board_environment); eval \"\$SSH_ORIGINAL_COMMAND\""
	if [ "$1" = openssh ]; then
		options=(-o "ForceCommand=$command")
	else
		options=(-c "$command")
	fi
}

no_sftp_server() {
	local file
	for file in /usr/lib/openssh/sftp-server /usr/libexec/openssh/sftp-server /usr/libexec/sftp-server \
		/usr/lib/ssh/sftp-server /usr/lib/sftp-server; do
		[ ! -e "$file" ] || echo "mount --bind /dev/null $(realpath "$file") &&"
	done | sort -u
	echo true
}

@test "a board without tar: all goes through SFTP" {
	poor_board sh find stat mkdir rm mv cp cat sleep df sed kill grep touch printf xargs
	for server in $SERVERS; do
		poor_options "$server"
		start_server "$server.poor" "${options[@]}"
		board "$server.poor"
		collect 0 "--job $JOB_THERE"
		diff -r "$(the_job)" "$JOB"
		equal "$(stat -c %a "$PLACE/out/main")" "$(stat -c %a "$APP/out/main")"
		collect 0 "--job $JOB_THERE"
		has "$stderr" "pushed 0 files"
		board_is_clean
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
	done
}

@test "a board with nothing but busybox, and little of it" {
	needs_mounts
	poor_board sh tar find stat mkdir rm mv cp cat sleep df sed kill grep touch printf
	for server in $SERVERS; do
		poor_options "$server"
		start_server_in "$(no_sftp_server)" "$server.busybox" "${options[@]}"
		board "$server.busybox"
		collect 0 "--job $JOB_THERE"
		diff -r "$(the_job)" "$JOB"
		begin "--job $JOB_THERE --hang --child"
		until_running
		kill -INT "$collector"
		ends_with 130
		board_is_clean
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
	done
}

@test "a board with neither tar nor an sftp server: said before anything is done" {
	needs_mounts
	[[ $SERVERS == *dropbear* ]] || skip "no dropbear" # OpenSSH has SFTP within
	poor_board sh find stat mkdir
	poor_options dropbear
	start_server_in "$(no_sftp_server)" dropbear.neither "${options[@]}"
	board dropbear.neither
	collect 4 ""
	has "$stderr" "board '$BOARD_USER@127.0.0.1:$PORT': has neither tar nor an sftp server"
	one_error
	[ ! -e "$BOARD_HOME/msprof" ]
	"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
}

@test "a place on the board that cannot be written to" {
	mkdir -p "$BOARD_HOME/locked"
	chmod 555 "$BOARD_HOME/locked"
	for server in $SERVERS; do
		board "$server" "pwd = $PWD_OF_BOARD" "remote_dir = $BOARD_HOME/locked"
		collect 1 ""
		has "$stderr" "board '$BOARD_USER@127.0.0.1:$PORT': cannot write to '$BOARD_HOME/locked'"
		one_error
		board "$server" "pwd = $PWD_OF_BOARD" "remote_dir = $BOARD_HOME/locked/app"
		collect 1 ""
		has "$stderr" "cannot make the directory '$BOARD_HOME/locked/app'" "ermission denied"
		one_error
		equal "$(ls -A "$BOARD_HOME/locked")" ""
	done
}

@test "a full board: said before anything is sent" {
	needs_mounts
	mkdir -p "$BOARD_HOME/small"
	head -c 3000000 /dev/zero >"$APP/big"
	for server in $SERVERS; do
		start_server_in "mount -t tmpfs -o size=1m,mode=777 none $BOARD_HOME/small" "$server.full"
		board "$server.full" "pwd = $PWD_OF_BOARD" "remote_dir = $BOARD_HOME/small/app"
		collect 1 ""
		has "$stderr" "the project needs " " bytes in '$BOARD_HOME/small/app', but only " " are free"
		one_error
		place=/proc/$(cat "$BATS_FILE_TMPDIR/$SERVER/pid")/root$BOARD_HOME/small/app
		equal "$(find "$place" -type f ! -name .msprof.lock ! -name .msprof.source)" ""
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
	done
}

@test "a board that the program fills: exit 5, what there is is here, acl.json is back" {
	needs_mounts
	mkdir -p "$BOARD_HOME/small"
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	printf '#!/bin/sh\nmkdir -p profiling/JOBFULL && cat /dev/zero >profiling/JOBFULL/a\n' >"$APP/out/main"
	for server in $SERVERS; do
		start_server_in "mount -t tmpfs -o size=1m,mode=777 none $BOARD_HOME/small" "$server.filled"
		board "$server.filled" "pwd = $PWD_OF_BOARD" "remote_dir = $BOARD_HOME/small/app"
		collect 5 ""
		has "$stderr" "No space left on device" "'main' failed with exit status 1" "fetched JOBFULL"
		[ "$(stat -c %s "$OUT/JOBFULL/a")" -gt 500000 ]
		place=/proc/$(cat "$BATS_FILE_TMPDIR/$SERVER/pid")/root$BOARD_HOME/small/app
		cmp "$APP/out/acl.json" "$place/out/acl.json"
		equal "$(find "$place" -name '.msprof*' ! -name .msprof.lock ! -name .msprof.source)" ""
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
	done
}

@test "a full local disk: exit 1; with more room --resume ends it" {
	needs_mounts
	printf '#!/bin/sh\nmkdir -p profiling/JOBBIG && seq 300000 >profiling/JOBBIG/a; seq 9 >profiling/JOBBIG/b\n' >"$APP/out/main"
	for server in $SERVERS; do
		board "$server"
		mkdir -p "$OUT" copy
		run --separate-stderr private_mounts sh -c '
			mount -t tmpfs -o size=1m none "$2" && "$1" collect --config "$3" --output "$2" -m "$4"
			echo "first $?"
			mount -o remount,size=10m "$2" && "$1" collect --config "$3" --resume "$2"
			echo "second $?"; cp -r "$2/." copy' sh "$MSPROF" "$OUT" "$INI" "$APP/out/main"
		has "$output" "first 1" "second 0"
		one_error
		equal "$(sha256sum <copy/JOBBIG/a)" "$(seq 300000 | sha256sum)"
		equal "$(ls -A copy)" JOBBIG
		board_is_clean
		discard copy
	done
}

@test "a program that the board cannot run" {
	printf '#!/nosuch/interpreter\n' >"$APP/out/main"
	for server in $SERVERS; do
		board "$server"
		collect 5 ""
		has "$stderr" "'main' cannot be run on the board (exit status 127)" "no JOB appeared: the program did not run"
		lacks "$stderr" "Failed to generate JOB" hint
		one_error
		board_is_clean
	done
}

@test "no JOB: the vendor's message and hints, exit 1" {
	for server in $SERVERS; do
		board "$server"
		collect 1 ""
		has "$stderr" "Failed to generate JOB, please check whether the profiling function is enabled in the board project, or try again." \
			"runs in '$PLACE/out' and must pass the path of '$PLACE/out/acl.json' to svp_acl_init" "--online_model_type=2" AIISP "$PLACE/out/profiling"
		one_error
		board_is_clean
	done
}

@test "a JOB that goes on growing while it is fetched" {
	printf '#!/bin/sh\nmkdir -p profiling/JOBGROWS; echo begin >profiling/JOBGROWS/a\n' >"$APP/out/main"
	for server in $SERVERS; do
		# with each command that is sent to the board
		command='for f in ~/msprof/app/out/profiling/JOBGROWS/a; do [ ! -e "$f" ] || [ -e ~/settled ] || echo more >>"$f"; done; '
		command+='eval "$SSH_ORIGINAL_COMMAND"'
		if [ "$server" = openssh ]; then options=(-o "ForceCommand=$command"); else options=(-c "$command"); fi
		start_server "$server.growing" "${options[@]}"
		board "$server.growing"
		rm -f "$BOARD_HOME/settled"
		collect 1 ""
		has "$stderr" "'JOBGROWS' keeps changing on the board: 'a' still differs" "--resume"
		one_error
		board_is_clean
		[ ! -e "$OUT/JOBGROWS" ]
		touch "$BOARD_HOME/settled"
		expect 0 collect --config "$INI" --resume "$OUT"
		cmp "$OUT/JOBGROWS/a" "$PLACE/out/profiling/JOBGROWS/a"
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
	done
}

# The connection's own processes die at once, like after a power failure of the board.
kill_connections() {
	local pid=$1 child
	# shellcheck disable=SC2013
	for child in $(cat "/proc/$pid/task/$pid/children"); do
		case $(cat "/proc/$child/comm") in sshd* | dropbear)
			kill_connections "$child"
			kill -KILL "$child" 2>/dev/null || true # it may have ended because its own child did
			;;
		esac
	done
}

@test "the server is killed in the middle: exit 4, the board clears up, --resume fetches the rest" {
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --hang --child"
		until_running
		kill_connections "$(cat "$BATS_FILE_TMPDIR/$SERVER/pid")"
		ends_with 4
		has "$stderr" "the connection broke" "--resume"
		one_error
		until_true board_is_clean
		expect 0 collect --config "$INI" --resume "$OUT"
		diff -r "$(the_job)" "$JOB"
		equal "$(ls -A "$OUT")" "$(basename "$(the_job)")"
	done
}
