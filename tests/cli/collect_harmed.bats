#!/usr/bin/env bats
# collect_harmed.bats: commands that fail on the board, and ends at any moment: earlier files stay, acl.json comes back; the long tests
# (tests/long/board.bats) go through all of it.

load helpers
load helpers/harmed

setup_file() { harmed_setup; }
setup() { skip_skipped && cd "$BATS_FILE_TMPDIR" || return; }

@test "a list of JOBs that fails, is empty, cut or nonsense: no earlier JOB is removed or changed" {
	harmed commands --only '^list_jobs#[13] ' --lost 'JOBRUN1$' base -m app/out/main --output results --discard 1 --clean
}

@test "a look at the owner of the place that fails, is empty, cut or nonsense: nothing of another project is changed" {
	make_base foreign
	echo 0123456789abcdef >foreign/home/msprof/app/.msprof.source
	echo theirs >foreign/home/msprof/app/sample/data/f1
	harmed commands --status 1 --only '^(claim|probe)#1 ' foreign -m app/out/main --output results
}

@test "killed at a step of the board's processes, which comes late: all is as before, and nothing runs on" {
	harmed steps --every 13 base -m app/out/main --output results
}

@test "the input of the guard cut at a byte: the directory is as before, and a text that came in part is never installed" {
	python3 "$ROOT/tests/fault/guard_bytes.py" 11 sh 2>&3
	! command -v busybox >/dev/null || python3 "$ROOT/tests/fault/guard_bytes.py" 23 "busybox sh" 2>&3
}

# program BASE: its program is what comes in
program() {
	cat >"$1/app/out/main"
	cp -p "$1/app/out/main" "$1/home/msprof/app/out/main"
}

@test "earlier JOBs that get another name while the program runs stay on the board: exit 3" {
	make_base moved
	program moved <<-'END'
		#!/bin/sh
		mv profiling profiling.before
		mkdir -p profiling/JOBRUN1
		cp -rp ../sample/. profiling/JOBRUN1
	END
	cd moved
	HOME=$PWD/home expect 3 collect --local -m app/out/main --output results --discard 1
	has "$stderr" "profiling.before/JOBOLD' stays on the board, because it may be older than this collection" \
		"JOBRUN1 of the warm-up is removed from the board"
	equal "$(cat home/msprof/app/out/profiling.before/JOBOLD/data/file)" precious
}

@test "a card with earlier JOBs that is mounted while the program runs: they stay there, exit 3; the next collection knows them" {
	needs_mounts
	make_base card
	program card <<-'END'
		#!/bin/sh
		[ -e profiling/JOBCARD ] || {
			mount -t tmpfs none profiling
			mkdir profiling/JOBCARD
			echo precious >profiling/JOBCARD/file
		}
		mkdir profiling/JOBRUN$$
		cp -rp ../sample/. profiling/JOBRUN$$
	END
	cd card
	# shellcheck disable=SC2016 # for the inner shell
	HOME=$PWD/home run --separate-stderr private_mounts sh -c 'for i in 1 2; do
		"$0" collect --local -m app/out/main --output results$i --discard 1 --clean
		echo "$? $(ls home/msprof/app/out/profiling | wc -l) $(cat home/msprof/app/out/profiling/JOBCARD/file)"
	done' "$MSPROF"
	# the JOB of the first warm-up may have been on the card, too
	equal "$output" $'3 2 precious\n0 2 precious'
	has "$stderr" "profiling/JOBCARD' stays on the board, because it may be older than this collection"
}
