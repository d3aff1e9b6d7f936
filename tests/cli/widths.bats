#!/usr/bin/env bats
# widths.bats: characters have the columns that terminals give them.

load helpers

@test "the widths of characters are those of Unicode" {
	run python3 "$HELPERS/char_widths.py" "$ROOT/cli/table_widths.h"
	[ "$status" -ne 3 ] || skip "Python has another version of Unicode"
	equal "$output" ""
	equal "$status" 0
	diff <("$ROOT/cli/table_widths.py") "$ROOT/cli/table_widths.h"
}

@test "names in Chinese: the lines of each table are equally wide, at 40 to 200 columns" {
	local columns lines
	needs_terminal
	fresh_job
	export MSPROF_PAGER='' TERM=xterm
	genjob "$BATS_TEST_TMPDIR/JOBWIDE" --utf8 --pictures 2
	for columns in 40 60 80 120 200; do
		python3 "$HELPERS/pty_run.py" "$columns" "$MSPROF" show -q --each --top 0 -dir "$BATS_TEST_TMPDIR/JOBWIDE" >"$BATS_TEST_TMPDIR/out"
		lines=$(python3 "$HELPERS/aligned.py" "$columns" <"$BATS_TEST_TMPDIR/out")
		[ "$lines" -gt 20 ] || equal "$columns" 40 # where rows are lists
		grep -q 卷积 "$BATS_TEST_TMPDIR/out"
	done
}
