#!/bin/bash
# run.sh: run test programs and bats files side by side, the longest first, and say in one line how many tests passed, failed
# and were skipped. A run that changes the home directory, the list of users, the top of the sources or what is named after the
# project in shared places says so; on a machine of its own (MSPROF_TEST_SYSTEM=1), where nobody else can have done it, the run fails.
# Usage: run.sh PROGRAM... -- BATS_FILE_OR_FOLDER...
set -u
# shellcheck source=tests/scratch.bash
. "$(dirname "$0")/scratch.bash"
real_home=${HOME:-/}
plain_environment

# Files that take more than five seconds, the longest first: what begins last should end soon.
slow=(collect_harmed collect_ssh reference growth svp_real sandbox collect_cut advise cluster truncate victims collect_local export_range
	report overview scripts cann install diff_gate interrupt svp_made collect_budget learn crash collect_login collect_bad starts mstx
	ascend2022_slices diff prof_gen standing stretches complete unordered trace import summary show options)

# What must be the same after the tests: names only, and of shared places only the project's own, but for scratch directories. Tests are
# started at the top of the sources: a file that is left there was written to the current directory.
shared_places() {
	find "$real_home/" "$(dirname "$0")/.." -mindepth 1 -maxdepth 1 2>/dev/null
	sed 's|^|/etc/passwd: |' /etc/passwd
	find "${TMPDIR:-/tmp}" /tmp /run /dev/shm -maxdepth 1 -iname '*msprof*' ! -name 'msprof_scratch_*' 2>/dev/null
	find /run/user/ -maxdepth 2 -iname '*msprof*' 2>/dev/null
}

# in_order FILE...: the slow files first, and the programs before the other files
in_order() {
	local name
	for name in "${slow[@]}"; do
		printf '%s\n' "$@" | grep "/$name\.bats\$"
	done
	[ ${#programs[@]} = 0 ] || printf '%s\n' "${programs[@]}"
	printf '%s\n' "$@" | grep -vE "/($(IFS='|' && echo "${slow[*]}"))\.bats\$"
}

programs=() files=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
	programs+=("$1")
	shift
done
shift
for file; do
	if [ -d "$file" ]; then files+=("$file"/*.bats); else files+=("$file"); fi
done
# Without /proc bash has no /dev/fd, and so no <( ): the runner does without.
before=$(shared_places | sort -u)
scratch_make || exit
trap scratch_remove EXIT
in_order "${files[@]}" | grep . >"$MSPROF_SCRATCH/order"
mapfile -t all <"$MSPROF_SCRATCH/order"
: >"$MSPROF_SCRATCH/results"
# A python3 that chooses an interpreter at each start takes longer than most tests, and so may what packages of the system do at each
# start (-S): the tests start the interpreter itself, without these. What it compiles is kept for the run, and not beside the sources.
export PYTHONPYCACHEPREFIX=$MSPROF_SCRATCH/python
if python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && [ -x "$python" ]; then
	mkdir -m 0755 "$MSPROF_SCRATCH/bin" && printf '#!/bin/sh\nexec %q -S "$@"\n' "$python" >"$MSPROF_SCRATCH/bin/python3" &&
		chmod 0755 "$MSPROF_SCRATCH/bin/python3" && PATH=$MSPROF_SCRATCH/bin:$PATH
fi
# about half of the time is waiting: for programs that are stopped, connections that stall, locks
printf '%s\0' "${all[@]}" | xargs -r -0 -n 1 -P $((4 * $(nproc))) "$(dirname "$0")/run_one.sh"
awk '{ p += $1; f += $2; s += $3 } END { print NR, p + 0, f + 0, s + 0 }' "$MSPROF_SCRATCH/results" >"$MSPROF_SCRATCH/sum"
read -r count passed failed skipped <"$MSPROF_SCRATCH/sum"
if [ "$count" != ${#all[@]} ]; then
	echo "not ok - of ${#all[@]} programs and files only $count have a result"
	failed=$((failed + 1))
fi
after=$(shared_places | sort -u)
if [ "$before" != "$after" ]; then
	if [ "${MSPROF_TEST_SYSTEM-}" = 1 ]; then
		echo "not ok - the tests changed what is not theirs (< before, > after):"
		failed=$((failed + 1))
	else
		echo "note: while the tests ran, they or somebody else changed (< before, > after):"
	fi
	echo "$before" >"$MSPROF_SCRATCH/before"
	echo "$after" | diff "$MSPROF_SCRATCH/before" - | grep '^[<>]'
fi
[ "$skipped" = 0 ] || echo "skipped tests need what is not on this machine: see their lines above"
if [ $((2 * skipped)) -gt $((passed + skipped)) ]; then
	echo "more tests were skipped than passed: this run proves little$([ -e /proc/self/exe ] || echo ', because /proc is not mounted')"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
