#!/usr/bin/env bats
# advise.bats: where the time went, findings that were planted, and none in clean jobs; every number computed a second time.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# plant SEED FINDING...: a job of a board in $PLANTED; without a finding it is clean.
plant() {
	PLANTED=$BATS_TEST_TMPDIR/JOB$1_${2:-clean}
	python3 "$HELPERS/planted_svp.py" "$PLANTED" "$@" >/dev/null
}

# The rules with findings, but notes, one a line.
rules() {
	jq -r '.jobs[].findings[] | select(.severity != "note").rule' <<<"$output" | sort -u
}

# checked JOB: its advice in $output, whose numbers Python computes a second time; advise ends with $WANTED, or 0
checked() {
	expect "${WANTED:-0}" advise -q -dir "$1" --format json
	echo "$output" >"$BATS_TEST_TMPDIR/advice.json"
	python3 "$HELPERS/advise_truth.py" "$1" "$BATS_TEST_TMPDIR/advice.json" || fail "$1"
}

@test "planted findings of every family are found, alone and in pairs, clean jobs have none, and all numbers are those of Python" {
	run python3 "$HELPERS/advise_seeds.py" "$MSPROF" "$BUILD/tests/genprof" "${MSPROF_SEEDS:-1}"
	[ "$status" -eq 0 ] || fail "$output"
	equal "$(wc -l <<<"$output")" 68
	equal "$(grep -c "found ${MSPROF_SEEDS:-1} of ${MSPROF_SEEDS:-1}, false alarms 0, wrong numbers 0" <<<"$output")" 68
}

@test "numbers of random jobs are those that Python computes" {
	cp -r "$JOB" "$BATS_TEST_TMPDIR/same"
	checked "$BATS_TEST_TMPDIR/same"
	for seed in 2 3 7; do
		python3 "$HELPERS/ascend2022_mix.py" make "$BATS_TEST_TMPDIR/JOBMIX$seed" $seed
		checked "$BATS_TEST_TMPDIR/JOBMIX$seed"
		genjob "$BATS_TEST_TMPDIR/JOB$seed" --seed $seed --models 2 --devices 2 --tasks $((seed * 9)) --aicpu $seed --pictures $((seed * 2)) --overlap $((seed * 8))
		checked "$BATS_TEST_TMPDIR/JOB$seed"
	done
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 90 --streams 3
	checked "$BATS_TEST_TMPDIR/PROF_1"
}

@test "the second computation refuses wrong numbers" {
	plant 8 idle
	expect 0 advise -q -dir "$PLANTED" --format json
	for change in '.jobs[0].overview |= map(if .table == "Pace" then .rows[0]["p95(us)"] += 1 else . end)' \
		'.jobs[0].overview |= map(if .rows[0].Part then .rows[0]["Mean(us)"] += 0.01 else . end)' \
		'.jobs[0].findings |= map(if .rule == "idle" then .saving_ns += 1 else . end)' '.schema = "other"' \
		'.jobs[0].verdict |= sub("matrix [0-9.]+"; "matrix 12")' '.jobs[0].verdict |= sub("up to [0-9.]+"; "up to 999")'; do
		jq "$change" <<<"$output" >"$BATS_TEST_TMPDIR/changed.json"
		! python3 "$HELPERS/advise_truth.py" "$PLANTED" "$BATS_TEST_TMPDIR/changed.json" 2>/dev/null || fail "$change"
	done
}

@test "tasks that overlap: the parts still add up to the step" {
	genjob "$BATS_TEST_TMPDIR/JOBOVER" --pictures 4 --aicpu 1
	for marker in "$BATS_TEST_TMPDIR"/JOBOVER/data/aicore*.done; do # the AI CPU begins while the core is at work
		start=$(sed -n 's/^start_time://p' "$marker")
		cpu=${marker/aicore/aicpu}
		python3 "$HELPERS/raw.py" cpu task=2 start=$((start + 300)) end=$((start + 900)) >"${cpu%.done}"
		python3 "$HELPERS/raw.py" marker len=128 start=$((start + 300)) end=$((start + 900)) >"$cpu"
	done
	WANTED=3 checked "$BATS_TEST_TMPDIR/JOBOVER" # together they take longer than the inference, which is a doubt
	jq -e '.jobs[0].overview[] | select(.table == "Where the time went") | any(.rows[]; .Part == "AI CPU alone" and .["Beside(us)"] == 600)' <<<"$output"
}

