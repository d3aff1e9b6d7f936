#!/usr/bin/env bats
# prof_iterations.bats: PROF directories: iterations of models, alone and among others. What must come out is computed from the scene.
# shellcheck disable=SC2153,SC2154 # $stderr is set by run, $DEVICE and $HOST by setup

load helpers
load prof

# mark TASK MODEL ITERATION TAG: a point of an iteration, 0.2 us before the task begins
mark() {
	echo "counter=$(($(device $((2000 + 6 * $1))) - 10)) index_id=$3 model_id=$2 stream_id=$(($2 % 7)) tag_id=$4"
}

# launched MODEL FIRST LAST: the model's call on both threads around the launches of these tasks
launched() {
	for thread in 4242 4243; do
		echo "level=15000 type=1 thread_id=$thread begin=$(host $((1000 + 6 * $2))) end=$(host $((1005 + 6 * $3))) item_id=$1"
	done
}

# Tasks 0..9 and 20..29 are of model 1, 10..19 of model 2, the others of none. Iteration 2 of model 1 begins while 1 of model 2 runs. All reduce: once in
# iteration 1, twice on one stream in iteration 2, and one without an end.
scene() {
	{ launched 1 0 9; launched 2 10 19; launched 1 20 29; } | record prof.api "$HOST/aging.api_event.data.slice_0"
	{
		mark 0 1 1 0; mark 2 1 1 2; mark 4 1 1 10000; mark 5 1 1 10001; mark 6 1 1 3; mark 10 1 1 1
		mark 10 2 1 0; mark 20 2 1 1
		mark 15 1 2 0; mark 21 1 2 10000; mark 22 1 2 10001; mark 24 1 2 10002; mark 26 1 2 10003; mark 28 1 2 10004; mark 30 1 2 1
	} | record prof.ts_step "$DEVICE/ts_track.data.0.slice_0"
	record prof.graph_id_map "$HOST/unaging.additional.graph_id_map.slice_0" <<-END
		level=15000 thread_id=4242 stamp=$(host 900) model_name=8000000000000000006 graph_id=2 model_id=1
		level=15000 thread_id=4242 stamp=$(host 900) model_name=8000000000000000008 graph_id=1 model_id=2
	END
	record prof.fusion_op_info "$HOST/unaging.additional.fusion_op_info.slice_0" <<<"level=10000 thread_id=4242 stamp=$(host 1001) fusion_name=8000000000000000001 op_num=1 ops=u64:8000000000000000002"
}

# tasks FIRST LAST: "stream task" of each task of the generator
tasks() {
	for ((n = $1; n <= $2; n++)); do echo "$((n % 8)) $((n / 8))"; done
}

# chosen OPTION...: a new export of both kinds
chosen() {
	discard "$PROF/mindstudio_profiler_output"
	expect 0 export summary -dir "$PROF" "$@"
	expect 0 export timeline -dir "$PROF" "$@"
}

title() {
	head -1 "$PROF"/mindstudio_profiler_output/"$1"_[0-9]*.csv
}

trace() {
	jq -r "$2" "$PROF"/mindstudio_profiler_output/"$1"_[0-9]*.json
}

@test "early slices were aged away: an iteration that began before names one that is whole, or that none is" {
	discard "$PROF"
	"$BUILD/tests/genprof" --slices 4 --out "$PROF"
	scene
	expect 0 export summary -dir "$PROF" --model-id 1 --iteration-id 1
	lacks "$stderr" 'is not whole'
	rm "$DEVICE"/stars_soc.data.0.slice_0* "$DEVICE"/ffts_profile.data.0.slice_0*
	discard "$PROF/sqlite"
	# 10 of 40 tasks are gone: all of iteration 1 of model 1; model 2 has begun with task 10
	expect 0 export summary -dir "$PROF" --model-id 1 --iteration-id 1
	has "$stderr" 'early data was aged away: iteration 1 of model 1 is not whole; --model-id 1 --iteration-id 2 is'
	expect 0 export timeline -dir "$PROF" --model-id 1 --iteration-id 2
	lacks "$stderr" 'is not whole'
	expect 0 export timeline -dir "$PROF" --model-id 2 --iteration-id 1
	has "$stderr" 'iteration 1 of model 2 is not whole; no later one is'
	expect 0 export timeline -dir "$PROF"
	lacks "$stderr" 'is not whole'
}

