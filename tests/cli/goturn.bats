#!/usr/bin/env bats
# goturn.bats: a job made from a published op_summary table exports that table again, cell by cell.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

TABLE=vendor/goturn_op_summary.tsv

setup() {
	fresh_job
	needs_shared "$TABLE"
	JOB=$BATS_TEST_TMPDIR/JOBGOTURN
	"$BUILD/tests/goturn" "$SHARED/$TABLE" "$JOB"
}

# Compare cell by cell; the published sums of DDR bytes were added up before they were rounded.
compare() {
	python3 - "$SHARED/$TABLE" "$1" <<-'END'
		import csv, sys
		with open(sys.argv[1]) as f:
		    wanted = [line.rstrip("\n").split("\t") for line in f]
		with open(sys.argv[2], newline="") as f:
		    found = list(csv.reader(f))
		assert len(found) == len(wanted), f"{len(found)} rows, not {len(wanted)}"
		differences = 0
		for number, (row, should) in enumerate(zip(found, wanted)):
		    assert len(row) == len(should), row
		    for title, cell, want in zip(wanted[0], row, should):
		        if want == '""':  # no name
		            want = "N/A"
		        near = number and title == "DDR Total(KB)" and abs(float(cell) - float(want)) < 0.0201
		        if number == 1 and title.startswith("DDR"):
		            near = abs(float(cell) - float(want)) < 0.0201
		        # where the published list of ids was cut, the export has all ids; layers whose names were cut are named "~"
		        cut = title == "Layer ID" and want.endswith("~") and cell.startswith(want[:-1]) and cell[-1].isdigit()
		        cut = cut or want.endswith("~") and cell.startswith(want) and not cell[len(want):].strip(",~")
		        if cell != want and not near and not cut:
		            differences += 1
		            print(f"row {number}, {title}: {cell!r}, published {want!r}")
		sys.exit(differences > 0)
	END
}

@test "the vendor's table comes out as it was published" {
	expect 0 export summary -dir "$JOB" --style vendor
	compare "$JOB"/summary/op_summary_*.csv
}

@test "the file has the published name" {
	expect 0 export summary -dir "$JOB" --style vendor
	[ -f "$JOB/summary/op_summary_0.goturn_nuquant.11.256.1.0.0.001741.700.csv" ]
	[ -f "$JOB/summary/acl_statistic_0_11_1.csv" ]
	[ -f "$JOB/summary/op_statistic_0_11_0_1.csv" ]
}

@test "the timeline has the published names" {
	expect 0 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "acl_0.goturn_nuquant.11.256.json task_time_0.goturn_nuquant.11.256.json trace.json"
}

@test "a task whose cells were cut has all its layers" {
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT layer_count, layer_ids, names, types FROM op WHERE task_id = 4" "$JOB/sqlite/msprof.db")" "2|4,5|conv12,po~|Convoluti~,~"
	equal "$(query "SELECT layer_count, layer_ids, names FROM op WHERE task_id = 6" "$JOB/sqlite/msprof.db")" "4|7,8,9,10|conv13,co~,~,~"
}

@test "a cell without a name is N/A" {
	expect 0 export summary -dir "$JOB" --style vendor
	[[ $(grep 'Reportop' "$JOB"/summary/op_summary_*.csv) == *,Reportop,N/A,* ]]
}

@test "the guide's style tells the same times and ratios" {
	expect 0 export summary -dir "$JOB"
	guide=$(cut -d, -f1 --complement "$JOB"/summary/op_summary_*.csv | grep -c .)
	equal "$guide" "$(wc -l <"$SHARED/$TABLE")"
	grep -q '^-,-,-,-,4387.71,100,26.94,25.75,60.06,3.74,6.97,1.9,57.19,55.07,2.12,' "$JOB"/summary/op_summary_*.csv
}

@test "show has the published numbers" {
	expect 0 show -dir "$JOB" --style vendor
	has "$output" "AI Core Metrics :" "Model name : goturn_nuquant Model id : 11 Batch num: 256 Current pic count: 0" \
		"Fps : 227  (frames per second in model)" "4387.71/100" "Frequency : 700 Mhz"
}
