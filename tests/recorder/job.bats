#!/usr/bin/env bats
# job.bats: msprof reads exactly the data that an application records.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

@test "calls, executions, operators, marks and ranges come out of import, each with its time and thread" {
	local began=${EPOCHREALTIME/./} us
	record 0 init=acl.json load=3:resnet50 calls=5 calls=5:3 execute=4:3 op=conv1:Convolution:3 mark=here range=20:stretch finalize
	us=$((${EPOCHREALTIME/./} - began))
	has "$output" 'init 0' 'load 0' 'op 0' 'finalize 0'
	import_job
	equal "$(query 'SELECT type, name, count(*) FROM api_call GROUP BY 1, 2 ORDER BY 1, 2' | tr '\n' ' ')" \
		'1|conv1|1 2|svp_acl_mdl_execute|4 3|svp_acl_rt_malloc|10 5|here|1 5|stretch|1 '
	equal "$(calls 'pid <> tid OR pid IS NULL')" 0
	equal "$(calls "name = 'stretch' AND dur_ns BETWEEN 20000000 AND ${us}000")" 1
	equal "$(calls "name = 'here' AND dur_ns = 0")" 1
	equal "$(calls 'start_ns <= 0 OR dur_ns < 0')" 0
	expect 0 show -q -dir out --format json --table 'marks and ranges'
	equal "$(jq -c '.tables[0].rows | map([.Type, .Domain, .Message, .Count, (.["Total Time(us)"] == null)])' <<<"$output")" \
		'[["range",null,"stretch",1,false],["mark",null,"here",1,true]]'
	equal "$(jq '.tables[0].rows[0]["Max(us)"] * 1000 | round' <<<"$output")" "$(query "SELECT dur_ns FROM api_call WHERE name = 'stretch'")"
}

@test "a job has the names, modes and markers of a board's, and says that it is host-only" {
	umask 0
	record 0 init=acl.json load=3:resnet50 calls=1:3 finalize
	equal "$stderr" ''
	[[ $(echo out/JOB*) =~ ^out/JOB[A-Z]{29}$ ]]
	equal "$(find out -mindepth 1 -printf '%P %m\n' | sed 's/JOB[A-Z]*/JOB/' | sort | tr '\n' ' ')" \
		'JOB 750 JOB/data 750 JOB/info.json.0 640 msprof.JOB 750 msprof.JOB/data 750 msprof.JOB/data/msprof_api.0.resnet50.3 640 msprof.JOB/data/msprof_api.0.resnet50.3.done 640 msprof.JOB/data/recorder.json.0 640 '
	equal "$(cat out/msprof.JOB*/data/*.done)" filesize:128
	equal "$(cat out/JOB*/info.json.0)" '{"DeviceInfo": [{"aic_frequency": "0"}]}'
	equal "$(jq -c '[.device, .collector, .soc, .lost, .aged, .switch, .interval]' out/msprof.JOB*/data/recorder.json.0)" '[0,"host","ss928",0,0,"on","0"]'
	expect 0 show -dir out
	has "$output" 'host-only job'
}

@test "a record of all that is recorded, to the byte; its times are those since 1970, in ns" {
	local before=${EPOCHREALTIME/./}
	record 0 init=acl.json load=3:resnet50 execute=1:3 finalize
	python3 - out/msprof.JOB*/data/msprof_api.0.resnet50.3 "$before" "${EPOCHREALTIME/./}" <<-'END'
		import struct, sys
		data = open(sys.argv[1], 'rb').read()
		magic, tag, kind, begin, end, pid, tid, name, zero = struct.unpack('<HHIQQII64s32s', data)
		assert (magic, tag, kind, pid) == (0x5A5A, 0, 2, tid)
		assert int(sys.argv[2]) * 1000 <= begin <= end <= int(sys.argv[3]) * 1000 + 999
		assert name == b'svp_acl_mdl_execute'.ljust(64, b'\0') and zero == bytes(32)
	END
}

@test "calls of no model are the first model's, also those before it; another model has a file of its own" {
	record 0 init=acl.json calls=7 load=3:resnet50 sleep=600 calls=5:3 load=4:dir/yolo.v5 calls=2:4 calls=1 unload=3 calls=1:3 finalize
	equal "$(cd out/msprof.JOB*/data && echo msprof_api.*[0-9])" 'msprof_api.0.dir_yolo_v5.4 msprof_api.0.resnet50.3'
	equal "$(stat -c %s out/msprof.JOB*/data/*3)" $((14 * 128))
	equal "$(stat -c %s out/msprof.JOB*/data/*4)" $((2 * 128))
}

