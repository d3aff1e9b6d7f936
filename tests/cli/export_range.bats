#!/usr/bin/env bats
# export_range.bats: --from, --to, --device, --model-id and --picture of timelines, recomputed from the events of whole timelines.
# shellcheck disable=SC2034,SC2154 # query uses $DB; $stderr is set by run

load helpers
load prof
load helpers/trace

# ranged KIND-OF-CLOCK DIR FROM TO [DEVICE]: export DIR whole and limited to FROM..TO ns ("-": no limit), and compare.
ranged() {
	local apart=$1 dir=$2 from=$3 to=$4 options=() below=timeline
	[ "$from" = - ] || options+=(--from "${from}ns")
	[ "$to" = - ] || options+=(--to "${to}ns")
	[ $# -lt 5 ] || options+=(--device "$5")
	[ ! -d "$dir/host" ] || below=mindstudio_profiler_output
	discard "$BATS_TEST_TMPDIR/whole" "$BATS_TEST_TMPDIR/part"
	expect "${WANT:-0}" export timeline -dir "$dir" -o "$BATS_TEST_TMPDIR/whole"
	expect "${WANT:-0}" export timeline -dir "$dir" -o "$BATS_TEST_TMPDIR/part" "${options[@]}"
	echo "$stderr" >"$BATS_TEST_TMPDIR/told"
	# shellcheck disable=SC2086 # no word, or one
	run python3 "$HELPERS/time_range.py" "$BATS_TEST_TMPDIR/whole/${dir##*/}/$below" "$BATS_TEST_TMPDIR/part/${dir##*/}/$below" $apart "${@:3}"
	[ "$status" = 0 ] || fail "$* $output"
	read -r there missing <<<"$output"
}

@test "SS928: tasks and calls count from the first of both; what touches the range is whole" {
	"$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/JOB_1" --calls 3000 --pictures 200 --interval 5 --overlap 10 --threads 5
	ranged "" "$BATS_TEST_TMPDIR/JOB_1" - -
	equal "$missing" 0
	total=$there
	ranged "" "$BATS_TEST_TMPDIR/JOB_1" 0 -
	equal "$there" "$total"
	last=$(query 'SELECT max(start_ns) - (SELECT min(start_ns) FROM (SELECT start_ns FROM aicore_task UNION ALL SELECT start_ns FROM api_call)) FROM api_call' "$BATS_TEST_TMPDIR/whole/JOB_1/sqlite/msprof.db")
	for parts in "2 3" "5 6" "1 9"; do
		read -r a b <<<"$parts"
		ranged "" "$BATS_TEST_TMPDIR/JOB_1" $((last * a / 10)) $((last * b / 10))
		[ "$there" -gt 50 ] && [ "$missing" -gt 50 ] || fail "$parts: $there $missing"
	done
	ranged "" "$BATS_TEST_TMPDIR/JOB_1" $((last / 2)) -
	half=$there
	ranged "" "$BATS_TEST_TMPDIR/JOB_1" - $((last / 2))
	[ $((half + there)) -ge "$total" ]
	lacks "$(cat "$BATS_TEST_TMPDIR/told")" "no event"
	ranged "" "$BATS_TEST_TMPDIR/JOB_1" 9000000000000000000 -
	equal "$there" 0
	has "$(cat "$BATS_TEST_TMPDIR/told")" "no event is in the time of --from and --to: the files have names only"
	expect 0 export timeline -dir "$BATS_TEST_TMPDIR/JOB_1" --format perfetto --from 50s -o "$BATS_TEST_TMPDIR/none"
	has "$stderr" "has no data for 'export timeline' in the time of --from and --to: no file"
}

@test "SS928: --model-id and --picture have the tasks of a model or an inference and the calls of the model, in every format" {
	need_decoder
	JOB=$BATS_TEST_TMPDIR/JOB_1 DB=$BATS_TEST_TMPDIR/JOB_1/sqlite/msprof.db
	"$BUILD/tests/genjob" --out "$JOB" --models 2 --devices 2 --pictures 3 --interval 5 --calls 200 --tasks 30 --overlap 10
	expect 0 import -dir "$JOB"
	model=$(query 'SELECT min(model_id) FROM source')
	for choice in "--model-id $model:s.model_id = $model:1" "--picture 5:s.current_pic = 5:0" "--iteration-id 10:s.current_pic = 10:0" \
		"--picture 0 --model-id $model --device 1:s.current_pic = 0 AND s.model_id = $model AND s.device_id = 1:1"; do
		IFS=: read -r options where is_model <<<"$choice"
		[ "$is_model" = 1 ] && calls=$where || calls=1
		calls=${calls#s.current_pic = 0 AND }
		discard "$JOB/timeline"
		# shellcheck disable=SC2086 # words on purpose
		expect 0 export timeline -dir "$JOB" $options
		lacks "$stderr" "no effect"
		# tasks, their inferences, and calls; files of the guide have no inferences
		tasks=$(query "SELECT sum(s.records) FROM source s WHERE s.target LIKE 'ai%_task' AND $where")
		steps=$(query "SELECT count(*) FROM source s WHERE s.target = 'aicore_task' AND $where")
		calls=$(query "SELECT sum(s.records) FROM source s WHERE s.target = 'api_call' AND $calls")
		equal "$(jq -s 'map(.traceEvents[] | select(.ph == "X")) | length' "$JOB"/timeline/task_time*.json)" "$tasks"
		equal "$(jq -s 'map(.traceEvents[] | select(.ph == "X")) | length' "$JOB"/timeline/acl*.json)" "$calls"
		equal "$(jq .otherData.events "$JOB/timeline/trace.json")" $((tasks + steps + calls))
		# shellcheck disable=SC2086 # words on purpose
		expect 0 export timeline -dir "$JOB" $options --format perfetto
		has "$("$PYTHON" "$HELPERS/trace_check.py" "$JOB" --part)" "$((tasks + steps + calls)) slices"
		# shellcheck disable=SC2086 # words on purpose
		expect 0 export timeline -dir "$JOB" $options --format json.gz
		equal "$(gunzip -c "$JOB/timeline/trace.json.gz" | cksum)" "$(cksum <"$JOB/timeline/trace.json")"
	done
	expect 1 export timeline -dir "$JOB" --model-id 9
	equal "$stderr" "msprof: error: model 9 not found: 'msprof query' lists the models"
	expect 1 export timeline -dir "$JOB" --picture 7 --model-id "$model"
	equal "$stderr" "msprof: error: inference 7 of model $model not found: 'msprof show --each' prints all inferences"
	expect 0 export timeline -dir "$JOB" --iteration-count 2
	has "$stderr" "--iteration-count has no effect"
	expect 0 export summary -dir "$JOB" --model-id "$model"
	has "$stderr" "have no effect: each model and inference has tables of its own"
	expect 1 export timeline -dir "$PROF" --picture 1
	has "$stderr" "--picture chooses an inference of SS928 data"
}

@test "both ends belong to the range, and an event that covers it is there" {
	expect 0 export timeline -dir "$JOB"
	first() { # of the first task, whose times count from the first event of all
		sqlite3 -separator ' ' "$JOB/sqlite/msprof.db" "SELECT $1 FROM aicore_task ORDER BY start_ns LIMIT 1"
	}
	start=$(first "start_ns - (SELECT min(start_ns) FROM api_call)")
	length=$(first dur_ns)
	end=$((start + length)) middle=$((start + length / 2))
	[ "$start" -gt 0 ] && [ "$length" -gt 0 ]
	for range in "$end $end" "$start $start" "$middle $middle"; do
		read -r a b <<<"$range"
		ranged "" "$JOB" "$a" "$b"
		has "$(cat "$BATS_TEST_TMPDIR"/part/*/timeline/task_time*)" '"ts":'"$(first "printf('%d.%03d', start_ns / 1000, start_ns % 1000)"),"
	done
	for range in "$((start - 1)) $((start - 1))" "0 0"; do
		read -r a b <<<"$range"
		ranged "" "$JOB" "$a" "$b"
		lacks "$(cat "$BATS_TEST_TMPDIR"/part/*/timeline/task_time*)" '"ts":'
	done
}

@test "SS928: databases of earlier versions, whose calls have a clock of their own" {
	JOB=$BATS_TEST_TMPDIR/JOB_1 DB=$BATS_TEST_TMPDIR/JOB_1/sqlite/msprof.db
	mkdir -p "$JOB/sqlite"
	gzip -dc "$BATS_TEST_DIRNAME/../data/databases/svp_6.db.gz" >"$DB"
	ranged apart "$JOB" - -
	equal "$missing" 0
	ranged apart "$JOB" 0 $(($(query 'SELECT max(start_ns) - min(start_ns) FROM aicore_task') / 2))
	[ "$there" -gt 5 ] && [ "$missing" -gt 5 ] || fail "$there $missing"
}

@test "PROF: tasks, calls, marks, samples and arrows; iterations and devices" {
	discard "$PROF"
	"$BUILD/tests/genprof" --out "$PROF" --tasks 1500 --samples
	ranged "" "$PROF" - -
	equal "$missing" 0
	for range in "1000300 2000300" "100300 500300" "5000300 5000300" "- 3000300" "9000300 -"; do
		# shellcheck disable=SC2086 # words on purpose
		ranged "" "$PROF" $range
		[ "$there" -gt 5 ] && [ "$missing" -gt 1000 ] || fail "$range: $there $missing"
	done
	ranged "" "$PROF" - - 0
	equal "$missing" 0
	expect 1 export timeline -dir "$PROF" --device 9
	equal "$stderr" "msprof: error: device 9 not found: 'msprof query' lists the devices"
}

@test "PROF of several devices: --device chooses some, and the host stays" {
	cp -r "$PROF/device_0" "$PROF/device_1"
	for file in "$PROF"/device_1/*.0; do mv "$file" "${file%.0}.1"; done
	sed -i 's/"devices":"0"/"devices":"1"/; s/"device_id":"0"/"device_id":"1"/; s/"id":0/"id":1/' "$PROF/device_1"/info.json*
	local WANT=3 # the same tasks twice: those of a stream overlap
	ranged "" "$PROF" - - 1
	[ "$there" -gt 50 ] && [ "$missing" -gt 50 ] || fail "$there $missing"
	whole=$missing
	ranged "" "$PROF" 1000000 1100000 0
	[ "$there" -gt 0 ] && [ "$missing" -gt "$whole" ] || fail "$there $missing"
	expect 3 export timeline -dir "$PROF" -o "$BATS_TEST_TMPDIR/both" --device 0 --device 1
	equal "$(jq -c 'del(.[-1])' "$BATS_TEST_TMPDIR"/both/*/*/msprof_[0-9]*.json)" "$(jq -c 'del(.[-1])' "$BATS_TEST_TMPDIR"/whole/*/*/msprof_[0-9]*.json)"
}

@test "2022: every file, with iterations and samples" {
	made tasks=40 steps=4 calls=30 extra=1
	ranged "" "$JOB" - -
	equal "$missing" 0
	for range in "500000 900000" "0 100000" "- 1000000"; do
		# shellcheck disable=SC2086 # words on purpose
		ranged "" "$JOB" $range
		[ "$there" -gt 3 ] && [ "$missing" -gt 3 ] || fail "$range: $there $missing"
	done
	expect 0 export timeline -dir "$JOB" --iteration-id 2 --from 0ms --to 2ms --device 0
	[ -n "$(find "$JOB/timeline" -name '*_1_2.json')" ]
}

@test "2022: a device whose counter is not aligned with the host counts from its own first task" {
	made tasks=40 calls=30
	rm "$JOB"/dev_start.log*
	ranged apart "$JOB" - -
	equal "$missing" 0
	for range in "500000 900000" "0 100000"; do
		# shellcheck disable=SC2086 # words on purpose
		ranged apart "$JOB" $range
		[ "$there" -gt 3 ] && [ "$missing" -gt 3 ] || fail "$range: $there $missing"
	done
}

@test "Ascend 910: the real capture" {
	needs_shared ascend910-job/JOBASCEND910REALCAPTURE
	cp -rp "$SHARED/ascend910-job/JOBASCEND910REALCAPTURE" "$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE"
	chmod -R u+w "$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE"
	run --separate-stderr "$MSPROF" import -q -dir "$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE"
	DB=$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE/sqlite/msprof.db
	for n in 1000 20000; do
		at=$(query "SELECT start_ns - (SELECT min(start_ns) FROM hwts_task) FROM hwts_task ORDER BY start_ns LIMIT 1 OFFSET $n")
		last=$(query "SELECT start_ns - (SELECT min(start_ns) FROM hwts_task) FROM hwts_task ORDER BY start_ns LIMIT 1 OFFSET $((n + 500))")
		run --separate-stderr "$MSPROF" export timeline -q -dir "$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE" -o "$BATS_TEST_TMPDIR/whole"
		run --separate-stderr "$MSPROF" export timeline -q -dir "$BATS_TEST_TMPDIR/JOBASCEND910REALCAPTURE" -o "$BATS_TEST_TMPDIR/part" --from "${at}ns" --to "${last}ns"
		run python3 "$HELPERS/time_range.py" "$BATS_TEST_TMPDIR"/{whole,part}/JOBASCEND910REALCAPTURE/timeline "$at" "$last"
		[ "$status" = 0 ] || fail "$output"
		read -r there missing <<<"$output"
		[ "$there" -gt 10 ] && [ "$missing" -gt 10 ] || fail "$there $missing"
	done
}

@test "times have a unit, and are in order; a summary has no range" {
	for time in 1 1.5 5m -1ms 1.2345us 99999999999s '' 1e3ms .5ms 5.ms 0.1ns; do
		expect 2 export timeline -dir "$JOB" --from "$time"
		has "$stderr" "invalid from '$time' (a time with its unit, ns, us, ms or s: 1.5ms)"
	done
	expect 2 export timeline -dir "$JOB" --from 3ms --to 2999us
	has "$stderr" "--to 2999us is before --from 3ms"
	for time in 0.000001ms 1ns 0.001us 0.000000001s; do
		expect 0 export timeline -dir "$JOB" --from 1ns --to "$time"
	done
	for option in --from=1ms --to=1ms --device=0; do
		expect 2 export summary -dir "$JOB" "$option"
		has "$stderr" "export summary does not accept ${option%=*}"
	done
}
