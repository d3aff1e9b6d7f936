#!/bin/bash
# run.sh: run test programs and bats files, then say in one line how many passed, failed and were skipped.
# Usage: run.sh PROGRAM... -- BATS_FILE...
set -u
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

while [ $# -gt 0 ] && [ "$1" != -- ]; do
	echo "== ${1##*/}"
	"$1" >"$log" 2>&1
	status=$?
	good=$(grep -c '^\[ *OK \]' "$log")
	bad=$(grep -c '^\[  FAILED  \] [a-z_0-9]*$' "$log")
	[ "$status" = 0 ] || [ "$bad" -gt 0 ] || bad=1
	passed=$((passed + good)) failed=$((failed + bad))
	if [ "$status" != 0 ]; then
		cat "$log"
	fi
	shift
done
shift
if [ $# -gt 0 ]; then
	# files side by side, the tests of a file one after the other
	jobs=
	! command -v parallel >/dev/null || jobs="--jobs $(nproc) --no-parallelize-within-files"
	# shellcheck disable=SC2086 # words
	bats --tap $jobs "$@" | tee "$log"
	skipped=$((skipped + $(grep -c '^ok .* # skip' "$log")))
	passed=$((passed + $(grep '^ok ' "$log" | grep -vc ' # skip')))
	failed=$((failed + $(grep -c '^not ok ' "$log")))
	# bats itself failing, without a test that failed, is a failure too
	grep -q '^1\.\.' "$log" || failed=$((failed + 1))
fi
[ "$skipped" = 0 ] || echo "skipped tests need what is not on this machine: see their lines above"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
