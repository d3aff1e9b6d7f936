#!/usr/bin/env bats
# starts.bats: the start of the recorder: threads that begin at the same time, the first call, children.

load helpers

PRELOAD=$BUILD/libmsprof_preload.so

# What 'msprof PROGRAM' tells a program; results go below out/.
settings() {
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on", "msproftx": "on"}'
}

build_forks() {
	needs_plain_library
	gcc -o forks "$ROOT/tests/recorder/fork_app.c" -I"$ROOT/lib/recorder/include" -L"$BUILD" -Wl,-rpath,"$BUILD" -lms_tools_ext \
		-lmsprof_recorder -lpthread
}

# marks DIR...: how many marks the results have, as "parent N, child N", of how many processes
marks() {
	local dir parent=0 child=0
	for dir; do
		expect 0 import -q -dir "$dir"
		DB=$dir/sqlite/msprof.db
		export DB
		((parent += $(query "SELECT count(*) FROM msproftx WHERE message = 'parent'"))) || true
		((child += $(query "SELECT count(*) FROM msproftx WHERE message = 'child'"))) || true
	done
	echo "parent $parent, child $child, $(jq -r .pid "${@/%//host/info.json}" | sort -u | wc -l) processes"
}

@test "threads that call while one starts the recorder lose no call: 50 starts of 4 threads" {
	needs_plain_library
	cat >library.c <<-'END'
		int aclrtSynchronizeDevice(void) { return 0; }
	END
	cat >app.c <<-'END'
		#include <pthread.h>
		int aclrtSynchronizeDevice(void);
		static pthread_barrier_t ready;
		static void *work(void *unused)
		{
			pthread_barrier_wait(&ready);
			for (int i = 0; i < 25; i++)
				aclrtSynchronizeDevice();
			return unused;
		}
		int main(void)
		{
			pthread_t threads[4];
			pthread_barrier_init(&ready, 0, 4);
			for (int i = 0; i < 4; i++)
				pthread_create(&threads[i], 0, work, 0);
			for (int i = 0; i < 4; i++)
				pthread_join(threads[i], 0);
			return 0;
		}
	END
	gcc -shared -fPIC -o libascendcl.so library.c
	gcc -o app app.c -L. -lascendcl -Wl,-rpath,"$PWD" -lpthread
	settings
	for _ in {1..50}; do
		LD_PRELOAD=$PRELOAD ./app
	done
	# a record has 40 bytes; one is the recorder's own start
	equal "$(find out -name '*api_event*slice_0' -printf '%s\n' | sort | uniq -c | tr -s ' ')" " 50 $((40 * 101))"
}

@test "no first call of a function has the recorder's own work in its time" {
	needs_plain_library
	# a clock that stands still, but for its readings and the locks of the main thread
	cat >counted.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <pthread.h>
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>
		static _Atomic long long now_ns;
		static void add(long ns) { if (getpid() == gettid()) now_ns += ns; }
		int clock_gettime(clockid_t clock, struct timespec *t)
		{
			if (clock != CLOCK_MONOTONIC_RAW)
				return (int)syscall(SYS_clock_gettime, clock, t);
			add(100);
			t->tv_sec = 1000 + now_ns / 1000000000;
			t->tv_nsec = now_ns % 1000000000;
			return 0;
		}
		int pthread_mutex_lock(pthread_mutex_t *mutex)
		{
			static int (*real)(pthread_mutex_t *);
			if (!real)
				real = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
			add(1000000);
			return real(mutex);
		}
	END
	cat >library.c <<-'END'
		int aclInit(const char *path) { (void)path; return 0; }
		int aclFinalize(void) { return 0; }
		int aclrtSynchronizeDevice(void) { return 0; }
		int aclmdlLoadFromFile(const char *path, unsigned *id) { *id = 7 + (path == 0); return 0; }
		int aclmdlExecute(unsigned id, void *in, void *out) { (void)id; (void)in; return out != 0; }
		int aclopExecute(const char *type) { return type == 0; }
	END
	cat >app.c <<-'END'
		int aclInit(const char *), aclFinalize(void), aclrtSynchronizeDevice(void), aclmdlLoadFromFile(const char *, unsigned *),
			aclmdlExecute(unsigned, void *, void *), aclopExecute(const char *, ...);
		int main(int argc, char **argv)
		{
			int bad = aclInit(argc > 1 ? argv[1] : 0);
			for (unsigned i = 0, id; i < 3; i++)
				bad |= aclrtSynchronizeDevice() | aclmdlLoadFromFile(i ? "b.om" : "a.om", &id) | aclmdlExecute(id, 0, 0) |
					aclopExecute("Conv", 0, 0, 0, 0, 0, 0, 0, 0);
			return bad | aclFinalize();
		}
	END
	gcc -shared -fPIC -o counted.so counted.c -ldl
	gcc -shared -fPIC -o libascendcl.so library.c
	gcc -w -o app app.c -L. -lascendcl -Wl,-rpath,"$PWD"
	acl_json '"output": "./out", "runtime_api": "on"'
	LD_PRELOAD="./counted.so $PRELOAD" ./app acl.json
	import_job
	equal "$(query 'SELECT dur_ns, count(*) FROM api GROUP BY 1')" '100|13'
	discard out/*
	settings
	LD_PRELOAD="./counted.so $PRELOAD" ./app
	import_job
	equal "$(query "SELECT dur_ns, count(*) FROM api JOIN type_info_dic t USING (level, type) WHERE t.name <> 'recorder start' GROUP BY 1")" '100|14'
	# the recorder's start is a slice of its own, before all others
	equal "$(query "SELECT count(*) FROM api a JOIN type_info_dic t USING (level, type) WHERE t.name = 'recorder start'
		AND dur_ns > 1000000 AND start_ns + dur_ns < (SELECT min(start_ns) FROM api b WHERE b.start_ns > a.start_ns)")" 1
}

@test "children made by fork record into results of their own, with the parent's options" {
	local how want
	build_forks
	while read -r how want; do
		discard out/*
		expect 0 --output=out --msproftx=on --storage-limit=300MB ./forks "$how"
		equal "$(marks out/PROF_*)" "$want"
		equal "$(jq -r .storage_limit_mb out/PROF_*/host/sample.json | sort -u)" 300
	done <<-'END'
		fork parent 10, child 400, 5 processes
		nested parent 10, child 100, 2 processes
		vfork parent 10, child 100, 2 processes
		spawn parent 10, child 100, 2 processes
		bare parent 10, child 400, 5 processes
		quiet parent 10, child 0, 1 processes
	END
}

