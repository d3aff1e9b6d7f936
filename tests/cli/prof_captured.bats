#!/usr/bin/env bats
# prof_captured.bats: PROF directories: operators of captured models, and streams with longer numbers.
# shellcheck disable=SC2034,SC2153,SC2154 # query reads $DB; $stderr is set by run, $DEVICE by setup

load helpers
load prof

@test "streams of 15 bits: what says so decides how numbers of tasks are read" {
	cd "$BATS_TEST_TMPDIR"
	record prof.expand_stream_spec "$HOST/unaging.compact.expand_stream_spec.slice_0" <<<"expand_status=1"
	# as recorded, with bits of stream and task in each other's places, and an event, whose task stays
	record prof.acsq "$DEVICE/stars_soc.data.0.slice_1" <<-END
		end=0 stream_id=5000 task_id=40001 counter=$(device 5000) task_type=0
		end=1 stream_id=5000 task_id=40001 counter=$(device 5002) task_type=0
		end=0 stream_id=$((32768 | 7232)) task_id=$((32768 | 5001)) counter=$(device 5010) task_type=0
		end=1 stream_id=$((32768 | 7232)) task_id=$((32768 | 5001)) counter=$(device 5012) task_type=0
		end=0 stream_id=$((32768 | 5003)) task_id=77 counter=$(device 5020) task_type=4
		end=1 stream_id=$((32768 | 5003)) task_id=77 counter=$(device 5022) task_type=4
	END
	expect 0 import -dir "$PROF"
	accounted
	equal "$(query 'SELECT stream_id, task_id FROM task WHERE start_ns >= 1000005000000 ORDER BY id')" $'5000|40001\n5001|40000\n5003|77'
}

@test "a kernel outside of a node is the operator that was captured for its task" {
	cd "$BATS_TEST_TMPDIR"
	printf '5000_900:KERNEL_AICORE\n5000_902:KERNEL_AIVEC\n' >"$HOST/aging.additional.type_info_dic.slice_0"
	record prof.task_track "$HOST/aging.compact.task_track.slice_0" <<-END
		level=5000 type=802 thread_id=777 data_len=24 stamp=$(host 2100) stream_id=30 task_id=0 task_type=900 kernel_name=$((8000000000000000001 + 90))
		level=5000 type=802 thread_id=777 data_len=24 stamp=$(host 2101) stream_id=30 task_id=1 task_type=902
		level=5000 type=802 thread_id=777 data_len=24 stamp=$(host 2102) stream_id=30 task_id=2 task_type=900
	END
	for task in 0 1 2; do
		echo "end=0 stream_id=30 task_id=$task counter=$(device $((5000 + 10 * task)))"
		echo "end=1 stream_id=30 task_id=$task counter=$(device $((5005 + 10 * task)))"
	done | record prof.acsq "$DEVICE/stars_soc.data.0.slice_1"
	record prof.capture_op_info_aging "$HOST/aging.additional.capture_op_info.slice_0" <<-END
		device_id=0 stream_id=30 task_id=0 op_name=$((8000000000000000001 + 1)) op_type=17000000000000000001
		aging=23130 device_id=0 stream_id=30 task_id=0 model_id=9 op_name=$((8000000000000000001 + 50)) op_type=17000000000000000003 block_num=20 mix_num=2 op_flag=1 tensor_num=1 tensors=u32:0,2,1,3,4
	END
	record prof.capture_op_info "$HOST/unaging.additional.capture_op_info.slice_0" <<<"device_id=0 stream_id=30 task_id=1 op_name=$((8000000000000000001 + 51)) op_type=17000000000000000004 task_type=1 block_num=8"
	expect 0 export summary -dir "$PROF"
	accounted
	# the last record counts; a kernel without a name and without a record does not count; the device waited from operator to operator
	equal "$(rows op_summary | grep ',30,layer' | cut -d, -f1-18 | tr -d '\t')" \
'0,9,0,30,layer50:Op0,Op2,dynamic,AI_CORE,1700000000005000.000,5.000,2760.200000,20,40,YES,"""3,4""",FLOAT16,ND
0,0,1,30,layer51:Op1,Op3,static,AI_CPU,1700000000005010.000,5.000,5.000000,8,0,NO,N/A,N/A,N/A,N/A'
	equal "$(query 'SELECT count(*) FROM task WHERE stream_id = 30 AND is_op')" 2
	equal "$(query 'SELECT count(*) FROM overlap WHERE kind = 0 AND start_ns >= 1000005000000')" 2
}
