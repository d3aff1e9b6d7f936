#!/usr/bin/env bats
# prof_rows.bats: PROF directories: which rows and words the tables of operators and iterations have.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

@test "an operator of an aging file is dynamic; its blocks are numbers of their own; without blocks its core takes no time" {
	dd if="$HOST/unaging.compact.node_basic_info.slice_0" of="$HOST/aging.compact.node_basic_info.slice_0" bs=64 skip=37 status=none
	truncate -s $((64 * 37)) "$HOST/unaging.compact.node_basic_info.slice_0"
	rm "$HOST"/unaging.compact.node_basic_info.slice_0.done
	printf '\024\000\002\000' | dd of="$HOST/aging.compact.node_basic_info.slice_0" bs=1 seek=$((64 * 1 + 44)) conv=notrunc status=none
	printf '\000\000\000\000' | dd of="$HOST/aging.compact.node_basic_info.slice_0" bs=1 seek=$((64 * 2 + 44)) conv=notrunc status=none
	expect 0 export summary -dir "$PROF"
	accounted
	equal "$(query 'SELECT op_state, count(*) FROM task GROUP BY 1')" $'0|37\n1|3'
	equal "$(rows op_summary | cut -d, -f7,12,13 | tail -4)" $'static,24,0\ndynamic,24,0\ndynamic,20,40\ndynamic,0,0'
	equal "$(query 'SELECT aic_us FROM task ORDER BY id DESC LIMIT 1')" 0.0
	expect 0 export db -dir "$PROF"
	equal "$(sqlite3 "$PROF"/msprof_*.db 'SELECT value, count(*) FROM COMPUTE_TASK_INFO JOIN STRING_IDS ON id = opState GROUP BY 1')" $'dynamic|3\nstatic|37'
}

@test "the shape of a tensor ends at its first 0" {
	record prof.tensor_info "$HOST/unaging.additional.tensor_info.slice_0" <<-END
		level=10000 thread_id=4242 stamp=$(host 1004) op_name=8000000000000000001 tensor_num=2 tensors=u32:0,2,0,0,5,0,0,0,0,0,0,1,2,0,7,0,9
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT input_shapes, output_shapes FROM tensor')" '""|"7"'
}

# tags N:TAG ...: step tags of model 1 at N us after the beginning, in the order of time
tags() {
	local at

	for at; do echo "counter=$(device "${at%:*}") index_id=9 model_id=1 tag_id=${at#*:}"; done | record prof.ts_step "$DEVICE/ts_track.data.0.slice_0"
}

@test "tag 0 begins an iteration, 1 ends it, 4 ends it and begins the next; what was not recorded is 0" {
	tags 3000:4 3010:4 3100:0 3105:0 3110:2 3120:3 3150:4 3160:2 3170:4 3180:1 3200:4 3300:0 3340:1 3350:3
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(rows step_trace | tr -d '\t')" "0,1,1700000000003110.000,1700000000003120.000,1700000000003150.000,50.000,10.000,30.000,0.000,1
0,2,1700000000003160.000,0.000,1700000000003170.000,20.000,0.000,0.000,10.000,1
0,3,0.000,0.000,1700000000003340.000,40.000,0.000,0.000,0.000,1"
	equal "$(jq -c '.[] | select(.ph == "X") | [.name, .tid, .ts, .dur, .args["FP Start"]]' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" \
		'["Iteration 1",70001,"1700000000003100.000",50,"1700000000003110.000"]
["Iteration 2",70001,"1700000000003150.000",20,"1700000000003160.000"]
["Iteration 3",70001,"1700000000003300.000",40,"N/A"]
["FP_BP Time 1",70001,"1700000000003110.000",10,"1700000000003110.000"]
["Iteration Refresh 1",70001,"1700000000003120.000",30,null]'
	equal "$(jq '[.[] | select(.cat == "Data_aug Bound")] | length' "$PROF"/mindstudio_profiler_output/step_trace_*.json)" 2
	equal "$(jq '[.[] | select(.tid >= 70000)] | length' "$PROF"/mindstudio_profiler_output/msprof_[0-9]*.json)" 9
}

@test "a model whose iterations nothing began has none" {
	tags 3110:2 3120:3 3150:4 3160:2 3170:4
	expect 0 export summary -dir "$PROF"
	expect 0 export timeline -dir "$PROF"
	equal "$(ls "$PROF"/mindstudio_profiler_output | grep -c step_trace)" 0
}
