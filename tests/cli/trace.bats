#!/usr/bin/env bats
# trace.bats: the merged trace of a job, as JSON and for Perfetto: the same events, decoded by protoc's own reader.
# shellcheck disable=SC2154 # $status, $stderr and $output are set by run

load helpers
load helpers/trace

setup() {
	need_decoder
	fresh_job
}

# merged: the decoder's summary of the merged traces of $JOB is in $merged.
merged() {
	expect "${WANTED:-0}" export timeline -dir "$JOB"
	expect "${WANTED:-0}" export timeline -dir "$JOB" --format perfetto
	merged=$("$PYTHON" "$HELPERS/trace_check.py" "$JOB")
}

@test "the sample: trace.pftrace has the events of trace.json and of the database, in less than a third of the bytes" {
	merged
	[ $((3 * $(wc -c <"$JOB/timeline/trace.pftrace"))) -lt "$(wc -c <"$JOB/timeline/trace.json")" ]
	has "$merged" "$(query 'SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM api_calls) + (SELECT count(*) FROM inference)') slices, 0 samples, 0 arrows, "
}

@test "--format perfetto writes trace.pftrace alone, once a job" {
	generate --models 2 --devices 2
	expect 0 export timeline -dir "$JOB" --format perfetto
	equal "$(cd "$JOB/timeline" && echo *)" trace.pftrace
	has "$stderr" "wrote 1 file to"
}

@test "jobs with overlaps, several devices, models and pictures: lanes, inferences above tasks, every name" {
	for seed in 1 2 3; do
		generate --seed "$seed" --overlap $((seed * 25)) --devices 2 --models 2 --pictures 3 --host-calls 300 --threads 4 --tasks 100 --aicpu 30 --utf8
		merged
		has "$merged" "$(($(query 'SELECT count(*) FROM tasks') + $(query 'SELECT count(*) FROM api_calls') + $(query 'SELECT count(*) FROM inference'))) slices"
		[ "$(jq '.otherData["events on overlap lanes"]' "$JOB/timeline/trace.json")" -gt 0 ]
	done
}

@test "an inference spans its tasks, on a track of its own before the streams" {
	generate --pictures 2 --interval 5
	merged
	equal "$(jq -r '[.traceEvents[] | select(.ph == "X" and .args.Tasks)] | map(.name) | sort | join(", ")' "$JOB/timeline/trace.json")" "Inference 0, Inference 5"
	equal "$(query "SELECT count(*) FROM inference i WHERE i.start_ns || ' ' || i.dur_ns IS
		(SELECT min(start_ns) || ' ' || (max(start_ns + dur_ns) - min(start_ns)) FROM aicore_task t WHERE t.rowid BETWEEN i.first_row AND i.last_row)")" 2
	# a track's place is its stream; that of inferences comes before
	jq -e '[.traceEvents[] | select(.name == "thread_sort_index")] | any(.args.sort_index == -1)' "$JOB/timeline/trace.json" >/dev/null
}

@test "all chips: the same of models that take turns in one file of the board, which tells no stream" {
	for soc in dv500 cv610; do
		generate --soc $soc --models 3 --pictures 4 --overlap 50 --threads 4
		merged
		has "$merged" "$(query 'SELECT (SELECT count(*) FROM tasks) + (SELECT count(*) FROM api_calls) + (SELECT count(*) FROM inference)') slices"
		equal "$(jq -r '.traceEvents[] | select(.name == "thread_name") | .args.name' "$JOB/timeline/trace.json" | grep Stream | sort -u)" "Stream 0"
	done
}

@test "calls and tasks are on one clock: each sampled inference and its tasks of the AI CPU lie within the call that executes them" {
	generate --pictures 4 --models 2
	expect 0 export timeline -dir "$JOB"
	python3 - "$JOB/timeline/trace.json" <<-'END'
		import decimal, json, sys
		with open(sys.argv[1]) as f:
		    slices = [(e["name"], e["ts"], e["ts"] + e["dur"], e["args"]) for e in json.load(f, parse_float=decimal.Decimal)["traceEvents"] if e["ph"] == "X"]
		calls = [s for s in slices if s[0] == "svp_acl_mdl_execute"]
		inner = [s for s in slices if s[0].startswith("Inference ") or s[3].get("Task Type") == "AA_CPU"]
		assert len(inner) == 4 * 2 * 3, len(inner)
		for s in inner:
		    assert sum(c[1] <= s[1] and s[2] <= c[2] for c in calls) == 1, s
	END
}

