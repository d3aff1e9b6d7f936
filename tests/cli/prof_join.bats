#!/usr/bin/env bats
# prof_join.bats: records of tasks are joined while they are read; records that join nothing are kept.
# shellcheck disable=SC2034,SC2154 # query reads $DB; $stderr is set by run

load helpers

setup() {
	fresh_job
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF" --tasks 3000
	DB=$PROF/sqlite/msprof.db
	HOST=$PROF/host/data DEVICE=$PROF/device_0/data
}

@test "a joined task is what its records say, and the records are nowhere else" {
	expect 0 import -dir "$PROF"
	equal "$(query "SELECT count(*), count(launch_ns), count(connection_id), count(op_name), count(aic_cycles) FROM task")" "3000|3000|3000|3000|3000"
	equal "$(query 'SELECT (SELECT count(*) FROM task_track), (SELECT count(*) FROM node_basic_info), (SELECT count(*) FROM pmu)')" "0|0|0"
	equal "$(query "SELECT target, records, first_row IS NULL FROM source WHERE target IN ('task_track', 'node_basic_info', 'pmu', 'stars_log')
		ORDER BY target")" 'node_basic_info|3000|1
pmu|3000|1
stars_log|6000|1
task_track|3000|1'
}

@test "counters, launches and operators without a run are kept" {
	rm "$DEVICE"/stars_soc.data.0.slice_0*
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*), count(start_ns), count(op_name) FROM task')" "3000|0|3000"
	equal "$(query 'SELECT count(*), count(total_cycles), count(pmu7), count(dur_ns) FROM pmu')" "3000|3000|3000|3000"
	has "$(query 'SELECT text FROM note')" "3000 tasks were launched and did not run"
}

@test "operators that were said outside of any call of a node are kept, in their order" {
	rm "$HOST"/unaging.api_event.data.slice_0*
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(*), count(launch_ns), count(connection_id), count(op_name) FROM task WHERE op_type = kernel_name AND is_op')" "3000|3000|0|3000"
	equal "$(query 'SELECT count(*), count(op_name), count(time_ns) FROM node_basic_info')" "3000|3000|3000"
	equal "$(query 'SELECT count(*) FROM node_basic_info a JOIN node_basic_info b ON b.rowid = a.rowid + 1 WHERE b.time_ns < a.time_ns')" 0
}

@test "of several operators of a call the first counts, the others are kept" {
	cat "$HOST/unaging.compact.node_basic_info.slice_0" >"$BATS_TEST_TMPDIR/again"
	cat "$BATS_TEST_TMPDIR/again" >>"$HOST/unaging.compact.node_basic_info.slice_0"
	rm -f "$HOST/unaging.compact.node_basic_info.slice_0.done"
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT count(op_name) FROM task')" 3000
	equal "$(query 'SELECT count(*) FROM node_basic_info')" 3000
}

@test "starts without ends and ends without starts: all of them, however many" {
	python3 - "$DEVICE/stars_soc.data.0.slice_0" <<-'END'
		import sys
		data = open(sys.argv[1], "rb").read()
		events = [data[i:i + 64] for i in range(0, len(data), 64)]
		keep = [e for n, e in enumerate(events) if not (n < 3000 and e[0] & 1) and not (n >= 3000 and not e[0] & 1)]
		open(sys.argv[1], "wb").write(b"".join(keep))
	END
	rm -f "$DEVICE/stars_soc.data.0.slice_0.done"
	expect 3 import -dir "$PROF"
	equal "$(query 'SELECT what, count(*) FROM unpaired GROUP BY what ORDER BY what')" 'end without a start|1500
start without an end|1500'
	equal "$(query 'SELECT count(start_ns) FROM task')" 0
}

@test "records across slices are joined, and found again" {
	expect 0 import -dir "$PROF"
	before=$(query 'SELECT * FROM task' | sha256sum)
	for kind in "$HOST/unaging.compact.task_track" "$HOST/unaging.compact.node_basic_info" "$DEVICE/ffts_profile.data.0"; do
		split -b 40001 -d -a 2 "$kind.slice_0" "$BATS_TEST_TMPDIR/part."
		rm "$kind".slice_0*
		n=0
		for part in "$BATS_TEST_TMPDIR"/part.*; do
			mv "$part" "$kind.slice_$n"
			n=$((n + 1))
		done
	done
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT * FROM task' | sha256sum)" "$before"
	# in reverse order: no record is joined where it is read, all are searched later
	python3 - "$HOST"/unaging.compact.task_track.slice_* <<-'END'
		import sys
		paths = sorted(sys.argv[1:], key=lambda p: int(p.rsplit("_", 1)[1]))
		data = b"".join(open(p, "rb").read() for p in paths)
		records = [data[i:i + 64] for i in range(0, len(data), 64)][::-1]
		data = b"".join(records)
		for p in paths:
		    size = len(open(p, "rb").read())
		    open(p, "wb").write(data[:size])
		    data = data[size:]
	END
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT * FROM task' | sha256sum)" "$before"
}

@test "a job that cannot be stored ends with an error and leaves no thread waiting" {
	( ulimit -f 100; expect 1 import -dir "$PROF"; has "$stderr" "$PROF" )
	equal "$(ls "$PROF"/sqlite 2>/dev/null)" ""
	expect 0 import -dir "$PROF"
}

