#!/usr/bin/env bats
# acljson.bats: checks of an application's acl.json: messages, exit statuses, resulting settings.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

GUIDE='{ "profiler":{ "output":"/root/AscendProjects/MyAppTest/profiling", "aacpu":"on", "aac_metrics":"ArithmeticUtilization", "interval":"0", "acl_api":"on", "switch":"on" } }'

# What collect writes.
BOTH='{"profiler":{"switch":"on","output":"./p","aicpu":"on","aacpu":"on","aic_metrics":"ArithmeticUtilization",
	"aac_metrics":"ArithmeticUtilization","acl_api":"on","interval":"0"}}'

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# check_text STATUS TEXT [OPTION]...: run the command on a file with this text
check_text() {
	local want=$1
	printf '%s' "$2" >acl.json
	shift 2
	expect "$want" acljson --check acl.json "$@"
}

# board_text FILTER: what collect writes, changed
board_text() {
	jq -c "$1" <<<"$BOTH"
}

# setting KEY: its value in the JSON on stdout; "null" when it is not there
setting() {
	jq -r ".profiler.\"$1\"" <<<"$output"
}

# The warnings and errors of the last command, without their beginning.
findings() {
	sed -n "s/^msprof: $1: acl.json: //p" <<<"$stderr"
}

@test "the guide's example: boards do not read two of its keys; it comes back with those they read" {
	check_text 3 "$GUIDE" --format json
	equal "$(findings warning)" \
		"profiler.aacpu 'on': the libraries of boards do not read this key, but 'aicpu'; the JOB has no aicpu data
profiler.aac_metrics 'ArithmeticUtilization': the libraries of boards do not read this key, but 'aic_metrics'; the JOB has no aicore data"
	equal "$(jq -cS . <<<"$output")" \
		"$(jq -cS '.profiler += {aicpu: .profiler.aacpu, aic_metrics: .profiler.aac_metrics}' <<<"$GUIDE")"
	check_text 0 "$output" --format json # what came back is what boards read
	equal "$stderr" ""
	equal "$(jq -c . <<<"$output")" "$(jq -c . acl.json)"
	check_text 3 "$GUIDE"
	has "$output" "acl.json (svp)" "Profiling is on" "/root/AscendProjects/MyAppTest/profiling" "file"
	equal "$(grep -c '│ file' <<<"$output") $(grep -c '│ not read' <<<"$output")" "4 2"
}

@test "both spellings side by side are right; where they differ, the board's libraries read aicpu and aic_metrics" {
	check_text 0 "$BOTH"
	equal "$stderr" ""
	equal "$(grep -c '│ file' <<<"$output")" 6
	check_text 0 "$BOTH" --format json
	equal "$(jq -cS . <<<"$output")" "$(jq -cS . <<<"$BOTH")"
	for filter in '.profiler.aacpu = "off"' '.profiler.aac_metrics = "none"' '.profiler |= {aacpu: "off"} + del(.aacpu)'; do
		check_text 3 "$(board_text "$filter")" --format json
		has "$(findings warning)" "has another value, and that is what the libraries of boards read"
		equal "$(jq -cS . <<<"$output")" "$(jq -cS . <<<"$BOTH")"
	done
	check_text 1 '{"profiler":{"aacpu":"on","aacpu":"on"}}'
	has "$(findings error)" "profiler.aacpu 'on': given twice"
}

@test "defaults: off, and nothing is collected, as libraries of boards take it" {
	check_text 0 '{"profiler":{}}' --format json
	equal "$(jq -c .profiler <<<"$output")" '{"aicpu":"off","aacpu":"off","interval":"0","acl_api":"off","switch":"off"}'
	check_text 0 '{}'
	has "$output" "Profiling is off" "default"
	lacks "$output" "│ file"
}

@test "switch: only 'on' is on" {
	check_text 0 "$BOTH" --format json
	equal "$(setting switch)" on
	check_text 0 '{"profiler":{"switch":"off"}}' --format json
	equal "$(setting switch)" off
	for value in '"ON"' '"1"' '""'; do
		check_text 3 "{\"profiler\":{\"switch\":$value}}" --format json
		equal "$(setting switch)" off
		has "$(findings warning)" "profiler.switch '$(tr -d '"' <<<"$value")': " "profiling stays off"
	done
}

