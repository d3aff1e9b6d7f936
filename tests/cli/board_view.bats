#!/usr/bin/env bats
# board_view.bats: the samples of the board in the database, in tables and in timelines. The texts are made up: see
# helpers/board_stats.py.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/trace
load helpers/report

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

# samples START_S SECONDS WORD...: of a board that does not exist
samples() {
	python3 "$HELPERS/board_stats.py" "$JOB/board_stats.txt" "$@"
}

board() {
	expect 0 show -dir "$JOB" --table "Board during the run" "$@"
}

@test "the samples of a quiet board: each number is that of the texts" {
	samples 124 3
	board --format csv
	equal "$(cut -d, -f3- <<<"$output")" 'What,Unit,Before,Least,Mean,Most,After
"Load, 1 minute",N/A,0.5,0.75,1.0,1.25,1.5
Processors,%,1.0,21.0,21.0,21.0,1.0
The program,%,N/A,20.0,20.0,20.0,N/A
Other programs,%,1.0,1.0,1.0,1.0,N/A
Memory available,MiB,585.94,585.94,585.94,585.94,585.94
Memory of the program,MiB,N/A,29.3,29.3,29.3,N/A
Temperature 0 soc-thermal,C,45.0,45.25,45.5,45.75,46.0
umap/svp_npu CORE INFO tasks,N/A,100.0,107.0,114.0,121.0,100.0
umap/svp_npu CORE INFO busy,N/A,0.0,1.0,2.0,3.0,0.0'
	board
	has "$output" "nothing else was seen at work" "unverified on hardware"
	equal "$(query "SELECT group_concat(phase || ' ' || (uptime_ns / 1000000000), ', ') FROM board_sample")" \
		"before 123, before 124, run 125, run 126, run 127, after 128"
	equal "$(query "SELECT count(*) FROM board_value v JOIN board_series s ON s.id = v.series_id WHERE s.title = 'tasks' AND s.row = 2 AND value = 0")" 6
	equal "$(query "SELECT section || ' ' || title || ' ' || kind FROM board_series WHERE title = 'size'")" "MMZ_USE_INFO: size kb"
	equal "$(query "SELECT count(*) FROM board_line")" 0
	expect 0 check -dir "$JOB" --strict --table Files --format csv
	has "$output" "board_stats.txt,records,svp.board_stats v1,no: unverified on hardware"
	lacks "$output" marker.is.missing
}

@test "each sign of something else at work is said" {
	while IFS=: read -r word text; do
		# shellcheck disable=SC2086 # words, or none
		samples 124 3 $word
		board --format json
		equal "$(jq -r '.[0].heading // empty' <<<"$output")" ""
		board
		has "$output" "$text"
		equal "$(grep -c 'used the NPU\|was at work,\|media memory\|took\|of the processors' <<<"$output")" 1
	done <<-'END'
		npu:another program used the NPU: umap/svp_npu changed before the run
		aiisp:AI-ISP was at work, which shares the NPU and the memory: umap/aiisp changed
		busy:other programs used 50 % of the processors during the run, 50 % before it
	END
	samples 124 3 memory quiet
	board
	has "$output" "other programs took 58 MiB of memory during the run"
	lacks "$output" "unverified on hardware" "nothing else"
	samples 124 3 memory
	board
	has "$output" "another program used media memory: umap/media-mem changed before the run"
}

@test "the axis of the calls: one clock where the calls lie within the samples, else the first call" {
	samples 124 5
	expect 0 import -dir "$JOB"
	has "$stderr" "assumed: board_stats.txt: samples of the board are on the clock of the calls"
	equal "$(query "SELECT count(*) FROM board_sample WHERE time_ns = uptime_ns + (1700000000 - 124) * 1000000000")" 8
	samples 90000 5 1970
	expect 0 import -dir "$JOB"
	has "$stderr" "assumed: board_stats.txt: the first call is taken to begin at the last sample before the run"
	equal "$(query "SELECT time_ns - (SELECT min(start_ns) FROM api_call) FROM board_sample WHERE id IN (2, 4)" | xargs)" "0 2000000000"
}

@test "a layout says what numbers mean: use, unit, or nothing" {
	samples 124 3 npu
	mkdir layouts
	sed 's/^  series   "umap\/npudev".*/&\n  series "umap\/aiisp" "x" video mb/; 0,/^  series/s//  series "umap\/svp_npu" "busy" npu percent\n  series "umap\/svp_npu" "t*" none level\n  series/' \
		"$ROOT/schema/records/svp_board.rec" >layouts/board.rec
	board --layouts layouts --format csv
	has "$output" "umap/svp_npu CORE INFO busy,%,0.0,1.0,2.0,3.0,0.0" "umap/svp_npu CORE INFO busy 2,%,0.0"
	lacks "$output" tasks
	board --layouts layouts
	has "$output" "nothing else was seen at work"
	for line in 'series "a" "b" npu' 'series a "b" npu level' 'series "a" "b" nosuch level' 'series "a" "b" npu nosuch' 'series "" "b" npu level' 'beside x'; do
		sed "s/^  series   \"umap\/vi\".*/$line/" "$ROOT/schema/records/svp_board.rec" >layouts/board.rec
		expect 1 show -dir "$JOB" --layouts layouts
		has "$stderr" "board.rec:2"
	done
}

