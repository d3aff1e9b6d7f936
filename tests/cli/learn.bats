#!/usr/bin/env bats
# learn.bats: msprof learn as a board's owner sees it: exit statuses, the file that it writes, what it says, and bad input.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup_file() {
	export PYTHONDONTWRITEBYTECODE=1
	umask 0027
	python3 "$BATS_TEST_DIRNAME/../gen/learn.py" --plain --seed 5 --out "$BATS_FILE_TMPDIR/board"
}

# A job of a made-up board is $JOB; a fresh copy, because tests change it.
setup() {
	umask 0027
	unset COLUMNS NO_COLOR LC_ALL LANG TZ
	cd "$BATS_TEST_TMPDIR" || return
	cp -r "$BATS_FILE_TMPDIR"/board/JOB* JOBBOARD
	export JOB=JOBBOARD DB=JOBBOARD/sqlite/msprof.db
}

# raw COMMAND: each raw file of records of the job becomes the output of a command
raw() {
	local file
	while read -r file; do
		"$@" >"$file"
	done < <(find "$JOB/data" -name 'a*' ! -name '*.done')
}

@test "exit 0: the layouts are proven, and every command takes them" {
	expect 0 learn -dir "$JOB"
	has "$output" "Layouts :" "Fields :" $'Missing :\n  none' "Unexplained bytes :" "Proof :" "svp.aicore" "learned" "43 of 43 rows"
	has "$stderr" "'layouts/learned.rec' has the layouts: msprof show -dir JOBBOARD --layouts layouts"
	equal "$(ls layouts)" learned.rec
	[ "$(grep -cE '^(record|json) svp\.[a-z_]+ v2 learned$' layouts/learned.rec)" -ge 3 ] || fail "$(cat layouts/learned.rec)"
	has "$(cat layouts/learned.rec)" "# All cells of these tables came out again:"
	# no name of a layer is in it
	lacks "$(cat layouts/learned.rec)" relu conv
	for command in check import show "export summary" "export timeline" query; do
		# shellcheck disable=SC2086 # words on purpose
		expect 0 $command -dir "$JOB" --layouts layouts
	done
	expect 0 check -dir "$JOB" --layouts layouts --format json
	equal "$(jq -r '.tables[0].rows[] | select(.Layout == "svp.aicore v2") | .Verified' <<<"$output")" "learned from tables of this board's tool"
	equal "$(query "SELECT DISTINCT verified, damaged_bytes FROM source WHERE layout = 'svp.aicore'")" "3|0"
	# the built-in layouts do not know this board
	expect 3 check -dir "$JOB"
	has "$output" "Next: msprof learn -dir JOBBOARD"
}

@test "nothing but the file is written: the job stays as it is" {
	chmod -R a-w "$JOB"
	before=$(snapshot "$JOB")
	expect 0 learn "$JOB"
	equal "$(snapshot "$JOB")" "$before"
	equal "$(find . -mindepth 1 -maxdepth 1 ! -name 'separate-stderr*' | sort)" "$(printf './JOBBOARD\n./layouts')"
	no_part_files .
	chmod -R u+w "$JOB"
}

@test "every cell of the tables is said to come out, and does" {
	expect 0 learn "$JOB" --format json
	jq -e '.schema == "msprof.learn/1"' <<<"$output" >/dev/null
	equal "$(jq -r '[.tables[] | .table] | join(",")' <<<"$output")" "Layouts,Fields,Missing,Unexplained bytes,Proof"
	equal "$(jq '[.tables[] | select(.table == "Proof") | .rows[] | select(.Cells == .Equal and .Cells > 0)] | length' <<<"$output")" 5
	summary=$(echo "$JOB"/summary/op_summary*)
	expect 0 show -dir "$JOB" --layouts layouts --table 'AA Core Metrics' --format json
	equal "$(jq '[.tables[0].rows[] | ."Time(us)"] | join(" ")' <<<"$output")" \
		"$(python3 -c 'import csv, sys; print("\"" + " ".join(row["Time(us)"] for row in csv.DictReader(open(sys.argv[1]))) + "\"")' "$summary")"
}