@test "an iteration has the operators of its model alone; what others ran meanwhile has its place and time" {
	scene
	chosen --model-id 1 --iteration-id 2
	equal "$(title op_summary | cut -d, -f1-8)" "Device_id,Model Name,Model ID,Task ID,Stream ID,Infer ID,Op Name,OP Type"
	equal "$(rows op_summary | awk -F, '{ print $5, $4 }')" "$(tasks 20 29)"
	equal "$(rows op_summary | cut -d, -f1-3,6 | sort -u)" "0,layer5:Op5,1,2"
	equal "$(rows op_summary | head -1 | cut -d, -f13)" 0 # the first waits for none
	equal "$(rows task_time | awk -F, '{ print $4, $5 }')" "$(tasks 15 29)"
	equal "$(title op_statistic)" "Device_id,Model Name,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)"
	equal "$(rows op_statistic | awk -F, '{ sum += $5; part += $10 } END { print sum, part }')" "10 100"
	equal "$(rows op_statistic | cut -d, -f6 | sort -rnc 2>&1)" ""
	equal "$(find "$PROF/mindstudio_profiler_output" -name 'api_statistic*')" "" # the host was ahead
	equal "$(trace msprof '[.[] | select(.args."Task Id" != null) | .args."Model Id"] | group_by(.) | map([.[0], length] | join(":")) | join(" ")')" "1:10 4294967295:5"
	equal "$(trace msprof '.[] | select(.args."Model Id" == 4294967295) | .name' | sort -u)" AI_CORE
	equal "$(trace msprof '[.[] | select(.name == "Computing" and .ph == "X")] | length')" 10
	equal "$(trace msprof '[.[] | select(.name == "process_name") | .args.name] | sort | unique | join(",")')" "AI Core Freq,Ascend Hardware,Overlap Analysis"
	equal "$(trace msprof '[.[] | select(.cat == "Iteration Time") | .name] | join(",")')" "Iteration 2"
	equal "$(rows fusion_op | cut -d, -f1-4)" "0,layer5:Op5,1,layer0:Op0"
}

@test "iterations together, of all models, and the first, which has the calls before it" {
	scene
	chosen --model-id 1 --iteration-count 2
	equal "$(rows op_summary | awk -F, '{ print $5, $4 }')" "$(tasks 0 9; tasks 20 29)"
	equal "$(rows op_summary | cut -d, -f6 | uniq -c | awk '{ print $1, $2 }')" $'10 1\n10 2'
	equal "$(rows task_time | wc -l)" 30
	chosen --iteration-id 1
	equal "$(rows op_summary | awk -F, '{ print $5, $4, $2 }')" "$(tasks 0 9 | sed 's/$/ layer5:Op5/'; tasks 10 19 | sed 's/$/ layer7:Op7/')"
	equal "$(rows api_statistic | grep launch | cut -d, -f1,5)" 0,40
	equal "$(trace msprof '[.[] | select(.cat == "HostToDevice" and .ph == "f")] | length')" 20
	MSPROF_PLAIN=1 chosen --iteration-id 1
	equal "$(rows op_summary | wc -l)" 20
	expect 0 show -q -dir "$PROF" --model-id 1 --format json --top 0
	equal "$(jq '[.tables[] | select(.table == "Op statistic") | .rows[].Count] | add' <<<"$output")" 20
	expect 0 show -q -dir "$PROF" --model-id 1 --iteration-id 2 --format json --top 0
	equal "$(jq '[.tables[] | select(.table == "Op summary") | .rows[]] | length' <<<"$output")" 10
}

@test "step_trace has what each iteration reduced, in all styles, and lists all iterations" {
	scene
	chosen
	equal "$(title step_trace | cut -d, -f10-)" "Model ID,Reduce Start(us),Reduce Duration(us),Reduce Start(us),Reduce Duration(us)"
	equal "$(rows step_trace | tr -d '\t' | cut -d, -f2,10-)" "1,1,1700000000002023.800,6.000,N/A,N/A
1,2,N/A,N/A,N/A,N/A
2,1,1700000000002125.800,6.000,1700000000002143.800,12.000"
	equal "$(trace step_trace '[.[] | select(.cat == "Reduce") | [.name, .dur, .args."Reduce Start 0", .args."Reduce End 2"] | join(" ")] | join(",")')" \
		"Reduce_1_0 6 1700000000002023800 ,Reduce_2_1 6  ,Reduce_2_2 12  1700000000002155800"
	chosen --model-id 1 --iteration-id 2
	equal "$(rows step_trace | tr -d '\t' | cut -d, -f2-4,6,10-12)" "1,1700000000002011.800,1700000000002035.800,60.0,1,1700000000002023.800,6.0
2,N/A,N/A,90.0,1,1700000000002125.800,6.0
1,N/A,N/A,60.0,2,N/A,N/A"
	equal "$(trace step_trace '[.[] | select(.cat == "Reduce") | .name] | join(",")')" "Reduce_1_0,Reduce_2_0,Reduce_2_1"
	equal "$(trace step_trace '[.[] | select(.ph == "M") | .args.name // empty] | join(",")')" "Step Trace,Model ID:1,Model ID:2"
	equal "$(trace msprof '[.[] | select(.cat == "Reduce") | .name] | join(",")')" "Reduce_2_0,Reduce_2_1"
}

