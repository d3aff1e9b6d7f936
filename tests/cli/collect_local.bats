#!/usr/bin/env bats
# collect_local.bats: msprof collect --local: everything but SSH. A script plays the board's program.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local

@test "the project is sent, the program runs in its directory, its job comes back whole" {
	collect 0 "--job $JOB --say hello 'a  b' \$(no) ;no *"
	has "$output" "hello" "argument: a  b" 'argument: $(no)' "argument: ;no" "argument: *" "umask 0027 in $PLACE/out"
	has "$stderr" "error: hello" "pushed 2 files" "fetched JOBFAKE"
	diff -r "$(the_job)" "$JOB"
	equal "$(find "$(the_job)" -name '*.done' | wc -l)" "$(find "$JOB" -name '*.done' | wc -l)"
	cmp "$PLACE/model.om" "$APP/model.om"
	nothing_left
	[ -z "$(find "$APP" -name 'JOB*')" ]
}

@test "--all imports, exports and shows" {
	collect 0 "--job $JOB" --all --top 3 --bom
	has "$output" "AA Core Metrics" "Op statistic" "Acl statistic"
	[ -s "$(the_job)/sqlite/msprof.db" ]
	[ -n "$(ls "$(the_job)"/timeline/*.json)" ] && [ -n "$(ls "$(the_job)"/summary/*.csv)" ]
	equal "$(head -q -c 3 "$(the_job)"/summary/acl_statistic*.csv)" $'\xef\xbb\xbf'
}

@test "--all on damaged data gives 3, with --strict 1" {
	printf x >>"$JOB/data/aicpu.0.resnet50.46.1.1.0"
	collect 3 "--job $JOB" --all
	collect 1 "--job $JOB" --all --strict
}

@test "a second collection of an unchanged project sends nothing" {
	echo '{"other": {"kept": [1, 2]}, "profiler": {"interval": "5", "switch": "off"}}' >"$APP/out/acl.json"
	collect 0 "--job $JOB" --switch on
	collect 0 "--job $JOB" --switch on
	has "$stderr" "pushed 0 files" "sums compared" # of what was fetched
	touch -d '2001-01-01' "$APP/model.om"
	collect 0 "--job $JOB" --switch on --checksum
	has "$stderr" "pushed 0 files"
	echo more >>"$APP/model.om"
	collect 0 "--job $JOB" --switch on
	has "$stderr" "pushed 1 file,"
}

@test "acl.json: defaults below the project's below the command line, and the project's own is back afterwards" {
	echo '{"other": {"kept": [1, 2]}, "profiler": {"interval": "5", "aacpu": "off"}}' >"$APP/out/acl.json"
	before=$(sha256sum <"$APP/out/acl.json")
	collect 0 "--job $JOB" --acl_api off --aicpu on
	equal "$(jq -c '[.other.kept, (.profiler | .interval, .aicpu, .aacpu, .acl_api, .switch, .aic_metrics, .aac_metrics)]' \
		"$PLACE/out/seen.json")" '[[1,2],"5","on","on","off","on","ArithmeticUtilization","ArithmeticUtilization"]'
	equal "$(sha256sum <"$PLACE/out/acl.json")" "$before"
	equal "$(stat -c %Y "$PLACE/out/acl.json")" "$(stat -c %Y "$APP/out/acl.json")"
	nothing_left
}

@test "no acl.json: the default is written beside the program, and is gone afterwards" {
	collect 0 "--job $JOB"
	equal "$(jq -r '.profiler | keys_unsorted | join(" ")' "$PLACE/out/seen.json")" \
		"output aicpu aacpu aic_metrics aac_metrics interval acl_api switch"
	has "$(jq -r .profiler.output "$PLACE/out/seen.json")" profiling
	[ ! -e "$PLACE/out/acl.json" ]
	expect 0 acljson --check "$PLACE/out/seen.json"
	equal "$stderr" ""
}

@test "interval 0, the default: only the first inference of a model is sampled, and collect says how to get more" {
	said="interval 0: of each model only the first inference is sampled; --interval 1 samples more"
	collect 0 "--job $JOB"
	has "$stderr" "$said"
	collect 0 "--job $JOB" --interval 0 --dry-run
	has "$stderr" "$said"
	collect 0 "--job $JOB" --interval 1
	lacks "$stderr" "interval 0"
	equal "$(jq -r .profiler.interval "$PLACE/out/seen.json")" 1
	expect 2 collect --local -m "$APP/out/main" --interval 10000
	has "$stderr" "10000"
	expect 0 help collect
	has "$output" "--interval 1" "only the first inference of"
}