# Reverses the records of FILE, SIZE bytes each.
turn_round() {
	python3 - "$1" "$2" <<-'END'
		import sys
		path, size = sys.argv[1], int(sys.argv[2])
		data = open(path, "rb").read()
		open(path, "wb").write(b"".join([data[i:i + size] for i in range(0, len(data), size)][::-1]))
	END
}

# Adds another device with the same records.
second_device() {
	local f
	cp -r "$PROF/device_0" "$PROF/device_1"
	for f in "$PROF"/device_1/*.0; do
		mv "$f" "${f%.0}.1"
	done
	for f in "$PROF"/device_1/data/*.0.slice_0*; do
		mv "$f" "${f/.0.slice_/.1.slice_}"
	done
}

@test "each device has its own runs and counters, in whatever order they come" {
	second_device
	turn_round "$DEVICE/ffts_profile.data.0.slice_0" 128
	turn_round "$PROF/device_1/data/ffts_profile.data.1.slice_0" 128
	expect 0 import -dir "$PROF"
	equal "$(query 'SELECT device_id, count(start_ns), count(aic_cycles), count(launch_ns) FROM task GROUP BY device_id')" '0|3000|3000|3000
1|3000|3000|0'
	equal "$(query 'SELECT count(*) FROM task a JOIN task b ON b.device_id = 1 AND b.start_ns = a.start_ns AND b.stream_id = a.stream_id
		WHERE a.device_id = 0 AND a.aic_cycles = b.aic_cycles')" 3000
}

# Set bytes of FILE: OFFSET VALUE, unsigned 64 bits each.
set_numbers() {
	python3 - "$@" <<-'END'
		import struct, sys
		with open(sys.argv[1], "r+b") as f:
		    for offset, value in zip(sys.argv[2::2], sys.argv[3::2]):
		        f.seek(int(offset))
		        f.write(struct.pack("<Q", int(value)))
	END
}

@test "numbers too large and ends before starts are counted once, however often a value is used" {
	python3 - "$HOST/unaging.api_event.data.slice_0" <<-'END'
		import struct, sys
		with open(sys.argv[1], "r+b") as f:
		    data = f.read()
		    for at in range(0, len(data), 40):
		        if struct.unpack_from("<H", data, at + 2)[0] == 10000:
		            begin, end = struct.unpack_from("<QQ", data, at + 16)
		            f.seek(at + 24)
		            f.write(struct.pack("<Q", begin - 1))
		            break
	END
	set_numbers "$HOST/unaging.compact.task_track.slice_0" $((64 * 7 + 16)) 18446744073709551615
	set_numbers "$HOST/unaging.compact.node_basic_info.slice_0" $((64 * 9 + 16)) 18446744073709551615
	set_numbers "$DEVICE/ffts_profile.data.0.slice_0" $((128 * 3 + 32)) 18446744073709551615 $((128 * 4 + 72)) 9223372036854775808 $((128 * 5 + 120)) 1
	expect 0 import -dir "$PROF"
	equal "$(query "SELECT file, text FROM note WHERE file LIKE '%/data/%' ORDER BY file, text")" \
		'device_0/data/ffts_profile.data.0.slice_0|1 records end before they start
device_0/data/ffts_profile.data.0.slice_0|2 numbers too large; stored as the largest
host/data/unaging.api_event.data.slice_0|1 records end before they start
host/data/unaging.compact.node_basic_info.slice_0|1 numbers too large; stored as the largest
host/data/unaging.compact.task_track.slice_0|1 numbers too large; stored as the largest'
}

# The product's layouts with one changed by a sed expression, in $LAYOUTS.
change_layouts() {
	LAYOUTS=$BATS_TEST_TMPDIR/layouts
	mkdir -p "$LAYOUTS"
	cp "$BATS_TEST_DIRNAME/../../schema/records/$1" "$LAYOUTS/"
	sed -i "$2" "$LAYOUTS/$1"
}

@test "a layout without a column: what it says is unknown, not 0" {
	change_layouts prof_host.rec '/^record prof.node_basic_info/,/^record prof.node_attr/s/field    op_type           hash/skip     8/'
	expect 0 import -dir "$PROF" --layouts "$LAYOUTS"
	equal "$(query 'SELECT count(op_name), count(op_type) FROM task')" "3000|0"
	lacks "$(query 'SELECT text FROM note')" "in no hash_dic"
	change_layouts prof_stars.rec '/^record prof.acsq/,/^record prof.ffts_log/s/field    task_type/input    task_type/'
	expect 0 import -dir "$PROF" --layouts "$LAYOUTS"
	equal "$(query 'SELECT count(start_ns), count(device_type) FROM task')" "3000|0"
}

@test "records that cannot be joined are refused, not lost" {
	change_layouts prof_stars.rec 's/"ffts_profile.data.{device_id:int}.slice/"ffts_profile.data.{batch:int}.slice/'
	# the directory of a device tells it; that of the host does not
	expect 0 import -dir "$PROF" --layouts "$LAYOUTS"
	[ "$(query 'SELECT count(*) FROM task WHERE aic_us > 0')" -gt 0 ]
	mv "$DEVICE"/ffts_profile.data.* "$HOST"
	expect 1 import -dir "$PROF" --layouts "$LAYOUTS"
	has "$stderr" "file names of the table 'pmu' must have a device_id"
}
