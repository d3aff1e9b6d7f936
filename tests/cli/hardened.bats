#!/usr/bin/env bats
# hardened.bats: the program and the libraries have the requested hardening of compiler and linker.

load helpers

setup() {
	command -v readelf >/dev/null || skip "no readelf"
	! nm -D "$MSPROF" | grep -qE '__[at]san_init' || skip "a build with a sanitizer is not hardened"
}

libraries() {
	find "$BUILD" -maxdepth 1 -name '*.so*' -type f
}

@test "the program and the libraries: relocations read-only, resolved at once; no stack that runs" {
	[ "$(libraries | wc -l)" -ge 4 ]
	for file in "$MSPROF" $(libraries); do
		headers=$(readelf -dlhW "$file")
		has "$headers" GNU_RELRO BIND_NOW GNU_STACK
		[[ $(grep GNU_STACK <<<"$headers") =~ RW\ +0x ]] || fail "$file: its stack may run"
		lacks "$headers" TEXTREL
	done
}

@test "the program lies at another place in each run" {
	headers=$(readelf -dlhW "$MSPROF")
	has "$headers" "DYN (" "NOW PIE"
}

@test "overruns of the stack are noticed" {
	for file in "$MSPROF" "$BUILD/libmsprof_recorder.so.0"; do
		has "$(nm -D "$file")" __stack_chk_fail
	done
}

@test "calls of the C library check the size of their buffers" {
	! readelf --debug-dump=info "$MSPROF" 2>/dev/null | grep -m1 DW_AT_producer | grep -q -e -O0 || skip "a build without optimization"
	for file in "$MSPROF" "$BUILD/libmsprof_recorder.so.0"; do
		has "$(nm -D "$file")" snprintf_chk
	done
}
