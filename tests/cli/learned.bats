#!/usr/bin/env bats
# learned.bats: what a layout of another board may say: headers, floats, other clocks, parts of a duration.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	fresh_job
	LAYOUTS=$BATS_TEST_TMPDIR/layouts
	mkdir "$LAYOUTS"
}

# rewrite FORM: write the aicore files anew, each record as the python expression FORM of its fields
rewrite() {
	python3 - "$JOB"/data "$1" "${2:-}" <<-'END'
		import glob, struct, sys
		names = "task stream start end mac_busy mac_ppen vec_busy vec_ppen dstr dtrans dld wld read write miss access".split()
		for name in glob.glob(sys.argv[1] + "/aicore.*"):
		    data = open(name, "rb").read()
		    if name.endswith(".done"):
		        continue
		    out = eval(sys.argv[3]) if sys.argv[3] else b""
		    for at in range(0, len(data), 128):
		        field = dict(zip(names, struct.unpack_from("<4xII4xQQQQQQQQQQQQII", data, at)))
		        out += eval(sys.argv[2], {"struct": struct, **field})
		    open(name, "wb").write(out)
		    open(name + ".done", "w").write("filesize:%d\n" % len(out))
	END
}

# layout TEXT: the layout svp.aicore of this test
layout() {
	printf '%s\n' 'record svp.aicore v7 learned' \
		'file "aicore.{device_id:int}.{model}.{model_id:int}.{batch:int}.{input_pic_num:int}.{current_pic:int}"' \
		'table aicore_task' "$1" >"$LAYOUTS/board.rec"
}

