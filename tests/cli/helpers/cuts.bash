# shellcheck shell=bash
# cuts.bash: collections from a private SSH server through a bad network, for collect_cut.bats and the long tests.
# shellcheck disable=SC2154 # $stderr is set by run

PROXY=$BUILD/tests/board/proxy
# shellcheck source=tests/cli/helpers/board.bash
. "$HELPERS/board.bash"

# Programs that a board must have, without tar.
NO_TAR='sh find stat mkdir rm mv cp cat sleep df sed kill grep touch printf flock setsid sha256sum tail xargs'

# start_server openssh|dropbear tar|sftp: programs in $BATS_TEST_TMPDIR/bin go before the board's own; the board's home is $BOARD_HOME,
# its port $SERVER_PORT
start_server() {
	local kind=$1 way=$2 program path=$BATS_TEST_TMPDIR/bin:/usr/bin:/bin
	needs_server "$kind"
	OUT=$BATS_TEST_TMPDIR/out
	SERVER=$BATS_TEST_TMPDIR/server
	HERE=$BATS_TEST_TMPDIR/here
	BOARD_USER=msprofcut$$
	make_board_user "$(od -An -N12 -tx1 /dev/urandom | tr -d ' ')"
	mkdir -p "$SERVER" "$HERE" "$BATS_TEST_TMPDIR/bin"
	if [ "$way" = sftp ]; then
		path=$BATS_TEST_TMPDIR/bin
		for program in $NO_TAR; do ln -sf "$(PATH=/usr/bin:/bin command -v "$program" || echo /bin/"$program")" "$path/$program"; done
	fi
	chmod -R o+rX "$BATS_TEST_TMPDIR/bin"
	if [ "$kind" = openssh ]; then
		SERVER_PORT=$("$SSHD" start openssh "$SERVER" -o "SetEnv=PATH=$path $(board_environment)" 3>&-)
	else
		start_dropbear "$path"
	fi
	make_project "$HERE" 400000
}

needs_server() {
	local program=sshd
	[ "$1" = openssh ] || program=dropbear
	command -v "$program" >/dev/null || [ -x "/usr/sbin/$program" ] || skip "$program is not installed"
	needs_board_users
}

# Dropbear cleans the environment, and takes no shell that is not in /etc/shells: a command in front of all others sets it.
start_dropbear() {
	printf '#!/bin/sh\nexport PATH=%s %s\nexec /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n' "$1" "$(board_environment)" >"$BATS_TEST_TMPDIR/front"
	chmod 755 "$BATS_TEST_TMPDIR/front"
	SERVER_PORT=$("$SSHD" start dropbear "$SERVER" -c "$BATS_TEST_TMPDIR/front" 3>&-)
	mkdir -p "$BOARD_HOME/.ssh"
	cp "$SERVER/authorized_keys" "$BOARD_HOME/.ssh/authorized_keys"
	chmod 700 "$BOARD_HOME/.ssh"
	chmod 600 "$BOARD_HOME/.ssh/authorized_keys"
	give_board "$BOARD_HOME/.ssh"
}

stop_server() {
	[ -z "${proxy-}" ] || end_proxy
	[ -z "${SERVER-}" ] || "$SSHD" stop "$SERVER"
	[ -z "${BOARD_HOME-}" ] || kill_board
}

# A project with an acl.json of its own, and a JOB for its program to make: a large file and some small ones.
make_project() {
	local dir=$1 size=$2
	mkdir -p "$dir/app/out" "$dir/JOBMADE/data"
	cp "$HELPERS/fakeboard.sh" "$dir/app/out/main"
	echo '{"profiler": {"interval": "5"}}' >"$dir/app/out/acl.json"
	seeded "$size" 1 >"$dir/app/model.om"
	cp "$ROOT"/tests/data/JOB*/info.json.* "$dir/JOBMADE/"
	seeded "$size" 2 >"$dir/JOBMADE/data/large"
	for i in 1 2 3 4 5; do seeded $((size / 16 + i)) "$i" >"$dir/JOBMADE/data/small.$i"; done
	chmod -R o+rX "$dir"
}

# seeded SIZE SEED: bytes that do not compress, the same each time
seeded() {
	openssl enc -aes-128-ctr -K "$(printf %032d "$2")" -iv 0 -in /dev/zero 2>/dev/null | head -c "$1"
}

# through OPTION...: a proxy to the server, and an ini for it; its log is $TRAFFIC
through() {
	TRAFFIC=$BATS_TEST_TMPDIR/traffic
	rm -f "$TRAFFIC" "$BATS_TEST_TMPDIR/port"
	[ -z "${proxy-}" ] || end_proxy
	"$PROXY" --life 300 --log "$TRAFFIC" "$@" "$SERVER_PORT" >"$BATS_TEST_TMPDIR/port" 3>&- &
	proxy=$!
	until_true test -s "$BATS_TEST_TMPDIR/port"
	INI=$BATS_TEST_TMPDIR/board.ini
	printf '[ssh_config]\nip = 127.0.0.1\nusername = %s\nport = %s\nkey = %s\nhost_key = %s\n%s' "$BOARD_USER" \
		"$(cat "$BATS_TEST_TMPDIR/port")" "$SERVER/client_key" "$(fingerprint)" "${INI_MORE-}" >"$INI"
	chmod 600 "$INI"
}

