#!/usr/bin/env bats
# export_gzip.bats: compressed timelines are those that are not compressed.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load prof

# compressed DIR OUTPUTS-BELOW [OPTION...]: export both ways; each file is compressed, and the same without.
compressed() {
	local dir=$1 below=$2 file files=0
	shift 2
	discard "$BATS_TEST_TMPDIR/plain" "$BATS_TEST_TMPDIR/gz"
	expect 0 export timeline -dir "$dir" -o "$BATS_TEST_TMPDIR/plain" "$@"
	expect 0 export timeline -dir "$dir" -o "$BATS_TEST_TMPDIR/gz" --format json.gz "$@"
	for file in "$BATS_TEST_TMPDIR/gz/${dir##*/}/$below"/*; do
		[ "${file%.json.gz}" != "$file" ] || fail "$file"
		gzip -t "$file"
		files=$((files + 1))
	done
	# names of PROF files have the moment of the export
	equal "$(for file in "$BATS_TEST_TMPDIR/gz/${dir##*/}/$below"/*; do zcat "$file" | md5sum; done)" \
		"$(for file in "$BATS_TEST_TMPDIR/plain/${dir##*/}/$below"/*; do md5sum <"$file"; done)"
	[ "$files" -ge 2 ]
}

@test "every file of every family" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --calls 30000 --overlap 20 --threads 5
	compressed "$BATS_TEST_TMPDIR/JOB_1" timeline
	compressed "$JOB" timeline --from 0ms --to 1s
	made tasks=40 steps=4 calls=30 extra=1
	compressed "$JOB" timeline
	discard "$PROF"
	"$BUILD/tests/genprof" --out "$PROF" --tasks 20000 --samples
	compressed "$PROF" mindstudio_profiler_output
}

@test "rows that need a sort begin the file again" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --calls 5000
	expect 0 import -dir "$BATS_TEST_TMPDIR/JOB_1"
	sqlite3 "$BATS_TEST_TMPDIR/JOB_1/sqlite/msprof.db" 'UPDATE api_call SET start_ns = 5 WHERE rowid = 4000'
	compressed "$BATS_TEST_TMPDIR/JOB_1" timeline
}

@test "the same job gives the same bytes, much fewer than without" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --calls 60000
	for n in 1 2; do
		expect 0 export timeline -dir "$BATS_TEST_TMPDIR/JOB_1" -o "$BATS_TEST_TMPDIR/$n" --format json.gz
	done
	diff -r "$BATS_TEST_TMPDIR"/{1,2}/JOB_1/timeline
	expect 0 export timeline -dir "$BATS_TEST_TMPDIR/JOB_1"
	[ $((5 * $(cat "$BATS_TEST_TMPDIR/1/JOB_1/timeline"/* | wc -c))) -lt "$(cat "$BATS_TEST_TMPDIR/JOB_1/timeline"/* | wc -c)" ]
}

@test "formats are those of timelines alone" {
	expect 2 export summary -dir "$JOB" --format json.gz
	expect 2 export timeline -dir "$JOB" --format gz
	has "$stderr" "json, json.gz or perfetto"
}
