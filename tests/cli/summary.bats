#!/usr/bin/env bats
# summary.bats: the files of JOB/summary: names, columns, and numbers recomputed from the raw bytes.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

summaries() {
	(cd "$JOB/summary" && echo *)
}

# Both formats of a style, against the raw data; export ends with $WANTED, or 0.
check_style() {
	local style=$1
	shift
	discard "$JOB/summary"
	expect "${WANTED:-0}" export summary -q -dir "$JOB" --style "$style" "$@"
	expect "${WANTED:-0}" export summary -q -dir "$JOB" --style "$style" --format json "$@"
	python3 "$HELPERS/summary.py" "$JOB" "$style"
}

# The only inference of a job of its own; core KEY=VALUE... adds a task, and the marker tells all bytes and times anew
one_task_job() {
	generate --tasks 0 --aicpu 0 --calls 0
	CORE_FILE=$JOB/data/aicore.0.resnet50.16.46.1.1.0
	: >"$CORE_FILE"
}
core() {
	python3 "$HELPERS/raw.py" core "$@" >>"$CORE_FILE"
	python3 "$HELPERS/raw.py" marker len="$(stat -c %s "$CORE_FILE")" start=1700000000000000 end=$((1700000000000000 + $(took_us))) hit=0 miss=0 >"$CORE_FILE.done"
}
# took_us: how long the tasks take together, at 700 MHz
took_us() {
	python3 -c 'import struct, sys; print(-(-sum(ticks for _, ticks in struct.iter_unpack("<II248x", open(sys.argv[1], "rb").read())) * 100 // 700))' "$CORE_FILE"
}

# cell FILE ROW COLUMN: a cell of a CSV file in summary/, rows from 0, columns by title
cell() {
	python3 -c 'import csv, sys; print(list(csv.DictReader(open(sys.argv[1])))[int(sys.argv[2])][sys.argv[3]])' \
		"$(find "$JOB/summary" -name "$1")" "$2" "$3"
}

# icache PICTURE: misses of the instruction cache over all accesses, as the marker of the inference tells them
icache() {
	awk -F: '/^cache_hit:/ { hit = $2 } /^cache_mis:/ { mis = $2 } END { printf "%.6f", mis / (hit + mis) }' \
		"$JOB/data/aicore.0.resnet50.16.46.1.1.$1.done"
}

@test "the files have the names of the guide" {
	expect 0 export summary -dir "$JOB"
	equal "$(summaries)" "acl_statistic_0_46_1.csv op_statistic_0_46_0_1.csv op_statistic_0_46_10_1.csv \
op_summary_0.resnet50.46.1.1.0.$(icache 0).700.csv op_summary_0.resnet50.46.1.1.10.$(icache 10).700.csv"
	has "$stderr" "5 files"
}

@test "the batch is copied from the raw name" {
	generate --batch 256
	expect 0 export summary -dir "$JOB"
	has "$(summaries)" op_summary_0.resnet50.46.256.1.0.
}

