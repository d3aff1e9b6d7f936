#!/usr/bin/env bats
# collect_hostkey.bats: the identity of the board. known_hosts belongs to the tests.
# shellcheck disable=SC2154,SC2153,SC2034 # ssh.bash and run share variables with the tests

load ssh

setup_file() { start_servers; }
teardown_file() { stop_servers; }
setup() {
	fresh_board
	KNOWN=$HOME/.ssh/known_hosts
}

forget_hosts() {
	fresh_home
	KNOWN=$HOME/.ssh/known_hosts
}

# The key of another server in place of this one's.
other_key() {
	ssh-keygen -q -t ed25519 -N '' -f other_key
	echo "[127.0.0.1]:$PORT $(cut -d' ' -f1,2 other_key.pub)" >"$KNOWN"
	rm other_key other_key.pub
}

# on_terminal STATUS QUESTION ANSWER OPTION...: its output in $output
on_terminal() {
	local want=$1 question=$2 answer=$3
	shift 3
	needs_terminal
	run python3 "$HELPERS/pty_answer.py" "$question" "$answer" -- "$MSPROF" collect --config "$INI" --output "$OUT" \
		-m "$APP/out/main --job $JOB_THERE" "$@"
	[ "$status" -eq "$want" ] || fail "ended with $status, not $want: $output"
}

@test "an unknown key without a terminal is refused, its SHA256 is said, and nothing is sent" {
	for server in $SERVERS; do
		board "$server"
		forget_hosts
		collect 4 ""
		has "$stderr" "error: board '$BOARD_USER@127.0.0.1:$PORT': its host key is unknown and was not accepted: $(fingerprint) (ssh-ed25519)" \
			--accept-new
		[ ! -e "$KNOWN" ] && [ ! -e "$PLACE" ]
	done
}

@test "on a terminal an unknown key is asked for, taken with yes only, and remembered" {
	for server in $SERVERS; do
		board "$server"
		forget_hosts
		on_terminal 4 "$(fingerprint). Trust it? (yes/no)" y
		has "$output" "was not accepted"
		[ ! -e "$KNOWN" ]
		on_terminal 0 "[127.0.0.1]:$PORT" yes
		[ "$(stat -c %a "$KNOWN")" = 600 ] && [ "$(stat -c %a "$HOME/.ssh")" = 700 ]
		ssh-keygen -F "[127.0.0.1]:$PORT" -f "$KNOWN" >/dev/null
		collect 0 "--job $JOB_THERE"
	done
}

@test "--accept-new takes an unknown key and writes it, beside those that are there" {
	for server in $SERVERS; do
		board "$server"
		printf '# mine\n10.0.0.2 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHKzXcjxWXjvMHrzZ4Ny0aBCoVTl5Lh4UhYlAHuHv0mB' >"$KNOWN"
		collect 0 "--job $JOB_THERE" --accept-new
		equal "$(head -n 1 "$KNOWN")" "# mine"
		equal "$(wc -l <"$KNOWN")" 3
		collect 0 "--job $JOB_THERE"
		equal "$(wc -l <"$KNOWN")" 3
	done
}

@test "a changed key is always refused, with the line to remove" {
	for server in $SERVERS; do
		board "$server"
		other_key
		before=$(sha256sum <"$KNOWN")
		collect 4 "" --accept-new
		has "$stderr" "its host key has changed to $(fingerprint)" "'$KNOWN' line 1: ssh-keygen -f '$KNOWN' -R '[127.0.0.1]:$PORT'"
		equal "$(grep -c error: <<<"$stderr")" 1
		needs_terminal
		run python3 "$HELPERS/pty_answer.py" -- "$MSPROF" collect --config "$INI" --output "$OUT" -m "$APP/out/main"
		equal "$status" 4
		has "$output" "has changed"
		equal "$(sha256sum <"$KNOWN")" "$before"
		[ ! -e "$PLACE" ]
		# what the message says helps
		ssh-keygen -q -f "$KNOWN" -R "[127.0.0.1]:$PORT" 2>/dev/null >&2
		collect 0 "--job $JOB_THERE" --accept-new
	done
}

@test "a server that comes back with a new key" {
	for server in $SERVERS; do
		start_server "$server.rekeyed"
		board "$server.rekeyed"
		collect 0 "--job $JOB_THERE"
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
		"$SSHD" rekey "$BATS_FILE_TMPDIR/$SERVER"
		start_server "$SERVER"
		collect 4 ""
		has "$stderr" "has changed to $(fingerprint)"
		"$SSHD" stop "$BATS_FILE_TMPDIR/$SERVER"
	done
}

@test "host_key of the ini: the right one needs no known_hosts, a wrong one is refused whatever known_hosts says" {
	for server in $SERVERS; do
		board "$server"
		ini "$INI" "pwd = $PWD_OF_BOARD" "host_key = $(fingerprint)"
		forget_hosts
		collect 0 "--job $JOB_THERE"
		[ ! -e "$KNOWN" ]
		board "$server" "pwd = $PWD_OF_BOARD" "host_key = SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
		collect 4 "" --accept-new
		has "$stderr" "its host key $(fingerprint) (ssh-ed25519) is not the host_key of the ini file, SHA256:AAAA" "write it there"
		[ ! -e "$PLACE" ]
	done
}
