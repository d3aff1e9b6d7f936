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
	equal "$(api_calls 'SELECT group_concat(name) FROM (SELECT name FROM api_call ORDER BY start_ns)')" "$1"
}

@test "the calls of an application, its model and its threads, by the preload" {
	preloaded 0 "$STUB/app" --config acl.json --executes 4 --threads 3
	equal "$output" 'executed 12 times'
	import_job
	equal "$(calls "name = 'aclmdlExecute' AND type = 2")" 12
	equal "$(calls "name = 'aclrtMemcpy' AND type = 3")" 1
	equal "$(api_calls "SELECT count(DISTINCT tid) FROM api_call WHERE name = 'aclmdlExecute'")" 3
	equal "$(query 'SELECT DISTINCT h.name FROM api JOIN hash_dic h ON h.hash = item_id')" resnet50
}

@test "no call is shorter than what the library does in it" {
	preloaded 0 "$STUB/app" --config acl.json
	import_job
	equal "$(calls "name = 'aclmdlExecute' AND dur_ns < 3000000")" 0
	equal "$(calls "name = 'aclmdlLoadFromFile' AND dur_ns < 5000000")" 0
}

@test "several workers with one acl.json are all recorded, each into a result of its own" {
	local pids=() pid dir
	for _ in 1 2 3; do
		env "${MSPROF_EMULATED:+QEMU_SET_ENV=}LD_PRELOAD=$PRELOAD" "$STUB/app" --config acl.json --executes 30 >text 2>>errors 3>&- &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do wait "$pid"; done
	equal "$(cat errors)" ''
	equal "$(jq -r .pid out/PROF*/host/info.json | sort -u | wc -l)" 3
	for dir in out/PROF*; do
		complete_prof "$dir"
		mkdir -p each && mv "$dir" each
		import_job each
		equal "$(calls "name = 'aclmdlExecute'")" 30
		mv each/* out
	done
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

@test "functions that a program looks up itself are recorded, too" {
	cat >app.c <<-'END'
		#include <dlfcn.h>
		#include <stdio.h>
		int main(int argc, char **argv)
		{
			void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
			int (*init)(const char *) = (int (*)(const char *))dlsym(library, "aclInit");
			int (*load)(const char *, unsigned *) = (int (*)(const char *, unsigned *))dlsym(library, "aclmdlLoadFromFile");
			int (*finish)(void) = (int (*)(void))dlsym(library, "aclFinalize");
			unsigned id;
			(void)argc;
			return printf("%d\n", init(0) | load("b.om", &id) | finish()) < 0;
		}
	END
	needs_plain_library
	gcc -o app app.c -ldl
	cp "$STUB/libascendcl.so" named_otherwise.so
	for library in ./named_otherwise.so "$STUB/libascendcl.so"; do
		discard out/*
		expect 0 --output=out ./app "$library"
		has "$output" $'\n0\n'
		DB=$(echo out/PROF_*)/sqlite/msprof.db
		export DB
		equal "$(query "SELECT group_concat(name) FROM (SELECT t.name FROM api a JOIN type_info_dic t ON t.type = a.type ORDER BY start_ns)")" \
			'recorder start,aclInit,aclmdlLoadFromFile,aclFinalize'
	done
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
	equal "$(query 'SELECT count(*) FROM hash_dic')" 0
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
	awk '!/^#/ && NF > 3 && $1 != "library" { print $3 }' "$ROOT"/schema/wrap/*.txt >names
	equal "$(exported "$PRELOAD")" "$( (cat names; echo msprof_wrap_bind) | LC_ALL=C sort)"
	equal "$(sed 's/^/-Wl,--wrap=/' names)" "$(cat "$BUILD/msprof_wrap.rsp")"
}

@test "the tables have the calls of the runtime, of models, of operators and of boards, each once" {
	awk '!/^#/ && NF > 3 && $1 != "library" { print $3 }' "$ROOT"/schema/wrap/*.txt >names
	equal "$(LC_ALL=C sort names | uniq -d)" ''
	while read -r pattern least; do
		[ "$(grep -c "^$pattern" names)" -ge "$least" ] || fail "only $(grep -c "^$pattern" names) of $pattern"
	done <<-'END'
		aclrt[A-Z] 340
		aclmdl[A-Z] 140
		aclop[A-Z] 36
		acltdt[A-Z] 61
		svp_acl_mdl_ 68
		svp_acl_rt_ 37
		svp_acl_ext_ 3
	END
}

@test "arguments and results of every kind pass through: numbers, addresses, fractions, structures, none" {
	cat >library.c <<-'END'
		#include <stdint.h>
		#include <stdio.h>
		#include <stddef.h>
		struct dim { uint32_t x, y, z; };
		struct handle { char bytes[64]; };
		struct place { int type, id; };
		struct condition { void *handle; int type; uint32_t size; void *array; };
		size_t aclmdlGetNumInputs(const void *d) { return (size_t)d + 0x100000000; }
		void *aclmdlCreateDesc(void) { return (void *)0x123456789abcdef; }
		void aclopDestroyHandle(void *h) { printf("void %p\n", h); }
		int svp_acl_mdl_set_aipp_dtc_pixel_mean(void *a, float b, float c, float d, float e, uint64_t f)
		{
			return printf("float %p %g %g %g %g %llu\n", a, b, c, d, e, (unsigned long long)f) < 0;
		}
		int svp_acl_mdl_set_aipp_csc_params(void *a, int8_t b, int16_t c, int16_t d, int16_t e, int16_t f, int16_t g, int16_t h, int16_t i, int16_t j, int16_t k,
			uint8_t l, uint8_t m, uint8_t n, uint8_t o, uint8_t p, uint8_t q)
		{
			return printf("many %p %d %d %d %d %d %d %d %d %d %d %u %u %u %u %u %u\n", a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q) < 0;
		}
		int aclrtLaunchSIMTKernelWithArgsArray(void *f, struct dim g, struct dim b, size_t n, void *s, void *c, void **a)
		{
			return printf("dim %p %u %u %u %u %u %u %zu %p %p %p\n", f, g.x, g.y, g.z, b.x, b.y, b.z, n, s, c, (void *)a) < 0;
		}
		int aclrtIpcOpenEventHandle(struct handle h, void **e) { return printf("handle %.63s %p\n", h.bytes, (void *)e) < 0; }
		int aclrtMemManagedPrefetchAsync(const void *p, size_t n, struct place l, uint32_t f, void *s)
		{
			return printf("place %p %zu %d %d %u %p\n", p, n, l.type, l.id, f, s) < 0;
		}
		int aclmdlRIAddCondTask(struct condition c, void *s, uint32_t f)
		{
			return printf("condition %p %d %u %p %p %u\n", c.handle, c.type, c.size, c.array, s, f) < 0;
		}
	END
	cat >app.c <<-'END'
		#include <stdint.h>
		#include <stdio.h>
		#include <stddef.h>
		struct dim { uint32_t x, y, z; };
		struct handle { char bytes[64]; };
		struct place { int type, id; };
		struct condition { void *handle; int type; uint32_t size; void *array; };
		size_t aclmdlGetNumInputs(const void *);
		void *aclmdlCreateDesc(void);
		void aclopDestroyHandle(void *);
		int svp_acl_mdl_set_aipp_dtc_pixel_mean(void *, float, float, float, float, uint64_t);
		int svp_acl_mdl_set_aipp_csc_params(void *, int8_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t, int16_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t);
		int aclrtLaunchSIMTKernelWithArgsArray(void *, struct dim, struct dim, size_t, void *, void *, void **);
		int aclrtIpcOpenEventHandle(struct handle, void **);
		int aclrtMemManagedPrefetchAsync(const void *, size_t, struct place, uint32_t, void *);
		int aclmdlRIAddCondTask(struct condition, void *, uint32_t);
		int main(void)
		{
			printf("size %zu\naddress %p\n", aclmdlGetNumInputs((void *)7), aclmdlCreateDesc());
			aclopDestroyHandle((void *)9);
			return svp_acl_mdl_set_aipp_dtc_pixel_mean((void *)1, 1.5f, -2.25f, 3, 4, 1ull << 40) |
				svp_acl_mdl_set_aipp_csc_params((void *)1, -1, -2, 3, -4, 5, -6, 7, -8, 9, -10, 200, 201, 202, 203, 204, 255) |
				aclrtLaunchSIMTKernelWithArgsArray((void *)1, (struct dim){2, 3, 4}, (struct dim){5, 6, 7}, 8, (void *)9, (void *)10, (void *)11) |
				aclrtIpcOpenEventHandle((struct handle){"0123456789012345678901234567890123456789012345678901234567890"}, (void *)3) |
				aclrtMemManagedPrefetchAsync((void *)1, 2, (struct place){3, -4}, 5, (void *)6) |
				aclmdlRIAddCondTask((struct condition){(void *)1, 2, 3, (void *)4}, (void *)5, 6);
		}
	END
	needs_plain_library
	gcc -shared -fPIC -Wl,-soname,libascendcl.so -o libascendcl.so library.c
	gcc -o app app.c -L. -lascendcl -Wl,-rpath,"$PWD"
	plain=$(./app)
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on"}'
	preloaded 0 ./app
	equal "$output" "$plain"
	DB=$PWD/out/$(cat results)/sqlite/msprof.db
	export DB
	expect 0 import -dir "out/$(cat results)"
	equal "$(query 'SELECT count(*) FROM api')" 10 # one is the start of the recorder
}

@test "a function that no library has gives its failure: a code, no address, nothing" {
	cat >app.c <<-'END'
		#include <stddef.h>
		#include <stdio.h>
		int aclrtSynchronizeDevice(void) __attribute__((weak));
		void *aclmdlCreateDesc(void) __attribute__((weak));
		size_t aclmdlGetNumInputs(const void *) __attribute__((weak));
		void aclopDestroyHandle(void *) __attribute__((weak));
		int main(void)
		{
			aclopDestroyHandle(NULL);
			return !printf("%d %p %zu\n", aclrtSynchronizeDevice(), aclmdlCreateDesc(), aclmdlGetNumInputs(NULL));
		}
	END
	needs_plain_library
	gcc -fPIC -o app app.c
	preloaded 0 ./app
	equal "$output" '100039 (nil) 0'
}

@test "a table that is wrong is refused by line" {
	printf 'library svp libx.so\ncall model f ptr,word\n' >calls.txt
	run "$ROOT/lib/recorder/wrap/generate.sh" c calls.txt
	equal "$status" 1
	has "$output" 'calls.txt:2: unknown argument "word"'
	printf 'library svp libx.so\ncall model f ptr word\n' >calls.txt
	run "$ROOT/lib/recorder/wrap/generate.sh" c calls.txt
	equal "$status" 1
	has "$output" 'calls.txt:2: unknown result "word"'
	printf 'call model f ptr\n' >calls.txt
	run "$ROOT/lib/recorder/wrap/generate.sh" c calls.txt
	equal "$status" 1
}
