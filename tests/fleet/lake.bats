#!/usr/bin/env bats
# lake.bats: `msprof publish --to file:///DIR`: DuckDB and a current ClickHouse, as packages of npm, read what a database would be sent.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load ../fault/sites

TABLES=(job step operator communication link job_label task word)

# The packages: `make deps-lake`.
MSPROF_NODE=${MSPROF_NODE:-$BUILD/node}
export MSPROF_NODE

setup() {
	mkdir "$BATS_TEST_TMPDIR/bin"
	cp "$MSPROF" "$BATS_TEST_TMPDIR/bin"
	ln -s "$HELPERS/fleet_loader.py" "$BATS_TEST_TMPDIR/bin/msprof-publish"
	LAKE="$BATS_TEST_TMPDIR/a lake's"
}

# The rows that a database is sent of the directories, as FLEET_ROWS.
send() {
	export FLEET_ROWS=$BATS_TEST_TMPDIR/rows.json
	: >"$FLEET_ROWS"
	MSPROF=$BATS_TEST_TMPDIR/bin/msprof expect 0 publish --to postgresql://u@127.0.0.1:1/d -dir . --tasks --label "model=it's \"a\""
}

# Both engines read what was sent.
both_read() {
	local engine
	for engine in duckdb clickhouse; do
		node "$ROOT/tests/fleet/engines.mjs" "$engine" "$LAKE" "${TABLES[@]}" >"$BATS_TEST_TMPDIR/$engine.json"
		python3 "$HELPERS/lake_rows.py" "$FLEET_ROWS" "$LAKE" "$BATS_TEST_TMPDIR/$engine.json"
	done
}

@test "rows and types of both engines are those that a database is sent, and tasks those of SQLite" {
	[ -d "$MSPROF_NODE/node_modules/@duckdb/node-api" ] || skip 'DuckDB and chDB are not there: make deps-lake'
	planted_fleet
	name=$'PROF_\'"\t\\ \xff;--'
	mv one/PROF_1000 "one/$name"
	cp -r "$ROOT"/tests/data/JOB* two
	send
	expect 1 publish --to "file://${LAKE// /%20}" -dir .
	expect 0 publish --to "file://${LAKE// /%20}" --init -dir . --tasks --label "model=it's \"a\"" -j 3
	has "$stderr" 'published 9 of 9 jobs'
	both_read
	for job in one/* two/*; do
		sqlite3 "$job/sqlite/msprof.db" 'SELECT dur_ns FROM tasks'
	done | sort >"$BATS_TEST_TMPDIR/stored"
	[ -s "$BATS_TEST_TMPDIR/stored" ]
	for engine in duckdb clickhouse; do
		jq -r '.task.rows[].dur_ns // ""' "$BATS_TEST_TMPDIR/$engine.json" | sort | diff "$BATS_TEST_TMPDIR/stored" -
	done
	# a later load takes the place of the first, also beside what a cut one left
	mkdir kept
	cp -r "$LAKE"/step/day=20* kept
	expect 0 publish --to "file://${LAKE// /%20}" -dir . --tasks --label "model=it's \"a\""
	equal "$(find "$LAKE" -name '*.gz' | sed 's/-[0-9]*.ndjson.gz//' | sort | uniq -d)" ''
	cp -r kept/* "$LAKE/step"
	both_read
}

@test "a call that fails, at each place of the program: the lake has the earlier load or the new one, whole" {
	sites_setup
	cd "$BATS_TEST_TMPDIR" || return
	mkdir run
	"$BUILD/tests/genprof" --out run/PROF_1 --tasks 60 --samples >/dev/null
	"$MSPROF" import -q -dir run/PROF_1
	pushd run >/dev/null
	send
	popd >/dev/null
	expect 0 publish --to "file://${LAKE// /%20}" --init -dir run --tasks --label "model=it's \"a\""
	each_site run publish -dir . --tasks -j 1 --run run --to "file://${LAKE// /%20}" --label "model=it's \"a\""
	python3 "$HELPERS/lake_rows.py" "$FLEET_ROWS" "$LAKE"
	expect 0 publish --to "file://${LAKE// /%20}" --init -dir run --tasks --label "model=it's \"a\""
	python3 "$HELPERS/lake_rows.py" "$FLEET_ROWS" "$LAKE"
}
