#!/usr/bin/env bats
# check.bats: the contents of a job, how they were decoded, and losses. Writes nothing.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/svp_job

CORE=data/aicore.0.resnet50.16.46.1.1.0
CALLS=data/acl_api.0.resnet50.46

# rows TABLE FILTER: jq over the rows of one table of --format json
rows() {
	run --separate-stderr "$MSPROF" check -dir "$JOB" --format json
	jq -r --arg table "$1" ".tables[] | select(.table == \$table) | .rows[]? | $2" <<<"$output"
}

@test "every file is listed, with layout, verification, records and bytes" {
	equal "$(rows Files .File)" "$(cd "$JOB" && find data info.json.0 -type f | LC_ALL=C sort)"
	equal "$(rows Files "select(.File == \"$CORE\") | [.What, .Layout, .Records, .Bytes, .Damaged] | join(\"|\")")" \
		"records|svp.aicore_ss928 v2|24|6144|0"
	equal "$(rows Files 'select(.What == "records") | "\(.File): \(.Verified)"' | sed -E 's|^data/([a-z_0-9]+)[^:]*|\1|' | sort -u)" \
		$'acl_api: yes: files of the maker\'s library\naicore: yes, the form; counters unverified\naicpu: yes: files of the maker\'s library\nresnet50: yes: files of the maker\'s library'
	equal "$(rows Files 'select(.What == "marker") | .File' | grep -vc "done")" 0
	while read -r file bytes; do
		equal "$(stat -c %s "$JOB/$file")" "$bytes"
	done < <(rows Files '"\(.File) \(.Bytes)"')
}

@test "a file that inferences share has one line" {
	generate --soc dv500 --pictures 5 --models 2 --tasks 3
	equal "$(rows Files 'select(.File == "data/aicore.0.1.1") | [.What, .Layout, .Records, .Bytes, .Damaged, .Blank] | join("|")')" \
		"records|svp.aicore_dv500 v2|30|7680|0|0"
	equal "$(rows Files .File | sort | uniq -d)" ""
	equal "$(rows Files '"\(.File) \(.Bytes)"' | LC_ALL=C sort)" "$(cd "$JOB" && find data info.json.0 -type f -printf '%p %s\n' | LC_ALL=C sort)"
	printf x >>"$JOB/data/aicore.0.1.1"
	equal "$(rows Files 'select(.File == "data/aicore.0.1.1") | [.Records, .Bytes, .Damaged] | join("|")')" "30|7681|1"
}

@test "a job without a record is empty, and not whole; advise says why there is none" {
	rm "$JOB"/data/*
	expect 0 check -dir "$JOB"
	has "$output" "Verdict : empty: nothing was recorded"
	lacks "$output" "whole"
	expect 0 advise -dir "$JOB"
	has "$output" "no data: no task of a step has a start and an end: the model was converted without --online_model_type=2"
}

@test "check tells where data is lost, and refers to nobody else for it" {
	truncate -s -300 "$JOB/$CORE"
	expect 3 check -dir "$JOB"
	has "$stderr" "damaged"
	lacks "$stderr" "tells where"
	expect 3 show -dir "$JOB"
	has "$stderr" "'msprof check' tells where"
}

@test "a sound job: the verdict, and what was looked at; --files has every table, four with the good news that there is nothing to tell" {
	generate --tasks 0 # whose counters would stand at assumed places
	expect 0 check -dir "$JOB"
	equal "$(grep -E '^[A-Z].* :' <<<"$output" | sed 's/ :.*//' | paste -sd,)" "Verdict,Standing,Kinds of files"
	expect 0 check --files -dir "$JOB"
	equal "$(grep -E '^[A-Z].* :' <<<"$output" | sed 's/ :.*//' | paste -sd,)" "Verdict,Standing,Checks,Files,Damage,Sequence gaps,Unpaired starts and ends,Notes"
	equal "$(grep -c '^ *none' <<<"$output")" 4
	has "$output" "none: every byte of the files that are understood belongs to a record" \
		"none: nothing was assumed, nothing is odd, no marker is missing"
	lacks "$output" "no data"
}

@test "the json names tables, not the machinery behind them" {
	expect 0 check -dir "$JOB" --format json
	jq -e '.schema == "msprof.check/1" and (.tables | map(.table)) == ["Verdict", "Standing", "Checks", "Files", "Damage", "Sequence gaps", "Unpaired starts and ends", "Notes"]' <<<"$output" >/dev/null
	equal "$(jq -r '.tables[0] | keys_unsorted | join(",")' <<<"$output")" table,job,verdict,rows
	equal "Verdict : $(jq -r '.tables[0].verdict' <<<"$output")" "$("$MSPROF" check -q -dir "$JOB" | head -n 1)"
}