@test "calls and tasks that begin when others end, nest and have no length: the order of equal times" {
	generate --tasks 0 --aicpu 0 --calls 0
	# in the order of recording, by ends: (begin, end)
	for pair in "20 20" "10 20" "20 30" "40 40" "20 40" "20 40" "5 40" "40 50" "50 60" "70 70" "50 70" "70 80" "100 100" "0 100" "100 110"; do
		python3 "$HELPERS/raw.py" host begin="${pair% *}" end="${pair#* }" pid=7 tid=8 type=1 name="call_$pair"
	done >"$JOB/data/msprof_api.0.resnet50.46"
	merged
	has "$merged" "15 slices"
	equal "$(jq '.otherData["events on overlap lanes"]' "$JOB/timeline/trace.json")" 0
}

@test "rows out of order are sorted: the same events" {
	generate --tasks 0 --aicpu 0 --calls 0
	for pair in "50 60" "10 20" "0 100" "15 18" "10 20" "5 70"; do
		python3 "$HELPERS/raw.py" host begin="${pair% *}" end="${pair#* }" pid=7 tid=8 type=1 name="call_$pair"
	done >"$JOB/data/msprof_api.0.resnet50.46"
	merged
	has "$merged" "6 slices"
}

@test "hostile values: times at the end of the range, large numbers, long names, control characters, ends before starts" {
	generate --tasks 4 --calls 0
	{
		python3 "$HELPERS/raw.py" host begin=9223372036854775000 end=9223372036854775807 pid=4294967295 tid=4294967295 type=9 name=end
		python3 "$HELPERS/raw.py" host begin=100 end=50 pid=7 tid=8 type=1 name=backwards
		python3 "$HELPERS/raw.py" host begin=1 end=2 pid=7 tid=8 type=1 name=
	} >"$JOB/data/msprof_api.0.resnet50.46"
	expect 3 import -dir "$JOB"
	# what no record holds, but a database might
	for set in "pid = 9223372036854775807, tid = -9223372036854775808 WHERE rowid = 1" "name = CAST(zeroblob(10000) AS TEXT) WHERE rowid = 2" \
		"name = char(1, 9, 10, 27, 34, 92, 127, 8238) || '<script>' WHERE rowid = 2" "start_ns = -9223372036854775808 WHERE rowid = 3" \
		"name = substr(hex(zeroblob(5000)), 1, 10000) WHERE rowid = 3" "dur_ns = 9223372036854775807 WHERE rowid = 1" "dur_ns = NULL WHERE rowid = 2" \
		"name = CAST(x'ff41c3' AS TEXT) WHERE rowid = 2"; do
		sqlite3 "$DB" "UPDATE api_call SET $set"
		WANTED=3 merged
		has "$merged" "slices"
	done
}

@test "names beyond what is kept stand in their events" {
	generate --tasks 0 --aicpu 0 --calls 300
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" "UPDATE api_call SET name = rowid || hex(zeroblob(10000))"
	merged
	has "$merged" "300 slices"
}

@test "more threads than are held at one time" {
	generate --tasks 0 --aicpu 0 --calls 6000
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" "UPDATE api_call SET tid = rowid % 3000, pid = rowid % 7"
	merged
	has "$merged" "6000 slices"
}

@test "losses and notes are instants at the begin of the trace" {
	printf 'damage' >>"$JOB/data/acl_api.0.resnet50.46"
	expect 3 export timeline -dir "$JOB"
	expect 3 export timeline -dir "$JOB" --format perfetto
	merged=$("$PYTHON" "$HELPERS/trace_check.py" "$JOB")
	lacks "$merged" " 0 notes"
}

@test "without events there is no trace" {
	generate --calls 0 --tasks 0 --aicpu 0
	expect 0 export timeline -dir "$JOB" --format perfetto
	[ ! -e "$JOB/timeline/trace.pftrace" ]
}

@test "--style vendor writes no merged JSON; the guide's files are the same with and without it" {
	expect 0 export timeline -dir "$JOB" --style vendor
	[ ! -e "$JOB/timeline/trace.json" ]
	expect 0 export timeline -dir "$JOB"
	[ -s "$JOB/timeline/trace.json" ]
}

@test "Ascend 910: the same of its tasks" {
	needs_shared ascend910-job/JOBASCEND910REALCAPTURE
	JOB=$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE
	cp -rp "$SHARED/ascend910-job/JOBASCEND910REALCAPTURE" "$JOB"
	chmod -R u+w "$JOB"
	DB=$JOB/sqlite/msprof.db
	merged
	has "$merged" "$(query 'SELECT count(*) FROM tasks') slices, 0 samples, 0 arrows, "
}
