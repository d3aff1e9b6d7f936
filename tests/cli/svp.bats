#!/usr/bin/env bats
# svp.bats: jobs of the SS928 family: names, pairing with markers, and checks.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

counts() {
	query "SELECT (SELECT count(*) FROM aicore_task), (SELECT count(*) FROM aicpu_task), (SELECT count(*) FROM api_call)"
}

# One record each, under the given names.
put() {
	python3 "$HELPERS/raw.py" "$1" start=1 end=2 2>/dev/null >"$JOB/data/$2" ||
		python3 "$HELPERS/raw.py" "$1" begin=1 end=2 >"$JOB/data/$2"
}

bare_job() {
	generate --tasks 0 --aicpu 0 --calls 0
	rm "$JOB"/data/*
}

@test "every spelling of every kind is known, in any case" {
	bare_job
	for prefix in aicore AAcore AICORE aacore AIcore; do put core "$prefix.0.m$prefix.1.1.1.0"; done
	for prefix in aicpu aacpu AACPU AICPU; do put cpu "$prefix.0.m$prefix.1.1.1.0"; done
	for prefix in acl_api AclModule ACL_API aclmodule; do put call "$prefix.0.m$prefix.1"; done
	expect 0 import -dir "$JOB"
	equal "$(counts)" "5|4|4"
	equal "$(query "SELECT count(*) FROM source WHERE state = 'unknown'")" 0
}

@test "the guide's names give the same reports as the board's" {
	generate --guide-names --seed 3
	expect 0 export summary -dir "$JOB"
	guide=$(cd "$JOB/summary" && sha256sum ./*)
	generate --seed 3
	expect 0 export summary -dir "$JOB"
	equal "$(cd "$JOB/summary" && sha256sum ./*)" "$guide"
}

@test "a model name may hold dots, digits and dashes: numbers are taken from the right" {
	bare_job
	put core aicore.3.kws-610-pro.v1.2.58.256.4.20
	put call acl_api.3.kws-610-pro.v1.2.58
	echo '{"version":1,"device":3,"frequency":700}' >"$JOB/info.json.3"
	echo '{"model":"kws-610-pro.v1.2","model_id":58,"batch":256,"input_pic_num":4}' >"$JOB/data/kws-610-pro.v1.2.58.net.info"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT DISTINCT model, model_id FROM source WHERE model IS NOT NULL")" "kws-610-pro.v1.2|58"
	equal "$(query "SELECT device_id, batch, input_pic_num, current_pic FROM source WHERE target = 'aicore_task'")" "3|256|4|20"
}

@test "several models, pictures and devices are kept apart" {
	generate --models 3 --pictures 4 --interval 5 --devices 2 --tasks 10 --aicpu 1 --calls 20 --threads 1
	expect 0 import -dir "$JOB"
	equal "$(counts)" "240|24|120"
	equal "$(query 'SELECT count(DISTINCT device_id), count(DISTINCT model_id), group_concat(DISTINCT current_pic) FROM tasks')" \
		"2|3|0,5,10,15"
	equal "$(query 'SELECT min(n), max(n) FROM (SELECT count(*) AS n FROM tasks GROUP BY device_id, model_id, current_pic)')" "11|11"
	equal "$(query 'SELECT count(*) FROM tasks WHERE name IS NULL AND type IS NULL')" 0
}

@test "a second device has the frequency of its own info.json" {
	generate --devices 2
	sed -i 's/700/350/' "$JOB/info.json.1"
	expect 0 export summary -dir "$JOB"
	equal "$(query 'SELECT device_id, frequency_mhz FROM device')" $'0|700\n1|350'
	ls "$JOB"/summary/op_summary_0.*.700.csv "$JOB"/summary/op_summary_1.*.350.csv
}

@test "a short name takes its identity from the one marker without a file" {
	generate --short-names --model yolov5n_noquat --batch 1
	[ -e "$JOB/data/aicore.0.1.1" ] && [ -e "$JOB/data/aicore.0.yolov5n_noquat.46.1.1.0.done" ]
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT model, model_id, batch, has_done FROM source WHERE file = 'data/aicore.0.1.1'")" "yolov5n_noquat|46|1|1"
	expect 0 export summary -dir "$JOB"
	ls "$JOB"/summary/op_summary_0.yolov5n_noquat.46.1.1.0.*.csv
}

@test "two markers for a short name: in doubt, the files are named, exit 3" {
	generate --short-names
	touch "$JOB/data/aicore.0.other.9.1.1.0.done"
	expect 3 import -dir "$JOB"
	has "$stderr" aicore.0.1.1 other.9 resnet50.46
	equal "$(query 'SELECT count(*) FROM aicore_task')" 24 # the records are kept
}

@test "two short names for a marker: in doubt, the files are named, exit 3" {
	generate --short-names
	cp "$JOB/data/aicore.0.1.1" "$JOB/data/aicore.0.1.2"
	expect 3 import -dir "$JOB"
	has "$stderr" aicore.0.1.1 aicore.0.1.2
}

@test "a short name without any marker: in doubt, exit 3" {
	generate --short-names
	rm "$JOB"/data/aicore*.done
	expect 3 import -dir "$JOB"
	has "$stderr" data/aicore.0.1.1 .done
}

@test "a marker whose file is missing: exit 3, and it is named" {
	rm "$JOB/data/aicore.0.resnet50.46.1.1.10"
	expect 3 import -dir "$JOB"
	has "$stderr" aicore.0.resnet50.46.1.1.10 missing
}

@test "a file shorter than its marker says is missing data: exit 3; longer is odd" {
	truncate -s 2944 "$JOB/data/aicore.0.resnet50.46.1.1.0"
	expect 3 import -dir "$JOB"
	has "$stderr" "says 3072 bytes, the file has 2944"
	generate
	python3 "$HELPERS/raw.py" core start=1 end=2 >>"$JOB/data/aicore.0.resnet50.46.1.1.0"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT kind FROM note')" odd
}

@test "no marker at all: incomplete collection, parsed all the same" {
	generate --no-done
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning: incomplete collection"
	equal "$(counts)" "24|2|60"
}

@test "one marker missing: incomplete collection of that file" {
	rm "$JOB/data/aicpu.0.resnet50.46.1.1.0.done"
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning: data/aicpu.0.resnet50.46.1.1.0: incomplete collection"
	lacks "$stderr" aicore
}

@test ".complete markers of an earlier parser change nothing" {
	generate --complete
	expect 0 import -dir "$JOB"
	lacks "$stderr" warning
	equal "$(counts)" "24|2|60"
}

@test "exactly 512 calls: the ring of the board may have overwritten earlier ones" {
	generate --calls 512
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning:" "exactly 512 records"
	for calls in 511 513 1024; do
		generate --calls $calls
		expect 0 import -dir "$JOB"
		lacks "$stderr" 512 overwritten
	done
}

@test "records that the board says it lost are a warning" {
	sed -i 's/}$/,"lost":17}/' "$JOB/info.json.0"
	expect 0 import -dir "$JOB"
	has "$stderr" "17 records were lost"
}

@test "no frequency: an error that names file and key; --frequency supplies it" {
	for info in '{"version":1,"device":0}' '{"frequency":0}' '{"frequency":"700"}' '{"frequency":700.5}' '{"frequency":-1}' '{"frequency":null}'; do
		echo "$info" >"$JOB/info.json.0"
		expect 1 import -dir "$JOB"
		has "$stderr" "$JOB/info.json.0" "'frequency'" --frequency
	done
	expect 0 import -dir "$JOB" --frequency 350
	equal "$(query 'SELECT frequency_mhz FROM device')" 350
	expect 0 export summary -dir "$JOB" --frequency 350
	ls "$JOB"/summary/op_summary_*.350.csv
}

@test "--frequency overrides info.json, for that command alone, and says so" {
	expect 0 import -dir "$JOB" --frequency 350
	has "$stderr" "msprof: assumed: info.json.0: the core frequency of 350 MHz is that of --frequency; the file says 700"
	equal "$(query 'SELECT kind, file FROM note')" "assumed|info.json.0"
	expect 0 export summary -dir "$JOB" --frequency 350
	lacks "$stderr" "assumed" # nothing was parsed
	ls "$JOB"/summary/op_summary_*.350.csv
	expect 0 export summary -dir "$JOB" # parses again
	ls "$JOB"/summary/op_summary_*.700.csv
	equal "$(query 'SELECT frequency_mhz FROM device')" 700
	equal "$(query 'SELECT count(*) FROM note')" 0
	expect 0 export summary -dir "$JOB" --frequency 1400
	ls "$JOB"/summary/op_summary_*.1400.csv
	equal "$(query 'SELECT frequency_mhz FROM device')" 1400
}

@test "--frequency where info.json says nothing: later commands are content with it" {
	echo '{"version":1,"device":0}' >"$JOB/info.json.0"
	expect 0 import -dir "$JOB" --frequency 350
	has "$stderr" "msprof: assumed: info.json.0: the core frequency of 350 MHz is that of --frequency"
	before=$(stat -c %i "$DB")
	expect 0 export summary -dir "$JOB"
	ls "$JOB"/summary/op_summary_*.350.csv
	equal "$(stat -c %i "$DB")" "$before"
	echo '{"version":1,"device":0,"frequency":700}' >"$JOB/info.json.0"
	expect 0 export summary -dir "$JOB" # now it says something
	ls "$JOB"/summary/op_summary_*.700.csv
}

@test "another --frequency without raw files is an error, the same one is not" {
	expect 0 import -dir "$JOB" --frequency 350
	rm "$JOB"/data/*
	expect 0 show -dir "$JOB"
	expect 0 show -dir "$JOB" --frequency 350
	for command in show "export summary" "export timeline"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 1 $command -dir "$JOB" --frequency 700
		has "$stderr" "'$DB' was made with another frequency, and the raw files are gone"
	done
	equal "$(query 'SELECT frequency_mhz FROM device')" 350
}

@test "a job of calls alone needs no frequency" {
	generate --host-only
	echo '{"version":1,"device":0}' >"$JOB/info.json.0"
	expect 0 import -dir "$JOB"
}

@test "a broken info.json: exit 3, calls are exported, --frequency brings the rest" {
	for info in '' '{' '[1]' '{"frequency":700} trailing' $'{"frequency":700,"x":"\xff"}' '"text"'; do
		printf '%s' "$info" >"$JOB/info.json.0"
		expect 3 import -dir "$JOB"
		has "$stderr" info.json.0
	done
	expect 3 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "acl_0.resnet50.46.1.json trace.json"
	expect 3 export summary -dir "$JOB"
	expect 3 show -dir "$JOB"
	expect 3 export timeline -dir "$JOB" --frequency 700
	equal "$(find "$JOB/timeline" -name 'task_time*' | wc -l)" 1
}

@test "a job recorded on a host says so everywhere" {
	generate --host-only
	label="host-only job: no AA Core data"
	expect 0 import -dir "$JOB"
	has "$stderr" "$label"
	expect 0 show -dir "$JOB"
	has "$output" "$label"
	expect 0 check -dir "$JOB"
	has "$output" "$label"
	expect 0 export timeline -dir "$JOB"
	jq -e --arg text "$label" '.otherData.notes | any(.warning // "" | contains($text))' "$JOB"/timeline/acl* >/dev/null
}

@test "a model that was never executed: no inference data, exit 0, no file" {
	generate --no-execute
	expect 0 import -dir "$JOB"
	has "$stderr" "no inference data"
	expect 0 export timeline -dir "$JOB"
	has "$stderr" "no inference data"
	expect 0 export summary -dir "$JOB"
	expect 0 export summary -dir "$JOB" --format json
	expect 0 --export=on --output="$JOB" # timeline and summary: the message comes once
	equal "$(grep -c 'no inference data' <<<"$stderr")" 1
	equal "$(find "$JOB" -name '*.csv' -o -name '*.json')" ""
}

@test "a call named execute is an inference, whatever else is missing" {
	bare_job
	put call acl_api.0.m.1
	expect 0 export summary -dir "$JOB"
	equal "$(ls "$JOB/summary")" acl_statistic_0_1_1.csv
}

@test "layers of one task that came twice: the later line counts" {
	bare_job
	put core aicore.0.m.1.1.1.0
	printf '{"task":0,"stream":0,"layers":[{"id":1,"name":"%s","type":"T","ori":["%s"]}]}\n' old old new new >"$JOB/data/m.1.layer.info"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT name FROM tasks')" new
}

@test "layers of an earlier line of a task do not linger behind those of the last" {
	bare_job
	put core aicore.0.m.1.1.1.0
	cat >"$JOB/data/m.1.layer.info" <<-'END'
		{"task":0,"stream":0,"layers":[{"id":1,"name":"a","type":"T"},{"id":2,"name":"b","type":"U"}]}
		{"task":0,"stream":0,"layers":[{"id":3,"name":"c","type":"V"}]}
	END
	expect 0 export summary -dir "$JOB"
	equal "$(query 'SELECT layer_count, layer_ids, names, types FROM op')" "1|3|c|V"
	equal "$(tail -n +2 "$JOB"/summary/op_statistic* | cut -d, -f3)" V
}

@test "fused layers of which some have no name or type: N/A stands in their places" {
	bare_job
	put core aicore.0.m.1.1.1.0
	echo '{"task":0,"layers":[{"id":1,"name":"a","ori":["x","y"]},{"type":"U","name":""},{"id":3,"name":"c","type":"V"}]}' \
		>"$JOB/data/m.1.layer.info"
	expect 0 export summary -dir "$JOB"
	equal "$(tail -1 "$JOB"/summary/op_summary* | cut -d'"' -f2,4,6,8)" '1,N/A,3"x,y"a,N/A,c"N/A,U,V'
	equal "$(query "SELECT replace(ori, char(31), '+') FROM layer WHERE position = 0")" "x+y"
	equal "$(query 'SELECT oris FROM op')" "x,y"
	python3 "$HELPERS/summary.py" "$JOB" guide
}

@test "files in doubt are an inference each, named after the file" {
	generate --short-names
	cp "$JOB/data/aicore.0.1.1" "$JOB/data/aicore.0.1.2"
	expect 3 export summary -dir "$JOB"
	for name in aicore.0.1.1 aicore.0.1.2; do
		[ "$(find "$JOB/summary" -name "op_summary_0.$name.*" | wc -l)" = 1 ] || fail "$(ls "$JOB/summary")"
	done
	expect 3 show -dir "$JOB" --each
	has "$output" "Model name : aicore.0.1.1 " "Model name : aicore.0.1.2 "
	equal "$(query 'SELECT group_concat(tasks) FROM inference WHERE model IS NULL')" "24,24"
}

@test "models that share an id are noted" {
	bare_job
	put core aicore.0.one.5.1.1.0
	put core aicore.0.two.5.1.1.0
	put core aicore.0.three.6.1.1.0
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning: models one, two share the id 5: the files op_statistic and acl_statistic of that id hold all of them"
	lacks "$stderr" three
}

@test "host_start.log.N is a source like others" {
	echo 'clock_realtime: 12' >"$JOB/host_start.log.0"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT state, device_id, size FROM source WHERE file = 'host_start.log.0'")" "info|0|19"
	equal "$(query 'SELECT host_realtime_ns FROM device')" 12
	expect 0 check -dir "$JOB" --format json
	equal "$(jq -r '.tables[0].rows[] | select(.File == "host_start.log.0") | [.What, .Bytes] | join(" ")' <<<"$output")" "info 19"
	echo 'clock_realtime: 13' >"$JOB/host_start.log.0"
	touch -d '2020-01-01' "$JOB/host_start.log.0"
	expect 0 show -dir "$JOB"
	equal "$(query 'SELECT host_realtime_ns FROM device')" 13
	rm "$JOB/host_start.log.0"
	mkfifo "$JOB/host_start.log.0"
	run --separate-stderr timeout 600 "$MSPROF" import -dir "$JOB"
	equal "$status" 3
	has "$stderr" "1 unusable information file"
	equal "$(query "SELECT size, remark FROM source WHERE file = 'host_start.log.0'")" "0|not a regular file"
}

@test "meta tells the schema and the clock" {
	expect 0 import -dir "$JOB"
	[[ $(query "SELECT value FROM meta WHERE key = 'schema'") =~ ^[0-9a-f]{16}$ ]]
	has "$(query "SELECT value FROM meta WHERE key = 'clock'")" "core ticks of the device" "monotonic clock"
}

@test "lines of layer.info that are damaged cost themselves only" {
	printf 'garbage\n{"task":1}\n[]\n\n' >>"$JOB/data/resnet50.46.layer.info"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT damaged_bytes, blank_bytes FROM source WHERE file LIKE '%layer.info'")" "11|1"
	equal "$(query 'SELECT count(*) FROM tasks WHERE name IS NULL')" 0
	has "$(query 'SELECT text FROM note')" "1 lines name no task or no layers"
}

@test "a line of layer.info or net.info that is not strict JSON is damage, and the rest is imported" {
	for line in '{"task":01,"layers":[]}' '{"task":1.,"layers":[]}' $'{"task":1,"x":"a\tb","layers":[]}' $'{"task":1,\x01"layers":[]}' '{"task":1,}'; do
		echo "$line" >>"$JOB/data/resnet50.46.layer.info"
		echo "$line" >>"$JOB/data/resnet50.46.net.info"
	done
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT records FROM source WHERE file LIKE '%.info' ORDER BY file")" $'27\n1'
	equal "$(query 'SELECT count(*) FROM tasks WHERE name IS NULL')" 0
}

@test "an info.json that is not strict JSON is damage: exit 3" {
	for info in '{"frequency":700,"x":01}' $'{"frequency":700,"x":"\t"}' '{"frequency":700,"x":1.}'; do
		echo "$info" >"$JOB/info.json.0"
		expect 3 import -dir "$JOB"
		has "$stderr" info.json.0
	done
}

@test "a batch that is no number does not get into file names" {
	echo '{"model":"resnet50","model_id":46,"batch":"../x","input_pic_num":1}' >"$JOB/data/resnet50.46.net.info"
	expect 0 export timeline -dir "$JOB"
	equal "$(cd "$JOB/timeline" && echo *)" "acl_0.resnet50.46.1.json task_time_0.resnet50.46.1.json trace.json"
}
