#!/usr/bin/env bats
# board.bats: a JOB of the recorder is what the library of a board writes, read by a reader that knows nothing of msprof.
# shellcheck disable=SC2154 # $stderr is set by run

load helpers

CHIPS="ss928 dv500 cv610"

# reader FILTER [JOB]: what the independent reader finds in the only JOB below out, without single quotes
reader() {
	python3 "$ROOT/tests/svp/svp_reader.py" "${2:-$(echo out/JOB*)}" | jq -c "$1" | tr -d "'"
}

@test "three chips: read to the last byte, with the six calls; a recording of the host alone has no frequency" {
	local chip
	for chip in $CHIPS; do
		discard out/*
		MSPROF_SOC=$chip record 0 init=acl.json load=3:res.net/50 six=3 calls=4:3 mark=x unload=3 load=7:'second #ä' execute=20:7 finalize
		equal "$stderr" ''
		equal "$(reader .problems)" '["info.json.0: frequency is 0"]'
		equal "$(reader .frequency_mhz)" null
		equal "$(reader '[.calls[] | select(.model_id == 3) | [.type, .model]]')" \
			'[[0,"res_net_50"],[2,"res_net_50"],[3,"res_net_50"],[4,"res_net_50"],[5,"res_net_50"],[1,"res_net_50"]]'
		equal "$(reader '[.calls[] | select(.model_id == 7) | [.type, .model]] | unique')" '[[2,"second_#ä"]]'
		equal "$(reader '.calls | length')" 26
		equal "$(reader '[.bytes[] | .unknown] | add')" 0
	done
}

@test "info.json tells the chip, without a newline, and no frequency of a device" {
	local chip
	for chip in $CHIPS '' ; do
		discard out/*
		MSPROF_SOC=$chip record 0 init=acl.json load=3:net execute=1:3 finalize
		reader .soc >soc
		case $chip in
		dv500) equal "$(cat soc out/JOB*/info.json.0)" $'"Hi3519DV500"\n{"DeviceInfo": [{"aic_frequency": "0"},{"magic_num": "6A6A"}]}' ;;
		cv610) equal "$(cat soc out/JOB*/info.json.0)" $'"Hi3516CV610"\n{"DeviceInfo": [{"aic_frequency": "0"},{"soc_version": "V200"},{"aicore_type": "0"}]}' ;;
		*) equal "$(cat soc out/JOB*/info.json.0)" $'"SS928"\n{"DeviceInfo": [{"aic_frequency": "0"}]}' ;;
		esac
		equal "$(tail -c 1 out/JOB*/info.json.0)" '}'
		equal "$(jq -r .soc out/msprof.JOB*/data/recorder.json.0)" "${chip:-ss928}"
	done
	MSPROF_SOC=hi9999 record 0 init=acl.json finalize
	equal "$stderr" "[WARNING] msprof: the variable MSPROF_SOC is 'hi9999', not one of cv610, dv500, ss928: the form is that of ss928"
}

# The records of both files, packed here by hand from what the other file has.
@test "each byte of acl_api and of its marker" {
	local chip
	for chip in $CHIPS; do
		discard out/*
		MSPROF_SOC=$chip record 0 init=acl.json load=3:net six=3 calls=4:3 six=3 execute=5:3 finalize
		python3 - "$chip" out/JOB*/data out/msprof.JOB*/data <<-'END'
			import struct, sys
			chip, board, own = sys.argv[1:]
			read = lambda name: open(f"{board if name.startswith('acl_api') else own}/{name}", "rb").read()
			numbers = {b"svp_acl_mdl_load_from_mem": 0, b"svp_acl_mdl_unload": 1, b"svp_acl_mdl_execute": 2,
			           b"svp_acl_mdl_execute_async": 3, b"svp_acl_rt_synchronize_stream": 4, b"svp_acl_ext_process_aicpu_task": 5}
			want, calls = b"", []
			for kind, begin, end, pid, tid, name in struct.iter_unpack("<4xIQQII64s32x", read("msprof_api.0.net.3")):
			    number = numbers.get(name.rstrip(b"\0"))
			    if number is None:
			        continue
			    assert kind == (3 if number == 4 else 2), kind
			    call = number, begin // 1000, end // 1000, pid, tid
			    calls.append(call)
			    want += struct.pack("<IIQQII", 0x5A5A, *call) if chip == "ss928" else struct.pack("<IIQQQII", 0x6A6A, 3, *call)
			assert len(calls) == 17, calls
			assert read("acl_api.0.net.3") == want
			done = f"file_len:{len(want)}\nstart_time:{calls[0][1]}\nend_time:{calls[-1][2]}\npid:{calls[-1][3]}\ntid:{calls[-1][4]}\n"
			assert read("acl_api.0.net.3.done") == done.encode()
			assert read("msprof_api.0.net.3.done") == b"filesize:%d\n" % len(read("msprof_api.0.net.3"))
		END
	done
}

