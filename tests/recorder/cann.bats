#!/usr/bin/env bats
# cann.bats: the tree in place of CANN's msprof: where front ends look, what they call and probe.

load helpers
load install

setup_file() {
	export TREE=$BATS_FILE_TMPDIR/Ascend/latest
	cd "$BATS_FILE_TMPDIR" || return
	make_target install-cann-tree PREFIX="$TREE"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	PROF=$PWD/PROF_000001_20231114221320000_MADEUPMADEUPMADE
}

# script NAME ARGUMENT...: as front ends find it: beside the real path of msprof, cut at "tools"
script() {
	local at
	at=$(PATH=$TREE/bin:$PATH && realpath "$(command -v msprof)")
	run --separate-stderr python3 "${at%%tools*}tools/profiler/profiler_tool/analysis/$1" "${@:2}"
}

@test "msprof.py imports, queries, exports and analyzes with the options that front ends pass" {
	"$BUILD/tests/genprof" --out "$PROF"
	for words in "import -dir $PROF --cluster" "query -dir $PROF" "export timeline -dir $PROF --model-id -1 --iteration-count 1 --clear" \
		"export summary --collection-dir $PROF --model-id=-1 --format csv" "export db -dir $PROF" \
		"analyze -dir $PROF -r communication,communication_matrix --type text --clear"; do
		# shellcheck disable=SC2086 # words on purpose
		script msprof/msprof.py $words
		[ "$status" -eq 0 ] || fail "$words: $stderr"
	done
	ls "$PROF"/mindstudio_profiler_output/{msprof,op_summary,task_time}_[0-9]* "$PROF"/msprof_[0-9]*.db
	echo '{"json_process":{"ascend":false}}' >reports.json
	discard "$PROF/mindstudio_profiler_output"
	script msprof/msprof.py export timeline -dir "$PROF" -reports reports.json
	equal "$status" 0
	lacks "$(cat "$PROF"/mindstudio_profiler_output/msprof_*)" '"Ascend Hardware"'
	# a choice reaches msprof
	for choice in '--model-id 4294967295 --iteration-id 1 --iteration-count 2' '--model-id=77 --iteration-id=1'; do
		# shellcheck disable=SC2086 # words on purpose
		script msprof/msprof.py export summary -dir "$PROF" $choice
		equal "$status" 1
		has "$stderr" 'no iteration can be chosen'
	done
	# one of the two alone chooses nothing, as there; of data of 2022 it does
	for words in "export summary -dir=$PROF --iteration-id 7" "export timeline -dir $PROF/host --model-id=7 --iteration-count 2" "export unified_db -dir $PROF" \
		"query -dir $PROF --model-id 7 --iteration-id 1"; do
		# shellcheck disable=SC2086 # words on purpose
		script msprof/msprof.py $words
		[ "$status" -eq 0 ] || fail "$words: $stderr"
	done
	script msprof/msprof.py
	equal "$status" 1
	has "$output" 'Usage: msprof COMMAND'
	script msprof/msprof.py monitor
	equal "$status" 2
	mkdir JOB2022
	cp -r "$SHARED"/ascend-job-2022-steps/JOB*/* JOB2022 2>/dev/null || return 0
	chmod -R u+w JOB2022
	script msprof/msprof.py export summary -dir JOB2022 --iteration-id 2
	equal "$(basename JOB2022/summary/op_summary_*)" op_summary_0_1_2.csv
}

@test "what front ends probe: --help names --type and that text writes the database, and it does" {
	run --separate-stderr "$TREE/bin/msprof" --help
	equal "$status" 0
	has "$output" '--type' 'text(which will also export the database)'
	equal "$stderr" ''
	equal "$(find "$TREE" -name '*.py' -perm 0755 | wc -l)" 2
	equal "$(find "$TREE" -perm /022 ! -type l)" ''
}

@test "in the tree, import and export write the databases that readers open beside raw data" {
	"$BUILD/tests/genprof" --out "$PROF"
	"$TREE/bin/msprof" --export=on --compat-db=off --type=db --output="$PROF"
	[ ! -e "$PROF/host/sqlite" ]
	script msprof/msprof.py import --collection-dir "$PROF"
	equal "$status" 0
	equal "$(sqlite3 "$PROF/device_0/sqlite/ascend_task.db" "SELECT count(*) FROM AscendTask WHERE device_task_type = 'AI_CORE'")" 40
	[ -e "$PROF/host/data/all_file.complete" ]
	discard "$PROF/host/sqlite" "$PROF/device_0/sqlite"
	"$TREE/bin/msprof" --export=on --output="$PROF"
	equal "$(sqlite3 "$PROF/host/sqlite/runtime.db" "SELECT count(*) FROM HostTask WHERE kernel_name != 'N/A'")" 40
	discard "$PROF/host/sqlite"
	expect 0 --export=on --output="$PROF"
	[ ! -e "$PROF/host/sqlite" ]
	expect 0 --export=on --compat-db=on --output="$PROF"
	[ -e "$PROF/host/sqlite/api_event.db" ]
}

@test "get_msprof_info.py says what the files of host and device say" {
	"$BUILD/tests/genprof" --out "$PROF"
	script interface/get_msprof_info.py -dir "$PROF/host"
	equal "$status" 0
	equal "$(jq -c '[.status, (.data | keys)]' <<<"$output")" '[0,["collection_info","device_info","host_info","model_info","version_info"]]'
	equal "$(jq -r '.data.host_info.cpu_info[0].Frequency' <<<"$output")" "$(jq -r '.CPU[0].Frequency' "$PROF/host/info.json")"
	equal "$(jq -r '.data.collection_info["Collection start time"]' <<<"$output")" "$(jq -r .collectionTimeBegin "$PROF/host/start_info")"
	equal "$(jq -c '.data.device_info, .data.model_info' <<<"$output")" $'{}\n{"iterations":[]}'
	[ ! -e "$PROF/sqlite" ] || fail "it has imported the job"
	script interface/get_msprof_info.py --collection-dir "$PROF/device_0"
	equal "$(jq -r '.data.device_info["Device Id"]' <<<"$output")" 0
	equal "$(jq -c '.data.model_info.iterations | map(.["Device Id"]) | unique' <<<"$output")" '[0]'
	drv=$(jq '. + {drvVersion: 467473}' "$PROF/host/info.json") && echo "$drv" >"$PROF/host/info.json"
	script interface/get_msprof_info.py -dir "$PROF/host"
	equal "$(jq -r .data.version_info.drv_version <<<"$output")" 467473
}

@test "get_msprof_info.py: what is no such directory, cut, a link, a pipe or nested too deeply has status 1" {
	mkdir -p d/host
	for bytes in '' '[1]' '{"CPU":[{"Id":' "$(printf '[%.0s' {1..20000})" '{"CPU":7,"DeviceInfo":[3]}'; do
		printf '%s' "$bytes" >d/host/info.json
		script interface/get_msprof_info.py -dir d/host
		equal "$status" 0
		[[ $bytes == *7* ]] || equal "$(jq .status <<<"$output")" 1
	done
	rm d/host/info.json
	mkfifo d/host/info.json
	script interface/get_msprof_info.py -dir d/host
	equal "$(jq .status <<<"$output")" 1
	ln -sf /etc/hostname d/host/info.json
	script interface/get_msprof_info.py -dir d/host
	equal "$(jq .status <<<"$output")" 1
	script interface/get_msprof_info.py -dir nothing
	equal "$(jq .status <<<"$output")" 1
}

@test "the msprof of the tree records with the libraries of the tree" {
	needs_plain_library
	run --separate-stderr env PATH="$TREE/bin:$PATH" msprof --output=out --msproftx=on "$BUILD/tests/stub/app" --executes 2
	equal "$status" 0
	has "$(cat out/PROF_*/mindstudio_profiler_output/api_statistic_*)" aclmdlExecute,
}

