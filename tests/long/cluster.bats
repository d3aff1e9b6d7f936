#!/usr/bin/env bats
# cluster.bats: 100 seeds of planted ranks, a thousand ranks, ranks of many steps, and a rank of 2 M tasks.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load ../cli/helpers/cluster

setup() {
	base
}

@test "who is to blame, 30 seeds of each topology and fault: 98 % exact, innocent ones in 1 % at most" {
	python3 -B "$HELPERS/judge_cluster.py" "$MSPROF" --seeds "${MSPROF_SEEDS:-30}" --topologies dp8,dp64,tp2dp4,tp4dp4,tp8dp8,pp4dp2,pp4dp8,pp4dp4receives,tp2pp2dp2,tp4pp4dp4,experts,unequal >&3
	python3 -B "$HELPERS/judge_cluster.py" "$MSPROF" --seeds 3 --topologies tp8pp8dp16,dp1024 >&3
}

@test "100 seeds: at least 99 of 100 findings, and at most one false" {
	local found=0 false=0 seed finding ranks told
	for ((seed = 1; seed <= 100; seed++)); do
		ranks=$((3 + seed % 14))
		for finding in straggler link lost clock; do
			planted "$seed" "$ranks" "$finding"
			told=$(found | jq -c .)
			if [ "$told" = "$(wanted)" ]; then found=$((found + 1)); else echo "seed $seed, $ranks ranks, $finding: $told, not $(wanted)"; fi
		done
		planted "$seed" "$ranks"
		told=$(found | jq -c .)
		[ "$told" = "$(wanted)" ] || { false=$((false + 1)); echo "seed $seed, $ranks ranks, clean: $told"; }
	done
	echo "# $found of 400 found, $false of 100 clean ones have a finding" >&3
	[ "$found" -ge 396 ] && [ "$false" -le 1 ]
}

@test "a thousand ranks: all are compared, in 64 MiB" {
	planted 1 8
	mkdir aggregates
	expect 0 aggregate -q -dir top/PROF_0000 -o one.json
	for ((rank = 0; rank < 1000; rank++)); do
		sed "s/^\[0, 0, /[0, $rank, /; s/\"PROF_0000\"/\"PROF_$rank\"/" one.json >"aggregates/$rank.json"
	done
	run env time -f '%M' -o memory.txt "$MSPROF" cluster -q aggregates --format json
	equal "$status" 0
	equal "$(jq '.ranks | length' <<<"$output")" 1000
	[ "$(cat memory.txt)" -le 65536 ] || fail "$(cat memory.txt) KiB"
}

@test "twice as many ranks of a thousand steps take twice as long, in 64 MiB" {
	local rank ranks seconds=()
	made_ranks made 1
	jq -c '.step = [range(1000) | [0, . + 1, "\(. + 1)", 1000000000 + . * 10000000, 10000000, 9000000, 0, 1000000, 1000000, 0, 0]]' made/0.json | whole_begin >one.json
	mkdir files
	for ranks in 300 600; do
		for ((rank = 0; rank < ranks; rank++)); do
			sed "s/\"rank\":\[\[0,0,/\"rank\":[[0,$rank,/" one.json >"files/$rank.json"
		done
		run env time -f '%M %U' -o measured.txt "$MSPROF" cluster -q files --format json
		equal "$status" 0
		equal "$(jq '[.ranks[] | select(.steps == 1000)] | length' <<<"$output")" "$ranks"
		[ "$(cut -d' ' -f1 measured.txt)" -le 65536 ] || fail "$(cat measured.txt)"
		seconds+=("$(cut -d' ' -f2 measured.txt)")
	done
	echo "# ${seconds[*]} s of a processor" >&3
	jq -ne "${seconds[1]} < 2.5 * ${seconds[0]}"
}

@test "2 M tasks are summed up in 64 MiB, and in less once that is kept" {
	"$BUILD/tests/genprof" --out PROF_1 --tasks 2000000 >/dev/null
	"$MSPROF" import -q -dir PROF_1
	for limit in 65536 32768; do
		run env time -f '%M' -o memory.txt "$MSPROF" aggregate -q -dir PROF_1 -o one.json
		equal "$status" 0
		[ "$(cat memory.txt)" -le "$limit" ] || fail "$(cat memory.txt) KiB"
	done
}