@test "more numbers than the database keeps: a note, and the first of them" {
	{
		printf '@msprof board 1\n'
		for second in 1 2 3; do
			printf '@msprof sample before %d.00 1\n@msprof text umap/vi\nname\n' "$second"
			seq -f "%.0f$second" 1 1100
		done
	} >"$JOB/board_stats.txt"
	expect 0 check -dir "$JOB" --table Notes
	has "$output" "texts of /proc/umap have 1000 numbers or more: the first 1000 are kept"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT count(*) || ' ' || max(row) || ' ' || total(moved_before) FROM board_series")" "1000 1000 1000.0"
	equal "$(query "SELECT value FROM board_value v JOIN board_series s ON s.id = v.series_id WHERE s.row = 7 AND sample_id = 2")" 72
}

@test "changed samples make the database stale; a file of that name in data/ is no file of samples" {
	expect 0 import -dir "$JOB"
	samples 124 3
	board
	has "$output" "The program"
	rm "$JOB/board_stats.txt" "$DB"
	python3 "$HELPERS/board_stats.py" "$JOB/data/board_stats.txt" 124 3
	expect 0 check -dir "$JOB" --table Files --format csv
	grep -q '^[^,]*,data/board_stats.txt,not understood' <<<"$output" || fail "$output"
}

@test "what the sampler leaves of odd texts is read: no damage, and a note for each text that was left out" {
	mkdir -p root/proc/umap root/sys quick
	printf '#!/bin/sh\nexec /bin/sleep 0\n' >quick/sleep
	chmod +x quick/sleep
	echo '124.00 1.00' >root/proc/uptime
	printf '\0\1\377no line end' >root/proc/umap/aiisp
	printf '@msprof sample nonsense\n@msprof text umap/vi\nname 99999999999999999999 a=1=2:3: :4\n' >root/proc/umap/npudev
	head -c 31000 /dev/urandom >root/proc/umap/svp_npu
	mkdir root/proc/umap/vi
	PATH=$PWD/quick:$PATH sh "$ROOT/lib/board/collection/board_stats.sh" root "$JOB/board_stats.txt" before
	expect 0 import -dir "$JOB"
	has "$stderr" "there is no sample after the run"
	expect 0 check -dir "$JOB" --table Notes
	has "$output" "texts of /proc/umap were left out, because they could not be read or had more than 32 KiB: vi"
	expect 0 check -dir "$JOB" --table Files --format json
	equal "$(jq '[.. | objects | select(.File? == "board_stats.txt") | .Damaged] | first' <<<"$output")" 0
	board
	has "$output" "Board during the run"
}

@test "the trace has each sample as it is, and the page from the run on" {
	samples 124 5 aiisp
	expect 0 export timeline -dir "$JOB"
	equal "$(jq -c '.traceEvents[] | select(.ph == "C" and .name == "umap/aiisp PIPE INFO frames") | .args.number' "$JOB/timeline/trace.json" | xargs)" \
		"-25 0 25 50 75 100 125 150"
	equal "$(jq -c '[.traceEvents[] | select(.ph == "C") | .name] | unique' "$JOB/timeline/trace.json")" \
		"$(jq -nc '["Load, 1 minute", "Memory available", "Processors", "Temperature 0 soc-thermal", "umap/aiisp PIPE INFO frames",
			"umap/svp_npu CORE INFO busy", "umap/svp_npu CORE INFO tasks"]')"
	expect 0 report -dir "$JOB"
	equal "$(page '.counters[] | select(.name == "Temperature") | [.track, .unit, .value] | tojson')" \
		'["Board, zone 0 soc-thermal","C",[45,45.25,45.5,45.75,46,46.25,46.5]]'
	equal "$(page '[.counters[] | select(.track == "Board") | .name] | sort | join(", ")')" \
		"Load, 1 minute, Memory available, Memory of the program, Processors, The program"
	# at the begin of the calls; of the program from the first sample on that saw it, a second after the last one before it
	late=$((1700000001000000000 - $(query 'SELECT min(start_ns) FROM api_call')))
	equal "$(page '[.counters[] | select(.track | startswith("Board")) | [.time_ns[0], .name == "Memory of the program"]] | unique | tojson')" "[[0,false],[$late,true]]"
}

@test "the trace for Perfetto has the same samples" {
	need_decoder
	samples 124 5 aiisp
	expect 0 export timeline -dir "$JOB" --format perfetto
	expect 0 export timeline -dir "$JOB"
	"$PYTHON" "$HELPERS/trace_check.py" "$JOB"
}

@test "advise has a finding for each sign, and abstains where nothing was sampled" {
	samples 124 3 npu aiisp busy
	expect 0 advise -dir "$JOB" --rule svp_board --format json
	equal "$(jq -r '.jobs[].findings[] | "\(.subject) \(.severity) \(.confidence) \(.evidence[0].Sign)"' <<<"$output" | sort)" \
		"AI-ISP medium low AI-ISP was at work, which shares the NPU and the memory: umap/aiisp changed
NPU medium low another program used the NPU: umap/svp_npu changed before the run
processors medium high other programs used 50 % of the processors during the run, 50 % before it"
	samples 124 3
	expect 0 advise -dir "$JOB" --rule svp_board --format json
	equal "$(jq -c '.jobs[] | [.findings, .abstained]' <<<"$output")" '[[],[]]'
	rm "$JOB/board_stats.txt" "$DB"
	expect 0 advise -dir "$JOB" --rule svp_board --format json
	equal "$(jq -r '.jobs[].abstained[].reason' <<<"$output")" "the board was not sampled: collect --board-stats"
}
