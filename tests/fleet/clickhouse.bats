#!/usr/bin/env bats
# clickhouse.bats: `msprof publish` into two real shards of ClickHouse.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup_file() {
	load helpers
	has_clickhouse || return 0
	chmod 0711 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	clickhouse_start "$BATS_FILE_TMPDIR/ch" 2
	servers_note >"$BATS_FILE_TMPDIR/servers"
	"$MSPROF" publish --to "$CH_URL" --init
	fleet_data 5 1500000
}

teardown_file() {
	load helpers
	[ -e "$BATS_FILE_TMPDIR/servers" ] || return 0
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
	servers_end "${CH_PIDS[@]}"
}

setup() {
	has_clickhouse || skip 'ClickHouse or msprof-publish is not there: make deps-fleet'
	fleet_test
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
}

# Rows that users see, of all tables.
amounts() {
	ch "SELECT (SELECT count() FROM job), (SELECT count() FROM task), (SELECT count() FROM word), (SELECT count() FROM step), (SELECT count() FROM operator),
		(SELECT count() FROM communication), (SELECT count() FROM link)"
}

@test "tables that are not there, and a wrong password: an error without the password" {
	refused_at "clickhouse://fleet@127.0.0.1:${CH_HTTP[0]}/empty" clickhouse://fleet@127.0.0.1:1/fleet '127.0.0.1:1: '
	MSPROF_CLICKHOUSE_PASSWORD=wrong-secret expect 1 publish --to "$CH_URL" -dir "$TOP"
	has "$stderr" 'ClickHouse: Code: '
	lacks "$stderr" wrong-secret
}

@test "a job published twice is there once, on one shard, and the rows are those of the database" {
	expect 0 publish --to "$CH_URL" -dir "$TOP" --tasks
	has "$stderr" 'published 6 of 6 jobs'
	first=$(amounts)
	# the order of the hosts does not matter to jobs that are there
	turned="clickhouse://fleet@127.0.0.1:${CH_HTTP[1]},127.0.0.1:${CH_HTTP[0]}/fleet?cluster=fleet"
	expect 0 publish --to "$turned" -dir "$TOP" --tasks -j 4
	equal "$(amounts)" "$first"
	for shard in 0 1; do [ "$(ch 'SELECT count() FROM job_current' $shard)" -gt 0 ]; done
	for job in "$TOP"/*; do
		ch "SELECT device_id, stream_id, task_id, n, y, k, start_ns, dur_ns FROM
			(SELECT job, device_id, stream_id, task_id, start_ns, dur_ns, name, type, kind, n, y FROM
			(SELECT job, device_id, stream_id, task_id, start_ns, dur_ns, name, type, kind, n FROM
			(SELECT * FROM task WHERE job IN (SELECT job FROM fleet.job_current WHERE name = '${job##*/}')) ANY LEFT JOIN
			(SELECT job, word AS name, text AS n FROM word) USING (job, name)) ANY LEFT JOIN
			(SELECT job, word AS type, text AS y FROM word) USING (job, type)) ANY LEFT JOIN
			(SELECT job, word AS kind, text AS k FROM word) USING (job, kind)" 0 | sed 's/\\N//g' | LC_ALL=C sort >"$BATS_TEST_TMPDIR/there"
		[ -s "$BATS_TEST_TMPDIR/there" ]
		diff "$BATS_TEST_TMPDIR/there" <(stored_tasks "$job")
	done
	# without --tasks the job replaces itself, too
	expect 0 publish --to "$CH_URL" -dir "$TOP"
	equal "$(ch 'SELECT count(), (SELECT count() FROM job) FROM task')" $'0\t6'
	# rows of replaced loads go in the background
	wait_until nothing_hidden
}

# What the shards have is what users see.
nothing_hidden() {
	[ "$(($(ch 'SELECT count() FROM task_shard' 0) + $(ch 'SELECT count() FROM task_shard' 1)))" = "$(ch 'SELECT count() FROM task')" ]
}

@test "a publisher that is killed in the middle of a load leaves the earlier load" {
	killed_while inserting "$CH_URL"
}

inserting() {
	{ ch 'SELECT query FROM system.processes' 0 && ch 'SELECT query FROM system.processes' 1; } | grep -q 'INSERT INTO fleet.task_shard'
}

@test "a shard that is killed in the middle of a load: an error; then the earlier load is there, and publishing works again" {
	first=$(amounts)
	"$MSPROF" publish --to "$CH_URL" -dir "$LARGE" --tasks 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	pid=$!
	wait_until inserting
	kill -KILL "${CH_PIDS[@]}"
	! wait "$pid" || fail 'the publisher did not notice'
	has "$(cat "$BATS_TEST_TMPDIR/err")" 'nothing of the job is stored' 'published 0 of 1 jobs'
	for shard in 0 1; do
		clickhouse_run "$BATS_FILE_TMPDIR/ch.$shard" $shard
	done
	servers_note >"$BATS_FILE_TMPDIR/servers"
	equal "$(amounts)" "$first"
	expect 0 publish --to "$CH_URL" -dir "$LARGE" --tasks
	equal "$(amounts)" "$first"
}

