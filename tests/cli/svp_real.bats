#!/usr/bin/env bats
# svp_real.bats: JOB directories as the boards' own library writes them. tests/svp/svp_reader.py reads them, too, and knows nothing of
# msprof; where ../shared is, the jobs are those of the library itself.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# compare JOB: msprof and the independent reader read the same
compare() {
	python3 "$ROOT/tests/svp/compare.py" "$MSPROF" "$1"
}

# cpu SOC N: what is known of the AI CPU is of SS928
cpu() {
	if [ "$1" = ss928 ]; then echo "$2"; else echo 0; fi
}

@test "each job of the maker's library is read as an independent reader reads it" {
	needs_shared svp-genuine.tar.xz
	local jobs=0 tasks=0 calls=0 job text
	tar xJf "$SHARED/svp-genuine.tar.xz"
	for job in ./*/prof/JOB* ./*/JOB*; do
		[ -d "$job" ] || continue
		text=$(compare "$job") || fail "$job: $text"
		jobs=$((jobs + 1))
		tasks=$((tasks + ${text%% tasks*}))
		text=${text#*tasks, }
		calls=$((calls + ${text%% calls*}))
	done
	equal "$jobs jobs, $tasks tasks, $calls calls" "31 jobs, 191 tasks, 653 calls"
}

@test "every byte of the maker's jobs is a record or understood, and each command takes them" {
	needs_shared svp-genuine.tar.xz
	local job number=0
	tar xJf "$SHARED/svp-genuine.tar.xz"
	mkdir all
	for job in ./*/prof/JOB* ./*/JOB*; do
		[ ! -d "$job" ] || mv "$job" "all/JOB$((++number))"
	done
	equal "$number" 31
	for command in "check --format json" import "show --each" "export timeline" "export summary" "export timeline --format perfetto" \
		"export stacks" advise query; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr "$MSPROF" $command -dir all
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || fail "$command ended with $status: $stderr"
	done
	for job in all/JOB*; do
		equal "$(query "SELECT coalesce(sum(damaged_bytes), 0), sum(state = 'unknown') FROM source" "$job/sqlite/msprof.db")" "0|0"
		run --separate-stderr "$MSPROF" report -o page.html -dir "$job"
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || fail "$job: report ended with $status: $stderr"
	done
}

@test "generated jobs of three chips are read as the independent reader reads them" {
	local soc
	for soc in ss928 dv500 cv610; do
		genjob "$soc" --soc "$soc" --models 3 --pictures 4 --calls 300 --threads 3 --aicpu "$(cpu "$soc" 2)" --fused 40
		compare "$soc"
	done
	genjob nets --nets 3 --aicpu 2 --pictures 2 --interval 4 --frequency 333
	compare nets
}

@test "2,000 pictures in one file of Hi3519DV500, and 200 models" {
	genjob pictures --soc dv500 --tasks 2 --pictures 2000 --calls 0
	expect 0 import -dir pictures
	equal "$(query "SELECT count(*), count(DISTINCT file), sum(records) FROM source WHERE target = 'aicore_task'" pictures/sqlite/msprof.db)" "2000|1|4000"
	equal "$(query "SELECT count(*), min(current_pic), max(current_pic) FROM inference" pictures/sqlite/msprof.db)" "2000|0|1999"
	expect 0 check -dir pictures --table Files --format csv
	equal "$(grep aicore <<<"$output" | grep -vc "\.done,")" 1
	genjob models --models 200 --tasks 3 --calls 4
	expect 0 import -dir models
	equal "$(query "SELECT count(*) FROM inference" models/sqlite/msprof.db)" 200
}

@test "tasks of an inference follow each other without a gap, and make no lane of their own" {
	genjob job --tasks 1000 --pictures 3
	expect 0 import -dir job
	equal "$(query "SELECT count(*) FROM (SELECT start_ns + dur_ns AS end_ns, lead(start_ns) OVER (ORDER BY t.rowid) AS next_ns, s.id,
		lead(s.id) OVER (ORDER BY t.rowid) AS next_id FROM source s JOIN aicore_task t ON t.rowid BETWEEN s.first_row AND s.last_row
		WHERE s.target = 'aicore_task') WHERE id = next_id AND end_ns <> next_ns" job/sqlite/msprof.db)" 0
	expect 0 export timeline -dir job
	equal "$(cat job/timeline/* | grep -c ", overlap")" 0
}

@test "a job from before msprof 0.9 is refused in one sentence; what was imported from it stays" {
	mkdir -p old/data
	printf '{"version": 1, "device": 0, "frequency": 700}\n' >old/info.json.0
	expect 1 import -dir old
	has "$stderr" "recorded before msprof 0.9, in a form that is not read any more: record it again"
	equal "$(grep -c . <<<"$stderr")" 1
}

@test "why a job is empty, or has no tasks" {
	mkdir -p JOBEMPTY/data JOBCALLS/data
	printf '{"DeviceInfo": [{"aic_frequency": "700"}]}' | tee JOBEMPTY/info.json.0 >JOBCALLS/info.json.0
	run --separate-stderr "$MSPROF" show -dir JOBEMPTY
	has "$output$stderr" "--online_model_type=2"
	genjob job --tasks 0 --aicpu 0 --calls 10
	run --separate-stderr "$MSPROF" check -dir job
	has "$output$stderr" "aic_metrics"
}

@test "--family reads a job as one of another family, --model names tasks without layer.info" {
	genjob job --aicpu 0
	expect 0 import -dir job --family svp
	rm job/data/*.layer.info
	expect 0 export summary -dir job
	has "$(cat job/summary/op_summary*)" N/A
	expect 2 import -dir job --family none
	expect 1 import -dir job --model none.om
}

@test "damaged jobs: no crash, and bytes that are lost are told" {
	local soc
	for soc in ss928 dv500 cv610; do
		genjob "$soc" --soc "$soc" --models 2 --pictures 2 --calls 20 --aicpu "$(cpu "$soc" 1)" --tasks 6
		equal "$(python3 "$ROOT/tests/svp/damage.py" "$MSPROF" "$soc" 1 40)" '40 damaged jobs'
	done
}

@test "the independent reader, the comparison and the mutator prove themselves" {
	python3 "$ROOT/tests/svp/selftest.py"
}
