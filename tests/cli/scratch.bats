#!/usr/bin/env bats
# scratch.bats: the files that tests, `make clean` and `make demo` may remove; the runner notices forbidden changes.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

refused() {
	run --separate-stderr discard "$@"
	[ "$status" -ne 0 ] || fail "removed: $*"
	has "$stderr" "refused to remove"
}

@test "discard removes files and trees of the test, and nothing else" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p mine/deep "$BATS_FILE_TMPDIR/shared"
	discard mine "$BATS_FILE_TMPDIR/shared" nosuch
	[ ! -e mine ] && [ ! -e "$BATS_FILE_TMPDIR/shared" ]
	[ -z "${MSPROF_SCRATCH:-}" ] || refused "$MSPROF_SCRATCH"
	for path in '' / . .. "$BATS_TEST_TMPDIR" "$BATS_TEST_TMPDIR/.." "$BATS_RUN_TMPDIR" "$ROOT/tests/data" "$ROOT" /etc/passwd; do
		refused "$path"
	done
	[ -s "$ROOT/tests/data/README.md" ] && [ -s /etc/passwd ]
}

@test "discard refuses links, and paths that lead out through a link" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p "$BATS_RUN_TMPDIR/foreign.$$/deep"
	ln -s "$BATS_RUN_TMPDIR/foreign.$$" link
	refused link
	refused link/deep
	[ -d "$BATS_RUN_TMPDIR/foreign.$$/deep" ]
}

@test "discard refuses the home directory, what is below and what holds it" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p above/home/below
	HOME=$BATS_TEST_TMPDIR/above/home
	refused above/home/below
	refused above/home
	refused above
	[ -d above/home/below ]
}

@test "a scratch directory without its mark is not removed" {
	mkdir "$BATS_TEST_TMPDIR/msprof_scratch_abcdef"
	MSPROF_SCRATCH=$BATS_TEST_TMPDIR/msprof_scratch_abcdef
	run --separate-stderr scratch_remove
	[ "$status" -ne 0 ] && [ -d "$MSPROF_SCRATCH" ]
	refused "$BATS_RUN_TMPDIR/tmp"
	MSPROF_SCRATCH=
	run --separate-stderr scratch_remove
	[ "$status" -ne 0 ]
}

@test "make clean removes what make made, and refuses any other directory" {
	cd "$BATS_TEST_TMPDIR"
	mkdir full && echo mine >full/precious
	run --separate-stderr make -C "$ROOT" -s clean BUILD="$PWD/full"
	[ "$status" -ne 0 ]
	has "$stderr" "refused to remove" "held other files before"
	# a build there does not mark a directory that holds other files
	make -C "$ROOT" -s BUILD="$PWD/full" "$PWD/full/schema.list"
	run --separate-stderr make -C "$ROOT" -s clean BUILD="$PWD/full"
	[ "$status" -ne 0 ] && [ -s full/precious ]
	ln -s full link
	run --separate-stderr make -C "$ROOT" -s clean BUILD="$PWD/link"
	[ "$status" -ne 0 ] && [ -s full/precious ]
	make -C "$ROOT" -s BUILD="$PWD/new" "$PWD/new/schema.list"
	make -C "$ROOT" -s clean BUILD="$PWD/new"
	[ ! -e new ]
	make -C "$ROOT" -s clean BUILD="$PWD/nosuch"
}

# one_run LINE...: the runner, that of the sources in $TREE, on a file with one test of these LINEs, with a home of its own, and with
# what $CALLER has of the environment
one_run() {
	mkdir -p "$BATS_TEST_TMPDIR/tests" "$BATS_TEST_TMPDIR/real_home"
	{
		echo '@test "one" {'
		printf '%s\n' "$@" '}'
	} >"$BATS_TEST_TMPDIR/tests/one.bats"
	run --separate-stderr env -i PATH=/usr/local/bin:/usr/bin:/bin REAL="$BATS_TEST_TMPDIR/real_home" HOME="$BATS_TEST_TMPDIR/real_home" \
		TMPDIR="$BATS_TEST_TMPDIR" MSPROF_TEST_SYSTEM="${ALONE-}" "${CALLER[@]}" "${TREE:-$ROOT}/tests/run.sh" -- "$BATS_TEST_TMPDIR/tests/one.bats" 3>&-
}

