#!/usr/bin/env bats
# overview.bats: the table over all inferences or iterations with which show begins, and what follows for those that are chosen.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# overview JOB BY...: the JSON of show has the numbers that Python computes from the bytes; show ends with $WANTED, or 0
overview() {
	local by
	for by in "${@:2}"; do
		expect "${WANTED:-0}" show -q -dir "$1" --format json --by "$by"
		python3 "$HELPERS/overview_check.py" "$1" "$by" <<<"$output" || fail "$1 by $by"
	done
}

# rows JQ-FILTER: of the overview
rows() {
	jq -c ".tables[] | select(.table == \"Overview\") | $1" <<<"$output"
}

@test "every number of the overview is that which Python computes from the bytes, whatever the rows are" {
	overview "$JOB" name type layer stream
	genjob "$BATS_TEST_TMPDIR/JOBASYNC" --pictures 3 --async # no call lasts until its inference ends
	overview "$BATS_TEST_TMPDIR/JOBASYNC" name
	equal "$(rows '[.rows[] | select(.Name == "Host call around")] | length')" 0
	genjob "$BATS_TEST_TMPDIR/JOBQUIET" --pictures 3 --calls 0
	overview "$BATS_TEST_TMPDIR/JOBQUIET" name
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/JOBQUIET"
	has "$output" "no call that executes a model was recorded before an inference of it"
	for options in "--soc dv500" "--soc cv610 --frequency 333" "--nets 3"; do
		# shellcheck disable=SC2086 # words on purpose
		genjob "$BATS_TEST_TMPDIR/JOB${options// /}" --pictures 3 $options
		overview "$BATS_TEST_TMPDIR/JOB${options// /}" name type layer stream
	done
	python3 "$HELPERS/planted_svp.py" "$BATS_TEST_TMPDIR/JOBFALSE" 1 counters # that cannot be true: no verdict
	WANTED=3 overview "$BATS_TEST_TMPDIR/JOBFALSE" name
	equal "$(rows '[.rows[].Verdict] | unique')" '[null]'
	genjob "$BATS_TEST_TMPDIR/JOBFUSED" --pictures 5 --fused 60 --utf8 --overlap 40 --seed 3 --aicpu 4
	overview "$BATS_TEST_TMPDIR/JOBFUSED" name type layer stream
	python3 "$HELPERS/planted_svp.py" "$BATS_TEST_TMPDIR/JOBHOSTED" 7 bound >/dev/null
	overview "$BATS_TEST_TMPDIR/JOBHOSTED" name layer
	equal "$(rows '.rows[2].Name')" '"Host call around"'
	equal "$(rows '[.rows[] | .Verdict] | unique - [null] | length > 2')" true
}

# ascend DIR BY...: the same for a job of Ascend cards, from the rows of its database
ascend() {
	local by
	for by in "${@:2}"; do
		expect 0 show -q -dir "$1" --format json --by "$by"
		python3 "$HELPERS/overview_check_ascend.py" "$1" "$by" <<<"$output" || fail "$1 by $by"
	done
}