@test "what a board does not read, or fails on, is written as it was meant" {
	while IFS='|' read -r members want; do
		echo "{\"profiler\": {\"switch\": \"on\", $members}}" >"$APP/out/acl.json"
		collect 0 "--job $JOB"
		equal "$(jq -c '[.profiler | .aicpu, .aacpu, .aic_metrics, .aac_metrics, .interval]' "$PLACE/out/seen.json")" "$want"
		expect 0 acljson --check "$PLACE/out/seen.json"
		equal "$stderr" ""
	done <<-'END'
		"aacpu": "off"|["off","off","ArithmeticUtilization","ArithmeticUtilization","0"]
		"aicpu": "off", "aacpu": "on"|["off","off","ArithmeticUtilization","ArithmeticUtilization","0"]
		"aac_metrics": "none"|["on","on",null,null,"0"]
		"interval": 3|["on","on","ArithmeticUtilization","ArithmeticUtilization","3"]
		"interval": "10000"|["on","on","ArithmeticUtilization","ArithmeticUtilization","0"]
	END
}

@test "several acl.json are an error that lists them; --acl-json chooses" {
	mkdir "$APP/data"
	echo '{"profiler": {"interval": "7"}}' >"$APP/data/acl.json"
	echo '{"profiler": {"interval": "8"}}' >"$APP/out/acl.json"
	collect 1 "--job $JOB"
	has "$stderr" "data/acl.json" "out/acl.json" --acl-json
	collect 0 "--job $JOB" --acl-json "$APP/out/acl.json"
	equal "$(jq -r .profiler.interval "$PLACE/out/seen.json")" 8
	collect 0 "--job $JOB --acl ../data/acl.json" --exclude 'out/acl.json'
	equal "$(jq -r .profiler.interval "$PLACE/out/seen.json")" 7
}

@test "profiling and dump together are refused before anything is sent" {
	echo '{"profiler": {"switch": "on"}, "dump": {"dump_path": "/tmp", "dump_mode": "all"}}' >"$APP/out/acl.json"
	collect 1 "--job $JOB"
	has "$stderr" profiler dump
	[ ! -e "$PLACE" ]
}

@test "an output outside the alphabet of the guide is refused or warned about" {
	echo '{"profiler": {"output": "a b"}}' >"$APP/out/acl.json"
	collect 0 "--job $JOB"
	has "$stderr" "profiler.output" "a b"
}

@test "bad values of the command line are usage errors" {
	for words in "--interval -1" "--interval x" "--acl_api yes" "--aacpu 1" "--switch ON" "--aac_metrics nosuch" \
		"--timeout 0" "--timeout x" "--config x.ini" "--mount relative" "--resume x"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 2 collect --local -m "$APP/out/main" $words
		has "$stderr" "msprof: error: " "Try 'msprof collect --help'"
	done
	expect 2 collect --local
	has "$stderr" "-m is missing"
	expect 2 collect -m "$APP/out/main"
	has "$stderr" "--config"
	expect 2 collect --local -m "'no end"
	[ ! -e "$PLACE" ]
}

@test "the switch off: a warning, and no JOB is no failure" {
	collect 0 "" --switch off
	has "$stderr" "warning: " "no data will be collected"
	lacks "$stderr" "Failed to generate"
}

@test "the program fails: exit 5, its data is fetched all the same" {
	collect 5 "--job $JOB --exit 7"
	has "$stderr" "exit status 7" "fetched JOB"
	diff -r "$(the_job)" "$JOB"
	nothing_left
	collect 5 "--job $JOB --exit 7" --all
	equal "$(find "$OUT" -name msprof.db -size +0 | wc -l)" 1
}

@test "the program is missing, no file, or not executable" {
	expect 1 collect --local -m "$APP/out/nosuch"
	has "$stderr" "$APP/out/nosuch"
	expect 1 collect --local -m "$APP/out"
	chmod -x "$APP/out/main"
	collect 1 ""
	has "$stderr" "not executable"
	[ ! -e "$PLACE" ]
}

