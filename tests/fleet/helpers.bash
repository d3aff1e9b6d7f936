# shellcheck shell=bash
# helpers.bash: shared by the tests of `msprof publish` with real servers.

load ../cli/helpers
# shellcheck source=tests/fleet/servers.bash
. "$ROOT/tests/fleet/servers.bash"

# top DIR JOBS TASKS: a run of PROF directories.
top() {
	mkdir "$1"
	for ((i = 1; i <= $2; i++)); do
		"$BUILD/tests/genprof" --out "$1/PROF_$i" --tasks $(($3 + i)) >/dev/null
	done
}

# The tasks of a job as its database has them, and as a table of the server gives them (tab-separated, NULL empty).
stored_tasks() {
	sqlite3 -readonly -separator $'\t' "$1/sqlite/msprof.db" \
		'SELECT device_id, stream_id, task_id, name, type, task_type, start_ns, dur_ns FROM tasks' | LC_ALL=C sort
}

# No process of a publisher is left: those that were started by this test have its directory in their environment.
no_publisher() {
	! grep -lzsx "MSPROF_TEST_MARK=$BATS_TEST_TMPDIR" /proc/[0-9]*/environ | grep -v "/$$/" | while read -r path; do
		tr '\0' ' ' <"${path%environ}cmdline" 2>/dev/null
	done | grep -q msprof-publish
}
