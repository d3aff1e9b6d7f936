#!/usr/bin/env bats
# postgresql.bats: `msprof publish` into a real PostgreSQL.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup_file() {
	load helpers
	has_postgresql || return 0
	chmod 0711 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	postgresql_start "$BATS_FILE_TMPDIR/pg"
	echo "$PG_PID" >"$BATS_FILE_TMPDIR/pid"
	export PG_PORT PG_URL
	"$MSPROF" publish --to "$PG_URL" --init
	fleet_data 3 600000
}

teardown_file() {
	load helpers
	[ ! -e "$BATS_FILE_TMPDIR/pid" ] || servers_end "$(cat "$BATS_FILE_TMPDIR/pid")"
}

setup() {
	has_postgresql || skip 'PostgreSQL or msprof-publish is not there: make deps-fleet'
	fleet_test
	PG_PID=$(cat "$BATS_FILE_TMPDIR/pid")
}

# Rows of all tables of a job.
amounts() {
	pg "SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM task), (SELECT count(*) FROM word), (SELECT count(*) FROM step), (SELECT count(*) FROM operator),
		(SELECT count(*) FROM communication), (SELECT count(*) FROM link)"
}

@test "tables that are not there, and a wrong password: an error without the password" {
	"$(postgresql_bin)/createdb" -h 127.0.0.1 -p "$PG_PORT" -U fleet empty
	refused_at "postgresql://fleet@127.0.0.1:$PG_PORT/empty" postgresql://fleet@127.0.0.1:1/fleet 'cannot connect'
	PGPASSWORD=wrong-secret expect 1 publish --to "$PG_URL" -dir "$TOP"
	has "$stderr" 'cannot connect'
	lacks "$stderr" wrong-secret
}

@test "a job published twice is there once, and the rows are those of the database" {
	expect 0 publish --to "$PG_URL" -dir "$TOP" --tasks
	has "$stderr" 'published 4 of 4 jobs'
	first=$(amounts)
	expect 0 publish --to "$PG_URL" -dir "$TOP" --tasks -j 3
	equal "$(amounts)" "$first"
	for job in "$TOP"/*; do
		pg "SELECT concat_ws(E'\t', coalesce(device_id::text, ''), coalesce(stream_id::text, ''), coalesce(task_id::text, ''), coalesce(t.name, ''), coalesce(type, ''),
			coalesce(kind, ''), coalesce(start_ns::text, ''), coalesce(dur_ns::text, '')) FROM named_task t JOIN job j USING (job)
			WHERE j.name = '${job##*/}'" | LC_ALL=C sort >"$BATS_TEST_TMPDIR/there"
		[ -s "$BATS_TEST_TMPDIR/there" ]
		diff "$BATS_TEST_TMPDIR/there" <(stored_tasks "$job")
	done
	# without --tasks the job replaces itself, too: the tasks of the load before do not linger
	expect 0 publish --to "$PG_URL" -dir "$TOP"
	equal "$(pg 'SELECT count(*), (SELECT count(*) FROM job) FROM task')" '0|4'
	expect 0 publish --to "$PG_URL" --init
	equal "$(pg 'SELECT count(*) FROM job')" 4
}

@test "a user who may write, and owns nothing, loads jobs and replaces them; one who may read asks" {
	pg "CREATE ROLE loader LOGIN PASSWORD 'not-shown'; GRANT USAGE ON SCHEMA msprof TO loader; GRANT SELECT, INSERT, DELETE ON ALL TABLES IN SCHEMA msprof TO loader;
		CREATE ROLE reader LOGIN PASSWORD 'not-shown'; GRANT USAGE ON SCHEMA msprof TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA msprof TO reader"
	expect 0 publish --to "$PG_URL" -dir "$TOP"
	for _ in 1 2; do
		expect 0 publish --to "${PG_URL/fleet@/loader@}" -dir "$TOP" --tasks
		equal "$(pg "SELECT count(*) FROM job WHERE run = 'run1'")" 4
	done
	expect 0 publish --to "${PG_URL/fleet@/reader@}" --ask slowest_ranks --set run=run1 --set months=1000 --format json
	jq -e '.tables[0].rows | length > 2' <<<"$output"
	expect 1 publish --to "${PG_URL/fleet@/reader@}" -dir "$TOP"
	has "$stderr" "permission denied"
}

