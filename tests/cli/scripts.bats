#!/usr/bin/env bats
# scripts.bats: guarantees for programs that read the output of msprof.
# shellcheck disable=SC2153,SC2154 # $JOB is set by the helpers, $stderr by run

load helpers

# Two generated jobs and a PROF directory in $JOBS.
several_jobs() {
	JOBS=$BATS_TEST_TMPDIR/jobs
	mkdir "$JOBS"
	genjob "$JOBS/JOBA" --model first
	genjob "$JOBS/JOBB" --model second
	"$BUILD/tests/genprof" --out "$JOBS/PROF_C" --samples
}

# holds FILTER: Python reads $output as one JSON document `doc`, and the expression holds
holds() {
	python3 -c 'import json, sys; doc = json.load(sys.stdin)["tables"]; assert eval(sys.argv[1]), str(doc)[:2000]' "$1" <<<"$output"
}

@test "several jobs are one JSON document, each table with its job" {
	several_jobs
	for command in show query check; do
		expect 0 $command -dir "$JOBS" --format json
		holds 'sorted({t["job"] for t in doc}) == ["JOBA", "JOBB", "PROF_C"] and all(t["table"] and type(t["rows"]) is list for t in doc)'
		expect 0 $command -dir "$JOBS/JOBB" --format json
		holds '{t["job"] for t in doc} == {"JOBB"}'
	done
}

@test "a job that fails has its error in the JSON document, the others their tables" {
	several_jobs
	printf '{"DeviceInfo": [{}]}' >"$JOBS/JOBA/info.json.0" # without a frequency
	mkdir -p "$JOBS/JOBNONE/data"
	for command in show query check; do
		expect 1 $command -dir "$JOBS" --format json
		holds 'sorted(t["job"] for t in doc if t["table"] is None) == ["JOBA", "JOBNONE"]'
		holds 'all(t["rows"] == [] and t["error"] for t in doc if t["table"] is None)'
		holds 'any(t["job"] == "JOBB" and t["rows"] for t in doc) and any(t["job"] == "PROF_C" and t["rows"] for t in doc)'
		equal "$(jq -r '.tables[].error // empty' <<<"$output")" "$(sed -n 's/^msprof: error: //p' <<<"$stderr")"
	done
}

@test "without any job the JSON document has the error" {
	mkdir "$BATS_TEST_TMPDIR/empty"
	for words in "$BATS_TEST_TMPDIR/nosuch" "$BATS_TEST_TMPDIR/empty" "$JOB --layouts $BATS_TEST_TMPDIR/nosuch" "$JOB --sort nosuch"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 1 show -dir $words --format json
		holds 'len(doc) == 1 and doc[0]["rows"] == [] and doc[0]["error"]'
		equal "msprof: error: $(jq -r '.tables[].error' <<<"$output")" "$(grep '^msprof: error: ' <<<"$stderr")"
	done
	mkdir -p "$BATS_TEST_TMPDIR/JOBNAMED/data"
	for dir in "$BATS_TEST_TMPDIR/JOBNAMED" "$BATS_TEST_TMPDIR/JOBNAMED///" "$BATS_TEST_TMPDIR/JOBNAMED/data/.."; do
		expect 1 show -dir "$dir" --format json
		holds 'doc[0]["job"] == "JOBNAMED"'
	done
}

@test "an error in the middle of a table leaves the JSON document whole" {
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 1000000 WHERE name = 'api_call'"
	expect 1 show -dir "$JOB" --format json
	holds 'doc[-1]["error"] and [t for t in doc if "error" in t] == doc[-1:]'
}