@test "a file that is the same is no error; one that differs is kept, unless --force" {
	expect 0 learn "$JOB" --output some/new/place
	first=$(sha256sum <some/new/place/learned.rec)
	expect 0 learn "$JOB" --output some/new/place
	echo '# mine' >>some/new/place/learned.rec
	expect 1 learn "$JOB" --output some/new/place
	has "$stderr" "'some/new/place/learned.rec' exists and differs: use --force to replace it, or another --output"
	equal "$(tail -1 some/new/place/learned.rec)" '# mine'
	expect 0 learn "$JOB" --output some/new/place --force
	equal "$(sha256sum <some/new/place/learned.rec)" "$first"
	no_part_files some
}

@test "a directory that cannot be made or written is a clear error" {
	needs_ordinary
	mkdir closed
	chmod 500 closed
	run --separate-stderr ordinary "$MSPROF" learn "$JOB" --output closed
	equal "$status" 1
	has "$stderr" "msprof: error: cannot create 'closed/learned.rec': Permission denied"
	run --separate-stderr ordinary "$MSPROF" learn "$JOB" --output closed/below
	equal "$status" 1
	has "$stderr" "msprof: error: cannot make the directory 'closed/below': Permission denied"
	equal "$(ls -A closed)" ""
	touch file
	expect 1 learn "$JOB" --output file
	has "$stderr" "cannot make the directory 'file': Not a directory"
}

@test "--from: files and directories, in place of those of the job" {
	mkdir tables
	mv "$JOB"/summary "$JOB"/timeline tables
	expect 0 learn "$JOB" --output one --from tables
	expect 0 learn "$JOB" --output two --from tables/summary --from tables/timeline
	equal "$(grep -v '^#' one/learned.rec)" "$(grep -v '^#' two/learned.rec)"
	# a single table says less: what it leaves open is said
	expect 3 learn "$JOB" --output three --from "$(echo tables/summary/op_summary*)"
	has "$output" "no table says anything of these files" "not proven"
	has "$stderr" "the layouts are not proven"
	lacks "$(cat three/learned.rec)" " learned"
	expect 3 check "$JOB" --layouts three
	lacks "$output" "learned from"
}

@test "our own exports are no reference: those that are newer than our database are refused by name" {
	fresh_job
	expect 0 export summary -dir "$JOB" -q
	expect 3 learn "$JOB" --output none
	has "$stderr" "op_summary_0.resnet50.46.1.1.0" "is not a reference: it is newer than msprof.db, as our own exports are"
	[ ! -e none ] || fail "something was written"
}

@test "without tables the bytes alone are described, as a guess" {
	discard "$JOB/summary"
	discard "$JOB/timeline"
	expect 3 learn "$JOB"
	has "$output" "a guess" "no table says anything of these files" "none: no table could be made again"
	has "$stderr" "tables of the board's own tool not found" --from
	[ ! -e layouts ] || fail "something was written"
	expect 3 learn "$ROOT"/tests/data/JOB* --output none --format json
	equal "$(jq -r '.tables[] | select(.table == "Layouts") | .rows[] | [.Layout, ."Record(byte)", ."Header(byte)", .State] | join(" ")' <<<"$output" | sort)" \
		"svp.acl_api 128 0 a guess
svp.aicore 128 0 a guess
svp.aicpu 32 0 a guess"
	[ ! -e none ] || fail "something was written"
}

