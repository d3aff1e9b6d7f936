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

@test "records of one time that nothing tells apart: without an order of the files the order is unknown, which is said" {
	local job=$BATS_TEST_TMPDIR/PROF_1 name
	"$BUILD/tests/genprof" --out "$job" --tasks 4
	name=$job/host/data/unaging.additional.tensor_info.slice_0
	# two parts of an operator's tensors
	put "$name" prof.tensor_info "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=2 tensors=u32:1,2,1,5"
	expect 0 export summary -dir "$job"
	discard "$job/sqlite"
	# the same behind a record of a later time
	put "$name" prof.tensor_info "level=10000 thread_id=4242 stamp=100000900 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" \
		"level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=1 tensors=u32:0,2,1,3" "level=10000 thread_id=4242 stamp=100000500 op_name=1 tensor_num=2 tensors=u32:1,2,1,5"
	expect 3 export summary -dir "$job"
	has "$stderr" "tensor_info: 1 records of equal times, whose order is unknown since the files are not in order" "1 unknown order;"
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
