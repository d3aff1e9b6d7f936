#!/usr/bin/env bats
# faults.bats: `msprof publish` where memory is short, or a call of the system fails, in the reader or in msprof-publish, from each
# place: a message, or everything is stored.

load helpers
load ../fault/sites

setup_file() {
	load helpers
	has_postgresql && has_clickhouse || return 0
	[ -z "${ASAN_OPTIONS-}" ] || skip_file "the sanitizer brings its own allocator" || return 0
	sites_setup
	chmod 0711 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	postgresql_start "$BATS_FILE_TMPDIR/pg"
	export PG_PORT PG_URL
	clickhouse_start "$BATS_FILE_TMPDIR/ch" 1
	{
		declare -p PG_PID
		servers_note
	} >"$BATS_FILE_TMPDIR/servers"
	"$MSPROF" publish --to "$PG_URL" --init
	"$MSPROF" publish --to "$CH_URL" --init
	cd "$BATS_FILE_TMPDIR" || return
	mkdir run
	"$BUILD/tests/genprof" --out run/PROF_1 --tasks 60 --samples >/dev/null
	"$MSPROF" import -q -dir run/PROF_1
}

teardown_file() {
	load helpers
	[ -e "$BATS_FILE_TMPDIR/servers" ] || return 0
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
	servers_end "$PG_PID" "${CH_PIDS[@]}"
}

setup() {
	skip_skipped
	{ has_postgresql && has_clickhouse; } || skip 'a server or msprof-publish is not there: make deps-fleet'
	cd "$BATS_FILE_TMPDIR" || return
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
	export PROGRAM
	PUBLISHED=(publish -dir . --tasks -j 1)
}

@test "a load, with failures in each of both programs" {
	for PROGRAM in msprof msprof-publish; do
		each_site run "${PUBLISHED[@]}" --to "$PG_URL"
		each_site run "${PUBLISHED[@]}" --to "$CH_URL"
	done
}

@test "tables that are made, and questions" {
	for PROGRAM in msprof msprof-publish; do
		for url in "$PG_URL" "$CH_URL"; do
			each_site run publish --to "$url" --init
			each_site run publish --to "$url" --ask slowest_ranks --format json
			each_site run publish --to "$url" --ask regressed_jobs
		done
	done
}
