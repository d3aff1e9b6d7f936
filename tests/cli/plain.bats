#!/usr/bin/env bats
# plain.bats: SQLite alone (MSPROF_PLAIN) gives the databases and the exports that the fast paths give.

load helpers
load helpers/plain

@test "jobs of boards: the sample and generated ones" {
	both_ways "$JOB" 1
	generate --tasks 900 --pictures 3 --aicpu 300 --calls 1000 --threads 3 --models 2 --utf8
	both_ways "$JOB" 1
}

@test "PROF directories: all kinds of small data" {
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 2000 --streams 24
	both_ways "$BATS_TEST_TMPDIR/PROF_1" 1
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_2" --samples
	both_ways "$BATS_TEST_TMPDIR/PROF_2" 1
}

@test "one thread with MSPROF_PLAIN=threads" {
	needs_this_processor
	! nm -D "$MSPROF" | grep -qE '__[at]san_init' || skip "sanitizers make threads of their own"
	[ "$(nproc)" -gt 1 ] || skip "one processor"
	cat >"$BATS_TEST_TMPDIR/count.c" <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <pthread.h>
		#include <unistd.h>
		int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *u)
		{
			static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
			if (!real)
				*(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
			(void)!write(9, "thread\n", 7);
			return real(t, a, f, u);
		}
	END
	# shellcheck disable=SC2086 # a compiler may have words
	${CC:-gcc} -shared -fPIC -o "$BATS_TEST_TMPDIR/count.so" "$BATS_TEST_TMPDIR/count.c" -ldl
	"$BUILD/tests/genprof" --out "$BATS_TEST_TMPDIR/PROF_1" --tasks 30000
	"$MSPROF" import -q -dir "$BATS_TEST_TMPDIR/PROF_1"
	LD_PRELOAD=$BATS_TEST_TMPDIR/count.so "$MSPROF" export timeline -q -dir "$BATS_TEST_TMPDIR/PROF_1" 9>"$BATS_TEST_TMPDIR/fast"
	MSPROF_PLAIN=threads LD_PRELOAD=$BATS_TEST_TMPDIR/count.so "$MSPROF" export timeline -q -dir "$BATS_TEST_TMPDIR/PROF_1" 9>"$BATS_TEST_TMPDIR/plain"
	[ -s "$BATS_TEST_TMPDIR/fast" ] || fail "an export makes no thread"
	equal "$(cat "$BATS_TEST_TMPDIR/plain")" ""
}

@test "an unknown mechanism is an error, which names those there are" {
	MSPROF_PLAIN=pages,speed expect 1 show -dir "$JOB"
	# shellcheck disable=SC2154 # set by run
	has "$stderr" "MSPROF_PLAIN: invalid value 'speed" "expressions, leaves, pages, threads"
	MSPROF_PLAIN=0 expect 0 show -dir "$JOB"
	MSPROF_PLAIN="" expect 0 show -dir "$JOB"
}