@test "Ascend cards: overview and gaps of iterations, or of the whole collection, are those that Python computes from the rows" {
	made steps=3 tasks=20
	expect 0 import -q -dir "$JOB"
	sqlite3 "$DB" "UPDATE task SET dur_ns = dur_ns + id * 7 % 10 * 240; UPDATE aicore_pmu SET pmu0 = total_cycles * (task_id * 7 % 10) / 10,
		pmu4 = total_cycles * (task_id * 3 % 10) / 10" # the generator's are all alike
	ascend "$JOB" name type layer stream
	equal "$(rows '.iterations')" 3
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 60
	ascend "$BATS_TEST_TMPDIR/PROF_MADE" name type layer stream
	# tasks of several streams at a time: one may take more than the whole, and that is said
	cp -rp "$BATS_TEST_TMPDIR/PROF_MADE" "$BATS_TEST_TMPDIR/PROF_OVERLAP"
	sqlite3 "$BATS_TEST_TMPDIR/PROF_OVERLAP/sqlite/msprof.db" "UPDATE task SET dur_ns = dur_ns * 9"
	ascend "$BATS_TEST_TMPDIR/PROF_OVERLAP" type
	equal "$(rows '[.rows[]."Share(%)"] | add > 200')" true
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_OVERLAP" --table Overview
	has "$output" "Tasks overlap, and each counts with its whole time: the shares exceed 100 %."
	for finding in cube aicpu communication steps; do
		cp -rp "$BATS_TEST_TMPDIR/PROF_MADE" "$BATS_TEST_TMPDIR/PROF_$finding"
		python3 "$HELPERS/planted_prof.py" "$(find "$BATS_TEST_TMPDIR/PROF_$finding" -name msprof.db)" 1 $finding
		ascend "$BATS_TEST_TMPDIR/PROF_$finding" name
	done
	equal "$(rows '.iterations > 1')" true
	for pair in ascend2022:aicpu ascend910:communication ascend910:undescribed; do
		python3 "$HELPERS/planted_ascend.py" "$BATS_TEST_TMPDIR/JOB${pair/:/}" ${pair%:*} 1 ${pair#*:} >/dev/null
		ascend "$BATS_TEST_TMPDIR/JOB${pair/:/}" type
		equal "$(rows '.iterations')" 20
	done
}

# chosen COPY OPTION...: the overview of the iterations chosen in $JOB is that which Python computes from COPY, which has no others
chosen() {
	expect 0 show -q -dir "$JOB" --format json "${@:2}"
	python3 "$HELPERS/overview_check_ascend.py" "$1" name <<<"$output" || fail "$*"
}

@test "Ascend cards: the overview sums up what --iteration-id and --model-id choose, or says why there is none" {
	made steps=3 tasks=20
	expect 0 import -q -dir "$JOB"
	sqlite3 "$DB" "UPDATE task SET dur_ns = dur_ns + id * 7 % 10 * 240"
	cp -rp "$JOB" "$BATS_TEST_TMPDIR/JOBSECOND"
	sqlite3 "$BATS_TEST_TMPDIR/JOBSECOND/sqlite/msprof.db" "DELETE FROM step WHERE iteration <> 2"
	chosen "$BATS_TEST_TMPDIR/JOBSECOND" --iteration-id 2
	equal "$(rows '.iterations')" 1
	expect 0 show -q -dir "$JOB" --iteration-id 9 --format json
	equal "$(rows '[(.rows | length), .no_data]')" '[0,"no iteration of this model and number was recorded apart from others"]'
	equal "$(jq '[.tables[] | select(.table == "Longest idle gaps")] | length' <<<"$output")" 0

	JOB=$BATS_TEST_TMPDIR/PROF_MADE
	DB=$JOB/sqlite/msprof.db
	"$BUILD/tests/genprof" --out "$JOB" --tasks 60
	expect 0 import -q -dir "$JOB"
	read -r a b c < <(query "SELECT group_concat(t, ' ') FROM (SELECT start_ns + dur_ns AS t FROM task WHERE is_op = 1 AND (id - 1) % 20 = 19 ORDER BY id)")
	sqlite3 "$DB" "DELETE FROM step; INSERT INTO step(device_id, model_id, index_id, start_ns, end_ns, before_ns)
		VALUES(0, 1, 1, (SELECT max(start_ns) FROM task WHERE start_ns + dur_ns < $a), $a, NULL), (0, 1, 2, $a, $b, $a), (0, 2, 1, $b, $c, NULL)"
	for choice in "--model-id 1:model_id = 1:2" "--model-id 2:model_id = 2:1" "--iteration-id 2:index_id = 2:1"; do
		IFS=: read -r options kept steps <<<"$choice"
		discard "$BATS_TEST_TMPDIR/PROF_KEPT"
		cp -rp "$JOB" "$BATS_TEST_TMPDIR/PROF_KEPT"
		sqlite3 "$BATS_TEST_TMPDIR/PROF_KEPT/sqlite/msprof.db" "DELETE FROM step WHERE NOT ($kept)"
		# shellcheck disable=SC2086 # words on purpose
		chosen "$BATS_TEST_TMPDIR/PROF_KEPT" $options
		equal "$choice $(rows '.iterations')" "$choice $steps"
	done
	expect 0 show -q -dir "$JOB" --iteration-id 1 --format json # of both models
	equal "$(rows '.iterations')" 2
	expect 0 show -q -dir "$JOB" --format json
	equal "$(rows '.iterations')" null
	sqlite3 "$DB" "UPDATE step SET start_ns = start_ns - 5000 WHERE model_id = 2" # its tasks are not known any more
	expect 0 show -q -dir "$JOB" --model-id 2
	has "$output" "no data: no iteration of this model and number was recorded apart from others"

	JOB=$BATS_TEST_TMPDIR/JOBOLD
	DB=$JOB/sqlite/msprof.db
	python3 "$HELPERS/planted_ascend.py" "$JOB" ascend910 1 communication >/dev/null
	expect 0 show -q -dir "$JOB" --iteration-id 3 --format json
	equal "$(rows '.iterations')" 1
	length=$(query "SELECT (b - a) / 1000.0 FROM (SELECT time_ns AS b, lag(time_ns) OVER (ORDER BY time_ns) AS a, row_number() OVER (ORDER BY time_ns) AS n FROM step_trace WHERE type = 255) WHERE n = 3")
	equal "$(rows ".rows[0][\"Mean(us)\"] - $length | fabs < 0.006")" true
	expect 0 show -q -dir "$JOB" --iteration-id 3
	has "$output" "Op statistic is of the whole collection."
	expect 0 show -q -dir "$JOB" --model-id 1
	has "$output" "no data: this generation of data does not tell models apart: --iteration-id N chooses an iteration"
}

@test "a whole collection of a PROF directory: its first screen has ten operators, a pipe and CSV have all" {
	needs_terminal
	JOB=$BATS_TEST_TMPDIR/PROF_MADE
	"$BUILD/tests/genprof" --out "$JOB" --tasks 60
	python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -q -dir "$JOB" >"$BATS_TEST_TMPDIR/out"
	has "$(cat "$BATS_TEST_TMPDIR/out")" "… 50 more rows (--top 0 shows all)"
	expect 0 show -q -dir "$JOB"
	lacks "$output" "more rows"
	expect 0 show -q -dir "$JOB" --top 0
	lacks "$output" "more rows"
	expect 0 show -q -dir "$JOB" --table "Op summary" --format csv
	equal "$(grep -c ',AI_CORE,' <<<"$output")" 60
}

@test "a table has the name of its exported file, too: op_summary of every family" {
	local by_title board
	fresh_job
	board=$JOB
	made tasks=4
	python3 "$HELPERS/planted_ascend.py" "$BATS_TEST_TMPDIR/JOBOLD" ascend910 1 communication >/dev/null
	for job in "$board" "$JOB"; do
		expect 0 show -q -dir "$job" --table "AA Core Metrics" --format csv
		by_title=$output
		has "$by_title" Task
		expect 0 show -q -dir "$job" --table op_summary --format csv
		equal "$output" "$by_title"
	done
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/JOBOLD" --table op_summary # has no such counters
}

@test "Ascend cards: statistics of operators and of calls are tables of 80 columns; no cell joins numbers, and columns that are left out are named" {
	needs_terminal
	made tasks=40
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 60
	python3 "$HELPERS/planted_ascend.py" "$BATS_TEST_TMPDIR/JOBOLD" ascend910 1 communication >/dev/null
	for pair in "$JOB:op_statistic" "$JOB:acl_statistic" "$BATS_TEST_TMPDIR/PROF_MADE:op_statistic" "$BATS_TEST_TMPDIR/PROF_MADE:api_statistic" \
		"$BATS_TEST_TMPDIR/JOBOLD:op_statistic"; do
		python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -q -dir "${pair%:*}" --table "${pair#*:}" >"$BATS_TEST_TMPDIR/out"
		python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/out"
		grep -q '^│' "$BATS_TEST_TMPDIR/out" || fail "$pair $(cat "$BATS_TEST_TMPDIR/out")"
		grep -q 'more columns (--columns): ' "$BATS_TEST_TMPDIR/out" || fail "$pair $(cat "$BATS_TEST_TMPDIR/out")"
		! grep -E '[0-9]/[0-9]' "$BATS_TEST_TMPDIR/out" || fail "$pair joins numbers"
		python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -q -dir "${pair%:*}" --table "${pair#*:}" --columns all >"$BATS_TEST_TMPDIR/out"
		lacks "$(cat "$BATS_TEST_TMPDIR/out")" "more columns"
	done
	expect 0 show -q -dir "$JOB" --table op_statistic
	has "$output" "│ OP Type" " Min Time(us) │"
	expect 0 show -q -dir "$JOB" --table op_statistic --style vendor
	has "$(tr -s ' ' <<<"$output")" "│ OP Type │ Core Type │ Count │ Total Time(us) │"
	expect 0 show -q -dir "$JOB" --table op_statistic --columns 'count,max time' # whose neighbours are left out
	has "$(tr -s ' ' <<<"$output")" "│ OP Type │ Count │ Max Time(us) │"
	expect 0 show -q -dir "$JOB" --table op_statistic --format csv
	has "$(head -1 <<<"$output")" "$(titles show/ascend2022/2_op_statistic)"
	expect 0 show -q -dir "$JOB" --table op_statistic --format json
	equal "$(jq -r '.tables[0].rows[0] | keys_unsorted | join(",")' <<<"$output")" "$(titles show/ascend2022/2_op_statistic)"
}

@test "the second computation of Ascend data refuses wrong numbers" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 60
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" --format json
	python3 "$HELPERS/overview_check_ascend.py" "$BATS_TEST_TMPDIR/PROF_MADE" name <<<"$output"
	for change in '.tables[1].rows[1]["Mean(us)"] += 0.02' '.tables[1].rows[3].Verdict = "best"' '.tables[1].rows[4]["Max(us)"] += 0.02' '.tables[1].idle_percent += 0.02' \
		'.tables[2].rows[0]["Idle(us)"] += 0.02'; do
		! jq "$change" <<<"$output" | python3 "$HELPERS/overview_check_ascend.py" "$BATS_TEST_TMPDIR/PROF_MADE" name 2>/dev/null || fail "$change"
	done
}

