#!/usr/bin/env bats
# power.bats: power cuts while outputs are written: what a file system on a loop device has then.
# shellcheck disable=SC2154 # $stderr is set by run

load ../cli/helpers

# A file system whose journal is not written by itself, with the sample in it.
setup() {
	DISK=$BATS_TEST_TMPDIR/disk IMAGE=$BATS_TEST_TMPDIR/image CUT=$BATS_TEST_TMPDIR/cut
	mkdir "$DISK" "$CUT"
	[ "$(id -u)" = 0 ] || skip "needs root"
	command -v mkfs.ext4 >/dev/null || skip "no mkfs.ext4"
	truncate -s 48M "$IMAGE"
	mkfs.ext4 -q -F "$IMAGE"
	mount -o loop,commit=3600 "$IMAGE" "$DISK" 2>/dev/null || skip "loop devices cannot be mounted here"
	# shellcheck disable=SC2086 # CC may be several words
	${CC:-gcc} -O1 -Wall -Wextra -shared -fPIC -o "$BATS_TEST_TMPDIR/stop.so" "$BATS_TEST_DIRNAME/../fault/stop.c"
	"$BUILD/tests/genjob" --out "$DISK/JOB" --tasks 50 --pictures 3
	mkdir "$DISK/JOB/page"
	sync -f "$DISK"
}

teardown() {
	! mountpoint -q "$CUT" || umount "$CUT"
	! mountpoint -q "$DISK" || umount "$DISK"
}

# cuts NAMES COMMAND...: power cuts at each stop of a command; $output is their number
cuts() {
	run python3 "$HELPERS/power_cut.py" "$IMAGE" "$DISK/JOB" "$CUT" "$BATS_TEST_TMPDIR/stop.so" "$1" "$MSPROF" "${@:2}"
	[ "$status" = 0 ] || fail "$* ended with $status: $output"
}

@test "after a power cut each output is the old or the new one, and the new one once the command has ended" {
	for round in 1 2; do
		cuts sqlite import -q -dir "$DISK/JOB"
		cuts timeline export timeline -q -dir "$DISK/JOB"
		[ "$output" -ge $((6 * $(find "$DISK/JOB/timeline" -name '*.json' | wc -l))) ] || fail "$output stops"
		cuts timeline export timeline -q -dir "$DISK/JOB" --format perfetto
		cuts summary export summary -q -dir "$DISK/JOB"
		cuts page report -q -dir "$DISK/JOB" -o "$DISK/JOB/page/report.html"
		# the second time all are replaced by others
		[ "$round" = 2 ] || "$BUILD/tests/genjob" --out "$BATS_TEST_TMPDIR/OTHER" --tasks 90 --pictures 3 --seed 2
		cp "$BATS_TEST_TMPDIR"/OTHER/data/* "$DISK/JOB/data/"
		sync -f "$DISK"
	done
}
