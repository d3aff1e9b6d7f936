#!/usr/bin/env bats
# hostile.bats: `msprof publish` and false servers: an error soon, without a control character, and nothing taken for stored.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	[ -x "$BUILD/msprof-publish" ] || skip 'msprof-publish is not there: make deps-fleet'
	fresh_job
	export MSPROF_CLICKHOUSE_PASSWORD=not-shown PGPASSWORD=not-shown
}

teardown() {
	[ -z "${SERVER:-}" ] || kill "$SERVER" 2>/dev/null || true
}

# misbehave MODE: start a server, as $SERVER, on $PORT.
misbehave() {
	rm -f "$BATS_TEST_TMPDIR/port"
	python3 "$ROOT/tests/fleet/hostile_server.py" "$1" >"$BATS_TEST_TMPDIR/port" 3>&- &
	SERVER=$!
	wait_until test -s "$BATS_TEST_TMPDIR/port"
	PORT=$(cat "$BATS_TEST_TMPDIR/port")
}

@test "servers that talk nonsense, end or never end" {
	for mode in close garbage endless number text redirect half; do
		misbehave "$mode"
		for url in "clickhouse://fleet@127.0.0.1:$PORT/fleet" "postgresql://fleet@127.0.0.1:$PORT/fleet"; do
			for what in -dir=$JOB --init --ask=slowest_ranks; do
				MSPROF_MAX_MEMORY=256 run --separate-stderr timeout 20 "$MSPROF" publish --to "$url" "$what"
				[ "$status" -eq 1 ] || fail "$mode $url $what ended with $status: $stderr"
				has "$stderr" 'msprof: error: '
				lacks "$stderr$output" not-shown root: 'ended before its work was done'
				[[ $stderr != *[$'\e\x07\x9b']* ]] || fail "$mode: a control character"
			done
		done
		kill "$SERVER"
	done
}

@test "answers with more columns than their titles, or than there may be, without columns or of another kind are errors" {
	misbehave wide
	expect 1 publish --to "clickhouse://fleet@127.0.0.1:$PORT/fleet" --ask slowest_ranks
	has "$stderr" 'an answer of more than 64 columns'
	kill "$SERVER"
	misbehave again
	expect 1 publish --to "postgresql://fleet@127.0.0.1:$PORT/fleet" --ask slowest_ranks
	has "$stderr" 'an answer that PostgreSQL does not give'
	for mode in copy nothing; do
		kill "$SERVER"
		misbehave "$mode"
		run --separate-stderr timeout 20 "$MSPROF" publish --to "postgresql://fleet@127.0.0.1:$PORT/fleet" --ask slowest_ranks
		equal "$mode $status" "$mode 1"
		has "$stderr" PostgreSQL
	done
}