end_proxy() {
	kill "$proxy" 2>/dev/null || true
	wait "$proxy" 2>/dev/null || true
	proxy=
}

fingerprint() {
	if [ -e "$SERVER/host_key.pub" ]; then
		ssh-keygen -l -f "$SERVER/host_key.pub" | cut -d' ' -f2
	else
		dropbearkey -y -f "$SERVER/host_key" | grep ^ssh- >"$SERVER/host_key.public"
		ssh-keygen -l -f "$SERVER/host_key.public" | cut -d' ' -f2
	fi
}

board_is_clean() {
	until_true nothing_runs || fail "still running on the board: $(what_runs)"
	[ -z "$(find "$BOARD_HOME" -name '.msprof.*' ! -name .msprof.lock ! -name .msprof.source)" ] ||
		fail "left on the board: $(find "$BOARD_HOME" -name '.msprof.*')"
	[ ! -e "$BOARD_HOME/msprof/app/out/acl.json" ] || cmp "$BOARD_HOME/msprof/app/out/acl.json" "$HERE/app/out/acl.json"
}

# forget_board: removes all traces of collections
forget_board() {
	discard "$BOARD_HOME/msprof" "$OUT"
}

# moved up|down NTH: the bytes of a connection that has ended
moved() {
	until_true has_lines "$2" "$TRAFFIC"
	awk -v way="$1" -v nth="$2" 'NR == nth { print way == "up" ? $2 : $4 }' "$TRAFFIC"
}

has_lines() {
	[ "$(wc -l <"$2")" -ge "$1" ]
}

# collect OPTION...: runs within the time in which any cut must end; the exit status is in $status
collect() {
	run --separate-stderr timeout 600 "$MSPROF" collect --config "$INI" "$@"
}

resume() {
	collect --resume "$OUT"
	[ "$status" -eq 0 ] || fail "the resume ended with $status: $stderr"
}

# cut_and_resume NAME PROXY-OPTION...: a collection that is cut prints one message. Resumed, or begun again
# if nothing had begun, the collection ends with all data of the board.
cut_and_resume() {
	local name=$1
	shift
	forget_board
	through --first 1 "$@"
	collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name $name" --output "$OUT"
	[ "$status" -ne 0 ] || { discard "$OUT"; return 0; } # the cut lay behind its end
	[ "$status" -eq 4 ] || fail "cut by $*: ended with $status: $stderr"
	[ "$(grep -c error: <<<"$stderr")" -eq 1 ] || fail "cut by $*: not one error: $stderr"
	has "$stderr" "board '$BOARD_USER@127.0.0.1:"
	# a complete file has its final name: then only the board's answer to the goodbye was lost
	[ ! -e "$OUT/$name" ] || diff -r "$OUT/$name" "$HERE/JOBMADE"
	resume
	if [ ! -e "$OUT/$name" ]; then
		has "$stderr" "nothing to resume"
		discard "$BOARD_HOME/msprof/app/out/profiling"
		collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name $name" --output "$OUT"
		[ "$status" -eq 0 ] || fail "after a cut by $*: ended with $status: $stderr"
		diff -r "$OUT/$name" "$HERE/JOBMADE"
	fi
	diff -r "$OUT/$name" "$BOARD_HOME/msprof/app/out/profiling/$name" || fail "after a cut by $*"
	[ -z "$(find "$OUT" -name '.*' ! -name . ! -path "$OUT")" ] || fail "left beside the results: $(ls -A "$OUT")"
	board_is_clean
}

# random_cuts SERVER WAY COUNT SEED: cuts at random places of both directions
random_cuts() {
	local nth limit direction up down # run uses i
	start_server "$1" "$2"
	echo "seed $4"
	RANDOM=$4
	through
	collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
	[ "$status" -eq 0 ] || fail "uncut: $stderr $(cat "$SERVER/log")"
	diff -r "$OUT/JOBX" "$HERE/JOBMADE"
	up=$(moved up 1) down=$(moved down 1)
	for ((nth = 0; nth < $3; nth++)); do
		if ((RANDOM % 2)); then direction=up limit=$up; else direction=down limit=$down; fi
		# one in three in the conversation before the data
		((RANDOM % 3)) || limit=20000
		# shellcheck disable=SC2046 # nothing or one word
		cut_and_resume JOBX "--cut-$direction" $(((RANDOM * 32768 + RANDOM) % limit)) $( ((RANDOM % 2)) && echo --reset)
	done
}
