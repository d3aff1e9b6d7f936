#!/usr/bin/env bats
# conform.bats: each wrapped function, called through its wrapper against a library made from the tables.

load helpers

CONFORM=$ROOT/tests/recorder/conform.py
TABLES=("$ROOT"/schema/wrap/*.txt)

# conforms PROFILE LIBRARY
conforms() {
	needs_plain_library
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on"}'
	python3 "$CONFORM" code "$1" "${TABLES[@]}"
	gcc -w -shared -fPIC -Wl,-soname,"$2" -o "$2" stub.c
	gcc -w -o client client.c -L. -l:"$2" -Wl,-rpath,"$PWD"
	run env LD_PRELOAD="$BUILD/libmsprof_preload.so" ./client
	[ "$status" -eq 0 ] || fail "the client ended with $status: $output"
	run python3 "$CONFORM" judge out/PROF_* "$1" "${TABLES[@]}"
	[ "$status" -eq 0 ] || fail "$output"
}

@test "AscendCL: each function gets its arguments and errno, gives its result and errno, and is recorded as it was" {
	conforms ascend libascendcl.so
	equal "${output%% *}" "$(awk '!/^#/ && NF > 3 && $1 != "library"' "$ROOT"/schema/wrap/{aclrt,acltdt,calls}.txt | wc -l)"
}

@test "boards: each function gets its arguments and errno, gives its result and errno, and is recorded as it was" {
	conforms svp libsvp_acl.so
	equal "${output%% *}" "$(awk '!/^#/ && NF > 3 && $1 != "library"' "$ROOT/schema/wrap/svp.txt" | wc -l)"
}

@test "a table that says another argument than the prototype is told" {
	mkdir headers
	printf '#define X_FUNC_VISIBILITY\n#include <stddef.h>\nX_FUNC_VISIBILITY int first(void *a, size_t b);\nX_FUNC_VISIBILITY float *second(int a);\nX_FUNC_VISIBILITY int third();\n' >headers/x.h
	printf 'library svp libx.so\ncall other first ptr,size\ncall other second u64 ptr\n' >table.txt
	equal "$(python3 "$CONFORM" headers headers table.txt)" '2 functions in both; not wrapped: third'
	g++ -Iheaders -o compare headers.cpp
	run ./compare
	equal "$status:$output" '1:second: the header has p 4 , the table p 8 '
}
