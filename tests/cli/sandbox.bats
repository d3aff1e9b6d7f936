#!/usr/bin/env bats
# sandbox.bats: code that reads a job cannot open other files, connect or start programs; and needs none of these.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load prof
load helpers/help

mapfile -t JOB_COMMANDS < <(job_commands)

setup() {
	prof_job
	cd "$BATS_TEST_TMPDIR" || return # for report.html
}

setup_file() {
	# shellcheck disable=SC2086 # a compiler may have words
	${CC:-gcc} -O1 -Wall -Wextra -shared -fPIC -o "$BATS_FILE_TMPDIR/escape.so" "$BATS_TEST_DIRNAME/../fault/escape.c"
}

needs_sandbox() {
	! nm -D "$MSPROF" | grep -qE '__[at]san_init' || skip "a build with a sanitizer has no sandbox"
	python3 -c 'import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)' || skip "the kernel has no landlock"
}

# attacked DIR STATUS ARGUMENT...: run msprof; every read of a file below DIR tries to break out.
attacked() {
	local below=$1 want=$2
	shift 2
	rm -f "$BATS_TEST_TMPDIR/attempts"
	export ESCAPE_BELOW=$below ESCAPE_REPORT=$BATS_TEST_TMPDIR/attempts
	LD_PRELOAD=$BATS_FILE_TMPDIR/escape.so expect "$want" "$@"
	unset ESCAPE_BELOW ESCAPE_REPORT
}

# confined DIR STATUS ARGUMENT...: msprof is in its sandbox at each such read, and there are such reads.
confined() {
	needs_sandbox
	attacked "$@"
	equal "$*: $(sort -u "$BATS_TEST_TMPDIR/attempts")" "$*: confined"
}

@test "every command is confined before it reads a job" {
	for command in "${JOB_COMMANDS[@]}"; do
		# shellcheck disable=SC2086 # words on purpose
		confined "$JOB" 0 $command -dir "$JOB"
	done
	confined "$PROF" 0 export db -dir "$PROF"
	confined "$PROF" 0 export timeline -dir "$PROF"
}

@test "each call of mcp is confined before it reads a job" {
	needs_sandbox
	export ESCAPE_BELOW=$JOB ESCAPE_REPORT=$BATS_TEST_TMPDIR/attempts
	meta='"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}'
	run env LD_PRELOAD="$BATS_FILE_TMPDIR/escape.so" "$MSPROF" mcp "${JOB%/*}" <<<'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": '"{\"name\": \"show\", \"arguments\": {\"job\": \"${JOB##*/}\"}, $meta}}"
	has "$output" msprof.show/1
	equal "$(sort -u "$ESCAPE_REPORT")" confined
}

@test "learn is confined before it reads a job, or tables elsewhere" {
	python3 "$ROOT/tests/gen/learn.py" --plain --seed 5 --out "$BATS_TEST_TMPDIR"
	job=$(dirname "$BATS_TEST_TMPDIR"/JOB*/summary)
	confined "$job" 0 learn -dir "$job" --output "$BATS_TEST_TMPDIR/one"
	mkdir "$BATS_TEST_TMPDIR/tables"
	mv "$job/summary" "$BATS_TEST_TMPDIR/tables"
	confined "$BATS_TEST_TMPDIR/tables" 0 learn -dir "$job" --output "$BATS_TEST_TMPDIR/two" --from "$BATS_TEST_TMPDIR/tables"
}

@test "the form of Ascend servers is confined as well" {
	confined "$PROF" 0 --parse=on --export=on --query=on --output="$PROF"
}

@test "what was collected or recorded is parsed within the sandbox" {
	export HOME=$BATS_TEST_TMPDIR/home
	mkdir -p "$HOME" "$BATS_TEST_TMPDIR/app/out"
	cp "$HELPERS/fakeboard.sh" "$BATS_TEST_TMPDIR/app/out/main"
	confined "$BATS_TEST_TMPDIR/results/JOB" 0 collect --local --all --output "$BATS_TEST_TMPDIR/results" \
		-m "$BATS_TEST_TMPDIR/app/out/main --job $JOB"
	confined "$BATS_TEST_TMPDIR/recorded/PROF" 0 --output="$BATS_TEST_TMPDIR/recorded" "$BUILD/tests/stub/app"
}

@test "layouts are read within the sandbox" {
	cp -r "$ROOT/schema/records" "$BATS_TEST_TMPDIR/layouts"
	confined "$BATS_TEST_TMPDIR/layouts" 0 show -dir "$JOB" --layouts "$BATS_TEST_TMPDIR/layouts"
}

@test "MSPROF_SANDBOX=off leaves the sandbox out" {
	MSPROF_SANDBOX=off attacked "$JOB" 0 check -dir "$JOB"
	has "$(cat "$BATS_TEST_TMPDIR/attempts")" "escaped: opened another file"
}

