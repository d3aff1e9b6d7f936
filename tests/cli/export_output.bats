#!/usr/bin/env bats
# export_output.bats: --output puts exports, and the database that they need, elsewhere than into the job.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load prof

# Names, sizes, times and modes of all that a directory holds.
listing() {
	(cd "$1" && find . -printf '%p %s %T@ %m\n' | sort)
}

# same_files DIR DIR: the same names and bytes.
same_files() {
	diff -r "$1" "$2" || fail "$1 and $2 differ"
}

@test "exports go into OUTPUT/JOB with their database, and the job stays as it is" {
	before=$(listing "$JOB")
	name=${JOB##*/}
	expect 0 export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/a/out"
	has "$stderr" "wrote 3 files to '$BATS_TEST_TMPDIR/a/out/$name/timeline'"
	expect 0 export summary -dir "$JOB" -o "$BATS_TEST_TMPDIR/a/out"
	lacks "$stderr" importing
	equal "$(listing "$JOB")" "$before"
	equal "$(cd "$BATS_TEST_TMPDIR/a/out/$name" && echo *)" "log sqlite summary timeline"
	equal "$(stat -c %a "$BATS_TEST_TMPDIR/a/out/$name")" 750
	expect 0 export timeline -dir "$JOB"
	expect 0 export summary -dir "$JOB"
	same_files "$JOB/timeline" "$BATS_TEST_TMPDIR/a/out/$name/timeline"
	same_files "$JOB/summary" "$BATS_TEST_TMPDIR/a/out/$name/summary"
}

@test "a database of the job is used as it is, and --clear leaves it" {
	expect 0 import -dir "$JOB"
	before=$(listing "$JOB")
	expect 0 export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/out" --clear
	equal "$(listing "$JOB")" "$before"
	equal "$(cd "$BATS_TEST_TMPDIR/out/${JOB##*/}" && echo *)" "log timeline"
	# without it one is made below OUTPUT, used again, and removed by --clear
	discard "$JOB/sqlite"
	expect 0 export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/out"
	made=$(stat -c %Y.%i "$BATS_TEST_TMPDIR/out/${JOB##*/}/sqlite/msprof.db")
	expect 0 export summary -dir "$JOB" --output "$BATS_TEST_TMPDIR/out"
	equal "$(stat -c %Y.%i "$BATS_TEST_TMPDIR/out/${JOB##*/}/sqlite/msprof.db")" "$made"
	expect 0 export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/out" --clear
	equal "$(cd "$BATS_TEST_TMPDIR/out/${JOB##*/}" && echo *)" "log summary timeline"
	# a stale one of the job is not used, and not replaced
	expect 0 import -dir "$JOB"
	touch -d 2001-01-01 "$JOB"/data/aicore*46.1.1.0
	before=$(listing "$JOB")
	expect 0 export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/out"
	[ -e "$BATS_TEST_TMPDIR/out/${JOB##*/}/sqlite/msprof.db" ]
	equal "$(listing "$JOB")" "$before"
}

@test "a read-only job is exported" {
	needs_ordinary
	chmod -R a+rX "$JOB"
	chmod -R a-w "$JOB"
	mkdir -m 777 "$BATS_TEST_TMPDIR/out"
	for kind in timeline summary; do
		run --separate-stderr ordinary "$MSPROF" export "$kind" -dir "$JOB" --output "$BATS_TEST_TMPDIR/out"
		equal "$status: $output" "0: "
	done
	[ -s "$BATS_TEST_TMPDIR/out/${JOB##*/}/sqlite/msprof.db" ]
	chmod 555 "$BATS_TEST_TMPDIR/out"
	run --separate-stderr ordinary "$MSPROF" export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/out/new"
	equal "$status" 1
	equal "$stderr" "msprof: error: cannot make the directory '$BATS_TEST_TMPDIR/out/new': Permission denied"
	chmod -R u+w "$JOB" "$BATS_TEST_TMPDIR/out"
}

@test "several jobs have a directory each, also the devices of a PROF directory of 2022" {
	mkdir "$BATS_TEST_TMPDIR/jobs"
	for i in 1 2 3; do
		"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/jobs/JOB_$i" --seed "$i"
	done
	before=$(listing "$BATS_TEST_TMPDIR/jobs")
	expect 0 export summary -dir "$BATS_TEST_TMPDIR/jobs" --output "$BATS_TEST_TMPDIR/out"
	equal "$(listing "$BATS_TEST_TMPDIR/jobs")" "$before"
	for n in 1 2 3; do
		expect 0 export summary -dir "$BATS_TEST_TMPDIR/jobs/JOB_$n"
		same_files "$BATS_TEST_TMPDIR/jobs/JOB_$n/summary" "$BATS_TEST_TMPDIR/out/JOB_$n/summary"
	done
	run cmp "$BATS_TEST_TMPDIR"/out/JOB_{1,2}/summary/op_summary_*.csv
	equal "$status" 1
	mkdir "$BATS_TEST_TMPDIR/PROF_2022"
	for n in 0 1; do
		python3 "$HELPERS/ascend2022.py" "$BATS_TEST_TMPDIR/PROF_2022/device_$n" tasks=4
	done
	expect 0 export summary -dir "$BATS_TEST_TMPDIR/PROF_2022" --output "$BATS_TEST_TMPDIR/out"
	equal "$(cd "$BATS_TEST_TMPDIR/out/PROF_2022" && echo */summary)" "device_0/summary device_1/summary"
}

@test "a PROF directory: timeline, summary, db and analyze" {
	before=$(listing "$PROF")
	for command in "export timeline" "export summary" "export db" analyze; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$PROF" --output "$BATS_TEST_TMPDIR/out"
	done
	equal "$(listing "$PROF")" "$before"
	out=$BATS_TEST_TMPDIR/out/${PROF##*/}
	[ -d "$out/mindstudio_profiler_output" ]
	sqlite3 "$(echo "$out"/msprof_*.db)" 'SELECT count(*) > 0 FROM TASK' | grep -qx 1
	cmp <(sqlite3 "$(echo "$out"/msprof_*.db)" .dump) <("$MSPROF" export db -q -dir "$PROF" && sqlite3 "$(echo "$PROF"/msprof_*.db)" .dump)
}

@test "a kill leaves no half of a file, and a lock is that of the output" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_big" --calls 400000
	expect 0 import -dir "$BATS_TEST_TMPDIR/JOB_big"
	out=$BATS_TEST_TMPDIR/out/JOB_big/timeline
	"$MSPROF" export timeline -q -dir "$BATS_TEST_TMPDIR/JOB_big" --output "$BATS_TEST_TMPDIR/out" &
	pid=$!
	until_true test -s "$out/.msprof.part"
	kill -STOP "$pid"
	expect 1 export timeline --no-wait -dir "$BATS_TEST_TMPDIR/JOB_big" --output "$BATS_TEST_TMPDIR/out"
	has "$stderr" "another msprof is exporting into '$out'"
	kill -9 "$pid"
	wait "$pid" || true
	equal "$(ls -A "$out")" .msprof.part
	expect 0 export timeline -dir "$BATS_TEST_TMPDIR/JOB_big" --output "$BATS_TEST_TMPDIR/out"
	equal "$(find "$out" -type f | wc -l)" 3
}

@test "a link in place of the directory of a job or of its files is not followed" {
	mkdir "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/elsewhere"
	ln -s "$BATS_TEST_TMPDIR/elsewhere" "$BATS_TEST_TMPDIR/out/${JOB##*/}"
	expect 1 export timeline -dir "$JOB" --output "$BATS_TEST_TMPDIR/out"
	has "$stderr" "is a link: it is not followed"
	equal "$(ls -A "$BATS_TEST_TMPDIR/elsewhere")" ""
}

@test "the export reads and writes within its sandbox, with an output that is not there yet" {
	mkdir "$BATS_TEST_TMPDIR/cwd"
	cd "$BATS_TEST_TMPDIR/cwd"
	expect 0 export timeline -dir "$JOB" --output a/b
	[ -d "a/b/${JOB##*/}/timeline" ]
	expect 2 export timeline -dir "$JOB" --output ''
	expect 2 show -dir "$JOB" --output a
}

# failing_sync AT COMMAND...: a command whose calls of fsync fail from this one on; $count is their number
failing_sync() {
	run --separate-stderr env FAULT_CALLS=fsync FAULT_AT="$1" FAULT_ERRNO=EIO FAULT_REPORT="$BATS_TEST_TMPDIR/count" \
		LD_PRELOAD="$BATS_TEST_TMPDIR/inject.so" "$MSPROF" "${@:2}"
	count=$(cat "$BATS_TEST_TMPDIR/count")
}

# tests/long/power.bats cuts the power.
@test "an output is on the disk before it gets its name: where that fails the earlier one stays, and no part" {
	[ -z "${ASAN_OPTIONS-}${MSPROF_EMULATED-}" ] || skip "a sanitizer brings its own allocator, an emulated program is of another processor"
	# shellcheck disable=SC2086 # CC may be several words
	${CC:-gcc} -O1 -Wall -Wextra -shared -fPIC -o "$BATS_TEST_TMPDIR/inject.so" "$BATS_TEST_DIRNAME/../fault/inject.c" -ldl
	cd "$BATS_TEST_TMPDIR"
	expect 0 import -q -dir "$JOB"
	for kind in timeline summary; do
		"$MSPROF" export "$kind" -q -dir "$JOB"
		for file in "$JOB/$kind"/*; do printf '[\n{\n' >"$file"; done # an earlier one of ours
	done
	(cd "$JOB/summary" && for file in *; do echo "4 $file"; done >.msprof)
	echo '<!DOCTYPE html>' >report.html
	for command in "export timeline" "export summary" "report -o report.html"; do
		# shellcheck disable=SC2086 # words on purpose
		failing_sync 1 $command -q -dir "$JOB"
		equal "$command: $status" "$command: 1"
		has "$stderr" "cannot write '" "Input/output error"
		equal "$(cat report.html "$JOB"/timeline/*.json "$JOB"/summary/* | sort -u)" "$(printf '%s\n' '<!DOCTYPE html>' '[' '{')"
		equal "$(find . "$JOB" -name '.msprof*' ! -path '*/summary/.msprof')" ''
	done
	failing_sync 2 report -o report.html -q -dir "$JOB"
	has "$stderr" "cannot write the directory of 'report.html': Input/output error"
	failing_sync 0 export timeline -q -dir "$JOB"
	equal "$count" 6 # a call for each of three files, and for its directory
}

@test "export all: the files of the three commands by one process; a chosen part has no database" {
	cd "$BATS_TEST_TMPDIR" || return
	expect 0 export all -q -dir "$JOB" --output all
	expect 0 export timeline -q -dir "$JOB" --output each
	expect 0 export summary -q -dir "$JOB" --output each
	same_files "all/${JOB##*/}/timeline" "each/${JOB##*/}/timeline"
	same_files "all/${JOB##*/}/summary" "each/${JOB##*/}/summary"
	expect 0 export all -q -dir "$PROF"
	equal "$(find "$PROF" -name 'msprof_2*.db' -o -name 'msprof_2*.json' -o -name 'op_summary_*.csv' | wc -l)" 3
	discard "$PROF/mindstudio_profiler_output"
	rm "$PROF"/msprof_2*.db
	expect 1 export all -q -dir "$PROF" --model-id 9
	equal "$(find "$PROF" -name 'msprof_2*')" ""
}
