#!/usr/bin/env bats
# fault_threads.bats: memory that ends and disks that fail, at many calls in turn, while several threads write an export.

load ../cli/helpers

setup_file() {
	[ -z "${ASAN_OPTIONS-}" ] && [ "$(nproc)" -gt 1 ] || return 0
	export PROF=$BATS_FILE_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	umask 0027
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" \
		"$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
	"$BUILD/tests/genprof" --out "$PROF" --tasks 20011
	"$MSPROF" import -q -dir "$PROF"
	for kind in timeline summary; do
		"$MSPROF" export $kind -q -dir "$PROF"
	done
	mv "$PROF/mindstudio_profiler_output" "$BATS_FILE_TMPDIR/earlier"
}

setup() {
	[ -e "$BATS_FILE_TMPDIR/inject.so" ] || skip "one processor, or the sanitizer brings its own allocator"
	umask 0027
	OUT=$PROF/mindstudio_profiler_output
}

contents() {
	(cd "$1" && sha256sum -- * | sed 's/_[0-9]*\././' | sort -u)
}

# inject CALLS AT KIND: an export beside the earlier one; the calls fail from that one on.
inject() {
	discard "$OUT"
	cp -rp "$BATS_FILE_TMPDIR/earlier" "$OUT"
	status=0
	timeout 60 env FAULT_CALLS="$1" FAULT_AT="$2" FAULT_ERRNO="${ERRNO:-EIO}" FAULT_REPORT="$BATS_TEST_TMPDIR/count" \
		LD_PRELOAD="$BATS_FILE_TMPDIR/inject.so" "$MSPROF" export "$3" -q -dir "$PROF" 2>"$BATS_TEST_TMPDIR/err" || status=$?
}

# each_call CALLS TIMES: fail from that many calls on, spread evenly over all there are. Whole files or none, one message, no part file.
each_call() {
	local calls=$1 times=$2 total kind at i
	for kind in timeline summary; do
		inject "$calls" 0 $kind
		equal "$status" 0
		total=$(cat "$BATS_TEST_TMPDIR/count")
		for ((i = 0; i < times; i++)); do
			at=$((1 + total * i / times))
			inject "$calls" "$at" $kind
			what="$kind: $calls fails from call $at of $total on"
			[ "$status" -le 2 ] || fail "$what: ended with $status" # 2: the file of defaults cannot be read
			[ "$status" = 0 ] || equal "$what: $(grep -c "^msprof: error: " "$BATS_TEST_TMPDIR/err")" "$what: 1"
			no_part_files "$PROF" || fail "$what"
			equal "$what: $(contents "$OUT")" "$what: $(contents "$BATS_FILE_TMPDIR/earlier")"
		done
		echo "# $kind: $total calls of $calls" >&3
	done
}

@test "memory that ends at any moment" {
	each_call memory "${FAULT_TIMES:-100}"
}

@test "a disk that is full, or fails, from any write or rename on" {
	ERRNO=ENOSPC each_call write 40
	each_call write,rename,ftruncate 40
}

@test "a database that cannot be read or opened from any moment on" {
	each_call read "${FAULT_TIMES:-60}"
	each_call open,stat 40
}
