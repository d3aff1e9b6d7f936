#!/usr/bin/env bats
# fuzz.bats: five minutes of changed jobs and changed databases, from the kept corpus on, through everything that reads them.

load ../cli/helpers

setup() {
	command -v clang >/dev/null || skip "no clang"
}

# fuzzed TARGET SECONDS
fuzzed() {
	make -s -C "$ROOT" -j2 BUILD="$BUILD" CFLAGS='-O1 -g' FUZZERS="$BUILD/fuzz/$1" FUZZ_SECONDS="$2" fuzz
}

@test "whole jobs: imported, exported and shown, every byte accounted for" {
	fuzzed fuzz_job 150
}

@test "whole databases: every reader, no signal, strict JSON" {
	fuzzed fuzz_database 150
}