@test "damage has file, offset, bytes and reason; exit 3" {
	{
		head -c 256 "$JOB/$CALLS"
		printf 'XXXXXXXXXX'
		tail -c +257 "$JOB/$CALLS"
		printf 'YYY'
	} >"$BATS_TEST_TMPDIR/harmed"
	cp "$BATS_TEST_TMPDIR/harmed" "$JOB/$CALLS"
	expect 3 check -dir "$JOB"
	has "$output" "places: 2, bytes: 13" "no record begins here"
	equal "$(rows Damage '[.File, .Offset, .Bytes] | join("|")')" "$CALLS|256|10"$'\n'"$CALLS|$((1920 + 10))|3"
	equal "$(rows Files "select(.File == \"$CALLS\") | [.Records, .Bytes, .Damaged] | join(\"|\")")" "60|1933|13"
}

@test "a record cut short is damage of its own kind" {
	truncate -s 3000 "$JOB/$CORE"
	expect 3 check -dir "$JOB"
	has "$output" "cut short by the end of the file" "its .done marker says 6144 bytes, the file has 3000"
	equal "$(rows Damage '[.Offset, .Bytes] | join("|")')" "2816|184"
}

@test "sequence gaps and starts without an end" {
	JOB=$BATS_TEST_TMPDIR/JOBHWTS
	mkdir -p "$JOB/data"
	python3 - "$JOB/data/hwts.log.data.45.dev.tag.0.slice_0" <<-'END'
		import struct, sys
		def record(kind, sequence, task, counter):
		    return struct.pack("<BBHHHQI44x", kind | sequence << 4, 0, 0x6BD3, 0, task, counter, 5)
		events = [(0, 14, 1, 100), (1, 15, 1, 200), (0, 0, 2, 300), (0, 1, 2, 400), (1, 4, 2, 450), (1, 5, 7, 500)]
		with open(sys.argv[1], "wb") as f:
		    f.write(b"".join(record(*e) for e in events))
	END
	expect 3 check -dir "$JOB"
	has "$output" "gaps: 1" "start without an end: 1" "end without a start: 1"
	equal "$(rows 'Sequence gaps' '[.Offset, .Expected, .Found] | join("|")')" "256|2|4"
	equal "$(rows 'Unpaired starts and ends' '[.What, .Stream, .Task, .["Time(ns)"]] | join("|")')" \
		$'start without an end|5|2|3000\nend without a start|5|7|5000'
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT task_id, start_ns, dur_ns FROM tasks' "$JOB/sqlite/msprof.db")" $'1|1000|1000\n2|4000|500'
}

@test "starts without an end alone are reported, with exit 0" {
	JOB=$BATS_TEST_TMPDIR/JOBHWTS
	mkdir -p "$JOB/data"
	python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<BBHHHQI44x", 0, 0, 0x6BD3, 0, 3, 100, 5))' >"$JOB/data/hwts.log.data.45.dev.tag.0.slice_0"
	expect 0 check -dir "$JOB"
	has "$output" "start without an end: 1"
}

@test "padding that is not zero is odd; ends before starts contradict the data" {
	raw cpu task=2 start=9 end=3 >>"$JOB/data/aicpu.0.resnet50.16.46.1.1.0"
	raw call type=2 begin=9 end=3 >>"$JOB/$CALLS"
	expect 3 check -dir "$JOB"
	has "$output" "Verdict : calls contradicted; AI CPU contradicted"
	equal "$(rows Notes 'select(.Note == "1 records end before they start") | .File' | sort)" "$CALLS"$'\n'data/aicpu.0.resnet50.16.46.1.1.0
	mkdir "$BATS_TEST_TMPDIR/layouts"
	sed '0,/skip     204 @48/s//pad      204 @48/' "$ROOT/schema/records/svp.rec" >"$BATS_TEST_TMPDIR/layouts/svp.rec"
	head -c 6144 /dev/zero >"$JOB/$CORE"
	printf '\1' | dd of="$JOB/$CORE" bs=1 seek=100 conv=notrunc status=none
	expect 3 check -dir "$JOB" --layouts "$BATS_TEST_TMPDIR/layouts" # numbers of tasks that do not rise
	has "$output" "1 records whose padding is not zero"
}

