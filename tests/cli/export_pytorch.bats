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

# operator NAME...: put operators of these names before the others
operator() {
	python3 - "$ROOT/tests/pytorch" "$ASCEND/FRAMEWORK/torch.op_range" "$@" <<-'END'
		import struct, sys
		sys.path.insert(0, sys.argv[1])
		from framework import field
		with open(sys.argv[2], "r+b") as f:
		    rest = f.read()
		    f.seek(0)
		    for i, name in enumerate(sys.argv[3:]): # before the step of all launches
		        data = struct.pack("<3q4QB?", 10 * i, 10 * i + 5, -1, 4000, 7, 7, 0, 0, False) + field(2, name)
		        f.write(struct.pack("<HI", 1, len(data)) + data)
		    f.write(rest)
	END
}

@test "names that a fast hash does not tell apart are two names" {
	framework --steps 1
	operator aten::aaaddha000 'aten::aiadd(b00X' aten::aaaddha000
	expect 0 export pytorch -q -dir "$ASCEND"
	equal "$(jq -r '.[] | select(.cat == "cpu_op" and .tid == 7) | .name' "$OUT/trace_view.json")" \
		$'aten::aaaddha000\naten::aiadd(b00X\naten::aaaddha000'
}

@test "of more steps than 4096 the first ones are told, and the loss" {
	framework --steps 1
	# shellcheck disable=SC2046 # one word each
	operator $(printf 'ProfilerStep#9 %.0s' {1..4096})
	expect 3 export pytorch -q -dir "$ASCEND"
	has "$stderr" 'torch.op_range: 4097 steps: the first 4096 are told'
	equal "$(head -c 9 "$OUT/kernel_details.csv")" Device_id # launches lie in none of these
}

@test "the databases have the operators, what they launched, memory and steps; the end is marked" {
	local db
	discard "$PROF" # one thread launches: else a search may begin behind the operator
	"$BUILD/tests/genprof" --threads 1 --out "$PROF"
	expect 0 import -q -dir "$PROF"
	framework --same --threads --queue --steps 4 --memory --stack --shapes --python --gc
	expect 0 export pytorch -q -dir "$ASCEND"
	expect 0 export timeline -q -dir "$PROF"
	run -0 python3 "$ROOT/tests/pytorch/database.py" "$ASCEND"
	[[ $output == *' cells, 0 differ' ]]
	db=$OUT/ascend_pytorch_profiler_0.db
	[ "$(sqlite3 "$db" 'SELECT count(*) FROM CONNECTION_IDS JOIN CANN_API USING (connectionId)')" -gt 10 ]
	equal "$(sqlite3 "$db" 'SELECT count(*) FROM PYTORCH_API WHERE type = 50003')" \
		"$(jq '[.[] | select(.cat == "python_function")] | length' "$OUT/trace_view.json")"
	equal "$(sqlite3 "$db" 'SELECT count(*) FROM GC_RECORD')" "$(jq '[.[] | select(.ph == "X" and .cat == "GC")] | length' "$OUT/trace_view.json")"
	equal "$(sqlite3 "$db" 'SELECT count(*) FROM MEMORY_RECORD JOIN STRING_IDS ON id = component')" \
		"$(tail -n +2 "$OUT/memory_record.csv" | grep -cv '^APP')"
	expect 0 export pytorch -q -dir "$ASCEND"
	echo theirs >"$OUT/analysis.db"
	expect 1 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *'analysis.db'*'is of another tool'* ]]
	equal "$(cat "$OUT/analysis.db")" theirs
}

