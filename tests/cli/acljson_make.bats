#!/usr/bin/env bats
# acljson_make.bats: an acl.json made for profiling or a dump, like tools that run models on Ascend cards do.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	umask 0022
}

@test "for profiling: the switch, AI CPU, no metrics, an output of its own" {
	expect 0 acljson --make profiler --output deep/out
	equal "$(jq -cS . deep/out/acl.json)" \
		"$(jq -cnS --arg dir "$PWD/deep/out/profiler" '{profiler: {switch: "on", aicpu: "on", aic_metrics: "", output: $dir}}')"
	has "$stderr" "wrote 'deep/out/acl.json'"
	has "$output" 'acl.json (ascend)' 'Profiling is on' "$PWD/deep/out/profiler"
	expect 0 acljson --check deep/out/acl.json --profile ascend
	equal "$stderr" ''
}

@test "for a dump: path, mode, models" {
	expect 0 acljson --make dump --output out --model resnet50_v1 --model 'two "words"' --format json
	want=$(jq -cnS --arg dir "$PWD/out/dump" '{dump: {dump_path: $dir, dump_mode: "output",
		dump_list: [{model_name: "resnet50_v1"}, {model_name: "two \"words\""}]}}')
	equal "$(jq -cS . out/acl.json)" "$want"
	equal "$(jq -cS . <<<"$output")" "$want"
	expect 0 acljson --acl-json out/acl.json
	has "$output" 'Outputs of layers are dumped' "$PWD/out/dump" resnet50_v1 'two "words"'
	equal "$stderr" ''
}

@test "directories are 0750 and the file 0640, whatever the umask" {
	for mask in 0000 0077; do
		discard made
		umask "$mask"
		expect 0 acljson --make dump --output made/below --model m -q
		equal "$(stat -c %a made made/below made/below/dump made/below/acl.json | xargs)" '750 750 750 640'
		equal "$output$stderr" ''
	done
}

@test "--acl-json is given, so --make has no effect, the file is checked" {
	printf '{"profiler": {"switch": "on", "output": "./result/profiler", "task_time": "l1"}}' >mine.json
	expect 0 acljson --make profiler --output out --acl-json mine.json --format json
	has "$stderr" '--acl-json is given, so --make has no effect'
	[ ! -e out ]
	equal "$(jq -r '.profiler | .output, .task_time' <<<"$output" | xargs)" './result/profiler l1'
	printf '{"profiler": {"switch": "on", "output": "out", "nonsense": "1"}}' >mine.json
	expect 1 acljson --make dump --model m --output out --acl-json mine.json
	has "$stderr" "profiler.nonsense '1': "
	expect 3 acljson --acl-json mine.json --profile svp
	expect 1 acljson --acl-json missing.json
	has "$stderr" "cannot open 'missing.json'"
}

@test "profiling and a dump together are refused, also beside an acl.json" {
	expect 2 acljson --make profiler --make dump --output out --model m
	has "$stderr" 'for profiling or for a dump, not for both'
	echo '{}' >mine.json
	expect 2 acljson --make profiler --make dump --output out --acl-json mine.json
	[ ! -e out ]
}

@test "what is missing is named" {
	expect 2 acljson --make profiler
	has "$stderr" '--output is missing'
	expect 2 acljson --make dump --model m
	has "$stderr" '--output is missing'
	expect 2 acljson --make dump --output out
	has "$stderr" '--model is missing'
	expect 2 acljson
	has "$stderr" 'give --check FILE'
	expect 2 acljson --make timeline --output out
	has "$stderr" "invalid make 'timeline' (profiler or dump)"
	expect 2 acljson --make profiler --output out --model m
	expect 2 acljson --make profiler --output out --profile svp
	expect 2 acljson --make profiler --output out --check x.json
	[ ! -e out ]
}

@test "a directory that cannot be named in an acl.json is refused, and the earlier file stays" {
	mkdir 'a;b'
	echo earlier >'a;b/acl.json'
	expect 1 acljson --make profiler --output 'a;b'
	has "$stderr" "the character ';' is not allowed"
	equal "$(cat 'a;b/acl.json')" earlier
	echo x >file
	expect 1 acljson --make profiler --output file/out
	has "$stderr" "cannot make the directory 'file"
	expect 1 acljson --make dump --model '' --output out
	has "$stderr" 'dump.dump_list[0].model_name'
	[ ! -e out/acl.json ]
	no_part_files .
}

@test "an earlier file is replaced as a whole, a link is not followed" {
	mkdir out
	echo precious >elsewhere
	ln -s ../elsewhere out/acl.json
	expect 0 acljson --make profiler --output out
	equal "$(cat elsewhere)" precious
	[ -f out/acl.json ] && [ ! -L out/acl.json ]
	no_part_files out
}