@test "a board's bad value is a warning that says what it amounts to" {
	check_text 3 '{"profiler":{"aicpu":"yes","aic_metrics":"Memory","interval":"-1","acl_api":"ON"}}' --format json
	equal "$(findings warning)" "profiler.aicpu 'yes': not 'on' or 'off'; the JOB has no aicpu data
profiler.aic_metrics 'Memory': not 'ArithmeticUtilization'; the JOB has no aicore data
profiler.interval '-1': not a whole number from 0 to 9999; profiling stays off
profiler.acl_api 'ON': not 'on' or 'off'; ACL calls are not collected"
	equal "$(jq -c .profiler <<<"$output")" '{"aicpu":"off","aacpu":"off","interval":"0","acl_api":"off","switch":"off"}'
}

@test "interval: 0 to 9999; with another one a board does not profile" {
	for interval in 0 1 9999; do
		check_text 0 "$(board_text ".profiler.interval = \"$interval\"")"
		has "$output" "Profiling is on"
	done
	for interval in 10000 -1 1.5 x '' ' 1'; do
		check_text 3 "$(board_text ".profiler.interval = \"$interval\"")"
		has "$output" "Profiling is off"
		has "$(findings warning)" "profiler.interval '$interval': not a whole number from 0 to 9999; profiling stays off"
	done
}

@test "a board's value without quotes makes its svp_acl_init fail: an error" {
	for key in switch output aicpu aic_metrics acl_api interval; do
		for value in 1 1.5 true null '[]' '{}'; do
			check_text 1 "$(board_text ".profiler.$key = $value | del(.profiler.aacpu, .profiler.aac_metrics)")"
			has "$(findings error)" "profiler.$key '" "': not a text in quotes: svp_acl_init fails"
			equal "$output" ""
		done
	done
	check_text 3 "$(board_text '.profiler.aacpu = 1')" # which they do not read
}

@test "a board's file without an output is an error: some libraries crash" {
	check_text 1 "$(board_text 'del(.profiler.output)')"
	equal "$(findings error)" "profiler.output: missing: some libraries crash (SS928 V2.0.2.2, Hi3519DV500)"
	equal "$output" ""
	check_text 0 "$(board_text 'del(.profiler.output) | .profiler.switch = "off"')"
}

@test "a board's file that turns on nothing: a warning that no JOB appears" {
	none="profiler: aicpu, aic_metrics and acl_api are off: no JOB appears"
	check_text 3 '{"profiler":{"switch":"on","output":"prof"}}'
	equal "$(findings warning)" "$none"
	check_text 3 "$(board_text 'del(.profiler.aicpu, .profiler.aic_metrics, .profiler.acl_api)')"
	has "$(findings warning)" "$none"
	for key in aicpu aic_metrics acl_api; do
		check_text 0 "$(board_text '.profiler |= {switch, output, '"$key"'}')"
	done
}

# What the libraries did with the file of each run is known: the JOB that they wrote is there, or none.
@test "genuine runs: what the board's library made of the file is what --check says" {
	needs_shared svp-genuine.tar.xz
	mkdir runs
	tar -C runs -xf "$SHARED/svp-genuine.tar.xz"
	runs=0
	for file in runs/*/acl.json; do
		grep -q -e '-j acl.json' "${file%/*}/cmd" || continue
		runs=$((runs + 1))
		run --separate-stderr "$MSPROF" acljson --check "$file" --format json
		wrote=$(find "${file%/*}" -path '*/JOB*' -type f -printf '%f\n' | sed 's/\..*//' | sort -u | xargs)
		echo "$file: $wrote; $status: $stderr"
		case $status in
		1) # refused, or a crash of some libraries
			if [[ $stderr == *"profiler.output: missing: some libraries crash"* ]]; then
				[[ $file == *community* ]] || equal "$wrote" ""
			else
				has "$stderr" "svp_acl_init fails"
				equal "$wrote" ""
			fi
			;;
		3)
			if [[ $stderr == *"no JOB appears"* ]]; then
				equal "$wrote" ""
			else
				has "$stderr" "the JOB has no aicpu data" "the JOB has no aicore data"
				has " $wrote " " info "
				lacks " $wrote " " aicore " " aicpu "
			fi
			;;
		*)
			equal "$status" 0
			has " $wrote " " info "
			equal "$(setting switch)" on
			# of models that were converted for profiling
			[[ $file == *mtype0* || $file == *aidestrip* ]] || has " $wrote " " aicore "
			[ "$(setting acl_api)" = on ] || lacks " $wrote " " acl_api "
			;;
		esac
	done
	[ "$runs" -ge 30 ]
}