@test "Ascend cards: one screen, or the iteration that is chosen; --style vendor prints the tables of before" {
	made steps=3 tasks=20
	expect 0 show -dir "$JOB"
	[[ $output == *"Overview :"*"Iterations : 3"*"none shown: --iteration-id N chooses an iteration, --each shows all"* ]] || fail "$output"
	expect 0 show -dir "$JOB" --iteration-id 2
	equal "$(grep -o 'Iteration : [0-9]*' <<<"$output" | sort | uniq -c | xargs)" "2 Iteration : 2"
	expect 0 show -dir "$JOB" --each
	equal "$(grep -o 'Iteration : [0-9]*' <<<"$output" | sort | uniq -c | xargs)" "2 Iteration : 1 2 Iteration : 2 2 Iteration : 3"
	expect 0 show -dir "$JOB" --style vendor
	[[ $output == "AI Core Metrics :"* ]]
	equal "$(grep -c '^AI Core Metrics' <<<"$output")" 4 # and the tasks before the first iteration
	expect 0 show -dir "$JOB" --iteration-id 9
	has "$output" "no data: nothing of an iteration of this model and number was recorded"
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 60 --samples
	db=$BATS_TEST_TMPDIR/PROF_MADE/sqlite/msprof.db
	expect 0 import -q -dir "$BATS_TEST_TMPDIR/PROF_MADE"
	first=$(query "SELECT start_ns + dur_ns FROM task WHERE is_op = 1 ORDER BY id LIMIT 1 OFFSET 19" "$db")
	last=$(query "SELECT start_ns + dur_ns FROM task WHERE is_op = 1 ORDER BY id LIMIT 1 OFFSET 39" "$db")
	sqlite3 "$db" "DELETE FROM step; INSERT INTO step(device_id, model_id, index_id, start_ns, end_ns, before_ns) VALUES(0, 1, 1, 0, $first, NULL),
		(0, 1, 2, $first, $last, $first)"
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE"
	has "$output" "Op summary :
  none shown: --iteration-id N chooses an iteration, --each shows all"
	for choice in "--iteration-id 2:20" "--iteration-id 1:20" "--model-id 1:40" "--each:60"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" --format json --top 0 ${choice%:*}
		equal "$choice $(jq '[.tables[] | select(.table == "Op summary") | .rows[]] | length' <<<"$output")" "$choice ${choice#*:}"
		equal "$choice $(jq '[.tables[] | select(.table == "Op statistic") | .rows[].Count] | add' <<<"$output")" "$choice ${choice#*:}"
	done
}

