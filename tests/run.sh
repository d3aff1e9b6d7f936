#!/bin/bash
# run.sh: run test programs and bats files in a scratch home, and say in one line how many passed, failed and were skipped.
# A run that changes the home directory, the list of users or what is named after the project in shared places fails.
# Usage: run.sh PROGRAM... -- BATS_FILE...
set -u
# shellcheck source=tests/scratch.bash
. "$(dirname "$0")/scratch.bash"
real_home=${HOME:-/}
passed=0 failed=0 skipped=0

# What must be the same after the tests: names only, and of shared places only the project's own, but for scratch directories.
shared_places() {
	find "$real_home/" -mindepth 1 -maxdepth 1 2>/dev/null
	sed 's|^|/etc/passwd: |' /etc/passwd
	find "${TMPDIR:-/tmp}" /tmp /run /dev/shm -maxdepth 1 -iname '*msprof*' ! -name 'msprof_scratch_*' 2>/dev/null
	find /run/user/ -maxdepth 2 -iname '*msprof*' 2>/dev/null
}
before=$(shared_places | sort -u)
scratch_make || exit
trap scratch_remove EXIT
original_tmp=${TMPDIR-}
log=$MSPROF_SCRATCH/log

# home_of NAME: every program and file begins in a home of its own
home_of() {
	scratch_home "$MSPROF_SCRATCH/of_$1"
}

# Without /proc no library beside a program is found, and bash has no /dev/fd for what bats passes on.
no_proc=
[ -e /proc/self/exe ] || no_proc="/proc is not mounted"

# of_log WORD: how many tests of a program's log are OK, FAILED or SKIPPED; the two latter are listed once more at its end
of_log() {
	grep -E "^\[ +$1 +\] [A-Za-z_0-9]+\$" "$log" | sort -u | wc -l
}

while [ $# -gt 0 ] && [ "$1" != -- ]; do
	echo "== ${1##*/}"
	# shellcheck disable=SC2016 # the loader's own word
	if [ -n "$no_proc" ] && grep -qF '$ORIGIN' "$1"; then
		echo "skipped: $no_proc"
		skipped=$((skipped + 1))
		shift
		continue
	fi
	home_of "${1##*/}"
	"$1" >"$log" 2>&1
	status=$?
	bad=$(of_log FAILED)
	[ "$status" = 0 ] || [ "$bad" -gt 0 ] || bad=1
	passed=$((passed + $(of_log OK))) failed=$((failed + bad)) skipped=$((skipped + $(of_log SKIPPED)))
	if [ "$status" != 0 ]; then
		cat "$log"
	else
		grep '^skipped: ' "$log"
	fi
	shift
done
shift
if [ $# -gt 0 ] && [ -n "$no_proc" ]; then
	echo "skipped: bats: $no_proc"
	skipped=$((skipped + $(grep -rh --include='*.bats' '^@test ' "$@" | wc -l)))
elif [ $# -gt 0 ]; then
	# files side by side, the tests of a file one after the other; helpers.bash gives each file its home
	home_of bats
	jobs=
	! command -v parallel >/dev/null || jobs="--jobs $(nproc) --no-parallelize-within-files"
	# shellcheck disable=SC2086 # words
	bats --tap $jobs "$@" | tee "$log"
	status=${PIPESTATUS[0]}
	skipped=$((skipped + $(grep -c '^ok .* # skip' "$log")))
	passed=$((passed + $(grep '^ok ' "$log" | grep -vc ' # skip')))
	bad=$(grep -c '^not ok ' "$log")
	# bats itself failing, without a test that failed, is a failure too
	[ "$status" = 0 ] || [ "$bad" -gt 0 ] || bad=1
	failed=$((failed + bad))
fi

TMPDIR=$original_tmp
[ -n "$TMPDIR" ] || unset TMPDIR
after=$(shared_places | sort -u)
if [ "$before" != "$after" ]; then
	echo "not ok - the tests changed what is not theirs (< before, > after):"
	diff <(echo "$before") <(echo "$after") | grep '^[<>]'
	failed=$((failed + 1))
fi
[ "$skipped" = 0 ] || echo "skipped tests need what is not on this machine: see their lines above"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