# alike ARGUMENT...: the command prints and makes the same without a sandbox.
alike() {
	local inside
	expect 0 "$@"
	inside=$output$stderr
	MSPROF_SANDBOX=off expect 0 "$@"
	equal "$output$stderr" "$inside"
}

@test "a job by a relative path, by .., by a link and below a link" {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p elsewhere/deep
	ln -s "$JOB" elsewhere/link
	ln -s "$BATS_TEST_TMPDIR" elsewhere/deep/above
	for dir in "${JOB##*/}" "./${JOB##*/}/" "elsewhere/../${JOB##*/}" elsewhere/link "elsewhere/deep/above/${JOB##*/}"; do
		for command in import "export summary" show check query; do
			# shellcheck disable=SC2086 # words on purpose
			expect 0 $command -dir "$dir"
		done
	done
	cd "$JOB/data" || return
	alike show -dir ..
	cd "$JOB" || return
	alike show -dir .
}

@test "several jobs below one directory" {
	mkdir "$BATS_TEST_TMPDIR/jobs"
	cp -rp "$JOB" "$BATS_TEST_TMPDIR/jobs/JOBA"
	cp -rp "$JOB" "$BATS_TEST_TMPDIR/jobs/JOBB"
	cp -rp "$PROF" "$BATS_TEST_TMPDIR/jobs/"
	for command in "${JOB_COMMANDS[@]}"; do
		[ "$command" != report ] || continue # a page is of one job
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$BATS_TEST_TMPDIR/jobs"
	done
	ls "$BATS_TEST_TMPDIR"/jobs/JOB[AB]/summary/op_summary* "$BATS_TEST_TMPDIR"/jobs/PROF*/mindstudio_profiler_output/op_summary*
}

@test "a part of a PROF directory has the host part beside it" {
	alike show -dir "$PROF/device_0"
	alike check --files -dir "$PROF/device_0"
	has "$output" host
	alike show -dir "$PROF/host"
	needs_sandbox
	# all other files beside it are out of reach
	mkdir "$PROF/device_1"
	attacked "$PROF/device_0" 0 check -dir "$PROF/device_0"
	equal "$(sort -u "$BATS_TEST_TMPDIR/attempts")" confined
}

@test "layouts from elsewhere, and a choice of reports" {
	cp -r "$ROOT/schema/records" "$BATS_TEST_TMPDIR/layouts"
	alike check -dir "$JOB" --layouts "$BATS_TEST_TMPDIR/layouts"
	echo '{"json_process":{"freq":false}}' >"$BATS_TEST_TMPDIR/reports.json"
	expect 0 export timeline -dir "$PROF" --reports "$BATS_TEST_TMPDIR/reports.json"
}

@test "a job that may not be written, with temporary databases elsewhere" {
	needs_ordinary
	# a directory of this test's own: the common one has files of others
	local temporary=$BATS_TEST_TMPDIR/temporary
	mkdir -m 0777 "$temporary"
	chmod -R a-w "$JOB"
	for command in show check query; do
		run --separate-stderr ordinary env SQLITE_TMPDIR="$temporary" "$MSPROF" "$command" -dir "$JOB"
		equal "$status" 0
		run --separate-stderr ordinary env -u TMPDIR -u SQLITE_TMPDIR "$MSPROF" "$command" -dir "$JOB"
		equal "$status" 0
	done
	chmod -R u+w "$JOB"
	equal "$(ls -A "$temporary")" ""
}

@test "standard output is a pipe, a file or closed" {
	equal "$("$MSPROF" show -dir "$JOB" | md5sum)" "$(MSPROF_SANDBOX=off "$MSPROF" show -dir "$JOB" | md5sum)"
	"$MSPROF" show -dir "$JOB" --format csv --table op_statistic >"$BATS_TEST_TMPDIR/out.csv"
	has "$(cat "$BATS_TEST_TMPDIR/out.csv")" Convolution
	"$MSPROF" import -dir "$JOB" >&-
}

@test "times in the log are local, whatever the zone" {
	hours=$(TZ=Asia/Kathmandu date +%H)
	TZ=Asia/Kathmandu expect 0 import -dir "$JOB"
	hours="$hours|$(TZ=Asia/Kathmandu date +%H)"
	equal "$(grep -cE " 20[0-9][0-9] ($hours):" "$JOB/log/collection.log")" 2
}

# an option of several commands has half of its paths with one of them; tests/long/sandbox.bats has all with each
@test "paths of options, in trees apart: the sandbox changes no output, file, message and exit status" {
	python3 "$ROOT/tests/gen/learn.py" --plain --seed 5 --out "$BATS_TEST_TMPDIR/learn"
	run python3 "$HELPERS/sandbox_paths.py" "$MSPROF" "$BATS_TEST_TMPDIR/place" "$JOB" "$PROF" "$(echo "$BATS_TEST_TMPDIR"/learn/JOB*)"
	equal "$status: ${output//[0-9]/}" "0:  command lines,  differ"
}
