#!/usr/bin/env bats
# abi.bats: the libraries that applications link have the ABI that was promised: docs/STABILITY.md.

load ../cli/helpers

ABI=$ROOT/tests/packages/abi

setup() {
	command -v abidiff >/dev/null || skip "no abidiff: make deps-packages"
	[ "$(uname -m)" = x86_64 ] || skip "the stored ABI is that of x86-64"
	readelf -S "$BUILD/libmsprof_recorder.so.0" | grep -q '\.debug_info' || skip "libraries without debug information"
	cd "$BATS_TEST_TMPDIR" || return
}

@test "calls and types of the libraries are those that are stored; what changes or comes is written by make bless-abi" {
	run "$ABI.sh" diff "$BUILD"
	[ "$status" = 0 ] || fail "$output"
}

@test "a call that is gone, another signature, another value and another struct are differences" {
	seen=0
	while read -r library change; do
		cp -r "$ABI" abi
		sed -i "$change" "abi/$library.abi"
		! cmp -s "$ABI/$library.abi" "abi/$library.abi" || fail "nothing to change in $library"
		run "$ABI.sh" diff "$BUILD" "$PWD/abi"
		[ "$status" != 0 ] || fail "no difference: $library, $change"
		has "$output" "${change##*# }"
		discard abi
		seen=$((seen + 1))
	done <<-'END'
		libmsprof_recorder s/msprof_mark\b/msprof_gone/g # 'function void msprof_gone(const char*)'
		libmsprof_recorder s/\(MSPROF_ASCEND. value=\)'1'/\1'2'/ # MSPROF_ASCEND
		libms_tools_ext s/size-in-bits='128' is-struct/size-in-bits='192' is-struct/ # mstxMemHeapDesc_t
		libmsprof_svp /name='svp_acl_init'.*mangled/s/$/<parameter type-id='95e97e5e'\/>/ # svp_acl_init
	END
	equal "$seen" 4
}
