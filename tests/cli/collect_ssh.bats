#!/usr/bin/env bats
# collect_ssh.bats: the whole way over OpenSSH and dropbear: push, run, fetch, and the rest on the board.
# shellcheck disable=SC2154,SC2153,SC2034 # ssh.bash and run share variables with the tests

load ssh

setup_file() { start_servers; }
teardown_file() { stop_servers; }
setup() { fresh_board; }

@test "the project is sent with its modes, the program runs in its directory, its job comes back whole" {
	for server in $SERVERS; do
		board "$server"
		chmod 600 "$APP/model.om"
		ln -sfn model.om "$APP/link.om"
		collect 0 "--job $JOB_THERE --say hello 'a  b' \$(touch x) ;no * \"it's\" '"$'new\nline'"'"
		has "$output" "hello" "argument: a  b" 'argument: $(touch' "argument: ;no" "argument: *" "argument: it's" \
			"argument: "$'new\nline' "umask 0027 in $PLACE/out"
		has "$stderr" "error: hello" "pushed " "running 'main' in '$PLACE/out'" "fetched JOB"
		diff -r "$(the_job)" "$JOB"
		equal "$(stat -c %a "$PLACE/model.om" "$PLACE/out/main" | xargs)" "600 $(stat -c %a "$APP/out/main")"
		equal "$(readlink "$PLACE/link.om")" model.om
		equal "$(find "$OUT" -printf '%y %m\n' | sort -u)" $'d 750\nf 640'
		equal "$(find "$BOARD_HOME" "$APP" -name x)" ""
		board_is_clean
	done
}

@test "stdout and stderr are live" {
	for server in $SERVERS; do
		board "$server"
		cat >"$APP/out/main" <<-'END'
			#!/bin/sh
			echo from stdout
			echo from stderr >&2
			while [ ! -e heard ]; do sleep 0.1; done
			mkdir -p profiling/JOBLIVE; echo x >profiling/JOBLIVE/a
		END
		begin ""
		until_true grep -q "from stdout" stdout
		until_true grep -q "from stderr" stderr
		touch "$PLACE/out/heard"
		ends_with 0
		equal "$(cat stdout)" "from stdout"
	done
}

@test "much output comes whole, and in order" {
	for server in $SERVERS; do
		board "$server"
		printf '#!/bin/sh\nseq 200000\nmkdir profiling/JOBMUCH && echo x >profiling/JOBMUCH/a\n' >"$APP/out/main"
		collect 0 ""
		equal "$(sha256sum <<<"$output")" "$(seq 200000 | sha256sum)"
	done
}

@test "--all: the tables are on the screen, the files are there" {
	for server in $SERVERS; do
		board "$server"
		collect 0 "--job $JOB_THERE" --all --top 3
		has "$output" "AA Core Metrics" "Op statistic" "Acl statistic"
		[ -s "$(the_job)/sqlite/msprof.db" ]
		[ -n "$(ls "$(the_job)"/timeline/*.json)" ] && [ -n "$(ls "$(the_job)"/summary/*.csv)" ]
	done
}

@test "--all: jobs of other chips, whose inferences share a file" {
	for server in $SERVERS; do
		board "$server"
		for soc in dv500 cv610; do
			genjob "$BOARD_HOME/board_$soc" --soc "$soc" --pictures 3 --aicpu 0
			chmod -R o+rX "$BOARD_HOME/board_$soc"
			collect 0 "--job $BOARD_HOME/board_$soc --name JOB${soc^^} --obey" --all --interval 1
			has "$output" "AA Core Metrics" "svp_acl_mdl_execute"
			diff -r "$OUT/JOB${soc^^}/data" "$BOARD_HOME/board_$soc/data"
			discard "$BOARD_HOME/board_$soc"
		done
		discard "$OUT"
		board_is_clean
	done
}

@test "the program fails: exit 5, and its data is here" {
	for server in $SERVERS; do
		board "$server"
		collect 5 "--job $JOB_THERE --exit 7"
		has "$stderr" "fetched JOB"
		equal "$(tail -n 1 <<<"$stderr")" "msprof: error: 'main' failed with exit status 7"
		diff -r "$(the_job)" "$JOB"
		board_is_clean
		discard "$PLACE/out/profiling"
		collect 5 "--exit 7"
		equal "$(tail -n 1 <<<"$stderr")" "msprof: error: 'main' failed with exit status 7"
		has "$stderr" "no JOB appeared: the program failed"
		lacks "$stderr" "Failed to generate JOB" hint
		[ ! -e "$PLACE/out/profiling" ] # made for the run, and empty
		board_is_clean
		printf '#!/bin/sh\nmkdir profiling/JOBSEGV; echo x >profiling/JOBSEGV/a; kill -SEGV $$\n' >"$APP/out/main"
		collect 5 ""
		has "$stderr" "killed by signal 11" "fetched JOBSEGV"
		cp "$HELPERS/fakeboard.sh" "$APP/out/main"
	done
}