@test "the runner gives tests a home of their own, and fails when the real one has changed" {
	# shellcheck disable=SC2016 # for the inner test
	one_run '[ "$HOME" != "$REAL" ] && [ -d "$HOME" ] && [[ $TMPDIR == "$MSPROF_SCRATCH"/* && $XDG_CACHE_HOME == "$HOME"/* ]]' \
		'touch "$HOME/left" "$TMPDIR/left"'
	equal "$status" 0
	[[ $output == *"1 passed, 0 failed, 0 skipped" ]] || fail "$output"
	equal "$(ls -A "$BATS_TEST_TMPDIR/real_home")" ""
	[ -z "$(find "$BATS_TEST_TMPDIR" -name 'msprof_scratch_*')" ] || fail "the scratch directory is left"
	# shellcheck disable=SC2016
	ALONE=1 one_run 'touch "$REAL/.left"'
	equal "$status" 1
	has "$output" "the tests changed what is not theirs" real_home/.left "1 passed, 1 failed"
	# shellcheck disable=SC2016
	ALONE=1 one_run 'touch "${MSPROF_SCRATCH%/*}/msprof-left"'
	equal "$status" 1
	has "$output" "msprof-left"
}

@test "of the caller's environment nothing reaches a test but what is meant for it" {
	CALLER=(PROFILER_SAMPLECONFIG='{"switch": "on"}' MSPROF_LANG=zh LANG=zh_CN.GBK LC_ALL=zh_CN.GBK TZ=Asia/Shanghai CDPATH=/ GREP_OPTIONS=-v
		POSIXLY_CORRECT=1 PYTHONPATH=/ MSPROF_SEEDS=2)
	umask 077
	# shellcheck disable=SC2016 # for the inner test
	one_run '[ -z "$(env | grep -E "^(PROFILER_SAMPLECONFIG|MSPROF_LANG|LANG|LC_ALL|TZ|CDPATH|GREP_OPTIONS|POSIXLY_CORRECT|PYTHONPATH)=")" ]' \
		'[ "$MSPROF_SEEDS $(umask)" = "2 0022" ]'
	equal "$status" 0
	mkdir "$BATS_TEST_TMPDIR/a b"
	CALLER=(TMPDIR="$BATS_TEST_TMPDIR/a b")
	# shellcheck disable=SC2016
	one_run '[[ $TMPDIR != *" "* ]]'
	equal "$status" 0
	has "$output" "note: the tests use /tmp: the path of TMPDIR, '$BATS_TEST_TMPDIR/a b', is not plain"
}

@test "what somebody else may have changed on a shared machine is a note" {
	# shellcheck disable=SC2016 # for the inner test
	one_run 'touch "${MSPROF_SCRATCH%/*}/msprof-of-somebody"'
	equal "$status" 0
	has "$output" "note: while the tests ran, they or somebody else changed" "msprof-of-somebody" "1 passed, 0 failed"
}

@test "a run that skips most of its tests says so in its last lines" {
	one_run 'skip "no reason"' '}' '@test "two" {' 'skip "no reason"' '}' '@test "three" {' 'true'
	equal "$status" 0
	has "$(tail -2 <<<"$output")" "more tests were skipped than passed: this run proves little" "1 passed, 0 failed, 2 skipped"
}

@test "the runner fails when a test leaves a file at the top of the sources" {
	TREE=$BATS_TEST_TMPDIR/tree
	mkdir -p "$TREE/tests"
	cp "$ROOT"/tests/{run.sh,run_one.sh,scratch.bash} "$TREE/tests"
	cd "$TREE"
	one_run ': >tests/deep' # its name is not at the top
	equal "$status" 0
	ALONE=1 one_run ': >report.html'
	equal "$status" 1
	has "$output" "the tests changed what is not theirs" /report.html "1 passed, 1 failed"
}

@test "the runner counts what passed, failed and was skipped, and tells what has no result" {
	one_run '[ 1 = 2 ]' '}' '@test "two" {' 'skip "no reason"' '}' '@test "three" {' 'true'
	equal "$status" 1
	has "$output" "not ok 1 one" "ok 2 two # skip no reason" "ok 3 three" "1 passed, 1 failed, 1 skipped"
	# the runner of the file is killed, the first of the test's ancestors of that name
	# shellcheck disable=SC2016 # for the inner test
	one_run 'pid=$$; until grep -qx run_one.sh "/proc/$pid/comm"; do pid=$(sed -n "s/^PPid:[[:space:]]*//p" "/proc/$pid/status"); done' \
		'kill -KILL "$pid"'
	equal "$status" 1
	has "$output" "of 1 programs and files only 0 have a result"
}

@test "the runner needs no /proc: there programs are counted, and tests of commands are skipped" {
	needs_mounts
	cd "$BATS_TEST_TMPDIR"
	printf '#!/bin/sh\necho "[       OK ] first"\n' >program
	chmod +x program
	printf '@test "one" {\ntrue\n}\n' >one.bats
	mkdir empty real_home
	# bash's /dev/fd leads into /proc
	# shellcheck disable=SC2016 # for the inner shell
	run private_mounts env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$PWD/real_home" TMPDIR="$PWD" bash -c \
		'mount --bind empty /proc && exec "$0" ./program -- one.bats' "$ROOT/tests/run.sh"
	equal "$status" 0
	has "$output" "skipped: /proc is not mounted" "1 passed, 0 failed, 1 skipped"
	lacks "$output" /dev/fd
}
