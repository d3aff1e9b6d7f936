#!/usr/bin/env bats
# preload.bats: calls of the vendor's library are recorded without a change to the application.

load helpers

PRELOAD=$BUILD/libmsprof_preload.so
STUB=$BUILD/tests/stub
# a sanitizer's runtime wants to be the first library
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"

# preloaded STATUS PROGRAM...: run it with the wrappers
preloaded() {
	local want=$1
	shift
	# an emulator has its own way to tell its program
	run --separate-stderr env "${MSPROF_EMULATED:+QEMU_SET_ENV=}LD_PRELOAD=$PRELOAD" "$@"
	[ "$status" -eq "$want" ] || fail "$* ended with $status, not $want: $output; ${stderr:-}"
}

# Whether the job has these calls, in this order of beginning.
names() {
	equal "$(query 'SELECT group_concat(name) FROM (SELECT name FROM api_call ORDER BY start_ns)')" "$1"
}

@test "the calls of an application, its model and its threads, by the preload" {
	preloaded 0 "$STUB/app" --config acl.json --executes 4 --threads 3
	equal "$output" 'executed 12 times'
	import_job
	equal "$(calls "name = 'aclmdlExecute' AND type = 2")" 12
	equal "$(calls "name = 'aclrtMemcpy' AND type = 3")" 1
	equal "$(query "SELECT count(DISTINCT tid) FROM api_call WHERE name = 'aclmdlExecute'")" 3
	equal "$(query "SELECT DISTINCT model || '.' || model_id FROM source WHERE target = 'api_call'")" resnet50.1
}

@test "no call is shorter than what the library does in it" {
	preloaded 0 "$STUB/app" --config acl.json
	import_job
	equal "$(calls "name = 'aclmdlExecute' AND dur_ns < 3000000")" 0
	equal "$(calls "name = 'aclmdlLoadFromFile' AND dur_ns < 5000000")" 0
}

@test "calls come in the order in which they were made" {
	preloaded 0 "$STUB/app" --config acl.json --executes 2
	import_job
	names aclrtMalloc,aclmdlLoadFromFile,aclrtMemcpy,aclmdlExecute,aclmdlExecute,aclrtFree,aclmdlUnload,aclFinalize
}

@test "an acl.json that is off, or none, records nothing and changes nothing" {
	printf '{"profiler": {"switch": "off"}}' >acl.json
	preloaded 0 "$STUB/app" --config acl.json
	equal "$output" 'executed 3 times'
	preloaded 0 "$STUB/app"
	equal "$(ls out)" ''
	equal "$stderr" ''
}

@test "interval counts the executions that the preload sees" {
	acl_json '"output": "./out", "interval": "5"'
	preloaded 0 "$STUB/app-svp" --config acl.json --executes 11
	import_job
	equal "$(calls "name = 'svp_acl_mdl_execute'")" 3
	equal "$(calls "name = 'svp_acl_mdl_load_from_mem'")" 1
}

@test "a library that the program opened for itself is found" {
	preloaded 0 "$STUB/opens" "$STUB/libascendcl.so"
}

@test "a program without the vendor's library: an error of the call that says so" {
	cat >app.c <<-'END'
		#include <dlfcn.h>
		#include <stdio.h>
		int main(void)
		{
			int (*f)(void) = (int (*)(void))dlsym(0, "aclFinalize");
			return f ? !printf("%d\n", f()) : 9;
		}
	END
	gcc -o app app.c -ldl
	needs_plain_library
	preloaded 0 ./app
	equal "$output" 100039
	has "$stderr" 'aclFinalize: this function is neither in a loaded library' libascendcl.so
}

