#!/usr/bin/env bats
# collect_login.bats: how collect logs in to real servers, and where it leaves the password: nowhere.
# shellcheck disable=SC2154,SC2153,SC2034 # ssh.bash and run share variables with the tests

load ssh

setup_file() { start_servers; }
teardown_file() { stop_servers; }
setup() { fresh_board; }

# let_in PUBLIC_KEY: it alone may log in
let_in() {
	mkdir -p "$BOARD_HOME/.ssh"
	cp "$1" "$BOARD_HOME/.ssh/authorized_keys"
	chmod 700 "$BOARD_HOME" "$BOARD_HOME/.ssh"
	give_board "$BOARD_HOME/.ssh"
}

new_key() {
	rm -f "$1" "$1.pub"
	ssh-keygen -q -t ed25519 -N "${2:-}" -f "$1"
}

# agent KEY...: an agent of the tests, with these keys
agent() {
	eval "$(ssh-agent -a "$BATS_TEST_TMPDIR/agent_$SERVER" 3>&-)" >/dev/null
	ssh-add -q "$@" 2>/dev/null
}

no_agent() {
	[ -z "${SSH_AGENT_PID:-}" ] || kill "$SSH_AGENT_PID"
	unset SSH_AUTH_SOCK SSH_AGENT_PID
}

teardown() {
	no_agent
	[ -n "$WHY_NOT" ] || kill_board
}

# on_terminal STATUS [QUESTION ANSWER]... -- OPTION...: collect of a program without a JOB, its output in $output
on_terminal() {
	local want=$1 talk=()
	shift
	while [ "$1" != -- ]; do
		talk+=("$1")
		shift
	done
	shift
	needs_terminal
	run python3 "$HELPERS/pty_answer.py" "${talk[@]}" -- "$MSPROF" collect --config "$INI" --output "$OUT" \
		-m "$APP/out/main --job $JOB_THERE" "$@"
	[ "$status" -eq "$want" ] || fail "ended with $status, not $want: $output"
}

@test "both kinds of server are here" {
	[ "$SERVERS" = "openssh dropbear" ] || skip "only '$SERVERS'"
}

@test "a key of the ini" {
	for server in $SERVERS; do
		new_key key
		board "$server" "key = $PWD/key"
		let_in key.pub
		collect 0 "--job $JOB_THERE"
		mv key "$HOME/key"
		board "$server" 'key = ~/key'
		collect 0 "--job $JOB_THERE"
		new_key other
		let_in other.pub
		collect 4 ""
		has "$stderr" "$BOARD_USER@127.0.0.1:$PORT" "login failed" "key '$HOME/key' (refused)" \
			"ssh-copy-id puts a key into the board's authorized_keys"
		rm -f "$HOME/nosuch"
		board "$server" 'key = ~/nosuch'
		collect 4 ""
		has "$stderr" "key '$HOME/nosuch' (cannot be read: No such file or directory)" "correct key or pwd of the ini file"
		echo nonsense >"$HOME/nosuch"
		collect 4 ""
		has "$stderr" "key '$HOME/nosuch' (not a private key"
	done
}

@test "a key with a passphrase is asked for it on the terminal" {
	for server in $SERVERS; do
		new_key key 'a phrase'
		board "$server" "key = $PWD/key"
		let_in key.pub
		on_terminal 0 "passphrase of key '$PWD/key'" 'a phrase' --
		lacks "$output" 'a phrase'
		on_terminal 4 "passphrase of key" 'wrong' password: x password: x password: x --
		has "$output" "the passphrase is wrong"
	done
}

@test "the agent comes first, then the key, then pwd, then the question" {
	for server in $SERVERS; do
		new_key in_agent
		new_key in_ini
		new_key foreign
		board "$server" "key = $PWD/in_ini" "pwd = $PWD_OF_BOARD"
		agent foreign in_agent

		let_in in_agent.pub # the agent's key does: the key and the password, both wrong, are not looked at
		board "$server" "key = $PWD/nosuch" "pwd = wrong"
		collect 0 "--job $JOB_THERE"

		let_in in_ini.pub # none of the agent's: the key of the ini
		board "$server" "key = $PWD/in_ini" "pwd = wrong"
		collect 0 "--job $JOB_THERE"

		let_in foreign.pub
		no_agent # neither: the password
		board "$server" "key = $PWD/in_ini" "pwd = $PWD_OF_BOARD"
		collect 0 "--job $JOB_THERE"

		board "$server" "key = $PWD/in_ini" "pwd = wrong" # nothing of the ini: the question
		on_terminal 0 password: "$PWD_OF_BOARD" --
		lacks "$output" "$PWD_OF_BOARD"

		agent in_agent
		on_terminal 4 password: wrong1 password: wrong2 password: wrong3 --
		has "$output" "tried: agent (none of its keys is accepted), key '$PWD/in_ini' (refused), pwd of the ini file (refused), prompt ("
		lacks "$output" wrong1
		no_agent
	done
}

