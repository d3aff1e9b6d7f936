# shellcheck shell=bash
# local.bash: collections on this machine, with a script as the board's program.

setup() {
	fresh_job
	HOME=$BATS_TEST_TMPDIR/home
	APP=$BATS_TEST_TMPDIR/app
	OUT=$BATS_TEST_TMPDIR/results
	PLACE=$HOME/msprof/app
	export HOME
	mkdir -p "$HOME" "$APP/out"
	cp "$HELPERS/fakeboard.sh" "$APP/out/main"
	echo weights >"$APP/model.om"
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	# nothing may remain; a leftover is a failure of the previous test, and must not outlive it
	for file in "$PLACE"/.msprof.group "$PLACE"/.msprof.pid; do
		if [ -s "$file" ]; then kill -KILL "-$(cat "$file")" || true; fi
	done
}

# quick_sleep: quick/sleep takes hardly any time, and writes the requested time into the file `slept`
quick_sleep() {
	mkdir quick
	printf '#!/bin/sh\necho "$1" >>"%s/slept"\nexec /bin/sleep 0.01\n' "$PWD" >quick/sleep
	chmod +x quick/sleep
}

collect() {
	local want=$1 words=$2
	shift 2
	expect "$want" collect --local --output "$OUT" -m "$APP/out/main $words" "$@"
}

the_job() {
	echo "$OUT"/JOB*
}

# Start a collection in the background, its pid in $collector: begin WORDS OPTION...
begin() {
	local words=$1
	shift
	rm -f "$BATS_TEST_TMPDIR/stdout" "$BATS_TEST_TMPDIR/stderr"
	"$MSPROF" collect --local --output "$OUT" -m "$APP/out/main $words" "$@" >"$BATS_TEST_TMPDIR/stdout" \
		2>"$BATS_TEST_TMPDIR/stderr" 3>&- &
	collector=$!
}

ends_with() {
	local status=0
	wait "$collector" || status=$?
	[ "$status" -eq "$1" ] || fail "ended with $status, not $1: $(cat "$BATS_TEST_TMPDIR/stderr")"
}

# Waits until a program that hangs has written its job and its process group is known.
until_running() {
	until_true test -s "$PLACE/.msprof.group"
	until_true grep -q "all is written" "$BATS_TEST_TMPDIR/stdout"
}

# The process group of the running program, according to the collector.
group() {
	cat "$PLACE/.msprof.group"
}

nothing_on_board() {
	local left
	left=$(find "$PLACE" -name '.msprof*' ! -name .msprof.source)
	[ -z "$left" ] || fail "left on the board: $left"
}

nothing_left() {
	nothing_on_board && [ ! -e "$OUT/.msprof.lock" ]
}
