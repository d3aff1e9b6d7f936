#!/usr/bin/env bats
# arm.bats: the main job on a board with a processor of 64 and of 32 bits, under an emulator: what the programs of `make static`
# collect, import, export and show there is what this machine's msprof makes of the same data.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers
load machine

# emulated PROCESSOR TRIPLET: the main job by the program for a processor, on a board if one can be made here
emulated() {
	local program=$BUILD/$2/static-local/msprof emulator=qemu-$1 there=/mnt/card
	[ -x "$program" ] || skip "needs make static CROSS=$2- WITH_SSH=0"
	command -v "$emulator" >/dev/null || skip "no $emulator: make deps-cross"
	if private_mounts true 2>/dev/null; then
		board
		into_board "$emulator"
	else
		card
		there=$CARD
	fi
	cp "$program" "$CARD/$1"
	printf '#!/bin/sh\nexec %s %s "$@"\n' "$emulator" "$there/$1" >"$CARD/msprof"
	chmod +x "$CARD/msprof"
	if [ "$there" = /mnt/card ]; then
		# the emulator alone has more than 64 MiB of addresses
		on_board "$CARD/msprof" "touch /x 2>/dev/null; $(main_job /mnt/card)" unlimited
		[ ! -e "$BOARD/x" ] && [ ! -e "$BOARD/tmp" ] && [ ! -e "$BOARD/root" ]
	else
		run --separate-stderr env -i PATH="$PATH" HOME="$BATS_TEST_TMPDIR" sh -c "$(main_job "$CARD")"
	fi
	[ "$status" = 0 ] || fail "ended with $status: $stderr"
	has "$output" "AA Core Metrics" "Op statistic"
	job=$(echo "$CARD"/results/JOB*)
	[ "$(query "SELECT total(records) >= 10000 FROM source" "$job/sqlite/msprof.db")" = 1 ]
	here=$BATS_TEST_TMPDIR/${job##*/}
	mkdir "$here" && cp -a "$job"/{data,info.json.0} "$here"
	expect 0 export timeline -q -dir "$here"
	expect 0 export summary -q -dir "$here"
	for database in "$job" "$here"; do
		query .dump "$database/sqlite/msprof.db" >"$database/rows"
	done
	for what in rows timeline summary; do
		diff -r "$job/$what" "$here/$what" >"$BATS_TEST_TMPDIR/difference" || fail "$(head -5 "$BATS_TEST_TMPDIR/difference")"
	done
}

@test "the main job on 64-bit ARM: the same rows and the same exports as here" {
	emulated aarch64 aarch64-linux-gnu
}

@test "the main job on 32-bit ARM: the same rows and the same exports as here" {
	emulated arm arm-linux-gnueabihf
}

@test "the programs are as small as a board needs" {
	local triplet limit file found=
	for triplet in aarch64-linux-gnu arm-linux-gnueabihf; do
		for limit in static-local:2700000 static:8000000; do
			file=$BUILD/$triplet/${limit%:*}/msprof
			[ -e "$file" ] || continue
			found=1
			[ "$(stat -c %s "$file")" -le "${limit#*:}" ] || fail "$file has $(stat -c %s "$file") bytes"
		done
	done
	[ -n "$found" ] || skip "needs make static CROSS=..."
}
