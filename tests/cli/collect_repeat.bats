#!/usr/bin/env bats
# collect_repeat.bats: several runs of the program in one collection, over OpenSSH and dropbear, on one board and on two.
# shellcheck disable=SC2154,SC2153,SC2034 # ssh.bash and run share variables with the tests

load ssh
load helpers/repeat

setup_file() { start_servers; }
teardown_file() { stop_servers; }
setup() { fresh_board; }

@test "a warm-up and three runs: the project is sent once, each run leaves a whole JOB, and the board is as before" {
	several_runs "--job $JOB_THERE"
	for server in $SERVERS; do
		board "$server"
		collect 0 "" --repeat 3 --discard 1 --clean
		equal "$(runs_made)" 4
		equal "$(results)" "JOBRUN2 JOBRUN3 JOBRUN4"
		for job in "$OUT"/JOB*; do diff -r "$job" "$JOB"; done
		equal "$(grep -c 'pushed [0-9]' <<<"$stderr")" 1
		has "$stderr" "JOBRUN1 of the warm-up is removed from the board"
		equal "$(left_on_board)" ""
		board_is_clean
	done
}

@test "a run that fails ends the repetition on this board; the other board goes on" {
	several_runs "--job $JOB_THERE"
	words_of 2 "--job $JOB_THERE --exit 9"
	for server in $SERVERS; do
		board "$server"
		mv "$INI" one.ini
		sed '$a remote_dir = ~/msprof/other' one.ini >two.ini
		chmod 600 two.ini
		mkdir -p "$BOARD_HOME/msprof/other/out"
		echo 4 >"$BOARD_HOME/msprof/other/out/count" # its first run is the fifth
		give_board "$BOARD_HOME/msprof"
		expect 5 collect --config one.ini --config two.ini --output "$OUT" -m "$APP/out/main" --repeat 3
		has "$stderr" "[127.0.0.1] msprof: warning: run 2 of 3 did not succeed: 1 further run is not made"
		equal "$(cd "$OUT/127.0.0.1" && echo JOB*)" "JOBRUN1 JOBRUN2"
		equal "$(cd "$OUT/127.0.0.1_2" && echo JOB*)" "JOBRUN5 JOBRUN6 JOBRUN7"
		until_true nothing_runs
	done
}

@test "the connection is cut in the second of three runs: exit 4, and a resume fetches what there is" {
	several_runs "--job $JOB_THERE"
	words_of 2 "--job $JOB_THERE --hang"
	for server in $SERVERS; do
		board "$server"
		begin "" --repeat 3
		until_running
		"$SSHD" stop "$BATS_FILE_TMPDIR/$server"
		ends_with 4
		equal "$(results)" JOBRUN1
		has "$stderr" "msprof collect --resume '$OUT' fetches the rest"
		start_server "$server"
		expect 0 collect --config "$INI" --resume "$OUT"
		equal "$(results)" "JOBRUN1 JOBRUN2"
		has "$stderr" "the last 1 run was not made: msprof collect --repeat 1 --output '$OUT' makes it"
		board_is_clean
	done
}

@test "Ctrl-C in a warm-up: its data comes, and no run is made" {
	several_runs "--job $JOB_THERE"
	words_of 1 "--job $JOB_THERE --hang"
	for server in $SERVERS; do
		board "$server"
		begin "" --repeat 2 --discard 1
		until_running
		kill -INT "$collector"
		ends_with 130
		equal "$(runs_made)" 1
		equal "$(results)" JOBRUN1
		has "$stderr" "JOBRUN1 is of a run that failed" "warm-up 1 of 1 did not succeed: 2 further runs are not made"
		board_is_clean
	done
}

# several_jobs FIRST KEY=VALUE...: six jobs of one network, each with a noise of its own, for the run FIRST and those after it
several_jobs() {
	local n=$1
	for ((n = $1; n < $1 + 6; n++)); do
		python3 "$HELPERS/diff_job.py" "$APP/made_$n" 1 "noise$n" run=0.004 "${@:2}"
		words_of "$n" "--job ../made_$n"
	done
}

# The script of README, "Did it get slower?", as a user has it beside the project.
gate() {
	sed -n '/^#!\/bin\/sh$/,/^exit \$status/p' "$ROOT/README.md" >gate.sh
	has "$(cat gate.sh)" "msprof collect" "msprof diff"
	run --separate-stderr env PATH="${MSPROF%/*}:$PATH" sh gate.sh
}

@test "the whole loop: collect, a change, collect, diff; and the script of README as the gate of a pipeline" {
	several_runs "--exit 1"
	several_jobs 1
	several_jobs 7
	several_jobs 13 scale=1.1
	for server in $SERVERS; do
		board "$server"
		cp "$INI" "$HOME/board.ini"
		cd "$APP"
		discard before after baseline.json
		repeated=(collect -m out/main --config "$HOME/board.ini" --repeat 5 --discard 1 --output)
		expect 0 "${repeated[@]}" before
		equal "$(cd before && echo JOB*)" "JOBRUN2 JOBRUN3 JOBRUN4 JOBRUN5 JOBRUN6"
		expect 0 diff --save baseline.json -dir before
		gate # nothing has changed
		[ "$status" -eq 0 ] || fail "$status: $output $stderr"
		has "$(cat diff.md)" "total"
		expect 0 diff before after --fail-if 'total > 5%' --format json
		equal "$(jq -r '.groups[0].total.verdict' <<<"$output")" same
		discard after
		gate # the model became slower
		[ "$status" -eq 6 ] || fail "$status: $output $stderr"
		has "$(cat diff.xml)" "<failure"
		expect 6 diff before after --fail-if 'total > 5%' --format json
		equal "$(jq -r '.groups[0].total.verdict' <<<"$output")" slower
		equal "$(jq -c '[.base.jobs, .new.jobs]' <<<"$output")" "[5,5]"
		discard after
		gate # the program fails
		[ "$status" -eq 5 ] || fail "$status: $output $stderr"
		cd "$BATS_TEST_TMPDIR"
	done
}
