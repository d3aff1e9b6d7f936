#!/usr/bin/env bats
# cut.bats: more than a hundred connections cut at random places; those of collect_cut.bats are a sample.

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