@test "a program that the board cannot run gives 5" {
	printf '#!/nosuch/interpreter\n' >"$APP/out/main"
	collect 5 ""
	has "$stderr" "cannot be run on the board"
	nothing_left
}

@test "--all with a program that fails: its status is the last line; one warning of the umask, however many jobs" {
	umask 0022
	collect 5 "--job $JOB --exit 7" --all
	equal "$(tail -n 1 <<<"$stderr")" "msprof: error: 'main' failed with exit status 7"
	equal "$(grep -c 'warning: umask' <<<"$stderr")" 1
}

@test "the output directory that was made for the run goes when it is empty; the project's own stays" {
	collect 1 ""
	[ ! -e "$PLACE/out/profiling" ]
	mkdir "$APP/out/profiling"
	collect 1 ""
	[ -d "$PLACE/out/profiling" ]
}

@test "no JOB: the vendor's message and hints, exit 1" {
	collect 1 ""
	has "$stderr" "Failed to generate JOB, please check whether the profiling function is enabled in the board project, or try again." \
		"runs in '$PLACE/out' and must pass the path of '$PLACE/out/acl.json' to svp_acl_init" "--online_model_type=2" AIISP "$PLACE/out/profiling"
	nothing_left
}

@test "JOBs beside the program and in the project are found, old ones are not" {
	mkdir -p "$PLACE/out/profiling/JOBOLD/data"
	printf '#!/bin/sh\nmkdir -p JOBHERE ../JOBTHERE; echo a >JOBHERE/a; echo b >../JOBTHERE/b\n' >"$APP/out/main"
	collect 0 ""
	equal "$(ls "$OUT")" $'JOBHERE\nJOBTHERE'
}

@test "--clean removes fetched JOBs from the board, and only those" {
	mkdir -p "$PLACE/out/profiling/JOBOLD/data"
	collect 0 "--job $JOB" --clean
	equal "$(ls "$PLACE/out/profiling")" JOBOLD
	collect 0 "--job $JOB"
	[ "$(find "$PLACE/out/profiling" -maxdepth 1 -name 'JOB*' | wc -l)" = 2 ]
}

# What the program links to, and links that are named like a JOB, are not the JOB's.
@test "--clean follows no link, and --local leaves what it did not make" {
	mkdir -p "$BATS_TEST_TMPDIR/precious/data" "$PLACE/out" "$APP/out"
	echo mine >"$BATS_TEST_TMPDIR/precious/data/file"
	echo notes >"$PLACE/out/notes"
	echo notes >"$HOME/notes"
	printf '%s\n' '#!/bin/sh' 'mkdir -p profiling/JOBA/data && echo a >profiling/JOBA/data/a' "p='$BATS_TEST_TMPDIR/precious'" \
		'ln -s "$p" profiling/JOBLINK; ln -s "$p" profiling/JOBA/link; ln -s "$p/data/file" profiling/JOBA/data/file' >"$APP/out/main"
	collect 3 "" --clean
	printf '#!/bin/sh\nmkdir -p profiling/JOBB/data && echo b >profiling/JOBB/data/b\n' >"$APP/out/main"
	collect 0 "" --clean
	equal "$(ls "$OUT")" $'JOBA\nJOBB'
	[ ! -e "$PLACE/out/profiling/JOBB" ]
	equal "$(cat "$BATS_TEST_TMPDIR/precious/data/file" "$PLACE/out/notes" "$HOME/notes")" $'mine\nnotes\nnotes'
	[ -L "$PLACE/out/profiling/JOBLINK" ]
}

@test "--stream fetches finished slices and removes them while the program runs" {
	begin "--job $JOB --name JOBS --wait go" --stream
	until_true grep -q 'removed from the board' "$BATS_TEST_TMPDIR/stderr"
	touch "$PLACE/out/go"
	ends_with 0
	diff -r "$OUT/JOBS" "$JOB"
	[ "$(find "$PLACE/out/profiling/JOBS/data" -name '*.done' | wc -l)" -lt "$(find "$JOB" -name '*.done' | wc -l)" ]
	nothing_left
}

@test "Ctrl-C stops the program's whole group, and what exists is fetched" {
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	begin "--job $JOB --name JOBC --hang --child"
	until_running
	g=$(group)
	kill -INT "$collector"
	ends_with 130
	no_process -g "$g"
	diff -r "$OUT/JOBC" "$JOB"
	cmp "$APP/out/acl.json" "$PLACE/out/acl.json"
	nothing_left
}

