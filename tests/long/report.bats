#!/usr/bin/env bats
# report.bats: pages of more tasks, calls and tracks than have room, the check of the check, and advice on more operators than are kept.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load ../cli/helpers/report

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "tasks out of order, and more tracks than have room for all bins: levels are those that Python computes" {
	# tasks that are far from their order
	"$BUILD/tests/genprof" --out PROF_2 --tasks 9000 --streams 1
	expect 0 import -q -dir PROF_2
	sqlite3 PROF_2/sqlite/msprof.db "UPDATE task SET start_ns = 3000000000000 - start_ns"
	checked 0 PROF_2
	# more tracks than have room for 4,096 bins each
	"$BUILD/tests/genprof" --out PROF_1 --tasks 6000 --streams 30
	checked 0 PROF_1
	genjob JOBMANY --tasks 2 --host-calls 30000 --threads 40
	checked 0 JOBMANY
	[ "$(page '[.timeline.tracks[].levels[]?.bins] | max')" -lt 4096 ]
}

@test "the second computation refuses wrong numbers" {
	genjob JOBLONG --tasks 300 --pictures 90 --host-calls 500 --overlap 10
	expect 0 report -q -dir JOBLONG
	page . >right.json
	for change in '.timeline.length_ns += 1' '.timeline.tracks[0].exact.dur[0] += 1' '(.timeline.tracks[] | select(.levels)).levels[1].busy[9] += 1' \
		'(.timeline.tracks[] | select(.levels)).levels[0].count[9] += 1' '(.timeline.tracks[] | select(.levels)).levels[0].top[9] = -1' \
		'(.timeline.tracks[] | select(.longest)).longest.dur[7] -= 1' '.stacks.nodes[0][3] += 1' '.stacks.nodes[1][2] += 1' '.operators.rows[3][5] += 0.001' \
		'.operators.omitted = 1' '.headline[0].value += 0.01' '.headline[2].value += 0.1' '.counters[0].value[5] += 0.001' '.counters[1].time_ns[5] += 1' \
		'.counters |= .[1:]' '.roofline = {"points": [1]}' '.schema = "other"' '.timeline.tracks |= .[1:]'; do
		{ printf '<script type="application/json" id="data">' && jq -c "$change" right.json | tr -d '\n' && printf '</script>'; } | sed 's/&/\\u0026/g' >changed.html
		! python3 "$HELPERS/report_truth.py" JOBLONG changed.html >why 2>&1 || fail "$change"
		has "$(cat why)" " is not "
	done
}

@test "beyond 131,072 operators the rest is one row, and sums stay whole" {
	genjob JOBMANY --tasks 140000 --pictures 1 --aicpu 0 --calls 0
	expect 0 show -q -dir JOBMANY --table overview --format json
	equal "$(jq '[.tables[0].rows[].Tasks | numbers] | add' <<<"$output")" 140000
	equal "$(jq -e '[.tables[0].rows[] | select(.Name == "other operators") | .Tasks] | add > 1' <<<"$output")" true
	genjob JOBGAPS --tasks 2 --pictures 700 --aicpu 2 # the device idles before each task of the AI CPU
	expect 0 show -q -dir JOBGAPS --table "Longest idle gaps" --format json
	equal "$(jq '.tables[0].rows | length' <<<"$output")" 1000
	expect 0 diff -q JOBMANY JOBMANY --format json
	equal "$(jq '.groups[0] | (.rows | map(.base_ns) | add) == .total.base_ns and any(.rows[]; .name == "other operators")' <<<"$output")" true
}
