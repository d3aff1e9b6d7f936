#!/usr/bin/env bats
# svp.bats: jobs of the SS928 family: names, pairing with markers, frequencies, and what an import says of them.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers
load helpers/svp_job

CORE=data/aicore.0.resnet50.16.46.1.1.0

counts() {
	query "SELECT (SELECT count(*) FROM aicore_task), (SELECT count(*) FROM aicpu_task), (SELECT count(*) FROM api_call)"
}

@test "names with a stream and without, in any case" {
	bare_job
	put core aicore.0.m.16.1.1.1.0
	put core AICORE.0.n.1.1.1.0
	put cpu aicpu.0.m.16.1.1.1.0
	put cpu AiCpu.0.n.1.1.1.0
	put call acl_api.0.m.1
	put call ACL_API.0.n.2
	put layer m.1.Layer.Info
	put net m.1.net.info
	printf '\1\0\1' >"$JOB/data/cont.0.data.1.256.3.0"
	expect 0 import -dir "$JOB"
	equal "$(counts)" "2|2|2"
	equal "$(query "SELECT model, stream_id FROM source WHERE target IN ('aicore_task', 'aicpu_task') ORDER BY model, target")" $'m|16\nm|16\nn|0\nn|0'
	equal "$(query 'SELECT cont FROM cont_step')" $'1\n0\n1'
	equal "$(query "SELECT count(*) FROM source WHERE state = 'unknown'")" 0
}

@test "a model name may hold dots, digits and dashes: numbers are taken from the right" {
	bare_job
	put core aicore.3.kws-610-pro.v1.2.16.58.256.4.20
	put call acl_api.3.kws-610-pro.v1.2.58
	put layer kws-610-pro.v1.2.58.layer.info name=found
	mv "$JOB/info.json.0" "$JOB/info.json.3"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT DISTINCT model, model_id FROM source WHERE model IS NOT NULL")" "kws-610-pro.v1.2|58"
	equal "$(query "SELECT device_id, stream_id, batch, input_pic_num, current_pic FROM source WHERE target = 'aicore_task'")" "3|16|256|4|20"
	equal "$(query 'SELECT name FROM tasks')" found
}

@test "several models, pictures and devices are kept apart" {
	generate --models 3 --pictures 4 --interval 5 --devices 2 --tasks 10 --aicpu 1 --calls 20 --threads 1
	expect 0 import -dir "$JOB"
	equal "$(counts)" "240|24|$(cat "$JOB"/data/acl_api.*[0-9] | wc -c | awk '{ print $1 / 32 }')"
	equal "$(query 'SELECT count(DISTINCT device_id), count(DISTINCT model_id), group_concat(DISTINCT current_pic) FROM tasks')" \
		"2|3|0,5,10,15"
	equal "$(query 'SELECT min(n), max(n) FROM (SELECT count(*) AS n FROM tasks GROUP BY device_id, model_id, current_pic)')" "11|11"
	equal "$(query 'SELECT count(*) FROM tasks WHERE name IS NULL AND type IS NULL')" 0
}

@test "a second device has the frequency of its own info.json" {
	generate --devices 2
	sed -i 's/700/699/' "$JOB/info.json.1"
	expect 0 export summary -dir "$JOB"
	equal "$(query 'SELECT device_id, frequency_mhz FROM device')" $'0|700\n1|699'
	ls "$JOB"/summary/op_summary_0.*.700.csv "$JOB"/summary/op_summary_1.*.699.csv
}

