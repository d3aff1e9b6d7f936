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
	cat "$@" | tr '\n\t' '  ' | grep -oE '\b(acl(Init|Finalize|prof[A-Z][A-Za-z]*)|svp_acl_[a-z_]+)\( *[a-z]' | sed 's/(.*//' |
		sort -u
}

exported() {
	nm -D --defined-only "$1" | awk '$2 ~ /[TDBRW]/ { print $3 }' | grep -v '^__asan\|^__odr_asan' | sort
}

devices() {
	local info
	for info in "$1"/JOB*/info.json.*; do
		jq .device "$info"
	done | sort -n | tr '\n' ' '
}

INCLUDE=$ROOT/lib/recorder/include

@test "each library exports the names of its headers and no others; the recorder's all begin with msprof_" {
	equal "$(exported "$BUILD/libmsprof_aclprof.so")" "$(names "$INCLUDE/acl/acl.h" "$INCLUDE/acl/acl_prof.h")"
	equal "$(exported "$BUILD/libmsprof_svp.so")" "$(names "$INCLUDE/acl/svp_acl_prof.h")"
	equal "$(exported "$BUILD/libmsprof_svp.so" | grep -c '^svp_acl_prof_')" 20
	equal "$(exported "$BUILD/libmsprof_recorder.so" | grep -cv '^msprof_')" 0
}

@test "the headers compile alone and together, as C99 and as C++, without a warning" {
	local header
	for header in acl/acl_base.h acl/acl.h acl/acl_prof.h acl/svp_acl_prof.h msprof_recorder.h; do
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

@test "the recommended order: a result for each device of each session, each with its own calls" {
	app 0 acl acl_init init'(out)' 'start(0,1)' 'load(1:first)' 'call(mdl_execute:1)' 'stop(0,1)' \
		'start(1,2)' 'load(2:second)' 'call(mdl_execute:2)' 'call(mdl_execute:2)' 'stop(1,2)' finalize 'unload(1)' 'unload(2)' acl_finalize
	lacks "$output" $' 1'
	equal "$(devices out)" '0 1 1 2 '
	equal "$(cd out && stat -c '%n %s' JOB*/data/acl_api.*[0-9] | sed 's/JOB.*acl_api.//' | sort | tr '\n' ';')" \
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
	equal "$(query 'SELECT name FROM api_call')" within_execute
	expect 0 export timeline -dir out
	equal "$(jq -r '.traceEvents[] | select(.ph == "X") | .name' out/JOB*/timeline/*.json)" within_execute
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
	equal "$(find out -name '*.done' | wc -l)" 1
	import_job
	lacks "$stderr" incomplete
}

@test "without finalize there is no marker, and import says so" {
	app 0 svp acl_init init'(out)' 'start(0)' 'call(mdl_execute)' 'stop(0)'
	equal "$(find out -name '*.done')" ''
	import_job
	has "$stderr" 'incomplete collection'
	equal "$(calls)" 1
}

@test "what was set is told in the job: the last value counts, other rounds have their own" {
	app 0 acl acl_init init'(out)' 'set(1,200MB)' 'set(3,50)' 'set(1,300MB)' 'set(14,Mat"Mul\x)' 'start(0/0x3/1)' 'stop(0/0x3/1)' \
		'set(3,60)' 'start(1/0x1)' 'stop(1/0x1)' finalize init'(again)' 'start(0)' 'stop(0)' finalize acl_finalize
	equal "$(jq -c '[.data_types, .aic_metrics, .storage_limit, .sys_hardware_mem_freq, .optype]' out/JOB*/info.json.0)" \
		'["0x3","1","300MB","50","Mat\"Mul\\x"]'
	equal "$(jq -c '[.data_types, .aic_metrics, .storage_limit, .sys_hardware_mem_freq]' out/JOB*/info.json.1)" '["0x1","255","300MB","60"]'
	equal "$(jq -c '[.storage_limit]' again/JOB*/info.json.0)" '[null]'
}

@test "a path that is set is the one from then on, whatever the current directory is later" {
	app 0 acl acl_init init'(out)' 'set(16,second/place)' 'start(0)' 'stop(0)' finalize acl_finalize
	equal "$(devices second/place)" '0 '
	equal "$(find out -name 'JOB*')" ''
}

@test "any thread's start and stop are for all of them; each call has its thread" {
	app 0 acl acl_init init'(out)' 'start(0)' 'call(a_execute)' thread 'call(b_execute)' 'stop(0)' finalize acl_finalize
	import_job
	equal "$(query 'SELECT count(*), count(DISTINCT tid) FROM api_call')" '2|2'
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
	discard out/JOB*
	acl_json '"output": "./out", "acl_api": "off"'
	app 0 svp 'acl_init(acl.json)' 'call(mdl_execute)' acl_finalize
	equal "$(find out -name 'acl_api.*')" ''
}

@test "marks and ranges come out on the timeline, with their calls within them, and are no API calls" {
	app 0 acl acl_init init'(out)' 'start(0)' stamp 'message(prepare)' push 'call(mdl_execute)' 'sleep(3)' pop 'message(here)' mark \
		'message(across)' range thread end destroy 'stop(0)' finalize acl_finalize
	lacks "$output" ' 100'
	import_job
	expect 0 export timeline -dir out
	equal "$(jq -c '[.traceEvents[] | select(.ph == "X") | [.name, .args.Mode]] | sort' out/JOB*/timeline/acl_*.json)" \
		'[["across","msproftx"],["here","msproftx"],["mdl_execute","model"],["prepare","msproftx"]]'
	jq -e '[.traceEvents[] | select(.ph == "X")] | (.[] | select(.name == "prepare")) as $r | (.[] | select(.name == "mdl_execute")) as $c |
		$r.ts <= $c.ts and $c.ts + $c.dur <= $r.ts + $r.dur and $r.dur >= 3000 and $r.tid == $c.tid' out/JOB*/timeline/acl_*.json
	expect 0 export summary -dir out
	equal "$(cut -d, -f4 out/JOB*/summary/acl_statistic*.csv | tr '\n' ' ')" 'Name mdl_execute '
}

@test "a job of marks alone is exported" {
	app 0 acl acl_init init'(out)' 'start(/0x80)' stamp 'message(here)' mark destroy 'stop(/0x80)' finalize acl_finalize
	expect 0 export timeline -dir out
	equal "$(jq -r '.traceEvents[] | select(.ph == "X") | .name' out/JOB*/timeline/*.json)" here
}

@test "MSPROF_LOG=off: refusals are silent" {
	MSPROF_LOG=off app 0 svp 'start(0)'
	equal "$output $stderr" 'start(0) 100043 '
}
