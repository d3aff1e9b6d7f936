#!/usr/bin/env bats
# board_stats.bats: msprof collect --board-stats: the sampler, and the way of its samples into the JOB. The texts of a board are
# made up here: nobody has published what /proc/umap says.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local

SAMPLER=$ROOT/lib/board/collection/board_stats.sh

# A root with a /proc/umap of our own.
fake_root() {
	ROOT_DIR=$BATS_TEST_TMPDIR/root
	mkdir -p "$ROOT_DIR/proc/umap" "$ROOT_DIR/sys/class/thermal/thermal_zone0"
	echo '100.25 50.00' >"$ROOT_DIR/proc/uptime"
	echo '0.50 0.25 0.10 1/99 1234' >"$ROOT_DIR/proc/loadavg"
	printf 'cpu  10 0 20 300 0 0 0 0 0 0\ncpu0 10 0 20 300 0 0 0 0 0 0\n' >"$ROOT_DIR/proc/stat"
	printf '%s\n' 'MemTotal: 900 kB' 'MemFree: 500 kB' 'MemAvailable: 600 kB' >"$ROOT_DIR/proc/meminfo"
	echo 45250 >"$ROOT_DIR/sys/class/thermal/thermal_zone0/temp"
	echo soc-thermal >"$ROOT_DIR/sys/class/thermal/thermal_zone0/type"
	printf '[SVP_NPU] made up\n-----TITLE-----\n busy  idle\\n\n   1     2\n' >"$ROOT_DIR/proc/umap/svp_npu"
}

# marks FILE: our lines of a file of samples, without wall clocks
marks() {
	grep -a '^@msprof ' "$1" | sed 's/^\(@msprof sample .*\) [0-9]*$/\1/'
}

# text NAME FILE: the first text of that name, with the line end after it
text() {
	awk -v name="@msprof text $1" '$0 == name { on = 1; next } on && /^@msprof / { exit } on' "$2"
}

@test "a sample: what the kernel says, unchanged; each shell of a board writes the same" {
	fake_root
	quick_sleep
	for shell in "busybox sh" dash bash; do
		command -v "${shell%% *}" >/dev/null || continue
		# shellcheck disable=SC2086 # two words
		PATH=$PWD/quick:$PATH $shell "$SAMPLER" "$ROOT_DIR" samples before
		# shellcheck disable=SC2086 # two words
		$shell "$SAMPLER" "$ROOT_DIR" samples after
		equal "$(marks samples | tr '\n' ';')" "@msprof board 1;$(for phase in before before after; do
			echo "@msprof sample $phase 100.25;@msprof text loadavg;@msprof text stat;@msprof text meminfo;"
			echo "@msprof heat 0 45250 soc-thermal;@msprof text umap/svp_npu;"
		done | tr -d '\n')"
		equal "$(text umap/svp_npu samples)" "$(cat "$ROOT_DIR/proc/umap/svp_npu")"
		equal "$(text meminfo samples)" "$(cat "$ROOT_DIR/proc/meminfo")"
		equal "$(text loadavg samples)" "$(cat "$ROOT_DIR/proc/loadavg")"
		equal "$(text stat samples)" "$(head -n 1 "$ROOT_DIR/proc/stat")"
		equal "$(cat slept)" 1
		[ ! -e samples.part ]
		rm slept samples
	done
}

@test "texts that cannot be read, that are too large or no text at all: the others are whole" {
	fake_root
	quick_sleep
	mkdir "$ROOT_DIR/proc/umap/npudev"
	head -c 40000 /dev/zero >"$ROOT_DIR/proc/umap/vi"
	printf '\0\1\377no line end' >"$ROOT_DIR/proc/umap/aiisp"
	: >"$ROOT_DIR/proc/umap/media-mem"
	PATH=$PWD/quick:$PATH sh "$SAMPLER" "$ROOT_DIR" samples before
	equal "$(marks samples | grep 'left\|umap' | sort | uniq -c | xargs)" "1 @msprof left npudev 1 @msprof left vi \
2 @msprof text umap/aiisp 2 @msprof text umap/media-mem 2 @msprof text umap/svp_npu"
	grep -aqF "$(printf '\1\377no line end')" samples
	equal "$(text umap/svp_npu samples | head -n 4)" "$(cat "$ROOT_DIR/proc/umap/svp_npu")"
	[ "$(stat -c %s samples)" -lt 4000 ]
}

@test "a board without /proc, /sys and clocks: samples without texts" {
	quick_sleep
	PATH=$PWD/quick:$PATH sh "$SAMPLER" "$PWD/nothing" samples before
	equal "$(marks samples | tr '\n' ';')" "@msprof board 1;@msprof sample before 0.00;@msprof sample before 0.00;"
}

