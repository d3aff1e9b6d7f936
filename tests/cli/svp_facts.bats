#!/usr/bin/env bats
# svp_facts.bats: what follows from the records of a board: names, streams, runs, calls around inferences, the standing of counters, notes.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# board KIND [NUMBER]: the job of helpers/svp_made.py, imported; what is broken ends with 3
board() {
	JOB=$BATS_TEST_TMPDIR/JOBBOARD
	DB=$JOB/sqlite/msprof.db
	export DB
	discard "$JOB"
	python3 "$HELPERS/svp_made.py" "$JOB" "$@"
	expect "$([ "$1" = broken ] && echo 3 || echo 0)" import -dir "$JOB"
}

# events FILE FILTER: what jq makes of each event of a file of the timeline
events() {
	jq -r '.traceEvents[] | select(.ph == "X") | '"$2" "$JOB/timeline/$1"
}

# notes KIND: the texts of these notes
notes() {
	query "SELECT text FROM note WHERE kind = '$1'"
}

@test "models that take turns in a file have their own tasks, names and files" {
	board turns
	equal "$(query "SELECT model, count(*), min(row), max(row) FROM tasks GROUP BY 1")" $'a|18|1|33\nb|18|4|36'
	equal "$(query 'SELECT DISTINCT name FROM tasks ORDER BY 1')" $'o0_0,r0_0\no0_1,r0_1\no0_2,r0_2'
	expect 0 export timeline -q -dir "$JOB"
	for model in a.0 b.1; do
		equal "$(events "task_time_0.$model.1.json" '"\(.ts)"' | sort -n | head -2)" "$(jq -rn --arg m "$model" \
			'1795705000000000 + (if $m == "a.0" then 0 else 50 end) | "\(.)\n\(. + 1)"')"
		equal "$(events "task_time_0.$model.1.json" .name | sort | uniq -c | awk '{print $1}' | paste -sd,)" 6,6,6
	done
	equal "$(events trace.json 'select(.args."Task Id" == 0) | "\(.pid) \(.ts)"' | awk '{n[$1]++} END {for (p in n) print n[p]}')" $'6\n6'
	equal "$(jq '.otherData["events on overlap lanes"]' "$JOB"/timeline/*.json | paste -sd,)" 0,0,0
	discard "$JOB"/timeline
	expect 0 export timeline -q -dir "$JOB" --model-id 1 --picture 3
	equal "$(cd "$JOB"/timeline && echo *)" "task_time_0.b.1.1.json trace.json"
	equal "$(events task_time_0.b.1.1.json .ts | sort -n | head -1)" 1795705000000350
	expect 0 report -q -dir "$JOB" -o "$BATS_TEST_TMPDIR/page.html"
}

@test "the same bytes without the fast readers: runs, streams, counters that are not shown" {
	local kind way want
	for kind in turns streams broken nets; do
		board "$kind"
		want=$([ "$kind" = broken ] && echo 3 || echo 0)
		for way in fast plain; do
			[ "$way" = fast ] || export MSPROF_PLAIN=1
			for command in "export timeline" "export summary" "export timeline --format perfetto"; do
				# shellcheck disable=SC2086 # words
				expect "$want" $command -q -dir "$JOB"
			done
			for command in "show --each --format json" "advise --format json" "show --by stream --format json"; do
				# shellcheck disable=SC2086 # words
				expect "$want" $command -dir "$JOB"
				printf '%s\n' "$output" >>"$JOB/timeline/documents"
			done
			mkdir "$BATS_TEST_TMPDIR/$kind.$way"
			mv "$JOB"/timeline "$JOB"/summary "$BATS_TEST_TMPDIR/$kind.$way"
			unset MSPROF_PLAIN
		done
		diff -r "$BATS_TEST_TMPDIR/$kind".{fast,plain}
	done
}

