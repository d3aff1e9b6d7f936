#!/usr/bin/env bats
# export_pytorch.bats: `export pytorch` writes what torch_npu does, from made-up FRAMEWORK files; tests/pytorch/truth.py computes it by looking at all pairs.
# shellcheck disable=SC2154 # $stderr is set by expect

load helpers
load prof

setup() {
	prof_job
	ASCEND=$BATS_TEST_TMPDIR/profile/node_1_20260101000000000_ascend_pt
	OUT=$ASCEND/ASCEND_PROFILER_OUTPUT
	mkdir -p "$ASCEND"
	mv "$PROF" "$ASCEND"
	PROF=$ASCEND/${PROF##*/}
	expect 0 import -q -dir "$PROF"
}

# framework OPTION...: FRAMEWORK and the settings beside PROF
framework() {
	python3 "$ROOT/tests/pytorch/framework.py" "$PROF" "$ASCEND" "$@"
}

# true_files: the files are those that the bytes and the exports of PROF say
true_files() {
	expect 0 export timeline -q -dir "$PROF"
	expect 0 export summary -q -dir "$PROF"
	run -0 python3 "$ROOT/tests/pytorch/truth.py" "$ASCEND"
	[[ $output == *' cells, 0 differ' ]]
}

@test "with a queue, steps, stacks, shapes, memory, Python and several threads" {
	framework --queue --steps 2 --stack --shapes --flops --memory --python --threads --gc
	expect 0 export pytorch -q -dir "$ASCEND"
	equal "$stderr" ''
	true_files
	head -1 "$OUT/kernel_details.csv" | grep -q '^Step Id,Device_id,Model ID,Task ID,Stream ID,Name,Type'
	[ -s "$OUT/operator_memory.csv" ] && [ -s "$OUT/memory_record.csv" ]
	[ "$(jq '[.[] | select(.cat == "python_function")] | length' "$OUT/trace_view.json")" -gt 0 ]
	[ "$(jq '[.[] | select(.cat == "GC")] | length' "$OUT/trace_view.json")" -gt 0 ]
}

@test "without a queue the operator is the innermost around the launch" {
	framework --steps 2 --shapes --threads --seed 3
	expect 0 export pytorch -q -dir "$ASCEND"
	true_files
}

@test "the lowest level leaves columns and events out, a directory of several profiles is walked, no steps have no column" {
	framework --queue --level Level0
	expect 0 export pytorch -q -dir "$BATS_TEST_TMPDIR/profile"
	equal "$(head -1 "$OUT/kernel_details.csv" | cut -d, -f1-8)" 'Device_id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Num'
	[ ! -e "$OUT/op_statistic.csv" ]
	equal "$(jq '[.[] | select(.args.name == "CANN")] | length' "$OUT/trace_view.json")" 0
	equal "$(jq '[.[] | select(.cat == "cpu_op" and .name == "GE::mix")] | length > 0' "$OUT/trace_view.json")" true
}

@test "devices alone have no operators" {
	framework --npu-only
	expect 0 export pytorch -q -dir "$ASCEND"
	[ ! -e "$OUT/operator_details.csv" ]
	equal "$(tail -n +2 "$OUT/step_trace_time.csv" | cut -d, -f2 | sort -u)" ''
}

@test "cut files, files of other versions, unreadable settings and several processes are told, with status 3" {
	framework --queue --steps 2 --memory
	truncate -s -7 "$ASCEND/FRAMEWORK/torch.op_mark"
	head -c 500 /dev/urandom >"$ASCEND/FRAMEWORK/torch.memory_usage"
	cp "$ASCEND/FRAMEWORK/torch.op_range" "$ASCEND/FRAMEWORK/torch.op_range_1"
	echo >"$ASCEND/FRAMEWORK/mindspore.op_range"
	expect 3 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *'torch.op_mark: '*' of '*' bytes are no records'* ]]
	[[ $stderr == *'torch.memory_usage: 500 of 500 bytes are no records'* ]]
	[[ $stderr == *'torch.op_range_1: left out'* ]]
	[[ $stderr == *'mindspore.op_range: is of another program'* ]]
	expect 1 export pytorch -q --strict -dir "$ASCEND"
	rm "$ASCEND"/FRAMEWORK/*_1 "$ASCEND"/FRAMEWORK/mindspore*
	printf '{' >"$ASCEND/profiler_info_0.json"
	expect 3 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *'profiler_info_0.json: is no JSON object'* ]]
	cp -r "$PROF" "${PROF/000001/000002}"
	expect 3 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *"left out: '$ASCEND' has the files of another PROF directory"* ]]
	discard "${PROF/000001/000002}"
	framework --queue --pid 77
	cat "$ASCEND/FRAMEWORK/torch.op_range" >"$BATS_TEST_TMPDIR/first"
	framework --queue --pid 78
	cat "$BATS_TEST_TMPDIR/first" >>"$ASCEND/FRAMEWORK/torch.op_range"
	expect 3 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *'records of 2 processes'* ]]
}

@test "a PROF directory alone is refused, files of another tool stay" {
	framework --queue
	expect 1 export pytorch -q -dir "$PROF"
	[[ $stderr == *'give the directory around it'* ]]
	mkdir -p "$OUT"
	echo theirs >"$OUT/kernel_details.csv"
	expect 1 export pytorch -q -dir "$ASCEND"
	equal "$(cat "$OUT/kernel_details.csv")" theirs
	expect 0 export pytorch -q --output "$BATS_TEST_TMPDIR/elsewhere" -dir "$ASCEND"
	[ -s "$BATS_TEST_TMPDIR/elsewhere/${PROF##*/}/ASCEND_PROFILER_OUTPUT/kernel_details.csv" ]
}