@test "records with a header, cycles, floats and differences give the same reports" {
	expect 0 export summary -dir "$JOB"
	expect 0 export timeline -dir "$JOB"
	tasks=$(query 'SELECT task_id, stream_id, start_ns, dur_ns, mac_busy, wld, ddr_read_bytes, ddr_write_bytes FROM aicore_task')
	sums=$(cd "$JOB/summary" && sha256sum ./*)
	rewrite 'struct.pack("<QIIIIddddddddIIII", start * 100, (end - start) * 100, task, stream, read + write, mac_busy, mac_ppen, vec_busy,
		vec_ppen, dstr, dtrans, dld, wld, read, miss, access, 0)' 'b"HEADER: 24 bytes of it. "'
	layout 'header 24
size 104
input start u64 @0
input took u32 @8
field task_id u32 @12
field stream_id u32 @16
input all u32 @20
field mac_busy f64 @24
field mac_ppen f64 @32
field vec_busy f64 @40
field vec_ppen f64 @48
field dstr f64 @56
field dtrans f64 @64
field dld f64 @72
field wld f64 @80
input read u32 @88
field icache_miss u32 @92
field icache_access u32 @96
pad 4 @100
value ddr_read_bytes read
value ddr_write_bytes all minus read
time start_ns start unit=cycle
duration dur_ns took unit=cycle
cycles cycles took unit=cycle'
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT task_id, stream_id, start_ns, dur_ns, mac_busy, wld, ddr_read_bytes, ddr_write_bytes FROM aicore_task')" "$tasks"
	equal "$(cd "$JOB/summary" && sha256sum ./*)" "$sums"
	equal "$(query "SELECT DISTINCT verified, blank_bytes FROM source WHERE layout = 'svp.aicore'")" "3|24"
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS" --format json
	equal "$(jq -r '.tables[0].rows[] | select(.Layout == "svp.aicore v7") | .Verified' <<<"$output" | sort -u)" \
		"learned from tables of this board's tool"
	expect 0 query -dir "$JOB" --layouts "$LAYOUTS"
	expect 0 export timeline -dir "$JOB" --layouts "$LAYOUTS"
}

@test "shares, scales and counters of some MHz are exact" {
	rewrite 'struct.pack("<IIIIHHf", task, 4294967000 + 3 * task, 4294967000 + 3 * task + 50, 7, 123, 1000, 2.5 + task)'
	sed -i 's/^.*$/{"frequency": 700}/' "$JOB"/info.json.0
	layout 'size 24
field task_id u32 @0
input start u32 @4
input end u32 @8
input bursts u32 @12
input mac u16 @16
input all u16 @18
input kb f32 @20
share mac_busy mac per=1000
share vec_busy all per=1000
value ddr_read_bytes bursts scale=32/1
value ddr_write_bytes kb scale=1024/1
time start_ns start unit=50mhz
duration dur_ns start end unit=50mhz
cycles cycles start end unit=50mhz'
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT DISTINCT mac_busy, vec_busy, ddr_read_bytes, dur_ns, cycles FROM aicore_task WHERE task_id < 5')" \
		"86|700|224|1000|700" # 86.1
	equal "$(query 'SELECT DISTINCT ddr_write_bytes, start_ns FROM aicore_task WHERE task_id = 3')" "5632|85899340180"
	expect 0 show -dir "$JOB" --layouts "$LAYOUTS" --table 'AA Core Metrics' --format json
	equal "$(jq -r '.tables[0].rows[1]["Time(us)"]' <<<"$output")" 1
	equal "$(query 'SELECT DISTINCT ticks IS NULL, cycles = 700 * tasks FROM inference')" "1|1"
}

@test "without a frequency shares are refused like ticks; floats that are no numbers are odd" {
	rewrite 'struct.pack("<IIfI", task, 1000, (float("nan"), float("inf"), -1e30, 7.5)[task % 4], 0)'
	layout 'size 16
field task_id u32 @0
input took u32 @4
field mac_busy f32 @8
pad 4 @12
duration dur_ns took unit=ns
share wld took per=1000'
	printf '{}\n' >"$JOB/info.json.0"
	rm "$JOB"/data/aicpu*
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	has "$stderr" "invalid 'frequency'"
	sed -i 's/^share.*//' "$LAYOUTS/board.rec"
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT task_id % 4, mac_busy FROM aicore_task WHERE task_id < 4 GROUP BY 1, 2')" $'0|\n1|\n2|\n3|8'
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS"
	has "$output" "numbers are not finite or too large; their columns are empty"
}

@test "a file that is shorter than its header is damage" {
	rewrite 'b""' 'b"1234567"'
	layout 'header 8
size 4
field task_id u32 @0'
	expect 3 check -dir "$JOB" --layouts "$LAYOUTS"
	has "$output" "the file ends within its header"
}

@test "starts and ends that are two records, with a clock that wraps, give the same reports" {
	expect 0 export summary -dir "$JOB"
	expect 0 export timeline -dir "$JOB"
	sums=$(cd "$JOB/summary" && sha256sum ./*)
	tasks=$(query 'SELECT task_id, stream_id, dur_ns, mac_busy, wld FROM aicore_task')
	# the counter of the core, in ticks of 100, has 16 bits; what comes before the first start is skipped
	rewrite '(lambda t: b"".join(struct.pack("<BBHIHHQQQQQQQQQQII", 0x5a, kind, task, stream, tick & 0xffff, 0, mac_busy if kind == 5 else 0,
		mac_ppen, vec_busy, vec_ppen, dstr, dtrans, dld, wld, read, write, miss, access) for kind, tick in ((4, start), (5, end))))(0)'
	layout 'size 100
match u8 @0 == 0x5a
input kind u8 @1
field task_id u16 @2
field stream_id u32 @4
input tick u16 @8
pad 2 @10
field mac_busy u64 @12
field mac_ppen u64 @20
field vec_busy u64 @28
field vec_ppen u64 @36
field dstr u64 @44
field dtrans u64 @52
field dld u64 @60
field wld u64 @68
field ddr_read_bytes u64 @76
field ddr_write_bytes u64 @84
field icache_miss u32 @92
field icache_access u32 @96
pair u8 @1 start=4 end=5 key=task_id,stream_id
wrap tick
time start_ns start.tick unit=tick100
duration dur_ns start.tick tick unit=tick100
cycles cycles start.tick tick unit=tick100'
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT task_id, stream_id, dur_ns, mac_busy, wld FROM aicore_task')" "$tasks"
	equal "$(cd "$JOB/summary" && sha256sum ./*)" "$sums"
	# a start without an end and an end without a start are rows, and noted
	file=$(echo "$JOB"/data/aicore.*.0)
	tail -c +101 "$file" | head -c -100 >"$BATS_TEST_TMPDIR/cut"
	cp "$BATS_TEST_TMPDIR/cut" "$file"
	rm -f "$file.done"
	run --separate-stderr "$MSPROF" check -dir "$JOB" --layouts "$LAYOUTS"
	has "$output" "1 starts have no end" "1 ends have no start"
	expect 0 show -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT count(*), count(dur_ns), count(start_ns), count(task_id) FROM aicore_task')" "48|46|47|48"
}

@test "a job whose bytes do not fit their layout says so, with the likely size of the records" {
	rewrite 'struct.pack("<IIQQQQQQQ", task, stream, start, end, mac_busy, mac_ppen, read, write, 0x5a5b)' 'b"HEADER: 24 bytes of it. "'
	expect 3 check -dir "$JOB"
	has "$output" "aicore.0.resnet50.46.1.1.0" "do not fit the layout svp.aicore v1: no record begins in more than half of its bytes" \
		"looks like records of 64 bytes behind a header of 24 bytes; the layout has 128 bytes and a header of 0" docs/LEARN.md \
		"Next: msprof learn -dir $JOB"
	equal "$(grep -o 'do not fit' <<<"$output" | wc -l)" 1
	expect 3 show -dir "$JOB"
	has "$output" "the bytes of data/ do not fit their layout" "looks like records of 64 bytes" docs/LEARN.md "Next: msprof learn -dir $JOB"
	expect 3 show -dir "$JOB" --table Layout --format json
	has "$(jq -r '.tables[0].what' <<<"$output")" "Next: msprof learn -dir $JOB"
	# a layout of the right size, but with start and end in the wrong order
	layout 'header 24
size 64
field task_id u32 @0
field stream_id u32 @4
field end_tick u64 @8
field start_tick u64 @16
skip 40 @24
duration dur_ns start_tick end_tick unit=tick100'
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS"
	has "$output" "svp.aicore v7: most tasks end before they start"
	sed -i 's/end_tick u64 @8/start_tick u64 @8/; s/start_tick u64 @16/end_tick u64 @16/' "$LAYOUTS/board.rec"
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS"
	lacks "$output" "do not fit"
}

@test "the next command names the job as it was given, as one word for a shell; the database does not name it" {
	rewrite 'struct.pack("<IIQQQQQQQ", task, stream, start, end, mac_busy, mac_ppen, read, write, 0x5a5b)' 'b"HEADER: 24 bytes of it. "'
	cd "$BATS_TEST_TMPDIR"
	for name in JOBPLAIN "it's a job"; do
		cp -r "$JOB" "$name"
		for command in import check show; do
			expect 3 $command -dir "$name"
			words=$(grep -ho "Next: msprof learn -dir .*" <<<"$output$stderr" | sed 's/^Next: //; s/ *│$//' | sort -u)
			(eval "set -- $words" && [ "$*" = "msprof learn -dir $name" ]) || fail "$command: $words"
		done
		mkdir moved
		mv "$name" moved
		expect 3 show -dir "moved/$name"
		lacks "$output" "-dir $name" "-dir '$name"
		mv "moved/$name" "$name"
		rmdir moved
	done
	has "$words" "-dir 'it'\\''s a job'"
	run grep -c "it's a job" "it's a job/sqlite/msprof.db"
	equal "$output" 0
	# a job whose bytes fit has no such words
	fresh_job
	expect 0 show -dir "$JOB"
	lacks "$output$stderr" "msprof learn"
}

@test "calls that do not fit: the empty table says so" {
	for file in "$JOB"/data/acl_api.*46; do
		head -c 3000 /dev/zero | tr '\0' Z >"$file"
	done
	expect 3 show -dir "$JOB" --table 'Acl statistic'
	has "$output" "the bytes of data/ do not fit their layout (see below)"
}

@test "fractions of cycles and nanoseconds are kept: reports are exact to the last digit" {
	rewrite 'struct.pack("<IIIIHH", task, 24 * task, 24 * task + 7, 50, 123, 0)'
	layout 'size 20
parts 6000
field task_id u32 @0
input start u32 @4
input end u32 @8
input mac u32 @12
input part u16 @16
pad 2 @18
value mac_busy mac scale=6000/1
share vec_ppen part per=1000
time start_ns start unit=24mhz
duration dur_ns start end unit=24mhz
cycles cycles start end unit=24mhz'
	expect 0 export summary -dir "$JOB" --layouts "$LAYOUTS" --style vendor
	# 7 counts of 24 MHz are 204 1/6 cycles, or 7/24 us: 50 of them 24.4897…, 12.3 per cent of them 12.3
	equal "$(query 'SELECT DISTINCT cycles, mac_busy, vec_ppen, (SELECT core FROM parts) FROM aicore_task')" "1225000|300000|150675|6000"
	python3 - "$JOB"/summary/op_summary_*.csv <<-'END' || fail "$(head -3 "$JOB"/summary/op_summary_*.csv)"
		import csv, sys
		total, *rows = csv.DictReader(open(sys.argv[1], encoding="utf-8"))
		assert {(row["Time(us)"], row["Mac Busy Ratio(%)"], row["Vec Ppen Ratio(%)"]) for row in rows} == {("0.29", "24.49", "12.3")}
		assert len(rows) == 24 and total["Time(us)"] == "7", total
	END
}

@test "AA Core and AA CPU by clocks that began at other times: N/A, and the reason" {
	sed 's/^record svp.aicpu v1/record svp.aicpu v2/; /^record svp.aicpu/,/^record svp.acl_api/ s/unit=tick100/unit=us/' \
		"$ROOT/schema/records/svp.rec" >"$LAYOUTS/board.rec"
	expect 0 show -dir "$JOB" --layouts "$LAYOUTS" --table Overview
	has "$output" "Fps : N/A  (from start to end; core time only: " "Device busy : N/A %  idle : N/A %" \
		"AA Core and AA CPU are far apart: their clocks may have begun at other times."
	lacks "$output" "Inference " "Idle "
	expect 0 show -dir "$JOB" --table Overview
	lacks "$output" "far apart" "Fps : N/A"
	has "$output" "Inference " "Idle "
}
