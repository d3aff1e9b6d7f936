#!/usr/bin/env bats
# hostile.bats: boards that lie without end; collect_hostile.bats has the short cases.

load ../cli/helpers
load ../cli/helpers/cuts
load ../cli/helpers/hostile

setup() {
	hostile_setup
}

teardown() {
	hostile_teardown
}

@test "an sftp server whose directory never ends" {
	start_hostile sftp
	deal endless-bad-names 1 "too many names"
	deal endless-directory 1 "more than"
}

@test "a tar that never ends" {
	start_hostile tar
	deal endless-names 1 "more than"
	deal endless-bad-names 1 "more than"
	deal endless-file 1 "more than"
	deal endless-long-file 1 "damaged tar stream"
}