@test "Ctrl-C: the program's whole group is gone, what exists is fetched, exit 130" {
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --hang --child"
		until_running
		group=$(cat "$PLACE/.msprof.group")
		kill -INT "$collector"
		ends_with 130
		has "$stderr" "the program is stopped" "fetched JOB"
		diff -r "$(the_job)" "$JOB"
		no_process -g "$group"
		board_is_clean
	done
}

@test "Ctrl-C twice leaves at once; the board cleans up alone" {
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --hang --child"
		until_running
		# nothing on the board goes on: it would wait for ever
		mapfile -t board < <(board_pids)
		kill -STOP "${board[@]}"
		kill -INT "$collector"
		until_true grep -q "is stopped" stderr
		kill -INT "$collector"
		ends_with 130
		has "$stderr" "left at once"
		kill -CONT "${board[@]}"
		until_true board_is_clean
	done
}

@test "Ctrl-C at any moment after the login: exit 130, a clean board" {
	for server in $SERVERS; do
		for delay in 0.01 0.03; do
			board "$server"
			begin "--job $JOB_THERE --hang"
			until_true grep -q connected stderr
			sleep "$delay"
			kill -INT "$collector"
			ends_with 130
			board_is_clean
		done
	done
}

@test "--timeout: stopped, exit 5, the data is here" {
	for server in $SERVERS; do
		board "$server"
		# until it is long enough for this machine to write the job
		for seconds in 1 5 25; do
			board "$server"
			run --separate-stderr "$MSPROF" collect --config "$INI" --output "$OUT" -m "$APP/out/main --job $JOB_THERE --hang" \
				--timeout $seconds
			[[ $output != *"all is written"* ]] || break
		done
		equal "$status" 5
		has "$stderr" "did not end within $seconds s" "fetched JOB"
		diff -r "$(the_job)" "$JOB"
		board_is_clean
	done
}

no_slices() {
	[ -z "$(find "$1" -name '*.done')" ]
}

@test "--stream: slices come and are removed from the board while the program runs" {
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --name JOBS --hang" --stream
		until_running
		until_true grep -q 'removed from the board' stderr
		until_true no_slices "$PLACE/out/profiling/JOBS/data"
		kill -INT "$collector"
		ends_with 130
		diff -r "$OUT/JOBS" "$JOB"
		board_is_clean
	done
}

@test "--dry-run says what would be done, and does nothing" {
	for server in $SERVERS; do
		board "$server"
		collect 0 "--job 'a b'" --dry-run
		has "$output" "send model.om" "send out/main" "files to send" "write $PLACE/out/acl.json" '"switch": "on"' \
			"run ./main --job 'a b' in '$PLACE/out'" "fetch new JOBs"
		[ ! -e "$BOARD_HOME/msprof" ] && [ ! -e "$OUT" ]
	done
}

@test "acl.json: written as the command line says, the project's own is back byte for byte, with its time" {
	printf '{"other": {"kept": [1, 2]},\r\n "profiler": {"interval": "5", "aacpu": "off"}}\n\n' >"$APP/out/acl.json"
	for server in $SERVERS; do
		board "$server"
		collect 0 "--job $JOB_THERE" --acl_api off --aicpu on
		equal "$(jq -c '[.other.kept, (.profiler | .interval, .aicpu, .aacpu, .acl_api, .switch, .aic_metrics, .aac_metrics)]' \
			"$PLACE/out/seen.json")" '[[1,2],"5","on","on","off","on","ArithmeticUtilization","ArithmeticUtilization"]'
		equal "$(stat -c %Y "$PLACE/out/acl.json")" "$(stat -c %Y "$APP/out/acl.json")"
		board_is_clean
	done
}

