#!/usr/bin/env bats
# timeline.bats: Chrome traces contain exactly the rows of the database, to the nanosecond.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# Export and compare with the database; "raw" compares with the raw bytes as well.
check_timeline() {
	expect "${WANTED:-0}" export timeline -dir "$JOB"
	python3 "$HELPERS/timeline.py" "$JOB" "$@"
}

# jq over the events of one file in order of time: events GLOB FILTER
events() {
	jq -c "[.traceEvents[] | select(.ph == \"X\")] | sort_by(.ts) | $2" "$(find "$JOB/timeline" -name "$1")"
}

@test "the files have the names of the guide" {
	expect 0 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "acl_0.resnet50.46.1.json task_time_0.resnet50.46.1.json trace.json"
	has "$stderr" "3 files"
}

@test "the sample: as many events as rows, exact times, names, keys, nesting" {
	check_timeline raw
}

@test "strict JSON for jq, python and the shell" {
	expect 0 export timeline -dir "$JOB"
	for file in "$JOB"/timeline/*.json; do
		jq -e '.traceEvents | type == "array" and all(.ph == "X" or .ph == "M")' "$file" >/dev/null
		python3 -m json.tool "$file" >/dev/null
		run grep -P '[\x00-\x08\x0b-\x1f]' "$file"
		equal "$output" ""
	done
}

@test "event counts equal the views tasks and api_calls" {
	expect 0 export timeline -dir "$JOB"
	equal "$(events 'task_time*' length)" "$(query 'SELECT count(*) FROM tasks')"
	equal "$(events 'acl*' length)" "$(query 'SELECT count(*) FROM api_calls')"
}

@test "calls and tasks that overlap are put on lanes where they nest" {
	for seed in 1 2 3; do
		generate --seed "$seed" --overlap 30 --host-calls 400 --threads 4 --tasks 300 --aicpu 60 --pictures 3
		overlap_pictures
		WANTED=3 check_timeline raw # no call spans such inferences
		has "$stderr" "lanes of their own"
		[ "$(jq '.otherData["events on overlap lanes"]' "$JOB"/timeline/acl*)" -gt 0 ]
		[ "$(jq '.otherData["events on overlap lanes"]' "$JOB"/timeline/task_time*)" -gt 0 ]
	done
}

# Each inference but the first begins 1234 us after the one before.
overlap_pictures() {
	local start file
	start=$(sed -n 's/^start_time://p' "$JOB"/data/aicore.*.0.done)
	for file in "$JOB"/data/aicore.*.[12].done; do
		start=$((start + 1234))
		sed -i "s/^start_time:.*/start_time:$start/" "$file"
	done
}

@test "tasks follow each other without a gap: no rounding makes an overlap, on any chip" {
	for options in "--soc ss928" "--soc ss928 --nets 4 --frequency 997" "--soc dv500 --frequency 333" "--soc cv610 --frequency 101"; do
		# shellcheck disable=SC2086 # words on purpose
		generate --tasks 400 --pictures 2 --models 2 $options
		check_timeline raw
		lacks "$stderr" "lanes of their own"
		equal "$(jq '.otherData["events on overlap lanes"]' "$JOB"/timeline/task_time* | sort -u)" 0
		equal "$(query 'SELECT count(*) FROM aicore_task a JOIN aicore_task b ON b.rowid = a.rowid + 1
			WHERE a.rowid NOT IN (SELECT last_row FROM source WHERE last_row IS NOT NULL) AND b.start_ns <> a.start_ns + a.dur_ns')" 0
	done
}

@test "several devices, models and pictures: one file a model, all pictures in it" {
	generate --devices 2 --models 3 --pictures 3 --interval 2 --utf8 --seed 4
	check_timeline raw
	equal "$(find "$JOB/timeline" -type f | wc -l)" 13
	equal "$(events 'task_time_0.resnet50*' length)" 78
}

@test "a tick is 100 cycles: times at an odd frequency are rounded half to even, once" {
	generate --frequency 997 --tasks 200
	check_timeline raw
	generate --frequency 101 --tasks 5
	check_timeline raw
}

