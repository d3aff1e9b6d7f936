#!/usr/bin/env bats
# families.bats: the two families of public calls, from their names to the data that msprof reads.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# app STATUS FAMILY WORD...: see app.c and sequence.h; "WORD CODE" lines are in $output, stderr in $stderr.
app() {
	local want=$1 family=$2
	shift 2
	run --separate-stderr "$BUILD/tests/$family/app" "$@"
	[ "$status" -eq "$want" ] || fail "app $* ended with $status, not $want: $output; ${stderr:-}"
}

# names HEADER...: the functions that headers declare
names() {
	cat "$@" | tr '\n\t' '  ' | grep -oE '\b(acl(Init|Finalize|prof[A-Z][A-Za-z0-9]*)|svp_acl_[a-z_]+)\( *[a-z]' | sed 's/(.*//' |
		sort -u
}

exported() {
	nm -D --defined-only "$1" | awk '$2 ~ /[TDBRW]/ { sub(/@@.*/, "", $3); print $3 }' | grep -v '^__asan\|^__odr_asan' | sort
}

# The devices of all results: of boards a JOB for each device, of Ascend a PROF directory for each session.
devices() {
	find "$1" -maxdepth 3 -name 'recorder.json.*' -exec jq .device {} + -o -name sample.json -exec jq -r .requested_devices {} + |
		tr , '\n' | sort -n | tr '\n' ' '
}

# host_events FILTER: of the intervals on the exported timeline
host_events() {
	jq -rc ".[] | select(.ph == \"X\") | $1" out/PROF*/mindstudio_profiler_output/msprof_[0-9]*.json
}

INCLUDE=$ROOT/lib/recorder/include

@test "each library exports the names of its headers and no others; the recorder's all begin with msprof_" {
	equal "$(exported "$BUILD/libmsprof_aclprof.so")" "$(names "$INCLUDE"/acl/acl{,_prof,_msprof}.h)"
	equal "$(exported "$BUILD/libmsprof_svp.so")" "$(names "$INCLUDE/acl/svp_acl_prof.h")"
	equal "$(exported "$BUILD/libmsprof_svp.so" | grep -c '^svp_acl_prof_')" 20
	equal "$(exported "$BUILD/libmsprof_recorder.so" | grep -cv '^msprof_')" 0
}

@test "the headers compile alone and together, as C99 and as C++, without a warning" {
	local header
	for header in acl/acl_base.h acl/acl.h acl/acl_prof.h acl/acl_msprof.h acl/svp_acl_prof.h msprof_recorder.h; do
		printf '#include "%s"\n' "$header" | tee -a all.h >one.h
		cc -x c -std=c99 -pedantic -Wall -Wextra -Wstrict-prototypes -Werror -fsyntax-only -I"$INCLUDE" one.h
		c++ -x c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only -I"$INCLUDE" one.h
	done
	cc -x c -std=c99 -Wall -Wextra -Werror -fsyntax-only -I"$INCLUDE" all.h
	c++ -x c++ -Wall -Wextra -Werror -fsyntax-only -I"$INCLUDE" all.h
}

@test "programs that know the documents only, linked with one library each, record both ways" {
	local family
	for family in acl svp; do
		run --separate-stderr "$BUILD/tests/$family/documented" "out/$family"
		equal "$status ${output:-}" '0 '
		lacks "${stderr:-}" '[ERROR]'
	done
	equal "$(devices out/acl)" '0 1 '
	equal "$(devices out/svp)" '0 '
}

@test "the recommended order: a result for each session, with its devices and its own calls" {
	local dir
	app 0 acl acl_init init'(out)' 'start(0,1)' 'load(1:first)' 'call(mdl_execute:1)' 'stop(0,1)' \
		'start(1,2)' 'load(2:second)' 'call(mdl_execute:2)' 'call(mdl_execute:2)' 'stop(1,2)' finalize 'unload(1)' 'unload(2)' acl_finalize
	lacks "$output" $' 1'
	equal "$(devices out)" '0 1 1 2 '
	equal "$(stat -c %s out/PROF*/host/data/aging.api_event.data.slice_0 | sort -n | tr '\n' ' ')" '40 80 '
	equal "$(cat out/PROF*/host/data/unaging.additional.hash_dic.slice_0 | cut -d: -f2 | sort | tr '\n' ' ')" 'first second '
	for dir in out/PROF*; do complete_prof "$dir"; done
}