@test "a file that inferences share: each marker has its portion, in order of time" {
	local soc
	for soc in dv500 cv610; do
		bare_job $soc
		{
			raw core soc=$soc task=0 ticks=7 pic=8
			raw core soc=$soc task=1 ticks=14 pic=8
			raw core soc=$soc task=0 ticks=21 pic=0
		} >"$JOB/data/aicore.0.1.2"
		mark aicore.0.first.5.1.2.8 len=$((2 * $(size $soc))) start=1000 hit=3 miss=1
		mark aicore.0.second.6.1.2.0 len="$(size $soc)" start=2000
		expect 0 import -dir "$JOB"
		equal "$(query "SELECT model, model_id, batch, input_pic_num, current_pic, records, has_done FROM source WHERE target = 'aicore_task'")" \
			$'first|5|1|2|8|2|1\nsecond|6|1|2|0|1|1'
		# a tick is 100 cycles of 700 MHz
		equal "$(query 'SELECT model, task_id, start_ns, dur_ns FROM tasks ORDER BY row')" \
			$'first|0|1000000|1000\nfirst|1|1001000|2000\nsecond|0|2000000|3000'
		equal "$(query 'SELECT model, cache_hit, cache_miss FROM inference ORDER BY model')" $'first|3|1\nsecond||'
	done
}

@test "a shared file without any marker: its model is unknown, and it is an inference of its own: exit 3" {
	bare_job dv500
	put core aicore.0.1.1 soc=dv500 pic=0
	put core aicore.0.1.2 soc=dv500 pic=0
	expect 3 export summary -dir "$JOB"
	has "$stderr" "data/aicore.0.1.1: the model is unknown: no .done marker names it"
	for name in aicore.0.1.1 aicore.0.1.2; do
		[ "$(find "$JOB/summary" -name "op_summary_0.$name.*" | wc -l)" = 1 ] || fail "$(ls "$JOB/summary")"
	done
	expect 3 show -dir "$JOB" --each
	has "$output" "Model name : aicore.0.1.1 " "Model name : aicore.0.1.2 "
	equal "$(query 'SELECT group_concat(tasks) FROM inference WHERE model IS NULL')" "1,1"
}

# of_dv500: two records of a Hi3519DV500, of picture 0
of_dv500() {
	bare_job dv500
	{
		raw core soc=dv500 task=0 ticks=7
		raw core soc=dv500 task=1 ticks=7
	} >"$JOB/data/aicore.0.1.1"
}

@test "markers of a shared file that lie: no record is lost, and it is told" {
	of_dv500
	mark aicore.0.m.5.1.1.0 len=256 start=1000
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT model, records FROM source WHERE target = 'aicore_task' ORDER BY first_row")" $'m|1\n|1'
	equal "$(query "SELECT text FROM note WHERE kind = 'odd' AND text LIKE '%marker%'")" "its .done marker says 256 bytes, the file has 512"

	mark aicore.0.m.5.1.1.0 len=1024 start=1000
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT model, records FROM source WHERE target = 'aicore_task'")" "m|2"
	equal "$(query "SELECT kind FROM note WHERE text = 'its .done marker says 1024 bytes, the file has 512'")" missing

	mark aicore.0.m.5.1.1.0 len=300 start=1000
	mark aicore.0.n.6.1.1.0 len=212 start=2000
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT count(*) FROM aicore_task')" 2
	equal "$(query "SELECT kind FROM note WHERE text = '2 of its .done markers tell bytes that are no whole records'")" odd
}

@test "a marker of a shared file that speaks of another picture than its records contradicts them" {
	of_dv500
	mark aicore.0.m.5.1.1.0 len=256 start=1000
	mark aicore.0.m.5.1.1.8 len=256 start=2000
	expect 3 import -dir "$JOB"
	equal "$(query 'SELECT current_pic, task_id, start_ns FROM tasks ORDER BY row')" $'0|0|1000000\n8|1|2000000'
	equal "$(query "SELECT kind FROM note WHERE text = '1 records differ from what the name or the .done marker says'")" odd
}

@test "markers that tell nothing, or no numbers: times count from what is known, and it is told" {
	local text
	for text in '' 'start_time:\n' 'start_time:x1\n' 'start_time:-5\n' 'start_time:99999999999999999999\n' 'file_len:1e3\nend_time:7\n'; do
		of_dv500
		printf '%b' "$text" >"$JOB/data/aicore.0.m.5.1.1.0.done"
		expect 3 import -dir "$JOB"
		equal "$(query 'SELECT model, task_id, start_ns FROM tasks ORDER BY row')" $'m|0|0\nm|1|1000'
		has "$stderr" "1 inference has no .done marker that tells its start: its times count from 0"
	done
}

