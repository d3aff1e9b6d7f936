#!/usr/bin/env bats
# learn_truth.bats: the generator of boards with unknown layouts, and the judge of what was learned of them.
# shellcheck disable=SC2154 # $output is set by run

load helpers

setup() {
	export PYTHONDONTWRITEBYTECODE=1
	SEEDS=$HELPERS/learn_seeds.py
}

# A msprof whose `learn` writes the true layouts, changes them by $CHANGE, an expression of sed, and ends with $STATUS.
pretended() {
	cat >"$BATS_TEST_TMPDIR/pretended" <<-'END'
		#!/bin/bash
		[ "$1" = learn ] || exec "$MSPROF" "$@"
		[ "$STATUS" != killed ] || kill -KILL $$
		mkdir "$5"
		python3 - "${3%/*}" "$5" <<-'EOF'
			import json, os, sys
			sys.path.insert(0, os.environ["HELPERS"])
			import learn_layouts
			learn_layouts.write_layouts(json.load(open(sys.argv[1] + "/truth.json")), sys.argv[2])
		EOF
		sed -i "$CHANGE" "$5/board.rec"
		echo 'what is missing'
		exit "$STATUS"
	END
	chmod +x "$BATS_TEST_TMPDIR/pretended"
	export STATUS CHANGE
	run python3 "$SEEDS" "$BATS_TEST_TMPDIR/pretended" "$@"
}

@test "true layouts reproduce every reference" {
	run python3 "$SEEDS" "$MSPROF" 1 4 --truth
	[ "$status" -eq 0 ] || fail "$output"
	equal "${lines[-1]}" "4 seeds: 4 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "so do those with pairs, kinds, clocks that wrap, damage and dictionaries" {
	for dictionary in json_list json_flat; do
		run python3 "$SEEDS" "$MSPROF" 1 2 --truth --force pair --force kinds --force wrap --force damage --force numbered --force cpu \
			--force permille --force total --force kind_numbers --force dictionary_$dictionary
		[ "$status" -eq 0 ] || fail "$output"
		equal "${lines[-1]}" "2 seeds: 2 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
	done
}

@test "a wrong number, name, time, or record is seen" {
	CHANGE='' STATUS=0 pretended 3 1
	[ "$status" -eq 0 ] || fail "$output"
	has "$output" "1 seeds: 1 reproduced"
	for CHANGE in 's/ dstr / old /; s/ dtrans / dstr /; s/ old / dtrans /' 's/\(value ddr_.*scale=\)/\11/' 's/\(duration.*unit=\).*/\1999mhz/' \
		's/^  value ori .*//' 's/\(field pid .*\)/\1 bits 0..7/' 's/field stream_id/input stream/' 's/^  parts .*//'; do
		STATUS=0 pretended 3 1
		[ "$status" -eq 1 ] || fail "not seen: $CHANGE: $output"
		has "$output" " WRONG " "0 reproduced" "1 WRONG"
	done
}

@test "each way to end has its word" {
	CHANGE='' STATUS=3 pretended 3 1
	has "$output" " in part " "what is missing" "1 in part"
	equal "$status" 1
	CHANGE='' STATUS=1 pretended 3 1
	has "$output" "1 nothing"
	equal "$status" 1
	CHANGE='' STATUS=killed pretended 3 1
	has "$output" " FAILED " "exit -9" "1 FAILED"
	equal "$status" 1
}

@test "the same seed gives the same bytes, another one does not" {
	for place in a b c; do
		mkdir "$BATS_TEST_TMPDIR/$place"
	done
	python3 "$ROOT/tests/gen/learn.py" --seed 7 --out "$BATS_TEST_TMPDIR/a"
	python3 "$ROOT/tests/gen/learn.py" --seed 7 --out "$BATS_TEST_TMPDIR/b"
	python3 "$ROOT/tests/gen/learn.py" --seed 8 --out "$BATS_TEST_TMPDIR/c"
	diff -r "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/b"
	! diff -rq "$BATS_TEST_TMPDIR/a" "$BATS_TEST_TMPDIR/c" >/dev/null || fail "equal"
}
