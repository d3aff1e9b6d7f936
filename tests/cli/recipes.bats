#!/usr/bin/env bats
# recipes.bats: the recipes of docs/RECIPES.md, run as they stand there.

load helpers
load helpers/diff

# The jobs that the recipes speak of: JOBXXXX, before (5 runs), after (5 runs, of which one operator is slower), and an archive.
setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	fresh_job
	mv "$BATS_FILE_TMPDIR/${JOB##*/}" JOBXXXX
	runs before 5 1 b
	runs after 5 1 n slow:conv3:3
	mkdir archive
	cp -r JOBXXXX archive/JOBOLD
}

setup() {
	cp -r "$BATS_FILE_TMPDIR"/{JOBXXXX,before,after,archive} "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR" || return
	export PATH=$BUILD:$PATH
}

# block LANGUAGE HEADING: the code of this language below a heading
block() {
	awk -v title="## $2" -v begin="\`\`\`$1" '/^## / && !code { here = $0 == title } /^```/ { code = here && $0 == begin; next } code' "$ROOT/docs/RECIPES.md"
}

# recipe STATUS HEADING: run its lines for a shell; what they print is in $output
recipe() {
	block sh "$2" >recipe.sh
	[ -s recipe.sh ] || fail "no recipe '$2'"
	run --separate-stderr sh -eu recipe.sh
	equal "$status" "$1" || fail "$output" "${stderr:-}"
}

@test "why is my model slow" {
	recipe 0 "Why is my model slow?"
	has "$output" "Where the time went" "saves at most" "Layer below its bound"
	equal "$(tail -3 <<<"$output" | grep -cE '^[0-9.]+ us  [^:]+: .+')" 3
}

@test "did the new toolchain make it slower" {
	recipe 0 "Did the new toolchain make it slower?"
	has "$output" "conv3" "slower"
	has "$(cat operators.csv)" conv3
}

@test "a gate in Jenkins and GitLab" {
	recipe 6 "A gate in Jenkins and GitLab"
	has "$(cat diff.md)" conv3
	has "$(cat diff.xml)" "<testsuite" 'total &gt; 5%'
	# the commands of both systems are those of the gate, and their options exist
	block yaml "A gate in Jenkins and GitLab" | sed -n 's/^ *- \(msprof diff\)/\1/p' >gate.sh
	block groovy "A gate in Jenkins and GitLab" | grep -o "msprof diff b[^\"]*" >>gate.sh
	equal "$(wc -l <gate.sh)" 2
	while read -r line; do
		run --separate-stderr sh -c "$line"
		equal "$status" 6
	done <gate.sh
	{
		block yaml "A gate in Jenkins and GitLab" | sed -n 's/^ *- \(msprof collect\)/\1/p'
		block groovy "A gate in Jenkins and GitLab" | grep -o "msprof collect [^']*"
	} >collect.sh
	equal "$(sort -u collect.sh | wc -l)" 1
	mkdir out && touch out/main && chmod +x out/main
	printf '[ssh_config]\nip = 127.0.0.1\nusername = nobody\n' >board.ini && chmod 600 board.ini
	BOARD_INI=board.ini run --separate-stderr sh -c "$(head -1 collect.sh) --dry-run"
	[ "$status" != 2 ] || fail "$stderr"
}

@test "which layers wait for memory" {
	recipe 0 "Which layers wait for memory?"
	[ "$(wc -l <<<"$output")" -gt 3 ]
	equal "$(awk -F'\t' '!($2 > 0.5)' <<<"$output")" ''
}

@test "which operators took the time in many jobs" {
	recipe 0 "Which operators took the time in many jobs?"
	first=$(head -1 <<<"$output")
	want=0
	for job in before/JOB*; do
		want=$((want + $(sqlite3 -readonly "$job/sqlite/msprof.db" "SELECT total(dur_ns) FROM tasks WHERE name = '${first#*$'\t'}'" | cut -d. -f1)))
	done
	equal "${first%% *}" "$(awk -v ns=$want 'BEGIN { printf "%.3f", ns / 1e6 }')"
}

@test "which rank is late" {
	mkdir top
	"$BUILD/tests/genprof" --out top/base --tasks 60
	"$MSPROF" import -q -dir top/base
	late=$(python3 "$HELPERS/planted_ranks.py" top 1 4 straggler | jq .late)
	mv top/base .
	recipe 0 "Which rank is late?"
	[[ $(tail -1 <<<"$output") == "rank $late is late by "* ]]
}

@test "a page for a colleague" {
	recipe 0 "A page for a colleague"
	has "$(head -c 100 slow.html)" "<!DOCTYPE html>"
	has "$(cat compared.html)" conv3
}

@test "a timeline that is too large for the browser" {
	recipe 0 "A timeline that is too large for the browser"
	[ -s JOBXXXX/timeline/trace.pftrace ] && [ -s part/JOBXXXX/timeline/trace.json ]
}

@test "tables of an archive that nobody may write to" {
	before=$(snapshot archive)
	chmod -R a-w archive
	recipe 0 "Tables of an archive that nobody may write to"
	chmod -R u+w archive
	has "$output" tables/JOBOLD/summary/op_summary_
	equal "$(snapshot archive | awk '{ print $1, $2, $5 }')" "$(awk '{ print $1, $2, $5 }' <<<"$before")"
}

@test "where is the host's time" {
	recipe 0 "Where is the host's time?"
	equal "$(tail -3 <<<"$output" | grep -cE '^([0-9]+) .+ \1$')" 3
}

@test "a stage of my own program" {
	needs_this_processor
	block c "A stage of my own program" >stage.c
	make -C "$ROOT" install BUILD="$BUILD" PREFIX="$PWD/usr" >make.log 2>&1 || fail "$(tail -5 make.log)"
	export PKG_CONFIG_PATH=$PWD/usr/lib/pkgconfig LD_LIBRARY_PATH=$PWD/usr/lib
	recipe 0 "A stage of my own program"
	[[ $(grep preprocess <<<"$output") == *" range │ N/A    │ preprocess │     3 │ "* ]]
	expect 0 show -q -dir profiling --format json --table 'marks and ranges'
	equal "$(jq -r '.tables[0].rows[] | .["Total Time(us)"]' <<<"$output")" \
		"$(query 'SELECT printf("%.3f", total(dur_ns) / 1000) FROM msproftx' profiling/PROF_*/sqlite/msprof.db | sed 's/0*$//')"
}

@test "the numbers look wrong" {
	recipe 0 "The numbers look wrong"
	has "$output" svp.aicore unverified
}

@test "no tasks, or one inference alone" {
	rm JOBXXXX/data/*
	recipe 0 "No tasks, or one inference alone"
	has "$output" "--online_model_type=2"
	genjob calls --aicpu 0 --calls 20
	rm calls/data/aicore.* && discard JOBXXXX && mv calls JOBXXXX
	recipe 0 "No tasks, or one inference alone"
	has "$output" "aic_metrics"
}

@test "every recipe has its test" {
	while read -r title; do
		grep -qF "recipe 0 \"$title\"" "$BATS_TEST_FILENAME" || grep -qF "recipe 6 \"$title\"" "$BATS_TEST_FILENAME" || fail "$title"
	done < <(sed -n 's/^## //p' "$ROOT/docs/RECIPES.md")
}
