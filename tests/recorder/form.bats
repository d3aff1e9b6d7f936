#!/usr/bin/env bats
# form.bats: msprof [--OPTION=VALUE]... PROGRAM, the form of Ascend servers: runs a program and records it.

load helpers

STUB=$BUILD/tests/stub
# a sanitizer's runtime wants to be the first library
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0"

# The contents of the only export of that name, in the only result below DIR (out).
exported() {
	cat "${2:-out}"/PROF_*/mindstudio_profiler_output/"$1"_[0-9]*
}

# number FILE FILTER
events() {
	exported msprof | jq "[.[] | select($1)] | length"
}

@test "the command line of ait: one warning for each option that needs the driver, the host part recorded, exported" {
	expect 0 --output="$PWD/out/profiler" --application="$STUB/app --executes 5 --threads 2" --model-execution=on \
		--sys-hardware-mem=on --sys-cpu-profiling=off --sys-profiling=off --sys-pid-profiling=off \
		--dvpp-profiling=on --runtime-api=on --task-time=on --aicpu=on
	equal "$(grep -c 'not available: no NPU driver' <<<"$stderr")" 4
	for option in sys-hardware-mem dvpp-profiling task-time aicpu; do
		has "$stderr" "warning: --$option: not available: no NPU driver"
	done
	has "$output" '[INFO] Start profiling....' 'executed 10 times' '[INFO] Profiling finished.'
	# as ait cuts the name out of a line of output
	line=$(grep -m1 PROF_ <<<"$output")
	name=PROF_${line#*PROF_}
	name=${name:0:46}
	[[ $name =~ ^PROF_[0-9]{6}_[0-9]{17}_[0-9A-Z]{16}$ ]] || fail "no name: $name"
	[ -d "out/profiler/$name/host/data" ] || fail "no host/"
	equal "$(find out/profiler -name 'device_*')" ''
	has "$output" "[INFO] No device data was found in $name"
	has "$(exported api_statistic out/profiler)" 'acl,aclmdlExecute,' ',10,' aclrtMalloc
}

@test "names of results and samples go through a private directory whose name nobody can tell" {
	cat >look <<-END
		#!/bin/sh
		ls -d out/.msprof.* && stat -c %a out/.msprof.* && exec "$STUB/app"
	END
	chmod 755 look
	expect 0 --output=out --host-sys-usage=cpu ./look
	private=$'out/\\.msprof\\.([A-Za-z0-9]{6})\n700'
	[[ $output =~ $private ]] || fail "$output"
	first=${BASH_REMATCH[1]}
	expect 0 --output=out ./look
	[[ $output =~ $private ]] || fail "$output"
	[ "$first" != "${BASH_REMATCH[1]}" ]
	equal "$(find out -mindepth 1 -maxdepth 1 ! -name 'PROF_*')" ''
}

@test "what the program did is in the trace, by thread, no shorter than it was" {
	expect 0 --output=out --runtime-api=on "$STUB/app" --executes 3 --threads 2
	equal "$(events '.ph == "X" and (.name | test("aclmdlExecute"))')" 6
	equal "$(events '.ph == "X" and (.name | test("aclmdlExecute")) and .dur < 3000')" 0
	equal "$(exported msprof | jq '[.[] | select(.ph == "X") | .tid] | unique | length')" 3
}

@test "options choose what is recorded" {
	expect 0 --output=out "$STUB/app"
	has "$(exported api_statistic)" aclrtMemcpy
	discard out/PROF*
	expect 0 --output=out --ascendcl=off --runtime-api=on "$STUB/app"
	has "$(exported api_statistic)" aclrtMemcpy
	lacks "$(exported api_statistic)" aclmdlExecute
	discard out/PROF*
	expect 0 --output=out --ascendcl=off "$STUB/app"
	has "$stderr" 'no inference data: the data holds no record'
	discard out/PROF*
	expect 0 --output out --application "$STUB/app --executes 1"
	has "$(exported api_statistic)" aclmdlExecute
}

@test "a program that initialises nothing and never finalises is recorded too, and called incomplete" {
	expect 0 --output=out "$STUB/app" --no-finalize
	has "$stderr" incomplete
	has "$(exported api_statistic)" aclmdlExecute
}

@test "acl.json of the program does not count where msprof runs it" {
	printf '{"profiler": {"switch": "on", "output": "elsewhere"}}' >acl.json
	mkdir elsewhere
	expect 0 --output=out "$STUB/app" --config acl.json
	equal "$(ls elsewhere)" ''
	equal "$(find out -maxdepth 1 -name 'PROF_*' | wc -l)" 1
}

@test "each process of a program has a result of its own" {
	expect 0 --output=out sh -c "'$STUB/app' --executes 1; '$STUB/app' --executes 2"
	equal "$(find out -maxdepth 1 -name 'PROF_*' | wc -l)" 2
	equal "$(grep -c 'Data is saved in' <<<"$output")" 2
}

@test "the exit status of the program: said, and 5; its data is exported" {
	expect 5 --output=out "$STUB/app" --exit 7
	has "$stderr" 'the program ended with status 7'
	has "$(exported api_statistic)" aclmdlExecute
	discard out/PROF*
	expect 5 --output=out sh -c 'kill -KILL $$'
	has "$stderr" 'killed by signal 9'
}

@test "a program that makes no such call: an error that says so, and nothing left behind" {
	expect 1 --output=out true
	has "$stderr" 'nothing was recorded: the program does not call AscendCL through a shared library'
	equal "$(ls -A out)" ''
}

@test "no program: not there, a directory, not executable" {
	expect 1 --output=out /nonexistent/app
	has "$stderr" "cannot find program '/nonexistent/app': No such file or directory"
	expect 1 --output=out no-such-program-here
	has "$stderr" "cannot find program 'no-such-program-here' in PATH"
	expect 1 --output=out ./out
	has "$stderr" "'./out' is not a program; did you mean 'msprof show -dir ./out'?"
	mkfifo pipe
	expect 1 --output=out ./pipe
	has "$stderr" "'./pipe' is not a program: it is not a regular file"
	printf 'x' >plain
	expect 1 --output=out ./plain
	has "$stderr" "cannot run './plain'"
	expect 1 --output=out --application="'unclosed"
	printf '#!/nonexistent/interpreter\n' >plain
	chmod +x plain
	expect 1 --output=out ./plain
	has "$stderr" "cannot run './plain': No such file or directory"
	equal "$(ls -A out)" ''
}

@test "Ctrl-C: what was recorded until then is exported, 130" {
	# bash lets what it starts in the background ignore SIGINT
	env --default-signal=INT "$MSPROF" --output=out "$STUB/app" --executes 20000 >log 2>&1 3>&- &
	pid=$!
	until_true sh -c 'ls out/PROF_*/host/data/*api_event*'
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	equal "$status" 130
	has "$(exported api_statistic)" aclmdlExecute
}

samples_of_cpu() {
	query "SELECT $1 FROM cpu_sample WHERE cpu = 'all'" "$(echo out/PROF_*/sqlite/msprof.db)"
}

# 150 executions of 3 ms or more: at 20 Hz at least 9 samples
often_enough() {
	expect 0 --output=out --host-sys-usage=cpu,mem --host-sys-usage-freq=20 "$STUB/app" --executes 150 &&
		[ "$(samples_of_cpu 'count(*)')" -ge 9 ]
}

@test "samples of machine and program, at the frequency that was asked for" {
	needs_this_processor # the program is called app
	one_of_five often_enough
	equal "$(samples_of_cpu '(count(*) - 2) * 50000000 <= max(time_ns) - min(time_ns)')" 1 # and no more
	has "$(exported cpu_usage)" 'Cpu Type,User(%)' $'\nall,'
	has "$(exported process_cpu_usage)" ',app,'
	has "$(exported process_mem)" 'Peak Resident(KB)' ',app,'
	has "$(exported sys_mem)" 'Memory Total(KB)'
	export DB
	DB=$(echo out/PROF_*/sqlite/msprof.db)
	equal "$(query 'SELECT count(*) FROM memory_sample WHERE total_kb <= 0 OR available_kb > total_kb')" 0
	equal "$(query 'SELECT min(resident_kb) > 0 FROM process_sample')" 1
	[ "$(events '.ph == "C" and .name == "CPU all"')" -ge 8 ] || fail 'no curve'
}

usage_of() {
	expect 0 --output=out --host-sys-usage=cpu,mem --host-sys-pid="$1" --sys-period=1 &&
		has "$(exported process_cpu_usage)" "$1,sleep,0.0"
}

@test "samples alone, for some seconds, of another program" {
	sleep 300 3>&- &
	other=$!
	one_of_five usage_of "$other"
	kill "$other"
	expect 1 --output=out --host-sys-usage=cpu
	has "$stderr" '--sys-period'
}

sampled_at_work() {
	expect 0 --output=out --sys-pid-profiling=on sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done' &&
		has "$(exported process_mem)" ,sh,
}

@test "a program that only works, with samples, has a result" {
	one_of_five sampled_at_work
}

@test "values are checked before anything runs" {
	while read -r option words; do
		expect 2 --output=out "--$option" "$STUB/app"
		has "$stderr" "${option%%=*}" "$words"
		equal "$(ls -A out)" ''
	done <<-'END'
		aic-freq=101 1 to 100
		aic-freq=0 1 to 100
		aic-freq=5x 1 to 100
		sys-period=2592001 1 to 2592000
		storage-limit=100MB 200 to 4294967295
		storage-limit=300 200 to 4294967295MB
		ascendcl=yes invalid ascendcl 'yes' (on or off)
		host-sys-usage=cpu,gpu (cpu or mem, separated by commas)
		aic-mode=fast (task-based or sample-based)
		task-time= invalid task-time ''
		no-such-option=1 unknown option '--no-such-option'
		outptu=x unknown option '--outptu'; did you mean '--output'?
		pid=0 1 to 2147483647
	END
	expect 2 --output
	has "$stderr" 'needs a value'
	expect 2 --output=out
	has "$stderr" 'nothing to do'
}

@test "of an option that is given again the last value counts; each value is checked" {
	expect 0 --output=gone --aicpu=on --output=out --aicpu=off -- "$STUB/app" --executes 1
	lacks "$stderr" aicpu
	[ ! -e gone ]
	has "$(exported api_statistic)" aclmdlExecute
	expect 2 --output=out --aicpu=maybe --aicpu=off true
	has "$stderr" "invalid aicpu 'maybe'"
}

@test "options of the vendor's launcher for cores, blocks, types and flows are accepted, with what they need" {
	expect 0 --output=out --ai-vector-core=on --aiv-mode=task-based --aiv-metrics=PipeUtilization --aiv-freq=50 --optype=MatMul,Add \
		--sys-lp=on --sys-lp-freq=100 --sys-mem-serviceflow=a,b --task-block=all --task-trace=l1 "$STUB/app"
	equal "$(grep 'NPU driver' <<<"$stderr" | sort)" "$(printf 'msprof: warning: --%s: not available: no NPU driver\n' \
		ai-vector-core sys-lp sys-mem-serviceflow task-block task-trace)"
	has "$(exported api_statistic)" aclmdlExecute
	discard out/PROF*
	expect 0 --output=out --ai-vector-core=off --sys-lp=off --task-block=off --task-trace=off "$STUB/app"
	lacks "$stderr" 'NPU driver'
}

@test "options off that need the driver are no matter" {
	expect 0 --output=out --aicpu=off --l2=off --dvpp-profiling=off "$STUB/app"
	lacks "$stderr" 'NPU driver'
}

@test "--environment and the output of a work path" {
	export ASCEND_WORK_PATH=$PWD/work
	expect 0 --environment='A=1;B=two words' sh -c 'echo "$A-$B"; "$0" --executes 1' "$STUB/app"
	has "$output" '1-two words'
	equal "$(find work/profiling_data -maxdepth 1 -name 'PROF_*' | wc -l)" 1
	expect 1 --output=out --environment='A' true
	has "$stderr" "'A' is not NAME=VALUE"
}

@test "data that is there: --parse, --export, --query" {
	expect 0 --output=out "$STUB/app"
	discard out/PROF_*/sqlite out/PROF_*/mindstudio_profiler_output
	expect 0 --parse=on --output=out
	ls out/PROF_*/sqlite/msprof.db
	expect 0 --export=on --output=out --summary-format=json
	exported api_statistic | jq -e '.[] | select(."API Name" == "aclmdlExecute")'
	ls out/PROF_*/msprof_*.db
	discard out/PROF_*/msprof_*.db out/PROF_*/mindstudio_profiler_output
	expect 0 --export=on --output=out --type=db
	ls out/PROF_*/msprof_*.db
	equal "$(find out -name mindstudio_profiler_output)" ''
	expect 0 --query=on --output=out
	expect 2 --export=on
	has "$stderr" '--output is missing'
}

@test "help options lists the table" {
	expect 0 help options
	for option in application output storage-limit aic-metrics sys-devices summary-format; do
		has "$output" "--$option "
	done
	expect 0 --output=out --help
	has "$output" 'Usage: msprof --OPTION=VALUE... PROGRAM'
}

@test "text writes the database, too, of each PROF directory below --output" {
	for letter in A B; do
		"$BUILD/tests/genprof" --out "out/PROF_000001_20231114221320000_$(printf "$letter%.0s" {1..16})"
	done
	expect 0 --export=on --output=out
	equal "$(find out -name 'msprof_*.db' | wc -l)" 2
	equal "$(find out -name 'op_summary_*' | wc -l)" 2
}

# What an export does last, by calls: names that it renames files to, and ns that it sleeps.
last_calls() {
	cat >calls.c <<-'END'
		#define _GNU_SOURCE
		#include <dlfcn.h>
		#include <stdio.h>
		#include <time.h>
		static FILE *calls;
		__attribute__((constructor)) static void begin(void) { calls = fopen("calls", "w"); setvbuf(calls, NULL, _IOLBF, 512); }
		int renameat(int a, const char *from, int b, const char *to)
		{
			int (*own)(int, const char *, int, const char *) = dlsym(RTLD_NEXT, "renameat");
			fprintf(calls, "%s\n", to);
			return own(a, from, b, to);
		}
		int nanosleep(const struct timespec *t, struct timespec *rest)
		{
			(void)rest;
			fprintf(calls, "%lld\n", t->tv_sec * 1000000000LL + t->tv_nsec);
			return 0;
		}
	END
	gcc -shared -fPIC -o calls.so calls.c -ldl
	LD_PRELOAD=$PWD/calls.so expect 0 "$@"
	tail -2 calls
}

@test "in the tree an export waits behind its last file, so that a reader who looks each 0.1 s sees it before the process ends" {
	needs_plain_library
	PROF=$PWD/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	"$BUILD/tests/genprof" --out "$PROF"
	run last_calls --export=on --type=db --output="$PROF"
	[[ ${lines[-1]} =~ ^msprof_[0-9]+\.db$ ]] || fail "it waits for nobody: $output"
	mkdir -p tools/profiler/bin
	cp "$MSPROF" tools/profiler/bin
	MSPROF=$PWD/tools/profiler/bin/msprof
	for type in db text; do
		run last_calls --export=on --type=$type --output="$PROF"
		[[ ${lines[0]} =~ ^msprof_[0-9]+\.db$ ]] || fail "$output"
		[ "${lines[1]}" -ge 200000000 ] && [ "${lines[1]}" -le 500000000 ]
	done
}

@test "a name of the current directory, as the vendor's tool finds it; data beside the program of --application" {
	mkdir run there elsewhere
	cp "$STUB/app" "$STUB/libascendcl.so" there
	cp "$STUB/app" run/execute_op
	cp "$STUB/libascendcl.so" run
	cd run
	expect 0 --application="execute_op --executes 1" --output=o
	has "$(exported api_statistic o)" aclmdlExecute
	for name in sh python3; do # never of this directory
		printf '#!/bin/cat\nfalse friend\n' >$name
		chmod +x $name
		run "$MSPROF" --output=o --application="$name -c 0"
		lacks "$output" 'false friend'
	done
	cd ../elsewhere
	expect 0 --application="$BATS_TEST_TMPDIR/there/app --executes 1"
	has "$(exported api_statistic ../there)" aclmdlExecute
	equal "$(ls -A)" ''
	expect 0 --application="$(command -v sh) -c '../there/app --executes 1'"
	has "$(exported api_statistic .)" aclmdlExecute
	discard PROF_*
	ASCEND_WORK_PATH=$PWD/work expect 0 --application="../there/app --executes 1"
	has "$(exported api_statistic work/profiling_data)" aclmdlExecute
}

@test "options of older cards warn, and the program runs; 'msprof op' says whose it is" {
	expect 0 --llc-profiling=capacity --output=out "$STUB/app"
	has "$stderr" '--llc-profiling: not available: no NPU driver'
	has "$(exported api_statistic)" aclmdlExecute
	expect 2 op --application=x
	has "$stderr" "'msprof op' profiles single operators" "needs the vendor's tool"
}

@test "results are 0750 and 0640" {
	expect 0 --output=out/new "$STUB/app"
	equal "$(find out/new -type d ! -perm 0750)" ''
	equal "$(find out/new -type f ! -perm 0640)" ''
}

@test "NO_MSPROF_MODE: recorded, with an acl.json, and not parsed; the export does it" {
	for name in NO_MSPROF_MODE AIT_NO_MSPROF_MODE MSIT_NO_MSPROF_MODE; do
		discard out
		run --separate-stderr env "$name=1" "$MSPROF" --output=out "$STUB/app" --executes 2
		equal "$status" 0
		equal "$(jq -cS .profiler out/acl.json)" \
			"{\"aic_metrics\":\"\",\"aicpu\":\"on\",\"output\":\"$PWD/out\",\"switch\":\"on\"}"
		equal "$(find out/PROF_* -name sqlite -o -name mindstudio_profiler_output)" ''
		has "$output" "Data is saved in $PWD/out/PROF_" "$name=1: the data is not exported; 'msprof --export=on --output=$PWD/out' exports it"
	done
	expect 0 --export=on --output="$PWD/out"
	has "$(exported api_statistic)" 'acl,aclmdlExecute,'
	# another value is not a switch
	discard out
	run env NO_MSPROF_MODE=0 "$MSPROF" --output=out "$STUB/app"
	equal "$status" 0
	[ ! -e out/acl.json ]
	has "$(exported api_statistic)" aclmdlExecute
}

# The program takes 2.7 s or more: some of it, and not all
a_part_of_it() {
	expect 0 --output=out --delay=1 --duration=1 --runtime-api=on --sys-pid-profiling=on "$STUB/app" --executes 900 || return
	DB=$(echo out/PROF_*/sqlite/msprof.db)
	n=$(query 'SELECT count(*) FROM api')
	[ "$n" -gt 0 ] && [ "$n" -lt 900 ]
}

@test "--delay and --duration: only what begins in that time, to the nanosecond" {
	one_of_five a_part_of_it
	info=$(cat out/PROF_*/host/info.json out/PROF_*/host/sample.json)
	from=$(grep -oE '"from_ns": ?"[0-9]+"' <<<"$info" | head -1 | tr -dc 0-9)
	until=$(grep -oE '"until_ns": ?"[0-9]+"' <<<"$info" | head -1 | tr -dc 0-9)
	equal "$((until - from))" 1000000000
	equal "$(query "SELECT count(*) FROM process_sample WHERE time_ns NOT BETWEEN $from AND $until")" 0
	equal "$(query "SELECT count(*) FROM api WHERE start_ns < $from OR start_ns >= $until")" 0
}

@test "--analyze: what collective operations moved, else a word" {
	PROF=$PWD/data/PROF_000001_20231114221320000_MADEUPMADEUPMADE
	mkdir data
	"$BUILD/tests/genprof" --out "$PROF"
	expect 0 --analyze=on --output="$PWD/data"
	has "$stderr" "has no data for 'analyze'"
	equal "$(ls "$PROF/analyze")" ''
	# each fifth call of a node is one of the level of communication, in a node that is as long as the recording
	python3 - "$PROF"/host/data/unaging.api_event.data.slice_0 <<-'END'
		import struct, sys
		data = bytearray(open(sys.argv[1], "rb").read())
		first = struct.unpack_from("<HHIIIQQQ", data)
		last = struct.unpack_from("<HHIIIQQQ", data, len(data) - 40)
		for at in range(0, len(data), 40):
		    level = struct.unpack_from("<H", data, at + 2)
		    if level[0] == 10000: struct.pack_into("<H", data, at + 2, 5500)
		threads = {struct.unpack_from("<I", data, at + 8)[0] for at in range(0, len(data), 40)}
		for thread in sorted(threads):
		    data += struct.pack("<HHIIIQQQ", 0x5a5a, 10000, first[2], thread, 0, first[5] - 10, last[6] + 1000, 8000000000000000051)
		open(sys.argv[1], "wb").write(data)
		types = sys.argv[1].replace("api_event.data", "additional.type_info_dic")
		open(types, "a").write("".join(f"5500_{n}:master\n" for n in range(100)))
	END
	expect 0 --analyze=on --output="$PWD/data"
	equal "$(ls "$PROF/analyze")" $'communication.json\ncommunication_analyzer.db\ncommunication_matrix.json'
	discard "$PROF/analyze"
	expect 0 --analyze=on --rule=communication --output="$PWD/data"
	equal "$(ls "$PROF/analyze")" $'communication.json\ncommunication_analyzer.db'
	has "$(jq -r 'keys | .[1]' "$PROF/analyze/communication.json")" 'layer50:Op0_N/A_0_1@N/A'
}

@test "what is refused says why" {
	while read -r option words; do
		expect 2 --output=out "--$option" "$STUB/app"
		has "$stderr" "--${option%%=*} $words"
	done <<-'END'
		sys-devices=all cannot be done here: no NPU driver
	END
	equal "$(ls -A out)" ''
}

@test "a program is started after an option, after --, or with a slash in its name; another word never" {
	cp "$STUB/app" "$STUB/libascendcl.so" .
	here=$PWD n=0
	for words in "--output=. app" "-- app" ../app; do
		mkdir "$here/run$((++n))"
		cd "$here/run$n"
		# shellcheck disable=SC2086 # words on purpose
		PATH=$here:$PATH expect 0 $words --executes 1
		has "$(exported api_statistic .)" aclmdlExecute
	done
	cd "$here"
	for word in comm stat ls date; do
		printf '#!/bin/sh\ntouch "%s/started"\n' "$PWD" >$word
		chmod +x $word
		PATH=$PWD:$PATH expect 2 $word A B
		has "$stderr" "unknown command '$word'; 'msprof help' lists all commands"
	done
	equal "$(ls -d started PROF_* 2>/dev/null)" ''
	PATH=$PWD:$PATH expect 1 -- date
	[ -e started ]
}

@test "what a program writes among the names of results is no path and reaches no terminal" {
	expect 1 --output=out sh -c '
		results=$(printf %s "$PROFILER_SAMPLECONFIG" | sed "s/.*\"results\":\"\([^\"]*\).*/\1/")
		printf "PROF_\033[31m\nPROF_a/../../x\n../x\n" >"$results"'
	lacks "$output$stderr" $'\033' 'x'$'\n' 'Data is saved'
	equal "$(ls -A out)" ''
}
