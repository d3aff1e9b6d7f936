#!/usr/bin/env bats
# process.bats: one trace of a process that left several results.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load ../cli/helpers/trace

# build_app NAME LIBRARY [OPTION...]: sessions for device 0 and device 1 that overlap, and a third one
build_app() {
	needs_plain_library
	cat >sessions.c <<-'END'
		#include <msprof_recorder.h>
		#include <pthread.h>
		#include <stdio.h>
		#include <stdlib.h>
		#ifdef SVP
		#include <acl/svp_acl_prof.h>
		#define CALL(name, svp) svp_acl_##svp
		#define TYPES SVP_ACL_PROF_ACL_API
		typedef svp_acl_prof_config config;
		#define NONE SVP_ACL_AACORE_NONE
		#else
		#include <acl/acl.h>
		#include <acl/acl_prof.h>
		#define CALL(name, svp) acl##name
		#define TYPES (ACL_PROF_ACL_API | ACL_PROF_MSPROFTX)
		typedef aclprofConfig config;
		#define NONE ACL_AICORE_NONE
		#endif
		static void calls(int count, const char *name)
		{
			for (int i = 0; i < count; i++)
				msprof_api_end(msprof_begin(), MSPROF_RUNTIME, msprof_name(name), MSPROF_NO_MODEL);
		}
		static void *worker(void *arg)
		{
			pthread_setname_np(pthread_self(), "worker");
			calls(5, "in_both");
			return arg;
		}
		int main(void)
		{
			uint32_t first[] = {0}, second[] = {1};
			config *a, *b;
			pthread_t thread;
			char path[4096];
			int bad = CALL(Init, init)(NULL) | CALL(profInit, prof_init)(path, (size_t)snprintf(path, sizeof(path), "%s/out", getenv("PWD")));

			a = CALL(profCreateConfig, prof_create_config)(first, 1, NONE, NULL, TYPES);
			b = CALL(profCreateConfig, prof_create_config)(second, 1, NONE, NULL, TYPES);
			bad |= CALL(profStart, prof_start)(a);
			calls(3, "in_first");
			msprof_mark("first mark");
			bad |= CALL(profStart, prof_start)(b);
			calls(4, "in_both");
			msprof_mark("both's mark");
			pthread_create(&thread, NULL, worker, NULL);
			pthread_join(thread, NULL);
			bad |= CALL(profStop, prof_stop)(a);
			calls(2, "in_second");
			bad |= CALL(profStop, prof_stop)(b) | CALL(profStart, prof_start)(a);
			calls(1, "in_third");
			bad |= CALL(profStop, prof_stop)(a) | CALL(profFinalize, prof_finalize)() | CALL(Finalize, finalize)();
			printf("%d\n", bad);
			return bad;
		}
	END
	gcc -D_GNU_SOURCE -I"$ROOT/lib/recorder/include" -o sessions sessions.c "$@" -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_recorder -lpthread
}

# The calls and marks of a trace: how many of each name
events() {
	jq -r '.traceEvents[] | select(.ph == "X" and (.name | test("^(PROF_|JOB)") | not)) | .name' "$1" | sort | uniq -c | tr -s ' ' | tr '\n' ','
}

EVENTS=" 1 both's mark, 1 first mark, 9 in_both, 3 in_first, 2 in_second, 1 in_third,"

