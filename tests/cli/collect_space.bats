#!/usr/bin/env bats
# collect_space.bats: the disk of this machine is too small, or fills up. The results are on a small file system.
# shellcheck disable=SC2154 # $stderr is set by run
# shellcheck disable=SC2016 # scripts for another shell

load helpers

setup() {
	needs_mounts
	fresh_job
	HOME=$BATS_TEST_TMPDIR/home
	APP=$BATS_TEST_TMPDIR/app
	OUT=$BATS_TEST_TMPDIR/results
	export HOME APP OUT
	mkdir -p "$HOME" "$APP/out" "$OUT" "$BATS_TEST_TMPDIR/bin"
	cp "$HELPERS/fakeboard.sh" "$APP/out/main"
	head -c 3000000 /dev/urandom >"$JOB/data/large"
	cd "$BATS_TEST_TMPDIR" || return
}

# small_disk SIZE SCRIPT: run a script in which $OUT is a disk of that size
small_disk() {
	run --separate-stderr private_mounts sh -c 'mount -t tmpfs -o size="$1" none "$OUT" || exit 99; '"$2" sh "$1"
}

collect='"$MSPROF" collect --local --output "$OUT" -m "$APP/out/main --job $JOB --name JOBL"; '

@test "a JOB that does not fit is not begun, and fetched when there is space" {
	small_disk 1m "$collect"' s=$?; ls -A "$OUT"; [ -z "$(find "$OUT" -name "*large*")" ] || exit 98
		"$MSPROF" collect --local --resume "$OUT"; [ $? -eq 1 ] || exit 96
		mount -o remount,size=8m "$OUT"; "$MSPROF" collect --local --resume "$OUT" && diff -r "$OUT/JOBL" "$JOB" || exit 97
		ls -A "$OUT"; exit $s'
	equal "$status" 1
	has "$stderr" "'JOBL' needs 3" "are free in the output directory" "msprof collect --resume '$OUT' fetches the rest" \
		"fetched JOBL"
	# the collection and the resume without space: each says it once, and how to go on
	equal "$(grep -c "'JOBL' needs 3" <<<"$stderr") $(grep -c "fetches the rest" <<<"$stderr")" "2 2"
	equal "${output#umask*out?}" $'.JOBL.journal\n.JOBL.part\n.msprof.collect\nJOBL'
}

@test "blocks count: many small files that do not fit as files" {
	rm "$JOB/data/large"
	for i in $(seq 400); do echo "$i" >"$JOB/data/small.$i"; done
	small_disk 1m "$collect"
	equal "$status" 1
	has "$stderr" "'JOBL' needs 1" "are free in the output directory"
}

@test "a disk that fills up in the middle: nothing is lost, --resume goes on" {
	printf '#!/bin/sh\n[ ! -e "$FILL" ] || { rm "$FILL"; head -c %s /dev/zero >"$OUT/filler"; }\nexec %s "$@"\n' \
		2500000 "$(command -v tar)" >bin/tar
	chmod +x bin/tar
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
	export FILL=$BATS_TEST_TMPDIR/fill
	printf '#!/bin/sh\ntouch "$FILL"\nexec %s/fakeboard.sh "$@"\n' "$HELPERS" >"$APP/out/main"
	small_disk 5m "$collect"' s=$?; [ ! -e "$OUT/JOBL" ] || exit 98; rm "$OUT/filler"
		find "$OUT" -name ".large.part" -size +0
		"$MSPROF" collect --local --resume "$OUT" && diff -r "$OUT/JOBL" "$JOB" || exit 97; ls -A "$OUT"; exit $s'
	equal "$status" 1
	has "$stderr" "No space left on device" "msprof collect --resume '$OUT' fetches the rest" "fetched JOBL"
	equal "${output#umask*out?}" "$OUT/.JOBL.part/data/.large.part"$'\nJOBL'
}

@test "no space at all: refused before the program runs" {
	small_disk 4k 'head -c 100000 /dev/zero >"$OUT/filler"; '"$collect"
	equal "$status" 1
	has "$stderr" "No space left on device"
	lacks "$output" umask
}
