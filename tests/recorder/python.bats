#!/usr/bin/env bats
# python.bats: the pyACL face of the recorder.

load helpers

setup_file() {
	local asan
	export PYTHONPATH=$ROOT/lib/recorder/python MSPROF_LIBRARY_PATH=$BUILD
	# python itself is not built with a sanitizer: its runtime goes first
	asan=$(ldd "$BUILD/libmsprof_recorder.so" | awk '/libasan|libubsan/ { printf "%s ", $3 }')
	if [ -n "$asan" ]; then
		export PYTHON_PRELOAD=$asan ASAN_OPTIONS=detect_leaks=0
	fi
}

# python STATUS ARGUMENT...
python() {
	local want=$1
	shift
	run --separate-stderr env LD_PRELOAD="${PYTHON_PRELOAD:-}" python3 "$@"
	[ "$status" -eq "$want" ] || fail "python3 $* ended with $status, not $want: $output; ${stderr:-}"
}

# The calls of a script given on standard input.
script() {
	cat >script.py
	python 0 script.py
}

@test "to files: what runs between start and stop is in the job" {
	python 0 "$ROOT/tests/recorder/python/to_files.py" out
	import_job
	equal "$(calls "name = 'acl.mdl.execute' AND dur_ns >= 2000000")" 5
	equal "$(calls)" 5
	expect 0 export summary -dir "$JOB"
	expect 0 export timeline -dir "$JOB"
	ls "$JOB"/mindstudio_profiler_output/api_statistic_*.csv "$JOB"/mindstudio_profiler_output/msprof_[0-9]*.json
}

@test "through a pipe: operators arrive whole, with names and types, and nothing stays open" {
	python 0 "$ROOT/tests/recorder/python/through_pipe.py"
	equal "$(grep -c '^3 Convolution conv1 True$' <<<"$output")" 8
	equal "$(grep -c "^3 Pooling x\{256\} True\$" <<<"$output")" 8
	equal "$(grep -c '^3 InnerProduct fc[0-7] True$' <<<"$output")" 8
	has "$output" 'descriptors left open: 0'
}

@test "out of order: the codes of the C interface" {
	script <<-'END'
		import msprof_acl as acl
		print(acl.prof.init("out"), acl.prof.start(0), acl.prof.finalize())
		print(acl.init(), acl.init())
		config = acl.prof.create_config([0], 0, 0, acl.prof.ACL_PROF_ACL_API)
		print(acl.prof.start(config), acl.prof.init("out"), acl.prof.init("out"))
		subscription = acl.prof.create_subscribe_config(1, 0xFF, 1)
		print(acl.prof.model_subscribe(1, subscription), acl.prof.get_op_desc_size()[1], acl.prof.model_unsubscribe(1))
		print(acl.prof.start(config), acl.prof.start(config), acl.prof.stop(config), acl.prof.stop(config))
		print(acl.prof.finalize(), acl.prof.finalize(), acl.finalize(), acl.finalize())
		print(acl.prof.create_config([0], 0, 0, 0x80000000) > 0, acl.prof.create_config([0, 0], 0, 0, 1))
	END
	equal "$output" "100001 100043 100043
0 100002
100043 0 100002
148047 148047 148047
0 100042 0 100043
0 100043 0 100037
True 0"
}

@test "stamps: marks and ranges between start and stop" {
	script <<-'END'
		import msprof_acl as acl
		acl.init()
		print(acl.prof.create_stamp())
		acl.prof.init("out")
		config = acl.prof.create_config([0], 0xFF, 0, acl.prof.ACL_PROF_MSPROFTX)
		acl.prof.start(config)
		stamp = acl.prof.create_stamp()
		print(stamp != 0, acl.prof.set_stamp_trace_message(stamp, "phase", 5), acl.prof.mark(stamp))
		print(acl.prof.push(stamp), acl.prof.pop(), acl.prof.pop() != 0)
		number, code = acl.prof.range_start(stamp)
		print(code, acl.prof.range_stop(number), acl.prof.range_stop(number) != 0)
		acl.prof.destroy_stamp(stamp)
		acl.prof.stop(config)
		print(acl.prof.mark(stamp) != 0, acl.prof.pop() != 0)
		acl.prof.finalize()
		acl.finalize()
	END
	equal "$output" "0
True 0 0
0 0 True
0 0 True
True True"
}

@test "a thread's calls are recorded whoever started, with its own thread id" {
	script <<-'END'
		import threading
		import msprof_acl as acl
		acl.init()
		acl.prof.init("out")
		config = acl.prof.create_config([0], 0xFF, 0, acl.prof.ACL_PROF_ACL_API)
		def run(work):
		    thread = threading.Thread(target=work)
		    thread.start()
		    thread.join()
		def call():
		    with acl.recorder.call("in_a_thread"):
		        print(threading.get_native_id())
		run(lambda: acl.prof.start(config))
		run(call)
		run(lambda: acl.prof.stop(config))
		acl.prof.finalize()
		acl.finalize()
	END
	local tid=$output
	import_job
	equal "$(api_calls "SELECT tid FROM api_call WHERE name = 'in_a_thread'")" "$tid"
}

@test "acl.json turns recording on without another call, and off when it is edited" {
	cat >script.py <<-'END'
		import msprof_acl as acl
		print(acl.init("acl.json"))
		with acl.recorder.call("work"):
		    pass
		print(acl.prof.init("out"), acl.finalize())
	END
	python 0 script.py
	equal "$output" $'0\n100042 0'
	import_job
	equal "$(calls "name = 'work'")" 1
	discard out/*
	printf '{"profiler": {"switch": "off"}}' >acl.json
	python 0 script.py
	equal "$output" $'0\n0 0'
	equal "$(ls out)" ''
}

@test "marks, ranges and decorators: nested, recursive, and where the function fails" {
	script <<-'END'
		import msprof_acl as acl
		acl.init("acl.json")
		acl.recorder.mark("begin")
		with acl.recorder.range("outer"):
		    with acl.recorder.range("inner"):
		        pass
		@acl.recorder.range("factorial")
		@acl.recorder.call("fac")
		def factorial(n):
		    return 1 if n < 2 else n * factorial(n - 1)
		print(factorial(4))
		@acl.recorder.range("fails")
		def fails():
		    raise ValueError
		try:
		    fails()
		except ValueError:
		    pass
		acl.finalize()
	END
	equal "$output" 24
	import_job
	equal "$(api_calls 'SELECT name, type, count(*) FROM api_call GROUP BY 1, 2 ORDER BY 1' | tr '\n' ' ')" \
		'begin|5|1 fac|4|4 factorial|5|4 fails|5|1 inner|5|1 outer|5|1 '
}
