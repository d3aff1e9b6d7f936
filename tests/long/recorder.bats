#!/usr/bin/env bats
# recorder.bats: a program that records is killed, or the system fails it, at every call in turn.

load ../recorder/helpers
load ../recorder/crash
load ../recorder/victims

setup_file() {
	[ -z "${ASAN_OPTIONS-}" ] || skip_file "the sanitizer brings its own allocator" || return 0
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" \
		"$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
}

# inject CALLS AT: a recording of everything; $code is its exit status.
inject() {
	discard out results && mkdir out
	code=0
	timeout 30 env FAULT_CALLS="$1" FAULT_AT="$2" FAULT_ERRNO="$ERRNO" FAULT_REPORT="$PWD/count" \
		LD_PRELOAD="$BATS_FILE_TMPDIR/inject.so" "$RECORD" init=acl.json calls=700 load=1:m calls=700:1 mark=here \
		op=a:T:1 execute=3:1 load=1:n execute=5:1 unload=1 finalize >text 2>errors || code=$?
}

# The written data is readable and undamaged.
verify() {
	local job status
	for job in out/JOB* out/PROF*; do
		[ -e "$job" ] || continue
		status=0
		"$MSPROF" import -q -dir "$job" >text 2>&1 || status=$?
		[ "$status" = 0 ] || fail "$1: $(cat text)"
		export DB=$job/sqlite/msprof.db
		equal "$1: $(query 'SELECT count(*) FROM damage')" "$1: 0"
	done
}

# each_call ENDS CALLS: ENDS is the status that is wanted; 0 is fine too, where there are fewer calls than the first time.
each_call() {
	local total at
	inject "$2" 0
	equal "$code" 0
	total=$(cat count)
	for ((at = 1; at <= total; at++)); do
		inject "$2" "$at"
		[ "$code" = "$1" ] || [ "$code" = 0 ] || fail "$2 from $at of $total on: ended with $code"
		verify "$2, call $at of $total"
	done
	echo "# $total calls of $2" >&3
}

as_prof() {
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on", "runtime_api": "on", "msproftx": "on"}'
}

@test "killed at any call: a JOB" {
	ERRNO=KILL each_call 137 open,write,rename,mkdir,close,chmod
}

@test "killed at any call: a PROF directory" {
	as_prof
	ERRNO=KILL each_call 137 open,write,rename,mkdir,close,chmod
}

@test "calls that fail from any moment on do not end the program: a JOB" {
	local calls
	for calls in open write rename mkdir close chmod flock stat memory; do
		ERRNO=ENOSPC each_call 0 "$calls"
	done
}

@test "calls that fail from any moment on do not end the program: a PROF directory" {
	local calls
	as_prof
	for calls in open write rename mkdir close chmod stat memory; do
		ERRNO=EIO each_call 0 "$calls"
	done
}

@test "crashes at many moments: all that was recorded is there" {
	build_app
	for how in kill segv _exit abort; do
		for us in 0 $(moments 30); do
			crash_in_job $how "$us"
		done
	done
	to_prof
	for how in kill segv _exit abort; do
		for us in $(moments 30); do
			crash_in_prof $how "$us"
		done
	done
}

@test "a thousand programs that do with descriptors what they should not: their files stay, and no call is missing" {
	victims 1000 1000
}

@test "two hundred of them on systems before close_range" {
	victims 2000 200 older
}

@test "two hundred of them where the system gives no thread a table of descriptors" {
	victims 3000 200 refused
}
