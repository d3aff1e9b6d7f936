#!/usr/bin/env bats
# collect_hostile.bats: boards that lie: nothing is written outside the output directory, and the command ends.

load helpers
load helpers/cuts
load helpers/hostile

setup() {
	hostile_setup
}

teardown() {
	hostile_teardown
}

@test "an sftp server that lies about names and kinds: they are left out, the good file comes" {
	start_hostile sftp
	deal names 3 "fetched JOBX: 1 file, 100000 bytes" "left out" "refused"
	equal "$(ls -A "$OUT/JOBX")" good
	deal itself 3 "too deep"
	deal bytewise 0 "fetched JOBX: 1 file, 100000 bytes"
}

@test "an sftp server that lies about sizes, data and packets: one error, no JOB" {
	start_hostile sftp
	deal endless-file 1 "32769 bytes"
	deal short 1 "keeps changing"
	deal empty-data 1 "0 bytes of 'good'"
	deal huge-size 1 "the board says that"
	deal large-size 1 "bytes, but only"
	deal wrong-id 1 "an answer without a request"
	deal huge-packet 1 "a packet of an invalid size"
	deal empty-packet 1 "a packet of an invalid size"
	deal long-handle 1 "a damaged packet"
	deal refused-open 1 "cannot open 'good' on the board: no"
	deal exit 1 "it ended"
}

@test "a tar that names other places, links, devices: nothing of it is made" {
	start_hostile tar
	deal escapes 1 refused "../escape"
}

@test "a tar that never ends, ends early or sends something else: one error" {
	start_hostile tar
	deal endless-zeros 1 "more than"
	deal short 1 "damaged tar stream"
	deal garbage 1 "damaged tar stream"
	deal nothing 1 "keeps changing"
	deal wrong-size 1 "keeps changing"
}