# core_tasks NUMBER...: the only inference of a job has these tasks, of 50 ticks each
core_tasks() {
	local file=$JOB/data/aicore.0.resnet50.16.46.1.1.0 task
	for task; do
		python3 "$HELPERS/raw.py" core task="$task" ticks=50
	done >"$file"
	python3 "$HELPERS/raw.py" marker len="$(stat -c %s "$file")" start=1700000000000000 \
		end=$((1700000000000000 + ($# * 5000 + 699) / 700)) hit=9 miss=1 >"$file.done"
}

@test "events on an hour-long time line keep their nanoseconds" {
	generate --tasks 0 --aicpu 0 --calls 0
	{
		python3 "$HELPERS/raw.py" host begin=9007199254740993 end=9007199254740994 pid=7 tid=8 type=1 name=one
		python3 "$HELPERS/raw.py" host begin=9223372036854775000 end=9223372036854775807 pid=7 tid=8 type=9 name=two
	} >"$JOB/data/msprof_api.0.resnet50.46"
	core_tasks 1
	check_timeline raw
	grep -qE '"ts": ?9007199254740\.993, ?"dur": ?0\.001,' "$JOB"/timeline/acl*
	grep -qE '"ts": ?9223372036854775(\.000)?, ?"dur": ?0\.807,' "$JOB"/timeline/acl*
}

@test "Task Type is AA_CORE and AA_CPU, in the vendor's style AI_CORE and AI_CPU" {
	expect 0 export timeline -dir "$JOB"
	equal "$(events 'task_time*' 'map(.args["Task Type"]) | unique')" '["AA_CORE","AA_CPU"]'
	expect 0 export timeline -dir "$JOB" --style vendor
	equal "$(events 'task_time*' 'map(.args["Task Type"]) | unique')" '["AI_CORE","AI_CPU"]'
}

@test "an event is named after the original layers, else the layers, else N/A" {
	generate --tasks 0 --aicpu 0 --calls 0
	core_tasks 0 1 2 3 4
	{
		python3 "$HELPERS/raw.py" layer id=0 name=n0 type=T ori=o0,o1
		python3 "$HELPERS/raw.py" layer id=1 name=n1 type=T ori=o2
		python3 "$HELPERS/raw.py" layer id=2 name=n2 type=T task=1
		python3 "$HELPERS/raw.py" layer id=3 name=n3 type=T ori='""' task=1
		python3 "$HELPERS/raw.py" layer id=4 type=T task=2
		python3 "$HELPERS/raw.py" layer id=5 name=$'quote" slash\\ <b>\x01\xe2\x80\xae' type=T task=4
	} >"$JOB/data/resnet50.46.layer.info"
	check_timeline
	equal "$(events 'task_time*' '[.[:4][].name]')" '["o0,o1,o2","n2,n3","N/A","N/A"]'
	events 'task_time*' '.[4].name' | grep -qF 'quote\" slash\\ <b>'
	equal "$(events 'task_time*' '.[3].args["Task Id"]')" 3
}

@test "processes and threads have names" {
	expect 0 export timeline -dir "$JOB"
	equal "$(jq -c '[.traceEvents[] | select(.ph == "M") | [.name, .tid, .args.name]] | sort' "$JOB"/timeline/task_time*)" \
		'[["process_name",0,"Task Scheduler"],["thread_name",16,"Stream 16"],["thread_name",2147483648,"AA CPU, stream 16"]]'
	equal "$(jq -c '[.traceEvents[] | select(.name == "thread_name") | .args.name] | sort' "$JOB"/timeline/acl*)" \
		'["Thread 2417","Thread 2418","Thread 2419"]'
}

@test "what was lost is said in otherData" {
	head -c 77 /dev/zero >>"$JOB/data/aicore.0.resnet50.16.46.1.1.0"
	rm "$JOB"/data/aicpu.0.resnet50.16.46.1.1.10
	expect 3 export timeline -dir "$JOB"
	for file in "$JOB"/timeline/*.json; do
		jq -e '.otherData.notes | any(.lost == "77 damaged bytes")' "$file" >/dev/null
		jq -e '.otherData.notes | any(.missing // "" | contains("aicpu.0.resnet50.16.46.1.1.10"))' "$file" >/dev/null
	done
	python3 "$HELPERS/timeline.py" "$JOB"
}

@test "the timeline of a sound job says its standing, and once that the places of counters are assumed, else nothing" {
	expect 0 export timeline -dir "$JOB"
	for file in "$JOB"/timeline/*.json; do
		jq -e '.otherData.notes | [.[] | .standing // empty] as $told | length == ($told | length) + 1 and ($told | index("times of tasks consistent") != null and
			all(test(" consistent( in assumed places .not verified.)?$"))) and (.[-1].counters | startswith("counters in assumed places"))' "$file" >/dev/null
	done
}

@test "an end before its start is kept at its start, with no duration" {
	generate --tasks 3 --aicpu 1
	python3 "$HELPERS/raw.py" cpu task=9 start=1700000000000100 end=1700000000000050 >>"$JOB/data/aicpu.0.resnet50.16.46.1.1.0"
	python3 "$HELPERS/raw.py" call type=3 begin=1700000000000300 end=1700000000000250 pid=7 tid=8 >>"$JOB/data/acl_api.0.resnet50.46"
	rm "$JOB"/data/{aicpu,acl_api}*.done
	expect 3 export timeline -dir "$JOB"
	equal "$(events 'task_time*' 'map(select(.args["Task Id"] == 9)) | map([.ts, .dur])')" '[[1700000000000100,0]]'
	equal "$(events 'acl*' 'map(select(.pid == 7)) | map([.ts, .dur])')" '[[1700000000000300,0]]'
	jq -e '[.otherData.notes[] | select(.odd // "" | contains("end before they start"))] | length == 2' "$JOB"/timeline/task_time* >/dev/null
}

@test "a file is made only where its source data exists" {
	rm "$JOB"/data/acl_api*
	expect 0 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "task_time_0.resnet50.46.1.json trace.json"
	discard "$JOB/sqlite" "$JOB/timeline" "$JOB"/data/ai*
	python3 "$HELPERS/raw.py" call begin=1 end=2 >"$JOB/data/acl_api.0.resnet50.46"
	expect 0 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "acl_0.resnet50.46.1.json trace.json"
}

@test "the acl timeline takes its batch from net.info, else from the aicore name, else 1" {
	generate --batch 256
	sed -i 's/"batch":256/"batch":8/' "$JOB"/data/*.net.info
	expect 0 export timeline -dir "$JOB"
	[ -f "$JOB/timeline/acl_0.resnet50.46.8.json" ] && [ -f "$JOB/timeline/task_time_0.resnet50.46.256.json" ]
	discard "$JOB"/data/*.net.info "$JOB/timeline" "$JOB/sqlite"
	expect 0 export timeline -dir "$JOB"
	[ -f "$JOB/timeline/acl_0.resnet50.46.256.json" ]
	discard "$JOB"/data/ai* "$JOB/timeline" "$JOB/sqlite"
	expect 0 export timeline -dir "$JOB"
	[ -f "$JOB/timeline/acl_0.resnet50.46.1.json" ]
}

@test "export of parsed data does not need the raw data" {
	expect 0 export timeline -dir "$JOB"
	first=$(sha256sum "$JOB"/timeline/*)
	discard "$JOB"/data/* "$JOB/timeline"
	expect 0 export timeline -dir "$JOB"
	equal "$(sha256sum "$JOB"/timeline/*)" "$first"
}

@test "two jobs, one collected by acl.json and one by the API, give the same set of files" {
	expect 0 export timeline -dir "$JOB"
	first=$(ls "$JOB/timeline")
	other=$BATS_TEST_TMPDIR/JOBAPI
	cp -rp "$JOB" "$other"
	discard "$other/sqlite" "$other/timeline"
	sed -i 's/}$/,"collector":"api"}/' "$other/info.json.0"
	expect 0 export timeline -dir "$other"
	equal "$(ls "$other/timeline")" "$first"
}
