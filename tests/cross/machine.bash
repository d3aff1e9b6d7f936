#!/bin/bash
# machine.bash: a board that has nothing but busybox: a root that cannot be written, no /tmp, no locale, no home.

# card: a project, and a job of 10,000 records that its program writes
card() {
	CARD=$BATS_TEST_TMPDIR/card
	mkdir -p "$CARD/app"
	"$BUILD/tests/genjob" --out "$CARD/data" --seed 11 --tasks 400 --aicpu 10 --pictures 20 --calls 1800 >/dev/null
	cp "$HELPERS/fakeboard.sh" "$CARD/app/main"
}

# board: the root of a board with that card
board() {
	local tool
	needs_mounts
	card
	BOARD=$BATS_TEST_TMPDIR/board
	mkdir -p "$BOARD"/{bin,usr/bin,lib,lib64,dev,proc,mnt/card}
	into_board busybox
	for tool in $("$BOARD/bin/busybox" --list); do
		[ "$tool" = busybox ] || ln -sf busybox "$BOARD/bin/$tool"
	done
}

# into_board PROGRAM: a program of this machine, with its libraries
into_board() {
	local file library
	file=$(command -v "$1")
	cp "$file" "$BOARD/bin/$1"
	for library in $(ldd "$file" | grep -o '/[^ ]*'); do
		mkdir -p "$BOARD${library%/*}" && cp "$library" "$BOARD$library"
	done
}

# on_board PROGRAM COMMAND [KIB]: a line for the board's shell, where msprof is the card's PROGRAM; with 64 MiB of addresses, or KIB
on_board() {
	[ "$1" -ef "$CARD/msprof" ] || cp "$1" "$CARD/msprof"
	# shellcheck disable=SC2016 # of the inner shell
	run --separate-stderr python3 "$ROOT/tests/cross/peak.py" "$BATS_TEST_TMPDIR/peak" bash -c 'private() { if [ "$(id -u)" = 0 ]; then
		unshare --mount "$@"; else unshare --user --map-root-user --mount "$@"; fi; }
		private bash -ec "mount --bind \"\$1\" \"\$1\"; mount --bind \"\$2\" \"\$1/mnt/card\"; mount --rbind /proc \"\$1/proc\"
			mount --rbind /dev \"\$1/dev\"; mount -o remount,bind,ro \"\$1\"
			ulimit -v \"\$4\"; exec chroot \"\$1\" /bin/env -i PATH=/bin /bin/sh -c \"\$3\"" bash "$@"' \
		bash "$BOARD" "$CARD" "$2" "${3:-65536}"
}

# The largest number of a process, in KiB
peak() {
	cat "$BATS_TEST_TMPDIR/peak"
}

# main_job CARD: what the walk-through runs on the card
main_job() {
	echo "cd $1/app && umask 027 && ../msprof collect --local -m './main --job $1/data' --all --output $1/results"
}
