#!/usr/bin/env bats
# unordered.bats: records of PROF directories in any order, and slices of any size.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

@test "records shuffled, dealt to slices, or cut over slices of any size: exports are the same to the byte" {
	local seed
	for seed in $(seq "${MSPROF_SEEDS:-1}"); do
		mkdir "$BATS_TEST_TMPDIR/$seed"
		run python3 "$HELPERS/unordered.py" "$BUILD/tests/genprof" "$BUILD/tests/genrec" "$MSPROF" "$seed" "$BATS_TEST_TMPDIR/$seed"
		[ "$status" -eq 0 ] || fail "$output"
	done
}

# put FILE LAYOUT FIELDS...: a file of the records, one a line.
put() {
	local file=$1 layout=$2
	shift 2
	mkdir -p "${file%/*}"
	printf '%s\n' "$@" | "$BUILD/tests/genrec" "$layout" "$file"
}

@test "an end before its start in the file is that of a task; one of an earlier time is alone, and so is its start" {
	local job=$BATS_TEST_TMPDIR/PROF_1
	"$BUILD/tests/genprof" --out "$job" --tasks 1
	put "$job/device_0/data/stars_soc.data.0.slice_0" prof.acsq "end=1 stream_id=5 task_id=1 counter=60000000" "end=0 stream_id=5 task_id=1 counter=50000000" \
		"end=0 stream_id=5 task_id=2 counter=70000000" "end=1 stream_id=5 task_id=2 counter=65000000" \
		"end=1 stream_id=5 task_id=3 counter=80000000" "end=0 stream_id=5 task_id=3 counter=80000000"
	run "$MSPROF" import -q -dir "$job"
	equal "$(DB=$job/sqlite/msprof.db query 'SELECT task_id, dur_ns > 0, dur_ns = 0 FROM task WHERE stream_id = 5 ORDER BY task_id')" $'1|1|0\n3|0|1'
	equal "$(DB=$job/sqlite/msprof.db query 'SELECT task_id, what FROM unpaired ORDER BY what')" $'2|end without a start\n2|start without an end'
}

@test "a task whose end is lost in the middle of its stream is told; one that the collection cuts is not" {
	local job=$BATS_TEST_TMPDIR/PROF_1 log=device_0/data/stars_soc.data.0.slice_0
	"$BUILD/tests/genprof" --out "$job" --tasks 1
	put "$job/$log" prof.acsq "end=1 stream_id=5 task_id=1 counter=50000000" "end=0 stream_id=5 task_id=2 counter=60000000" \
		"end=1 stream_id=5 task_id=2 counter=65000000" "end=0 stream_id=5 task_id=3 counter=70000000"
	expect 0 export summary -dir "$job"
	discard "$job/sqlite"
	rm "$job/$log"
	put "$job/$log" prof.acsq "end=0 stream_id=5 task_id=1 counter=50000000" "end=1 stream_id=5 task_id=1 counter=51000000" \
		"end=0 stream_id=5 task_id=2 counter=60000000" "end=0 stream_id=5 task_id=3 counter=70000000" "end=1 stream_id=5 task_id=3 counter=75000000"
	expect 3 export summary -dir "$job"
	has "$stderr" "1 unpaired task event;"
}

# halves TASK CONTEXT START END: a task of stream 5, or a part of it; one side may be '-'
halves() {
	local layout=prof.ffts_log more="context_id=$2 subtask_type=6"
	[ "$2" != - ] || { layout=prof.acsq && more=; }
	[ "$3" = - ] || echo "end=0 stream_id=5 task_id=$1 $more counter=$3" | "$BUILD/tests/genrec" "$layout" "$log"
	[ "$4" = - ] || echo "end=1 stream_id=5 task_id=$1 $more counter=$4" | "$BUILD/tests/genrec" "$layout" "$log"
}

@test "parts of a task run side by side: those that the collection cuts are not told, one that is lost within the stream is" {
	local job=$BATS_TEST_TMPDIR/PROF_1 log
	"$BUILD/tests/genprof" --out "$job" --tasks 1
	log=$job/device_0/data/stars_soc.data.0.slice_0
	# the first task and its parts 0 and 1 run already, part 2 begins; the last task and its parts 0 and 1 go on, part 2 ends
	{
		halves 1 2 50000100 50000200 && halves 1 0 - 50000300 && halves 1 1 - 50000400 && halves 1 - - 50000500
		halves 2 - 60000000 60000900 && halves 2 0 60000100 60000200
		halves 3 - 70000000 - && halves 3 0 70000100 - && halves 3 1 70000200 - && halves 3 2 70000300 70000400
	}
	expect 0 import -dir "$job"
	equal "$(DB=$job/sqlite/msprof.db query 'SELECT count(*) FROM unpaired')" 6
	discard "$job/sqlite"
	halves 2 1 60000300 -
	expect 3 import -dir "$job"
	has "$stderr" "1 unpaired task event;"
}