# plain_cells DIR...: in the JSON of all commands numbers are numbers, of no more digits than a report has, and what is missing is null
plain_cells() {
	local dir command
	for dir; do
		for command in "show --style guide" "show --style vendor" query check; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 ${command%% *} -dir "$dir" --format json ${command#"${command%% *}"}
			python3 -c '
import json, re, sys
doc = json.load(sys.stdin)["tables"]
cells = [(t["table"], k, v) for t in doc for k, v in list(t.items()) + [c for r in t["rows"] for c in r.items()]]
bad = [c for c in cells if c[2] in ("", "-", "N/A", "NA", "none") or
       isinstance(c[2], str) and re.fullmatch(r"-?[0-9.]+(e[-+]?[0-9]+)?", c[2]) and c[1] != "Top Time Iteration" or
       isinstance(c[2], float) and len(repr(c[2]).replace(".", "").lstrip("0")) > 12]
assert len(cells) > 9 and not bad, bad[:9]' <<<"$output"
		done
	done
}

@test "in JSON numbers are numbers, and what is missing is null" {
	plain_cells "$JOB"
	generate --utf8 --fused 60 --seed 3 --tasks 40
	plain_cells "$JOB"
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --samples
	plain_cells "$BATS_TEST_TMPDIR/PROF_MADE"
	made steps=2 tasks=20 extra=1
	plain_cells "$JOB"
}

@test "sums of microseconds have three decimals: 0.1 + 0.2 is 0.3" {
	made tasks=1 calls=2
	expect 0 import -dir "$JOB"
	sqlite3 "$DB" "UPDATE api_call SET name = 'same', dur_ns = CASE rowid WHEN 1 THEN 100 WHEN 2 THEN 200 ELSE 0 END"
	for format in table "csv --table acl_statistic" json; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 show -dir "$JOB" --format $format
		has "$output" same 0.3
		lacks "$output" 0.30000000000000004
	done
}

@test "the other samples of other tools, where they are" {
	needs_shared ascend-job-2022
	for dir in "$SHARED"/ascend-job-2022/JOB* "$SHARED"/ascend-prof/PROF_*; do
		cp -rL "$dir" "$BATS_TEST_TMPDIR/"
		plain_cells "$BATS_TEST_TMPDIR/${dir##*/}"
	done
}

@test "titles and units are the same in tables, CSV and JSON of one style" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --samples
	genjob "$BATS_TEST_TMPDIR/JOBFUSED" --utf8 --fused 60 --seed 3 --tasks 40
	python3 "$HELPERS/ascend2022.py" "$BATS_TEST_TMPDIR/JOBASCEND" steps=2 tasks=20 extra=1
	for dir in "$JOB" "$BATS_TEST_TMPDIR"/{PROF_MADE,JOBFUSED,JOBASCEND}; do
		for style in guide vendor; do
			LC_ALL=C.UTF-8 python3 "$HELPERS/titles.py" "$MSPROF" "$dir" $style
		done
	done
}

@test "summaries have the same titles as CSV and as JSON" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --samples
	made steps=2 tasks=20 extra=1
	ASCEND=$JOB
	fresh_job
	for dir in "$JOB" "$ASCEND" "$BATS_TEST_TMPDIR/PROF_MADE"; do
		for style in guide vendor; do
			expect 0 export summary -q -dir "$dir" --style $style
			expect 0 export summary -q -dir "$dir" --style $style --format json
			python3 - "$dir" <<-'END'
				import csv, glob, json, os, re, sys
				files = [f for d in ("summary", "mindstudio_profiler_output") for f in glob.glob(os.path.join(sys.argv[1], d, "*.csv"))]
				stems = {re.sub(r"_\d{14}$", "", os.path.basename(f)[:-4]): f for f in files}
				assert len(stems) > 2, stems
				for stem, f in stems.items():
				    found = [j for j in glob.glob(os.path.join(os.path.dirname(f), "*.json"))
				             if re.sub(r"_\d{14}$", "", os.path.basename(j)[:-5]) in (stem, stem + "_summary")]
				    rows = json.load(open(found[0]))
				    assert not rows or list(rows[0]) == next(csv.reader(open(f))), f
			END
		done
	done
}

@test "csv is one table: --table chooses it, in any case" {
	for command in show check; do
		expect 2 $command -dir "$JOB" --format csv
		equal "$output" ""
		has "$stderr" "msprof: error: csv is one table: choose it with --table: "
		[ ! -e "$JOB/sqlite" ]
	done
	has "$stderr" "Verdict, Standing, Checks, Files, Kinds of files, Damage, Sequence gaps, Unpaired starts and ends, Notes"
	expect 0 show -dir "$JOB" --format csv --table "Op statistic"
	wanted=$output
	for name in op_statistic OP-STATISTIC "op statistic"; do
		expect 0 show -dir "$JOB" --format csv --table "$name"
		equal "$output" "$wanted"
	done
	for name in "AA Core Metrics" "AI Core Metrics"; do expect 0 show -dir "$JOB" --format csv --table "$name"; done
	expect 0 query -dir "$JOB" --format csv
	expect 2 show -dir "$JOB" --table "op_statistics"
	has "$stderr" "table 'op_statistics' not found; did you mean 'Op statistic'? tables: Lost data, Standing, Left out, Overview, Longest idle gaps, AA Core Metrics, "
	equal "$output" ""
	expect 2 show -dir "$JOB" --table ""
	expect 1 show -dir "$JOB" --table "Page faults"
	has "$stderr" "this data has no table 'Page faults'; tables: Lost data, Standing, Left out, Overview, Longest idle gaps, AA Core Metrics, Op statistic, "
}

