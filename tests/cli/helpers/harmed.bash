# shellcheck shell=bash
# harmed.bash: collections on boards on which something goes wrong, see tests/fault/board.py. A board has earlier JOBs, files of its own
# and an acl.json with a time and mode of its own.

harmed_setup() {
	[ -z "${ASAN_OPTIONS-}${MSPROF_EMULATED-}" ] ||
		skip_file "a sanitizer brings its own allocator, an emulated program is of another processor" || return 0
	umask 0027
	cd "$BATS_FILE_TMPDIR" || return
	"${CC:-gcc}" -O1 -Wall -Wextra -shared -fPIC -o board.so "$ROOT/tests/fault/board.c" -ldl
	make_base base
}

# make_base DIR: a project that the board has already, whose program makes the JOBs JOBRUN1, JOBRUN2, ...
make_base() {
	local i old=$1/home/msprof/app
	mkdir -p "$1/app/out" "$1/app/sample/data" "$1/results" "$1/home/msprof" "$1/home/keep"
	cp -p "$ROOT"/tests/data/JOB*/info.json.* "$1/app/sample/"
	for i in 1 2 3; do
		seq "${i}000" >"$1/app/sample/data/f$i"
		: >"$1/app/sample/data/f$i.done"
	done
	cat >"$1/app/out/main" <<-'END'
		#!/bin/sh
		# a program that begins behind the end of the guard is ended by nobody
		[ ! -s ../../.msprof.lock ] || kill -0 "$(cat ../../.msprof.lock)" 2>/dev/null || { sleep 20; touch late; }
		n=1
		while [ -e "begun_$n" ]; do n=$((n + 1)); done
		touch "begun_$n"
		mkdir -p "profiling/JOBRUN$n"
		cp -rp ../sample/. "profiling/JOBRUN$n"
		touch "made_JOBRUN$n"
		sleep "${1:-0}"
	END
	chmod +x "$1/app/out/main"
	echo '{"profiler": {"interval": "5"}}' >"$1/app/out/acl.json"
	touch -d @1600000000.5 "$1/app/out/acl.json"
	chmod 604 "$1/app/out/acl.json"
	cp -rp "$1/app" "$old"
	mkdir -p "$old/out/profiling/JOBOLD/data" "$old/JOBOLDER"
	echo precious >"$old/out/profiling/JOBOLD/data/file"
	echo precious >"$old/JOBOLDER/file"
	echo notes >"$old/notes"
	echo kept >"$1/home/keep/file"
}

# harmed commands|steps [OPTION...] BASE ARGUMENT...: board.py with msprof and these arguments; the names of commands go into `names`
harmed() {
	local kind=$1 options=()
	shift
	while [[ $1 == --* ]]; do
		options+=("$1" "$2")
		shift 2
	done
	# a path that acl.json allows
	TMPDIR=${MSPROF_SCRATCH:-$TMPDIR} python3 "$ROOT/tests/fault/board.py" "$kind" --inject board.so --names names \
		"${options[@]}" "$1" -- "$MSPROF" collect --local "${@:2}" 2>&3
}
