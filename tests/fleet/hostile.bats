#!/usr/bin/env bats
# hostile.bats: `msprof publish` and false servers: an error soon, of bounded memory and bytes, without a control character, and nothing
# taken for stored.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	[ -x "$BUILD/msprof-publish" ] || skip 'msprof-publish is not there: make deps-fleet'
	fresh_job
	export MSPROF_CLICKHOUSE_PASSWORD=not-shown PGPASSWORD=not-shown
	SENT=$BATS_TEST_TMPDIR/sent SERVER='' HOST=127.0.0.1
}

teardown() {
	end_server
}

end_server() {
	[ -z "$SERVER" ] || kill "$SERVER" 2>/dev/null || true
	SERVER=
}

# misbehave MODE: start a server, as $SERVER, on $PORT.
misbehave() {
	end_server
	rm -f "$BATS_TEST_TMPDIR/port" "$SENT"*
	echo 0 >"$SENT"
	python3 "$ROOT/tests/fleet/hostile_server.py" "$1" "$SENT" >"$BATS_TEST_TMPDIR/port" 3>&- &
	SERVER=$!
	wait_until test -s "$BATS_TEST_TMPDIR/port"
	PORT=$(cat "$BATS_TEST_TMPDIR/port")
	PG=postgresql://fleet@$HOST:$PORT/fleet CH=clickhouse://fleet@$HOST:$PORT/fleet
}

# publish ARGUMENT...: with the largest resident set of its processes in $peak, in KiB.
publish() {
	run --separate-stderr timeout 120 python3 "$ROOT/tests/cross/peak.py" "$BATS_TEST_TMPDIR/peak" "$MSPROF" publish "$@"
	peak=$(cat "$BATS_TEST_TMPDIR/peak")
}

# refused WHAT STATUS WORDS: how `publish` ended; few bytes came, and less memory was used.
refused() {
	equal "$1: $status $stderr" "$1: $2 $stderr"
	has "$1: $stderr" 'msprof: error: ' "$3"
	lacks "$stderr$output" not-shown root: 'ended before its work was done'
	[[ $stderr != *[$'\e\x07\x9b']* ]] || fail "$1: a control character"
	[ "$(cat "$SENT")" -le "${MOST_BYTES:-50000000}" ] || fail "$1: the server sent $(cat "$SENT") bytes"
	[ -n "${ASAN_OPTIONS-}" ] || [ "$peak" -le 65536 ] || fail "$1: $peak KiB of memory"
}

@test "servers that talk nonsense, end or never end" {
	for mode in close garbage endless number text redirect half; do
		misbehave "$mode"
		for url in "$PG" "$CH"; do
			for what in -dir=$JOB --init --ask=slowest_ranks; do
				publish --to "$url" "$what"
				refused "$mode $url $what" 1 ''
			done
		done
	done
}

@test "PostgreSQL that sends without end, or too much" {
	while read -r mode words; do
		misbehave "pg-$mode"
		publish --to "$PG" --ask slowest_ranks
		refused "$mode" 1 "$words"
	done <<-'END'
		rows the version of the tables: an answer that PostgreSQL does not give
		cell a message that is no message, or longer than the memory
		error a message that is no message, or longer than the memory
		notices sends without end what nobody asked for
		notifications sends without end what nobody asked for
		results an answer that PostgreSQL does not give
		wide a row of the answer is too long
		escapes cannot read the version of the tables: PostgreSQL: ERROR:
		again an answer that PostgreSQL does not give
		copy an answer that PostgreSQL does not give
		nothing an answer that PostgreSQL does not give
	END
}

@test "PostgreSQL that is silent, or next to silent, at any time" {
	export MSPROF_MAX_SILENCE=2
	for mode in stall silent drip parameters; do
		misbehave "pg-$mode"
		MOST_BYTES=1000000000
		publish --to "$PG" --ask slowest_ranks
		[ "$mode" = parameters ] || refused "$mode" 1 'no answer, or next to none, for 2 s: set MSPROF_MAX_SILENCE to more'
		[ "$mode" != parameters ] || refused "$mode" 1 'cannot connect: '
	done
	misbehave pg-greedy
	publish --to "$PG" -dir "$JOB"
	refused greedy 1 'no answer, or next to none, for 2 s'
	has "$stderr" 'nothing of the job is stored'
	for value in x 0 -1 1.5 9999999; do
		MSPROF_MAX_SILENCE=$value publish --to "$PG" --ask slowest_ranks
		refused "$value" 1 "MSPROF_MAX_SILENCE: '$value' is not a whole number of seconds from 1 to 1000000"
	done
	misbehave pg-chatty
	publish --to "$PG" -dir "$JOB" --tasks
	refused chatty 1 'nothing of the job is stored'
}