@test "show of a PROF directory has the ratios of its op_summary" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 30
	expect 0 export summary -q -dir "$BATS_TEST_TMPDIR/PROF_MADE"
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" --format json --table op_summary
	python3 - "$BATS_TEST_TMPDIR/PROF_MADE"/mindstudio_profiler_output/op_summary_*.csv 3<<<"$output" <<-'END'
		import csv, json, os, sys
		rows = [r for t in json.load(os.fdopen(3))["tables"] for r in t["rows"]]
		exported = list(csv.DictReader(open(sys.argv[1])))
		ratios = [k for k in rows[0] if k.endswith("_ratio")]
		assert {"aic_mac_ratio", "aic_mte2_ratio", "aiv_vec_ratio"} <= set(ratios) and len(rows) == len(exported) == 30, (ratios, len(exported))
		for row, file in zip(rows, exported):
		    for k in ratios:
		        core = row[k[:4] + "total_cycles"]
		        assert (row[k] is None) == (core is None) and (core is None or abs(row[k] - float(file[k])) < 0.0011), (k, row, file)
	END
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" --sort aic_mac_ratio --columns 'op name,aic_mac_ratio' --format csv --table op_summary
	equal "$(head -1 <<<"$output")" "job,device_id,Task ID,Op Name,aic_mac_ratio"
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" --style vendor
	lacks "$output" _ratio
}