@test "a publisher that is killed in the middle of a load leaves the earlier load" {
	killed_while copying "$PG_URL" gone
}

copying() { [ "$(pg "SELECT count(*) FROM pg_stat_progress_copy WHERE relid = 'task'::regclass AND tuples_processed > 1000")" -gt 0 ]; }
gone() { [ "$(pg "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'msprof'")" = 0 ]; }

@test "a server that is killed in the middle of a load: an error; then the earlier load is there, and publishing works again" {
	first=$(amounts)
	"$MSPROF" publish --to "$PG_URL" -dir "$LARGE" --tasks 2>"$BATS_TEST_TMPDIR/err" 3>&- &
	pid=$!
	wait_until copying
	kill -QUIT "$PG_PID"
	! wait "$pid" || fail 'the publisher did not notice'
	has "$(cat "$BATS_TEST_TMPDIR/err")" 'nothing of the job is stored' 'published 0 of 1 jobs'
	wait_until not_running
	postgresql_run "$BATS_FILE_TMPDIR/pg"
	echo "$PG_PID" >"$BATS_FILE_TMPDIR/pid"
	equal "$(amounts)" "$first"
	expect 0 publish --to "$PG_URL" -dir "$LARGE" --tasks
	equal "$(amounts)" "$first"
}

not_running() { ! kill -0 "$PG_PID"; }

@test "hostile names of jobs arrive as they are, or visibly changed" {
	hostile_name "$PG_URL" "it's {a} \$run"
	equal "$(pg "SELECT name FROM job WHERE run = E'it\\'s {a} \$run'")" $'JOB\'"\t\\ \\xff;--'
}

@test "every question is answered, and the slowest ranks are those that Python finds" {
	all_answered "$PG_URL" steps_there
}

steps_there() {
	pg "SELECT json_agg(json_build_object('run', j.run, 'name', j.name, 'own', s.computing_ns + s.aicpu_ns)) FROM job j JOIN step s USING (job)"
}

@test "the questions find a late rank, a link that became slow, and the jobs that regressed" {
	planted_fleet
	answers_are_planted "$PG_URL"
	labelled "$PG_URL"
	equal "$(pg "SELECT count(*) FROM step WHERE job NOT IN (SELECT job FROM job)")" 0
}

left_of() { pg "SELECT count(*) FROM job WHERE $1"; }
made_old() { pg "UPDATE job SET published = now() - interval '401 days' WHERE run = 'new'"; }

@test "tables of the first version become those of this one, with what steps add up to" {
	"$(postgresql_bin)/createdb" -h 127.0.0.1 -p "$PG_PORT" -U fleet older
	PG_URL=postgresql://fleet@127.0.0.1:$PG_PORT/older
	psql -X -q -v ON_ERROR_STOP=1 "$PG_URL" <"$ROOT/schema/fleet/postgresql/1.sql"
	pg "INSERT INTO job SELECT n, 'run', n::text, NULL, 'prof', 'h', n, '1', '5', 1, 0, 1, 0 FROM generate_series(1, 3) n;
		INSERT INTO step SELECT n, 0, NULL, s, NULL, 0, 100 * n + s, 10 * n + s, 7, 2, 3 FROM generate_series(1, 2) n, generate_series(1, 4) s"
	expect 1 publish --to "$PG_URL" -dir "$TOP"
	has "$stderr" 'the tables are of an older msprof'
	expect 0 publish --to "$PG_URL" --init
	equal "$(pg 'SELECT job, steps, span_ns, own_ns, communication_ns, idle_ns FROM job_time ORDER BY job')" $'1|4|410|78|8|12\n2|4|810|118|8|12\n3|0||||'
}
