#!/usr/bin/env bats
# scale.bats: ready questions of 100,000 jobs: both engines give the same bytes, find what was planted, and read each row a few times at most.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
# shellcheck source=tests/fleet/synthetic.bash
. "$ROOT/tests/fleet/synthetic.bash"

JOBS=${MSPROF_FLEET_JOBS:-100000}

setup_file() {
	load helpers
	has_postgresql && has_clickhouse || return 0
	chmod 0711 "$BATS_FILE_TMPDIR" "$BATS_RUN_TMPDIR"
	# no query may take more than 256 MiB, nor read more rows than 50 a job
	CH_MEMORY=268435456 CH_ROWS=$((50 * JOBS)) clickhouse_start "$BATS_FILE_TMPDIR/ch" 2
	postgresql_start "$BATS_FILE_TMPDIR/pg"
	{ servers_note && declare -p PG_PORT PG_PID PG_URL | sed 's/^declare --/declare -g/'; } >"$BATS_FILE_TMPDIR/servers"
	"$MSPROF" publish --to "$CH_URL" --init
	"$MSPROF" publish --to "$PG_URL" --init
	# nothing tells the server how large the tables are, and each plan is logged with the rows that it saw
	for table in job step pace operator link job_label; do pg "ALTER TABLE $table SET (autovacuum_enabled = off)"; done
	pg "ALTER DATABASE fleet SET session_preload_libraries = 'auto_explain';
		ALTER DATABASE fleet SET auto_explain.log_min_duration = 0; ALTER DATABASE fleet SET auto_explain.log_analyze = on;
		ALTER DATABASE fleet SET auto_explain.log_timing = off; ALTER DATABASE fleet SET auto_explain.log_format = json;
		ALTER DATABASE fleet SET log_statement_stats = on"
	now=$(date +%s)
	echo "$now" >"$BATS_FILE_TMPDIR/now"
	synthetic_postgresql "$JOBS" "$now"
	synthetic_clickhouse "$JOBS" "$now" 2
}

teardown_file() {
	load helpers
	[ -e "$BATS_FILE_TMPDIR/servers" ] || return 0
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
	servers_end "$PG_PID" "${CH_PIDS[@]}"
}

setup() {
	{ has_postgresql && has_clickhouse; } || skip 'PostgreSQL, ClickHouse or msprof-publish is not there: make deps-fleet'
	fleet_test
	# shellcheck source=/dev/null
	. "$BATS_FILE_TMPDIR/servers"
}

# asked QUESTION OPTION...: the answer of both engines, which is $output then; what PostgreSQL did is bounded.
asked() {
	local log=$BATS_FILE_TMPDIR/pg/log before there
	before=$(stat -c %s "$log")
	expect 0 publish --to "$PG_URL" --ask "$@" --format csv
	there=$output
	wait_until not_asking
	tail -c +"$((before + 1))" "$log" | python3 "$ROOT/tests/fleet/work.py" $((50 * JOBS)) 256
	expect 0 publish --to "$CH_URL" --ask "$@" --format csv
	equal "$output" "$there"
}

not_asking() { [ "$(pg "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'msprof'")" = 0 ]; }

# answers: what each question must say of the jobs of synthetic.bash.
answers() {
	asked slowest_ranks --set top=10
	equal "$(cut -d, -f2-5 <<<"$output" | sort -u)" $'PROF_5,node13,5,50\nname,host,rank,steps'
	asked slowest_ranks --set run=syn-7
	equal "$(wc -l <<<"$output")" 9
	# own work of rank 7 is 50 * (7 + 56) beyond 800000, the mean of the run 50 * (3.5 + 56)
	has "$output" 'syn-7,PROF_7,node7,7,50,904.2,803.2,803.0,0.02'
	asked slowest_ranks --label model=m8 --set top=100000
	equal "$(sed 1d <<<"$output" | cut -d, -f1 | sort -u | wc -l)" $(((JOBS / 8 + 41) / 50))
	asked slowest_hosts --set top=1000
	equal "$(sed 1d <<<"$output" | wc -l)" 97
	asked operator_between_drivers --set base=1.0 --set new=1.2
	# 20 ns more of 1000 for each number: op19 has 380 of 20000
	has "$output" 'op19,chip5,20.0,20.38,1.9,1000,1000'
	asked operator_between_drivers --set base=1.0 --set new=1.1 --set jobs=100000 --set name=op3
	has "$output" 'op3,chip5,4.0,4.03,0.75,'
	asked link_drift --set top=2
	has "$(sed -n 2p <<<"$output")" 'node41,2,3,HCCS,'
	has "$(sed -n 3p <<<"$output")" ',0.0'
	asked regressed_jobs --set top=100
	equal "$(sed 1d <<<"$output" | cut -d, -f1,2,5 | sort)" "$(printf 'm6,syn-6,%s\n' {0..7})"
}

@test "before the server knows how large its tables are" {
	answers
}

@test "after it knows" {
	pg 'ANALYZE'
	answers
}

@test "the panels of both dashboards show the same, and what was planted" {
	now=$(cat "$BATS_FILE_TMPDIR/now")
	for engine in postgresql clickhouse; do
		python3 "$ROOT/tests/fleet/panels.py" sql "$ROOT/schema/fleet/grafana/$engine.json" $((now - 30 * 86400)) $((now + 60)) >"$BATS_TEST_TMPDIR/$engine"
	done
	panel=0
	while IFS= read -r -d '' there <&3 && IFS= read -r -d '' here <&4; do
		PGTZ=UTC psql -X -q -At -F $'\t' -v ON_ERROR_STOP=1 -c "$there" "$PG_URL" >"$BATS_TEST_TMPDIR/pg.$panel"
		ch "$here" >"$BATS_TEST_TMPDIR/ch.$panel"
		[ -s "$BATS_TEST_TMPDIR/pg.$panel" ] || [ $panel = 4 ]
		python3 "$ROOT/tests/fleet/panels.py" same "$BATS_TEST_TMPDIR"/{pg,ch}.$panel
		panel=$((panel + 1))
	done 3<"$BATS_TEST_TMPDIR/postgresql" 4<"$BATS_TEST_TMPDIR/clickhouse"
	equal $panel 7
	# a run every ten minutes: 144 a day on the days that are whole
	equal "$(cut -f3 "$BATS_TEST_TMPDIR/pg.2" | sort -n | tail -1)" $((144 * 8))
	equal "$(wc -l <"$BATS_TEST_TMPDIR/pg.5")" 97
	equal "$(head -1 "$BATS_TEST_TMPDIR/pg.6" | cut -f2-4)" $'syn-0\tPROF_0\tnode0'
}

@test "metrics of jobs are the same of both engines, and are those of the format" {
	asked job_metrics --set run=syn-7
	for url in "$PG_URL" "$CH_URL"; do
		expect 0 publish --to "$url" --ask job_metrics --set run=syn-7 --format prometheus
		equal "$(grep -c '^# TYPE msprof_job_[a-z_]* gauge$' <<<"$output")" 5
		equal "$(grep -cE '^msprof_job_[a-z_]+\{run="syn-7",name="PROF_[0-7]",host="node7",rank="[0-7]"\} [0-9.]+$' <<<"$output")" 40
		has "$output" 'msprof_job_own_seconds{run="syn-7",name="PROF_7",host="node7",rank="7"} 0.00080315'
	done
}