@test "streams are those of the files; nets on the CPU have the names of their operators" {
	board streams
	equal "$(query "SELECT task_type, stream_id, task_id, count(*), name, type FROM tasks WHERE task_type = 'AA_CPU' OR task_id = 0 GROUP BY 1, 2, 3 ORDER BY 1, 2, 3")" \
		"$(printf '%s\n' 'AA_CORE|2|0|2|o0_0,r0_0|Convolution' 'AA_CORE|3|0|2|o0_0,r0_0|Convolution' 'AA_CPU|2|2|2|First|First' 'AA_CPU|2|5|2|Second|Second' \
			'AA_CPU|3|2|2|First|First' 'AA_CPU|3|5|2|Second|Second')"
	expect 0 export timeline -q -dir "$JOB"
	equal "$(jq -r '.traceEvents[] | select(.name == "thread_name") | .args.name' "$JOB"/timeline/task_time* | sort | paste -sd,)" \
		"AA CPU, stream 2,AA CPU, stream 3,Stream 2,Stream 3"
	equal "$(events task_time_0.m.4.1.json '"\(.args."Stream Id") \(.args."Task Type") \(.dur)"' | sort | uniq -c | sort -k2 | awk '{print $1, $2, $3, $4}')" \
		"$(printf '%s\n' '2 2 AA_CORE 1' '2 2 AA_CORE 2' '2 2 AA_CORE 3' '4 2 AA_CPU 4' '2 3 AA_CORE 1' '2 3 AA_CORE 2' '2 3 AA_CORE 3' '4 3 AA_CPU 4')"
	expect 0 show -dir "$JOB" --by stream --format json
	equal "$(jq -c '[.tables[] | select(.table == "Overview") | .rows[] | select(.Name | startswith("stream")) | [.Name, .Tasks, ."Mean(us)"]] | sort' <<<"$output")" \
		'[["stream 2",4,4],["stream 2",6,2],["stream 3",4,4],["stream 3",6,2]]'
	expect 0 export summary -q --style vendor -dir "$JOB"
	equal "$(cut -d, -f2-6 "$JOB"/summary/op_statistic_0_4_0_1.csv | tail -n +2 | sort)" \
		"$(printf '%s\n' '2,Convolution,AI_CORE,4,28.57' '2,First,AI_CPU,4,28.57' '2,Pooling,AI_CORE,2,14.29' '2,Second,AI_CPU,4,28.57')"
	has "$(cd "$JOB"/summary && echo op_summary*)" op_summary_0.m.4.1.1.0.0.250000.700.csv
}

@test "counters whose assumed places can be true carry that once; others are not shown, nor what follows from them" {
	board streams
	expect 0 show -dir "$JOB" --format json --each
	equal "$(jq -c '[.tables[] | select(.table == "Assumed" or .table == "Counters") | .table, .what]' <<<"$output")" \
		'["Counters","counters in assumed places, not verified: msprof learn finds them from the vendor'"'"'s tables"]'
	equal "$(jq -c '[.tables[] | select(.table == "AA Core Metrics")][0].rows[1] | [."Mac Ppen Ratio(%)", ."Dstr Ratio(%)", ."DDR Total(KB)"]' <<<"$output")" '[40,1,3]'
	board broken
	equal "$(query 'SELECT standing, shown FROM counters')" 'contradicted|'
	expect 3 show -dir "$JOB" --format json --each
	has "$(jq -r '.tables[] | select(.table == "Counters") | .what' <<<"$output")" "counters are not shown: mac_ppen <= mac_busy: not so in 1 of 6 (data/aicore.0.m.16.0.1.1.1)"
	equal "$(jq -r '.tables[] | select(.table == "Assumed").what' <<<"$output")" ''
	equal "$(jq -c '[.tables[] | select(.table == "AA Core Metrics") | .rows[] | to_entries[] | select(.key | test("Ratio\\(%\\)$|Memory|DDR|BandWidth"))
		| select(.key != "Time Ratio(%)") | .value] | unique' <<<"$output")" '[null]'
	equal "$(jq -c '[.tables[] | select(.table == "AA Core Metrics") | .rows[] | ."Time(us)"]' <<<"$output")" '[6,1,2,3,6,1,2,3]'
	equal "$(jq -c '[.tables[] | select(.table == "Overview") | .rows[].Verdict] | unique' <<<"$output")" '[null]'
	for style in guide vendor; do
		expect 3 export summary -q -dir "$JOB" --style "$style"
		equal "$(python3 - "$JOB"/summary/op_summary*.csv <<-'END'
			import csv, sys
			for name in sys.argv[1:]:
			    for row in csv.DictReader(open(name)):
			        print(*{row[k] for k in row if k.startswith(("Mac", "Vec", "D", "WLD", "Memory"))}, row.get("Time(us)"))
		END
		)" "$(printf 'N/A %s\n' 6 1 2 3 6 1 2 3)"
	done
	expect 3 export timeline -q -dir "$JOB"
	equal "$(jq -c '[.traceEvents[] | select(.ph == "X") | .args | keys[] | select(test("Ratio|DDR"))]' "$JOB/timeline/trace.json")" '[]'
	expect 3 advise -dir "$JOB" --format json
	equal "$(jq -c '[.jobs[0].findings[] | select(.rule == "svp_counters") | .evidence | length]' <<<"$output")" '[1]'
	has "$(jq -r '.jobs[0].abstained[] | select(.rule == "svp_bound").reason' <<<"$output")" "counters that cannot be true"
	expect 3 report -q -dir "$JOB" -o "$BATS_TEST_TMPDIR/page.html"
	lacks "$(<"$BATS_TEST_TMPDIR/page.html")" "DDR read(MB/s)"
}