@test "show tells what each iteration reduced, or the chosen ones" {
	scene
	# a task later is 6 us later; iteration 1 lasts 60 us, iteration 2 of model 1 90 us
	reduced() {
		expect 0 show -q -dir "$PROF" --table 'Reduce of iterations' --top 0 --format csv "$@"
		sed 1d <<<"$output" | cut -d, -f2-
	}
	equal "$(reduced)" $'0,1,2,2,18,12,20\n0,1,1,1,6,6,10'
	equal "$(reduced --model-id 1 --iteration-id 1)" "0,1,1,1,6,6,10"
	equal "$(reduced --model-id 2 --iteration-id 1)" ""
}

@test "steps of the program, model 4294967295, have the operators of all models, in the columns of the whole" {
	scene
	{ mark 12 4294967295 3 60000; mark 24 4294967295 3 60001; mark 30 4294967295 4 60000; } | record prof.ts_step "$DEVICE/ts_track.data.0.slice_1"
	chosen --model-id 4294967295 --iteration-id 3
	equal "$(rows op_summary | awk -F, '{ print $4, $3 }')" "$(tasks 12 23)"
	equal "$(title op_summary | cut -d, -f1-5)" "Device_id,Model ID,Task ID,Stream ID,Op Name"
	equal "$(rows op_summary | cut -d, -f2 | uniq -c | awk '{ print $1, $2 }')" $'8 2\n4 1'
	equal "$(title op_statistic | cut -d, -f1-3)" "Device_id,OP Type,Core Type"
	equal "$(trace msprof '[.[] | select(.cat == "Iteration Time") | .name] | join(",")')" "Iteration 3"
	equal "$(rows step_trace | cut -d, -f2,6,10 | tail -1)" 3,72.0,4294967295
	chosen --model-id 1 --iteration-id 1 # is as without the steps
	equal "$(rows op_summary | awk -F, '{ print $5, $4 }')" "$(tasks 0 9)"
}

@test "models and iterations that are not there are errors that name those that are" {
	scene
	while IFS='|' read -r options want; do
		# shellcheck disable=SC2086 # words
		expect 1 export summary -dir "$PROF" $options
		has "$stderr" "$want"
		# shellcheck disable=SC2086 # words
		expect 1 export timeline -dir "$PROF" $options
		has "$stderr" "$want"
		equal "$(find "$PROF" -path '*profiler_output/*')" ''
	done <<-'END'
		--model-id 7|model 7 not found: models with iterations are 1, 2
		--model-id 4294967295 --iteration-id 1|model 4294967295 not found
		--model-id 2 --iteration-id 2|iteration 2 of model 2 not found: iterations are 1 (
		--model-id 1 --iteration-id 2 --iteration-count 2|iteration 2 to 3 of model 1 not found: iterations are 1 to 2
		--iteration-id 9|iteration 9 not found: iterations are 1 to 2
	END
	discard "$DEVICE"/ts_track* "$PROF/sqlite"
	expect 1 export summary -dir "$PROF" --model-id 1 --iteration-id 1
	has "$stderr" "this data has no iterations"
}

@test "several devices: each has its own iteration and, in the trace, processes of its own" {
	discard "$PROF"
	"$BUILD/tests/genprof" --out "$PROF" --devices 2
	for device in 0 1; do # both run their half of the tasks in the time of the whole
		{ mark 0 1 1 0; mark 40 1 1 1; } | record prof.ts_step "$PROF/device_$device/data/ts_track.data.$device.slice_0"
	done
	chosen --model-id 1 --iteration-id 1
	equal "$(rows op_summary | cut -d, -f1 | uniq -c | awk '{ print $1, $2 }')" $'20 0\n20 1'
	equal "$(rows op_statistic | awk -F, '{ sum[$1] += $5 } END { print sum[0], sum[1] }')" "20 20"
	# the directory with the later name comes first
	equal "$(trace msprof '[.[] | select(.args.name == "Overlap Analysis" or .args.sort_index == 20 or .args.sort_index == 21) | .pid % 1024] | unique | join(",")')" "641,672"
}