@test "records of one time that nothing tells apart: without an order of the files the order is unknown, which is said" {
	local job=$BATS_TEST_TMPDIR/PROF_1 name
	"$BUILD/tests/genprof" --out "$job" --tasks 4
	name=$job/host/data/unaging.additional.tensor_info.slice_0
	# two parts of an operator's tensors
	put "$name" prof.tensor_info "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=2 tensors=u32:1,2,1,5"
	expect 0 export summary -dir "$job"
	discard "$job/sqlite"
	# the same behind a record of a later time: where they follow each other one writer left them so
	rm "$name"
	put "$name" prof.tensor_info "level=10000 thread_id=4242 stamp=100000900 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" \
		"level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=2 tensors=u32:1,2,1,5"
	expect 0 export summary -dir "$job"
	discard "$job/sqlite"
	# where another one is between them
	put "$name" prof.tensor_info "level=10000 thread_id=4242 stamp=100000900 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" \
		"level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=2 tensors=u32:1,2,1,5"
	expect 3 export summary -dir "$job"
	has "$stderr" "tensor_info: 1 records of equal times, whose order is unknown since the files are not in order" "1 unknown order;"
}

@test "the columns by which records are put in order are those of their tables" {
	local job=$BATS_TEST_TMPDIR/PROF_1
	"$BUILD/tests/genprof" --out "$job" --tasks 1
	expect 0 import -q -dir "$job"
	run sqlite3 "$job/sqlite/msprof.db" ".read $ROOT/schema/sql/prof/joins.sql" "SELECT records, value,
		EXISTS (SELECT 1 FROM pragma_table_info(records) WHERE name = value) FROM temp.record_order CROSS JOIN json_each('[\"' || replace(trim(time || ' ' || apart), ' ', '\",\"') || '\"]')"
	equal "$status" 0
	has "$output" 'ub|port_id|1' 'hbm|hbm_id|1'
	equal "$(grep -v '|1$' <<<"$output")" ''
}

@test "samples of the unified bus are put in order, too" {
	local job=$BATS_TEST_TMPDIR/PROF_1 ub
	"$BUILD/tests/genprof" --out "$job" --tasks 1
	sed -i 's/"platform_version":"5"/"platform_version":"15"/' "$job/host/info.json" "$job/device_0/info.json.0"
	rm "$job"/device_0/data/stars_soc* "$job"/device_0/data/ffts_profile*
	ub=$job/device_0/data/ub.data.0.slice_0
	put "$ub" prof.ub "stamp_us=2000 port_id=7 rx_udma=22" "stamp_us=1000 port_id=7 rx_udma=11" "stamp_us=3000 port_id=7 rx_udma=33"
	expect 0 import -q -dir "$job"
	equal "$(DB=$job/sqlite/msprof.db query 'SELECT group_concat(rx_udma) FROM (SELECT * FROM ub ORDER BY rowid)')" 11,22,33
}

@test "one good record between bad ones counts, at the place where one must be" {
	local job=$BATS_TEST_TMPDIR/PROF_1 log
	"$BUILD/tests/genprof" --out "$job" --tasks 10
	log=$job/device_0/data/stars_soc.data.0.slice_0
	for at in 4 6; do
		head -c 64 /dev/zero | tr '\0' '\377' | dd of="$log" bs=64 seek=$at conv=notrunc status=none
	done
	run "$MSPROF" import -q -dir "$job"
	equal "$(DB=$job/sqlite/msprof.db query "SELECT records, damaged_bytes FROM source WHERE target = 'stars_log'")" "18|128"
}

@test "counters without a time of a task that ran twice: without an order of the log nobody knows which run is theirs" {
	local job=$BATS_TEST_TMPDIR/PROF_1 device log
	"$BUILD/tests/genprof" --out "$job" --tasks 1
	device=$job/device_0/data
	rm -f "$device"/stars_soc* "$device"/ffts_profile*
	sed -i 's/"platform_version":"5"/"platform_version":"1"/' "$job/device_0/info.json.0"
	log=("end=0 stream_id=1 task_id=1 counter=60000000" "end=1 stream_id=1 task_id=1 counter=60000500" "end=0 stream_id=1 task_id=1 counter=60001000"
		"end=1 stream_id=1 task_id=1 counter=60001500")
	put "$device/aicore.data.0.slice_0" prof.aicore "stream_id=1 task_id=1 total_cycles=1000" "stream_id=1 task_id=1 total_cycles=2000"
	# another log of the device, between the others' times, is in order by itself
	put "$device/hwts.aiv_data.0.slice_0" prof.hwts "end=0 stream_id=2 task_id=1 counter=60000600 task_type=2" "end=1 stream_id=2 task_id=1 counter=60000700 task_type=2"
	put "$device/hwts.data.0.slice_0" prof.hwts "${log[@]}"
	expect 0 import -dir "$job"
	rm "$device/hwts.data.0.slice_0"
	put "$device/hwts.data.0.slice_0" prof.hwts "${log[@]:2:2}" "${log[@]:0:2}"
	expect 3 import -dir "$job"
	has "$stderr" "device 0: 2 runs of tasks that ran more than once: which counters are theirs is unknown" "1 unknown order;"
	# where each task ran once its counters are those of the only run
	rm "$device/hwts.data.0.slice_0"
	put "$device/hwts.data.0.slice_0" prof.hwts "${log[@]:2:2}" "end=0 stream_id=3 task_id=1 counter=60000000" "end=1 stream_id=3 task_id=1 counter=60000500"
	expect 0 import -dir "$job"
}
