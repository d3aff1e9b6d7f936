#!/usr/bin/env bats
# learned_json.bats: layers, models and names of calls in other JSON or text than ours.

load helpers

setup() {
	fresh_job
	LAYOUTS=$BATS_TEST_TMPDIR/layouts
	mkdir "$LAYOUTS"
	rm "$JOB"/data/*.info
	INFO=$JOB/data/resnet50.46.layer.info
}

# layers KIND STATEMENTS: the layout svp.layer_info of this test
layers() {
	printf '%s\n' "$1 svp.layer_info v2 learned" 'file "{model}.{model_id:int}.layer.info"' 'table layer_line' "$2" >"$LAYOUTS/board.rec"
}

# calls FORMAT VALUES: three calls in each file, number i with its times and the values; the layout of all but the values
calls() {
	for name in "$JOB"/data/acl_api.*; do
		[[ $name != *.done ]] || continue
		python3 -c "import struct, sys; open(sys.argv[1], 'wb').write(b''.join(struct.pack('<QQ$1', 1000 * i, 1000 * i + 7, $2) for i in range(3)))" "$name"
		echo filesize:72 >"$name.done"
	done
	cat >"$LAYOUTS/board.rec" <<-'END'
		record svp.acl_api v2 learned
		file "acl_api.{device_id:int}.{model}.{model_id:int}"
		table api_call
		size 24
		input begin u64 @0
		input end u64 @8
		time start_ns begin unit=ns
		duration dur_ns begin end unit=ns
	END
}

# what: the layers that were understood
what() {
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	query "SELECT task_id, stream_id, position, layer_id, name, type, replace(ori, char(31), '+') FROM layer ORDER BY 1, 2, 3"
}

@test "elements of an array below other keys, and their index" {
	printf '%s\n' '{"Task Id":7,"net":{"ops":[{"n":"a","t":["T","U"]},{"n":"b","from":["x","y"]},3]}}' '{"Task Id":8,"net":{"ops":[]}}' >"$INFO"
	layers json $'each net.ops\nvalue task_id "Task Id"\nvalue layer_id "#"\nvalue name .n\nvalue type .t[0]\nvalue ori .from'
	equal "$(what)" $'7|0|0|0|a|T|\n7|0|1|1|b||x+y'
	layers json $'value task_id "Task Id"\nvalue name net.ops[1].n'
	equal "$(what)" $'7|0|0||b||\n8|0|0||||'
}

@test "members of an object, and elements that name their tasks" {
	echo '{"a.b":{"l1":{"task":3,"name":"one"},"l2":{"task":3,"name":"two"},"l3":{"task":1,"stream":2,"name":"three"}}}' >"$INFO"
	layers json $'each "a.b"\nvalue task_id .task\nvalue stream_id .stream\nvalue name .name\nvalue type "#"'
	equal "$(what)" $'1|2|0||three|l3|\n3|0|0||one|l1|\n3|0|1||two|l2|'
}

@test "arrays side by side" {
	echo '{"m":{"task":[4,5],"name":["one","two"],"ori":[["x","y"],["z"]]},"stream":1}' >"$INFO"
	layers json $'zip\nvalue task_id m.task\nvalue name m.name\nvalue ori m.ori\nvalue stream_id stream'
	equal "$(what)" $'4|1|0||one||x+y\n5|1|0||two||z'
}

@test "lines of text: a line for each layer" {
	printf '%s\n' '0;1;10;conv;Convolution;conv' '0;1;11;relu;ReLU;relu1' '2;1;12;pool;Pooling;p' >"$INFO"
	layers text 'line "{task_id:int};{stream_id:int};{layer_id:int};{name};{type};{ori}"'
	equal "$(what)" $'0|1|0|10|conv|Convolution|conv\n0|1|1|11|relu|ReLU|relu1\n2|1|0|12|pool|Pooling|p'
}

@test "a line without a task or a list is odd, and names its number" {
	printf '%s\n' '{"task":1,"layers":{"id":1}}' '{"layers":[]}' '{"task":2,"layers":3}' '{"task":3,"layers":[{"id":5}]}' >"$INFO"
	expect 0 import -dir "$JOB"
	equal "$(query 'SELECT task_id, layer_id FROM layer')" "3|5"
	equal "$(query "SELECT text FROM note WHERE text LIKE '%no task%'")" "3 lines name no task or no layers"
}

@test "names of calls that are numbers come from a dictionary" {
	calls I4x '40 + i'
	echo '{"apis":[{"k":40,"v":"aclInit"},{"k":41,"v":"old"},{"k":41,"v":"aclmdlExecute"}]}' >"$JOB/data/names.json"
	cat >>"$LAYOUTS/board.rec" <<-'END'
		field name_number u32 @16
		pad 4 @20
		json svp.names v1 learned
		file "names.json"
		table api_name
		each apis
		value number .k
		value name .v
	END
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT name, dur_ns FROM api_call ORDER BY start_ns')" $'aclInit|7\naclmdlExecute|7\n42|7'
	sed -i '/^json/,$d' "$LAYOUTS/board.rec"
	printf '%s\n' 'text svp.names v1 learned' 'file "names.json"' 'table api_name' 'line "{number:int} {name}"' >>"$LAYOUTS/board.rec"
	printf '40 aclInit\n42 aclFinalize\n' >"$JOB/data/names.json"
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT name FROM api_call ORDER BY start_ns')" $'aclInit\n41\naclFinalize'
	sed -i '/^text/,$d' "$LAYOUTS/board.rec"
	printf '%s\n' 'json svp.names v1 learned' 'file "names.json"' 'table api_name' 'each .' 'value number "#"' 'value name .' >>"$LAYOUTS/board.rec"
	echo '{"41":"aclmdlExecute","042":"no number","4e1":"no number","version":"none"}' >"$JOB/data/names.json"
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query 'SELECT name FROM api_call ORDER BY start_ns')" $'40\naclmdlExecute\n42'
}

@test "kinds of calls that are other numbers come from a map; those that it lacks are odd" {
	calls H6s '0x131 + i, b"name"'
	cat >>"$LAYOUTS/board.rec" <<-'END'
		input kind u16 @16
		field name char[6] @18
		map type kind 0x131=1 306=3
	END
	expect 0 import -dir "$JOB" --layouts "$LAYOUTS"
	equal "$(query "SELECT coalesce(type, 'none') FROM api_call ORDER BY start_ns")" $'1\n3\nnone'
	expect 0 check -dir "$JOB" --layouts "$LAYOUTS"
	has "$output" "numbers that no map has; their columns are empty"
}

@test "a value for a column that the table lacks names both" {
	layers json 'value colour a.b'
	expect 1 import -dir "$JOB" --layouts "$LAYOUTS"
	# shellcheck disable=SC2154 # set by run
	has "$stderr" "table of records 'layer_line' with column 'colour' not found"
}