@test "the second computation refuses wrong numbers" {
	expect 0 show -q -dir "$JOB" --format json
	for change in '.rows[0]["Mean(us)"] += 0.02' '.rows[1]["Share(%)"] += 0.02' '.rows[4]["Max(us)"] += 0.02' '.rows[5].Verdict = "ok!"' '.rows[6].Tasks += 1' \
		'.fps += 0.01' '.core_fps += 0.01' '.idle_percent += 0.01' '.rows |= (.[3] as $r | .[3] = .[4] | .[4] = $r)'; do
		! jq "(.tables[] | select(.table == \"Overview\")) |= ($change)" <<<"$output" | python3 "$HELPERS/overview_check.py" "$JOB" name 2>/dev/null || fail "$change"
	done
}

@test "20 inferences are one screen of 80 columns; --each has a table for each" {
	generate --pictures 20 --fused 0 # names are whole in a pipe
	expect 0 show -dir "$JOB"
	[[ $output == "resnet50: "*$'\n\n'"Standing : "*$'\n\n'"Overview :"* ]]
	has "$output" "Inferences : 20" "  none shown: --picture N chooses an inference, --each shows all" "Frequency : 700 Mhz"
	lacks "$output" "Current pic count" "more rows" # a pipe has all, as the help of --top says
	sed -n '/^Overview/,/^$/p' <<<"$output" >"$BATS_TEST_TMPDIR/overview"
	python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/overview"
	needs_terminal
	python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -dir "$JOB" >"$BATS_TEST_TMPDIR/out"
	python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/out"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -le 56 ]
	has "$(cat "$BATS_TEST_TMPDIR/out")" "more rows (--top 0 shows all)"
	expect 0 show -dir "$JOB" --each
	equal "$(grep -c '^Model name : .* Current pic count: ' <<<"$output")" 20
	equal "$(grep -c '^Model id : 46 Current pic count: ' <<<"$output")" 20
}