@test "what is no reference is refused by name" {
	printf 'Time(us)\n1\n"2' >"$JOB/summary/cut.csv"
	echo '{' >"$JOB/timeline/cut.json"
	sqlite3 "$JOB/summary/other.db" 'CREATE TABLE t(a)'
	expect 0 learn "$JOB" --output first
	has "$stderr" "'summary/cut.csv' is not a reference" "'timeline/cut.json' is not a reference" "'summary/other.db' is not a reference"
	rm "$JOB"/*/cut.* "$JOB/summary/other.db"
	# what msprof made of the same job
	mkdir JOBOWN
	cp -r "$JOB"/data "$JOB"/info.json.0 JOBOWN
	expect 0 export timeline JOBOWN --layouts first
	expect 0 learn "$JOB" --output second --from "$JOB/summary" --from "$JOB/timeline" --from JOBOWN
	has "$stderr" "'JOBOWN/sqlite/msprof.db' is our own database" "'JOBOWN/timeline/" "is an export of msprof"
	equal "$(grep -v '^#' first/learned.rec)" "$(grep -v '^#' second/learned.rec)"
	run --separate-stderr "$MSPROF" learn JOBOWN --output third
	[ "$status" -ne 0 ] || fail "learned from what msprof made"
}

@test "tables of another job, and raw files of a byte, of noise and of zeros, are never proven" {
	python3 "$ROOT/tests/gen/learn.py" --plain --seed 6 --out other
	for case in "printf x" "head -c 5000 /dev/zero" "python3 -c 'import random, sys; random.seed(3); sys.stdout.buffer.write(random.randbytes(5000))'" \
		true other; do
		discard "$JOB"
		discard layouts
		cp -r "$BATS_FILE_TMPDIR"/board/JOB* "$JOB"
		if [ "$case" = other ]; then
			expect 3 learn "$JOB" --from "$(echo other/JOB*)/summary"
		else
			raw bash -c "$case"
			expect 3 learn "$JOB"
		fi
		[ "$case" = true ] || has "$output" "Missing :" "svp.aicore" "are these the tables of this job?"
		[ ! -e layouts ] || lacks "$(cat layouts/learned.rec)" " learned"
	done
}

@test "several jobs, a job of Ascend and no job are refused" {
	mkdir many
	cp -r "$JOB" many/JOBA
	cp -r "$JOB" many/JOBB
	expect 1 learn many
	has "$stderr" "'many' has several jobs: learn takes one"
	mkdir -p JOBASCEND/data
	touch JOBASCEND/data/hwts.data.0.slice_0
	echo '{"DeviceInfo":[{}]}' >JOBASCEND/info.json.0
	expect 1 learn JOBASCEND
	has "$stderr" "'JOBASCEND' is a job of Ascend, whose layouts are published: learn has nothing to find"
	expect 1 learn nosuch
	has "$stderr" "cannot open 'nosuch'"
	[ ! -e layouts ] || fail "something was written"
}

@test "the command line: options of its own, formats, help" {
	expect 0 learn --help
	has "$output" "Usage: msprof learn [-dir] JOB" --from --output --force "Exit status 0"
	expect 2 learn
	expect 2 learn "$JOB" --format csv
	has "$stderr" "invalid format 'csv' (table or json)"
	expect 2 learn "$JOB" --layouts x
	has "$stderr" "learn does not accept --layouts"
	expect 2 learn "$JOB" --output ''
	expect 2 learn "$JOB" --bogus
	has "$stderr" "Try 'msprof learn --help'"
	expect 0 learn "$JOB" -q
	equal "$stderr" ""
}

@test "the next command can be copied, whatever the names" {
	mv "$JOB" "it's a job"
	expect 0 learn "it's a job" --output "my layouts"
	next=$(sed -n 's/.*has the layouts: msprof //p' <<<"$stderr")
	eval "expect 0 $next"
}

@test "boards with other layouts are learned, and none wrong" {
	run python3 "$HELPERS/learn_seeds.py" "$MSPROF" 20 4
	equal "${lines[-1]}" "4 seeds: 4 reproduced, 0 in part, 0 nothing, 0 WRONG, 0 FAILED"
}

@test "a number of layer.info that may be the stream, of which no table speaks, is named" {
	python3 "$BATS_TEST_DIRNAME/../gen/learn.py" --seed 255 --odd-clocks --out board
	expect 3 learn -dir board/JOB*
	has "$output" "no table says stream_id, which 'sid' of layer.info may be"
}
