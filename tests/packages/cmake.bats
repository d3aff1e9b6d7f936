#!/usr/bin/env bats
# cmake.bats: projects of CMake find the installed libraries, and what they build records.

load ../recorder/helpers

setup_file() {
	command -v cmake >/dev/null || skip_file "no cmake: make deps-packages" || return 0
	(umask 0022 && make -C "$ROOT" install BUILD="$BUILD" PREFIX="$BATS_FILE_TMPDIR/usr") >"$BATS_FILE_TMPDIR/log"
}

# project WORD...: the project in project/, configured with find_package(msprof WORD...), is built
project() {
	sed -i "s/find_package(msprof.*)/find_package(msprof $*)/" project/CMakeLists.txt
	cmake -S project -B made -DCMAKE_PREFIX_PATH="$BATS_FILE_TMPDIR/usr" >configured 2>&1 && cmake --build made >built 2>&1
}

sources() {
	mkdir project
	cp "$ROOT/tests/recorder/stub_app.c" "$ROOT/tests/recorder/stub_acl.c" project
	cat >project/app.c <<-'END'
		#include <msprof_recorder.h>
		int main(void)
		{
			if (msprof_init("acl.json", MSPROF_ASCEND))
				return 1;
			msprof_api_end(msprof_begin(), MSPROF_OTHER, msprof_name("work"), MSPROF_NO_MODEL);
			return msprof_finalize();
		}
	END
	printf '#include <acl/acl.h>\n#include <acl/acl_prof.h>\nint main() { return aclInit("acl.json") || aclFinalize(); }\n' >project/acl.cpp
	printf '#include <acl/svp_acl_prof.h>\nint main(void) { return svp_acl_init("acl.json") || svp_acl_finalize(); }\n' >project/svp.c
	printf '#include <mstx/ms_tools_ext.h>\nint main(void) { mstxMarkA("here", 0); return 0; }\n' >project/mstx.c
	cat >project/CMakeLists.txt <<-'END'
		cmake_minimum_required(VERSION 3.13)
		project(clients C CXX)
		find_package(msprof)
		add_executable(shared app.c)
		target_link_libraries(shared msprof::recorder)
		add_executable(static app.c)
		target_link_libraries(static msprof::recorder_static)
		add_executable(acl acl.cpp)
		target_link_libraries(acl msprof::aclprof)
		add_executable(svp svp.c)
		target_link_libraries(svp msprof::svp)
		add_executable(mstx mstx.c)
		target_link_libraries(mstx msprof::mstx)
		add_library(vendor STATIC stub_acl.c)
		add_executable(wrapped stub_app.c)
		target_link_libraries(wrapped -Wl,--whole-archive vendor -Wl,--no-whole-archive msprof::wrap pthread)
	END
}

@test "each target compiles, links and records" {
	needs_plain_library
	sources
	project 0.9 REQUIRED COMPONENTS recorder svp || fail "$(tail -5 configured built)"
	lacks "$(cat configured built)" Warning warning
	for name in shared static wrapped acl svp; do
		discard out/*
		"made/$name" --config acl.json || fail "$name ended with $?"
		[ -n "$(ls out)" ] || fail "$name recorded nothing"
	done
	made/mstx
	lacks "$(readelf -d made/static)" libmsprof
}

@test "another first number, a newer release and an unknown component are refused" {
	sources
	for words in "1.0 REQUIRED" "0.99 REQUIRED" "REQUIRED COMPONENTS nothing"; do
		discard made
		# shellcheck disable=SC2086 # words on purpose
		! project $words || fail "found: $words"
	done
	has "$(cat configured)" "msprof has no component 'nothing'"
}