@test "a board that does not tell the net of a task: numbers of one net alone have names, the others a note" {
	board nets
	equal "$(query 'SELECT task_id, name FROM tasks')" $'0|\n1|o1_1,r1_1\n2|o1_2,r1_2'
	equal "$(notes odd)" "model m, id 0: tasks without a name, because no layer has their number: 1; 1 of the numbers are those of several nets, and the board does not tell which"
}

@test "calls may be lost where 512 of a model follow a sampled inference" {
	board ring 511
	equal "$(notes warning)" ''
	board ring 512
	equal "$(notes warning)" "calls may be lost in 1 place: a board keeps 512 calls of a model until the next sampled inference, and there are as many"
	board ring 5000
	has "$(notes warning)" "calls may be lost in 1 place"
}

@test "the call around an inference, and the asynchronous one before it" {
	board calls
	expect 0 advise -dir "$JOB" --format json
	equal "$(jq -c '.jobs[0].overview[] | select(.table == "Host call around an inference").rows[0] | [.Calls, ."Call(us)", ."Inference(us)", ."Around(us)",
		."Around(%)", ."From call to first task(us)"]' <<<"$output")" '[1,100,6,94,94,30]' # 20 us, and 40 us
	expect 0 show -dir "$JOB" --format json
	equal "$(jq -c '[.tables[] | select(.table == "Overview").rows[] | select(.Name == "Host call around") | ."Mean(us)", ."Max(us)", ."Share(%)"]' <<<"$output")" \
		'[94,94,null]' # 15 times the inference: no share of it
	has "$(notes warning)" "its .done marker is missing: the program was killed, or the model was not unloaded: calls after the last sampled inference may be missing"
	equal "$(query "SELECT count(*) FROM note WHERE text LIKE 'incomplete collection%'")" 0
	expect 0 export timeline -q -dir "$JOB" --from 0us --to 150us # of one clock, from the first task
	equal "$(events trace.json .name | sort | paste -sd,)" "Inference 0,Inference 1,o0_0,r0_0,o0_0,r0_0,o0_1,r0_1,o0_1,r0_1,o0_2,r0_2,o0_2,r0_2,svp_acl_mdl_execute"
}

@test "what takes longer than its marker says, and more tasks than the net has, is told and kept" {
	board broken
	sed -i 's/end_time:.*/end_time:1795705000000003/' "$JOB"/data/aicore.0.m.16.0.1.1.0.done
	rm "$JOB"/data/m.0.net.info
	python3 "$HELPERS/svp_made.py" "$BATS_TEST_TMPDIR/other" nets
	cp "$BATS_TEST_TMPDIR"/other/data/m.0.net.info "$JOB"/data # of 1 and 3 tasks
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT found FROM data_check WHERE name = 'window'")" "tasks take 6 us, their .done marker says 3 us"
	equal "$(query 'SELECT count(*) FROM tasks')" 6
}

@test "a miss rate of the instruction cache that no marker tells is N/A everywhere, never a number" {
	generate --pictures 2 --aicpu 0
	for marker in "$JOB"/data/aicore*.done; do sed -i '/^cache_/d' "$marker"; done
	for style in guide vendor; do
		expect 0 export summary -dir "$JOB" --style $style
		equal "$(find "$JOB/summary" -name 'op_summary*' | grep -c '\.N_A\.700\.csv$')" 2
		equal "$(find "$JOB/summary" -name 'op_summary*' | grep -c '\.0*\.700')" 0
		expect 0 show -dir "$JOB" --style $style --format json --each
		equal "$(jq -c '[.tables[] | select(.table | test("Core Metrics")) | .icache_miss_rate] | unique' <<<"$output")" '[null]'
		expect 0 show -dir "$JOB" --style $style --format csv --table "$([ $style = guide ] && echo 'AA Core Metrics' || echo 'AI Core Metrics')"
		equal "$(python3 -c 'import csv, sys; print({row["icache_miss_rate"] for row in csv.DictReader(sys.stdin)})' <<<"$output")" "{'N/A'}"
	done
	expect 0 report -dir "$JOB" -o "$BATS_TEST_TMPDIR/page.html"
	lacks "$(grep -io 'icache[^,]*' "$BATS_TEST_TMPDIR/page.html")" "0.0"
}