@test "a program that does not listen is killed" {
	quick_sleep
	PATH=$PWD/quick:$PATH begin "--job $JOB --hang --ignore-term"
	until_running
	g=$(group)
	kill -TERM "$collector"
	ends_with 143
	until_true no_process -g "$g"
	nothing_left
}

@test "Ctrl-C twice leaves at once; the board is cleared up all the same" {
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	begin "--job $JOB --hang --child"
	until_running
	g=$(group)
	# nothing on the board goes on: it would wait for ever
	mapfile -t board < <(pgrep -P "$collector")
	kill -STOP "${board[@]}" "-$g"
	kill -INT "$collector"
	until_true grep -q "is stopped" "$BATS_TEST_TMPDIR/stderr"
	kill -INT "$collector"
	ends_with 130
	grep -q "left at once" "$BATS_TEST_TMPDIR/stderr"
	kill -CONT "${board[@]}" "-$g"
	until_true no_process -g "$g"
	until_true cmp "$APP/out/acl.json" "$PLACE/out/acl.json"
	until_true nothing_left
}

@test "a collector that is killed leaves no program and no acl.json of its own" {
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	begin "--job $JOB --hang --child"
	until_running
	g=$(group)
	kill -KILL "$collector"
	ends_with 137
	until_true no_process -g "$g"
	until_true cmp "$APP/out/acl.json" "$PLACE/out/acl.json"
}

@test "--timeout stops the program: exit 5, its data is fetched" {
	# until it is long enough for this machine to write the job
	for seconds in 1 5 25; do
		fresh_home
		PLACE=$HOME/msprof/app
		discard "$OUT"
		run --separate-stderr "$MSPROF" collect --local --output "$OUT" -m "$APP/out/main --job $JOB --hang" --timeout $seconds
		[[ $output != *"all is written"* ]] || break
	done
	equal "$status" 5
	has "$stderr" "did not end within $seconds s"
	diff -r "$(the_job)" "$JOB"
	nothing_left
}

@test "children that outlive the program do not" {
	collect 0 "--job $JOB --child"
	[ -s "$PLACE/out/child" ]
	no_process -F "$PLACE/out/child"
}

@test "a second collection on the same board is refused" {
	begin "--job $JOB --hang"
	until_true test -s "$PLACE/.msprof.group"
	# the guard looks for the lock 120 times, and sleeps between
	quick_sleep
	PATH=$PWD/quick:$PATH expect 1 collect --local --output "$BATS_TEST_TMPDIR/other" -m "$APP/out/main"
	has "$stderr" "another collect"
	equal "$(sort slept | uniq -c | xargs)" "120 0.1"
	expect 1 collect --local --output "$OUT" -m "$APP/out/main"
	has "$stderr" "another profiling task" ".msprof.lock"
	kill -INT "$collector"
	ends_with 130
	nothing_left
	collect 0 "--job $JOB"
}

@test "--dry-run says what would be done, and does nothing" {
	collect 0 "--job 'a b'" --dry-run
	has "$output" "send model.om" "send out/main" "2 files to send" "write $PLACE/out/acl.json" '"switch": "on"' \
		"run ./main --job 'a b' in '$PLACE/out'" "fetch new JOBs below '$PLACE'" "put them into '$OUT'"
	lacks "$output" "show each" "remove" "mount"
	[ ! -e "$HOME/msprof" ] && [ ! -e "$OUT" ]
	collect 0 "" --dry-run --all --stream --clean
	has "$output" "import, export and show each" "meanwhile fetch finished slices" "remove fetched JOBs from the board"
}

@test "excludes, .git and earlier JOBs are not sent" {
	mkdir -p "$APP/.git" "$APP/JOBOLD" "$APP/src"
	touch "$APP/.git/x" "$APP/JOBOLD/x" "$APP/src/a.c" "$APP/a.o"
	collect 0 "--job $JOB" --exclude src/ --exclude '*.o'
	equal "$(find "$PLACE" -name '*.o' -o -name src -o -name .git -o -name JOBOLD)" ""
}

