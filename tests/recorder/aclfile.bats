#!/usr/bin/env bats
# aclfile.bats: acl.json as settings of the recorder.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

jobs() {
	find "${1:-out}" -maxdepth 1 -name 'JOB*' -o -maxdepth 1 -name 'PROF_*' | wc -l
}

@test "nothing is recorded where the switch is not on, no file is named, or the profiler is missing" {
	local text
	for text in '{"profiler": {"switch": "off", "output": "./out"}}' '{"profiler": {"switch": "ON", "output": "./out"}}' \
		'{"profiler": {"switch": "1", "output": "./out"}}' '{"profiler": {"output": "./out"}}' '{}'; do
		echo "$text" >acl.json
		record 0 init=acl.json calls=3 finalize
		has "$output" 'init 0' 'finalize 0'
		equal "$(jobs)" 0
	done
	record 0 init= calls=3 finalize
	has "$output" 'init 0' 'finalize 0'
	equal "$(jobs)" 0
}

@test "the guide's example is accepted, and so are the names that boards read, and both" {
	local guide='"aacpu": "on", "aac_metrics": "ArithmeticUtilization"' board='"aicpu": "on", "aic_metrics": "ArithmeticUtilization"'
	for names in "$guide" "$board" "$guide, $board"; do
		discard out/*JOB*
		echo '{"profiler": {"output": "./out", '"$names"', "interval": "0", "acl_api": "on", "switch": "on"}}' >acl.json
		record 0 init=acl.json calls=3 finalize
		equal "${stderr:-}" ''
		import_job
		equal "$(calls)" 3
		equal "$(cat "$JOB"/info.json.0 "${JOB/JOB/msprof.JOB}"/data/recorder.json.0 2>/dev/null | jq -r '.. | objects | select(.aicpu) | .aicpu, .aic_metrics' | xargs)" \
			'on ArithmeticUtilization'
	done
	expect 0 acljson --check acl.json
}

@test "output: absolute, relative; where it is missing or not usable, beside the program, with a warning" {
	needs_this_processor # what is beside the program
	mkdir bin && cp "$BUILD/tests/record-static" bin/record
	export RECORD=bin/record
	acl_json '"output": "/bin/sh"'
	record 0 init=acl.json calls=3 finalize
	has "$output" 'init 0'
	has "$stderr" "'/bin/sh' cannot be used: Not a directory" "/bin', beside the program"
	discard bin/*JOB*
	acl_json '"output": "/nowhere/at_all"'
	record 0 init=acl.json calls=3 finalize
	has "$stderr" "'/nowhere/at_all' cannot be used: No such file" "/bin', beside the program"
	import_job bin
	equal "$(calls)" 3
	discard bin/*JOB*
	echo '{"profiler": {"switch": "on"}}' >acl.json
	record 0 init=acl.json calls=3 finalize
	equal "$(jobs bin)" 1
	equal "${stderr:-}" ''
	mkdir -p plain/deep
	acl_json '"output": "plain/deep"'
	record 0 init=acl.json calls=3 finalize
	equal "$(jobs plain/deep)" 1
	plain_dir out
	acl_json "\"output\": \"$PLAIN_DIR\""
	record 0 init=acl.json calls=3 finalize
	equal "$(jobs "$PLAIN_DIR")" 1
}

@test "a directory that may not be written to: beside the program" {
	needs_this_processor # what is beside the program
	needs_ordinary
	mkdir bin && cp "$BUILD/tests/record-static" bin/record
	chmod 0500 out
	run --separate-stderr ordinary bin/record init=acl.json calls=3 finalize
	chmod 0700 out
	has "$stderr" "'./out' cannot be used: Permission denied"
	equal "$(jobs out)" 0
	equal "$(jobs bin)" 1
}

@test "acl_api off: no calls; operators, marks and ranges are recorded all the same" {
	acl_json '"output": "./out", "acl_api": "off"'
	record 0 init=acl.json calls=3 mark=x op=a:b:1 finalize
	import_job
	equal "$(query 'SELECT group_concat(type) FROM (SELECT type FROM api_call ORDER BY type)')" 1,5
}

@test "a bad value of a board's file is a warning and switches a feature off; of Ascend's it is an error" {
	acl_json '"output": "./out", "aac_metrics": "Memory", "aacpu": "yes"'
	record 0 init=acl.json calls=3 finalize
	has "$stderr" '[WARNING]' aac_metrics aacpu
	lacks "$stderr" '[ERROR]'
	equal "$(jobs)" 1
	equal "$(jq -c '[.aic_metrics, .interval, .aicpu, .acl_api]' out/msprof.JOB*/data/recorder.json.0)" '[null,"0","off","on"]'
	discard out/*JOB*
	acl_json '"output": "./out", "interval": "10000"' # which leaves profiling off
	record 0 init=acl.json calls=3 finalize
	has "$output" 'init 0'
	has "$stderr" '[WARNING]' "profiler.interval '10000'" 'profiling stays off'
	equal "$(jobs)" 0
	acl_json '"output": "./out", "interval": 5' # at which the libraries of boards fail
	record 0 init=acl.json calls=3 finalize
	has "$output" 'init 100000'
	has "$stderr" '[ERROR]' "profiler.interval '5': not a text in quotes: svp_acl_init fails"
	equal "$(jobs)" 0
	acl_json '"output": "./out", "aic_metrics": "Nothing"'
	record 0 ascend=acl.json calls=3 finalize
	has "$output" 'init 100000'
	has "$stderr" '[ERROR]' aic_metrics
	equal "$(jobs)" 0
}

@test "ascend: ascendcl and runtime_api choose the calls" {
	acl_json '"output": "./out", "ascendcl": "off"'
	record 0 ascend=acl.json load=1:m calls=3:1 execute=2:1 finalize
	import_job
	equal "$(calls type=3)/$(calls type=2)" 3/0
	discard out/PROF*
	acl_json '"output": "./out", "runtime_api": "off"' # the calls of the runtime are calls of AscendCL
	record 0 ascend=acl.json load=1:m calls=3:1 execute=2:1 finalize
	import_job
	equal "$(calls type=3)/$(calls type=2)" 3/2
	discard out/PROF*
	acl_json '"output": "./out", "ascendcl": "off", "runtime_api": "off"'
	record 0 ascend=acl.json load=1:m calls=3:1 execute=2:1 finalize
	import_job
	equal "$(calls type=3)/$(calls type=2)" 0/0
}

@test "ascend: a missing output is made; the result is complete and the first entry there" {
	acl_json '"output": "./new/results"'
	record 0 ascend=acl.json load=1:m calls=3:1 finalize
	equal "$stderr" ''
	[[ $(ls -A new/results) =~ ^PROF_000001_[0-9]{17}_[A-R]{16}$ ]]
	complete_prof new/results/PROF*
	import_job new/results
	equal "$(calls)" 3
}

@test "without an output ASCEND_WORK_PATH says where, for boards too; an output comes first" {
	needs_this_processor # what is beside the program
	export ASCEND_WORK_PATH=$PWD/work
	echo '{"profiler": {"switch": "on"}}' >acl.json
	record 0 ascend=acl.json calls=3 finalize
	record 0 init=acl.json calls=3 finalize
	equal "$(find work/profiling_data -mindepth 1 -maxdepth 1 -printf '%.3f ' | tr ' ' '\n' | sort | tr -d '\n')" JOBPROmsp
	acl_json '"output": "./out"'
	record 0 ascend=acl.json calls=3 finalize
	equal "$(jobs out)$(jobs work/profiling_data)" 12
	mkdir bin && cp "$BUILD/tests/record-static" bin/record
	echo '{"profiler": {"switch": "on"}}' >acl.json
	ASCEND_WORK_PATH=/bin/sh RECORD=bin/record record 0 ascend=acl.json calls=3 finalize
	has "$stderr" "'/bin/sh/profiling_data' cannot be used" 'beside the program'
	equal "$(jobs bin)" 1
}

@test "profiler and dump in one file, a file that is no JSON, or is not there" {
	echo '{"profiler": {"switch": "on", "output": "./out"}, "dump": {"dump_path": ".", "dump_list": []}}' >acl.json
	record 0 init=acl.json calls=3 finalize
	has "$output" 'init 100000'
	has "$stderr" dump profiler
	echo '{' >acl.json
	record 0 init=acl.json calls=3 finalize
	has "$output" 'init 100003'
	record 0 init=gone.json calls=3 finalize init= finalize finalize
	equal "$(echo "$output" | tr '\n' ' ')" 'init 100003 finalize 100001 init 0 finalize 0 finalize 100037 '
	equal "$(jobs)" 0
}

@test "once a process" {
	record 0 init=acl.json init=acl.json finalize init=acl.json
	equal "$(echo "$output" | tr '\n' ' ')" 'init 0 init 100002 finalize 0 init 100002 '
}

@test "MSPROF_LOG silences it" {
	umask 0
	MSPROF_LOG=error record 0 init=acl.json finalize
	equal "${stderr:-}" ''
	MSPROF_LOG=off record 0 init=gone.json
	equal "${stderr:-}" ''
}
