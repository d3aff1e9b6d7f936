#!/usr/bin/env bats
# collect_clean.bats: collect --clean and --stream remove from the board only files that are complete on the disk of this machine.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local

setup_file() {
	# shellcheck disable=SC2086 # CC may be several words
	[ -n "${ASAN_OPTIONS-}${MSPROF_EMULATED-}" ] ||
		${CC:-gcc} -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" "$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
}

needs_injection() {
	[ -e "$BATS_FILE_TMPDIR/inject.so" ] || skip "a sanitizer brings its own allocator, an emulated program is of another processor"
}

# Runs a collection in which the calls of fsync fail from this call on; $count is the number of calls.
collect_failing() {
	local want=$1 at=$2
	shift 2
	run --separate-stderr env FAULT_CALLS=fsync FAULT_AT="$at" FAULT_ERRNO=EIO FAULT_REPORT="$BATS_TEST_TMPDIR/count" \
		LD_PRELOAD="$BATS_FILE_TMPDIR/inject.so" "$MSPROF" collect --local --output "$OUT" "$@"
	[ "$status" -eq "$want" ] || fail "fsync $at: ended with $status, not $want: $stderr"
	count=$(cat "$BATS_TEST_TMPDIR/count")
}

# The job on the board is the one that the program wrote.
is_there() {
	diff -r "$PLACE/out/profiling/$1" "$JOB"
}

@test "every file and directory is put on the disk first; where that fails the board keeps its copy" {
	needs_injection
	collect_failing 0 0 -m "$APP/out/main --job $JOB --name JOBA" --clean
	[ ! -e "$PLACE/out/profiling/JOBA" ]
	diff -r "$OUT/JOBA" "$JOB"
	# each file, each directory, the results and where they are
	[ "$count" -ge "$(($(find "$JOB" | wc -l) + 2))" ] || fail "$count calls of fsync"
	for ((at = count; at > 0; at -= count / 4 + 1)); do
		collect_failing 1 "$at" -m "$APP/out/main --job $JOB --name JOBB$at" --clean
		has "$stderr" "to the disk"
		is_there "JOBB$at"
	done
	collect_failing 0 0 -m "$APP/out/main --job $JOB --name JOBC"
	equal "$count" 0
}

@test "slices that cannot be put on the disk stay on the board" {
	needs_injection
	collect_failing 1 1 -m "$APP/out/main --job $JOB --name JOBS --wait go" --stream --timeout 20 --clean &
	until_true test -e "$OUT/.JOBS.journal" # a round of streaming has begun
	until_true is_there JOBS
	touch "$PLACE/out/go"
	wait $!
	is_there JOBS
}

@test "a JOB of which a name was left out stays on the board" {
	cat >"$APP/out/main" <<-END
		#!/bin/sh
		mkdir -p profiling/JOBL/data && echo a >profiling/JOBL/data/a && ln -s /etc/passwd profiling/JOBL/data/b
	END
	collect 3 "" --clean
	has "$stderr" "left out" "JOBL' stays on the board"
	[ -L "$PLACE/out/profiling/JOBL/data/b" ] && [ -e "$PLACE/out/profiling/JOBL/data/a" ]
	equal "$(cat "$OUT/JOBL/data/a")" a
}

@test "a slice that is written again after it was removed takes nothing from the first one" {
	cat >"$APP/out/main" <<-'END'
		#!/bin/sh
		mkdir -p profiling/JOBTWICE/data
		cd profiling/JOBTWICE/data
		for round in 1 2 3; do
			echo "round $round" >>file && touch -d "@17000000$round$round" file && touch file.done
			[ "$round" = 3 ] || until [ ! -e file ]; do sleep 0.1; done
		done
	END
	collect 3 "" --stream --timeout 60
	has "$stderr" "written again after --stream had removed" "NAME.before.N"
	equal "$(cat "$OUT/JOBTWICE/data/file.before.1" "$OUT/JOBTWICE/data/file.before.2" "$OUT/JOBTWICE/data/file")" $'round 1\nround 2\nround 3'
	equal "$(find "$OUT" -name '*.part' -o -name '*.journal')" ""
}
