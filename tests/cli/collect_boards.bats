#!/usr/bin/env bats
# collect_boards.bats: several boards at once, on a terminal and in a file. One server plays two
# boards, with a place for each; its tar is slow, so that there is progress to be seen.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/board

setup() {
	[ -x /usr/sbin/sshd ] || skip "no sshd"
	fresh_job
	umask 0022 # the board's programs look at files of the test
	HOME=$BATS_TEST_TMPDIR/home
	APP=$BATS_TEST_TMPDIR/app
	OUT=$BATS_TEST_TMPDIR/results
	export HOME
	mkdir -p "$HOME/.ssh" "$APP/out" "$BATS_TEST_TMPDIR/bin"
	cp "$HELPERS/fakeboard.sh" "$APP/out/main"
	# in pieces, with a wait after each: where there is a file `watched`, until both are shown
	cat >"$BATS_TEST_TMPDIR/bin/tar" <<-END
		#!/bin/sh
		case \$1 in
		cf) $(command -v tar) "\$@" | (while x=\$(dd bs=65536 count=4 iflag=fullblock 2>/dev/null | base64) && [ "\$x" ]; do
			echo "\$x" | base64 -d; sleep 0.4
			while [ -e "$PWD/watched" ] && ! { grep -q '0.1. fetching' "$PWD/typed" && grep -q '1_2. fetching' "$PWD/typed"; }; do
				sleep 0.1
			done; done) ;;
		*) exec $(command -v tar) "\$@" ;;
		esac
	END
	chmod +x "$BATS_TEST_TMPDIR/bin/tar"
	head -c 1500000 /dev/urandom >"$JOB/data/large"
	cd "$BATS_TEST_TMPDIR" || return
	needs_board_users
	BOARD_USER=msprof$$
	make_board_user unused
	chmod -R o+rX "$JOB"
	port=$("$SSHD" start openssh server -o "SetEnv=PATH=$PWD/bin:$PATH" 3>&-)
	for board in a b; do
		printf '[ssh_config]\nip = 127.0.0.1\nusername = %s\nport = %s\nkey = %s\nremote_dir = ~/%s\n' "$BOARD_USER" "$port" \
			"$PWD/server/client_key" "$board" >"$board.ini"
		chmod 600 "$board.ini"
	done
	unset SSH_AUTH_SOCK
	set -- collect --accept-new --config a.ini --config b.ini --output "$OUT" -m
	collect=("$@")
}

teardown() {
	[ ! -d "$BATS_TEST_TMPDIR/server" ] || "$SSHD" stop "$BATS_TEST_TMPDIR/server"
}

both_here() {
	diff -r "$OUT/127.0.0.1/JOBM" "$JOB"
	diff -r "$OUT/127.0.0.1_2/JOBM" "$JOB"
}

@test "on a terminal each board has a line that changes in place, below what the programs print" {
	needs_terminal
	touch watched
	timeout 600 python3 "$HELPERS/pty_run.py" 60 "$MSPROF" "${collect[@]}" "$APP/out/main --job $JOB --name JOBM --say hello" >typed
	both_here
	run python3 "$HELPERS/screen.py" 60 <typed
	equal "$status" 0
	screen=${output%%most:*} most=${output##*most:}
	has "$screen" "[127.0.0.1] hello" "[127.0.0.1_2] hello" "[127.0.0.1] msprof: fetched JOBM" "[127.0.0.1_2] msprof: fetched JOBM"
	lacks "$screen" "%,"
	has "$most" "[127.0.0.1] fetching JOBM: " "[127.0.0.1_2] fetching JOBM: " "B/s"
	equal "$(grep -c '^\[127.0.0.1\(_2\)\?\] hello' <<<"$screen")" 2
}

@test "in a pipeline there are whole lines, each with its board" {
	run --separate-stderr "$MSPROF" "${collect[@]}" "$APP/out/main --job $JOB --name JOBM --say hello"
	equal "$status" 0
	both_here
	equal "$(grep -vc '^\[127.0.0.1\(_2\)\?\] ' <<<"$output$stderr")" 0
	lacks "$stderr" $'\r' $'\033'
	equal "$(grep -c 'hello$' <<<"$output")" 2
}

@test "-q shows no progress on a terminal" {
	needs_terminal
	python3 "$HELPERS/pty_run.py" 60 "$MSPROF" "${collect[@]}" "$APP/out/main --job $JOB --name JOBM" -q >typed
	both_here
	lacks "$(cat typed)" "%," $'\033'
}
