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
