#!/usr/bin/env bats
# board.bats: each command of a collection goes wrong in each way, and msprof is killed at each step of the board's processes;
# collect_harmed.bats has a few of them.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load ../cli/helpers/harmed

setup_file() { harmed_setup; }
setup() { skip_skipped && cd "$BATS_FILE_TMPDIR" || return; }

# fake_mount DIR: a board that seems to mount
fake_mount() {
	mkdir "$1/bin"
	printf '#!/bin/sh\nexit 0\n' | tee "$1/bin/mount" >"$1/bin/umount"
	chmod +x "$1/bin/mount" "$1/bin/umount"
}

# without_acl DIR: neither the project nor the board has an acl.json
without_acl() {
	rm "$1/app/out/acl.json" "$1/home/msprof/app/out/acl.json"
}

# poor DIR: a board without flock, setsid and sums
poor() {
	local program
	mkdir "$1/poor"
	for program in sh tar find stat mkdir rm mv cp cat sleep df kill touch printf date xargs tail ls seq python3; do
		ln -s "$(command -v "$program")" "$1/poor/$program"
	done
}

@test "each command of a collection with a warm-up, --clean and samples goes wrong" {
	harmed commands --lost 'JOBRUN1$' base -m app/out/main --output results --discard 1 --clean --board-stats --checksum
}

@test "each command of a collection that streams goes wrong" {
	harmed commands base -m 'app/out/main 5' --output results --stream --clean
}

@test "each command goes wrong where there is no acl.json, and the output is mounted" {
	make_base mounted
	without_acl mounted
	fake_mount mounted
	mkdir mounted/export
	harmed commands mounted -m app/out/main --output results --mount "$PWD/mounted/export"
}

@test "each command goes wrong on a board without flock, setsid and sums" {
	make_base poor
	poor poor
	harmed commands --lost 'JOBRUN1$' poor -m app/out/main --output results --discard 1 --clean
}

@test "each command goes wrong on the place of another project" {
	make_base foreign
	echo 0123456789abcdef >foreign/home/msprof/app/.msprof.source
	echo theirs >foreign/home/msprof/app/sample/data/f1
	harmed commands --status 1 foreign -m app/out/main --output results
}

@test "each command of a resume goes wrong" {
	local place='@TOP@/home/msprof/app'
	make_base cut
	cp -rp cut/app/sample cut/home/msprof/app/out/profiling/JOBNEW
	touch cut/home/msprof/app/out/made_JOBNEW
	printf '%s\n' 'msprof-collect 1' 'host this machine' 'guard 1' "place $place" "program $place/out" "output $place/out/profiling" \
		"listed @DEVICE@ $place" "earlier $place/JOBOLDER" "earlier $place/out/profiling/JOBOLD" end >cut/results/.msprof.collect
	harmed commands cut --resume results --clean
}

# The last test of commands: a script that none of them ran is not proven.
@test "all scripts of boards went wrong" {
	equal "$(for f in "$ROOT"/lib/board/*/*.sh; do basename "$f" .sh; done | sort | comm -23 - <(sort -u names))" ""
}

@test "killed at each step" {
	harmed steps base -m app/out/main --output results
}

@test "killed at each step, without acl.json, with a mount and samples" {
	make_base mounted2
	without_acl mounted2
	fake_mount mounted2
	mkdir mounted2/export
	harmed steps mounted2 -m app/out/main --output results --board-stats --mount "$PWD/mounted2/export"
}

@test "killed at each step of a warm-up and a run, which are removed" {
	harmed steps --lost 'JOBRUN1$' base -m app/out/main --output results --discard 1 --clean
}

@test "killed at each step on a board without flock and setsid" {
	make_base poor2
	poor poor2
	harmed steps poor2 -m app/out/main --output results
}

@test "the input of the guard cut at each byte" {
	python3 "$ROOT/tests/fault/guard_bytes.py" 1 sh bash 2>&3
	! command -v busybox >/dev/null || python3 "$ROOT/tests/fault/guard_bytes.py" 1 "busybox sh" 2>&3
}
