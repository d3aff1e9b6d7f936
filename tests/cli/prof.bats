#!/usr/bin/env bats
# prof.bats: PROF directories of today, against the reference's exports of the same data.

load helpers

setup() {
	fresh_job
	needs_shared ascend-prof/expected
	cp -r "$SHARED"/ascend-prof/PROF_* "$BATS_TEST_TMPDIR/"
	chmod -R u+w "$BATS_TEST_TMPDIR"
	PROF=$(echo "$BATS_TEST_TMPDIR"/PROF_*)
}

compare() {
	run python3 "$HELPERS/prof_compare.py" "$SHARED/ascend-prof/expected" "$@"
	[ "$output" = "" ] || { printf '%s\n' "$output" >&2; return 1; }
	[ "$status" = 0 ]
}

@test "summaries are those of the reference, byte for byte" {
	expect 0 export summary -dir "$PROF"
	files=("$PROF"/mindstudio_profiler_output/*.csv)
	[ ${#files[@]} = 5 ]
	compare "${files[@]}"
}

@test "traces hold the events of the reference" {
	expect 0 export timeline -dir "$PROF"
	files=("$PROF"/mindstudio_profiler_output/*.json)
	[ ${#files[@]} = 2 ]
	compare "${files[@]}"
}

@test "as JSON no summary bears the name of a trace" {
	expect 0 --export=on --output="$PROF" --summary-format=json
	equal "$(find "$PROF/mindstudio_profiler_output" -name '*.json' | wc -l)" 7
	equal "$(jq -r 'map(select(.ph == "X")) | length > 0' "$PROF"/mindstudio_profiler_output/msprof_tx_[0-9]*.json)" true
	equal "$(jq -r 'length > 0' "$PROF"/mindstudio_profiler_output/msprof_tx_summary_*.json)" true
	equal "$(find "$PROF/mindstudio_profiler_output" -type f ! -name 'msprof_[0-9]*' ! -name 'msprof_tx_[0-9]*' -printf '%f\n' | grep -oE '_[0-9]{14}' | sort -u | wc -l)" 1
}

@test "as JSON no summary of a PROF directory has the name of a trace" {
	local kind name
	cd "$BATS_TEST_TMPDIR" || return
	for kind in timeline summary; do
		for report in "$ROOT/schema/reports/$kind"/prof/*.sql; do
			name=$(sed -nE 's/^-- @(json_)?file //p' "$report" | tail -n 1) # or the report's own name and the time
			echo "${name:-$(basename "$report" .sql)_{time\}}"
		done | sort -u >"$kind.names"
	done
	[ "$(wc -l <summary.names)" -ge 30 ]
	equal "$(comm -12 timeline.names summary.names)" ''
}

@test "query lists the devices, or the host where no device is found" {
	expect 0 query -dir "$PROF" --format csv
	equal "$output" "job,$(titles query/prof/1_jobs)
${PROF##*/},N/A,0,device_0,2023-11-14 22:13:20.000000,N/A,N/A,N/A,-1"
	discard "$PROF"/device_0 "$PROF"/sqlite
	expect 3 query -dir "$PROF" --format json
	equal "$(jq -c '.tables[].rows[] | [."Device ID", ."Collection Time"]' <<<"$output")" '["host","2023-11-14 22:13:20.000000"]'
}

@test "without iterations none can be chosen: an error, and nothing is written" {
	expect 1 export summary -dir "$PROF" --model-id 5
	has "$stderr" "this data has no iterations"
	[ ! -e "$(echo "$PROF"/mindstudio_profiler_output/op_summary_*.csv)" ]
}

@test "the database is that of the reference" {
	expect 0 export db -dir "$PROF"
	files=("$PROF"/msprof_*.db)
	[ ${#files[@]} = 1 ]
	compare "${files[@]}"
}

@test "host and device are read together, or each by itself" {
	expect 0 import -dir "$PROF"
	[ -s "$PROF/sqlite/msprof.db" ]
	[ "$(sqlite3 "$PROF/sqlite/msprof.db" 'SELECT count(*) FROM task WHERE launch_ns IS NOT NULL AND start_ns IS NOT NULL')" = 40 ]
	mv "$PROF/host" "$BATS_TEST_TMPDIR/host"
	expect 0 import -dir "$PROF"
	[ "$(sqlite3 "$PROF/sqlite/msprof.db" 'SELECT count(*), count(launch_ns) FROM task')" = "40|0" ]
}

@test "a device directory is read with the host beside it" {
	expect 0 export summary -dir "$PROF/device_0"
	compare "$PROF"/device_0/mindstudio_profiler_output/*.csv
}
