#!/usr/bin/env bats
# cnn.bats: real work on this processor, recorded, imported, exported and shown.

load helpers

CNN=$BUILD/tests/cnn

@test "a network's layers and calls: genuine numbers all the way" {
	run --separate-stderr "$CNN" --images 6
	equal "$status" 0
	has "$output" 'image 5: class' 'checksum '
	import_job
	equal "$(calls "name = 'cnn_execute' AND type = 2")" 6
	equal "$(query "SELECT group_concat(name || ' ' || n) FROM (SELECT name, count(*) AS n FROM api_call WHERE type = 1 GROUP BY name)")" \
		'conv1 6,conv2 6,conv3 6,dense 6,pool1 6,pool2 6'
	# what is inside an execution takes no longer than it
	equal "$(query "SELECT count(*) FROM api_call e WHERE name = 'cnn_execute' AND dur_ns <
		(SELECT sum(dur_ns) FROM api_call l WHERE l.type = 1 AND l.start_ns BETWEEN e.start_ns AND e.start_ns + e.dur_ns)")" 0
	# the work of convolutions is many times that of pooling, where nothing came between
	equal "$(query "SELECT sum(ns) FILTER (WHERE name LIKE 'conv%') > 5 * sum(ns) FILTER (WHERE name LIKE 'pool%') FROM
		(SELECT name, min(dur_ns) AS ns FROM api_call WHERE type = 1 GROUP BY name)")" 1
	expect 0 export summary -dir "$JOB"
	expect 0 export timeline -dir "$JOB"
	equal "$(jq '[.traceEvents[] | select(.ph == "X")] | length' "$JOB/timeline/acl_0.cnn.7.1.json")" 43
	has "$(cat "$JOB/summary/acl_statistic_0_7_1.csv")" ',op,conv2,' ',model,cnn_execute,'
	expect 0 show -dir "$JOB" --sort time --top 3
	has "$output" cnn_execute 'host-only job: no AA Core data'
}

@test "the same images give the same classes, recorded or not" {
	"$CNN" --images 3 >recorded
	printf '{"profiler": {"switch": "off"}}' >acl.json
	"$CNN" --images 3 >plain
	cmp recorded plain
}

@test "as the program of collect" {
	mkdir -p project/out
	cp "$CNN" project/out/main
	cp "$BUILD"/libmsprof_recorder.so.0 project
	export LD_LIBRARY_PATH=$BUILD
	expect 0 collect --local -m 'project/out/main --images 2 acl.json' --all --output result
	has "$stderr$output" cnn_execute
	equal "$(find result -maxdepth 1 -name 'JOB*' | wc -l)" 1
}