@test "a board's sessions: a JOB for each device of each session, each with its own calls" {
	app 0 svp acl_init init'(out)' 'start(0,1)' 'load(1:first)' 'call(mdl_execute:1)' 'stop(0,1)' \
		'start(1,2)' 'load(2:second)' 'call(mdl_execute:2)' 'call(mdl_execute:2)' 'stop(1,2)' finalize 'unload(1)' 'unload(2)' acl_finalize
	lacks "$output" $' 1'
	equal "$(devices out)" '0 1 1 2 '
	equal "$(cd out && stat -c '%n %s' msprof.JOB*/data/msprof_api.*[0-9] | sed 's/msprof.JOB.*msprof_api.//' | sort | tr '\n' ';')" \
		'0.first.1 128;1.first.1 128;1.second.2 256;2.second.2 256;'
	equal "$(find out -name '*.done' | wc -l)" 4
}

@test "the wrong order: the second start and the second stop are refused, and the first session's data is whole" {
	app 0 svp acl_init init'(out)' 'start(0)' 'start(0)' 'start(0,2)' 'call(mdl_execute)' 'stop(0)' 'stop(0,2)' finalize acl_finalize
	has "$output" $'start(0) 0\nstart(0) 100042\nstart(0,2) 100042\n' $'stop(0) 0\nstop(0,2) 100043\n'
	has "$stderr" 'a session of device 0 is running'
	equal "$(devices out)" '0 '
	import_job
	equal "$(calls)" 1
	expect 0 export timeline -dir out
	[ -f "$(echo out/JOB*/timeline/acl_0.app.0.1.json)" ]
}

@test "only what begins after the start and ends before the stop is recorded" {
	app 0 acl acl_init init'(out)' 'call(before_execute)' slow 'start(0)' 'done(across_execute)' 'call(within_execute)' 'stop(0)' 'call(after_execute)' finalize acl_finalize
	import_job
	equal "$(api_calls 'SELECT name FROM api_call')" within_execute
	expect 0 export timeline -dir out
	equal "$(host_events .name)" AscendCL@within_execute
}

@test "init with another path: results go there; a model loaded before is warned of" {
	app 0 svp acl_init 'load(1:early)' init'(a)' 'start(0)' 'stop(0)' finalize init'(b)' 'start(3)' 'stop(3)' finalize acl_finalize
	equal "$(devices a)$(devices b)" '0 3 '
	has "$stderr" '[WARNING] msprof: svp_acl_prof_init: models were loaded before'
}

@test "start without stop: finalize ends the session with a warning, and its files are complete" {
	app 0 acl acl_init init'(out)' 'start(0)' 'call(mdl_execute)' finalize acl_finalize
	has "$output" 'finalize 0'
	has "$stderr" '[WARNING] msprof: aclprofFinalize: a session still runs: it is stopped'
	complete_prof out/PROF*
	import_job
	lacks "$stderr" incomplete
}

@test "without finalize there is no marker, and import says so" {
	app 0 svp acl_init init'(out)' 'start(0)' 'call(mdl_execute)' 'stop(0)'
	equal "$(find out -name '*.done')" ''
	import_job
	has "$stderr" 'its .done marker is missing'
	equal "$(calls)" 1
}

@test "what was set is told in the job: the last value counts, other rounds have their own" {
	app 0 acl acl_init init'(out)' 'set(1,200MB)' 'set(3,50)' 'set(1,300MB)' 'set(14,Mat"Mul\x)' 'start(0/0x3/1)' 'stop(0/0x3/1)' \
		'set(3,60)' 'start(1/0x1)' 'stop(1/0x1)' finalize init'(again)' 'start(0)' 'stop(0)' finalize acl_finalize
	equal "$(jq -c '[.requested_devices, .data_types, .aic_metrics, .storage_limit, .sys_hardware_mem_freq, .optype]' \
		out/PROF*/host/sample.json | sort)" '["0","0x3","1","300MB","50","Mat\"Mul\\x"]
["1","0x1","255","300MB","60","Mat\"Mul\\x"]'
	equal "$(jq -c '[.storage_limit]' again/PROF*/host/sample.json)" '[null]'
}