@test "the form is that of jobs of the maker's library: files, sizes, texts, order, all but the numbers" {
	needs_shared svp-genuine.tar.xz
	mkdir genuine
	tar -C genuine -xf "$SHARED/svp-genuine.tar.xz"
	cat >form.py <<-'END'
		# What is left of a job without its numbers, and without the files of a device.
		import os, re, struct, sys
		job = sys.argv[1]
		print(re.sub('(?<="aic_frequency": ")[0-9]+', "N", open(f"{job}/info.json.0").read()))
		print(sorted(os.listdir(job)), re.fullmatch("JOB[A-Z]{29}", os.path.basename(job)) is not None)
		for name in sorted(os.listdir(f"{job}/data")):
		    if re.fullmatch("(aicore|aicpu|cont)[.].*|.*[.](layer|net)[.]info", name):
		        continue
		    data = open(f"{job}/data/{name}", "rb").read()
		    print(name.replace("toy", "MODEL"))
		    if name.endswith(".done"):
		        print(repr(re.sub("[0-9]+", "N", data.decode())))
		        continue
		    form = "<IIQQII" if data[:1] == b"Z" else "<IIQQQII"
		    calls = list(struct.iter_unpack(form, data))
		    print(len(data) - struct.calcsize(form) * len(calls), [call[:-4] for call in calls])
		    ends = [call[-3] for call in calls]
		    assert ends == sorted(ends) and all(call[-4] <= call[-3] for call in calls)
	END
	for pair in ss928_async:ss928:3 dv500_async:dv500:2; do
		run=${pair%%:*} chip=${pair#*:} count=${pair##*:}
		chip=${chip%:*}
		discard out/*
		words=(load=0:toy named_call=0:svp_acl_mdl_load_from_mem)
		for ((i = 0; i < count; i++)); do
			words+=(named_call=0:svp_acl_mdl_execute_async named_call=:svp_acl_rt_synchronize_stream)
		done
		MSPROF_SOC=$chip record 0 init=acl.json "${words[@]}" named_call=0:svp_acl_mdl_unload unload=0 finalize
		equal "$(python3 form.py out/JOB*)" "$(python3 form.py "$(find genuine -path "*$run/*JOB*" -name 'JOB*')")"
	done
}

@test "records of many threads are in the order of the ends of their calls" {
	record 0 init=acl.json load=3:net crowd=8:20000:3 finalize
	python3 - out/msprof.JOB*/data out/JOB*/data <<-'END'
		import json, struct, sys
		late, lost = {}, json.load(open(f"{sys.argv[1]}/recorder.json.0"))["lost"]
		for name, form, data in (("msprof_api", "<8xQQII96x", sys.argv[1]), ("acl_api", "<8xQQII", sys.argv[2])):
		    calls = list(struct.iter_unpack(form, open(f"{data}/{name}.0.net.3", "rb").read()))
		    ends = [call[1] for call in calls]
		    assert len(ends) + lost == 160000 and len({call[3] for call in calls}) == 8, len(ends)
		    late[name] = sum(a > b for a, b in zip(ends, ends[1:]))
		# a thread that loses its processor between its clock and its queue is late, as in any library
		assert all(n < 100 for n in late.values()), late
	END
}

marked() {
	[ -e "$(echo out/JOB*/data/acl_api.0."$1".done)" ]
}

unmarked() {
	! marked "$1"
}

@test "the marker of a board's file comes when its model was unloaded, and is made anew when calls follow" {
	"$RECORD" init=acl.json load=1:one load=2:two execute=5:1 execute=5:2 unload=2 sleep=1500 execute=3:2 sleep=60000 3>&- &
	pid=$!
	until_true marked two.2
	equal "$(head -n 1 out/JOB*/data/acl_api.0.two.2.done)" file_len:160
	until_true grep -qx file_len:256 out/JOB*/data/acl_api.0.two.2.done
	kill -9 $pid
	wait $pid || true
	unmarked one.1
	equal "$(find out -name 'msprof_api*.done')" ''
	expect 0 check -q -dir out
	equal "$(reader '.problems | sort')" '["acl_api.0.one.1: no .done","info.json.0: frequency is 0"]'
}

@test "without a model the board's form has no place for calls; they are recorded all the same" {
	record 0 init=acl.json six=9 finalize
	equal "$(ls out/JOB*/data)" ''
	equal "$(cd out/msprof.JOB*/data && echo *)" 'msprof_api.0.record.0 msprof_api.0.record.0.done recorder.json.0'
	equal "$(reader '[.problems, .calls]')" '[["info.json.0: frequency is 0"],[]]'
	import_job
	equal "$(calls)" 6
}

@test "calls are imported once, though two files have them, at the time of the wall clock" {
	local before=${EPOCHREALTIME/./}
	MSPROF_SOC=dv500 record 0 init=acl.json load=3:net six=3 calls=4:3 finalize
	import_job
	equal "$(calls)" 10
	equal "$(query 'SELECT count(*) FROM damage')" 0
	equal "$(calls "start_ns BETWEEN ${before}000 AND ${EPOCHREALTIME/./}999")" 10
	equal "$(calls "dur_ns % 1000 <> 0") " "$(calls "dur_ns % 1000 <> 0") "
	equal "$(query "SELECT name, type FROM api_call WHERE name <> 'svp_acl_rt_malloc' ORDER BY start_ns" | tr '\n' ' ')" \
		'svp_acl_mdl_load_from_mem|2 svp_acl_mdl_execute|2 svp_acl_mdl_execute_async|2 svp_acl_rt_synchronize_stream|3 svp_acl_ext_process_aicpu_task|2 svp_acl_mdl_unload|2 '
}

@test "a program of a board's library, without a change: a JOB with its calls in both forms" {
	ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0" run --separate-stderr env \
		"${MSPROF_EMULATED:+QEMU_SET_ENV=}LD_PRELOAD=$BUILD/libmsprof_preload.so" MSPROF_SOC=dv500 "$BUILD/tests/stub/app-svp" --config acl.json --executes 8
	equal "$status" 0
	equal "$(reader '[.soc, .problems, ([.calls[].type] | group_by(.) | map([.[0], length]))]')" \
		'["Hi3519DV500",["info.json.0: frequency is 0"],[[0,1],[1,1],[2,8]]]'
	equal "$(reader '[.calls[] | select(.type == 2) | .end_us - .start_us >= 3000] | all')" true
	import_job
	equal "$(query "SELECT name, count(*) FROM api_call WHERE name GLOB '*_mdl_*' GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
		'svp_acl_mdl_execute|8 svp_acl_mdl_load_from_mem|1 svp_acl_mdl_unload|1 '
}

@test "a crash: what the board's form has of a job is whole, in order, and each call once" {
	local chip
	for chip in $CHIPS; do
		discard out/*
		MSPROF_SOC=$chip record 137 init=acl.json load=3:net six=3 execute=5000:3 sleep=700 execute=77:3 six=3 kill=9
		expect 0 check -q -dir out # which adds what waits
		equal "$(find out -name .msprof.events)" ''
		equal "$(reader '.problems | sort')" '["acl_api.0.net.3: no .done","info.json.0: frequency is 0"]'
		equal "$(reader '[.calls[].type] | group_by(.) | map([.[0], length])')" '[[0,2],[1,2],[2,5079],[3,2],[4,2],[5,2]]'
		equal "$(stat -c %s out/msprof.JOB*/data/msprof_api.0.net.3)" $((5089 * 128))
	done
}

