#!/bin/bash
# run_one.sh: run one test program or bats file for run.sh, in a scratch home of its own. When it has ended, print what it said, and
# add a line to $MSPROF_SCRATCH/results: how many tests passed, failed and were skipped.
# Usage: run_one.sh PROGRAM_OR_BATS_FILE
set -u
# shellcheck source=tests/scratch.bash
. "$(dirname "$0")/scratch.bash"
own=$(mktemp -d "$MSPROF_SCRATCH/of_XXXXXX") && chmod 0755 "$own" || exit
scratch_home "$own"
log=$own/log
passed=0 failed=0 skipped=0
: >"$log"

# Without /proc no library beside a program is found, and bash has no /dev/fd for what bats passes on.
no_proc=
[ -e /proc/self/exe ] || no_proc="skipped: /proc is not mounted"

run_bats() {
	if [ -n "$no_proc" ]; then
		echo "$no_proc" >"$log"
		skipped=$(grep -c '^@test ' "$1")
		return
	fi
	bats --tap "$1" >"$log" 2>&1
	local status=$?
	skipped=$(grep -c '^ok .* # skip' "$log")
	passed=$(grep '^ok ' "$log" | grep -vc ' # skip')
	failed=$(grep -c '^not ok ' "$log")
	# bats itself failing, without a test that failed, is a failure too
	[ "$status" = 0 ] || [ "$failed" -gt 0 ] || failed=1
}

# of_log WORD: how many tests of a program's log are OK, FAILED or SKIPPED; the two latter are listed once more at its end
of_log() {
	grep -E "^\[ +$1 +\] [A-Za-z_0-9]+\$" "$log" | sort -u | wc -l
}

run_program() {
	# shellcheck disable=SC2016 # the loader's own word
	if [ -n "$no_proc" ] && grep -qF '$ORIGIN' "$1"; then
		echo "$no_proc" >"$log"
		skipped=1
		return
	fi
	"$1" >"$log" 2>&1
	local status=$?
	passed=$(of_log OK) failed=$(of_log FAILED) skipped=$(of_log SKIPPED)
	[ "$status" = 0 ] || [ "$failed" -gt 0 ] || failed=1
	[ "$status" != 0 ] || sed -i '/^skipped: /!d' "$log"
}

# of_children FILE: seconds of a processor that what ran here took, from the output of `times`
of_children() {
	awk 'NR == 2 { split($1, own, /[ms]/); split($2, kernel, /[ms]/)
		printf "%.1f", 60 * (own[1] + kernel[1]) + own[2] + kernel[2] }' "$1"
}

case $1 in
*.bats) run_bats "$1" ;;
*) run_program "$1" ;;
esac
times >"$own/times"
{
	flock 9
	echo "== ${1##*/} ($SECONDS s, $(of_children "$own/times") s of a processor)"
	cat "$log"
	echo "$passed $failed $skipped" >&9
} 9>>"$MSPROF_SCRATCH/results"
