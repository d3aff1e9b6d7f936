# shellcheck shell=bash
# lying.bash: a matrix of collections: each conversation with a board × each way in which the board lies in it. Over cuts.bash.

# Enough for a collection, and far from what a flood would take.
LYING_LIMIT='ulimit -d 300000;'
[ -z "${MSPROF_EMULATED:-}" ] || LYING_LIMIT=
[ -z "${ASAN_OPTIONS-}" ] || LYING_LIMIT=

# A server on which the key of a cell leads to lying_board.sh.
lying_setup() {
	umask 0027
	start_server openssh "${1:-tar}"
	CELLS=$BOARD_USERS/cells # a plain path
	mkdir "$CELLS"
	cp "$HELPERS/lying_board.sh" "$CELLS/front"
	chmod o+rx "$CELLS" "$CELLS/front"
	printf '#!/bin/sh\nexit 32\n' >"$BATS_TEST_TMPDIR/bin/mount" # so that unmount.sh is needed, too
	chmod 755 "$BATS_TEST_TMPDIR/bin/mount"
}

# The names of all scripts that boards run.
board_scripts() {
	local file
	for file in "$ROOT"/lib/board/*/*.sh; do basename "$file" .sh; done
}

# words_of NAME CELL: how a single command, or the end of a script, looks in the command line that the server gets
words_of() {
	local words='no such words' end='no such end'
	case $1 in
	fetch) words='exec xargs -0 tar cf -' ;;
	send) words='exec tar xpof -' ;;
	remove) words='exec rm '"-rf -- " ;;
	sftp) words='umask 027; exec ' ;;
	*)
		end=$(sed -e '/^[[:blank:]]*#/d' -e '/^[[:blank:]]*$/d' -e 's/^[[:blank:]]*//' -e "s/'/'\\\\''/g" \
			"$ROOT"/lib/board/*/"$1.sh")$'\n'"'"
		;;
	esac
	echo "$words" >"$2/words"
	echo "$end" >"$2/end"
}

# options_of NAME: what a collection needs for that conversation to come about
options_of() {
	case $1 in
	*mount*) echo "--mount $CELLS/served" ;;
	*stats) echo --board-stats ;;
	remove) echo --clean ;;
	run_program) echo --timeout 1 ;;
	esac
}

# make_cell NAME ATTACK: sets $cell
make_cell() {
	cell=$CELLS/${1}_$2
	mkdir -p "$cell/home" "$CELLS/served"
	words_of "$1" "$cell"
	echo "$2" >"$cell/attack"
	ssh-keygen -q -t ed25519 -N '' -f "$cell/key"
	printf 'command="%s %s" %s\n' "$CELLS/front" "$cell" "$(cat "$cell/key.pub")" >>"$SERVER/authorized_keys"
	printf '[ssh_config]\nip = 127.0.0.1\nusername = %s\nport = %s\nkey = %s\nhost_key = %s\ntimeout = 10\n' "$BOARD_USER" \
		"$SERVER_PORT" "$cell/key" "$(fingerprint)" >"$cell/board.ini"
	chmod 600 "$cell/board.ini"
	chmod o+rx "$cell"
	chmod o+r "$cell/words" "$cell/end" "$cell/attack"
	give_board "$cell" "$cell/home"
	cp -r "$HERE/app" "$cell/app"
}

# collect_cell CELL OPTION...: its exit status goes to CELL/status
collect_cell() {
	local cell=$1 status=0
	shift
	bash -c "$LYING_LIMIT"' exec timeout 200 "$@"' sh "$MSPROF" collect --config "$cell/board.ini" \
		-m "$cell/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$cell/out" "$@" \
		>/dev/null 2>"$cell/stderr" 3>&- </dev/null || status=$?
	echo "$status" >"$cell/status"
}

# judge_cell CELL: the board lied, and the collection ended by itself, with a bounded message and without half a JOB
judge_cell() {
	local cell=$1 name=${1##*/} status
	status=$(cat "$cell/status")
	[ -e "$cell/reached" ] || { echo "$name: never came to lie: $(tail -n 3 "$cell/stderr")"; return; }
	[ "$status" -lt 124 ] || [ "$status" -eq 130 ] || echo "$name: ended with $status: $(tail -n 3 "$cell/stderr")"
	[ "$(head -c 20000 "$cell/stderr" | wc -c)" -lt 20000 ] || echo "$name: $(wc -c <"$cell/stderr") bytes of messages"
	[ "$(grep -c error: "$cell/stderr")" -le 2 ] || echo "$name: more than two errors: $(grep error: "$cell/stderr")"
	! grep -E ': *$|Sanitizer|runtime error' "$cell/stderr" || echo "$name: a sentence without an end"
	[ ! -e "$cell/out/JOBX" ] || diff -r -x board_stats.txt "$cell/out/JOBX" "$HERE/JOBMADE" || echo "$name: half a JOB"
	if [ "$status" -eq 0 ]; then
		[ -e "$cell/out/JOBX" ] || echo "$name: exit 0 without a JOB"
		case $name in
		*stats_* | *mount*) grep -q warning: "$cell/stderr" || echo "$name: nothing was said: $(cat "$cell/stderr")" ;;
		esac
	elif ! grep -qE "error: .*(board '|'main' failed|Failed to generate JOB)|: interrupted|left at once" "$cell/stderr"; then
		echo "$name: the board is not named: $(cat "$cell/stderr")"
	fi
}

# play [-i] ATTACK NAME...: one column of the matrix, several cells at a time; -i: interrupted
play() {
	local how=collect_cell attack name cell bad running=0
	[ "$1" != -i ] || { how=interrupt_cell && shift; }
	attack=$1
	shift
	for name; do
		make_cell "$name" "$attack"
		# shellcheck disable=SC2046 # words
		$how "$cell" $(options_of "$name") &
		running=$((running + 1))
		[ $((running % 9)) -ne 0 ] || wait_cells
	done
	wait_cells
	bad=$(for name; do judge_cell "$CELLS/${name}_$attack"; done)
	[ -z "$bad" ] || fail "$bad"
}

# interrupt_cell CELL OPTION...: once the board has stalled, two interrupts end the collection, long before its budget would
interrupt_cell() {
	local cell=$1 pid
	collect_cell "$@" &
	until_true test -e "$cell/reached" || return 0
	pid=$(pgrep -f "^$MSPROF collect --config $cell/board.ini") || return 0
	kill -INT "$pid"
	sleep 1
	kill -INT "$pid" 2>/dev/null || true
	wait
}

# Wait for what this shell has started, but not for the proxy of a test.
wait_cells() {
	local pid
	for pid in $(jobs -p); do [ "$pid" = "${proxy-}" ] || wait "$pid" || true; done
}
