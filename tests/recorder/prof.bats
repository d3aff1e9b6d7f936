#!/usr/bin/env bats
# prof.bats: PROF directories for 'msprof PROGRAM', and storage limits.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

# prof MEMBERS: the settings of 'msprof PROGRAM'
prof() {
	export PROFILER_SAMPLECONFIG='{"switch": "on", "output": "'$PWD'/out", "results": "'$PWD'/results", "ascendcl": "on", "runtime_api": "on", "msproftx": "on", "storage_limit_mb": '"${1:-0}"'}'
}

import_prof() {
	JOB=$(echo out/PROF_*)
	export DB=$JOB/sqlite/msprof.db
	expect 0 import -dir "$JOB"
}

@test "calls, operators, marks and ranges come out of import, with their names; the directory is called as scripts expect" {
	prof
	record 0 init= load=3:resnet50 calls=5 execute=4:3 op=conv1:Convolution:3 mark=here range=20:stretch finalize
	[[ $(echo out/PROF*) =~ ^out/PROF_000001_[0-9]{17}_[A-R]{16}$ ]]
	equal "$(cd out/PROF* && find . -mindepth 1 -printf '%P %m\n' | sort | tr '\n' ' ')" "$(echo 'host 750
		host/data 750
		host/data/aging.additional.msproftx.slice_0 640
		host/data/aging.additional.msproftx.slice_0.done 640
		host/data/aging.api_event.data.slice_0 640
		host/data/aging.api_event.data.slice_0.done 640
		host/data/msprof.operator.slice_0 640
		host/data/msprof.operator.slice_0.done 640
		host/data/msprof.thread.slice_0 640
		host/data/msprof.thread.slice_0.done 640
		host/data/unaging.additional.hash_dic.slice_0 640
		host/data/unaging.additional.hash_dic.slice_0.done 640
		host/data/unaging.additional.type_info_dic.slice_0 640
		host/data/unaging.additional.type_info_dic.slice_0.done 640
		host/end_info 640 host/host_start.log 640 host/info.json 640 host/sample.json 640 host/start_info 640' | tr -s '\n\t ' ' ')"
	import_prof
	equal "$(query "SELECT level, type >> 16, t.name, count(*) FROM api JOIN type_info_dic t USING (level, type) GROUP BY 2, 3 ORDER BY 2, 3" | tr '\n' ' ')" \
		'20000|1|conv1|1 20000|2|svp_acl_mdl_execute|4 20000|3|svp_acl_rt_malloc|5 '
	equal "$(query "SELECT DISTINCT h.name FROM api JOIN hash_dic h ON h.hash = item_id")" resnet50
	equal "$(query 'SELECT event_type, message, dur_ns >= 20000000 FROM msproftx ORDER BY 1' | tr '\n' ' ')" '0|here|0 1|stretch|1 '
	equal "$(query 'SELECT count(*) FROM damage')" 0
}

@test "the control files are one line of JSON each, and their times agree" {
	local host
	prof
	record 0 init= calls=5 sleep=50 finalize
	host=$(echo out/PROF*/host)
	equal "$(wc -l <"$host/info.json")$(wc -l <"$host/start_info")$(wc -l <"$host/sample.json")" 111
	equal "$(jq -c '[.collector, .version, .DeviceInfo, .lost, .CPU[0].Frequency, .platform_version, .netCard, .memoryTotal > 0]' "$host/info.json")" \
		'["host","1.0",[],0,"1000","5",[],true]'
	equal "$(jq -c '[.switch, .devices, .llc_profiling, .ai_core_profiling_mode]' "$host/sample.json")" '["on","64","",""]'
	equal "$(jq -r .clockMonotonicRaw "$host/start_info")" "$(sed -n 's/^clock_monotonic_raw: //p' "$host/host_start.log")"
	[ $(($(jq -r .collectionTimeEnd "$host/end_info") - $(jq -r .collectionTimeBegin "$host/start_info"))) -ge 50000 ]
	equal "$(jq -r .collectionTimeBegin "$host/start_info")" "$(jq -r .collectionTimeBegin "$host/end_info")"
}

@test "slices: of at most 2 MiB and whole records, none is lost; each has its marker" {
	local slice
	prof
	record 0 init= threads=3:60000 finalize
	for slice in out/PROF*/host/data/aging.api_event.data.slice_?; do
		[ "$(stat -c %s "$slice")" -le $((2 * 1024 * 1024)) ]
		equal $(($(stat -c %s "$slice") % 40)) 0
		equal "$(head -n 1 "$slice.done")" "filesize:$(stat -c %s "$slice")"
		grep -q '^starttime:[0-9]*$' "$slice.done"
		grep -q '^endtime  :[0-9]*$' "$slice.done"
	done
	import_prof
	equal $(($(query 'SELECT count(*) FROM api') + $(jq .lost out/PROF*/host/info.json))) 180000
}

@test "a process that is killed leaves no end_info; whole slices and the rest are read" {
	prof
	# the first slice, and the rest as it was made
	record 137 init= calls=50000 written="2000000:out/PROF*/host/data/*api_event.data.slice_?" calls=20000 \
		written="2800000:out/PROF*/host/data/*api_event.data.slice_?" kill=9
	[ ! -e "$(echo out/PROF*/host/end_info)" ]
	[ -e "$(echo out/PROF*/host/data/aging.api_event.data.slice_0.done)" ]
	[ ! -e "$(echo out/PROF*/host/data/aging.api_event.data.slice_1.done)" ]
	import_prof
	equal $(($(query 'SELECT count(*) FROM api') + $(jq .lost out/PROF*/host/info.json))) 70000
}