@test "--table is the only table in every format" {
	expect 0 show -dir "$JOB" --table op_statistic
	equal "$(grep -c ' :$' <<<"$output")" 2
	lacks "$output" "AA Core Metrics" Frequency
	expect 0 show -dir "$JOB" --table op_statistic --format json
	holds '[t["table"] for t in doc] == ["Op statistic"] * 2'
	expect 1 show -dir "$JOB" --table op_statistic --sort "Layer Name"
}

@test "several jobs are one CSV table: one line of titles, as many cells in each" {
	several_jobs
	mv "$JOBS/PROF_C" "$BATS_TEST_TMPDIR"
	expect 0 show -dir "$JOBS" --format csv --table aa_core_metrics
	python3 -c '
import csv, sys
rows = list(csv.reader(sys.stdin))
assert len({len(r) for r in rows}) == 1 and {r[0] for r in rows} == {"job", "JOBA", "JOBB"}, rows[:2]
assert [r[0] for r in rows].count("job") == 1 and len({r[2] for r in rows}) == 3' <<<"$output"
	expect 0 show -dir "$JOBS" --format csv --table aa_core_metrics --top 3
	has "$stderr" "more rows (--top 0 shows all)"
	lacks "$output" "more rows" "#"
	expect 0 show -dir "$JOBS" --format csv --table aa_core_metrics --top 3 -q
	equal "$stderr" ""
}

@test "jobs of other columns are an error in CSV, not cells in wrong places" {
	several_jobs
	expect 1 query -dir "$JOBS" --format csv
	has "$stderr" "that earlier tables lack"
	equal "$(wc -l <<<"$output")" 3
}

@test "results go to standard output, words to standard error" {
	several_jobs
	for command in import "export timeline" "export summary" "export db"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr "$MSPROF" $command -dir "$JOBS"
		equal "$output" ""
	done
	rm "$JOBS/JOBA/data/"*.done
	printf xyz >>"$JOBS/JOBA/data/aicpu.0.first.46.1.1.0"
	for words in "show" "query" "check" "show --format csv --table frequency" "show --format json"; do
		# shellcheck disable=SC2086 # words on purpose
		run --separate-stderr "$MSPROF" $words -dir "$JOBS"
		lacks "$output" "msprof: "
	done
	for words in "--help" "help show" "--version"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $words
		equal "$stderr" ""
	done
}

@test "standard output that is full ends at the first job, with one error" {
	[ -w /dev/full ] || skip "no /dev/full"
	several_jobs
	expect 0 import -q -dir "$JOBS"
	for words in "show" "query" "check" "show --format csv --table aa_core_metrics" "query --format csv" "show --format json" "check --format json" \
		advise "advise --format json" "advise --format csv"; do
		status=0
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $words -dir "$JOBS" >/dev/full 2>"$BATS_TEST_TMPDIR/err" || status=$?
		equal "$words $status" "$words 1"
		equal "$(cat "$BATS_TEST_TMPDIR/err")" "msprof: error: cannot write 'standard output': No space left on device"
	done
}

@test "standard output that is closed is an error, or the end by SIGPIPE" {
	expect 0 import -q -dir "$JOB"
	for words in "show" "show --format json" "show --format csv --table aa_core_metrics"; do
		status=0
		# shellcheck disable=SC2086 # words on purpose
		"$MSPROF" $words -dir "$JOB" >&- 2>"$BATS_TEST_TMPDIR/err" || status=$?
		equal "$words $status" "$words 1"
		has "$(cat "$BATS_TEST_TMPDIR/err")" "msprof: error: cannot write"
		# shellcheck disable=SC2086 # words on purpose
		run bash -c '"$@" | :; echo "${PIPESTATUS[0]}"' - "$MSPROF" $words -dir "$JOB"
		[ "$output" = 141 ] || [ "$output" = 0 ]
	done
}
