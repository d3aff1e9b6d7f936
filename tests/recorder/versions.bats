#!/usr/bin/env bats
# versions.bats: the calls of the libraries have versions, and programs that know none find them, too.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

INCLUDE=$ROOT/lib/recorder/include

# versions LIBRARY NODE: the names that a library exports with a version
versions() {
	nm -D --defined-only "$BUILD/libmsprof_$1.so" | sed -n "s/.* T \(.*\)@@$2\$/\1/p" | LC_ALL=C sort
}

# app [OPTION...]: a program of the ACL family that begins, marks a moment and ends
app() {
	cat >app.c <<-'END'
		#include <acl/acl.h>
		#include <acl/acl_prof.h>
		int main(void)
		{
			int bad = aclInit("acl.json");
			void *stamp = aclprofCreateStamp();
			bad = bad || aclprofSetStampTraceMessage(stamp, "here", 4) || aclprofMark(stamp);
			aclprofDestroyStamp(stamp);
			return bad || aclFinalize();
		}
	END
	cc -Wall -Werror -I"$INCLUDE" -o app app.c "$@"
}

# recorded WANTED: ./app prints nothing, and its result has these calls and marks
recorded() {
	run --separate-stderr "${@:2}" ./app
	equal "$status $output$stderr" '0 '
	import_job
	equal "$(api_calls "SELECT group_concat(name) FROM (SELECT name FROM api_call ORDER BY start_ns)")" "$1"
}

@test "each call of a header has the version of its release; others between the libraries are private" {
	equal "$(versions recorder MSPROF_0.9)" \
		"$(sed -n 's/^MSPROF_EXPORT.* \**\(msprof_[a-z_]*\)(.*/\1/p' "$INCLUDE/msprof_recorder.h" | LC_ALL=C sort)"
	equal "$(versions recorder MSPROF_PRIVATE)" \
		"$(sed -n 's/^MSPROF_EXPORT.* \**\(msprof_[a-z_]*\)(.*/\1/p' "$ROOT/lib/recorder/face.h" | LC_ALL=C sort)"
	for library in recorder aclprof svp; do
		has "$(readelf -d "$BUILD/libmsprof_$library.so")" "soname: [libmsprof_$library.so.0]"
		# nothing without a version
		equal "$(nm -D --defined-only "$BUILD/libmsprof_$library.so" | grep -E ' [TDBRW] ' | grep -v '@@MSPROF_' | grep -v ' __')" ''
	done
}

@test "a program that was linked with libraries without versions records" {
	needs_plain_library
	mkdir old
	versions aclprof MSPROF_0.9 | sed 's/.*/void &(void) {}/' >old.c
	cc -shared -fPIC -Wno-builtin-declaration-mismatch -Wl,-soname,libmsprof_aclprof.so.0 -o old/libmsprof_aclprof.so old.c
	app -Lold -lmsprof_aclprof
	lacks "$(nm -D app)" @MSPROF
	recorded here env LD_LIBRARY_PATH="$BUILD"
}

@test "a program of another library gets our calls where ours is loaded first" {
	needs_plain_library
	# the vendor's libraries have no versions
	versions aclprof MSPROF_0.9 | sed 's/.*/void *&(void) { return 0; }/' >vendor.c
	cc -shared -fPIC -Wno-builtin-declaration-mismatch -o libvendor.so vendor.c
	app -L. -lvendor -Wl,-rpath,"$PWD"
	./app
	equal "$(ls -A out)" ''
	recorded here env LD_PRELOAD="$BUILD/libmsprof_aclprof.so"
}

@test "the wrappers, which have no version, come before calls with one" {
	needs_plain_library
	app -L"$BUILD" -lmsprof_aclprof -Wl,-rpath,"$BUILD" -Wl,-rpath-link,"$BUILD"
	has "$(nm -D app)" aclInit@MSPROF_0.9
	run --separate-stderr env LD_DEBUG=bindings LD_PRELOAD="$BUILD/libmsprof_preload.so" ./app
	equal "$status" 0
	has "$(grep -E "binding file \./app .*aclInit. \[MSPROF_0\.9\]" <<<"$stderr")" "to $BUILD/libmsprof_preload.so"
	import_job
	equal "$(calls "name = 'here'")" 1
}
