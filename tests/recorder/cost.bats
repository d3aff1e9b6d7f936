#!/usr/bin/env bats
# cost.bats: what a call costs all threads together, in instructions, as valgrind counts them.

load helpers

# instructions COUNT FAMILY: of a process that records so many pairs
instructions() {
	valgrind --tool=callgrind --callgrind-out-file=counts ./pairs "$1" acl.json "$2" >/dev/null 2>log
	sed -n 's/^summary: //p' counts
}

# pairs_cost FAMILY MOST FILES SIZE: a pair takes so many instructions at most, and this many bytes of the largest of the files
pairs_cost() {
	local few many
	few=$(instructions 2000 "$1")
	many=$(instructions 12000 "$1")
	echo "$1: $(((many - few) / 10000)) instructions a pair"
	(((many - few) / 10000 <= $2))
	equal "$(find out -name "$3" -printf '%s\n' | sort -n | tail -n 1)" $((12000 * $4))
}

@test "a pair costs at most 800 instructions in a JOB, 900 in a PROF directory, its writing included" {
	needs_plain_library
	command -v valgrind >/dev/null || skip "valgrind is not there"
	! grep -q gcov "$BUILD/libmsprof_recorder.so" || skip "the library counts what runs"
	acl_json '"output": "./out"'
	gcc -O2 -o pairs "$ROOT/tests/bench/pairs.c" -I"$ROOT/lib/recorder/include" -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_recorder
	pairs_cost svp 800 'msprof_api.*.1' 128
	pairs_cost ascend 900 '*api_event*slice_0' 40
}