# first_screen MOST JOB: the lines that show prints on a terminal of 80 columns, at most MOST beside the standing and the verdict, in $BATS_TEST_TMPDIR/out
first_screen() {
	TERM=dumb python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -q -dir "$2" >"$BATS_TEST_TMPDIR/out"
	python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/out"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -le $(($1 + 9)) ] || fail "$2: $(cat "$BATS_TEST_TMPDIR/out")"
	equal "$(grep -c '^├' "$BATS_TEST_TMPDIR/out")" 0 # each row is one line
}

@test "every family begins with one screen of 80 columns, whose last line names the other tables; a pipe has them all" {
	needs_terminal
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 60
	first_screen 50 "$BATS_TEST_TMPDIR/PROF_MADE"
	has "$(cat "$BATS_TEST_TMPDIR/out")" "Further tables : Op summary, Api statistic, Frequency
    --table NAME prints one, --each all"
	expect 0 show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE"
	has "$output" "Op summary :" "Api statistic :" "Frequency :" # and whole names
	lacks "$output" "Further tables" "│ .."
	for option in --each "--top 9" "--sort time" "--columns Name" "--style vendor"; do
		# shellcheck disable=SC2086 # words on purpose
		python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" $option >"$BATS_TEST_TMPDIR/out"
		has "$(cat "$BATS_TEST_TMPDIR/out")" "Op summary" "Frequency"
		lacks "$(cat "$BATS_TEST_TMPDIR/out")" "Further tables"
	done
	python3 "$HELPERS/planted_ascend.py" "$BATS_TEST_TMPDIR/JOBOLD" ascend910 1 undescribed >/dev/null
	first_screen 55 "$BATS_TEST_TMPDIR/JOBOLD"
	has "$(cat "$BATS_TEST_TMPDIR/out")" "AI Core Metrics :" "Acl statistic :" # why there are none
	made tasks=40
	first_screen 50 "$JOB"
	has "$(cat "$BATS_TEST_TMPDIR/out")" "Further tables : AI Core Metrics, Acl statistic"
	generate --pictures 1 --fused 60
	first_screen 50 "$JOB"
	has "$(cat "$BATS_TEST_TMPDIR/out")" "│ .." "Further tables : AA Core Metrics, Op statistic, Acl statistic"
	python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -q -dir "$JOB" --table overview >"$BATS_TEST_TMPDIR/out"
	lacks "$(cat "$BATS_TEST_TMPDIR/out")" "│ .."
}

@test "no word of a title is broken on 80 columns where another column has room" {
	needs_terminal
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE"
	TERM=dumb python3 "$HELPERS/pty_run.py" 80 "$MSPROF" query -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" >"$BATS_TEST_TMPDIR/out"
	words=$(sed -n '/^╒/,/^╞/p' "$BATS_TEST_TMPDIR/out" | tr -d '╒═╤╕╞╪╡│' | xargs -n 1 | sort | xargs)
	equal "$words" "$(titles query/prof/1_jobs | tr ' ,' '[\n*]' | sort | xargs)"
}

