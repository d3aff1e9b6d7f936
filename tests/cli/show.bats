#!/usr/bin/env bats
# show.bats: the guide's four tables on a terminal, in a pipe, as CSV and as JSON; overview.bats has the table before them.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

on_terminal() {
	python3 "$HELPERS/pty_run.py" "$@"
}

# The cells of a column of CSV output: column TITLE, total left out.
column() {
	python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin):
    if r.get("Task ID") != "-":
        print(r[sys.argv[1]])
' "$1"
}

@test "four tables with their titles and headings" {
	expect 0 show -dir "$JOB" --each
	[[ $output == "resnet50: "*"Standing :"*"Overview :"*"AA Core Metrics :"*"Op statistic :"*"Acl statistic :"*"Frequency :"* ]]
	has "$output" "Model name : resnet50 Model id : 46 Batch num: 1 Current pic count: 0" "Current pic count: 10" \
		"Fps : 97  (frames per second in model, core time only)" "Frequency : 700 Mhz"
	equal "$(grep -c '^Model id : 46' <<<"$output")" 3
}

@test "the sample output of the documents is what show prints" {
	for page in en:TABLES.md zh:TABLES.zh-CN.md; do
		expect 0 show -dir "$JOB" --top 2 --picture 0 --lang "${page%:*}" \
			--columns "$(sed -n "s/^    --columns '\(.*\)'$/\1/p" "$ROOT/docs/TABLES.md")"
		equal "$output" "$(sed -n '/^```text$/,/^```$/p' "$ROOT/docs/${page#*:}" | sed '/^```/d')"
	done
}

@test "the vendor's style: AI Core, and whole microseconds of calls" {
	expect 0 show -dir "$JOB" --style vendor
	[[ $output == "AI Core Metrics :"* ]]
	has "$output" "AI Core Metrics :" "AI_CORE" "│         156284 │" "├───" "(frames per second in model)"
	lacks "$output" "AA Core" AA_CORE Overview Slowest
	expect 0 show -dir "$JOB" --each
	has "$output" AA_CORE "│         156284 │             27.7366 │"
	lacks "$output" "AI Core" AI_CORE
	generate --host-calls 60 # msprof's recorder tells ns
	for style in vendor guide; do
		expect 0 show -dir "$JOB" --style $style --format json --table acl_statistic
		python3 - "$HELPERS" "$JOB" $style 3<<<"$output" <<-'END'
			import collections, json, os, sys
			sys.path.insert(0, sys.argv[1])
			import svp
			exact, whole = collections.Counter(), collections.Counter()
			for c in svp.Job(sys.argv[2]).calls[0, "resnet50", 46]:
			    exact[c.tid, c.name] += c.end - c.begin
			    whole[c.tid, c.name] += (c.end - c.begin) // 1000
			rows = json.load(os.fdopen(3))["tables"][0]["rows"]
			for r in rows:
			    key = r["Thread ID"], r["Name"]
			    assert r["Total Time(us)"] == (whole[key] if sys.argv[3] == "vendor" else exact[key] / 1000), (r, exact[key])
			assert len(rows) == len(exact) > 9 and any(whole[k] * 1000 != exact[k] for k in exact)
		END
	done
}

@test "the columns are the vendor's, joined with a slash in the vendor's style alone" {
	expect 0 show -dir "$JOB" --each
	! sed '1,/^AA Core/d' <<<"$output" | grep -E '[0-9]/[0-9]' || fail "numbers are joined"
	expect 0 show -dir "$JOB" --style vendor
	while read -r title; do
		has "$output" "$title"
	done < <(titles show/svp/1_aa_core | tr , '\n')
	has "$output" "10207.71/100" "61.13/8.47" "20.8/9.41/35.4/49.85" "0.76/3.0098" "24873.3/7663.2/32536.5"
}

@test "show has the numbers of the exported summary" {
	expect 0 export summary -dir "$JOB" --style vendor
	times=$(cut -d, -f1 --complement "$JOB"/summary/acl_statistic*.csv | awk -F, 'NR > 1 { print $4 }')
	expect 0 show -dir "$JOB" --style vendor --format csv --table 'Acl statistic'
	equal "$(column 'Total Time(us)' <<<"$output")" "$times"
}

@test "BandWidth is the total of KB over the frames a second" {
	expect 0 show -dir "$JOB" --format json --each
	python3 -c '
import json, sys
tables = [t for t in json.load(sys.stdin)["tables"] if t["table"] == "AA Core Metrics"]
rows = [r for t in tables for r in t["rows"]]
assert len(rows) == 50, len(rows)
for r in rows:
    wanted = round(r["DDR Total(KB)"] / 1024 / 1024 * int(1e6 / r["Time(us)"]), 4)
    assert r["BandWidth(GB/s)"] == wanted, (r, wanted)
' <<<"$output"
}

@test "BandWidth of a whole number of KB is not cut to whole GB" {
	generate --tasks 0 --aicpu 0 --calls 0
	python3 "$HELPERS/raw.py" core ticks=700 read=1000000 write=24000 >"$JOB/data/aicore.0.resnet50.16.46.1.1.0"
	python3 "$HELPERS/raw.py" marker len=256 start=1700000000000000 end=1700000000000100 >"$JOB/data/aicore.0.resnet50.16.46.1.1.0.done"
	expect 0 show -dir "$JOB" --format json
	equal "$(jq -c '.tables[] | select(.table == "AA Core Metrics").rows[] | [.["Time(us)"], .["DDR Total(KB)"], .["BandWidth(GB/s)"]]' <<<"$output")" \
		$'[100,1024,9.7656]\n[100,1024,9.7656]' # 1024 KB in a 10,000th of a second
	expect 0 show -dir "$JOB"
	has "$output" "│          9.7656 │"
}

@test "fps is a key of AA Core Metrics in json" {
	expect 0 show -dir "$JOB" --format json --each
	equal "$(jq -c '[.tables[] | select(.table == "AA Core Metrics") | [.current_pic, .fps]]' <<<"$output")" "[[0,97],[10,97]]"
}

@test "the heading of Op statistic says how fused tasks count" {
	expect 0 show -dir "$JOB" --each
	equal "$(grep -c '^A fused task counts in each of its layer types, with its whole time\.$' <<<"$output")" 2
	equal "$(grep -A2 '^Model id : 46 Current pic count: 0' <<<"$output" | tail -2)" \
		"A fused task counts in each of its layer types, with its whole time.
So the times add up to more than the inference where tasks are fused; the ratios are shares of that sum."
	# it is true: the ratios add up to 100, the times to more than the tasks
	expect 0 show -dir "$JOB" --format json --table op_statistic
	python3 - "$JOB" "$HELPERS" <<-'END' 3<<<"$output"
		import json, os, sys
		sys.path.insert(0, sys.argv[2])
		import svp
		job = svp.Job(sys.argv[1])
		for t in json.load(os.fdopen(3))["tables"]:
		    times = sum(r["Total Time(us)"] for r in t["rows"])
		    mine = [x for k, tasks in job.tasks.items() if k.pic == t["current_pic"] for x in tasks]
		    assert abs(sum(r["Total Time Ratio(%)"] for r in t["rows"]) - 100) < 0.1
		    assert times > 1.02 * sum(x.dur for x in mine) / 1000, times
	END
}

@test "what was lost is said first, in every format" {
	expect 0 show -dir "$JOB"
	lacks "$output" "Lost data"
	printf xyz >>"$JOB/data/aicpu.0.resnet50.16.46.1.1.0"
	discard "$JOB/data/aicpu.0.resnet50.16.46.1.1.10" "$JOB/sqlite"
	expect 3 show -dir "$JOB"
	[[ $output == "resnet50: "*"; but first: Lost or damaged data ("*"Lost data : 3 damaged bytes (msprof check tells where): the tables below are incomplete"*"Lost data : 1 missing"*"Standing :"*"Overview :"* ]] ||
		fail "$output"
	expect 3 show -dir "$JOB" --format json
	equal "$(jq -c '[.tables[:2][] | [.table, .what, .amount]]' <<<"$output")" \
		'[["Lost data","damaged bytes",3],["Lost data","missing or unreadable files",1]]'
	expect 3 show -dir "$JOB" --format csv --table 'Lost data'
	equal "$output" "job,what,amount
${JOB##*/},damaged bytes,3
${JOB##*/},missing or unreadable files,1"
}

@test "json is one document with a schema for jq" {
	expect 0 show -dir "$JOB" --format json --each
	equal "$(jq -r 'keys_unsorted | join(",")' <<<"$output")" schema,tables
	equal "$(jq -r .schema <<<"$output")" msprof.show/1
	equal "$(jq -r '.tables[].table' <<<"$output" | uniq | paste -sd,)" "Standing,Overview,Longest idle gaps,AA Core Metrics,Op statistic,Acl statistic,Frequency,Counters"
	equal "$(jq '[.tables[] | select(.table == "AA Core Metrics") | .rows | length] | add' <<<"$output")" 50
}

@test "--top limits the rows of each table and says how many more there are" {
	for top in 1 3 1000; do
		expect 0 show -dir "$JOB" --each --top $top --format json
		jq -e --argjson top $top 'all(.tables[]; (.rows // [] | map(select(.["Task ID"])) | length) <= $top)' <<<"$output" >/dev/null
	done
	jq -e 'all(.tables[]; has("more_rows") | not)' <<<"$output" >/dev/null
	expect 0 show -dir "$JOB" --each --top 3
	has "$output" "21 more rows"
	expect 0 show -dir "$JOB" --each --top 3 --format json
	jq -e 'first(.tables[] | select(.table == "AA Core Metrics")) | .more_rows == 21 and (.rows | length) == 4' <<<"$output" >/dev/null
	expect 0 show -dir "$JOB" --each --top 0 --format json
	equal "$(jq 'first(.tables[] | select(.table == "AA Core Metrics")).rows | length' <<<"$output")" 25
}

@test "all rows in a pipe, 50 on a terminal" {
	needs_terminal
	generate --tasks 120 --calls 16 --threads 1
	expect 0 show -dir "$JOB" --table aa_core_metrics
	lacks "$output" "more rows"
	run on_terminal 200 "$MSPROF" show -dir "$JOB" --table aa_core_metrics
	has "$output" "70 more rows"
	expect 0 show -dir "$JOB" --style vendor
	lacks "$output" "more rows"
	run on_terminal 200 "$MSPROF" show -dir "$JOB" --each
	has "$output" "70 more rows"
	run on_terminal 200 "$MSPROF" show -dir "$JOB" --top 0
	lacks "$output" "more rows"
}

@test "a locale without UTF-8 draws ASCII tables; CSV and JSON are UTF-8 in any" {
	needs_terminal
	generate --utf8 --seed 3 --tasks 40
	expect 0 show -dir "$JOB" --top 2
	has "$output" "│" "…"
	csv=$("$MSPROF" show -dir "$JOB" --format csv --table 'aa core metrics')
	export PYTHONCOERCECLOCALE=0 # else Python gives its children C.UTF-8
	for setting in LANG=C LANG=de_DE LC_CTYPE=POSIX LC_ALL=en_US; do
		export LANG=C.UTF-8
		export "${setting?}"
		expect 0 show -dir "$JOB" --top 2
		equal "$(LC_ALL=C grep -c '[^ -~]' <<<"$output")" 0
		has "$output" "+---" "+===" "| Task ID |" "  ... " " more rows (--top 0 shows all)" "?"
		on_terminal 60 "$MSPROF" show -dir "$JOB" --top 2 >"$BATS_TEST_TMPDIR/out"
		python3 "$HELPERS/widths.py" 60 <"$BATS_TEST_TMPDIR/out"
		equal "$(NO_COLOR=1 on_terminal 60 "$MSPROF" show -dir "$JOB" --top 2 | tr -d '\r' | LC_ALL=C grep -c '[^ -~]')" 0
		equal "$("$MSPROF" show -dir "$JOB" --format csv --table 'aa core metrics')" "$csv"
		unset LANG LC_CTYPE LC_ALL
	done
	for setting in LANG=C.UTF-8 LANG=en_US.utf8 LC_ALL=; do
		export "${setting?}"
		expect 0 show -dir "$JOB" --top 2
		has "$output" "│" "…"
		unset LANG LC_ALL
	done
}

# one_inference OPTION...: AA Core Metrics of the first of the sample's two as CSV
one_inference() {
	expect 0 show -dir "$JOB" --format csv --table 'aa core metrics' "$@"
	output=$(head -26 <<<"$output")
}

@test "--sort: largest numbers first, the total stays on top, in any case" {
	for title in 'Time(us)' 'time(US)' 'TIME(us)'; do
		one_inference --sort "$title"
		sorted=$(column 'Time(us)' <<<"$output")
		equal "$sorted" "$(sort -rg <<<"$sorted")"
		has "$(sed -n 2p <<<"$output")" ",-,-,-,-,"
	done
	equal "$(wc -l <<<"$sorted")" 24
	one_inference --sort 'Vec Ppen Ratio(%)'
	sorted=$(column 'Vec Ppen Ratio(%)' <<<"$output")
	equal "$sorted" "$(sort -rg <<<"$sorted")"
}

@test "--sort by a text column is in order of bytes, and N/A comes last" {
	one_inference --sort 'Layer Type'
	sorted=$(column 'Layer Type' <<<"$output")
	equal "$sorted" "$(LC_ALL=C sort <<<"$sorted")"
	dd if=/dev/zero of="$JOB/data/aicore.0.resnet50.16.46.1.1.0" bs=8 seek=$((3 * 256 / 8 + 1)) count=5 conv=notrunc status=none # counters of task 3
	one_inference --sort 'Memory Bound'
	equal "$(column 'Memory Bound' <<<"$output" | tail -1)" N/A
	[ "$(column 'Memory Bound' <<<"$output" | head -1)" != N/A ]
}

@test "--sort and --top find where the time goes" {
	expect 0 show -dir "$JOB" --sort 'Total Time(us)' --top 1 --format csv --table acl_statistic
	equal "$(column Name <<<"$output")" svp_acl_mdl_execute
	expect 0 show -dir "$JOB" --sort 'Total Time(us)' --top 1 --format csv --table op_statistic
	equal "$(python3 -c 'import csv, sys; print(next(csv.DictReader(sys.stdin))["OP Type"])' <<<"$output")" Convolution
}

# falling DIR TABLE TITLE: the numbers of that column differ, and none exceeds the previous number
falling() {
	expect 0 show -dir "$1" --each --format json --sort "${4-time}"
	equal "$3: $(jq -c --arg table "$2" --arg title "$3" '[.tables[] | select(.table == $table) | [.rows[][$title] | tonumber] |
		. == (sort | reverse) and length > 1 and .[0] > .[-1]] | unique' <<<"$output")" "$3: [true]"
}

@test "--sort time: each table by the column that is its time, whatever other times it has" {
	python3 "$HELPERS/ascend2022.py" "$BATS_TEST_TMPDIR/JOBMADE" steps=2 tasks=20
	expect 0 import -q -dir "$BATS_TEST_TMPDIR/JOBMADE"
	sqlite3 "$BATS_TEST_TMPDIR/JOBMADE/sqlite/msprof.db" "UPDATE task SET end_counter = end_counter + id * 7 % 10 * 24;
		UPDATE aicore_pmu SET pmu4 = pmu4 + task_id * 7 % 10 * 7000" # the generator's all take as long
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --samples
	falling "$JOB" "Op statistic" "Total Time(us)"
	falling "$BATS_TEST_TMPDIR/JOBMADE" "AI Core Metrics" "Task Time(us)"
	falling "$BATS_TEST_TMPDIR/JOBMADE" "Op statistic" "Total Time(us)"
	falling "$BATS_TEST_TMPDIR/JOBMADE" "AI Core Metrics" memory_bound memory_bound # texts that are numbers
	falling "$BATS_TEST_TMPDIR/PROF_MADE" "Op summary" "Task Duration(us)"
	falling "$BATS_TEST_TMPDIR/PROF_MADE" "Op statistic" "Total Time(us)"
	falling "$BATS_TEST_TMPDIR/PROF_MADE" "Api statistic" "Time(us)"
}

@test "--sort takes a title without its unit" {
	one_inference --sort 'DDR Read(KB)'
	wanted=$output
	for title in 'DDR Read' 'ddr read'; do
		one_inference --sort "$title"
		equal "$output" "$wanted"
	done
	for title in 'DDR Rea' 'DDR Read(' 'Read' 'DDR Read(MB)'; do expect 1 show -dir "$JOB" --sort "$title"; done
}

@test "--sort time sorts each table by its own time" {
	for word in time TIME; do
		one_inference --sort $word
		sorted=$(column "Time(us)" <<<"$output")
		[ "$(wc -l <<<"$sorted")" -gt 5 ] || fail "$sorted"
		equal "$sorted" "$(sort -rg <<<"$sorted")"
		expect 0 show -dir "$JOB" --format csv --table acl-statistic --sort $word
		sorted=$(column "Total Time(us)" <<<"$output")
		[ "$(wc -l <<<"$sorted")" -ge 5 ] || fail "$sorted"
		equal "$sorted" "$(sort -rg <<<"$sorted")"
	done
}

@test "--sort by a column that no table has is an error, before any table is printed" {
	for title in 'No Such Column' '' '(us)' 'Task ID '; do
		for format in table "csv --table aa_core_metrics"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 1 show -dir "$JOB" --sort "$title" --format $format
			has "$stderr" "msprof: error: column '$title' not found" "columns: T" ", Layer Name, " ", Time(us), " ", or 'time'"
			equal "$output" ""
		done
	done
	expect 1 show -dir "$JOB" --sort 'No Such Column' -q
	lacks "$stderr" "columns:" "did you mean"
	for pair in "DLD:DLD Ratio" "mac ppen:Mac Ppen Ratio" "Layr Name:Layer Name"; do
		expect 1 show -dir "$JOB" --sort "${pair%:*}"
		has "$stderr" "column '${pair%:*}' not found; did you mean '${pair#*:}'?"
		expect 0 show -dir "$JOB" --sort "${pair#*:}"
	done
}

@test "on a terminal nothing is wider than it, whatever the names" {
	needs_terminal
	generate --utf8 --fused 60 --seed 3 --tasks 40
	for columns in 200 120 80 60 40 30; do
		on_terminal $columns "$MSPROF" show -dir "$JOB" --each >"$BATS_TEST_TMPDIR/out"
		python3 "$HELPERS/widths.py" $columns <"$BATS_TEST_TMPDIR/out"
		has "$(<"$BATS_TEST_TMPDIR/out")" "700 Mhz"
	done
}

@test "a terminal of 20 columns is wide enough" {
	needs_terminal
	on_terminal 20 "$MSPROF" show -dir "$JOB" --each >"$BATS_TEST_TMPDIR/out"
	python3 "$HELPERS/widths.py" 20 <"$BATS_TEST_TMPDIR/out"
}

@test "a terminal without a width: COLUMNS counts, else 80" {
	needs_terminal
	COLUMNS=50 on_terminal 0 "$MSPROF" show -dir "$JOB" >"$BATS_TEST_TMPDIR/out"
	python3 "$HELPERS/widths.py" 50 <"$BATS_TEST_TMPDIR/out"
	for columns in '' x -1 99999999; do
		COLUMNS=$columns on_terminal 0 "$MSPROF" show -dir "$JOB" >"$BATS_TEST_TMPDIR/out"
		python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/out"
	done
	COLUMNS=20 on_terminal 150 "$MSPROF" show -dir "$JOB" >"$BATS_TEST_TMPDIR/out"
	[ "$(python3 "$HELPERS/widths.py" 150 <"$BATS_TEST_TMPDIR/out")" -gt 100 ]
}

@test "numbers stay whole on a narrow terminal" {
	needs_terminal
	on_terminal 80 "$MSPROF" show -dir "$JOB" --each >"$BATS_TEST_TMPDIR/out"
	grep -q 156284 "$BATS_TEST_TMPDIR/out"
	grep -q 10207.71 "$BATS_TEST_TMPDIR/out"
}

@test "colours on a terminal, none in a pipe, with NO_COLOR, or where TERM is dumb" {
	needs_terminal
	run env TERM=xterm python3 "$HELPERS/pty_run.py" 120 "$MSPROF" show -dir "$JOB"
	has "$output" $'\e[36m'
	COLUMNS=100 TERM=xterm expect 0 show -dir "$JOB"
	lacks "$output" $'\e'
	for setting in "NO_COLOR=1" "TERM=dumb" "TERM="; do
		run env TERM=xterm "$setting" python3 "$HELPERS/pty_run.py" 120 "$MSPROF" show -dir "$JOB"
		has "$output" "Frequency :"
		lacks "$output" $'\e'
	done
	run env TERM=xterm NO_COLOR= python3 "$HELPERS/pty_run.py" 120 "$MSPROF" show -dir "$JOB"
	has "$output" $'\e[36m'
}

@test "the width of a pipe is unlimited, whatever COLUMNS says" {
	expect 0 show -dir "$JOB"
	wide=$output
	COLUMNS=40 expect 0 show -dir "$JOB"
	equal "$output" "$wide"
}

@test "progress is shown on a terminal and leaves nothing behind" {
	needs_terminal
	run on_terminal 100 "$MSPROF" import -dir "$JOB"
	equal "$status" 0
	has "$output" "imported $(query "SELECT sum(records) FROM source") records"
}

@test "a table without data has its title and the reason" {
	rm "$JOB"/data/*
	expect 0 show -dir "$JOB"
	[[ $output == "No verdict: "*"Overview :"*"no data: no task"*"AA Core Metrics :"*"no data: the model was converted"*"Op statistic :"*"no data"*"Acl statistic :"*"no data: no acl_api"*"Frequency :"* ]]
	has "$output" "--online_model_type=2"
	expect 0 show -dir "$JOB" --format json
	equal "$(jq '.tables | length' <<<"$output")" 5
	expect 0 show -dir "$JOB" --format csv --table 'Op statistic'
	equal "$output" "job,device_id,model_id,current_pic,iter,$(titles show/svp/2_op_statistic)"
	has "$stderr" "Op statistic: no data: "
}

@test "afterwards the job has sqlite, log and timeline" {
	expect 0 show -dir "$JOB"
	[ -d "$JOB/sqlite" ] && [ -d "$JOB/log" ] && [ -d "$JOB/timeline" ] && [ -s "$DB" ]
}

@test "show of data that is parsed parses nothing again" {
	expect 0 import -dir "$JOB"
	before=$(stat -c '%i %Y' "$DB")
	expect 0 show -dir "$JOB"
	equal "$(stat -c '%i %Y' "$DB")" "$before"
	equal "$stderr" ""
}

@test "several jobs are shown one after the other, each by name" {
	mkdir "$BATS_TEST_TMPDIR/jobs"
	genjob "$BATS_TEST_TMPDIR/jobs/JOBA" --model first
	genjob "$BATS_TEST_TMPDIR/jobs/JOBB" --model second
	expect 0 show -dir "$BATS_TEST_TMPDIR/jobs"
	[[ $output == *"Job : $BATS_TEST_TMPDIR/jobs/JOBA"*first*"Job : $BATS_TEST_TMPDIR/jobs/JOBB"*second* ]] || fail "$output"
	equal "$(grep -c '^Job : ' <<<"$output")" 2
	for format in "csv --table frequency" json; do # there the job is a key of each table
		# shellcheck disable=SC2086 # words on purpose
		expect 0 show -dir "$BATS_TEST_TMPDIR/jobs" --format $format
		lacks "$output" "Job : "
		has "$output" JOBA JOBB
	done
	expect 0 show -dir "$BATS_TEST_TMPDIR/jobs/JOBA"
	lacks "$output" "Job : "
}