@test "sessions of a process in one trace: each event once, a track a thread, and what each result has" {
	build_app -lmsprof_aclprof
	./sessions
	expect 0 export timeline -dir out
	trace=$(echo out/process_*.json)
	has "$stderr" "in one trace: '$trace'"
	equal "$(events "$trace")" "$EVENTS"
	equal "$(jq -c '[.traceEvents[] | select(.ph == "X" and (.name | startswith("PROF_"))) | .args.Events] | sort' "$trace")" '[1,12,14]'
	equal "$(jq -r '.traceEvents[] | select(.name == "thread_name") | .args.name' "$trace" | sed 's/[0-9][0-9]*/N/' | sort | uniq -c | tr -s ' ')" \
		$' 2 Results\n 2 Thread N sessions\n 1 Thread N worker'
	equal "$(jq '.otherData | [.events, [.notes[] | select(.standing | not)]]' -c "$trace")" '[20,[]]'
	equal "$(jq -r '[.traceEvents[] | select(.name == "in_first") | .ts] | min' "$trace")" 0
	expect 0 export timeline -dir out --format perfetto --output elsewhere
	equal "$(ls out)" "$(basename -a out/PROF_* "$trace")"
	need_decoder
	equal "$("$PYTHON" -c 'import sys; sys.path.insert(0, sys.argv[1]); import collections, perfetto
print(sorted(collections.Counter(s.name for s in perfetto.read(sys.argv[2]).slices if not s.name.startswith("PROF_")).items()))' "$HELPERS" elsewhere/process_*.pftrace)" \
		"[(\"both's mark\", 1), ('first mark', 1), ('in_both', 9), ('in_first', 3), ('in_second', 2), ('in_third', 1)]"
}

@test "JOB directories of several devices have the same calls: in the trace they are there once" {
	build_app -DSVP -lmsprof_svp
	./sessions
	equal "$(find out -name 'JOB*' | wc -l)" 3
	expect 0 export timeline -dir out
	equal "$(events out/process_*.json)" "$EVENTS"
}

@test "a PROF and a JOB directory of a process are on one clock in its trace" {
	needs_plain_library
	cat >both.c <<-'END'
		#include <acl/acl.h>
		#include <acl/acl_prof.h>
		#include <acl/svp_acl_prof.h>
		#include <msprof_recorder.h>
		static void call(const char *name)
		{
			msprof_api_end(msprof_begin(), MSPROF_RUNTIME, msprof_name(name), MSPROF_NO_MODEL);
		}
		int main(int argc, char **argv)
		{
			uint32_t devices[] = {0};
			int bad = argc != 2 || aclInit(NULL) || aclprofInit(argv[1], 3);
			aclprofConfig *a = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, NULL, ACL_PROF_ACL_API);
			svp_acl_prof_config *b = svp_acl_prof_create_config(devices, 1, SVP_ACL_AICORE_NONE, NULL, SVP_ACL_PROF_ACL_API);
			bad |= aclprofStart(a);
			call("in_prof");
			bad |= aclprofStop(a) | aclprofFinalize() | svp_acl_prof_init(argv[1], 3) | svp_acl_prof_start(b);
			call("in_job");
			return bad | svp_acl_prof_stop(b) | svp_acl_prof_finalize() | aclFinalize();
		}
	END
	gcc -Wall -Werror -I"$ROOT/lib/recorder/include" -o both both.c -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_aclprof -lmsprof_svp -lmsprof_recorder
	./both out
	expect 0 export timeline -dir out
	trace=$(echo out/process_*.json)
	equal "$(events "$trace")" ' 1 in_job, 1 in_prof,'
	equal "$(jq '[.traceEvents[] | select(.name == "in_prof") | .ts] | min' "$trace")" 0
	equal "$(jq '[.traceEvents[] | select(.name == "in_job") | .ts > 0 and .ts < 60000000] | all' "$trace")" true
}

@test "results of several processes have no common trace, and of two processes with one number each has its own" {
	local dir
	build_app -lmsprof_aclprof
	record 0 ascend=acl.json calls=2 finalize
	record 0 init=acl.json calls=2 finalize
	expect 0 export timeline -dir out
	equal "$(find out -name 'process_*')" ''
	./sessions
	./sessions
	sed -i 's/"pid": "[0-9]*"/"pid": "7"/' out/PROF*/host/info.json
	expect 0 export timeline -dir out --from 0ns
	equal "$(find out -name 'process_*')" ''
	expect 0 export timeline -dir out
	equal "$(cd out && echo process_*)" 'process_7.json process_7_2.json'
	for dir in out/process_*; do
		has "$(events "$dir")" ' 2 in_second,' ' 1 in_third,'
	done
}