@test "--project chooses what is sent; the program must be in it" {
	collect 0 "--job $JOB" --project "$APP/out"
	[ ! -e "$HOME/msprof/out/model.om" ] && [ -x "$HOME/msprof/out/main" ]
	mkdir "$BATS_TEST_TMPDIR/elsewhere"
	collect 1 "" --project "$BATS_TEST_TMPDIR/elsewhere"
	has "$stderr" "not in the project"
}

@test "names with quotes, spaces and dollars are names" {
	mv "$APP" "$BATS_TEST_TMPDIR/a'p \$(touch x);\"b"
	cp "$BATS_TEST_TMPDIR/a'p \$(touch x);\"b/out/main" "$BATS_TEST_TMPDIR/a'p \$(touch x);\"b/out/m'a\`n"
	cd "$BATS_TEST_TMPDIR/a'p \$(touch x);\"b"
	expect 0 collect --local --output "$OUT" -m "\"out/m'a\\\`n\" --job $JOB"
	diff -r "$(the_job)" "$JOB"
	equal "$(find "$BATS_TEST_TMPDIR" -name x)" ""
}

@test "results are private, whatever the umask" {
	umask 0022
	collect 0 "--job $JOB"
	equal "$(find "$OUT" -printf '%y %m\n' | sort -u)" $'d 750\nf 640'
	equal "$(grep -c umask <<<"$stderr")" 1
	collect 1 "--job $JOB" --strict
	has "$stderr" "umask 0022"
	collect 0 "--job $JOB" --dry-run
	lacks "$stderr" "umask 0022"
	collect 0 "--job $JOB" -q
	lacks "$stderr" "umask 0022"
}

@test "-q is quiet, but for the program" {
	collect 0 "--job $JOB --say hello" -q
	equal "$stderr" "error: hello"
	has "$output" hello
}

@test "an unreadable, wrong or open ini is refused by name" {
	printf '[ssh_config]\nip = 127.0.0.1\nusername = x\nport = 1\n' >b.ini
	chmod 644 b.ini
	expect 1 collect --config b.ini --strict -m "$APP/out/main"
	has "$stderr" "b.ini" "can be read by others"
	expect 4 collect --config b.ini -m "$APP/out/main" --output "$OUT"
	has "$stderr" "warning: 'b.ini' can be read by others" "127.0.0.1"
	expect 1 collect --config b.txt -m "$APP/out/main"
	has "$stderr" ".ini"
	printf '[ssh_config]\nip = 127.0.0.1\nusername = x\nport = 99999\n' >c.ini
	chmod 600 c.ini
	expect 1 collect --config c.ini -m "$APP/out/main"
	has "$stderr" "c.ini" port
	printf '[ssh_config]\nip = 127.0.0.1\nusername = x\nremote_dir = /a b\n' >c.ini
	expect 1 collect --config c.ini -m "$APP/out/main" --output "$OUT"
	has "$stderr" "remote_dir" "/a b"
}

@test "several boards: each has its own line and directory, a bad one does not stop the others" {
	printf '[ssh_config]\nip = 127.0.0.1\nusername = x\nport = 1\n' >a.ini
	printf '[ssh_config]\nip = 127.0.0.2\nusername = x\nport = 1\n' >b.ini
	chmod 600 a.ini b.ini
	expect 4 collect --config a.ini --config b.ini -m "$APP/out/main" --output "$OUT"
	has "$stderr" "[127.0.0.1] msprof: error" "[127.0.0.2] msprof: error"
	[ -d "$OUT/127.0.0.1" ] && [ -d "$OUT/127.0.0.2" ]
}

@test "help shows an ini that can be read" {
	expect 0 help collect
	has "$output" "[ssh_config]" "-m MAIN --config INI" "--accept-new"
	sed -n '/^  \[ssh_config\]/,/^$/s/^  //p' <<<"$output" >typed.ini
	cp "$ROOT/cli/board.ini" example.ini
	sed -i 's/^ip = .*/ip = 127.0.0.1/; s/^#*port = .*/port = 1/' example.ini typed.ini
	chmod 600 example.ini typed.ini
	for ini in example.ini typed.ini; do
		expect 4 collect --config "$ini" -m "$APP/out/main" --output "$OUT"
		has "$stderr" "127.0.0.1:1"
		lacks "$stderr" "$ini"
	done
	grep -qx 'pwd = secret' typed.ini # nothing after a value that would be a part of it
}