@test "a marker whose file is missing: exit 3, and it is named" {
	rm "$JOB/data/aicore.0.resnet50.16.46.1.1.10"
	expect 3 import -dir "$JOB"
	has "$stderr" aicore.0.resnet50.16.46.1.1.10 missing
	bare_job dv500
	mark aicore.0.m.5.1.1.0 len=256 start=1000
	put call acl_api.0.m.5 soc=dv500 model=5
	expect 3 import -dir "$JOB"
	has "$stderr" aicore.0.m.5.1.1.0.done missing
}

@test "a file shorter than its marker says is missing data: exit 3; longer is odd, and a doubt" {
	truncate -s 5888 "$JOB/$CORE"
	expect 3 import -dir "$JOB"
	has "$stderr" "says 6144 bytes, the file has 5888"
	generate
	raw core task=24 ticks=1 >>"$JOB/$CORE"
	expect 3 import -dir "$JOB"
	equal "$(query "SELECT kind FROM note WHERE text = 'its .done marker says 6144 bytes, the file has 6400'")" odd
}

@test "no marker at all: incomplete collection, parsed all the same" {
	generate --no-done
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning: incomplete collection"
	equal "$(counts)" "24|2|60"
}

@test "one marker missing: incomplete collection of that file" {
	rm "$JOB/data/aicpu.0.resnet50.16.46.1.1.0.done"
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning: data/aicpu.0.resnet50.16.46.1.1.0: incomplete collection"
	lacks "$stderr" aicore
}

@test ".complete markers of an earlier parser change nothing" {
	generate --complete
	expect 0 import -dir "$JOB"
	lacks "$stderr" warning
	equal "$(counts)" "24|2|60"
}

@test "records that the recorder says it lost are a warning" {
	generate --host-only
	sed -i 's/"lost": 0/"lost": 17/' "$JOB/data/recorder.json.0"
	expect 0 import -dir "$JOB"
	has "$stderr" "17 records were lost"
}

@test "no frequency: an error that names file and key; --frequency supplies it" {
	for info in '[]' '[{"magic": "6A6A"}]' '[{"aic_frequency": "0"}]' '[{"aic_frequency": 700}]' '[{"aic_frequency": "700.5"}]' \
		'[{"aic_frequency": "-1"}]' '[{"aic_frequency": "1000001"}]' '[{"aic_frequency": null}]' '{"aic_frequency": "700"}' \
		'[{"aic_frequency": "700", "two": "keys"}]'; do
		printf '{"DeviceInfo": %s}' "$info" >"$JOB/info.json.0"
		expect 1 import -dir "$JOB"
		has "$stderr" "$JOB/info.json.0" "'aic_frequency'" --frequency
	done
	expect 0 import -dir "$JOB" --frequency 699
	equal "$(query 'SELECT frequency_mhz FROM device')" 699
	expect 0 export summary -dir "$JOB" --frequency 699
	ls "$JOB"/summary/op_summary_*.699.csv
}

@test "--frequency overrides info.json, for that command alone, and says so" {
	expect 0 import -dir "$JOB" --frequency 699
	has "$stderr" "msprof: assumed: info.json.0: the core frequency of 699 MHz is that of --frequency; the file says 700"
	equal "$(query 'SELECT kind FROM note WHERE file = "info.json.0"')" assumed
	equal "$(query 'SELECT count(*) FROM aicore_task WHERE abs(dur_ns - ticks * 100000.0 / 699) > 1')" 0
	expect 0 export summary -dir "$JOB" --frequency 699
	lacks "$stderr" "assumed:" # nothing was parsed
	ls "$JOB"/summary/op_summary_*.699.csv
	expect 0 export summary -dir "$JOB" # parses again
	ls "$JOB"/summary/op_summary_*.700.csv
	equal "$(query 'SELECT frequency_mhz FROM device')" 700
	equal "$(query 'SELECT count(*) FROM note WHERE file = "info.json.0"')" 0
	expect 0 export summary -dir "$JOB" --frequency 701
	ls "$JOB"/summary/op_summary_*.701.csv
	equal "$(query 'SELECT frequency_mhz FROM device')" 701
}

