#!/usr/bin/env bats
# interrupt.bats: Ctrl-C and its relatives while a database or an export is written: the part file is removed, earlier files stay.
# The signals come with the n-th write, so nothing depends on time.

load helpers

setup_file() {
	export PROF=$BATS_FILE_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	umask 0027
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" "$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
	"$BUILD/tests/genprof" --out "$PROF" --tasks 300 --samples
	cp -rp "$PROF" "$BATS_FILE_TMPDIR/raw"
	for work in import "export timeline" "export summary" "export db"; do
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $work -q -dir "$PROF"
	done
	mv "$PROF" "$BATS_FILE_TMPDIR/parsed"
}

setup() {
	umask 0027
}

# at_write SIGNAL BASE N ARGUMENT...: run msprof on a fresh $PROF; the n-th write brings the signal.
at_write() {
	local signal=$1 base=$2 at=$3
	shift 3
	discard "$PROF"
	cp -rp "$BATS_FILE_TMPDIR/$base" "$PROF"
	status=0
	env "${HOW:---default-signal=INT,TERM,HUP,PIPE}" FAULT_CALLS=write FAULT_AT="$at" FAULT_ERRNO="$signal" FAULT_REPORT="$BATS_TEST_TMPDIR/count" \
		ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" LD_PRELOAD="$BATS_FILE_TMPDIR/inject.so" \
		"$MSPROF" "$@" -q -dir "$PROF" || status=$?
}

writes() {
	at_write INT "$1" 0 "${@:2}"
	equal "$status" 0
	cat "$BATS_TEST_TMPDIR/count"
}

results() {
	(cd "$1" && find . '(' -path ./sqlite/msprof.db -o -name 'msprof_*.db' -o -path './mindstudio_profiler_output/*' ')' -exec sha256sum {} + | sort)
}

# All but the last writes go to the part file.
interrupted() {
	local signal=$1 wanted=$2 base=$3 total at
	shift 3
	total=$(writes "$base" "$@")
	for at in $((total * 2 / 3)) $((total * 3 / 4)) $((total - 1)); do
		at_write KILL "$base" "$at" "$@"
		equal "$status" 137
		[ -n "$(find "$PROF" -name '*.part')" ] || fail "$*: there is no part file at write $at of $total"
		at_write "$signal" "$base" "$at" "$@"
		equal "$*, write $at of $total: $status" "$*, write $at of $total: $wanted"
		no_part_files "$PROF"
		equal "$(results "$PROF")" "$(results "$BATS_FILE_TMPDIR/$base")"
	done
}

@test "an import that is interrupted leaves the earlier database, and no part of a new one" {
	interrupted INT 130 parsed import
	interrupted INT 130 raw import
	interrupted TERM 143 parsed import
	interrupted HUP 129 parsed import
	interrupted PIPE 141 parsed import
}

@test "an export that is interrupted leaves the earlier files, and no part of a new one" {
	interrupted INT 130 parsed export timeline
	interrupted INT 130 parsed export db
	interrupted TERM 143 parsed export timeline
	interrupted HUP 129 parsed export db
	interrupted PIPE 141 parsed export timeline
}

@test "an export of many files that is interrupted leaves whole ones" {
	local total at
	total=$(writes parsed export summary)
	for ((at = 1; at <= total; at++)); do
		at_write INT parsed "$at" export summary
		equal "$status" 130
		no_part_files "$PROF"
		# the list of exports has a line for each file so far
		if results "$PROF" | sed 's/_[0-9]*\.csv$//; /\/\.msprof$/d' | grep -vxFf <(results "$BATS_FILE_TMPDIR/parsed" | sed 's/_[0-9]*\.csv$//'); then
			fail "write $at of $total: a file that is not whole"
		fi
	done
}

@test "databases for other tools that are interrupted leave no part of one" {
	local last
	last=$(($(writes parsed import --compat-db) - 1))
	at_write KILL parsed "$last" import --compat-db
	[ -n "$(find "$PROF"/host/sqlite "$PROF"/device_0/sqlite -name '*.part')" ] || fail "there is no part file at write $last"
	at_write TERM parsed "$last" import --compat-db
	equal "$status" 143
	no_part_files "$PROF"
}

@test "an import that an export begins is interrupted like any other" {
	local at
	at=$(($(writes raw import) * 3 / 4))
	at_write INT raw "$at" export timeline
	equal "$status" 130
	no_part_files "$PROF"
	equal "$(results "$PROF")" ""
}

@test "a signal that is ignored stays ignored" {
	local total signal
	total=$(writes parsed import)
	for signal in INT HUP PIPE; do
		HOW=--ignore-signal=$signal at_write "$signal" parsed $((total * 3 / 4)) import
		equal "$status" 0
	done
}
