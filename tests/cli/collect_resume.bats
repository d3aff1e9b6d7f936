#!/usr/bin/env bats
# collect_resume.bats: msprof collect --local: collections that are cut and resumed, and boards that lack a tool.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local

@test "--resume goes on with what was begun" {
	collect 0 "--job $JOB --name JOBR"
	mkdir "$BATS_TEST_TMPDIR/half"
	mkdir -m 750 "$BATS_TEST_TMPDIR/half/.JOBR.part"
	printf 'msprof-journal 1\nhost this machine\njob %s\nend 0\n' "$PLACE/out/profiling/JOBR" \
		>"$BATS_TEST_TMPDIR/half/.JOBR.journal"
	expect 0 collect --local --resume "$BATS_TEST_TMPDIR/half"
	diff -r "$BATS_TEST_TMPDIR/half/JOBR" "$JOB"
	no_part_files "$BATS_TEST_TMPDIR/half"
	expect 0 collect --local --resume "$BATS_TEST_TMPDIR/half"
	has "$stderr" "nothing to resume"
}

@test "--resume of a directory that is not there is an error, and makes none" {
	expect 1 collect --local --resume "$BATS_TEST_TMPDIR/none"
	has "$stderr" "--resume: cannot open the directory '$BATS_TEST_TMPDIR/none': No such file or directory"
	[ ! -e "$BATS_TEST_TMPDIR/none" ]
}

@test "a JOB begun from another board is not mixed up" {
	mkdir -p "$OUT/.JOBR.part"
	printf 'msprof-journal 1\nhost root@10.0.0.2:22\njob /x/JOBR\nend 0\n' >"$OUT/.JOBR.journal"
	expect 1 collect --local --resume "$OUT"
	has "$stderr" "root@10.0.0.2:22"
}

@test "after a cut while the program ran, --resume fetches what it had written" {
	begin "--job $JOB --name JOBK --hang"
	until_running
	g=$(group)
	kill -KILL "$collector"
	ends_with 137
	[ ! -e "$OUT/JOBK" ]
	expect 0 collect --local --resume "$OUT" --all -q # at once: the guard is still at work
	no_process -g "$g"
	diff -r -x sqlite -x log -x summary -x timeline "$OUT/JOBK" "$JOB"
	[ -s "$OUT/JOBK/sqlite/msprof.db" ]
	equal "$(ls -A "$OUT")" JOBK
}

@test "--resume ends its own guard when the board has not noticed the cut" {
	begin "--job $JOB --name JOBK --hang"
	until_running
	g=$(group)
	kill -STOP "$collector" # it holds its end of the connection
	cp -a "$OUT" copy
	expect 0 collect --local --resume copy
	has "$stderr" "another collect is running there" "waiting for up to 12 s" "fetched JOBK"
	no_process -g "$g"
	diff -r copy/JOBK "$JOB"
	kill -KILL "$collector"
	ends_with 137
	until_true nothing_on_board
}

@test "a collection waits for the one before it to clear up" {
	begin "--job $JOB --name JOBK --hang"
	until_running
	guard=$(cat "$HOME/msprof/.msprof.lock")
	kill -STOP "$guard" # as if it took long
	kill -KILL "$collector"
	ends_with 137
	OUT=$BATS_TEST_TMPDIR/other
	begin "--job $JOB --name JOBL"
	until_true grep -q "waiting for up to 12 s" "$BATS_TEST_TMPDIR/stderr"
	kill -CONT "$guard"
	ends_with 0
	grep -q "fetched JOBL" "$BATS_TEST_TMPDIR/stderr"
	nothing_on_board
}

# A board with only the busybox applets of small boards: poor_board APPLET...
poor_board() {
	local applet
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	for applet; do ln -sf "$(command -v busybox)" "$BATS_TEST_TMPDIR/bin/$applet"; done
}

@test "a board without flock, setsid, sha256sum and xargs: a pid file is the lock" {
	command -v busybox >/dev/null || skip "no busybox"
	poor_board sh tar find stat mkdir rm mv cp cat sleep df sed kill grep touch printf
	PATH_BEFORE=$PATH
	PATH=$BATS_TEST_TMPDIR/bin
	begin "--job $JOB --hang --child"
	PATH=$PATH_BEFORE
	until_running
	g=$(group)
	[ -s "$HOME/msprof/.msprof.lock" ]
	quick_sleep
	run --separate-stderr env "PATH=$PWD/quick:$BATS_TEST_TMPDIR/bin" "$MSPROF" collect --local -m "$APP/out/main" --output other
	equal "$status" 1
	has "$stderr" "another collect"
	equal "$(sort slept | uniq -c | xargs)" "120 0.1"
	kill -INT "$collector"
	ends_with 130
	no_process -g "$g"
	nothing_left
	diff -r "$(the_job)" "$JOB"
	[ ! -e "$HOME/msprof/.msprof.lock" ]
	# a lock left by a dead collection blocks nobody
	echo 999999999 >"$HOME/msprof/.msprof.lock"
	run --separate-stderr env "PATH=$BATS_TEST_TMPDIR/bin" "$MSPROF" collect --local -m "$APP/out/main --job $JOB" --output other
	equal "$status" 0
}

@test "a board with neither tar nor sftp is refused before anything is done" {
	command -v busybox >/dev/null || skip "no busybox"
	[ ! -x /usr/lib/openssh/sftp-server ] && [ ! -x /usr/lib/sftp-server ] || skip "this machine has an sftp server"
	poor_board sh find stat
	run --separate-stderr env "PATH=$BATS_TEST_TMPDIR/bin" "$MSPROF" collect --local -m "$APP/out/main" --output "$OUT"
	equal "$status" 4
	has "$stderr" "neither tar nor"
	[ ! -e "$PLACE" ]
}

@test "progress is shown on a terminal" {
	needs_terminal
	mkdir bin
	# a tar that does not begin before
	cat >bin/tar <<-END
		#!/bin/sh
		case \$1 in x*) shown='pushing: .* %, ' ;; *) shown='fetching JOB.* %, ' ;; esac
		until grep -q "\$shown" "$PWD/typed"; do sleep 0.1; done
		exec $(command -v tar) "\$@"
	END
	chmod +x bin/tar
	PATH=$PWD/bin:$PATH
	timeout 600 python3 "$HELPERS/pty_run.py" 80 "$MSPROF" collect --local -m "$APP/out/main --job $JOB" --output "$OUT" >typed
	has "$(cat typed)" "pushing:" "fetching JOB" " %, " "B/s"
}
