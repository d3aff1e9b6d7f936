#!/usr/bin/env bats
# current.bats: `msprof publish` into a current ClickHouse, which is a package of npm (chDB), beside the oldest one: both give the same answers.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

MSPROF_NODE=${MSPROF_NODE:-$BUILD/node}
export MSPROF_NODE

setup_file() {
	load helpers
	has_clickhouse && [ -d "$MSPROF_NODE/node_modules/chdb" ] || return 0
	chmod 0711 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	clickhouse_start "$BATS_FILE_TMPDIR/ch" 1
	servers_note >"$BATS_FILE_TMPDIR/servers"
	mkdir "$BATS_FILE_TMPDIR/chdb"
	free_ports 1 >"$BATS_FILE_TMPDIR/port"
	chdb_run
}

# Start the current server, whose files stay.
chdb_run() {
	node "$ROOT/tests/fleet/chdb.mjs" "$(cat "$BATS_FILE_TMPDIR/port")" "$BATS_FILE_TMPDIR/chdb" >>"$BATS_FILE_TMPDIR/chdb.log" 2>&1 </dev/null 3>&- &
	echo $! >"$BATS_FILE_TMPDIR/chdb.pid"
	wait_until curl -sf "http://127.0.0.1:$(cat "$BATS_FILE_TMPDIR/port")/ping"
}

teardown_file() {
	load helpers
	[ -e "$BATS_FILE_TMPDIR/servers" ] || return 0
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
	servers_end "${CH_PIDS[@]}" "$(cat "$BATS_FILE_TMPDIR/chdb.pid")"
}

setup() {
	[ -e "$BATS_FILE_TMPDIR/servers" ] || skip 'ClickHouse, msprof-publish or chDB is not there: make deps-fleet deps-lake'
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
	OLD=clickhouse://fleet@127.0.0.1:${CH_HTTP[0]}/fleet
	NEW=clickhouse://fleet@127.0.0.1:$(cat "$BATS_FILE_TMPDIR/port")/fleet
}

# new SQL: unaligned rows of the current server.
new() { curl -sSf --data-binary "$1" "http://127.0.0.1:$(cat "$BATS_FILE_TMPDIR/port")/?database=fleet"; }

@test "loads, questions and views of both versions are the same; a job that is published again replaces itself" {
	planted_fleet
	for url in "$OLD" "$NEW"; do
		expect 0 publish --to "$url" --init -dir . --tasks --label model=m
		expect 0 publish --to "$url" -dir . --tasks --label model=m -j 3
		expect 0 publish --to "$url" --init
	done
	[ "$(new 'SELECT toInt32(splitByChar('"'.'"', version())[1]) >= 24')" = 1 ]
	for question in "$ROOT"/schema/fleet/ask/*.sql; do
		question=$(basename "$question" .sql) drivers=()
		[ "$question" != operator_between_drivers ] || drivers=(--set base=6.0 --set new=6.1)
		expect 0 publish --to "$OLD" --ask "$question" "${drivers[@]}" --format csv
		old=$output
		[ "$(wc -l <<<"$old")" -gt 1 ]
		expect 0 publish --to "$NEW" --ask "$question" "${drivers[@]}" --format csv
		equal "$output" "$old"
	done
	for table in job task word step operator link communication pace job_label; do
		sql="SELECT count(), uniq(job) FROM $table"
		equal "$(new "$sql")" "$(ch "$sql")"
	done
	for view in step_daily host_health; do
		sql="SELECT * FROM $view ORDER BY 1, 2 FORMAT TSV"
		ch "$sql" >"$BATS_TEST_TMPDIR/old" && new "$sql" >"$BATS_TEST_TMPDIR/new"
		python3 "$ROOT/tests/fleet/panels.py" same "$BATS_TEST_TMPDIR"/{old,new}
	done
	expect 0 publish --to "$NEW" --forget one
	has "$stderr" 'removed 4 jobs'
	equal "$(new 'SELECT DISTINCT run FROM job')" two
	expect 0 publish --to "$NEW" --keep 30
	equal "$(new "SELECT count() FROM system.tables WHERE database = 'fleet' AND create_table_query LIKE '%toIntervalDay(30)%'")" 9
	equal "$(new 'SELECT count() FROM job')" 4
}

@test "a server that is killed in the middle: an error; then the earlier load is there, and publishing works again" {
	mkdir "$BATS_TEST_TMPDIR/top"
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/top/PROF_1" --tasks 400000 >/dev/null
	expect 0 publish --to "$NEW" -dir "$BATS_TEST_TMPDIR/top"
	"$MSPROF" publish --to "$NEW" -dir "$BATS_TEST_TMPDIR/top" --tasks 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	pid=$!
	sleep 0.3
	kill -KILL "$(cat "$BATS_FILE_TMPDIR/chdb.pid")"
	! wait "$pid" || fail 'the publisher did not notice'
	has "$(cat "$BATS_TEST_TMPDIR/err")" 'error: '
	chdb_run
	equal "$(new "SELECT count(), (SELECT count() FROM task WHERE job IN (SELECT job FROM job WHERE run = 'top')) FROM job WHERE run = 'top'")" $'1\t0'
	expect 0 publish --to "$NEW" -dir "$BATS_TEST_TMPDIR/top" --tasks
	equal "$(new "SELECT count() FROM task WHERE job IN (SELECT job FROM job WHERE run = 'top')")" 400000
}
