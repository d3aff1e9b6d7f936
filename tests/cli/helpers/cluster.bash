# shellcheck shell=bash
# cluster.bash: made-up ranks. Each test begins in a directory of its own; ./base is the PROF directory that all ranks are copies of.

base() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p top
	"$BUILD/tests/genprof" --out top/base --tasks 60 >/dev/null
	"$MSPROF" import -q -dir top/base
}

# planted SEED RANKS [FINDING]: ranks in ./top; what was planted is in $PLANTED
planted() {
	[ ! -d base ] || mv base top/base
	find top -mindepth 1 -maxdepth 1 -name 'PROF_*' | while read -r rank; do discard "$rank"; done
	PLANTED=$(python3 "$HELPERS/planted_ranks.py" top "$@")
	mv top/base base
}

# found: what msprof cluster finds in ./top, once each of its numbers was computed a second time
found() {
	python3 "$HELPERS/cluster_truth.py" "$MSPROF" top
}

# wanted: what it must find
wanted() {
	jq -c '{late: [.late | values], link: [.link | values], lost: [.lost | values], clock: [.clock | values]}' <<<"$PLANTED"
}

# made_ranks DIR RANKS: aggregates of ranks that do the same at the same time: two steps, an operator, ten collectives.
made_ranks() {
	local rank
	mkdir -p "$1"
	for ((rank = 0; rank < $2; rank++)); do
		jq -nc --argjson rank "$rank" --argjson ranks "$2" '{schema: "msprof.aggregate/1", name: "PROF_\($rank)",
			rank: [[0, $rank, "host", null, null, "5", 0, $ranks, 10, 50000, 0]],
			step: [range(2) | [0, . + 1, "\(. + 1)", 1000000000 + . * 10000000,
				10000000, 9000000, 0, 1000000, 1000000, 0, 0]],
			operator: [[0, "op", "Op", 10, 1000000, 90000, 110000]],
			collective: [range(10) | [0, "group", "hcom_allReduce_", ., 1000000000 + . * 2000000, 1000000, null, null, $ranks]],
			link: []}' |
			whole_begin >"$1/$rank.json"
	done
}

# whole_begin: what aggregates begin with, letter by letter
whole_begin() {
	sed 's/^{"schema":"msprof.aggregate\/1"/{"schema": "msprof.aggregate\/1"/'
}