@test "without a model the program gives the name" {
	record 0 init=acl.json calls=7 finalize
	[ -f "$(echo out/msprof.JOB*/data/msprof_api.0.record.0)" ]
	import_job
	equal "$(calls)" 7
}

@test "a model that is loaded again under another name has another file" {
	record 0 init=acl.json load=1:first calls=3:1 unload=1 load=1:second calls=4:1 unload=1 unload=1 finalize
	has "$output" 'unload 100000'
	equal "$(stat -c %s out/msprof.JOB*/data/msprof_api.0.first.1)" $((3 * 128))
	equal "$(stat -c %s out/msprof.JOB*/data/msprof_api.0.second.1)" $((4 * 128))
}

@test "models whose names make the same file name share it" {
	record 0 init=acl.json load=1:a/b calls=2:1 load=1:a_b calls=3:1 load=1:a/b calls=4:1 load=1:a.b calls=1:1 load=1:'a b' calls=1:1 finalize
	equal "$(cd out/msprof.JOB*/data && echo *)" 'msprof_api.0.a_b.1 msprof_api.0.a_b.1.done recorder.json.0'
	import_job
	equal "$(calls)" 11
	equal "$(jq .lost out/msprof.JOB*/data/recorder.json.0)" 0
}

@test "more names than there is room for: one warning, and the calls are there" {
	record 0 names=70000 init=acl.json calls=2 finalize
	equal "$stderr" "[WARNING] msprof: too many names: further names are shown as '?'"
	import_job
	equal "$(calls "name = '?'")" 2
}

@test "threads: every call of each, under its own id; ended threads lose nothing" {
	record 0 init=acl.json threads=16:1000 threads=4:500 calls=1 finalize
	import_job
	equal "$(calls)" 18001
	equal "$(query 'SELECT count(DISTINCT tid) FROM api_call')" 21
}

@test "threads that come one after the other find the queues of those that have ended" {
	record 0 init=acl.json serial=2000:3 finalize
	import_job
	equal "$(calls)" 6000
	equal "$(jq .lost out/msprof.JOB*/data/recorder.json.0)" 0
}

@test "what was recorded before the start and after the end is not in the job" {
	record 0 calls=100 init=acl.json calls=3 finalize calls=50 mark=x
	import_job
	equal "$(calls)" 3
}

@test "interval: of N executions the first is recorded; 0 and 1 record all, other calls are not sampled" {
	for interval in 0:10 1:10 2:5 3:4; do
		acl_json "\"output\": \"./out\", \"interval\": \"${interval%:*}\""
		discard out/*JOB*
		record 0 init=acl.json load=3:resnet50 execute=10:3 calls=10:3 finalize
		import_job
		equal "$(calls "name = 'svp_acl_mdl_execute'")" "${interval#*:}"
		equal "$(calls "name <> 'svp_acl_mdl_execute'")" 10
	done
}

@test "long names are cut at a character, not lost" {
	local name
	name=$(printf 'ä%.0s' $(seq 200))
	record 0 init=acl.json load=1:m op="$name:T:1" mark="$name" mark=x"$name" load=2:"$name/" calls=1:2 finalize
	import_job
	equal "$(query "SELECT group_concat(length(name) || '/' || length(cast(name AS blob))) FROM (SELECT * FROM api_call ORDER BY rowid)")" \
		'32/64,32/64,32/63,17/17'
}

@test "the archive records like the shared library, and only the names of the header are visible" {
	export RECORD=$BUILD/tests/record-static
	record 0 init=acl.json calls=5 finalize
	import_job
	equal "$(calls)" 5
	equal "$(nm -g --defined-only "$BUILD/libmsprof_recorder.a" | awk 'NF == 3 {print $3}' | grep -v '^msprof_[a-z_]*$')" ''
	lacks "$(ldd "$BUILD/libmsprof_recorder.so")" sqlite libssh archive
}

@test "the program of docs/RECORDER.md compiles without a warning and does what it says" {
	needs_plain_library
	sed -n '/^## A program that records$/,/^## Without/p' "$ROOT/docs/RECORDER.md" | sed -n '/^```c$/,/^```$/p' | sed '1d;$d' >app.c
	cc -Wall -Wextra -Werror -std=c11 -I"$ROOT/lib/recorder/include" app.c -o app -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_recorder
	run --separate-stderr ./app
	equal "$status" 0
	import_job
	equal "$(query 'SELECT name, count(*) FROM api_call GROUP BY 1 ORDER BY 1' | tr '\n' ' ')" \
		'my_model_execute|10 my_model_load|1 ten pictures are done|1 '
	expect 0 export timeline -dir out
	expect 0 export summary -dir out
	[ -f "$(echo out/JOB*/timeline/acl_0.resnet50.1.1.json)" ]
}