@test "an Ascend card's bad value is an error, and no settings are printed" {
	for member in '"switch":"ON"' '"sys_cpu_freq":51' '"storage_limit":"199MB"' '"nosuch":1' '"ge_api":"on"' '"interval":"0"'; do
		check_text 1 "{\"profiler\":{$member}}" --profile ascend
		equal "$output" ""
		has "$(findings error)" "profiler.$(cut -d'"' -f2 <<<"$member") '"
	done
}

@test "every key of the Ascend table is accepted, and takes effect" {
	check_text 0 '{"profiler":{"switch":"on","output":"./result/profiler","ascendcl":"off","runtime_api":"off","task_time":"l1",
		"ge_api":"l0","aic_metrics":"Memory","aicpu":"on","l2":"on","hccl":"on","msproftx":"on","task_tsfw":"on",
		"task_memory":"on","instr_profiling":"on","instr_profiling_freq":300,"storage_limit":"200MB",
		"sys_hardware_mem_freq":100,"sys_io_sampling_freq":100,"dvpp_freq":100,"sys_lp_freq":100,
		"sys_interconnection_freq":50,"sys_cpu_freq":50,"host_sys_usage_freq":50,"llc_profiling":"write",
		"host_sys":"cpu,mem","host_sys_usage":"cpu,mem","sys_mem_serviceflow":"a,b","optype":"MatMul","task_block":"all"}}' \
		--profile ascend --format json
	equal "$stderr" ""
	equal "$(jq -cS . <<<"$output")" "$(jq -cS . acl.json)"
	check_text 0 '{"profiler": {"switch": "on","output": "./result/profiler"}}' --profile ascend
	has "$output" "acl.json (ascend)" "Profiling is on" "PipeUtilization"
	check_text 0 '{"profiler":{"sys_cpu_freq":"50"}}' --profile ascend --format json
	equal "$(setting sys_cpu_freq)" 50
}

@test "both spellings of a key are one key of an Ascend card, which is written once" {
	check_text 0 '{"profiler":{"aacpu":"on","aac_metrics":"Memory"}}' --profile ascend --format json
	equal "$(setting aicpu) $(setting aic_metrics)" "on Memory"
	equal "$(setting aacpu) $(setting aac_metrics)" "null null"
	check_text 1 '{"profiler":{"aacpu":"on","aicpu":"on"}}' --profile ascend
	has "$(findings error)" "profiler.aicpu 'on': given twice, both spellings count"
}

@test "output: the character that is not allowed is named" {
	while IFS='|' read -r value character; do
		check_text 3 "{\"profiler\":{\"output\":\"$value\"}}" --format json
		has "$(findings warning)" "profiler.output '$value': the character '$character' is not allowed"
		equal "$(setting output)" null
	done < <(printf '%s\n' 'a b| ' 'a;b|;' 'a$b|$' 'a中|中' 'a-b|-' 'a.b|.' 'a/../b|.')
	for value in /root/AscendProjects/MyAppTest/profiling output ./result/profiler ../x ../../y_2/; do
		check_text 0 "{\"profiler\":{\"output\":\"$value\"}}" --format json
		equal "$(setting output)" "$value"
	done
	check_text 1 '{"profiler":{"output":"a;b"}}' --profile ascend
	has "$(findings error)" "the character ';'"
}

@test "profiling and dump in one file are refused, whichever is on" {
	for switch in on off; do
		for profile in svp ascend; do
			check_text 1 "{\"profiler\":{\"switch\":\"$switch\"},\"dump\":{\"dump_path\":\".\"}}" --profile "$profile"
			equal "$(findings error)" "profiler, dump: 'profiler' and 'dump' cannot be combined: keep one of them"
			equal "$output" ""
		done
	done
}

@test "a dump: the path must be there, the mode one of three" {
	check_text 1 '{"dump":{"dump_list":[{"model_name":"m"}],"dump_mode":"output","dump_path":"./result/dump"}}' --profile ascend
	has "$(findings error)" "dump.dump_path './result/dump': the directory does not exist"
	mkdir -p result/dump
	check_text 0 '{"dump":{"dump_list":[{"model_name":"m"}],"dump_mode":"output","dump_path":"./result/dump"}}' --profile ascend
	check_text 1 '{"dump":{"dump_list":[{"model_name":"m"}],"dump_mode":"output"}}' --profile ascend
	equal "$(findings error)" "dump.dump_path: missing"
	check_text 1 '{"dump":{"dump_mode":"both","dump_path":"result/dump"}}' --profile ascend
	equal "$(findings error)" "dump.dump_mode 'both': not one of: input output all"
}