@test "a file that nothing understands is listed as such, with its bytes" {
	head -c 100 /dev/urandom >"$JOB/data/nothing.known"
	equal "$(rows Files 'select(.File == "data/nothing.known") | [.What, .Bytes, .Layout] | join("|")')" "not understood|100|"
}

@test "markers that are missing are named" {
	rm "$JOB/$CORE.done"
	expect 0 check -dir "$JOB"
	has "$output" "$CORE" "its .done marker is missing"
}

@test "what was assumed is said" {
	JOB=$BATS_TEST_TMPDIR/JOBASSUMED
	mkdir -p "$JOB/data"
	: >"$JOB/data/hwts.log.data.45.dev.tag.2.slice_0"
	expect 0 check -dir "$JOB"
	has "$output" assumed "device 2" "100 MHz"
}

@test "the counter's frequency is taken from hwts_frequency where an info.json has it" {
	JOB=$BATS_TEST_TMPDIR/JOBASCEND
	mkdir -p "$JOB/data"
	python3 -c 'import struct, sys
for kind, counter in (0, 100), (1, 300):
    sys.stdout.buffer.write(struct.pack("<BBHHHQI44x", kind | kind << 4, 0, 0x6BD3, 0, 3, counter, 5))' \
		>"$JOB/data/hwts.log.data.45.dev.tag.0.slice_0"
	echo '{"DeviceInfo":[{"id":0,"hwts_frequency":"50"}]}' >"$JOB/info.json.0"
	expect 0 check -dir "$JOB"
	lacks "$output" "100 MHz" "50 MHz"
	has "$output" "not aligned with the host" "1 of 1 tasks have no description in the data: their names are N/A"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT start_ns, dur_ns FROM tasks' "$JOB/sqlite/msprof.db")" "2000|4000"
}

@test "an info.json that is there is not said to be missing" {
	JOB=$BATS_TEST_TMPDIR/JOBASCEND
	mkdir -p "$JOB/data"
	: >"$JOB/data/hwts.log.data.45.dev.tag.0.slice_0"
	echo '{"DeviceInfo":[{"id":0}]}' >"$JOB/info.json.0"
	expect 0 check -dir "$JOB"
	lacks "$output" "no info.json.0"
}

@test "check writes nothing, parsed or not" {
	before=$(snapshot "$JOB")
	expect 0 check -dir "$JOB"
	equal "$(snapshot "$JOB")" "$before"
	expect 0 import -dir "$JOB"
	touch "$JOB/$CORE" # the database is stale now
	before=$(snapshot "$JOB")
	expect 0 check -dir "$JOB"
	equal "$(snapshot "$JOB")" "$before"
}

@test "check of a job that may not be written" {
	needs_ordinary
	chmod -R a-w "$JOB"
	before=$(snapshot "$JOB")
	run --separate-stderr ordinary "$MSPROF" check -dir "$JOB"
	equal "$status" 0
	has "$output" "svp.aicore_ss928 v2"
	equal "$(snapshot "$JOB")" "$before"
	chmod -R u+w "$JOB"
}

@test "--top limits the rows of each table" {
	expect 0 check -dir "$JOB" --top 2 --format json
	equal "$(jq -r '.tables[] | select(.table == "Files").rows | length' <<<"$output")" 2
	equal "$(jq -r '.tables[] | select(.table == "Files").more_rows' <<<"$output")" $(($(find "$JOB/data" -type f | wc -l) - 1))
	expect 0 check -dir "$JOB" --top 2
	has "$output" "more rows"
}

@test "check looks at the raw data of now, not at an old database" {
	expect 0 import -dir "$JOB"
	printf x >>"$JOB/$CORE"
	expect 3 check -dir "$JOB"
	equal "$(rows Damage .Bytes)" 1
}

@test "raw files beside data/ are named as not read, by check and by import" {
	cp "$JOB/$CORE" "$JOB"
	printf 'a note\n' >"$JOB/README"
	expect 3 check -dir "$JOB"
	has "$output" "lies beside data/"
	equal "$(rows Files 'select(.File | test("^data/") | not) | .File' | sort | tr '\n' ' ')" "${CORE##*/} info.json.0 "
	expect 3 import -dir "$JOB"
	has "$stderr" "${CORE##*/}: not read: it lies beside data/; move it into data/"
	expect 3 show -dir "$JOB"
	equal "$(query "SELECT count(*) FROM aicore_task")" 48
}
