#!/usr/bin/env bats
# svp_made.bats: records, items and markers of boards, made by hand: layers, calls, counters, model files.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/svp_job

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
	bare_job
}

# items EXPRESSION...: bytes that Python makes with the functions of raw.py
items() {
	local IFS=,
	PYTHONPATH=$HELPERS python3 -c "import struct, sys; from raw import *; sys.stdout.buffer.write(b''.join([$*]))"
}

# tasks NUMBER...: an inference of model m with these task numbers, each of 7 ticks
tasks() {
	local task
	for task; do raw core task="$task" ticks=7; done >"$JOB/data/aicore.0.m.16.1.256.1.0"
	mark aicore.0.m.16.1.256.1.0 len=$((256 * $#)) start=1000 end=$((1000 + $#))
}

notes() {
	query "SELECT text FROM note WHERE kind NOT IN ('assumed')"
}

@test "layers with the same number are one task; a missing name or type is N/A, and has its place" {
	tasks 0
	items "layer(id=1, name='a', ori='x,y', task=0)" "layer(id=2, type='U', task=0)" "layer(id=3, name='c', type='V', ori='\"\"', task=0)" >"$JOB/data/m.1.layer.info"
	expect 0 export summary -dir "$JOB"
	equal "$(query 'SELECT layer_count, layer_ids, names, types, oris FROM op')" "3|1,2,3|a,N/A,c|N/A,U,V|x,y"
	equal "$(query "SELECT ori IS NULL FROM layer WHERE position = 2")" 1
	equal "$(tail -1 "$JOB"/summary/op_summary* | cut -d'"' -f2,4,6,8)" '1,2,3"x,y"a,N/A,c"N/A,U,V'
	equal "$(tail -n +2 "$JOB"/summary/op_statistic* | cut -d, -f3 | paste -sd ' ')" "U V N/A"
}

@test "items: every form of a field, in any order; texts end with NUL or not; unknown fields and items beside layers are passed over" {
	tasks 0 1
	items "struct.pack('<HI', 0xC005, 7) + 7 * b'x'" \
		"struct.pack('<HI', 0xC111, 23) + struct.pack('<HBHIHB', 0x2157, 0, 0x6112, 70000, 0x8114, 2) + b'ab' + struct.pack('<HB', 0x8152, 2) + b'T' + bytes(1) + struct.pack('<HH', 0x4FFF, 1)" \
		"struct.pack('<HB', 0x8111, 17) + struct.pack('<HHHI', 0x4157, 1, 0xC114, 1) + b'c' + struct.pack('<HI', 0x6112, 2)" >"$JOB/data/m.1.layer.info"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT task_id, layer_ids, names, types FROM op ORDER BY task_id')" $'0|70000|ab|T\n1|2|c|'
	equal "$(query "SELECT records, record_bytes + blank_bytes = size, damaged_bytes FROM source WHERE target = 'layer_item'")" "2|1|0"
}

@test "items that are damaged cost themselves only: exit 3" {
	local harm
	tasks 0 1 2
	for harm in "2:an item longer than the rest of the file" "10:an item that its items do not fill"; do
		items "layer(id=1, name='a', task=0)" \
			"(lambda b: b[:${harm%%:*}] + bytes([255]) + b[${harm%%:*} + 1:])(layer(id=2, name='b', task=1))" \
			"layer(id=3, name='c', task=2)" >"$JOB/data/m.1.layer.info"
		expect 3 import -dir "$JOB"
		equal "$(query 'SELECT group_concat(names) FROM op')" "a,c"
		equal "$(query 'SELECT reason FROM damage')" "${harm#*:}"
		equal "$(query "SELECT record_bytes + damaged_bytes - size FROM source WHERE target = 'layer_item'")" 0
	done
}

@test "lengths of 2^32 - 1, items within items without end, and tags alone: no signal, every byte accounted for" {
	local what
	tasks 0
	for what in "struct.pack('<HI', 0xC111, 2 ** 32 - 1)" "struct.pack('<HI', 0xC111, 2 ** 32 - 1) * 1000" "struct.pack('<HH', 0xA111, 65535) + bytes(65535)" \
		"b''.join(struct.pack('<HI', 0xC111, 6 * n) for n in range(20000, -1, -1))" "bytes([0x11, 0x01])" "b'\\xff' * 5000" "bytes(5000)" \
		"struct.pack('<HI', 0xC111, 0) * 3000" "struct.pack('<H', 0x6112)"; do
		items "$what" >"$JOB/data/m.1.layer.info"
		items "$what" >"$JOB/data/m.1.net.info"
		run --separate-stderr timeout 60 "$MSPROF" import -dir "$JOB"
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || fail "$what: $status $stderr"
		equal "$what $(query "SELECT count(*) FROM source WHERE state = 'raw' AND record_bytes + blank_bytes + damaged_bytes <> size")" "$what 0"
	done
}

@test "more layers than a task may have, and long names, are cut and noted" {
	tasks 0 1
	items "*[layer(id=i, name='n', task=0) for i in range(300)]" \
		"struct.pack('<HH', 0xA111, 3000 + 5000 + 12) + struct.pack('<HHHH', 0x4157, 1, 0xA114, 3000) + 3000 * b'n' + struct.pack('<HH', 0xA141, 5000) + 5000 * b'o'" \
		>"$JOB/data/m.1.layer.info"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT task_id, layer_count, length(names), length(oris) FROM op ORDER BY task_id')" $'0|256|511|\n1|1|1024|4096'
	has "$(notes)" "tasks with more than 256 layers: 1; only the first 256 of each are kept" "layers whose names were cut, to 1024 characters (the list of original names: 4096): 1"
}

@test "nets begin their numbers anew: the net of a record tells its layers; where boards do not tell it, the name is N/A" {
	local soc=dv500
	items "layer(id=1, name='first', task=0, seg=0)" "layer(id=2, name='second', task=0, seg=1)" "layer(id=3, name='alone', task=1, seg=1)" >layers
	{
		raw core task=0 ticks=7 seg=0
		raw core task=0 ticks=7 seg=1
		raw core task=1 ticks=7 seg=1
	} >"$JOB/data/aicore.0.m.16.1.256.1.0"
	mark aicore.0.m.16.1.256.1.0 len=768 start=1000
	cp layers "$JOB/data/m.1.layer.info"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT name FROM tasks ORDER BY row' | paste -sd ' ')" "first second alone"
	bare_job $soc
	for task in 0 1; do raw core soc=$soc task=$task ticks=7; done >"$JOB/data/aicore.0.256.1"
	mark aicore.0.m.1.256.1.0 len=512 start=1000
	cp layers "$JOB/data/m.1.layer.info"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT coalesce(name, 'N/A') FROM tasks ORDER BY row" | paste -sd ' ')" "N/A alone"
	has "$(notes)" "1 of the numbers are those of several nets, and the board does not tell which"
}

@test "more records than net.info tells, or tasks without a layer: notes, and a doubt" {
	tasks 0 1 2
	put net m.1.net.info id=0 records=2
	put layer m.1.layer.info id=1 name=a task=0
	expect 3 export summary -dir "$JOB"
	has "$(notes)" "an inference has 3 tasks, net.info says 2" "tasks without a name, because no layer has their number: 2"
}

@test "the AI CPU numbers its nets in its own way: they are the CPU nets in order, where there are as many" {
	tasks 0
	put cpu aicpu.0.m.16.1.256.1.0 task=2
	mark aicpu.0.m.16.1.256.1.0 len=128 start=1000 end=1002
	put layer m.1.layer.info id=1 name=a task=0
	items "net(id=0, records=1)" "net(id=1, type=5, operator='sort')" >"$JOB/data/m.1.net.info"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT name, type, start_ns, dur_ns FROM tasks WHERE task_type = 'AA_CPU'")" "sort|sort|1000000|2000"
	items "net(id=0, records=1)" "net(id=1, type=5, operator='sort')" "net(id=2, type=5, operator='nms')" >"$JOB/data/m.1.net.info"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT name FROM tasks WHERE task_type = 'AA_CPU'")" ""
	has "$(notes)" "AI CPU tasks of model m have no name: 1 numbers of tasks, 2 nets"
}

@test "ROIs in a marker: the sixth line, without an end, is kept" {
	tasks 0 1
	printf 'online_batch_num:17,300' >>"$JOB/data/aicore.0.m.16.1.256.1.0.done"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT value FROM marker_value WHERE key = 'online_batch_num'")" "17,300"
	equal "$(query 'SELECT start_ns FROM tasks' | paste -sd ' ')" "1000000 1001000"
}

@test "the icache miss rate is that of the marker" {
	tasks 0
	mark aicore.0.m.16.1.256.1.0 len=256 start=1000 end=1001 hit=3 miss=1
	expect 0 export summary -dir "$JOB"
	[ -e "$JOB/summary/op_summary_0.m.1.256.1.0.0.250000.700.csv" ] || fail "$(ls "$JOB/summary")"
}

@test "a call of an unknown type has its number for a name, no kind, a note, and a doubt" {
	local type
	for type in 0 1 2 3 4 5 6 4294967295; do
		raw call type="$type" begin=$((1000 + type % 100)) end=$((1001 + type % 100)) pid=7 tid=8
	done >"$JOB/data/acl_api.0.m.1"
	mark acl_api.0.m.1 len=256 start=1000 end=1096
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT name, type FROM api_calls ORDER BY row')" "svp_acl_mdl_load_from_mem|model
svp_acl_mdl_unload|model
svp_acl_mdl_execute|model
svp_acl_mdl_execute_async|model
svp_acl_rt_synchronize_stream|runtime
svp_acl_ext_process_aicpu_task|model
6|
4294967295|"
	has "$(notes)" "2 numbers that no map of the layout has"
	for command in "show --top 0" "export summary" "export timeline"; do
		# shellcheck disable=SC2086 # words
		expect 3 $command -dir "$JOB"
	done
	grep -q '^7,8,N/A,4294967295,' "$JOB"/summary/acl_statistic*
	for name in "$JOB"/timeline/acl*; do jq -e '[.traceEvents[].name] | contains(["6", "4294967295"])' "$name" >/dev/null; done
	bare_job dv500
	put call acl_api.0.m.1 soc=dv500 model=1 type=18446744073709551615
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT name FROM api_calls')" 18446744073709551615
}

@test "calls of another chip than info.json tells do not fit" {
	local size soc other=dv500
	for soc in ss928 dv500; do
		bare_job $soc
		for _ in 1 2 3 4 5 6 7 8; do raw call soc=$other type=2 begin=1000 end=1100 pid=1 tid=1; done >"$JOB/data/acl_api.0.m.1"
		other=$soc
		size=$(stat -c %s "$JOB/data/acl_api.0.m.1")
		expect 3 import -dir "$JOB"
		has "$stderr" "$size damaged bytes"
		lacks "$stderr" online_model_type
		equal "$(query "SELECT records, damaged_bytes FROM source WHERE target = 'api_call'")" "0|$size"
	done
}

@test "a call whose model is not that of its file contradicts it" {
	bare_job dv500
	put call acl_api.0.m.5 soc=dv500 model=6
	expect 3 import -dir "$JOB"
	has "$(notes)" "1 records differ from what the name or the .done marker says"
}

@test "calls that the recorder wrote in both forms are counted once" {
	generate --host-calls 60 --pictures 3 --calls 20
	calls=$(($(stat -c %s "$JOB/data/msprof_api.0.resnet50.46") / 128))
	board=$(stat -c %s "$JOB/data/acl_api.0.resnet50.46")
	[ "$board" -gt 0 ]
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM api_calls")" "$calls"
	equal "$(query "SELECT records, blank_bytes, damaged_bytes, remark FROM source WHERE file = 'data/acl_api.0.resnet50.46'")" \
		"0|$board|0|not loaded: a file beside it has the same calls"
	expect 0 show -dir "$JOB" --table acl_statistic --top 0 --format json
	equal "$(jq '[.tables[0].rows[].Count] | add' <<<"$output")" "$calls"
	mv "$JOB/data/msprof_api.0.resnet50.46" "$JOB/data/msprof_api.0.other.47" # of another model: nothing is covered
	expect 3 import -dir "$JOB" # its marker has lost its file
	equal "$(query "SELECT count(*) FROM api_calls")" $((calls + board / 32))
	: >"$JOB/data/msprof_api.0.resnet50.46"
	rm "$JOB"/data/msprof_api.*.done
	expect 0 import -dir "$JOB" # an empty file covers nothing
	equal "$(query "SELECT count(*) FROM api_calls")" $((calls + board / 32))
}

@test "a job that was killed: its calls up to the last sampled inference, and what that means" {
	tasks 0 1
	{
		raw call type=0 begin=800 end=900 pid=1 tid=1
		raw call type=2 begin=950 end=990 pid=1 tid=1
	} >"$JOB/data/acl_api.0.m.1"
	expect 0 import -dir "$JOB"
	equal "$(notes | grep acl)" ""
	has "$(query "SELECT text FROM note WHERE file = 'data/acl_api.0.m.1'")" \
		"its .done marker is missing: the program was killed, or the model was not unloaded: calls after the last sampled inference may be missing"
	expect 0 show -dir "$JOB" --table acl_statistic --format csv
	has "$output" svp_acl_mdl_load_from_mem
	{
		raw call type=0 begin=800 end=900 pid=1 tid=1
		raw call type=2 begin=950 end=1010 pid=1 tid=1
		raw call type=1 begin=1020 end=1030 pid=1 tid=1
	} >"$JOB/data/acl_api.0.m.1"
	mark acl_api.0.m.1 len=96 start=800 end=1030
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM note WHERE file = 'data/acl_api.0.m.1'")" 0
}

# calls COUNT: one each 10 us, from 1000 on
calls() {
	PYTHONPATH=$HELPERS python3 -c 'import sys; from raw import *
for i in range(int(sys.argv[1])):
    sys.stdout.buffer.write(call(type=0 if i == 0 else 1 if i == int(sys.argv[1]) - 1 else 2, begin=1000 + 10 * i, end=1005 + 10 * i, pid=1, tid=1))' "$1" >"$JOB/data/acl_api.0.m.1"
	mark acl_api.0.m.1 len=$((32 * $1)) start=1000 end=$((995 + 10 * $1))
}

# sampled AT: an inference that ends at this time, when the board writes its calls
sampled() {
	put core "aicore.0.m.16.1.256.1.$1"
	mark "aicore.0.m.16.1.256.1.$1" len=256 start=$(($1 - 1)) end="$1"
}

@test "512 calls and more between two moments at which a board writes them: some may be lost" {
	local text="data/acl_api.0.m.1: calls may be lost in"
	calls 511
	expect 0 import -dir "$JOB"
	lacks "$stderr" "$text"
	for count in 512 513 600 5000; do
		calls $count
		expect 0 import -dir "$JOB"
		has "$stderr" "$text 1 place: a board keeps 512 calls of a model until the next sampled inference, and there are as many"
	done
	calls 1000 # the last one ends at 10995
	sampled 6000
	expect 0 import -dir "$JOB"
	lacks "$stderr" "$text" # 500 before it, and 500 after it
	calls 1012
	expect 0 import -dir "$JOB"
	has "$stderr" "$text 1 place"
	calls 1100
	sampled 6200
	expect 0 import -dir "$JOB"
	has "$stderr" "$text 1 place" # 500 before the first, 20 between them, 580 behind
	sampled 8000
	expect 0 import -dir "$JOB"
	lacks "$stderr" "$text"
}

@test "calls and tasks share a clock: an inference lies within its call" {
	tasks 0 1
	put call acl_api.0.m.1 type=2 begin=990 end=1010
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT c.start_ns <= min(t.start_ns) AND max(t.start_ns + t.dur_ns) <= c.start_ns + c.dur_ns FROM api_calls c, tasks t')" 1
}

# NA COUNT: so many N/A in a row of the summary
EMPTY=$(printf ',N/A%.0s' $(seq 12))

@test "counters that cannot be true are not shown, in one line that leads to learn; times and names are" {
	local broken
	for broken in mac_busy=701 vec_busy=701 "mac_busy=5 mac_ppen=6" "vec_busy=5 vec_ppen=6" dstr=701 dtrans=701 dld=701 wld=701 mac_busy=4294967295; do
		bare_job
		{
			raw core task=0 ticks=7 mac_busy=700 mac_ppen=700 vec_busy=1 vec_ppen=1 dstr=700 wld=3 read=9 write=9
			# shellcheck disable=SC2086 # words
			raw core task=1 ticks=7 $broken
		} >"$JOB/data/aicore.0.m.16.1.256.1.0"
		mark aicore.0.m.16.1.256.1.0 len=512 start=1000 end=1002 hit=1 miss=0
		items "layer(id=1, name='a', type='Convolution', task=0)" "layer(id=2, name='b', type='Pooling', task=1)" >"$JOB/data/m.1.layer.info"
		expect 3 export summary -dir "$JOB"
		equal "$(grep -c "counters contradicted: .*: not so in 1 of 2 (data/aicore" <<<"$stderr")" 1
		expect 3 show -dir "$JOB" --table aa_core_metrics --format csv
		[ "$(grep -c "$EMPTY" "$JOB"/summary/op_summary*)" = 3 ] || fail "$broken: $(cat "$JOB"/summary/op_summary*)"
		has "$(cat "$JOB"/summary/op_summary*)" "1,N/A,a,Convolution,1,50" "2,N/A,b,Pooling,1,50"
		equal "$(query "SELECT standing, shown FROM counters")" "contradicted|"
	done
	expect 3 show -dir "$JOB"
	has "$output" "msprof learn"
	lacks "$output" "assumed places"
	expect 3 advise -dir "$JOB"
	has "$output" "Counters that cannot be true"
}

@test "counters that can be true are shown, with their standing once" {
	raw core task=0 ticks=7 mac_busy=700 mac_ppen=350 vec_busy=70 vec_ppen=7 dstr=700 dtrans=14 dld=21 wld=28 read=1000 write=24 >"$JOB/data/aicore.0.m.16.1.256.1.0"
	mark aicore.0.m.16.1.256.1.0 len=256 start=1000 end=1002 hit=1 miss=0
	put layer m.1.layer.info id=1 name=a type=Convolution task=0
	expect 0 export summary -dir "$JOB"
	equal "$(tail -1 "$JOB"/summary/op_summary* | cut -d, -f1-14,16-)" "1,N/A,a,Convolution,1,100,100,50,10,1,100,2,3,4,1000,24,1024"
	for command in show check; do
		expect 0 $command -dir "$JOB"
		equal "$(grep -c "assumed places, not verified: msprof learn" <<<"$output")" 1
	done
	equal "$(query "SELECT standing, shown FROM counters")" "assumed|1"
}

# model_file LAYER_OR_NET...: a model file: its head tells where the items begin
model_file() {
	items "struct.pack('<7I', 0x4F434950, 2048, 9, 28, 4, 0, 0)" "b'head'" "$@"
}

@test "--model FILE: its layers name the tasks of a model without layer.info" {
	tasks 0 1
	model_file "net(id=0, records=2)" "layer(id=4, name='conv', type='Convolution', ori='a,b', task=0)" "layer(id=5, name='pool', type='Pooling', task=1)" >m.om
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT count(name) FROM tasks')" 0
	expect 0 show -dir "$JOB" --model m.om --table aa_core_metrics --format csv # makes the database anew
	has "$output" "a,b" conv Pooling
	equal "$(query 'SELECT name, type FROM tasks ORDER BY row')" $'a,b|Convolution\npool|Pooling'
	equal "$(query "SELECT record_bytes + blank_bytes + damaged_bytes = size, records, damaged_bytes FROM source WHERE state = 'model'")" "1|2|0"
	expect 0 export summary -dir "$JOB" # which needs the file no more
	has "$(cat "$JOB"/summary/op_summary*)" conv
	put layer m.1.layer.info id=1 name=own task=0
	expect 0 import -dir "$JOB" --model m.om
	equal "$(query 'SELECT name FROM tasks WHERE task_id = 0')" own
	has "$(notes)" "not used: each model has its layers in data/"
	rm "$JOB/data/m.1.layer.info"
	put core aicore.0.n.16.2.256.1.0
	mark aicore.0.n.16.2.256.1.0 len=256 start=2000
	expect 0 import -dir "$JOB" --model m.om
	equal "$(query 'SELECT count(name) FROM tasks')" 0
	has "$(notes)" "not used: several models have no layers in data/, and nothing tells which of them it is"
}

@test "--model: a file that is missing, no file or no model is told; cut at each byte it gives its whole layers" {
	local whole size layers
	tasks 0 1
	for name in nosuch.om "$JOB"; do
		expect 1 import -dir "$JOB" --model "$name"
		has "$stderr" "'$name'"
	done
	head -c 100 /dev/urandom >noise.om
	expect 3 import -dir "$JOB" --model noise.om
	equal "$(query "SELECT records, damaged_bytes FROM source WHERE state = 'model'")" "0|100"
	has "$stderr" "noise.om: has no layers: it names no task"
	model_file "layer(id=4, name='conv', task=0)" "layer(id=5, name='pool', task=1)" >m.om
	size=$(stat -c %s m.om)
	whole=$((32 + $(items "layer(id=4, name='conv', task=0)" | wc -c)))
	for length in $(seq 0 "$size"); do
		head -c "$length" m.om >cut.om
		run --separate-stderr "$MSPROF" import -q -dir "$JOB" --model cut.om
		layers=$(((length >= whole) + (length == size)))
		[ "$status" -eq $(((length == 0 || length == 32 || length == whole || length == size) ? 0 : 3)) ] || fail "$length: $status $stderr"
		equal "$length $(query "SELECT records, size - record_bytes - blank_bytes - damaged_bytes FROM source WHERE state = 'model'")" "$length $layers|0"
	done
}

@test "--family: what info.json and names tell is not asked; a family that knows no file finds none" {
	tasks 0
	# such a DeviceInfo has only Ascend; the names are those of a board
	info_json '{"id": 0, "hwts_frequency": "50"}' >"$JOB/info.json.0"
	expect 0 import -dir "$JOB" --family svp --frequency 700
	equal "$(query "SELECT value FROM meta WHERE key = 'family'")" svp
	equal "$(query 'SELECT start_ns, dur_ns FROM tasks')" "1000000|1000"
	discard "$JOB/sqlite"
	expect 0 import -dir "$JOB" --family ascend910
	equal "$(query "SELECT value FROM meta WHERE key = 'family'")" ascend910
	has "$stderr" "files that are not understood: 1"
	expect 2 import -dir "$JOB" --family SVP
	has "$stderr" "svp, ascend910, ascend2022 or prof"
}

@test "--family counts for a job that was imported as another one, and back; raw files that are gone are told" {
	genjob job
	expect 0 import -dir job
	for family in ascend910 svp ascend2022 svp; do
		run --separate-stderr "$MSPROF" show -dir job --family "$family" --table Overview
		equal "$status $(query "SELECT value FROM meta WHERE key = 'family'" job/sqlite/msprof.db)" "0 $family"
		lacks "$stderr" "files are gone"
	done
	discard job/data && mkdir job/data
	expect 1 show -dir job --family ascend910
	has "$stderr" "was made of family 'svp', and the raw files are gone"
	expect 0 show -dir job --family svp
}

@test "--family: a PROF directory is of one family, and no other directory is of it" {
	"$BUILD/tests/genprof" --out PROF_1
	for command in import show check; do
		expect 1 "$command" -dir PROF_1 --family svp
		has "$stderr" "'PROF_1' is a PROF directory: it cannot be read as family 'svp'; leave out --family"
	done
	expect 0 import -dir PROF_1 --family prof
	expect 1 show -dir "$JOB" --family prof
	has "$stderr" "is not a PROF directory: it cannot be read as family 'prof'"
}

@test "a job that nothing but its names calls one of a board is read as one" {
	tasks 0
	info_json '{"id": 0, "hwts_frequency": "50"}' >"$JOB/info.json.0"
	expect 1 import -dir "$JOB"
	has "$stderr" "$JOB/info.json.0" aic_frequency --frequency
	expect 0 import -dir "$JOB" --frequency 700
	equal "$(query 'SELECT start_ns, dur_ns FROM tasks')" "1000000|1000"
	rm "$JOB"/data/*
	discard "$JOB/sqlite"
	expect 0 check -dir "$JOB" --format json # a job without names is as its info.json tells
	lacks "$output" online_model_type
}

@test "chips are told apart by info.json" {
	local soc
	for soc in ss928:SS928 dv500:Hi3519DV500 cv610:Hi3516CV610; do
		bare_job "${soc%:*}"
		expect 0 import -dir "$JOB"
		equal "$(query 'SELECT soc, frequency_mhz FROM device')" "${soc#*:}|700"
	done
}