@test "a JOB of device 1 alone is read like any other" {
	record 0 init=acl.json load=3:resnet50 execute=4:3 finalize
	job=$(echo out/JOB*)
	mv "$job/info.json.0" "$job/info.json.1"
	own=${job/JOB/msprof.JOB}
	mv "$own/data/recorder.json.0" "$own/data/recorder.json.1"
	for file in "$own/data/msprof_api" "$job/data/acl_api"; do
		mv "$file.0.resnet50.3" "$file.1.resnet50.3"
		mv "$file.0.resnet50.3.done" "$file.1.resnet50.3.done"
	done
	expect 0 export summary -dir "$job"
	[ -s "$job/summary/acl_statistic_1_3_1.csv" ]
}

@test "a JOB without what lies beside it is a board's; with it everything is read; a link beside it is not followed" {
	record 0 init=acl.json load=3:net six=3 calls=4:3 mark=here unload=3 finalize
	mkdir alone linked
	cp -r out/JOB* alone
	cp -r out/JOB* linked
	ln -s "$(realpath out/msprof.JOB*)" linked/
	import_job alone
	equal "$(query 'SELECT count(*), count(DISTINCT name) FROM api_call')" '6|6'
	import_job linked
	equal "$(calls)" 6
	import_job
	equal "$(query "SELECT count(*), sum(name = 'here') FROM api_call")" '11|1'
	# named as the directory of several jobs, and from within
	expect 0 check -dir out
	(cd out/JOB* && expect 0 import -dir . && export DB=sqlite/msprof.db && equal "$(calls)" 11)
	MSPROF_BESIDE=off record 0 init=acl.json load=3:net six=3 mark=here unload=3 finalize
	equal "$(find out -name 'msprof.JOB*' | wc -l)" 1
	has "$(echo out/JOB*/data/*)" msprof_api.0.net.3 recorder.json.0
}

@test "a JOB of marks alone: no table of calls, and why" {
	record 0 init=acl.json mark=here finalize
	expect 0 show -dir out
	has "$output" "no data: only marks and ranges were recorded, no call"
	lacks "$output" Name
}

@test "make install: headers, both libraries and the pkg-config file, which names them" {
	needs_plain_library
	make -s -C "$ROOT" BUILD="$BUILD" DESTDIR="$PWD/root" PREFIX=/opt/msprof install >/dev/null
	[ -f root/opt/msprof/lib/libmsprof_recorder.a ]
	grep -qx 'prefix=/opt/msprof' root/opt/msprof/lib/pkgconfig/msprof_recorder.pc
	echo 'int main(void) { return msprof_begin() != 0; }' | cc -include msprof_recorder.h -Iroot/opt/msprof/include -x c - \
		-o app -Lroot/opt/msprof/lib -lmsprof_recorder
	LD_LIBRARY_PATH=root/opt/msprof/lib ./app
}

# exports DIR: the kinds of files that the exports of DIR make
exports() {
	expect 0 export timeline -dir "$1"
	lacks "$stderr" 'no inference data'
	expect 0 export summary -dir "$1"
	find "$1" -name '*_[0-9]*.json' -o -name '*_[0-9]*.csv' | sed 's/_[0-9]*[._].*//; s|.*/||' | sort | xargs
}

@test "calls of one type alone, marks, or operators: what was recorded is exported" {
	acl_json '"output": "./out", "msproftx": "on"'
	for pair in others=3:'acl acl_statistic' calls=3:'acl acl_statistic' op=conv:Conv:1:'acl acl_statistic op_statistic' mark=here:'acl msprof_tx' range=1:here:'acl msprof_tx'; do
		mkdir "${pair%%=*}"
		acl_json "\"output\": \"./${pair%%=*}\""
		record 0 init=acl.json "${pair%:*}" finalize
		import_job "${pair%%=*}"
		lacks "$stderr" 'no inference data'
		equal "$pair $(exports "$JOB")" "$pair ${pair##*:}"
	done
}
