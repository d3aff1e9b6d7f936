#!/usr/bin/env bats
# cut.bats: more than a hundred connections, cut at random places; collect_cut.bats has a sample.
# shellcheck disable=SC2154 # $status and $stderr are set by run

load ../cli/helpers
load ../cli/helpers/cuts

setup() {
	umask 0027
	SEED=${SEED:-$((RANDOM * 32768 + RANDOM))}
}

teardown() {
	stop_server
}

@test "OpenSSH, tar" {
	random_cuts openssh tar 30 "$SEED"
}

@test "OpenSSH, sftp" {
	random_cuts openssh sftp 30 "$SEED"
}

@test "dropbear, tar" {
	random_cuts dropbear tar 30 "$SEED"
}

@test "dropbear, sftp" {
	random_cuts dropbear sftp 30 "$SEED"
}

# dropbear closes a channel that has no command yet when another command ends: a listing that takes as long as the
# next command is on its way
@test "dropbear far away: no command is started while another ends" {
	start_server dropbear tar
	printf '#!/bin/sh\nsleep 0.09\nexec /usr/bin/find "$@"\n' >"$BATS_TEST_TMPDIR/bin/find"
	chmod 755 "$BATS_TEST_TMPDIR/bin/find"
	through --delay-us 60000
	for n in 1 2 3; do
		forget_board
		collect -m "$HERE/app/out/main --job $HERE/JOBMADE --name JOBX" --output "$OUT"
		[ "$status" -eq 0 ] || fail "$n: ended with $status: $stderr"
		diff -r "$OUT/JOBX" "$HERE/JOBMADE"
	done
}
