#!/usr/bin/env bats
# collect_budget_local.bats: limits of a collection that need no server: JOBs, memory, patience, and what has no limit.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/local

# program LINE...: the program of the board is a script of these lines
program() {
	printf '%s\n' '#!/bin/sh' "$@" >"$APP/out/main"
}

@test "the program's own output passes unchanged, and its time is not limited" {
	program 'i=0' 'while [ $i -lt 30000 ]; do echo "line $i"; i=$((i + 1)); done' 'sleep 2' 'printf "the end"'
	echo '{"profiler": {"switch": "off"}}' >"$APP/out/acl.json"
	MSPROF_BOARD_PATIENCE=1 collect 0 ""
	equal "$output" "$(seq -f 'line %.0f' 0 29999; printf 'the end')"
}

@test "a program on this machine has the caller's limit of memory" {
	program 'ulimit -S -d'
	echo '{"profiler": {"switch": "off"}}' >"$APP/out/acl.json"
	MSPROF_MAX_MEMORY=500 collect 0 ""
	equal "$output" "$(ulimit -S -d)"
}

@test "MSPROF_MAX_MEMORY holds for collect: a listing that needs more is an error" {
	mkdir bin
	cat >bin/stat <<-'END'
		#!/bin/sh
		[ "$PWD" = "$HOME/msprof/app" ] || exec /usr/bin/stat "$@"
		exec awk 'BEGIN { x = sprintf("%240s", ""); gsub(/ /, "x", x); for (;;) printf "81a4 5 1 ./%s/%s/%d//\n", x, x, ++i }'
	END
	chmod 755 bin/stat
	PATH=$PWD/bin:$PATH MSPROF_MAX_MEMORY=60 collect 1 ""
	has "$stderr" "cannot list '$PLACE': out of memory" "msprof may use 60 MiB" "set MSPROF_MAX_MEMORY to more"
	PATH=$PWD/bin:$PATH collect 1 ""
	has "$stderr" "cannot list '$PLACE': more than 256 MiB of names"
}

@test "JOBs without number: after ten in a row that cannot be fetched no other is tried" {
	program 'for i in 1 2 3 4 5 6 7 8 9 a b c d e f; do mkdir -p profiling/JOB$i; echo x >profiling/JOB$i/x; done'
	mkdir "$OUT"
	for i in 1 2 3 4 5 6 7 8 9 a b c d e f; do touch "$OUT/.JOB$i.part"; done
	collect 1 ""
	has "$stderr" "board 'this machine': has 15 new JOBs, and 10 in a row cannot be fetched: no other is tried" "--resume"
	equal "$(grep -c error: <<<"$stderr")" 11
	discard "$OUT"/.JOB?.part
	expect 0 collect --local --resume "$OUT"
	equal "$(find "$OUT" -maxdepth 1 -name 'JOB*' | wc -l)" 15
}

@test "MSPROF_BOARD_PATIENCE is a percentage" {
	for value in 0 -1 x 1000000; do
		MSPROF_BOARD_PATIENCE=$value collect 1 ""
		has "$stderr" "MSPROF_BOARD_PATIENCE: '$value' is not a whole number of percent from 1 to 100000"
	done
}
