#!/usr/bin/env bats
# budget.bats: the rest of the matrix of tests/cli/collect_budget.bats: floods of errors, boards with sftp alone, single commands, and
# JOBs in great number.

load ../cli/helpers
load ../cli/helpers/cuts
load ../cli/helpers/lying

setup() {
	export MSPROF_BOARD_PATIENCE=5
	mapfile -t SCRIPTS < <(board_scripts)
}

teardown() {
	stop_server
}

@test "each script floods its errors" {
	lying_setup
	# the errors of run_program.sh are the program's own
	mapfile -t SCRIPTS < <(board_scripts | grep -vx run_program)
	play complain "${SCRIPTS[@]}" fetch send
}

@test "the removal of a JOB, in every way" {
	lying_setup
	for attack in stall flood complain trickle cut status; do play "$attack" remove; done
}

@test "a board with sftp alone: the server, in every way" {
	lying_setup sftp
	for attack in stall flood complain trickle cut status; do play "$attack" sftp; done
	discard "$CELLS/sftp_stall"
	MSPROF_BOARD_PATIENCE=1000 play -i stall sftp
}

@test "more JOBs than a command fetches: the next one takes the others" {
	local out=$BATS_TEST_TMPDIR/out
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/app/out"
	printf '%s\n' '#!/bin/sh' 'for i in $(seq 1010); do mkdir -p profiling/JOB$i; echo $i >profiling/JOB$i/x; done' \
		>"$BATS_TEST_TMPDIR/app/out/main"
	chmod 755 "$BATS_TEST_TMPDIR/app/out/main"
	unset MSPROF_BOARD_PATIENCE
	expect 1 collect --local -m "$BATS_TEST_TMPDIR/app/out/main" --output "$out"
	has "$stderr" "has 1010 new JOBs, and a command fetches 1000 at most"
	equal "$(find "$out" -maxdepth 1 -name 'JOB*' | wc -l)" 1000
	expect 0 collect --local --resume "$out"
	equal "$(find "$out" -maxdepth 1 -name 'JOB*' | wc -l)" 1010
}

@test "a link of 2 KB a second is only slow" {
	unset MSPROF_BOARD_PATIENCE
	start_server openssh tar
	make_project "$HERE" 60000
	through --trickle 2
	collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
	[ "$status" -eq 0 ] || fail "ended with $status: $stderr"
	diff -r "$OUT/JOBX" "$HERE/JOBMADE"
}