@test "a second collection sends no file; --checksum sees what size and time hide; excludes stay here" {
	mkdir -p "$APP/.git" "$APP/JOBOLD" "$APP/src"
	touch "$APP/.git/x" "$APP/JOBOLD/x" "$APP/src/a.c" "$APP/a.o"
	echo '{"profiler": {"interval": "5"}}' >"$APP/out/acl.json"
	for server in $SERVERS; do
		board "$server"
		collect 0 "--job $JOB_THERE" --exclude src/ --exclude '*.o'
		equal "$(find "$PLACE" -name '*.o' -o -name src -o -name .git -o -name JOBOLD)" ""
		collect 0 "--job $JOB_THERE" --exclude src/ --exclude '*.o'
		has "$stderr" "pushed 0 files, 0 bytes"
		echo WEIGHTS >"$PLACE/model.om"
		touch -r "$APP/model.om" "$PLACE/model.om"
		collect 0 "--job $JOB_THERE" --exclude src/ --exclude '*.o'
		has "$stderr" "pushed 0 files"
		collect 0 "--job $JOB_THERE" --exclude src/ --exclude '*.o' --checksum
		has "$stderr" "pushed 1 file,"
		cmp "$APP/model.om" "$PLACE/model.om"
	done
}

@test "names with spaces, quotes, \$() and newlines are names" {
	name="a'p \$(touch x);\"b"
	mv "$APP" "$name"
	APP=$PWD/$name
	cd "$APP"
	echo 1 >"$APP/"$'two\nlines'
	echo 2 >"$APP/- '\$(touch x) \"\`id\`"
	cat >"$APP/out/m'a\`n" <<-'END'
		#!/bin/sh
		mkdir -p JOBODD "$1"
		echo data >"JOBODD/- \"'\`id\`\$(touch x);x"
	END
	chmod +x "$APP/out/m'a\`n"
	for server in $SERVERS; do
		board "$server"
		expect 0 collect --config "$INI" --output "$OUT" -m "\"out/m'a\\\`n\""
		PLACE=$(echo "$BOARD_HOME"/msprof/a_p*)
		equal "$(cat "$OUT/JOBODD/- \"'\`id\`\$(touch x);x")" data
		cmp "$APP/"$'two\nlines' "$PLACE/"$'two\nlines'
		cmp "$APP/- '\$(touch x) \"\`id\`" "$PLACE/- '\$(touch x) \"\`id\`"
		equal "$(find "$BATS_TEST_TMPDIR" "$BOARD_HOME" -name x)" ""
		board_is_clean
		expect 1 collect --config "$INI" --output "$OUT" -m "\"out/m'a\\\`n\" 'JOB \$(touch x);\"'"
		has "$stderr" "out/JOB \$(touch x);\"' is not the path of a JOB"
		equal "$(find "$BATS_TEST_TMPDIR" "$BOARD_HOME" -name x)" ""
		board_is_clean
	done
}

@test "a name of the board that no terminal should see is left out, and said: exit 3" {
	for server in $SERVERS; do
		board "$server"
		printf '#!/bin/sh\nmkdir profiling/JOBN; cd profiling/JOBN; echo 1 >good; echo 2 >"bad\n\033[2Jname"\n' >"$APP/out/main"
		collect 3 ""
		has "$stderr" "JOBN: 1 name left out"
		lacks "$stderr" $'\033'
		equal "$(ls "$OUT/JOBN")" good
	done
}

@test "twenty collections in a row, and the server is never confused" {
	[[ $SERVERS == *dropbear* ]] || skip "no dropbear"
	board dropbear
	for i in $(seq 20); do
		collect 0 "--job $JOB_THERE --name JOB$i" -q
		equal "$stderr" ""
	done
	equal "$(find "$OUT" -maxdepth 1 -name 'JOB*' | wc -l)" 20
}

@test "--board-stats: the board is sampled before, beside and after the program, and nothing is left there" {
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --name JOBS --wait $PWD/go_$server" --board-stats
		until_running
		until_true grep -q '^@msprof sample run ' "$PLACE/.msprof.stats"
		touch "go_$server"
		ends_with 0
		diff -r -x board_stats.txt "$OUT/JOBS" "$JOB"
		equal "$(grep '^@msprof sample ' "$OUT/JOBS/board_stats.txt" | cut -d' ' -f3 | uniq -c | awk '{ print $2, $1 < 9 }' | xargs)" \
			"before 1 run 1 after 1"
		grep -A1 '^@msprof text program$' "$OUT/JOBS/board_stats.txt" | grep -q '^[0-9]* (main) '
		board_is_clean
	done
}

@test "the connection of a sampled run is cut: the sampler ends with the program, and a resume fetches its samples" {
	for server in $SERVERS; do
		board "$server"
		begin "--job $JOB_THERE --name JOBS --hang" --board-stats
		until_running
		kill -KILL "$collector"
		ends_with 137
		until_true nothing_runs
		expect 0 collect --resume "$OUT" --config "$INI"
		grep -q '^@msprof sample after ' "$OUT/JOBS/board_stats.txt"
		board_is_clean
	done
}
