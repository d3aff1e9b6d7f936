#!/usr/bin/env bats
# blame.bats: which ranks of a training are to blame, and one trace of all of them.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/cluster
load helpers/board
load helpers/trace

setup() {
	base
}

@test "who is to blame in made-up trainings of several dimensions: exactly the culprits, with the cause, and nobody else" {
	python3 -B "$HELPERS/judge_cluster.py" "$MSPROF" --seeds 1 --topologies tp2dp4,pp4dp2 --faults "slow 3 %,late,pauses,hang"
	python3 -B "$HELPERS/judge_cluster.py" "$MSPROF" --seeds 1 --topologies tp2pp2dp2 --faults "two,clock,link"
	python3 -B "$HELPERS/judge_cluster.py" "$MSPROF" --seeds 1 --topologies unequal,experts --faults "clean,host of 8"
}

@test "a rank that is late before each collective is a straggler without steps, too; one with two long pauses is none" {
	local rank late
	for late in 0 40000; do
		[ ! -d files ] || discard files
		made_ranks files 12
		for ((rank = 0; rank < 12; rank++)); do
			# all end together: who begins late waits less. Rank 11 begins 40 us late, ranks differ by 1 us, and rank 4 pauses twice
			jq -c --argjson rank "$rank" --argjson late "$late" '.collective |= map((if $rank == 11 then $late elif $rank == 4 and (.[3] == 3 or .[3] == 6)
				then 700000 else $rank * 100 end) as $ns | .[4] += $ns | .[5] -= $ns)' "files/$rank.json" | whole_begin >made && mv made "files/$rank.json"
		done
		expect 0 cluster -q files --format json
		equal "$(jq -c '[.stragglers[] | select(.straggler == "yes") | [.rank, .cause, .told_by, .rounds]]' <<<"$output")" \
			"$([ "$late" = 0 ] && echo '[]' || echo '[[11,"host","collectives",10]]')"
	done
}

@test "clocks of ranks that have no group in common are compared by way of others" {
	made_ranks files 8
	# three dimensions of two: each rank meets three others only, and the clock of rank 7 is 9 ms ahead
	for rank in 0 1 2 3 4 5 6 7; do
		jq -c --argjson rank "$rank" '.collective as $all | .collective = [range(3) as $d | ($rank / pow(2; $d) | floor % 2) as $bit | $all[] |
			.[1] = "axis \($d) of \($rank - $bit * pow(2; $d))" | .[4] += $d * 50000000] | if $rank == 7 then .rank[0][6] += 9000000 else . end' "files/$rank.json" |
			whole_begin >made && mv made "files/$rank.json"
	done
	expect 0 cluster -q files --format json
	equal "$(jq -c '[.clocks[] | [.rank, (.offset_us | round)]]' <<<"$output")" '[[0,0],[1,0],[2,0],[3,0],[4,0],[5,0],[6,0],[7,9000]]'
	has "$output" "the clock of rank 7 is ahead of the others by 9000 us"
}

@test "one trace of all ranks: an archive with a manifest, clocks aligned, the culprit's collectives marked, ranks and times chosen" {
	need_decoder
	planted 21 4 straggler clock
	mv top/PROF_0000 .
	expect 0 aggregate -q -dir PROF_0000 -o top/0.json
	expect 0 cluster -q top --trace all.tar --format json
	expect 0 cluster -q top --trace some.tar --rank 0 --rank 2 --from 3ms --to 6ms --format json
	"$PYTHON" -B "$HELPERS/cluster_archive.py" "$MSPROF" all.tar some.tar "$PLANTED"
	# an archive is replaced, and nothing else
	expect 0 cluster -q top --trace all.tar --format json
	echo data >other.tar
	expect 1 cluster -q top --trace other.tar
	equal "$(cat other.tar)" data
	expect 1 cluster -q top --trace x.tar --rank 7
	has "$stderr" "rank 7 is not here"
	expect 1 cluster -q top --trace x.tar --from 10s
	has "$stderr" "no step and no collective operation is in the time"
	expect 2 cluster -q top --rank 1
	expect 2 cluster -q top --trace x.tar --rank x
	has "$stderr" "invalid rank 'x'"
	[ ! -e x.tar ]
}

@test "racks of hosts: stragglers that are all of a rack, a host or a stage are one group, with one sentence" {
	made_ranks files 12
	for ((rank = 0; rank < 12; rank++)); do
		jq -c --argjson rank "$rank" '.rank[0][2] = "h\($rank / 2 | floor)" | .operator[0][4] = (if $rank < 4 then 11000000 else 10000000 + $rank * 1000 end) | .operator[0][6] = 1100000' "files/$rank.json" |
			whole_begin >made && mv made "files/$rank.json"
	done
	expect 0 cluster -q files --format json
	equal "$(jq -c '[.stragglers[] | select(.straggler == "yes") | [.rank, .group, .operator]] | sort' <<<"$output")" \
		'[[0,"host h0","op"],[1,"host h0","op"],[2,"host h1","op"],[3,"host h1","op"]]'
	has "$(jq -r '.notes[].note' <<<"$output")" "2 ranks, all of host h0 (0 to 1), are late by" "op takes 11."
	printf '# where hosts stand\nh0 r1\nh1\tr1\nh2 r2\n' >hosts
	expect 0 cluster -q files --hosts hosts --format json
	equal "$(jq -c '[.stragglers[] | select(.straggler == "yes") | .group] | unique' <<<"$output")" '["rack r1"]'
	has "$(jq -r '.notes[].note' <<<"$output")" "4 ranks, all of rack r1 (0 to 3), are late by"
	echo 'h0 r1 more' >hosts
	expect 1 cluster -q files --hosts hosts
	has "$stderr" "'hosts', line 1: not a host and a rack"
}

@test "a rank that waits in a collective without an end did not end early; one that never entered it did" {
	made_ranks files 4
	for rank in 0 1 2; do
		jq -c '.collective += [.collective[-1] | .[3] = 10 | .[4] += 2000000 | .[5] = null]' "files/$rank.json" | whole_begin >made && mv made "files/$rank.json"
	done
	expect 0 cluster -q files --format json
	has "$(jq -r '.notes[].note' <<<"$output")" "rank 3 ended early: it did not enter operation 10 of group (hcom_allReduce_), which ranks 0, 1, 2 entered and did not leave"
	equal "$(jq -r '.notes[].note' <<<"$output" | grep -c 'ended early')" 1
	# all of them wait: nobody ended early
	jq -c '.collective += [.collective[-1] | .[3] = 10 | .[4] += 2000000 | .[5] = null]' files/3.json | whole_begin >made && mv made files/3.json
	expect 0 cluster -q files --format json
	lacks "$output" "ended early"
	has "$output" "entered operation 10 (hcom_allReduce_), and 4 did not leave it"
	# one operation less is the end of a recording
	for rank in 0 1 2 3; do jq -c --argjson rank $rank '.collective |= .[:if $rank == 3 then 9 else 10 end]' "files/$rank.json" | whole_begin >made && mv made "files/$rank.json"; done
	expect 0 cluster -q files --format json
	lacks "$output" "ended early" "did not leave"
}
