# shellcheck shell=bash
# helpers.bash: an application that records, in its own directory with its own locks.

load ../cli/helpers

RECORD=$BUILD/tests/record

setup() {
	skip_skipped
	umask 0027
	cd "$BATS_TEST_TMPDIR" || return
	export XDG_RUNTIME_DIR=$BATS_TEST_TMPDIR/locks
	mkdir locks out
	acl_json '"output": "./out"'
}

# acl_json MEMBERS: acl.json with profiling on
acl_json() {
	printf '{"profiler": {"switch": "on", %s}}\n' "$1" >acl.json
}

# record STATUS ACTION...: see record.c; its stdout is in $output, its stderr in $stderr.
record() {
	local want=$1
	shift
	run --separate-stderr "$RECORD" "$@"
	[ "$status" -eq "$want" ] || fail "record $* ended with $status, not $want: $output; ${stderr:-}"
}

# The one result below DIR (out) is imported, as the job under test.
import_job() {
	local jobs
	mapfile -t jobs < <(find "${1:-out}" -maxdepth 1 -name 'JOB*' -o -maxdepth 1 -name 'PROF_*')
	equal "${#jobs[@]}" 1
	JOB=${jobs[0]}
	export DB=$JOB/sqlite/msprof.db
	expect 0 import -dir "$JOB"
}

# api_calls SQL: api_call has the calls, marks and ranges of the imported result, a JOB or a PROF directory
api_calls() {
	case $JOB in
	*PROF_*) query "WITH api_call(name, type, tid, start_ns, dur_ns) AS (
		SELECT t.name, a.type >> 16, a.thread_id, a.start_ns, a.dur_ns FROM api a JOIN type_info_dic t USING (level, type)
		UNION ALL SELECT message, 5, tid, start_ns, dur_ns FROM msproftx) $1" ;;
	*) query "$1" ;;
	esac
}

# calls [CONDITION]: how many the imported result has
calls() {
	api_calls "SELECT count(*) FROM api_call WHERE ${1:-1}"
}

# complete_prof DIR: the result is complete: each slice has its marker, and the session its end
complete_prof() {
	local slice
	[ -f "$1/host/end_info" ] || fail "no end_info in $1"
	for slice in "$1"/host/data/*.slice_*[0-9]; do
		[ -f "$slice.done" ] || fail "no marker: $slice"
	done
}

# one_of_five COMMAND...: once in five times it succeeds, each time with an empty out/: for what is promised only where the
# system gives the processes a processor in time, which a busy machine may not do now and then. See until_true of functions.
one_of_five() {
	for _ in 1 2 3 4 5; do
		discard out/*
		! "$@" || return 0
	done
	fail "never in five times: $*"
}

# Programs that a test compiles are this machine's, and not built under a sanitizer: they cannot link a library that is not so.
# The archives can be linked by whoever has no more than them.
needs_plain_archives() {
	! nm "$BUILD/libmsprof_recorder.a" | grep -q __gcov_init || skip "the archives need the library of gcc's counters"
}

# exported LIBRARY: the names of its functions, but for those that gcc's counters add
exported() {
	nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort |
		if nm "$1" | grep -q __gcov_init; then grep -vE '^(__gcov_.*|mangle_path)$'; else cat; fi
}

needs_plain_library() {
	needs_this_processor
	! ldd "$BUILD/libmsprof_recorder.so" | grep -q san || skip "the library is built under a sanitizer"
}
