#!/usr/bin/env bats
# kills.bats: `msprof publish` into ClickHouse, of which a process is killed at drawn moments: of each job one load is seen, whole.
# KILLS is how many, SEED draws the moments.

load helpers

setup() {
	has_clickhouse || skip 'ClickHouse or msprof-publish is not there: make deps-fleet'
	fleet_test
	chmod 0711 "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR" "${BATS_TEST_TMPDIR%/*}"
	clickhouse_start "$BATS_TEST_TMPDIR/ch" 2
}

teardown() {
	[ -z "${CH_PIDS:-}" ] || servers_end "${CH_PIDS[@]}"
}

# The rows of each job in each table, as users see them.
loads() {
	local table
	for table in task word step operator communication link; do
		ch "SELECT name, '$table', n FROM (SELECT job, name FROM job) ALL INNER JOIN (SELECT job, count() AS n FROM $table GROUP BY job) USING (job)"
	done | sort
}

# Each job is as it was loaded from one of both directories.
whole() {
	local name now
	loads >now
	for name in PROF_1 PROF_2 PROF_3; do
		now=$(grep "^$name" now)
		[ "$now" = "$(grep "^$name" loads.a)" ] || [ "$now" = "$(grep "^$name" loads.b)" ] || return
	done
}

# victim PID: one of the processes of a publisher, drawn.
victim() {
	local readers
	readers=$(pgrep -P "$1" -x msprof)
	# shellcheck disable=SC2046,SC2086 # numbers
	set -- "$1" $readers $(for reader in $readers; do pgrep -P "$reader" msprof-publish; done)
	shift $((RANDOM % $#))
	echo "$1"
}

@test "a process that is killed at any moment leaves one load of each job, whole" {
	cd "$BATS_TEST_TMPDIR" || return
	RANDOM=${SEED:-7}
	mkdir a b
	top a/run 3 15000
	top b/run 3 24000
	expect 0 publish --to "$CH_URL" --init
	for from in a b; do
		expect 0 publish --to "$CH_URL" -dir "$from/run" --tasks
		loads >"loads.$from"
	done
	! cmp -s loads.a loads.b || fail 'both loads are the same'
	for ((i = 0; i < ${KILLS:-12}; i++)); do
		"$MSPROF" publish -q --to "$CH_URL" -dir "$([ $((i % 2)) = 0 ] && echo a || echo b)/run" --tasks -j 2 2>/dev/null 3>&- &
		pid=$!
		sleep "0.$(printf %03d $((RANDOM % 500)))"
		kill -KILL "$(victim "$pid")" 2>/dev/null || true
		wait "$pid" || true
		wait_until whole
	done
	expect 0 publish --to "$CH_URL" -dir a/run --tasks
	equal "$(loads)" "$(cat loads.a)"
}