@test "an agent with more keys than the server hears is no obstacle" {
	for server in $SERVERS; do
		board "$server"
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do new_key "k$i"; done
		agent k1 k2 k3 k4 k5 k6 k7 k8 k9 k10 k11 k12
		collect 0 "--job $JOB_THERE"
		no_agent
	done
}

@test "the password of the ini, with every character it may have" {
	for server in $SERVERS; do
		board "$server"
		collect 0 "--job $JOB_THERE"
		diff -r "$(the_job)" "$JOB"
		has "$stderr" "connected to '$BOARD_USER@127.0.0.1:$PORT'"
		board_is_clean
	done
}

@test "a wrong password: exit 4, what was tried, and no password" {
	for server in $SERVERS; do
		board "$server" "pwd = wrong;#words"
		collect 4 ""
		has "$stderr" "msprof: error: board '$BOARD_USER@127.0.0.1:$PORT': login failed: the password is refused; tried: pwd of the ini file (refused); the board takes:"
		has "$stderr" "; check username and pwd of the ini file"
		lacks "$stderr$output" "wrong;#words"
		equal "$(grep -c error: <<<"$stderr")" 1
		[ ! -e "$PLACE" ]
	done
}

@test "nothing to log in with: exit 4, at once" {
	for server in $SERVERS; do
		board "$server" "remote_dir = ~/x"
		collect 4 ""
		has "$stderr" "login failed" "no agent, no key and no pwd in the ini file, nobody to ask"
	done
}

@test "a password typed at the terminal is not shown" {
	for server in $SERVERS; do
		board "$server" "remote_dir = ~/msprof/app"
		on_terminal 0 "board '$BOARD_USER@127.0.0.1:$PORT': password:" "$PWD_OF_BOARD" --
		lacks "$output" "$PWD_OF_BOARD"
		has "$output" "fetched JOB"
		on_terminal 0 password: "wrong at first" password: "$PWD_OF_BOARD" --
		lacks "$output" "wrong at first"
		on_terminal 130 password: ^C --
	done
}

@test "an ini that others can read is warned about, and an error with --strict" {
	for server in $SERVERS; do
		board "$server"
		chmod 644 "$INI"
		collect 0 "--job $JOB_THERE"
		has "$stderr" "warning: '$INI' can be read by others"
		collect 1 "--job $JOB_THERE" --strict
		has "$stderr" "error: '$INI' can be read by others"
		chmod 600 "$INI"
		collect 0 "--job $JOB_THERE" --strict
		lacks "$stderr" "can be read"
	done
}

# While the program runs the password is neither in the process nor anywhere else.
not_in_process() {
	run python3 "$HELPERS/secret.py" "$collector" "$BOARD_USER"
	equal "$status" 0 # or the search itself finds nothing
	run python3 "$HELPERS/secret.py" "$collector" "$PWD_OF_BOARD"
	if [ "$status" -ne 1 ] || [ -n "$output" ]; then fail "the password is in: $output"; fi
}

@test "the password is in no argument, environment, memory, file or log while the program runs, nor afterwards" {
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --hang" --stream
		until_running
		not_in_process
		kill -INT "$collector"
		ends_with 130
		lacks "$stderr$(cat stdout)" "$PWD_OF_BOARD"
		[ "$(find "$OUT" -type f | wc -l)" -gt 5 ]
		run grep -rslF -e "$PWD_OF_BOARD" "$OUT" "$HOME" "$BOARD_HOME" "$APP" "$BATS_FILE_TMPDIR/$server"
		equal "$output" ""
	done
}

@test "a cut leaves a record of where to go on, without the password" {
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --hang"
		until_running
		kill -KILL "$collector"
		ends_with 137
		grep -q "$BOARD_USER" "$OUT/.msprof.collect"
		# -s: the board is tidying up meanwhile
		run grep -rslF -e "$PWD_OF_BOARD" "$OUT" "$BOARD_HOME"
		equal "$output" ""
		until_true board_is_cleared
		expect 0 collect --config "$INI" --resume "$OUT"
		diff -r "$(the_job)" "$JOB"
	done
}