@test "--picture and --model-id choose, --table shows each; what does not exist is said" {
	generate --pictures 3 --interval 5 --models 2
	expect 0 show -dir "$JOB" --picture 5
	equal "$(grep -c '^Overview :' <<<"$output")" 2
	equal "$(grep -o 'Current pic count: [0-9]*' <<<"$output" | sort | uniq -c | xargs)" "4 Current pic count: 5"
	expect 0 show -dir "$JOB" --picture 5 --model-id 46
	equal "$(grep -o 'Current pic count: [0-9]*' <<<"$output" | sort | uniq -c | xargs)" "2 Current pic count: 5"
	has "$output" "Model id : 46 Inferences : 3"
	lacks "$output" "Model id : 32"
	expect 0 show -dir "$JOB" --model-id 32
	equal "$(grep -o 'Current pic count: [0-9]*' <<<"$output" | wc -l)" 6
	lacks "$output" "Model id : 46"
	expect 0 show -dir "$JOB" --table aa_core_metrics
	equal "$(grep -c 'Current pic count: ' <<<"$output")" 6
	expect 0 show -dir "$JOB" --format json
	equal "$(jq '[.tables[] | select(.table == "AA Core Metrics")] | length' <<<"$output")" 6
	expect 0 show -dir "$JOB" --picture 7
	equal "$(grep -c 'no data: nothing of an inference of this model and number was recorded' <<<"$output")" 2
	for command in show advise; do
		expect 1 $command -dir "$JOB" --model-id 48
		equal "$output$stderr" "msprof: error: model 48 not found; models: yolov5n_noquat (32), resnet50 (46)"
		expect 0 $command -q -dir "$JOB" --model-id 32
		has "$output" yolov5n_noquat
		lacks "$output" resnet50
	done
	expect 0 show -q -dir "$JOB" --model-id 32 --table longest_idle_gaps --format json
	chosen=$(jq -c '.tables[0].rows' <<<"$output")
	discard "$JOB"/sqlite "$JOB"/data/*.46.* # gaps are those of a job with this model alone
	expect 0 show -q -dir "$JOB" --table longest_idle_gaps --format json
	equal "$chosen" "$(jq -c '.tables[0].rows' <<<"$output")"
	equal "$(jq '. | length > 0' <<<"$chosen")" true
	generate --pictures 1 # nothing to choose from
	expect 0 show -dir "$JOB"
	has "$output" "Current pic count: 0"
	expect 2 show -dir "$JOB" --by colour
	expect 2 show -dir "$JOB" --picture x
}

# inference CPU_START CPU_END TICKS...: the only inference of a job: tasks 1, 2, ... of the core from 0 us on, then one of the AI CPU
inference() {
	local core cpu zero=1700000000000000 number=0 ticks
	generate --tasks 0 --aicpu 0 --calls 0
	core=$JOB/data/aicore.0.resnet50.16.46.1.1.0
	cpu=${core/aicore/aicpu}
	for ticks in "${@:3}"; do
		number=$((number + 1))
		python3 "$HELPERS/raw.py" core task=$number ticks="$ticks"
	done >"$core"
	python3 "$HELPERS/raw.py" marker len=$((256 * number)) start=$zero end=$((zero + $2)) hit=1 miss=0 >"$core.done"
	python3 "$HELPERS/raw.py" cpu task=3 start=$((zero + $1)) end=$((zero + $2)) >"$cpu"
	python3 "$HELPERS/raw.py" marker len=128 start=$((zero + $1)) end=$((zero + $2)) >"$cpu.done"
}

@test "the slowest task is named where it ran on the AA CPU, and where on the core" {
	inference 1100 2338 7553 100
	expect 0 show -dir "$JOB" --sort time --top 5
	has "$output" "Slowest task : (task 3, AA CPU) 1238 us"
	equal "$(awk -F'│' '$2 ~ /[0-9]/ { print $3, $4, $8 }' <<<"$output" | head -1 | xargs)" "task 3 1238 AA CPU"
	inference 1100 1243 7553 100
	expect 0 show -dir "$JOB" --sort time
	has "$output" "Slowest task : (task 1, AA Core) 1079 us"
}

@test "Fps says what it counts" {
	inference 2000 3000 3500 3500
	expect 0 show -dir "$JOB"
	has "$output" "Fps : 333.33  (from start to end; core time only: 1000)" "Device busy : 66.67 %  idle : 33.33 %" \
		"Fps : 1000  (frames per second in model, core time only)"
}

@test "--columns: only the first column and these, of every table that has one; --sort may use another one" {
	expect 0 show -dir "$JOB" --format csv --table overview --columns 'type, MEAN' --sort name
	equal "$(head -1 <<<"$output")" "job,device_id,model,model_id,inferences,fps,core_fps,busy_percent,idle_percent,Tasks,Type,Mean(us)"
	all=$output
	expect 0 show -dir "$JOB" --format json --columns 'time ratio,Name'
	equal "$(jq -r '[.tables[] | .table + ": " + (.rows[0] // {} | keys_unsorted | join(", "))] | unique[]' <<<"$output")" \
		"AA Core Metrics: Task ID, Time Ratio(%)
Acl statistic: Process ID, Name
Counters: 
Frequency: 
Longest idle gaps: $(titles show/0_overview_gaps | sed 's/,Group//; s/,/, /g')
Op statistic: $(titles show/svp/2_op_statistic | sed 's/,/, /g')
Overview: Tasks, Name
Standing: "
	expect 0 show -dir "$JOB" --each --columns 'Time Ratio' # which is joined to another column
	has "$output" "│ Task ID │ Time Ratio(%) │"
	names=$(python3 -c 'import csv, sys; print([r["Type"] for r in csv.DictReader(sys.stdin)])' <<<"$all")
	expect 0 show -dir "$JOB" --format csv --table overview --columns type,name --sort name
	equal "$(python3 -c 'import csv, sys; print([r["Type"] for r in csv.DictReader(sys.stdin)])' <<<"$output")" "$names"
	for list in '' 'Name,shre' 'Name,,Type'; do
		expect 1 show -dir "$JOB" --columns "$list"
		has "$stderr" "not found" "columns: Tasks, Name, Type, "
		equal "$output" ""
	done
	has "$stderr" "column '' not found"
}

@test "each key and each column of the overview is documented, and nothing else" {
	made steps=3 tasks=20
	expect 0 show -q -dir "$JOB" --format json --columns "$(titles show/svp/0_overview)"
	found=$(jq -r '.tables[] | select(.table == "Overview") | (keys[], (.rows[0] | keys[]))' <<<"$output")
	fresh_job
	expect 0 show -q -dir "$JOB" --format json --columns "$(titles show/svp/0_overview)"
	found+=$'\n'$(jq -r '.tables[] | select(.table == "Overview") | (keys[], (.rows[0] | keys[]))' <<<"$output")
	documented=$(sed -n '/^The table `Overview`/,/^`Longest/p' "$ROOT/docs/SCRIPTS.md" | sed -n 's/^| \([^|]*`\)\]* |.*/\1/p' | grep -o '`[^`]*`' | tr -d '`')
	equal "$(grep -vxE 'table|job|rows' <<<"$found" | sort -u)" "$(sort -u <<<"$documented")"
}