@test "the largest saving comes first, with its evidence" {
	plant 1 bound
	expect 0 advise -q -dir "$PLANTED"
	has "$output" "Where the time went :" "1. Layer below its bound: slowconv" "Loading weights binds it (WLD)" "severity" "rule svp_bound" "Task ID" \
		"confidence low" # the places of counters are assumed
	expect 0 advise -q -dir "$JOB"
	has "$output" "Longest idle gaps :" "device or synchronisation wait │ svp_acl_mdl_execute"
	expect 0 advise -q -dir "$PLANTED" --format csv
	equal "$(head -1 <<<"$output")" "Job,Rule,Title,Subject,Severity,Confidence,Time(us),Share(%),Saves at most(us),Formula,Advice,Group"
	has "$(sed -n 2p <<<"$output")" "$(basename "$PLANTED"),svp_bound,"
	expect 0 advise -q -dir "$PLANTED" --format json
	jq -e '.schema == "msprof.advise/1" and (.jobs | length) == 1 and .jobs[0].findings[0].rule == "svp_bound" and
		(.jobs[0].findings[0].evidence | length) == 1 and .jobs[0].findings[0].evidence[0].Tasks == 20 and
		([.jobs[0].findings[] | select(.severity == "note").saving_ns] == [null])' <<<"$output"
	keys=$(jq -r '.jobs[0].findings[0] | keys[]' <<<"$output")
	documented=$(sed -n '/^A finding has/,/^```/p' "$ROOT/docs/INSIGHT.md")
	for key in $keys; do has "$documented" "\`$key\`"; done
}

@test "findings of several models name theirs" {
	genjob "$BATS_TEST_TMPDIR/JOBTWO" --models 2 --aicpu 2 --pictures 2
	checked "$BATS_TEST_TMPDIR/JOBTWO"
	equal "$(jq -r '.jobs[0].findings[] | select(.saving_ns) | .subject | sub(".* of "; "")' <<<"$output" | sort -u | xargs)" "resnet50 yolov5n_noquat"
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/JOBTWO"
	has "$output" "operators on the AI CPU of resnet50 " "operators on the AI CPU of yolov5n_noquat "
	equal "$(sed -n 1,2p <<<"$output" | cut -d: -f1 | sort | xargs)" "resnet50 yolov5n_noquat"
}

@test "--rule: only this rule; --list: all, each of them documented" {
	plant 2 bound
	expect 0 advise -q -dir "$PLANTED" --rule aicpu --format json
	equal "$(jq '.jobs[0].findings | length' <<<"$output")" 0
	expect 0 advise -q -dir "$PLANTED" --rule svp_bound --format json
	equal "$(rules)" svp_bound
	expect 1 advise -q -dir "$PLANTED" --rule prof_clock
	has "$stderr" "rule 'prof_clock' is not for data of the family 'svp'"
	expect 2 advise -q -dir "$PLANTED" --rule svp_bund
	has "$stderr" "rule 'svp_bund' not found; did you mean 'svp_bound'?"
	expect 0 advise --list --format csv
	equal "$(sed 1d <<<"$output" | cut -d, -f1 | sort)" "$(sed -n 's/^| `\([a-z_]*\)` | .*/\1/p' <(sed -n '/^| rule /,/^$/p' "$ROOT/docs/INSIGHT.md") | sort)"
	equal "$(sed 1d <<<"$output" | cut -d, -f1 | sort)" "$(basename -s .sql "$ROOT"/schema/insight/rules/*.sql | sort)"
	expect 0 advise --list --format json
	jq -e '.schema == "msprof.rules/1" and (.tables[0].rows | length) > 10' <<<"$output"
}