# subscriber: reads a subscription with the calls of boards. With a file, it reads that; else it subscribes, publishes three operators
# and writes what it gets into the file pipe.bin. Each line: model, start, end, duration, type, name.
build_subscriber() {
	needs_plain_library
	cat >subscriber.c <<-'END'
		#include <acl/acl.h>
		#include <acl/acl_prof.h>
		#include <acl/svp_acl_prof.h>
		#include <msprof_recorder.h>
		#include <stdio.h>
		#include <unistd.h>
		static void publish(const char *name, const char *type, uint64_t us)
		{
			uint64_t now = msprof_begin();
			msprof_op_publish(&(struct msprof_op){now, now + us * 1000, 6, msprof_name(name), msprof_name(type)});
		}
		static size_t subscribe(char *data, size_t room)
		{
			int fds[2], bad = pipe(fds) || svp_acl_init(NULL);
			svp_acl_prof_subscribe_config *config = svp_acl_prof_create_subscribe_config(1, SVP_ACL_AICORE_NONE, &fds[1]);
			aclprofSubscribeConfig *other = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &fds[1]);
			FILE *copy = fopen("pipe.bin", "w");
			ssize_t n;
			bad |= svp_acl_prof_model_subscribe(6, config);
			printf("%d\n", aclprofModelSubscribe(7, other)); /* the pipe has records of another form */
			publish("conv1", "Convolution", 7);
			publish("pool", "Pooling", 123456);
			publish("a name that is longer than its place in the record is", "a type that is longer than its place", 1);
			bad |= svp_acl_prof_model_unsubscribe(6);
			n = read(fds[0], data, room);
			fwrite(data, 1, n > 0 ? (size_t)n : 0, copy);
			return bad || fclose(copy) || svp_acl_finalize() ? 0 : (size_t)n;
		}
		int main(int argc, char **argv)
		{
			static char data[65536];
			FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
			size_t size = file ? fread(data, 1, sizeof(data), file) : subscribe(data, sizeof(data));
			uint32_t count = 0;
			char name[257], type[65];
			int bad = svp_acl_prof_get_op_num(data, size, &count);
			for (uint32_t i = 0; i < count && !bad; i++) {
				bad = svp_acl_prof_get_op_name(data, size, i, name, sizeof(name)) | svp_acl_prof_get_op_type(data, size, i, type, sizeof(type));
				printf("%zu|%llu|%llu|%llu|%s|%s\n", svp_acl_prof_get_model_id(data, size, i), (unsigned long long)svp_acl_prof_get_op_start(data, size, i),
				       (unsigned long long)svp_acl_prof_get_op_end(data, size, i), (unsigned long long)svp_acl_prof_get_op_duration(data, size, i), type, name);
			}
			return bad || !count;
		}
	END
	gcc -Wall -Werror -I"$ROOT/lib/recorder/include" -o subscriber subscriber.c -L"$BUILD" -Wl,-rpath,"$BUILD" -lmsprof_svp -lmsprof_aclprof -lmsprof_recorder
}

