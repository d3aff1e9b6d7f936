#!/usr/bin/env bats
# overview.bats: the table over all inferences or iterations with which show begins, and what follows for those that are chosen.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# overview JOB BY...: the JSON of show has the numbers that Python computes from the bytes
overview() {
	local by
	for by in "${@:2}"; do
		expect 0 show -q -dir "$1" --format json --by "$by"
		python3 "$HELPERS/overview_check.py" "$1" "$by" <<<"$output" || fail "$1 by $by"
	done
}

# rows JQ-FILTER: of the overview
rows() {
	jq -c ".tables[] | select(.table == \"Overview\") | $1" <<<"$output"
}

# record KIND KEY=VALUE...: the bytes of a record
record() {
	python3 "$HELPERS/raw.py" "$@"
}

@test "every number of the overview is that which Python computes from the bytes, whatever the rows are" {
	overview "$JOB" name type layer stream
	genjob "$BATS_TEST_TMPDIR/JOBFUSED" --pictures 5 --fused 60 --utf8 --overlap 40 --seed 3 --aicpu 4
	overview "$BATS_TEST_TMPDIR/JOBFUSED" name type layer stream
	python3 "$HELPERS/planted_svp.py" "$BATS_TEST_TMPDIR/JOBHOSTED" 7 bound >/dev/null
	overview "$BATS_TEST_TMPDIR/JOBHOSTED" name layer
	equal "$(rows '.rows[2].Name')" '"Host call around"'
	equal "$(rows '[.rows[] | .Verdict] | unique - [null] | length > 2')" true
}

@test "the second computation refuses wrong numbers" {
	expect 0 show -q -dir "$JOB" --format json
	for change in '.rows[0]["Mean(us)"] += 0.02' '.rows[1]["Share(%)"] += 0.02' '.rows[4]["Max(us)"] += 0.02' '.rows[5].Verdict = "ok!"' '.rows[6].Tasks += 1' \
		'.fps += 0.01' '.core_fps += 0.01' '.idle_percent += 0.01' '.rows |= (.[3] as $r | .[3] = .[4] | .[4] = $r)'; do
		! jq ".tables[0] |= ($change)" <<<"$output" | python3 "$HELPERS/overview_check.py" "$JOB" name 2>/dev/null || fail "$change"
	done
}

@test "20 inferences are one screen of 80 columns; --each has a table for each" {
	generate --pictures 20
	expect 0 show -dir "$JOB"
	[[ $output == "Overview :"* ]]
	has "$output" "Inferences : 20" "  none shown: --picture N chooses an inference, --each shows all" "more rows (--top 0 shows all)" "Frequency : 700 Mhz"
	lacks "$output" "Current pic count"
	[ "$(wc -l <<<"$output")" -le 50 ]
	sed -n '/^Overview/,/^$/p' <<<"$output" >"$BATS_TEST_TMPDIR/overview"
	python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/overview"
	needs_terminal
	python3 "$HELPERS/pty_run.py" 80 "$MSPROF" show -dir "$JOB" >"$BATS_TEST_TMPDIR/out"
	python3 "$HELPERS/widths.py" 80 <"$BATS_TEST_TMPDIR/out"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/out")" -le 60 ]
	expect 0 show -dir "$JOB" --each
	equal "$(grep -c '^Model name : .* Current pic count: ' <<<"$output")" 20
	equal "$(grep -c '^Model id : 46 Current pic count: ' <<<"$output")" 20
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
	equal "$(grep -c 'no data: no inference of this model and number was recorded' <<<"$output")" 2
	expect 0 show -dir "$JOB" --model-id 48
	has "$output" "no data: no inference of model 48" "no data: no call of model 48"
	generate --pictures 1 # nothing to choose from
	expect 0 show -dir "$JOB"
	has "$output" "Current pic count: 0"
	expect 2 show -dir "$JOB" --by colour
	expect 2 show -dir "$JOB" --picture x
}

@test "the slowest task is named where it ran on the AA CPU, and where on the core" {
	generate --tasks 0 --aicpu 0 --calls 0
	rm -f "$JOB"/data/aic*.done
	{ record core task=1 start=0 end=7553 && record core task=2 start=7600 end=7700; } >"$JOB/data/aicore.0.resnet50.46.1.1.0"
	record cpu task=3 stream=1 start=7700 end=16366 >"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	expect 0 show -dir "$JOB" --sort time --top 5
	has "$output" "Slowest task : (task 3, AA CPU) 1238 us"
	equal "$(awk -F'│' '$2 ~ /[0-9]/ { print $3, $4, $8 }' <<<"$output" | head -1 | xargs)" "task 3 1238 AA CPU"
	record cpu task=3 stream=1 start=7700 end=8700 >"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	expect 0 show -dir "$JOB" --sort time
	has "$output" "Slowest task : (task 1, AA Core) 1079 us"
}

@test "Fps says what it counts" {
	generate --tasks 0 --aicpu 0 --calls 0
	rm -f "$JOB"/data/aic*.done
	{ record core task=1 start=0 end=7000 && record core task=2 start=14000 end=21000; } >"$JOB/data/aicore.0.resnet50.46.1.1.0"
	expect 0 show -dir "$JOB"
	has "$output" "Fps : 333.33  (from start to end; core time only: 500)" "Device busy : 66.67 %  idle : 33.33 %" \
		"Fps : 500  (frames per second in model, core time only)"
}

@test "--columns: only the first column and these, of every table that has one; --sort may use another one" {
	expect 0 show -dir "$JOB" --format csv --table overview --columns 'type, MEAN' --sort name
	equal "$(head -1 <<<"$output")" "job,device_id,model,model_id,inferences,fps,core_fps,busy_percent,idle_percent,Tasks,Type,Mean(us)"
	all=$output
	expect 0 show -dir "$JOB" --format json --columns 'time ratio,Name'
	equal "$(jq -r '[.tables[] | .table + ": " + (.rows[0] // {} | keys_unsorted | join(", "))] | unique[]' <<<"$output")" \
		"AA Core Metrics: Task ID, Time Ratio(%)
Acl statistic: Process ID, Name
Frequency: 
Op statistic: $(titles show/svp/2_op_statistic | sed 's/,/, /g')
Overview: Tasks, Name"
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

@test "the verdict has the thresholds of the advice" {
	wanted=$(grep -E '^-- @threshold (mac_ppen|vec_ppen|dld|wld|dstr) ' "$ROOT/schema/insight/rules/svp_bound.sql")
	equal "$(wc -l <<<"$wanted")" 5
	equal "$(grep '^-- @threshold ' "$ROOT/schema/reports/show/svp/0_overview.sql")" "$wanted"
}
