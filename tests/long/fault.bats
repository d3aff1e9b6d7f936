#!/usr/bin/env bats
# fault.bats: memory that ends, disks that fill up or fail, at every call in turn.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers

setup_file() {
	[ -z "${ASAN_OPTIONS-}" ] || return 0
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/inject.so" \
		"$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
}

setup() {
	[ -e "$BATS_FILE_TMPDIR/inject.so" ] || skip "the sanitizer brings its own allocator"
	fresh_job
	mv "$JOB" "$BATS_TEST_TMPDIR/raw"
	JOB=$BATS_TEST_TMPDIR/job
	DB=$JOB/sqlite/msprof.db
	cp -rp "$BATS_TEST_TMPDIR/raw" "$BATS_TEST_TMPDIR/parsed"
	for work in import "export timeline" "export summary"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $work -q -dir "$BATS_TEST_TMPDIR/parsed"
	done
}

outputs() {
	(cd "$1" && find timeline summary -type f -exec sha256sum {} + 2>/dev/null | sort)
}

# inject CALLS AT ARGUMENT...: run msprof on a fresh $JOB; the calls fail from that one on.
inject() {
	local calls=$1 at=$2
	shift 2
	discard "$JOB"
	cp -rp "$BATS_TEST_TMPDIR/$BASE" "$JOB"
	status=0
	timeout 30 env FAULT_CALLS="$calls" FAULT_AT="$at" FAULT_ERRNO="${ERRNO:-EIO}" \
		FAULT_REPORT="$BATS_TEST_TMPDIR/count" LD_PRELOAD="$BATS_FILE_TMPDIR/inject.so" \
		"$MSPROF" "$@" -dir "$JOB" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err" || status=$?
}

# Conditions after any failure: a message, complete outputs or none, a sound database.
verify() {
	local what=$1
	case $status in
	0 | 3) cmp -s "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/good" || fail "$what: another output, and no failure" ;;
	1) grep -q "^msprof: error: " "$BATS_TEST_TMPDIR/err" || fail "$what: no message" ;;
	*) fail "$what: ended with $status" ;;
	esac
	no_part_files "$JOB" || fail "$what"
	if outputs "$JOB" | grep -vxFf <(outputs "$BATS_TEST_TMPDIR/parsed"); then
		fail "$what: an output that is not whole"
	fi
	[ "$BASE" = raw ] || equal "$(outputs "$JOB" | wc -l)" "$(outputs "$BATS_TEST_TMPDIR/parsed" | wc -l)"
	[ "$BASE" = raw ] || [ -e "$DB" ] || fail "$what: the earlier database is gone"
	[ ! -e "$DB" ] || equal "$what: $(query 'PRAGMA integrity_check; SELECT sum(records) FROM source' | tr '\n' ' ')" \
		"$what: ok 142 "
}

# each_call CALLS STEP: every STEP-th call fails, in every command, without and with earlier results.
each_call() {
	local calls=$1 step=$2 total at work
	for BASE in raw parsed; do
		for work in import "export timeline" "export summary" show "show --format json" check; do
			# shellcheck disable=SC2086 # words on purpose
			inject "$calls" 0 $work
			equal "$status" 0
			cp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/good"
			total=$(cat "$BATS_TEST_TMPDIR/count")
			for ((at = 1; at <= total; at += step)); do
				# shellcheck disable=SC2086 # words on purpose
				inject "$calls" "$at" $work
				verify "$BASE, $work: $calls fails from call $at of $total on"
			done
			echo "# $BASE, $work: $total calls of $calls" >&3
		done
	done
}

@test "memory that ends at any moment" {
	each_call memory "${FAULT_STEP:-97}"
}

@test "a disk that is full from any write on" {
	ERRNO=ENOSPC each_call write,ftruncate,mkdir 1
}

@test "a disk that fails from any write, sync, truncation or rename on" {
	each_call write,fsync,ftruncate,rename 1
}

@test "rights, locks, directories and removals that fail" {
	each_call chmod 1
	each_call flock 1
	each_call mkdir 1
	each_call unlink 1
}

@test "a disk that cannot be read from any moment on" {
	each_call read 1
}

@test "files that cannot be opened from any moment on" {
	each_call open 1
	ERRNO=ENOSPC each_call open 1
}