@test "rows of loads that were cut are removed a day later by --init, and no others" {
	expect 0 publish --to "$CH_URL" -dir "$TOP"
	first=$(amounts)
	# so many that their numbers are longer than an address may be
	ch "INSERT INTO step_shard (job, load, number, start_ns, span_ns, computing_ns, aicpu_ns, communication_ns, idle_ns)
		SELECT toInt64(number) + 1000000000, 8, 1, 1, 1, 1, 0, 0, 0 FROM system.numbers LIMIT 3000"
	equal "$(amounts)" "$first"
	expect 0 publish --to "$CH_URL" --init
	wait_until swept
	equal "$(amounts)" "$first"
}

swept() { [ "$(ch 'SELECT count() FROM step_shard WHERE load = 8')" = 0 ]; }

@test "a single server needs no cluster" {
	url=clickhouse://fleet@127.0.0.1:${CH_HTTP[0]}/single
	expect 0 publish --to "$url" --init -dir "$TOP" --tasks
	expect 0 publish --to "$url" -dir "$TOP" --tasks
	equal "$(ch 'SELECT count(), (SELECT count() FROM single.step) FROM single.job')" $'6\t7'
}

@test "a load from the future, which would hide later ones, is an error" {
	url=clickhouse://fleet@127.0.0.1:${CH_HTTP[0]}/future
	expect 0 publish --to "$url" --init -dir "$LARGE"
	ch "INSERT INTO future.job_shard (job, load, run, name, family, devices, damaged) SELECT job, 4102444800000000000, run, name, family, devices, damaged FROM future.job_shard"
	expect 1 publish --to "$url" -dir "$LARGE"
	has "$stderr" "'$LARGE': a job was loaded in the future: correct the clock, or remove the rows of future.job_shard"
}

@test "hostile names of jobs arrive as they are, or visibly changed" {
	hostile_name "$CH_URL" "it's {a} \\N run"
}

@test "every question is answered, and the slowest ranks are those that Python finds" {
	all_answered "$CH_URL" steps_there
}

steps_there() {
	ch "SELECT run, name, computing_ns + aicpu_ns AS own FROM (SELECT job, run, name FROM job) ALL INNER JOIN (SELECT * FROM step) USING (job) FORMAT JSON" | jq .data
}

@test "the questions find a late rank, a link that became slow, and the jobs that regressed" {
	planted_fleet
	answers_are_planted "$CH_URL"
	labelled "$CH_URL"
	wait_until none_lost
}

left_of() { ch "SELECT count() FROM job WHERE $1"; }
none_lost() { [ "$(ch 'SELECT count() FROM step_shard WHERE (job, load) NOT IN (SELECT job, load FROM job_shard)' 0)" = 0 ]; }

# The load becomes one of 401 days ago: of both rows the older one goes.
made_old() {
	local shard
	for shard in 0 1; do
		ch "ALTER TABLE job_shard UPDATE published = published - 401 * 86400 WHERE run = 'new'" $shard
	done
	wait_until now_old
}
now_old() { [ "$(ch "SELECT count() FROM job WHERE run = 'new' AND published > now() - 86400")" = 0 ]; }

@test "tables of the first version become those of this one, with what steps add up to" {
	sed 's/{database}/older/g; s/{over \([a-z_]*\)}/Merge(older, '"'^\\1\$'"')/' "$ROOT/schema/fleet/clickhouse/1.sql" | grep -v '^--' >"$BATS_TEST_TMPDIR/1.sql"
	while IFS= read -r -d ';' statement; do ch "$statement"; done <"$BATS_TEST_TMPDIR/1.sql"
	ch "INSERT INTO older.job_shard (job, load, run, name, family, devices, damaged) SELECT toInt64(number) + 1, 5, 'run', toString(number), 'prof', 1, 0
		FROM system.numbers LIMIT 3"
	ch "INSERT INTO older.step_shard (job, load, number, start_ns, span_ns, computing_ns, aicpu_ns, communication_ns, idle_ns)
		SELECT n, 5, s, 0, 100 * n + s, 10 * n + s, 7, 2, 3 FROM (SELECT n, arrayJoin([1, 2, 3, 4]) AS s FROM (SELECT toInt64(number) + 1 AS n FROM system.numbers LIMIT 2))"
	url=clickhouse://fleet@127.0.0.1:${CH_HTTP[0]}/older
	expect 1 publish --to "$url" -dir "$TOP"
	has "$stderr" 'the tables are of an older msprof'
	for _ in 1 2; do # every statement may be repeated
		expect 0 publish --to "$url" --init
		equal "$(ch 'SELECT job, steps, span_ns, own_ns, communication_ns, idle_ns FROM older.job_time ORDER BY job')" \
			$'1\t4\t410\t78\t8\t12\n2\t4\t810\t118\t8\t12\n3\t0\t0\t0\t0\t0'
		ch 'ALTER TABLE older.schema_version DELETE WHERE version = 2'
		wait_until older_again
	done
}

older_again() { [ "$(ch 'SELECT max(version) FROM older.schema_version')" = 1 ]; }
