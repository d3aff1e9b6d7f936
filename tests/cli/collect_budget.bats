#!/usr/bin/env bats
# collect_budget.bats: each script that a board runs × each way in which the board can lie there: the collection ends by itself, with
# one message, in bounded memory. tests/long/budget.bats has the rest of the matrix.
# shellcheck disable=SC2154 # $cell is set by make_cell

load helpers
load helpers/cuts
load helpers/lying

setup() {
	export MSPROF_BOARD_PATIENCE=5
	lying_setup
	mapfile -t SCRIPTS < <(board_scripts)
	[ "${#SCRIPTS[@]}" -gt 10 ]
}

teardown() {
	stop_server
}

@test "each script stalls" {
	play stall "${SCRIPTS[@]}" fetch send
}

@test "each script floods" {
	play flood "${SCRIPTS[@]}" fetch send
}

@test "each script trickles" {
	play trickle "${SCRIPTS[@]}" fetch send
}

@test "each script is cut" {
	play cut "${SCRIPTS[@]}" fetch send
}

@test "each script ends with a wrong status" {
	play status "${SCRIPTS[@]}" fetch send
}

@test "each script stalls, and two interrupts end the collection at once" {
	export MSPROF_BOARD_PATIENCE=1000
	play -i stall "${SCRIPTS[@]}" fetch send
}

@test "a listing of long names, or of long targets of links, ends in bounded memory" {
	play names list_tree
	has "$(cat "$CELLS/list_tree_names/stderr")" "board '" "list '" "more than 256 MiB of names"
	play targets list_tree
	has "$(cat "$CELLS/list_tree_targets/stderr")" "board '" "list '" "is a link to a path of 60000 bytes"
}
