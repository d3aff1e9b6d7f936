#!/usr/bin/env bats
# collect_repeat_local.bats: several runs of the program in one collection, on this machine.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local
load helpers/repeat

@test "five runs: the project is sent once, each run leaves a whole JOB" {
	several_runs "--job $JOB"
	collect 0 "" --repeat 5
	equal "$(runs_made)" 5
	equal "$(results)" "JOBRUN1 JOBRUN2 JOBRUN3 JOBRUN4 JOBRUN5"
	for job in "$OUT"/JOB*; do diff -r "$job" "$JOB"; done
	equal "$(grep -c '^info: pushed\|pushed [0-9]' <<<"$stderr")" 1
	for n in 1 2 3 4 5; do has "$stderr" "run $n of 5: running 'main' in '$PLACE/out'"; done
	lacks "$stderr" "exists here already" warm-up
	nothing_left
}

@test "warm-ups run before: their JOBs are nowhere afterwards, and each is named" {
	several_runs "--job $JOB"
	mkdir -p "$PLACE/out/profiling/JOBOLD" # of an earlier collection
	collect 0 "" --repeat 2 --discard 2
	equal "$(runs_made)" 4
	equal "$(results)" "JOBRUN3 JOBRUN4"
	equal "$(left_on_board)" "JOBRUN3 JOBRUN4"
	[ -d "$PLACE/out/profiling/JOBOLD" ]
	has "$stderr" "warm-up 1 of 2: running 'main'" "warm-up 2 of 2: running 'main'" "run 1 of 2: running 'main'" \
		"JOBRUN1 of the warm-up is removed from the board" "JOBRUN2 of the warm-up is removed from the board"
	nothing_left
}

@test "--stream fetches nothing of a warm-up" {
	several_runs "--job $JOB"
	words_of 1 "--job $JOB --wait $PWD/go"
	begin "" --discard 1 --stream
	until_running
	sleep 3 # longer than streaming waits
	touch go
	ends_with 0
	lacks "$(cat stderr)" "JOBRUN1: "
	equal "$(results)" JOBRUN2
	equal "$(ls -A "$OUT")" JOBRUN2
}

@test "one run after a warm-up; and --clean leaves nothing on the board" {
	several_runs "--job $JOB"
	collect 0 "" --discard 1 --clean
	equal "$(results)" JOBRUN2
	equal "$(left_on_board)" ""
	nothing_left
}

@test "a run that fails ends the repetition: what was fetched stays, the failed run's JOB is named" {
	several_runs "--job $JOB"
	words_of 3 "--job $JOB --exit 9"
	collect 5 "" --repeat 5
	equal "$(runs_made)" 3
	equal "$(results)" "JOBRUN1 JOBRUN2 JOBRUN3"
	equal "$(tail -n 1 <<<"$stderr")" "msprof: error: 'main' failed with exit status 9"
	has "$stderr" "JOBRUN3 is of a run that failed: it is not a sample" \
		"run 3 of 5 did not succeed: 2 further runs are not made"
	nothing_left
	collect 0 "" --repeat 2 # into the same directory
	equal "$(results)" "JOBRUN1 JOBRUN2 JOBRUN3 JOBRUN4 JOBRUN5"
	equal "$(grep -o 'next: .*' <<<"$stderr")" "next: msprof diff OTHER '$OUT' compares these runs with those in OTHER"
}

@test "the last run fails; a warm-up fails; a run leaves no JOB; a run takes too long" {
	several_runs "--job $JOB"
	words_of 2 "--job $JOB --exit 9"
	collect 5 "" --repeat 2
	has "$stderr" "JOBRUN2 is of a run that failed" "run 2 of 2 did not succeed"
	lacks "$stderr" "not made"
	words_of 3 "--job $JOB --exit 9"
	collect 5 "" --repeat 2 --discard 1
	equal "$(runs_made)" 3
	has "$stderr" "fetched JOBRUN3" "JOBRUN3 is of a run that failed" \
		"warm-up 1 of 1 did not succeed: 2 further runs are not made"
	words_of 5 "--say nothing"
	collect 1 "" --repeat 3
	equal "$(runs_made)" 5
	has "$stderr" "Failed to generate JOB" "run 2 of 3 did not succeed: 1 further run is not made"
	words_of 6 "--job $JOB --hang"
	collect 5 "" --repeat 3 --timeout 1
	has "$stderr" "did not end within 1 s" "run 1 of 3 did not succeed: 2 further runs are not made"
	nothing_left
}

@test "Ctrl-C in the second run stops it and makes no third; its data comes" {
	several_runs "--job $JOB"
	words_of 2 "--job $JOB --hang"
	begin "" --repeat 3
	until_running
	kill -INT "$collector"
	ends_with 130
	equal "$(runs_made)" 2
	equal "$(results)" "JOBRUN1 JOBRUN2"
	has "$(cat stderr)" "JOBRUN2 is of a run that failed" "1 further run is not made"
	nothing_left
}

@test "killed in the second of four runs: a resume fetches what there is, and says how many runs are missing" {
	several_runs "--job $JOB"
	words_of 2 "--job $JOB --hang"
	begin "" --repeat 4
	until_running
	kill -KILL "$collector"
	wait "$collector" || true
	until_true nothing_on_board
	equal "$(results)" JOBRUN1
	expect 0 collect --local --resume "$OUT"
	equal "$(results)" "JOBRUN1 JOBRUN2"
	has "$stderr" "the last 2 runs were not made: msprof collect --repeat 2 --output '$OUT' makes them"
	expect 0 collect --local --resume "$OUT"
	has "$stderr" "nothing to resume"
	collect 0 "" --repeat 2
	equal "$(results)" "JOBRUN1 JOBRUN2 JOBRUN3 JOBRUN4"
	nothing_left
}

@test "--all parses each run; --name labels each" {
	several_runs "--job $JOB"
	collect 0 "" --repeat 2 --all --name "before the fix"
	for job in JOBRUN1 JOBRUN2; do
		[ -s "$OUT/$job/sqlite/msprof.db" ]
		equal "$(cat "$OUT/$job/label")" "before the fix"
	done
}

@test "the switch is off: each run is made, and none leaves a JOB" {
	several_runs ""
	collect 0 "" --repeat 2 --switch off
	equal "$(runs_made)" 2
	has "$stderr" "no JOB appeared: the switch is off"
}

@test "a dry run lists the runs, and makes none" {
	several_runs "--job $JOB"
	collect 0 "" --repeat 5 --discard 1 --dry-run
	has "$output" "before, run it 1 time to warm up, and remove the new JOBs from the board" "keep the data of 5 runs, and fetch after each: 6 runs in all"
	[ ! -e "$PLACE/out/count" ]
}

@test "what cannot be is said: no run, a resume with runs" {
	collect 2 "" --repeat 0
	has "$stderr" "invalid repeat '0' (a whole number, 1 to 10000)"
	collect 2 "" --discard -1
	for option in "--repeat 2" "--discard 1"; do
		# shellcheck disable=SC2086 # two words
		expect 2 collect --local --resume "$OUT" $option
		has "$stderr" "--resume cannot be combined with --repeat or --discard"
	done
}