# collective_calls: 40 operations of five types and two groups behind the tasks of the generator, each with two links
collective_calls() (
	cd "$BATS_TEST_TMPDIR" || exit
	printf '5500_65537:master\n5500_65538:slave\n5000_901:NOTIFY_RECORD\n' >"$HOST/aging.additional.type_info_dic.slice_0"
	printf '%s\n' 901:Memcpy 910:hcom_allReduce_ 911:hcom_send_ 912:hcom_reduceScatter_ 913:made__op 914:hcom_receive_ |
		sed 's/^/8000000000000000/' >"$HOST/aging.additional.hash_dic.slice_0"
	for i in {0..39}; do
		t=$((4500 + 20 * i))
		echo "level=10000 type=1 thread_id=4242 begin=$(host $t) end=$(host $((t + 18))) item_id=8000000000000000$((910 + i % 5))" >>calls
		for k in 0 1; do # the slave of some begins before earlier operations of the type; rates tie
			t=$((4501 + 20 * i + 8 * k))
			echo "level=5500 type=$((65537 + k)) thread_id=4242 begin=$(host $t) end=$(host $((t + 7))) item_id=8000000000000000901" >>calls
			echo "level=5000 type=802 thread_id=4242 data_len=24 stamp=$(host $((t + 4))) stream_id=$((40 + k)) task_id=$i task_type=901" >>launches
			echo "level=5500 thread_id=4242 stamp=$(host $((t + 5))) item_id=8000000000000000901 group_name=$((8000000000000000061 + (i % 10 == 9)))" \
				"context_id=4294967295 plane_id=$k transport_type=0 link_type=$((1 + k)) rdma_type=255 local_rank=3 remote_rank=$((4 + k + (i % 8 == 7)))" \
				"size=$((1000000 * (1 + i % 3)))" >>steps
			t=$((7000 + 20 * i + k - (i % 3 == 0 ? 102 * k : 0) - (i == 3 ? 4900 : 0)))
			printf "end=%s stream_id=$((40 + k)) task_id=$i counter=%s\n" 0 "$(device $t)" 1 "$(device $((t + 2 + i % 3 * 2 - (i % 3 == 2 ? 3 : 0))))" >>runs
		done
	done
	record prof.api "$HOST/aging.api_event.data.slice_1" <calls
	record prof.task_track "$HOST/aging.compact.task_track.slice_1" <launches
	record prof.hccl_info "$HOST/unaging.additional.hccl_info.slice_1" <steps
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_2" <runs
)

@test "the database of steps has what collectives moved, by the step in which they began" {
	local db=$OUT/analysis.db
	discard "$PROF"
	"$BUILD/tests/genprof" --threads 1 --out "$PROF"
	HOST=$PROF/host/data DEVICE=$PROF/device_0/data
	collective_calls
	expect 0 import -q -dir "$PROF"
	framework --same --queue --steps 4 --memory --stack
	expect 0 export pytorch -q -dir "$ASCEND"
	[ ! -e "$PROF/analyze" ]
	expect 0 analyze -q -dir "$PROF"
	expect 0 export timeline -q -dir "$PROF"
	run -0 python3 "$ROOT/tests/pytorch/database.py" "$ASCEND"
	[[ $output == *' cells, 0 differ' ]]
	equal "$(sqlite3 "$db" 'SELECT count(*), count(DISTINCT step), count(DISTINCT type) FROM CommAnalyzerTime')" '39|3|2' # one began behind all steps
	[ "$(sqlite3 "$db" "SELECT count(*) FROM CommAnalyzerMatrix WHERE hccl_op_name LIKE '%-bottom3'")" -gt 10 ]
}

@test "devices alone have no operators; text files or databases alone" {
	framework --npu-only
	expect 0 export pytorch -q -dir "$ASCEND" --type db --output "$BATS_TEST_TMPDIR/db"
	equal "$(cd "$BATS_TEST_TMPDIR"/db/*/ASCEND_PROFILER_OUTPUT && echo *)" 'analyse.done analysis.db ascend_pytorch_profiler_0.db'
	expect 0 export pytorch -q -dir "$ASCEND" --type text --output "$BATS_TEST_TMPDIR/text"
	expect 0 export pytorch -q -dir "$ASCEND"
	equal "$(cd "$OUT" && printf '%s\n' * | grep -v '\.db$')" "$(ls "$BATS_TEST_TMPDIR"/text/*/ASCEND_PROFILER_OUTPUT)"
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
	ln -sf profiler_info_0.json "$ASCEND/profiler_metadata.json"
	expect 3 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *'profiler_info_0.json: is no JSON object'*'profiler_metadata.json: is no JSON object'* ]]
	rm "$ASCEND/profiler_metadata.json"
	printf '[' >"$ASCEND/profiler_metadata.json"
	expect 3 export pytorch -q -dir "$ASCEND"
	[[ $stderr == *'profiler_metadata.json: is no JSON object'* ]]
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