# piped FILE: the same lines by the independent reader
piped() {
	python3 "$ROOT/tests/svp/svp_reader.py" --pipe "$1" |
		jq -r '.[] | "\(.model_id)|\(.start_us)|\(.end_us)|\(.dur_us)|\(.type)|\(.name)"'
}

@test "a subscription: what the library writes is read by the independent reader, and one pipe has one form" {
	build_subscriber
	MSPROF_LOG=error ./subscriber >lines 2>errors
	equal "$(head -n 1 lines)" 100000
	has "$(cat errors)" 'the pipe has operators in the form of the other family of calls'
	equal "$(tail -n +2 lines)" "$(piped pipe.bin)"
	equal "$(tail -n +2 lines | cut -d'|' -f1,4-)" '6|7|Convolution|conv1
6|123456|Pooling|pool
6|1|a type that is longer than its |a name that is longer than its place in'
	equal "$(stat -c %s pipe.bin)" 768
}

@test "a subscription that the maker's library wrote is read by the calls of boards" {
	needs_shared svp-genuine.tar.xz
	build_subscriber
	tar -xf "$SHARED/svp-genuine.tar.xz"
	file=$(find . -path '*ss928_subscribe_fused/subscribe.bin')
	./subscriber "$file" >lines
	equal "$(wc -l <lines)" 3
	equal "$(cat lines)" "$(piped "$file")"
	# the words of the hardware apart, our library writes the same bytes: see the unit program test_op_pipe
}