@test "the process that daemon leaves records, also when msprof has ended" {
	build_forks
	expect 0 --output=out --msproftx=on ./forks daemon
	until_true [ -f "done" ]
	until_true has_marks 100
	equal "$(find out -name '.msprof.*' -maxdepth 1)" ''
}

has_marks() {
	[ "$(marks out/PROF_*)" = "parent 10, child $1, 2 processes" ]
}

@test "children made by fork record by the parent's acl.json" {
	local how want
	build_forks
	while read -r how want; do
		discard out/*
		./forks "$how" acl.json
		equal "$(marks out/PROF_*)" "$want"
	done <<-'END'
		fork parent 10, child 400, 5 processes
		nested parent 10, child 100, 2 processes
		bare parent 10, child 400, 5 processes
		quiet parent 10, child 0, 1 processes
		vfork parent 10, child 0, 1 processes
	END
}

@test "the start reads the layouts of no records but those of the files that the recorder writes" {
	local records
	records=$(grep -aoE '^record [a-z0-9_.]+' "$BUILD/libmsprof_recorder.so" | sort -u)
	has "$records" 'record prof.api' 'record prof.msproftx' 'record host.operator' 'record svp.host_call' 'record svp.acl_api_ss928'
	[ "$(wc -l <<<"$records")" -le 40 ]
}