@test "a dump into a directory that cannot be written to is refused" {
	needs_ordinary
	mkdir -p dump
	chmod 555 dump
	echo '{"dump":{"dump_path":"dump"}}' >acl.json
	run --separate-stderr ordinary "$MSPROF" acljson --check acl.json --profile ascend
	equal "$status" 1
	has "$stderr" "dump.dump_path 'dump': cannot be read and written"
}

@test "members that belong to others are left alone" {
	check_text 0 '{"max_opqueue_num":12345678901234567890,"profiler":{"acl_api":"on"},"x":[1.10,"\u0041"]}' --format json
	has "$output" '"max_opqueue_num": 12345678901234567890' '"x": [1.10,"\u0041"]'
	equal "$(setting acl_api)" on
	check_text 3 '{"profiler":{"Switch":"on","mine":1}}' --format json
	equal "$(findings warning)" "profiler.Switch 'on': unknown key; did you mean 'switch'
profiler.mine '1': unknown key"
	equal "$(setting mine)" 1
}

@test "--strict turns warnings into failures" {
	check_text 1 '{"profiler":{"switch":"ON"}}' --strict
	has "$(findings error)" "profiler.switch 'ON'"
	check_text 1 "$GUIDE" --strict
	check_text 0 "$BOTH" --strict
}

@test "-q prints nothing but findings" {
	check_text 0 "$BOTH" -q
	equal "$output$stderr" ""
	check_text 3 '{"profiler":{"interval":"1.5"}}' -q
	equal "$output" ""
	has "$stderr" "profiler.interval '1.5'"
}

@test "what is not a JSON object is an error under both profiles" {
	for profile in svp ascend; do
		for text in '' '[]' '{"profiler":{"switch":"on",}}' $'# acl.json\n{}' '{"a":01}' "{'a':1}" '{} x' '{"a":"\u0000"}'; do
			check_text 1 "$text" --profile "$profile"
			equal "$output" ""
			has "$stderr" "msprof: error: 'acl.json'"
		done
		expect 1 acljson --check nosuch.json --profile "$profile"
		has "$stderr" "msprof: error: cannot open 'nosuch.json': "
		expect 1 acljson --check . --profile "$profile"
		has "$stderr" "'.' is not a regular file"
	done
	check_text 1 $'{"profiler":{\n"switch":"on",\n}}'
	has "$stderr" "line 3"
}

@test "a file over 1 MiB is refused, one of 1 MiB is read" {
	{ printf '{}' && head -c 1048574 /dev/zero | tr '\0' ' '; } >large.json
	expect 0 acljson --check large.json
	printf ' ' >>large.json
	expect 1 acljson --check large.json
	has "$stderr" "larger than 1 MiB"
}

@test "usage errors" {
	expect 2 acljson
	has "$stderr" "give --check FILE" "Try 'msprof acljson --help'."
	expect 2 acljson --check ""
	expect 2 acljson --check
	echo '{}' >acl.json
	expect 2 acljson --check acl.json --profile ascend910
	has "$stderr" "invalid profile 'ascend910' (svp or ascend)"
	expect 2 acljson --check acl.json --format csv
	has "$stderr" "(table or json)"
	expect 2 acljson --check acl.json -dir .
	expect 2 acljson --check acl.json more
	expect 2 import -dir . --check acl.json
	expect 0 acljson --help
	has "$output" "Usage: msprof acljson --check FILE [OPTION]..." "--profile svp|ascend" "table or json (default: table)"
}

@test "nothing of a hostile file reaches the terminal raw" {
	check_text 3 $'{"profiler":{"\\u001b[31m":"\\u009b","output":"\xe2\x80\xae"},"x":"\x7f\xc2\x9b"}' --format json
	lacks "$output$stderr" $'\e' $'\x7f' $'\xc2\x9b' $'\xe2\x80\xae'
	has "$stderr" 'profiler.\x1b[31m' "the character '\\xe2\\x80\\xae' is not allowed"
	jq -e '.x == "\u007f\u009b"' <<<"$output"
	seq 5000 | sed 's/.*/"k&":1/' | paste -sd, | sed 's/^/{"profiler":{/; s/$/}}/' >acl.json
	expect 3 acljson --check acl.json
	has "$stderr" "4936 more like these"
	[ "$(wc -l <<<"$stderr")" -eq 65 ]
}

@test "the command writes nothing" {
	mkdir work
	cd work
	printf '%s' "$GUIDE" >acl.json
	before=$(snapshot .)
	expect 3 acljson --check acl.json
	expect 3 acljson --check acl.json --format json
	equal "$(snapshot .)" "$before"
}