@test "csv is the default format, and any but csv and json is a usage error" {
	expect 2 export summary -dir "$JOB" --format xml
	has "$stderr" "invalid format 'xml' (csv or json)"
	[ ! -e "$JOB/summary" ]
	expect 0 export summary -dir "$JOB" --format csv
	first=$(sha256sum "$JOB"/summary/*)
	expect 0 export summary -dir "$JOB"
	equal "$(sha256sum "$JOB"/summary/*)" "$first"
}

# has_titles STYLE SUFFIX: each kind of file has the titles of its report
has_titles() {
	local kind
	expect 0 export summary -dir "$JOB" --style "$1"
	for kind in op_summary acl_statistic op_statistic; do
		equal "$(head -qn1 "$JOB/summary/$kind"* | sort -u)" "$(titles "summary/svp/$kind$2")"
	done
}

@test "the guide's columns" {
	has_titles guide ""
}

@test "the vendor's columns" {
	has_titles vendor _vendor
}

@test "every cell of the sample, in the guide's style, csv and json" {
	check_style guide
}

@test "every cell of the sample, in the vendor's style, csv and json" {
	check_style vendor
}

@test "every cell of jobs with many models, pictures, devices and layers, in both styles" {
	for options in "--models 3 --pictures 3 --interval 5 --devices 2 --utf8 --fused 60 --overlap 30" \
		"--tasks 1 --aicpu 0 --calls 1 --threads 1" "--tasks 0 --aicpu 7" "--frequency 997 --batch 256"; do
		# shellcheck disable=SC2086 # words on purpose
		generate --seed 5 $options
		check_style guide
		check_style vendor
	done
}

@test "json is what jq takes: one array, 4 spaces, numbers as numbers" {
	expect 0 export summary -dir "$JOB" --format json
	for file in "$JOB"/summary/*.json; do
		jq -e 'type == "array" and length > 1 and all(type == "object")' "$file" >/dev/null
		[ "$(sed -n 2p "$file")" = "    {" ]
	done
	jq -e '.[0]["Time Ratio"] == 100 and .[0]["Layer Id"] == "-" and (.[1]["Time(us)"] | type) == "number"' \
		"$JOB"/summary/op_summary_0.resnet50.46.1.1.0.*.json >/dev/null
}

@test "the vendor's json has the total's Time Ratio as a string" {
	expect 0 export summary -dir "$JOB" --format json --style vendor
	jq -e '.[0]["Time Ratio(%)"] == "100" and .[0]["Task ID"] == "-" and (.[1]["Time Ratio(%)"] | type) == "number"' \
		"$JOB"/summary/op_summary_0.resnet50.46.1.1.0.*.json >/dev/null
}

@test "where nothing is busy Memory Bound is N/A, and 0 in the vendor's style" {
	one_task_job
	core task=0 ticks=100 dstr=50 vec_busy=9
	core task=1 ticks=100 dstr=50 mac_busy=25
	expect 0 export summary -dir "$JOB"
	equal "$(cell 'op_summary*.csv' 1 'Memory Bound')" N/A
	equal "$(cell 'op_summary*.csv' 2 'Memory Bound')" 2
	equal "$(cell 'op_summary*.csv' 0 'Memory Bound')" 4
	expect 0 export summary -dir "$JOB" --format json
	jq -e '.[1]["Memory Bound"] == "N/A"' "$JOB"/summary/op_summary*.json >/dev/null
	expect 0 export summary -dir "$JOB" --style vendor
	equal "$(cell 'op_summary*.csv' 1 'Memory Bound')" 0
}

@test "halves are rounded to even" {
	one_task_job
	# ratios 0.375, 0.125, 2.5, 0.005, 0.015 per cent; 8000 ticks at 700 MHz are 1142.857142... us
	core task=0 ticks=8000 mac_busy=3000 mac_ppen=1000 vec_busy=20000 vec_ppen=40 dstr=120 read=1125 write=1135
	expect 0 export summary -dir "$JOB" --style vendor
	equal "$(sed -n 3p "$JOB"/summary/op_summary*.csv | cut -d, -f6-)" \
		"1142.86,100,0.38,0.12,2.5,0,0.02,0,0,0,0.04,1.12,1.14,2.26"
	one_task_job
	core task=0 ticks=1 mac_busy=1
	core task=1 ticks=799 mac_busy=1
	expect 0 export summary -dir "$JOB" --frequency 800
	equal "$(cell 'op_summary*.csv' 1 'Time(us)')" 0.12 # 0.125
	equal "$(cell 'op_summary*.csv' 1 'Time Ratio')" 0.12
	equal "$(cell 'op_summary*.csv' 2 'Time(us)')" 99.88 # 99.875
}

@test "the total's ratios are sums of counters over sums of cycles" {
	one_task_job
	core task=0 ticks=10 mac_busy=1000
	core task=1 ticks=990 mac_busy=0 vec_busy=495
	expect 0 export summary -dir "$JOB"
	equal "$(cell 'op_summary*.csv' 0 'Mac Busy Ratio')" 1
	equal "$(cell 'op_summary*.csv' 1 'Mac Busy Ratio')" 100
	equal "$(cell 'op_summary*.csv' 0 'Vec Busy Ratio')" 0.5 # 0.495
}

@test "a task of no duration has no ratios" {
	one_task_job
	core task=0 ticks=0
	expect 3 export summary -dir "$JOB"
	equal "$(cell 'op_summary*.csv' 1 'Time(us)')" 0
	equal "$(cell 'op_summary*.csv' 1 'Mac Busy Ratio')" N/A
	equal "$(cell 'op_summary*.csv' 0 'Mac Busy Ratio')" N/A
}

@test "counters near the limits are neither wrapped nor lost" {
	one_task_job
	core task=4294967295 ticks=4294967295 mac_busy=4294967295 mac_ppen=4294967295 read=4294967295 write=0
	expect 0 export summary -dir "$JOB"
	equal "$(cell 'op_summary*.csv' 1 'Time(us)')" 613566756.43
	equal "$(cell 'op_summary*.csv' 1 'Mac Busy Ratio')" 1
	equal "$(cell 'op_summary*.csv' 1 'DDR Total(byte)')" 4294967295
	core task=4294967295 ticks=4294967295 mac_busy=1 read=4294967295 write=4294967295
	expect 0 export summary -dir "$JOB"
	equal "$(cell 'op_summary*.csv' 2 'DDR Total(byte)')" 8589934590
	equal "$(cell 'op_summary*.csv' 0 'DDR Total(byte)')" 12884901885
	python3 "$HELPERS/summary.py" "$JOB" guide
}

@test "counters that cannot be true are N/A, in every row of every inference, and times, names and types are there" {
	for harm in "mac_busy=70001" "mac_busy=5 mac_ppen=6" "vec_busy=5 vec_ppen=6" "wld=70001"; do
		generate --pictures 2 --tasks 5
		# shellcheck disable=SC2086 # words on purpose
		python3 "$HELPERS/raw.py" core task=5 ticks=700 $harm >>"$JOB/data/aicore.0.resnet50.16.46.1.1.0"
		sed -i "s/^file_len:.*/file_len:1536/" "$JOB/data/aicore.0.resnet50.16.46.1.1.0.done"
		WANTED=3 check_style guide
		WANTED=3 check_style vendor
		grep -q '^-,-,-,-,-,[0-9.]*,100,N/A,N/A,.*,N/A$' "$JOB"/summary/op_summary*.1.*.csv
		discard "$JOB/sqlite"
		expect 3 export summary -dir "$JOB"
		has "$stderr" "counters contradicted: "
	done
}

@test "a fused layer counts in each of its types with its whole time; sorted by type" {
	one_task_job
	core task=0 ticks=700 mac_busy=1
	core task=1 ticks=70 mac_busy=1
	core task=2 ticks=7 mac_busy=1
	for layer in "id=0 name=a type=Convolution ori=a" "id=1 name=b type=pool ori=b" "id=2 name=c type=Convolution ori=c" "id=3 name=d type=Zeta ori=d task=1"; do
		# shellcheck disable=SC2086 # words on purpose
		python3 "$HELPERS/raw.py" layer $layer
	done >"$JOB/data/resnet50.46.layer.info"
	expect 0 export summary -dir "$JOB" --style vendor
	equal "$(tail -n +2 "$JOB"/summary/op_statistic*.csv)" "0,16,Convolution,AI_CORE,200,64.31,2,100,100,100
1,16,Zeta,AI_CORE,10,3.22,1,10,10,10
2,16,pool,AI_CORE,100,32.15,1,100,100,100
3,16,N/A,AI_CORE,1,0.32,1,1,1,1"
	python3 "$HELPERS/summary.py" "$JOB" vendor
	equal "$(sed -n 3p "$JOB"/summary/op_summary*.csv | cut -d, -f1-14)" \
		'0,"0,1,2","a,b,c","Convolution,pool,Convolution","a,b,c",100'
}

@test "acl_statistic: ratios add up to 100, averages are whole in the vendor's style" {
	generate --calls 300 --threads 3 --seed 9
	expect 0 export summary -dir "$JOB"
	awk -F, 'NR > 1 { sum += $5; if ($3 !~ /^(model|runtime|op|others)$/) bad = 1 } END { exit bad || sum < 99.99 || sum > 100.01 }' \
		"$JOB"/summary/acl_statistic*.csv
	expect 0 export summary -dir "$JOB" --style vendor
	awk -F, 'NR > 1 { sum += $6; if ($8 != int($5 / $7) || $5 ~ /\./) bad = 1 } END { exit bad || sum < 99.9999 || sum > 100.0001 }' \
		"$JOB"/summary/acl_statistic*.csv
}

@test "the vendor's style floors every call to whole microseconds" {
	generate --tasks 1 --aicpu 0 --calls 0
	for end in 1999 2999 3999; do # what msprof's recorder writes has ns
		python3 "$HELPERS/raw.py" host begin=1000 end=$((1000 + end)) pid=1 tid=1
	done >"$JOB/data/msprof_api.0.resnet50.46"
	expect 0 export summary -dir "$JOB" --style vendor
	equal "$(tail -n +2 "$JOB"/summary/acl_statistic*.csv)" "1,1,model,svp_acl_mdl_execute,6,100.0,3,2,1,3"
	expect 0 export summary -dir "$JOB"
	equal "$(tail -n +2 "$JOB"/summary/acl_statistic*.csv)" "1,1,model,svp_acl_mdl_execute,100,8.997,3,2.999,3.999,1.999"
}

@test "a file is made only where its source data exists" {
	rm "$JOB"/data/aicore*
	expect 0 export summary -dir "$JOB"
	equal "$(summaries)" "acl_statistic_0_46_1.csv op_statistic_0_46_0_1.csv op_statistic_0_46_10_1.csv"
	fresh=$BATS_TEST_TMPDIR/JOBFRESH
	genjob "$fresh"
	JOB=$fresh
	rm "$JOB"/data/acl_api* "$JOB"/data/aicpu*
	expect 0 export summary -dir "$JOB"
	lacks "$(summaries)" acl_statistic
	has "$(summaries)" op_statistic_0_46_0_1.csv op_summary_0.resnet50.46.1.1.0.
	discard "$JOB/sqlite" "$JOB/summary" "$JOB"/data/aicore*
	discard "$JOB"/data/aicpu*
	python3 "$HELPERS/raw.py" call begin=1 end=2 >"$JOB/data/acl_api.0.resnet50.46"
	expect 0 export summary -dir "$JOB"
	equal "$(summaries)" acl_statistic_0_46_1.csv
}

@test "export of data that is not parsed parses it first" {
	[ ! -e "$JOB/sqlite" ]
	expect 0 export summary -dir "$JOB"
	[ -s "$DB" ]
}

@test "export of parsed data does not need the raw data" {
	expect 0 import -dir "$JOB"
	rm "$JOB"/data/*
	expect 0 export summary -dir "$JOB"
	equal "$(summaries | wc -w)" 5
	discard "$JOB/data" "$JOB/info.json.0" "$JOB/summary"
	expect 0 export summary -dir "$JOB"
	equal "$(summaries | wc -w)" 5
}

@test "export notices new raw data and parses again" {
	expect 0 export summary -dir "$JOB"
	python3 - "$JOB/data/acl_api.0.resnet50.46" <<-'END' # one more call, which ends before the last one
		import struct, sys
		with open(sys.argv[1], "rb") as f:
		    data = f.read()
		last = struct.unpack("<IIQQII", data[-32:])
		with open(sys.argv[1], "wb") as f:
		    f.write(data[:-32] + struct.pack("<IIQQII", last[0], 3, last[2] - 9, last[2] - 5, *last[4:]) + data[-32:])
		with open(sys.argv[1] + ".done", "r+") as f:
		    text = f.read().replace("file_len:%d" % len(data), "file_len:%d" % (len(data) + 32))
		    f.seek(0)
		    f.write(text)
	END
	expect 0 export summary -dir "$JOB"
	grep -q svp_acl_mdl_execute_async "$JOB"/summary/acl_statistic*
}

# bare FILE: the cells of a CSV for a sheet as they are for a database: nothing in place of N/A, no tab behind a number; the rest as it is.
bare() {
	python3 -c '
import csv, re, sys
for row in csv.reader(open(sys.argv[1], newline="")):
    print(["" if cell == "N/A" else re.sub(r"^([-0-9.]+)\t$", r"\1", cell) for cell in row])' "$1"
}

@test "cells for a database: missing values are empty and numbers are numbers, in files and on standard output" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 5 >/dev/null
	for job in "$JOB" "$BATS_TEST_TMPDIR/PROF_1"; do
		expect 0 export summary -q -dir "$job"
		mkdir "$BATS_TEST_TMPDIR/sheet"
		mv "$job"/{summary,mindstudio_profiler_output}/*.csv "$BATS_TEST_TMPDIR/sheet" 2>/dev/null || true
		expect 0 export summary -q -dir "$job" --empty-cells
		for file in "$BATS_TEST_TMPDIR/sheet"/*.csv; do
			name=${file##*/}
			equal "$(cat "$job"/{summary,mindstudio_profiler_output}/"${name%_20*.csv}"* 2>/dev/null | python3 -c '
import csv, sys
for row in csv.reader(sys.stdin): print(row)')" "$(bare "$file")"
		done
		cat "$BATS_TEST_TMPDIR/sheet"/*.csv >>"$BATS_TEST_TMPDIR/all"
		discard "$BATS_TEST_TMPDIR/sheet"
	done
	has "$(cat "$BATS_TEST_TMPDIR/all")" N/A $'\t,'
	"$MSPROF" show -q -dir "$JOB" --format csv --table 'Op summary' >"$BATS_TEST_TMPDIR/shown.csv"
	has "$(cat "$BATS_TEST_TMPDIR/shown.csv")" N/A
	"$MSPROF" show -q -dir "$JOB" --format csv --table 'Op summary' --empty-cells >"$BATS_TEST_TMPDIR/bare.csv"
	equal "$(bare "$BATS_TEST_TMPDIR/shown.csv")" "$(bare "$BATS_TEST_TMPDIR/bare.csv")"
	lacks "$(cat "$BATS_TEST_TMPDIR/bare.csv")" N/A
}