@test "--frequency where info.json says nothing: later commands are content with it" {
	info_json >"$JOB/info.json.0"
	expect 0 import -dir "$JOB" --frequency 699
	has "$stderr" "msprof: assumed: info.json.0: the core frequency of 699 MHz is that of --frequency"
	before=$(stat -c %i "$DB")
	expect 0 export summary -dir "$JOB"
	ls "$JOB"/summary/op_summary_*.699.csv
	equal "$(stat -c %i "$DB")" "$before"
	info_json '{"aic_frequency": "700"}' >"$JOB/info.json.0"
	expect 0 export summary -dir "$JOB" # now it says something
	ls "$JOB"/summary/op_summary_*.700.csv
}

@test "another --frequency without raw files is an error, the same one is not" {
	expect 0 import -dir "$JOB" --frequency 699
	rm "$JOB"/data/*
	expect 0 show -dir "$JOB"
	expect 0 show -dir "$JOB" --frequency 699
	for command in show "export summary" "export timeline"; do
		# shellcheck disable=SC2086 # words on purpose
		expect 1 $command -dir "$JOB" --frequency 700
		has "$stderr" "'$DB' was made with another frequency, and the raw files are gone"
	done
	equal "$(query 'SELECT frequency_mhz FROM device')" 699
}

@test "a job of calls alone needs no frequency" {
	generate --tasks 0 --aicpu 0
	info_json >"$JOB/info.json.0"
	expect 0 import -dir "$JOB"
	generate --host-only
	equal "$(cat "$JOB/info.json.0")" "$(info_json)"
	expect 0 import -dir "$JOB"
}

@test "a broken info.json: exit 3, calls and times of the AI CPU are exported, --frequency brings the rest" {
	for info in '' '{' '[1]' '{"DeviceInfo": [{"aic_frequency": "700"}]} trailing' $'{"DeviceInfo": [],"x":"\xff"}' '"text"' \
		'{"DeviceInfo": [{"aic_frequency": "700"}], "x": 01}' $'{"DeviceInfo": [], "x": "\t"}' '{"DeviceInfo": [], "x": 1.}'; do
		printf '%s' "$info" >"$JOB/info.json.0"
		expect 3 import -dir "$JOB"
		has "$stderr" info.json.0
	done
	expect 3 export timeline -dir "$JOB"
	equal "$(jq '[.. | objects | select(.ph? == "X") | .args["Task Type"]] | unique | join(" ")' -r "$JOB"/timeline/task_time*)" AA_CPU
	expect 3 export summary -dir "$JOB"
	expect 3 show -dir "$JOB"
	expect 3 export timeline -dir "$JOB" --frequency 700
	equal "$(jq '[.. | objects | select(.ph? == "X") | .args["Task Type"] // empty] | unique | join(" ")' -r "$JOB"/timeline/task_time*)" "AA_CORE AA_CPU"
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

@test "models that share an id are noted" {
	bare_job
	put core aicore.0.one.16.5.1.1.0
	put core aicore.0.two.16.5.1.1.0
	put core aicore.0.three.16.6.1.1.0
	expect 0 import -dir "$JOB"
	has "$stderr" "msprof: warning: models one, two share the id 5: the files op_statistic and acl_statistic of that id hold all of them"
	lacks "$stderr" "three share"
}

@test "host_start.log.N is a source like others" {
	echo 'clock_realtime: 12' >"$JOB/host_start.log.0"
	expect 0 import -dir "$JOB"
	equal "$(query "SELECT state, device_id, size FROM source WHERE file = 'host_start.log.0'")" "info|0|19"
	equal "$(query 'SELECT host_realtime_ns FROM device')" 12
	expect 0 check -dir "$JOB" --format json
	equal "$(jq -r '.tables[] | select(.table == "Files").rows[] | select(.File == "host_start.log.0") | [.What, .Bytes] | join(" ")' <<<"$output")" "info 19"
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
	has "$(query "SELECT value FROM meta WHERE key = 'clock'")" "since 1970" "the AI CPU" "API calls"
}