@test "a path that is set is the one from then on, whatever the current directory is later" {
	app 0 acl acl_init init'(out)' 'set(16,second/place)' 'start(0)' 'stop(0)' finalize acl_finalize
	equal "$(devices second/place)" '0 '
	equal "$(ls out)" ''
}

@test "any thread's start and stop are for all of them; each call has its thread" {
	app 0 acl acl_init init'(out)' 'start(0)' 'call(a_execute)' thread 'call(b_execute)' 'stop(0)' finalize acl_finalize
	import_job
	equal "$(api_calls 'SELECT count(*), count(DISTINCT tid) FROM api_call')" '2|2'
}

@test "a device that another process records is refused with that process's number, until it is gone" {
	local pid
	"$BUILD/tests/svp/app" acl_init init'(mine)' 'start(0)' 'sleep(30000)' >first &
	pid=$!
	until_true grep -q 'start(0) 0' first
	app 0 acl acl_init init'(out)' 'start(0)' 'start(1)' 'stop(1)' finalize acl_finalize
	has "$output" 'start(0) 100042' 'start(1) 0'
	has "$stderr" "device 0 is being recorded by process $pid"
	kill -9 $pid
	wait $pid || true
	app 0 acl acl_init init'(out2)' 'start(0)' finalize acl_finalize
	has "$output" 'start(0) 0'
}

@test "acl.json with profiling on: no call is needed, and those of the API are refused; edited, it records something else" {
	acl_json '"output": "./out", "acl_api": "on"'
	app 0 svp 'acl_init(acl.json)' 'call(mdl_execute)' init'(other)' 'start(0)' 'stop(0)' finalize acl_finalize
	has "$output" $'init(other) 100042\nstart(0) 100042\nstop(0) 100042\nfinalize 100042\nacl_finalize 0'
	[ ! -e other ]
	import_job
	equal "$(calls)" 1
	discard out/*JOB*
	acl_json '"output": "./out", "acl_api": "off"'
	app 0 svp 'acl_init(acl.json)' 'call(mdl_execute)' acl_finalize
	equal "$(find out -name '*_api.*')" ''
}

@test "marks and ranges come out on the timeline, with their calls within them, and are no API calls" {
	app 0 acl acl_init init'(out)' 'start(0)' stamp 'message(prepare)' push 'call(mdl_execute)' 'sleep(3)' pop 'message(here)' mark \
		'message(across)' range thread end destroy 'stop(0)' finalize acl_finalize
	lacks "$output" ' 100'
	import_job
	expect 0 export timeline -dir out
	equal "$(host_events '[.name, .args.event_type // .args.Mode]' | sort | tr '\n' ' ')" \
		'["AscendCL@mdl_execute","ACL_MODEL"] ["across","start/end"] ["here","marker"] ["prepare","push/pop"] '
	equal "$(api_calls "SELECT count(*) FROM api_call r JOIN api_call c ON c.name = 'mdl_execute' AND r.name = 'prepare' AND r.tid = c.tid AND
		r.start_ns <= c.start_ns AND c.start_ns + c.dur_ns <= r.start_ns + r.dur_ns AND r.dur_ns >= 3000000")" 1
	expect 0 export summary -dir out
	equal "$(cut -d, -f3 out/PROF*/mindstudio_profiler_output/api_statistic*.csv | tr '\n' ' ')" 'API Name mdl_execute '
}

@test "a job of marks alone is exported" {
	app 0 acl acl_init init'(out)' 'start(/0x80)' stamp 'message(here)' mark destroy 'stop(/0x80)' finalize acl_finalize
	expect 0 export timeline -dir out
	equal "$(host_events .name)" here
}

@test "MSPROF_LOG=off: refusals are silent" {
	MSPROF_LOG=off app 0 svp 'start(0)'
	equal "$output $stderr" 'start(0) 100043 '
}