@test "a threshold stands in one place; the documentation of rules and verdicts has its number" {
	cd "$ROOT"
	shared=$(sed -n 's/^\([a-z_0-9]*\) .*/\1/p' schema/reports/thresholds.txt)
	[ "$(wc -l <<<"$shared")" -ge 15 ] || fail "$shared"
	equal "$(grep -rhoE "^-- @threshold ($(paste -sd'|' <<<"$shared")) [0-9.]+" schema | sort -u | grep -v ' least_share ')" ""
	equal "$(grep -rhoE '^-- @threshold [a-z_0-9]+ [0-9.]+' schema | sort | uniq -d)" ""
	expect 0 advise --list --format json
	jq -r '.tables[0].rows[] | "\(.Rule) \(.Threshold)"' <<<"$output" | sort >"$BATS_TEST_TMPDIR/rules"
	sed -n 's/^| `\([a-z_]*\)` | .* | \(.*\) |$/\1 \2/p' docs/INSIGHT.md | grep -E "^($(cut -d' ' -f1 "$BATS_TEST_TMPDIR/rules" | paste -sd'|')) " | sort |
		diff "$BATS_TEST_TMPDIR/rules" -
	verdicts=$(sed -n '/^| verdict | SS928/,/^$/p' docs/INSIGHT.md)
	while read -r name number _; do
		case $name in
		mac_ppen | vec_ppen | dld | wld | dstr) wanted="$(jq -n "$number * 100") %" ;;
		mac | mte2 | together | each_unit) wanted=$(printf '%.2f' "$number") ;;
		*) continue ;;
		esac
		has "$verdicts" "$wanted"
	done <schema/reports/thresholds.txt
}