@test "a call that fails fails as before, and announces no model" {
	cat >app.c <<-'END'
		#include <stdint.h>
		#include <stdio.h>
		int aclInit(const char *config);
		int aclFinalize(void);
		int aclmdlLoadFromFile(const char *path, uint32_t *model_id);
		int main(void)
		{
			uint32_t id = 77;
			aclInit("acl.json");
			printf("%d %u\n", aclmdlLoadFromFile("broken.om", &id), id);
			return aclFinalize();
		}
	END
	needs_plain_library
	gcc -o app app.c -L"$STUB" -lascendcl -Wl,-rpath,"$STUB"
	preloaded 0 ./app
	equal "$output" '500002 77'
	import_job
	names aclmdlLoadFromFile,aclFinalize
	equal "$(query "SELECT count(*) FROM source WHERE model_id = 77")" 0
}

@test "errno passes through, into each call and out of it" {
	cat >library.c <<-'END'
		#include <errno.h>
		/* 0 where it finds what the application left */
		static int call(void) { int found = errno; errno = EDOM; return found != ERANGE; }
		int aclInit(const char *config) { (void)config; return call(); }
		int aclFinalize(void) { return call(); }
		int aclmdlLoadFromFile(const char *path, unsigned *id) { *id = path[0]; return call(); }
		int aclmdlUnload(unsigned id) { (void)id; return call(); }
		int aclrtSynchronizeDevice(void) { return call(); }
	END
	cat >app.c <<-'END'
		#include <errno.h>
		#include <stdio.h>
		int aclInit(const char *), aclFinalize(void), aclmdlLoadFromFile(const char *, unsigned *), aclmdlUnload(unsigned), aclrtSynchronizeDevice(void);
		#define CHECK(call) (errno = ERANGE, status = call, status || errno != EDOM ? printf("%s: %d %d\n", #call, status, errno) : 0)
		int main(void)
		{
			int status;
			unsigned id;
			CHECK(aclInit("acl.json"));
			CHECK(aclmdlLoadFromFile("a.om", &id));
			CHECK(aclmdlLoadFromFile("a.om", &id));
			CHECK(aclmdlLoadFromFile("b/b.om", &id));
			CHECK(aclrtSynchronizeDevice());
			CHECK(aclmdlUnload(id));
			CHECK(aclFinalize());
			return 0;
		}
	END
	needs_plain_library
	gcc -shared -fPIC -o libascendcl.so library.c
	gcc -o app app.c -L. -lascendcl -Wl,-rpath,"$PWD"
	preloaded 0 ./app
	equal "$output" ''
	import_job
	equal "$(calls)" 6
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on", "runtime_api": "on"}'
	preloaded 0 ./app
	equal "$output" ''
	[ -s results ]
}

@test "the same by the linker, without any library to load" {
	run --separate-stderr "$STUB/app-linked" --config acl.json --executes 4
	equal "$status" 0
	import_job
	names aclrtMalloc,aclmdlLoadFromFile,aclrtMemcpy,aclmdlExecute,aclmdlExecute,aclmdlExecute,aclmdlExecute,aclrtFree,aclmdlUnload,aclFinalize
}

@test "only the functions of the table are exported" {
	equal "$(nm -D --defined-only "$PRELOAD" | awk '{ print $3 }' | LC_ALL=C sort)" \
		"$(awk '!/^#/ && NF == 4 && $1 != "library" { print $3 }' "$ROOT/schema/wrap/calls.txt" | LC_ALL=C sort)"
	equal "$(awk '!/^#/ && NF == 4 && $1 != "library" { print "-Wl,--wrap=" $3 }' "$ROOT/schema/wrap/calls.txt")" "$(cat "$BUILD/msprof_wrap.rsp")"
}

@test "a table that is wrong is refused by line" {
	printf 'library svp libx.so\ncall model f ptr,word\n' >calls.txt
	run "$ROOT/lib/recorder/wrap/generate.sh" c calls.txt
	equal "$status" 1
	has "$output" 'calls.txt:2: unknown argument "word"'
	printf 'call model f ptr\n' >calls.txt
	run "$ROOT/lib/recorder/wrap/generate.sh" c calls.txt
	equal "$status" 1
}
