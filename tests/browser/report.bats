#!/usr/bin/env bats
# report.bats: files of `msprof report` in a headless Chromium.

load ../cli/helpers
load look

setup() {
	needs_chromium
	fresh_job
	REPORT=$BATS_TEST_TMPDIR/report.html
}

@test "the sample: its parts, an operator found, names for a screen reader, contrast, a phone" {
	expect 0 report -dir "$JOB" -o "$REPORT"
	look real "$REPORT"
}

@test "two models, many threads, names in other scripts, and a comparison" {
	genjob "$BATS_TEST_TMPDIR/base" --seed 2 --models 2 --tasks 40 --pictures 6 --calls 300 --threads 4 --fused 40 --utf8
	generate --seed 3 --models 2 --tasks 40 --pictures 6 --calls 300 --threads 4 --fused 40 --utf8
	expect 0 report -dir "$JOB" --base "$BATS_TEST_TMPDIR/base" -o "$REPORT"
	look real "$REPORT"
}

@test "in Chinese: facts that differ, words of a comparison, and rules that are named like kinds of data" {
	genjob "$BATS_TEST_TMPDIR/base" --seed 2 --tasks 40
	for job in "$JOB" "$BATS_TEST_TMPDIR/base"; do
		expect 0 import -q -dir "$job"
		sqlite3 "$job/sqlite/msprof.db" "UPDATE standing SET failed = 1, standing = 'unproven', reason = '7 ns' WHERE about IN ('tasks', '${what-names}')"
		what=calls
	done
	run --separate-stderr "$MSPROF" report -q -dir "$JOB" --base "$BATS_TEST_TMPDIR/base" --lang zh -o "$REPORT"
	look chinese "$REPORT" '存疑（BASE：调用、任务时间；本次：任务名称、任务时间）。' 单次耗时变化 空闲时间
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF"
	expect 0 report -q -dir "$BATS_TEST_TMPDIR/PROF" --lang zh -o "$REPORT"
	look chinese "$REPORT" $'communication\t没有集合通信'
}

@test "a PROF directory: samples and calls" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF" --tasks 4000 --samples
	expect 0 report -dir "$BATS_TEST_TMPDIR/PROF" -o "$REPORT"
	look real "$REPORT"
}

@test "names that are markup, long or broken are text" {
	expect 0 import -q -dir "$JOB"
	chmod u+w "$DB"
	sqlite3 "$DB" "UPDATE op SET oris = NULL; UPDATE op SET names = '</script><script>alert(1)</script>' WHERE task_id = 1;
		UPDATE op SET names = '<!--<script>&amp;' || char(8232, 8238, 7, 27) WHERE task_id = 2; UPDATE op SET names = hex(zeroblob(5000)) WHERE task_id = 3;
		UPDATE op SET names = '' WHERE task_id = 4; UPDATE api_call SET name = '<svg onload=alert(1)>'; UPDATE net SET model = '<img src=x onerror=alert(1)>';
		UPDATE source SET model = '<img src=x onerror=alert(1)>' WHERE model IS NOT NULL; UPDATE note SET text = '</SCRIPT><b>'"
	mv "$JOB/data" "$BATS_TEST_TMPDIR/data"
	expect 0 report -q -dir "$JOB" -o "$REPORT"
	has "$(<"$REPORT")" 'u003cscript\u003ealert(1)'
	look real "$REPORT"
}

@test "a million tasks of a board: how long until the page is shown" {
	generate --seed 9 --tasks 980 --aicpu 20 --pictures 1000 --calls 1000
	expect 0 report -dir "$JOB" -o "$REPORT"
	look real "$REPORT"
	look million "$REPORT"
}
