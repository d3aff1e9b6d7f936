#!/usr/bin/env bats
# fault_prof.bats: memory that ends, disks and threads that fail, once or from then on, while a PROF directory is imported and exported:
# pages that the import makes itself, pages that the exports read themselves.

load ../cli/helpers

setup_file() {
	export PROF=$BATS_FILE_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	local base
	umask 0027
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" \
		"$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
	"$BUILD/tests/genprof" --out "$PROF" --tasks 9000 --samples
	cp -rp "$PROF" "$BATS_FILE_TMPDIR/raw"
	for work in import "export timeline" "export summary" "export db"; do
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $work -q -dir "$PROF"
	done
	cp -rp "$PROF" "$BATS_FILE_TMPDIR/parsed"
	cp -rp "$PROF" "$BATS_FILE_TMPDIR/gone"
	rm "$BATS_FILE_TMPDIR"/gone/*/data/*
	"$BUILD/tests/genprof" --out "$BATS_FILE_TMPDIR/few" --tasks 300
	"$MSPROF" import -q -dir "$BATS_FILE_TMPDIR/few"
	"$BUILD/tests/genprof" --out "$BATS_FILE_TMPDIR/many" --tasks 250000
	for base in raw parsed gone few many; do
		contents "$BATS_FILE_TMPDIR/$base" >"$BATS_FILE_TMPDIR/$base.sums"
	done
}

setup() {
	umask 0027
}

# Databases and exports, without the times in their names.
contents() {
	(cd "$1" && find . '(' -path ./sqlite/msprof.db -o -name 'msprof_*.db' -o -path './mindstudio_profiler_output/*' ')' -exec sha256sum {} + |
		sed -E 's/_[0-9]+\.([a-z]+)$/.\1/' | sort -u)
}

# inject BASE CALLS AT COUNT ARGUMENT...: run msprof on a fresh $PROF; so many calls fail from that one on.
inject() {
	local base=$1 calls=$2 at=$3 count=$4
	shift 4
	discard "$PROF"
	cp -rp "$BATS_FILE_TMPDIR/$base" "$PROF"
	status=0
	timeout 120 env FAULT_CALLS="$calls" FAULT_AT="$at" FAULT_COUNT="$count" FAULT_ERRNO="${ERRNO:-EIO}" \
		FAULT_REPORT="$BATS_TEST_TMPDIR/count" ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" \
		LD_PRELOAD="$BATS_FILE_TMPDIR/inject.so" "$MSPROF" "$@" -q -dir "$PROF" 2>"$BATS_TEST_TMPDIR/err" || status=$?
}

# Conditions: either all results equal those without the failure, or a message names an object and nothing has changed.
verify() {
	local base=$1 what=$2 named="'"
	[[ $what != *memory* ]] || named="('|memory)"
	no_part_files "$PROF" || fail "$what: ended with $status: $(cat "$BATS_TEST_TMPDIR/err")"
	case $status in
	0)
		equal "$what: $(contents "$PROF")" "$what: $(cat "$BATS_TEST_TMPDIR/good")"
		;;
	1)
		grep -Eq "^msprof: error: .*$named" "$BATS_TEST_TMPDIR/err" || fail "$what: no message: $(cat "$BATS_TEST_TMPDIR/err")"
		if contents "$PROF" | grep -vxFf "$BATS_TEST_TMPDIR/good"; then
			fail "$what: a file that is not whole"
		fi
		if contents "$PROF" | grep -xFvf - "$BATS_FILE_TMPDIR/$base.sums"; then
			fail "$what: an earlier file is gone"
		fi
		;;
	*) fail "$what: ended with $status: $(cat "$BATS_TEST_TMPDIR/err")" ;;
	esac
	[ -z "${SUCCEEDS-}" ] || equal "$what: $status" "$what: 0"
}

# each_work CALLS TIMES COUNT...: so many calls, of each number of them, fail from many calls on, spread evenly over all there are.
each_work() {
	local calls=$1 times=$2 base work total at i count
	shift 2
	while read -r base work; do
		# shellcheck disable=SC2086 # words on purpose
		inject $base "$calls" 0 1 $work
		equal "$status" 0
		contents "$PROF" >"$BATS_TEST_TMPDIR/good"
		total=$(cat "$BATS_TEST_TMPDIR/count")
		for count; do
			for ((i = 0; i < times && i < total; i++)); do
				at=$((1 + (times < total ? total * i / times : i)))
				# shellcheck disable=SC2086 # words on purpose
				inject $base "$calls" "$at" "$count" $work
				verify "$base" "$base, $work: $count of $calls fail from call $at of $total on"
			done
		done
		echo "# $base, $work: $total calls of $calls" >&3
	done <<-END
		raw import
		parsed import
		raw export timeline
		parsed export timeline
		parsed export summary
		parsed export db
	END
}

# keeps CALLS: parsed data outlives its raw data, whatever fails after the raw data is gone.
keeps() {
	local calls=$1 total at i count
	inject gone "$calls" 0 1 import
	equal "$status" 1
	total=$(cat "$BATS_TEST_TMPDIR/count")
	cp "$BATS_FILE_TMPDIR/gone.sums" "$BATS_TEST_TMPDIR/good"
	for count in 1 "$ALL"; do
		for ((i = 0; i < TIMES && i < total; i++)); do
			at=$((1 + (TIMES < total ? total * i / TIMES : i)))
			inject gone "$calls" "$at" "$count" import
			equal "$status" 1
			verify gone "gone, import: $count of $calls fail from call $at of $total on"
		done
	done
}

TIMES=${FAULT_TIMES:-24}
ALL=999999999

@test "memory that ends at any moment, or is short once" {
	each_work memory "$TIMES" 1 "$ALL"
}

@test "memory that is short once while tables without rows are dropped" {
	local total at
	inject few memory 0 1 export db
	contents "$PROF" >"$BATS_TEST_TMPDIR/good"
	total=$(cat "$BATS_TEST_TMPDIR/count")
	for ((at = total - 4000; at <= total; at += 7)); do
		inject few memory "$at" 1 export db
		verify few "memory call $at of $total"
	done
}

@test "a disk that is full, or fails, from any write on, or at one write" {
	ERRNO=ENOSPC each_work write,ftruncate "$TIMES" 1 "$ALL"
	each_work write,ftruncate "$TIMES" 1 "$ALL"
}

@test "files that cannot be synced, renamed or closed" {
	each_work fsync 9 1 "$ALL"
	each_work rename 9 1 "$ALL"
	each_work close "$TIMES" 1 "$ALL"
}

@test "a disk that cannot be read from any moment on, or once" {
	each_work read "$TIMES" 1 "$ALL"
}

@test "files that cannot be opened, looked at, locked, removed or given rights" {
	each_work open "$TIMES" 1 "$ALL"
	each_work stat "$TIMES" 1 "$ALL"
	each_work flock,chmod,mkdir,unlink "$TIMES" 1
}

@test "large arrays that get no file, or no more of it: memory takes them" {
	local calls total at count
	for calls in map allocate; do
		inject many "$calls" 0 1 import
		equal "$status" 0
		contents "$PROF" >"$BATS_TEST_TMPDIR/good"
		total=$(cat "$BATS_TEST_TMPDIR/count")
		[ "$total" -gt 0 ] || skip "the directory takes no files without a name"
		for count in 1 "$ALL"; do
			for ((at = 1; at <= total && at <= 8; at++)); do
				ERRNO=ENOSPC inject many "$calls" "$at" "$count" import
				SUCCEEDS=1 verify many "$count of $calls fail from call $at of $total on"
			done
		done
	done
}

@test "threads that cannot be started: it is done without them" {
	ERRNO=EAGAIN SUCCEEDS=1 each_work thread 9 1 "$ALL"
}

@test "reads and writes of less than was asked for, and interrupted ones, are gone on with" {
	ERRNO=SHORT SUCCEEDS=1 each_work read,write 3 1 "$ALL"
	ERRNO=EINTR SUCCEEDS=1 each_work read,write "$TIMES" 1
}

@test "what was parsed outlives its raw data" {
	keeps memory
	keeps read
	keeps open
	keeps stat
}