@test "ClickHouse that sends without end, or something else" {
	export MSPROF_MAX_SILENCE=5
	while read -r mode words; do
		misbehave "$mode"
		publish --to "$CH" --ask slowest_ranks
		refused "$mode" 1 "$words"
	done <<-'END'
		headers the answer has more than 64 KiB of headers
		continue the answer has more than 64 KiB of headers
		trailers the answer has more than 64 KiB of headers
		chunks the answer is too long
		extension sends without end what nobody asked for
		refusal ClickHouse: Code: 7
		login ClickHouse: who?
		json an answer that ClickHouse does not give
		ch-line a row of the answer is too long
		ch-columns an answer of more than 64 columns
		silent no answer, or next to none, for 5 s
		drip no answer, or next to none, for 5 s
	END
}

@test "an answer without end: what is too much is said, and the limit can be set" {
	for mode in pg-answer ch-answer; do
		misbehave "$mode"
		[ "$mode" = pg-answer ] || PG=$CH
		MSPROF_MAX_OUTPUT=5 publish --to "$PG" --ask slowest_ranks --format csv
		refused "$mode" 1 'an answer of more than 5 MiB: ask for less with --set, or set MSPROF_MAX_OUTPUT to more'
		misbehave "$mode"
		[ "$mode" = pg-answer ] || PG=$CH
		MOST_BYTES=150000000
		publish --to "$PG" --ask slowest_ranks --format csv
		refused "$mode" 1 'an answer of more than 64 MiB'
	done
}

@test "a redirect to another server is not followed, and carries no password there" {
	python3 -c 'import http.server; s = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
print(s.server_address[1], flush=True); s.serve_forever()' >"$BATS_TEST_TMPDIR/away" 2>"$BATS_TEST_TMPDIR/visits" 3>&- &
	away=$!
	wait_until test -s "$BATS_TEST_TMPDIR/away"
	HOSTILE_AWAY=http://127.0.0.1:$(cat "$BATS_TEST_TMPDIR/away")/
	export HOSTILE_AWAY
	misbehave away
	publish --to "$CH" --ask slowest_ranks
	kill "$away"
	refused away 1 'the server answers with the status 307'
	equal "$(cat "$BATS_TEST_TMPDIR/visits")" ''
}

@test "titles and numbers that are none are texts, and memory that is short is an error" {
	misbehave pg-odd
	publish --to "$PG" --ask slowest_ranks --format csv
	equal "$status" 0
	lacks "$output" $'\e'
	has "$output" $'\nnan\n' $'\n1e999\n' $'\n0x1p3\n' $'\n1e\n'
	lacks "$output" inf
	[ -z "${ASAN_OPTIONS-}${TSAN_OPTIONS-}" ] || skip "sanitizers take memory of their own"
	misbehave pg-wide
	MSPROF_MAX_MEMORY=4 publish --to "$PG" --ask slowest_ranks
	refused 'pg-wide in 4 MiB' 1 'longer than the memory that MSPROF_MAX_MEMORY allows'
}

@test "notices behind the login are not printed" {
	misbehave pg-greeting
	publish --to "$PG" --ask slowest_ranks
	lacks "$stderr" hello NOTICE
}

@test "a password never goes to another machine in clear, unless the URL says so" {
	HOST=127.1 # no name of this machine, though it leads here
	for mode in pg-clear pg-stuffed; do
		misbehave "$mode"
		publish --to "$PG" --ask slowest_ranks
		refused "$mode" 1 'sslmode=prefer in the URL lets passwords and rows cross the network in clear'
		[ ! -e "$SENT.secret" ] || fail "$mode: the password was sent"
		for url in "$PG?sslmode=prefer" "$PG?sslmode=disable" "postgresql://fleet@localhost:$PORT/fleet"; do
			[ "$mode ${url##*=}" != 'pg-stuffed disable' ] || continue
			rm -f "$SENT.secret"
			publish --to "$url" --ask slowest_ranks
			has "$(tr -d '\0' <"$SENT.secret")" not-shown
		done
	done
	misbehave text
	publish --to "$CH" --ask slowest_ranks
	refused clickhouse 1 'the password would cross the network in clear: say secure=1 in the URL, for HTTPS, or secure=0 if it may'
	[ ! -e "$SENT.secret" ] || fail 'the password was sent'
	for url in "$CH?secure=0" "clickhouse://fleet@localhost:$PORT/fleet"; do
		rm -f "$SENT.secret"
		publish --to "$url" --ask slowest_ranks
		has "$(tr -d '\0' <"$SENT.secret")" not-shown
	done
	# without a password there is nothing to lose
	unset MSPROF_CLICKHOUSE_PASSWORD
	publish --to "$CH" --ask slowest_ranks
	lacks "$stderr" 'in clear'
}