is_full() {
	[ "$(stat -c %s samples)" = 8388608 ]
}

@test "the file of samples ends at its limit, and a sample after the run still fits" {
	fake_root
	quick_sleep
	truncate -s 8388000 samples
	PATH=$PWD/quick:$PATH sh "$SAMPLER" "$ROOT_DIR" samples run $$ "" &
	sampler=$!
	until_true is_full
	kill "$sampler"
	wait "$sampler"
	equal "$(stat -c %s samples)" 8388608
	sh "$SAMPLER" "$ROOT_DIR" samples after
	tail -c 600 samples | grep -q '^@msprof sample after '
}

@test "the sampler ends with the process that it is for, and at once when it is told" {
	fake_root
	sleep 600 &
	owner=$!
	sh "$SAMPLER" "$ROOT_DIR" samples run "$owner" "" &
	sampler=$!
	kill -KILL "$owner"
	wait "$owner" || true
	wait "$sampler"
	[ ! -s samples ]
	sh "$SAMPLER" "$ROOT_DIR" samples run $$ "" &
	sampler=$!
	until_true pgrep -P "$sampler" -x sleep
	kill "$sampler"
	wait "$sampler"
	no_process -f "$SAMPLER"
}

@test "--board-stats: the JOB has the samples, all else is as without, and nothing is left" {
	quick_sleep
	{ until_true grep -q '^@msprof sample run' "$PLACE/.msprof.stats" && touch "$BATS_TEST_TMPDIR/sampled"; } & # the program waits
	PATH=$PWD/quick:$PATH collect 5 "--job $JOB --exit 7 --wait $BATS_TEST_TMPDIR/sampled" --board-stats
	has "$stderr" "exit status 7" "fetched JOB"
	diff -r -x board_stats.txt "$(the_job)" "$JOB"
	samples=$(the_job)/board_stats.txt
	equal "$(marks "$samples" | grep ' sample ' | cut -d' ' -f3 | uniq -c | grep -c 'before\|run\|after')" 3
	equal "$(grep -c ' sample before \| sample after ' "$samples")" 3
	[ -n "$(text stat "$samples")" ] && [ -n "$(text meminfo "$samples")" ] && [ -n "$(text program "$samples")" ]
	nothing_left
	no_process -f "$PLACE/.msprof.stats"
}

@test "without the option nothing is sampled; samples of a run that was cut are not those of the next" {
	collect 0 "--job $JOB"
	echo of another run >"$PLACE/.msprof.stats"
	discard "$OUT"
	collect 0 "--job $JOB"
	diff -r "$(the_job)" "$JOB"
	nothing_left
}

@test "each run has samples of its own; a warm-up has none" {
	quick_sleep
	PATH=$PWD/quick:$PATH collect 0 "--job $JOB" --board-stats --repeat 2 --discard 1
	equal "$(cat "$OUT"/JOB*/board_stats.txt | grep -c '^@msprof board 1$')" 2
	equal "$(sort slept | uniq -c | awk '$2 == 1 { print ($1 >= 2) }')" 1
	nothing_left
}

@test "msprof is killed: the sampler ends with the program, and --resume fetches the samples" {
	begin "--job $JOB --name JOBK --hang" --board-stats
	until_running
	kill -KILL "$collector"
	ends_with 137
	until_true no_process -f "$PLACE/.msprof.stats"
	expect 0 collect --local --resume "$OUT"
	diff -r -x board_stats.txt "$OUT/JOBK" "$JOB"
	grep -q '^@msprof sample after ' "$OUT/JOBK/board_stats.txt"
	nothing_left
}

@test "interrupted: the program is stopped, its samples are fetched" {
	begin "--job $JOB --name JOBK --hang" --board-stats
	until_running
	kill -INT "$collector"
	ends_with 130
	grep -q '^@msprof sample after ' "$OUT/JOBK/board_stats.txt"
	no_process -f "$PLACE/.msprof.stats"
	nothing_left
}

@test "a dry run says that the board would be sampled" {
	expect 0 collect --local -m "$APP/out/main" --dry-run --board-stats
	has "$output$stderr" "sample load, memory and temperatures of the board"
	expect 0 collect --local -m "$APP/out/main" --dry-run
	lacks "$output$stderr" "temperatures"
}

@test "a time without samples is told" {
	python3 "$HELPERS/board_stats.py" "$JOB/board_stats.txt" 100 20 quiet
	sed -i '/^@msprof sample run 104\./,/^@msprof sample run 117\./{/^@msprof sample run 117\./!d;}' "$JOB/board_stats.txt"
	expect 0 import -dir "$JOB"
	has "$stderr" "the board was not sampled from 103 s to 117 s after its start"
}
