#!/usr/bin/env bats
# beside.bats: what the tools of vendors left beside the data: an export keeps it, an import compares it.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	fresh_job
	cd "$BATS_TEST_TMPDIR" || return
}

@test "an export replaces its own files, and keeps those of other tools by name" {
	local kind file
	for kind in summary timeline; do
		for command in "export $kind" "export $kind" "export $kind --style vendor" "export $kind"; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -q -dir "$JOB"
		done
		files=("$JOB/$kind"/*46*)
		file=${files[0]}
		cp "$file" ours
		echo "another tool's" >"$file"
		expect 1 export "$kind" -q -dir "$JOB"
		has "$stderr" "'$file' is of another tool and stays as it is: export to another directory with --output DIR, or move it away"
		equal "$(cat "$file")" "another tool's"
		expect 0 export "$kind" -q -dir "$JOB" -o elsewhere
		cmp "elsewhere/${JOB##*/}/$kind/${file##*/}" ours
		mv "$file" moved
		expect 0 export "$kind" -q -dir "$JOB"
		cmp "$file" ours
		no_part_files "$JOB/$kind"
	done
}

@test "what another tool made and would be the same is no obstacle" {
	expect 0 export summary -q -dir "$JOB"
	rm "$JOB/summary/.msprof"
	before=$(stat -c '%n %i %y' "$JOB"/summary/*)
	expect 0 export summary -q -dir "$JOB"
	equal "$(stat -c '%n %i %y' "$JOB"/summary/*)" "$before"
	for file in "$JOB"/summary/*; do echo >>"$file"; done
	expect 1 export summary -q -dir "$JOB"
	has "$stderr" "(and $(($(find "$JOB/summary" -name '*.csv' | wc -l) - 1)) more)"
}

# ours JOB: it is imported, and no file in it counts as another tool's
ours() {
	expect 0 import -dir "$1"
	equal "$(sqlite3 "$1/sqlite/msprof.db" "SELECT count(*) FROM data_check WHERE name LIKE 'vendor%'")" 0
}

@test "an export that is killed, or at work while another command reads, leaves nothing that counts as another tool's" {
	needs_this_processor
	! ldd "$MSPROF" | grep -q san || skip "the sanitizer brings its own allocator"
	gcc -O1 -shared -fPIC -o inject.so "$ROOT/tests/fault/inject.c" -ldl
	expect 0 export summary -q -dir "$JOB" -o whole
	tables=$(find whole -name '*.csv' | wc -l)
	[ "$tables" -ge 3 ]
	for ((at = 1; at <= tables + 1; at++)); do # before each file, and before the list
		expect 0 import -q -dir "$JOB" # else the export renames a database
		FAULT_CALLS=rename FAULT_AT=$at FAULT_ERRNO=KILL LD_PRELOAD=$PWD/inject.so run "$MSPROF" export summary -q -dir "$JOB"
		equal "$status" 137
		equal "$(find "$JOB/summary" -name '*.csv' | wc -l)" $((at - 1))
		ours "$JOB"
		expect 0 export summary -q -dir "$JOB" # nothing stands in its way
		diff -r -x .msprof "$JOB/summary" "whole/${JOB##*/}/summary"
		discard "$JOB/summary"
	done
}

# theirs [CHANGE]...: traces of the board's own tool, from the bytes of the job
theirs() {
	discard "$JOB/timeline"
	python3 "$HELPERS/their_trace.py" "$JOB" "$@"
}

standings() {
	query "SELECT group_concat(about || ' ' || standing) FROM (SELECT * FROM standing WHERE about <> 'counters' ORDER BY place)"
}

# stays CHANGE...: the job is proven all the same
stays() {
	theirs "$@"
	expect 0 import -dir "$JOB"
	equal "$*: $(standings)" "$*: tasks proven,cpu proven,calls proven,names proven"
}

# contradicted KIND TEXT CHANGE...
contradicted() {
	theirs "${@:3}"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT standing FROM standing WHERE about = '$1'")" contradicted
	has "$stderr" "contradicted: $2"
}

@test "traces of the board's own tool prove times, calls and names; each event counts" {
	stays
	equal "$(query "SELECT about, checked, failed FROM data_check WHERE name = 'vendor_traces' ORDER BY about")" \
		"$(printf '%s\n' 'calls|60|0' 'cpu|6|0' 'names|48|0' 'tasks|48|0')" # 2 inferences of 24 tasks and 3 nets on the CPU
	expect 0 show -dir "$JOB"
	has "$output" "times of tasks proven"
	for chip in dv500 cv610; do
		generate --soc "$chip" --pictures 3 --models 2
		theirs
		expect 0 import -dir "$JOB"
		equal "$(query "SELECT group_concat(standing) FROM (SELECT standing FROM standing WHERE about IN ('tasks', 'calls', 'names') ORDER BY about)")" \
			proven,proven,proven
	done
}

@test "traces may have another origin, fewer digits or events, and no order; what differs is named" {
	stays task_time:shift=-77.25 acl:shift=1000000
	stays task_time:drop=3
	stays task_time:start=4:0.5 # a double of us since 1970 is no better
	contradicted tasks "tasks 2, occurrence 1, duration: the trace says" task_time:dur=2:0.01
	contradicted tasks "tasks 4, occurrence 1, start: the trace says" task_time:start=4:-1.5
	contradicted names "tasks 2, occurrence 1, name: the trace says 'other', the records '" task_time:name=2:other
	contradicted tasks "tasks 99: the trace has it, the records have not" task_time:extra=99
	contradicted calls "calls svp_acl_mdl_load_from_mem, thread 2417, occurrence 1, duration: the trace says 156294000 ns, the records 156284000 ns" acl:dur=0:10
	theirs
	sed -i 's/"700"/"350"/' "$JOB/info.json.0"
	expect 3 import -dir "$JOB"
	has "$stderr" "times of tasks contradicted" "tasks 0, occurrence 1, duration: the trace says"
}

@test "our own traces prove nothing; theirs stay beside them" {
	expect 0 export timeline -q -dir "$JOB"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM data_check WHERE name LIKE 'vendor%'")" 0
	theirs
	expect 1 export timeline -q -dir "$JOB"
	has "$stderr" "is of another tool and stays as it is"
	expect 0 import -dir "$JOB"
	equal "$(standings)" "tasks proven,cpu proven,calls proven,names proven"
}

@test "traces of another model, damaged or hostile ones, and links prove nothing and harm nothing" {
	theirs
	file=$(echo "$JOB"/timeline/task_time*)
	cp "$file" whole
	for harm in 'head -c 3000 whole' 'head -c 70000 /dev/zero' "printf '%0200000d' 0 | tr 0 [" \
		"printf '[%s' '{\"name\": \"'; head -c 200000 /dev/zero | tr '\\0' x" "echo '[]'" "echo '{\"traceEvents\": 5}'" \
		"printf '[{\"ph\": \"X\", \"name\": \"a\", \"ts\": 1e999, \"dur\": -1e400, \"args\": {\"Task Id\": 1}}]'"; do
		eval "$harm" >"$file"
		expect 3 import -dir "$JOB"
		has "$stderr" "traces below timeline are of inferences and calls of this job: not so in" "(${file##*/})"
		equal "$(query "SELECT standing FROM standing WHERE about = 'tasks'")" unproven
	done
	rm "$file"
	ln -s "$PWD/whole" "$file"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT count(*) FROM data_check WHERE about = 'tasks' AND weight = 'proof'")" 0
	mv whole "${file/resnet50/another}"
	expect 3 import -dir "$JOB"
	has "$stderr" "traces below timeline are of inferences"
}

@test "databases of another tool are named: nobody knows their tables" {
	expect 0 import -dir "$JOB"
	sqlite3 "$JOB/sqlite/ai_core.db" 'CREATE TABLE t(a)'
	echo nothing >"$JOB/sqlite/second.db"
	expect 0 import -dir "$JOB"
	expect 0 check -dir "$JOB"
	has "$output" "sqlite/ai_core.db" "not compared: unknown tables; nor 1 more databases there"
}

# as_theirs FILE: a trace of ours as the tool of cards writes it
as_theirs() {
	python3 -c 'import json, sys; t = json.load(open(sys.argv[1])); json.dump([e for e in t if e["name"] != "msprof"], open(sys.argv[1], "w"))' "$1"
}

# worth KINDS STANDINGS: those of a PROF directory
worth() {
	equal "$(sqlite3 "$PROF/sqlite/msprof.db" "SELECT group_concat(standing) FROM (SELECT standing FROM standing WHERE about IN ($1) ORDER BY place)")" "$2"
}

# times FACTOR COLUMN FILE: the cells of a column of a table
times() {
	awk -F, -v OFS=, -v by="$1" -v at="$2" 'NR > 1 {$at *= by} {print}' "$3" >changed
	mv changed "$3"
}

@test "a PROF directory: tables and a trace of another tool prove it; half of the rows must differ to contradict" {
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP
	"$BUILD/tests/genprof" --out "$PROF" >/dev/null
	expect 0 export summary -q -dir "$PROF"
	expect 0 export timeline -q -dir "$PROF"
	out=$PROF/mindstudio_profiler_output
	expect 0 import -dir "$PROF"
	equal "$(sqlite3 "$PROF/sqlite/msprof.db" "SELECT count(*) FROM data_check WHERE name LIKE 'vendor%'")" 0 # they are ours
	rm "$out/.msprof"
	for table in op_summary task_time op_statistic api_statistic; do mv "$out/$table"_* "$out/${table}_20200101000000.csv"; done
	trace=$out/msprof_20200101000000.json
	mv "$out"/msprof_2*.json "$trace"
	as_theirs "$trace"
	expect 0 import -dir "$PROF"
	worth "'tasks', 'calls', 'names'" proven,proven,proven
	rm "$trace"
	table=$out/task_time_20200101000000.csv
	rm "$out"/op_*
	cp "$table" kept
	times 10 6 "$table" # task_time(us)
	expect 3 import -dir "$PROF"
	worth "'tasks', 'calls'" contradicted,proven
	has "$stderr" "contradicted: row 1, task_time(us): the table says" "(mindstudio_profiler_output/task_time_20200101000000.csv)"
	{
		head -1 kept
		tail -n +2 kept | awk -F, -v OFS=, 'NR < 6 {$6 *= 10} {print}'
	} >"$table" # five rows
	expect 0 import -dir "$PROF"
	worth "'tasks', 'calls'" consistent,proven
	expect 0 check --files -dir "$PROF"
	has "$output" "lack of proof"
	sed -i 5,15d kept
	cp kept "$table"
	expect 0 import -dir "$PROF"
	worth "'tasks', 'calls'" proven,proven
}

@test "a PROF directory: the tasks in another tool's database prove it; ours for other tools do not" {
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP
	"$BUILD/tests/genprof" --out "$PROF" >/dev/null
	expect 0 export db -q -dir "$PROF"
	expect 0 import -dir "$PROF"
	worth "'tasks'" consistent
	db=$(echo "$PROF"/msprof_*.db)
	sqlite3 "$db" 'PRAGMA application_id = 0'
	expect 0 import -dir "$PROF"
	worth "'tasks'" proven
	sqlite3 "$db" 'UPDATE TASK SET endNs = endNs + 5000'
	expect 3 import -dir "$PROF"
	worth "'tasks'" contradicted
	has "$stderr" "contradicted: tasks " "duration: the trace says" "${db##*/})"
	sqlite3 "$db" 'ALTER TABLE TASK RENAME TO T; CREATE VIEW TASK AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
		SELECT x AS streamId, x AS taskId, x AS startNs, x AS endNs FROM n WHERE x < 0' # never a row, never an end
	expect 0 import -dir "$PROF"
	worth "'tasks'" consistent
	head -c 30000 /dev/urandom >"$db"
	expect 0 import -dir "$PROF"
	worth "'tasks'" consistent
}

@test "the reference's own tables and traces prove its data, and contradict none" {
	needs_shared ascend-prof
	for set in ascend-prof ascend-job-2022 ascend-job-2022-steps; do
		name=$(basename "$(echo "$SHARED/$set"/[JP]*O[BF]*)")
		cp -r "$SHARED/$set/$name" "$set"
		chmod -R u+w "$set"
		if [ "$set" = ascend-prof ]; then
			cp -r "$SHARED/$set/expected" "$set/mindstudio_profiler_output"
			mv "$set"/mindstudio_profiler_output/*.db "$set"
		else
			cp -r "$SHARED/$set"/expected/* "$set"
		fi
		mkdir -p "$BATS_TEST_TMPDIR/$set.d"
		mv "$set" "$BATS_TEST_TMPDIR/$set.d/$name"
		expect 0 import -dir "$BATS_TEST_TMPDIR/$set.d/$name"
		has "$stderr" "times of tasks proven, counters proven, calls proven"
	done
}

@test "a table of a hundred thousand foreign rows, a trace of 200 GB and a view without an end cost little and prove nothing" {
	expect 0 export summary -q -dir "$JOB"
	rm "$JOB/summary/.msprof"
	tables=("$JOB"/summary/op_summary_*)
	table=${tables[0]}
	columns=$(head -1 "$table" | tr -cd , | wc -c)
	yes "7$(printf ',1%.0s' $(seq "$columns"))" | head -1000000 >>"$table"
	mkdir "$JOB/timeline"
	printf '{"a":"' >"$JOB/timeline/task_time_0.resnet50.46.1.json"
	truncate -s 200G "$JOB/timeline/task_time_0.resnet50.46.1.json"
	(ulimit -t 60 && expect 3 import -dir "$JOB")
	equal "$(query "SELECT count(*) FROM standing WHERE about = 'tasks' AND standing IN ('proven', 'consistent')")" 0
	PROF=$BATS_TEST_TMPDIR/PROF_000001_20260101000000000_ABCDEFGHIJKLMNOP
	"$BUILD/tests/genprof" --seed 5 --out "$PROF"
	expect 0 export db -q -dir "$PROF"
	db=$(echo "$PROF"/msprof_*.db)
	sqlite3 "$db" 'PRAGMA application_id = 0; ALTER TABLE TASK RENAME TO T; CREATE VIEW TASK AS SELECT 1 AS streamId, 1 AS taskId,
		1 AS startNs, 2 AS endNs FROM T WHERE instr(zeroblob(8000000), CAST(zeroblob(4000000) || 1 AS BLOB))'
	(ulimit -t 60 && expect 0 import -dir "$PROF")
}

@test "a copy of a job by links keeps its list of exports, and both export again" {
	fresh_job
	expect 0 export summary -q -dir "$JOB"
	cp -al "$JOB" "$BATS_TEST_TMPDIR/copy"
	expect 0 export summary -q -dir "$JOB"
	equal "$(stat -c %h "$JOB/summary/.msprof" "$BATS_TEST_TMPDIR/copy/summary/.msprof" | sort -u)" 1
	expect 0 export summary -q -dir "$BATS_TEST_TMPDIR/copy"
	equal "$(cd "$BATS_TEST_TMPDIR/copy/summary" && while read -r _ name; do stat -c "%s %n" "$name"; done <.msprof)" \
		"$(cat "$BATS_TEST_TMPDIR/copy/summary/.msprof")"
	equal "$(find "$JOB/summary" -name '.msprof.*')" ''
}