@test "--fail-on: status 6 for this severity and higher ones; damage stays 3 without such a finding" {
	plant 3 bound
	expect 6 advise -q -dir "$PLANTED" --fail-on low
	expect 0 advise -q -dir "$PLANTED" --rule aicpu --fail-on low
	plant 3
	expect 0 advise -q -dir "$PLANTED" --fail-on low
	expect 6 advise -q -dir "$PLANTED" --fail-on note
	plant 3 loss
	expect 6 advise -q -dir "$PLANTED" --fail-on high
	expect 3 advise -q -dir "$PLANTED" --rule tiny --fail-on high
	expect 2 advise -q -dir "$PLANTED" --fail-on huge
}

@test "a rule without its data abstains and says why" {
	expect 0 advise -q -dir "$JOB" --format json
	equal "$(jq -r '.jobs[0].abstained[] | select(.rule == "jitter").reason' <<<"$output")" "no group has 10 steps"
	genjob "$BATS_TEST_TMPDIR/JOBQUIET" --calls 0
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/JOBQUIET" --rule memory_calls
	has "$output" "no calls were recorded"
	genjob "$BATS_TEST_TMPDIR/JOBHOST" --host-only
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/JOBHOST"
	has "$output" "no task of a step has a start and an end" "no task of the core was recorded"
}

@test "iterations in which no task runs are no idle time: every rule of steps abstains, show and diff say why" {
	job=$BATS_TEST_TMPDIR/PROF_SAMPLES
	"$BUILD/tests/genprof" --out "$job" --samples
	expect 0 advise -q -dir "$job" --format json
	equal "$(jq -r '.jobs[0].findings[].rule' <<<"$output")" unverified
	equal "$(jq -r '.jobs[0].abstained[].rule' <<<"$output" | sort | xargs)" \
		"$(cd "$ROOT/schema/insight/rules" && { grep -L '^-- @family' -- *.sql; grep -l '^-- @family.*prof' -- *.sql; } | sed 's/\.sql//' | grep -vE '^(svp_.*|loss|standing|doubt|unverified)$' | sort | xargs)"
	equal "$(jq -r '.jobs[0].abstained[] | select(.rule == "idle").reason' <<<"$output")" "no task of a step has a start and an end"
	expect 0 show -q -dir "$job"
	has "$output" "no data: no task runs in an iteration"
	expect 1 diff -q "$job" "$job"
	has "$stderr" "BASE has none, as no task of a device was read, or none in an iteration"
	expect 0 import -q -dir "$job" # one task in an iteration, and the other iteration is idle
	sqlite3 "$job/sqlite/msprof.db" "UPDATE task SET start_ns = (SELECT min(end_ns) FROM step) - 5000 WHERE id = (SELECT min(id) FROM task WHERE is_op = 1)"
	expect 0 show -q -dir "$job"
	has "$output" "Iterations : 2"
}

@test "several jobs are one document; one that fails has its error" {
	mkdir "$BATS_TEST_TMPDIR/jobs"
	cp -r "$JOB" "$BATS_TEST_TMPDIR/jobs/JOBA"
	mkdir "$BATS_TEST_TMPDIR/jobs/JOBB"
	expect 1 advise -q -dir "$BATS_TEST_TMPDIR/jobs" --format json
	jq -e '[.jobs[].job] == ["JOBA", "JOBB"] and .jobs[0].error == null and (.jobs[1].error | length) > 0' <<<"$output"
	expect 1 advise -q -dir "$BATS_TEST_TMPDIR/nosuch" --format json
	jq -e '.schema == "msprof.advise/1" and .jobs[0].job == null' <<<"$output"
}

