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
