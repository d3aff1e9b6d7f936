#!/bin/bash
# bench.sh: `make bench-fleet`: rates of `msprof publish` beside those of the engines' own loads, growth with the number of jobs,
# and sizes on disk.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck source=tests/scratch.bash
. tests/scratch.bash
# shellcheck source=tests/fleet/servers.bash
. tests/fleet/servers.bash
MSPROF=$BUILD/msprof
scratch_make
trap 'servers_end ${PG_PID:-} "${CH_PIDS[@]}"; scratch_remove' EXIT
CH_PIDS=()
cd "$MSPROF_SCRATCH"
umask 0022
chmod 0755 "$MSPROF_SCRATCH"

# seconds COMMAND...: wall-clock time
seconds() {
	local begin=$EPOCHREALTIME
	"$@" >/dev/null
	python3 -c "print(f'{$EPOCHREALTIME - $begin:.3f}')"
}

rate() { python3 -c "print(f'{$1 / $2 / 1e6:.2f} M/s')"; }

# jobs DIR COUNT TASKS: copies of one job with a database
jobs() {
	local i
	mkdir "$1"
	"$BUILD/tests/genprof" --out "$1/PROF_1" --tasks "$3" >/dev/null
	"$MSPROF" import -q -dir "$1/PROF_1" 2>/dev/null
	for ((i = 2; i <= $2; i++)); do cp -a "$1/PROF_1" "$1/PROF_$i"; done
}

TASKS=1000000
jobs large 2 $TASKS
for n in 10 100 1000; do jobs "small$n" $n 300; done

raw_postgresql() { psql -X -q -c 'TRUNCATE msprof.raw' -c "COPY msprof.raw FROM STDIN (FORMAT binary)" "$PG_URL" <raw.pg; }
raw_clickhouse() {
	curl -sSf -T raw.ch -H 'Transfer-Encoding: chunked' -H 'X-ClickHouse-User: fleet' -H 'X-ClickHouse-Key: not-shown' \
		"http://127.0.0.1:${CH_HTTP[0]}/?query=INSERT+INTO+fleet.raw+FORMAT+RowBinary"
}

# measure NAME URL RAW_COMMAND: the best of three runs each
measure() {
	local first=999 best=999 raw=999 t n
	for _ in 1 2 3; do
		rm -f large/*/sqlite/aggregates.kept
		t=$(seconds "$MSPROF" publish -q --to "$2" -dir large --tasks --run "$RANDOM")
		first=$(python3 -c "print(min($first, $t))")
		t=$(seconds "$MSPROF" publish -q --to "$2" -dir large --tasks --run "$RANDOM")
		best=$(python3 -c "print(min($best, $t))")
		t=$(seconds "$3")
		raw=$(python3 -c "print(min($raw, $t))")
	done
	echo "$1: its own load of the same rows $(rate $((2 * TASKS)) "$raw")"
	echo "$1: publish with aggregates that are kept $(rate $((2 * TASKS)) "$best"), ratio $(python3 -c "print(round($raw / $best, 2))")"
	echo "$1: publish that makes them $(rate $((2 * TASKS)) "$first"), ratio $(python3 -c "print(round($raw / $first, 2))")"
	for n in 10 100 1000; do
		echo "$1: $n jobs of 300 tasks, with all tasks: $(seconds "$MSPROF" publish -q --to "$2" -dir "small$n" --tasks) s"
	done
}

if has_postgresql; then
	postgresql_start "$PWD/pg"
	"$MSPROF" publish -q --to "$PG_URL" --init -dir large --tasks
	psql -X -q -c 'COPY msprof.task TO STDOUT (FORMAT binary)' "$PG_URL" >raw.pg
	psql -X -q -c 'CREATE TABLE msprof.raw (LIKE msprof.task)' "$PG_URL"
	measure PostgreSQL "$PG_URL" raw_postgresql
	pg "SELECT relname || ': ' || round(pg_total_relation_size(oid) / greatest(reltuples, 1)::numeric, 1) || ' bytes a row' FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'msprof'::regnamespace AND reltuples > 1000"
	servers_end "$PG_PID"
	PG_PID=
fi
if has_clickhouse; then
	clickhouse_start "$PWD/ch" 2
	"$MSPROF" publish -q --to "$CH_URL" --init -dir large --tasks
	for shard in 0 1; do ch 'SELECT * FROM task_shard FORMAT RowBinary' $shard; done >raw.ch
	ch 'CREATE TABLE raw AS task_shard ENGINE = MergeTree PARTITION BY intDiv(load, 2592000000000000) ORDER BY (job, load)'
	measure ClickHouse "$CH_URL" raw_clickhouse
	for shard in 0 1; do
		ch "SELECT table, round(SUM(bytes_on_disk) / SUM(rows), 1) AS bytes_a_row FROM system.parts
			WHERE active AND database = 'fleet' GROUP BY table HAVING SUM(rows) > 1000" $shard
	done
fi