# with_schema TREE: msprof with the schema of TREE, as TREE/msprof
with_schema() {
	needs_this_processor
	local flags=() libraries=() objects=("$ROOT"/cli/*.c "$ROOT"/cli/mcp/*.c)
	objects=("${objects[@]/#$ROOT/$BUILD}") # an object may be left of a source that is gone
	! nm "$BUILD/msprof" | grep -q __asan_init || flags=(-fsanitize=address -fsanitize=undefined)
	! nm "$BUILD/msprof" | grep -q __gcov_init || flags=(--coverage "$BUILD/counters.o" '-Wl,--wrap=_exit,--wrap=execv,--wrap=execl,--wrap=__gcov_exit')
	! nm "$BUILD/msprof" | grep -q isal_deflate || libraries=(-lisal)
	"$1/schema/embed.sh" >"$1/schema.c"
	cc -I"$ROOT/lib" -w "${flags[@]}" -o "$1/msprof" "${objects[@]/%.c/.o}" "$1/schema.c" "$BUILD/libmsprof.a" -lsqlite3 -lcjson -lssh -larchive -lz "${libraries[@]}" -lpthread -lm
}

# plant_prof SEED FINDING...: a PROF directory in $PLANTED whose database was rewritten
plant_prof() {
	local base=$BATS_TEST_TMPDIR/PROF_base
	[ -d "$base" ] || { "$BUILD/tests/genprof" --out "$base" --tasks 60 >/dev/null && "$MSPROF" import -q -dir "$base"; }
	PLANTED=$BATS_TEST_TMPDIR/PROF_$1${2:-clean}
	cp -rp "$base" "$PLANTED"
	PLANTED_DB=$(find "$PLANTED" -name msprof.db)
	python3 "$HELPERS/planted_prof.py" "$PLANTED_DB" "$@"
}

@test "the reason of a gap is the time of the next task's launch" {
	plant_prof 1 late
	expect 0 advise -q -dir "$PLANTED" --format json
	equal "$(jq -r '[.jobs[0].overview[] | select(.table == "Longest idle gaps")][0].rows[0] | .Reason + ", " + .["Host in"]' <<<"$output")" "host late, aclrtSetDevice"
	plant_prof 1 idle
	expect 0 advise -q -dir "$PLANTED" --format json
	equal "$(jq -r '[.jobs[0].overview[] | select(.table == "Longest idle gaps")][0].rows[0] | .Reason + ", " + (.["Host in"] // "no call")' <<<"$output")" \
		"device or synchronisation wait, no call"
	jq -e '.jobs[0].abstained | any(.rule == "prof_packets" and .reason == "no step of a collective operation tells its size")' <<<"$output"
}

@test "a real job of an Ascend 910: iterations, the AI CPU, and the tasks that nothing describes" {
	job=$(find "$SHARED/ascend910-job" -maxdepth 1 -name 'JOB*' 2>/dev/null | head -1)
	[ -n "$job" ] || skip "no reference data"
	cp -r "$job" "$BATS_TEST_TMPDIR/JOBOLD"
	chmod -R u+w "$BATS_TEST_TMPDIR/JOBOLD"
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/JOBOLD" --format json
	equal "$(rules)" ""
	jq -e '.jobs[0] | (.overview | any(.steps? == 14)) and (.findings | any(.rule == "undescribed" and (.evidence | length) == 10)) and
		(.abstained | any(.rule == "blocks" and .reason == "the number of cores is not told"))' <<<"$output"
}

@test "damaged data, hostile numbers and names: no crash, no control character, no saving beyond the step" {
	run python3 "$HELPERS/advise_hostile.py" "$MSPROF" "$BUILD/tests/genprof" 1 "${MSPROF_HOSTILE:-8}"
	[ "$status" -eq 0 ] || fail "$output"
}

@test "jobs of one task, of tasks without length, and of none" {
	for family in ascend2022 ascend910 svp; do
		job=$BATS_TEST_TMPDIR/JOB$family
		if [ $family = svp ]; then python3 "$HELPERS/planted_svp.py" "$job" 1; else python3 "$HELPERS/planted_ascend.py" "$job" $family 1; fi
		expect 0 import -q -dir "$job"
		table=$(sqlite3 "$job/sqlite/msprof.db" "SELECT name FROM sqlite_master WHERE name IN ('task', 'hwts_task', 'aicore_task')")
		for change in "UPDATE $table SET dur_ns = 0" "DELETE FROM $table WHERE rowid > 1" "DELETE FROM $table"; do
			sqlite3 "$job/sqlite/msprof.db" "$change"
			expect 0 advise -q -dir "$job" --format json
			jq -e '.jobs[0].findings | all(.saving_ns == null or .saving_ns >= 0)' <<<"$output"
		done
		has "$(jq -r '.jobs[0].overview[] | select(.table == "Where the time went").no_data' <<<"$output")" "no task of a step has a start and an end"
	done
}

@test "slow memory calls count between executions only, spread over all of these where few are sampled" {
	plant 9 memory once
	rm "$PLANTED"/data/aicore.*.[1-9] "$PLANTED"/data/aicore.*.[1-9][0-9] "$PLANTED"/data/aicore.*.[1-9].done "$PLANTED"/data/aicore.*.[1-9][0-9].done
	checked "$PLANTED"
	equal "$(jq -c '.jobs[0] | [.overview[] | select(.group).steps], [.findings[] | select(.rule == "memory_calls") | .time_ns, (.evidence | length)]' <<<"$output")" \
		$'[1]\n[1000000,1]' # one of 20 ms in 20 executions
	plant 9 once
	checked "$PLANTED"
	equal "$(rules)" ""
}

@test "a rate of steps below one a second is no 0, in JSON and in text" {
	plant 6
	expect 0 import -q -dir "$PLANTED"
	for seconds in 3 300; do
		sqlite3 "$PLANTED/sqlite/msprof.db" "UPDATE aicore_task SET dur_ns = $seconds * 1000000000"
		expect 0 advise -q -dir "$PLANTED" --format json
		rate=$(jq '.jobs[0].overview[] | select(.group) | .per_second * .mean_ns / 1e9 | if . > 0.98 and . < 1.02 then "same" else . end' <<<"$output")
		equal "$rate" '"same"'
		shown=$(jq '.jobs[0].overview[] | select(.group).per_second' <<<"$output")
		expect 0 advise -q -dir "$PLANTED"
		has "$output" "($shown a second)"
	done
}

@test "a new rule is one file: the example of the document finds what it says" {
	tree=$BATS_TEST_TMPDIR/tree
	mkdir "$tree"
	cp -r "$ROOT/schema" "$tree"
	sed -n '/^```sql/,/^```/p' "$ROOT/docs/INSIGHT.md" | sed '/^```/d' >"$tree/schema/insight/rules/copies.sql"
	with_schema "$tree"
	plant 4
	MSPROF=$tree/msprof
	expect 0 advise -q -dir "$PLANTED" --rule copies --format json
	equal "$(rules)" ""
	sed -i 's/least_us 50/least_us 20/' "$tree/schema/insight/rules/copies.sql"
	with_schema "$tree"
	expect 0 advise -q -dir "$PLANTED" --rule copies --format json
	equal "$(jq -r '.jobs[0].findings[] | .title + ": " + .subject' <<<"$output")" "Slow copies of the input: input"
}

@test "the same job gives the same bytes, with SQLite alone, too" {
	plant 5 idle
	expect 0 advise -q -dir "$PLANTED" --format json
	first=$output
	expect 0 advise -q -dir "$PLANTED" --format json
	equal "$output" "$first"
	MSPROF_PLAIN=1 expect 0 advise -q -dir "$PLANTED" --format json
	equal "$output" "$first"
}

@test "what is bounded: operators of one cause are one finding, with 10 rows of evidence" {
	made tasks=40
	expect 0 advise -q -dir "$JOB" --rule vector --format json
	equal "$(jq -c '.jobs[0].findings | [length, (.[0].evidence | length), .[0].count > 10, .[0].group]' <<<"$output")" '[1,10,true,"device 0"]'
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_MADE" --tasks 60
	expect 0 advise -q -dir "$BATS_TEST_TMPDIR/PROF_MADE" --rule idle --format json
	equal "$(jq '.jobs[0].findings[0].evidence | length' <<<"$output")" 10
}
