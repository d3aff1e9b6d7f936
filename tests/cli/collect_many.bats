#!/usr/bin/env bats
# collect_many.bats: several real boards at once, each behind a server of its own.
# shellcheck disable=SC2154,SC2153,SC2034 # ssh.bash and run share variables with the tests

load ssh

setup_file() { start_servers; }
teardown_file() { stop_servers; }
setup() {
	fresh_board
	start_second
	board openssh
	for n in 1 2; do
		PORT=$(cat "$BATS_FILE_TMPDIR/openssh$([ $n = 1 ] || echo .second)/port")
		ini "board$n.ini" "pwd = $PWD_OF_BOARD" "remote_dir = ~/board$n/app" "host_key = $(fingerprint)"
		discard "${BOARD_HOME:?}/board$n"
	done
}

# Both have one host key, so that one host_key will do.
start_second() {
	[[ $SERVERS == *openssh* ]] || skip "no OpenSSH server"
	[ ! -e "$BATS_FILE_TMPDIR/openssh.second" ] || return 0
	mkdir "$BATS_FILE_TMPDIR/openssh.second"
	cp "$BATS_FILE_TMPDIR"/openssh/host_key* "$BATS_FILE_TMPDIR/openssh.second"
	start_server openssh.second
}

clean_places() {
	until_true nothing_runs
	[ -z "$(find "$BOARD_HOME"/board? -name '.msprof*' ! -name .msprof.lock ! -name .msprof.source)" ]
}

@test "two boards at once: labelled lines, a directory each" {
	expect 0 collect --config board1.ini --config board2.ini --output "$OUT" -m "$APP/out/main --job $JOB_THERE --say hello"
	equal "$(grep -c '\] hello' <<<"$output")" 2
	has "$stderr" "[127.0.0.1] msprof: fetched JOB" "[127.0.0.1_2] msprof: fetched JOB"
	for dir in 127.0.0.1 127.0.0.1_2; do
		diff -r "$OUT/$dir"/JOB* "$JOB"
	done
	[ -d "$BOARD_HOME/board1/app" ] && [ -d "$BOARD_HOME/board2/app" ]
	clean_places
}

@test "one that fails does not stop the other; the worst exit status counts" {
	sed -i 's/^pwd = .*/pwd = wrong/' board1.ini
	expect 4 collect --config board1.ini --config board2.ini --output "$OUT" -m "$APP/out/main --job $JOB_THERE"
	has "$stderr" "[127.0.0.1] msprof: error: " "login failed" "[127.0.0.1] ended with exit status 4" "[127.0.0.1_2] msprof: fetched JOB"
	lacks "$stderr" "$PWD_OF_BOARD"
	diff -r "$OUT"/127.0.0.1_2/JOB* "$JOB"
	clean_places
}

@test "Ctrl-C at the terminal stops the programs of all boards, and their data comes" {
	needs_terminal
	printf '#!/bin/sh\nmkdir profiling/JOBC; echo x >profiling/JOBC/a; echo at work; sleep 500\n' >"$APP/out/main"
	run python3 "$HELPERS/pty_answer.py" "[127.0.0.1] at work" "" "[127.0.0.1_2] at work" ^C -- "$MSPROF" collect \
		--config board1.ini --config board2.ini --output "$OUT" -m "$APP/out/main"
	[ "$status" -eq 130 ] || fail "$status: $output"
	for dir in 127.0.0.1 127.0.0.1_2; do
		[ -s "$OUT/$dir/JOBC/a" ] || fail "nothing came to $dir: $output"
	done
	clean_places
}