@test "storage_limit: the oldest slices go, the dictionaries stay" {
	prof 60 # half of it, less 20 MB: 10 MB
	record 0 init= rate=100:5000 finalize
	equal "$(find out -name '*api_event.data.slice_0*')" ''
	[ "$(du -sm out | cut -f1)" -le 13 ]
	import_prof
	[ "$(query 'SELECT count(*) FROM api')" -ge 200000 ]
	equal "$(query 'SELECT DISTINCT t.name FROM api LEFT JOIN type_info_dic t USING (level, type)')" svp_acl_rt_malloc
}

@test "numbers that msprof_name never gave are shown as '?', as in a JOB" {
	prof
	record 0 init= calls=2 named=4294967295 named=65535 named=600000000 finalize
	import_prof
	equal "$(query "SELECT t.name, count(*) FROM api JOIN type_info_dic t USING (level, type) GROUP BY 1" | tr '\n' ' ')" '?|3 svp_acl_rt_malloc|2 '
	unset PROFILER_SAMPLECONFIG
	record 0 init=acl.json named=4294967295 finalize
	discard "$JOB"
	import_job
	equal "$(query 'SELECT name FROM api_call')" '?'
}

@test "a name of several lines is one line of the dictionary" {
	prof
	record 0 init= load=3:"$(printf 'one\n20000_131073:two')" calls=2:3 execute=1:3 finalize
	import_prof
	equal "$(query 'SELECT count(*) FROM damage')" 0
	equal "$(query 'SELECT name FROM hash_dic')" 'one\x0a20000_131073:two'
}

# sampled: the tables of samples that the results below out/ have, and the samples that are there for certain
sampled() {
	expect 0 export summary -q -dir out
	(cd out/PROF_*/mindstudio_profiler_output && for file in *usage_*.csv *mem_*.csv; do
		[ ! -f "$file" ] || echo "${file%_*}:$(head -1 "$file")"
	done) | sort -u >"$1" # an export of a later second has files of its own
	[ -z "$(find out -name 'msprof.[cmp]*slice_0' -empty)" ]
}

@test "the settings of samples of the host, by the API and by acl.json, record what msprof's options do" {
	local usage
	needs_plain_library
	cat >app.c <<-'END'
		#include <acl/acl.h>
		#include <acl/acl_prof.h>
		#include <string.h>
		#include <unistd.h>
		#define SET(type, text) (*(text) ? aclprofSetConfig(type, text, strlen(text)) : 0)
		int main(int argc, char **argv)
		{
			int bad = aclInit(argc > 2 ? NULL : argc > 1 ? argv[1] : NULL);
			uint32_t device = 0;
			aclprofConfig *config;
			if (argc < 3)
				return usleep(100000) | bad | aclFinalize();
			config = aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, NULL, ACL_PROF_ACL_API);
			bad |= aclprofInit(argv[3], strlen(argv[3])) | SET(ACL_PROF_HOST_SYS_USAGE, argv[1]) | SET(ACL_PROF_HOST_SYS, argv[2]) |
				aclprofSetConfig(ACL_PROF_HOST_SYS_USAGE_FREQ, "20", 2) | aclprofStart(config);
			usleep(100000);
			return bad | aclprofStop(config) | aclprofDestroyConfig(config) | aclprofFinalize() | aclFinalize();
		}
	END
	gcc -I"$ROOT/lib/recorder/include" -o app app.c -L"$BUILD" -Wl,-rpath,"$BUILD" -Wl,-rpath-link,"$BUILD" -lmsprof_aclprof
	for usage in cpu mem cpu,mem; do
		discard out/*
		expect 0 --output=out --host-sys-usage=$usage sleep 0.1
		sampled options
		[ "$(wc -l <options)" -ge 2 ]
		discard out/*
		./app $usage '' out
		sampled api
		equal "$(cat api)" "$(cat options)"
		# the process that records, and only that
		equal "$(cut -d ' ' -f 8 out/PROF_*/host/data/msprof.process.slice_0 | sort -u)" app
		discard out/*
		acl_json '"output": "./out", "host_sys_usage": "'$usage'", "host_sys_usage_freq": 20'
		./app acl.json
		sampled file
		equal "$(cat file)" "$(cat options)"
	done
	complete_prof out/PROF_*
	discard out/*
	./app '' cpu out
	equal "$(cd out/PROF_*/host/data && echo msprof.[cmp]*slice_0)" msprof.process.slice_0
	# what is not sampled is told
	run -0 --separate-stderr ./app '' cpu,disk out
	has "$stderr" "host_sys 'cpu,disk': samples are of cpu and mem alone"
	run -0 --separate-stderr ./app cpu,mem mem,cpu out
	equal "$stderr" ''
	expect 0 --output=out --host-sys=cpu,osrt,disk true
	has "$stderr" '--host-sys=disk: not available: samples are of processors and memory'
	has "$stderr" '--host-sys=osrt: not available'
	lacks "$stderr" 'host-sys=network'
}