@test "the tree has the licences of what it contains: the libraries contain cJSON" {
	cmp "$ROOT/LICENSE" "$TREE/tools/profiler/LICENSE.msprof"
	has "$(cat "$TREE/tools/profiler/LICENSE.cJSON")" 'Dave Gamble'
}

@test "in the tree, damage and missing data are warnings: front ends take any status but 0 for a failure" {
	"$BUILD/tests/genprof" --out "$PROF"
	discard "$PROF/device_0"
	expect 3 --export=on --output="$PROF"
	script msprof/msprof.py export summary -dir "$PROF"
	equal "$status" 0
	has "$stderr" 'no device data was found, and 40 tasks were launched'
	run "$TREE/bin/msprof" --export=on --output="$PROF"
	equal "$status" 0
	run "$TREE/bin/msprof" export summary --strict "$PROF"
	equal "$status" 1
}

# refused PREFIX WORDS: nothing is written there
refused() {
	before=$(find . -path ./make.log -o -printf '%p\n' | sort)
	run make -C "$ROOT" install-cann-tree BUILD="$BUILD" PREFIX="$1"
	[ "$status" -ne 0 ] || fail "installed"
	has "$output" "$2"
	equal "$(find . -path ./make.log -o -printf '%p\n' | sort)" "$before"
}

@test "a tree over a CANN, or where front ends would not find it, is refused; over itself it is renewed, and it goes whole" {
	mkdir -p cann/tools/profiler/profiler_tool/analysis/msprof other/bin runs/runtime linked
	echo 'import sys' >cann/tools/profiler/profiler_tool/analysis/msprof/msprof.py
	touch other/bin/msprof version.cfg
	ln -s /nonexistent/tools linked/opp
	refused "$PWD/cann" "'$PWD/cann/tools/profiler' is there"
	refused "$PWD/other" "'$PWD/other/bin/msprof' is there"
	refused "$PWD/runs" "'$PWD/runs/runtime' is there"
	refused "$PWD/linked" "'$PWD/linked/opp' is there"
	refused "$PWD" "'$PWD/version.cfg' is there"
	refused "$PWD/mytools" "contains 'tools'"
	make_target install-cann-tree PREFIX="$PWD/new"
	make_target install-cann-tree PREFIX="$PWD/new"
	[ -x new/bin/msprof ]
	make_target uninstall-cann-tree PREFIX="$PWD/new"
	equal "$(find new ! -type d)" ''
	[ ! -e new/tools ]
}
